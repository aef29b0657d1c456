"""`seal init|checkpoint|rotate|show`: signed checkpoints of the log, and their copies with witnesses."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli import failures, screen
from cli.options import AsJson, Store, opened
from cli.screen import Words
from events.errors import RecoupError, SealBroken, Unable
from games.picture import Span

if TYPE_CHECKING:
    from events.sealing import Sealed
    from events.store import Log

app = typer.Typer(
    help="Signed checkpoints of the log, with copies where nobody who holds it can reach.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
SealFolder = Annotated[
    str | None,
    typer.Option("--seal", envvar="RECOUP_SEAL", metavar="FOLDER", help="The seal's folder; STORE.seal otherwise."),
]
_EVERY = 100_000


@app.command()
def init(
    origin: Annotated[str, typer.Option("--origin", metavar="NAME", help="This log's name, as brno.example/recoup.")],
    witness: Annotated[
        list[str], typer.Option("--witness", metavar="FOLDER", help="Gets a copy of each checkpoint; may be repeated.")
    ] = [],  # noqa: B006  Typer copies it
    every: Annotated[
        int, typer.Option("--every", metavar="ROWS", help="Ingest seals by itself after so many.")
    ] = _EVERY,
    seal: SealFolder = None,
    store: Store = None,
) -> None:
    """Make this log's seal: an Ed25519 key, its adoption in the log, and the first checkpoint.

    A tree alone does not stop who holds the store and rewrites everything. A checkpoint in a folder that the staff of
    this machine cannot change does: a share of another machine, of another firm, a medium that is taken away.

    \b
    Example:
      recoup seal init --origin brno.example/recoup --witness /mnt/authority --witness /mnt/office
    The key lies in the seal's folder, readable by you alone: back it up, apart from the store.
    """
    from events.sealing import SealConfig, start
    from events.sealing import seal as sign

    with opened(store) as log:
        folder = _folder(log, seal)
        key = start(log, folder, SealConfig(origin, every, tuple(witness)))
        done = sign(log, folder)
    screen.say([Span("sealed", "good"), f": {folder} speaks for {origin}"])
    screen.say(f"  key  {key}")
    _say_done(done)
    if not witness:
        screen.hint("no witness yet: name folders in seal.toml; without one a rewrite of everything stays unseen")
    screen.note("give the key's line to your auditors: with it they check packs and checkpoints themselves")
    _exit_with(done)


@app.command()
def checkpoint(seal: SealFolder = None, store: Store = None, as_json: AsJson = False) -> None:
    """Sign the log as it stands, and bring the witnesses what they lack.

    \b
    Example:
      recoup seal checkpoint
    Signs nothing that contradicts an earlier checkpoint, the log's own or a witness's (exit code 4).
    Exit code 3 if a witness could not be written: the checkpoint is kept, the next run copies it.
    """
    from events.sealing import seal as sign

    with opened(store) as log:
        done = sign(log, _folder(log, seal))
    if as_json:
        screen.put_json(
            {
                "size": done.checkpoint.size,
                "root": done.checkpoint.root.hex(),
                "made": done.made,
                "copied": done.copied,
                "failed": done.failed,
            }
        )
    else:
        _say_done(done)
    _exit_with(done)


@app.command()
def rotate(seal: SealFolder = None, store: Store = None) -> None:
    """Sign with another key from now on; the old key says so, and what it signed stays good.

    \b
    Example:
      recoup seal rotate
    """
    from events.sealing import rotate as turn
    from events.sealing import seal as sign

    with opened(store) as log:
        folder = _folder(log, seal)
        key = turn(log, folder)
        done = sign(log, folder)
    screen.say(f"another key is in force: {key}")
    _say_done(done)
    screen.hint("destroy the old key's file when no backup needs it any more; its verifier line stays in the log")
    _exit_with(done)


@app.command()
def show(
    note: Annotated[bool, typer.Option("--note", help="Print the newest checkpoint itself, as a signed note.")] = False,
    seal: SealFolder = None,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Keys, the newest checkpoints, and the witnesses.

    \b
    Example:
      recoup seal show
      recoup seal show --note > checkpoint.txt
    """
    from events.sealing import folder_of, is_made, read_config, seal_record

    with opened(store) as log:
        record = seal_record(log)
        size = log.size()
        folder = folder_of(log.address, seal)
    witnesses = read_config(folder).witnesses if is_made(folder) else ()
    if note:
        if record.newest is None:
            raise Unable("nothing was signed yet", hint="`recoup seal checkpoint`")
        screen.put_raw(record.newest.note.encode())
        return
    if as_json:
        screen.put_json(
            {
                "keys": [{"key": str(one.key), "from_size": one.from_size} for one in record.keys],
                "checkpoints": [
                    {"size": one.checkpoint.size, "root": one.checkpoint.root.hex(), "index": one.index}
                    for one in record.signed
                ],
                "witnesses": list(witnesses),
                "size": size,
                "faults": [{"index": index, "text": text} for index, text in record.faults],
            }
        )
        return
    if not record.keys:
        screen.say("this log has no seal")
        screen.hint("recoup seal init --origin NAME --witness FOLDER")
        return
    screen.say(f"{record.keys[-1].key.name}, {screen.number(len(record.signed), 'checkpoint')}")
    for adopted in record.keys:
        screen.say(f"  key from row {adopted.from_size:,}: {adopted.key}")
    rows: list[list[Words]] = [
        [f"{one.checkpoint.size:,}", one.checkpoint.root.hex()[:16] + "…"] for one in record.signed[-8:]
    ]
    screen.say_all(screen.table(["rows", "root"], rows) if rows else ["nothing was signed yet"])
    if record.newest is not None:
        behind = size - record.newest.index - 1
        screen.say(f"  {screen.number(behind, 'row')} since; `recoup seal checkpoint` signs them" if behind else "")
    screen.say(f"  witnesses: {', '.join(witnesses) or 'none'}")
    for index, text in record.faults:
        screen.say([Span(f"  row {index:,}: {text}", "bad")])


