"""What both recorders share: every way into the log ends in one transaction, one batch, one seal."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from threading import Lock
from typing import Any, Generic, TypeVar

from eventsourcing.persistence import IntegrityError, StoredEvent

from events.errors import Unable
from events.store import statements as sql
from events.store.backend import Writing
from events.store.batch import Batch, Shelf
from events.store.origin import OURS, Origin

T = TypeVar("T")
_ATTEMPTS = 3


class ConnectionLost(Unable):
    """The server went away in a transaction; whether that was committed is not known."""


class Undecodable(Unable):
    """A text column holds what is not UTF-8."""


class Reading(ABC):
    """One consistent view of the store, read by plain cursors."""

    @abstractmethod
    def all(self, statement: str, *parameters: Any) -> list[tuple[Any, ...]]:
        """All rows of one of `events.store.statements`."""

    @abstractmethod
    def layout_faults(self) -> list[str]:
        """Where tables, indexes and triggers are not those that this schema number was made with, in words."""

    @abstractmethod
    def pages(self, statement: str, *parameters: Any, size: int = 10_000) -> Iterator[list[tuple[Any, ...]]]:
        """The same in pages, for what is too much to hold."""

    def one(self, statement: str, *parameters: Any) -> tuple[Any, ...] | None:
        """The first row, if any."""
        rows = self.all(statement, *parameters)
        return rows[0] if rows else None


class Underway(Generic[T]):
    """A batch that is sealed and written, and not yet committed."""

    def __init__(self, batch: Batch, result: T, transaction: ExitStack, guard: Lock) -> None:
        self.batch = batch
        self.result = result
        self._transaction = transaction
        self._guard = guard

    def commit(self) -> None:
        """Commits, in whatever thread; once.

        Raises:
            IntegrityError, ConnectionLost, Unable: as `writing`.
        """
        try:
            self._transaction.close()
            self.batch.shelf.close(self.batch.writing.size + len(self.batch.rows))
        finally:
            self._guard.release()


class LogRecorder(ABC):
    """Mixed into the library's recorders; adds the sealing hook and plain reading."""

    account: str

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.shelf = Shelf()
        self._guard = Lock()

    @abstractmethod
    def schema(self) -> int | None:
        """Number of the table layout; None if there is no log."""

    @abstractmethod
    def create_table(self) -> None:
        """Makes what is missing of the tables."""

    @abstractmethod
    def writing(self) -> AbstractContextManager[Writing]:
        """A transaction under the log's lock; committed on leaving, rolled back on an exception."""

    @abstractmethod
    def reading(self, *, lenient: bool = False) -> AbstractContextManager[Reading]:
        """A read transaction. `lenient`: text that is not UTF-8 is given with surrogates.

        Raises:
            Undecodable: a text that only a hand in the database can have left; not if `lenient`.
        """

    def transact(self, work: Callable[[Batch], T], origin: Origin = OURS, *, attempts: int = _ATTEMPTS) -> T:
        """Runs `work` on a batch, seals and commits it.

        On IntegrityError heads are read again and the batch is run again: another writer was there, or a commit
        whose answer was lost had succeeded, and then `work` finds its records stored.

        Raises:
            IntegrityError: still so after several attempts.
        """
        for attempt in range(1, attempts + 1):
            underway: Underway[T] | None = None
            try:
                underway = self._begin(work, origin)
                underway.commit()
                return underway.result
            except IntegrityError:
                if attempt == attempts:
                    raise
            except ConnectionLost:
                if underway is not None and self._landed(underway.batch):
                    return underway.result
                if attempt == attempts:
                    raise
        raise AssertionError("at least one attempt")

    def transact_all(self, jobs: Iterable[tuple[Callable[[Batch], T], Origin]]) -> Iterator[T]:
        """`transact` for many: while one batch is committed in a thread, the next job is made here.

        SQLite waits for the disk, and holds no interpreter lock, in that time only. PostgreSQL takes rows in while they
        are still being sent, and its commit is waited for as that of a file is; a thread that sends them beside the
        parsing one only takes turns with it. Results come one job late, in order.
        """
        with ThreadPoolExecutor(1, "recoup-commit") as committer:
            last: tuple[Callable[[Batch], T], Origin, Underway[T], Future[None]] | None = None
            making = iter(jobs)
            while True:
                try:
                    job = next(making, None)
                except Exception:
                    if last is not None:
                        yield self._settle(*last)  # what came before the failure is stored, and said
                    raise
                if last is not None:
                    yield self._settle(*last)
                    last = None
                if job is None:
                    return
                try:
                    underway = self._begin(*job)
                except (IntegrityError, ConnectionLost):
                    yield self.transact(*job)
                else:
                    last = (*job, underway, committer.submit(underway.commit))

    def _settle(self, work: Callable[[Batch], T], origin: Origin, underway: Underway[T], commit: Future[None]) -> T:
        """The result of a batch whose commit is under way."""
        try:
            commit.result()
        except IntegrityError:
            return self.transact(work, origin)
        except ConnectionLost:
            return underway.result if self._landed(underway.batch) else self.transact(work, origin)
        return underway.result

    def _begin(self, work: Callable[[Batch], T], origin: Origin) -> Underway[T]:
        """Everything but the commit. Until that is done, or has failed, no other batch of this recorder begins."""
        self._guard.acquire()
        try:
            with ExitStack() as stack:
                writing = stack.enter_context(self.writing())
                self.shelf.open(writing.size)
                batch = Batch(writing, self.shelf)
                result = work(batch)
                batch.seal(origin, self.account)
                return Underway(batch, result, stack.pop_all(), self._guard)
        except BaseException:
            self._guard.release()
            raise

    def _landed(self, batch: Batch) -> bool:
        """Whether the log holds this batch's tile: the commit had succeeded, only the answer was lost.

        A server that was asked to commit may still be at it; whoever gets the lock comes after it.
        """
        if batch.tile is None:
            return False
        with self.writing():
            pass
        with self.reading() as reading:
            row = reading.one(sql.TILE_LEAVES, batch.tile.first)
        return row is not None and row[0] == batch.tile.leaves

    def insert_events(self, stored_events: Sequence[StoredEvent], **_kwargs: Any) -> Sequence[int] | None:
        """The library's door (`Application.save`): the same hook.

        Raises:
            IntegrityError: a version is not the next of its stream.
        """
        if not stored_events:
            return []

        def work(batch: Batch) -> int:
            batch.save((str(one.originator_id), one.originator_version, one.topic, one.state) for one in stored_events)
            return batch.writing.size

        first = self.transact(work, attempts=1)
        return list(range(first + 1, first + 1 + len(stored_events)))
