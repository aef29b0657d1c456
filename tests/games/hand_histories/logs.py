"""PokerNow logs for tests: entries in the order of play, written as the site writes them."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from events.values.clock import time_text
from games.hand_histories.draft import Imported
from games.hand_histories.names import Pseudonyms
from games.hand_histories.pokernow_in import take
from games.hand_histories.pokernow_log import cut

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
