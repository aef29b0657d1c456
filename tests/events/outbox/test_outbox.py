"""What the outbox sends, in which order, and how far it says it has come; the broker is played by a list."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from threading import Event
from typing import cast

import pytest

from events.errors import Refused, SealBroken, StoreMissing, Unable
from events.ingest.kafka import read_settings
from events.outbox import (
    DEFAULT_TYPES,
    Cut,
    Message,
    NotTaken,
    Publisher,
    Sender,
    read_page,
    read_positions,
    read_routes,
)
from events.outbox.messages import VALUE_MAX
from events.schema.ours import RulingApplied, RulingIssued
from events.seal import parse_verifier, read_checkpoint
from events.sealing import STREAM as SEAL
from events.sealing.witness import Witness
from events.store import Draft, Log
from events.store.accept import Receipt
from tests.events.sealing.seals import ORIGIN, filled, place_in
from tests.events.store.records import STREAM, SUBJECT, TEST, record, records
from tests.stores import CATALOGUE

RULINGS = f"{SUBJECT}@/recoup"
QUICK = {"RECOUP_KAFKA_BACKOFF_MIN_MS": "1", "RECOUP_KAFKA_BACKOFF_MAX_MS": "2"}


class Took(Sender):
    """A broker that takes all, or fails as it is told: before a message, or after the last of a page."""

    def __init__(self, cluster: str = "cluster-1") -> None:
        self.cluster = cluster
        self.taken: list[Message] = []
        self.fail_before: set[int] = set()
        self.fail_answers = 0
        self.fail_questions = 0
        self.closed = 0

    def send(self, messages: Sequence[Message], stop: Event) -> None:
        for message in messages:
            if len(self.taken) in self.fail_before:
                self.fail_before.discard(len(self.taken))
                raise Unable("the broker is away")
            self.taken.append(message)
        if self.fail_answers:
            self.fail_answers -= 1
            raise Unable("nothing acknowledged")

    def ask(self) -> None:
        if self.fail_questions:
            self.fail_questions -= 1
            raise Unable("nobody listens")

    def close(self) -> None:
        self.closed += 1

    @property
    def ids(self) -> list[str]:
        return [headers_of(message)["event_id"] for message in self.taken]


def headers_of(message: Message) -> dict[str, str]:
    return {name: value.decode() for name, value in message.headers}


def publisher(log: Log, sender: Sender, *, again: bool = False, **settings: str) -> Publisher:
    read = read_settings(None, {**QUICK, **settings})
    return Publisher(
        read_routes(read, CATALOGUE), read, lambda: cast("Log", nullcontext(log)), lambda: sender, again=again
    )


def rule(log: Log, *names: str) -> None:
    log.author(RULINGS, [Draft(event=RulingApplied(ruling=name, ground="equipment_fault")) for name in names])


def first_occurrences(ids: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(ids))


def test_rulings_go_out_as_they_are_stored_under_their_session(log: Log) -> None:
    log.accept(records(range(1, 4)), TEST)
    rule(log, "r-1")
    sender = Took()
    assert publisher(log, sender).run(once=True) == 1
    (message,) = sender.taken
    row = log.page(-1)[-1]
    assert (message.topic, message.key, message.value) == ("recoup.rulings", RULINGS.encode(), row.state)
    assert headers_of(message) == {
        "event_id": json.loads(row.state)["id"],
        "event_type": "DS.RulingApplied.v1",
        "index": "3",
        "recorded_at": str(row.recorded_at),
        "content-type": "application/cloudevents+json",
    }


def test_checkpoints_go_out_in_order_with_the_keys_by_which_a_witness_reads_them(tmp_path: Path) -> None:
    place = filled(place_in(tmp_path))
    sender = Took()
    with place.open() as log:
        publisher(log, sender).run(once=True)
    assert {(one.topic, one.key) for one in sender.taken} == {("recoup.checkpoints", SEAL.encode())}
    key, *checkpoints = [json.loads(one.value)["data"] for one in sender.taken]
    read = [read_checkpoint(one["note"], [parse_verifier(key["key"])])[0] for one in checkpoints]
    copies = [
        read_checkpoint(copy.note, [parse_verifier(key["key"])])[0]
        for copy in Witness(place.witnesses[0], ORIGIN).copies()
    ]
    assert read == copies
    assert len(read) == 3


def test_rejected_records_go_out_as_they_came_with_the_reason_beside_them(log: Log) -> None:
    other = record(2, data={"person": "d-99"})
    log.accept([*records(range(1, 4)), other, b"half a li", b""], TEST)
    sender = Took()
    publisher(log, sender).run(once=True)
    assert [(one.topic, one.value) for one in sender.taken] == [
        ("floor.events.rejected", other), ("floor.events.rejected", b"half a li"), ("floor.events.rejected", b""),
    ]  # fmt: skip
    conflict, half, empty = map(headers_of, sender.taken)
    assert conflict["reason"] == "conflict"
    assert conflict["record"] == "2@/brno/RL-03/terminal"
    assert conflict["stored_digest"] != conflict["received_digest"]
    assert sender.taken[0].key == STREAM.encode()
    assert (half["reason"], half["origin"], half["length"]) == ("not_json", "day.ndjson", "9")
    assert log.quarantined(half["sha256"]).record == b"half a li"
    assert sender.taken[1].key.startswith(b"quarantine/")
    assert empty["length"] == "0"


def test_a_record_longer_than_a_message_may_be_is_cut_and_says_so(log: Log) -> None:
    log.accept([b"x" * (VALUE_MAX + 7)], TEST)
    sender = Took()
    publisher(log, sender).run(once=True)
    assert len(sender.taken[0].value) == VALUE_MAX
    assert headers_of(sender.taken[0])["length"] == str(VALUE_MAX + 7)


def test_the_second_run_sends_only_what_is_new(log: Log) -> None:
    rule(log, "r-1", "r-2")
    sender = Took()
    assert publisher(log, sender).run(once=True) == 2
    assert publisher(log, sender).run(once=True) == 0
    rule(log, "r-3")
    assert publisher(log, sender).run(once=True) == 1
    assert sender.ids == [f"{RULINGS}:{number}" for number in (1, 2, 3)]
    assert publisher(log, sender, again=True).run(once=True) == 3
    assert publisher(log, sender).run(once=True) == 0


def test_the_position_belongs_to_a_cluster_and_a_topic(log: Log) -> None:
    rule(log, "r-1")
    log.author("dispute/d-1@/recoup", [Draft(event=RulingIssued(ruling="r-1", ground="equipment_fault"))])
    assert publisher(log, Took()).run(once=True) == 1
    assert publisher(log, Took("cluster-2")).run(once=True) == 1
    more = Took()
    issued = {"RECOUP_KAFKA_PUBLISH_TYPES": "DS.RulingIssued.v1=rulings.issued"}
    assert publisher(log, more, **issued).run(once=True) == 1
    assert [(one.topic, one.key) for one in more.taken] == [("rulings.issued", b"dispute/d-1@/recoup")]
    assert publisher(log, more, **issued).run(once=True) == 0


def test_a_position_is_written_only_after_every_acknowledgement(log: Log) -> None:
    rule(log, *(f"r-{number}" for number in range(1, 8)))
    sender = Took()
    sender.fail_before = {3, 5}
    sender.fail_answers = 1
    follower = publisher(log, sender)
    stopped_after(follower, lambda: follower.watch.position == log.size())
    follower.run()
    assert first_occurrences(sender.ids) == [f"{RULINGS}:{number}" for number in range(1, 8)]
    assert len(sender.taken) > 7
    assert sum(follower.watch.failures.values()) == 3
    assert read_positions(log, "cluster-1", ["recoup.rulings"]) == {"recoup.rulings": log.size()}


def stopped_after(follower: Publisher, is_done: Callable[[], bool]) -> None:
    """Ask it to stop once that is so, seen where it would wait."""
    wait = follower.stop.wait

    def seen(timeout: float | None = None) -> bool:
        if is_done():
            follower.stop.set()
        return wait(0)

    follower.stop.wait = seen  # type: ignore[method-assign]


def test_a_busy_store_delays_the_position_and_sends_nothing_twice(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    rule(log, "r-1", "r-2")
    sender = Took()
    follower = publisher(log, sender)
    stopped_after(follower, lambda: follower.watch.is_connected and follower.watch.position == log.size())
    transact, times = log.recorder.transact, iter(range(3))

    def busy(*words: object, **more: object) -> object:
        if next(times, None) is not None:
            raise Unable("the store is away")
        return transact(*words, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(log.recorder, "transact", busy)
    follower.run()
    assert len(sender.taken) == 2
    assert follower.watch.failures == {"store": 3}
    assert read_positions(log, "cluster-1", ["recoup.rulings"]) == {"recoup.rulings": 2}


def test_stopping_in_the_middle_of_a_page_leaves_it_for_the_next(log: Log) -> None:
    rule(log, "r-1")

    class Slow(Took):
        def send(self, messages: Sequence[Message], stop: Event) -> None:
            super().send(messages, stop)
            raise Cut("asked to stop")

    slow = Slow()
    publisher(log, slow).run()
    assert slow.closed == 1
    sender = Took()
    assert publisher(log, sender).run(once=True) == 1
    assert sender.ids == slow.ids


def test_a_publisher_with_nothing_to_send_notices_that_the_broker_is_away(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("events.outbox.publisher.ASK_S", -1.0)
    sender = Took()
    sender.fail_questions = 2
    follower = publisher(log, sender)
    stopped_after(follower, lambda: follower.watch.failures["broker"] == 2 and follower.watch.is_connected)
    follower.run()
    assert follower.watch.meter.get("broker_failures_total") == 2
    assert follower.watch.meter.health() == (True, "ok")


def test_once_says_that_the_broker_is_away_instead_of_waiting(log: Log) -> None:
    rule(log, "r-1")
    sender = Took()
    sender.fail_answers = 1
    with pytest.raises(Unable, match="nothing acknowledged"):
        publisher(log, sender).run(once=True)


def test_sending_all_of_it_again_goes_on_after_a_failure_where_it_was(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("events.outbox.page.ROWS", 2)
    rule(log, *(f"r-{number}" for number in range(1, 9)))
    publisher(log, Took()).run(once=True)
    sender = Took()
    sender.fail_before = {2, 4, 6}
    follower = publisher(log, sender, again=True)
    stopped_after(follower, lambda: follower.watch.position == log.size())
    follower.run()
    assert sender.ids == [f"{RULINGS}:{number}" for number in range(1, 9)]


def test_a_topic_that_refuses_a_message_is_tried_with_it_alone_and_others_go_on(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("events.outbox.page.ROWS", 2)
    rule(log, *(f"r-{number}" for number in range(1, 9)))
    log.accept([b"one", b"two", b"three"], TEST)
    pages: list[list[int]] = []

    class Picky(Took):
        tries = 0

        def send(self, messages: Sequence[Message], stop: Event) -> None:
            pages.append([message.at for message in messages])
            large = next((message for message in messages if message.at == 3), None)
            if large is not None:
                self.tries += 1
                if self.tries < 5:
                    raise NotTaken("too large", large, messages[0].at)
            super().send(messages, stop)

    sender = Picky()
    follower = publisher(log, sender)
    stopped_after(follower, lambda: follower.watch.position == log.size())
    follower.run()
    others = [page for page in pages if page[0] >= 8]
    assert others == [[8, 9], [10]]
    assert [page for page in pages if page[0] < 8] == [[0, 1], [2, 3], [2], [3], [3], [3], [3], [4, 5], [6, 7]]
    assert pages.index([10]) < pages.index([4, 5])
    assert sorted(message.at for message in sender.taken) == list(range(11))
    assert follower.watch.meter.get("topics_held") == 0
    assert not follower.watch.failures


def test_rows_of_no_interest_are_passed_over_and_the_position_is_kept(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("events.outbox.page.SPAN", 7)
    log.accept(records(range(1, 41)), TEST)
    rule(log, "r-1")
    log.accept(records(range(41, 60)), TEST)
    sender = Took()
    assert publisher(log, sender).run(once=True) == 1
    assert read_positions(log, "cluster-1", ["recoup.rulings"]) == {"recoup.rulings": 60}


def test_pages_end_by_rows_and_by_bytes_and_lose_nothing(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    log.accept([b"z" * 50 + str(number).encode() for number in range(30)], TEST)
    for name, value in (("ROWS", 4), ("BYTES", 1500)):
        monkeypatch.setattr(f"events.outbox.page.{name}", value)
        found: list[int] = []
        at = pages = 0
        while at < log.size():
            page = read_page(log, "t", DEFAULT_TYPES, at, log.size())
            found += [message.at for message in page.messages]
            at, pages = page.end, pages + 1
        assert found == list(range(30))
        assert pages > 7


def test_a_tile_of_another_writer_in_the_middle_does_not_disturb(log: Log) -> None:
    receipts: list[Receipt] = []

    class Busy(Took):
        def send(self, messages: Sequence[Message], stop: Event) -> None:
            super().send(messages, stop)
            if len(receipts) < 3:
                receipts.append(log.accept([b"broken %d" % len(receipts)], TEST))

    rule(log, "r-1")
    sender = Busy()
    follower = publisher(log, sender)
    stopped_after(follower, lambda: follower.watch.position == log.size())
    follower.run()
    assert [int(headers_of(one)["index"]) for one in sender.taken] == [0, 1, 2, 3]


def test_bytes_that_are_gone_from_quarantine_stop_the_publisher(tmp_path: Path) -> None:
    with Log.open(str(tmp_path / "log.db"), CATALOGUE, create=True) as log:
        log.accept([b"broken"], TEST)
        with log.recorder.writing() as writing:
            writing._db.execute("DROP TRIGGER quarantine_no_delete")  # type: ignore[attr-defined]
            writing._db.execute("DELETE FROM quarantine")  # type: ignore[attr-defined]
        with pytest.raises(SealBroken, match="it is not there"):
            publisher(log, Took()).run()


def test_a_missing_store_is_not_waited_for(tmp_path: Path) -> None:
    settings = read_settings(None, QUICK)

    def opened() -> Log:
        return Log.open(str(tmp_path / "none.db"), CATALOGUE)

    with pytest.raises(StoreMissing):
        Publisher(read_routes(settings, CATALOGUE), settings, opened, Took).run()


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("DS.Nothing.v1=t", "no stored event is of type"),
        ("DS.RulingIssued.v1", "is no TYPE=TOPIC"),
        ("DS.RulingIssued.v1=a b", "is no TYPE=TOPIC"),
        ("DS.RulingIssued.v1=floor.events", "it would come in again"),
    ],
)
def test_types_that_cannot_be_followed_are_refused(value: str, said: str) -> None:
    with pytest.raises(Refused, match=said):
        read_routes(read_settings(None, {"RECOUP_KAFKA_PUBLISH_TYPES": value}), CATALOGUE)


def test_everything_that_recoup_writes_can_be_followed() -> None:
    types = ",".join(f"{cls.TOPIC}=all" for cls in CATALOGUE.classes)
    routes = read_routes(read_settings(None, {"RECOUP_KAFKA_PUBLISH_TYPES": types}), CATALOGUE)
    assert set(routes) == set(CATALOGUE.topics)
