"""From what a person types to one round or session: `RL-03#173` with a day, a full address, a piece of an import's key.

Made from the round index alone. What was taken is said, so that nobody rules on another house's table of that name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import TYPE_CHECKING, NoReturn

from msgspec import Struct

from cli import screen
from events.errors import Refused
from events.values.clock import clock_text, gaming_day
from events.values.names import parse_subject, round_address

if TYPE_CHECKING:
    from events.store import Log, RoundSegment


class Span(Struct, frozen=True):
    """One round as the index knows it: first and last time, ms UTC."""

    name: str
    first_at: int
    last_at: int


class Sitting(Struct, frozen=True, kw_only=True):
    """One session in the log: its gaming day (of its earliest record) and its rounds in order of time."""

    subject: str
    house: str
    unit: str
    day: date
    first_at: int
    rounds: tuple[Span, ...]


class Address(Struct, frozen=True):
    """One round that was meant. `said`: whether it was typed in full."""

    subject: str
    round: str
    in_full: bool

    @property
    def text(self) -> str:
        """`<subject>#<round>`."""
        return round_address(self.subject, self.round)


def sittings(
    log: Log, *, table: str = "", house: str = "", day: date | None = None, prefix: str = "table/"
) -> list[Sitting]:
    """The sessions of the log that fit, by gaming day, then by time. `table` may be `brno/RL-03`."""
    wanted_house, _slash, unit = table.rpartition("/")
    wanted_house = wanted_house or house
    prefix = f"table/{wanted_house}/{unit + '/' if unit else ''}" if wanted_house else prefix
    if unit and not wanted_house:
        # The index is by subject, house first: a table alone is sought among the names, which are few.
        named = [subject for subject in log.subjects(prefix) if subject.split("/")[2].lower() == unit.lower()]
        segments = [segment for subject in named for segment in log.rounds(subject)]
    else:
        segments = log.rounds(prefix=prefix)
    found = []
    for subject, own in _by_subject(segments):
        name = parse_subject(subject)
        if name.kind not in ("table", "import") or (unit and name.unit.lower() != unit.lower()):
            continue
        sitting = _sitting(subject, own)
        if day is None or sitting.day == day:
            found.append(sitting)
    return sorted(found, key=lambda one: (one.day, one.first_at, one.subject))


def one_round(log: Log, text: str, *, day: date | None = None) -> Address:
    """The round that `text` names.

    Raises:
        Refused: it names none, or several.
    """
    where, hash_, name = text.partition("#")
    if not where or (hash_ and not name):
        raise Refused(f"`{text}` names no round", hint="RL-03#173, or in full <subject>#<round>")
    if where.startswith("import/"):
        return _imported(log, where, name)
    if where.count("/") == 2 and not where.startswith("table/"):
        where = f"table/{where}"  # as lists print it
    if not hash_:
        raise Refused(
            f"`{text}` names no round", hint=f"which one? as {where}#8; `recoup rounds --table {where}` lists them"
        )
    if where.startswith("table/"):
        found = [one for one in sittings(log, prefix=where) if one.subject == where]
        subject = _session_of(found, where, log)
        _of_that_day(found, day)
        return Address(subject, _round_of(found, name, where), True)
    found = sittings(log, table=where, day=day)
    if not found:
        no_table(log, where, day)
    having = [one for one in found if _has(one, name)]
    if not having:
        raise Refused(
            f"no session of `{where}` has a round `{name}`{_on(day)}",
            hint=f"`recoup rounds --table {where}` lists them",
        )
    if len(having) > 1:
        raise Refused(
            f"`{text}` is the name of {len(having)} rounds: {_listed(having, name)}", hint=_which(having, text)
        )
    return Address(having[0].subject, name, False)


def one_session(log: Log, text: str, *, day: date | None = None) -> str:
    """The subject of the session that `text` names: a subject, or a table with a day.

    Raises:
        Refused: it names none, or several.
    """
    where = text.partition("#")[0]
    if where.startswith("import/"):
        return _imported(log, where, "").subject
    if where.count("/") > 1:
        if not log.streams_of(where):
            raise Refused(f"the log has nothing of `{where}`", hint="`recoup rounds` lists what there is")
        _of_that_day(sittings(log, prefix=where) if day is not None else (), day)
        return where
    found = sittings(log, table=where, day=day)
    if not found:
        no_table(log, where, day)
    if len(found) > 1:
        raise Refused(f"`{where}` had {len(found)} sessions: {_listed(found)}", hint=_which(found, where))
    return found[0].subject


def _of_that_day(found: Iterable[Sitting], day: date | None) -> None:
    """A day beside a full address must be its own.

    Raises:
        Refused: it is another.
    """
    for one in found:
        if day is not None and one.day != day:
            raise Refused(f"{one.subject} is of gaming day {one.day}, not of {day}", hint="leave --day out")


def houses_of(found: Iterable[Sitting]) -> list[str]:
    """The houses whose tables were found, sorted."""
    return sorted({one.house for one in found})


def tell_houses(found: Sequence[Sitting], table: str) -> None:
    """Says where a table's name stands for tables of several houses."""
    houses = houses_of(found)
    if table and "/" not in table and len(houses) > 1:
        screen.note(f"`{table}` is a table in {len(houses)} houses, all are meant: {', '.join(houses)}")
        screen.hint(f"--table {houses[0]}/{found[0].unit} means one of them")


