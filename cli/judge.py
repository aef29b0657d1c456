"""`judge`: one round in full, or all of a table, a day, the log; what there is to look at comes out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from cli import assembly, failures, screen
from cli.addresses import Address, one_round, sittings, tell_houses
from cli.options import AsJson, DayOf, Store, day_of, opened
from cli.screen import Words
from events.errors import EditionMissing, RecoupError, Refused
from events.schema.ours import HandImported
from events.values.clock import gaming_day
from games.table_rules import title_of

if TYPE_CHECKING:
    from events.store import Log
    from games.adjudicate import SessionJudgement
    from games.house_rules.edition import Edition, Editions
    from games.verdict import Finding, Verdict
    from replay.disputes.dispute import Dispute

T = TypeVar("T")
_BETWEEN = "between rounds"


def judge(
    round_: Annotated[str, typer.Argument(metavar="ROUND", help="As RL-03#173, brno/RL-03#173 or <subject>#173.")] = "",
    table: Annotated[str, typer.Option("--table", metavar="TABLE", help="Every round of a table.")] = "",
    day: DayOf = None,
    everything: Annotated[bool, typer.Option("--all", help="Every round in the log, imported hands too.")] = False,
    each: Annotated[bool, typer.Option("--each", help="List rounds without anything to look at, too.")] = False,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """What was due, what was paid, which rule says so.

    Judged by the house rules in force on that gaming day.

    \b
    Examples:
      recoup judge RL-03#173                 one round, in full
      recoup judge --table RL-03 --day 2026-11-28
      recoup judge --day yesterday           all tables of a gaming day
      recoup judge --all

    Exit code 5 if anything was found: a finding, a difference, a round that is not valid. What the table itself
    put right as the rule says is told apart from what was not kept; it is a finding all the same.
    """
    if bool(round_) + bool(table or (day and not round_)) + everything != 1:
        raise Refused("judge what?", hint="a ROUND, or --table, or --day, or --all")
    with opened(store) as log:
        if round_:
            found = _one(log, one_round(log, round_, day=day_of(day)), as_json=as_json)
        else:
            subjects = _subjects(log, table, day, everything=everything)
            found = _many(log, subjects, each=each, as_json=as_json)
    if found:
        raise typer.Exit(failures.FOUND_SOMETHING)


def _one(log: Log, address: Address, *, as_json: bool) -> bool:
    from msgspec.structs import replace

    from cli.objections import objection_json, objections
    from cli.rulings import disputes_about, is_carried_out, ruling_json, ruling_lines
    from cli.scene import scene_of
    from cli.words import has_found, verdict_json, verdict_lines
    from games.adjudicate import game_of, judge_round
    from replay.timeline import Timeline

    took(address)
    records = read_records(log, address.subject)
    case = records.case()
    rooms = assembly.rooms()
    verdict = judge_round(case, rooms, address.round)
    brought = case.opened.event if case.opened is not None else None
    against = [one for one in objections(case.ordered.facts) if one.round == address.round]
    disputed = disputes_about(log, address.text)
    if as_json:
        said = {"objections": [objection_json(one) for one in against]} if against else {}
        if disputed:
            said["rulings"] = [ruling_json(one, address.text) for one in disputed]
        screen.put_json(verdict_json(verdict) | _notes_json(brought) | said)
        return has_found(verdict)
    _game, edition = game_of(case, rooms)
    timeline = Timeline.of_case(case, records)
    scene = scene_of(records, case, timeline, rooms, verdict, against)
    done = is_carried_out(disputed, verdict)
    scene = replace(scene, rulings=ruling_lines(disputed, verdict), is_carried_out=done)
    screen.say_all([*verdict_lines(verdict, edition, timeline.shorten, scene), *_notes_lines(brought)])
    hints(verdict, address, disputed)
    return has_found(verdict)


def _notes_lines(brought: Any) -> list[Words]:
    """What the reader of an imported hand had to choose, or found that its file contradicts."""
    if not isinstance(brought, HandImported) or not brought.notes:
        return []
    whence = " ".join(filter(None, (brought.format, brought.site, brought.site_hand)))
    lines: list[Words] = ["", f"How the file was read ({whence})"]
    for note in brought.notes:
        lines += screen.wrapped(note, "    ", "  ")
    return lines


def _notes_json(brought: Any) -> dict[str, Any]:
    return {"import_notes": list(brought.notes)} if isinstance(brought, HandImported) else {}


def read_records(log: Log, subject: str, *, known_at: int | None = None) -> Any:
    """A session's records as `replay` wants them."""
    from replay.timeline import Records

    return Records.read(assembly.casebook(log), subject, known_at=known_at)


