"""`staff register|approve|list|retire|key`: who may act in a house, and as whom."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from cli import acting, screen
from cli.acting import House
from cli.options import AsJson, Reason, Store, day_of, opened, reason_of
from cli.screen import Words
from events.errors import Refused
from events.schema.ours import StaffProposed, StaffRegistered, StaffRole
from games.picture import Span

if TYPE_CHECKING:
    from datetime import date

    from events.seal import VerifierKey
    from events.staff import Register

app = typer.Typer(
    help="Who may act in a house: accounts, persons, roles, personal keys.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
Person = Annotated[str, typer.Argument(metavar="PERSON", help="An id; names stand in a register outside the log.")]


@app.command()
def register(
    person: Person,
    account: Annotated[
        str, typer.Option("--account", metavar="ACCOUNT", help="Of this machine, or database role.")
    ] = "",
    key: Annotated[
        str, typer.Option("--key", metavar="LINE", help="Instead: a personal key, as `staff key` says.")
    ] = "",
    role: Annotated[
        list[str], typer.Option("--role", metavar="ROLE", help="surveillance, inspector, manager, compliance, auditor.")
    ] = [],  # noqa: B006  Typer copies it
    first: Annotated[
        str, typer.Option("--from", metavar="DATE", help="The first gaming day; today otherwise.")
    ] = "today",
    last: Annotated[str, typer.Option("--to", metavar="DATE", help="The last gaming day.")] = "",
    house: House = "",
    new_house: Annotated[bool, typer.Option("--new-house", help="The store has others, and not yet this one.")] = False,
    reason: Reason = "registered",
    store: Store = None,
) -> None:
    """Let an account act for a person with roles.

    A house's first two managers are registered at once; from then on another manager approves.

    \b
    Examples:
      recoup staff register novakova --account novakova --role manager --house brno
      recoup staff register dvorak --account dvorak --role surveillance --to 2027-06-30
    A later registration of the same account replaces its roles from its first day.
    One account is one person.
    """
    from events.staff import account_of, propose

    if bool(account) == bool(key):
        raise Refused("name an account or a key", hint="--account novakova, or --key with the line of `staff key`")
    if person.split() != [person]:
        raise Refused(f"`{person}` is no id of a person", hint="one word, as novakova: names do not stand in the log")
    for_account = account or account_of(_verifier(key))
    begins = day_of(first)
    assert begins is not None
    wish = StaffRegistered(
        person, for_account, _roles(role), begins.isoformat(), _iso(day_of(last or None)), None, key.strip()
    )  # fmt: skip
    with opened(store) as log:
        where = acting.house_of(log, house)
        if not new_house and (there := acting.houses_of(log)) and where not in there:
            raise Refused(
                f"the store has no house `{where}`; it has {', '.join(sorted(there))}",
                hint="--new-house, if it is one more: its first two managers are registered at once",
            )
        done = propose(log, where, wish, account=acting.account_of(log), reason=reason_of(reason))
    _say_written(done, where)


def _say_written(done: StaffRegistered | StaffProposed, house: str) -> None:
    roles = ", ".join(done.roles)
    if isinstance(done, StaffProposed):
        screen.say(f"proposed as {done.proposal}: account {done.for_account} is {done.person} ({roles}) in {house}")
        screen.hint(
            f"recoup staff approve {done.proposal} "
            f"(another manager, by an account of his own or with {acting.KEY_VARIABLE}=FILE)"
        )
    else:
        screen.say(f"account {done.for_account} is {done.person} ({roles}) in {house} from {done.from_day}")


@app.command()
def approve(
    proposal: Annotated[str, typer.Argument(metavar="PROPOSAL", help="As `staff list` shows it.")],
    house: House = "",
    reason: Reason = "approved",
    store: Store = None,
) -> None:
    """Approve what another manager proposed.

    \b
    Example:
      recoup staff approve staff-7 --reason "seen his passport and contract"
    """
    from events.staff import approve as consent

    with opened(store) as log:
        where = acting.house_of(log, house)
        done = consent(log, where, proposal, account=acting.account_of(log), reason=reason_of(reason))
    _say_written(done, where)


@app.command()
def retire(
    person: Person,
    last: Annotated[str, typer.Option("--to", metavar="DATE", help="The last gaming day; today otherwise.")] = "today",
    house: House = "",
    reason: Reason = "left",
    store: Store = None,
) -> None:
    """End all roles of a person after a gaming day; one manager is enough.

    \b
    Example:
      recoup staff retire dvorak --to 2026-12-31 --reason "left the house"
    """
    from events.staff import retire as end

    day = day_of(last)
    assert day is not None
    with opened(store) as log:
        where = acting.house_of(log, house)
        end(log, where, person, day, account=acting.account_of(log), reason=reason_of(reason))
    screen.say(f"{person} has no role in {where} after {day}")


@app.command("list")
def list_(
    house: House = "",
    on: Annotated[str, typer.Option("--on", metavar="DATE", help="Roles on another gaming day than today.")] = "today",
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Accounts, persons and roles; proposals that wait; what the log holds that does not count.

    \b
    Example:
      recoup staff list --house brno
    """
    from events.staff import read_register

    day = day_of(on)
    assert day is not None
    with opened(store) as log:
        where = acting.house_of(log, house)
        found = read_register(log, where)
        me = found.actor(acting.account_of(log), day)
    if as_json:
        _put_json(found, day)
        return
    rows: list[list[Words]] = [
        [one.person, one.account, ", ".join(sorted(found.actor(one.account, day).roles)) or Span("none today", "dim"),
         one.from_day.isoformat(), one.to_day.isoformat() if one.to_day else ""]
        for one in found.assignments
    ]  # fmt: skip
    if rows:
        screen.say_all(screen.table(["person", "account", "roles", "from", "to"], rows))
    else:
        screen.say(f"house {where} has registered nobody")
        screen.hint(f"recoup staff register PERSON --account ACCOUNT --role manager --house {where}")
    for waiting in found.proposals:
        wish = waiting.event
        roles = ", ".join(wish.roles)
        screen.say(f"  {waiting.id} waits: {wish.for_account} is {wish.person} ({roles}), proposed by {waiting.by}")
    for passed in found.passed:
        screen.say([Span(f"  does not count: {passed.cite}: {passed.text}", "bad")])
    screen.note(f"you are account {me.account}: {f'{me.person} ({_worded(me.roles)})' if me.person else 'nobody here'}")


