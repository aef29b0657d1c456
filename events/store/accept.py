"""Accept: the only door (design section 5). Decides for every record of a batch what becomes of it.

Stored, a repeat, a conflict, or quarantined; and on the way restarts are found. Everything is decided under the lock,
against heads that nobody else can move.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from operator import itemgetter

from msgspec import Struct

from events.schema.ours import RecordConflicted, RecordQuarantined, SourceRestarted
from events.store.backend import Held
from events.store.batch import Batch, Draft, Source
from events.store.digest import facts_digest
from events.store.heads import Head
from events.store.origin import Origin, Oversized
from events.store.parse import Groups, Placed, Rejected
from events.values.clock import to_datetime
from events.values.names import RECOUP, parse_stream

JUMP_MAX = 10_000
"""A sequence further than this above the last is not believed."""

_TEXT_MAX = 4000
_sequence = itemgetter(0)
Record = bytes | Oversized


class Receipt(Struct, frozen=True):
    """What became of a batch: `received = stored + repeats + conflicts + quarantined`.

    `restarts` are stored records with which a counter began again. `first_index` to `size`: the tree indexes that the
    batch took, what Recoup authored about it included. `reasons`: reason code → number quarantined.
    """

    received: int = 0
    stored: int = 0
    repeats: int = 0
    conflicts: int = 0
    quarantined: int = 0
    restarts: int = 0
    authored: int = 0
    first_index: int = 0
    size: int = 0
    reasons: dict[str, int] = {}

    @property
    def alarms(self) -> int:
        """What a person should look at."""
        return self.conflicts + self.quarantined + self.restarts


COUNTS = ("received", "stored", "repeats", "conflicts", "quarantined", "restarts")
"""The numbers of a receipt that the store, a daemon and a person count by."""


def total_of(receipts: Sequence[Receipt]) -> Receipt:
    """What became of several batches, one after another; `first_index` is the first one's."""
    reasons: dict[str, int] = {}
    for receipt in receipts:
        for reason, count in receipt.reasons.items():
            reasons[reason] = reasons.get(reason, 0) + count
    sums = {name: sum(getattr(one, name) for one in receipts) for name in (*COUNTS, "authored", "size")}
    return Receipt(**sums, first_index=receipts[0].first_index if receipts else 0, reasons=reasons)


def quarantine_stream(recorded_at: int) -> str:
    """`quarantine/<UTC date>@/recoup` for a time in µs UTC."""
    return f"quarantine/{_utc_date(recorded_at)}@{RECOUP}"


