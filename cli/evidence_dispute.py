"""A dispute in an evidence report: who did what, what was judged then, every ruling with its amounts, the net of each
player, and the rounds that the rulings cover."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from cli import screen
from cli.evidence_round import PackedRound, found_words, short_address
from cli.findings import matters
from cli.money import signed
from cli.options import local_text
from cli.rulings import dealt_lines
from cli.words import headline
from events.schema.disputes import DisputeAdjudicated, RulingProposed
from events.schema.ours import Ruling, RulingIssued
from events.values.money import money_text, unit_text
from games.picture import Span
from games.verdict import Verdict
from replay.disputes.dispute import MOVED, Act, Dispute
from replay.disputes.effects import REMEDIES
from replay.evidence.blocks import Block, Bullets, Fields, Heading, Table, Text, Words, words

_DID = {
    "DisputeOpened": "opened the dispute", "EvidenceNoted": "noted evidence", "DisputeAdjudicated": "had it judged",
    "RulingProposed": "proposed a ruling", "RulingApproved": "approved the ruling", "RulingRejected": "rejected it",
    "RulingIssued": "issued the ruling", "EffectSettled": "settled an amount", "PlayersTold": "told players",
    "DisputeClosed": "closed the dispute", "DisputeReopened": "reopened the dispute",
}  # fmt: skip
_BASIS = {"book": "the house's book", "analogy": "by analogy, the book has no such clause"}
_TOLD = 6
"""So many rounds, or players, are told within one act; the tables below have all."""
_BREACHES = 4
"""So many things found in a round are told where it was judged; its own verdict has all."""
_COLUMNS = 3
"""So many rulings stand side by side in the table of what each player gets in the end."""


class Judged(Struct, frozen=True):
    """A round as it was judged in a dispute: the digest on record, and the verdict that has it, made again from what
    was known then; None where today's rules and code make another one of the same facts."""

    address: str
    digest: str
    verdict: Verdict | None


def dispute_blocks(
    dispute: Dispute, cases: Sequence[PackedRound], judged: Mapping[int, Sequence[Judged]], people: Mapping[str, str]
) -> Iterator[Block]:
    """All of a dispute but its rounds. `judged`: version of the act → what was judged; `people`: account → person."""
    currency = cases[0].verdict.currency
    yield Heading("The dispute", 1)
    rows = tuple(
        (
            words(local_text(act.at)),
            words(people.get(act.account) or act.account),
            words(Span(_DID.get(type(act.event).__name__, type(act.event).__name__), "bold")),
            words("\n".join(filter(None, (_act_words(act, currency, judged.get(act.version, ())), act.reason)))),
        )
        for act in dispute.acts
    )
    yield Table(("when", "who", "what", "details and reason"), rows, wide=(17, 12, 18, 53))
    for ruling in rulings_of(dispute):
        yield from _ruling_blocks(dispute, ruling, currency, people)
    yield from _net_blocks(dispute, currency)
    if len(cases) > 1:
        yield from _rounds(dispute, cases)


def rulings_of(dispute: Dispute) -> tuple[Ruling, ...]:
    """Every ruling issued, oldest first, and the one that waits."""
    return (*dispute.issued, *((dispute.proposed,) if dispute.proposed is not None else ()))


def state_of(dispute: Dispute, ruling: Ruling) -> str:
    """Whether a ruling counts: `in force`, `reversed by …`, `proposed, not in force`."""
    if ruling is dispute.in_force:
        return "in force"
    if ruling is dispute.proposed:
        return "approved, not in force yet" if dispute.approved_by else "proposed, not in force"
    at = [one.ruling for one in dispute.issued].index(ruling.ruling)
    return f"reversed by {short_ruling(dispute, dispute.issued[at + 1])}"


def is_reversed(dispute: Dispute, ruling: Ruling) -> bool:
    """Whether another ruling took the place of one that had been issued."""
    return ruling is not dispute.in_force and ruling is not dispute.proposed


