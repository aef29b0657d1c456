"""`store init|check|copy|backup|restore`: the database under the log, its roles, moving it, backups."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from cli import assembly, failures, screen
from cli.options import AsJson, Store, opened, watched_over
from games.picture import Span

if TYPE_CHECKING:
    from events.store.address import Address
    from events.store.backup import BackupReport

Verify = Annotated[bool, typer.Option("--verify/--no-verify", help="Hash every row of what was made again.")]
app = typer.Typer(
    help="The database under the log: roles and rights, moving it, backups.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command()
def init(
    owner: Annotated[str, typer.Option("--owner", metavar="ROLE", help="Who has the tables.")] = "recoup_owner",
    writer: Annotated[str, typer.Option("--writer", metavar="ROLE", help="Who adds records.")] = "recoup_writer",
    reader: Annotated[str, typer.Option("--reader", metavar="ROLE", help="Who reads.")] = "recoup_reader",
    store: Store = None,
) -> None:
    """Make an empty store; on PostgreSQL the schemas, and three roles with no right too many.

    Needs a superuser, or a member of the owner's role after deploy/postgres/roles.sql. Run again, after an upgrade or
    when `recoup store check` found a hole, it puts tables and rights right; what is stored stays as it is.

    \b
    Example:
      recoup store init --store postgresql://recoup_admin@db/recoup
    """
    from events.store.address import parse_address

    address = parse_address(assembly.store_address(store))
    if address.backend == "postgres":
        _init_postgres(address, owner, writer, reader)
    else:
        from events.errors import StoreMissing

        try:
            assembly.open_log(store).close()
            screen.say(f"store {address.shown} is there already")
        except StoreMissing:
            assembly.open_log(store, create=True).close()
            screen.say(f"store {address.shown} made; an SQLite file has no roles")
    screen.hint("recoup init puts the shipped rules in force; recoup store copy FROM TO moves another log here instead")


def _init_postgres(address: Address, owner: str, writer: str, reader: str) -> None:
    from events.store.rights import Roles, prepare

    roles = Roles(owner, writer, reader)
    done = prepare(address, roles)
    screen.say(
        f"store {address.shown} {'made' if done.is_new else 'is there already; tables and rights are put right'}"
    )
    for name, what in zip(
        roles,
        ("has the tables; nobody's daily role", "adds evidence, updates bookkeeping", "reads"),
        strict=True,
    ):
        screen.say(f"  {name}{' (new)' if name in done.made else ''}: {what}")
    screen.note(f"a daemon's or person's own role: CREATE ROLE anna LOGIN IN ROLE {writer}")


@app.command()
def check(
    role: Annotated[
        str, typer.Option("--role", metavar="ROLE", help="Try this role, which the account may become (PostgreSQL).")
    ] = "",
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Try whether the database refuses what it must, allows what it must, and keeps order.

    Changing, deleting, emptying, dropping evidence, switching off its triggers: each is tried as the account that is
    connected, and rolled back; so is a writer's whole way. Use the address that the daemons use.

    \b
    Examples:
      recoup store check
      recoup store check --store postgresql://postgres@db/recoup --role recoup_writer
    Exit code 5 if it found a hole.
    """
    from events.store.check import check as try_out

    with opened(store) as log:
        report = try_out(log, role)
    if as_json:
        import msgspec

        screen.put_json({**msgspec.to_builtins(report), "ok": report.ok})
    else:
        good = Span("no hole", "good") if report.ok else Span(screen.number(len(report.holes), "hole").upper(), "bad")
        screen.say([Span(f"store {report.store}", "bold"), f", as {report.account} ({_KINDS[report.kind]})"])
        tried = f"{report.refused} forbidden things refused, {report.done} steps of writing done and rolled back"
        screen.say(["  ", good, f": {tried}"])
        for hole in report.holes:
            screen.say_all(screen.wrapped(f"{hole.what}: {hole.text}", "    ", "  "))
    for one in report.notes:
        screen.note(one)
    if not report.ok:
        screen.hint(_MEND if report.kind != "file" else "who may write the file may do anything: look at its owner")
        raise typer.Exit(failures.FOUND_SOMETHING)


