"""Poker's records in words: `seat 3 raises to 1 200 CZK`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from events.schema.event import Event
from events.values.cards import UNKNOWN, cards_text
from events.values.money import money_text
from games.shared.poker import events as pk
from games.shared.poker.conduct import ConductReported, ObjectionRaised, PenaltyEnded, PenaltyGiven

_ACTIONS = {
    "fold": "folds", "check": "checks", "call": "calls", "bet": "bets", "raise": "raises", "complete": "completes",
    "all_in": "goes all in",
}  # fmt: skip
_WORDS = {"all_in": "all in", "time": "time, please"}
_GESTURES = {
    "tap": "taps the table", "wave": "waves", "cards_forward": "pushes the cards forward",
    "raise_hand": "raises a hand",
}  # fmt: skip
_PLACES = {
    "burn": "to the burn cards", "rabbit": "on the table, after the hand", "top": "on top of the stub",
    "stub": "into the stub", "aside": "aside", "muck": "into the muck", "floor": "to the floor",
    "box": "to the box",
}  # fmt: skip
_REPLACES = {"replacement": ", in place of an exposed card", "extra": ", one too many"}


def tell(event: Event, currency: str) -> str:
    """A sentence; empty for what is no poker event. Amounts in the table's currency."""
    teller = _TELLERS.get(type(event))
    return teller(event, currency) if teller is not None else ""


def _cards(cards: tuple[str, ...], noun: str = "card") -> str:
    """The cards where one of them is known, else how many."""
    if any(card != UNKNOWN for card in cards):
        return cards_text(cards)
    return f"a {noun}" if len(cards) == 1 else f"{len(cards)} {noun}s"


def _where(place: str) -> str:
    """`to seat 3`, `on the flop`, `as the burn card`."""
    if place.startswith("seat/"):
        return f"to seat {place[5:]}"
    if place in ("flop", "turn", "river", "board"):
        return f"on the {place}"
    return _PLACES.get(place, f"to {place}")


def _at(place: str) -> str:
    return f"seat {place[5:]}" if place.startswith("seat/") else f"the {place}"


def _seats(seats: tuple[int, ...]) -> str:
    *most, last = map(str, seats or ("nobody",))
    return f"seats {', '.join(most)} and {last}" if most else f"seat {last}"


def _action(event: pk.ActionTaken, currency: str) -> str:
    said = f"seat {event.seat} {_ACTIONS.get(event.action, event.action)}"
    if event.to is not None and event.action in ("raise", "complete"):
        said += f" to {money_text(event.to, currency)}"
        if event.amount != event.to:
            said += f", adding {money_text(event.amount, currency)}"
    elif event.amount:
        said += f", adding {money_text(event.amount, currency)}"
    return said + (", all in" if event.all_in and event.action != "all_in" else "")


def _words(event: pk.WordsSpoken, currency: str) -> str:
    word = "" if event.word == "amount" else _WORDS.get(event.word, event.word)
    amount = "" if event.amount is None else money_text(event.amount, currency)
    said = " ".join(part for part in (word, event.measure, amount) if part)
    tongue = f" (in language {event.language})" if event.language else ""
    return f"seat {event.seat} says “{said}”{tongue}" + (f": {event.text}" if event.text else "")


def _pushed(event: pk.ChipsPushed, currency: str) -> str:
    said = f"seat {event.seat} pushes {money_text(event.amount, currency)}"
    if len(event.chips) == 1:
        said += " in one chip"
    elif event.chips:
        said += f" in {len(event.chips)} chips"
    return said + {True: ", over the line", False: ", not over the line", None: ""}[event.over_line]


def _dealt_in(event: pk.PlayerDealtIn, currency: str) -> str:
    stack = "a stack that is not known" if event.stack is None else money_text(event.stack, currency)
    how = {"new": ", new", "returning": ", back again", "moved": ", moved here", "absent": ", absent"}
    return f"seat {event.seat}, {event.player}, is in with {stack}{how.get(event.status, '')}"


