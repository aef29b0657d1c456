"""One hand as a hand history tells it, in the words of the poker events, and the records it becomes.

Common to all formats: a reader calls a `HandDraft` in the order of the hand; the draft keeps what histories leave out
(how much a call costs, which street a board card is) and judges nothing. Amounts are minor units, which for imported
hands are hundredths of the file's unit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, Literal, NamedTuple, cast

import msgspec

from events.errors import Refused
from events.schema.common import ChipsMoved, RoundClosed, RoundOpened
from events.schema.envelope import SEQUENCE_WIDTH, SPECVERSION, Envelope, canonical
from events.schema.event import Event
from events.schema.ours import HandImported
from events.values.clock import time_text
from events.values.money import amount_text
from games.shared.poker.events import (
    LIVE_POSTS,
    ActionTaken,
    AgreementMade,
    BoardDealt,
    HandCashedOut,
    HandMucked,
    HandsDealt,
    HandShown,
    HoleDealt,
    LineUp,
    Posted,
    PostKind,
    StakesAnnounced,
)
from games.shared.poker.pots import uncalled

GAME, RULE_BOOK = "holdem", "NL"
"""What imported hands are played and judged by."""

ROUND = "1"
"""The name of an imported hand's only round; the site's own number of the hand is data."""

KEY_DIGITS = 32
Street = Literal["flop", "turn", "river"]
_STREETS: tuple[Street, ...] = ("flop", "turn", "river")


class HandRefused(Refused):
    """A hand that is not taken over. `code`: `toml`, `json`, `encoding`, `length`, `field`, `amount`, `action`, `card`,
    or `not_yet` for a game that is not played here; `line`: from 1 in the hand's own text, 0 if it is about the whole.
    """

    def __init__(self, code: str, message: str, *, line: int = 0, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.code = code
        self.line = line


def hand_key(own_text: bytes) -> tuple[str, str]:
    """Key and SHA-256 of a hand's own text, line ends and blank edges aside."""
    digest = sha256(own_text.replace(b"\r\n", b"\n").strip()).hexdigest()
    return digest[:KEY_DIGITS], digest


