"""`recoup publish kafka` while broker and database go away and come back: it goes on by itself."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from threading import Event, Thread

from events.errors import Unable
from events.outbox import read_positions
from events.store import Log
from tests.brokers import OwnKafka
from tests.kafka.publishing import Running, check_all_arrived, cluster_of, made_topics, rule, running, served
from tests.servers import OwnServer, own_server  # noqa: F401
from tests.soaking import FACTOR
from tests.stores import CATALOGUE


@contextmanager
def written_meanwhile(address: str) -> Iterator[None]:
    """Rulings every few milliseconds; where the store is away, the writer waits for it too."""
    is_over = Event()

    def write() -> None:
        for number in count(1):
            while not is_over.wait(0.02):
                try:
                    with Log.open(address, CATALOGUE) as own:
                        rule(own, number % 5 + 1, range(number * 10, number * 10 + 5))
                    break
                except Unable:
                    continue
            if is_over.is_set():
                return

    writer = Thread(target=write)
    writer.start()
    try:
        yield
    finally:
        is_over.set()
        writer.join()


def test_a_broker_that_crashes_comes_back_and_moves_is_followed(own_kafka: OwnKafka, tmp_path: Path) -> None:
    topics = made_topics(own_kafka.servers, "rulings", "rejected")
    path = str(tmp_path / "log.db")
    config = tmp_path / "kafka.toml"
    config.write_text(f'bootstrap_servers = "{own_kafka.servers}"\n')
    env = {**topics, "RECOUP_KAFKA_CONFIG": str(config)}
    with Log.open(path, CATALOGUE, create=True) as log, running(path, "", tmp_path / "said", env=env) as one:
        with written_meanwhile(path):
            one.until(lambda: "following" in one.text)
            time.sleep(0.5)
            for _time in range(FACTOR - 1):  # soaking: at its old address too
                own_kafka.stop(kill=True)
                time.sleep(1)
                own_kafka.start()
                catches_up(one, log, own_kafka, topics)
            own_kafka.stop(kill=True)
            config.write_text(f'bootstrap_servers = "{own_kafka.start(elsewhere=True)}"\n')
            catches_up(one, log, own_kafka, topics)
        one.until(lambda: served(log, own_kafka.servers, topics))
        check_all_arrived(log, own_kafka.servers, topics)
        cluster, size = cluster_of(own_kafka.servers), log.size()
        own_kafka.stop(kill=True)
        rule(log, 1, range(3))
        time.sleep(1)
        assert one.stop() == 0
        assert set(read_positions(log, cluster, topics.values()).values()) == {size}  # for the next one to send


def catches_up(one: Running, log: Log, kafka: OwnKafka, topics: dict[str, str]) -> None:
    """Waits until all that the log holds now is acknowledged; the cluster stays the same wherever it moves."""
    size, cluster = log.size(), cluster_of(kafka.servers)
    one.until(lambda: min(read_positions(log, cluster, topics.values()).values()) >= size)


def test_a_database_that_crashes_and_comes_back_is_followed(
    own_server: OwnServer,  # noqa: F811
    kafka: str,
    tmp_path: Path,
) -> None:
    topics = made_topics(kafka, f"rulings-pg-{time.time_ns()}", f"rejected-pg-{time.time_ns()}")
    address = own_server.url(own_server.database(), user="anna")
    with running(address, kafka, tmp_path / "said", env=topics) as one:
        with written_meanwhile(address):
            one.until(lambda: "following" in one.text)
            for _time in range(FACTOR):
                time.sleep(0.7)
                own_server.stop()
                time.sleep(0.7)
                own_server.start()
            time.sleep(0.5)
        with Log.open(address, CATALOGUE) as log:
            one.until(lambda: served(log, kafka, topics))
            assert one.stop() == 0
            check_all_arrived(log, kafka, topics)