def _put_json(found: Register, day: date) -> None:
    for one in found.assignments:
        screen.put_json(
            {
                "person": one.person,
                "account": one.account,
                "roles": sorted(one.roles),
                "from_day": one.from_day.isoformat(),
                "to_day": _iso(one.to_day),
                "roles_on_day": sorted(found.actor(one.account, day).roles),
                "key": str(one.key) if one.key else None,
            }
        )
    for waiting in found.proposals:
        wish = waiting.event
        screen.put_json(
            {
                "proposal": waiting.id,
                "by": waiting.by,
                "person": wish.person,
                "account": wish.for_account,
                "roles": list(wish.roles),
            }
        )
    for passed in found.passed:
        screen.put_json({"does_not_count": passed.cite, "why": passed.text})


@app.command()
def key(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Where the private half is kept, readable by you alone.")],
    person: Annotated[str, typer.Option("--person", metavar="PERSON", help="Whose key it is.")],
) -> None:
    """Make a personal Ed25519 key, for who shares an account of the machine with others.

    \b
    Example:
      recoup staff key ~/.recoup.pem --person novakova
      export RECOUP_KEY=~/.recoup.pem       (from then on you act by it, once it is registered)
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    from events.seal import BadNote, SigningKey
    from events.sealing.durable import write_durably

    path = Path(file).expanduser()
    if path.exists():
        raise Refused(f"{file} is there already", hint="name a file that is not")
    private = Ed25519PrivateKey.generate()
    try:
        made = SigningKey(person, private)
    except BadNote as error:
        raise Refused(str(error)) from error
    pem = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    write_durably(path, pem, mode=0o600)
    screen.say(f"{made.verifier}")
    screen.hint(f"recoup staff register {person} --key '{made.verifier}' --role … (a manager)")
    screen.hint(f"then {acting.KEY_VARIABLE}={file} before a command, or exported, says that {person} runs it")


def _verifier(line: str) -> VerifierKey:
    from events.seal import BadNote, parse_verifier

    try:
        return parse_verifier(line)
    except BadNote as error:
        raise Refused(str(error), hint="`recoup staff key FILE --person …` prints the line") from error


def _roles(given: list[str]) -> tuple[StaffRole, ...]:
    known = get_args(StaffRole)
    wanted = [one for text in given for one in text.split(",")]
    if unknown := [one for one in wanted if one not in known]:
        raise Refused(f"`{unknown[0]}` is no role", hint=", ".join(known))
    return tuple(role for role in known if role in wanted)


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day is not None else None


def _worded(roles: frozenset[StaffRole]) -> str:
    return ", ".join(sorted(roles)) or "no role today"
