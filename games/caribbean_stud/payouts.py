"""The one settlement of Caribbean stud: what every stake of a round is due, in the order of CS-17.

Which stakes count, conduct, exchanges and decisions, faults of the deal; then rulings, what voids the round, and box by
box against the dealer's hand, the bonus apart. Checks read the marks that this leaves behind.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from games.caribbean_stud.conduct import conduct
from games.caribbean_stud.events import BET, BONUS
from games.caribbean_stud.faults import contradictions, look_for_faults
from games.caribbean_stud.hands import code_of, qualifies, strength
from games.caribbean_stud.paper import Box, Paper
from games.caribbean_stud.parameters import bonus_table
from games.caribbean_stud.play import play
from games.caribbean_stud.rulings import rulings_of
from games.caribbean_stud.stakes import lay
from games.caribbean_stud.table import Round as TableRound
from games.caribbean_stud.table import Session
from games.protocol import Round
from games.shared.bank.deck import DEALER, box_place
from games.shared.bank.parts import Part, give_back, hold, line_of, lose, push, total, win
from games.shared.booked import booked
from games.shared.lines import merged
from games.shared.marks import Mark
from games.shared.rulings import Rulings
from games.verdict import Settlement


class Outcome(Struct, frozen=True, gc=False):
    """How a box's hand fared: its code, and `win`, `lose`, `tie`, `no_qualify`, `fold`, `dead`; empty while nobody
    knows. `cards`: the five that were compared."""

    box: int
    hand: str = ""
    result: str = ""
    cards: tuple[str, ...] = ()


class Analysis(Struct, frozen=True):
    """A round judged: its settlement, what was noticed, the dealer's hand (`NQ` below ace-king) and each box's.

    `voided`: everything goes back, by its facts (`misdeal`, `void`) or by a ruling. `cards`: the dealer's five.
    """

    settlement: Settlement
    marks: tuple[Mark, ...] = ()
    dealer: str = ""
    outcomes: tuple[Outcome, ...] = ()
    voided: str = ""
    cards: tuple[str, ...] = ()


def due(round_: Round[Session]) -> Settlement:
    """What the rules make of the round, a line a stake (CS-17). Lines are `held` where a person must rule on the money,
    and while the hands are not known (`known` false)."""
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
    round_ = session.round
    if round_ is None:
        return Analysis(Settlement())
    paper = Paper(session, round_)
    lay(paper)
    conduct(paper)
    play(paper)
    look_for_faults(paper)
    contradictions(paper)
    ruled = rulings_of(session, round_)
    dealer, cards, outcomes = _settle(paper)
    _as_recorded(paper)
    if ruled.void:
        voided = "void"
        for part in paper.parts:
            give_back((part,), ruled.void[0].rule, ruled.void[0].code)
    else:
        voided = _voided(paper)
    if ruled.counts and not voided:
        _stands(paper)
    _bets_ruled(paper, ruled)
    known = bool(voided) or not any(part.open for part in paper.parts)
    lines = merged(tuple(line_of(part) for part in paper.parts))
    marks = (*_ruled(paper.marks, ruled), *ruled.void, *ruled.invalid)
    return Analysis(Settlement(lines=lines, known=known), marks, dealer, outcomes, voided, cards or ())


# Void, ruled, left as it is -------------------------------------------------------------------------------------------


def _voided(paper: Paper) -> str:
    """A misdeal or a void round: all stakes and fees go back (CS-20, C29, C37)."""
    if paper.voided is None:
        return ""
    how, rule, code = paper.voided
    for part in paper.parts:
        give_back((part,), rule, code)
    return how


def _ruled(marks: list[Mark], ruled: Rulings) -> tuple[Mark, ...]:
    """A person who ruled has answered what the rules left open."""
    answer = ruled.counts or next((mark.basis for mark in ruled.void), "")
    if not answer:
        return tuple(marks)
    return tuple(
        replace(mark, kind="advisory", basis=answer) if mark.kind == "ruling_required" else mark for mark in marks
    )


def _bets_ruled(paper: Paper, ruled: Rulings) -> None:
    """Single stakes that a ruling gives back."""
    for part in paper.parts:
        for ruling in ruled.on_bets:
            if ruling.reaches(part.stake.id, part.stake.player):
                give_back((part,), ruling.rule, ruling.code)
                paper.marks = [
                    replace(mark, kind="advisory", basis=ruling.id)
                    if mark.kind == "ruling_required" and mark.subject == part.stake.id
                    else mark
                    for mark in paper.marks
                ]
                paper.mark(
                    ruling.rule, ruling.code, "void", "bet", part=part, facts=(ruling.fact,), text=ruling.told
                )  # fmt: skip


def _as_recorded(paper: Paper) -> None:
    """A fault found too late: what was settled stands as it was (ST-17)."""
    _leave(paper, [part for box in paper.boxes.values() if box.stands for part in box.parts], "CS-20")


def _stands(paper: Paper) -> None:
    """CS-22: a person ruled that the table's result stands, so what the rules left open is as it was settled."""
    if paper.round.closed is not None:
        _leave(paper, [part for part in paper.parts if part.open or part.held], "CS-22")


