"""Strict reading of one record's envelope: its place, or the reason why it has none.

The fast way decodes into a struct whose fields stand in the order of common writers and encodes it again: the same
bytes show that no key stood twice and that all of it is UTF-8. Other JSON is checked by counting keys, and, where
that does not settle it, by the standard library's pairs hook (`engineering.md`, "A key twice, cheaply").
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from events.errors import BadName
from events.schema.envelope import SPECVERSION
from events.store.origin import Oversized
from events.values.clock import parse_time
from events.values.names import OUTSIDE_KINDS, RECOUP, SEQUENCE_MAX, is_name, parse_subject

_KEPT = 8192
_NEEDED = ("specversion", "source", "subject", "sequence", "type", "time")


class Rejected(NamedTuple):
    """No place: a reason code, and what was found in words."""

    reason: str
    detail: str


def _struct(name: str, order: str) -> type[Any]:
    fields: list[Any] = []
    for field in order.split():
        kind = str if field in _NEEDED else Any
        fields.append((field, kind) if field in _NEEDED else (field, kind, UNSET))
    return msgspec.defstruct(name, fields, gc=False, kw_only=True)


_ByName = _struct(
    "ByName", "about account data datacontenttype id reason round sequence source specversion subject time type"
)
_AsShown = _struct(
    "AsShown", "specversion id source type subject sequence round time about account reason datacontenttype data"
)
_OPTIONAL = ("about", "account", "data", "datacontenttype", "id", "reason", "round")
decode_by_name: Callable[[bytes], Any] = msgspec.json.Decoder(_ByName).decode
decode_as_shown: Callable[[bytes], Any] = msgspec.json.Decoder(_AsShown).decode
encode: Callable[[Any], bytes] = msgspec.json.Encoder().encode
_BAD = (msgspec.DecodeError, RecursionError)


def decode(raw: bytes) -> Any:
    """The envelope as a struct, `data` parsed.

    Raises:
        msgspec.DecodeError, RecursionError: not JSON, or not an envelope.
    """
    return decode_as_shown(raw) if raw.startswith(b'{"specversion"') else decode_by_name(raw)


class Doubled(NamedTuple):
    """Where a key stands twice."""

    envelope: bool
    data: bool


_NONE_DOUBLED = Doubled(False, False)


def doubled_keys(raw: bytes, envelope: Any) -> Doubled:
    """Whether a key stands twice in `raw`, of which `envelope` is the decoded struct.

    Raises:
        UnicodeDecodeError: bytes that are not UTF-8 in an attribute that nobody reads.
    """
    if encode(envelope) == raw:
        return _NONE_DOUBLED
    raw.decode()
    if b"\\" not in raw:
        keys = len(_NEEDED) + sum(getattr(envelope, name) is not UNSET for name in _OPTIONAL)
        if raw.count(b'":') == keys + _count_keys(envelope.data):
            return _NONE_DOUBLED
    return _doubled_by_hook(raw)


def _count_keys(value: Any) -> int:
    if type(value) is dict:
        return len(value) + sum(_count_keys(item) for item in value.values() if type(item) in (dict, list))
    if type(value) is list:
        return sum(_count_keys(item) for item in value if type(item) in (dict, list))
    return 0


class Pairs(list[tuple[str, Any]]):
    """An object in which a key stands twice, or which holds one that does: all its pairs in order."""


def _pairs(pairs: list[tuple[str, Any]]) -> Any:
    found = dict(pairs)
    if len(found) == len(pairs) and not any(_holds_pairs(value) for value in found.values()):
        return found
    return Pairs(pairs)


def _holds_pairs(value: Any) -> bool:
    return isinstance(value, Pairs) or (type(value) is list and any(_holds_pairs(item) for item in value))


def load_pairs(raw: bytes) -> Any:
    """Parsed with every pair kept: dicts, and `Pairs` wherever a key stands twice inside.

    Raises:
        ValueError, RecursionError: not JSON.
    """
    return json.loads(raw, object_pairs_hook=_pairs)


def _doubled_by_hook(raw: bytes) -> Doubled:
    loaded = load_pairs(raw)
    if not isinstance(loaded, Pairs):
        return _NONE_DOUBLED
    names = [name for name, _value in loaded]
    in_data = any(_holds_pairs(value) for name, value in loaded if name == "data")
    elsewhere = any(_holds_pairs(value) for name, value in loaded if name != "data")
    return Doubled(len(set(names)) != len(names) or elsewhere, in_data)


class Placed(NamedTuple):
    """A record with its place in one source. `at`: ms UTC. `arrival`: its position in the batch."""

    sequence: int
    arrival: int
    at: int
    round: str | None
    topic: str
    raw: bytes


def from_outside(subject: str, source: str) -> Rejected | None:
    """Tables, tournaments and desks, by sources that are not ours."""
    if source.startswith(RECOUP):
        return Rejected("not_yours", f"source {source} is Recoup's own")
    if subject.partition("/")[0] not in OUTSIDE_KINDS:
        return Rejected("not_yours", f"subject {subject} is no table, tournament or desk")
    return _shape(subject)


def from_importer(subject: str, source: str) -> Rejected | None:
    """Imported hands, by our own readers."""
    if subject.startswith("import/") and source.startswith(RECOUP + "/import/"):
        return _shape(subject)
    return Rejected("not_yours", f"an importer writes import/<key>@{RECOUP}/import/…, not {subject}@{source}")


def _shape(subject: str) -> Rejected | None:
    try:
        parse_subject(subject)
    except BadName as error:
        return Rejected("bad_subject", str(error))
    return None


class Minutes:
    """Reads times; a minute with its offset is kept, as it recurs (0.3 µs instead of 2)."""

    def __init__(self) -> None:
        self._starts: dict[str, int] = {}

    def ms(self, text: str) -> int:
        """`parse_time`.

        Raises:
            ValueError: as `parse_time`.
        """
        within = text[17:19] + text[20:23]
        if len(text) > 23 and text[19] == "." and within < "60" and within.isascii() and within.isdigit():
            minute = text[:17] + text[23:]
            start = self._starts.get(minute)
            if start is not None:
                return start + int(within)
            at = parse_time(text)
            if len(self._starts) > _KEPT:
                self._starts.clear()
            self._starts[minute] = at - int(within)
            return at
        return parse_time(text)


class Reader:
    """Reads batches; keeps what recurs (names, minutes) between them."""

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._time = Minutes().ms

    def read(
        self,
        records: Sequence[bytes | Oversized],
        may: Callable[[str, str], Rejected | None],
    ) -> tuple[dict[tuple[str, str], list[Placed]], list[tuple[int, Rejected]]]:
        """Groups by (subject, source), each in order of arrival, and what has no place, by arrival."""
        groups: dict[tuple[str, str], list[Placed]] = {}
        rejected: list[tuple[int, Rejected]] = []
        refused: dict[tuple[str, str], Rejected] = {}
        names = self._names
        for arrival, raw in enumerate(records):
            try:
                if isinstance(raw, Oversized):
                    rejected.append((arrival, _too_long(raw)))
                    continue
                record = decode_as_shown(raw) if raw.startswith(b'{"specversion"') else decode_by_name(raw)
                if encode(record) != raw and doubled_keys(raw, record).envelope:
                    rejected.append((arrival, Rejected("key_twice", "a key stands twice in the envelope")))
                    continue
                sequence, at = read_sequence(record.sequence), self._time(record.time)
                topic, name = record.type, record.round
            except (*_BAD, ValueError) as error:
                rejected.append((arrival, diagnose(raw, error)))
                continue
            if name is UNSET:
                name = None
            if (topic not in names or (name is not None and name not in names)) and (
                bad := self._check_names(topic, name)
            ):
                rejected.append((arrival, bad))
                continue
            key = (record.subject, record.source)
            group = groups.get(key)
            if group is None:
                found = refused.get(key) or check_place(record.specversion, *key) or may(*key)
                if found is not None:
                    refused[key] = found
                    rejected.append((arrival, found))
                    continue
                group = groups[key] = []
            elif record.specversion != SPECVERSION:
                rejected.append((arrival, _bad_specversion(record.specversion)))
                continue
            group.append(tuple.__new__(Placed, (sequence, arrival, at, name, topic, raw)))
        return groups, rejected

    def _check_names(self, topic: str, name: Any) -> Rejected | None:
        if len(self._names) > _KEPT:
            self._names.clear()
        if not is_name(topic):
            return Rejected("bad_type", f"type {_shown(topic)} is not 1–255 printable characters without @ # ~")
        self._names.add(topic)
        if name is not None:
            if not isinstance(name, str) or not is_name(name):
                return Rejected("bad_round", f"round {_shown(name)} is not 1–255 printable characters without @ # ~")
            self._names.add(name)
        return None


def read_sequence(text: str) -> int:
    """1 to 2^53 - 1, decimal digits of any length.

    Raises:
        ValueError: another form, or out of range.
    """
    if not (text.isascii() and text.isdigit()) or len(text) > 4000:
        raise _Found("bad_sequence", f"sequence {_shown(text)} is not decimal digits")
    sequence = int(text)
    if not 1 <= sequence <= SEQUENCE_MAX:
        raise _Found("bad_sequence", f"sequence {_shown(text)} is not between 1 and 2^53 - 1")
    return sequence


class _Found(ValueError):
    """Why a record has no place, found while reading it."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.rejected = Rejected(reason, detail)


