"""`rounds`: which round was it? By table, day, time of day, player, seat, game, finding."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import Struct

from cli import assembly, screen
from cli.access import noted
from cli.addresses import Sitting, day_text, houses_of, sittings, tell_houses
from cli.addresses import Span as Stretch
from cli.judge import watched
from cli.options import AsJson, DayOf, Store, at_clock, clock_of, day_of, is_timeless, local_text, opened
from cli.screen import Words
from events.errors import EditionMissing, Refused
from events.values.clock import clock_text, gaming_day, time_text
from events.values.names import round_address
from games.picture import Span

if TYPE_CHECKING:
    from cli.objections import Objection
    from events.schema.fact import Fact
    from events.store import Log
    from games.casebook import Casebook
    from games.verdict import Verdict


_LONG_OVER_MS = 2 * 60 * 60_000
"""So long after a session's last round an objection is still looked for there."""
_EVER = 1 << 62
_FEW = 3
"""In so many sessions the rounds about a time are judged as well; in more that would be waited for."""


class Hit(Struct, frozen=True, kw_only=True):
    """A round that fits. `verdict` where a finding was asked for, or a time in few sessions."""

    sitting: Sitting
    stretch: Stretch
    verdict: Any = None


def rounds(
    table: Annotated[str, typer.Option("--table", metavar="TABLE", help="As RL-03, or brno/RL-03.")] = "",
    day: DayOf = None,
    around: Annotated[str, typer.Option("--around", metavar="TIME", help="Time of day, as 21:40.")] = "",
    within: Annotated[int, typer.Option("--within", metavar="MIN", min=0, help="Minutes before and after it.")] = 10,
    player: Annotated[str, typer.Option("--player", metavar="ID", help="A player who acted in it.")] = "",
    seat: Annotated[
        int, typer.Option("--seat", metavar="N", min=0, show_default=False, help="Who sat there acted in it.")
    ] = 0,
    game: Annotated[str, typer.Option("--game", metavar="GAME", help="As roulette.")] = "",
    finding: Annotated[str, typer.Option("--finding", metavar="RULE", help="A rule found in it, as RL-17.")] = "",
    imports: Annotated[bool, typer.Option("--imports", help="Imported hands instead of tables.")] = False,
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=1, help="At most so many.")] = 200,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Find the round of a complaint.

    \b
    Examples:
      recoup rounds                                   which tables and days there are
      recoup rounds --table RL-03 --around 21:40      table 3, about 21:40
      recoup rounds --table NL-1 --day 2026-11-28 --seat 5
      recoup rounds --day 2026-11-28 --finding RL-17  where was the spin too short?

    Times are the casino's; a gaming day ends at six in the morning. Of a table, or about a time, the objections of
    players are listed too, each at its time with the hand that it is to.
    """
    with opened(store) as log:
        found = sittings(log, table=table, day=day_of(day), prefix="import/" if imports else "table/")
        if not found:
            _none(log, table, day, imports)
        if not (around or player or seat or finding or table or imports or as_json):
            if game:
                found = [one for one in found if _plays(log, one.subject, game)]
            screen.say_all(_sessions(found))
            if found:
                screen.hint(f"recoup rounds --table {found[-1].unit} --day {found[-1].day} lists its rounds")
            return
        tell_houses(found, table)
        several = len(houses_of(found)) > 1
        judged = bool(finding) or (bool(around) and len(found) <= _FEW)
        hits = _hits(log, found, around, within, player, seat, game, finding, judged=judged)
        if player:
            hits = _noted_once(log, player, hits)
        heard = _Heard(
            log, found, around, within, player, seat, tell=bool((table or around) and not (imports or finding))
        )
        rows: list[list[Words]] = []
        near: list[tuple[int, Hit]] = []
        for count, hit in enumerate(hits):
            if count == limit:
                screen.note(f"… and more; --limit shows more than {limit}")
                break
            near.append((_away(hit, clock_of(around)) if around else count, hit))
            if as_json:
                screen.put_json(_json(hit) | heard.json(hit))
            else:
                rows += heard.rows_before(hit)
                rows.append(_row(hit, imports=imports, house=several))
        else:
            rows += heard.rest()
    if as_json:
        return
    if not rows:
        wider = f", or more minutes --within{_nearest(found, clock_of(around))}" if around else ""
        raise Refused("no round fits", hint=f"fewer conditions{wider}; `recoup rounds` lists the sessions")
    heads = ["round", "day", "from", "to", *(["found"] if judged else []), "in full"]
    for row in rows:
        row[4:4] = [""] * (len(heads) - len(row))  # an objection, or a round that could not be judged
    screen.say_all(screen.table(heads, rows))
    for address in heard.objected_to():
        screen.hint(f"recoup judge {address} judges the round objected to")
    for hint in _meant(near):
        screen.hint(hint)


def _noted_once(log: Log, player: str, hits: Iterator[Hit]) -> Iterator[Hit]:
    """The same; that somebody was asked for is on the access trail before the first is shown. Of who is in no round
    nothing is shown, and what was typed, perhaps a name, is kept nowhere."""
    for number, hit in enumerate(hits):
        if not number:
            noted(log, "person", player)
        yield hit


def _nearest(found: list[Sitting], clock: tuple[int, int, int | None]) -> str:
    """Which round was nearest, and when it ended; empty where there is none whose time is known."""
    hits = [
        Hit(sitting=one, stretch=round_) for one in found for round_ in one.rounds if not is_timeless(round_.first_at)
    ]
    if not hits:
        return ""
    hit = min(hits, key=lambda one: _away(one, clock))
    last = _time(hit.stretch.last_at, hit.sitting.day)
    return f" (the nearest round, {hit.sitting.unit}#{hit.stretch.name}, ended at {last})"


def _meant(near: list[tuple[int, Hit]]) -> Iterator[str]:
    """The round nearest to the time asked for; where nothing was found in it, the nearest in which something was."""
    from cli.findings import rules_found

    near = sorted(near, key=lambda one: one[0])
    for at, (_away, hit) in enumerate(near):
        found = hit.verdict is not None and rules_found(hit.verdict.findings)
        if at == 0 or found:
            told = f" is nearby, and there {found} was found" if at else ""
            yield f"recoup judge {round_address(hit.sitting.subject, hit.stretch.name)}{told}"
        if found or hit.verdict is None:
            return


class _Heard:
    """The objections among the rounds listed, each told at its place in time; read session by session, when its rounds
    come. With a time of day, those about that time."""

    def __init__(
        self, log: Log, found: list[Sitting], around: str, within: int, player: str, seat: int, *, tell: bool
    ) -> None:
        self._book = assembly.casebook(log)
        self._clock = clock_of(around) if around else None
        self._within, self._player, self._seat = within, player, seat
        # About a time of day only sessions count that were on then, or not long over.
        self._later = [one for one in found if tell and (self._clock is None or self._on(one))]
        self._waiting: list[tuple[Sitting, Objection]] = []
        self._read: dict[str, list[Objection]] = {}
        self.told: list[tuple[Sitting, Objection]] = []

    def _window(self, day: date) -> tuple[int, int]:
        return _window(day, self._clock, self._within) if self._clock is not None else (0, _EVER)

    def _on(self, sitting: Sitting) -> bool:
        start, end = self._window(sitting.day)
        last = max((one.last_at for one in sitting.rounds), default=sitting.first_at)
        return sitting.first_at <= end and start <= last + _LONG_OVER_MS

    def _of(self, sitting: Sitting) -> list[Objection]:
        """Those of a session that fit, read once."""
        from cli.objections import objections

        if sitting.subject not in self._read:
            facts = self._book.case(sitting.subject).ordered.facts
            self._read[sitting.subject] = [
                one
                for one in objections(facts)
                if (not self._player or one.player == self._player) and (not self._seat or one.seat == self._seat)
            ]
        return self._read[sitting.subject]

    def _queue(self, sitting: Sitting) -> None:
        start, end = self._window(sitting.day)
        self._waiting += [(sitting, one) for one in self._of(sitting) if start <= one.at <= end]

    def rows_before(self, hit: Hit) -> list[list[Words]]:
        """Those of sessions before this round's, and of its own those that came before it began."""
        while any(one is hit.sitting for one in self._later):
            self._queue(self._later.pop(0))
        rows = []
        while self._waiting:
            sitting, one = self._waiting[0]
            if sitting is hit.sitting and one.at >= hit.stretch.first_at:
                break
            rows.append(self._row(*self._waiting.pop(0)))
        return rows

    def rest(self) -> list[list[Words]]:
        """Those behind the last round listed."""
        while self._later and self._clock is not None:
            self._queue(self._later.pop(0))
        rows = [self._row(*pair) for pair in self._waiting]
        self._waiting.clear()
        return rows

    def _row(self, sitting: Sitting, one: Objection) -> list[Words]:
        self.told.append((sitting, one))
        day = "—" if is_timeless(one.at) else sitting.day.isoformat()
        return ["  objection", day, "—" if is_timeless(one.at) else _time(one.at, sitting.day), "", one.words]

    def json(self, hit: Hit) -> dict[str, Any]:
        """The objections to a round, whenever they were raised."""
        from cli.objections import objection_json

        if not any(one is hit.sitting for one in self._later):
            return {}
        against = [objection_json(one) for one in self._of(hit.sitting) if one.round == hit.stretch.name]
        return {"objections": against} if against else {}

    def objected_to(self) -> list[str]:
        """Addresses of the rounds objected to, if a time was asked for."""
        if self._clock is None:
            return []
        return list(dict.fromkeys(round_address(sitting.subject, one.round) for sitting, one in self.told if one.round))


