"""`demo`: two disputes, from the first record to the verdict, in a store of its own; needs no network."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from cli import assembly, failures, screen
from events.errors import Refused, Unable
from events.schema.envelope import Envelope, canonical
from games.picture import Span

WHEEL, CARDS = "brno/RL-03", "brno/NL-1"
DAY = "2026-11-28"
_SPIN = "RL.SpinStarted.v1"
_MOVED = "TB.ChipsMoved.v1"
_OTHER = {"cw": "ccw", "ccw": "cw"}


def demo(
    folder: Annotated[
        str, typer.Option("--folder", metavar="FOLDER", help="Where it is all left; a new temporary folder otherwise.")
    ] = "",
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Another seed deals another evening.")] = 4,
) -> None:
    """Two disputes, from the first record to the verdict.

    A spin that should not have been paid, a side pot that went to the wrong seat.

    \b
    Example:
      recoup demo

    Deals an evening at a roulette and a poker table with one mistake each, brings the records in, checks the log,
    and judges both complaints. Ends in well under two minutes.
    """
    place = _folder(folder)
    here, before = Path.cwd(), os.environ.get(assembly.STORE_VARIABLE)
    os.environ[assembly.STORE_VARIABLE] = "demo.db"
    os.chdir(place)
    try:
        _show(place, seed)
    finally:
        os.chdir(here)
        if before is None:
            del os.environ[assembly.STORE_VARIABLE]
        else:
            os.environ[assembly.STORE_VARIABLE] = before


def _show(place: Path, seed: int) -> None:
    wheel = _wheel_not_alternated(seed)
    cards = list(assembly.rooms()["holdem"].deal(6, seed, breach="NL-24", table=CARDS, day=DAY))
    spin, hand = _spin_of(wheel), _found(cards)
    late = len(wheel) // 3
    files = {
        "RL-03.ndjson": [record for at, record in enumerate(wheel) if at != late],
        "NL-1.ndjson": cards,
        "RL-03-again.ndjson": wheel,
    }
    for name, records in files.items():
        (place / name).write_bytes(b"".join(canonical(record) + b"\n" for record in records))

    _say("An evening at two tables, recorded as their devices saw it.")
    _run("init")
    _say("The records come in. The network lost one of the roulette terminal's.")
    _run("ingest", "RL-03.ndjson", "NL-1.ndjson")
    _run("gaps")
    _say("The terminal sends its day again: what is known is a repeat, and the late record closes the gap.")
    _run("ingest", "RL-03-again.ndjson")
    _run("status")
    _run("verify")
    _say(
        f"First complaint: {spin['player']}, roulette, table RL-03, about {spin['clock']}: «The wheel ran the same way "
        "as the time before. I want my chips back.»"
    )
    _run("rounds", "--table", "RL-03", "--around", spin["clock"], "--within", "0", "--player", spin["player"])
    _run("judge", f"RL-03#{spin['round']}")
    _say(f"Second complaint: {hand['player']}, hold'em, table NL-1, hand {hand['round']}: «That side pot was mine.»")
    _run("judge", f"NL-1#{hand['round']}")
    _say("Go on by yourself:")
    on_path = () if shutil.which("recoup") else (f". {Path(sys.executable).parent / 'activate'}",)
    for command in (
        *on_path,
        f"cd {place}; export {assembly.STORE_VARIABLE}=demo.db",
        f"recoup replay 'RL-03#{spin['round']}' --step",
        f"recoup replay 'NL-1#{hand['round']}'",
        f"recoup what-if 'RL-03#{spin['round']}' --change '{spin['change']}'",
        "recoup rules show RL-15",
        "recoup judge --all",
        "recoup sql --tables",
    ):
        screen.say(["  ", Span(command, "bold")])
    screen.say([Span(f"  (all of it lies in {place}; remove the folder when you are done)", "dim")])


def _folder(given: str) -> Path:
    """An empty folder to work in.

    Raises:
        Refused: the one given is in use.
    """
    if not given:
        return Path(tempfile.mkdtemp(prefix="recoup-demo-"))
    place = Path(given)
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise Refused(f"{given} is there already and not an empty folder", hint="name another")
    place.mkdir(parents=True, exist_ok=True)
    return place.resolve()


def _say(text: str) -> None:
    screen.say("")
    screen.say_all([Span(line, "gold")] for line in screen.wrapped(text, "", "## "))


def _run(*words: str) -> None:
    """One command as a person would type it, its line shown before it.

    Raises:
        Unable: it did not do what it does in every demo.
    """
    from cli.app import run

    shown = " ".join(f"'{word}'" if " " in word or "#" in word else word for word in words)
    screen.say(["", Span(f"$ recoup {shown}", "bold")])
    code = run(list(words))
    if code not in (failures.FINE, failures.FOUND_SOMETHING):
        raise Unable(f"`recoup {shown}` ended with {code}, which no demo should")


def _wheel_not_alternated(seed: int) -> list[Envelope]:
    """A session at the wheel in which one spin went the way of the spin before, and was paid all the same.

    The dealer deals a lawful evening; from the chosen spin on every rotation is the other way round, so that this one
    spin alone does not alternate.
    """
    from msgspec.structs import replace

    dealt = list(assembly.rooms()["roulette"].deal(12, seed, table=WHEEL, day=DAY))
    wrong = _disputed(dealt)
    records = []
    turned = False
    for record in dealt:
        if record.type == _SPIN:
            turned = turned or record.round == wrong
            if turned:
                directions = {name: _OTHER[record.data[name]] for name in ("wheel_direction", "ball_direction")}
                records.append(replace(record, data={**record.data, **directions}))
                continue
        records.append(record)
    return records


def _disputed(records: Sequence[Envelope]) -> str:
    """A round in which somebody won and somebody lost: the last, if it is short, or the one with fewest payments."""
    causes: dict[str, list[str]] = {}
    for record in records:
        if record.round and record.type == _MOVED:
            causes.setdefault(record.round, []).append(record.data["cause"])
    fit = [name for name, own in causes.items() if "win" in own and "take" in own]
    return fit[-1] if len(causes[fit[-1]]) <= 6 else min(fit[1:], key=lambda name: len(causes[name]))


def _spin_of(records: Sequence[Envelope]) -> dict[str, str]:
    """What the demo says of its disputed spin: who is owed most complains."""
    found = _found(records)
    spin = next(record for record in records if record.round == found["round"] and record.type == _SPIN)
    now = spin.data["wheel_direction"]
    return {
        **found,
        "clock": spin.time[11:16],
        "change": f"{int(spin.sequence)}@{spin.source.rpartition('/')[2]} "
        f"wheel_direction={_OTHER[now]} ball_direction={now}",
    }


def _found(records: Sequence[Envelope]) -> dict[str, str]:
    """The round that went wrong and who is owed most, found as anybody would: by judging all."""
    from cli.words import has_found
    from events.store import Log, Origin

    log = Log.open(":memory:", assembly.catalogue())
    try:
        book = assembly.casebook(log)
        book.adopt_shipped()
        log.accept([canonical(record) for record in records], Origin(kind="stdin"))
        wrong = next(verdict for verdict in book.judge(records[0].subject).verdicts if has_found(verdict))
    finally:
        log.close()
    owed = max(wrong.player_differences, key=lambda player: wrong.player_differences[player])
    return {"round": wrong.round.partition("#")[2], "player": owed}
