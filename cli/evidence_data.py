"""A round and a dispute as plain data, for the JSON files of an evidence pack: everything, nothing hidden."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from cli.dispute_pages import plain_head
from cli.evidence_dispute import Judged, judged_json, net_of, rulings_json, units_of
from cli.steps import EVERYTHING, step_json
from events.schema.event import Undecoded, to_plain
from events.schema.fact import Fact
from events.schema.notation import write_event
from events.store.backend import Row
from events.values.clock import time_text
from games.house_rules.edition import Edition
from games.picture import Picture
from games.table_rules import TABLE_RULES
from games.verdict import Finding
from games.wording import sentence
from replay.disputes.dispute import Dispute
from replay.stepper import Step, Stepper
from replay.timeline import Entry

Rows = dict[int, Row]
"""The pack's rows by tree index."""


def timeline_json(walk: Stepper, rows: Rows, *, drawn: bool = True) -> dict[str, Any]:
    """The walk through a round: every record with what was stored and what it changed; the table drawn, and what lies
    where, after each, or after the last alone."""
    steps = {step.entry.fact.cite: step for step in walk.steps}
    entries = [one for one in walk.timeline.entries if one.fact.round == walk.round]
    return {
        "note": "a replay, computed from the record; it shows cards that were hidden at the table",
        "session": walk.timeline.subject,
        "round": walk.round,
        "game": walk.game.title,
        "edition": {"name": walk.edition.name, "digest": walk.edition.digest},
        "currency": walk.currency,
        "sources": walk.timeline.short,
        "holes": msgspec.to_builtins(walk.timeline.holes),
        "rulings": [_said(fact) for fact in walk.timeline.rulings],
        "records": [_record(walk, one, steps.get(one.fact.cite), rows, drawn=drawn) for one in entries],
    }


def _record(walk: Stepper, entry: Entry, step: Step | None, rows: Rows, *, drawn: bool) -> dict[str, Any]:
    fact = entry.fact
    if step is not None:
        told = step_json(walk, step, EVERYTHING)
        if drawn or step.number == len(walk):
            told["table"] = _drawn(walk.picture(step, EVERYTHING))
        else:  # what lies where is told at the end; what each record moved stands under `moved`
            del told["places"], told["players"]
    else:
        told = {
            "step": None,
            "record": fact.cite,
            "at": time_text(fact.occurred_at),
            "recorded_at": fact.recorded_at,
            "round": fact.round,
            "type": fact.topic,
            "data": fact.event.data if isinstance(fact.event, Undecoded) else to_plain(fact.event),
            "line": write_event(fact.event, walk.catalogue),
            "words": sentence(fact.event, walk.game, walk.currency_of(fact.event)),
        }
    stored = msgspec.json.decode(rows[fact.index].state)
    return told | {
        "index": fact.index,
        "at_ms": fact.occurred_at,
        "stored": {"time": stored["time"], "round": stored.get("round"), "data": stored.get("data")},
        "decoded": not isinstance(fact.event, Undecoded) and fact.topic == fact.event.TOPIC,
        "disowned": entry.disowned,
        "notes": [_said(note) for note in entry.notes],
    }


def _said(fact: Fact) -> dict[str, Any]:
    return {
        "record": fact.cite,
        "index": fact.index,
        "account": fact.account,
        "reason": fact.reason,
        "type": fact.topic,
        "data": fact.event.data if isinstance(fact.event, Undecoded) else to_plain(fact.event),
    }


def _drawn(picture: Picture) -> list[dict[str, Any]]:
    """A picture with its styles: each line a list of texts with how they are shown."""
    return [
        {"title": panel.title, "lines": [[[span.text, span.style] for span in line] for line in panel.lines]}
        for panel in picture
    ]


def dispute_json(
    found: Dispute, rows: Iterable[Row], judged: Mapping[int, Sequence[Judged]], people: Mapping[str, str]
) -> dict[str, Any]:
    """A dispute act by act, as its rows have it, and what its rulings come to. `judged`: version of an act → what was
    judged in it; `people`: account → person."""
    own = {row.version: row for row in rows if row.stream == found.stream}
    acts = []
    for act in found.acts:
        stored = msgspec.json.decode(own[act.version].state)
        acts.append(
            {
                "record": f"{act.version}@/recoup",
                "index": own[act.version].index,
                "at": time_text(act.at),
                "account": act.account,
                "person": people.get(act.account) or None,
                "reason": act.reason,
                "type": own[act.version].topic,
                "data": stored["data"],
                **({"judged": [judged_json(one) for one in judged[act.version]]} if act.version in judged else {}),
            }
        )
    foreign = {unit: net_of(found, unit) for unit in units_of(found) if unit}
    return {**plain_head(found), "rulings": rulings_json(found), "net": net_of(found),
            **({"foreign_net": foreign} if foreign else {}), "acts": acts}  # fmt: skip


def citations_json(cited: Iterable[tuple[Finding, Edition]]) -> dict[str, Any]:
    """Each rule that a finding cites: its words and their source, by edition; a rule of every table by its meaning."""
    found: dict[str, Any] = {}
    for finding, edition in cited:
        for rule in filter(None, (finding.rule, finding.via)):
            text = edition.rules.get(rule)
            told = msgspec.to_builtins(text) if text else {"title": TABLE_RULES.get(rule, ""), "text": "", "source": ""}
            found[rule] = told | {"edition": edition.name if text else None}
    return dict(sorted(found.items()))
