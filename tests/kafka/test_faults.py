"""What an ingest daemon must survive: killed, cut off, stopped, its broker and its store gone and back."""

from __future__ import annotations

import random
import resource
import signal
import sqlite3
import time
from pathlib import Path

import psycopg
import pytest

from cli.assembly import casebook, open_log
from tests.brokers import OwnKafka, make_topic
from tests.cli.desk import Desk
from tests.kafka.daemons import (
    Daemon,
    check,
    counted,
    daemon,
    dealt,
    delete_topic,
    drain,
    make_store,
    new_name,
    produce,
    wait_until,
)
from tests.projections.desk import from_zero, open_views, shown
from tests.servers import OwnServer, own_server  # noqa: F401
from tests.soaking import FACTOR

KILLS = 10 if FACTOR == 1 else 100


@pytest.fixture
def own_store(own_server: OwnServer, tmp_path: Path) -> Desk:  # noqa: F811
    """A database in a server that may be stopped."""
    desk = Desk(tmp_path, own_server.url(own_server.database()))
    make_store(desk.store)
    return desk


@pytest.fixture
def shared(postgres_url: str, tmp_path: Path) -> Desk:
    """A store that several daemons share."""
    make_store(postgres_url)
    return Desk(tmp_path, postgres_url)


def test_two_daemons_killed_at_random_lose_nothing(kafka: str, shared: Desk) -> None:
    """Partitions go from one to the other all the while."""
    topic, chance = make_topic(kafka, new_name(), partitions=6), random.Random(7)
    lines = dealt(tables=8, rounds=10)
    pieces = [lines[len(lines) * at // (KILLS + 1) : len(lines) * (at + 1) // (KILLS + 1)] for at in range(KILLS + 1)]
    small = {"RECOUP_KAFKA_BATCH_RECORDS": "7"}
    running: list[Daemon] = []
    with open_log(shared.store) as log, open_views(log, casebook(log)) as views:
        try:
            running += [Daemon(shared, kafka, topic, env=small) for _ in range(2)]
            for number, piece in enumerate(pieces[:-1]):
                produce(kafka, topic, piece)
                time.sleep(chance.uniform(0.2, 1.5))
                running[number % 2].kill()
                running[number % 2] = Daemon(shared, kafka, topic, env=small)
                if number % 5 == 0:
                    views.catch_up()
            produce(kafka, topic, pieces[-1])
            wait_until(lambda: counted(shared) == len(lines))
        finally:
            for one in running:
                one.kill()
        assert shown(views) == from_zero(log, casebook(log))
    counts = check(shared, lines)
    print(f"{KILLS} kills of two daemons, {counts['stored']:,} records stored, {counts['repeats']:,} repeats")


def test_a_killed_daemon_on_sqlite_goes_on_where_it_was(kafka: str, tmp_path: Path) -> None:
    desk, topic, chance = Desk(tmp_path).init(), make_topic(kafka, new_name()), random.Random(3)
    lines = dealt()
    produce(kafka, topic, lines)
    for _ in range(3):
        with daemon(desk, kafka, topic, "--beside", env={"RECOUP_KAFKA_BATCH_RECORDS": "3"}) as one:
            wait_until(lambda: counted(desk) > 0)
            time.sleep(chance.uniform(0, 0.3))
            one.kill()
    drain(desk, kafka, topic)
    check(desk, lines)


def test_sigterm_finishes_the_batch_and_leaves_the_group_at_once(kafka: str, shared: Desk) -> None:
    topic, lines = make_topic(kafka, new_name()), dealt()
    long = {"RECOUP_KAFKA_SESSION_TIMEOUT_MS": "30000"}  # who does not leave is missed for half a minute
    with daemon(shared, kafka, topic, env=long) as first:
        produce(kafka, topic, lines[:300])
        wait_until(lambda: counted(shared) == 300)
        assert first.stop()["stored"] == 300
    began = time.monotonic()
    produce(kafka, topic, lines[300:])
    drain(shared, kafka, topic, env=long)
    assert time.monotonic() - began < 15
    check(shared, lines)


def test_the_broker_stopped_and_started_again_elsewhere(own_kafka: OwnKafka, tmp_path: Path) -> None:
    desk, lines = Desk(tmp_path).init(), dealt()
    topic = make_topic(own_kafka.servers, new_name())
    config = tmp_path / "kafka.toml"

    def write() -> None:
        config.write_text(f'bootstrap_servers = "{own_kafka.servers}"\n')

    write()
    with daemon(desk, "", topic, "--config", str(config)) as one:
        produce(own_kafka.servers, topic, lines[:200])
        wait_until(lambda: counted(desk) == 200)
        own_kafka.stop(kill=True)
        own_kafka.start()
        produce(own_kafka.servers, topic, lines[200:400])
        wait_until(lambda: counted(desk) == 400)
        own_kafka.stop(kill=True)
        one.wait_for("trying again")
        own_kafka.start(elsewhere=True)
        write()
        produce(own_kafka.servers, topic, lines[400:])
        wait_until(lambda: counted(desk) == len(lines))
        assert "Kafka answers again" in one.words
        one.stop()
    check(desk, lines)


def test_a_topic_deleted_and_made_again_begins_at_its_beginning(kafka: str, tmp_path: Path) -> None:
    desk, lines = Desk(tmp_path).init(), dealt()
    topic = make_topic(kafka, new_name(), partitions=1)
    with daemon(desk, kafka, topic) as one:
        produce(kafka, topic, lines[:100])
        wait_until(lambda: counted(desk) == 100)
        delete_topic(kafka, topic)
        wait_until(lambda: _made_again(kafka, topic))
        produce(kafka, topic, lines[100:])  # more than before: the old offset lies within the new topic
        wait_until(lambda: counted(desk) == len(lines))
        assert one.stop()["out_of_range"] == 0
    check(desk, lines)


def _made_again(servers: str, topic: str) -> bool:
    from kafka.errors import KafkaError

    try:
        make_topic(servers, topic, partitions=1)
    except KafkaError:
        return False
    return True


def test_the_server_stopped_in_the_middle_and_started_again(
    kafka: str,
    own_server: OwnServer,  # noqa: F811
    own_store: Desk,
) -> None:
    topic, lines = make_topic(kafka, new_name()), dealt(tables=6, rounds=10)
    with daemon(own_store, kafka, topic, env={"RECOUP_KAFKA_BATCH_RECORDS": "5"}) as one:
        produce(kafka, topic, lines[:700])
        wait_until(lambda: counted(own_store) > 50)
        own_server.stop()
        produce(kafka, topic, lines[700:])
        one.wait_for("trying again")
        own_server.start()
        wait_until(lambda: _stored(own_store) == len(lines))
        assert "the store takes records again" in one.words
        one.stop()
    check(own_store, lines)


def _stored(desk: Desk) -> int:
    """0 while the server is not there."""
    from events.errors import Unable

    try:
        return counted(desk)
    except Unable:
        return 0


def test_connections_cut_again_and_again(kafka: str, shared: Desk) -> None:
    topic, lines = make_topic(kafka, new_name()), dealt(tables=6, rounds=10)
    cut = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'recoup' "
        "AND datname = current_database()"
    )
    with daemon(shared, kafka, topic, env={"RECOUP_KAFKA_BATCH_RECORDS": "5"}) as one:
        produce(kafka, topic, lines)
        with psycopg.connect(shared.store, autocommit=True) as admin:
            for _ in range(20):
                time.sleep(0.05)
                admin.execute(cut)
        wait_until(lambda: _stored(shared) == len(lines))
        one.stop()
    check(shared, lines)


@pytest.mark.parametrize("words", [(), ("--beside",)], ids=["one process", "two processes"])
def test_a_store_slower_than_the_poll_interval(kafka: str, shared: Desk, words: tuple[str, ...]) -> None:
    topic, lines = make_topic(kafka, new_name()), dealt()
    slow = {"RECOUP_KAFKA_MAX_POLL_INTERVAL_MS": "1000"}
    produce(kafka, topic, lines)
    with psycopg.connect(shared.store) as other, daemon(shared, kafka, topic, *words, env=slow) as one:
        other.execute("LOCK TABLE evidence.stored_events IN EXCLUSIVE MODE")
        time.sleep(5)
        other.rollback()
        wait_until(lambda: counted(shared) == len(lines))
        one.stop()
    check(shared, lines)


def test_a_zombie_that_comes_back_after_its_partitions_went_to_another(kafka: str, shared: Desk) -> None:
    topic, lines = make_topic(kafka, new_name()), dealt(tables=6, rounds=10)
    small = {"RECOUP_KAFKA_BATCH_RECORDS": "20"}
    with daemon(shared, kafka, topic, env=small) as first:
        produce(kafka, topic, lines[: len(lines) // 2])
        wait_until(lambda: counted(shared) > 100)
        _freeze_outside_a_transaction(first, shared)
        with daemon(shared, kafka, topic, env=small) as second:
            produce(kafka, topic, lines[len(lines) // 2 :])
            wait_until(lambda: counted(shared) == len(lines))
            first.process.send_signal(signal.SIGCONT)
            time.sleep(1.5)
            second.stop()
        first.stop()
    check(shared, lines)


def _freeze_outside_a_transaction(one: Daemon, desk: Desk) -> None:
    """Frozen with a batch in its hands; not while it holds the log's lock, which the server would keep for it."""
    held = (
        "SELECT count(*) FROM pg_locks WHERE relation = 'evidence.stored_events'::regclass AND mode = 'ExclusiveLock'"
    )
    with psycopg.connect(desk.store, autocommit=True) as admin:
        while True:
            one.process.send_signal(signal.SIGSTOP)
            time.sleep(0.05)
            if admin.execute(held).fetchone() == (0,):
                return
            one.process.send_signal(signal.SIGCONT)
            time.sleep(0.01)


def test_an_sqlite_file_locked_by_another_process(kafka: str, tmp_path: Path) -> None:
    desk, topic, lines = Desk(tmp_path).init(), make_topic(kafka, new_name()), dealt()
    produce(kafka, topic, lines)
    with sqlite3.connect(desk.store, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        with daemon(desk, kafka, topic) as one:
            one.wait_for("is being written by process")
            other.execute("ROLLBACK")
            wait_until(lambda: counted(desk) == len(lines))
            assert one.stop()["stored"] == len(lines)
    other.close()
    check(desk, lines)


def test_a_full_disk_stores_nothing_half_and_goes_on_when_there_is_room(kafka: str, tmp_path: Path) -> None:
    desk, topic, lines = Desk(tmp_path).init(), make_topic(kafka, new_name()), dealt(tables=8, rounds=10)
    room = Path(desk.store).stat().st_size + (512 << 10)

    with daemon(desk, kafka, topic) as one:
        resource.prlimit(one.process.pid, resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
        produce(kafka, topic, lines)
        one.wait_for("trying again")
        stored = counted(desk)
        assert stored < len(lines)
        with open_log(desk.store) as log:
            assert log.status().adds_up
        resource.prlimit(one.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        wait_until(lambda: counted(desk) == len(lines))
        assert "the store takes records again" in one.words
        one.stop()
    check(desk, lines)
