"""What the vectors of blackjack.md share: a deal, the judging of what was dealt, and the catalogue's words for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from games.adjudicate import SessionJudgement
from games.verdict import Finding, Line
from tests.vectors.bench import judged
from tests.vectors.blackjack_table import Table
from tests.vectors.reading import Vector

ROUND = "1"
OURS = frozenset({"other_reading"})
"""Findings that the catalogue does not list: where its own reading of a parameter would move other money."""


def deal(table: Table, hand_of: Any, dealer: Iterable[str] = ("10", "9")) -> None:
    """A round in which nobody draws: two cards each, the dealer's in order."""
    left = list(dealer)
    hands: dict[str, list[str]] = {}

    def draw(place: str) -> str | None:
        if place == "dealer":
            return left.pop(0) if left else None
        return hands.setdefault(place, hand_of(place)).pop(0)

    table.play_out(draw, lambda waits: table.decide(waits.box, waits.hand, "stand"))


def judgement_of(table: Table) -> SessionJudgement:
    """The longest way: into a log, out of it, judged."""
    table.end()
    judgement, _case, lost = judged(table.envelopes, table.toml, table.rulings)
    assert not lost, lost
    return judgement


def same(what: str, wanted: Any, got: Any) -> Iterator[str]:
    """A problem, if the vector says something else; what it does not say is not compared."""
    if wanted is not None and wanted != got:
        yield f"{what} is {got}, expected {wanted}"


def of(wanted: dict[str, int], got: dict[str, int]) -> dict[str, int]:
    """Those players that the vector names; the owners that the adapter adds to a split are its own."""
    return {player: net for player, net in got.items() if player in wanted or not player.startswith("owner-")}


def nets(lines: Iterable[Line]) -> dict[str, int]:
    nets: dict[str, int] = {}
    for line in lines:
        if not line.held:
            nets[line.player] = nets.get(line.player, 0) + line.net
    return nets


def ranks(cards: Iterable[str]) -> list[str]:
    return ["10" if card[0] == "T" else card[0] for card in cards]


def refunds(findings: Iterable[Finding]) -> dict[str, int]:
    back: dict[str, int] = {}
    for finding in findings:
        if finding.kind == "void" and finding.scope == "bet":
            back[finding.player] = back.get(finding.player, 0) + finding.remedy.get("refund", 0)
    return back


def found(judgement: SessionJudgement) -> set[str]:
    every = [finding for verdict in judgement.verdicts for finding in verdict.findings] + list(judgement.between)
    return {finding.code for finding in every if finding.kind != "mispaid" and finding.rule.startswith("BJ-")} - OURS


def codes(expect: Vector, judgement: SessionJudgement) -> Iterator[str]:
    """`findings` lists all; absent means none."""
    wanted = set(expect.get("findings", ())) | ({expect["finding"]} if "finding" in expect else set())
    yield from same("findings", wanted, found(judgement))


def standing(judgement: SessionJudgement) -> str:
    """The catalogue's words: the first that applies in the vector's last round."""
    verdict = judgement.verdicts[-1]
    voids = {finding.scope for finding in verdict.findings if finding.kind == "void"}
    if verdict.standing == "void":
        return "shoe_void" if "shoe" in voids else "round_void"
    if verdict.standing in ("ruling_required", "voidable"):
        return verdict.standing
    return "bet_void" if "bet" in voids else "valid"
