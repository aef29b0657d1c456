"""`schema`: the event types, and what each record's `data` looks like."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from cli import assembly, screen
from cli.options import AsJson
from cli.screen import Words
from events.errors import Refused
from events.schema.event import short_name
from games.picture import Span


def schema(
    event: Annotated[str, typer.Argument(metavar="EVENT", help="As BetPlaced or RL.BetPlaced.v1.")] = "",
    as_json: AsJson = False,
) -> None:
    """The event types; with a name, the JSON Schema of its `data`.

    \b
    Examples:
      recoup schema                      every event with what it says
      recoup schema BetPlaced            JSON Schema; amounts are in minor units
      recoup schema --json               all schemas, one a line
    """
    catalogue = assembly.catalogue()
    if event:
        try:
            topic = catalogue.find(event).TOPIC
        except Refused as error:
            if event in catalogue.by_name:
                raise  # several rooms have one: the error names them
            near = [name for name in catalogue.by_name if event.lower() in name.lower()]
            raise Refused(str(error), hint=f"did you mean {', '.join(near[:5])}?" if near else error.hint) from error
        found = catalogue.json_schema(topic)
        if as_json:
            screen.put_json({"type": topic, "schema": found})
        else:
            screen.put_raw(json.dumps(found, indent=2, ensure_ascii=False).encode() + b"\n")
        return
    rows: list[list[Words]] = []
    for cls in catalogue.classes:
        if as_json:
            screen.put_json({"type": cls.TOPIC, "schema": catalogue.json_schema(cls.TOPIC)})
        else:
            said = (cls.__doc__ or "").strip().partition("\n")[0]
            rows.append([Span(short_name(cls.TOPIC), "bold"), cls.TOPIC, said])
    if not as_json:
        screen.say_all(screen.table(["event", "type", "what it says"], rows))
