"""A hand of poker as it stands: seats clockwise, chips, cards, betting; shared by all poker rooms.

Everything by position is a list in the order of the seats dealt in; `seats[i]` is the seat's number. Amounts are
minor units.
"""

from __future__ import annotations

from copy import copy
from functools import lru_cache
from typing import Literal

import msgspec
from msgspec import Struct

from events.schema.fact import Fact
from games.shared.poker.betting import NOBODY, Bets, Limits, MinRaise
from games.shared.poker.deck import DealTerms, Lying, Step
from games.shared.poker.events import Betting, PostKind, StakesAnnounced
from games.shared.poker.irregular import Clock, Early, HandedBack, Irregular, OutOfTurn
from games.shared.poker.pots import RakeTerms
from games.shared.poker.reading import BareAmount, OneChipRaise, Said
from games.shared.poker.seats import Entry, SeatTerms, Withdrawn

UNLIMITED = 2**52
"""The stack of a player of whom no record says what he had."""

STREETS = ("preflop", "flop", "turn", "river")
BOARD_CARDS = (0, 3, 4, 5)
"""Cards on the board by street."""

Gone = Literal["", "folded", "mucked", "killed"]
Muck = Literal["always", "unless_all_in", "never"]
"""When a player who takes part in a showdown may give his hand away unseen."""
SoftPlay = Literal["off", "unless_all_tie", "always"]
"""Whether the last to act has to bet or raise with an unbeatable hand, also where everybody could only tie."""


class Terms(Struct, frozen=True, gc=False, kw_only=True):
    """What a poker game has to know of its rule book and table. No `rake`: it is what the record says was taken;
    `rate_bp` cuts it into pots where the record does not. `board_duty`: if somebody plays the board all who are left
    show; `expelled_dead`: the hand of a player expelled in mid-hand is dead instead of live for what he has put in.
    `run_it`: players who are all-in may agree to run the rest of the board more than once.
    `languages`: the official ones at the table, in which a word binds (ISO 639-1; a word without a tag is in one).
    `out_of_turn`, `bare_amount`: what an action out of turn and a number alone are worth; `clock_s`: seconds that a
    player on the clock has (None: no clock); `binding_line`: at a table with a line, only what crosses it is bet."""

    hole: int = 2
    min_raise: MinRaise = "double_bet_to_match"
    accumulates: bool = False
    exactly: bool = False
    most: int | None = None
    cap: int | None = None
    cap_alone: int | None = None
    half_reopens: bool = False
    one_chip: OneChipRaise = "to_chip_value"
    foreign_words_bind: bool = False
    languages: frozenset[str] = frozenset({"cs", "en"})
    exposed_both: bool = False
    order_scope: Literal["hand", "last_round"] = "hand"
    heads_up: Literal["text_order", "button_small_blind"] = "text_order"
    unit: int = 1
    rake: RakeTerms | None = None
    rate_bp: int = 500
    muck: Muck = "unless_all_in"
    board_duty: bool = True
    soft_play: SoftPlay = "unless_all_tie"
    expelled_dead: bool = False
    seating: SeatTerms = SeatTerms()
    out_of_turn: OutOfTurn = "binding_if_unchanged"
    bare_amount: BareAmount = "chips"
    clock_s: int | None = None
    binding_line: bool = False
    deal: DealTerms = DealTerms()
    run_it: bool = False


class Pending(Struct, frozen=True, gc=False):
    """A word that waits for chips (`raise`, no amount), by a position, with the time at which it was spoken."""

    place: int
    said: Said
    at_ms: int
    fact: Fact | None = None


