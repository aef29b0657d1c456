"""A hand's facts gathered, to be written in any format: who sits where, what was posted, dealt, done, shown and paid.

Corrections are in the facts already, and words, chips and gestures of a real table count as what they settled
(`acts_of`), so that every writer tells the hand as it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from events.errors import Refused
from events.schema.common import SeatLeft, SeatTaken, TableOpened
from events.schema.event import Event
from events.schema.fact import Fact
from events.schema.order import Ordered
from events.schema.ours import HandImported
from events.values.places import FLOAT, POT, RAKE
from games.adjudicate import Case, steps
from games.blocks import blocks
from games.registry import Rooms
from games.shared.poker.events import (
    LIVE_POSTS,
    ActionTaken,
    AgreementMade,
    BoardDealt,
    ButtonPlaced,
    CardDealt,
    ChipsPushed,
    GestureMade,
    HandCashedOut,
    HandMucked,
    HandsDealt,
    HandShown,
    HoleDealt,
    LineUp,
    PlayerDealtIn,
    Posted,
    StakesAnnounced,
    TopUpAnnounced,
    WordsSpoken,
)
from games.shared.poker.hand import Hand

_BOARD = ("flop", "turn", "river")
_APART = (WordsSpoken, ChipsPushed, GestureMade)
"""Records that make an action together."""


class Act(NamedTuple):
    """An action as it counts: `what` is `f`, `cc` or `cbr`, `total` then lies in front of the seat (minor units)."""

    seat: int
    what: str
    total: int = 0


Acts = Mapping[str, Sequence[Act]]
"""Citation of a record → the actions that it made."""


def acts_of(case: Case, rooms: Rooms) -> dict[str, list[Act]]:
    """What the words, chips and gestures of a session count for, by its room's own fold.

    A whole `ActionTaken` tells itself; here stands what it settles besides (a word that waited for chips).

    Raises:
        Refused, EditionMissing, BadEdition: as `games.adjudicate.steps`.
    """
    found: dict[str, list[Act]] = {}
    if not any(isinstance(fact.event, _APART) for fact in case.ordered.facts):
        return found
    for step in steps(case, rooms):
        before, after = (getattr(one, "hand", None) for one in (step.before, step.session))
        if isinstance(before, Hand) and isinstance(after, Hand) and before.name == after.name:
            acts = _acts(before, after, own=isinstance(step.fact.event, ActionTaken))
            if acts:
                found[step.fact.cite] = acts
    return found


def _acts(before: Hand, after: Hand, *, own: bool) -> list[Act]:
    """What changed hands from one fact to the next; `own`: without the action that the fact itself tells."""
    count = after.actions - before.actions
    waited = [before.pending.place] if before.pending is not None and count > 1 - own else []
    places = waited if own else [*waited, after.latest][-count:] if count > 0 else []
    acts = []
    for place in places:
        if after.out[place] and not before.out[place]:
            acts.append(Act(after.seats[place], "f"))
            continue
        total = before.bets.front[place] + after.live[place] - before.live[place]
        acts.append(Act(after.seats[place], "cbr" if total > before.bets.to_match else "cc", total))
    return acts


What = Literal["hole", "board", "post", "fold", "check", "call", "bet", "raise", "show", "muck", "beside"]
BETTING: frozenset[str] = frozenset({"fold", "check", "call", "bet", "raise"})


class Step(NamedTuple):
    """One thing told. `paid`: chips put in; `total`: then in front of the seat, as the record says. `kind` of a post;
    `street` and `board` of board cards; `event` of what is no part of the play."""

    what: What
    seat: int = 0
    cards: tuple[str, ...] = ()
    paid: int = 0
    total: int = 0
    all_in: bool = False
    kind: str = ""
    street: str = ""
    board: int = 1
    event: Event | None = None


class Retold:
    """A hand's facts gathered. `players` by seat; `back`, `won`, `put` by seat: what left the pot for it, what of that
    was won, what it put in; `rakes` by the pot that its record names, in order; `bonus` from outside the pot;
    `added` to the pot by the house."""

    def __init__(self, name: str, facts: Sequence[Fact], opened: Fact | None, stakes: StakesAnnounced, acts: Acts):
        self.name = name
        self.facts = facts
        self.opened = None if opened is None else opened.event
        self._opened = opened
        self.stakes = stakes
        self.players: dict[int, PlayerDealtIn] = {}
        self.button: int | None = None
        self.small_blind: int | None = None
        self.big_blind: int | None = None
        self.steps: list[Step] = []
        self.back: dict[int, int] = {}
        self.won: dict[int, int] = {}
        self.put: dict[int, int] = {}
        self.bonus: dict[int, int] = {}
        self.rakes: list[tuple[str, int]] = []
        self.cashed: dict[int, HandCashedOut] = {}
        self.runs = 1
        self.added = 0
        self.is_settled = False
        self._acts = acts
        self._front: dict[int, int] = {}
        self._street = ""
        self._dealt: dict[tuple[str, int, int], list[str]] = {}
        for fact in facts:
            self._head(fact.event)
        for fact in facts:
            self._take(fact)
        self._lay_down()

    @property
    def address(self) -> str:
        """The round's address, as people cite it."""
        return f"{self.facts[0].subject}#{self.name}"

    @property
    def began_at(self) -> int:
        """When, in milliseconds since 1970; of an imported hand as its file says."""
        told = self._opened if self._opened is not None and self.imported is not None else self.facts[0]
        return told.occurred_at

    @property
    def imported(self) -> HandImported | None:
        """The record that brought the hand, if a file did."""
        return self.opened if isinstance(self.opened, HandImported) else None

    @property
    def seats(self) -> list[int]:
        """Seats clockwise from the first left of the button, which comes last."""
        seats, button = sorted(self.players), self.button or 0
        return [*(seat for seat in seats if seat > button), *(seat for seat in seats if seat <= button)]

    def _head(self, event: Any) -> None:
        if isinstance(event, PlayerDealtIn):
            if event.status != "absent":
                self.players[event.seat] = event
        elif isinstance(event, LineUp):
            for seat, player, stack in zip(event.seats, event.players, event.stacks, strict=False):
                self.players[seat] = PlayerDealtIn(seat, player, stack)
            if event.button is not None or event.big_blind is not None:
                self._button(event.button, event.small_blind, event.big_blind)
        elif isinstance(event, ButtonPlaced):
            self._button(event.seat, event.small_blind, event.big_blind)

    def _button(self, seat: int | None, small: int | None, big: int | None) -> None:
        self.button, self.small_blind, self.big_blind = seat, small, big

    def _take(self, fact: Fact) -> None:
        event = fact.event
        for move in event.moves() if event.MOVES else ():
            self._count(move.frm, move.to, int(move.amount), move.cause, move.stake)
        if isinstance(event, CardDealt):
            seat = event.to.partition("/")[2]
            if seat or event.to in _BOARD:
                self._dealt.setdefault((event.to, event.board, int(seat or 0)), []).append(event.card)
            return
        self._lay_down()
        for act in self._acts.get(fact.cite, ()) if self._acts else ():
            self._act(act)
        teller = _TELLERS.get(type(event))
        if teller is not None:
            teller(self, event)

    def _lay_down(self) -> None:
        """Cards dealt one by one, told at once."""
        if not self._dealt:
            return
        dealt, self._dealt = self._dealt, {}
        for (to, board, seat), cards in dealt.items():
            if seat:
                self._say(Step("hole", seat, tuple(cards)))
            else:
                self._board(to, tuple(cards), board)

    # --- by event ---

    def _say(self, step: Step) -> None:
        if step.seat in self.players or not step.seat or step.what == "beside":
            self.steps.append(step)

    def _board(self, street: str, cards: tuple[str, ...], board: int) -> None:
        self._front = {}
        self._street = street
        self.steps.append(Step("board", cards=cards, street=street, board=board))

    def _hole(self, event: HoleDealt) -> None:
        self._say(Step("hole", event.seat, event.cards))

    def _hands(self, event: HandsDealt) -> None:
        for number, seat in enumerate(event.seats):
            self._say(Step("hole", seat, event.cards[number :: len(event.seats)]))

    def _post(self, event: Posted) -> None:
        if event.kind in LIVE_POSTS:
            self._front[event.seat] = self._front.get(event.seat, 0) + event.amount
        self._say(Step("post", event.seat, paid=event.amount, kind=event.kind))

    @property
    def _most(self) -> int:
        """The bet to match: before the flop at least the whole big blind."""
        return max([0 if self._street else self.stakes.big_blind, *self._front.values()])

    def _action(self, event: ActionTaken) -> None:
        front, most = self._front.get(event.seat, 0) + event.amount, self._most
        self._front[event.seat] = front
        word: Any = event.action
        if word in ("all_in", "complete"):
            word = "call" if front <= most else "raise" if most else "bet"
        total = front if event.to is None else event.to
        self._say(Step(word, event.seat, paid=event.amount, total=total, all_in=event.all_in))

    def _act(self, act: Act) -> None:
        if act.what == "f":
            self._say(Step("fold", act.seat))
            return
        before, most = self._front.get(act.seat, 0), self._most
        paid, total = act.total - before, act.total
        self._front[act.seat] = total
        word: Any = "check" if not paid else "call" if act.what == "cc" else "raise" if most else "bet"
        self._say(Step(word, act.seat, paid=paid, total=total))

    def _shown(self, event: HandShown) -> None:
        self._say(Step("show", event.seat, event.cards))

    def _mucked(self, event: HandMucked) -> None:
        self._say(Step("muck", event.seat, event.cards))

    def _beside(self, event: Any) -> None:
        self._say(Step("beside", event.seat, event=event))

    def _agreed(self, event: AgreementMade) -> None:
        if event.what == "run_it":
            self.runs = event.runs

    def _cashed_out(self, event: HandCashedOut) -> None:
        self.cashed[event.seat] = event

    # --- chips ---

    def _count(self, frm: str, to: str, amount: int, cause: str, stake: str) -> None:
        if to == POT and frm.startswith("seat/"):
            self.put[int(frm[5:])] = self.put.get(int(frm[5:]), 0) + amount
        elif frm == POT:
            self.is_settled = True
            if to == RAKE:
                self.rakes.append((stake, amount))
            elif to.startswith("seat/"):
                seat = int(to[5:])
                self.back[seat] = self.back.get(seat, 0) + amount
                if cause == "award":
                    self.won[seat] = self.won.get(seat, 0) + amount
        elif frm == FLOAT and to == POT:
            self.added += amount
            self.steps.append(Step("beside", paid=amount))
        elif frm == FLOAT and cause == "win" and to.startswith("seat/"):
            self.bonus[int(to[5:])] = self.bonus.get(int(to[5:]), 0) + amount


