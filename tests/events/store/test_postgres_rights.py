"""`store init` and `store check` on PostgreSQL: three roles, no right too many, each hole named."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from events.errors import Refused, StoreBusy, Unable
from events.store import Log, check_postgres, verify
from events.store.address import more_options, parse_address
from events.store.backup import backup, restore
from events.store.check import CheckReport, check
from events.store.rights import Roles, prepare
from tests.events.store.records import TEST, record, records
from tests.servers import OwnServer, own_server  # noqa: F401
from tests.stores import CATALOGUE

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def name(own_server: OwnServer) -> str:  # noqa: F811
    """A database with an empty log."""
    return own_server.database()


@pytest.fixture
def server(own_server: OwnServer) -> OwnServer:  # noqa: F811
    return own_server


def checked(server: OwnServer, name: str, user: str = "anna", role: str = "") -> CheckReport:
    with Log.open(server.url(name, user), CATALOGUE) as log:
        return check(log, role)


def texts(report: CheckReport) -> list[str]:
    return [f"{hole.what}: {hole.text}" for hole in report.holes]


def test_what_init_makes_has_no_hole_for_writer_and_reader(server: OwnServer, name: str) -> None:
    with Log.open(server.url(name, "anna"), CATALOGUE) as log:
        log.accept([*records([1, 2, 4]), b"junk", record(2, data={"person": "x"})], TEST)
        size = log.size()
    writer, reader = checked(server, name), checked(server, name, "rita")
    assert (writer.kind, reader.kind) == ("writer", "reader")
    assert texts(writer) == texts(reader) == []
    assert writer.refused > 60
    assert writer.done == 7
    assert reader.refused > writer.refused
    assert reader.done == 0
    with Log.open(server.url(name, "anna"), CATALOGUE) as log:
        assert log.size() == size
        assert log.status().adds_up
        assert verify(log).ok
        assert log.accept([record(5)], TEST).stored == 1
        assert log.size() == size + 1


def test_the_writer_is_who_acts_and_the_reader_reads_all_and_writes_nothing(server: OwnServer, name: str) -> None:
    with Log.open(server.url(name, "anna"), CATALOGUE) as log:
        assert log.account == "anna"
        log.accept([*records([1, 2]), b"junk"], TEST)
        log.discard(log.quarantine()[0].sha256.hex(), reason="x")
        assert log.status().adds_up
    with Log.open(server.url(name, "rita"), CATALOGUE) as log:
        assert verify(log).ok
        assert log.status().rows == 4
        with pytest.raises(Unable, match="may not do that"):
            log.accept([record(3)], TEST)
    with pytest.raises(Unable, match="may not do that"):
        Log.open(server.url(name, "nobody_here"), CATALOGUE) if _made(server, "nobody_here") else None


def _made(server: OwnServer, role: str) -> bool:
    server.run(f"CREATE ROLE {role} LOGIN")
    return True


def test_the_reader_is_enough_for_a_backup_and_the_writer_for_restoring_it(
    server: OwnServer, name: str, tmp_path: Path
) -> None:
    with Log.open(server.url(name, "anna"), CATALOGUE) as log:
        log.accept([*records([1, 2]), b"junk"], TEST)
    with Log.open(server.url(name, "rita"), CATALOGUE) as log:
        done = backup(log, tmp_path / "night.db")
    with Log.open(str(tmp_path / "night.db"), CATALOGUE) as kept:
        again = restore(tmp_path / "night.db", server.url(server.database(), "anna"), kept)
    assert (again.root, again.size, again.quarantined) == (done.root, 3, 1)


def test_a_superuser_and_an_owner_are_holes_themselves(server: OwnServer, name: str) -> None:
    assert texts(checked(server, name, "postgres")) == [
        "rights: postgres is a superuser: daemons and people need a role that only writes"
    ]
    owner = checked(server, name, "olga")
    assert owner.kind == "owner"
    assert texts(owner) == ["rights: olga owns the log's tables, or is a member of recoup_owner, who does"]
    assert checked(server, name, "postgres", role="recoup_writer").ok
    assert "olga" in " ".join(checked(server, name).notes)


HOLES = {
    "GRANT UPDATE ON evidence.stored_events TO recoup_writer": "UPDATE evidence.stored_events: the role has the right,",
    "GRANT DELETE ON evidence.tiles TO anna": "DELETE FROM evidence.tiles: allowed",
    "GRANT TRUNCATE ON evidence.quarantine TO PUBLIC": "TRUNCATE evidence.quarantine: the role has the right",
    "GRANT UPDATE (act) ON evidence.quarantine_acts TO anna": "UPDATE evidence.quarantine_acts: the role has",
    "GRANT UPDATE ON evidence.recoup_store TO anna": "UPDATE evidence.recoup_store: allowed",
    "GRANT TRIGGER ON evidence.stored_events TO anna": "CREATE TRIGGER probe BEFORE INSERT ON evidence.stored_events",
    "GRANT TRIGGER ON bookkeeping.counters TO anna": "CREATE TRIGGER probe BEFORE INSERT ON bookkeeping.counters",
    "GRANT TRUNCATE ON bookkeeping.counters TO anna": "TRUNCATE bookkeeping.counters: allowed",
    "GRANT CREATE ON SCHEMA evidence TO anna": "CREATE TABLE evidence.probe (): allowed",
    "ALTER TABLE evidence.quarantine OWNER TO anna": "DROP TABLE evidence.quarantine: allowed",
    "ALTER FUNCTION evidence.refuse() OWNER TO anna": "CREATE OR REPLACE FUNCTION evidence.refuse()",
    "GRANT INSERT ON evidence.tiles TO anna WITH GRANT OPTION": "INSERT on tiles",
    "ALTER ROLE anna CREATEROLE REPLICATION": "anna has REPLICATION",
    "GRANT SET ON PARAMETER session_replication_role TO anna": "SET LOCAL session_replication_role = replica: allow",
    "GRANT pg_maintain TO anna": "anna is a member of pg_maintain",
    "GRANT recoup_owner TO anna WITH INHERIT FALSE, SET TRUE": "anna may become recoup_owner",
    "ALTER DATABASE {name} OWNER TO anna": "anna owns the database",
    "CREATE ROLE eve LOGIN": "",
    "GRANT UPDATE (topic) ON evidence.stored_events TO eve": "role eve has UPDATE on evidence.stored_events",
    "ALTER TABLE evidence.tiles DISABLE TRIGGER tiles_append_only": "trigger tiles_append_only is switched off",
    "ALTER ROLE anna SET synchronous_commit = off": "synchronous_commit is off",
    "CREATE SEQUENCE evidence.ids": "",
    "ALTER TABLE evidence.stored_events ALTER notification_id SET DEFAULT nextval('evidence.ids')": "drawn from a sequ",
    "CREATE FUNCTION evidence.insert_events() RETURNS int LANGUAGE sql AS 'SELECT 1'": "function insert_events is",
}


def test_every_hole_is_named(server: OwnServer, name: str) -> None:
    with dug(server, name, *HOLES):
        holes = texts(checked(server, name))
    for statement, found in HOLES.items():
        assert any(found in hole for hole in holes), "\n".join([statement, *holes])
    assert "rights: CREATE ROLE recoup_probe: allowed" in holes


@contextmanager
def dug(server: OwnServer, name: str, *statements: str) -> Iterator[None]:
    """Holes that last as long as the test."""
    server.run(*(statement.format(name=name) for statement in statements), database=name)
    try:
        yield
    finally:
        server.run(
            f"ALTER DATABASE {name} OWNER TO postgres",
            "REVOKE recoup_owner, recoup_writer, pg_maintain FROM anna",
            "REVOKE SET ON PARAMETER session_replication_role FROM anna",
            "REASSIGN OWNED BY anna TO recoup_owner",
            "DROP OWNED BY anna, eve",
            database=name,
        )
        server.run("DROP ROLE anna, eve", "CREATE ROLE anna LOGIN IN ROLE recoup_writer")


def test_a_right_too_few_is_said_with_the_step_that_fails(server: OwnServer, name: str) -> None:
    server.run("REVOKE INSERT ON evidence.quarantine FROM recoup_writer", database=name)
    (hole,) = checked(server, name).holes
    assert hole.what == "work"
    assert "the last that went: wrote a run and a segment (permission denied for table quarantine)" in hole.text


def test_rows_that_do_not_follow_each_other_are_said(server: OwnServer, name: str) -> None:
    with Log.open(server.url(name, "anna"), CATALOGUE) as log:
        log.accept(records([1, 2, 3]), TEST)
        log.accept(records([4, 5]), TEST)
    server.run(
        "SET session_replication_role = replica",
        "DELETE FROM evidence.stored_events WHERE notification_id = 2",
        "DELETE FROM evidence.tiles WHERE first_index = 0",
        database=name,
    )
    said = texts(checked(server, name))
    assert "order: 4 rows, but the last has number 5" in said
    assert "order: 5 rows, but 2 are sealed in tiles" in said
    assert "order: the tile at 3 does not follow the one before it" in said


def test_init_again_takes_away_what_was_given_and_takes_over_what_others_made(server: OwnServer) -> None:
    name = f"{server.database()}_foreign"
    server.run(f"CREATE DATABASE {name}")
    with Log.open(server.url(name), CATALOGUE, create=True) as log:  # as `recoup init` by a superuser makes it
        log.accept(records([1, 2]), TEST)
    with pytest.raises(Unable, match="may not do that"):
        Log.open(server.url(name, "anna"), CATALOGUE)
    server.run(
        "GRANT ALL ON SCHEMA evidence TO PUBLIC",
        "GRANT ALL ON ALL TABLES IN SCHEMA evidence TO PUBLIC, recoup_reader",
        database=name,
    )
    done = prepare(parse_address(server.url(name)), Roles())
    assert (done.is_new, done.made) == (False, ())
    assert checked(server, name).ok
    assert checked(server, name, "rita").kind == "reader"
    assert checked(server, name, "rita").ok
    with Log.open(server.url(name, "anna"), CATALOGUE) as log:
        assert log.accept(records([2, 3]), TEST).repeats == 1


def test_the_owner_puts_rights_right_without_being_superuser(server: OwnServer, name: str) -> None:
    server.run("GRANT DELETE ON evidence.tiles TO recoup_writer", database=name)
    assert not checked(server, name).ok
    prepare(parse_address(server.url(name, "olga")), Roles())
    assert checked(server, name).ok


def test_init_by_somebody_who_may_not_says_what_to_do(server: OwnServer) -> None:
    name = f"{server.database()}_bare"
    server.run(f"CREATE DATABASE {name}")
    with pytest.raises(Unable, match="is no member of recoup_owner"):
        prepare(parse_address(server.url(name, "anna")), Roles())
    with pytest.raises(Unable, match="there is no role other_writer") as caught:
        prepare(parse_address(server.url(name, "olga")), Roles(writer="other_writer"))
    assert "roles.sql" in caught.value.hint
    with pytest.raises(Unable, match="recoup_owner may make nothing in the database"):
        prepare(parse_address(server.url(name, "olga")), Roles())
    with pytest.raises(Refused, match="three roles"):
        prepare(parse_address(server.url(name)), Roles(writer="recoup_owner"))
    with (
        pytest.raises(Unable, match='role "recoup_probe_missing" does not exist'),
        Log.open(server.url(name), CATALOGUE, create=True) as log,
    ):
        check(log, role="recoup_probe_missing")


def test_the_script_for_the_administrator_is_enough_for_init_and_check(server: OwnServer) -> None:
    script = ROOT / "deploy" / "postgres" / "roles.sql"
    for _again in range(2):
        subprocess.run(
            [server.bin / "psql", "--quiet", "--set", "ON_ERROR_STOP=1", "--file", script, server.url()],
            check=True, capture_output=True,
        )  # fmt: skip
    logins = re.findall(r"\('(\w+)', '(\w+)'\)", script.read_text())
    assert len(logins) == 4
    done = prepare(parse_address(server.url("recoup", "recoup_admin")), Roles())
    assert (done.is_new, done.made) == (True, ())
    kinds = {"recoup_owner": "owner", "recoup_writer": "writer", "recoup_reader": "reader"}
    for login, role in logins:
        report = checked(server, "recoup", login)
        assert report.kind == kinds[role]
        assert report.ok is (role != "recoup_owner"), texts(report)
    with pytest.raises(Unable, match="permission denied for database"):
        Log.open(server.url("recoup", "anna2" if _made(server, "anna2") else ""), CATALOGUE)


def test_a_check_waits_for_a_batch_under_way_and_says_when_it_waited_too_long(
    server: OwnServer, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check_postgres, "_LOCK_TIMEOUT_S", 2)
    with psycopg.connect(server.url(name, "anna")) as other:
        other.execute("LOCK TABLE evidence.stored_events IN EXCLUSIVE MODE")
        with pytest.raises(StoreBusy, match="others kept the log for 2 s"):
            checked(server, name)
    assert checked(server, name).ok


def test_an_address_says_nothing_that_is_not_heard() -> None:
    assert parse_address("postgresql://a@h/d?sslmode=verify-full&port=6000").env["POSTGRES_PORT"] == "6000"
    with pytest.raises(Refused, match="sslmod"):
        parse_address("postgresql://a@h/d?sslmod=verify-full")


def test_what_an_address_asks_of_the_connection_is_asked(server: OwnServer, name: str) -> None:
    assert more_options(parse_address("postgresql://a@h/d?sslmode=verify-full").env) == {"sslmode": "verify-full"}
    with pytest.raises(Unable, match="authentication method requirement"):
        Log.open(server.url(name, "anna") + "&require_auth=scram-sha-256", CATALOGUE)
