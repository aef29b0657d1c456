"""A table for tests: envelopes become facts, an edition is adopted, the judge judges.

`judge_envelopes` goes the short way (no store); the vector runner and the tests of store and CLI go the long one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from events.schema.catalogue import Catalogue
from events.schema.common import TABLE_EVENTS
from events.schema.envelope import Envelope
from events.schema.event import Event
from events.schema.fact import Fact
from events.schema.notation import read_line
from events.schema.ours import OUR_EVENTS, EditionAdopted, RulingApplied
from events.values.clock import parse_time
from games.adjudicate import Case, SessionJudgement, judge_session
from games.house_rules.edition import ANY_HOUSE, Editions, read_edition
from games.protocol import Game
from games.registry import forms
from games.table_rules import Hole
from games.verdict import Finding


def catalogue_of(game: Game[Any]) -> Catalogue:
    """The events of every table, ours, and one room's."""
    return Catalogue((*TABLE_EVENTS, *OUR_EVENTS, *game.events))


def facts_of(envelopes: Iterable[Envelope], catalogue: Catalogue) -> list[Fact]:
    """Facts as the store would hand them out."""
    return [
        Fact(
            subject=envelope.subject,
            source=envelope.source,
            sequence=int(envelope.sequence),
            topic=envelope.type,
            event=catalogue.decode(envelope.type, envelope.data),
            occurred_at=parse_time(envelope.time),
            round=envelope.round,
            about=envelope.about,
            account=envelope.account,
            reason=envelope.reason,
            version=number,
            index=number,
        )
        for number, envelope in enumerate(envelopes)
    ]


def facts_of_lines(text: str, catalogue: Catalogue, *, subject: str = "table/brno/T-1/2026-11-28.1") -> list[Fact]:
    """Facts from notation, a line each: `@+12.5 #173 BetPlaced b9 p-204 17/20 500`.

    `@+…` counts seconds from 18:00; a line without time has that of the line before, one without a citation the next
    number of `/brno/T-1/terminal`; `[/source]` on a line of its own changes the source for the lines below. A line that
    begins with `;` is a remark.
    """
    start = parse_time("2026-11-28T18:00:00+01:00")
    at, source = start, "/brno/T-1/terminal"
    counts: dict[str, int] = {}
    facts = []
    for line in (raw.strip() for raw in text.strip().splitlines()):
        if not line or line.startswith(";"):
            continue
        if line.startswith("["):
            source = line.strip("[]")
            continue
        parsed = read_line(line, catalogue)
        at = parsed.at_ms or (start + parsed.offset_ms if parsed.offset_ms is not None else at)
        speaker = source
        if isinstance(parsed.event, RulingApplied) or parsed.about is not None:
            speaker = "/recoup"
        if parsed.cite is not None:
            number, _at, speaker = parsed.cite.partition("@")
            counts[speaker] = int(number)
        else:
            counts[speaker] = counts.get(speaker, 0) + 1
        facts.append(
            Fact(
                subject=subject,
                source=speaker,
                sequence=counts[speaker],
                topic=type(parsed.event).TOPIC,
                event=parsed.event,
                occurred_at=at,
                round=parsed.round,
                about=parsed.about,
                version=len(facts),
                index=len(facts),
            )
        )
    return facts


def with_parameters(toml: str, parameters: dict[str, Any], game: Game[Any]) -> str:
    """An edition's text with some parameters stated otherwise."""
    form = forms([game])[next(book.name for book in game.books if f'rule_book = "{book.name}"' in toml)]
    kept, dropped = [], {f'"{name}"' for name in parameters} | set(parameters)
    inside = False
    for line in toml.splitlines():
        if line.startswith("["):
            inside = line.strip() == "[parameters]"
        if inside and line.partition("=")[0].strip() in dropped:
            continue
        kept.append(line)
        if line.strip() == "[parameters]":
            kept += [f'"{name}" = {_toml(value)}' for name, value in parameters.items()]
    changed = "\n".join(kept) + "\n"
    if parameters and "[parameters]" not in toml:
        changed += "[parameters]\n" + "".join(f'"{name}" = {_toml(value)}\n' for name, value in parameters.items())
    read_edition(changed, form)  # refuses a misspelt one
    return changed


def _toml(value: Any) -> str:
    if value is None:
        return '"null"'
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + " }"
    return str(value)


def editions_of(game: Game[Any], toml: str, *, house: str = ANY_HOUSE) -> Editions:
    """An edition in force from the beginning of time."""
    editions = Editions(forms([game]))
    book = next(book for book in game.books if f'rule_book = "{book.name}"' in toml)
    editions.adopt(house, EditionAdopted(book.name, "test", "0001-01-01", toml, "0" * 64))
    return editions


def judge_facts(facts: Sequence[Fact], game: Game[Any], toml: str, *, holes: Sequence[Hole] = ()) -> SessionJudgement:
    """The judgement of one session."""
    case = Case.make(facts[0].subject, facts, catalogue_of(game), editions_of(game, toml), holes=holes)
    return judge_session(case, {game.name: game})


def judge_envelopes(envelopes: Iterable[Envelope], game: Game[Any], toml: str) -> SessionJudgement:
    """The judgement of a dealer's session."""
    return judge_facts(facts_of(envelopes, catalogue_of(game)), game, toml)


def all_findings(judgement: SessionJudgement) -> list[Finding]:
    """Findings of all rounds and of none, in order."""
    return [finding for verdict in judgement.verdicts for finding in verdict.findings] + list(judgement.between)


def event_classes(game: Game[Any]) -> tuple[type[Event], ...]:
    """Every class that may come to a room's table."""
    return catalogue_of(game).classes