def day_text(day: date) -> str:
    """A gaming day with its weekday."""
    return f"{day:%a} {day.isoformat()}"


def _by_subject(segments: Iterable[RoundSegment]) -> list[tuple[str, list[RoundSegment]]]:
    found: dict[str, list[RoundSegment]] = {}
    for segment in segments:
        found.setdefault(segment.subject, []).append(segment)
    return list(found.items())


def _sitting(subject: str, segments: Sequence[RoundSegment]) -> Sitting:
    rounds: dict[str, Span] = {}
    for segment in segments:
        if segment.round is not None:
            known = rounds.get(segment.round, Span(segment.round, segment.first_at, segment.last_at))
            rounds[segment.round] = Span(
                segment.round, min(known.first_at, segment.first_at), max(known.last_at, segment.last_at)
            )
    first_at = min(segment.first_at for segment in segments)
    name = parse_subject(subject)
    return Sitting(
        subject=subject,
        house=name.house,
        unit=name.unit,
        day=gaming_day(first_at),
        first_at=first_at,
        rounds=tuple(sorted(rounds.values(), key=lambda one: one.first_at)),
    )


def _has(sitting: Sitting, name: str) -> bool:
    """A round opened again under its name (`173~2`) is one name in the index."""
    plain = name.partition("~")[0]
    return any(one.name == plain for one in sitting.rounds)


def _round_of(found: Sequence[Sitting], name: str, where: str) -> str:
    if not any(_has(one, name) for one in found):
        have = found[0].rounds
        spoken = f"it has {len(have)}, {have[0].name} to {have[-1].name}" if have else "it has none"
        raise Refused(f"{where} has no round `{name}`; {spoken}", hint="`recoup rounds` lists them with their times")
    return name


def _session_of(found: Sequence[Sitting], where: str, log: Log) -> str:
    if not found:
        near = [subject for subject in log.subjects("table/") if subject.rpartition("/")[0] == where.rpartition("/")[0]]
        more = f"that table has {', '.join(near[:4])}" if near else "`recoup rounds` lists what there is"
        raise Refused(f"the log has no session `{where}`", hint=more)
    return found[0].subject


def _imported(log: Log, where: str, name: str) -> Address:
    subjects = []
    for subject in log.subjects(where):
        subjects.append(subject)
        if len(subjects) > 1 and subjects[0] != where:
            break
    if not subjects:
        raise Refused(f"no imported hand begins with `{where}`", hint="`recoup rounds --imports` lists them")
    if len(subjects) > 1 and subjects[0] != where:
        raise Refused(f"several imported hands begin with `{where}`", hint="write more of the key")
    subject = subjects[0]
    rounds = _sitting(subject, log.rounds(subject)).rounds
    if not rounds:
        raise Refused(f"{subject} has no round")
    if name and not any(one.name == name for one in rounds):
        raise Refused(f"{subject} has no round `{name}`; it has {rounds[0].name}")
    return Address(subject, name or rounds[0].name, where == subject and bool(name))


def no_table(log: Log, where: str, day: date | None) -> NoReturn:
    """Says why there is no such table.

    Raises:
        Refused: always.
    """
    tables = sorted({"/".join(subject.split("/")[1:3]) for subject in log.subjects("table/")})
    if not tables:
        raise Refused("the log has no table yet", hint="`recoup ingest FILE` brings records in")
    unit = where.rpartition("/")[2]
    if any(table.endswith("/" + unit) for table in tables):
        raise Refused(f"`{where}` had no session{_on(day)}", hint=f"`recoup rounds --table {where}` shows its days")
    shown = ", ".join(tables[:8]) + (", …" if len(tables) > 8 else "")
    raise Refused(f"the log has no table `{where}`; it has {shown}")


def _on(day: date | None) -> str:
    return f" on {day}" if day is not None else ""


def _listed(found: Sequence[Sitting], name: str = "") -> str:
    shown = [round_address(one.subject, name) if name else one.subject for one in found[:5]]
    return "; ".join(shown) + ("; …" if len(found) > 5 else "")


def _which(found: Sequence[Sitting], text: str) -> str:
    if len({one.house for one in found}) > 1:
        return f"two houses have such a table: write {found[0].house}/{text}"
    if len({one.day for one in found}) > 1:
        return f"add --day, as in `{text} --day {found[0].day}`"
    begun = " and ".join(clock_text(one.first_at)[:5] for one in found[:5])
    return f"they began at {begun}: write one in full, as above (`recoup rounds --table {found[0].unit}` shows more)"
