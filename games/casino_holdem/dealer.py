"""A scripted dealer: whole sessions at a full table, the same for the same seed; one breach if asked.

He deals as `expects` says where the next card goes and settles what it says is due. He knows the deck, and his players
fold only where the readings of the fold clause (CH-A1) give the same: else each fold would be an advisory.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import resources
from random import Random
from typing import Any

from msgspec import Struct

from events.schema import common as tb
from events.values.cards import DECK
from games.casino_holdem import events as ch
from games.casino_holdem import misdeeds
from games.casino_holdem.expects import expects
from games.casino_holdem.payouts import analyse
from games.casino_holdem.rules import RULES
from games.casino_holdem.settling import Hands, compare
from games.casino_holdem.state import evolve, open_table
from games.casino_holdem.table import BOARD, Session
from games.house_rules.edition import Edition, read_edition
from games.protocol import Due
from games.shared.bank import croupier as bank
from games.shared.bank import events as bg
from games.shared.bank.deck import DEALER, box_number, box_place
from games.shared.poker.ranks import category, rank_key
from games.shared.scripted import session_dealer

BREACHES: tuple[str, ...] = tuple(sorted(misdeeds.ALL))

TABLE = "brno/CH-01"
BOXES = 6
MIN, MAX = 5_000, 500_000
LIMITS = {"trips": (2_500, 200_000)}
DENOMINATIONS = (500_000, 100_000, 50_000, 10_000, 5_000, 2_500)
CHIPS = 2_500
DECK_NAME = "d-1"


@lru_cache(maxsize=1)
def shipped_edition() -> Edition:
    """The edition of the plan of live games, by which this dealer works."""
    file = resources.files("games.casino_holdem") / "editions" / "live-games-plan.toml"
    return read_edition(file.read_text(encoding="utf-8"), RULES.form)


class Player(Struct):
    """Somebody at the table: his seat is the number of his own box. `unit`: his usual Ante, minor units; `blind`: how
    many blind boxes he likes to play; `trips`: how often he bets on them, in tenths."""

    name: str
    seat: int
    unit: int
    blind: int
    trips: int


class Plan:
    """What is to happen in one round. A misdeed changes it; everything else is the dealer's good practice.

    `deck`: the cards off the top, as far as they are rigged: place (`box/2`, `dealer`, `board`) → cards. `at`: what is
    done besides at a moment: `bets`, `dealt`, `window 1`, `window 2`, `window 3`, `revealed`. `plays`: box → window and
    amount of its Play, None: it stays out to the end. `burns`: cards burnt before flop and turn.
    """

    def __init__(self) -> None:
        self.deck: dict[str, tuple[str, ...]] = {}
        self.shuffle: tuple[tb.Shuffling, ...] = ("wash", "piles", "riffle", "riffle")
        self.at: dict[str, list[Callable[[], None]]] = {}
        self.plays: dict[int, tuple[int, int] | None] = {}
        self.burns = {"flop": 1, "turn": 1}
        self.unknown: set[int] = set()
        self.lay: Callable[[list[bg.CardLaid]], list[bg.CardLaid]] | None = None
        self.same_card_twice = False
        self.announced: dict[str, str] = {}
        self.change: bank.Change | None = None
        self.backwards = False
        self.blind_boxes: bool | None = None

    def when(self, moment: str, act: Callable[[], None]) -> None:
        """Something more to do at a moment."""
        self.at.setdefault(moment, []).append(act)


class Croupier(bank.Croupier[Session]):
    """The table, the people at it, and the deck of the current round."""

    def __init__(self, rng: Random, table: str, day: str, currency: str) -> None:
        opened = tb.TableOpened(
            "casino_holdem", "CH", currency, min=MIN, max=MAX, limits=LIMITS, smallest_chip=CHIPS, seats=BOXES,
            cameras=(f"{table}/cam-1", f"{table}/cam-2"),
        )  # fmt: skip
        super().__init__(rng, opened, shipped_edition(), open_table, evolve, table=table, day=day)
        self.people: list[Player] = []
        self.owners: dict[int, Player] = {}
        self.cards: list[str] = []
        self.plan = Plan()

    def open(self) -> None:
        """Staff, float and the deck."""
        super().open()
        self.say(tb.DeckOpened(DECK_NAME), 20)

    def close(self) -> None:
        """Everybody leaves, the table closes."""
        for player in list(self.people):
            self.leave(player)
        super().close()

    # People

    def arrive(self) -> Player:
        """A player sits down at a free box."""
        rng = self.rng
        taken = {player.seat for player in self.people}
        seat = rng.choice([number for number in range(1, BOXES + 1) if number not in taken])
        name = bank.new_player(rng, [player.name for player in self.people])
        unit = rng.choice((5_000, 10_000, 10_000, 20_000, 50_000))
        player = Player(name, seat, unit, rng.choice((0, 0, 0, 1)), rng.randrange(10))
        self.people.append(player)
        self.say(tb.SeatTaken(seat, player.name), 8)
        self.say(tb.BuyIn(player.name, 100 * unit), 20)
        return player

    def leave(self, player: Player) -> None:
        """A player goes."""
        self.people.remove(player)
        self.say(tb.SeatLeft(player.seat, player.name), 3)
        self.say(tb.PlayerLeftTable(player.name), 1)

    def between(self, number: int) -> None:
        """Now and then somebody comes or goes, staff change, chips are brought."""
        rng = self.rng
        while len(self.people) < 3 or (len(self.people) < BOXES and rng.random() < 0.15):
            self.arrive()
        if len(self.people) > 3 and rng.random() < 0.12:
            self.leave(rng.choice(self.people))
        if number and number % 20 == 0:
            self.relieve()
        self.keep_the_float()

    # Bets

    def stake(self, player: Player, box: int, spot: str, amount: int, **more: Any) -> str:
        """Chips on a spot, the largest at the bottom; the stake's id."""
        name = self.stake_name()
        given = {"chips": stacked(amount), **more}
        self.say(bg.StakePlaced(name, player.name, box, spot, amount, **given), 1.5)
        return name

    def main_bet(self, player: Player, box: int, amount: int) -> None:
        """Ante and Blind of the same amount."""
        self.owners[box] = player
        self.stake(player, box, "ante", amount)
        self.stake(player, box, "blind", amount)

    def bets(self) -> None:
        """Everybody bets on his own box, some on a blind one beside it if it is free."""
        rng = self.rng
        self.owners = {}
        for player in self.people:
            self.main_bet(player, player.seat, player.unit * rng.choice((1, 1, 1, 2)))
            if rng.randrange(10) < player.trips:
                self.stake(player, player.seat, "trips", max(CHIPS, player.unit // 2))
        seats = {player.seat for player in self.people}
        free = [box for box in range(1, BOXES + 1) if box not in seats]
        for player in self.people:
            if free and player.blind and self.plan.blind_boxes is not False and rng.random() < 0.6:
                self.add_blind(player, free.pop(0))

    def add_blind(self, player: Player, box: int) -> None:
        """A second box, played unseen; its player has said which one he will look at."""
        if self.session.seen.get(player.name) != player.seat:
            self.say(ch.SeenBoxAnnounced(player.name, player.seat), 1)
        self.main_bet(player, box, player.unit)

    # The deck

    def shuffle(self) -> None:
        """The deck in a new order, step by step."""
        self.cards = list(DECK)
        self.rng.shuffle(self.cards)
        for step in self.plan.shuffle:
            self.say(tb.ShuffleStep(step, DECK_NAME, by=self.staff[0]), 6)

    def rig(self) -> None:
        """Puts the cards that the plan wants where they will be dealt."""
        boxes = sorted(self.owners)
        count = len(boxes)
        at: dict[str, tuple[int, ...]] = {box_place(box): (place, count + 1 + place) for place, box in enumerate(boxes)}
        at[DEALER] = (count, 2 * count + 1)
        burnt = 2 * count + 2
        first = burnt + self.plan.burns["flop"]
        turn = first + 3 + self.plan.burns["turn"]
        at["board"] = (first, first + 1, first + 2, turn, turn + 1)
        fixed: set[int] = set()
        for place, cards in self.plan.deck.items():
            for position, card in zip(at[place], cards, strict=True):
                other = self.cards.index(card)
                self.cards[position], self.cards[other] = self.cards[other], self.cards[position]
                fixed.add(position)
        if self.plan.same_card_twice:
            self.cards[count + 1] = self.cards[0]
        self.hands = {
            box: compare(self._at(at[box_place(box)]), self._at(at[DEALER]), self._at(at["board"])) for box in boxes
        } if not self.plan.same_card_twice else {}  # fmt: skip
        self.own = {box: self._at(at[box_place(box)]) for box in boxes}
        self.board = self._at(at["board"])

    def _at(self, positions: tuple[int, ...]) -> tuple[str, ...]:
        return tuple(self.cards[position] for position in positions)

    def draw(self) -> tuple[str, int]:
        """The next card and its place off the deck."""
        coup = self.session.coup
        assert coup is not None
        seq = len(coup.laid) + 1
        return self.cards[seq - 1], seq

    def deal(self) -> None:
        """Two cards to each box, two to the dealer, the first of his face up."""
        plan = self.plan
        laid: list[bg.CardLaid] = []
        order = [box_place(box) for box in sorted(self.owners)] + [DEALER]
        for number, place in enumerate(order * 2, 1):
            unknown = box_number(place) in plan.unknown
            face: bg.Face = "up" if place == DEALER and number <= len(order) else "down"
            laid.append(bg.CardLaid(place, "??" if unknown else self.cards[number - 1], face, number))
        if plan.lay is not None:
            laid = plan.lay(laid)
            self._see(laid)
        for event in laid:
            self.say(event, 0.8)

    def _see(self, laid: list[bg.CardLaid]) -> None:
        """What lies where, if it went elsewhere than it should have."""
        for box in self.own:
            if box not in self.plan.unknown:
                self.own[box] = tuple(card.card for card in laid if card.to == box_place(box))
        dealers = tuple(card.card for card in laid if card.to == DEALER)
        self.hands = {box: compare(own, dealers, self.board) for box, own in self.own.items() if box in self.hands}

    def street(self, street: str, count: int) -> None:
        """A burn, then board cards face up."""
        for _ in range(self.plan.burns[street]):
            _card, seq = self.draw()
            self.say(tb.CardBurned(seq=seq), 1)
        for number in range(count):
            card, seq = self.draw()
            to = street if street == "flop" else BOARD[1 + number]
            self.say(bg.CardLaid(to, card, "up", seq), 0.8)

    # The round

    def play(self, name: str, breach: str | None) -> None:
        """One round from the shuffle to the close; `breach` is committed in it."""
        self.plan = plan = Plan()
        misdeed = misdeeds.ALL[breach] if breach is not None else None
        if misdeed is not None:
            misdeed.before(self, plan)
        self.shuffle()
        self._moment("shuffled")
        self.pen.round = name
        self.say(tb.RoundOpened(), 4)
        self.bets()
        if misdeed is not None:
            misdeed.during(self, plan)
        self._moment("bets")
        self.say(tb.NoMoreBets(by=self.staff[0]), 4)
        self.rig()
        self.deal()
        self._moment("dealt")
        self.window(1)
        self.street("flop", 3)
        self.window(2)
        self.street("turn", 2)
        self.window(3)
        dealer = self._dealers()
        self.say(bg.DealerTurned(dealer, plan.announced.get(DEALER, "")), 3)
        self._moment("revealed")
        self.pay()
        self.say(tb.RoundClosed(), 4)
        self.pen.round = None
        self._moment("over")

    def _dealers(self) -> tuple[str, ...]:
        coup = self.session.coup
        assert coup is not None
        return tuple(card.card for card in coup.cards if card.to == DEALER)

    def _moment(self, name: str) -> None:
        for act in self.plan.at.get(name, ()):
            act()

    def window(self, number: int) -> None:
        """Boxes still without Play bet, check or fold; then what is no bet goes back."""
        waiting = {box_number(action.actor) for action in expects(self.session).actions}
        for box in sorted(box for box in waiting if box is not None):
            self.decide(number, box)
        self._moment(f"window {number}")
        self.settle(expects(self.session).due)

    def decide(self, number: int, box: int) -> None:
        """What the box does in a window."""
        player = self.owners[box]
        planned = self.plan.plays.get(box, ())
        ante = self.ante(box)
        amount = 0
        if planned is None:
            amount = 0
        elif planned:
            amount = planned[1] if planned[0] == number else 0
        elif self._likes(number, box):
            amount = ante * {1: self.rng.choice((3, 4, 4)), 2: 2, 3: 1}[number]
        if amount:
            self.stake(player, box, "play", amount)
        elif number < 3 or self.is_blind(box):
            if not self.is_blind(box):
                self.say(bg.Decided(box, "check", signal="gesture"), 1)
        elif planned is None or self.fold_is_plain(box):
            self.say(bg.Decided(box, "fold", signal="gesture"), 1)
        else:
            self.stake(player, box, "play", ante)

    def ante(self, box: int) -> int:
        """The Ante of a box that counts, minor units."""
        return next((own.live("ante") for own in analyse(self.session).boxes if own.number == box), 0)

    def is_blind(self, box: int) -> bool:
        """Whether the box is its player's second."""
        return self.owners[box].seat != box

    def _likes(self, number: int, box: int) -> bool:
        if self.is_blind(box):
            return self.rng.random() < 0.15
        own = self.own[box]
        if number == 1:
            return own[0][0] == own[1][0] or "A" in own[0][0] + own[1][0]
        board = self.board[: 3 if number == 2 else 5]
        return category(rank_key((*own, *board))) != "high card" and self.rng.random() < 0.8

    def fold_is_plain(self, box: int) -> bool:
        """A fold costs Ante and Blind by either reading of the fold clause: the Dealer qualifies and wins."""
        hands: Hands | None = self.hands.get(box)
        return hands is not None and hands.qualifies and hands.winner < 0

    def pay(self) -> None:
        """Box by box from the left: its cards are turned, then its bets settled."""
        coup = self.session.coup
        assert coup is not None
        box_of = {stake.id: stake.box for stake in coup.stakes}
        by_box: dict[int, list[Due]] = {}
        for due in expects(self.session).due:
            by_box.setdefault(box_of[due.stake], []).append(due)
        void = expects(self.session).phase == "void"
        for box in sorted(by_box, reverse=self.plan.backwards):
            if not void and box not in self.plan.unknown:
                self.say(bg.BoxTurned(box, self.own[box], self.plan.announced.get(box_place(box), "")), 2)
            self.settle(by_box[box], self.plan.change)


def stacked(amount: int) -> tuple[int, ...]:
    """Chips for an amount, the largest at the bottom; what no chip expresses is one more."""
    chips: list[int] = []
    for chip in DENOMINATIONS:
        count, amount = divmod(amount, chip)
        chips += [chip] * min(count, 20)
    return tuple(chips + ([amount] if amount else []))


deal = session_dealer(Croupier, room="casino_holdem", table=TABLE, breaches=misdeeds.ALL)
