"""Vectors of the deal and the board: the irregularity is dealt on a table, then whatever the room expects is done.

Nothing is computed here: this dealer knows no rules. He does what the room expects next until the hand is over; where
each card off the deck then lies is read from the hand, what else was required from the finding, the verdict is the
room's on the whole hand.
"""

from __future__ import annotations

from typing import Any

from events.schema.common import CardBurned, ChipsMoved, RoundOpened
from events.schema.event import Event
from games.protocol import Expectation
from games.shared.poker.events import (
    ButtonPlaced,
    CardDealt,
    CardExposed,
    CardPicked,
    CardsMoved,
    CardsScrambled,
    MisdealDeclared,
    PlayerDealtIn,
    Posted,
    StakesAnnounced,
    StubShuffled,
)
from tests.vectors.holdem_steps import RICH, opened
from tests.vectors.holdem_table import WHOLE, Table, compare, seat_of, verdict_word, whole
from tests.vectors.reading import Vector, unknown_keys

_QUOTA = {"flop": 3, "turn": 1, "river": 1}
_GIVEN = frozenset({
    "kind", "config", "players", "irregularity", "seqs", "count", "identified", "seat", "street", "acted", "role",
})  # fmt: skip
_ENOUGH = 400
_DONE = ("showdown", "settling", "settled", "misdeal")


class Deck:
    """A dealer at a table with so many players, seat 1 first left of the button. `top`: the next card off the deck;
    `aside`: cards set aside, to come first; `was_aside`, `closed`: what was set aside, and dealt face down. `wrong`: the
    burn that was left out, or is one too many. `burnt_after`: a card was burnt right after the shuffle."""

    def __init__(self, given: Vector) -> None:
        self.given = given
        self.count = int(given["players"])
        self.what = str(given["irregularity"])
        self.table = Table(given.get("config", {}), [opened(), StakesAnnounced(5 * WHOLE, 10 * WHOLE)])
        self.say(RoundOpened(), ButtonPlaced(self.count))
        self.say(*(PlayerDealtIn(seat, f"p-{seat}", RICH) for seat in range(1, self.count + 1)))
        for due in self.table.expects().due:
            self.say(Posted(seat_of(due.frm), due.what, due.amount))  # type: ignore[arg-type]
        self.top = 1
        self.shuffled = False
        self.at_once = self.burnt_after = False
        self.wrong = 0
        self.extra: list[int] = []
        self.aside: list[int] = []
        self.was_aside: list[int] = []
        self.closed: list[int] = []

    def say(self, *events: Event) -> None:
        """They happen."""
        self.table.say(*events)

    def off(self) -> int:
        """The next card off the deck."""
        self.top += 1
        return self.top - 1

    def hole(self, exposed: tuple[int, ...] = (), by: str = "dealer") -> None:
        """The deal to whom the room expects it; cards at these places are exposed as they come."""
        seats = [self.table.expects().next_card]
        seats += [f"seat/{(seat_of(seats[0]) - 1 + step) % self.count + 1}" for step in range(1, self.count)]
        for card in range(2 * self.count):
            seat, seq = seats[card % self.count], self.off()
            self.say(CardDealt(seat, seq=seq))
            if seq in exposed:
                self.say(CardExposed(seat, by, seqs=(seq,)))  # type: ignore[arg-type]

    def lay(self, street: str, count: int) -> None:
        """Cards off the deck on a street, whether or not they are due."""
        for _card in range(count):
            self.say(CardDealt(street, seq=self.off(), face="up"))

    def act(self) -> None:
        """The next player checks or calls, whether or not the room wants something else first."""
        hand = self.table.hand
        front, to_match = hand.bets.front[hand.bets.actor], hand.bets.to_match
        self.table.act(hand.seats[hand.bets.actor], "call" if front < to_match else "check", to_match)

    def step(self, next_: Expectation) -> bool:
        """What the room expects; false if that is nothing before the showdown."""
        if next_.actor and next_.actions and next_.phase not in _DONE:
            self.act()
        elif next_.next_card or ("scrambled" in next_.note and next_.phase not in _DONE):
            self.deal(next_)
        else:
            return False
        return True

    def until(self, to: str, laid: int = -1) -> None:
        """Regular play until a card is due there (with so many on the board), or to the end."""
        for _step in range(_ENOUGH):
            next_ = self.table.expects()
            if next_.next_card == to and to and laid in (-1, len(self.table.hand.board)):
                return
            if not self.step(next_):
                return
        raise AssertionError(f"the room expects {next_} again and again")

    def deal(self, next_: Expectation) -> None:
        """A card, or a step of a repair."""
        to = next_.next_card
        if to == "aside":
            self.was_aside.append(self.top)
            self.say(CardsMoved("aside", (self.off(),)))
            self.aside = list(self.was_aside)
        elif to == "stub":
            self.shuffled = self.at_once = True
            self.say(StubShuffled(tuple(self.remedy()["shuffled_in"])))
        elif to == "top":
            self.say(CardsMoved("top", tuple(self.extra), identified=self.given.get("identified", True)))
            self.top = min(self.extra)
        elif to.startswith("seat/"):
            self.say(CardDealt(to, seq=self.off(), purpose="replacement"))
            self.say(CardsMoved("burn", tuple(self.given["seqs"]), frm=to))
        elif to == "":
            seqs = tuple(self.remedy()["scramble"])
            self.say(CardsScrambled(seqs, witnesses=("floor",)))
            self.say(CardPicked("burn", self.given.get("role", "floorman"), seqs[0]))
        else:
            self._card(to, closed="face down" in next_.note and to == "river")

    def _card(self, to: str, *, closed: bool) -> None:
        again = self.shuffled and self.what in (f"premature_{to}", f"{to}_cards")
        if self.table.expects().note and self.what == "burn_missing":
            self.say(CardsMoved("burn", (self.wrong,), frm=to))
        if self.table.expects().note and self.what == "burn_double":
            self.top -= 1
            self.say(CardsMoved("top", (self.top,), frm=to), CardsMoved(to, (self.wrong,), frm="burn"))
            return
        self.burnt_after = self.burnt_after or (to == "burn" and self.at_once)
        self.at_once = False
        seq = self.aside.pop(0) if self.aside and not again else self.off()
        if to == "burn":
            self.say(CardBurned(seq=seq))
        elif closed:
            self.closed.append(seq)
            self.aside.append(seq)
            self.say(CardDealt(to, seq=seq))
        else:
            self.say(CardDealt(to, seq=seq, face="up"))

    def remedy(self) -> dict[str, Any]:
        """What the room says is required."""
        return {key: value for one in self.table.verdict().findings for key, value in one.remedy.items()}

    def found(self) -> dict[str, Any]:
        """The verdict on the hand as it was played out, and where its cards lie."""
        found = self.remedy()
        self.until("")
        verdict = self.table.verdict()
        lies = {where: [one.seq for one in self.table.hand.off if one.where == where] for where in ("burn", *_QUOTA)}
        burns = lies["burn"]
        if len(burns) == 3:
            found |= {"burn1": burns[0], "burn1_seq": burns[0], "burn2": burns[1], "burn3": burns[2]}
        replaced = [one.seq for one in self.table.hand.off if one.where.startswith("seat/")]
        found["replacement_seq"] = max(replaced) if max(replaced) > 2 * self.count else None
        found["flop"] = lies["flop"]
        found |= {street: lies[street][0] for street in ("turn", "river") if len(lies[street]) == 1}
        if self.was_aside:
            found["set_aside"] = self.was_aside
        if self.closed:
            found["river_face_down"] = self.closed[0]
        for key in [key for key in found if key.startswith("burn_before_new_")]:
            found[key] = self.burnt_after
        if "picked_is" in found and len(burns) != 3:
            found["picked_is"] = "one more burn"
        found["verdict"] = verdict_word(verdict.findings)
        found["refund"] = whole(sum(line.returned for line in verdict.due.lines))
        return found


