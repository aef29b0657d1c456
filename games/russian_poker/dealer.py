"""A scripted dealer: whole sessions at a table of four boxes, the same for the same seed; one breach if asked.

He keeps the table with the room's own fold and settles what `expects` says is due. Players buy, exchange, insure and
fold by a plain strategy; now and then somebody comes or goes and the deck is changed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import resources
from random import Random
from typing import Literal

from events.errors import Refused
from events.schema import common as tb
from events.schema.event import Event
from events.values.cards import DECK, RANKS
from games.house_rules.edition import Edition, read_edition
from games.protocol import Due
from games.russian_poker import events as rp
from games.russian_poker import misdeeds
from games.russian_poker.combinations import ORDER, read_hand
from games.russian_poker.expects import expects
from games.russian_poker.insuring import insurance_bounds
from games.russian_poker.pay_table import Constants
from games.russian_poker.payouts import analyse
from games.russian_poker.rules import RULES
from games.russian_poker.state import evolve, open_table
from games.russian_poker.table import Session
from games.shared.bank import croupier as bank
from games.shared.bank import events as bg
from games.shared.scripted import session_dealer

BREACHES: tuple[str, ...] = tuple(sorted(misdeeds.ALL))

TABLE = "brno/RP-01"
DECK_MINUTES = 50
"""He changes the deck well before its hour is over."""
PASSES = 2
"""Rounds that a player lets pass one after another; with a third his seat is idle (RP-02)."""

Step = Literal[tb.Shuffling, "cut", "load"]
STEPS: tuple[Step, ...] = ("spread", "wash", "piles", "riffle", "riffle", "cut", "load")


@lru_cache(maxsize=1)
def shipped_edition() -> Edition:
    """The edition by which this dealer works."""
    file = resources.files("games.russian_poker") / "editions" / "russian-poker.toml"
    return read_edition(file.read_text(encoding="utf-8"), RULES.form)


class Plan:
    """What is to happen in one round; where it says nothing, chance and good practice do.

    By box: `hands` the five cards of the deal, `choices` what it says (`bet`, `fold`, `buy6`, `exchange`), `insured`,
    `bonuses`, `antes` and `bets` in minor units, `elects`. `dealers`: the dealer's five, `drawn`: the cards that come
    next, `wrong_card`: what is replaced instead of the highest. `hooks`: name of a moment → what is done then.
    """

    def __init__(self) -> None:
        self.hands: dict[int, tuple[str, ...]] = {}
        self.dealers: tuple[str, ...] = ()
        self.drawn: list[str] = []
        self.choices: dict[int, str] = {}
        self.insured: dict[int, int] = {}
        self.bonuses: dict[int, int] = {}
        self.antes: dict[int, int] = {}
        self.bets: dict[int, int] = {}
        self.elects: dict[int, rp.Election] = {}
        self.steps: tuple[Step, ...] = STEPS
        self.minutes = 0
        self.rigged = False
        self.wrong_card = ""
        self.in_turn = True
        self.settle: Callable[[Due], list[Event]] | None = None
        self.order: Callable[[list[Due]], list[Due]] = lambda dues: dues
        self.hooks: dict[str, Callable[[], None]] = {}


class Dealer(bank.Croupier[Session]):
    """The table, the people at it, and the cards still in the shoe."""

    def __init__(self, rng: Random, table: str, day: str, currency: str) -> None:
        constants: Constants = shipped_edition().constants
        tier = next((tier for tier in constants.tiers.values() if tier.currency == currency), None)
        if tier is None:
            raise Refused(
                f"no tier of limits is in {currency}", hint="one of " + ", ".join(sorted(constants.bonus))
            )  # fmt: skip
        self.tier = tier
        opened = tb.TableOpened(
            "russian_poker", "RP", currency, min=tier.ante[0], max=tier.ante[1], seats=4,
            cameras=(f"{table}/cam-1",),
        )  # fmt: skip
        super().__init__(rng, opened, shipped_edition(), open_table, evolve, table=table, day=day)
        self.people: dict[int, str] = {}
        self.passed: dict[str, int] = {}
        self.left: set[str] = set()
        self.shoe: list[str] = []
        self.decks = 0
        self.deck_at = 0

    # People and deck

    def arrive(self) -> None:
        """A player takes a free box."""
        box = self.rng.choice([number for number in range(1, 5) if number not in self.people])
        self.people[box] = bank.new_player(self.rng, (*self.people.values(), *self.left))
        self.say(bg.BoxTaken(box, self.people[box]), 8)
        self.say(tb.BuyIn(self.people[box], 50 * self.tier.ante[0]), 0)

    def leave(self) -> None:
        """A player gives up his box."""
        box = self.rng.choice(sorted(self.people))
        self.left.add(self.people[box])
        self.say(bg.BoxReleased(box, self.people.pop(box)), 5)

    def fresh_deck(self) -> None:
        """Another deck comes to the table."""
        if self.decks:
            self.say(tb.DeckRetired(self.deck), 5)
        self.decks += 1
        self.deck_at = self.pen.at_ms
        self.say(tb.DeckOpened(self.deck), 20)

    @property
    def deck(self) -> str:
        """The deck in play."""
        return f"d-{self.decks}"

    def between(self, number: int) -> None:
        """Somebody comes or goes, another dealer takes over, the deck is changed when it is time."""
        rng = self.rng
        if len(self.people) > 2 and rng.random() < 0.1:
            self.leave()
        while len(self.people) < 2 or (len(self.people) < 4 and rng.random() < 0.2):
            self.arrive()
        if number and number % 15 == 0:
            self.relieve()
        self.keep_the_float()
        if not self.decks or self.session.royal or self.pen.at_ms - self.deck_at > DECK_MINUTES * 60_000:
            self.fresh_deck()

    # One round

    def play(self, name: str, breach: str | None) -> None:
        """One round from the shuffle to the close; `breach` is committed in it."""
        plan = Plan()
        if breach is not None:
            misdeeds.ALL[breach](self, plan)
            plan.rigged = True
        self.pen.at_ms += plan.minutes * 60_000
        self._prepare(plan)
        self.pen.round = name
        self.say(tb.RoundOpened(), 4)
        boxes = self._antes(plan)
        self._hook(plan, "antes")
        self._deal(plan, boxes)
        self._hook(plan, "deal")
        for box in boxes if plan.in_turn else reversed(boxes):
            self._decide(plan, box)
        self._hook(plan, "decisions")
        self._reveal(plan)
        self._settle(plan)
        self.say(tb.RoundClosed(), 4)
        self.pen.round = None
        self._hook(plan, "closed")

    def _hook(self, plan: Plan, moment: str) -> None:
        act = plan.hooks.get(moment)
        if act is not None:
            act()

    def _prepare(self, plan: Plan) -> None:
        dealer = self.staff[0]
        for step in plan.steps:
            if step == "cut":
                self.say(tb.CutMade(self.deck, by=dealer), 4)
            elif step == "load":
                self.say(bg.DeckLoaded(self.deck, cards=len(DECK), by=dealer), 3)
            else:
                self.say(tb.ShuffleStep(step, self.deck, by=dealer), 6)
        rigged = {*plan.dealers, *plan.drawn, *[card for hand in plan.hands.values() for card in hand]}
        self.shoe = [card for card in DECK if card not in rigged]
        self.rng.shuffle(self.shoe)

    def _antes(self, plan: Plan) -> list[int]:
        rng, low = self.rng, self.tier.ante[0]
        boxes: list[int] = []
        for box, player in sorted(self.people.items()):
            if len(boxes) > 1 and not plan.rigged and rng.random() < 0.1 and self.passed.get(player, 0) < PASSES:
                self.passed[player] = self.passed.get(player, 0) + 1
                continue  # he lets this one pass
            self.passed[player] = 0
            boxes.append(box)
            self.stake(box, "ante", plan.antes.get(box, low * rng.choice((1, 1, 2, 4))), player)
            bonus = plan.bonuses.get(box, self.tier.bonus_stake if rng.random() < 0.4 and not plan.rigged else 0)
            if bonus:
                self.stake(box, "bonus", bonus, player)
        return boxes

    def stake(self, box: int, spot: str, amount: int, player: str = "") -> str:
        """Chips on a spot; their id."""
        name = self.stake_name()
        self.say(bg.StakePlaced(name, player or self.people[box], box, spot, amount), 1.5)
        return name

    def _deal(self, plan: Plan, boxes: list[int]) -> None:
        for turn in range(5):
            for box in boxes:
                own = plan.hands.get(box)
                self.lay(f"box/{box}", own[turn] if own else self.shoe.pop())
                if turn == 0 and box == boxes[0]:
                    self._hook(plan, "first card")
            card = plan.dealers[turn] if plan.dealers else self.shoe.pop()
            self.lay("dealer", card, up=turn == 4)
            if turn == 0:
                self._hook(plan, "first pass")
        for box in boxes:
            self.say(bg.CardsViewed(box), 2)

    def lay(self, place: str, card: str, *, up: bool = False) -> None:
        """A card off the shoe."""
        self.say(bg.CardLaid(place, card, "up" if up else "down"), 0.8)

    def draw(self, plan: Plan) -> str:
        """The next card of the shoe after the deal."""
        return plan.drawn.pop(0) if plan.drawn else self.shoe.pop()

    # Decisions

    def held(self, box: int) -> tuple[str, ...]:
        """The cards that a box holds now."""
        own = analyse(self.session).box(box)
        assert own is not None
        cards = [card.card for card in own.box.dealt]
        for purchase in own.box.purchases:
            cards = [card for card in cards if card not in purchase.discards]
            cards += [card.card for card in purchase.cards]
        return tuple(cards)

    def ante(self, box: int) -> int:
        """What a box's ante counts, minor units."""
        own = analyse(self.session).box(box)
        return own.ante if own is not None else 0

    def _decide(self, plan: Plan, box: int) -> None:
        rng, cards = self.rng, self.held(box)
        choice = plan.choices.get(box) or ("bet" if plan.rigged else self._fancies(cards))
        hand = read_hand(cards)
        if choice in ("exchange", "fold") and not plan.rigged and self._has_bonus(box) and ORDER[hand.primary] <= 6:
            self.say(rp.BonusClaimed(box, cards), 2)
        if choice in ("buy6", "exchange"):
            self.buy(plan, box, choice, self._discards(cards) if choice == "exchange" else ())
            better = ORDER[read_hand(self.held(box)).primary] < ORDER["HC"]
            choice = plan.choices.get(box, "bet") if plan.rigged else "bet" if better or rng.random() < 0.2 else "fold"
            choice = "bet" if choice in ("buy6", "exchange") else choice
        if choice == "bet":
            self._insure(plan, box)
        self._hook(plan, f"word {box}")
        self.say(bg.Decided(box, choice), 3)
        if choice == "bet":
            self.stake(box, "bet", plan.bets.get(box, 2 * self.ante(box)))
        self._hook(plan, f"decided {box}")

    def _fancies(self, cards: tuple[str, ...]) -> str:
        code, luck = read_hand(cards).primary, self.rng.random()
        if ORDER[code] <= ORDER["2P"]:
            return "bet" if luck < 0.75 else "buy6"
        if code == "HC":
            return "fold" if luck < 0.45 else "exchange" if luck < 0.75 else "buy6"
        return "bet" if luck < 0.5 else "exchange" if luck < 0.8 else "buy6"

    def _has_bonus(self, box: int) -> bool:
        coup = self.session.round
        return coup is not None and any(stake.box == box and stake.spot == "bonus" for stake in coup.stakes)

    def _discards(self, cards: tuple[str, ...]) -> tuple[str, ...]:
        """He keeps what he has more than once, else his highest cards."""
        ranks = [card[0] for card in cards]
        loose = [card for card in cards if ranks.count(card[0]) == 1]
        loose.sort(key=lambda card: RANKS.index(card[0]))
        return tuple(loose[:3] if len(loose) > 3 else loose) if len(loose) > 1 else cards[:2]

    def buy(self, plan: Plan, box: int, choice: str, discards: tuple[str, ...] = (), fee: int | None = None) -> None:
        """A sixth card, or as many as are given away."""
        self.say(bg.Decided(box, choice, discards=discards), 3)
        self.stake(box, "fee", self.ante(box) if fee is None else fee)
        for _ in range(len(discards) or 1):
            self.lay(f"box/{box}", self.draw(plan))

    def _insure(self, plan: Plan, box: int) -> None:
        amount = plan.insured.get(box, 0)
        analysis = analyse(self.session)
        own = analysis.box(box)
        if not plan.rigged and own is not None and own.hand is not None and analysis.table is not None:
            bounds = insurance_bounds(analysis.table, own, own.hand)
            if bounds is not None and self.rng.random() < 0.4:
                amount = self.rng.choice(bounds)
        if amount:
            self.stake(box, "insurance", amount)

    # Reveal and settlement

    def _reveal(self, plan: Plan) -> None:
        analysis = analyse(self.session)
        playing = [own.box.number for own in analysis.boxes if own.status in ("bet", "open", "undecided")]
        coup = self.session.round
        if not playing or coup is None:
            return
        self.say(bg.DealerTurned(tuple(card.card for card in coup.cards if card.to == "dealer")), 3)
        self._hook(plan, "turned")
        if expects(self.session).phase == "ante or another card":
            for box in playing:
                self.say(rp.AnteElected(box, plan.elects.get(box) or self._elects(plan, box)), 2)
        while (expected := expects(self.session)).phase == "another card":
            if expected.next_card == "dealer":
                self.replace(plan, plan.wrong_card)
            elif not self._pay_again(plan, expected.actions[0].actor if expected.actions else ""):
                break
        self._hook(plan, "replaced")

    def _elects(self, plan: Plan, box: int) -> rp.Election:
        if plan.rigged:
            return "take_ante"
        strong = ORDER[read_hand(self.held(box)).primary] <= ORDER["ST"]
        return "replace_card" if self.rng.random() < (0.8 if strong else 0.15) else "take_ante"

    def replace(self, plan: Plan, old: str = "") -> None:
        """The dealer's highest card is replaced, or the one that is named."""
        coup, outcome = self.session.round, analyse(self.session).outcome
        assert coup is not None
        assert outcome is not None
        highest = max(outcome.cards, key=lambda card: RANKS.index(card[0]))
        self.say(rp.DealerCardReplaced(old or highest, self.draw(plan), len(coup.replaced) + 1), 4)

    def _pay_again(self, plan: Plan, who: str) -> bool:
        box = int(who.partition("/")[2] or 0)
        if plan.rigged or not box or self.rng.random() < 0.5:
            return False
        self.stake(box, "rex", self.ante(box))
        return True

    def _settle(self, plan: Plan) -> None:
        for box, own in sorted((own.box.number, own) for own in analyse(self.session).boxes if own.status == "bet"):
            self.say(bg.BoxTurned(box, self.held(box)), 2)
            assert own.counts
        expected = expects(self.session)
        if expected.phase == "ruling":
            self.say(tb.FloorCalled(expected.note, by=self.staff[1]), 5)
            return
        self.settle(plan.order(list(expected.due)), plan.settle)
        self._hook(plan, "settled")


deal = session_dealer(Dealer, room="russian_poker", table=TABLE, breaches=misdeeds.ALL)
