"""Cards passed over in the deck: what the places off it tell of burns and cards that nobody recorded (NL-13)."""

from __future__ import annotations

from msgspec import Struct

from games.shared.poker.course_hole import HoleReader
from games.shared.poker.course_repair import acted_on, listed
from games.shared.poker.deck import Irregularity, Step


class _Passed(Struct, frozen=True):
    """A place off the deck whose card came nowhere, and the step that dealt another for it."""

    seq: int
    street: str
    step: Step


class Gaps:
    """What is missing between the cards of one deal. `shuffled`: the stub was, so that places tell nothing any more."""

    def __init__(self, hole: HoleReader) -> None:
        self.hole = hole
        self.shuffled = False
        self.unburnt: dict[str, Step] = {}
        self.passed: list[_Passed] = []

    def before(self, seq: int, step: Step) -> int:
        """How many cards lie, by the record's own numbers, between the last one dealt and this one."""
        told = step.sure and not self.shuffled and self.hole.complete
        return max(seq - step.top, 0) if told else 0

    def came(self, seq: int, step: Step) -> None:
        """A card that seemed passed over was only told late."""
        if step.sure:
            self.passed = [one for one in self.passed if one.seq != seq]

    def pass_over(self, street: str, seq: int, step: Step, *, untold: bool = False) -> None:
        """A card for a street came, and those before it nowhere; `untold`: the first of them may be a burn, or a card
        that replaced another, which nobody recorded."""
        first = seq - self.before(seq, step) + untold
        self.passed += [_Passed(one, street, step) for one in range(first, seq)]

    def found(self, last: Step) -> list[Irregularity]:
        """Burns that are not on record, and cards that came from the wrong place of the deck."""
        found = [self._lost(street, last) for street in dict.fromkeys(one.street for one in self.passed)]
        if self.unburnt:
            text = f"no burn is on record before the {', '.join(self.unburnt)}"
            facts = [step.fact for step in self.unburnt.values()]
            place = next(iter(self.unburnt))
            found.append(Irregularity(code="burn_untold", place=place, kinds=("unverified",), facts=facts, text=text))
        return found

    def _lost(self, street: str, last: Step) -> Irregularity:
        own = [one for one in self.passed if one.street == street]
        seqs = [one.seq for one in own]
        still = not (acted_on(last, street) or last.over or last.paid)
        return Irregularity(
            code="card_passed_over", place=street, kinds=("corrected",) if still else ("breach",), absent=True,
            facts=list(dict.fromkeys(one.step.fact for one in own)), remedy={"next": seqs[0], "refund": 0},
            text=f"card {listed(seqs)} was passed over and came nowhere",
        )  # fmt: skip