def _hits(
    log: Log,
    found: list[Sitting],
    around: str,
    within: int,
    player: str,
    seat: int,
    game: str,
    rule: str,
    *,
    judged: bool,
) -> Iterator[Hit]:
    clock = clock_of(around) if around else None
    book = assembly.casebook(log)
    for sitting in watched(found) if judged else found:
        stretches = list(sitting.rounds)
        if clock is not None:
            stretches = _near(stretches, sitting.day, clock, within)
        if not stretches:
            continue
        if player or seat or game:
            fits = _who(log, sitting.subject, player, seat, game)
            stretches = [one for one in stretches if fits(one.name)]
        verdicts = _verdicts(book, sitting.subject, rule) if judged and stretches else None
        for one in stretches:
            verdict = verdicts.get(one.name) if verdicts is not None else None
            if verdict is not None or not rule:
                yield Hit(sitting=sitting, stretch=one, verdict=verdict)


def _near(stretches: list[Stretch], day: date, clock: tuple[int, int, int | None], within: int) -> list[Stretch]:
    """Rounds not further away than that."""
    start, end = _window(day, clock, within)
    return [one for one in stretches if one.first_at <= end and start <= one.last_at]


def _window(day: date, clock: tuple[int, int, int | None], within: int) -> tuple[int, int]:
    """From when to when, ms UTC: so many minutes about a time; one without seconds is the whole minute."""
    hour, minute, second = clock
    start = at_clock(day, hour, minute, second or 0) - within * 60_000
    return start, start + 2 * within * 60_000 + (59_999 if second is None else 999)