def short_ruling(dispute: Dispute, ruling: Ruling) -> str:
    """`R2`: a ruling's name within its dispute."""
    return ruling.ruling.removeprefix(f"{dispute.id}.")


# -- the rulings


def _ruling_blocks(dispute: Dispute, ruling: Ruling, currency: str, people: Mapping[str, str]) -> Iterator[Block]:
    name, reversed_ = short_ruling(dispute, ruling), is_reversed(dispute, ruling)
    yield Heading(f"Ruling {name}: {state_of(dispute, ruling)}", 2)
    proposed, approved = (_who(dispute, ruling.ruling, what) for what in ("RulingProposed", "RulingApproved"))
    whom = ", ".join((*ruling.bets, *ruling.players))
    scope = f"{ruling.scope or 'as the ground has it'}{f': {whom}' if whom else ''}"
    yield Fields(
        (
            ("ruling", words(Span(ruling.ruling, "bold"))),
            ("what", words(": ".join(filter(None, (ruling.remedy, REMEDIES.get(ruling.remedy, "")))))),
            ("ground", words(f"{ruling.ground}, scope {scope}")),
            ("standard of proof", words(ruling.standard or "not stated")),
            ("basis", words(_BASIS.get(ruling.basis, "management's own ground, not the book's"))),
            *((("replaces", words(ruling.replaces)),) if ruling.replaces else ()),
            ("proposed by", words(people.get(proposed) or proposed)),
            ("approved by", words(people.get(approved) or approved or "nobody yet")),
            ("rounds", words(_of_rounds(ruling.rounds))),
            *((("no longer ruled on", words(_of_rounds(freed))),) if (freed := dispute.freed(ruling)) else ()),
        )
    )
    if not ruling.moves_money_of:
        yield Text(words("It moves no money."))
        return
    rows = tuple(
        (
            words(player),
            words(Span("gets" if amount > 0 else "owes", "dim" if reversed_ else "")),
            words(Span(money_text(abs(amount), unit or currency), "dim" if reversed_ else "bold")),
            words(Span(f"REVERSED by {_successor(dispute, ruling)}", "bad") if reversed_ else ""),
        )
        for unit, own in amounts_of(ruling).items()
        for player, amount in own.items()
    )
    yield Table(("player", "", "amount", ""), rows, frozenset({2}), (30, 15, 25, 30))


def _of_rounds(rounds: Sequence[str]) -> str:
    """Addresses in short, those of one session together: `table/brno/BJ-01/2026-11-28.1 #1, #2`."""
    sessions: dict[str, list[str]] = {}
    for text in rounds:
        subject, _hash, name = text.rpartition("#")
        sessions.setdefault(subject, []).append(name)
    return "; ".join(f"{subject} #{', #'.join(names)}" for subject, names in sessions.items())


def _successor(dispute: Dispute, ruling: Ruling) -> str:
    return state_of(dispute, ruling).removeprefix("reversed by ")


def _net_blocks(dispute: Dispute, currency: str) -> Iterator[Block]:
    """What all rulings and all that was dealt with come to, player by player."""
    nets = {unit: net for unit in units_of(dispute) if (net := net_of(dispute, unit))}
    for unit, net in nets.items():
        yield Heading(f"Net per player, in {unit_text(unit or currency)}", 2)
        yield from _net_table(dispute, unit, net)
    if dispute.settled:
        yield Heading("Dealt with so far", 3)
        yield Bullets(tuple(words(line) for line in dealt_lines(dispute, currency)))


