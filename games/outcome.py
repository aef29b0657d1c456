"""What a verdict comes to: its standing, how it stands to the record, who is apart by how much, and its digest."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from events.schema.envelope import canonical
from events.schema.fact import Fact
from games.verdict import Agreement, Finding, Settlement, Standing, Verdict


def by_player(apart: dict[str, int], due: Settlement, on_record: Settlement | None) -> dict[str, dict[str, int]]:
    """Currency (empty: the table's) → player → due net less recorded net, minor units, of the stakes that differ
    (`apart`)."""
    lines = {line.stake: line for line in (*(on_record.lines if on_record else ()), *due.lines)}
    sums: dict[str, dict[str, int]] = {}
    for stake, amount in apart.items():
        player = lines[stake].player
        own = sums.setdefault(lines[stake].currency or "", {})
        own[player] = own.get(player, 0) + amount
    left = {unit: {player: amount for player, amount in own.items() if amount} for unit, own in sums.items()}
    return {unit: own for unit, own in left.items() if own}


def standing_of(found: Sequence[Finding], due: Settlement, has_hole: bool) -> Standing:
    """The first that applies of void, ruling required, cannot tell, voidable, valid (roulette.md 1.1)."""
    if not found:
        return "cannot_tell" if has_hole or not due.known else "valid"
    kinds = {
        finding.kind for finding in found if finding.kind != "void" or finding.scope in ("round", "shoe", "session")
    }
    if "void" in kinds:
        return "void"
    if "ruling_required" in kinds:
        return "ruling_required"
    if has_hole or not due.known:
        return "cannot_tell"
    return "voidable" if "voidable" in kinds else "valid"


def agreement_of(
    due: Settlement, on_record: Settlement | None, apart: dict[str, int], *, open_round: bool
) -> Agreement:
    """What was paid where nobody can tell what was due does not agree with anything; rake comes last of all."""
    if on_record is None:
        return "not_recorded"
    if apart or not due.known:
        return "differs"
    if due.rake != on_record.rake and due.pots and not open_round:
        left = sum([line.waived for line in due.lines])  # what the house did not take and leaves is no difference
        if due.rake - left != on_record.rake:
            return "differs"
    waits = due.lines and 0 not in [line.held for line in due.lines]
    return "not_compared" if waits else "agrees"


def digest_of(verdict: Verdict, facts: Sequence[Fact]) -> str:
    """SHA-256 of the canonical form of the facts in table order and of the verdict without digest and engine.

    Of a fact counts what is judged, nothing of when it came.
    """
    judged = [
        (one.sequence, one.source, one.part, one.topic, one.occurred_at, one.round, one.about, one.event)
        for one in facts
    ]
    return hashlib.sha256(canonical((judged, verdict))).hexdigest()


def outcome_digest(verdict: Verdict) -> str:
    """SHA-256 of what a verdict comes to: standing, money due and recorded, and which rule found what of whom.

    Not of how anything is worded, nor of facts that change nothing: a ruling that rests on it is overtaken when the
    outcome is another one, and not when a later Recoup finds better words (TB-10).
    """
    found = [(one.rule, one.code, one.kind, one.scope, one.subject, one.player, one.money) for one in verdict.findings]
    due, on_record = verdict.due, verdict.recorded
    money = [
        [
            (line.stake, line.player, line.staked, line.taken, line.returned, line.paid, line.held)
            + ((line.currency,) if line.currency else ())
            for line in one.lines
        ]
        for one in (due, *((on_record,) if on_record is not None else ()))
    ]
    told = (verdict.round, verdict.edition_digest, verdict.standing, verdict.settlement, due.rake, money, found)
    return hashlib.sha256(canonical(told)).hexdigest()