def _posted(event: pk.Posted, currency: str) -> str:
    return f"seat {event.seat} posts {event.kind.replace('_', ' ')}, {money_text(event.amount, currency)}"


def _dealt(event: pk.CardDealt, _currency: str) -> str:
    up = ", face up" if event.face == "up" and event.to.startswith("seat/") else ""
    board = f" of board {event.board}" if event.board > 1 else ""
    boxed = ", which lay face up in the deck" if event.boxed else ""
    return f"{_cards((event.card,))} {_where(event.to)}{board}{up}{_REPLACES.get(event.purpose, '')}{boxed}"


def _board(event: pk.BoardDealt, _currency: str) -> str:
    board = f" of board {event.board}" if event.board > 1 else ""
    late = ", after the hand, for the curious" if event.rabbit else ""
    return f"{_cards(event.cards)} on the {event.street}{board}{late}"


def _exposed(event: pk.CardExposed, _currency: str) -> str:
    count = max(len(event.cards), len(event.seqs), 1)
    which = _cards(event.cards or (UNKNOWN,) * count)
    on = {True: ", on purpose", False: ", by mistake", None: ""}[event.deliberate]
    return f"the {event.by} exposes {which} at {_at(event.where)}{on}"


def _moved(event: pk.CardsMoved, _currency: str) -> str:
    which = _cards(event.cards or (UNKNOWN,) * max(len(event.seqs), 1))
    frm = f" from {_at(event.frm)}" if event.frm else ""
    return f"{which}{frm} put {_where(event.to)}" + _by(event.by)


def _by(person: str | None) -> str:
    return f", by {person}" if person else ""


def _why(text: str) -> str:
    return f": {text}" if text else ""


def _button(event: pk.ButtonPlaced, _currency: str) -> str:
    blinds = [
        f"{name} at seat {seat}"
        for name, seat in (("small blind", event.small_blind), ("big blind", event.big_blind))
        if seat
    ]
    return f"the button lies at seat {event.seat}" + (f" ({', '.join(blinds)})" if blinds else "") + _why(event.why)


def _stakes(event: pk.StakesAnnounced, currency: str) -> str:
    ante = f", ante {money_text(event.ante, currency)}" if event.ante else ""
    blinds = f"{money_text(event.small_blind, currency)} / {money_text(event.big_blind, currency)}"
    return f"stakes {blinds}{ante}, {event.betting.replace('_', ' ')}"


def _killed(event: pk.HandKilled, _currency: str) -> str:
    tabled = {True: ", which lay tabled", False: ", which was not tabled", None: ""}[event.tabled]
    return f"the {event.by} takes the hand of seat {event.seat} away{tabled}{_why(event.why)}"


def _agreed(event: pk.AgreementMade, _currency: str) -> str:
    what = f"to run it {event.runs} times" if event.what == "run_it" else f"on {event.what.replace('_', ' ')}"
    return f"{_seats(event.seats)} agree {what}{_why(event.text)}"


def _clock(event: pk.ClockCalled, _currency: str) -> str:
    given = {True: ", granted", False: ", refused", None: ""}[event.granted]
    return f"the clock is called on seat {event.seat}{_by(event.by)}{given}"


def _penalty(event: PenaltyGiven, _currency: str) -> str:
    how_long = f" for {event.hands} hands" if event.hands else f" for {event.minutes} minutes" if event.minutes else ""
    return f"{event.player} gets a penalty: {event.penalty.replace('_', ' ')}{how_long}{_by(event.by)}{_why(event.why)}"


def _drawn(event: pk.ButtonCardDrawn, _currency: str) -> str:
    return f"seat {event.seat} draws {_cards((event.card,))} for the button"


def _winner(event: pk.WinnerAnnounced, _currency: str) -> str:
    return f"the dealer names {_seats(event.seats)} as winner" + (f" of the {event.pot}" if event.pot else "")


