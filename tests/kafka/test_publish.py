"""`recoup publish kafka` on Apache Kafka: whatever is killed or goes away, everything arrives, in order, once or oftener."""

from __future__ import annotations

import random
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from threading import Thread

import pytest

from events.outbox.messages import VALUE_MAX
from events.store import Log
from tests.events.store.records import TEST, record
from tests.kafka.publishing import (
    REJECTED_TOPIC,
    RULINGS_TOPIC,
    Running,
    arrived,
    check_all_arrived,
    header,
    made_topics,
    metrics_of,
    rule,
    running,
    served,
)
from tests.soaking import FACTOR
from tests.stores import CATALOGUE

SESSIONS = 5
_NAMES = count(time.time_ns())
KILLS = 3 if FACTOR == 1 else 50


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty store that several processes can open."""
    if request.param == "postgresql":
        yield str(request.getfixturevalue("postgres_url"))
        return
    path = str(tmp_path / "log.db")
    Log.open(path, CATALOGUE, create=True).close()
    yield path


@pytest.fixture
def free_port() -> int:
    """Nobody listens there now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def topics(kafka: str) -> dict[str, str]:
    """Two topics of this test alone, as settings."""
    number = next(_NAMES)
    return made_topics(kafka, f"rulings-{number}", f"rejected-{number}")


def test_publishers_killed_at_random_lose_nothing_and_keep_the_order(
    address: str, kafka: str, topics: dict[str, str], tmp_path: Path
) -> None:
    dice = random.Random(KILLS)
    with Log.open(address, CATALOGUE) as log:
        is_over: list[bool] = []

        def write() -> None:
            with Log.open(address, CATALOGUE) as own:
                for number in count(1):
                    if is_over:
                        return
                    rule(own, number % SESSIONS + 1, range(number * 10, number * 10 + dice.randint(1, 9)))
                    if number % 7 == 0:
                        own.accept([b"broken %d" % number], TEST)
                    time.sleep(0.02)

        writer = Thread(target=write)
        writer.start()
        try:
            for number in range(KILLS):
                said = tmp_path / f"said-{number}"
                with running(address, kafka, said, env=topics) as one:
                    one.until(lambda one=one: "following" in one.text)  # type: ignore[misc]
                    time.sleep(dice.uniform(0.0, 0.8))
                    one.kill()
        finally:
            is_over.append(True)
            writer.join()
        with running(address, kafka, tmp_path / "last", "--once", env=topics) as last:
            assert last.process.wait(60) == 0, last.text
        assert served(log, kafka, topics)
        repeats = check_all_arrived(log, kafka, topics)
        assert repeats or KILLS < 50, "no kill fell between an acknowledgement and its position"
        print(f"{KILLS} kills of a publisher, {log.size():,} rows, {repeats:,} repeats")


def test_it_follows_says_how_it_is_and_stops_when_asked(
    address: str, kafka: str, topics: dict[str, str], tmp_path: Path, free_port: int
) -> None:
    env = {**topics, "RECOUP_KAFKA_PUBLISH_METRICS_ADDRESS": f"127.0.0.1:{free_port}"}
    with Log.open(address, CATALOGUE) as log, running(address, kafka, tmp_path / "said", env=env) as one:
        rule(log, 1, range(20))
        log.accept([record(1), record(1, data={"person": "d-9"})], TEST)
        log.accept([b"x" * 2_000_000], TEST)
        one.until(lambda: metrics_of(free_port).get("recoup_publish_position") == str(log.size()))
        values = metrics_of(free_port)
        assert values["recoup_publish_sent_total"] == "22"
        assert values["recoup_publish_lag_rows"] == "0"
        assert urllib.request.urlopen(f"http://127.0.0.1:{free_port}/healthz").read() == b"ok\n"
        assert one.stop() == 0
        assert "22 messages sent" in one.text
        assert served(log, kafka, topics)
        rejected = {header(one, "reason"): one for one in arrived(kafka, topics[REJECTED_TOPIC])}
        assert set(rejected) == {"conflict", "too_long"} or set(rejected) == {"conflict", "not_json"}
        long = rejected[next(reason for reason in rejected if reason != "conflict")]
        assert (header(long, "length"), long.value) == ("2000000", b"x" * VALUE_MAX)


def test_two_publishers_at_a_time_send_twice_and_break_no_order(
    kafka: str, topics: dict[str, str], tmp_path: Path
) -> None:
    address = str(tmp_path / "log.db")
    with (
        Log.open(address, CATALOGUE, create=True) as log,
        running(address, kafka, tmp_path / "first", env=topics) as first,
        running(address, kafka, tmp_path / "second", env=topics) as second,
    ):
        first.until(lambda: "following" in first.text)
        second.until(lambda: "following" in second.text)
        for number in range(40):
            rule(log, number % SESSIONS + 1, range(number * 10, number * 10 + 6))
        second.until(lambda: served(log, kafka, topics))
        assert [first.stop(), second.stop()] == [0, 0]
        assert check_all_arrived(log, kafka, topics) > 0


def test_a_topic_that_is_not_there_yet_is_waited_for(kafka: str, tmp_path: Path, free_port: int) -> None:
    number = next(_NAMES)
    topics = {RULINGS_TOPIC: f"late-{number}", REJECTED_TOPIC: f"later-{number}"}
    path = str(tmp_path / "log.db")
    env = {**topics, "RECOUP_KAFKA_PUBLISH_METRICS_ADDRESS": f"127.0.0.1:{free_port}"}
    with Log.open(path, CATALOGUE, create=True) as log, running(path, kafka, tmp_path / "said", env=env) as one:
        rule(log, 1, range(3))
        one.until(lambda: f"`late-{number}` does not take" in one.text)
        with pytest.raises(urllib.error.HTTPError, match="503"):
            urllib.request.urlopen(f"http://127.0.0.1:{free_port}/healthz")
        made_topics(kafka, *topics.values())
        one.until(lambda: served(log, kafka, topics))
        assert one.stop() == 0
        check_all_arrived(log, kafka, topics)


def test_once_without_a_broker_could_not(tmp_path: Path, free_port: int) -> None:
    path = str(tmp_path / "log.db")
    with Log.open(path, CATALOGUE, create=True):
        one = Running(path, f"127.0.0.1:{free_port}", tmp_path / "said", "--once")
        assert one.process.wait(60) == 3
        assert "nobody listens" in one.text
