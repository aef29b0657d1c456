"""What the report of an evidence pack says, page by page: the answer first, then the rules, the dispute, the round.

Built from the same words as `judge`, `why` and `replay`; the drawing of it is `replay.evidence`'s.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from cli import screen
from cli.evidence_round import PackedRound, case_blocks, short_address
from cli.options import is_timeless, local_text
from cli.rulings import owed_words
from cli.words import headline
from events.values.clock import clock_text
from events.values.money import money_text
from games.picture import Span
from replay.disputes.dispute import Act, Dispute
from replay.disputes.effects import REMEDIES
from replay.evidence.blocks import (
    Block,
    Fields,
    Heading,
    Report,
    Table,
    Text,
    Words,
    words,
)

BANNER = "REPLAY, not a live picture: computed from the record. Cards hidden at the table are shown."
_ENDLESS = 100_000
"""Columns in which no line of words is ever broken: the page breaks them."""


class Proof(Struct, frozen=True, kw_only=True):
    """What the pack proves and by what: rows of the log given, when the newest of them was recorded
    (ms UTC), size and root of the checkpoint, the key's line."""

    rows: int
    newest_at: int
    size: int
    root: str
    key: str


def report(
    about: str, cases: Sequence[PackedRound], dispute: Dispute | None, people: dict[str, str], proof: Proof
) -> Report:
    """The whole report; the same for the same log, whatever the terminal. `people`: account → person."""
    with screen.as_wide_as(_ENDLESS):
        blocks = [
            *_front(cases, dispute),
            *(_dispute_blocks(dispute, cases, people) if dispute is not None else ()),
            *(block for case in cases for block in case_blocks(case, several=len(cases) > 1)),
            *_proof_blocks(proof),
        ]
    first = cases[0]
    title = f"Evidence: dispute {about}" if dispute is not None else f"Evidence: {short_address(first.address)}"
    when = local_text(first.verdict.opened_at)
    subtitle = f"{first.walk.game.title}, {_table_of(first.address)}, {when}"
    foot = f"{about}: names players and shows hidden cards, for those who may see all"
    return Report(title, subtitle, BANNER, foot, proof.newest_at, blocks)


def _table_of(address: str) -> str:
    parts = address.partition("#")[0].split("/")
    return f"table {parts[1]}/{parts[2]}" if parts[0] == "table" else "an imported hand"


# -- the first page


def _front(cases: Sequence[PackedRound], dispute: Dispute | None) -> Iterator[Block]:
    if dispute is not None and dispute.opened is not None:
        claimed = dispute.opened
        who = claimed.player or "the house"
        yield Text(words(Span("Claimed", "dim"), f" by {who} ({claimed.channel}): “{claimed.claim}”"))
    disputed = [case for case in cases if case.drawn]
    for case in disputed:
        said = tuple(screen.spans_of(headline(case.verdict)))
        yield Text(words(Span(f"{short_address(case.address)}: " if len(disputed) > 1 else ""), *said), mark=True)
    if dispute is not None:
        yield Text(words(Span("Dispute: ", "dim"), *_state_words(dispute, cases[0].verdict.currency)))
    for case in disputed:
        yield Fields(tuple(_head_rows(case)))


def _state_words(dispute: Dispute, currency: str) -> Words:
    ruling = dispute.in_force
    said = dispute.state + (f", {dispute.outcome}" if dispute.outcome else "")
    if ruling is None:
        return words(said, ". No ruling is in force.")
    left = owed_words(dispute, currency)
    opened = f"still open: {', '.join(left)}" if left else "every amount is dealt with"
    return words(said, ". In force: ", Span(f"{ruling.remedy} for {ruling.ground}", "bold"), f" ({opened}).")


def _head_rows(case: PackedRound) -> Iterator[tuple[str, Words]]:
    verdict = case.verdict
    yield "round", words(Span(case.address, "bold"))
    yield "game", words(f"{case.walk.game.title}, rule book {verdict.rule_book}")
    if not is_timeless(verdict.opened_at):
        ends = f" to {clock_text(verdict.closed_at)[:8]}" if verdict.closed_at else ", not closed on record"
        yield "played", words(f"{local_text(verdict.opened_at)}{ends} (local time, Europe/Prague)")
    yield "house", words(verdict.house)
    yield "judged by", words(f"edition {verdict.edition}, SHA-256 {verdict.edition_digest}")
    yield "verdict", words(f"SHA-256 {verdict.digest}, by {verdict.engine}")
    if case.alone.digest != verdict.digest:
        said = screen.plain_of(headline(case.alone))
        yield "by the facts alone", words(f"{said} (SHA-256 {case.alone.digest})")


# -- the dispute


_DID = {
    "DisputeOpened": "opened the dispute", "EvidenceNoted": "noted evidence", "DisputeAdjudicated": "had it judged",
    "RulingProposed": "proposed a ruling", "RulingApproved": "approved the ruling", "RulingRejected": "rejected it",
    "RulingIssued": "issued the ruling", "EffectSettled": "settled an amount", "PlayersTold": "told players",
    "DisputeClosed": "closed the dispute", "DisputeReopened": "reopened the dispute",
}  # fmt: skip


