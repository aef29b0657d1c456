"""The longest way there is: envelopes and rulings into a log in memory, out again as a case, judged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from cli.assembly import catalogue, rooms
from events.schema.envelope import Envelope
from events.schema.event import Event
from events.store import Draft, Log, Origin
from games.adjudicate import Case, SessionJudgement, judge_session
from games.casebook import ALWAYS, Casebook
from games.house_rules.edition import ANY_HOUSE
from games.registry import shipped_editions
from tests.games.table import with_parameters


def edition_with(room: str, file: str, parameters: dict[str, Any]) -> str:
    """A shipped edition's text with some parameters stated otherwise.

    Raises:
        BadEdition: a parameter is misspelt, or its value cannot be meant.
    """
    toml = next(text for own_room, name, text in shipped_editions() if own_room == room and name == file)
    return with_parameters(toml, parameters, rooms()[room]) if parameters else toml


def judged(
    envelopes: Sequence[Envelope], toml: str, rulings: Sequence[Event] = ()
) -> tuple[SessionJudgement, Case, str]:
    """A session accepted into a log, its house's edition adopted, its rulings applied, judged; and what went in.

    The text says what the log did not take as stored; empty if all was.
    """
    subject = envelopes[0].subject
    with Log.open(":memory:", catalogue(), create=True) as log:
        book = Casebook(log, rooms(), catalogue())
        book.adopt(ANY_HOUSE, toml, ALWAYS)
        records = [msgspec.json.encode(envelope) for envelope in envelopes]
        receipt = log.accept(records, Origin("stdin"))
        if rulings:
            log.author(f"{subject}@/recoup", [Draft(ruling) for ruling in rulings])
        case = book.case(subject)
        lost = "" if receipt.stored == len(records) else f"of {len(records)} records {receipt.stored} were stored"
        return judge_session(case, rooms()), case, lost