def _leave(paper: Paper, parts: Iterable[Part], rule: str) -> None:
    record = booked(paper.round.settles)
    for part in parts:
        own = record.get(part.stake.id)
        part.taken = min(own.taken, part.amount) if own is not None else 0
        part.paid = max(own.paid, 0) if own is not None else 0
        part.returned, part.held, part.open = part.amount - part.taken, 0, False
        part.because(rule, "settled_as_it_was")


# Box by box -----------------------------------------------------------------------------------------------------------


def _settle(paper: Paper) -> tuple[str, tuple[str, ...] | None, tuple[Outcome, ...]]:
    """CS-09, CS-11 to CS-15. Boxes that still may act, and hands that nobody knows, stay open."""
    deal = paper.deal
    cards = deal.hand(DEALER) if _is_turned(paper) else None
    dealer = (code_of(cards) if qualifies(cards) else "NQ") if cards is not None else ""
    # A box whose hand died after its Bet did not fold: the game went on with it (C3).
    all_fold = all(box.decided and box.decided != BET for box in paper.boxes.values())
    outcomes = []
    for box in paper.boxes.values():
        outcome = Outcome(box.number)
        if box.open:
            hold(box.parts, "CS-20", "waits_for_a_ruling")
        elif box.dead:
            lose(box.parts, "CS-20", box.dead)
            outcome = Outcome(box.number, result="dead")
        elif box.decided and box.decided != BET:
            _folded(paper, box, all_fold=all_fold)
            outcome = Outcome(box.number, _code(deal.hand(box_place(box.number))), "fold")
        elif box.decided == BET and cards is not None:
            own = deal.hand(box_place(box.number))
            if own is not None:
                outcome = _compared(paper, box, own, cards)
        outcomes.append(outcome)
    return dealer, cards, tuple(outcomes)


def _is_turned(paper: Paper) -> bool:
    """Nothing is settled against cards that still lie face down, unless the round is over."""
    return paper.deal.dealer_turned is not None or paper.round.closed is not None


def _code(cards: tuple[str, ...] | None) -> str:
    return code_of(cards) if cards is not None else ""


def _folded(paper: Paper, box: Box, *, all_fold: bool) -> None:
    """CS-09: ante, bonus and fee are lost; where the house asks that the game goes on, not if every box folds (C3)."""
    lose(box.fees, "CS-05")
    for parts in (box.antes, box.bonuses):
        if all_fold and paper["cs.fold.requires_continuation"]:
            push(parts, "CS-09", "nobody_plays_on")
        else:
            lose(parts, "CS-09")


def _compared(paper: Paper, box: Box, own: tuple[str, ...], dealer: tuple[str, ...]) -> Outcome:
    """A box with a Bet against the dealer's hand (CS-11 to CS-15)."""
    constants = paper.edition.constants
    lose(box.fees, "CS-05")
    code = code_of(own)
    apart = strength(own, paper["cs.ranking"]) - strength(dealer, paper["cs.ranking"])
    if not qualifies(dealer):
        result = "no_qualify"
        win(box.antes, constants.ante_pays * box.ante, "CS-11")
        push(box.bets, "CS-11")
    elif apart < 0:
        result = "lose"
        lose(box.antes, "CS-12")
        lose(box.bets, "CS-12")
    elif apart == 0:
        result = "tie"
        push(box.antes, "CS-14")
        push(box.bets, "CS-14")
    else:
        result = "win"
        win(box.antes, constants.ante_pays * box.ante, "CS-13")
        _bet_wins(paper, box, constants.pays.get(code, 0))
    _bonus(paper, box, code, result)
    return Outcome(box.number, code, result, own)


def _bet_wins(paper: Paper, box: Box, odds: int) -> None:
    """The pay table on what is live of the Bet, up to the house's cap (CS-13)."""
    winnings, most = odds * total(box.bets), paper["cs.max_payout"]
    capped = most is not None and winnings > most
    win(box.bets, most if capped else winnings, "CS-13", "capped" if capped else "")


def _bonus(paper: Paper, box: Box, code: str, result: str) -> None:
    """CS-15's order of tests; a fold has been settled before."""
    parts = box.bonuses
    if not parts:
        return
    if box.exchanged:
        if paper["cs.bonus.on_exchange"] == "refund":
            push(parts, "CS-06", "exchanged")
        else:
            lose(parts, "CS-06", "exchanged")
        return
    if result == "lose" and not paper["cs.bonus.pays_when_banker_stronger"]:
        lose(parts, "CS-12")
        return
    table = bonus_table(paper["cs.bonus.table"])
    if table is None and paper.voided is not None:
        return  # the round gives it back
    if table is None:
        hold(parts, "CS-15", "bonus_table_missing")
        paper.mark(
            "CS-15", "bonus_table_missing", "ruling_required", "bet", part=parts[0],
            facts=tuple(part.stake.fact for part in parts), spot=BONUS, hand=code,
        )  # fmt: skip
        return
    prize = table.prize(code, total(parts))
    if prize is None:
        lose(parts, "CS-15")
    elif paper["cs.bonus.stake_returned"]:
        win(parts, prize, "CS-15")
    else:
        win(parts, prize, "CS-15")
        for part in parts:
            part.taken, part.returned = part.live, part.amount - part.live


def lying(round_: TableRound) -> dict[str, int]:
    """Stake → chips that lie in its box by the record, before anything is settled."""
    left: dict[str, int] = {}
    for stake in round_.stakes:
        left[stake.id] = left.get(stake.id, 0) + stake.left
    return left
