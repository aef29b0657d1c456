"""A casino hold'em table for vectors: one round, dealt in order, with whatever a vector adds at a moment of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from events.schema import common as tb
from events.schema.envelope import Envelope
from events.schema.event import Event
from events.values.cards import DECK
from games.casino_holdem import events as ch
from games.casino_holdem.settling import Hands, compare
from games.scribe import Scribe
from games.shared.bank import events as bg

CROWN = 100
SPOTS = ("ante", "blind", "trips")
Given = dict[str, Any]


def filler(*known: Any) -> list[str]:
    """Cards that nobody named, as many as the last argument says."""
    *groups, count = known
    taken = {card for group in groups for card in group or ()}
    return [card for card in DECK if card not in taken][:count]


class Table:
    """One round's session. `when`: what is said besides, at `shuffled`, `bets`, `dealt`, `window 1` to `window 3`, `turn`
    (between turn and river), `revealed`."""

    def __init__(
        self,
        *,
        low: int | None = None,
        high: int | None = None,
        trips: tuple[int | None, int | None] = (None, None),
    ) -> None:
        self.pen = Scribe("vectors/CH-01", "2026-11-28")
        self.envelopes: list[Envelope] = []
        limits = {}
        if trips != (None, None):
            limits = {"trips": ((trips[0] or 0) * CROWN, (trips[1] if trips[1] is not None else 10**6) * CROWN)}
        self.say(
            tb.TableOpened(
                "casino_holdem", "CH", "CZK", min=(low if low is not None else 1) * CROWN,
                max=(high if high is not None else 10**6) * CROWN, limits=limits, seats=6,
            )
        )  # fmt: skip
        self.at: dict[str, list[Callable[[], Iterable[Event]]]] = {}
        self.stakes = 0
        self.by_spot: dict[tuple[int, str], str] = {}
        self.owners: dict[int, str] = {1: "p-1"}
        self.laid: list[tuple[str, str]] = []
        self.steps: tuple[str, ...] = ("wash", "piles", "riffle")
        self.burns = {"flop": 1, "turn": 1}
        self.flop = 3
        self.swap: dict[int, str] = {}
        self.extra: dict[str, int] = {}
        self.cut_short = False

    def say(self, event: Event, after_s: float = 1.0) -> None:
        """One record."""
        self.envelopes.append(self.pen.say(event, after_s))

    def when(self, moment: str, act: Callable[[], Iterable[Event]]) -> None:
        """Something more at a moment of the round."""
        self.at.setdefault(moment, []).append(act)

    def _moment(self, name: str) -> None:
        for act in self.at.get(name, ()):
            for event in act():
                self.say(event)

    # What a vector adds

    def chips(
        self, box: int, spot: str, amount: int, *, kind: str = "value", announced: int | None = None, late: str = ""
    ) -> Callable[[], Iterable[Event]]:
        """Chips on a spot; `late`: the stake's id."""

        def act() -> Iterable[Event]:
            name = late or self._new(box, spot)
            said = announced * CROWN if announced is not None else None
            yield bg.StakePlaced(
                name, self.owners[box], box, spot, amount * CROWN, chip_kind=kind, announced=said,  # type: ignore[arg-type]
            )  # fmt: skip

        return act

    def take_up(self, box: int, spot: str, amount: int) -> Callable[[], Iterable[Event]]:
        """Chips taken up again."""
        return lambda: [bg.StakeTakenUp(self.by_spot[box, spot], self.owners[box], amount * CROWN)]

    def look(self, box: int) -> Callable[[], Iterable[Event]]:
        """Its player looks at the cards of a box."""
        return lambda: [bg.CardsViewed(box, self.owners[box])]

    def _new(self, box: int, spot: str) -> str:
        self.stakes += 1
        name = self.by_spot[box, spot] = f"k{self.stakes}"
        return name

    # The round

    def round(
        self,
        boxes: Sequence[Given],
        dealer: Sequence[str] = (),
        board: Sequence[str] = (),
        *,
        actual: dict[str, int] | None = None,
    ) -> None:
        """The round from the shuffle to its close; settled as `actual` says (spot → net), else left unsettled."""
        self.owners = {box["box"]: box["owner"] for box in boxes}
        self._cards(boxes, dealer, board)
        for step in self.steps:
            self.say(tb.ShuffleStep(step, "d-1"))  # type: ignore[arg-type]
        self._moment("shuffled")
        self.pen.round = "1"
        self.say(tb.RoundOpened())
        self._bets(boxes)
        self._moment("bets")
        self._deal(boxes)
        self._moment("dealt")
        self._window(1, boxes)
        self._street("flop", self.flop, self.burns["flop"])
        self._window(2, boxes)
        self._street("turn", 2, self.burns["turn"])
        self._window(3, boxes)
        self.say(bg.DealerTurned(tuple(self.dealer)))
        self._moment("revealed")
        if actual is not None:
            for spot, net in actual.items():
                self._settled(spot, net)
        self.say(tb.RoundClosed())
        self.pen.round = None

    def _cards(self, boxes: Sequence[Given], dealer: Sequence[str], board: Sequence[str]) -> None:
        named = [box["player"] for box in boxes if box.get("player")]
        rest = filler(*named, dealer, board, 52)
        self.dealer = list(dealer) or [rest.pop() for _ in range(2)]
        self.board = list(board) or [rest.pop() for _ in range(5)]
        self.own = {box["box"]: list(box.get("player") or ()) or [rest.pop() for _ in range(2)] for box in boxes}
        self.rest = rest

    def _bets(self, boxes: Sequence[Given]) -> None:
        for box in boxes:
            own = [other for other in boxes if other["owner"] == box["owner"]]
            if len(own) > 1 and box["seen"]:
                self.say(ch.SeenBoxAnnounced(box["owner"], box["box"]))
            for spot in SPOTS:
                if box[spot]:
                    for event in self.chips(box["box"], spot, box[spot])():
                        self.say(event)

    def _deal(self, boxes: Sequence[Given]) -> None:
        order = [f"box/{box['box']}" for box in sorted(boxes, key=lambda box: box["box"])]
        for turn in range(2):
            for place in order:
                self._lay(place, self.own[int(place[4:])][turn], "down")
                for _ in range(self.extra.get(place, 0) if turn else 0):
                    self._lay(place, self.rest.pop(), "down")
            if turn == 0 and "box/empty" in self.extra:
                self._lay("box/6", self.rest.pop(), "down")
            self._lay("dealer", self.dealer[turn], "up" if turn == 0 else "down")
        for _ in range(self.extra.get("dealer", 0)):
            self._lay("dealer", self.rest.pop(), "down")

    def _lay(self, place: str, card: str, face: str) -> None:
        seq = len(self.laid) + 1
        card = self.swap.get(seq, card)
        self.laid.append((place, card))
        if place == "burn":
            self.say(tb.CardBurned(seq=seq))
        else:
            self.say(bg.CardLaid(place, card, face, seq))  # type: ignore[arg-type]

    def _street(self, street: str, count: int, burns: int) -> None:
        for _ in range(burns):
            self._lay("burn", self.rest.pop(), "down")
        first = 0 if street == "flop" else 3
        for number in range(count):
            card = (
                self.board[first + number]
                if first + number < 5 and (street == "turn" or number < 3)
                else self.rest.pop()
            )
            place = street if street == "flop" or number == 0 else "river"
            self._lay(place, card, "up")
            if street == "turn" and number == 0:
                self._moment("turn")

    def _window(self, number: int, boxes: Sequence[Given]) -> None:
        for box in boxes:
            play = box.get("play")
            if play and play_of(play)[0] == number:
                for event in self.chips(box["box"], "play", play_of(play)[1])():
                    self.say(event)
        self._moment(f"window {number}")
        for box in boxes if number == 3 else ():
            if box.get("fold"):
                self.say(bg.Decided(box["box"], "fold"))

    def _settled(self, spot: str, net: int) -> None:
        stake = self.by_spot.get((1, spot))
        if stake is None:
            return
        if net > 0:
            self.say(tb.ChipsMoved("float", "player/p-1", net * CROWN, "win", stake))
        elif net < 0:
            self.say(tb.ChipsMoved(f"box/{stake}", "float", -net * CROWN, "take", stake))
        else:
            amount = next(
                env.data["amount"] for env in self.envelopes if env.data.get("stake") == stake and "spot" in env.data
            )
            self.say(tb.ChipsMoved(f"box/{stake}", "player/p-1", amount, "return", stake))

    def close(self) -> list[Envelope]:
        """The whole session."""
        self.say(tb.TableClosed())
        self.say(tb.SourceEnded())
        return self.envelopes

    # What came of it

    def hands(self, box: int) -> Hands:
        """Both hands of a box."""
        return compare(self.own[box], self.dealer, self.board)

    def positions(self) -> dict[str, int | list[int]]:
        """Where the cards came off the deck: name → place, counted from 1."""
        places: dict[str, list[int]] = {}
        for seq, (place, _card) in enumerate(self.laid, 1):
            places.setdefault(place, []).append(seq)
        boxes = sorted(place for place in places if place.startswith("box/"))
        return {
            "dealer_up": places["dealer"][0], "dealer_hole": places["dealer"][1], "burn1": places["burn"][0],
            "flop": places["flop"], "burn2": places["burn"][1], "turn": places["turn"][0], "river": places["river"][0],
            "first": [places[box][0] for box in boxes], "second": [places[box][1] for box in boxes],
        }  # fmt: skip


