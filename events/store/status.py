"""What the log holds, in numbers, and its holes."""

from __future__ import annotations

from msgspec import Struct

from events.errors import SealBroken
from events.schema.catalogue import Catalogue
from events.schema.ours import GapDeclaredLost
from events.store import statements as sql
from events.store.backend import COUNTERS
from events.store.batch import place_of_state
from events.store.facts import FactReader, head_of, session_gaps, stamped
from events.store.heads import FIRST_VERSION
from events.store.recorder import Reading
from events.values.names import RECOUP, parse_stream


class LogGap(Struct, frozen=True):
    """Sequences `first` to `last` of a stream have not come; `lost`: somebody declared them lost."""

    stream: str
    first: int
    last: int
    lost: bool

    @property
    def count(self) -> int:
        """Records missing."""
        return self.last - self.first + 1


class Restart(Struct, frozen=True):
    """A source's counter began again: it goes on in `stream`, from a record that happened at `at` (ms UTC)."""

    stream: str
    at: int


class Status(Struct, frozen=True, kw_only=True):
    """`received = stored + repeats + conflicts + quarantined`; `released` and `discarded` are decisions about the
    last two, `open` what is left of them. `rows`: all that is stored, what Recoup authored included."""

    store: str
    rows: int
    streams: int
    received: int
    stored: int
    repeats: int
    conflicts: int
    quarantined: int
    restarts: int
    released: int
    discarded: int
    authored: int
    open: int
    gaps: int
    missing: int
    lost: int
    last_recorded_at: int
    restarted: tuple[Restart, ...] = ()

    @property
    def adds_up(self) -> bool:
        """Whether every record received has one fate."""
        return self.received == self.stored + self.repeats + self.conflicts + self.quarantined


def read_counters(reading: Reading) -> dict[str, int]:
    """All counters of the store, 0 where nothing was counted."""
    return {**dict.fromkeys(COUNTERS, 0), **dict(reading.all(sql.COUNTERS))}


def read_status(reading: Reading, store: str, catalogue: Catalogue) -> Status:
    """The numbers of one consistent view."""
    last = reading.one(sql.LAST_TILE)
    counters = read_counters(reading)
    for name, value in (*counters.items(), ("recorded_at", last[2] if last else 0)):
        if type(value) is not int:
            raise SealBroken(f"{name} is `{value}`, a number was written", hint="`recoup verify` names every place")
    streams = 0
    again: list[str] = []
    for page in reading.pages(sql.ALL_HEADS):
        streams += len(page)
        again += [row[0] for row in page if row[0].rpartition("~")[2].isdigit() and "~" in row[0]]
    gaps = read_gaps(reading, "", catalogue)
    open_gaps = [gap for gap in gaps if not gap.lost]
    return Status(
        store=store,
        rows=(reading.one(sql.SIZE) or (0,))[0] or 0,
        streams=streams,
        open=len(reading.all(sql.OPEN_SHA256S)),
        gaps=len(open_gaps),
        missing=sum(gap.count for gap in open_gaps),
        lost=sum(gap.count for gap in gaps if gap.lost),
        last_recorded_at=last[2] if last else 0,
        restarted=tuple(Restart(stream, _began(reading, stream)) for stream in again),
        **counters,
    )


def _began(reading: Reading, stream: str) -> int:
    """When a stream's first record happened, ms UTC."""
    row = reading.one(sql.STREAM_PART, stream, FIRST_VERSION, FIRST_VERSION)
    return place_of_state(row[4], FIRST_VERSION)[1] if row is not None else 0


def read_gaps(reading: Reading, prefix: str, catalogue: Catalogue) -> list[LogGap]:
    """Holes of all streams of subjects that begin with `prefix`, by stream."""
    found: list[LogGap] = []
    lost: dict[str, list[GapDeclaredLost]] = {}
    for page in reading.pages(sql.HEADS_BETWEEN, prefix, sql.after_base(prefix)):
        for row in page:
            if "," not in row[2] and row[2].startswith("1-"):
                continue
            head = head_of(row)
            subject = parse_stream(head.stream).subject
            if subject not in lost:
                lost[subject] = _declared(reading, subject, catalogue)
            found += [LogGap(head.stream, gap.first, gap.last, gap.lost) for gap in session_gaps(head, lost[subject])]
    return found


def _declared(reading: Reading, subject: str, catalogue: Catalogue) -> list[GapDeclaredLost]:
    """What was declared lost in one subject."""
    reader = FactReader(catalogue)
    facts = (
        reader.fact(row, subject, RECOUP, 1) for row in stamped(reading, reading.all(sql.STREAM, f"{subject}@{RECOUP}"))
    )
    return [fact.event for fact in facts if isinstance(fact.event, GapDeclaredLost)]