def deal(given: Vector, expect: Vector) -> list[str]:
    """Players' cards exposed or too many."""
    problems = unknown_keys("given", given, _GIVEN)
    if problems:
        return problems
    deck, what = Deck(given), given["irregularity"]
    first = deck.table.expects().next_card
    if what in ("exposed_by_dealer", "exposed_by_player"):
        deck.hole(tuple(given["seqs"]), what.removeprefix("exposed_by_"))
    elif what in ("extra_to_first", "extra_to_seat"):
        deck.hole()
        seat = first if what == "extra_to_first" else f"seat/{given['seat']}"
        for _card in range(int(given.get("count", 1))):
            deck.extra.append(deck.off())
            deck.say(CardDealt(seat, seq=deck.extra[-1], purpose="extra"))
        if given.get("identified") is False:
            deck.say(CardsMoved("top", frm=seat, identified=False))
    else:
        return [f"irregularity: `{what}` is none that this adapter can deal"]
    for _action in range(int(given.get("acted", 0))):
        deck.act()
    misdeal = deck.table.expects().phase == "misdeal"
    return compare(expect, _called_off(deck) if misdeal else deck.found())


def _called_off(deck: Deck) -> dict[str, Any]:
    """A misdeal: what becomes of button and blinds once it is declared and dealt again."""
    button, posts = deck.table.hand.button, list(deck.table.hand.posts)
    deck.say(MisdealDeclared())
    for due in deck.table.expects().due:
        deck.say(ChipsMoved(due.frm, due.to, due.amount, "return", due.stake))
    deck.top = 1
    deck.hole()
    verdict, hand = deck.table.verdict(), deck.table.hand
    return {
        "verdict": verdict_word(verdict.findings),
        "button_moves": hand.button != button,
        "blinds": "stay" if hand.posts == posts else "back",
    }


def board(given: Vector, expect: Vector) -> list[str]:
    """Streets too early or with too many cards, burns left out or too many."""
    problems = unknown_keys("given", given, _GIVEN)
    if problems:
        return problems
    deck, what = Deck(given), str(given["irregularity"])
    deck.hole()
    if what in ("premature_flop", "premature_turn", "premature_river"):
        early = what.removeprefix("premature_")
        before = {"flop": "", "turn": "flop", "river": "turn"}[early]
        if before:
            deck.until(before)
            for _card in range(_QUOTA[before]):
                deck.deal(deck.table.expects())
        deck.act()
        deck.say(CardBurned(seq=deck.off()))
        deck.lay(early, _QUOTA[early])
    elif what in ("flop_cards", "turn_cards"):
        deck.until(what.removesuffix("_cards"))
        deck.lay(what.removesuffix("_cards"), int(given["count"]))
    elif what in ("burn_missing", "burn_double"):
        street = str(given.get("street", "flop"))
        deck.until("burn", {"flop": 0, "turn": 3, "river": 4}[street])
        if what == "burn_double":
            deck.say(CardBurned(seq=deck.off()), CardBurned(seq=deck.off()))
        deck.wrong = deck.top - (what == "burn_double")
        deck.lay(street, _QUOTA[street])
    else:
        return [f"irregularity: `{what}` is none that this adapter can deal"]
    for _action in range(int(given.get("acted", 0))):
        deck.act()
    return compare(expect, deck.found())
