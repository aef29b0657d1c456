"""An action that the table dealt with as another one, which shows in what it gave back: the hand goes on from there."""

from __future__ import annotations

from events.schema.fact import Fact
from games.shared.poker.betting import Bets
from games.shared.poker.hand import Hand
from games.shared.poker.irregular import HandedBack


def one_chip_total(hand: Hand, place: int, back: int) -> int | None:
    """What the last action of a position comes to if `back` is what goes back of it had its chips, which nobody
    counted, been a single one; None if it is not, or somebody has acted since."""
    last, bets = hand.irregular[-1] if hand.irregular else None, hand.bets
    if last is None or hand.undo is None or last.code != "chips_not_counted" or last.seat != hand.seats[place]:
        return None
    left = bets.front[place] + hand.apart[place] - back
    if last.acts != hand.actions or last.street != hand.street or left != last.total:
        return None
    return last.total


def note_handed_back(hand: Hand, place: int, back: int, fact: Fact) -> None:
    """Chips of the last action go back: of a raise told by words and chips all that made it one. Whether the table
    means it, or puts it right, shows in what comes next (`undone_by_the_table`)."""
    before, bets = hand.undo, hand.bets
    if before is None or hand.latest != place or bets.aggressor != place or hand.raised is None:
        return
    if bets.front[place] - back == max(before.to_match, before.front[place]):
        hand.handed_back = HandedBack(place, before, back, hand.actions, hand.raised, fact)


def undone_by_the_table(hand: Hand) -> HandedBack | None:
    """A raise whose chips went back and did not come again, with nobody having acted since: whoever now deals on or
    checks takes it for a call. Forgotten once it was asked."""
    found, hand.handed_back = hand.handed_back, None
    if found is None or found.acts != hand.actions or hand.apart[found.place] != -found.back or hand.early:
        return None
    return found


def undo(hand: Hand, place: int, before: Bets) -> None:
    """The hand as it stood before the last action of a position; the chips that count for it lie with him again."""
    made = hand.bets.front[place] - before.front[place]
    hand.stacks[place] += made
    hand.live[place] -= made
    hand.apart[place] = 0
    if hand.raises and hand.bets.front[place] > before.to_match:
        hand.raises.pop()
    hand.bets, hand.undo = before.copy(), None
    hand.actions -= 1
