"""The records of a vector's round, as the table's terminal would write them; settled as the room says is due."""

from __future__ import annotations

from typing import Any

from events.schema import common as tb
from events.schema.envelope import Envelope
from events.schema.event import Event
from events.schema.fact import Fact
from events.values.cards import DECK
from events.values.clock import parse_time
from games.clocks import Clocks
from games.house_rules.edition import Edition, read_edition
from games.russian_poker import events as rp
from games.russian_poker.payouts import analyse
from games.russian_poker.rules import RULES
from games.russian_poker.state import evolve, open_table
from games.scribe import Scribe
from games.shared.bank import events as bg
from games.shared.bank.dues import dues
from tests.vectors.reading import Vector

PLAYER = "P"
DEALER = "s-1"
STEPS = ("spread", "wash", "piles", "riffle", "cut", "loaded")
FIRST_CARD, REVEAL = "after_first_card", "after_reveal"


class Cards:
    """A box's cards: those dealt, given away and drawn."""

    def __init__(self, given: Vector, free: list[str]) -> None:
        final = _cards(given.get("hand")) or [free.pop() for _ in range(5)]
        draw = given.get("draw")
        self.dealt, self.discards, self.drawn = final[:5], [], final[5:]
        if draw == "exchange":
            self.dealt = _cards(given["initial"])
            self.discards = [card for card in self.dealt if card not in final]
            self.drawn = [card for card in final if card not in self.dealt]


class Room:
    """A session being written. `box`: the vector's, `other`: the second box that it may name."""

    def __init__(self, edition: Edition, given: Vector) -> None:
        self.tier = edition.constants.tiers[given.get("tier", "CZK-1")]
        self.pen = Scribe("brno/RP-1", "2026-11-28")
        self.envelopes: list[Envelope] = []
        self.spots: dict[str, tuple[int, str]] = {}
        self.box, self.other, self.round = 1, 2, ""
        low, high = self.tier.ante
        opened = tb.TableOpened("russian_poker", "RP", self.tier.currency, min=low, max=high, seats=4)
        self.session = open_table(edition, self._write(opened, 0), (), Clocks())

    def say(self, event: Event, after_s: float = 1) -> None:
        """One record; the table then stands as the room's fold has it."""
        self.session = evolve(self.session, self._write(event, after_s))

    def _write(self, event: Event, after_s: float) -> Fact:
        envelope = self.pen.say(event, after_s)
        self.envelopes.append(envelope)
        return Fact(
            subject=envelope.subject, source=envelope.source, sequence=int(envelope.sequence), topic=envelope.type,
            event=event, occurred_at=parse_time(envelope.time), round=envelope.round,
        )  # fmt: skip

    def spot_of(self, stake: str) -> tuple[int, str]:
        """Box and spot of a stake."""
        return self.spots.get(stake, (0, ""))

    def stake(self, box: int, spot: str, amount: int, player: str = "") -> None:
        """Chips on a spot, whole units; nothing if there are none."""
        if amount:
            name = f"k{len(self.spots) + 1}"
            self.spots[name] = (box, spot)
            self.say(bg.StakePlaced(name, player or f"{PLAYER}{box}", box, spot, amount * 100))

    def prepare(self, done: tuple[str, ...]) -> None:
        """Shuffle, cut, load."""
        for step in done:
            if step == "cut":
                self.say(tb.CutMade("d-1", by=DEALER), 5)
            elif step == "loaded":
                self.say(bg.DeckLoaded("d-1", by=DEALER), 5)
            else:
                self.say(tb.ShuffleStep(step, "d-1", by=DEALER), 5)  # type: ignore[arg-type]

    def open(self, name: str) -> None:
        """A round begins."""
        self.round = self.pen.round = name
        self.say(tb.RoundOpened())

    def close(self, paid: dict[str, int], *, voided: bool = False) -> None:
        """Settles as due, or pays what `paid` says for a spot of the vector's box, and closes; nothing moves in a round
        that is void."""
        coup = self.session.round
        assert coup is not None
        for due in dues(analyse(self.session).settlement.lines, coup.settles) if not voided else ():
            box, spot = self.spot_of(due.stake)
            amount = paid[spot] * 100 if due.what == "win" and box == self.box and spot in paid else due.amount
            self.say(tb.ChipsMoved(due.frm, due.to, amount, due.cause, due.stake))
        self.say(tb.RoundClosed())
        self.pen.round = None


def play(given: Vector, toml: str) -> Room:
    """The session of a vector."""
    room = Room(read_edition(toml, RULES.form), given)
    room.say(tb.DealerSeated(DEALER))
    room.say(tb.DeckOpened("d-1"))
    if given.get("previous_round_player_rf"):
        room.prepare(STEPS)
        room.open("1")
        _round(room, {"ante": 100, "bet": 200, "hand": "As Ks Qs Js Ts", "dealer": "8c 8d 5h 4c 2d"})
        if given.get("deck_changed"):
            room.say(tb.DeckOpened("d-1"))
    room.pen.at_ms += 60_000 * given.get("deck_age_min", 0)
    room.prepare(tuple(given.get("deck_steps", STEPS)))
    room.open("2" if room.round else "1")
    _round(room, given)
    room.say(tb.TableClosed())
    room.say(tb.SourceEnded())
    return room