def _folder(log: Log, given: str | None) -> Path:
    from events.sealing import folder_of

    folder = folder_of(log.address, given)
    if folder is None:
        raise Unable(
            "this log is no file, and nothing says where its seal is kept", hint="--seal FOLDER, or RECOUP_SEAL=FOLDER"
        )
    return folder


def _say_done(done: Sealed) -> None:
    size = screen.number(done.checkpoint.size, "row")
    screen.say(f"{size} signed" if done.made else f"nothing new since {size} were signed")
    screen.say(f"  root {done.checkpoint.root.hex()}")
    if done.copied:
        screen.say(f"  {done.copied:,} {'copy' if done.copied == 1 else 'copies'} written to witnesses")


def _exit_with(done: Sealed) -> None:
    if not done.failed:
        return
    for witness, why in done.failed.items():
        screen.error(
            f"witness {witness} was not written: {why}",
            "the checkpoint is kept in the log; `recoup seal checkpoint` copies it when the folder is back",
        )
    raise typer.Exit(failures.COULD_NOT)


Checkpoint = tuple["Sealed | None", RecoupError | None]
"""What was signed, if anything was, and why it could not be."""


def due_checkpoint(log: Log, *, at_once: bool = False) -> Checkpoint:
    """The checkpoint that is due by the seal's own count, or `at_once`; what was written before it stands all the same.

    Nothing of either where this store has no seal, or its folder is not here.
    """
    from events.sealing import folder_of, is_made, seal_if_due
    from events.sealing import seal as sign

    try:
        folder = folder_of(log.address)
        if at_once and folder is not None and is_made(folder):
            return sign(log, folder), None
        return seal_if_due(log, folder), None
    except RecoupError as error:
        return None, error


def say_checkpoint(checkpoint: Checkpoint) -> None:
    """Says what came of it, and what is to be done.

    Raises:
        SealBroken: the log is not what was signed of it before.
    """
    sealed, fault = checkpoint
    if sealed is not None:
        screen.note(f"checkpoint: {screen.number(sealed.checkpoint.size, 'row')} signed")
        for witness, why in sealed.failed.items():
            screen.hint(f"recoup seal checkpoint (witness {witness} was not written: {why})")
    if isinstance(fault, SealBroken):
        raise fault
    if fault is not None:
        screen.hint(f"recoup seal checkpoint (one is due and was not signed: {fault})")
