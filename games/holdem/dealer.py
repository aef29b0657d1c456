"""A scripted dealer: whole sessions of legal hands off a real deck, the same for the same seed; one breach if asked.

It plays by what `expects` says and pays what `payouts` says. A hand that shall hold a breach is played again with
other cards until the breach can be committed in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib import resources
from random import Random
from typing import Literal, TypeVar

from events.errors import Refused
from events.schema.common import (
    CardBurned,
    ChipsMoved,
    CutMade,
    DeckOpened,
    RoundClosed,
    RoundOpened,
    SeatLeft,
    SeatTaken,
    ShuffleStep,
    SourceEnded,
    TableClosed,
    TableOpened,
)
from events.schema.envelope import Envelope
from events.schema.event import Event
from events.schema.fact import Fact
from events.values.cards import DECK
from games.clocks import Clocks
from games.holdem import misdeeds
from games.holdem.chips import BIG, SMALL, UNIT, chips_for
from games.holdem.expects import expects
from games.holdem.floor import AFTER_A_HAND, Floor
from games.holdem.mending import mend
from games.holdem.rules import RULES
from games.holdem.seat_rules import drawn_button
from games.holdem.state import Session, evolve, open_table
from games.house_rules.edition import Edition, read_edition
from games.protocol import Action, Expectation
from games.scribe import Scribe
from games.shared.poker.events import (
    POST_KINDS,
    ActionTaken,
    ButtonCardDrawn,
    ButtonPlaced,
    CardDealt,
    ChipsPushed,
    HandMucked,
    HandShown,
    PlayerDealtIn,
    Posted,
    StakesAnnounced,
    WordsSpoken,
)
from games.shared.poker.hand import Hand
from games.shared.till import Till

BREACHES: tuple[str, ...] = tuple(sorted({*misdeeds.ALL, *misdeeds.BEFORE_THE_HAND}))

OPENER = 20_000_000
USUAL = (19_600_000, 500_000, 22_000_000, 1_000_000)
TRIES = 2000
"""Hands played to find one in which a breach can be committed."""

M = TypeVar("M")


@lru_cache(maxsize=1)
def shipped_edition() -> Edition:
    """The edition of the plan of live games, by which this dealer plays."""
    file = resources.files("games.holdem") / "editions" / "live-games-plan.toml"
    return read_edition(file.read_text(encoding="utf-8"), RULES.form)


class Play:
    """One hand being dealt: what was said so far, and the table as it stands by it."""

    def __init__(self, session: Session, name: str, rng: Random, breach: str | None) -> None:
        self.session = session
        self.name = name
        self.rng = rng
        self.breach = breach
        self.committed = False
        self.said: list[tuple[Event, float]] = []
        self.deck = list(DECK)
        rng.shuffle(self.deck)
        self.seq = 0
        self.kept: dict[int, str] = {}  # cards set aside in a repair, by place off the deck

    @property
    def hand(self) -> Hand:
        """The hand as it stands."""
        hand = self.session.hand
        assert hand is not None
        return hand

    def say(self, event: Event, after_s: float = 1.0) -> None:
        """It happens: recorded and folded."""
        self.said.append((event, after_s))
        fact = Fact(
            subject="", source="", sequence=len(self.said), topic=event.TOPIC, event=event, occurred_at=0,
            round=self.name,
        )  # fmt: skip
        self.session = evolve(self.session, fact)

    @property
    def lying(self) -> int:
        """What is left in the pot by the movements said."""
        moves = [move for event, _after in self.said for move in event.moves()]
        return sum(int(move.amount) * ((move.to == "pot") - (move.frm == "pot")) for move in moves)

    def commit(self) -> None:
        """The breach is done; the rest of the hand is by the rules."""
        self.committed = True

    def wants(self, table: dict[str, M]) -> M | None:
        """The breach to try at this kind of moment, if it is one of its."""
        if self.breach is None or self.committed:
            return None
        return table.get(self.breach)

    def next_card(self) -> tuple[str, int]:
        """The next card off the deck, and its place."""
        self.seq += 1
        return self.deck[self.seq - 1], self.seq

    # --- the course of a hand ---

    def run(self, seats: dict[int, int], button: int) -> None:
        """From the button to the last award. `seats`: stacks by seat."""
        if self.breach in misdeeds.RIGGED:
            misdeeds.RIGGED[self.breach](self, len(seats))
        wrong = self.wants(misdeeds.AT_BUTTON)
        self.say(RoundOpened(), 5)
        self.say(ButtonPlaced(button if wrong is None else wrong(self, button, sorted(seats))), 1)
        entering = {entry.seat: entry.why for entry in self.hand.entering}
        for seat, stack in sorted(seats.items()):
            self.say(PlayerDealtIn(seat, self.session.seated[seat], stack, entering.get(seat, "in")), 0.1)
        self.post()
        while True:
            next_ = expects(self.session)
            if mend(self, next_):
                continue
            if next_.phase == "dealing":
                self.deal_hole(next_)
            elif next_.actions and next_.phase == "showdown":
                self.show(next_)
            elif next_.actor:
                self.act(next_)
            elif next_.next_card:
                self.deal_board(next_)
            else:
                break
        self.pay()
        self.say(RoundClosed(), 2)

    def post(self) -> None:
        """The blinds, and what is due from who comes in."""
        next_ = expects(self.session)
        misdeed = self.wants(misdeeds.AT_POSTING)
        if misdeed is not None and misdeed(self, next_):
            return
        for due in next_.due:
            self.say(Posted(int(due.frm[5:]), POST_KINDS[due.what], due.amount), 1)

    def deal_hole(self, next_: Expectation) -> None:
        """One card to whom it belongs."""
        misdeed = self.wants(misdeeds.AT_DEALING)
        if misdeed is not None and misdeed(self, next_):
            return
        card, seq = self.next_card()
        self.say(CardDealt(next_.next_card, card, seq=seq), 0.4)

    def deal_board(self, next_: Expectation) -> None:
        """A burn, or a card of the board."""
        self.give_back(next_)
        misdeed = self.wants(misdeeds.AT_BOARD)
        if misdeed is not None and misdeed(self, next_):
            return
        card, seq = self.next_card()
        if next_.next_card == "burn":
            self.say(CardBurned(seq=seq), 1)
        else:
            self.say(CardDealt(next_.next_card, card, seq=seq, face="up"), 1)

    def give_back(self, next_: Expectation) -> None:
        """Change and uncalled bets go back at once."""
        for due in next_.due:
            if due.what in ("change", "return"):
                self.say(ChipsMoved("pot", due.to, due.amount, "return", due.stake), 1)

    def act(self, next_: Expectation) -> None:
        """One player's action, told as words and chips or as a whole."""
        for due in next_.due:
            if due.what == "owed":
                self.say(ChipsPushed(int(due.frm[5:]), due.amount, chips_for(due.amount, several=True)), 1)
        self.give_back(next_)
        next_ = expects(self.session)
        misdeed = self.wants(misdeeds.AT_ACTION)
        if misdeed is not None and misdeed(self, next_):
            return
        action = self.choose(next_)
        self.tell(action)

    def choose(self, next_: Expectation) -> tuple[Action, int]:
        """A legal action and its total: folds seldom, so that hands come to a showdown."""
        by_name = {action.name: action for action in next_.actions}
        raising = by_name.get("raise") or by_name.get("bet")
        passive = "check" in by_name or "call" in by_name
        if raising is not None and (self.rng.random() < 0.22 or not passive):
            low, high = raising.low or 0, raising.high or 0
            if self.rng.random() < 0.3:
                return raising, high
            wanted = low + self.rng.randrange(0, 6) * BIG
            return raising, max(low, min(wanted, high))
        if "check" in by_name:
            return by_name["check"], 0
        call = by_name["call"]
        if self.rng.random() < 0.75 or "fold" not in by_name:
            return call, call.low or 0
        return by_name["fold"], 0

    def tell(self, chosen: tuple[Action, int]) -> None:
        """Say it: a third of the actions is recorded as a whole, the others as word and chips."""
        action, total = chosen
        seat = int(action.actor[5:])
        more = max(total - self.hand.bets.front[self.hand.place(seat)], 0)
        if self.rng.random() < 0.34:
            self.say(ActionTaken(seat, action.name, more), 3)  # type: ignore[arg-type]
            return
        amount = total if action.name in ("bet", "raise") else None
        self.say(WordsSpoken(seat, action.name, amount), 3)  # type: ignore[arg-type]
        if more:
            self.say(ChipsPushed(seat, more, chips_for(more)), 0.8)

    def show(self, next_: Expectation) -> None:
        """The player whose turn it is tables his hand."""
        self.give_back(next_)
        misdeed = self.wants(misdeeds.AT_SHOWING)
        if misdeed is not None and misdeed(self, next_):
            return
        self.table_hand(int(next_.actor[5:]))

    def table_hand(self, seat: int) -> None:
        """A seat turns both cards up."""
        self.say(HandShown(seat, self.hand.hole[self.hand.place(seat)]), 2)

    def muck_hand(self, seat: int) -> None:
        """A seat gives its cards away."""
        self.say(HandMucked(seat), 2)

    def pay(self) -> None:
        """Returns, rake, awards."""
        next_ = expects(self.session)
        self.give_back(next_)
        dues = [due for due in next_.due if due.what in ("rake", "award")]
        rake = sum(due.amount for due in dues if due.what == "rake")
        awards = {due.to: due.amount for due in dues if due.what == "award"}
        misdeed = self.wants(misdeeds.AT_PAYING)
        if misdeed is not None:
            rake, awards = misdeeds.at_paying(self, misdeed, rake, awards)
        if rake:
            self.say(ChipsMoved("pot", "rake", rake, "rake"), 1)
        for place, amount in awards.items():
            if amount:
                self.say(ChipsMoved("pot", place, amount, "award", place), 2)


