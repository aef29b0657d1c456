"""What the checks at a hand's end all look for, gathered in one pass over its facts."""

from __future__ import annotations

from msgspec import Struct

from events.schema.common import CardBurned, ChipsMoved
from events.schema.fact import Fact
from games.protocol import Round
from games.shared.poker.events import (
    ActionTaken,
    BoardDealt,
    CardDealt,
    ChipsPushed,
    HandShown,
    Posted,
    WordsSpoken,
)
from games.shared.poker.hand import Hand
from games.shared.poker.table import Session


class Tape(Struct, gc=False):
    """Facts of a hand by what they are. `first_act`: index in the round of the first action, −1 if nobody acted."""

    hand: Hand
    session: Session
    posts: list[Fact]
    cards: list[tuple[int, Fact]]
    acts: list[int]
    shows: list[Fact]
    awards: list[Fact]
    rakes: list[Fact]


def tape_of(round_: Round[Session]) -> Tape | None:
    """The round's tape; None if it holds no hand. Made once a round: all its checks ask for it."""
    memo = round_.memo
    if "tape" not in memo:
        memo["tape"] = _record(round_)
    tape: Tape | None = memo["tape"]
    return tape


def _record(round_: Round[Session]) -> Tape | None:
    session = round_.session
    hand = session.hand
    if hand is None or hand.name != round_.name:
        return None
    tape = Tape(hand, session, [], [], [], [], [], [])
    for index, fact in enumerate(round_.facts):
        event = fact.event
        kind = type(event)
        if kind is ActionTaken or kind is ChipsPushed or kind is WordsSpoken:
            tape.acts.append(index)
        elif kind is CardDealt or kind is BoardDealt or kind is CardBurned:
            tape.cards.append((index, fact))
        elif kind is Posted:
            tape.posts.append(fact)
        elif kind is HandShown:
            tape.shows.append(fact)
        elif isinstance(event, ChipsMoved):
            if event.cause == "award":
                tape.awards.append(fact)
            elif event.cause == "rake":
                tape.rakes.append(fact)
    return tape
