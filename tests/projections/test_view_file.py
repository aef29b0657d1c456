"""The DuckDB file: one process, versions side by side, other people's files."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest

from events.errors import Refused, StoreBusy, Unable
from events.store import Log
from projections import Views, default_path
from projections.view_file import version_of
from tests.games.toy import deal
from tests.projections.desk import CATALOGUE, casebook, from_zero, open_views, send, shown

ROOT = Path(__file__).resolve().parents[2]
HOLD = "import duckdb, sys; db = duckdb.connect(sys.argv[1]); print('held', flush=True); sys.stdin.read()"


@contextmanager
def held_by_another_process(path):
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout.readline() == "held\n"
        yield holder.pid
        holder.stdin.close()


def schemas(path):
    with duckdb.connect(str(path)) as db:
        return db.execute(
            "SELECT schema_name FROM duckdb_schemas() WHERE schema_name LIKE 'made_%' ORDER BY 1"
        ).fetchall()


def test_a_view_held_by_another_process_is_said_with_who_and_what_to_do(log, book, tmp_path):
    file = tmp_path / "view.duckdb"
    with held_by_another_process(file) as pid, pytest.raises(StoreBusy, match=rf"held by .+, process {pid}") as caught:
        open_views(log, book, file)
    assert "--view PATH" in caught.value.hint
    with open_views(log, book, file) as views:
        assert views.catch_up().events == log.size()


def test_what_was_fed_is_there_the_next_time(log, book, tmp_path):
    file = tmp_path / "view.duckdb"
    send(log, deal(2, 1))
    with open_views(log, book, file) as views:
        before = shown(views)
    with open_views(log, book, file) as views:
        assert views.catch_up().events == 0
        assert shown(views) == before


def test_another_version_is_built_beside_and_takes_over_when_it_is_whole(log, book, tmp_path):
    file = tmp_path / "view.duckdb"
    send(log, deal(2, 1))
    with open_views(log, book, file, version="one") as views:
        views.catch_up()
    with open_views(log, book, file, version="two") as views:
        assert views.position == 0
        views.feed()  # fed, not judged: not whole
    assert schemas(file) == [("made_1",), ("made_2",)]
    with open_views(log, book, file, version="one") as views:
        assert views.catch_up().events == 0
    with open_views(log, book, file, version="two") as views:
        assert views.position == log.size()
        assert views.catch_up().sessions_judged == 1
        assert shown(views) == from_zero(log, book)
    assert schemas(file) == [("made_2",)]


def test_a_view_half_built_by_a_third_version_goes(log, book, tmp_path):
    file = tmp_path / "view.duckdb"
    send(log, deal(1, 1))
    for version in ("one", "two", "three"):
        with open_views(log, book, file, version=version) as views:
            views.feed()
    assert schemas(file) == [("made_3",)]


def test_rebuilding_keeps_the_view_in_use_until_the_new_one_is_whole(log, book, tmp_path):
    file = tmp_path / "view.duckdb"
    send(log, deal(3, 1))
    with open_views(log, book, file) as views:
        before = shown(views)

        def stop(what, done, total):
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            views.rebuild(stop)
    assert schemas(file) == [("made_1",), ("made_2",)]
    with open_views(log, book, file) as views:
        assert shown(views) == before
    assert schemas(file) == [("made_1",)]
    with open_views(log, book, file) as views:
        assert views.rebuild().events == log.size()
        assert shown(views) == before
    assert schemas(file) == [("made_2",)]


FULL = """
import resource, sys
from events.errors import Unable
from events.store import Log
from tests.projections.desk import CATALOGUE, casebook, open_views
from tests.games.toy import deal
from tests.projections.desk import send
with Log.open(sys.argv[1], CATALOGUE) as log:
    book = casebook(log, adopt=False)
    room, when = int(sys.argv[3]), sys.argv[4]
    if when == "before":
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
    try:
        with open_views(log, book, sys.argv[2]) as views:
            if when == "in it":
                resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
            views.catch_up()
    except Unable as error:
        print(error, error.hint)
