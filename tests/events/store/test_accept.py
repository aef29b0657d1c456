"""What becomes of a record, on every kind of store."""

from __future__ import annotations

import json

import pytest

from events.schema.event import Undecoded
from events.schema.ours import RecordConflicted, RecordDisowned, RecordQuarantined, SourceRestarted
from events.store import JUMP_MAX, Draft, Log, Origin, Oversized, Partition, Receipt, verify
from events.store.digest import facts_digest
from tests.events.store.records import SOURCE, STREAM, SUBJECT, TEST, envelope, record, records


def counts(receipt: Receipt) -> tuple[int, int, int, int]:
    assert receipt.received == receipt.stored + receipt.repeats + receipt.conflicts + receipt.quarantined
    return receipt.stored, receipt.repeats, receipt.conflicts, receipt.quarantined


def sequences(log: Log, stream: str = STREAM) -> list[int]:
    return [int(json.loads(row.state)["sequence"]) for row in log.stream_rows(stream)]


def authored(log: Log, kind: type) -> list[object]:
    facts = [fact for subject in log.subjects() for fact in log.session_facts(subject).facts if fact.ours]
    return [fact.event for fact in facts if isinstance(fact.event, kind)]


@pytest.fixture(autouse=True)
def _sound(log: Log) -> object:
    yield
    status = log.status()
    assert status.adds_up
    report = verify(log)
    assert report.ok, report.problems


def test_records_are_stored_verbatim_with_dense_versions_and_indexes(log: Log) -> None:
    spaced = json.dumps(envelope(2), indent=2).encode()
    receipt = log.accept([record(1), spaced, record(3)], TEST)
    assert counts(receipt) == (3, 0, 0, 0)
    rows = log.stream_rows(STREAM)
    assert [row.state for row in rows] == [record(1), spaced, record(3)]
    assert [(row.index, row.version) for row in rows] == [(0, 1), (1, 2), (2, 3)]
    assert {row.topic for row in rows} == {"TB.DealerSeated.v1"}
    assert len({row.recorded_at for row in rows}) == 1


def test_in_a_batch_each_stream_is_stored_in_order_of_sequence(log: Log) -> None:
    log.accept(
        [record(3), record(1), record(2, source="/brno/wheel"), record(2), record(1, source="/brno/wheel")], TEST
    )
    assert sequences(log) == [1, 2, 3]
    assert sequences(log, f"{SUBJECT}@/brno/wheel") == [1, 2]


def test_the_time_of_recording_never_goes_back(log: Log) -> None:
    for sequence in range(1, 30):
        log.accept([record(sequence)], TEST)
    times = [row.recorded_at for row in log.page(-1)]
    assert times == sorted(times)


def test_a_hole_is_a_gap_and_a_late_record_closes_it(log: Log) -> None:
    log.accept(records([1, 2, 5, 6, 9]), TEST)
    assert [(gap.first, gap.last) for gap in log.gaps()] == [(3, 4), (7, 8)]
    assert counts(log.accept([record(4)], TEST)) == (1, 0, 0, 0)
    assert [(gap.first, gap.last) for gap in log.gaps()] == [(3, 3), (7, 8)]
    log.accept(records([3, 7, 8]), TEST)
    assert log.gaps() == []
    assert sequences(log) == [1, 2, 5, 6, 9, 4, 3, 7, 8]


def test_a_streams_first_record_may_stand_anywhere(log: Log) -> None:
    assert counts(log.accept([record(5_000_000)], TEST)) == (1, 0, 0, 0)
    assert [(gap.first, gap.last) for gap in log.gaps()] == [(1, 4_999_999)]


def test_a_jump_of_ten_thousand_is_believed_and_one_more_is_not(log: Log) -> None:
    log.accept([record(1)], TEST)
    assert counts(log.accept([record(1 + JUMP_MAX)], TEST)) == (1, 0, 0, 0)
    receipt = log.accept([record(2 + 2 * JUMP_MAX)], TEST)
    assert (counts(receipt), receipt.reasons) == ((0, 0, 0, 1), {"jump": 1})


