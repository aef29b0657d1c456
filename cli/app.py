"""The command `recoup`: all commands, and how each of them ends."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import re
import sys
from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException
from typer.main import get_command

from cli import assembly, failures, screen

HELP = """Keep, replay and judge what happened at casino tables.

\b
The store is what --store names, or the variable RECOUP_STORE, or ./recoup.db.
ROUND is <subject>#<round>, or short: RL-03#173, with --day where several sessions have one.

\b
A complaint at table RL-03, about 21:40:
  recoup rounds --table RL-03 --around 21:40     which round was it?
  recoup judge  RL-03#173                        what was due, what was paid, which rule says so
  recoup replay RL-03#173 --step                 walk through it, record by record
  recoup why    RL-03#173                        the rule's words, and the records it rests on

\b
Exit codes: 0 fine, 2 asked wrongly, 3 could not, 4 seal broken, 5 found something.
"""


_EXTRA = re.compile(r"unexpected extra arguments?(?:\(s\))? \((.+)\)")


class TwoWords(TyperGroup):
    """Knows commands of two words, as `ingest kafka` beside `ingest`."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Two words, where they name a command; else as ever."""
        if len(args) > 1 and (command := self.get_command(ctx, " ".join(args[:2]))) is not None:
            return command.name, command, args[2:]
        return super().resolve_command(ctx, args)


def build() -> typer.Typer:
    """The application with all its commands."""
    from cli.commands import register

    app = typer.Typer(
        name="recoup",
        cls=TwoWords,
        help=HELP,
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    register(app)
    app.callback()(_every)
    return app


@lru_cache(maxsize=1)
def _command() -> Any:
    """The application ready to run. Typer reads the signatures of all commands for it, which takes a quarter of a
    second: once a process."""
    command = get_command(build())
    _shorten(command)
    return command


def _shorten(command: Any) -> None:
    """Lists of commands break no sentence off: what is too long for a line of 80 ends at its first pause."""
    own = getattr(command, "commands", {})
    room = 74 - max(map(len, own), default=0)
    for one in own.values():
        told = " ".join((one.help or "").partition("\n\n")[0].split()).rstrip(".")
        if len(told) > room:
            told = re.split(r"[:;(]|\. ", told)[0].strip()
        while len(told) > room and "," in told:
            told = told.rpartition(",")[0]
        one.short_help = f"{told}."
        _shorten(one)


def _version(on: bool) -> None:
    if on:
        from games.adjudicate import engine

        screen.say(engine())
        raise typer.Exit


def _every(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", is_eager=True, callback=_version, help="Say which.")] = False,
    store: Annotated[str, typer.Option("--store", metavar="STORE", help="A file, or postgresql://…")] = "",
) -> None:
    """What stands before any command; a command's own --store, behind it, holds against this one."""
    if store:
        before = os.environ.get(assembly.STORE_VARIABLE)
        os.environ[assembly.STORE_VARIABLE] = store
        context.call_on_close(lambda: _put_back(before))


def _put_back(store: str | None) -> None:
    os.environ.pop(assembly.STORE_VARIABLE, None)
    if store is not None:
        os.environ[assembly.STORE_VARIABLE] = store


def run(arguments: Sequence[str] | None = None) -> int:
    """Runs one command line; gives its exit code. Every mistake of a user ends in words, never in a traceback."""
    try:
        result = _command()(args=arguments, prog_name="recoup", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        screen.leave_quietly()
    except (KeyboardInterrupt, typer.Abort):
        return _stopped()
    except TyperException as error:
        return _usage(error)
    except (Exception, RecursionError) as error:
        said = failures.known(error)
        if said is None:
            raise
        screen.give_up_stdout()
        screen.error(str(said), said.hint)
        return said.exit_code
    if result == failures.INTERRUPTED:  # typer makes an exit code of Ctrl-C before we see it
        return _stopped()
    return result if isinstance(result, int) else failures.FINE


def _stopped() -> int:
    screen.note("stopped; what was stored is stored, nothing is stored half")
    return failures.INTERRUPTED


def _usage(error: TyperException) -> int:
    """A command line that cannot be meant."""
    context = getattr(error, "ctx", None)
    message = error.format_message()
    if type(error).__name__ == "NoArgsIsHelpError":
        print(message, file=sys.stderr)
        return failures.ASKED_WRONGLY
    path = context.command_path if context is not None else "recoup"
    hint = f"`{path} --help` shows how it is meant"
    if (extra := _EXTRA.search(message)) is not None:
        hint = _beyond(context, extra[1]) or hint
    if getattr(error, "option_name", "") == "--store":
        hint = f"`--store` stands first, as `recoup --store FILE {path.removeprefix('recoup').strip()} …`, or last"
    screen.error(message[:1].lower() + message[1:].rstrip("."), hint)
    return failures.ASKED_WRONGLY


def _beyond(context: Any, extra: str) -> str:
    """What may be meant by a word too many: the number of a round that stands apart from its table, or of a step."""
    given = context.params if context is not None else {}
    where = given.get("round_", "")
    if not where:
        return ""
    if "#" not in where and " " not in extra:
        return f"a round is one word: `{context.command_path} {where}#{extra}`"
    if given.get("step") and extra.isdigit():
        return f"`--step --at {extra}` walks from there on, `--at {extra}` shows that step"
    return ""


def _open_closed_streams() -> None:
    """Standard streams that came closed (`>&-`) get descriptors that fail when they are used, as a full disk does.

    Python leaves them None, and the next file opened, perhaps the store, would be what others take for stdout.
    """
    for number, name, wrong in ((0, "stdin", os.O_WRONLY), (1, "stdout", os.O_RDONLY), (2, "stderr", os.O_WRONLY)):
        if getattr(sys, name) is not None:
            continue
        nowhere = os.open(os.devnull, wrong)
        if nowhere != number:
            os.dup2(nowhere, number)
            os.close(nowhere)
        raw = io.FileIO(number, "r" if number == 0 else "w", closefd=False)
        buffer: Any = io.BufferedReader(raw) if number == 0 else io.BufferedWriter(raw)
        setattr(sys, name, io.TextIOWrapper(buffer, encoding="utf-8", errors="replace"))


def main() -> NoReturn:
    """Runs the command line of this process and ends it."""
    _open_closed_streams()
    codecs.register_error("recoup", screen.in_plain_letters)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            with contextlib.suppress(ValueError, OSError):
                stream.reconfigure(errors="recoup")
    sys.exit(run())