def deal(
    rounds: int,
    seed: int,
    *,
    breach: str | None = None,
    breach_round: int | None = None,
    table: str = "brno/NL-1",
    day: str = "2026-11-28",
    currency: str = "CZK",
) -> Iterator[Envelope]:
    """A session of `rounds` hands (see `games.protocol.Deal`).

    Raises:
        Refused: this dealer cannot commit that breach, or not in the first hand.
    """
    if breach is not None and breach not in BREACHES:
        raise Refused(f"the dealer cannot commit {breach}", hint=f"it can: {', '.join(BREACHES)}")
    first = int(breach in AFTER_A_HAND)
    if breach is not None and (rounds if breach_round is None else breach_round + 1) <= first:
        raise Refused(f"a session's first hand cannot break {breach}", hint="it needs a hand before: --rounds 2")
    rng = Random(f"holdem/{seed}")
    scribe = Scribe(table or "brno/NL-1", day)
    till = Till(scribe.book, f"box-{100 + seed % 900}", OPENER, USUAL)
    if breach is not None and breach_round is None:
        breach_round = rng.randrange(first, rounds)
    count = rng.randrange(3, 8)
    seats = sorted(rng.sample(range(1, 10), count))
    opened = TableOpened(
        game="holdem", rule_book="NL", currency=currency, min=BIG, smallest_chip=UNIT, seats=9, edition=None
    )
    session = open_table(
        shipped_edition(), Fact(subject="", source="", sequence=1, topic="", event=opened, occurred_at=0), (), Clocks()
    )
    between: list[tuple[Event, float]] = [(opened, 0), *till.opening(*_COUNTED_BY), (DeckOpened("deck-1"), 5)]
    between.append((StakesAnnounced(small_blind=SMALL, big_blind=BIG), 5))
    between += [(SeatTaken(seat, f"p-{seat}"), 5) for seat in seats]
    for number in range(rounds):
        wanted = breach if number == breach_round else None
        button = 0
        if number == 0 or wanted == "NL-06":
            session = _folded(session, between)
            drawn, button = _drawn(rng, _dealt_in(session, seats), wrongly=wanted == "NL-06")
            between += drawn
            session = _folded(session, drawn)
        else:
            session = _folded(session, between)
        floor = Floor(session, Random(f"holdem/{seed}/{number}/floor"), button)
        _between_hands(floor, number, breach, breach_round)
        coming, playing = floor.next(), floor.playing()
        if wanted == "NL-38":
            floor.sit_somebody_out()  # and he is dealt in
        session = floor.session
        shuffled: list[tuple[Event, float]] = [(ShuffleStep(step, "deck-1"), 8) for step in _SHUFFLE]
        session = _folded(session, shuffled)
        between += [*floor.said, *shuffled, (CutMade("deck-1"), 3)]
        scribe.round = None
        for event, after in (*till.carried(), *between):
            till.note(event)
            yield scribe.say(event, after)
        between = []
        name = str(number + 1)
        in_hand = None if wanted == "NL-04" and number else wanted  # those chips were pocketed before it
        play = _played(session, name, f"{seed}/{number}", in_hand, playing, coming.at.button)
        session = play.session
        scribe.round = name
        for event, after in play.said:
            till.note(event)
            yield scribe.say(event, after)
        if lost := play.lying:
            # A chip of the pot that nobody got is found when the table is cleared.
            between.append((ChipsMoved("pot", "float", lost, "correction"), 30))
        for player, one in session.conduct.expelled.items():
            if session.seated.get(one.seat) == player:
                if left := (one.owed or 0) - one.cashed:
                    between.append((ChipsMoved(f"seat/{one.seat}", "desk/1", left, "cash_out"), 60))
                between.append((SeatLeft(one.seat, player), 5))
    scribe.round = None
    for event, after in between:
        till.note(event)
        yield scribe.say(event, after)
    for event, after in till.closing(*_COUNTED_BY):
        yield scribe.say(event, after)
    yield scribe.say(TableClosed(), 60)
    yield scribe.say(SourceEnded(), 1)