def _round(room: Room, given: Vector) -> None:
    used = {card for words in _words(given) for card in _cards(words)}
    free = [card for card in DECK if card not in used]
    boxes = _antes(room, given, free)
    _deal(room, boxes, _cards(given.get("dealer")) or [free.pop() for _ in range(5)], given)
    for number, (own, cards) in boxes.items():
        _decide(room, number, own, cards)
    room.say(bg.DealerTurned())
    for number, (own, _own_cards) in boxes.items():
        if own.get("insurance_at") == REVEAL:
            room.stake(number, "insurance", own["insurance"])
        if own.get("bet_at") == REVEAL:
            room.stake(number, "bet", own["bet"])
    _elect(room, boxes, given)
    room.close(given.get("paid", {}), voided="ruling" in given)


def _words(given: Vector) -> list[str]:
    own = [given.get(name, "") for name in ("hand", "initial", "dealer")]
    return [*own, *given.get("replace", ()), *(_words(given["other_box"]) if "other_box" in given else ())]


def _antes(room: Room, given: Vector, free: list[str]) -> dict[int, tuple[Vector, Cards]]:
    """The boxes that are dealt to, with what they do; a box beside the vector's own only folds."""
    ante, boxes = given.get("ante", 0), dict[int, tuple[Vector, Cards]]()
    folds = {"ante": 100, "act": "fold"}
    if "boxes_with_ante" in given:
        room.box = given["this_box_is"]
        for number in range(1, given["boxes_with_ante"]):
            room.stake(number, "ante", ante)
            boxes[number] = (folds, Cards(folds, free))
        room.stake(room.box, "ante", ante)
        return boxes
    if given.get("same_player_other_box"):
        room.box = 2
        room.stake(1, "ante", ante, PLAYER)
        room.stake(2, "ante", ante, PLAYER)
        room.say(bg.StakeRefused(2, "ante", ante * 100, reason="one box for a player"))
        return {1: (folds, Cards(folds, free))}
    if not ante or "ante_at" in given:
        room.stake(2, "ante", 100)
        return {2: (folds, Cards(folds, free))}
    room.stake(1, "ante", ante)
    room.stake(1, "bonus", given.get("bonus", 0))
    boxes[1] = (given, Cards(given, free))
    if "other_box" in given:
        other = given["other_box"]
        room.stake(2, "ante", other["ante"])
        boxes[2] = (other, Cards(other, free))
    return boxes


def _deal(room: Room, boxes: dict[int, tuple[Vector, Cards]], dealer: list[str], given: Vector) -> None:
    for turn in range(5):
        for number, (_own, cards) in boxes.items():
            room.say(bg.CardLaid(f"box/{number}", cards.dealt[turn]))
            if given.get("ante_at") == FIRST_CARD and turn == 0:
                room.stake(1, "ante", given["ante"])
        room.say(bg.CardLaid("dealer", dealer[turn], face="up" if turn == 4 else "down"))


def _decide(room: Room, number: int, given: Vector, cards: Cards) -> None:
    if given.get("bonus_claimed"):
        room.say(rp.BonusClaimed(number, tuple(cards.dealt)))
    draws = [name for name in (given.get("draw"), given.get("second_draw")) if name]
    for place, draw in enumerate(draws):
        again = place > 0
        discards = cards.dealt[:2] if again and draw == "exchange" else cards.discards
        room.say(bg.Decided(number, draw, discards=tuple(discards)))
        room.stake(number, "fee", given["ante"])
        if not again:
            for card in cards.drawn:
                room.say(bg.CardLaid(f"box/{number}", card))
    if "insurance_at" not in given:
        room.stake(number, "insurance", given.get("insurance", 0))
    act: Any = given.get("act", "bet")
    room.say(bg.Decided(number, act))
    if act == "bet" and "bet_at" not in given:
        room.stake(number, "bet", given["bet"])


def _elect(room: Room, boxes: dict[int, tuple[Vector, Cards]], given: Vector) -> None:
    """The replacements are the vector's box's; the first is for its ante, each further one for a `rex`."""
    for number, (own, _own_cards) in boxes.items():
        if "elect" in own:
            room.say(rp.AnteElected(number, "replace_card" if own["elect"] == "replace" else "take_ante"))
    dealer = _cards(given.get("dealer"))
    for count, card in enumerate(given.get("replace", ()), 1):
        if count > 1:
            room.stake(1, "rex", given["ante"])
        old = max(dealer, key=lambda one: "23456789TJQKA".index(one[0]))
        dealer[dealer.index(old)] = card
        room.say(rp.DealerCardReplaced(old, card, count))


def _cards(words: str | None) -> list[str]:
    return words.split() if words else []
