"""A view made from zero is the live one, row by row over all tables and views, whatever came in which order."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from cli import assembly
from events.schema.common import FillReceived, TableClosed
from events.schema.envelope import canonical
from events.schema.ours import GapDeclaredLost, RecordCorrected, RecordDisowned, RulingApplied, SettingChanged
from events.store import Draft, Log
from events.values.clock import gaming_day, now_ms
from games.casebook import Casebook
from games.house_rules.edition import ANY_HOUSE
from games.registry import rooms
from projections import Views, feed
from tests.games.table import with_parameters
from tests.games.toy import GAME, TOML, HeadsBet, deal
from tests.projections.desk import (
    CATALOGUE,
    SUBJECT,
    TERMINAL,
    casebook,
    desk_end,
    from_zero,
    imported,
    open_views,
    record,
    send,
    shown,
)

TABLES = ("brno/CO-1", "brno/CO-2", "praha/CO-1")
OURS = f"{SUBJECT}@/recoup"


def same(live: dict[str, list[Any]], made: dict[str, list[Any]]) -> None:
    assert live.keys() == made.keys()
    for name, rows in live.items():
        assert rows == made[name], name


def test_a_view_made_from_zero_is_the_live_one(log: Log, book: Casebook, views: Views) -> None:
    """Late records, corrections, disowned and added facts, conflicts, rulings, editions, imports, step by step."""
    first = list(deal(4, 1, breach="CO-01"))
    late = first.pop(6)
    today = gaming_day(now_ms())
    steps = [
        lambda: send(log, first),
        lambda: send(log, deal(2, 2, table="brno/CO-2", day=today.isoformat(), breach="CO-02")),
        lambda: send(log, [late]),
        lambda: send(log, first),
        lambda: log.author(OURS, [Draft(RecordCorrected(round="2"), about=f"3@{TERMINAL}", reason="wrong round")]),
        lambda: log.author(OURS, [Draft(RecordDisowned(), about=f"4@{TERMINAL}")]),
        lambda: log.author(OURS, [Draft(HeadsBet("b8", "p-8", 5), about=f"9@{TERMINAL}")]),
        lambda: send(log, [record(HeadsBet("b1", "p-1", 999), 13, round_name="3", at="2026-11-28T18:00:16+01:00")]),
        lambda: log.release(log.quarantine()[0].sha256.hex(), reason="true after all"),
        lambda: send(log, [record(FillReceived("d1", 500, "s-1"), 60), record(FillReceived("d1", 500, "s-2"), 61)]),
        lambda: desk_end(log, "s-1", 500),
        lambda: log.declare_lost(f"{SUBJECT}@{TERMINAL}", 25, 30, reason="cable"),
        lambda: log.author(OURS, [Draft(RulingApplied("r-1", "collusion", rounds=(f"{SUBJECT}#1",)))]),
        lambda: book.adopt("brno", with_parameters(TOML, {"coin.late": "counts"}, GAME), today),
        lambda: log.author("house/*@/recoup", [Draft(SettingChanged("clock.tolerance_ms", 100))]),
        lambda: [imported(log, key * 32, "271") for key in "ab"],
        lambda: send(log, [record(TableClosed(), 62)]),
    ]
    for step in steps:
        step()
        same(shown(views), from_zero(log, book))
    live = shown(views)
    empty = {name for name, rows in live.items() if name.startswith(("stg_", "fct_")) and not rows}
    poker = {"fct_board_card", "fct_hand_seat"}  # the toy room plays none
    unsaid = {
        "fct_card",
        "fct_duty",
        "fct_effect_settled",
        "fct_inventory",
        "fct_rate",
        "fct_record_unread",
        "fct_ruling_amount",
        "fct_tender",
    }
    assert empty == {"stg_card", *unsaid, *poker}
    assert live["todo"] == []
    rebuilt = views.rebuild()
    assert rebuilt.events == log.size()
    same(live, shown(views))


def lines(seed: int) -> list[Any]:
    """The records of three tables; one of them with a breach."""
    sessions = [
        deal(2, seed + number, table=table, breach=("CO-01", "CO-02", None)[(seed + number) % 3])
        for number, table in enumerate(TABLES)
    ]
    return list(itertools.chain(*sessions))


@st.composite
def histories(draw: st.DrawFn) -> list[tuple[str, Any]]:
    """Records in any order, in batches of any size, with corrections and catching up between them."""
    records = draw(st.permutations(lines(draw(st.integers(0, 5)))))
    steps: list[tuple[str, Any]] = []
    while records:
        size = draw(st.integers(1, 12))
        steps.append(("send", records[:size]))
        records = records[size:]
        for kind in draw(st.lists(st.sampled_from(["correct", "disown", "add", "rule", "view", "again"]), max_size=2)):
            steps.append((kind, (draw(st.sampled_from(TABLES)), draw(st.integers(1, 12)))))
    return steps


def take(log: Log, views: Views, kind: str, what: Any) -> None:
    if kind == "send":
        send(log, what)
        return
    if kind == "view":
        views.catch_up()
        return
    table, number = what
    subject, about = f"table/{table}/2026-11-28.1", f"{number}@/{table}/terminal"
    drafts = {
        "correct": Draft(RecordCorrected(round="1", data={"bet": "b1", "player": "p-2", "amount": 3}), about=about),
        "disown": Draft(RecordDisowned(), about=about),
        "add": Draft(HeadsBet(f"b{number}", "p-3", 7), about=about),
        "rule": Draft(RulingApplied(f"r-{number}", "collusion", rounds=(f"{subject}#1",))),
        "again": Draft(GapDeclaredLost(f"/{table}/terminal", number, number)),
    }
    log.author(f"{subject}@/recoup", [drafts[kind]])


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(histories())
def test_the_order_of_arrival_and_of_catching_up_changes_no_row(history: list[tuple[str, Any]]) -> None:
    with Log.open(":memory:", CATALOGUE, create=True) as log:
        book = casebook(log)
        with open_views(log, book) as views:
            for kind, what in history:
                take(log, views, kind, what)
            same(shown(views), from_zero(log, book))


def test_verdicts_do_not_depend_on_the_order_of_arrival(tmp_path: Any) -> None:
    records = lines(1)
    seen = []
    for order in (records, records[::-1], records[::2] + records[1::2]):
        with Log.open(":memory:", CATALOGUE, create=True) as log:
            book = casebook(log)
            with open_views(log, book) as views:
                for envelope in order:
                    send(log, [envelope])
                    if envelope.sequence.endswith("5"):
                        views.catch_up()
                rows = shown(views)
                seen.append(
                    {name: rows[name] for name in ("fct_round", "fct_settlement", "fct_finding", "fct_session")}
                )
    assert seen[0] == seen[1] == seen[2]


def test_interrupted_between_feeding_and_judging_it_goes_on(log: Log, book: Casebook, tmp_path: Any) -> None:
    file = tmp_path / "view.duckdb"
    send(log, lines(1))
    with open_views(log, book, file) as views:
        views.feed()
        assert len(views.query("FROM todo", catch_up=False).rows) == len(TABLES)
    with open_views(log, book, file) as views:
        done = views.catch_up()
        assert (done.events, done.sessions_judged) == (0, len(TABLES))
        same(shown(views), from_zero(log, book))


def test_interrupted_between_two_pages_it_goes_on(log: Log, book: Casebook, tmp_path: Any) -> None:
    file = tmp_path / "view.duckdb"
    send(log, lines(1))
    with open_views(log, book, file) as views:
        feed.insert(views._db, feed.Columns({}).page(*feed.read_page(log, -1, 5)))
        assert views.position == 5
    with open_views(log, book, file) as views:
        assert views.catch_up().events == log.size() - 5
        same(shown(views), from_zero(log, book))


def test_a_house_wide_edition_touches_every_house_without_its_own(log: Log, book: Casebook, views: Views) -> None:
    today = gaming_day(now_ms())
    for table in TABLES:
        send(log, deal(1, 1, table=table, day=today.isoformat(), breach="CO-02"))
    views.catch_up()
    book.adopt(ANY_HOUSE, with_parameters(TOML, {"coin.late": "counts"}, GAME), today)
    assert views.catch_up().sessions_judged == len(TABLES)
    same(shown(views), from_zero(log, book))


@pytest.mark.parametrize("name", sorted(rooms()))
def test_every_rooms_sessions_are_the_same_live_and_from_zero(name: str) -> None:
    """The rooms that there are, by their own dealers: late records, a conflict, a disowned and a corrected record."""
    catalogue = assembly.catalogue()
    with Log.open(":memory:", catalogue, create=True) as log:
        book = Casebook(log, rooms(), catalogue)
        book.adopt_shipped()
        dealt = list(rooms()[name].deal(4, 3))
        late = [envelope for number, envelope in enumerate(dealt) if number % 17 == 8]
        with open_views(log, book) as views:
            send(log, [envelope for envelope in dealt if envelope not in late])
            views.catch_up()
            send(log, late)
            lawful = shown(views)
            same(lawful, from_zero(log, book))
            assert {row[0] for row in views.query("SELECT standing FROM fct_round").rows} == {"valid"}
            assert {row[0] for row in views.query("SELECT settlement FROM fct_round").rows} == {"agrees"}
            found = {check for check, count in views.checks().items() if count}
            assert found <= {"chk_transfer_one_end"}  # the desk's book is not among these records
            moved = next(envelope for envelope in dealt if "amount" in envelope.data and envelope.round is not None)
            about = f"{int(moved.sequence)}@{moved.source}"
            send(log, [replace(moved, data={**moved.data, "amount": 1})])
            log.author(f"{moved.subject}@/recoup", [Draft(RecordDisowned(), about=f"12@{moved.source}")])
            data = json.loads(canonical(moved))["data"]
            log.author(f"{moved.subject}@/recoup", [Draft(RecordCorrected(data={**data, "amount": 2}), about=about)])
            assert views.query("SELECT DISTINCT amount_minor FROM fct_chip_move WHERE cite = ?", [about]).rows == [(2,)]
            same(shown(views), from_zero(log, book))


KILLED = """
import itertools, sys
from events.store import Log
from projections import feed
from tests.projections.desk import CATALOGUE, casebook, open_views
with Log.open(sys.argv[1], CATALOGUE) as log, open_views(log, casebook(log, adopt=False), sys.argv[2], version="one") as views:
    columns = feed.Columns({})
    for first in itertools.count(0, 3):
        feed.insert(views._db, columns.page(*feed.read_page(log, first - 1, 3)))
        print(first, flush=True)
