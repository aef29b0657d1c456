"""The language of PokerNow's logs: one entry, one line of prose, read into what it says.

A log is a CSV of entry, time and order, the newest first. Players are `"name @ id"`: the id stays when a player takes
another name, so that it is the id that counts here. `calls`, `bets` and `raises to` name what then lies before the
player in the round of betting, and so do straddles and missed big blinds. An entry of a kind that is not known is
`unknown` and kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from events.values.money import MINOR_PER_MAJOR

What = Literal[
    "start", "end", "stacks", "your_hand",
    "post", "bomb", "fold", "check", "call", "bet", "raise",
    "board", "undealt", "uncalled", "collected", "show",
    "bounty_paid", "bounty_collected", "runs_agreed", "dead_blind",
    "setting", "stack", "gone", "renamed", "idle", "unknown",
]  # fmt: skip
"""`stack`: a line between hands that says what a player has from then on; `gone`: he left; `idle`: nothing that a hand
depends on."""


class Said(Struct, frozen=True, kw_only=True):
    """What an entry says. `who`, `other`: ids of players; `amount`: minor units; `text`: the kind of a post, a game, a
    setting, a street, or the entry itself if it is unknown; `number`: of a hand or a board; `all_in` as said.

    `other` is also a hand's id, and of a second board what it is: a `run` or a `board` dealt beside the first. `seats`:
    of a line of stacks, each with seat, id and stack. `was`: the stack before, where a line names both.
    """

    what: What
    who: str = ""
    other: str = ""
    amount: int = 0
    was: int | None = None
    text: str = ""
    number: int = 0
    cards: tuple[str, ...] = ()
    seats: tuple[tuple[int, str, int], ...] = ()
    all_in: bool = False


_SUITS = {"♠": "s", "♥": "h", "♦": "d", "♣": "c", "s": "s", "h": "h", "d": "d", "c": "c"}
_CARD = re.compile(r"(10|[2-9TJQKA])([♠♥♦♣shdc])")
_CARDS = r"(?:10|[2-9TJQKA])[♠♥♦♣shdc](?:,\s*(?:10|[2-9TJQKA])[♠♥♦♣shdc])*"
_AMOUNT = r"\d{1,12}(?:\.\d{1,2})?"
_ID = r"[\w-]+"
_PLAYER = rf'"(?:.+) @ ({_ID})"'
_BOARD = r"(?: \((first|second|third|fourth) (run|board)\))?"
_RUNS = {"": 1, "first": 1, "second": 2, "third": 3, "fourth": 4}

PLAYER = re.compile(rf'"(.+?) @ ({_ID})"')
"""A player as entries name him: name and id."""

_START = re.compile(
    rf"-- starting hand #(\d+)(?:\s+\(id: ([^)]*)\))?\s*(.*?)\s*\((?:dealer: {_PLAYER}|dead button)\)\s*(.*?)\s*--"
)
_SEAT = re.compile(rf'#(\d{{1,2}}) "(?:.+?) @ ({_ID})" \(({_AMOUNT})\)(?: \| |$)')
_PARENTHESES = re.compile(r"\(([^)]*)\)")


def amount_of(text: str) -> int:
    """Minor units: hundredths of the log's chip."""
    whole, _point, part = text.partition(".")
    return int(whole) * MINOR_PER_MAJOR + int(part.ljust(2, "0") or "0")


def cards_of(text: str) -> tuple[str, ...]:
    """`A♠, 10♦` → `As`, `Td`."""
    return tuple(("T" if rank == "10" else rank) + _SUITS[suit] for rank, suit in _CARD.findall(text))


def said(entry: str) -> Said:
    """What an entry of a log says."""
    entry = entry.strip()
    first = entry[:1]
    if first == '"':
        forms = _BY_PLAYER
    elif first == "-":
        return _hand_line(entry)
    elif entry.startswith("Player stacks:"):
        return _stacks(entry)
    else:
        forms = _OTHERS
    for form, read in forms:
        match = form.fullmatch(entry)
        if match is not None:
            return read(match)
    return Said(what="unknown", text=entry)


# --- a hand's head ---


def _hand_line(entry: str) -> Said:
    match = _START.fullmatch(entry)
    if match is not None:
        number, hand_id, game, dealer, rest = match.groups()
        inside = _PARENTHESES.findall(game)
        name = inside[0] if inside else game
        return Said(
            what="start", number=int(number), other=hand_id or "", text=" ".join([name, *inside[1:], rest]).strip(),
            who=dealer or "",
        )  # fmt: skip
    if entry.startswith("-- ending hand #"):
        return Said(what="end", number=int(re.sub(r"\D", "", entry)[:9] or "0"))
    return Said(what="unknown", text=entry)


def _stacks(entry: str) -> Said:
    told = entry.removeprefix("Player stacks:").strip()
    found, at = [], 0
    for match in _SEAT.finditer(told):
        if match.start() != at:
            break
        at = match.end()
        found.append((int(match[1]), match[2], amount_of(match[3])))
    if at != len(told) or not found:
        return Said(what="unknown", text=entry)
    return Said(what="stacks", seats=tuple(found))


# --- all others ---

Read = Callable[[re.Match[str]], Said]


def _post(match: re.Match[str]) -> Said:
    who, kind, amount, all_in, bomb = match.groups()
    return Said(
        what="bomb" if bomb else "post", who=who, text=kind, amount=amount_of(amount), all_in=all_in is not None
    )  # fmt: skip


_ACTS: dict[str, What] = {"calls": "call", "bets": "bet", "raises to": "raise"}