def _played(session: Session, name: str, seed: str, breach: str | None, seats: dict[int, int], button: int) -> Play:
    for attempt in range(TRIES):
        play = Play(session, name, Random(f"holdem/{seed}/{attempt}"), breach)
        play.run(seats, button)
        if breach is None or breach in misdeeds.BEFORE_THE_HAND or play.committed:
            return play
    raise Refused(f"no hand of this table lets the dealer commit {breach}", hint="another seed")


_COUNTED_BY = ("s-1", "floor-1")
_SHUFFLE: tuple[Literal["wash", "riffle"], ...] = ("wash", "riffle", "riffle")


def _folded(session: Session, said: Iterable[tuple[Event, float]]) -> Session:
    for event, _after in said:
        fact = Fact(subject="", source="", sequence=1, topic=event.TOPIC, event=event, occurred_at=0)
        session = evolve(session, fact)
    return session


def _dealt_in(session: Session, seats: list[int]) -> list[int]:
    """Who draws a card for the button: all who are there."""
    return sorted(set(session.seated) - session.away) or seats


def _between_hands(floor: Floor, number: int, breach: str | None, breach_round: int | None) -> None:
    """What happens before hand `number` (from 0). Before the hand that shall hold a breach nothing of itself does."""
    floor.refill()
    if number == breach_round:
        if breach == "NL-45":
            floor.all_back()
        elif breach == "NL-04" and number:
            floor.pocket_chips()
    elif breach == "NL-45" and breach_round is not None and number == breach_round - 1:
        floor.send_away_who_is_due()
    elif number:
        floor.life()


def _drawn(rng: Random, seats: list[int], *, wrongly: bool) -> tuple[list[tuple[Event, float]], int]:
    """A card a seat for the button, and who gets it: the highest; `wrongly`: another (NL-06)."""
    cards = tuple(zip(seats, rng.sample(DECK, len(seats)), strict=True))
    best = drawn_button(cards, "shdc")
    button = rng.choice([seat for seat in seats if seat != best]) if wrongly else best
    return [(ButtonCardDrawn(seat, card), 1) for seat, card in cards], button
