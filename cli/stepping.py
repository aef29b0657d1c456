"""Walking through a round with keys."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from cli import screen
from cli.replaying import go_to, step_lines
from cli.screen import Words
from cli.words import headline_lines
from events.errors import RecoupError
from games.picture import Span, Viewpoint
from replay.stepper import Stepper

KEYS = """  n, Enter, →, space   next record              b, ←   back
  p / P                next / last phase        e      next record with a finding
  g                    go to: a number, 4711@terminal, #12 (a round), a phase
  0 / $                first / last record      v      the verdict in a line
  a                    hidden cards on, off     q      out"""


def walk_with_keys(walk: Stepper, view: Viewpoint, title: Sequence[str]) -> None:
    """Shows a step, waits for a key, until `q` or the end of input.

    Keys come one by one from a terminal; from a pipe, every character but the line's end is a key.
    """
    live = sys.stdin.isatty() and sys.stdout.isatty()
    _show(walk, view, title, live=live)
    with suppress(KeyboardInterrupt), _raw(live=live):
        for key in _keys(live=live):
            if key in "qQ\x03\x04":
                return
            if key == "a":
                view = Viewpoint(all_knowing=not view.all_knowing, seat=view.seat)
            said = _move(walk, key, live=live)
            _show(walk, view, title, live=live)
            if said:
                screen.say_all(said)


def _move(walk: Stepper, key: str, *, live: bool) -> list[Words]:
    """Does what a key says; gives what there is to say about it."""
    moves = {"n": walk.next, "b": walk.back, "p": walk.next_phase, "P": walk.back_phase, "e": walk.next_finding}
    if key in moves:
        before = walk.at
        moves[key]()
        if walk.at == before and key in "ne":
            return ["that was the last record; q goes out, b back"]
    elif key == "0":
        walk.goto(1)
    elif key == "$":
        walk.goto(-1)
    elif key == "v":
        name = walk.step.entry.fact.round
        return headline_lines(walk.verdict(name)) if name else ["this record belongs to no round"]
    elif key == "g":
        return _ask(walk, live=live)
    elif key != "a":
        return list(KEYS.splitlines())
    return []


def _ask(walk: Stepper, *, live: bool) -> list[Words]:
    if live:
        print("go to: ", end="", flush=True)
    where = _line()
    try:
        go_to(walk, where.strip())
    except RecoupError as error:
        return [[Span(str(error), "bad")]]
    return []


def _show(walk: Stepper, view: Viewpoint, title: Sequence[str], *, live: bool) -> None:
    if live:
        print("\x1b[2J\x1b[H", end="")
    lines: list[Words] = [[Span(text, "bold")] for text in title]
    keys = "[Enter] on  [b] back  [p] phase  [e] finding  [g] go to  [v] verdict  [?] keys  [q] out"
    screen.say_all([*lines, "", *step_lines(walk, view, table_first=True), "", [Span(keys, "dim")]])


@contextmanager
def _raw(*, live: bool) -> Iterator[None]:
    """The terminal gives single keys without waiting for Enter; afterwards it is as it was."""
    if not live:
        yield
        return
    import termios
    import tty

    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor)
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def _keys(*, live: bool) -> Iterator[str]:
    while key := sys.stdin.read(1):
        if live and key == "\x1b":
            sys.stdin.read(1)
            key = {"C": "n", "D": "b", "A": "b", "B": "n"}.get(sys.stdin.read(1), "?")
        elif key in "\r\n":
            if not live:
                continue
            key = "n"
        elif key == " ":
            key = "n"
        yield key


def _line() -> str:
    """The rest of a line, in cbreak mode too."""
    typed = ""
    while (key := sys.stdin.read(1)) and key not in "\r\n":
        typed = typed[:-1] if key in "\x7f\b" else typed + key
        if sys.stdin.isatty():
            print(key, end="", flush=True)
    return typed