class Hand(Struct, gc=False, kw_only=True):
    """One hand.

    `start`: stacks before posts; `stacks`: what is left by the rules; `live`, `dead`, `antes`: contributions of the
    whole hand; `apart`: chips pushed beyond what the action counts for (negative: still owed). `out`: folded or dead;
    `gone` says how. `won`, `back`, `raked`: what was paid out so far, rake by the pot or seat that its record names.
    `posts`: position, kind and amount of each; `raises`: street and position of each bet and raise, `latest` who acted
    last; `shows`: the order of tabling. `put_away`: burn
    cards that are known; `loose`: cards exposed or moved, which may rightly lie elsewhere than they were dealt.
    `drawn`: the draw for the button before this hand, card by seat. `fouled`: when somebody found that the deck is not
    what it should be.

    `irregular`: what was out of order in actions; `early`: actions out of turn that wait for their turn; `one_chip`:
    number of the action that was one chip, `chip` its record; `undo`: betting before the last action told by words and
    chips that the table may have dealt with as another one; `raised`: its record, if it is a bet or raise by the rules;
    `handed_back`: that its chips went back;
    `forfeits`: street and seat of who may not raise there any more; `clock`: the time given to the player on turn.

    `aside`: stacks by seat of players expelled in this hand; they play no more, and come back to `stacks` at its close.

    At a table, not of a hand that a site tells: `steps`, what happened to its cards, and `off`, where each card off the
    deck lies now; `top`: the place off the deck of the next one. `surplus`: cards on the board beyond what a street
    has. `premature`: the street that was laid before the betting was over. `opened`: actions and players left when the
    street's betting began. `added`: chips that came into the pot from the house.
    `run_from`: how many cards the boards of a hand run more than once (`runs`) share; five if no other one is to come.
    `withdrawn`: posts that were put right before anybody acted. `strayed`: the seat to which somebody moved the button
    after a misdeal, where it does not belong; 0 if nobody did.

    It changes in place while it is folded (`fold.py`): `evolve` works on a copy, `advance` on the hand itself.
    """

    name: str
    seats: list[int] = []
    players: list[str] = []
    start: list[int] = []
    stacks: list[int] = []
    live: list[int] = []
    dead: list[int] = []
    antes: list[int] = []
    apart: list[int] = []
    out: list[bool] = []
    gone: list[Gone] = []
    hole: list[tuple[str, ...]] = []
    shown: list[tuple[str, ...]] = []
    exposed: list[int] = []
    won: list[int] = []
    back: list[int] = []
    posts: list[tuple[int, PostKind, int]] = []
    bets: Bets = msgspec.field(default_factory=Bets)
    button: int = 0
    small_blind: int = 0
    big_blind: int = 0
    last_blind: int = 0
    street: int = 0
    board: tuple[str, ...] = ()
    boards: tuple[tuple[str, ...], ...] = ()
    runs: int = 1
    raises: list[tuple[int, int]] = []
    shows: tuple[int, ...] = ()
    dealt: int = 0
    burns: int = 0
    put_away: tuple[str, ...] = ()
    loose: tuple[str, ...] = ()
    actions: int = 0
    latest: int = NOBODY
    pending: Pending | None = None
    raked: tuple[tuple[str, int], ...] = ()
    misdeals: int = 0
    drawn: tuple[tuple[int, str], ...] = ()
    fouled: Literal["", "before_award", "after_award"] = ""
    closed: bool = False
    aside: tuple[tuple[int, int], ...] = ()
    irregular: tuple[Irregular, ...] = ()
    early: tuple[Early, ...] = ()
    one_chip: int = 0
    chip: Fact | None = None
    undo: Bets | None = None
    raised: Fact | None = None
    handed_back: HandedBack | None = None
    forfeits: tuple[tuple[int, int], ...] = ()
    clock: Clock | None = None
    steps: list[Step] = []
    off: list[Lying] = []
    top: int = 1
    surplus: tuple[str, ...] = ()
    premature: str = ""
    opened: tuple[int, int] = (0, 0)
    entering: tuple[Entry, ...] = ()
    barred: tuple[str, ...] = ()
    added: int = 0
    withdrawn: tuple[Withdrawn, ...] = ()
    strayed: int = 0
    run_from: int = BOARD_CARDS[-1]

    def copy(self) -> Hand:
        """A hand of its own, as it stands."""
        new = copy(self)
        for name in _LISTS:
            setattr(new, name, list(getattr(self, name)))
        new.bets = self.bets.copy()
        return new

    @property
    def contributed(self) -> int:
        """All that is in the pot by the rules, before anything goes out."""
        return sum(self.live) + sum(self.dead) + sum(self.antes) + self.added

    @property
    def left(self) -> list[int]:
        """Positions that can still win something."""
        return [place for place, gone in enumerate(self.out) if not gone]

    @property
    def over(self) -> bool:
        """Everybody but one has folded."""
        return len(self.seats) > 1 and self.out.count(False) == 1

    @property
    def betting(self) -> bool:
        """Somebody has to act."""
        return self.bets.actor != NOBODY and not self.over

    @property
    def ready(self) -> bool:
        """All betting is done: one is left, or every board is complete and the last round closed."""
        left = self.out.count(False)
        if left == 1:
            return len(self.seats) > 1
        if left < 2 or self.bets.actor != NOBODY or len(self.board) != BOARD_CARDS[-1]:
            return False
        return self.runs == 1 or not self.board_missing

    @property
    def board_missing(self) -> int:
        """The number of the first of the other boards that lacks cards, counted from 2; 0 if none does."""
        wanted = BOARD_CARDS[-1] - self.run_from
        laid = [len(board) for board in self.boards[: self.runs - 1]]
        laid += [0] * (self.runs - 1 - len(laid))
        return next((number for number, count in enumerate(laid, 2) if count < wanted), 0)

    def place(self, seat: int) -> int:
        """Position of a seat; `NOBODY` if it was not dealt in."""
        return self.seats.index(seat) if seat in self.seats else NOBODY