def _act(match: re.Match[str]) -> Said:
    who, word, amount, all_in, bomb = match.groups()
    what = "bomb" if bomb else _ACTS[word]
    return Said(what=what, who=who, amount=amount_of(amount), all_in=all_in is not None)


def _board(match: re.Match[str]) -> Said:
    street, which, kind, cards = match.groups()
    return Said(what="board", text=street.lower(), number=_RUNS[which or ""], other=kind or "", cards=cards_of(cards))


def _stack(match: re.Match[str]) -> Said:
    return Said(what="stack", who=match[1], amount=amount_of(match[2]))


def _idle(_match: re.Match[str]) -> Said:
    return Said(what="idle")


def _forms(*told: tuple[str, Read]) -> tuple[tuple[re.Pattern[str], Read], ...]:
    return tuple((re.compile(form, re.DOTALL), read) for form, read in told)


_GO_ALL_IN = r"( and go all in)?\s*( \(bomb pot bet\))?"

_BY_PLAYER = _forms(
    (rf"{_PLAYER} (folds|checks)(?: \(bomb pot bet\))?",
     lambda m: Said(what="fold" if m[2] == "folds" else "check", who=m[1])),
    (rf"{_PLAYER} (calls|bets|raises to) ({_AMOUNT}){_GO_ALL_IN}", _act),
    (rf"{_PLAYER} posts an? (\D+?) of ({_AMOUNT}){_GO_ALL_IN}", _post),
    (rf"{_PLAYER} shows an? ({_CARDS})\.?", lambda m: Said(what="show", who=m[1], cards=cards_of(m[2]))),
    (rf"{_PLAYER} collected ({_AMOUNT}) from pot(?: .*)?",
     lambda m: Said(what="collected", who=m[1], amount=amount_of(m[2]))),
    (rf"{_PLAYER} paid ({_AMOUNT}) for the .+? bounty to {_PLAYER}\.?",
     lambda m: Said(what="bounty_paid", who=m[1], amount=amount_of(m[2]), other=m[3])),
    (rf"{_PLAYER} collected ({_AMOUNT}) from the .+? bounty\.?",
     lambda m: Said(what="bounty_collected", who=m[1], amount=amount_of(m[2]))),
    (rf"{_PLAYER} chooses to\s+(?:not\s+)?run it twice\.?", _idle),
)  # fmt: skip

_OTHERS = _forms(
    (rf"(Flop|Turn|River){_BOARD}:.*\[({_CARDS})\]", _board),
    (rf"Uncalled bet of ({_AMOUNT}) returned to {_PLAYER}\.?",
     lambda m: Said(what="uncalled", amount=amount_of(m[1]), who=m[2])),
    (rf"Your hand is ({_CARDS})\.?", lambda m: Said(what="your_hand", cards=cards_of(m[1]))),
    (rf"Undealt cards{_BOARD}:.*\[({_CARDS})\]",
     lambda m: Said(what="undealt", number=_RUNS[m[1] or ""], cards=cards_of(m[3]))),
    (r"All players in hand choose to\s+run it twice\.?", lambda _m: Said(what="runs_agreed", number=2)),
    (r"(?:Remaining players decide whether to|Some players choose to not) run it twice\.?", _idle),
    (r"Dead (Small|Big) Blind\.?", lambda m: Said(what="dead_blind", text=f"{m[1].lower()} blind")),
    (rf"The game's (small blind|big blind|ante) was changed from {_AMOUNT} to ({_AMOUNT})\.?",
     lambda m: Said(what="setting", text=m[1], amount=amount_of(m[2]))),
    (rf"The player {_PLAYER} (?:joined the game|sit back) with (?:a|the) stack of ({_AMOUNT})\.?", _stack),
    (rf"The player {_PLAYER} rebought\. New stack:? ({_AMOUNT})\.?", _stack),
    (rf"The admin updated the player {_PLAYER} stack from ({_AMOUNT}) to ({_AMOUNT})\.?",
     lambda m: Said(what="stack", who=m[1], was=amount_of(m[2]), amount=amount_of(m[3]))),
    (rf"The player {_PLAYER} (?:quits the game|stand up) with (?:a|the) stack of ({_AMOUNT})\.?",
     lambda m: Said(what="gone", who=m[1], amount=amount_of(m[2]))),
    (rf"The player {_PLAYER} changed the ID from ({_ID}) to ({_ID}) .+",
     lambda m: Said(what="renamed", who=m[2], other=m[3])),
    (rf"The admin approved the player {_PLAYER} participation with a stack of {_AMOUNT}\.?", _idle),
    (rf"The player {_PLAYER} is in the tournament with a stack of {_AMOUNT}\.?", _idle),
    (rf"The player {_PLAYER} (?:requested a seat|canceled the seat request|requested a rebuy of {_AMOUNT})\.?", _idle),
    (rf"The player {_PLAYER} passed the room ownership to {_PLAYER}\.?", _idle),
    (rf"The admin {_PLAYER} (?:rejected the seat request from|forced|enqueued the removal of) the player {_PLAYER}.*",
     _idle),
    (rf"The admin {_PLAYER} (?:enqueued|canceled) the game stop.*", _idle),
    (rf"WARNING: the admin queued the stack change for the player {_PLAYER} .*", _idle),
    (r"Asking to busted players the rebuy decision\.?", _idle),
    (r"Waiting for the game owner to approve or reject pending rebuy requests\.?", _idle),
    (r"Game Config Changes.*", _idle),
)  # fmt: skip
