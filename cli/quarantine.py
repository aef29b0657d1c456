"""`quarantine list|show|release|discard`: bytes that could not be stored, and what people decide about them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli import acting, failures, screen
from cli.options import AsJson, Reason, Store, local_text, opened, reason_of
from cli.screen import Words
from games.picture import Span

if TYPE_CHECKING:
    from events.store import Held

app = typer.Typer(
    help="Records that could not be stored, and what to do about them.", no_args_is_help=True, rich_markup_mode=None
)

Entry = Annotated[
    str, typer.Argument(metavar="SHA256", help="The entry's SHA-256, or its first digits (4 at the least).")
]

WHY = {
    "conflict": "a record of that number is stored with other facts",
    "jump": "its number is too far above the last one to be believed",
    "not_yours": "only Recoup itself may say that",
    "key_twice": "a key stands twice: which one counts?",
    "not_json": "no JSON, or half a line",
    "not_utf8": "the encoding is not UTF-8",
    "too_long": "the line is longer than any record",
}


@app.command("list")
def list_(
    everything: Annotated[bool, typer.Option("--all", help="Those released or discarded too.")] = False,
    why: Annotated[str, typer.Option("--why", metavar="REASON", help="Only this reason, as conflict.")] = "",
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """What lies in quarantine, oldest first.

    \b
    Example:
      recoup quarantine list --why conflict
    Exit code 5 if something waits for a decision.
    """
    with opened(store) as log:
        found = [one for one in log.quarantine(open_only=not everything) if not why or one.reason == why]
    if as_json:
        for one in found:
            screen.put_json(_json(one))
    elif not found:
        screen.say("quarantine is empty" if not why else f"nothing in quarantine for `{why}`")
    else:
        rows: list[list[Words]] = [
            [one.sha256.hex()[:12], one.act or Span("waits", "bad"), one.reason, _origin(one), one.detail]
            for one in found
        ]
        screen.say_all(screen.table(["sha256", "", "reason", "from", "found"], rows))
    waits = [one for one in found if one.act is None]
    if waits:
        screen.hint(f"recoup quarantine show {waits[0].sha256.hex()[:12]} shows the record and what can be done")
        raise typer.Exit(failures.FOUND_SOMETHING)


@app.command()
def show(entry: Entry, store: Store = None, as_json: AsJson = False) -> None:
    """One entry: the bytes as they came, why they are here, what can be done.

    \b
    Example:
      recoup quarantine show 3f9c12ab
    """
    with opened(store) as log:
        one = log.quarantined(entry)
        twin = _twin(log, one)
    if as_json:
        screen.put_json({**_json(one), "record": one.record.decode("utf-8", "backslashreplace"), "stored": twin})
        return
    held = (
        f"{len(one.record):,} of {one.length:,} bytes kept"
        if one.length > len(one.record)
        else screen.number(one.length, "byte")
    )
    rows: list[list[Words]] = [
        ["sha256", one.sha256.hex()],
        ["reason", f"{one.reason}: {WHY.get(one.reason, 'it could not be read or placed')}"],
        ["found", one.detail],
        ["from", one.origin],
        ["recorded", local_text(one.recorded_at // 1000)],
        ["state", one.act or "waits for a decision"],
        ["record", held],
    ]
    screen.say_all(screen.table(["", ""], rows)[1:])
    screen.say("")
    screen.say_all(screen.wrapped(one.record.decode("utf-8", "backslashreplace"), "    "))
    if twin:
        screen.say("")
        screen.say([Span("stored under the same number:", "bold")])
        screen.say_all(screen.wrapped(twin, "    "))
    if one.act is None:
        short = one.sha256.hex()[:12]
        if one.reason in ("jump", "conflict"):
            screen.hint(f"recoup quarantine release {short} --reason … stores it after all")
        screen.hint(f"recoup quarantine discard {short} --reason … decides that it is no record; its bytes stay here")


@app.command()
def release(entry: Entry, reason: Reason, store: Store = None) -> None:
    """Store a record after all: a jump in its stream, a conflict beside its twin.

    \b
    Example:
      recoup quarantine release 3f9c12ab --reason "the terminal was replaced, see report 12"
    """
    why = reason_of(reason)
    with opened(store) as log:
        one = log.quarantined(entry)
        account = acting.account_of(log)
        stream = log.release(entry, reason=why, account=account)
    screen.say(f"stored in {stream}, released by {account}")
    if stream.endswith("~r"):
        subject, _at, origin = stream.partition("@")
        cites = [f"{one.sequence}@{source}" for source in (origin.removesuffix("~r"), origin)]
        screen.say(f"  it and the record of the same number both count now: {' and '.join(cites)}")
        screen.hint(f"recoup disown {cites[0]} --in {subject} --reason … takes one of them out")


@app.command()
def discard(entry: Entry, reason: Reason, store: Store = None) -> None:
    """Decide that quarantined bytes are no record. The bytes stay, with your decision beside them.

    \b
    Example:
      recoup quarantine discard 3f9c12ab --reason "half a line; the whole one came later"
    """
    why = reason_of(reason)
    with opened(store) as log:
        one = log.quarantined(entry)
        account = acting.account_of(log)
        log.discard(entry, reason=why, account=account)
    screen.say(f"{one.sha256.hex()[:12]} discarded by {account}; its bytes stay in quarantine")


def _json(one: Held) -> dict[str, Any]:
    return {
        "sha256": one.sha256.hex(),
        "reason": one.reason,
        "detail": one.detail,
        "origin": one.origin,
        "length": one.length,
        "stream": one.stream,
        "sequence": one.sequence,
        "recorded_at": one.recorded_at,
        "act": one.act,
    }


def _origin(one: Held) -> str:
    return one.origin if len(one.origin) <= 34 else "…" + one.origin[-33:]


def _twin(log: Any, one: Held) -> str:
    """The stored record of a conflict's number, as text; empty for other reasons."""
    if one.reason != "conflict" or one.stream is None:
        return ""
    import msgspec

    for row in log.stream_rows(one.stream):
        if int(msgspec.json.decode(row.state)["sequence"]) == one.sequence:
            return str(row.state.decode("utf-8", "backslashreplace"))
    return ""
