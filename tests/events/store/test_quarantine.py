"""What people decide about quarantined bytes; each decision is a recorded act."""

from __future__ import annotations

import pytest

from events.errors import Refused
from events.schema.ours import QuarantineDiscarded, QuarantineReleased
from events.store import Log, verify
from tests.events.store.records import SOURCE, STREAM, SUBJECT, TEST, record, records


@pytest.fixture(autouse=True)
def _sound(log: Log) -> object:
    yield
    assert log.status().adds_up
    report = verify(log)
    assert report.ok, report.problems


def only(log: Log) -> str:
    (entry,) = log.quarantine()
    return entry.sha256.hex()


def test_a_jump_is_released_into_its_own_stream(log: Log) -> None:
    log.accept([record(1), record(90_000)], TEST)
    sha = only(log)
    assert log.release(sha, reason="the counter was set by hand") == STREAM
    assert [row.state for row in log.stream_rows(STREAM)] == [record(1), record(90_000)]
    assert log.quarantine() == []
    assert [entry.act for entry in log.quarantine(open_only=False)] == ["released"]
    assert log.accept([record(90_000), record(90_001)], TEST).stored == 1
    acts = [fact for subject in log.subjects("quarantine/") for fact in log.session_facts(subject).facts]
    assert acts[-1].event == QuarantineReleased(sha256=sha, stream=STREAM)
    assert (acts[-1].reason, acts[-1].account) == ("the counter was set by hand", log.account)


def test_a_conflict_is_released_beside_its_twin(log: Log) -> None:
    log.accept(records([1, 2, 3]), TEST)
    second, third = (record(2, data={"person": name}) for name in ("x", "y"))
    log.accept([second, third], TEST)
    assert len(log.session_facts(SUBJECT).conflicts) == 2
    first_entry, second_entry = log.quarantine()
    assert log.release(first_entry.sha256.hex(), reason="r") == f"{STREAM}~r"
    assert log.release(second_entry.sha256.hex(), reason="r") == f"{STREAM}~r2"
    facts = log.session_facts(SUBJECT)
    assert facts.conflicts == ()
    assert [fact.cite for fact in facts.facts if fact.part == 0] == [f"2@{SOURCE}~r"] * 2
    assert facts.gaps == ()
    receipt = log.accept([second, third, *records([1, 2, 3])], TEST)
    assert (receipt.repeats, receipt.stored) == (5, 0)


def test_a_further_conflict_of_another_record_joins_the_released(log: Log) -> None:
    log.accept(records([1, 2, 3]), TEST)
    for number in (3, 2):
        log.accept([record(number, data={"person": "x"})], TEST)
        assert log.release(only(log), reason="r") == f"{STREAM}~r"
    assert [row.version for row in log.stream_rows(f"{STREAM}~r")] == [1, 2]


def test_discarded_bytes_stay_where_they_are(log: Log) -> None:
    log.accept([b"noise"], TEST)
    sha = only(log)
    log.discard(sha[:8], reason="a test of the line", account="ann")
    (entry,) = log.quarantine(open_only=False)
    assert (entry.record, entry.act) == (b"noise", "discarded")
    assert log.accept([b"noise"], TEST).repeats == 1
    (subject,) = log.subjects("quarantine/")
    fact = log.session_facts(subject).facts[-1]
    assert (fact.event, fact.account) == (QuarantineDiscarded(sha256=sha), "ann")


def test_a_decision_is_not_taken_twice(log: Log) -> None:
    log.accept([b"noise"], TEST)
    sha = only(log)
    log.discard(sha, reason="x")
    with pytest.raises(Refused, match="was discarded already"):
        log.discard(sha, reason="x")
    with pytest.raises(Refused, match="was discarded already"):
        log.release(sha, reason="x")


@pytest.mark.parametrize(
    "raw", [b"{broken", record(0), record(1, subject="house/brno"), record(1, source="/recoup"), record(1, time="x")]
)
def test_what_has_no_place_or_is_not_theirs_is_never_released(log: Log, raw: bytes) -> None:
    log.accept([raw], TEST)
    with pytest.raises(Refused, match="cannot be released"):
        log.release(only(log), reason="x")
    assert log.quarantine()


def test_a_jump_that_was_stored_meanwhile_is_not_stored_again(log: Log) -> None:
    log.accept([record(1), record(10_500)], TEST)
    sha = only(log)
    log.accept([record(1000), record(10_500)], TEST)
    with pytest.raises(Refused, match="is stored by now, as 10500@"):
        log.release(sha, reason="x")
    log.discard(sha, reason="came in by itself")


def test_a_jump_whose_place_was_taken_by_other_content_is_released_beside_it(log: Log) -> None:
    log.accept([record(1), record(10_500, data={"person": "a"})], TEST)
    sha = only(log)
    log.accept([record(1000), record(10_500, data={"person": "b"})], TEST)
    assert log.release(sha, reason="x") == f"{STREAM}~r"


def test_an_entry_is_found_by_the_beginning_of_its_digest(log: Log) -> None:
    log.accept([b"noise"], TEST)
    sha = only(log)
    assert log.quarantined(sha[:4].upper()).record == b"noise"
    for wrong in ("", "abc", "zzzz", sha + "0"):
        with pytest.raises(Refused, match="is no SHA-256"):
            log.quarantined(wrong)
    with pytest.raises(Refused, match="nothing in quarantine"):
        log.quarantined("0" * 64)
