"""The feed: positions and rows together, canonical text, times."""

from __future__ import annotations

import json
import sqlite3
import threading

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.errors import SealBroken, Unable
from events.schema.common import TableOpened
from events.store import Log, Origin
from events.values.clock import parse_time
from projections import feed
from projections.feed import Columns
from tests.games.toy import HeadsBet, deal
from tests.projections.desk import SUBJECT, TERMINAL, open_views, raw, record, send
from tests.soaking import examples


def all_pages(log, after=-1, **more):
    return list(feed.read_ahead(log, Columns({}), after, **more))


def count(views, table):
    return views.query(f"SELECT count(*) FROM {table}", catch_up=False).rows[0][0]


def test_the_position_and_the_rows_go_in_together(log, views):
    send(log, deal(2, 1))
    assert views.feed() == log.size()
    assert views.position == count(views, "record") == log.size()


def test_a_page_that_was_fed_is_refused_and_leaves_nothing(log, views):
    send(log, deal(2, 1))
    views.feed()
    before = count(views, "record")
    with pytest.raises(Unable, match="not at row 0"):
        feed.insert(views._db, all_pages(log)[0])
    assert (count(views, "record"), views.position) == (before, log.size())


def test_a_page_that_fails_half_way_leaves_nothing(log, views):
    send(log, deal(1, 1))
    page = all_pages(log)[0]
    broken = page._replace(records=page.records.drop_columns(["data"]))
    with pytest.raises(duckdb.Error):
        feed.insert(views._db, broken)
    assert (count(views, "record"), count(views, "stream"), views.position) == (0, 0, 0)
    feed.insert(views._db, page)
    assert (count(views, "record"), views.position) == (log.size(), log.size())


def test_two_feeders_of_one_view_cannot_both_move_its_position(log, views):
    send(log, deal(1, 1))
    page = all_pages(log)[0]
    other = views._db.cursor()
    other.execute(f"SET schema = '{views._schemas.name}'")
    other.execute("BEGIN TRANSACTION")
    feed.move_position(other, 0, 7)
    with pytest.raises(duckdb.TransactionException):
        feed.insert(views._db, page)
    other.execute("ROLLBACK")
    assert (count(views, "record"), views.position) == (0, 0)


def test_two_records_of_one_stream_in_one_page_are_two_rows(log, views):
    send(log, [record(HeadsBet("b1", "p-1", 100), 1), record(HeadsBet("b1", "p-1", 100), 2)])
    views.catch_up()
    rows = views.query("SELECT sequence FROM stg_record WHERE subject = ? ORDER BY ALL", [SUBJECT]).rows
    assert rows == [(1,), (2,)]
    assert views.query("SELECT count(*) FROM stream WHERE subject = ?", [SUBJECT]).rows == [(1,)]
    assert views.query("SELECT sum(amount_minor) FROM fct_bet").rows == [(200,)]


@pytest.mark.parametrize(("page", "group"), [(1, 1), (3, 7), (10_000, 120_000)])
def test_pages_of_any_size_hold_the_same(log, book, page, group, monkeypatch):
    send(log, deal(5, 1))
    monkeypatch.setattr(feed, "GROUP", group)
    pages = all_pages(log, page=page)
    assert [made.first for made in pages] == [0, *(made.last + 1 for made in pages[:-1])]
    assert pages[-1].last == log.size() - 1
    with open_views(log, book) as views:
        for made in pages:
            feed.insert(views._db, made)
        assert views.position == count(views, "record") == count(views, "(SELECT DISTINCT idx FROM record)")
        streams = views.query("SELECT count(*), count(DISTINCT stream) FROM stream", catch_up=False).rows
        assert streams == [(2, 2)]


def test_what_is_fed_is_canonical_whatever_was_received(log, views):
    spaced = json.dumps(json.loads(raw([record(HeadsBet("b1", "č", 100), 1)])[0]), indent=1, ensure_ascii=True)
    log.accept([spaced.encode()], Origin("stdin"))
    assert views.query("SELECT data FROM stg_record WHERE topic = 'CO.HeadsBet.v1'").rows == [
        ('{"amount":100,"bet":"b1","player":"č"}',)
    ]


def test_numbers_beyond_what_a_record_may_hold_are_fed_as_text_and_not_counted(log, views):
    send(log, deal(1, 1))
    line = raw([record(HeadsBet("b1", "p", 100), 50)])[0].replace(b"100", b"1" + b"0" * 30)
    log.accept([line], Origin("stdin"))
    assert views.query("SELECT data FROM stg_record WHERE sequence = 50").rows[0][0].count("0") == 30
    assert views.query("SELECT count(*) FROM fct_bet WHERE cite = ?", [f"50@{TERMINAL}"]).rows == [(0,)]
    assert views.query("SELECT cite FROM fct_record_unread").rows == [(f"50@{TERMINAL}",)]


