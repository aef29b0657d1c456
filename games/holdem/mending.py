"""How the scripted dealer puts a wrong deal right: step by step what `expects` and the course of the deck call for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from events.schema.common import CardBurned, ChipsMoved, ShuffleStep
from events.schema.event import Event
from games.protocol import Expectation
from games.shared.poker.course import Course, course_of
from games.shared.poker.deck import Need
from games.shared.poker.events import (
    CardDealt,
    CardPicked,
    CardsMoved,
    CardsScrambled,
    MisdealDeclared,
    StubShuffled,
)

if TYPE_CHECKING:
    from games.holdem.dealer import Play

_BOARD = ("flop", "turn", "river")


def mend(play: Play, next_: Expectation) -> bool:
    """The next step of a repair; False: there is nothing to repair."""
    course = course_of(play.hand, play.session.terms)
    if course.misdeal:
        _again(play, course)
        return True
    need = course.due
    if need is None or next_.phase in ("showdown", "settling", "settled"):
        return False
    if need.blocks:
        for due in next_.due:
            play.say(ChipsMoved("pot", due.to, due.amount, "return", due.stake), 1)
        for event in _step(play, need):
            play.say(event, 2)
        return True
    if next_.actor or not play.kept or need.to != next_.next_card or need.seq not in play.kept:
        return False
    card = play.kept.pop(need.seq)
    play.say(CardBurned(seq=need.seq) if need.to == "burn" else CardDealt(need.to, card, seq=need.seq, face="up"), 1)
    return True


def _again(play: Play, course: Course) -> None:
    """A misdeal: chips bet go back, all cards are shuffled, the same hand is dealt again."""
    play.say(MisdealDeclared(course.misdeal, by="floor"), 5)
    for place, amount in enumerate(play.hand.apart):
        if amount > 0:
            seat = f"seat/{play.hand.seats[place]}"
            play.say(ChipsMoved("pot", seat, amount, "return", seat), 1)
    for step in ("wash", "riffle", "riffle"):
        play.say(ShuffleStep(step, "deck-1"), 8)
    play.rng.shuffle(play.deck)
    play.seq = 0


def _step(play: Play, need: Need) -> list[Event]:
    """What the dealer does now."""
    if need.to == "aside":
        for _seq in need.seqs:
            card, seq = play.next_card()
            play.kept[seq] = card
        return [CardsMoved("aside", need.seqs, by="dealer")]
    if need.to == "stub":
        back = [play.deck[seq - 1] for seq in need.seqs]
        rest = [*play.deck[play.seq :], *back]
        play.rng.shuffle(rest)
        play.deck[play.seq :] = rest
        return [StubShuffled(need.seqs, by="dealer")]
    if need.to == "top":
        seq = need.seqs[0]
        play.kept[seq] = play.deck[seq - 1]
        return [CardsMoved("top", need.seqs, frm=need.name, identified=True)]
    if need.to == "burn":
        _card, seq = play.next_card()
        return [CardBurned(seq=seq)]
    if need.to.startswith("seat/"):
        card, seq = play.next_card()
        return [CardDealt(need.to, card, seq=seq, purpose="replacement")]
    if need.to in _BOARD:
        card, seq = play.next_card()
        if need.name == "closed":  # it waits face down until its round
            play.kept[seq] = card
            return [CardDealt(need.to, card, seq=seq)]
        moved = [CardsMoved("burn", need.seqs, frm=need.to)] if need.name == "burn_left_out" else []
        return [*moved, CardDealt(need.to, card, seq=seq, face="up")]
    picked = play.rng.choice(need.seqs)
    return [
        CardsScrambled(need.seqs, by="dealer", witnesses=("floor",)),
        CardPicked("burn", "floorman", picked, play.deck[picked - 1], by="floor"),
    ]
