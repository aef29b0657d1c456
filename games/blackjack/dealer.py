"""A scripted dealer: whole sessions at a busy table, the same for the same seed; one breach if asked.

He keeps the table with the room's own fold, lays every card where `expects` says it goes and pays what it says is due.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import resources
from random import Random
from typing import Any

from events.schema import common as tb
from events.values.cards import DECK
from games.blackjack import events as bj
from games.blackjack import misdeeds
from games.blackjack.bets import INSURANCE
from games.blackjack.expects import expects
from games.blackjack.hands import EVEN_MONEY, SURRENDER, Hand
from games.blackjack.legality import DOUBLE, EXTRAS, HIT, SPLIT, STAND, is_blackjack
from games.blackjack.payouts import analyse
from games.blackjack.rules import RULES
from games.blackjack.shoe import cutter_due
from games.blackjack.state import evolve, open_table
from games.blackjack.table import Round, Session
from games.blackjack.totals import POINTS, is_pair
from games.house_rules.edition import Edition, read_edition
from games.protocol import Action, Due, Expectation
from games.shared.bank import events as bg
from games.shared.bank.croupier import Change, Croupier, new_player
from games.shared.scripted import session_dealer

BREACHES: tuple[str, ...] = tuple(sorted(misdeeds.ALL))

TABLE = "brno/BJ-01"
BOXES = 7
MIN, MAX = 10_000, 200_000
CUT_OFF = 60
SHOE = "shoe-1"


@lru_cache(maxsize=1)
def shipped_edition() -> Edition:
    """The edition of the plan of live games, by which this dealer works."""
    file = resources.files("games.blackjack") / "editions" / "live-games-plan.toml"
    return read_edition(file.read_text(encoding="utf-8"), RULES.form)


class Plan:
    """What is to happen in one round. A misdeed changes it; everything else is good practice.

    `cards`: ranks of the next cards; `choices`: what is decided, in order. `on_card`: may lay the next card (given its
    place and how many were laid) instead; true if it did. `offer`: even money is offered. `wait`: whether a payment
    that is due is put off until the hand after. `by`: who decides instead of the owner.
    """

    def __init__(self) -> None:
        self.bets: Callable[[], None] | None = None
        self.cards = ""
        self.choices: list[str] = []
        self.call = True
        self.after_call: list[Callable[[], None]] = []
        self.dealt: list[Callable[[], None]] = []
        self.on_card: Callable[[str, int], bool] | None = None
        self.on_choice: Callable[[str, Hand], bool] | None = None
        self.settle: Change | None = None
        self.wait: Callable[[Due], bool] | None = None
        self.offer = True
        self.signal: bg.Signal = "gesture"
        self.by = ""
        self.after_round: list[Callable[[], None]] = []


class Dealer(Croupier[Session]):
    """The table, the people at it, and the shoe. `boxes`: box → its players, the owner first."""

    def __init__(self, rng: Random, table: str, day: str, currency: str) -> None:
        opened = tb.TableOpened(
            "blackjack", "BJ", currency, min=MIN, max=MAX, smallest_chip=2_500, seats=BOXES,
            cameras=(f"{table}/cam-1", f"{table}/cam-2"),
        )  # fmt: skip
        super().__init__(rng, opened, shipped_edition(), open_table, evolve, table=table, day=day)
        self.boxes: dict[int, list[str]] = {}
        self.shoe: list[str] = []
        self.next = 0
        self.laid = 0

    # Opening, people, shoe

    def open(self) -> None:
        """Staff, the first players, the first shoe."""
        super().open()
        self.say(bj.LimitSignChecked(posted=True, by=self.staff[1]), 2)
        for box in sorted(self.rng.sample(range(1, BOXES + 1), self.rng.randrange(3, 6))):
            self.arrive(box)
        self.say(tb.DeckOpened(SHOE, 6), 20)
        self.shuffle()

    def arrive(self, box: int) -> None:
        """A player takes a box and sits at it; now and then another one stands behind."""
        taken = {player for players in self.boxes.values() for player in players}
        owner = new_player(self.rng, taken)
        self.boxes[box] = [owner]
        self.say(tb.SeatTaken(box, owner), 8)
        self.say(tb.BuyIn(owner, 50 * MIN), 0)
        self.say(bg.BoxTaken(box, owner), 1)
        if self.rng.random() < 0.4:
            self.boxes[box].append(new_player(self.rng, {*taken, owner}))

    def leave(self, box: int) -> None:
        """A box becomes free."""
        owner = self.boxes.pop(box)[0]
        self.say(bg.BoxReleased(box, owner), 2)
        self.say(tb.SeatLeft(box, owner), 1)
        self.say(tb.PlayerLeftTable(owner), 1)

    def shuffle(
        self,
        *,
        steps: tuple[tb.Shuffling, ...] = ("wash", "piles", "riffle", "riffle"),
        cutter: str = "",
        depth: int = 0,
        joined: bool = True,
        burned: int = 3,
    ) -> None:
        """A new shoe out of the six packs: shuffled, cut, loaded, three cards burned."""
        self.end_shoe()
        self.shoe = list(DECK) * 6
        self.rng.shuffle(self.shoe)
        self.next = 0
        for step in steps:
            self.say(tb.ShuffleStep(step, SHOE, self.staff[0]), 25)
        who = cutter or cutter_due(self.session)
        self.say(bj.CutOffered(who, SHOE), 5)
        self.say(tb.CutMade(SHOE, who, depth or self.rng.randrange(60, 250)), 4)
        if joined:
            self.say(bg.CutJoined(SHOE, self.staff[0]), 3)
        self.say(bj.CardsCutOff(CUT_OFF, SHOE), 3)
        self.say(bg.DeckLoaded(SHOE, 312, self.staff[0]), 5)
        for _ in range(burned):
            self.burn("shuffle")

    def end_shoe(self) -> None:
        """A shoe is shuffled before its time: the cutting card comes out all the same."""
        if self.session.shoe.dealing and self.session.shoe.last_round is None:
            self.say(bj.CuttingCardSeen("dealer"), 1)

    def burn(self, why: str) -> None:
        """One card off the shoe, face down."""
        self.next += 1
        self.say(tb.CardBurned(seq=self.next, why=why), 1)

    def change_dealer(self, *, burned: bool = True) -> None:
        """Another dealer takes over and burns a card."""
        self.relieve()
        if burned:
            self.burn("dealer change")

    def rig(self, ranks: str) -> None:
        """The next cards have these ranks; the shoe keeps its cards."""
        at = self.next
        for card in self.session.round.carried if self.session.round is not None else ():
            at -= not card.dealt_to  # the one that waits takes the first place
        for place, rank in enumerate(ranks.split(), at):
            if place < self.next:
                continue
            found = next((n for n in range(len(self.shoe) - 1, place - 1, -1) if self.shoe[n][0] == rank), place)
            self.shoe[place], self.shoe[found] = self.shoe[found], self.shoe[place]

    # The round

    def play(self, name: str, breach: str | None) -> None:
        """One round from the bets to the close; `breach` is committed in it."""
        plan = Plan()
        if breach is not None:
            misdeeds.ALL[breach](self, plan)
        self.pen.round = name
        self.say(tb.RoundOpened(), 6)
        self.laid = 0
        if plan.bets is not None:
            plan.bets()
        else:
            self.some_bets()
        if plan.cards:
            self.rig(plan.cards)
        if plan.call:
            self.say(tb.NoMoreBets(by=self.staff[0]), 4)
        for act in plan.after_call:
            act()
        self._deal(plan)
        self.say(tb.RoundClosed(), 4)
        self.pen.round = None
        for act in plan.after_round:
            act()

    def some_bets(self) -> None:
        """Every box bets, most back bettors too."""
        for box, players in self.boxes.items():
            for number, player in enumerate(players):
                if number == 0 or self.rng.random() < 0.7:
                    self.bet(box, player, self.rng.choice((10_000, 10_000, 20_000, 50_000)))

    def bet(self, box: int, player: str, amount: int, spot: str = "bet", **more: Any) -> str:
        """Chips on a spot of a box; the stake's id."""
        stake = self.stake_name()
        self.say(bg.StakePlaced(stake, player, box, spot, amount, **more), 1.5)
        return stake

    def only(self, *bets: tuple[int, int], box: int = 0) -> tuple[int, str]:
        """One box alone is in play, with its owner's bet and that of as many others as are given: the box, its owner.

        `bets`: (place among the box's players, amount).
        """
        box = box or next(iter(self.boxes))
        players = list(self.boxes[box])
        for place, amount in bets:
            while len(players) <= place:
                players.append(new_player(self.rng, players))
            self.bet(box, players[place], amount)
        return box, players[0]

    def _deal(self, plan: Plan) -> None:
        offered = False
        while True:
            expected = expects(self.session)
            paid = [due for due in expected.due if plan.wait is None or not plan.wait(due)]
            self.settle(paid, plan.settle)
            if paid:
                expected = expects(self.session)
            if not offered and self._is_dealt():
                offered = True
                self._offer(plan)
                for act in plan.dealt:
                    act()
                continue
            place = expected.next_card or ("" if plan.call or self.round.draws else self._first_place())
            if place:
                self._card(place, plan)
            elif any(action.name in (STAND, HIT) for action in expected.actions):
                self._choose(expected, plan)
            else:
                if expected.phase == "ruling":
                    self.say(tb.FloorCalled(expected.note, by=self.staff[1]), 5)
                plan.wait = None
                if expected.due and not paid:
                    continue
                return

    def _first_place(self) -> str:
        """Where the first card goes, though nobody has called."""
        play = analyse(self.session).play
        return play.waits.place if play is not None and play.waits is not None else ""

    def _is_dealt(self) -> bool:
        play = analyse(self.session).play
        return play is not None and play.dealt

    def _card(self, place: str, plan: Plan) -> None:
        self.laid += 1
        if plan.on_card is None or not plan.on_card(place, self.laid):
            self.lay(place)

    def lay(self, place: str, face: bg.Face = "up") -> str:
        """The next card to a place: one that waits from the round before, else off the shoe."""
        round_ = self.round
        short = place.removesuffix(".1")
        for card in round_.carried:
            if not card.dealt_to:
                self.say(bg.CardReassigned(short, "pending", card.card, card.seq, "up", self.staff[0]), 2)
                return card.card
        self.next += 1
        if self.next == len(self.shoe) - CUT_OFF:
            self.say(bj.CuttingCardSeen(short), 1)
        card_ = self.shoe[self.next - 1]
        self.say(bg.CardLaid(short, card_, face, self.next, SHOE), 1.5)
        return card_

    def put(self, place: str, frm: str, why: str, card: str) -> None:
        """A card just laid is put elsewhere."""
        short = place.removesuffix(".1")
        self.say(bg.CardReassigned(short, frm, card, self.next, "up", self.staff[0], "dealer", why), 2)

    @property
    def round(self) -> Round:
        """The current round."""
        assert self.session.round is not None
        return self.session.round

    def _offer(self, plan: Plan) -> None:
        """Against an ace: even money for blackjack, insurance for the others."""
        play = analyse(self.session).play
        assert play is not None
        if play.upcard != "A":
            return
        for number, hands in play.hands.items():
            if is_blackjack(self.session.edition.__getitem__, hands[0]) and plan.offer:
                self.say(bj.EvenMoneyOffered(number), 2)
        for action in expects(self.session).actions:
            what, _box, box = action.name.partition(" box ")
            if what == EVEN_MONEY and self.rng.random() < 0.5 and plan.offer:
                self.say(bg.Decided(int(box), EVEN_MONEY, action.actor, signal="verbal"), 2)
            elif what == INSURANCE and self.rng.random() < 0.3 and not plan.cards and action.high:
                self.bet(int(box), action.actor, action.high, INSURANCE)

    def _choose(self, expected: Expectation, plan: Plan) -> None:
        """The hand in turn: by the plan, else as a fair player would."""
        play = analyse(self.session).play
        assert play is not None
        assert play.waits is not None
        box, number = play.waits.box, play.waits.hand
        hand = play.hands[box][number - 1]
        named = {action.name: action for action in expected.actions}
        choice = plan.choices.pop(0) if plan.choices else self._wish(hand, play.upcard, named, len(play.hands[box]))
        if plan.on_choice is not None and plan.on_choice(choice, hand):
            return
        self.decide(box, number, choice, plan.by or expected.actor, hand, plan.signal)

    def decide(
        self, box: int, number: int, choice: str, player: str, hand: Hand, signal: bg.Signal = "gesture"
    ) -> None:
        """A decision, with the extra stakes that go with it."""
        self.say(bg.Decided(box, choice, player, number, signal=signal), 3)
        if (extra := EXTRAS.get(choice)) is None:
            return
        for one in hand.playing:
            if one == hand.playing[0] or one == player or self.rng.random() < 0.6:
                self.bet(box, one, hand.stake_of(one), choice, hand=number)
            else:
                self.say(bj.ExtraDeclined(box, one, extra, number), 1)

    def _wish(self, hand: Hand, upcard: str, named: dict[str, Action], hands: int) -> str:
        """A plain strategy; never a fourth hand, of which the plan contradicts itself."""
        points, up, soft = hand.points, POINTS[upcard], any(card[0] == "A" for card in hand.names)
        if SPLIT in named and hands < 3 and is_pair(hand.names, "rank") and hand.names[0][0] in "A8" and up < 10:
            return SPLIT
        if SURRENDER in named and points == 16 and up == 10 and self.rng.random() < 0.5:
            return SURRENDER
        if DOUBLE in named and points in (10, 11) and not soft and 2 <= up <= 9:
            return DOUBLE
        if HIT not in named:
            return STAND
        return HIT if points < (12 if 4 <= up <= 6 else 17 if not soft else 18) else STAND

    def between(self, number: int) -> None:
        """Now and then somebody comes or goes, the dealer changes, a new shoe is made."""
        rng = self.rng
        if self.session.shoe.last_round is not None and self.session.shoe.dealing:
            self.shuffle()
        if rng.random() < 0.1 and len(self.boxes) > 3:
            self.leave(rng.choice(list(self.boxes)))
        if rng.random() < 0.15 and len(self.boxes) < BOXES:
            self.arrive(rng.choice([box for box in range(1, BOXES + 1) if box not in self.boxes]))
        if number and number % 20 == 0 and self.session.shoe.dealing:
            self.change_dealer()
        self.keep_the_float()


deal = session_dealer(Dealer, room="blackjack", table=TABLE, breaches=misdeeds.ALL)
