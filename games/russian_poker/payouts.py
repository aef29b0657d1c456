"""The one settlement of Russian poker: what every stake of a round is due.

Rulings first; then what lay before the deal, the deal, what each box decided, the dealer's hand for each box, and the
money in the order of RP-41. Checks read the marks that this leaves behind; nothing is settled twice.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from games.protocol import Round
from games.russian_poker.combinations import NAMES, Hand
from games.russian_poker.dealing import judge_deal
from games.russian_poker.decisions import judge_decisions
from games.russian_poker.insuring import judge_insurance
from games.russian_poker.matrix import FOLDS, GROUND_OF
from games.russian_poker.opening import judge_opening
from games.russian_poker.play import Playing, Table, lay_out
from games.russian_poker.replacing import Outcome, judge_replacements
from games.russian_poker.rulings import Ruled, ruled_on
from games.russian_poker.settling import settle_box
from games.russian_poker.table import Coup, Session
from games.shared.bank import events as bg
from games.shared.bank.parts import line_of
from games.shared.lines import held, merged, refunded
from games.shared.marks import Mark
from games.shared.rulings import given_back
from games.verdict import Line, Settlement

MISDEALS = frozenset({
    "wrong_count", "deal_order", "card_exposed", "card_twice", "sixth_card_count", "exchange_count",
})  # fmt: skip
"""Irregularities that are a misdeal under `auto_before_view` if they are found before anybody looked (RP-46)."""


class Analysis(Struct):
    """A round judged: its settlement, what was noticed, its boxes, and the dealer's hand. `void`: by a ruling, or a
    misdeal; `waits`: findings that wait for a ruling."""

    settlement: Settlement
    marks: tuple[Mark, ...] = ()
    boxes: tuple[Playing, ...] = ()
    outcome: Outcome | None = None
    table: Table | None = None
    void: bool = False
    waits: tuple[Mark, ...] = ()

    def box(self, number: int) -> Playing | None:
        """One box by its number."""
        return next((own for own in self.boxes if own.box.number == number), None)


def due(round_: Round[Session]) -> Settlement:
    """What the rules make of the round, a line a stake.

    Lines are `held` where nobody has decided for a box, and where cards were never seen (`known` false). Where the
    source has no rule the money is as it lies, the outcomes stand in `candidates`.
    """
    return analysis_of(round_).settlement


def analysis_of(round_: Round[Session]) -> Analysis:
    """How the round's settlement comes about; worked out once a round."""
    memo = round_.memo
    if "analysis" not in memo:
        memo["analysis"] = analyse(round_.session)
    analysis: Analysis = memo["analysis"]
    return analysis


def analyse(session: Session) -> Analysis:
    """The session's current round, judged by what is known of it so far."""
    coup = session.round
    if coup is None:
        return Analysis(Settlement())
    ruled = ruled_on(session, coup)
    table, outcome = _played(session, coup, ruled)
    marks, waits = _answered(table, ruled)
    lines = _lines(table)
    judged = Analysis(Settlement(), boxes=tuple(table.boxes), outcome=outcome, table=table)
    if ruled.void:
        kept = tuple(_after(mark, ruled.void[0].basis) for mark in marks if mark.kind not in ("void", "corrected"))
        found = (*ruled.void, *kept, *ruled.invalid)
        return replace(judged, settlement=_all_back(lines, "RP-45"), marks=found, void=True)
    misdeal = _misdealt(table)
    if misdeal:
        kept = tuple(mark for mark in marks if mark.kind == "breach")
        found = (*misdeal, *kept, *ruled.invalid)
        return replace(judged, settlement=_all_back(lines, "RP-46"), marks=found, void=True)
    candidates = _candidates(session, coup, ruled, lines, waits)
    lines, returned = given_back(lines, ruled.on_bets)
    settlement = Settlement(lines=lines, known=table.known, candidates=candidates)
    return replace(judged, settlement=settlement, marks=(*marks, *returned, *ruled.invalid), waits=waits)


def _played(session: Session, coup: Coup, ruled: Ruled) -> tuple[Table, Outcome]:
    """The round as it lies."""
    table = lay_out(session, coup)
    judge_opening(table)
    judge_deal(table)
    judge_decisions(table, ruled)
    outcome = judge_replacements(table)
    for own in table.boxes:
        judge_insurance(table, own)
        settle_box(table, own, outcome)
    return table, outcome


# Rulings and what waits for one ---------------------------------------------------------------------------------------


def _answered(table: Table, ruled: Ruled) -> tuple[tuple[Mark, ...], tuple[Mark, ...]]:
    """All marks, and those that still wait for a ruling; what a ruling lets stand is a breach that it answered."""
    marks = []
    for mark in table.marks:
        ground = GROUND_OF.get(mark.code, "conduct" if mark.code.startswith("conduct_") else "")
        answer = ruled.stands.get(ground, "") if ground not in FOLDS else ""
        marks.append(_after(mark, answer) if answer else mark)
    return tuple(marks), tuple([mark for mark in marks if mark.kind == "ruling_required"])


def _after(mark: Mark, ruling: str) -> Mark:
    """What a ruling has answered: the breach remains."""
    return replace(mark, kind="breach", basis=ruling) if mark.kind in ("voidable", "ruling_required") else mark


def _misdealt(table: Table) -> tuple[Mark, ...]:
    """Under `auto_before_view`: what makes the deal a misdeal, because it was found before anybody looked."""
    if table.edition["rp.misdeal.policy"] != "auto_before_view":
        return ()
    viewed = [note.order for note in table.coup.notes(bg.CardsViewed)]
    first = min(viewed, default=None)
    return tuple(
        replace(mark, kind="misdeal")
        for mark, noticed in table.irregular
        if mark.code in MISDEALS and noticed is not None and (first is None or noticed < first)
    )


def _candidates(
    session: Session, coup: Coup, ruled: Ruled, lines: tuple[Line, ...], waits: tuple[Mark, ...]
) -> dict[str, tuple[Line, ...]]:
    """The outcomes between which a person decides."""
    if not waits:
        return {}
    found = {"as_it_lies": lines}
    undecided = {mark.subject for mark in waits if GROUND_OF.get(mark.code) in FOLDS}
    if undecided:
        boxes = frozenset(int(subject.partition("/")[2]) for subject in undecided)
        table, _outcome = _played(session, coup, replace(ruled, folded=ruled.folded | boxes))
        found["folded"] = _lines(table)
    found["round_void"] = tuple(refunded(line, "RP-45") for line in lines)
    return found


# Lines ----------------------------------------------------------------------------------------------------------------


def _lines(table: Table) -> tuple[Line, ...]:
    lines = [line_of(part) for own in table.boxes for spot in _in_order(own) for part in own.parts[spot]]
    return merged(tuple([held(line) if line.held else line for line in lines]))


SETTLED = ("fee", "insurance", "ante", "rex", "bet", "bonus")
"""Spots in the order in which they are settled (RP-41)."""


def _in_order(own: Playing) -> list[str]:
    return sorted(own.parts, key=lambda spot: SETTLED.index(spot) if spot in SETTLED else len(SETTLED))


def _all_back(lines: tuple[Line, ...], rule: str) -> Settlement:
    return Settlement(lines=tuple(refunded(line, rule) for line in lines))


def hand_text(hand: Hand) -> str:
    """`two pair + ace-king`."""
    second = f" + {NAMES[hand.second]}" if hand.second is not None else ""
    return NAMES[hand.primary] + second