_TELLERS: dict[Any, Callable[[Retold, Any], None]] = {
    HoleDealt: Retold._hole,
    HandsDealt: Retold._hands,
    BoardDealt: lambda retold, event: None if event.rabbit else retold._board(event.street, event.cards, event.board),
    Posted: Retold._post,
    ActionTaken: Retold._action,
    HandShown: Retold._shown,
    HandMucked: Retold._mucked,
    AgreementMade: Retold._agreed,
    HandCashedOut: Retold._cashed_out,
    TopUpAnnounced: Retold._beside,
    SeatTaken: Retold._beside,
    SeatLeft: Retold._beside,
}


def retell(ordered: Ordered, acts: Acts | None = None) -> Iterator[Retold]:
    """The hands of a hold'em session in order; rounds in which nobody was dealt in are left out.

    `acts`: those of `acts_of`, for tables where words and chips are records of their own.

    Raises:
        Refused: no stakes were announced, and every format needs the blinds.
    """
    opened: Fact | None = None
    stakes: StakesAnnounced | None = None
    for name, facts in blocks(ordered):
        for fact in facts:
            if isinstance(fact.event, HandImported | TableOpened):
                opened = opened or fact
            elif isinstance(fact.event, StakesAnnounced):
                stakes = fact.event
        if name is None or not any(isinstance(fact.event, PlayerDealtIn | LineUp) for fact in facts):
            continue
        if stakes is None:
            raise Refused(f"round {name} of {facts[0].subject} has no stakes on record; hand histories need the blinds")
        yield Retold(name, facts, opened, stakes, acts or {})


def joined(hands: Iterable[Any], between: Callable[[int], str]) -> Iterator[str]:
    """A file in pieces: each hand's text behind what stands before it, by its number from 1."""
    for number, hand in enumerate(hands, 1):
        yield between(number) + hand.text
