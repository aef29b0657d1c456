"""A scripted dealer of Caribbean stud: whole sessions, the same for the same seed; one breach if asked.

He deals as `expects` says and settles what it says is due. The plan of a round says what is out of the ordinary in it;
a misdeed changes the plan.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib import resources
from random import Random
from typing import Literal

from events.schema import common as tb
from events.values.cards import DECK, RANKS
from games.caribbean_stud import misdeeds
from games.caribbean_stud.course import CARDS
from games.caribbean_stud.events import ANTE, BET, BONUS, EXCHANGE, FEE, FOLD
from games.caribbean_stud.expects import expects
from games.caribbean_stud.hands import code_of
from games.caribbean_stud.rules import RULES
from games.caribbean_stud.state import evolve, open_table
from games.caribbean_stud.table import Session
from games.house_rules.edition import Edition, read_edition
from games.shared.bank import events as bg
from games.shared.bank.croupier import Change, Croupier, new_player
from games.shared.bank.deck import DEALER, box_place, round_robin
from games.shared.scripted import session_dealer

BREACHES: tuple[str, ...] = tuple(sorted(misdeeds.ALL))

TABLE = "brno/CS-1"
MIN, MAX = 10_000, 500_000
BONUS_STAKE = 2_000
DECK_NAME = "d-1"
SHUFFLE: tuple[Literal["wash", "riffle", "strip"], ...] = ("wash", "riffle", "riffle", "strip", "riffle")


@lru_cache(maxsize=1)
def shipped_edition() -> Edition:
    """The edition by which this dealer works."""
    file = resources.files("games.caribbean_stud") / "editions" / "caribbean-poker.toml"
    return read_edition(file.read_text(encoding="utf-8"), RULES.form)


class Plan:
    """What is to happen in one round. `hands`: place → cards that it shall get; `choices`: box → what it does, whatever
    its cards; `bonus`: boxes with a bonus stake. The rest says what a misdeed changes."""

    def __init__(self) -> None:
        self.hands: dict[str, tuple[str, ...]] = {}
        self.choices: dict[int, str] = {}
        self.bonus: set[int] = set()
        self.before_deal: list[Callable[[], None]] = []
        self.after_cards: dict[int, Callable[[], None]] = {}
        self.before_close: list[Callable[[], None]] = []
        self.cutter = ""
        self.cut = True
        self.fifth_down = False
        self.fee = 1
        self.burns = 1
        self.bet = 0
        self.early_reveal = False
        self.misdeal = False
        self.settle: Change | None = None
        self.after_settlement: list[Callable[[], None]] = []


class Dealer(Croupier[Session]):
    """The table, the people at its boxes, and their antes."""

    def __init__(self, rng: Random, table: str, day: str, currency: str) -> None:
        opened = tb.TableOpened(
            "caribbean_stud", "CS", currency, min=MIN, max=MAX, smallest_chip=1_000, seats=7,
            cameras=(f"{table}/cam-1",),
        )  # fmt: skip
        super().__init__(rng, opened, shipped_edition(), open_table, evolve, table=table, day=day)
        self.people: dict[int, str] = {}
        self.antes: dict[int, int] = {}

    # People

    def open(self) -> None:
        """Staff, deck, float and the first players."""
        self.say(tb.DeckOpened(DECK_NAME), 10)
        super().open()
        for _ in range(self.rng.randrange(2, 5)):
            self.arrive()

    def arrive(self) -> int:
        """A player takes a free box of the six that may play; its number."""
        box = self.rng.choice([box for box in range(1, 7) if box not in self.people])
        self.people[box] = new_player(self.rng, self.people.values())
        self.antes[box] = self.rng.choice((10_000, 10_000, 20_000, 50_000))
        self.say(bg.BoxTaken(box, self.people[box]), 8)
        self.say(tb.BuyIn(self.people[box], 50 * MIN), 0)
        return box

    def leave(self, box: int) -> None:
        """A player gives his box up."""
        self.say(bg.BoxReleased(box, self.people.pop(box)), 4)

    def some_box(self) -> int:
        """Any box in play."""
        return self.rng.choice(sorted(self.people))

    def between(self, number: int) -> None:
        """Now and then somebody comes or goes, staff change, chips are brought."""
        if self.rng.random() < 0.12 and len(self.people) > 2:
            self.leave(self.some_box())
        if self.rng.random() < 0.2 and len(self.people) < 6:
            self.arrive()
        if number and number % 25 == 0:
            self.relieve()
        self.keep_the_float()

    # Stakes

    def stake(self, box: int, spot: str, amount: int, *, player: str = "", after_s: float = 1.5) -> str:
        """Chips on a spot of a box; the stake's id."""
        name = self.stake_name()
        self.say(bg.StakePlaced(name, player or self.people[box], box, spot, amount), after_s)
        return name

    # A round

    def play(self, name: str, breach: str | None) -> None:
        """One round from the shuffle to the close; `breach` is committed in it."""
        plan = Plan()
        if breach is not None:
            misdeeds.ALL[breach](self, plan)
        self.pen.round = name
        self.say(tb.RoundOpened(), 4)
        self._prepare(plan)
        deck = self._arranged(plan)
        self._antes(plan, deck)
        for act in plan.before_deal:
            act()
        self._deal(plan, deck)
        if plan.misdeal:
            deck = self._deal_anew(plan)
        self._decide(plan, deck)
        self._settle(plan)
        self.say(tb.RoundClosed(), 4)
        self.pen.round = None

    def _prepare(self, plan: Plan) -> None:
        """Wash, riffles, the cut by the player at the dealer's right."""
        for step in SHUFFLE:
            self.say(tb.ShuffleStep(step, DECK_NAME, by=self.staff[0]), 3)
        if plan.cut:
            self.say(tb.CutMade(DECK_NAME, by=plan.cutter or self.people[max(self.people)], depth=26), 3)
            self.say(bg.CutJoined(DECK_NAME, by=self.staff[0]), 1)

    def _arranged(self, plan: Plan) -> list[str]:
        """A shuffled deck in which the plan's hands lie where they will be dealt."""
        deck = list(DECK)
        self.rng.shuffle(deck)
        places = round_robin(sorted(self.people), CARDS)
        for place, cards in plan.hands.items():
            for at, card in zip(_positions(places, place), cards, strict=True):
                now = deck.index(card)
                deck[at], deck[now] = deck[now], deck[at]
        return deck

    def _antes(self, plan: Plan, deck: Sequence[str]) -> None:
        """Everybody antes; a bonus is played only by who will lose it, for the shipped book names no bonus hand."""
        places = round_robin(sorted(self.people), CARDS)
        for box in sorted(self.people):
            self.stake(box, ANTE, self.antes[box])
            hand = [deck[at] for at in _positions(places, box_place(box))]
            loses = plan.choices.get(box, _choice(hand)[0]) in (FOLD, EXCHANGE)
            if box in plan.bonus or (not plan.choices and loses and self.rng.random() < 0.4):
                self.stake(box, BONUS, BONUS_STAKE)

    def _deal(self, plan: Plan, deck: list[str]) -> None:
        """Five cards one by one, the dealer's last one up."""
        for number, place in enumerate(round_robin(sorted(self.people), CARDS)):
            if number in plan.after_cards:
                plan.after_cards[number]()
            last = place == DEALER and number == CARDS * (len(self.people) + 1) - 1
            face: bg.Face = "up" if last and not plan.fifth_down else "down"
            self.say(bg.CardLaid(place, deck[number], face, seq=number + 1), 0.8)
            if plan.misdeal and number == 2 * len(self.people) + 1:
                self.say(bg.CardShown("deal", deck[number], place, seq=number + 1), 0.5)
                return
        self._next = CARDS * (len(self.people) + 1)

    def _deal_anew(self, plan: Plan) -> list[str]:
        """After a misdeal: all stakes back, shuffle, cut, new stakes, a deal in order."""
        self.settle(expects(self.session).due)
        self.say(bg.RedealOrdered("a card was seen", by=self.staff[0]), 2)
        plan.misdeal = False
        self._prepare(plan)
        deck = self._arranged(plan)
        self._antes(plan, deck)
        self._deal(plan, deck)
        return deck

    def _decide(self, plan: Plan, deck: list[str]) -> None:
        """All look; exchanges from left to right, then each box bets or folds; the dealer turns."""
        places = round_robin(sorted(self.people), CARDS)
        hands = {box: [deck[at] for at in _positions(places, box_place(box))] for box in sorted(self.people)}
        for box in hands:
            self.say(bg.CardsViewed(box), 1)
        for box, hand in hands.items():
            choice, card = _choice(hand)
            if plan.choices.get(box, choice) == EXCHANGE:
                self._exchange(plan, deck, box, hand, card or hand[0])
        for box, hand in hands.items():
            if plan.early_reveal and box == max(hands):
                self.say(bg.DealerTurned(self._dealers(deck, places)), 3)
            self._bet_or_fold(plan, box, hand)
        for act in plan.before_close:
            act()
        self.say(bg.DecisionsClosed(by=self.staff[0]), 2)
        if not plan.early_reveal:
            self.say(bg.DealerTurned(self._dealers(deck, places)), 3)
        for box, hand in hands.items():
            if self._has_bet(box):
                self.say(bg.BoxTurned(box, tuple(hand)), 1.5)

    def _dealers(self, deck: Sequence[str], places: Sequence[str]) -> tuple[str, ...]:
        return tuple(deck[at] for at in _positions(places, DEALER))

    def _exchange(self, plan: Plan, deck: list[str], box: int, hand: list[str], card: str) -> None:
        self.say(bg.Decided(box, EXCHANGE, discards=(card,)), 4)
        self.stake(box, FEE, plan.fee * self.antes[box])
        for _ in range(plan.burns):
            self.say(tb.CardBurned(deck[self._next], seq=self._next + 1), 1)
            self._next += 1
        self.say(bg.CardLaid(box_place(box), deck[self._next], seq=self._next + 1), 1)
        hand.remove(card)
        hand.append(deck[self._next])
        self._next += 1

    def _bet_or_fold(self, plan: Plan, box: int, hand: Sequence[str]) -> None:
        planned = plan.choices.get(box, "")
        if planned != BET and (planned == FOLD or _choice(hand)[0] == FOLD or not _is_worth_a_bet(hand)):
            self.say(bg.Decided(box, FOLD), 3)
            return
        self.say(bg.Decided(box, BET), 3)
        self.stake(box, BET, (plan.bet or 2) * self.antes[box])
        plan.bet = 0

    def _has_bet(self, box: int) -> bool:
        round_ = self.session.round
        return round_ is not None and any(stake.box == box and stake.spot == BET for stake in round_.stakes)

    def _settle(self, plan: Plan) -> None:
        self.settle(expects(self.session).due, plan.settle)
        for act in plan.after_settlement:
            act()


def _positions(places: Sequence[str], place: str) -> list[int]:
    return [number for number, own in enumerate(places) if own == place]


def _is_worth_a_bet(hand: Sequence[str]) -> bool:
    """Players bet with a pair or better, or ace-king."""
    return code_of(hand) != "HC"


def _choice(hand: Sequence[str]) -> tuple[str, str]:
    """What a player does with his five cards, and the card he gives away: four to a flush are worth an exchange."""
    if _is_worth_a_bet(hand):
        return BET, ""
    for suit in "cdhs":
        others = [card for card in hand if card[1] != suit]
        if len(others) == 1:
            return EXCHANGE, others[0]
    lowest = min(hand, key=lambda card: RANKS.index(card[0]))
    return (EXCHANGE, lowest) if {"A", "Q"} <= {card[0] for card in hand} else (FOLD, "")


deal = session_dealer(Dealer, room="caribbean stud", table=TABLE, breaches=misdeeds.ALL)