class HandDraft:
    """A hand being told; `events` tells it, without the record that opens the session.

    `notes`: how the file was read where it leaves a choice. `times`: where it tells when things happened, milliseconds
    since 1970 by the place among the events. `unproved`: where the file's own money does not add up;
    such a hand is taken over as it is told, and listed.
    """

    def __init__(self) -> None:
        self._events: list[Event] = []
        self.notes: list[str] = []
        self.unproved: list[str] = []
        self._stack: dict[int, int | None] = {}
        self._put: dict[int, int] = {}
        self._live: dict[int, int] = {}
        self._front: dict[int, int] = {}
        self._cashed: dict[int, int] = {}
        self._added = 0
        self._to_match = 0
        self._streets = 0
        self._head: tuple[int | None, int | None, int | None] = (None, None, None)
        self._players: list[tuple[int, str, int | None]] = []
        self._holes: list[tuple[int, tuple[str, ...]]] = []
        self.times: dict[int, int] = {}

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the log keeps about the reading: the notes, and what is not proved."""
        return tuple(dict.fromkeys((*self.notes, *self.unproved)))

    @property
    def events(self) -> list[Event]:
        """All that has been told so far."""
        self._lined_up()
        self._dealt()
        return self._events

    def at(self, at_ms: int) -> None:
        """What is told from here on happened then, for histories that time every act."""
        self.times[len(self.events)] = at_ms

    def tell(self, event: Event) -> None:
        """Something that changes nothing that the draft keeps count of: a word, a seat taken, a clock."""
        if self._players or self._holes:
            self._lined_up()
            self._dealt()
        self._events.append(event)

    _say = tell

    def _lined_up(self) -> None:
        players, self._players = sorted(self._players), []
        if players:
            seats, names, stacks = zip(*players, strict=True)
            self._events.append(LineUp(seats, names, stacks, *self._head))

    def _dealt(self) -> None:
        """The hole cards held back: one deal if all got as many, each by itself if not."""
        holes, self._holes = self._holes, []
        seats = tuple(seat for seat, _cards in holes)
        if len(set(seats)) == len(seats) > 1 and len({len(cards) for _seat, cards in holes}) == 1:
            rounds = zip(*(cards for _seat, cards in holes), strict=True)
            self._events.append(HandsDealt(seats, tuple(card for cards in rounds for card in cards)))
        else:
            self._events += [HoleDealt(seat, cards) for seat, cards in holes]

    # --- before the deal ---

    def stakes(self, stakes: StakesAnnounced) -> None:
        """What is played."""
        self._say(stakes)

    def button(self, seat: int | None, small_blind: int | None, big_blind: int | None) -> None:
        """The hand begins: the button lies at `seat`, the blinds are due from these seats; None: not known."""
        self._say(RoundOpened())
        self._head = (seat, small_blind, big_blind)

    def seat(self, seat: int, player: str, stack: int | None) -> None:
        """A player is dealt in with his stack before any post."""
        self._stack[seat] = stack
        self._put[seat] = self._live[seat] = self._front[seat] = 0
        self._players.append((seat, player, stack))

    def post(self, seat: int, kind: PostKind, amount: int) -> None:
        """A post, as far as the stack goes."""
        paid = self._afford(seat, amount)
        if paid:
            self.posted(seat, kind, paid, amount)

    def posted(self, seat: int, kind: PostKind, paid: int, due: int = 0) -> None:
        """A post of which the history tells the chips put in; `due`: of a short one, what others have to match."""
        self._say(Posted(seat, kind, paid))
        self._put[seat] += paid
        if kind in LIVE_POSTS:
            self._live[seat] += paid
            self._front[seat] += paid
            # Who is short owes others nothing less: a short blind is matched as a whole one.
            self._to_match = max(self._to_match, paid, due)

    def add_to_pot(self, amount: int) -> None:
        """The house puts chips into the pot."""
        self._say(ChipsMoved("float", "pot", amount, "stake", "float"))
        self._added += amount

    # --- cards ---

    def hole(self, seat: int, cards: Sequence[str]) -> None:
        """A player's own cards; `??` for what is not known. Neighbours are told as one deal."""
        self._lined_up()
        self._holes.append((seat, tuple(cards)))

    def board(self, cards: Sequence[str]) -> None:
        """The next street's cards.

        Raises:
            HandRefused: a fourth street of one board.
        """
        if self.is_board_complete:
            raise HandRefused(
                "not_yet", "cards are dealt after the river: in this format a second board is not read yet"
            )
        self._say(BoardDealt(_STREETS[self._streets], tuple(cards)))
        self._streets += 1
        self._to_match = 0
        self._front = dict.fromkeys(self._front, 0)

    def run_it(self, seats: Sequence[int], runs: int = 2) -> None:
        """The players at `seats` agree to run the rest of the board `runs` times."""
        self._say(AgreementMade("run_it", tuple(seats), runs))

    def another_board(self, street: Street, cards: Sequence[str], board: int = 2) -> None:
        """A street of the second board, or a later one; what such a board does not repeat is the first one's."""
        self._say(BoardDealt(street, tuple(cards), board))

    @property
    def is_board_complete(self) -> bool:
        """Whether the river is dealt."""
        return self._streets == len(_STREETS)

    def show(self, seat: int, cards: Sequence[str]) -> None:
        """Cards turned up at the showdown."""
        self._say(HandShown(seat, tuple(cards)))

    def muck(self, seat: int, cards: Sequence[str] = ()) -> None:
        """A hand given away unseen."""
        self._say(HandMucked(seat, tuple(cards)))

    # --- betting ---

    def fold(self, seat: int) -> None:
        """He gives up."""
        self._say(ActionTaken(seat, "fold"))

    def check(self, seat: int) -> None:
        """He does nothing, and says so."""
        self._say(ActionTaken(seat, "check"))

    def check_or_call(self, seat: int) -> None:
        """He matches what there is to match, as far as his stack goes."""
        owes = max(self._to_match - self._front[seat], 0)
        paid = self._afford(seat, owes)
        if not paid and not owes:
            self.check(seat)
        else:
            self._bet(seat, "call", paid)

    def bet_to(self, seat: int, total: int) -> None:
        """He has `total` in front of him in this round then: a bet, or a raise where there is one already."""
        word: Literal["bet", "raise"] = "raise" if self._to_match else "bet"
        self._bet(seat, word, max(total - self._front[seat], 0), told=total)
        self._to_match = max(self._to_match, total)

    def acted(self, seat: int, word: Literal["bet", "raise", "call"], paid: int, *, all_in: bool = False) -> None:
        """A bet, raise or call of which the history tells the chips put in; taken as told, right or wrong.

        `all_in`: the history says so, whatever the stack.
        """
        self._bet(seat, word, paid, all_in=all_in)
        self._to_match = max(self._to_match, self._front[seat])

    def _bet(
        self,
        seat: int,
        word: Literal["bet", "raise", "call"],
        paid: int,
        told: int | None = None,
        *,
        all_in: bool = False,
    ) -> None:
        stack = self._stack[seat]
        all_in = all_in or (stack is not None and stack - self._put[seat] == paid)
        self._put[seat] += paid
        self._live[seat] += paid
        self._front[seat] += paid
        self._say(ActionTaken(seat, word, paid, to=self._front[seat] if told is None else told, all_in=all_in))

    def _afford(self, seat: int, amount: int) -> int:
        stack = self._stack[seat]
        return amount if stack is None else min(amount, max(stack - self._put[seat], 0))

    # --- the end ---

    @property
    def pot(self) -> int:
        """All that went in."""
        return sum(self._put.values()) + self._added

    def uncalled(self) -> tuple[int, int]:
        """The seat that put in more than anybody matched, and how much more; (0, 0) if none."""
        seats = list(self._live)
        place, amount = uncalled([self._live[seat] for seat in seats])
        return (seats[place], amount) if amount else (0, 0)

    def put_in(self, seat: int) -> int:
        """What a seat put into the pot."""
        return self._put[seat]

    def in_front(self, seat: int) -> int:
        """What lies in front of a seat in this round of betting."""
        return self._front[seat]

    def behind(self, seat: int) -> int | None:
        """What a seat has not put in of its stack; None if the stack is not known."""
        stack = self._stack[seat]
        return None if stack is None else stack - self._put[seat]

    def cash_out(self, seat: int, amount: int, fee: int = 0) -> None:
        """The site buys his hand for `amount`, its `fee` taken already; what the hand wins is the site's (`settle`)."""
        self._say(HandCashedOut(seat, amount, fee))
        self._cashed[seat] = amount

    def settle(
        self, back: Mapping[int, int], rake: int, *, rakes: Sequence[tuple[str, int]] = (), returned: int | None = None
    ) -> None:
        """What left the pot: to each seat (an uncalled bet included), and to the house; a negative rake is none.

        `rakes`: the rake by the name of its pot (`main`, `side 1`, …), where the history tells pots apart.
        `returned`: how much of `back` was never called, where the history says so; else what nobody matched is.
        """
        top, over = self.uncalled()
        if returned is not None:
            over = returned
        for seat, amount in back.items():
            uncalled_part = min(over, amount) if seat == top else 0
            if uncalled_part > 0:
                self._move(f"seat/{seat}", uncalled_part, "return", f"seat/{seat}")
            won = amount - uncalled_part
            if won > 0:
                self._move(f"seat/{seat}", won, "award", f"seat/{seat}")
                if seat in self._cashed:
                    self._say(ChipsMoved(f"seat/{seat}", "float", won, "exchange", f"seat/{seat}"))
        for name, part in rakes or (("", rake),):  # where histories do not say from which pot: no name
            if part > 0:
                self._move("rake", part, "rake", name)
        self._prove(back, max(rake, 0))

    def _prove(self, back: Mapping[int, int], rake: int) -> None:
        """Starting stacks = final stacks + rake: the pot ends empty, and nobody put in or paid what he had not."""
        left = self.pot - sum(back.values()) - rake
        if left < 0:
            self.unproved.append(f"the file pays out {amount_text(-left)} more than went into the pot")
        elif left > 0:
            self.unproved.append(f"the file pays {amount_text(left)} of the pot to nobody")
        for seat, stack in self._stack.items():
            if stack is not None and self._put[seat] > stack:
                short = amount_text(self._put[seat] - stack)
                self.unproved.append(f"seat {seat} puts in {short} more than its stack")

    def _move(self, to: str, amount: int, cause: Literal["return", "award", "rake"], stake: str) -> None:
        self._say(ChipsMoved("pot", to, amount, cause, stake))

    def close(self) -> None:
        """The hand is over, as far as the history goes."""
        self._say(RoundClosed())


