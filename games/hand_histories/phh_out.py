"""PHH written: a hand's facts to the text that `phh` reads back as an equal hand.

What only the file had (event, place, a site's own fields) comes from the text in `HandImported`; everything that is
played, posted, dealt and paid comes from the facts, so that a correction shows in what is written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, NamedTuple

from msgspec import Struct

from events.errors import Refused
from events.schema.common import TableOpened
from events.schema.fact import Fact
from events.schema.order import Ordered
from events.schema.ours import HandImported
from events.values.money import MINOR_PER_MAJOR
from games.adjudicate import Case, blocks, steps
from games.hand_histories.phh import CHIP, FORMAT, read_document
from games.registry import Rooms
from games.shared.poker.events import (
    ActionTaken,
    BoardDealt,
    ButtonPlaced,
    CardDealt,
    ChipsPushed,
    GestureMade,
    HandMucked,
    HandsDealt,
    HandShown,
    HoleDealt,
    LineUp,
    PlayerDealtIn,
    Posted,
    StakesAnnounced,
    WordsSpoken,
)
from games.shared.poker.hand import Hand

_ORDER = (
    "variant", "ante_trimming_status", "antes", "blinds_or_straddles", "bring_in", "small_bet", "big_bet", "min_bet",
    "starting_stacks", "actions", "author", "event", "url", "venue", "address", "city", "region", "postal_code",
    "country", "time", "time_zone", "day", "month", "year", "hand", "level", "seats", "seat_count", "table", "players",
    "finishing_stacks", "winnings", "currency", "currency_symbol", "time_limit", "time_banks",
)  # fmt: skip
"""The format's own fields in the order of its description; a site's own come after."""

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_ANTES = ("ante", "big_blind_ante", "button_ante", "dead_small_blind", "dead_big_blind")


_APART = (WordsSpoken, ChipsPushed, GestureMade)
"""Records that make an action together."""


class WrittenHand(Struct, frozen=True):
    """One hand: the name of its round, and its fields in order of writing."""

    round: str
    fields: dict[str, Any]

    @property
    def text(self) -> str:
        """The hand as a `.phh` file has it."""
        return "".join(f"{_key(name)} = {_value(value)}\n" for name, value in self.fields.items())


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


def hands_of(ordered: Ordered, acts: Acts | None = None) -> Iterator[WrittenHand]:
    """The hands of a hold'em session in order; rounds in which nobody was dealt in are left out.

    `acts`: those of `acts_of`, for tables where words and chips are records of their own.

    Raises:
        Refused: a hand that the format cannot hold (no blinds were announced).
    """
    opened: HandImported | TableOpened | None = None
    stakes: StakesAnnounced | None = None
    for name, facts in blocks(ordered):
        for fact in facts:
            if isinstance(fact.event, HandImported | TableOpened):
                opened = opened or fact.event
            elif isinstance(fact.event, StakesAnnounced):
                stakes = fact.event
        if name is None or not any(isinstance(fact.event, PlayerDealtIn | LineUp) for fact in facts):
            continue
        if stakes is None:
            raise Refused(f"round {name} of {facts[0].subject} has no stakes on record; PHH needs the blinds")
        yield WrittenHand(name, _fields(_Told(facts, stakes, acts or {}), opened))


def write_file(hands: Iterable[WrittenHand]) -> Iterator[str]:
    """A `.phhs` file in pieces: sections numbered from 1."""
    for number, hand in enumerate(hands, 1):
        yield f"{'' if number == 1 else chr(10)}[{number}]\n{hand.text}"


class _Told:
    """A hand's facts gathered: who sits where, what was posted, the actions in the format's words."""

    def __init__(self, facts: Sequence[Fact], stakes: StakesAnnounced, acts: Acts) -> None:
        self.stakes = stakes
        self._acts = acts
        self.players: dict[int, PlayerDealtIn] = {}
        self.antes: dict[int, int] = {}
        self.blinds: dict[int, Posted] = {}
        self.button = 0
        self.due: dict[int, int] = {}
        self.back: dict[int, int] = {}
        self.won: dict[int, int] = {}
        self.put: dict[int, int] = {}
        self.is_settled = False
        self.actions: list[str] = []
        self._front: dict[int, int] = {}
        self._dealt: dict[str, list[str]] = {}
        for fact in facts:
            if isinstance(fact.event, PlayerDealtIn):
                self.players[fact.event.seat] = fact.event
            elif isinstance(fact.event, LineUp):
                one = fact.event
                for seat, player, stack in zip(one.seats, one.players, one.stacks, strict=False):
                    self.players[seat] = PlayerDealtIn(seat, player, stack)
                if one.button is not None:
                    button = ButtonPlaced(one.button, one.small_blind, one.big_blind)
                    self.button, self.due = one.button, _blinds_due(button, stakes)
            elif isinstance(fact.event, ButtonPlaced):
                self.button = fact.event.seat
                self.due = _blinds_due(fact.event, stakes)
        seats = sorted(self.players)
        after = [seat for seat in seats if seat > self.button]
        self.seats = [*after, *[seat for seat in seats if seat <= self.button]]
        self._name = {seat: f"p{number}" for number, seat in enumerate(self.seats, 1)}
        for fact in facts:
            self._take(fact)
        self._lay_down()

    def _take(self, fact: Fact) -> None:
        event = fact.event
        for move in event.moves() if event.MOVES else ():
            self._count(move.frm, move.to, int(move.amount), move.cause)
        if isinstance(event, CardDealt):
            to = event.to.partition("/")[2]
            if to or event.to in ("flop", "turn", "river"):
                where = f"d dh {self._name.get(int(to), to)}" if to else f"d db {event.to}"
                self._dealt.setdefault(where, []).append(event.card)
            return
        self._lay_down()
        for act in self._acts.get(fact.cite, ()) if self._acts else ():
            self._front[act.seat] = act.total or self._front.get(act.seat, 0)
            self._say(act.seat, act.what, str(_number(act.total)) if act.what == "cbr" else "")
        if isinstance(event, Posted) and event.seat in self._name:
            self._post(event)
        elif isinstance(event, HandsDealt):
            for number, seat in enumerate(event.seats):
                self._say(seat, "dh", "".join(event.cards[number :: len(event.seats)]))
        elif isinstance(event, HoleDealt):
            self._say(event.seat, "dh", "".join(event.cards))
        elif isinstance(event, BoardDealt):
            self._street(event.cards)
        elif isinstance(event, ActionTaken):
            self._act(event)
        elif isinstance(event, HandShown):
            self._say(event.seat, "sm", "".join(event.cards) or "-")
        elif isinstance(event, HandMucked):
            self._say(event.seat, "sm", "".join(event.cards))

    def _lay_down(self) -> None:
        """Cards dealt one by one, told at once."""
        dealt, self._dealt = self._dealt, {}
        for where, cards in sorted(dealt.items()):
            if where.startswith("d dh"):
                self.actions.append(f"{where} {''.join(cards)}")
            else:
                self._street(tuple(cards))

    def _street(self, cards: Sequence[str]) -> None:
        self._front = {}
        self.actions.append(f"d db {''.join(cards)}")

    def _post(self, event: Posted) -> None:
        if event.kind in _ANTES:
            self.antes[event.seat] = self.antes.get(event.seat, 0) + event.amount
        else:
            self.blinds[event.seat] = event
            self._front[event.seat] = self._front.get(event.seat, 0) + event.amount

    def _act(self, event: ActionTaken) -> None:
        front = self._front.get(event.seat, 0) + event.amount
        most = max([self.stakes.big_blind if self._is_before_flop() else 0, *self._front.values()])
        self._front[event.seat] = front
        if event.action == "fold":
            self._say(event.seat, "f")
        elif event.action in ("check", "call") or (event.action == "all_in" and front <= most):
            self._say(event.seat, "cc")
        else:
            self._say(event.seat, "cbr", str(_number(front if event.to is None else event.to)))

    def _is_before_flop(self) -> bool:
        return not any(action.startswith("d db") for action in self.actions)

    def _say(self, seat: int, what: str, more: str = "") -> None:
        name = self._name.get(seat)
        if name is not None:
            self.actions.append(f"d dh {name} {more}" if what == "dh" else f"{name} {what} {more}".rstrip())

    def _count(self, frm: str, to: str, amount: int, cause: str) -> None:
        if to == "pot" and frm.startswith("seat/"):
            self.put[int(frm[5:])] = self.put.get(int(frm[5:]), 0) + amount
        elif frm == "pot":
            self.is_settled = True
            if to.startswith("seat/"):
                seat = int(to[5:])
                self.back[seat] = self.back.get(seat, 0) + amount
                if cause == "award":
                    self.won[seat] = self.won.get(seat, 0) + amount

    def in_list_order(self) -> list[int]:
        """Seats in the order of the lists of antes and blinds: small blind first."""
        return self.seats[::-1] if len(self.seats) == 2 else self.seats

    def whole(self, seat: int, paid: int, due: int) -> int:
        """What was due of a post, where the stack did not reach."""
        stack = self.players[seat].stack
        before = self.antes.get(seat, 0)
        return due if stack is not None and paid < due and stack in (paid, paid + before) else paid


def _fields(told: _Told, opened: HandImported | TableOpened | None) -> dict[str, Any]:
    file = read_document(opened.text) if isinstance(opened, HandImported) and opened.format == FORMAT else {}
    stakes = told.stakes
    order = told.in_list_order()
    stacks = [told.players[seat].stack for seat in told.seats]
    found: dict[str, Any] = {
        "variant": stakes.variant or ("FT" if stakes.betting == "fixed_limit" else "NT"),
        "ante_trimming_status": stakes.ante_by == "each",
        "antes": [_number(_ante(told, seat)) for seat in order],
        "blinds_or_straddles": [_number(_blind(told, seat)) for seat in order],
        **_least_bets(stakes),
        "starting_stacks": [Decimal("inf") if stack is None else _number(stack) for stack in stacks],
        "actions": told.actions,
        "seats": told.seats,
        "players": [told.players[seat].player for seat in told.seats],
    }
    if told.is_settled and None not in stacks:
        found["finishing_stacks"] = [
            _number((told.players[seat].stack or 0) - told.put.get(seat, 0) + told.back.get(seat, 0))
            for seat in told.seats
        ]
        found["winnings"] = [_number(told.won.get(seat, 0)) for seat in told.seats]
    if file:
        played = ("variant", "antes", "blinds_or_straddles", "starting_stacks", "actions")
        kept = [name for name in ("seats", "players", "finishing_stacks") if name in file and name in found]
        if "players" in kept:  # somebody without a name has an id only because an event needs one
            found["players"] = [known and ours for known, ours in zip(file["players"], found["players"], strict=True)]
        found = file | {name: found[name] for name in (*played, *kept)}
    elif isinstance(opened, TableOpened | HandImported):
        found["currency"] = opened.currency
        if opened.smallest_chip:
            found[CHIP] = _number(opened.smallest_chip)  # the format has no field for it; odd chips need it
    return {name: found[name] for name in (*_ORDER, *found) if name in found}


def _least_bets(stakes: StakesAnnounced) -> dict[str, int | Decimal]:
    if stakes.betting != "fixed_limit":
        return {"min_bet": _number(stakes.big_blind)}
    small = stakes.small_bet or stakes.big_blind
    return {"small_bet": _number(small), "big_bet": _number(stakes.big_bet or 2 * small)}


def _blinds_due(button: ButtonPlaced, stakes: StakesAnnounced) -> dict[int, int]:
    due = {}
    if button.small_blind is not None:
        due[button.small_blind] = stakes.small_blind
    if button.big_blind is not None:
        due[button.big_blind] = stakes.big_blind
    return due


def _ante(told: _Told, seat: int) -> int:
    return told.whole(seat, told.antes.get(seat, 0), told.stakes.ante) if seat in told.antes else 0


def _blind(told: _Told, seat: int) -> int:
    """What was due; a newcomer's post is written as negative."""
    post = told.blinds.get(seat)
    if post is None:  # the ante took all that he had
        return told.due.get(seat, 0) if told.players[seat].stack == told.put.get(seat) else 0
    due = told.stakes.small_blind if post.kind == "small_blind" else told.stakes.big_blind
    if post.kind == "straddle":
        due = 2 * told.stakes.big_blind
    amount = told.whole(seat, post.amount, due)
    return -amount if post.kind in ("extra_blind", "missed_big_blind") else amount


# --- TOML ---


def _number(minor: int) -> int | Decimal:
    """Whole units as an integer, others as a decimal."""
    whole, part = divmod(minor, MINOR_PER_MAJOR)
    return whole if not part else Decimal(minor).scaleb(-2).normalize()


def _key(name: str) -> str:
    return name if _BARE_KEY.fullmatch(name) else _string(name)


def _string(text: str) -> str:
    if "'" not in text and text.isprintable():
        return f"'{text}'"
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, Decimal):
        if not value.is_finite():
            return str(value).lower().replace("infinity", "inf")
        text = format(value, "f")
        return text if "." in text else f"{text}.0"
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_key(name)} = {_value(item)}' for name, item in value.items())}}}"
    return str(value)