"""


@pytest.mark.parametrize(("room", "when"), [(400_000, "in it"), (100_000, "before")])
def test_a_full_disk_is_said_and_loses_nothing(log, book, tmp_path, room, when):
    file = tmp_path / "view.duckdb"
    send(log, deal(400, 1))
    command = [sys.executable, "-c", FULL, log.address.path, str(file), str(room), when]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert "cannot be written" in said.stdout, said.stderr
    assert "full disk" in said.stdout
    with open_views(log, book, file) as views:
        assert views.catch_up().rounds_judged == 400
        assert shown(views) == from_zero(log, book)


def test_the_version_follows_code_rooms_and_event_types():
    assert version_of(CATALOGUE) == version_of(CATALOGUE)
    assert version_of(CATALOGUE) != version_of(type(CATALOGUE)(CATALOGUE.classes[:-1]))


def test_a_view_fed_from_another_log_is_refused_until_it_is_made_anew(log, book, tmp_path):
    file = tmp_path / "view.duckdb"
    send(log, deal(2, 1))
    with open_views(log, book, file) as views:
        views.catch_up()
    with Log.open(str(tmp_path / "other.db"), CATALOGUE, create=True) as other:
        own = casebook(other)
        for rounds in (1, 2, 3):  # a log that is shorter, as long, longer
            send(other, deal(rounds, 7))
            with open_views(other, own, file) as views:
                with pytest.raises(Refused, match="fed from another log") as caught:
                    views.catch_up()
                with pytest.raises(Refused, match="fed from another log"):
                    views.query("SELECT 1")
        assert "views rebuild" in caught.value.hint
        with open_views(log, book, file) as views:
            assert views.catch_up().events == 0
        with open_views(other, own, file) as views:
            views.rebuild()
            assert shown(views) == from_zero(other, own)


def test_a_view_of_another_log_is_refused_by_another_version_too(log, book, tmp_path):
    file = tmp_path / "view.duckdb"
    send(log, deal(2, 1))
    with open_views(log, book, file, version="one") as views:
        views.catch_up()
    with Log.open(str(tmp_path / "other.db"), CATALOGUE, create=True) as other:
        own = casebook(other)
        with (
            open_views(other, own, file, version="two") as views,
            pytest.raises(Refused, match="fed from another log"),
        ):
            views.catch_up()
    with open_views(log, book, file, version="one") as views:
        assert views.catch_up().events == 0


def test_a_view_of_an_empty_log_follows_it(log, tmp_path):
    file = tmp_path / "view.duckdb"
    bare = casebook(log, adopt=False)
    for rounds in (0, 1, 2):
        if rounds:
            send(log, deal(rounds, 1))
        with open_views(log, bare, file) as views:
            assert len(views.query("FROM fct_round").rows) == rounds
            views.rebuild()
            assert len(views.query("FROM fct_round").rows) == rounds


def test_a_log_that_was_cut_is_noticed(log, book, tmp_path):
    file = tmp_path / "view.duckdb"
    send(log, deal(2, 1))
    with open_views(log, book, file) as views:
        views.catch_up()
    with sqlite3.connect(log.address.path) as hand:
        hand.execute("DROP TRIGGER stored_events_no_delete")
        hand.execute("DELETE FROM stored_events WHERE rowid > 5")
    hand.close()
    with open_views(log, book, file) as views, pytest.raises(Refused, match="lost records since"):
        views.catch_up()


def test_a_file_that_is_no_view_is_left_alone(log, book, tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("not a database, but longer than a header of one\n" * 400)
    before = file.read_bytes()
    with pytest.raises(Unable, match="no DuckDB file") as caught:
        open_views(log, book, file)
    assert not isinstance(caught.value, StoreBusy)
    assert "a full disk" in caught.value.hint
    assert file.read_bytes() == before
    with pytest.raises(Unable, match="cannot be opened"):
        open_views(log, book, tmp_path / "no such folder" / "view.duckdb")


def test_the_view_lies_beside_the_log_unless_it_has_no_place(log, book, tmp_path, monkeypatch):
    assert default_path(log) == str(tmp_path / "recoup.db.view.duckdb")
    with Log.open(":memory:", CATALOGUE, create=True) as memory:
        assert default_path(memory) == ":memory:"
    with Views.open(log, book, threads=1) as views:
        views.catch_up()
    assert (tmp_path / "recoup.db.view.duckdb").exists()


def test_a_log_on_a_server_has_its_view_in_the_cache(postgres_url, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with Log.open(postgres_url, CATALOGUE, create=True) as log:
        book = casebook(log)
        send(log, deal(2, 1))
        with Views.open(log, book, threads=1) as views:
            assert views.catch_up().events == log.size()
            assert views.path.startswith(str(tmp_path / "recoup"))
            assert views.query("SELECT count(*) FROM fct_round").rows == [(2,)]


def limit(views):
    return views.query("SELECT current_setting('memory_limit')", catch_up=False).rows[0][0]


def test_a_query_has_little_memory_and_gets_more_where_it_does_not_suffice(log, book, tmp_path):
    file = tmp_path / "view.duckdb"
    with open_views(log, book, file) as views:
        views.catch_up()
        sorted_rows = (
            "SELECT max(n) FROM (SELECT row_number() OVER (ORDER BY hash(i), i) AS n FROM range(3000000) t(i))"
        )
        assert views.query(sorted_rows).rows == [(3_000_000,)]
        assert views.query("SELECT len(list(i)) FROM range(9000000) t(i)").rows == [(9_000_000,)]
        assert limit(views) not in ("64.0 MiB", "112.0 MiB")
    assert [path.name for path in tmp_path.glob("view.duckdb*")] == ["view.duckdb"]
    with open_views(log, book, file) as views:
        assert limit(views) == "64.0 MiB"


def test_feeding_and_judging_get_the_memory_that_they_need(log, book, tmp_path, monkeypatch):
    send(log, deal(2, 1))
    for module in ("view_file", "views"):
        monkeypatch.setattr(f"projections.{module}.MEMORY_LIMITS", ("3MiB", "64MiB"))
    with open_views(log, book, tmp_path / "view.duckdb") as views:
        assert limit(views) == "3.0 MiB"
        made = shown(views)
        assert limit(views) == "64.0 MiB"
    monkeypatch.undo()
    with open_views(log, book, tmp_path / "other.duckdb") as views:
        assert shown(views) == made


def test_what_no_memory_suffices_for_is_said(log, book, tmp_path, monkeypatch):
    with open_views(log, book, tmp_path / "view.duckdb") as views:
        views.catch_up()
        monkeypatch.setattr(views, "_limits", iter(()))
        with pytest.raises(Unable, match="could not be finished"):
            views.query("SELECT len(list(i)) FROM range(30000000) t(i)")