def play_of(play: Any) -> tuple[int, int]:
    """Window and amount of a Play, as an adapter or a vector says it."""
    if isinstance(play, dict):
        return play["window"], play.get("amount", play.get("placed", 0))
    window, amount = play
    return window, amount


# Irregularities by their keys (CH-A14, CH-12) -------------------------------------------------------------------------


def _burns(count: int) -> Callable[[Table, Given], None]:
    def irregular(table: Table, given: Given) -> None:
        table.burns["turn" if given.get("before") in ("turn", "river") else "flop"] = count

    return irregular


def _shown(place: str, moment: str) -> Callable[[Table, Given], None]:
    def irregular(table: Table, given: Given) -> None:
        where = f"box/{given.get('box', 1)}" if place == "box" else place
        table.when(moment, lambda: [bg.CardShown("deal", place=where)])

    return irregular


def _extra(place: str) -> Callable[[Table, Given], None]:
    def irregular(table: Table, given: Given) -> None:
        table.extra[f"box/{given.get('box', 1)}" if place == "box" else place] = 1

    return irregular


def _stray(table: Table, _given: Given) -> None:
    """Noticed at once: cards back, shuffled, dealt anew."""
    table.extra["box/empty"] = 1

    def again() -> Iterable[Event]:
        yield bg.RedealOrdered()
        for step in table.steps:
            yield tb.ShuffleStep(step, "d-1")  # type: ignore[arg-type]
        table.laid.clear()
        table.extra.clear()

    def deal() -> Iterable[Event]:
        table._deal([{"box": box} for box in table.owners])
        return ()

    table.when("dealt", again)
    table.when("dealt", deal)


