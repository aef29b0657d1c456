"""Generated poker: tables, and hands played by what a room expects.

Everything that Hypothesis draws is a plain value: a `Setup`, and bytes that decide each turn. It
shrinks to the smallest table and to nought, which is the first thing offered (a fold), so that what fails is short.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple, cast

from hypothesis import strategies as st
from msgspec import Struct

from events.schema.common import (
    CardBurned,
    ChipsMoved,
    RoundClosed,
    RoundOpened,
    SeatLeft,
    SeatTaken,
    TableOpened,
)
from events.schema.event import Event
from events.schema.fact import Fact
from events.values.cards import DECK, UNKNOWN
from games.clocks import Clocks
from games.house_rules.edition import Edition, read_edition
from games.protocol import Action, Due, Expectation, Game
from games.shared.poker.events import (
    ActionTaken,
    BoardDealt,
    ButtonPlaced,
    CardDealt,
    ChipsPushed,
    GestureMade,
    HandMucked,
    HandsDealt,
    HandShown,
    HoleDealt,
    LineUp,
    PlayerCameBack,
    PlayerDealtIn,
    PlayerWentAway,
    Posted,
    StakesAnnounced,
    WordsSpoken,
)
from games.shared.poker.hand import BOARD_CARDS, STREETS
from tests.games.table import with_parameters

SUBJECT = "table/brno/NL-9/2026-11-28.1"
SOURCE = "/brno/NL-9/terminal"
START_MS = 1_700_000_000_000
CHIP = 500
_BUTTON = re.compile(r"the button \w+(?: on)? to seat/(\d+)")
_WAITS = re.compile(r"seat/(\d+) [\w ]+: waits")
_STEPS = 400
"""More than any hand of nine has."""


class Setup(Struct, frozen=True):
    """A table before its first hand. `chips`: stacks in chips of `CHIP`, seat by seat; `deal`: how cards are told;
    `deck`: the seed of its order; `straddle`: whether who may post one does; `hands`: how many are played."""

    seats: tuple[int, ...]
    chips: tuple[int, ...]
    button: int = 0
    betting: str = "no_limit"
    ante: int = 0
    ante_by: str = "each"
    straddle: bool = False
    deal: str = "hole"
    deck: int = 0
    hands: int = 1

    @property
    def stakes(self) -> StakesAnnounced:
        """One chip and two; in fixed limit bets of two and four."""
        fixed = self.betting == "fixed_limit"
        return StakesAnnounced(
            small_blind=CHIP, big_blind=2 * CHIP, betting=cast("Any", self.betting), ante=self.ante * CHIP,
            ante_by=cast("Any", self.ante_by), small_bet=2 * CHIP if fixed else None, big_bet=4 * CHIP if fixed else None,
        )  # fmt: skip

    @property
    def parameters(self) -> dict[str, Any]:
        """What an edition has to say so that nothing of this is a breach."""
        return {**({"ante": None} if self.ante else {}), **({"straddle": True} if self.straddle else {})}


@st.composite
def setups(draw: st.DrawFn, *, hands: int = 1) -> Setup:
    """Two to nine players with short, middling and deep stacks, any structure, antes and a straddle."""
    seats = draw(st.lists(st.integers(1, 9), min_size=2, max_size=9, unique=True).map(sorted))
    ante, by = draw(st.sampled_from(((0, "each"), (1, "each"), (2, "big_blind"), (1, "button"))))
    stacks = (20, 1, 2, 3, 4, 5, 7, 11, 41, 200)
    chips = [draw(st.sampled_from(stacks)) for _seat in seats]
    return Setup(
        seats=tuple(seats),
        chips=tuple(chips),
        button=draw(st.integers(0, len(seats) - 1)),
        betting=draw(st.sampled_from(("no_limit", "pot_limit", "fixed_limit"))),
        ante=ante,
        ante_by=by,
        straddle=draw(st.sampled_from((False, False, True))) and len(seats) > 2,
        deal=draw(st.sampled_from(("hole", "cards", "hands"))),
        deck=draw(st.integers(0, 2**16)),
        hands=draw(st.integers(1, hands)),
    )


DECISIONS = st.binary(min_size=30, max_size=90)
"""A number for each turn and each question of how it is told; nought when they are used up."""

NL_PARAMETERS = st.fixed_dictionaries(
    {},
    optional={
        "min_raise_rule": st.sampled_from(["double_bet_to_match", "last_increment"]),
        "heads_up_blinds": st.sampled_from(["text_order", "button_small_blind"]),
        "short_all_in_accumulates": st.booleans(),
        "rake_allocation": st.sampled_from(["main_pot_first", "proportional"]),
        "rake_base": st.sampled_from(["contested_pot", "all_chips_in"]),
        "rake_rounding": st.sampled_from(["floor_to_smallest_chip", "nearest", "floor_1_czk"]),
        "raise_size": st.sampled_from(["at_least_double", "exactly_double"]),
        "showdown_order_scope": st.sampled_from(["hand", "last_round"]),
        "showdown_muck_allowed": st.booleans(),
        "no_flop_no_drop": st.booleans(),
        "one_chip_raise": st.sampled_from(["to_chip_value", "chip_plus_committed", "call_plus_chip"]),
        "table_max_bet": st.sampled_from([None, 50]),
    },
)
"""Readings of rule book NL, in any combination."""


_EDITIONS: dict[tuple[str, str], Edition] = {}


def edition_of(toml: str, parameters: dict[str, Any], game: Game[Any]) -> Edition:
    """An edition with some parameters otherwise; read once for each combination."""
    key = (toml, repr(sorted(parameters.items())))
    if key not in _EDITIONS:
        _EDITIONS[key] = read_edition(with_parameters(toml, parameters, game), game.books[0].form)
    return _EDITIONS[key]


class Told(NamedTuple):
    """An event and the round that its record names."""

    event: Event
    round: str | None = "1"


def fact_of(told: Told, number: int) -> Fact:
    """The record with that number from 0, a record a second."""
    event, name = told
    return Fact(
        subject=SUBJECT, source=SOURCE, sequence=number + 1, topic=event.TOPIC, event=event,
        occurred_at=START_MS + 1000 * number, round=name,
    )  # fmt: skip


def facts_of_told(told: Sequence[Told]) -> list[Fact]:
    """The records of a session."""
    return [fact_of(one, number) for number, one in enumerate(told)]


class Moment(NamedTuple):
    """A state in which the room was asked: how many records stood, the round being played, session and expectation."""

    stood: int
    round: str | None
    session: Any
    expected: Expectation


class Played:
    """A session played by what the room expects, each turn decided by the next number.

    `told`: all of it; `opened`: how much of that lies before the first hand. `moments`: whenever it was asked what comes.
    """

    def __init__(self, game: Game[Any], edition: Edition, setup: Setup, decisions: bytes) -> None:
        self.game = game
        self.setup = setup
        self.told: list[Told] = []
        self.moments: list[Moment] = []
        self._decisions = iter(decisions)
        self._round: str | None = None
        self._away: set[int] = set()
        self._stacks = {seat: CHIP * chips for seat, chips in zip(setup.seats, setup.chips, strict=True)}
        self._button = setup.seats[setup.button]
        opened = Told(
            TableOpened(game=game.name, rule_book=edition.rule_book, currency="CZK", smallest_chip=CHIP), None
        )
        self.told.append(opened)
        self.session = game.open_table(edition, fact_of(opened, 0), (), Clocks())
        for seat in setup.seats:
            self._say(SeatTaken(seat, f"p-{seat}", is_player=True))
        self._say(setup.stakes)
        self.opened = len(self.told)

    def play(self) -> Played:
        """Plays the hands to their close; the table is over when fewer than two have chips."""
        for number in range(1, self.setup.hands + 1):
            if number > 1 and not self._between():
                break
            self._round = str(number)
            self._deck = list(DECK)
            Random(self.setup.deck + number).shuffle(self._deck)
            self._say(RoundOpened())
            self._sit_down()
            for _step in range(_STEPS):
                expected = self._expected()
                if not self._do(expected):
                    break
            self._say(RoundClosed())
            self._stacks |= dict(zip(self.session.hand.seats, self.session.hand.stacks, strict=True))
            self._round = None
        return self

    @property
    def facts(self) -> list[Fact]:
        """The whole session as records."""
        return facts_of_told(self.told)

    def pick(self, count: int) -> int:
        """The next decision among so many."""
        return next(self._decisions, 0) % count

    def _say(self, event: Event) -> None:
        self.told.append(Told(event, self._round))
        self.session = self.game.evolve(self.session, fact_of(self.told[-1], len(self.told) - 1))

    def _expected(self) -> Expectation:
        expected = self.game.expects(self.session)
        self.moments.append(Moment(len(self.told), self._round, self.session, expected))
        return expected

    def _in(self) -> list[int]:
        return [seat for seat, stack in self._stacks.items() if stack > 0 and seat not in self._away]

    def _between(self) -> bool:
        """Somebody walks away or comes back; the button goes where it is said to go. False when the table is over."""
        for seat in [seat for seat, stack in self._stacks.items() if stack == 0]:
            self._say(SeatLeft(seat, f"p-{seat}"))
            del self._stacks[seat]
        walkers = [*sorted(self._away & self._stacks.keys()), *self._in()]
        at = self.pick(2 * len(walkers) + 1)
        who = walkers[at - 1] if 0 < at <= len(walkers) else 0
        if who in self._away:
            self._say(PlayerCameBack(who, f"p-{who}", "post"))
            self._away.discard(who)
        elif who and len(self._in()) > 2:
            self._say(PlayerWentAway(who, f"p-{who}"))
            self._away.add(who)
        expected = self._expected()
        match = _BUTTON.search(expected.note)
        if len(self._in()) < 2 or match is None:
            return False
        self._button = int(match[1])
        return True

    def _sit_down(self) -> None:
        waits = {int(seat) for seat in _WAITS.findall(self.moments[-1].expected.note)} if self.moments else set()
        seats = tuple(seat for seat in self._in() if seat not in waits)
        stacks = tuple(self._stacks[seat] for seat in seats)
        if self.setup.deal == "hands":
            self._say(LineUp(seats, tuple(f"p-{seat}" for seat in seats), stacks, button=self._button))
            return
        self._say(ButtonPlaced(self._button))
        for seat, stack in zip(seats, stacks, strict=True):
            self._say(PlayerDealtIn(seat, f"p-{seat}", stack))

    def _do(self, expected: Expectation) -> bool:
        """Something of what is expected; false where nothing is."""
        straddles = [action for action in expected.actions if action.name == "straddle"]
        actions = [action for action in expected.actions if action.name != "straddle"]
        if expected.due and (expected.phase == "posting" or self.pick(3) == 0):
            for due in expected.due:
                self._pay(due)
        elif straddles and self.setup.straddle:
            self._act(straddles[0])
        elif expected.phase == "showdown" and actions:
            self._show(actions[self.pick(len(actions))])
        elif actions:
            self._act(self._turn(actions))
        elif expected.next_card:
            self._deal(expected.next_card)
        elif expected.due:
            for due in expected.due:
                self._pay(due)
        else:
            return False
        return True

    def _pay(self, due: Due) -> None:
        for event in paid(due):
            self._say(event)

    def _show(self, action: Action) -> None:
        for event in shown(action, self.session):
            self._say(event)

    def _turn(self, actions: Sequence[Action]) -> Action:
        """A fold, which comes first, less often than what keeps him in the hand."""
        stays = [action for action in actions if action.name != "fold"]
        at = self.pick(7)
        return stays[at % len(stays)] if at and stays else actions[0]

    def _act(self, action: Action) -> None:
        total = None
        if action.low is not None and action.high is not None:
            span = (action.low, action.high, (action.low + action.high) // 2 // CHIP * CHIP)
            total = span[self.pick(3)]
            total = total if action.low <= total <= action.high else action.low
        for event in acted(action, total, self.session, self.pick(4)):
            self._say(event)

    def _deal(self, to: str) -> None:
        for event in self.dealt(to):
            self._say(event)
            cards = getattr(event, "cards", None) or (getattr(event, "card", UNKNOWN),)
            self._deck = [card for card in self._deck if card not in cards]

    def dealt(self, to: str) -> Iterator[Event]:
        """The next cards as this table tells them: one by one, or a street or a deal at once."""
        hand, deck = self.session.hand, self._deck
        if to == "burn":
            yield CardBurned()
        elif not to.startswith("seat/"):
            # One card at a time also where some of the street lie there already.
            street = STREETS.index(to)
            missing = BOARD_CARDS[street] - len(hand.board)
            if self.setup.deal == "cards" or missing < BOARD_CARDS[street] - BOARD_CARDS[street - 1]:
                yield CardDealt(cast("Any", to), deck[0], face="up")
            else:
                yield BoardDealt(cast("Any", to), tuple(deck[:missing]))
        elif self.setup.deal == "cards" or any(hand.hole):
            yield CardDealt(to, deck[0])
        elif self.setup.deal == "hands":
            order = self._order()
            yield HandsDealt(order, tuple(deck[: 2 * len(order)]))
        else:
            order = self._order()
            for place, seat in enumerate(order):
                yield HoleDealt(seat, (deck[place], deck[place + len(order)]))

    def _order(self) -> tuple[int, ...]:
        """The seats clockwise from the first left of the button."""
        seats, button = self.session.hand.seats, self._button
        later = [seat for seat in seats if seat > button]
        return (*later, *[seat for seat in seats if seat <= button])


def seat_of(name: str) -> int:
    """The seat's number in `seat/3`."""
    return int(name.removeprefix("seat/"))


