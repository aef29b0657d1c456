"""Records like a floor's: 370 to 500 bytes, many tables at once; the same ones every time."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

from events.schema.catalogue import Catalogue
from events.schema.common import TABLE_EVENTS
from events.schema.ours import OUR_EVENTS

CATALOGUE = Catalogue([*TABLE_EVENTS, *OUR_EVENTS])
BATCH = 10_000
ONE_SOURCE = ("terminal",)
THREE_SOURCES = ("terminal", "wheel", "surveillance")
_PER_ROUND = 40
_START_MINUTE = 20 * 60


def records(
    count: int, *, sessions: int = 500, sources: tuple[str, ...] = ONE_SOURCE, late: float = 0.0, seed: int = 1
) -> Iterator[bytes]:
    """`count` records of `sessions` tables, whose sources take turns; a share `late` comes some hundreds later.

    Tables send in short bursts, as gateways do.
    """
    chance = random.Random(seed)
    held: list[tuple[int, bytes]] = []
    numbers = [[0] * len(sources) for _ in range(sessions)]
    made = 0
    while made < count:
        table = chance.randrange(sessions)
        for _ in range(min(chance.randint(1, 8), count - made)):
            place = chance.randrange(len(sources)) if len(sources) > 1 else 0
            numbers[table][place] += 1
            line = _record(table, sources[place], numbers[table][place], sum(numbers[table]), chance)
            made += 1
            if late and chance.random() < late:
                held.append((made + chance.randint(50, 2000), line))
            else:
                yield line
        while held and held[0][0] <= made:
            yield held.pop(0)[1]
    for _due, line in held:
        yield line


def _record(table: int, source: str, sequence: int, of_table: int, chance: random.Random) -> bytes:
    ms = of_table * 731
    minute = _START_MINUTE + ms // 60_000
    day, minute = divmod(minute, 1440)
    clock = f"{minute // 60:02d}:{minute % 60:02d}:{ms // 1000 % 60:02d}.{ms % 1000:03d}"
    return json.dumps(
        {
            "specversion": "1.0",
            "id": f"01JDKQ7W{table:06d}{source[:2].upper()}{sequence:010d}",
            "source": f"/brno/T-{table:04d}/{source}",
            "type": "TB.ChipsMoved.v1",
            "subject": f"table/brno/T-{table:04d}/2026-11-28.1",
            "sequence": str(sequence).rjust(16, "0"),
            "round": str(of_table // _PER_ROUND + 1),
            "time": f"2026-11-{28 + day % 2:02d}T{clock}+01:00",
            "data": {
                "frm": f"player/p-{chance.randint(1, 400)}",
                "to": "pot",
                "amount": chance.randint(1, 500) * 10_000,
                "cause": "stake",
                "stake": f"b{of_table}",
                "slip": f"{chance.getrandbits(160):040x}",
            },
        },
        separators=(",", ":"),
    ).encode()


def batches(lines: list[bytes], size: int = BATCH) -> Iterator[list[bytes]]:
    """The lines in batches."""
    for at in range(0, len(lines), size):
        yield lines[at : at + size]