def took(address: Address) -> None:
    """Says which round was taken, where it was not typed in full."""
    if not address.in_full:
        screen.note(f"round {address.text}")


def hints(verdict: Verdict, address: Address, disputed: Sequence[Dispute] = ()) -> None:
    """What to do after a verdict."""
    from cli.rulings import overtaken_dispute, rule_anew
    from cli.words import deciding

    decider = deciding(verdict)
    overtaken = overtaken_dispute(disputed, verdict)
    if overtaken is not None:
        screen.hint(rule_anew(overtaken))
    elif verdict.standing == "ruling_required":
        screen.hint(f'recoup dispute open {address.text} --claim "…" --player ID brings it before management')
    if decider is not None:
        screen.hint(f"recoup replay {address.text} shows it record by record; with --step you walk through it")
        screen.hint(f"recoup why {address.text} {decider.rule} shows the rule, what it read and what it rests on")
    else:
        screen.hint(f"recoup replay {address.text} shows it record by record")
        screen.hint(f"recoup why {address.text} tells on what figures its rules rest; … WORD, as `side pot`, one")


def _subjects(log: Log, table: str, day: str | None, *, everything: bool) -> list[str]:
    if everything:
        return [subject for prefix in ("table/", "import/") for subject in log.subjects(prefix)]
    found = sittings(log, table=table, day=day_of(day))
    if not found and table:
        from cli.addresses import no_table

        no_table(log, table, day_of(day))
    if not found:
        raise Refused(f"no table was open on {day}", hint="`recoup rounds` lists tables and days")
    tell_houses(found, table)
    return [one.subject for one in found]


def _many(log: Log, subjects: list[str], *, each: bool, as_json: bool) -> bool:
    from cli.words import has_found, summary_row, verdict_json

    book = assembly.casebook(log)
    tally = _Tally(book.editions)
    rows: list[list[Words]] = []
    for subject, came in book.judge_all(watched(subjects)):
        judged = _judged(came)
        if isinstance(judged, str):
            count = len({one.round for one in log.rounds(subject) if one.round is not None})
            tally.unjudged.append((subject, judged, count))
            if as_json:
                screen.put_json({"session": subject, "error": judged})
            continue
        for verdict in judged.verdicts:
            tally.add(verdict)
            if as_json:
                screen.put_json(verdict_json(verdict))
            elif each or has_found(verdict):
                rows.append(summary_row(verdict, _short(verdict.round)))
        if judged.between:
            tally.take_between(judged)
            if as_json:
                import msgspec

                screen.put_json({"session": subject, "between": msgspec.to_builtins(judged.between)})
            else:
                rows.append(_between_row(judged))
    if not as_json:
        _say_many(rows, tally)
    return bool(tally.looks or tally.between or tally.unjudged)


class _Tally:
    """What came out of judging many rounds."""

    def __init__(self, editions: Editions) -> None:
        self._editions = editions
        self.rounds = self.looks = self.between = 0
        self.standings: dict[str, int] = {}
        self.unjudged: list[tuple[str, str, int]] = []
        self.rules: dict[str, int] = {}
        self.titles: dict[str, str] = {}

    def add(self, verdict: Verdict) -> None:
        from cli.words import has_found, standing_word

        self.rounds += 1
        self.looks += has_found(verdict)
        word = standing_word(verdict)
        self.standings[word] = self.standings.get(word, 0) + 1
        self._count(verdict.findings, verdict)

    def take_between(self, judged: SessionJudgement) -> None:
        """What a session found between its rounds; they are played by the rules of its first one."""
        self.between += len(judged.between)
        self._count(judged.between, judged.verdicts[0] if judged.verdicts else None)

    def _count(self, findings: Iterable[Finding], verdict: Verdict | None) -> None:
        for one in findings:
            self.rules[one.rule] = self.rules.get(one.rule, 0) + 1
            if not self.titles.get(one.rule):
                self.titles[one.rule] = title_of(one.rule, self._edition(verdict))

    def _edition(self, verdict: Verdict | None) -> Edition | None:
        if verdict is None:
            return None
        try:
            return self._editions.in_force(verdict.house, verdict.rule_book, gaming_day(verdict.opened_at))
        except EditionMissing:  # a round whose records are older than the opening of its session
            return None


