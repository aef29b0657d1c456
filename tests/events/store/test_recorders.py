"""The library's own recorder tests, with text ids, against our recorders."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from eventsourcing.persistence import ApplicationRecorder, IntegrityError, StoredEvent

from events.errors import Refused
from events.store import Log, verify
from events.store.postgres import PostgresLogFactory
from tests.events.store.library import APPLICATION_RECORDER, NON_INTERLEAVING
from tests.stores import CATALOGUE


class OnOurRecorder:
    """What the library's cases need: text ids, and a recorder of a fresh log."""

    @pytest.fixture(autouse=True)
    def _open(self, store_url: str) -> Iterator[None]:
        with Log.open(store_url, CATALOGUE, create=True) as log:
            self.opened = log
            yield
            report = verify(log)
            assert report.ok, report.problems

    def new_originator_id(self) -> str:
        return f"case/{uuid4()}@/recoup"

    def create_recorder(self) -> ApplicationRecorder:
        return self.opened.aggregates.recorder


def cases_of(base: type, store: str) -> type:
    """The library's cases on one kind of store: unittest's classes cannot be parametrised."""

    class Cases(OnOurRecorder, base):  # type: ignore[misc]
        @pytest.fixture
        def store_url(self, request: pytest.FixtureRequest, tmp_path: Path) -> str:
            if store == "postgresql":
                return str(request.getfixturevalue("postgres_url"))
            return ":memory:" if store == "memory" else str(tmp_path / "log.db")

    Cases.__name__ = Cases.__qualname__ = f"Test{base.__name__}On{store.title()}"
    return Cases


TestApplicationRecorderOnFile = cases_of(APPLICATION_RECORDER, "file")
TestApplicationRecorderInMemory = cases_of(APPLICATION_RECORDER, "memory")
TestApplicationRecorderOnPostgres = cases_of(APPLICATION_RECORDER, "postgresql")
TestNonInterleavingOnFile = cases_of(NON_INTERLEAVING, "file")
TestNonInterleavingOnPostgres = cases_of(NON_INTERLEAVING, "postgresql")


def stored(stream: str, version: int) -> StoredEvent:
    return StoredEvent(stream, version, "X.Noted.v1", b'{"note":1}')


def test_a_version_out_of_turn_is_refused(log: Log) -> None:
    recorder = log.aggregates.recorder
    recorder.insert_events([stored("dispute/1@/recoup", 1)])
    with pytest.raises(IntegrityError, match="version 3 of dispute/1@/recoup, whose next is 2"):
        recorder.insert_events([stored("dispute/1@/recoup", 3)])
    assert log.size() == 1


def test_what_the_library_saves_is_sealed_like_all_else(log: Log) -> None:
    log.aggregates.recorder.insert_events([stored("dispute/1@/recoup", 1), stored("dispute/2@/recoup", 1)])
    assert log.size() == 2
    assert verify(log).ok
    assert log.root().hex() == verify(log).root


def test_the_librarys_database_functions_are_refused(postgres_url: str) -> None:
    from events.store.address import parse_address

    env = {**parse_address(postgres_url).env, "POSTGRES_ENABLE_DB_FUNCTIONS": "y", "ORIGINATOR_ID_TYPE": "text"}
    factory = PostgresLogFactory(env)
    with pytest.raises(Refused, match="POSTGRES_ENABLE_DB_FUNCTIONS"):
        factory.application_recorder()
    factory.close()