@app.command()
def copy(
    source: Annotated[str, typer.Argument(metavar="FROM", help="A file, or postgresql://…")],
    target: Annotated[
        str, typer.Argument(metavar="TO", help="A file, made if missing, or postgresql://… with tables.")
    ],
    as_json: AsJson = False,
) -> None:
    """Move a log into another store: SQLite to PostgreSQL, back, or either to its own kind.

    TO must be empty, or an earlier copy: then it goes on where that ended. FROM may be written meanwhile; what came
    after the beginning, the next copy brings. Stop every ingest before the last one, and start it again on TO.

    \b
    Example:
      recoup store init --store postgresql://recoup_admin@db/recoup
      recoup store copy recoup.db postgresql://recoup_ingest@db/recoup
    Every row is hashed anew on the way, and both roots are shown.
    """
    from events.errors import StoreMissing
    from events.store.address import parse_address
    from events.store.copying import copy_log

    with opened(source) as log:
        try:
            other = assembly.open_log(target)
        except StoreMissing as error:
            if parse_address(target).backend == "postgres":
                empty = quote(parse_address(target).shown)
                hint = f"`recoup store init --store {empty}` makes an empty one with its roles"
                raise StoreMissing(str(error), hint=hint) from error
            other = assembly.open_log(target, create=True)
        with watched_over(other), _bar("copy") as progress:
            report = copy_log(log, other, progress)
        shown = (log.address.shown, other.address.shown)
    if as_json:
        import msgspec

        screen.put_json({"from": shown[0], "to": shown[1], **msgspec.to_builtins(report)})
        return
    new = report.size - report.before
    screen.say(
        [Span("equal roots", "good"), f": {screen.number(report.size, 'row')}, {new:,} of them new in {shown[1]}"]
        if new
        else [Span("equal roots", "good"), f": {screen.number(report.size, 'row')}; {shown[1]} had them all"]
    )
    for name in shown:
        screen.say(f"  root {report.root}  {name}")
    screen.hint("recoup verify --store TO hashes every row as TO has it; RECOUP_STORE names TO from now on")


@app.command()
def backup(
    path: Annotated[str, typer.Argument(metavar="FILE", help="Made; an earlier backup of this log is carried on.")],
    verify: Verify = True,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Back the log up into one file, which is a log itself: SQLite's, whatever database the log is in.

    Nobody has to stop writing. The file can be verified, judged and replayed as it lies there.

    \b
    Examples:
      recoup store backup /backup/recoup-2026-11-28.db
      recoup judge --store /backup/recoup-2026-11-28.db RL-03#173
    Exit code 4 if the log is not as it was sealed; then nothing is kept.
    """
    from events.store.backup import backup as back_up

    with opened(store) as log, _bar("backup") as progress:
        report = back_up(log, Path(path), progress, check=verify)
    _tell(report, f"backed up into {path}", as_json)


@app.command()
def restore(
    path: Annotated[str, typer.Argument(metavar="FILE", help="What `recoup store backup` made.")],
    verify: Verify = True,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Put a backup back, into a file that is not there or an empty PostgreSQL store.

    Ingest goes on from the positions in the backup: Kafka sends again what came after it.

    \b
    Example:
      recoup store restore /backup/recoup-2026-11-28.db --store postgresql://recoup_ingest@db/recoup
    Nothing is ever overwritten; a restore that broke off goes on.
    """
    from events.store.backup import restore as put_back

    address = assembly.store_address(store)
    with opened(path) as log, _bar("restore") as progress:
        report = put_back(Path(path), address, log, progress, check=verify)
    _tell(report, f"restored from {path}", as_json)


def _tell(report: BackupReport, done: str, as_json: bool) -> None:
    if as_json:
        screen.put_json(report)
        return
    said = f"{screen.number(report.size, 'row')}" + (f", {report.before:,} were there" if report.before else "")
    beside = f"{report.quarantined:,} in quarantine, {screen.number(report.offsets, 'Kafka position')}"
    good = Span("as it was sealed", "good") if report.verified else Span("not verified", "bad")
    screen.say([f"{done}: {said}; {beside}; ", good])
    screen.say(f"  root {report.root}")


@contextmanager
def _bar(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """How far it is, where somebody sits before it."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import Progress

    with Progress(console=screen.console(error=True), transient=True) as shown:
        task = shown.add_task(what, total=None)
        yield lambda done, total: shown.update(task, completed=done, total=total)


_KINDS = {"owner": "owner or superuser", "writer": "writer", "reader": "reader", "file": "who may write the file"}
_MEND = "recoup store init, as the owner, puts tables and rights of writer and reader right"
