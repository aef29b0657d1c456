"""A hand in a dozen lines, as the record tells it: who sat where, the blinds, each street with what was done on it, the
showdown, what was paid.

What is plain is told shortly (`seat 4 calls 100`). Where words and chips are not the plain ones (chips before the word,
several motions, one silent chip, a foreign language) each is told in its order, with the time between: that is what
players quarrel about. Nothing is judged here; what an action counts for is said by the verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from events.schema.common import CardBurned, ChipsMoved, CutMade, RoundClosed, RoundOpened, ShuffleStep
from events.schema.event import Event, Undecoded
from events.schema.fact import Fact
from events.values.cards import UNKNOWN, cards_text
from events.values.money import money_text
from events.values.places import POT, RAKE, name
from games.picture import Known, Viewpoint
from games.protocol import Passage
from games.shared.poker import events as pk
from games.shared.poker.ranks import hand_name
from games.shared.poker.wording import tell
from games.sight import learn, masked
from games.wording import common

_SILENT = (
    CardBurned, CutMade, RoundClosed, RoundOpened, ShuffleStep, pk.HandsDealt, pk.HoleDealt, pk.StackCounted,
    pk.WinnerAnnounced,
)  # fmt: skip
_EVERYBODY = Viewpoint()
_STREETS = ("flop", "turn", "river")
_ACTS = (pk.WordsSpoken, pk.ChipsPushed, pk.GestureMade, pk.ActionTaken)
_STATUS = {"new": "new", "returning": "back again", "moved": "moved here", "absent": "absent"}
_WHOLE_BOARD = 5
_OWN_CARDS = 2
Act = pk.WordsSpoken | pk.ChipsPushed | pk.GestureMade | pk.ActionTaken


def story(facts: Sequence[Fact], currency: str) -> tuple[Passage, ...]:
    """The hand of these facts (one round, in table order), street by street; amounts do not name their currency.

    Of cards only those are named that lay open.
    """
    teller = _Teller(currency)
    for fact in facts:
        teller.hear(fact)
    return teller.passages()


class Odd(Struct, frozen=True):
    """One seat's action whose words and chips are not the plain ones: its records, and what was said and pushed."""

    seat: int
    facts: tuple[Fact, ...]
    text: str


def odd_actions(facts: Sequence[Fact], currency: str) -> tuple[Odd, ...]:
    """The actions of these facts (one round, in table order) that are told word for word."""
    teller = _Teller(currency)
    for fact in facts:
        teller.hear(fact)
    teller.passages()
    return tuple(teller.odd)


class _Part(Struct):
    """A passage being told; `lead`: the cards of a street and the pot when they came."""

    head: str
    at: int
    lead: str = ""
    cards: list[str] = []
    said: list[str] = []


class _Spot(Struct, frozen=True):
    """Where a seat stands when it acts: chips in front of it in this round, the most in front of anybody, its stack
    (None: not known)."""

    front: int
    high: int
    stack: int | None


