"""Options that several commands share, and how their texts are read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from cli import assembly
from events.errors import Refused
from events.values.clock import PRAGUE, gaming_day, parse_day, parse_time, time_text, to_datetime

if TYPE_CHECKING:
    from events.store import Log

Store = Annotated[
    str | None,
    typer.Option("--store", envvar=assembly.STORE_VARIABLE, metavar="STORE", help="A file, or postgresql://…"),
]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object a line, amounts in minor units.")]
DayOf = Annotated[str | None, typer.Option("--day", metavar="DATE", help="The gaming day, as 2026-11-28.")]
Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; it is kept with your account's name.")]
Round = Annotated[str, typer.Argument(metavar="ROUND", help="As RL-03#173, brno/RL-03#173 or <subject>#173.")]

_CLOCK = re.compile(r"(\d{1,2})[:.](\d\d)(?:[:.](\d\d)(?:\.(\d{1,6}))?)?")
_CLOCK_BEFORE = re.compile(r"\s*(?:(?:[#^]|\d+@)\S*\s+)*@(\d{1,2}[:.]\d\d(?:[:.]\d\d(?:\.\d{1,6})?)?)(?=\s|$)")
_REASON_MAX = 2000
_UNFORESEEN = (TypeError, ValueError, LookupError, AttributeError, OverflowError, AssertionError)
"""What reading a store comes to that somebody changed by hand, or our own mistakes; so does the library's
IntegrityError, known by its name, as importing it costs every command 30 ms."""


@contextmanager
def opened(store: str | None) -> Iterator[Log]:
    """The store of a command, closed when it is done.

    Raises:
        StoreMissing, StoreTooNew, StoreBusy: as the store says.
        SealBroken: the command met what nobody foresaw, and the store is not as it was sealed.
    """
    with watched_over(assembly.open_log(store)) as log:
        yield log


@contextmanager
def watched_over(log: Log) -> Iterator[Log]:
    """An open store, closed at the end; what nobody foresaw is laid to it if it is not as it was sealed.

    Raises:
        SealBroken: so it is.
    """
    try:
        yield log
    except Exception as error:
        if not isinstance(error, _UNFORESEEN) and type(error).__name__ != "IntegrityError":
            raise
        from events.store.verify import blame

        found = blame(log, error)
        if found is None:
            raise
        raise found from error
    finally:
        log.close()


def day_of(text: str | None) -> date | None:
    """The day of `--day`; `today` and `yesterday` are gaming days by the clock of this machine.

    Raises:
        Refused: no date.
    """
    if text is None:
        return None
    if text in ("today", "yesterday"):
        today = gaming_day(int(datetime.now(PRAGUE).timestamp() * 1000))
        return today if text == "today" else today - timedelta(days=1)
    return parse_day(text)


def reason_of(text: str) -> str:
    """A reason that says something, in one line.

    Raises:
        Refused: it is empty, longer than a page, or holds characters that steer a terminal.
    """
    said = " ".join(text.split())
    if not said:
        raise Refused("a reason is needed, this one is empty", hint='--reason "camera 4, clip 12: the chip was on 17"')
    if len(said) > _REASON_MAX:
        raise Refused(
            f"the reason has {len(said):,} characters, at the most {_REASON_MAX:,} may be",
            hint="name the report, and keep the report itself where reports are kept",
        )
    steers = next((letter for letter in said if not letter.isprintable()), None)
    if steers is not None:
        raise Refused(f"the reason has U+{ord(steers):04X} in it, which nobody can read", hint="write it as plain text")
    return said


def clock_in(line: str, near_ms: int) -> str:
    """A line of notation whose `@21:40:05`, a time of day near another instant, is written out; others as they are.

    Raises:
        Refused: no such time of day.
    """
    match = _CLOCK_BEFORE.match(line)
    if match is None:
        return line
    return f"{line[: match.start(1)]}{time_text(moment(match[1], near_ms))}{line[match.end(1) :]}"


def moment(text: str, near_ms: int | None = None) -> int:
    """An instant in ms UTC: RFC 3339 with an offset, or a time of day (`21:40`, `21:40:05.250`) near another instant.

    A time of day is that of the gaming day of `near_ms`: 02:10 is in the night after it.

    Raises:
        Refused: neither.
    """
    match = _CLOCK.fullmatch(text)
    if match is not None and near_ms is not None:
        hour, minute, second, fraction = match.groups()
        if int(hour) < 24 and int(minute) < 60 and int(second or 0) < 60:
            return at_clock(gaming_day(near_ms), int(hour), int(minute), int(second or 0)) + int(
                (fraction or "0").ljust(3, "0")[:3]
            )
    try:
        return parse_time(text)
    except ValueError as error:
        raise Refused(
            f"`{text}` is no moment ({error})", hint="21:40, 21:40:05 or 2026-11-28T21:40:05+01:00"
        ) from error


def moment_us(text: str, near_ms: int | None = None) -> int:
    """The last microsecond UTC of what `text` names: of a millisecond, if it has no finer digits.

    Raises:
        Refused: as `moment`.
    """
    match = _CLOCK.fullmatch(text)
    fraction = match[4] if match is not None else (re.findall(r":\d\d\.(\d+)", text) or [""])[0]
    return moment(text, near_ms) * 1000 + int((fraction or "")[3:6].ljust(3, "9"))


def clock_of(text: str) -> tuple[int, int, int | None]:
    """Hour, minute and second of a time of day; no second where the text names none.

    Raises:
        Refused: none.
    """
    match = _CLOCK.fullmatch(text)
    if match is not None:
        hour, minute, second = int(match[1]), int(match[2]), int(match[3]) if match[3] else None
        if hour < 24 and minute < 60 and (second or 0) < 60:
            return hour, minute, second
    raise Refused(f"`{text}` is no time of day", hint="21:40 or 21:40:05")


def at_clock(day: date, hour: int, minute: int, second: int = 0) -> int:
    """The instant of a time of day within a gaming day, ms UTC: before the day's first hour it is the next morning."""
    start = datetime(day.year, day.month, day.day, hour, minute, second, tzinfo=PRAGUE)
    at = int(start.timestamp() * 1000)
    if gaming_day(at) != day:
        later = start + timedelta(days=1)
        at = int(later.timestamp() * 1000)
    return at


_TIMELESS_BEFORE = 365 * 86_400_000
"""Imported hands that name no time stand in the first day of 1970."""


def is_timeless(at_ms: int) -> bool:
    """Whether a time only keeps an imported hand's records in order."""
    return at_ms < _TIMELESS_BEFORE


def local_text(at_ms: int) -> str:
    """Date and time of day with seconds, at the casino."""
    if is_timeless(at_ms):
        return "time not known"
    return f"{to_datetime(at_ms):%Y-%m-%d %H:%M:%S}"
