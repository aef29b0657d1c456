"""The page for writers of records says what ingest takes: its example is stored, its names are ours."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from cli import assembly
from events.schema.event import Cause
from events.values.places import check_place
from tests.cli.desk import Desk

PAGE = (Path(assembly.__file__).parents[1] / "docs" / "records.md").read_text(encoding="utf-8")


def test_the_example_is_stored_as_it_stands(tmp_path: Path) -> None:
    (example,) = re.findall(r"```json\n(.*?)\n```", PAGE, re.DOTALL)
    desk = Desk(tmp_path).init()
    assert desk.ingest([example.encode()]).code == 0
    status = desk.run("status", "--json").row
    assert (status["stored"], status["quarantined"]) == (1, 0)
    assert desk.run("unread", "--json").rows == []


def test_every_event_place_and_cause_that_it_names_is_one() -> None:
    known = {kind.TOPIC.rpartition(".")[0] for kind in assembly.catalogue().classes}
    named = set(re.findall(r"`((?:TB|PK|RL)\.\w+)`", PAGE))
    assert len(named) > 15
    assert named <= known
    rows = [line.split("|") for line in PAGE.splitlines() if line.startswith("|") and "→ `" in line]
    assert len(rows) >= 5
    for _edge, _what, way, cause, stake, _end in rows:
        for place in re.findall(r"`([a-z]+(?:/[\w-]+)?)`", way.partition(",")[0] + stake):
            check_place(place)
        assert cause.strip().strip("`") in get_args(Cause)
