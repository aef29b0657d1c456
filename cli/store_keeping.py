"""`store init|check`: the database under the log, its roles, and whether it refuses what it must."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cli import assembly, failures, screen
from cli.options import AsJson, Store, opened
from games.picture import Span

if TYPE_CHECKING:
    from events.store.address import Address

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


_KINDS = {"owner": "owner or superuser", "writer": "writer", "reader": "reader", "file": "who may write the file"}
_MEND = "recoup store init, as the owner, puts tables and rights of writer and reader right"
