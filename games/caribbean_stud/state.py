"""Folds a Caribbean stud session: every record finds its place, none is refused."""

from __future__ import annotations

from typing import Any

from events.schema import common as tb
from events.schema.fact import Fact
from games.caribbean_stud.events import TimeCalled
from games.caribbean_stud.table import Round, Session
from games.clocks import Clocks
from games.house_rules.edition import Edition
from games.shared.bank import events as bg
from games.shared.bank.fold import OF_ROUND, OF_SESSION, Changes, Fold, noted, opening
from games.shared.bank.table import Noted
from games.shared.booked import settles


def open_table(edition: Edition, opened: Fact, rulings: tuple[Fact, ...], clocks: Clocks) -> Session:
    """A table as it stands when it opens."""
    return Session(**opening(edition, opened, rulings, clocks))


def evolve(session: Session, fact: Fact) -> Session:
    """The session after one more record."""
    return _FOLD(session, fact)


def _chips_moved(session: Any, round_: Round, fact: Fact) -> Changes:
    """When a stake was first settled matters beside what is settled (C30)."""
    changes = OF_ROUND[tb.ChipsMoved](session, round_, fact)
    event = fact.event
    assert isinstance(event, tb.ChipsMoved)
    if settles(event) and all(note.event.stake != event.stake for note in round_.paid):
        changes["paid"] = (*round_.paid, Noted(fact, round_.count, round_.deal))
    return changes


def _joined(session: Any, fact: Fact) -> Changes:
    return {**OF_SESSION[bg.CutJoined](session, fact), "joins": True}


_FOLD = Fold(
    Round,
    {tb.ChipsMoved: _chips_moved, TimeCalled: noted},
    {bg.CutJoined: _joined, bg.DeckLoaded: _joined},
)
