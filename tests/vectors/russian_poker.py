"""The vectors of russian-poker.md: one box of one round, now and then a second one or a round before."""

from __future__ import annotations

from typing import Any

from events.schema.ours import RulingApplied
from games.adjudicate import Case, SessionJudgement, steps
from games.russian_poker.payouts import Analysis, analyse
from games.russian_poker.play import Playing
from games.verdict import Finding, Line, Verdict
from tests.vectors.bench import edition_with, judged
from tests.vectors.reading import UNNAMED, Vector, unknown_keys
from tests.vectors.russian_poker_table import PLAYER, Room, play

KINDS = frozenset({UNNAMED})
EDITION = "russian-poker.toml"

GIVEN = frozenset({
    "tier", "ante", "bonus", "insurance", "draw", "second_draw", "act", "bet", "hand", "initial", "dealer", "elect",
    "replace", "other_box", "bonus_claimed", "ante_at", "bet_at", "insurance_at", "found", "ruling", "paid", "config",
    "boxes_with_ante", "this_box_is", "same_player_other_box", "previous_round_player_rf", "deck_changed",
    "deck_age_min", "deck_steps",
})  # fmt: skip
EXPECT = frozenset({
    "primary", "second", "dealer", "result", "verdict", "needs_ruling", "shuffle_suspicion", "cut", "lines", "net",
    "difference", "other_box",
})  # fmt: skip
WORDS = {
    "void": {"bet": "bet_void", "round": "round_void", "session": "round_void"},
    "misdeal": {"round": "misdeal"},
    "dead": {"hand": "hand_dead"},
}
"""Kind and scope of a finding → the catalogue's word; any other is a `procedure_breach`, an advisory is none."""


def run(vector: Vector, _base: Vector) -> list[str]:
    """What one vector's round gave otherwise than expected."""
    given, expect = vector["given"], vector["expect"]
    problems = unknown_keys("given", given, GIVEN) + unknown_keys("expect", expect, EXPECT)
    problems += unknown_keys("other_box", given.get("other_box", {}), GIVEN)
    if problems:
        return problems
    toml = edition_with("russian_poker", EDITION, given.get("config", {}))
    room = play(given, toml)
    judgement, case, lost = judged(room.envelopes, toml, _rulings(given, room))
    verdict = judgement.verdicts[-1]
    analysis = _analysis(case)
    found = _of_box(expect, verdict, analysis, room, room.box)
    if "other_box" in expect:
        found += _of_box(expect["other_box"], verdict, analysis, room, room.other)
    found += _verdict(expect, judgement, verdict)
    return found + ([lost] if lost else [])


def _rulings(given: Vector, room: Room) -> list[RulingApplied]:
    if "ruling" not in given:
        return []
    return [
        RulingApplied(
            "r-1", given["ruling"], scope="round", standard="suspicion", decided_by="s-1", role="management",
            rounds=(room.round,),
        )
    ]  # fmt: skip


def _analysis(case: Case) -> Analysis:
    """The room's own analysis of the last round, for the words that a verdict does not have."""
    from cli.assembly import rooms

    session: Any = None
    for step in steps(case, rooms()):
        session = step.session
    return analyse(session)


def _of_box(expect: Vector, verdict: Verdict, analysis: Analysis, room: Room, number: int) -> list[str]:
    found: list[str] = []
    own = analysis.box(number)
    if own is None:
        return [f"box {number} is not in the round"] if {"lines", "result"} & set(expect) else []
    words = {
        "primary": own.hand.primary if own.hand is not None else None,
        "second": own.hand.second if own.hand is not None else None,
        "dealer": _dealer(own),
        "result": "void" if analysis.void else own.result,
        "cut": own.cut,
    }
    for name, value in words.items():
        if name in expect or (name == "cut" and "lines" in expect):
            found += _same(name, expect.get(name, 0 if name == "cut" else None), _whole(value))
    lines = [line for line in verdict.due.lines if room.spot_of(line.stake)[0] == number]
    if "lines" in expect:
        found += _same("lines", expect["lines"], _by_spot(room, lines))
    if "net" in expect:
        found += _same("net", expect["net"], _whole(sum(line.net for line in lines)))
    apart: dict[str, int] = {}
    for stake, amount in verdict.differences.items():
        box, spot = room.spot_of(stake)
        if box == number:
            apart[spot] = apart.get(spot, 0) + amount
    found += _same("difference", expect.get("difference", {}), {spot: _whole(amount) for spot, amount in apart.items()})
    return found


def _dealer(own: Playing) -> str | None:
    if own.dealer is None:
        return None
    return own.dealer.primary if own.dealer.qualifies else "NQ"


def _by_spot(room: Room, lines: list[Line]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for line in lines:
        own = found.setdefault(room.spot_of(line.stake)[1], [0, 0, 0])
        for place, amount in enumerate((line.taken, line.returned, line.paid)):
            own[place] += amount
    return {spot: [_whole(amount) for amount in own] for spot, own in found.items()}


def _verdict(expect: Vector, judgement: SessionJudgement, verdict: Verdict) -> list[str]:
    findings = [own for own in (*verdict.findings, *judgement.between) if own.kind != "advisory"]
    words = {_word(finding) for finding in findings} or {"valid"}
    found = _same("verdict", set(expect.get("verdict", ["valid"])), words)
    asks = any(finding.kind == "ruling_required" for finding in findings)
    doubts = any(finding.kind == "voidable" for finding in findings)
    found += _same("needs_ruling", expect.get("needs_ruling", False), asks)
    found += _same("shuffle_suspicion", expect.get("shuffle_suspicion", False), doubts)
    found += [f"{finding.code} is not verified" for finding in findings if finding.kind == "unverified"]
    return found


def _word(finding: Finding) -> str:
    return WORDS.get(finding.kind, {}).get(finding.scope, "procedure_breach")


def _whole(value: Any) -> Any:
    """Minor units in whole ones; a vector that did not come out in whole units would differ from any expectation."""
    return value // 100 if isinstance(value, int) and not value % 100 else value


def _same(what: str, wanted: Any, got: Any) -> list[str]:
    return [] if wanted == got else [f"{what}: expected {wanted}, got {got}"]


__all__ = ["KINDS", "PLAYER", "run"]