def paid(due: Due) -> Iterator[Event]:
    """What is due, paid; chips owed to the pot are pushed, posts posted."""
    if due.what == "owed":
        yield ChipsPushed(seat_of(due.frm), due.amount)
    elif due.to == "pot":
        yield Posted(seat_of(due.frm), cast("Any", due.what), due.amount)
    else:
        cause = {"award": "award", "rake": "rake"}.get(due.what, "return")
        yield ChipsMoved(due.frm, due.to, due.amount, cast("Any", cause), due.stake)


def shown(action: Action, session: Any) -> Iterator[Event]:
    """A hand tabled or mucked at the showdown."""
    seat = seat_of(action.actor)
    hand = session.hand
    if action.name == "muck":
        yield HandMucked(seat)
    else:
        yield HandShown(seat, hand.hole[hand.place(seat)])


def acted(action: Action, total: int | None, session: Any, how: int) -> Iterator[Event]:
    """An action as a whole (0), by a word that names no amount and chips (1), by word and chips (2), or as its word
    alone, the chips still owed (3)."""
    hand = session.hand
    seat = seat_of(action.actor)
    front = hand.bets.front[hand.place(seat)]
    name = cast("Any", action.name)
    add = 0 if total is None else total - front
    if name == "straddle":
        yield Posted(seat, "straddle", add if total is not None else 4 * CHIP)
        return
    if how == 0 or name not in ("fold", "check", "call", "bet", "raise"):
        yield ActionTaken(seat, name, add)
        return
    if name == "check" and how == 3:
        yield GestureMade(seat, "tap")
        yield WordsSpoken(seat, "check")
        return
    named = total if name in ("bet", "raise") and how > 1 else None
    yield WordsSpoken(seat, name, amount=named, measure="to" if named is not None and how == 3 else "")
    if add and how < 3:
        yield ChipsPushed(seat, add)


def offered(played: Played, session: Any, expected: Expectation) -> Iterator[tuple[str, list[Event]]]:
    """Everything that is offered, each alternative by itself: what it is, and the events that do it."""
    for due in expected.due:
        yield f"due {due.what} {due.amount} {due.frm}", list(paid(due))
    for action in expected.actions:
        if action.name in ("show", "muck"):
            yield action.name, list(shown(action, session))
            continue
        totals = {action.low, action.high}
        if action.low is not None and action.high is not None:
            totals.add((action.low + action.high) // 2)
        for total in sorted(totals, key=lambda one: -1 if one is None else one):
            for how in (0, 1, 2, 3):
                yield f"{action.name} {total} {action.actor}", list(acted(action, total, session, how))
    if expected.next_card:
        before, played.session = played.session, session
        try:
            yield f"card to {expected.next_card}", list(played.dealt(expected.next_card))[:1]
        finally:
            played.session = before