def check_place(specversion: str, subject: str, source: str) -> Rejected | None:
    """The envelope's version and names."""
    if specversion != SPECVERSION:
        return _bad_specversion(specversion)
    for what, text in (("subject", subject), ("source", source)):
        if not is_name(text):
            return Rejected(f"bad_{what}", f"{what} {_shown(text)} is not 1–255 printable characters without @ # ~")
    return None


def _bad_specversion(text: str) -> Rejected:
    return Rejected("bad_specversion", f"specversion {_shown(text)}, expected {SPECVERSION}")


def _too_long(line: Oversized) -> Rejected:
    return Rejected("too_long", f"{line.length} bytes in one line; its first {len(line.head)} are kept")


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 80 else text[:76] + '…"'


def diagnose(raw: bytes | Oversized, error: Exception) -> Rejected:
    """The most exact reason for a record that could not be read."""
    if isinstance(error, _Found):
        return error.rejected
    if not isinstance(raw, bytes):
        return _too_long(raw)
    try:
        raw.decode()
    except UnicodeDecodeError as broken:
        return Rejected("not_utf8", f"byte {broken.start} is not UTF-8")
    if isinstance(error, RecursionError):
        return Rejected("not_json", "nested too deep")
    try:
        loaded = msgspec.json.decode(raw)
    except _BAD as broken:
        return Rejected("not_json", str(broken))
    if not isinstance(loaded, dict):
        return Rejected("not_an_object", f"one JSON object was expected, found {type(loaded).__name__}")
    for name in _NEEDED:
        if not isinstance(loaded.get(name), str):
            found = _shown(loaded[name]) if name in loaded else "nothing"
            return Rejected(f"bad_{name}", f"{name} must be a string, found {found}")
    try:
        parse_time(loaded["time"])
    except ValueError as wrong:
        return Rejected("bad_time", f"time {_shown(loaded['time'])}: {wrong}")
    return Rejected("not_json", str(error))