def _dispute_blocks(dispute: Dispute, cases: Sequence[PackedRound], people: dict[str, str]) -> Iterator[Block]:
    currency = cases[0].verdict.currency
    yield Heading("The dispute", 1)
    rows = tuple(
        (
            words(local_text(act.at)),
            words(people.get(act.account) or act.account),
            words(Span(_DID.get(type(act.event).__name__, type(act.event).__name__), "bold")),
            words("; ".join(filter(None, (_act_words(act, currency), act.reason)))),
        )
        for act in dispute.acts
    )
    yield Table(("when", "who", "what", "details and reason"), rows, wide=(17, 12, 18, 53))
    ruling = dispute.in_force or dispute.proposed
    if ruling is None:
        return
    state = "The ruling in force" if ruling is dispute.in_force else "The ruling proposed, not in force"
    yield Heading(state, 2)
    proposed, approved = _who(dispute, ruling.ruling, "RulingProposed"), _who(dispute, ruling.ruling, "RulingApproved")
    basis = {"book": "the house's book", "analogy": "by analogy, the book has no such clause"}
    yield Fields(
        (
            ("ruling", words(Span(ruling.ruling, "bold"))),
            ("what", words(f"{ruling.remedy}: {REMEDIES.get(ruling.remedy, '')}")),
            ("ground", words(f"{ruling.ground}, scope {ruling.scope or 'as the ground has it'}")),
            ("standard of proof", words(ruling.standard or "not stated")),
            ("basis", words(basis.get(ruling.basis, "management's own ground, not the book's"))),
            ("proposed by", words(people.get(proposed) or proposed)),
            ("approved by", words(people.get(approved) or approved or "nobody yet")),
            ("rounds", words(", ".join(ruling.rounds))),
        )
    )
    if ruling.moves_money_of:
        amounts = tuple(
            (
                words(player),
                words("gets" if amount > 0 else "owes"),
                words(money_text(abs(amount), unit or currency)),
                words(
                    money_text(
                        abs(
                            sum(
                                one.amount
                                for one in dispute.settled
                                if (one.player, one.currency or "") == (player, unit)
                            )
                        ),
                        unit or currency,
                    )
                ),
            )
            for unit, own in {"": ruling.amounts, **ruling.foreign}.items()
            for player, amount in own.items()
        )
        yield Table(("player", "", "amount", "dealt with so far"), amounts, frozenset({2, 3}), (30, 15, 25, 30))
    if len(cases) > 1:
        yield Heading("The rounds", 2)
        reached = set(ruling.rounds)
        rows = tuple(
            (
                words(Span(short_address(case.address), "bold" if case.drawn else "")),
                words("disputed" if case.drawn else "", " and " if case.drawn and case.address in reached else "",
                      "reached by the ruling" if case.address in reached else ""),
                words(screen.plain_of(headline(case.alone))),
                words(screen.plain_of(headline(case.verdict)) if case.verdict != case.alone else "the same"),
            )
            for case in cases
        )  # fmt: skip
        yield Table(("round", "", "by the facts alone", "as it stands"), rows, wide=(17, 20, 33, 30))


def _who(dispute: Dispute, ruling: str, what: str) -> str:
    """The account that did something to a ruling, the last time; empty if none did."""
    done = [
        act.account
        for act in dispute.acts
        if type(act.event).__name__ == what and getattr(act.event, "ruling", "") == ruling
    ]
    return done[-1] if done else ""


def _act_words(act: Act, currency: str) -> str:
    event: Any = act.event
    match type(event).__name__:
        case "DisputeOpened":
            return f"“{event.claim}”" + (f", about {event.player}" if event.player else "")
        case "EvidenceNoted":
            span = f"{event.from_at} to {event.to_at}" if event.from_at else ""
            clip = f"clip {event.clip}" if event.clip else ""
            held = f"put away: {', '.join(event.hold)}" if event.hold else ""
            return ", ".join(filter(None, (f"{event.kind} {event.ref}", clip, span, event.note, held)))
        case "RulingProposed" | "RulingIssued":
            return f"{event.ruling}: {event.remedy} for {event.ground}"
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


# -- what proves it


def _proof_blocks(proof: Proof) -> Iterator[Block]:
    yield Heading("What proves this", 1)
    yield Text(
        words(
            f"The pack holds {screen.number(proof.rows, 'record')} of the house's log as they were received, and for "
            f"each the proof that it is in the log of {proof.size:,} records whose root the house signed. Whoever "
            "changes a record, leaves one out of a stream or puts one in is found by verify.py, which lies beside this "
            "report and needs nothing of Recoup."
        )
    )
    yield Fields(
        (
            ("newest record", words(f"recorded {local_text(proof.newest_at)} (local time, Europe/Prague)")),
            ("checkpoint", words(f"{proof.size:,} records")),
            ("root", words(proof.root)),
            ("key", words(proof.key)),
        )
    )
    yield Text(
        words(
            "A pack proves itself only against a key, or a witness's copy of the checkpoint, that you know from "
            "elsewhere: python verify.py PACK.zip --key KEYS --checkpoint COPY."
        ),
        mark=True,
    )
    yield Text(words("This report is drawn from the record by Recoup; the record, not the drawing, is the evidence."))