def _net_table(dispute: Dispute, unit: str, net: dict[str, dict[str, int]]) -> Iterator[Block]:
    def by_ruling(one: Ruling, player: str) -> Words:
        amount = amounts_of(one).get(unit, {}).get(player, 0)
        return words(Span(signed(amount), "dim" if is_reversed(dispute, one) else ""))

    shown = rulings_of(dispute)[-_COLUMNS:]
    note = "+ goes to the player, − comes from him. A ruling that was reversed counts for nothing; what was paid on it "
    note += "counts against the one in force. Kept back or given up: no chips moved."
    yield Text(words(Span(note, "dim")))
    heads = [
        f"{short_ruling(dispute, one)}{' (reversed)' if is_reversed(dispute, one) else ''}" for one in shown
    ]  # fmt: skip
    rows = tuple(
        (
            words(player),
            *(by_ruling(one, player) for one in shown),
            words(signed(own["moved"])),
            words(signed(own["given_up"])),
            words(Span(signed(own["open"]), "bold" if own["open"] else "")),
        )
        for player, own in net.items()
    )
    columns = ("player", *heads, "paid, received", "kept back, given up", "still open")
    yield Table(columns, rows, frozenset(range(1, len(columns))))


def amounts_of(ruling: Ruling) -> dict[str, dict[str, int]]:
    """Currency (empty: the tables') → player → minor units, signed as he gets them."""
    return {"": ruling.amounts, **ruling.foreign}


def units_of(dispute: Dispute) -> list[str]:
    """The currencies that a dispute moves, the tables' (empty) first."""
    of_rulings = {unit for ruling in rulings_of(dispute) for unit in ruling.foreign}
    return ["", *sorted(of_rulings | {one.currency for one in dispute.settled if one.currency})]


def net_of(dispute: Dispute, unit: str = "") -> dict[str, dict[str, int]]:
    """Player → minor units of a currency, signed as he gets them: by the ruling in force, moved, given up, and still
    open."""
    in_force = amounts_of(dispute.in_force).get(unit, {}) if dispute.in_force is not None else {}
    still = {"": dispute.open_amounts, **dispute.open_foreign}.get(unit, {})
    settled = [one for one in dispute.settled if (one.currency or "") == unit]
    named = {player for ruling in rulings_of(dispute) for player in amounts_of(ruling).get(unit, {})}
    found = {}
    for player in sorted(named | {one.player for one in settled}):
        own = [one for one in settled if one.player == player]
        found[player] = {
            "in_force": in_force.get(player, 0),
            "moved": sum(one.amount for one in own if one.how in MOVED),
            "given_up": sum(one.amount for one in own if one.how not in MOVED),
            "open": still.get(player, 0),
        }
    return found


def _rounds(dispute: Dispute, cases: Sequence[PackedRound]) -> Iterator[Block]:
    yield Heading("The rounds", 2)
    rows = tuple(
        (
            words(Span(short_address(case.address), "bold" if case.drawn else "")),
            words(why_here(dispute, case.address)),
            words(screen.plain_of(headline(case.alone))),
            words(screen.plain_of(headline(case.verdict)) if case.verdict != case.alone else "the same"),
            words("step by step" if case.drawn else "its end"),
        )
        for case in cases
    )
    heads = ("round", "", "by the facts alone", "as it stands", "drawn")
    yield Table(heads, rows, wide=(16, 18, 30, 25, 11))


def why_here(dispute: Dispute, address: str) -> str:
    """Why a round is in the pack: it is disputed, or by which rulings it is reached."""
    parts = ["disputed"] if address in dispute.rounds else []
    for ruling in rulings_of(dispute):
        if address in ruling.rounds:
            named = short_ruling(dispute, ruling)
            parts.append(f"reached by {named}{', reversed' if is_reversed(dispute, ruling) else ''}")
    return "; ".join(parts)


# -- what each act says


def _who(dispute: Dispute, ruling: str, what: str) -> str:
    """The account that did something to a ruling, the last time; empty if none did."""
    done = [
        act.account
        for act in dispute.acts
        if type(act.event).__name__ == what and getattr(act.event, "ruling", "") == ruling
    ]
    return done[-1] if done else ""


