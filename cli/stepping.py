"""Walking through a round with keys."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from cli import screen
from cli.replaying import go_to
from cli.screen import Words
from cli.steps import step_lines
from cli.why import explained, order
from cli.words import headline_lines
from events.errors import RecoupError
from games.picture import Span, Viewpoint
from replay.stepper import Stepper

KEYS = """  n, Enter, →, space   next record           b, ←   back
  s, PgDn              next street           S, PgUp   last street
  0, Home              first record          $, End    last record
  e                    next finding          w      why: the rule behind it
  g                    go to 12, 21:40:05, 4711@terminal, #12 (a round), flop
  v                    the verdict           a      hidden cards on, off
  q                    out"""

_FOOTER = (
    "[Enter] next", "[b] back", "[s/S] street", "[e] finding", "[w] why", "[0/$] start/end", "[g] go to", "[v] verdict",
    "[a] cards", "[?] keys", "[q] out",
)  # fmt: skip
_ARROWS = {"C": "n", "B": "n", "D": "b", "A": "b", "H": "0", "F": "$", "1": "0", "4": "$", "5": "S", "6": "s"}
"""What a terminal sends for arrows, Home, End, PgUp and PgDn, behind `Esc [`."""


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
            said = _move(walk, key, view, live=live)
            _show(walk, view, title, live=live)
            if said:
                screen.say_all(said)


def _move(walk: Stepper, key: str, view: Viewpoint, *, live: bool) -> list[Words]:
    """Does what a key says; gives what there is to say about it."""
    moves = {
        "n": walk.next, "b": walk.back, "s": walk.next_phase, "S": walk.back_phase, "p": walk.next_phase,
        "P": walk.back_phase, "e": walk.next_finding,
    }  # fmt: skip
    if key in moves:
        before = walk.at
        moves[key]()
        if walk.at == before and key in "nesp":
            return ["that was the last record; q goes out, b back"]
        if key == "e" and not (walk.step.here or walk.step.cited):
            return ["no further record has a finding; this is the last one"]
    elif key == "0":
        walk.goto(1)
    elif key == "$":
        walk.goto(-1)
    elif key == "v":
        name = walk.step.entry.fact.round
        return headline_lines(walk.verdict(name)) if name else ["this record belongs to no round"]
    elif key == "w":
        return _why(walk, view)
    elif key == "g":
        return _ask(walk, live=live)
    elif key != "a":
        return list(KEYS.splitlines())
    return []


def _why(walk: Stepper, view: Viewpoint) -> list[Words]:
    """The findings that rest on this record; where none does, all that were made up to here."""
    step = walk.step
    found = order((*step.here, *step.cited) or step.so_far)
    if not found:
        return ["nothing was found up to here; e goes to the next record with a finding"]
    return explained(walk, found, view)


def _ask(walk: Stepper, *, live: bool) -> list[Words]:
    if live:
        print("go to: ", end="", flush=True)
    where = _line()
    try:
        go_to(walk, where.strip())
    except RecoupError as error:
        hint = getattr(error, "hint", "")
        said = [[Span(line, "bad")] for line in screen.wrapped(str(error))]
        return [*said, *(screen.wrapped(f"hint: {hint}") if hint else ())]
    return []


def _show(walk: Stepper, view: Viewpoint, title: Sequence[str], *, live: bool) -> None:
    if live:
        print("\x1b[2J\x1b[H", end="")
    lines: list[Words] = [[Span(text, "bold")] for text in title]
    # Each key stays with its word where the footer is broken.
    keys = screen.wrapped("  ".join(key.replace(" ", "\u00a0") for key in _FOOTER))
    footer = [[Span(line.replace("\u00a0", " "), "dim")] for line in keys]
    screen.say_all([*lines, "", *step_lines(walk, view, table_first=True), "", *footer])


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
            sent = sys.stdin.read(1)
            if sent.isdigit():
                sys.stdin.read(1)  # the `~` behind it
            key = _ARROWS.get(sent, "?")
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
