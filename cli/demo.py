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

from cli import assembly, failures, screen
from cli.evening import Dealt, complaint, night, reckoning
from events.errors import Refused, Unable
from events.schema.envelope import Envelope, canonical
from games.picture import Span


def demo(
    folder: Annotated[
        str, typer.Option("--folder", metavar="FOLDER", help="Where it is all left; a new temporary folder otherwise.")
    ] = "",
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Another seed deals another evening.")] = 4,
) -> None:
    """A night at seven tables, from the first record to the verdicts.

    Two complaints (a spin that should not have been paid, a side pot that went to the wrong seat), and what nobody
    complained of.

    \b
    Example:
      recoup demo

    Deals a table of every game with one mistake at each, brings the records in, checks the log, judges both
    complaints and then every round. Ends in well under two minutes, with exit code 3 if anything but the seven
    mistakes is found, or one of them is not.
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

    _say("A night at seven tables, one of each game, recorded as their devices saw it; one mistake at each.")
    _run("init")
    _say("The records come in. The network lost one of the roulette terminal's.")
    _run("ingest", *(one.file for one in dealt))
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
    _run("judge", f"RL-03#{wheel.name}")
    _say(f"Second complaint: {hand['player']}, hold'em, table NL-1, hand {cards.name}: «That side pot was mine.»")
    _run("judge", f"NL-1#{cards.name}")
    _say("Nobody complained at the other five. Every round of the night is judged all the same.")
    _run("judge", "--all")
    _reckon(dealt)
    _say("Go on by yourself:")
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


def _reckon(planted: Sequence[Dealt]) -> None:
    """The last screen: what was planted beside what was found.

    Raises:
        Unable: they are not the same.
    """
    with assembly.open_log() as log:
        lines, wrong = reckoning(assembly.casebook(log), planted)
    _say(f"The night's reckoning: {screen.number(len(planted), 'mistake')} planted, one a table.")
    screen.say_all(lines)
    if wrong:
        raise Unable("what was found is not what was planted: " + "; ".join(wrong))
    screen.say("")
    screen.say(["  ", Span("Each of them was found, by its rule and in its round; nothing else was found.", "good")])


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