def _judged(judged: SessionJudgement | Exception) -> SessionJudgement | str:
    """The judgement, or why there is none: one table without an edition does not stop the night.

    Raises:
        Exception: what nobody foresaw.
    """
    if isinstance(judged, RecoupError):
        return str(judged)
    if isinstance(judged, Exception):
        raise judged
    stopped = next((one for one in judged.between if one.code in ("not_opened", "game_unknown")), None)
    return judged if judged.verdicts or stopped is None else stopped.text


@contextmanager
def _progress(total: int) -> Iterator[Any]:
    import sys

    if not sys.stderr.isatty() or total < 3:
        yield lambda: None
        return
    from rich.progress import Progress

    with Progress(console=screen.console(error=True), transient=True) as shown:
        task = shown.add_task("judging", total=total)
        yield lambda: shown.advance(task)


def watched(sessions: Sequence[T]) -> Iterator[T]:
    """The same, with a progress bar on stderr for whoever sits before it."""
    with _progress(len(sessions)) as advance:
        for session in sessions:
            yield session
            advance()


def _between_row(judged: SessionJudgement) -> list[Words]:
    from cli.findings import in_short, rules_found

    texts = "; ".join(dict.fromkeys(in_short(finding, judged.currency) for finding in judged.between))
    return [_short(judged.subject), _BETWEEN, "", "", f"{rules_found(judged.between)} — {texts}"]


def _short(address: str) -> str:
    """`brno/RL-03/2026-11-28.1#173`, `import/0a1b2c3d#1`."""
    subject, hash_, name = address.partition("#")
    if subject.startswith("import/"):
        return f"{subject[:15]}{hash_}{name}"
    return subject.removeprefix("table/") + hash_ + name


def _say_many(rows: list[list[Words]], tally: _Tally) -> None:
    if rows:
        heads = ["round", "standing", "settlement", "apart", "found"]
        screen.say_all(screen.table(heads, rows, right=(3,)))
        screen.say("")
    for subject, why, count in tally.unjudged:
        screen.say(f"  {subject} ({screen.number(count, 'round')}) could not be judged: {why}")
    if tally.rules:
        counted = [[rule, f"{count:,}", tally.titles[rule]] for rule, count in sorted(tally.rules.items())]
        screen.say_all(screen.table(["rule", "found", "title"], counted, right=(1,)))
        screen.say("")
    screen.say(_in_all(tally))
    if any(screen.plain_of(row[1]) != _BETWEEN for row in rows):
        screen.hint("recoup judge ROUND shows one of them in full, as `recoup judge RL-03#173`")
    elif tally.between:
        screen.hint("recoup replay TABLE --day DATE shows what lies between rounds")


def _in_all(tally: _Tally) -> str:
    """The last line: what was judged, what there is to look at, what could not be judged."""
    parts = ", ".join(f"{count:,} {name}" for name, count in sorted(tally.standings.items()))
    said = [f"{screen.number(tally.rounds, 'round')}{': ' + parts if parts else ''}"]
    if tally.rounds or not (tally.unjudged or tally.between):
        said.append(f"{tally.looks:,} to look at")
    if tally.between:
        said.append(f"{screen.number(tally.between, 'finding')} between rounds")
    if tally.unjudged:
        rounds = screen.number(sum(count for _subject, _why, count in tally.unjudged), "round")
        said.append(f"{rounds} of {screen.number(len(tally.unjudged), 'session')} not judged")
    return "; ".join(said)