def test_a_jump_within_a_batch_is_judged_when_the_rest_is_in_order(log: Log) -> None:
    receipt = log.accept(records([20_000, *range(1, 20_000, 1000)]), TEST)
    assert counts(receipt) == (21, 0, 0, 0)


def test_a_stream_of_more_than_ten_thousand_in_one_batch_is_no_jump(log: Log) -> None:
    log.accept([record(1)], TEST)
    assert counts(log.accept(records(range(2, 12_003)), TEST)) == (12_001, 0, 0, 0)


def test_the_same_batch_again_is_repeats_and_stores_nothing(log: Log) -> None:
    lines = [*records([1, 2, 5]), b"junk", record(90_000)]
    log.accept(lines, TEST)
    size, root = log.size(), log.root()
    assert counts(log.accept(lines, TEST)) == (0, 5, 0, 0)
    assert (log.size(), log.root()) == (size, root)


def test_the_same_facts_from_another_json_writer_are_repeats(log: Log) -> None:
    log.accept(records(range(1, 6)), TEST)
    other = [json.dumps(envelope(n, id=f"new-{n}"), indent=1, sort_keys=True).encode() for n in range(1, 6)]
    assert counts(log.accept(other, TEST)) == (0, 5, 0, 0)


def test_a_record_twice_in_one_batch_is_stored_once(log: Log) -> None:
    other = json.dumps(envelope(2), indent=1).encode()
    assert counts(log.accept([record(1), record(2), other, record(1)], TEST)) == (2, 2, 0, 0)


def test_old_and_new_in_one_batch(log: Log) -> None:
    log.accept(records([1, 2, 4]), TEST)
    assert counts(log.accept(records([1, 2, 3, 4, 5]), TEST)) == (2, 3, 0, 0)
    assert sequences(log) == [1, 2, 4, 3, 5]


def test_other_content_under_a_known_sequence_is_a_conflict(log: Log) -> None:
    log.accept(records([1, 2]), TEST)
    forged = record(2, data={"person": "d-99"})
    assert counts(log.accept([forged], TEST)) == (0, 0, 1, 0)
    assert log.stream_rows(STREAM)[1].state == record(2)
    (event,) = authored(log, RecordConflicted)
    assert isinstance(event, RecordConflicted)
    assert event.record == f"2@{SOURCE}"
    assert event.stored_digest == facts_digest(record(2)).hex()
    assert event.received_digest == facts_digest(forged).hex()
    (entry,) = log.quarantine()
    assert (entry.record, entry.reason, entry.sha256.hex()) == (forged, "conflict", event.sha256)
    (conflict,) = log.session_facts(SUBJECT).conflicts
    assert (conflict.origin, conflict.sequence) == (SOURCE, 2)
    assert counts(log.accept([forged, json.dumps(json.loads(forged)).encode()], TEST)) == (0, 2, 0, 0)


def test_two_contents_of_one_sequence_in_one_batch_are_a_conflict(log: Log) -> None:
    lines = [record(1), record(2), record(2, data={"person": "b"}), record(2, data={"person": "b"})]
    assert counts(log.accept(lines, TEST)) == (2, 1, 1, 0)


