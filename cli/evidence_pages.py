"""What the report of an evidence pack says, page by page: the answer first, then the rules, the dispute, the round.

Built from the same words as `judge`, `why` and `replay`; the drawing of it is `replay.evidence`'s.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from cli import screen
from cli.evidence_dispute import Judged, dispute_blocks
from cli.evidence_others import other_blocks
from cli.evidence_round import PackedRound, case_blocks, short_address
from cli.options import is_timeless, local_text
from cli.rulings import owed_words
from cli.words import headline
from events.values.clock import clock_text
from games.picture import Span
from replay.disputes.dispute import Dispute
from replay.evidence.blocks import (
    Block,
    Fields,
    Heading,
    Report,
    Text,
    Words,
    words,
)

BANNER = "REPLAY, not a live picture: computed from the record. Cards hidden at the table are shown."
_FRONT = 4
"""So many of the rounds drawn step by step are told on the first page."""
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
    about: str,
    cases: Sequence[PackedRound],
    dispute: Dispute | None,
    judged: Mapping[int, Sequence[Judged]],
    people: Mapping[str, str],
    proof: Proof,
) -> Report:
    """The whole report; the same for the same log, whatever the terminal. `people`: account → person; `judged`: version
    of the act of a dispute → what was judged in it."""
    ruling = (dispute.in_force or dispute.proposed) if dispute is not None else None
    others = [case for case in cases if not case.drawn]
    with screen.as_wide_as(_ENDLESS):
        blocks = [
            *_front(cases, dispute),
            *(dispute_blocks(dispute, cases, judged, people) if dispute is not None else ()),
            *(block for case in cases if case.drawn for block in case_blocks(case, several=len(cases) > 1)),
            *(other_blocks(others, ruling, dispute) if dispute is not None else ()),
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
    shown = [case for case in cases if case.drawn][:_FRONT]
    for case in shown:
        said = tuple(screen.spans_of(headline(case.verdict)))
        yield Text(words(Span(f"{short_address(case.address)}: " if len(shown) > 1 else ""), *said), mark=True)
    if dispute is not None:
        yield Text(words(Span("Dispute: ", "dim"), *_state_words(dispute, cases[0].verdict.currency)))
    for case in shown:
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
