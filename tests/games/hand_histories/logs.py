"""PokerNow logs for tests: entries in the order of play, written as the site writes them."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from events.schema.common import ChipsMoved
from events.schema.event import Event
from events.values.clock import time_text
from games.hand_histories.draft import Imported
from games.hand_histories.names import Pseudonyms
from games.hand_histories.pokernow_in import take
from games.hand_histories.pokernow_log import cut
from games.shared.poker.events import LIVE_POSTS, ActionTaken, AgreementMade, BoardDealt, HandShown, LineUp, Posted

NAMES = Pseudonyms()
START_MS = 1_700_000_000_000
ANA, BOB, EVA, JAN = '"Ana @ a1"', '"Bob @ b_2"', '"Eva N @ e-3"', '"Jan @ j4"'
HEAD = f"-- starting hand #7 (id: h7)  (No Limit Texas Hold'em) (dealer: {EVA}) --"
STACKS = f"Player stacks: #1 {ANA} (500) | #3 {BOB} (400) | #8 {EVA} (600)"
BLINDS = (f"{ANA} posts a small blind of 5", f"{BOB} posts a big blind of 10")
END = "-- ending hand #7 --"
WALK = (f"{EVA} folds", f"{ANA} folds", f"Uncalled bet of 5 returned to {BOB}", f"{BOB} collected 10 from pot")


def log(*entries: str, newest_first: bool = True) -> bytes:
    """A log of these entries, a second between two of them; the newest first, as it is downloaded."""
    rows = [(entry, time_text(START_MS + 1000 * at), (START_MS + 1000 * at) * 100) for at, entry in enumerate(entries)]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("entry", "at", "order"))
    writer.writerows(rows[::-1] if newest_first else rows)
    return text.getvalue().encode()


def hand(*entries: str, head: str = HEAD, stacks: str = STACKS) -> tuple[str, ...]:
    """A hand's entries between its head and its end; what stands after `END` comes after the hand."""
    middle, after = (
        (entries[: entries.index(END)], entries[entries.index(END) :]) if END in entries else (entries, (END,))
    )
    return (head, stacks, *middle, *after)


def pieces(raw: bytes) -> list[bytes]:
    """A log cut into hands."""
    return [section.raw for section in cut(io.BytesIO(raw))]


def taken(entries: Sequence[str], names: Pseudonyms = NAMES) -> Imported:
    """The first hand of a log of these entries."""
    return take(pieces(log(*entries))[0], names)


def entries_of(events: Sequence[Event]) -> list[str]:
    """A hand, told in poker events, in the site's words; rake and hidden cards have none there."""
    writer = _Writer()
    for event in events:
        writer.take(event)
    return [*writer.entries, "-- ending hand #1 --"]


_POST_WORDS = {
    "small_blind": "a small blind", "big_blind": "a big blind", "straddle": "a straddle", "ante": "an ante",
    "big_blind_ante": "a big blind ante", "missed_big_blind": "a missed big blind",
    "dead_small_blind": "a missing small blind", "extra_blind": "a missed big blind",
}  # fmt: skip
_ACT_WORDS = {"call": "calls", "bet": "bets", "raise": "raises to"}


class _Writer:
    def __init__(self) -> None:
        self.entries: list[str] = []
        self._name: dict[int, str] = {}
        self._front: dict[int, int] = {}

    def take(self, event: Event) -> None:
        say = self.entries.append
        if isinstance(event, LineUp):
            self._name = {seat: f'"{who} @ id{seat}"' for seat, who in zip(event.seats, event.players, strict=True)}
            dealer = self._name.get(event.button or 0)
            say(
                f"-- starting hand #1  (No Limit Texas Hold'em) ({f'dealer: {dealer}' if dealer else 'dead button'}) --"
            )
            stacks = zip(event.seats, event.stacks, strict=True)
            say(
                "Player stacks: "
                + " | ".join(f"#{seat} {self._name[seat]} ({_amount(stack or 0)})" for seat, stack in stacks)
            )
        elif isinstance(event, Posted):
            paid = event.amount if event.kind not in LIVE_POSTS else self._puts(event.seat, event.amount)
            say(f"{self._name[event.seat]} posts {_POST_WORDS[event.kind]} of {_amount(paid)}")
        elif isinstance(event, ActionTaken) and event.action in _ACT_WORDS:
            total = self._puts(event.seat, event.amount)
            all_in = " and go all in" if event.all_in else ""
            say(f"{self._name[event.seat]} {_ACT_WORDS[event.action]} {_amount(total)}{all_in}")
        elif isinstance(event, ActionTaken):
            say(f"{self._name[event.seat]} {event.action}s")
        elif isinstance(event, AgreementMade) and event.what == "run_it":
            say("All players in hand choose to run it twice.")
        elif isinstance(event, BoardDealt):
            self._front = {}
            which = " (second run)" if event.board == 2 else ""
            say(f"{event.street.title()}{which}: [{', '.join(map(_card, event.cards))}]")
        elif isinstance(event, HandShown):
            say(f"{self._name[event.seat]} shows a {', '.join(map(_card, event.cards))}.")
        elif isinstance(event, ChipsMoved) and event.to.startswith("seat/"):
            name = self._name[int(event.to[5:])]
            is_back = event.cause == "return"
            say(f"Uncalled bet of {_amount(event.amount)} returned to {name}" if is_back else
                f"{name} collected {_amount(event.amount)} from pot")  # fmt: skip

    def _puts(self, seat: int, amount: int) -> int:
        self._front[seat] = self._front.get(seat, 0) + amount
        return self._front[seat]


def _amount(minor: int) -> str:
    return f"{minor // 100}.{minor % 100:02d}"


def _card(card: str) -> str:
    return ("10" if card[0] == "T" else card[0]) + {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}[card[1]]