def _utc_date(recorded_at: int) -> str:
    from zoneinfo import ZoneInfo

    return to_datetime(recorded_at // 1000, ZoneInfo("UTC")).date().isoformat()


class Placing:
    """The work of one batch."""

    def __init__(self, batch: Batch, records: Sequence[Record], origin: Origin) -> None:
        self.batch = batch
        self.records = records
        self.origin = origin
        self.repeats = 0
        self.conflicts = 0
        self.restarts = 0
        self.stored = 0
        self.reasons: dict[str, int] = {}
        self._hold: list[tuple[int, Rejected, Head | None, int | None]] = []
        self._twins: dict[tuple[str, int], bytes] = {}

    def run(self, groups: Groups, rejected: Sequence[tuple[int, Rejected]]) -> Receipt:
        """Places all groups and puts the rest into quarantine; nothing is written yet."""
        bases = [f"{subject}@{source}" for subject, source in groups]
        shelf = self.batch.shelf
        shelf.load(self.batch.writing, bases)
        rest: list[tuple[Source, list[Placed]]] = []
        for base, group in zip(bases, groups.values(), strict=True):
            source = shelf.get(base)
            if len(source.parts) > 1 or not self._place_new(source.newest, group):
                rest.append((source, group))
        self._load_repeats(rest)
        for source, group in rest:
            if len(source.parts) > 1 or not self._all_repeats(source.newest, group):
                self._place_one_by_one(source, group)
        self._quarantine([*self._hold, *((arrival, why, None, None) for arrival, why in rejected)])
        received = len(self.records)
        quarantined = received - self.stored - self.repeats - self.conflicts
        counts = {
            "received": received,
            "stored": self.stored,
            "repeats": self.repeats,
            "conflicts": self.conflicts,
            "quarantined": quarantined,
            "restarts": self.restarts,
        }
        for name, by in counts.items():
            if by:
                self.batch.count(name, by)
        return Receipt(**counts, authored=self.batch.counts.get("authored", 0), reasons=self.reasons)

    def _place_new(self, head: Head, group: list[Placed]) -> bool:
        """The common case: every sequence is new, none twice, no jump."""
        count = len(group)
        if count > 1:
            group.sort(key=_sequence)
            if len({one[0] for one in group}) != count:
                return False
        low, high, top = group[0][0], group[-1][0], head.top
        if low <= top and any(head.knows(one[0]) for one in group):
            return False
        if (low if high - low == count - 1 else high) - (top or low) > JUMP_MAX:
            return False
        self.batch.store(head, group)
        self.stored += count
        return True

    def _load_repeats(self, rest: Sequence[tuple[Source, list[Placed]]]) -> None:
        """Twins of all groups that may be repeats from end to end, in two questions."""
        known = [
            (source.newest, sorted({one[0] for one in group}))
            for source, group in rest
            if len(source.parts) == 1 and _knows(source.newest, group)
        ]
        self.batch.load_runs([head for head, _sequences in known])
        spans = [span for head, sequences in known for span in self._spans(head, sequences)]
        states = self.batch.writing.states_of([(head.stream, low, high) for head, low, high, _sequences in spans])
        for (head, _low, _high, sequences), found in zip(spans, states, strict=True):
            if len(found) == len(sequences):
                self._twins.update(zip([(head.stream, one) for one in sequences], found, strict=True))

    def _spans(self, head: Head, sequences: Sequence[int]) -> list[tuple[Head, int, int, list[int]]]:
        """Consecutive versions that hold these known sequences: first and last version, and the sequences."""
        closed = self.batch.runs(head)
        wanted: list[tuple[int, int]] = []
        first = end = shift = 0
        for one in sequences:
            if not first <= one < end:
                run = head.run_of(one, closed)
                first, end = run.first_sequence, run.first_sequence + run.length
                shift = run.first_version - first
            wanted.append((one + shift, one))
        wanted.sort()
        spans: list[tuple[Head, int, int, list[int]]] = []
        at = 0
        while at < len(wanted):
            end = at + 1
            while end < len(wanted) and wanted[end][0] == wanted[end - 1][0] + 1:
                end += 1
            spans.append((head, wanted[at][0], wanted[end - 1][0], [one for _version, one in wanted[at:end]]))
            at = end
        return spans

    def _all_repeats(self, head: Head, group: list[Placed]) -> bool:
        """The other common case: a batch that was stored before, byte for byte."""
        if not _knows(head, group):
            return False
        twins = self._load_twins(head, sorted({one[0] for one in group}))
        if all(twins[head.stream, one[0]] == one[5] for one in group):
            self.repeats += len(group)
            return True
        return False

    def _load_twins(self, head: Head, sequences: Sequence[int]) -> dict[tuple[str, int], bytes]:
        """Stored states of known sequences (ascending), by stream and sequence."""
        twins, stream = self._twins, head.stream
        missing = [one for one in sequences if (stream, one) not in twins and head.knows(one)]
        for _head, low, high, span in self._spans(head, missing) if missing else ():
            twins.update(zip([(stream, one) for one in span], self._states(head, low, high), strict=True))
        return twins

    def _states(self, head: Head, low: int, high: int) -> list[bytes]:
        """States of versions, whether stored before or by this very batch."""
        states = self.batch.writing.states(head.stream, low, high)
        if len(states) == high - low + 1:
            return states
        own = {row[2]: row[4] for row in self.batch.rows if row[1] == head.stream}
        stored = dict(enumerate(states, low))
        return [stored[version] if version in stored else own[version] for version in range(low, high + 1)]

    def _place_one_by_one(self, source: Source, group: list[Placed]) -> None:
        group.sort(key=itemgetter(1))
        for is_restart, span in self._split_at_restarts(source, group):
            head = source.restart() if is_restart else source.newest
            if is_restart:
                self._author_restart(head, len(source.parts), span[0])
            self._place_span(source, head, sorted(span, key=lambda one: (one[0], one[1])))

    def _split_at_restarts(self, source: Source, group: list[Placed]) -> list[tuple[bool, list[Placed]]]:
        """The group in order of arrival, cut where a sequence 1 with other content comes later than all else."""
        spans: list[tuple[bool, list[Placed]]] = [(False, [])]
        head = source.newest
        top, top_at = head.top, head.top_at
        ones = self._digests_of(source, 1)
        is_known = head.knows(1)
        for one in group:
            if one[0] == 1:
                digest = facts_digest(one[5])
                if is_known and digest not in ones and one[2] > top_at:
                    spans.append((True, []))
                    top, top_at = 0, 0
                ones.add(digest)
                is_known = True
            if one[0] > top:
                top, top_at = one[0], one[2]
            spans[-1][1].append(one)
        return [span for span in spans if span[1]]

    def _digests_of(self, source: Source, sequence: int) -> set[bytes]:
        """Digests of all that is stored under a sequence, in any part or released."""
        found = set()
        for head in (*source.parts, *source.released):
            if head.knows(sequence):
                found.add(facts_digest(self._load_twins(head, (sequence,))[head.stream, sequence]))
        return found

    def _place_span(self, source: Source, head: Head, span: Sequence[Placed]) -> None:
        """Records of one part in order of sequence; `head` is the part that they belong to."""
        for one in (*source.parts, *source.released):
            if one.seen and one.seen[0] <= span[-1][0]:
                self._load_twins(
                    one, [sequence for sequence in sorted({rec[0] for rec in span}) if one.knows(sequence)]
                )
        new: list[Placed] = []
        top = head.top
        for record in span:
            sequence, raw = record[0], record[5]
            last = new[-1] if new and new[-1][0] == sequence else None
            if last is not None or head.knows(sequence):
                twin = last[5] if last is not None else self._twins[head.stream, sequence]
                self._known(source, head, record, twin)
            elif self._is_stored_elsewhere(source, head, sequence, raw):
                self.repeats += 1
            elif top and sequence - top > JUMP_MAX:
                self._hold.append(
                    (
                        record[1],
                        Rejected("jump", f"sequence {sequence} after {top} in {head.stream}"),
                        head,
                        sequence,
                    )
                )
            else:
                new.append(record)
                top = max(top, sequence)
        if new:
            self.batch.store(head, new)
            self.stored += len(new)

    def _is_stored_elsewhere(self, source: Source, head: Head, sequence: int, raw: bytes) -> bool:
        """Whether another part, or a released conflict, holds the same facts under this sequence."""
        others = [one for one in (*source.parts, *source.released) if one is not head and one.knows(sequence)]
        if not others:
            return False
        twins = [self._load_twins(one, (sequence,))[one.stream, sequence] for one in others]
        if raw in twins:
            return True
        digest = facts_digest(raw)
        return any(facts_digest(twin) == digest for twin in twins)

    def _known(self, source: Source, head: Head, record: Placed, twin: bytes) -> None:
        """A sequence that is stored in its part: a repeat or a conflict."""
        sequence, raw = record[0], record[5]
        if raw == twin:
            self.repeats += 1
            return
        digest, stored = facts_digest(raw), facts_digest(twin)
        if digest == stored or self._is_stored_elsewhere(source, head, sequence, raw):
            self.repeats += 1
            return
        if self._lies_in_quarantine(source, sequence, raw, digest):
            self.repeats += 1
            return
        self._author_conflict(head, record, digest, stored)

    def _lies_in_quarantine(self, source: Source, sequence: int, raw: bytes, digest: bytes) -> bool:
        """Whether these bytes, or the same facts of that place, lie there already."""
        writing, sha = self.batch.writing, sha256(raw).digest()
        streams = {one.stream for one in source.parts}
        return (
            any(one.sha256 == sha for one in self.batch.held)
            or any(
                one.digest == digest and one.sequence == sequence and one.stream in streams for one in self.batch.held
            )
            or bool(writing.quarantined((sha,)))
            or any(digest in writing.conflict_digests(stream, sequence) for stream in streams)
        )

    def _author_conflict(self, head: Head, record: Placed, digest: bytes, stored: bytes) -> None:
        place = parse_stream(head.stream)
        source = place.source if place.part == "1" else f"{place.source}~{place.part}"
        sha = sha256(record[5]).digest()
        cite = f"{record[0]}@{source}"
        index = self.batch.author(
            f"{place.subject}@{RECOUP}",
            Draft(
                event=RecordConflicted(
                    record=cite, stored_digest=stored.hex(), received_digest=digest.hex(), sha256=sha.hex()
                ),
                account=self.origin.account or None,
            ),
        )
        self.conflicts += 1
        detail = f"{cite} of {place.subject} is stored with other content"
        self._put_held(record[1], sha, Rejected("conflict", detail), head, record[0], digest, index)

    def _author_restart(self, head: Head, part: int, first: Placed) -> None:
        place = parse_stream(head.stream)
        self.restarts += 1
        self.batch.author(
            f"{place.subject}@{RECOUP}",
            Draft(
                event=SourceRestarted(source=place.source, stream=head.stream, part=part),
                account=self.origin.account or None,
            ),
        )

    def _quarantine(self, hold: Sequence[tuple[int, Rejected, Head | None, int | None]]) -> None:
        """Bytes that may not be stored, once each; those that lie there already are repeats."""
        hashed = [(one, _sha(self.records[one[0]])) for one in sorted(hold, key=itemgetter(0))]
        lying = self.batch.writing.quarantined([sha for _one, sha in hashed]) if hashed else set()
        lying |= {one.sha256 for one in self.batch.held}
        for (arrival, why, head, sequence), sha in hashed:
            if sha in lying:
                self.repeats += 1
                continue
            lying.add(sha)
            index = self.batch.author(
                quarantine_stream(self.batch.recorded_at),
                Draft(
                    event=RecordQuarantined(
                        sha256=sha.hex(),
                        why=why.reason,
                        detail=why.detail[:_TEXT_MAX],
                        origin=self.origin.where(arrival)[:_TEXT_MAX],
                    ),
                    account=self.origin.account or None,
                ),
            )
            self.reasons[why.reason] = self.reasons.get(why.reason, 0) + 1
            self._put_held(arrival, sha, why, head, sequence, None, index)

    def _put_held(
        self,
        arrival: int,
        sha: bytes,
        why: Rejected,
        head: Head | None,
        sequence: int | None,
        digest: bytes | None,
        index: int,
    ) -> None:
        record = self.records[arrival]
        self.batch.held.append(
            Held(
                sha256=sha,
                reason=why.reason,
                detail=why.detail[:_TEXT_MAX],
                origin=self.origin.where(arrival)[:_TEXT_MAX],
                record=record.head if isinstance(record, Oversized) else record,
                length=record.length if isinstance(record, Oversized) else len(record),
                stream=head.stream if head else None,
                sequence=sequence,
                digest=digest,
                recorded_at=self.batch.recorded_at,
                index=index,
            )
        )


def _knows(head: Head, group: Sequence[Placed]) -> bool:
    """Whether all of a group, in order of sequence, is stored in one part."""
    low, high = group[0][0], group[-1][0]
    return head.knows_all(low, high) or (high <= head.top and all(head.knows(one[0]) for one in group))


def _sha(record: Record) -> bytes:
    return record.sha256 if isinstance(record, Oversized) else sha256(record).digest()
