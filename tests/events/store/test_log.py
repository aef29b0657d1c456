"""Opening, authoring, reading."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import msgspec
import psycopg
import pytest
from eventsourcing.persistence import IntegrityError

from events.errors import BadName, Refused, StoreMissing, StoreTooNew, Unable
from events.schema.common import DealerSeated
from events.schema.envelope import Envelope, canonical
from events.schema.event import Event
from events.schema.ours import RecordCorrected, RecordDisowned, RulingApplied, SettingChanged
from events.store import Decided, Draft, Log, Origin, RoundSegment, account, follow, verify
from events.store.address import parse_address
from tests.events.store.records import SOURCE, STREAM, SUBJECT, TEST, record, records
from tests.stores import CATALOGUE


class Unheard(Event, frozen=True):
    """Of a catalogue that nobody has."""

    TOPIC: ClassVar[str] = "XX.Unheard.v1"
    what: str


def test_a_store_that_is_not_there_is_missing_and_not_made(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    with pytest.raises(StoreMissing, match="no log at"):
        Log.open(str(path), CATALOGUE)
    assert not path.exists()


def test_a_store_is_made_once_and_opened_again(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'log.db'}"
    with Log.open(url, CATALOGUE, create=True) as log:
        log.accept([record(1)], TEST)
    with Log.open(url, CATALOGUE, create=True) as log:
        assert log.size() == 1
    with Log.open(str(tmp_path / "log.db"), CATALOGUE) as log:
        log.accept([record(2)], TEST)
        assert [row.version for row in log.stream_rows(STREAM)] == [1, 2]


def test_of_several_streams_those_that_hold_something_are_known(log: Log) -> None:
    log.accept([record(1)], TEST)
    assert log.known([STREAM, f"{STREAM}0", STREAM[:-1]]) == {STREAM}
    assert log.known([]) == set()


@pytest.mark.parametrize("name", ["log with space.db", "100%.db", "a?b#c.db", "žluťoučký.db"])
def test_a_file_may_have_any_name(tmp_path: Path, name: str) -> None:
    with Log.open(str(tmp_path / name), CATALOGUE, create=True) as log:
        log.accept([record(1)], TEST)
    assert (tmp_path / name).is_file()


def test_a_folder_a_foreign_file_and_a_foreign_database_are_said(tmp_path: Path) -> None:
    with pytest.raises(Unable, match="is a folder"):
        Log.open(str(tmp_path), CATALOGUE, create=True)
    with pytest.raises(Unable, match="does not exist"):
        Log.open(str(tmp_path / "no" / "log.db"), CATALOGUE, create=True)
    text = tmp_path / "notes.txt"
    text.write_text("nothing that SQLite ever wrote\n" * 99)
    with pytest.raises(Unable, match="no intact SQLite file"):
        Log.open(str(text), CATALOGUE)
    foreign = tmp_path / "foreign.db"
    with sqlite3.connect(foreign) as db:
        db.execute("CREATE TABLE t (x)")
    db.close()
    with pytest.raises(StoreMissing, match="holds no log"):
        Log.open(str(foreign), CATALOGUE)


@pytest.mark.parametrize("url", ["mysql://x/y", "", "sqlite:///", "postgresql://host", "file:x.db"])
def test_an_address_that_cannot_be_meant_is_refused(url: str) -> None:
    with pytest.raises(Refused):
        Log.open(url, CATALOGUE)


def test_a_store_of_a_later_recoup_is_too_new(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    Log.open(str(path), CATALOGUE, create=True).close()
    with sqlite3.connect(path) as db:
        db.execute("UPDATE recoup_store SET schema = 99")
    db.close()
    with pytest.raises(StoreTooNew, match="schema 99") as caught:
        Log.open(str(path), CATALOGUE)
    assert caught.value.exit_code == 3


def test_postgresql_too_new_missing_and_down(postgres_server: Callable[[str], str], postgres_url: str) -> None:
    with psycopg.connect(postgres_url) as db:
        db.execute("UPDATE evidence.recoup_store SET schema = 99")
    with pytest.raises(StoreTooNew, match="schema 99"):
        Log.open(postgres_url, CATALOGUE)
    with pytest.raises(StoreMissing, match="no such database"):
        Log.open(postgres_server("nowhere"), CATALOGUE)
    with pytest.raises(StoreMissing, match="holds no log"):
        Log.open(postgres_server("postgres"), CATALOGUE)
    with pytest.raises(Unable, match="no connection"):
        Log.open("postgresql://nobody@127.0.0.1:1/log", CATALOGUE)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://ann:secret@db/log", "postgresql://ann@db/log"),
        ("postgresql://ann:secret@db:6000/log", "postgresql://ann@db:6000/log"),
        ("postgres:///log", "postgresql://localhost/log"),
        ("postgresql://a%40b:s%2Fx@10.0.0.1/log?sslmode=require", "postgresql://a%40b@10.0.0.1/log?sslmode=require"),
        ("postgresql://ann:x@/log?host=/run/pg&port=6000", "postgresql://ann@/log?host=/run/pg&port=6000"),
        ("postgresql://ann:x@[::1]:6000/a%20log", "postgresql://ann@/a%20log?host=%3A%3A1&port=6000"),
    ],
)
def test_an_address_is_shown_as_it_can_be_given_again_without_its_password(url: str, shown: str) -> None:
    given = parse_address(url)
    assert given.shown == shown
    again = parse_address(shown)
    assert again.env == given.env | {"POSTGRES_PASSWORD": ""}
    assert not again.has_password


def test_authored_events_are_canonical_envelopes_with_sequences_of_their_own(log: Log) -> None:
    stream = f"{SUBJECT}@/recoup"
    drafts = [
        Draft(RecordCorrected(round="174"), about=f"7@{SOURCE}", reason="typing error", at=1_795_896_000_123),
        Draft(RecordDisowned(), about=f"8@{SOURCE}", account="ann"),
    ]
    assert log.author(stream, drafts) == [0, 1]
    first, second = log.stream_rows(stream)
    envelope = msgspec.json.decode(first.state, type=Envelope)
    assert canonical(envelope) == first.state
    assert (envelope.sequence, envelope.about, envelope.reason) == ("0" * 15 + "1", f"7@{SOURCE}", "typing error")
    assert envelope.time == "2026-11-28T21:00:00.123+01:00"
    assert envelope.account == log.account
    facts = log.session_facts(SUBJECT).facts
    assert [(fact.cite, fact.about, fact.account) for fact in facts] == [
        ("1@/recoup", f"7@{SOURCE}", log.account),
        ("2@/recoup", f"8@{SOURCE}", "ann"),
    ]
    assert second.version == 2


def test_several_streams_are_authored_in_one_transaction(log: Log) -> None:
    draft = Draft(SettingChanged(setting="clock.tolerance_ms", value=2000))
    assert log.author_all([("house/brno@/recoup", [draft]), ("house/praha@/recoup", [draft, draft])]) == [0, 1, 2]
    assert len({row.recorded_at for row in log.page(-1)}) == 1


def test_who_read_an_older_version_does_not_write(log: Log) -> None:
    draft = Draft(SettingChanged(setting="x", value=1))
    log.author("house/brno@/recoup", [draft], expected=1)
    with pytest.raises(Refused, match="is at version 1 by now, not 0"):
        log.author("house/brno@/recoup", [draft], expected=1)
    log.author("house/brno@/recoup", [draft], expected=2)
    assert log.size() == 2


@pytest.mark.parametrize(
    "stream", [STREAM, f"{SUBJECT}@/recoup~2", "elsewhere@/recoup", "house/brno", "house/br no@/recoup"]
)
def test_only_streams_of_ours_are_authored(log: Log, stream: str) -> None:
    with pytest.raises((Refused, BadName)):
        log.author(stream, [Draft(RecordDisowned())])
    assert log.size() == 0


@pytest.mark.parametrize(
    ("draft", "told"),
    [
        (Draft(RecordCorrected(round="9" * 300), about=f"1@{SOURCE}"), "cannot be stored so"),
        (Draft(RecordCorrected(round="4@#"), about=f"1@{SOURCE}"), "has `@` in it"),
        (Draft(RecordCorrected(time="yesterday"), about=f"1@{SOURCE}"), "has the time yesterday"),
        (Draft(RecordDisowned(), about="the one before"), "does not name a record"),
        (Draft(DealerSeated(person=""), round="1"), "cannot be stored so"),
        (Draft(DealerSeated(person="d-1"), round="17 3"), "has a space in it"),
        (Draft(DealerSeated(person="d-1"), round="173~2"), "has `~` in it"),
        (Draft(DealerSeated(person="d-1"), at=400_000_000_000_000), "has the time"),
        (Draft(Unheard("x")), "unknown event type"),
    ],
)
def test_what_could_not_be_read_again_is_not_authored(log: Log, draft: Draft, told: str) -> None:
    with pytest.raises(Refused, match=re.escape(told)):
        log.author_all([(f"{SUBJECT}@/recoup", [Draft(RecordDisowned(), about=f"1@{SOURCE}"), draft])])
    assert log.size() == 0


def test_what_recoup_says_of_the_longest_names_reads_again(log: Log) -> None:
    source, name = "/" + "s" * 254, "r" * 255
    for number, person in ((1, "d-1"), (2, "d-1"), (2, "d-2"), (4, "d-1")):
        log.accept([record(number, source=source, round=name, data={"person": person})], TEST)
    log.declare_lost(f"{SUBJECT}@{source}", 3, 3, reason="its disk broke")
    ruling = RulingApplied(ruling="r-1", ground="table_error", rounds=(f"{SUBJECT}#{name}",))
    log.author(f"{SUBJECT}@/recoup", [Draft(ruling)])
    found = log.session_facts(SUBJECT)
    assert found.undecoded == ()
    assert [gap.lost for gap in found.gaps] == [True]


def test_a_sessions_facts_are_those_of_its_streams_alone(log: Log) -> None:
    log.accept([*records([1, 2], round="1"), record(1, source="/brno/wheel"), record(1, subject=SUBJECT + "1")], TEST)
    log.author(f"{SUBJECT}@/recoup", [Draft(RecordDisowned(), about=f"1@{SOURCE}")])
    found = log.session_facts(SUBJECT)
    assert [(fact.source, fact.sequence, fact.round) for fact in found.facts] == [
        (SOURCE, 1, "1"),
        (SOURCE, 2, "1"),
        ("/brno/wheel", 1, None),
        ("/recoup", 1, None),
    ]
    assert all(fact.subject == SUBJECT for fact in found.facts)
    assert found.facts[0].event == DealerSeated(person="d-17")
    assert found.facts[0].occurred_at == 1_795_896_840_037
    assert [fact.index for fact in found.facts] == [0, 1, 2, 4]
    rows = {row.index: row for row in log.page(-1)}
    assert all(fact.recorded_at == rows[fact.index].recorded_at for fact in found.facts)
    assert log.session_facts("table/brno/none/1").facts == ()
    assert [row.index for row in log.subject_rows(SUBJECT)] == [0, 1, 2, 4]
    assert log.streams_of(SUBJECT) == [STREAM, f"{SUBJECT}@/brno/wheel", f"{SUBJECT}@/recoup"]


def test_gaps_of_a_session_are_cut_where_a_loss_was_declared(log: Log) -> None:
    log.accept(records([1, 10]), TEST)
    log.declare_lost(STREAM, 4, 6, reason="the terminal burnt")
    found = [(gap.origin, gap.first, gap.last, gap.lost) for gap in log.session_facts(SUBJECT).gaps]
    assert found == [(SOURCE, 2, 3, False), (SOURCE, 4, 6, True), (SOURCE, 7, 9, False)]
    assert [(gap.first, gap.last) for gap in log.gaps(lost=False)] == [(2, 3), (7, 9)]
    status = log.status()
    assert (status.gaps, status.missing, status.lost) == (2, 5, 3)
    with pytest.raises(Refused, match="are not one gap"):
        log.declare_lost(STREAM, 9, 10, reason="x")
    with pytest.raises(Refused, match="nothing is stored"):
        log.declare_lost(f"{SUBJECT}@/none", 1, 2, reason="x")


def test_a_late_record_closes_a_gap_that_was_declared_lost(log: Log) -> None:
    log.accept(records([1, 3]), TEST)
    log.declare_lost(STREAM, 2, 2, reason="x")
    log.accept([record(2)], TEST)
    assert log.gaps() == []
    assert log.session_facts(SUBJECT).gaps == ()


def test_rounds_come_from_the_index(log: Log) -> None:
    log.accept([record(1), *records([2, 3], round="1"), *records([5], round="2")], TEST)
    log.accept([record(4, round="1"), record(1, subject=SUBJECT + "2", round="9")], TEST)
    at = [1_795_896_840_000 + number * 37 for number in range(6)]
    assert log.rounds(SUBJECT) == [
        RoundSegment(SUBJECT, STREAM, None, 1, 1, at[1], at[1]),
        RoundSegment(SUBJECT, STREAM, "1", 2, 3, at[2], at[3]),
        RoundSegment(SUBJECT, STREAM, "2", 4, 4, at[5], at[5]),
        RoundSegment(SUBJECT, STREAM, "1", 5, 5, at[4], at[4]),
    ]
    assert {one.subject for one in log.rounds(prefix="table/brno/")} == {SUBJECT, SUBJECT + "2"}
    assert log.rounds(prefix="table/praha/") == []
    assert len(log.rounds()) == 5


def test_subjects_are_listed_by_prefix(log: Log) -> None:
    names = ["table/brno/RL-01/1", "table/brno/RL-010/1", "table/brno/RL-02/1", "table/praha/RL-01/1"]
    log.accept([record(1, subject=name, source=source) for name in names for source in ("/a", "/b")], TEST)
    assert list(log.subjects()) == sorted(names)
    assert list(log.subjects("table/brno/RL-01")) == names[:2]
    assert list(log.subjects("table/brno/RL-01/")) == names[:1]
    assert list(log.subjects("desk/")) == []


def test_a_follower_sees_every_row_once_and_goes_on(log: Log) -> None:
    log.accept(records(range(1, 24)), TEST)
    seen = [row for page in follow(log, page=10) for row in page]
    assert [row.index for row in seen] == list(range(23))
    log.accept(records([24, 25]), TEST)
    assert [row.index for page in follow(log, seen[-1].index) for row in page] == [23, 24]
    assert list(follow(log, 24)) == []
    assert [row.index for row in log.rows(3, 6)] == [3, 4, 5, 6]


def test_decided_things_are_loaded_decided_and_saved_by_the_library(log: Log) -> None:
    stream = "dispute/7@/recoup"
    application = log.aggregates
    for version in (1, 2):
        event = SettingChanged(setting=f"s{version}", value=version)
        application.save(Decided(stream, version, event, 1_795_896_000_000 + version, account="ann", reason="so"))

    def count(_state: object, events: object) -> list[object]:
        return [event.event for event in events]  # type: ignore[attr-defined]

    folded = application.repository.get(stream, projector_func=count)  # type: ignore[type-var]
    assert folded == [SettingChanged(setting="s1", value=1), SettingChanged(setting="s2", value=2)]
    assert application.decided(stream)[1].reason == "so"
    with pytest.raises(IntegrityError):
        application.save(Decided(stream, 2, SettingChanged(setting="x", value=0), 0))
    log.author(stream, [Draft(SettingChanged(setting="s3", value=3))])
    assert [one.originator_version for one in application.decided(stream)] == [1, 2, 3]
    assert [fact.sequence for fact in log.session_facts("dispute/7").facts] == [1, 2, 3]
    assert canonical(json.loads(log.page(-1)[0].state)) == log.page(-1)[0].state
    assert verify(log).ok


def test_the_account_is_the_operating_systems_or_the_role(log: Log, store_url: str) -> None:
    assert log.account == ("postgres" if store_url.startswith("postgresql") else account())


def test_status_of_an_empty_log(log: Log) -> None:
    status = log.status()
    assert (status.rows, status.received, status.adds_up, status.open) == (0, 0, True, 0)
    assert log.root().hex() == verify(log).root


@pytest.mark.parametrize(
    "raw",
    [
        record(3).replace(b'"data":{', b'"data":{"person":"d-1",'),
        record(3, id=None).replace(b'"data":{', b'"data":{"person":"d-1",'),
        record(3).replace(b'"data":{', b'"data":{"person" :"d-1",'),
        record(3).replace(b'"data":{"person"', b'"data":{"\\u0070erson":"d-1","person"'),
        record(3, data={"person": 1}),
        record(3, data=None),
        record(3, type="XX.Unheard.v1"),
    ],
)
def test_whatever_cannot_be_read_is_listed_with_where_it_came_from(log: Log, raw: bytes) -> None:
    spaced = json.dumps(json.loads(record(2)), indent=1).replace("\n", " ").encode()
    log.accept(
        [record(1), spaced, raw, record(4, round="7")], Origin(kind="file", name="day.ndjson", lines=[7, 8, 9, 10])
    )
    (found,) = log.unread()
    assert (found.subject, found.record, found.row) == (SUBJECT, f"3@{SOURCE}", 2)
    assert found.origin == "day.ndjson:7-10"
    assert [fact.cite for fact in log.session_facts(SUBJECT).undecoded] == [found.record]
    assert log.unread(after=2) == []
    assert log.unread("table/praha/") == []