def _away(hit: Hit, clock: tuple[int, int, int | None]) -> int:
    """Milliseconds between a time of day and the round; zero inside it."""
    hour, minute, second = clock
    at = at_clock(hit.sitting.day, hour, minute, 30 if second is None else second)
    return max(hit.stretch.first_at - at, at - hit.stretch.last_at, 0)


def _who(log: Log, subject: str, player: str, seat: int, game: str) -> Callable[[str], bool]:
    """Whether a round has a record that names the player or the seat; the game is the whole session's."""
    facts = assembly.casebook(log).case(subject).ordered.facts
    if game and not any(getattr(fact.event, "game", None) == game for fact in facts):
        return lambda _name: False
    if not (player or seat):
        return lambda _name: True
    persons = {player} if player else set()
    if seat:
        # A bet names its player, not his seat: whoever sat there in this session is meant.
        persons = {_person(fact) for fact in facts if getattr(fact.event, "seat", None) == seat and _person(fact)}
    names = {_plain(fact.round) for fact in facts if fact.round and _is_about(fact, persons, seat)}
    return lambda name: name in names


def _person(fact: Fact) -> str:
    return getattr(fact.event, "player", None) or getattr(fact.event, "person", None) or ""


def _is_about(fact: Fact, persons: set[str], seat: int) -> bool:
    if _person(fact) in persons or (seat and getattr(fact.event, "seat", None) == seat):
        return True
    return any(place.partition("/")[2] in persons for move in fact.event.moves() for place in (move.frm, move.to))


