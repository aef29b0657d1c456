"""What words, chips and whole actions do to a hand (handlers of `fold.py`).

Chips count by the rules: what words, chips and a whole `ActionTaken` mean is read where they come (`amounts.py`); only
what a site tells counts as it was taken. What was pushed beyond, or is still owed, stands in `Hand.apart`. Whatever is
out of order is noted in `Hand.irregular`, so that checks need not look at each action again. What comes out of turn
waits for its turn (`early.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from events.schema.fact import Fact
from games.shared.poker.amounts import amiss, other_reading, read_in, said_of, smaller_raise
from games.shared.poker.betting import NOBODY, NOT_SINCE, put, raise_to, turn
from games.shared.poker.early import (
    before_the_blinds,
    chips_to_come,
    comes_early,
    disagrees,
    drop_note,
    early_action,
    early_of,
    expelled_acts,
    left_lying,
    note,
    nothing_to_do,
    on_turn,
    seen,
    settled,
    speaks_again,
)
from games.shared.poker.events import ActionTaken, ChipsPushed, WordsSpoken
from games.shared.poker.hand import UNLIMITED, Gone, Hand, Pending
from games.shared.poker.irregular import Early, worth
from games.shared.poker.reading import Said
from games.shared.poker.seating import known
from games.shared.poker.undone import one_chip_total, undo, undone_by_the_table

if TYPE_CHECKING:
    from games.shared.poker.table import Session

from games.shared.poker.dealing import next_street

_SIZED = frozenset({"bet", "raise", "complete"})
"""Words that name an amount or wait for chips."""


# --- an action that counts ---


def acted(hand: Hand, session: Session, place: int, total: int) -> None:
    """A check, call, bet or raise that leaves `total` in front of him."""
    bets, stacks = hand.bets, hand.stacks
    more = total - bets.front[place]
    if more:
        stacks[place] -= more
        hand.live[place] += more
    if total > bets.to_match:
        hand.raises.append((hand.street, place))
        put(bets, session.limits[hand.street], place, total, hand.out.count(False))
    else:  # as `put` has it
        bets.front[place] = total
        bets.acted[place] = bets.to_match
    before = bets.actor
    bets.actor = turn(bets, stacks, hand.out, place + 1 if before in (place, NOBODY) else before)
    hand.actions += 1
    hand.latest = place
    if hand.pending is not None:
        hand.pending = None
    if hand.early or bets.actor == NOBODY:
        passed_on(hand, session)


def folded(hand: Hand, session: Session, place: int, how: Gone = "folded") -> None:
    """A hand is out; the turn stays with who has it, or goes on from him."""
    hand.out[place] = True
    hand.gone[place] = how
    bets = hand.bets
    actor = bets.actor
    if actor != NOBODY:
        bets.actor = turn(bets, hand.stacks, hand.out, actor + 1 if actor == place else actor)
    if how == "folded":  # that staff takes a hand away is nobody's action
        hand.actions += 1
        hand.latest = place
    if hand.pending is not None:
        hand.pending = None
    if hand.early or bets.actor == NOBODY:
        passed_on(hand, session)


# --- whole actions ---


def action_taken(hand: Hand, event: ActionTaken, session: Session, fact: Fact) -> None:
    bets = hand.bets
    place = bets.actor
    amount = event.amount
    if place == NOBODY or hand.seats[place] != event.seat or hand.pending is not None or hand.clock is not None:
        place = known(hand, event.seat, session)
        if _out_of_time(hand, session, place, fact):
            hand.apart[place] += amount
            return
        _resolve(hand, session, place, fact)
        bets = hand.bets
        if place != bets.actor:
            _whole_out_of_turn(hand, event, session, fact, place)
            return
    if event.action == "fold":
        folded(hand, session, place)
        if amount:
            hand.apart[place] += amount
        return
    total, stack = bets.front[place] + amount, hand.stacks[place]
    if not session.imported and (event.to not in (None, total) or _not_all_in(hand, event, place)):
        disagrees(hand, place, fact)
    if amount <= stack:
        to_match = bets.to_match
        if total == to_match:
            acted(hand, session, place, total)
            return
        limits = session.limits[hand.street]
        # Plainly a legal bet or raise, as nearly all are; everything else is looked at more closely.
        if (
            total > to_match
            and event.action != "call"
            and bets.acted[place] == NOT_SINCE
            and limits.plain
            and not hand.exposed[place]
            and not bets.capped
            and not hand.forfeits
            and (amount == stack or total >= raise_to(bets, limits))
        ):
            acted(hand, session, place, total)
            return
    _whole(hand, session, place, amount, event.action, fact)


def _not_all_in(hand: Hand, event: ActionTaken, place: int) -> bool:
    """Whether an action that is said to be all-in leaves chips behind; those that lie apart are not behind."""
    stack = hand.stacks[place]
    said = event.all_in or event.action == "all_in"
    return said and event.amount < stack - max(hand.apart[place], 0) and stack < UNLIMITED // 2


def _whole(hand: Hand, session: Session, place: int, amount: int, action: str, fact: Fact) -> None:
    """A whole action of the player on turn counts for what the rules make of it; what it has too much or too little
    stands in `apart`. Where a site tells the hand it counts as it was taken."""
    bets = hand.bets
    total = bets.front[place] + amount
    if action == "check" and bets.front[place] < bets.to_match and hand.handed_back is not None:
        if taken_as_call(hand, session) and hand.bets.actor != place:
            return
        bets = hand.bets
    if action == "check" and bets.front[place] < bets.to_match:
        # No action: all his options stay (NL-A44).
        note(hand, "check_facing_bet", place, fact, action="none", acts=hand.actions, outcome="corrected")
        hand.apart[place] += amount
        return
    lies = left_lying(hand, place, hand.apart[place])
    amount, total = amount + lies, total + lies
    hand.apart[place] -= lies
    taken = session.imported or session.terms.out_of_turn == "as_taken"
    if action == "call" and total > bets.to_match and not taken:
        # A call is a call, whatever comes with it: the rest goes back.
        called = max(bets.to_match, bets.front[place])
        hand.apart[place] += total - called
        total, amount = called, called - bets.front[place]
    wrong = amiss(hand, session, place, amount)
    if wrong is None:
        acted(hand, session, place, total)
        return
    note(
        hand, wrong.code, place, fact, action=wrong.action, total=wrong.total, acts=hand.actions + 1, whole=taken,
        add=max(wrong.total - total, 0), returned=max(total - wrong.total, 0), outcome="" if taken else "corrected",
        other=smaller_raise(hand, session) if wrong.code == "below_minimum" else 0,
    )  # fmt: skip
    if not taken:
        hand.apart[place] += total - wrong.total
    acted(hand, session, place, total if taken else wrong.total)


# --- words and chips told apart ---


def words_spoken(hand: Hand, event: WordsSpoken, session: Session, fact: Fact) -> None:
    if event.word not in ("time", "straddle"):
        spoken(hand, session, known(hand, event.seat, session), said_of(event, session), fact)


def spoken(hand: Hand, session: Session, place: int, said: Said, fact: Fact) -> None:
    """A word or a gesture that means one."""
    if _out_of_time(hand, session, place, fact):
        return
    _resolve(hand, session, place, fact)
    if place != hand.bets.actor:
        _word_out_of_turn(hand, session, place, said, fact)
        return
    waiting = hand.pending.said if hand.pending is not None and hand.pending.said.binding else None
    if waiting is not None and said.binding:
        if said.word in ("call", "check"):
            return  # the first word binds: he has announced a raise
        if said.word == "amount":
            said = replace(waiting, amount=said.amount, by=said.by)
    if not said.binding:
        note(hand, "other_language", place, fact, action="none", acts=hand.actions, outcome="corrected")
    if not said.binding or (said.word in _SIZED and said.amount is None):
        hand.pending = Pending(place, said, fact.occurred_at, fact)
    else:
        _read(hand, session, place, said, (), fact)


def chips_pushed(hand: Hand, event: ChipsPushed, session: Session, fact: Fact) -> None:
    place = known(hand, event.seat, session)
    chips = event.chips
    if chips and sum(chips) != event.amount:
        disagrees(hand, place, fact)
        chips = ()
    lay = hand.apart[place]
    settles = lay < 0
    hand.apart[place] += event.amount
    if settles or (event.over_line is False and session.terms.binding_line and session.stakes.line):
        return
    if _out_of_time(hand, session, place, fact):
        return
    _resolve(hand, session, place, fact)
    if place != hand.bets.actor:
        _chips_out_of_turn(hand, event, session, place, fact)
        return
    said = hand.pending.said if hand.pending is not None else None
    if lies := left_lying(hand, place, lay):
        _read(hand, session, place, said, (lies, *(chips or (event.amount,))), fact)
    elif chips or _uncounted(hand, session, place, said, event.amount, fact):
        _read(hand, session, place, said, chips or (event.amount, 0), fact)


def _uncounted(hand: Hand, session: Session, place: int, said: Said | None, amount: int, fact: Fact) -> bool:
    """Chips that nobody counted are read as several; False: one chip would be something else, and they are dealt with.

    Whether the table took them as one shows in what it gives back (`taken_as_one`).
    """
    several, one = (read_in(hand, session, place, said, chips) for chips in ((amount, 0), (amount,)))
    if (several.action, several.total) == (one.action, one.total):
        return True
    hand.undo, hand.raised = hand.bets.copy(), None
    note(
        hand, "chips_not_counted", place, fact, action=one.action, total=one.total, acts=hand.actions + 1,
        returned=one.returned, outcome="stands",
    )  # fmt: skip
    hand.apart[place] -= several.total - hand.bets.front[place]
    acted(hand, session, place, several.total)
    return False


def taken_as_one(hand: Hand, session: Session, place: int, back: int) -> bool:
    """Whether `back` is what goes back of the last action had its chips, which nobody counted, been a single one; then
    it is that action."""
    before, total = hand.undo, one_chip_total(hand, place, back)
    if before is None or total is None:
        return False
    undo(hand, place, before)
    acted(hand, session, place, total)
    return True


def taken_as_call(hand: Hand, session: Session) -> bool:
    """Whether the table, as it now goes on, takes a raise that it gave back for a call (or check): it is played as one,
    and a person says what becomes of the raise that nobody answered (NL-26)."""
    found = undone_by_the_table(hand)
    if found is None:
        return False
    place, total = found.place, hand.bets.front[found.place]
    chip = hand.one_chip == found.acts
    undo(hand, place, found.before)
    note(
        hand, "one_chip_raise_undone" if chip else "raise_undone", place, found.returned, word=found.raised,
        action="raise" if found.before.to_match else "bet", total=total, acts=found.acts, whole=True, outcome="stands",
    )  # fmt: skip
    acted(hand, session, place, total - found.back)
    return True


def _read(hand: Hand, session: Session, place: int, said: Said | None, chips: tuple[int, ...], fact: Fact) -> None:
    """The action that words and chips are; chips pushed lie in `apart` until it is known what they count for."""
    reading = read_in(hand, session, place, said, chips)
    if reading.code == "check_facing_bet" and hand.handed_back is not None and taken_as_call(hand, session):
        if hand.bets.actor != place:
            return
        reading = read_in(hand, session, place, said, chips)
    acts = hand.actions + (reading.action != "")
    if reading.code:
        word = hand.pending.fact if reading.code == "other_language" and hand.pending is not None else None
        if word is not None:
            drop_note(hand, word)  # the chips say what it counts for
        note(
            hand, reading.code, place, fact, action=reading.action or "none", total=reading.total, add=reading.add,
            returned=reading.returned, acts=acts, other=other_reading(hand, session, place, said, chips, reading),
            outcome="corrected", word=word,
        )  # fmt: skip
    if reading.action == "":
        hand.pending = None
        return
    if len(chips) == 1:
        _one_chip(hand, place, acts, fact)
    if reading.action in ("bet", "raise"):
        hand.undo, hand.raised = hand.bets.copy(), fact
    if reading.action == "fold":
        folded(hand, session, place)
    else:
        hand.apart[place] -= reading.total - hand.bets.front[place]
        acted(hand, session, place, reading.total)


def _one_chip(hand: Hand, place: int, acts: int, fact: Fact) -> None:
    """One chip is an action by itself unless the word came before it; two sources may not tell which was first."""
    hand.one_chip, hand.chip = acts, fact
    word = hand.pending.fact if hand.pending is not None and hand.pending.said.binding else None
    if word is not None and word.source != fact.source:
        note(hand, "word_and_chip", place, fact, action="none", acts=acts, outcome="corrected", word=word)


def _resolve(hand: Hand, session: Session, acting: int, fact: Fact) -> None:
    """Somebody else acts while a word waits for chips: the word alone then counts."""
    pending = hand.pending
    if pending is None or pending.place == acting:
        return
    if pending.place == hand.bets.actor and pending.said.binding:
        _read(hand, session, pending.place, pending.said, (), fact)
    hand.pending = None


def _out_of_time(hand: Hand, session: Session, place: int, fact: Fact) -> bool:
    """Whether the player on turn was on the clock and comes too late; then his time has decided."""
    clock = hand.clock
    if clock is None:
        return False
    if fact.occurred_at > clock.until_ms:
        time_is_up(hand, session, fact)
        return hand.seats[place] == clock.seat
    if hand.seats[place] == clock.seat:
        hand.clock = None
    return False


def time_is_up(hand: Hand, session: Session, fact: Fact) -> None:
    """The player on the clock has not acted: his hand is dead facing a bet, else he checks (VG-CLK-01)."""
    clock, hand.clock = hand.clock, None
    place = hand.bets.actor
    if clock is None or place == NOBODY or hand.seats[place] != clock.seat:
        return
    hand.pending = None
    dead = hand.bets.front[place] < hand.bets.to_match
    note(
        hand, "clock_expired", place, fact, action="fold" if dead else "check", total=hand.bets.front[place],
        acts=hand.actions + 1, outcome="corrected",
    )  # fmt: skip
    if dead:
        folded(hand, session, place)
    else:
        acted(hand, session, place, hand.bets.front[place])


# --- out of turn ---


def _folds_out_of_turn(hand: Hand, session: Session, place: int, fact: Fact) -> None:
    """It binds (NL-A13)."""
    if hand.out[place]:
        return
    code = "out_of_turn" if hand.bets.actor != NOBODY else "nothing_to_act"
    note(hand, code, place, fact, action="fold", actor=on_turn(hand), acts=hand.actions, outcome="stands", why="fold")
    hand.early = tuple(early for early in hand.early if early.seat != hand.seats[place])
    folded(hand, session, place)


def _whole_out_of_turn(hand: Hand, event: ActionTaken, session: Session, fact: Fact, place: int) -> None:
    amount, action = event.amount, event.action
    total = hand.bets.front[place] + amount
    if hand.aside and expelled_acts(hand, place, fact, amount):
        hand.apart[place] += amount
        return
    if before_the_blinds(hand) or session.terms.out_of_turn == "as_taken":
        if not before_the_blinds(hand):
            code = "out_of_turn" if hand.bets.actor != NOBODY else "nothing_to_act"
            note(hand, code, place, fact, action=action, actor=on_turn(hand), acts=hand.actions, outcome="stands")
        if action == "fold":
            hand.apart[place] += amount
            folded(hand, session, place)
        elif action != "check" or total >= hand.bets.to_match:
            acted(hand, session, place, total)
        else:
            hand.apart[place] += amount
        return
    if action == "fold":
        hand.apart[place] += amount
        _folds_out_of_turn(hand, session, place, fact)
    else:
        owed = -hand.apart[place]
        hand.apart[place] += amount
        if 0 < amount <= owed:
            return  # what his action still owes
        if not nothing_to_do(hand, place, fact, amount):
            wait = Early(
                seat=event.seat, seen=seen(hand), total=total, first=not hand.early, fact=fact, amount=amount,
                whole=action,
            )  # fmt: skip
            comes_early(hand, place, wait)


def _word_out_of_turn(hand: Hand, session: Session, place: int, said: Said, fact: Fact) -> None:
    if not said.binding or before_the_blinds(hand) or (hand.aside and expelled_acts(hand, place, fact, 0)):
        return
    if said.word == "fold":
        _folds_out_of_turn(hand, session, place, fact)
    elif place == hand.latest and not hand.out[place] and hand.bets.acted[place] != NOT_SINCE:
        speaks_again(hand, place, said, fact)
    elif not nothing_to_do(hand, place, fact, 0):
        mine = early_of(hand, place)
        if mine is None:
            comes_early(hand, place, early_action(hand, session, place, said, (), fact))


def _chips_out_of_turn(hand: Hand, event: ChipsPushed, session: Session, place: int, fact: Fact) -> None:
    """Chips of somebody not on turn; they lie in `apart` already."""
    amount = event.amount
    if before_the_blinds(hand) or (hand.aside and expelled_acts(hand, place, fact, amount)):
        return
    mine = early_of(hand, place)
    again = place == hand.latest and hand.bets.acted[place] != NOT_SINCE
    if again and hand.apart[place] == amount and chips_to_come(hand, place):
        return  # one motion, announced: the word was cut down, and what came for it goes back
    if not hand.out[place] and (again or (mine is not None and (mine.chips or mine.whole))):
        total = hand.bets.front[place]
        note(
            hand, "string_bet", place, fact, action="none", total=total, returned=hand.apart[place],
            acts=hand.actions, outcome="corrected",
        )  # fmt: skip
    elif not nothing_to_do(hand, place, fact, amount):
        wait = early_action(hand, session, place, mine.said if mine else None, event.chips or (amount, 0), fact)
        if mine is None:
            comes_early(hand, place, wait)
        else:
            wait = replace(wait, seen=mine.seen, first=mine.first, fact=mine.fact)
            hand.early = tuple(wait if early is mine else early for early in hand.early)


def _early_turns(hand: Hand, session: Session) -> None:
    """The turn has moved, maybe to somebody who has acted already: what he did stands, is cut down, or given back."""
    while hand.early:
        actor = hand.bets.actor
        if actor == NOBODY or hand.over:
            for early in hand.early:
                settled(hand, early, "returned", early.amount + sum(early.chips), why="no_turn")
            hand.early = ()
            return
        mine = early_of(hand, actor)
        if mine is None:
            return
        hand.early = tuple(early for early in hand.early if early is not mine)
        _its_turn(hand, session, actor, mine)
        if hand.bets.actor == actor:
            return


def passed_on(hand: Hand, session: Session) -> None:
    """The turn has moved without an action: what waited for it comes, and a round that is over ends."""
    if hand.early:
        _early_turns(hand, session)
    if hand.bets.actor == NOBODY:
        next_street(hand, session)


def _its_turn(hand: Hand, session: Session, place: int, early: Early) -> None:
    bets = hand.bets
    front, to_match, chips = bets.front[place], bets.to_match, early.amount + sum(early.chips)
    outcome = worth(early, to_match, session.terms.out_of_turn)
    if outcome == "stands":
        settled(hand, early, outcome, why="unchanged" if early.seen == to_match else "doubled")
        if early.whole:
            hand.apart[place] -= early.amount
            _whole(hand, session, place, early.amount, early.whole, early.fact)
        else:
            _read(hand, session, place, early.said, early.chips, early.fact)
        return
    if outcome == "returned":
        settled(hand, early, outcome, chips, why="changed")
        return
    total = min(max(early.total, front), to_match, front + max(hand.stacks[place], 0))
    settled(hand, early, outcome, max(front + chips - total, 0), why="changed")
    hand.apart[place] -= total - front
    if outcome == "call" or total - front >= hand.stacks[place]:
        acted(hand, session, place, total)
        return
    # He has lost his raise: what he put in stays, and he calls or folds.
    hand.stacks[place] -= total - front
    hand.live[place] += total - front
    bets.front[place] = total
    hand.forfeits = (*hand.forfeits, (hand.street, hand.seats[place]))
