"""The log: one door in, one way to author, and everything that is read from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Self, cast

from msgspec.structs import replace

from events.errors import Refused, SealBroken, StoreMissing, StoreTooNew, Unable
from events.schema.catalogue import Catalogue
from events.seal import Frontier, split_leaves
from events.store import quarantine as held
from events.store import statements as sql
from events.store.accept import Placing, Receipt, Record
from events.store.address import LOCK_TIMEOUT_S, Address, parse_address
from events.store.application import LogApplication
from events.store.backend import SCHEMA, Held, Row
from events.store.batch import Batch, Draft, check_draft
from events.store.facts import (
    RoundSegment,
    SessionFacts,
    head_of,
    of_subject,
    read_rounds,
    read_session,
    stamped,
    streams_of,
)
from events.store.heads import Head
from events.store.origin import OURS, Origin, Partition
from events.store.parse import Reader, from_importer, from_outside
from events.store.recorder import LogRecorder, Reading
from events.store.status import LogGap, Status, read_gaps, read_status
from events.store.unread import Unread, read_unread
from events.values.clock import now_ms
from events.values.names import RECOUP, check_name, parse_stream, parse_subject

PAGE = 10_000


class Log:
    """An open log. `account` is who acts: the operating-system account, on PostgreSQL the database role."""

    def __init__(self, address: Address, application: LogApplication, catalogue: Catalogue) -> None:
        self.address = address
        self.catalogue = catalogue
        self.aggregates = application
        self.recorder = cast("LogRecorder", application.recorder)
        self.account = self.recorder.account
        self._outside = Reader(from_outside)
        self._imports = Reader(from_importer)

    @classmethod
    def open(
        cls, url: str, catalogue: Catalogue, *, create: bool = False, lock_timeout_s: int = LOCK_TIMEOUT_S
    ) -> Self:
        """The log at `url`: path of an SQLite file, `sqlite:///…`, `:memory:` or `postgresql://…`.

        Raises:
            StoreMissing: nothing is there and `create` is false, or what is there is no log.
            StoreTooNew: a later Recoup wrote it.
            StoreBusy: another process kept it longer than `lock_timeout_s`.
            Unable: the file or the server cannot be used.
        """
        address = parse_address(url, lock_timeout_s=lock_timeout_s)
        create = create or address.shown == ":memory:"
        if address.path:
            _check_path(address, create=create)
        env = {**address.env, "CREATE_TABLE": "n"}
        application = LogApplication(env, catalogue)
        log = cls(address, application, catalogue)
        try:
            log._check_schema(create=create)
            log.account = log.recorder.account
        except BaseException:
            log.close()
            raise
        return log

    def _check_schema(self, *, create: bool) -> None:
        schema = self.recorder.schema()
        if schema is None and create:
            self.recorder.create_table()
            schema = self.recorder.schema()
        if schema is not None and type(schema) is not int:
            raise SealBroken(
                f"{self.address.shown} says that its schema is `{schema}`, expected a number up to {SCHEMA}",
                hint="somebody wrote into the store by hand: keep the file as it is, and restore a backup",
            )
        if schema is None:
            raise StoreMissing(f"{self.address.shown} holds no log", hint="`recoup init` makes one")
        if schema > SCHEMA:
            raise StoreTooNew(
                f"{self.address.shown} has schema {schema}; this Recoup reads up to {SCHEMA}",
                hint="use the Recoup that wrote it, or a later one",
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Gives back all connections."""
        self.aggregates.close()

    # -- writing

    def accept(self, records: Sequence[Record], origin: Origin) -> Receipt:
        """One batch from outside in one transaction: stored, repeats, conflicts, quarantined (design section 5).

        A batch in which nothing is new and that moves no offset writes nothing but the counters.

        Raises:
            StoreBusy, Unable: the store cannot be written; nothing of the batch is stored.
        """
        return self.recorder.transact(*self._job(self._outside, records, origin))

    def accept_all(self, batches: Iterable[tuple[Sequence[Record], Origin]]) -> Iterator[Receipt]:
        """`accept` for many batches, a transaction each; while one is committed the next is parsed.

        Receipts come in order, each once its batch is committed. If the caller stops early, or a batch fails, those
        whose receipts came are stored, and at most one more.

        Raises:
            StoreBusy, Unable: as `accept`.
        """
        return self.recorder.transact_all(self._job(self._outside, records, origin) for records, origin in batches)

    def accept_imports(self, records: Sequence[Record], origin: Origin) -> Receipt:
        """One batch of our own readers' making, into `import/<key>@/recoup/import/…`; the same again is repeats.

        Raises:
            StoreBusy, Unable: as `accept`.
        """
        return self.recorder.transact(*self._job(self._imports, records, origin))

    def _job(
        self, reader: Reader, records: Sequence[Record], origin: Origin
    ) -> tuple[Callable[[Batch], Receipt], Origin]:
        """The batch read, and what is to be done under the lock; that may be done again."""
        groups, rejected = reader.read(records)
        if not origin.account:
            origin = replace(origin, account=self.account)

        def work(batch: Batch) -> Receipt:
            receipt = Placing(batch, records, origin).run({key: list(group) for key, group in groups.items()}, rejected)
            return replace(receipt, first_index=batch.writing.size, size=len(batch.rows))

        return work, origin

    def author(self, stream: str, drafts: Sequence[Draft], *, expected: int | None = None) -> list[int]:
        """What only Recoup says: canonical envelopes at the end of a stream `…@/recoup…`; gives tree indexes.

        `expected`: the stream's next version as the caller read it; when somebody wrote since, nothing is written.

        Raises:
            BadName: `stream` is not ours, or a round or citation in a draft is none.
            Refused: the catalogue could not read the event again; or somebody else wrote into `stream` since it was
                read.
        """
        return self.author_all([(stream, drafts)], expected={} if expected is None else {stream: expected})

    def author_all(
        self, groups: Iterable[tuple[str, Sequence[Draft]]], *, expected: Mapping[str, int] | None = None
    ) -> list[int]:
        """The same for several streams in one transaction (a ruling in its dispute and in every session touched)."""
        wanted = [(_own_stream(stream), self._signed(drafts)) for stream, drafts in groups]

        def work(batch: Batch) -> list[int]:
            for stream, version in (expected or {}).items():
                found = batch.source(stream).newest.next_version
                if found != version:
                    raise Refused(
                        f"{stream} is at version {found - 1} by now, not {version - 1}",
                        hint="somebody acted at the same time: look again, then repeat the command",
                    )
            return [batch.author(stream, draft) for stream, drafts in wanted for draft in drafts]

        return self.recorder.transact(work, replace(OURS, account=self.account))

    def _signed(self, drafts: Sequence[Draft]) -> list[Draft]:
        for draft in drafts:
            check_draft(draft, self.catalogue)
        return [draft if draft.account else replace(draft, account=self.account) for draft in drafts]

    # -- reading

    def reading(self) -> AbstractContextManager[Reading]:
        """One consistent view (a context manager), for readers of several things at once."""
        return self.recorder.reading()

    def size(self) -> int:
        """Rows in the log; also the index of the next."""
        with self.recorder.reading() as reading:
            return (reading.one(sql.SIZE) or (0,))[0] or 0

    def now_ms(self) -> int:
        """The present instant as the log counts it, ms UTC: never before its last record. A machine's clock that was
        set back gives nobody a role that has ended, and makes no complaint younger."""
        with self.recorder.reading() as reading:
            last = reading.one(sql.LAST_TILE)
        return max(now_ms(), last[2] // 1000 if last else 0)

    def root(self) -> bytes:
        """Root of the Merkle tree over all rows, from the leaves that were stored with them."""
        frontier = Frontier()
        with self.recorder.reading() as reading:
            for page in reading.pages(sql.LEAVES, size=16):
                for (leaves,) in page:
                    frontier.extend(split_leaves(leaves))
        return frontier.root()

    def page(self, after_index: int, limit: int = PAGE) -> list[Row]:
        """Rows with an index greater than `after_index` (-1: from the beginning), at most `limit`, in order."""
        with self.recorder.reading() as reading:
            return stamped(reading, reading.all(sql.PAGE, after_index + 1, limit))

    def rows(self, first_index: int, last_index: int) -> list[Row]:
        """Rows at tree indexes `first_index` to `last_index`, both included."""
        return [row for row in self.page(first_index - 1, last_index - first_index + 1) if row.index <= last_index]

    def streams_of(self, subject: str) -> list[str]:
        """The subject's streams, sorted."""
        with self.recorder.reading() as reading:
            return streams_of(reading, subject)

    def head(self, stream: str) -> Head | None:
        """A stream's head; None if nothing is stored in it."""
        with self.recorder.reading() as reading:
            row = reading.one(sql.HEADS_BETWEEN, stream, stream + "\x01")
            return head_of(row) if row is not None else None

    def known(self, streams: Iterable[str]) -> set[str]:
        """Those of the streams in which something is stored; one view for all."""
        with self.recorder.reading() as reading:
            return {stream for stream in streams if reading.one(sql.HEADS_BETWEEN, stream, stream + "\x01") is not None}

    def stream_rows(self, stream: str) -> list[Row]:
        """All rows of one stream, in order of version."""
        with self.recorder.reading() as reading:
            return stamped(reading, reading.all(sql.STREAM, stream))

    def subject_rows(self, subject: str) -> list[Row]:
        """All rows of a subject, stream by stream, in order of version."""
        with self.recorder.reading() as reading:
            return [
                row
                for stream in streams_of(reading, subject)
                for row in stamped(reading, reading.all(sql.STREAM, stream))
            ]

    def subjects(self, prefix: str = "") -> Iterator[str]:
        """Every subject that begins with `prefix`, once each, in the order of its streams' names.

        Read a page at a time, so others may write meanwhile.
        """
        after, last = prefix, ""
        while True:
            with self.recorder.reading() as reading:
                names = [row[0] for row in reading.all(sql.STREAM_NAMES, after, sql.after_base(prefix), PAGE)]
            for name in names:
                subject = name.partition("@")[0]
                if subject != last:
                    yield subject
                last = subject
            if len(names) < PAGE:
                return
            after = names[-1]

    def first_subject(self, after: str, prefix: str = "") -> str | None:
        """The first subject that begins with `prefix` and stands behind `after` by name."""
        with self.recorder.reading() as reading:
            row = reading.one(sql.STREAM_NAMES, after, sql.after_base(prefix), 1)
        return row[0].partition("@")[0] if row is not None else None

    def session_facts(self, subject: str) -> SessionFacts:
        """Everything stored of one subject, decoded; reads its streams and nothing else."""
        with self.recorder.reading() as reading:
            return read_session(reading, subject, self.catalogue)

    def rounds(self, subject: str | None = None, *, prefix: str = "") -> list[RoundSegment]:
        """From the round index alone: the segments of a subject, or of all subjects that begin with `prefix`."""
        low, high = of_subject(subject) if subject is not None else (prefix, sql.after_base(prefix))
        with self.recorder.reading() as reading:
            return read_rounds(reading, low, high)

    def gaps(self, prefix: str = "", *, lost: bool = True) -> list[LogGap]:
        """Holes in the counters of all streams of subjects that begin with `prefix`; those declared lost too."""
        with self.recorder.reading() as reading:
            return [gap for gap in read_gaps(reading, prefix, self.catalogue) if lost or not gap.lost]

    def unread(self, prefix: str = "", *, after: int = -1) -> list[Unread]:
        """Stored records that the catalogue cannot read, of subjects that begin with `prefix`, behind a tree index."""
        with self.recorder.reading() as reading:
            return list(read_unread(reading, self.catalogue, after, prefix))

    def status(self) -> Status:
        """Counters (received = stored + repeats + conflicts + quarantined), gaps, quarantine, size."""
        with self.recorder.reading() as reading:
            return read_status(reading, self.address.shown, self.catalogue)

    def next_offset(self, cluster: str, topic: str, partition: int) -> int | None:
        """Where to read on in a Kafka partition; None if nothing of it is stored."""
        with self.recorder.reading() as reading:
            row = reading.one(sql.OFFSET, cluster, topic, partition)
            return row[0] if row else None

    def offsets(self) -> list[Partition]:
        """Where to read on, in every Kafka partition of which something is stored."""
        with self.recorder.reading() as reading:
            return [Partition(*row) for row in reading.all(sql.OFFSETS)]

    def origin_of(self, index: int) -> tuple[str, str] | None:
        """Where the row at a tree index came from (JSON) and the account that ran it."""
        with self.recorder.reading() as reading:
            row = reading.one(sql.TILE_ORIGIN, index)
            return (row[3], row[4]) if row and index < row[0] + row[1] else None

    # -- what people decide about the record

    def quarantine(self, *, open_only: bool = True) -> list[Held]:
        """Bytes in quarantine, in order of arrival; without `open_only` those released or discarded too."""
        with self.recorder.reading() as reading:
            return held.read_all(reading, open_only=open_only)

    def quarantined(self, sha256: str) -> Held:
        """One entry by its SHA-256 or an unambiguous beginning of it (4 hexadecimal digits at least).

        Raises:
            Refused: none, several, or no hexadecimal digits.
        """
        with self.recorder.reading() as reading:
            return held.find(reading, sha256)

    def release(self, sha256: str, *, reason: str, account: str = "") -> str:
        """Stores a quarantined record after all: a jump in its stream, a conflict in `…~r`; gives the stream.

        Raises:
            Refused: no such entry, decided already, no readable place, or not theirs to say.
        """
        return held.release(self.recorder, self.quarantined(sha256), reason, account or self.account)

    def discard(self, sha256: str, *, reason: str, account: str = "") -> None:
        """Decides that quarantined bytes are no record; the bytes stay where they are.

        Raises:
            Refused: no such entry, or decided already.
        """
        held.discard(self.recorder, self.quarantined(sha256), reason, account or self.account)

    def declare_lost(self, stream: str, first: int, last: int, *, reason: str, account: str = "") -> int:
        """Nobody will send these records of a stream any more; gives the tree index of the event.

        Raises:
            Refused: not all of them are missing.
        """
        head = self.head(stream)
        draft = Draft(event=held.lost_event(head, stream, first, last), reason=reason, account=account or None)
        return self.author(f"{parse_stream(stream).subject}@{RECOUP}", [draft])[0]


def _own_stream(stream: str) -> str:
    """`stream` if it is one that Recoup writes.

    Raises:
        Refused, BadName: it is not.
    """
    place = parse_stream(stream)
    if not place.source.startswith(RECOUP) or place.part != "1":
        raise Refused(f"{stream} is not Recoup's own", hint=f"<subject>@{RECOUP}")
    check_name(place.source, "source")
    parse_subject(check_name(place.subject, "subject"))
    return stream


def _check_path(address: Address, *, create: bool) -> None:
    path = Path(address.path)
    if path.is_dir():
        raise Unable(f"{address.shown} is a folder, not a file", hint="give the file's name too")
    if path.exists():
        return
    if not create:
        raise StoreMissing(f"there is no log at {address.shown}", hint="`recoup init` makes one")
    if not path.parent.is_dir():
        raise Unable(f"folder {path.parent} does not exist", hint="make it first")


def follow(log: Log, after: int = -1, page: int = PAGE) -> Iterator[list[Row]]:
    """Pages of rows after an index until there are no more now; call again with the last index to go on.

    The one follower: position is the caller's, and there are no subscriptions to lose.
    """
    while rows := log.page(after, page):
        yield rows
        after = rows[-1].index


__all__ = ["Log", "follow"]