"""


@pytest.mark.parametrize("pages", [1, 4, 9])
def test_killed_in_the_midst_of_feeding_it_goes_on(log: Log, book: Casebook, tmp_path: Path, pages: int) -> None:
    file = tmp_path / "view.duckdb"
    send(log, lines(1))
    command = [sys.executable, "-c", KILLED, log.address.path, str(file)]
    root = Path(__file__).resolve().parents[2]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) as feeder:
        assert feeder.stdout is not None
        for _page in range(pages):
            feeder.stdout.readline()
        feeder.kill()
    with open_views(log, book, file, version="one") as views:
        stood = views.position
        assert stood >= 3 * pages
        assert views.query("SELECT count(*) FROM record", catch_up=False).rows == [(stood,)]
        assert views.catch_up().events == log.size() - stood
        same(shown(views), from_zero(log, book))


def test_a_log_that_grows_meanwhile_is_caught_up_with(log: Log, book: Casebook, views: Views) -> None:
    def write() -> None:
        with Log.open(log.address.path, CATALOGUE) as other:
            for seed in range(12):
                send(other, deal(2, seed, table=f"brno/CO-{seed}"))
                send(other, [record(HeadsBet("b", "p", 1), 1 + seed, subject="table/brno/CO-99/1", source="/x")])

    writer = threading.Thread(target=write)
    writer.start()
    while writer.is_alive():
        views.catch_up()
    writer.join()
    same(shown(views), from_zero(log, book))
    assert len(views.query("FROM fct_round").rows) == 24
