"""What an ingest daemon must survive of itself and of Kafka: killed, frozen, stopped; broker and topic gone and back."""

from __future__ import annotations

import random
import signal
import time
from pathlib import Path

import pytest

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
    followed,
    freeze_outside_a_transaction,
    members,
    new_name,
    produce,
    wait_until,
)
from tests.soaking import FACTOR

KILLS = 10 if FACTOR == 1 else 100


def test_two_daemons_killed_at_random_lose_nothing(kafka: str, shared: Desk) -> None:
    """Partitions go from one to the other all the while."""
    topic, chance = make_topic(kafka, new_name(), partitions=6), random.Random(7)
    lines = dealt(tables=8, rounds=10)
    pieces = [lines[len(lines) * at // (KILLS + 1) : len(lines) * (at + 1) // (KILLS + 1)] for at in range(KILLS + 1)]
    small = {"RECOUP_KAFKA_BATCH_RECORDS": "7"}
    running: list[Daemon] = []
    with followed(shared):
        try:
            running += [Daemon(shared, kafka, topic, env=small) for _ in range(2)]
            for number, piece in enumerate(pieces[:-1]):
                produce(kafka, topic, piece)
                time.sleep(chance.uniform(0.2, 1.5))
                running[number % 2].kill()
                running[number % 2] = Daemon(shared, kafka, topic, env=small)
            produce(kafka, topic, pieces[-1])
            wait_until(lambda: counted(shared) == len(lines))
        finally:
            for one in running:
                one.kill()
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
        assert members(kafka, topic) == 1
        assert first.words == f"reading {topic}, partitions 0, 1, 2, 3\n"
        assert first.stop()["stored"] == 300
    assert members(kafka, topic) == 0  # asked of the broker: how soon another daemon starts is the machine's business
    produce(kafka, topic, lines[300:])
    drain(shared, kafka, topic, env=long)
    check(shared, lines)


@pytest.mark.parametrize("desk", ["postgresql"] if FACTOR == 1 else ["postgresql", "sqlite"], indirect=True)
def test_the_broker_stopped_and_started_again_elsewhere(own_kafka: OwnKafka, desk: Desk) -> None:
    lines = dealt()
    topic = make_topic(own_kafka.servers, new_name())
    config = desk.folder / "kafka.toml"

    def write() -> None:
        config.write_text(f'bootstrap_servers = "{own_kafka.servers}"\n')

    write()
    with followed(desk), daemon(desk, "", topic, "--config", str(config)) as one:
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


def test_a_topic_deleted_and_made_again_begins_at_its_beginning(kafka: str, desk: Desk) -> None:
    lines = dealt()
    topic = make_topic(kafka, new_name(), partitions=1)
    with followed(desk), daemon(desk, kafka, topic) as one:
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


def test_a_zombie_that_comes_back_after_its_partitions_went_to_another(kafka: str, shared: Desk) -> None:
    topic, lines = make_topic(kafka, new_name()), dealt(tables=6, rounds=10)
    small = {"RECOUP_KAFKA_BATCH_RECORDS": "20"}
    with followed(shared), daemon(shared, kafka, topic, env=small) as first:
        produce(kafka, topic, lines[: len(lines) // 2])
        wait_until(lambda: counted(shared) > 100)
        freeze_outside_a_transaction(first, shared)
        with daemon(shared, kafka, topic, env=small) as second:
            produce(kafka, topic, lines[len(lines) // 2 :])
            wait_until(lambda: counted(shared) == len(lines))
            first.process.send_signal(signal.SIGCONT)
            time.sleep(1.5)
            second.stop()
        first.stop()
    check(shared, lines)
