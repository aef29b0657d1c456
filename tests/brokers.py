"""A real Kafka for tests: the broker that `RECOUP_TEST_KAFKA` names, else Apache Kafka by `deploy/kafka/local`.

`kafka` is one broker of the whole run; `own_kafka` belongs to one module, which may stop it and start it elsewhere.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # kafka-python reads its schemas by a deprecated function
    import kafka as _kafka
    import kafka.admin

LOCAL = Path(__file__).resolve().parents[1] / "deploy" / "kafka" / "local"
NAMED = "RECOUP_TEST_KAFKA"


@cache
def missing() -> str:
    """Why no broker can be had here; empty if one can."""
    for program in ("java", "mvn"):
        if shutil.which(program) is None:
            return f"no Kafka: there is no `{program}`, and {NAMED} names no broker"
    got = _local("fetch")
    return "" if got.returncode == 0 else f"no Kafka: {got.stderr.strip().splitlines()[-1][:200]}"


def _local(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(LOCAL), *words], capture_output=True, text=True, check=False)


class OwnKafka:
    """A broker that may be stopped, killed and started again, at another port if need be; it dies with this process.

    `words`: further ones for `deploy/kafka/local run`.
    """

    def __init__(self, heap: str = "384m", words: Sequence[str] = ()) -> None:
        self._words = ("--heap", heap, *words)
        self._data = tempfile.mkdtemp(prefix="recoup-kafka-")
        self._running: subprocess.Popen[str] | None = None
        self.servers = ""

    def start(self, *, elsewhere: bool = False) -> str:
        """The bootstrap address: as before, or another."""
        port = "0" if elsewhere or not self.servers else self.servers.rpartition(":")[2]
        said = Path(self._data, "said")
        with said.open("w", encoding="utf-8") as out:
            self._running = subprocess.Popen(
                [sys.executable, str(LOCAL), "run", "--kill", "--port", port, "--data", self._data, *self._words],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=out, text=True, start_new_session=True,
            )  # fmt: skip
        assert self._running.stdout is not None
        self.servers = self._running.stdout.readline().strip()
        assert self.servers, said.read_text(encoding="utf-8")
        return self.servers

    def stop(self, *, kill: bool = False) -> None:
        """In good order, or as a crash would."""
        _local("stop", "--data", self._data, *(["--kill"] if kill else []))
        if self._running is not None:
            self._running.communicate()
            self._running = None

    def remove(self) -> None:
        """All that it kept."""
        self.stop(kill=True)
        shutil.rmtree(self._data, ignore_errors=True)


@pytest.fixture(scope="session")
def kafka() -> Iterator[str]:
    """Bootstrap address of the run's broker."""
    if named := os.environ.get(NAMED):
        yield named
        return
    if why := missing():
        pytest.skip(why)
    broker = OwnKafka()
    try:
        yield broker.start()
    finally:
        broker.remove()


@pytest.fixture(scope="module")
def own_kafka() -> Iterator[OwnKafka]:
    """A running broker of one module."""
    if why := missing():
        pytest.skip(why)
    broker = OwnKafka()
    try:
        broker.start()
        yield broker
    finally:
        broker.remove()


def make_topic(servers: str, name: str, partitions: int = 4, **configs: str) -> str:
    """A new topic; its name."""
    admin = kafka_admin(servers)
    try:
        topic = _kafka.admin.NewTopic(
            name, partitions, 1, topic_configs={k.replace("_", "."): v for k, v in configs.items()}
        )
        admin.create_topics([topic])
        admin.wait_for_topics([name])
    finally:
        admin.close()
    return name


def set_topic(servers: str, name: str, **configs: str) -> None:
    """Other configurations of a topic that there is; they hold from now on."""
    admin = kafka_admin(servers)
    try:
        wanted = {k.replace("_", "."): v for k, v in configs.items()}
        admin.alter_configs([_kafka.admin.ConfigResource(_kafka.admin.ConfigResourceType.TOPIC, name, wanted)])
    finally:
        admin.close()


def kafka_admin(servers: str) -> _kafka.KafkaAdminClient:
    """An admin client; close it."""
    return _kafka.KafkaAdminClient(bootstrap_servers=servers)
