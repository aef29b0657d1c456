"""The rounds of a ruling that are not drawn step by step: each with its result, what the ruling moves in it, and one
picture of the table when it was over. A shoe has dozens; all records, proofs and verdicts of each are in the pack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cli import screen
from cli.evidence_dispute import breaches, short_ruling, state_of, why_here
from cli.evidence_round import PackedRound, amounts_table, result_blocks, short_address
from cli.money import signed
from cli.options import is_timeless
from cli.screen import Words as Line
from cli.steps import EVERYTHING
from cli.words import headline
from events.schema.ours import Ruling
from events.values.clock import clock_text
from events.values.money import unit_text
from games.picture import Span
from replay.disputes.dispute import Dispute
from replay.disputes.effects import STATED
from replay.evidence.blocks import Block, Bullets, Drawing, Heading, Kept, Text, words

_FOUND = 4
"""So many things found are told in words; the round's verdict in the pack has all."""


def other_blocks(cases: Sequence[PackedRound], ruling: Ruling | None, dispute: Dispute) -> Iterator[Block]:
    """The other rounds, each in a few lines and one picture."""
    if not cases:
        return
    yield Heading("The other rounds", 1)
    note = (
        "Of each its result, what was found, what the ruling moves, and the table when it was over. All their records, "
    )
    yield Text(words(Span(f"{note}with proofs and verdicts, are in the pack: pack.json names the files.", "dim")))
    if ruling is not None and any(case.moved is None and case.address in ruling.rounds for case in cases):
        stated = f"Ruling {short_ruling(dispute, ruling)} states its amounts for all its rounds together."
        gone = (
            "The facts give other amounts by now (TB-10): what the ruling moves is told for all rounds together, above."
        )
        yield Text(words(stated if ruling.remedy in STATED else gone))
    for case in cases:
        yield Kept(tuple(_round(case, ruling, dispute)))


def _round(case: PackedRound, ruling: Ruling | None, dispute: Dispute) -> Iterator[Block]:
    verdict = case.alone
    at = "" if is_timeless(verdict.opened_at) else f" · {clock_text(verdict.opened_at)[:8]}"
    yield Heading(f"{short_address(case.address)}{at}", 2)
    yield Text(words(Span(why_here(dispute, case.address), "dim")))
    yield Text((Span("by the facts alone: ", "dim"), *screen.spans_of(headline(verdict))))
    if case.verdict.digest != verdict.digest:
        yield Text((Span("as it stands: ", "dim"), *screen.spans_of(headline(case.verdict))))
    if found := breaches(verdict):
        more = [f"… and {len(found) - _FOUND} more"] if len(found) > _FOUND else []
        yield Bullets(tuple(words(text) for text in (*found[:_FOUND], *more)))
    yield from result_blocks(verdict)
    if ruling is not None and case.address in ruling.rounds:
        yield from _effect(case, ruling, dispute)
    last = case.walk.steps[-1]
    yield Drawing(f"REPLAY: the table when {short_address(case.address)} was over", case.walk.picture(last, EVERYTHING))


def _effect(case: PackedRound, ruling: Ruling, dispute: Dispute) -> Iterator[Block]:
    """What the ruling moves in this round, player by player."""
    if case.moved is None:
        return
    named = f"ruling {short_ruling(dispute, ruling)} ({state_of(dispute, ruling)})"
    if not case.moved:
        yield Text(words(f"By {named} no money moves in this round."))
        return
    rows: list[list[Line]] = [
        [player, signed(before), signed(after), Span(signed(after - before), "bold")]
        for player, (before, after) in case.moved.items()
    ]
    heads = (f"by {named}, in {unit_text(case.verdict.currency)}", "as paid", "under it", "moves")
    yield amounts_table(heads, rows, (1, 2, 3), (40, 20, 20, 20))