def _verdicts(book: Casebook, subject: str, rule: str) -> dict[str, Verdict]:
    found = {}
    try:
        verdicts = book.judge(subject).verdicts
    except (Refused, EditionMissing):
        if rule:
            raise
        return {}  # the rounds are listed all the same
    for verdict in verdicts:
        if not rule or any(rule.upper() in (finding.rule, finding.via) for finding in verdict.findings):
            found[_plain(verdict.round.partition("#")[2])] = verdict
    return found


def _plays(log: Log, subject: str, game: str) -> bool:
    opened_by = assembly.casebook(log).case(subject).opened
    return opened_by is not None and getattr(opened_by.event, "game", "") == game


def _plain(name: str) -> str:
    return name.partition("~")[0]


def _row(hit: Hit, *, imports: bool, house: bool) -> list[Words]:
    from cli.findings import rules_found

    sitting, one = hit.sitting, hit.stretch
    table = f"{sitting.house}/{sitting.unit}" if house else sitting.unit
    short = f"{sitting.subject[:19]}#{one.name}" if imports else f"{table}#{one.name}"
    row: list[Words] = [Span(short, "bold")]
    if is_timeless(one.first_at):
        row += ["—", "—", "—"]
    else:
        row += [sitting.day.isoformat(), *(_time(at, sitting.day) for at in (one.first_at, one.last_at))]
    if hit.verdict is not None:
        row.append(rules_found(hit.verdict.findings) or Span("·", "dim"))
    return [*row, round_address(sitting.subject, one.name)]


def _time(at_ms: int, day: date) -> str:
    """Time of day within the gaming day; with its date, where a clock went astray."""
    return clock_text(at_ms)[:8] if gaming_day(at_ms) == day else local_text(at_ms)


def _json(hit: Hit) -> dict[str, Any]:
    from cli.findings import rules_found

    known = not is_timeless(hit.stretch.first_at)
    made: dict[str, Any] = {
        "round": round_address(hit.sitting.subject, hit.stretch.name),
        "table": hit.sitting.unit,
        "house": hit.sitting.house,
        "day": hit.sitting.day.isoformat() if known else None,
        "first": time_text(hit.stretch.first_at) if known else None,
        "last": time_text(hit.stretch.last_at) if known else None,
    }
    if hit.verdict is not None:
        made |= {"standing": hit.verdict.standing, "findings": rules_found(hit.verdict.findings)}
    return made


def _sessions(found: list[Sitting]) -> list[Words]:
    rows: list[list[Words]] = []
    for one in found:
        names = f"{one.rounds[0].name} to {one.rounds[-1].name}" if one.rounds else "none"
        rows.append(
            [
                Span(f"{one.house}/{one.unit}", "bold"),
                day_text(one.day),
                clock_text(one.first_at)[:5],
                str(len(one.rounds)),
                names,
                one.subject,
            ]
        )
    return screen.table(["table", "gaming day", "from", "rounds", "named", "session"], rows, right=(3,))


def _none(log: Log, table: str, day: str | None, imports: bool) -> None:
    if imports:
        raise Refused("no hand has been imported", hint="`recoup hands import FILE …` imports some")
    if table:
        from cli.addresses import no_table

        no_table(log, table, day_of(day))
    if next(log.subjects("table/"), None) is None:
        raise Refused("the log has no table yet", hint="`recoup ingest FILE` brings records in")
    raise Refused(f"no table was open on {day}", hint="`recoup rounds` lists tables and days")