def _act_words(act: Act, currency: str, judged: Sequence[Judged]) -> str:
    event: Any = act.event
    match type(event).__name__:
        case "DisputeOpened":
            return f"“{event.claim}”" + (f", about {event.player}" if event.player else "")
        case "EvidenceNoted":
            span = f"{event.from_at} to {event.to_at}" if event.from_at else ""
            clip = f"clip {event.clip}" if event.clip else ""
            held = f"put away: {', '.join(event.hold)}" if event.hold else ""
            return ", ".join(filter(None, (f"{event.kind} {event.ref}", clip, span, event.note, held)))
        case "DisputeAdjudicated":
            return judged_words(event, judged)
        case "RulingProposed" | "RulingIssued":
            return _ruled(event, currency)
        case "RulingApproved" | "RulingRejected":
            return str(event.ruling)
        case "EffectSettled":
            return f"{event.player}: {money_text(abs(event.amount), event.currency or currency)} {event.how}" + (
                f", slip {event.slip}" if event.slip else ""
            )
        case "PlayersTold":
            return ", ".join(filter(None, (", ".join(event.players), f"by {event.how}", event.text)))
        case "DisputeClosed":
            return str(event.outcome)
    return ""


def _ruled(event: RulingProposed | RulingIssued, currency: str) -> str:
    amounts = [
        f"{player} {'gets' if amount > 0 else 'owes'} {money_text(abs(amount), unit or currency)}"
        for unit, own in amounts_of(event).items()
        for player, amount in own.items()
    ]
    more = [f"and {len(amounts) - _TOLD} more"] if len(amounts) > _TOLD else []
    money = ", ".join((*amounts[:_TOLD], *more)) or "no money moves"
    return f"{event.ruling}: {event.remedy} for {event.ground}: {money}"


def judged_words(event: DisputeAdjudicated, judged: Sequence[Judged]) -> str:
    """What the judge said of each round, with its digest and what was found."""
    lines = [line for one in judged[:_TOLD] for line in _judged_lines(one)]
    if len(judged) > _TOLD:
        lines.append(f"… and {len(judged) - _TOLD} more rounds: dispute.json has all of them")
    return "\n".join((*lines, f"by {event.engine}, from {event.tree_size:,} records of the log"))


def _judged_lines(one: Judged) -> Iterator[str]:
    named = short_address(one.address)
    if one.verdict is None:
        yield f"{named}: another verdict than today's rules and code make of the same facts"
    else:
        yield f"{named}: {screen.plain_of(headline(one.verdict))}"
        found = breaches(one.verdict)
        yield from (f"▲ {text}" for text in found[:_BREACHES])
        if len(found) > _BREACHES:
            yield f"… and {len(found) - _BREACHES} more"
        if not found:
            yield "nothing was found"
    yield f"SHA-256 {one.digest}"


def breaches(verdict: Verdict) -> list[str]:
    """What was found in a round, the gravest first, each in words."""
    return [found_words(matter.lead, verdict.currency) for matter in matters(verdict.findings)]


def judged_json(one: Judged) -> dict[str, Any]:
    """The same as data."""
    verdict = one.verdict
    return {
        "round": one.address,
        "digest": one.digest,
        "standing": verdict.standing if verdict is not None else None,
        "settlement": verdict.settlement if verdict is not None else None,
        "words": screen.plain_of(headline(verdict)) if verdict is not None else None,
        "found": breaches(verdict) if verdict is not None else None,
    }


def rulings_json(dispute: Dispute) -> list[dict[str, Any]]:
    """Every ruling with what it gives and takes, and whether it counts; amounts in minor units."""
    return [
        {
            "ruling": one.ruling, "state": state_of(dispute, one), "reversed": is_reversed(dispute, one),
            "remedy": one.remedy, "ground": one.ground, "rounds": list(one.rounds), "amounts": one.amounts,
            **({"foreign": one.foreign} if one.foreign else {}),
        }
        for one in rulings_of(dispute)
    ]  # fmt: skip