_LISTS = tuple(field.name for field in msgspec.structs.fields(Hand) if field.default_factory is list)


def last_aggressor(hand: Hand, scope: str) -> int:
    """Who of those still in made the last bet or raise: of the `hand`, or of the `last_round`; `NOBODY` if none did."""
    for street, place in reversed(hand.raises):
        if scope == "last_round" and street != hand.street:
            break
        if not hand.out[place]:
            return place
    return NOBODY


def button_place(hand: Hand, heads_up: str) -> int:
    """Position of the button; of the last seat before it if nobody was dealt in there. Where the record does not say,
    it lies before the small blind."""
    if not hand.seats:
        return 0
    if hand.button:
        if hand.button in hand.seats:
            return hand.seats.index(hand.button)
        before = [place for place, seat in enumerate(hand.seats) if seat < hand.button]
        return before[-1] if before else len(hand.seats) - 1
    small = hand.place(hand.small_blind)
    if small == NOBODY:
        return len(hand.seats) - 1
    if len(hand.seats) == 2 and heads_up == "button_small_blind":
        return small
    return (small - 1) % len(hand.seats)


def deal_order(hand: Hand, heads_up: str) -> tuple[int, ...]:
    """All positions clockwise from the first left of the button: the order of deal, later rounds and odd chips."""
    first = button_place(hand, heads_up) + 1
    every = range(len(hand.seats))
    return (*every[first:], *every[:first])


def blinds_due(hand: Hand, heads_up: str) -> tuple[int, int]:
    """Positions that owe small and big blind: the first two left of the button, which itself may be one of two."""
    order = deal_order(hand, heads_up)
    if len(order) == 2 and heads_up == "button_small_blind":
        return order[1], order[0]
    return order[0], order[1]


class Stakes(Struct, frozen=True, gc=False):
    """The stakes in force, as announced; zero where nobody announced any. `antes`: by seat where they are uneven."""

    small_blind: int = 0
    big_blind: int = 0
    betting: Betting = "no_limit"
    ante: int = 0
    ante_by: str = "each"
    small_bet: int = 0
    big_bet: int = 0
    announced: bool = False
    line: bool = False
    antes: dict[int, int] = {}


def stakes_of(event: StakesAnnounced) -> Stakes:
    """What an announcement says."""
    return Stakes(
        event.small_blind,
        event.big_blind,
        event.betting,
        event.ante,
        event.ante_by,
        event.small_bet or event.big_blind,
        event.big_bet or 2 * event.big_blind,
        True,
        event.line,
        {int(seat): amount for seat, amount in event.antes.items() if seat.isdigit()} if event.antes else {},
    )


@lru_cache(maxsize=1024)
def _limits(
    stakes: tuple[int, int, int, Betting],
    terms: tuple[MinRaise, bool, bool, int | None, int | None, int | None, bool],
) -> tuple[Limits, ...]:
    big_blind, small_bet, big_bet, betting = stakes
    min_raise, accumulates, exactly, most, cap, cap_alone, half_reopens = terms
    fixed = betting == "fixed_limit"
    minimums = (small_bet, small_bet, big_bet, big_bet) if fixed else (big_blind,) * 4
    return tuple(
        Limits(
            minimum=max(minimum, 1),
            structure=betting,
            min_raise=min_raise,
            accumulates=accumulates,
            exactly=exactly,
            most=most,
            cap=cap if fixed else None,
            cap_alone=cap_alone if fixed else None,
            half_reopens=half_reopens,
            plain=betting == "no_limit" and not exactly and most is None,
        )
        for minimum in minimums
    )


def limits_of(stakes: Stakes, terms: Terms) -> tuple[Limits, ...]:
    """The limits of each street."""
    return _limits(
        (stakes.big_blind, stakes.small_bet, stakes.big_bet, stakes.betting),
        (
            terms.min_raise,
            terms.accumulates,
            terms.exactly,
            terms.most,
            terms.cap,
            terms.cap_alone,
            terms.half_reopens,
        ),
    )