def _fouled(table: Table, _given: Given) -> None:
    table.swap[1] = "Qs"
    table.swap[3] = "Qs"


def _reshuffle(table: Table, _given: Given) -> None:
    table.when("window 3", lambda: [bg.ShuffleOrdered(role="management")])


def _flop_of_four(table: Table, _given: Given) -> None:
    table.flop = 4


def _boxed(table: Table, _given: Given) -> None:
    def come_upon() -> Iterable[Event]:
        seq = len(table.laid) + 1
        card = table.rest.pop()
        table.laid.append(("deck", card))
        return [bg.CardShown("deck", card, "flop", seq=seq)]

    table.when("window 1", come_upon)


def _no_piles(table: Table, _given: Given) -> None:
    table.steps = ("wash", "riffle")


def _talked(table: Table, _given: Given) -> None:
    table.when("window 1", lambda: [bg.ConductNoted("agreement", ("p-1", "p-2"))])


IRREGULAR: dict[str, Callable[[Table, Given], None]] = {
    "player_card_exposed": _shown("box", "dealt"),
    "dealer_hole_exposed": _shown("dealer", "window 3"),
    "board_exposed_early": _shown("turn", "window 2"),
    "box_wrong_count": _extra("box"),
    "dealer_wrong_count": _extra("dealer"),
    "card_to_empty_box": _stray,
    "board_wrong_count": _flop_of_four,
    "burn_omitted": _burns(0),
    "burn_doubled": _burns(2),
    "fouled_deck": _fouled,
    "boxed_card": _boxed,
    "reshuffle_mid_round": _reshuffle,
    "shuffle_breach": _no_piles,
    "collusion": _talked,
}
MOMENTS = {
    "shuffle_breach": ("shuffle_incomplete",),
    "collusion": ("agreement",),
    "board_wrong_count": ("board_exposed_early",),
}
"""Irregularity → the codes of our findings, where they are other words."""
