"""Rows of a void-and-refund matrix as data, and the evening that plays each: `tests/replay/disputes/matrix/<room>.toml`.

    [[row]]
    row = "Bet after the closing call"             # the catalogue's trigger, first cell of section 5; in
                                                   # brackets: one that its rules imply
    play = "RL-19: chips added two seconds after the call"     # a case of tests/cases, or `lines` of its own
    paid = ["win b1 p-204 350"]                    # what the table paid, before the round is closed
    found = ["late_bet"]                           # codes that the judge finds in the round, by the facts alone
    standing = "valid"
    rule = { ground = "table_error", remedy = "correct" }
    after = "valid"                                # standing under the ruling
    amounts = { "p-204" = "40" }                   # player (`p-204 EUR`) → what he gets, whole units; negative: owes
    win = ["10", "-30"]                            # the house's win before and after (pot games: rake)
    refused = [{ ground = "late_bet", remedy = "void", says = "gives management no ruling" }]

A row without `rule` gives nobody a ruling: `refused` says how each try ends. `round` is the disputed one (`1`),
`rounds` those that the ruling must reach. `between`: player → money of
what is found between the rounds. Amounts are worked out by hand.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from cli import assembly
from events.schema.envelope import Envelope, make_envelope
from events.schema.fact import Fact
from events.values.names import RECOUP
from tests.cases.casework import OPENING, case_files, hand_case, in_hand
from tests.games.table import catalogue_of, facts_of_lines

HERE = Path(__file__).parent / "matrix"
CATALOGUES = Path(__file__).parents[4] / "shared" / "rules"
FILES = {
    "roulette": "roulette", "blackjack": "blackjack", "magic_wheel": "magic-wheel", "casino_holdem": "casino-holdem",
    "russian_poker": "russian-poker", "caribbean_stud": "caribbean-stud", "holdem": "cash-holdem",
}  # fmt: skip
"""Room → its catalogue."""


class Try(Struct, frozen=True, forbid_unknown_fields=True):
    """A ruling that somebody proposes; `says`: how it is refused, where it must be."""

    ground: str
    remedy: str = "void"
    scope: Any = None
    standard: Any = "fact"
    players: tuple[str, ...] = ()
    bets: tuple[str, ...] = ()
    basis: Any = "book"
    stated: dict[str, str] = {}
    says: str = ""


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """One row of a catalogue's matrix, played."""

    row: str
    play: str = ""
    lines: str = ""
    paid: tuple[str, ...] = ()
    instead: dict[str, str] = {}
    round: str = "1"
    found: tuple[str, ...] = ()
    between: dict[str, str] = {}
    standing: str = "valid"
    rule: Try | None = None
    rounds: tuple[str, ...] = ()
    basis: str = "book"
    after: str = "valid"
    amounts: dict[str, str] = {}
    win: tuple[str, str] | None = None
    rake: tuple[str, str] | None = None
    refused: tuple[Try, ...] = ()
    parameters: dict[str, Any] = {}
    name: str = ""


def rows_of(room: str) -> list[Row]:
    """The rows of a room's table, in the catalogue's order."""
    text = (HERE / f"{room}.toml").read_text(encoding="utf-8")
    return [msgspec.convert(one, Row) for one in tomllib.loads(text)["row"]]


def catalogue_rows(room: str) -> list[str]:
    """The triggers of section 5 of a room's catalogue, in order; empty where no catalogue is beside the checkout."""
    path = CATALOGUES / f"{FILES[room]}.md"
    if not path.exists():
        return []
    text = path.read_text(encoding="utf-8")
    section = text[text.index("\n## 5. Void and refund matrix") :]
    section = section[: section.index("\n## 6")]
    cells = [line.strip("|").split("|")[0].strip() for line in section.splitlines() if line.startswith("|")]
    return [cell for cell in cells if cell != "Trigger" and not set(cell) <= set("-: ")]


def evening(room: str, row: Row, table: str) -> list[Envelope]:
    """The records of a row's evening, as the table's devices would send them."""
    before, lines = ("", row.lines) if row.lines and not row.play else _played(room, row.play)
    if row.lines:
        lines = row.lines if not row.play else f"{lines}\n{row.lines}"
        before = before or _table(room)
    for was, becomes in row.instead.items():
        assert was in lines, f"{row.row}: no `{was}` in its evening"
        lines = lines.replace(was, becomes)
    text = _with_payments(f"{before}\n{lines}", row)
    facts = facts_of_lines(text, catalogue_of(assembly.rooms()[room]), subject=f"table/brno/{table}/2026-11-28.1")
    return [_envelope(fact) for fact in facts if fact.source != RECOUP]


def parameters_of(room: str, row: Row) -> dict[str, Any]:
    """What the house has set otherwise than the shipped edition: the row's own, or those of its case."""
    if row.parameters or not row.play:
        return row.parameters
    rule, _colon, name = row.play.partition(": ")
    if room == "holdem":
        return dict(hand_case(rule, name).get("parameters", {}))
    return next(
        case.parameters for file in case_files(room) if file.rule == rule for case in file.case if case.name == name
    )


def _played(room: str, play: str) -> tuple[str, str]:
    rule, _colon, name = play.partition(": ")
    if room == "holdem":
        return OPENING, in_hand(hand_case(rule, name))
    for file in case_files(room):
        for case in file.case if file.rule == rule else ():
            if case.name == name:
                return (case.table if case.table is not None else file.table or _table(room)), case.lines
    raise AssertionError(f"{room} has no case `{play}`")


def _table(room: str) -> str:
    """How a room's evening begins, as its own tests have it."""
    from importlib import import_module

    for name in ("test_cases", "room"):
        table = getattr(import_module(f"tests.games.{room}.{name}"), "TABLE", None)
        if table is not None:
            return str(table)
    raise AssertionError(room)


def _with_payments(text: str, row: Row) -> str:
    """The evening with what the table paid, in the disputed round just before it was closed."""
    paid = "\n".join(f"#{row.round} {_movement(one)}" for one in row.paid)
    found: list[str] = []
    for line in text.splitlines():
        if paid and line.endswith(f"#{row.round} RoundClosed"):
            stamp = line.partition("#")[0]
            found += [f"{stamp}{one}" if at == 0 else one for at, one in enumerate(paid.splitlines())]
            found.append(f"#{row.round} RoundClosed")
        else:
            found.append(line)
    return "\n".join(found)


def _movement(text: str) -> str:
    """`win b1 p-204 350`, `take b1 50`, `return b1 p-204 50` as a record; anything else is one already."""
    match text.split():
        case ["win", stake, player, amount]:
            return f"ChipsMoved float player/{player} {amount} win stake={stake}"
        case ["take", stake, amount]:
            return f"ChipsMoved box/{stake} float {amount} take stake={stake}"
        case ["return", stake, player, amount]:
            return f"ChipsMoved box/{stake} player/{player} {amount} return stake={stake}"
    return text


def _envelope(fact: Fact) -> Envelope:
    return make_envelope(
        subject=fact.subject, source=fact.source, sequence=fact.sequence, topic=fact.topic, at_ms=fact.occurred_at,
        data=msgspec.to_builtins(fact.event), round_name=fact.round,
    )  # fmt: skip


def all_rows() -> Iterator[tuple[str, int, Row]]:
    """Room, number and row of every table that there is."""
    for room in FILES:
        if (HERE / f"{room}.toml").exists():
            for number, row in enumerate(rows_of(room)):
                yield room, number, row
