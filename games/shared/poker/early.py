"""Notes of what is out of order, and actions out of turn that wait for their turn (`Hand.irregular`, `Hand.early`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from events.schema.fact import Fact
from games.shared.poker.amounts import read_in
from games.shared.poker.betting import NOBODY
from games.shared.poker.events import WordsSpoken
from games.shared.poker.hand import Hand
from games.shared.poker.irregular import Early, Irregular, Outcome, Why
from games.shared.poker.reading import Said

if TYPE_CHECKING:
    from games.shared.poker.table import Session

AGGRESSIVE = frozenset({"bet", "raise", "complete", "all_in", "amount"})


def note(hand: Hand, code: str, place: int, fact: Fact, **more: Any) -> None:
    """Something is out of order in what a player did."""
    one = Irregular(code=code, seat=hand.seats[place], fact=fact, street=hand.street, **more)
    hand.irregular = (*hand.irregular, one)


def left_lying(hand: Hand, place: int, apart: int) -> int:
    """Chips of an action out of turn that counts for nothing and were left lying (`apart` is what lies there): they are
    part of what he puts in when he acts anew in the same round, and are not to be returned any more."""
    for one in hand.irregular:
        if one.outcome == "returned" and one.street == hand.street and one.seat == hand.seats[place] and one.returned:
            if apart < one.returned:
                return 0
            hand.irregular = tuple(replace(own, returned=0) if own is one else own for own in hand.irregular)
            return one.returned
    return 0


def disagrees(hand: Hand, place: int, fact: Fact) -> None:
    """A record says two things of one action. What moves is its amount."""
    note(hand, "record_disagrees", place, fact, action="none", acts=hand.actions, outcome="stands")


def drop_note(hand: Hand, fact: Fact | None) -> None:
    """What was noted of a record is told otherwise by a later one."""
    hand.irregular = tuple(one for one in hand.irregular if one.fact is not fact)


def chips_to_come(hand: Hand, place: int) -> bool:
    """Whether his last action was a word that counts for less than it said, so that its chips are still to come."""
    last = hand.irregular[-1] if hand.irregular else None
    if last is None or last.seat != hand.seats[place] or last.acts != hand.actions or last.code == "string_bet":
        return False
    return isinstance(last.fact.event, WordsSpoken) and last.action in ("check", "call")


def speaks_again(hand: Hand, place: int, said: Said, fact: Fact) -> None:
    """Who has just acted says more: a raise is announced before the chip touches the table (NL-26), and what is added
    in words or chips afterwards does not count (NL-A11)."""
    late = hand.one_chip == hand.actions
    if said.word not in AGGRESSIVE or hand.bets.aggressor == place:
        return
    if hand.stacks[place] <= 0 and (said.word == "all_in" or not late):
        return
    total = hand.bets.front[place]
    if said.amount is not None and said.amount <= total:
        return
    code = "word_late" if late else "string_bet"
    note(
        hand, code, place, fact, action="call" if total else "check", total=total, outcome="corrected",
        returned=max(hand.apart[place], 0), acts=hand.actions, word=fact,
    )  # fmt: skip


def on_turn(hand: Hand) -> int:
    """The seat on turn, 0 if nobody has to act."""
    actor = hand.bets.actor
    return 0 if actor == NOBODY else hand.seats[actor]


def before_the_blinds(hand: Hand) -> bool:
    """No blind is on record yet: whose turn it would be nobody can tell."""
    return not hand.last_blind and not hand.street


def nothing_to_do(hand: Hand, place: int, fact: Fact, returned: int) -> bool:
    """Whether he has nothing to say in this round at all: his hand is out, or nobody has to act."""
    if not hand.out[place] and hand.bets.actor != NOBODY:
        return False
    code = "already_out" if hand.out[place] else "nothing_to_act"
    note(hand, code, place, fact, actor=on_turn(hand), returned=returned, acts=hand.actions)
    return True


def expelled_acts(hand: Hand, place: int, fact: Fact, returned: int) -> bool:
    """Whether he was expelled in this hand: it stays live for what he has put in, and nothing that he does counts."""
    if not any(seat == hand.seats[place] for seat, _stack in hand.aside):
        return False
    note(hand, "expelled_acts", place, fact, action="none", returned=returned, acts=hand.actions)
    return True


def comes_early(hand: Hand, place: int, wait: Early) -> None:
    """An action waits for its turn. A check facing a bet is none, in turn or out of it."""
    word = wait.whole or (wait.said.word if wait.said is not None else "")
    nothing = word == "check" and wait.seen > hand.bets.front[place]
    if not nothing:
        hand.early = (*(early for early in hand.early if early.seat != wait.seat), wait)
    note(
        hand, "out_of_turn", place, wait.fact, action=word or "chips", actor=on_turn(hand), acts=hand.actions,
        outcome="returned" if nothing else "", why="no_action" if nothing else "",
    )  # fmt: skip


def early_action(
    hand: Hand, session: Session, place: int, said: Said | None, chips: tuple[int, ...], fact: Fact
) -> Early:
    """Words and chips out of turn: what he would have in front of him by them, as he saw the bet."""
    saw, front = seen(hand), hand.bets.front[place]
    whole = front + max(hand.stacks[place], 0)
    reading = read_in(hand, session, place, said, chips)
    total = reading.total
    if saw > hand.bets.to_match and not chips and total <= saw:
        total = min(saw, whole) if said is not None and said.word != "check" else front
    return Early(
        seat=hand.seats[place], seen=saw, total=total, first=not hand.early, fact=fact, said=said, chips=chips
    )  # fmt: skip


def seen(hand: Hand) -> int:
    """The bet to match as the table looks: what others put out of turn lies there, too."""
    return max([hand.bets.to_match, *(early.total for early in hand.early)])


def early_of(hand: Hand, place: int) -> Early | None:
    return next((early for early in hand.early if early.seat == hand.seats[place]), None)


def early_chips(hand: Hand, place: int) -> int:
    """Chips of an action out of turn that still waits for its turn."""
    mine = early_of(hand, place) if hand.early else None
    return 0 if mine is None else mine.amount + sum(mine.chips)


def drop_early(hand: Hand, place: int) -> None:
    """His chips went back before his turn came: it counts for nothing."""
    mine = early_of(hand, place)
    if mine is not None:
        hand.early = tuple(early for early in hand.early if early is not mine)
        settled(hand, mine, "returned", mine.amount + sum(mine.chips), why="taken_back")


def settled(hand: Hand, early: Early, outcome: Outcome, returned: int = 0, *, why: Why) -> None:
    """What became of an action out of turn, and why, is written where it was noted."""
    bets = hand.bets
    by = 0 if bets.aggressor == NOBODY else hand.seats[bets.aggressor]
    hand.irregular = tuple(
        replace(one, outcome=outcome, returned=returned, why=why, by=by, bet=bets.to_match)
        if one.fact is early.fact and not one.outcome
        else one
        for one in hand.irregular
    )
