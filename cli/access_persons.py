"""Whom a look on the access trail showed: the person named, those of a dispute, the players of a round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli import assembly
from events.errors import RecoupError

if TYPE_CHECKING:
    from events.store import Log
    from events.trail import Access
    from replay.disputes.dispute import Dispute

QUESTION = "ask "
"""What a named question's look begins with, after which comes what was asked."""
_OF_MANY = (QUESTION, "all players of ", "every ", "night ")


class Shown:
    """Follows looks to persons; each dispute and session is read once."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._book = assembly.casebook(log)
        self._known: dict[tuple[str, bool, int], frozenset[str] | None] = {}
        self._disputes: dict[str, Dispute] = {}
        self._played: dict[str, dict[str, frozenset[str]]] = {}

    def persons(self, look: Access) -> frozenset[str] | None:
        """Ids of those whom it showed; None where the trail does not tell (a night, a question, every hand)."""
        whole = look.what == "export"
        key = (look.about, whole, look.at)
        if key not in self._known:
            try:
                self._known[key] = self._follow(look.what, look.about, look.at, whole=whole)
            except RecoupError:
                self._known[key] = None  # typed short and of several rounds by now, or no longer to be judged
        return self._known[key]

    def _follow(self, what: str, about: str, at: int, *, whole: bool) -> frozenset[str] | None:
        from replay.disputes.dispute import as_of, read_dispute

        if about.startswith(_OF_MANY) or about.endswith(" more"):
            return None
        if "#" in about or about.startswith("import/"):
            return self._of_rounds(about.split(", "))
        if what not in ("dispute", "ruling", "export"):
            return frozenset({about})
        if about not in self._disputes:
            self._disputes[about] = read_dispute(self._log, about)
        dispute = as_of(self._disputes[about], at)  # a ruling since then may reach other rounds
        ruling = dispute.in_force or dispute.proposed
        rounds = (*dispute.rounds, *(ruling.rounds if ruling is not None else ())) if whole else ()
        return _of_dispute(dispute) | self._of_rounds(rounds)

    def _of_rounds(self, rounds: list[str] | tuple[str, ...]) -> frozenset[str]:
        from cli.addresses import one_round

        found: set[str] = set()
        for text in rounds:
            address = one_round(self._log, text)
            found |= self._players(address.subject).get(address.text, frozenset())
        return frozenset(found)

    def _players(self, subject: str) -> dict[str, frozenset[str]]:
        """Round → who had chips in it, by what is due and by what was paid."""
        if subject not in self._played:
            self._played[subject] = {
                one.round: frozenset(
                    line.player
                    for side in (one.due, one.recorded)
                    for line in (side.lines if side is not None else ())
                    if line.player
                )
                for one in self._book.judge(subject).verdicts
            }
        return self._played[subject]


def _of_dispute(dispute: Dispute) -> frozenset[str]:
    """Who complained, whose money is apart, whom its rulings reach, who was told."""
    found = {*(one.player for one in dispute.settled), *dispute.told}
    if dispute.opened is not None and dispute.opened.player:
        found.add(dispute.opened.player)
    if dispute.adjudicated is not None:
        found.update(dispute.adjudicated.differences, *dispute.adjudicated.foreign.values())
    for ruling in filter(None, (dispute.proposed, *dispute.issued)):
        found |= {*ruling.moves_money_of, *ruling.players}
    return frozenset(found)