_TELLERS: dict[Any, Callable[[Any, str], str]] = {
    pk.StakesAnnounced: _stakes,
    pk.ButtonCardDrawn: _drawn,
    pk.ButtonPlaced: _button,
    pk.PlayerDealtIn: _dealt_in,
    pk.LineUp: lambda e, c: f"{len(e.seats)} players are in: {_seats(e.seats)}",
    pk.PlayerWentAway: lambda e, c: f"seat {e.seat}, {e.player}, is away{_why(e.why)}",
    pk.PlayerCameBack: lambda e, c: f"seat {e.seat}, {e.player}, is back" + (f" ({e.choice}s)" if e.choice else ""),
    pk.SeatChanged: lambda e, c: f"{e.player} moves from seat {e.frm} to seat {e.to} ({e.why.replace('_', ' ')})",
    pk.StackCounted: lambda e, c: f"seat {e.seat} is counted: {money_text(e.amount, c)}{_by(e.by)}",
    pk.TopUpAnnounced: lambda e, c: f"seat {e.seat} announces a top-up of {money_text(e.amount, c)}",
    pk.Posted: _posted,
    pk.CardDealt: _dealt,
    pk.HoleDealt: lambda e, c: f"{_cards(e.cards)} to seat {e.seat}",
    pk.HandsDealt: lambda e, c: f"{len(e.cards)} cards are dealt, to {_seats(e.seats)}",
    pk.BoardDealt: _board,
    pk.CardExposed: _exposed,
    pk.CardsMoved: _moved,
    pk.StubShuffled: lambda e, c: f"the stub is shuffled{_by(e.by)}",
    pk.CardsScrambled: lambda e, c: f"{len(e.seqs)} cards are scrambled face {e.face}{_by(e.by)}",
    pk.CardPicked: lambda e, c: f"the {e.role} picks {_cards((e.card,))}, {_where(e.to)}",
    pk.CardFound: lambda e, c: f"a {e.fault.replace('_', ' ')} card is found at {_at(e.where)}{_by(e.by)}",
    pk.CutAsked: lambda e, c: f"seat {e.seat} asks for a cut",
    pk.MisdealDeclared: lambda e, c: f"a misdeal is declared{_by(e.by)}{_why(e.why)}",
    pk.WordsSpoken: _words,
    pk.ChipsPushed: _pushed,
    pk.GestureMade: lambda e, c: f"seat {e.seat} {_GESTURES.get(e.gesture, e.gesture)}",
    pk.ActionTaken: _action,
    pk.BetAnnounced: lambda e, c: f"the dealer announces {money_text(e.amount, c)} {e.what.replace('_', ' ')}",
    pk.DealerPrompted: lambda e, c: f"the dealer prompts seat {e.seat}",
    pk.PlayStopped: lambda e, c: f"the dealer stops the action{_why(e.why)}",
    pk.ClockCalled: _clock,
    pk.ClockExpired: lambda e, c: f"the time of seat {e.seat} is over",
    pk.HandShown: lambda e, c: f"seat {e.seat} shows {_cards(e.cards)}",
    pk.HandMucked: lambda e, c: f"seat {e.seat} mucks" + (f" {_cards(e.cards)}" if e.cards else ""),
    pk.HandKilled: _killed,
    pk.HandAnnounced: lambda e, c: f"seat {e.seat} announces “{e.hand}”",
    pk.WinnerAnnounced: _winner,
    pk.AgreementMade: _agreed,
    pk.HandCashedOut: lambda e, c: f"seat {e.seat} cashes the hand out for {money_text(e.amount, c)}",
    ObjectionRaised: lambda e, c: f"seat {e.seat or '?'} objects: {e.what}",
    ConductReported: lambda e, c: f"{e.player} is reported for {e.what.replace('_', ' ')}{_by(e.by)}{_why(e.text)}",
    PenaltyGiven: _penalty,
    PenaltyEnded: lambda e, c: f"the penalty of {e.player} is over",
}