class _Teller:
    """Hears a hand record by record and says it street by street."""

    def __init__(self, currency: str) -> None:
        self._currency = currency
        self._at = 0
        self._known: Known = frozenset()
        self._seats: list[str] = []
        self._parts: list[_Part] = []
        self._boards: dict[int, list[str]] = {}
        self._alike: tuple[str, list[int]] = ("", [])
        self._acts: list[Fact] = []
        self.odd: list[Odd] = []
        self._front: dict[int, int] = {}
        self._stacks: dict[int, int | None] = {}
        self._pot = self._told_pot = 0

    def hear(self, fact: Fact) -> None:
        """One record, as everybody at the table could see it."""
        self._known = learn(self._known, fact.event, _EVERYBODY)
        event, _hidden = masked(fact.event, _EVERYBODY, self._known)
        self._at = fact.occurred_at
        if isinstance(event, _ACTS):
            if self._acts and _act(self._acts[-1]).seat != event.seat:
                self._flush()
            self._acts.append(fact)
        elif not isinstance(event, _SILENT):
            self._flush()
            self._other(event)
        for move in getattr(event, "moves", tuple)():
            self._pot += move.amount * ((move.to == POT) - (move.frm == POT))

    def passages(self) -> tuple[Passage, ...]:
        """All that was heard."""
        self._flush()
        self._tell_alike()
        told = [
            Passage(part.head, part.at, ": ".join(filter(None, (part.lead, "; ".join(part.said)))))
            for part in self._parts
            if part.said or part.lead
        ]
        if self._seats:
            at = self._parts[0].at if self._parts else self._at
            told.insert(0, Passage("seats", at, ", ".join(self._seats)))
        return tuple(told)

    # --- where it is said ---

    def _part(self, head: str) -> _Part:
        """The part of that heading, the last one if it is that."""
        if not self._parts or self._parts[-1].head != head:
            self._tell_alike()
            self._parts.append(_Part(head, self._at))
        return self._parts[-1]

    def _under(self, head: str, text: str) -> None:
        """Into the part of that heading."""
        part = self._part(head)
        self._tell_alike()
        part.said.append(text)

    def _say(self, text: str) -> None:
        """Into the part that is being told."""
        self._under(self._parts[-1].head if self._parts else "before", text)

    def _tell_alike(self) -> None:
        """Neighbours who did the same are told together."""
        what, seats = self._alike
        if seats:
            self._alike = ("", [])
            self._parts[-1].said.append(f"{_seats(seats)} {what if len(seats) == 1 else what.removesuffix('s')}")

    # --- what is no action ---

    def _other(self, event: Event | Undecoded) -> None:
        if isinstance(event, pk.PlayerDealtIn | pk.LineUp | pk.ButtonPlaced | pk.Posted):
            self._seated(event)
        elif isinstance(event, pk.CardDealt):
            self._card(event)
        elif isinstance(event, pk.BoardDealt) and not event.rabbit:
            self._on_board(event.street, event.board, event.cards)
        elif isinstance(event, pk.HandShown):
            self._under("showdown", self._tabled(event))
        elif isinstance(event, pk.HandMucked):
            self._under("showdown", f"seat {event.seat} mucks")
        elif isinstance(event, ChipsMoved):
            self._moved(event)
        elif said := (
            "" if isinstance(event, Undecoded) else tell(event, self._currency) or common(event, self._currency)
        ):
            self._say(said)

    def _seated(self, event: pk.PlayerDealtIn | pk.LineUp | pk.ButtonPlaced | pk.Posted) -> None:
        if isinstance(event, pk.PlayerDealtIn):
            how = f" ({_STATUS[event.status]})" if event.status in _STATUS else ""
            self._seats.append(f"{event.seat} {event.player}{how}")
            self._stacks[event.seat] = event.stack
        elif isinstance(event, pk.LineUp):
            for seat, player, stack in zip(event.seats, event.players, event.stacks, strict=False):
                self._seats.append(f"{seat} {player}")
                self._stacks[seat] = stack
            if event.button:
                self._under("blinds", f"button at seat {event.button}")
        elif isinstance(event, pk.ButtonPlaced):
            self._under("blinds", f"button at seat {event.seat}{': ' + event.why if event.why else ''}")
        else:
            self._puts_in(event.seat, event.amount)
            self._under("blinds", f"seat {event.seat} {event.kind.replace('_', ' ')} {_plain(event.amount)}")

    def _puts_in(self, seat: int, amount: int) -> None:
        self._front[seat] = self._front.get(seat, 0) + amount
        stack = self._stacks.get(seat)
        self._stacks[seat] = None if stack is None else stack - amount

    def _card(self, event: pk.CardDealt) -> None:
        if event.to in _STREETS:
            self._on_board(event.to, event.board, (event.card,))
        elif event.to.startswith("seat/"):
            self._part("deal")
            if event.purpose or event.boxed or event.face == "up":
                self._say(tell(event, self._currency))

    def _on_board(self, street: str, board: int, cards: Sequence[str]) -> None:
        head = street if board == 1 else f"{street} {board}"
        if not self._parts or self._parts[-1].head != head:
            self._front = {}
        part = self._part(head)
        part.cards += cards
        pot = f", pot {_plain(self._pot)}" if self._pot != self._told_pot or "pot" in part.lead else ""
        self._told_pot = self._pot
        part.lead = cards_text(part.cards) + pot
        self._boards.setdefault(board, []).extend(cards)

    def _tabled(self, event: pk.HandShown) -> str:
        said = f"seat {event.seat} {cards_text(event.cards)}"
        named = []
        for board in self._boards.values():
            whole = (*event.cards, *board)
            known = len(event.cards) == _OWN_CARDS and len(board) == _WHOLE_BOARD and UNKNOWN not in whole
            if known and len(set(whole)) == len(whole):
                named.append(hand_name(whole))
        return said + (f" ({'; '.join(named)})" if named else "")

    def _moved(self, event: ChipsMoved) -> None:
        amount = _plain(event.amount)
        if event.frm == POT and event.to == RAKE:
            self._under("paid", f"rake {amount}")
        elif event.frm == POT and event.cause == "award":
            self._under("paid", f"{amount} to seat {name(event.to)}")
        elif event.frm == POT and event.to.startswith("seat/"):
            self._say(f"{amount} go back to seat {name(event.to)}")
        else:
            self._say(common(event, self._currency))

    # --- actions ---

    def _flush(self) -> None:
        """The records of one seat's action, said as one."""
        facts, self._acts = tuple(self._acts), []
        if not facts:
            return
        if not self._parts or self._parts[-1].head in ("blinds", "deal"):
            self._part("preflop").at = facts[0].occurred_at
        acts = [_act(fact) for fact in facts]
        seat = acts[0].seat
        high = max(self._front.values(), default=0)
        spot = _Spot(self._front.get(seat, 0), high, self._stacks.get(seat))
        said = _plainly(acts, spot)
        if not said:
            said = _in_order(facts)
            self.odd.append(Odd(seat, facts, said))
        self._puts_in(seat, sum(act.amount or 0 for act in acts if isinstance(act, pk.ChipsPushed | pk.ActionTaken)))
        if said not in ("folds", "checks"):
            self._say(f"seat {seat} {said}")
            return
        if said != self._alike[0]:
            self._tell_alike()
            self._alike = (said, [])
        self._alike[1].append(seat)


