"""Reads and runs case files: `tests/cases/<room>/<rule id>.toml`.

    rule = "RL-19"

    [[case]]
    name = "a chip two seconds after the call is void, the one in time stands"
    is = "broken"                                    # kept, broken or edge
    lines = '''...'''                                # notation, a line an event (tests/games/table.py)
    parameters = { "roulette.void_bet_effect" = "refund" }
    findings = ["RL-19 late_bet void b2"]            # of the whole session: rule, code, kind, subject or player
    standing = { "1" = "valid" }                     # round → standing
    net = { "p-1" = "350" }                          # player (`p-1 EUR`: in another currency) → what is due, whole units
    differs = { "b1" = "-20" }                       # stake → due less recorded, whole units

`table`, on top, stands before every case's lines; a case may have its own instead. Everything that a case does not
name must not be: no finding, no difference, and every round `valid`.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct, field

from events.schema.fact import Fact
from events.values.money import amount_text
from games.protocol import Game
from games.table_rules import Hole
from games.verdict import Finding, nets_of
from tests.games.table import all_findings, catalogue_of, facts_of_lines, judge_facts, with_parameters

HERE = Path(__file__).parent
KINDS = ("kept", "broken", "edge")


class Case(Struct, frozen=True, forbid_unknown_fields=True):
    """One case of a file."""

    name: str
    outcome: Literal["kept", "broken", "edge"] = field(name="is")
    lines: str
    table: str | None = None
    parameters: dict[str, Any] = {}
    findings: tuple[str, ...] = ()
    standing: dict[str, str] = {}
    net: dict[str, str] = {}
    differs: dict[str, str] = {}


class CaseFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A rule's cases."""

    rule: str
    case: tuple[Case, ...]
    table: str = ""


def case_files(room: str) -> list[CaseFile]:
    """Every case file of a room, by rule id; a file is named after its rule."""
    files = []
    for path in sorted((HERE / room).glob("*.toml")):
        file = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), CaseFile)
        assert file.rule == path.stem, f"{path.name} is about {file.rule}"
        files.append(file)
    return files


def check(file: CaseFile, case: Case, game: Game[Any], toml: str, table: str) -> None:
    """Judges a case and compares everything that a case can say."""
    before = case.table if case.table is not None else file.table or table
    facts = facts_of_lines(f"{before}\n{case.lines}", catalogue_of(game))
    judgement = judge_facts(facts, game, with_parameters(toml, case.parameters, game), holes=_holes(facts))
    found = all_findings(judgement)
    assert sorted(map(_words, found)) == sorted(case.findings)
    standing = {verdict.round.rpartition("#")[2]: verdict.standing for verdict in judgement.verdicts}
    assert standing == {**dict.fromkeys(standing, "valid"), **case.standing}
    differs = {stake: amount for verdict in judgement.verdicts for stake, amount in verdict.differences.items()}
    assert {stake: amount_text(amount) for stake, amount in differs.items()} == case.differs
    nets: dict[str, int] = {}
    for verdict in judgement.verdicts:
        for unit, own in nets_of(verdict.due.lines).items():
            for player, net in own.items():
                key = f"{player} {unit}".rstrip()
                nets[key] = nets.get(key, 0) + net
    assert {player: amount_text(net) for player, net in nets.items()} == case.net


def _holes(facts: list[Fact]) -> list[Hole]:
    """Numbers that the lines skip, as a store would find them missing."""
    latest: dict[str, int] = {}
    holes = []
    for fact in facts:
        before = latest.get(fact.origin, 0)
        if fact.sequence > before + 1:
            holes.append(Hole(fact.origin, before + 1, fact.sequence - 1))
        latest[fact.origin] = max(before, fact.sequence)
    return holes


def _words(finding: Finding) -> str:
    parts = (finding.rule, finding.code, finding.kind, finding.subject or finding.player)
    return " ".join(part for part in parts if part)


OPENING = "@+0 TableOpened holdem NL CZK smallest_chip=5\nStakesAnnounced 5 10\n"
"""How every case of hold'em begins."""


def hold_em_tables() -> dict[str, Any]:
    """How the hands of hold'em's cases begin, by name."""
    return tomllib.loads((HERE / "holdem" / "tables.toml").read_text(encoding="utf-8"))


def hand_case(rule: str, name: str) -> dict[str, Any]:
    """A case of hold'em by its rule and its name."""
    text = tomllib.loads((HERE / "holdem" / f"{rule}.toml").read_text(encoding="utf-8"))
    return next(one for one in text["case"] if one["name"] == name)


def in_hand(case: dict[str, Any]) -> str:
    """The lines of a case of hold'em, each in its hand."""
    lines = [*hold_em_tables()[case["start"]]["lines"].split("\n"), *case["hand"].split("\n")]
    return "\n".join(_in_hand(line) for line in lines if line)


def _in_hand(line: str) -> str:
    """`@+10 ChipsPushed …` → `@+10 #1 ChipsPushed …`; a line may name another hand itself, or none: `- TableClosed`."""
    if line.startswith(("#", "[")):
        return line
    if line.startswith("- "):
        return line[2:]
    if line.startswith("@"):
        time, _space, rest = line.partition(" ")
        return f"{time} #1 {rest}"
    return f"#1 {line}"
