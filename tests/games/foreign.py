"""A stake in euro put among the records of a dealer's evening, and what the table did with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from events.schema.common import ChipsMoved
from events.schema.envelope import Envelope
from events.schema.event import to_plain

SPOTS = {"blackjack": "bet", "caribbean_stud": "ante", "casino_holdem": "ante", "russian_poker": "ante"}
"""Rooms whose stakes may name a currency, and a spot of each."""
ROOMS = tuple(SPOTS)

Moved = tuple[str, str, int, str]
"""From, to, minor units, cause; `{player}` stands for whose stake it is."""


def take(amount: int) -> list[Moved]:
    """The table takes it as lost."""
    return [("box/euro", "float", amount, "take")]


def euro(
    records: Sequence[Envelope], spot: str, moves: Iterable[Moved], *, amount: int = 10_000
) -> tuple[list[Envelope], str]:
    """The records with a stake `euro` beside the first of its spot, and these movements before that round closes; and
    the player's id."""
    at = next(at for at, one in enumerate(records) if _name(one) == "StakePlaced" and one.data["spot"] == spot)
    first = records[at]
    player = first.data["player"]
    put = {**first.data, "stake": "euro", "amount": amount, "currency": "EUR"}
    put.pop("chips", None)
    end = next(at for at, one in enumerate(records) if _name(one) == "RoundClosed" and one.round == first.round)
    closed = records[end]
    moved = [
        replace(
            closed, type=ChipsMoved.TOPIC,
            data=to_plain(ChipsMoved(frm.format(player=player), to.format(player=player), sum_, cause, "euro")),
        )
        for frm, to, sum_, cause in moves
    ]  # fmt: skip
    stake = replace(first, data=put)
    return _numbered([*records[: at + 1], stake, *records[at + 1 : end], *moved, *records[end:]]), player


def _name(one: Envelope) -> str:
    return one.type.split(".")[1]


def _numbered(envelopes: Iterable[Envelope]) -> list[Envelope]:
    counts: dict[tuple[str, str], int] = {}
    made = []
    for one in envelopes:
        key = one.subject, one.source
        number = counts[key] = counts.get(key, 0) + 1
        made.append(replace(one, sequence=str(number).rjust(16, "0"), id=f"{one.subject}@{one.source}:{number}"))
    return made