def test_attributes_that_only_recoup_may_say_are_not_taken_from_outside(log, views):
    line = json.loads(raw([record(HeadsBet("b1", "p", 100), 1)])[0])
    log.accept([json.dumps({**line, "about": "1@/x", "account": "boss", "reason": "so"}).encode()], Origin("stdin"))
    row = views.query("SELECT about, account, reason FROM stg_record WHERE subject = ?", [SUBJECT]).rows
    assert row == [(None, None, None)]
    own = views.query("SELECT account FROM stg_record WHERE is_ours").rows
    assert own == [(log.account,)]


def test_a_state_that_is_no_envelope_counts_by_its_version(log, views):
    from eventsourcing.persistence import StoredEvent

    log.recorder.insert_events([StoredEvent("x", 1, "topic", b"no JSON"), StoredEvent("x", 2, "topic", b"{}")])
    send(log, deal(1, 1))
    rows = views.query("SELECT version, sequence, kind, data FROM stg_record WHERE stream = 'x' ORDER BY ALL").rows
    assert rows == [(1, 1, "", None), (2, 2, "", None)]
    assert count(views, "fct_bet") == 1


def test_a_hole_in_the_log_is_said():
    rows = [(0, "a@b", 1, "T", b"{}"), (2, "a@b", 2, "T", b"{}")]
    with pytest.raises(SealBroken, match="hole between rows 0 and 2"):
        Columns({}).page(rows, [1, 1])


@pytest.mark.parametrize("row", [1, 4, 5])
def test_a_row_missing_where_two_pages_meet_is_said_too(log, row):
    send(log, deal(1, 1))
    with sqlite3.connect(log.address.path) as hand:
        hand.execute("DROP TRIGGER stored_events_no_delete")
        hand.execute("DELETE FROM stored_events WHERE rowid = ?", [row])
    hand.close()
    with pytest.raises(SealBroken, match="hole between rows"):
        all_pages(log, page=4)


def test_what_goes_wrong_on_the_reading_thread_is_raised_where_it_is_waited_for(log, views):
    send(log, deal(1, 1))
    with sqlite3.connect(log.address.path) as hand:
        hand.execute("DROP TRIGGER stored_events_no_delete")
        hand.execute("DELETE FROM stored_events WHERE rowid = 3")
    hand.close()
    before = threading.active_count()
    with pytest.raises(SealBroken, match="hole between rows 0 and 8"):
        views.feed()
    assert threading.active_count() == before
    assert (count(views, "record"), views.position) == (0, 0)


def test_a_log_in_memory_can_be_followed_too(book):
    from tests.projections.desk import CATALOGUE, casebook

    with Log.open(":memory:", CATALOGUE, create=True) as log:
        own = casebook(log)
        send(log, deal(2, 1))
        with open_views(log, own) as views:
            assert views.catch_up().events == log.size()


def test_catching_up_twice_does_nothing_the_second_time(log, views):
    send(log, deal(2, 1))
    first, second = views.catch_up(), views.catch_up()
    assert (first.events, first.sessions_judged, first.rounds_judged) == (log.size(), 1, 2)
    assert (second.events, second.sessions_judged, second.rounds_judged) == (0, 0, 0)


def test_progress_ends_with_all_of_it(log, views):
    send(log, deal(2, 1))
    said = []
    views.catch_up(lambda *step: said.append(step))
    assert said == [("feed", log.size(), log.size()), ("judge", 1, 1)]


TIMES = st.builds(
    "{}-{:02}-{:02}T{:02}:{:02}:{:02}{}{}".format,
    st.integers(1970, 2099),
    st.integers(1, 12),
    st.integers(1, 28),
    st.integers(0, 23),
    st.integers(0, 59),
    st.integers(0, 60),
    st.sampled_from(["", ".1", ".12", ".123", ".1239", ".999999999"]),
    st.sampled_from(["Z", "z", "+01:00", "-11:30", "+00:00"]),
)


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(TIMES, min_size=1, max_size=5))
def test_times_read_by_columns_are_those_of_parse_time(texts):
    assert feed._Clock().ms(texts).to_pylist() == [parse_time(text) for text in texts]


def test_a_time_that_is_none_is_refused():
    with pytest.raises(ValueError, match="RFC 3339"):
        feed._Clock().ms(["2026-11-28T20:00:00.000+01:00", "2026-11-28T20:00:00.0000000"])


def test_streams_are_taken_apart():
    assert feed.describe(f"{SUBJECT}@{TERMINAL}~2") == (
        f"{SUBJECT}@{TERMINAL}~2", SUBJECT, TERMINAL, f"{TERMINAL}~2", "table", "brno", "CO-1", "2026-11-28.1",
        False, False,
    )  # fmt: skip
    assert feed.describe("x")[4:] == ("", "", "", "", False, False)


def test_opening_says_what_is_played(log, views):
    send(log, [record(TableOpened("coin", "CO", "CZK"), 1)])
    assert views.query("SELECT game, rule_book, currency, edition FROM fct_session").rows == [
        ("coin", "CO", "CZK", "toy")
    ]
