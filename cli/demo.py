"""`demo`: a night at seven tables, from the first record to the verdicts, in a store of its own; needs no network."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from cli import assembly, screen
from cli.demo_rulings import Settled, managed, run, say
from cli.evening import DAY, Dealt, complaint, night, reckoning
from cli.screen import Words
from events.errors import Refused, Unable
from events.schema.envelope import Envelope, canonical
from games.night import desk_book
from games.picture import Span


def demo(
    folder: Annotated[
        str, typer.Option("--folder", metavar="FOLDER", help="Where it is all left; a new temporary folder otherwise.")
    ] = "",
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Another seed deals another evening.")] = 4,
) -> None:
    """A night at seven tables, from the first record to the rulings, the day's close and an evidence pack.

    Two complaints (a spin that should not have been paid, a side pot that went to the wrong seat), and what nobody
    complained of.

    \b
    Example:
      recoup demo

    Deals a table of every game with one mistake at each, brings the records in, checks the log, judges both
    complaints and then every round. Two managers settle the first, void a shoe and two hands; the log is sealed, the
    night reconciled, the first complaint packed and checked. Ends in well under two minutes, with exit code 3 if
    anything but the seven mistakes is found, or one of them is not.
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
    dealt = night(seed)
    wheel, cards, *others = dealt
    spin, hand = complaint(wheel), complaint(cards)
    late = len(wheel.records) // 3
    _write(place / wheel.file, [record for at, record in enumerate(wheel.records) if at != late])
    _write(place / "RL-03-again.ndjson", wheel.records)
    for one in (cards, *others):
        _write(place / one.file, one.records)
    _write(place / "desk.ndjson", desk_book("brno", DAY, [one.records for one in dealt]))

    say("A night at seven tables, one of each game, recorded as their devices saw it; one mistake at each.")
    run("init")
    say("The records come in. The network lost one of the roulette terminal's.")
    run("ingest", *(one.file for one in dealt), "desk.ndjson")
    run("gaps")
    say("The terminal sends its day again: what is known is a repeat, and the late record closes the gap.")
    run("ingest", "RL-03-again.ndjson")
    run("status")
    run("verify")
    say(
        f"First complaint: {spin['player']}, roulette, table RL-03, about {spin['clock']}: «The wheel ran the same way "
        "as the time before. I want my chips back.»"
    )
    run("rounds", "--table", "RL-03", "--around", spin["clock"], "--within", "0", "--player", spin["player"])
    run("judge", f"RL-03#{wheel.name}")
    say(f"Second complaint: {hand['player']}, hold'em, table NL-1, hand {cards.name}: «That side pot was mine.»")
    run("judge", f"NL-1#{cards.name}")
    say("Nobody complained at the other five. Every round of the night is judged all the same.")
    run("judge", "--all")
    lines = _reckoned(dealt)
    settled = managed(wheel, cards, spin["player"])
    _reckon(dealt, lines, settled)
    say("Go on by yourself:")
    on_path = () if shutil.which("recoup") else (f". {Path(sys.executable).parent / 'activate'}",)
    for command in (
        *on_path,
        f"cd {place}; export {assembly.STORE_VARIABLE}=demo.db",
        f"recoup replay 'RL-03#{wheel.name}' --step",
        f"recoup judge '{others[-1].table.partition('/')[2]}#{others[-1].name}'",
        f"recoup what-if 'RL-03#{wheel.name}' --change '{spin['change']}'",
        "recoup rules show RL-15",
        "recoup sql --tables",
    ):
        screen.say(["  ", Span(command, "bold")])
    screen.say([Span(f"  (all of it lies in {place}; remove the folder when you are done)", "dim")])


def _reckoned(planted: Sequence[Dealt]) -> list[Words]:
    """What was planted beside what was found, before anybody ruled on it.

    Raises:
        Unable: they are not the same.
    """
    with assembly.open_log() as log:
        lines, wrong = reckoning(assembly.casebook(log), planted)
    if wrong:
        screen.say_all(lines)
        raise Unable("what was found is not what was planted: " + "; ".join(wrong))
    return lines


def _reckon(planted: Sequence[Dealt], lines: Sequence[Words], settled: Settled) -> None:
    """The last screen: the mistakes, and what came of them."""
    say(f"The night's reckoning: {screen.number(len(planted), 'mistake')} planted, one a table.")
    screen.say_all(lines)
    screen.say("")
    screen.say(["  ", Span("Each of them was found, by its rule and in its round; nothing else was found.", "good")])
    screen.say("")
    screen.say_all(settled.lines)


def _write(path: Path, records: Iterable[Envelope]) -> None:
    path.write_bytes(b"".join(canonical(record) + b"\n" for record in records))


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