def test_a_counter_that_begins_again_later_is_a_restart(log: Log) -> None:
    log.accept(records([1, 2, 3]), TEST)
    again = [record(n, time=f"2026-11-28T22:00:0{n}.000+01:00") for n in (1, 2)]
    receipt = log.accept(again, TEST)
    assert (counts(receipt), receipt.restarts) == ((2, 0, 0, 0), 1)
    assert sequences(log, f"{STREAM}~2") == [1, 2]
    (event,) = authored(log, SourceRestarted)
    assert event == SourceRestarted(source=SOURCE, stream=f"{STREAM}~2", part=2)
    assert log.session_facts(SUBJECT).restarts == (SOURCE,)
    # Repeats are sought in all parts; what is new goes to the newest.
    assert counts(log.accept([*records([3, 2, 1]), *again], TEST)) == (0, 5, 0, 0)
    assert counts(log.accept([record(3, time="2026-11-28T22:00:03.000+01:00"), record(3)], TEST)) == (1, 1, 0, 0)
    assert sequences(log, f"{STREAM}~2") == [1, 2, 3]
    assert {fact.part for fact in log.session_facts(SUBJECT).facts if not fact.ours} == {1, 2}


def test_a_restart_within_one_batch_and_a_third_part(log: Log) -> None:
    lines = [record(n, time=f"2026-11-28T2{hour}:00:0{n}.000+01:00") for hour in (0, 1, 2) for n in (1, 2, 3)]
    receipt = log.accept(lines, TEST)
    assert (counts(receipt), receipt.restarts) == ((9, 0, 0, 0), 2)
    assert [sequences(log, STREAM + part) for part in ("", "~2", "~3")] == [[1, 2, 3]] * 3
    assert counts(log.accept(lines, TEST)) == (0, 9, 0, 0)


def test_a_first_record_with_other_content_but_no_later_time_is_a_conflict(log: Log) -> None:
    log.accept(records([1, 2, 3]), TEST)
    receipt = log.accept([record(1, data={"person": "x"})], TEST)
    assert (counts(receipt), receipt.restarts) == ((0, 0, 1, 0), 0)


def test_a_conflict_in_a_restarted_part_names_the_part(log: Log) -> None:
    log.accept(records([1, 2]), TEST)
    log.accept([record(n, time=f"2026-11-28T22:00:0{n}.000+01:00") for n in (1, 2)], TEST)
    assert counts(log.accept([record(2, data={"person": "x"})], TEST)) == (0, 0, 1, 0)
    (event,) = authored(log, RecordConflicted)
    assert isinstance(event, RecordConflicted)
    assert event.record == f"2@{SOURCE}~2"


def test_data_that_does_not_decode_is_stored_all_the_same(log: Log) -> None:
    lines = [
        record(1, type="XX.FromTheFuture.v7"),
        record(2, data={"person": "d-1", "unheard": 1}),
        record(3, data={"person": 1.5}),
        record(4, data=None),
        record(5, data={"@": 0}).replace(b'{"@":0}', b'{"person":"a","person":"b"}'),
        record(6),
    ]
    assert counts(log.accept(lines, TEST)) == (6, 0, 0, 0)
    facts = log.session_facts(SUBJECT)
    assert [isinstance(fact.event, Undecoded) for fact in facts.facts] == [True] * 5 + [False]
    reasons = [fact.event.reason for fact in facts.undecoded if isinstance(fact.event, Undecoded)]
    assert "unknown event type" in reasons[0]
    assert reasons[4] == "a key stands twice in the data"


def test_what_has_no_place_is_quarantined_once_with_file_and_line(log: Log) -> None:
    origin = Origin(kind="file", name="floor/day.ndjson", lines=[7, 9, 12], account="tester")
    receipt = log.accept([b"{broken", record(1), record(0)], origin)
    assert (counts(receipt), receipt.reasons) == ((1, 0, 0, 2), {"not_json": 1, "bad_sequence": 1})
    first, second = log.quarantine()
    assert (first.record, first.reason, first.origin) == (b"{broken", "not_json", "floor/day.ndjson:7")
    assert second.origin == "floor/day.ndjson:12"
    events = authored(log, RecordQuarantined)
    assert [event.sha256 for event in events if isinstance(event, RecordQuarantined)] == [
        first.sha256.hex(),
        second.sha256.hex(),
    ]
    assert counts(log.accept([b"{broken", b"{broken"], origin)) == (0, 2, 0, 0)