def _act(fact: Fact) -> Act:
    event = fact.event
    assert isinstance(event, _ACTS)
    return event


def _plainly(acts: Sequence[Act], spot: _Spot) -> str:
    """An action with nothing to quarrel about, in two or three words; empty if it is none."""
    first = acts[0]
    if len(acts) == 1:
        return _single(first, spot)
    if len(acts) != 2 or not isinstance(first, pk.WordsSpoken) or first.language:
        return ""
    chips = acts[1]
    if not isinstance(chips, pk.ChipsPushed):
        return ""
    push, total = chips.amount, spot.front + chips.amount
    whole = push == spot.stack
    if first.word == "call" and (total == spot.high or (whole and total < spot.high)):
        return f"calls {_plain(push)}{', all in' if whole else ''}"
    if first.word == "bet" and not spot.high and first.amount in (None, push):
        return f"bets {_plain(push)}{', all in' if whole else ''}"
    if first.word in ("raise", "complete") and first.measure != "by" and first.amount == total and total > spot.high:
        return f"raises to {_plain(total)}{', all in' if whole else ''}"
    return f"goes all in, {_plain(push)}" if first.word == "all_in" and whole else ""


def _single(act: Act, spot: _Spot) -> str:
    if isinstance(act, pk.ActionTaken):
        return _whole(act, spot.front)
    if isinstance(act, pk.WordsSpoken) and act.word == "fold" and not act.language:
        return "folds"
    tap = isinstance(act, pk.GestureMade) and act.gesture == "tap"
    if spot.front >= spot.high and (
        tap or (isinstance(act, pk.WordsSpoken) and act.word == "check" and not act.language)
    ):
        return "checks"
    return ""


def _whole(act: pk.ActionTaken, before: int) -> str:
    amount = act.amount or 0
    said = {
        "check": "checks", "fold": "folds", "call": f"calls {_plain(amount)}", "bet": f"bets {_plain(amount)}",
        "raise": f"raises to {_plain(act.to if act.to is not None else before + amount)}",
        "complete": f"completes to {_plain(act.to if act.to is not None else before + amount)}",
    }.get(act.action, f"goes all in, {_plain(amount)}")  # fmt: skip
    return said + (", all in" if act.all_in and act.action != "all_in" else "")


def _in_order(facts: Sequence[Fact]) -> str:
    """Word for word and motion for motion, with the seconds between."""
    said: list[str] = []
    last: int | None = None
    for fact in facts:
        at = fact.occurred_at
        gap = f"{(at - last) / 1000:.1f} s later " if last is not None and at != last else ""
        said.append(gap + _one(_act(fact)))
        last = at
    if len(facts) == 1 and isinstance(facts[0].event, pk.ChipsPushed):
        said.append("no word")
    return ", ".join(said)


def _one(act: Act) -> str:
    if isinstance(act, pk.WordsSpoken):
        word = "" if act.word == "amount" else act.word.replace("_", " ")
        amount = "" if act.amount is None else _plain(act.amount)
        spoken = " ".join(part for part in (word, act.measure, amount) if part)
        tongue = f" in language {act.language}" if act.language else ""
        literal = f" ({act.text})" if act.text and act.text.lower() != spoken else ""
        return f"says “{spoken}”{tongue}{literal}"
    if isinstance(act, pk.ChipsPushed):
        how = " in one chip" if len(act.chips) == 1 else f" in {len(act.chips)} chips" if act.chips else ""
        line = {True: ", over the line", False: ", not over the line", None: ""}[act.over_line]
        return f"pushes {_plain(act.amount)}{how}{line}"
    if isinstance(act, pk.GestureMade):
        return tell(act, "").removeprefix(f"seat {act.seat} ")
    return _whole(act, 0)


def _seats(seats: Iterable[int]) -> str:
    numbers = [str(seat) for seat in seats]
    return f"seat{'' if len(numbers) == 1 else 's'} {', '.join(numbers)}"


def _plain(amount_minor: int) -> str:
    """An amount without its currency."""
    return money_text(amount_minor, "").rstrip()
