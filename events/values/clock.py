"""Time: instants as whole milliseconds since 1970 UTC, and the gaming day.

RFC 3339 with an offset comes in; finer digits than milliseconds are cut, never rounded, because a
record must not move past another by being read. The gaming day is computed here and nowhere else,
local time first, then the shift, so that both clock-change days have their 23 and 25 hours.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from events.errors import Refused

PRAGUE = ZoneInfo("Europe/Prague")
DAY_STARTS_HOUR = 6
"""A gaming day runs from 06:00 local time to 06:00 of the next date (house setting `day.starts_hour`)."""

_TIME = re.compile(r"(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:([Zz])|([+-])(\d\d):(\d\d))", re.ASCII)
_QUARTER_MS = 15 * 60_000
_SINCE_1973 = 94_694_400_000
_EPOCH_DAY = date(1970, 1, 1).toordinal()


@lru_cache(maxsize=4096)
def _day_ms(year: int, month: int, day: int) -> int:
    return (date(year, month, day).toordinal() - _EPOCH_DAY) * 86_400_000


def parse_time(text: str) -> int:
    """Milliseconds since 1970 UTC of an RFC 3339 time; finer digits are cut.

    A leap second (`:60`) is the last millisecond of its minute, as clocks that smear do.

    Raises:
        ValueError: no offset, no such day or hour, or another form.
    """
    match = _TIME.fullmatch(text)
    if match is None:
        raise ValueError("not an RFC 3339 time with an offset")
    year, month, day, hour, minute, second, fraction, _zulu, sign, off_hour, off_minute = match.groups()
    hours, minutes, seconds = int(hour), int(minute), int(second)
    if not 1 < int(year) < 9999:  # an offset, local time or a gaming day would leave the calendar
        raise ValueError("a year beyond 2 to 9998")
    if hours > 23 or minutes > 59 or seconds > 60:
        raise ValueError("no such time of day")
    milliseconds = int((fraction + "00")[:3]) if fraction else 0
    if seconds == 60:
        seconds, milliseconds = 59, 999
    total = _day_ms(int(year), int(month), int(day))
    total += ((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds
    if sign:
        if int(off_hour) > 23 or int(off_minute) > 59:
            raise ValueError("no such offset")
        shift = (int(off_hour) * 60 + int(off_minute)) * 60_000
        total += -shift if sign == "+" else shift
    return total


def to_datetime(at_ms: int, zone: ZoneInfo = PRAGUE) -> datetime:
    """The instant as local date and time."""
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=at_ms)).astimezone(zone)


def time_text(at_ms: int, zone: ZoneInfo = PRAGUE) -> str:
    """RFC 3339 with milliseconds and the local offset; `parse_time` reads it back exactly."""
    return to_datetime(at_ms, zone).isoformat(timespec="milliseconds")


def clock_text(at_ms: int, zone: ZoneInfo = PRAGUE) -> str:
    """For people, within a day: `21:14:05.120`."""
    return to_datetime(at_ms, zone).strftime("%H:%M:%S.") + f"{at_ms % 1000:03d}"


def span_text(length_ms: int) -> str:
    """A length of time for people: `0.250 s`, `4 min 5 s`, `3 h 20 min`, `26,331 days`."""
    if length_ms < 120_000:
        return f"{length_ms / 1000:.3f} s"
    minutes, seconds = divmod(length_ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    if hours < 2:
        return f"{hours * 60 + minutes} min {seconds} s"
    return f"{hours} h {minutes} min" if hours < 48 else f"{hours // 24:,} days"


def gaming_day(at_ms: int, *, starts_hour: int = DAY_STARTS_HOUR, zone: ZoneInfo = PRAGUE) -> date:
    """The gaming day to which an instant belongs.

    Local wall clock first, then the shift: 05:59 on the morning of a clock change still belongs to the day before.
    """
    # Every zone's offset has been a multiple of a quarter of an hour since 1973, so that days begin with one.
    return _day_of(at_ms // _QUARTER_MS * _QUARTER_MS if at_ms >= _SINCE_1973 else at_ms, starts_hour, zone)


@lru_cache(maxsize=4096)
def _day_of(at_ms: int, starts_hour: int, zone: ZoneInfo) -> date:
    local = to_datetime(at_ms, zone)
    return local.date() if local.hour >= starts_hour else local.date() - timedelta(days=1)


def day_bounds(day: date, *, starts_hour: int = DAY_STARTS_HOUR, zone: ZoneInfo = PRAGUE) -> tuple[int, int]:
    """First instant of a gaming day and first instant of the next, in milliseconds: 23, 24 or 25 hours apart."""

    def start(of: date) -> int:
        local = datetime(of.year, of.month, of.day, starts_hour, tzinfo=zone)
        return int(local.timestamp()) * 1000

    return start(day), start(day + timedelta(days=1))


def parse_day(text: str) -> date:
    """A calendar date `YYYY-MM-DD`.

    Raises:
        Refused: another form or no such day.
    """
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise Refused(f"`{text}` is not a date", hint="write it as 2026-11-28") from error


def now_ms() -> int:
    """The present instant; only for what Recoup itself authors, never inside a fold."""
    return int(datetime.now(UTC).timestamp() * 1000)