def test_a_line_too_long_is_quarantined_by_its_beginning(log: Log) -> None:
    assert counts(log.accept([Oversized(b"{", b"\7" * 32, 9_000_000)], TEST)) == (0, 0, 0, 1)
    (entry,) = log.quarantine()
    assert (entry.record, entry.length, entry.sha256) == (b"{", 9_000_000, b"\7" * 32)


@pytest.mark.parametrize(
    "claim",
    [
        record(1, subject="house/brno", type="HS.StaffRegistered.v1", data={"person": "p", "roles": ["manager"]}),
        record(1, source="/recoup", type="RC.RecordDisowned.v1", about=f"1@{SOURCE}"),
    ],
)
def test_who_claims_to_be_us_is_quarantined(log: Log, claim: bytes) -> None:
    receipt = log.accept([claim], TEST)
    assert receipt.reasons == {"not_yours": 1}


def test_what_only_recoup_may_say_means_nothing_from_outside(log: Log) -> None:
    log.accept([record(1, about=f"9@{SOURCE}", account="boss", reason="because")], TEST)
    (fact,) = log.session_facts(SUBJECT).facts
    assert (fact.about, fact.account, fact.reason) == (None, None, None)


def test_a_record_stamped_2099_is_stored_and_does_not_make_a_conflict_of_a_restart(log: Log) -> None:
    log.accept([record(1), record(2, time="2099-01-01T00:00:00Z"), record(3)], TEST)
    receipt = log.accept([record(1, time="2026-11-28T23:00:00.000+01:00")], TEST)
    assert (counts(receipt), receipt.restarts) == ((1, 0, 0, 0), 1)


def test_two_houses_with_tables_of_one_name_do_not_meet(log: Log) -> None:
    log.accept([record(1), record(1, subject=SUBJECT.replace("brno", "praha"), data={"person": "x"})], TEST)
    assert list(log.subjects()) == [SUBJECT, SUBJECT.replace("brno", "praha")]


def test_imported_hands_come_in_by_their_own_door(log: Log) -> None:
    hand = records([1, 2], subject="import/ab12", source="/recoup/import/phh/1")
    assert counts(log.accept(hand, TEST)) == (0, 0, 0, 2)
    assert counts(log.accept_imports(hand, Origin(kind="import", name="a.phh"))) == (2, 0, 0, 0)
    assert counts(log.accept_imports(hand, Origin(kind="import", name="a.phh"))) == (0, 2, 0, 0)


def test_offsets_are_kept_in_the_same_transaction_and_never_go_back(log: Log) -> None:
    def origin(offset: int) -> Origin:
        return Origin(kind="kafka", name="floor.events/3", partitions=(Partition("c1", "t1", 3, offset),))

    assert log.next_offset("c1", "t1", 3) is None
    log.accept([record(1)], origin(10))
    log.accept([record(1)], origin(20))
    log.accept([record(1)], origin(5))
    assert log.next_offset("c1", "t1", 3) == 20
    assert log.next_offset("c1", "t2", 3) is None


def test_a_tile_says_where_its_rows_came_from_and_who_ran_it(log: Log) -> None:
    log.accept(records([1, 2]), Origin(kind="file", name="a.ndjson", sha256="ab", lines=[4, 5], account="night"))
    assert log.origin_of(1) == ('{"kind":"file","name":"a.ndjson","sha256":"ab","lines":[4,5]}', "night")
    log.author(f"{SUBJECT}@/recoup", [Draft(RecordDisowned(), about=f"1@{SOURCE}")])
    assert log.origin_of(2) == ('{"kind":"recoup"}', log.account)
    assert log.origin_of(3) is None


def test_an_empty_batch_is_nothing(log: Log) -> None:
    assert counts(log.accept([], TEST)) == (0, 0, 0, 0)
    assert log.size() == 0