class Imported(NamedTuple):
    """A hand ready for the log: what every format's `take` gives. `hand`: as its own reader read it.

    `played_at`: milliseconds since 1970, None if the history does not say.
    """

    key: str
    opened: HandImported
    draft: HandDraft
    played_at: int | None
    hand: Any = None


def source_of(format_: str, reader: int) -> str:
    """The source that imported hands of a format speak through; `reader` is raised when it reads otherwise."""
    return f"/recoup/import/{format_}/{reader}"


def records(key: str, opened: HandImported, draft: HandDraft, at_ms: int | None) -> Iterator[bytes]:
    """The hand's envelopes as canonical JSON, in order; a millisecond between two of them if the history times none.

    `at_ms`: when it was played (None: not known, and 1970 stands in for it).
    """
    return map(canonical, envelopes(key, opened, draft, at_ms))


def envelopes(key: str, opened: HandImported, draft: HandDraft, at_ms: int | None) -> Iterator[Envelope]:
    """The same as structs; `data` is the event itself."""
    subject = f"import/{key}"
    source = source_of(opened.format, opened.reader)
    before = f"{subject}@{source}:"
    round_ = None
    events, times = draft.events, draft.times
    texts = _Times(at_ms)
    event: Event
    for number, event in enumerate((opened, *events)):
        if type(event) is RoundOpened:
            round_ = ROUND
        if times and at_ms is not None:
            at_ms = max(at_ms, times.get(number - 1, at_ms))
            time = texts.of(at_ms)
        else:
            time = texts.of((at_ms or 0) + number)
        yield Envelope(
            SPECVERSION,
            f"{before}{number + 1}",
            source,
            event.TOPIC,
            subject,
            str(number + 1).rjust(SEQUENCE_WIDTH, "0"),
            time,
            cast("dict[str, Any]", event),
            round_,
        )


class _Times:
    """Times of one hand as text: whole seconds are written once. Where none is known, 1970 stands."""

    def __init__(self, at_ms: int | None) -> None:
        self._known = at_ms is not None
        self._second = -1
        self._around = ("", "")

    def of(self, at_ms: int) -> str:
        """RFC 3339 with milliseconds."""
        second, ms = divmod(at_ms, 1000)
        if second != self._second:
            text = time_text(second * 1000) if self._known else _unknown(second)
            place = text.index(".") + 1
            self._second, self._around = second, (text[:place], text[place + 3 :])
        before, after = self._around
        return f"{before}{ms:03d}{after}"


def _unknown(second: int) -> str:
    return f"1970-01-01T00:{second // 60:02d}:{second % 60:02d}.000Z"


def plain_data(envelope: Envelope) -> Envelope:
    """The envelope with its event as plain data, as one that was read back has it."""
    return msgspec.structs.replace(envelope, data=msgspec.to_builtins(envelope.data))
