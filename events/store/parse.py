"""Strict reading of one record's envelope: its place, or the reason why it has none.

The fast way decodes into a struct whose fields stand in the order of common writers and encodes it again: the same
bytes show that no key stood twice. Other JSON is checked by counting keys, and, where that does not settle it, by the
standard library's pairs hook. At the door `data` is passed over (its syntax is checked; that it is UTF-8 we check
ourselves, as msgspec does not): what it holds decides nothing there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from events.errors import BadName
from events.schema.envelope import SEQUENCE_WIDTH, SPECVERSION, Envelope
from events.store.origin import Oversized
from events.values.clock import parse_time
from events.values.names import OUTSIDE_KINDS, RECOUP, SEQUENCE_MAX, flaw_of, is_name, parse_subject

_KEPT = 8192
_DIGITS_MAX = 4000
"""What `int` reads at most is 4,300 digits; zeros in front count too."""

_BEGINS = b'{"specversion"'
_DATA_LAST = b"}}"
_NEEDED = ("specversion", "source", "subject", "sequence", "type", "time")


class Rejected(NamedTuple):
    """No place: a reason code, and what was found in words."""

    reason: str
    detail: str


def _decoders(order: str) -> tuple[Callable[[bytes], Any], Callable[[bytes], Any]]:
    """For envelopes whose attributes stand in this order: one that passes over `data`, one that parses it."""
    found = []
    for data in (msgspec.Raw, Any):
        fields: list[Any] = []
        for field in order.split():
            kind = {"data": data, "round": str | None | UnsetType}.get(field, Any)
            fields.append((field, str) if field in _NEEDED else (field, kind, UNSET))
        found.append(msgspec.json.Decoder(msgspec.defstruct("Record", fields, gc=False, kw_only=True)).decode)
    return found[0], found[1]


_OPTIONAL = ("about", "account", "data", "datacontenttype", "id", "reason", "round")
_optional = attrgetter(*_OPTIONAL)
_skim_by_name, _decode_by_name = _decoders(
    "about account data datacontenttype id reason round sequence source specversion subject time type"
)
_skim_data_last, _decode_data_last = _decoders(
    "specversion id source type subject sequence round time about account reason datacontenttype data"
)
_skim_ours, _decode_ours = _decoders(" ".join(Envelope.__struct_fields__))
encode: Callable[[Any], bytes] = msgspec.json.Encoder().encode
_BAD = (msgspec.DecodeError, RecursionError)


def decode(raw: bytes) -> Any:
    """The envelope as a struct, `data` parsed.

    Raises:
        msgspec.DecodeError, RecursionError: not JSON, or not an envelope.
    """
    if raw.startswith(_BEGINS):
        return _decode_data_last(raw) if raw.endswith(_DATA_LAST) else _decode_ours(raw)
    return _decode_by_name(raw)


def envelope_key_twice(raw: bytes, skimmed: Any) -> bool:
    """Whether a key stands twice in the envelope (`data` left out), of which `skimmed` holds `data` as raw bytes.

    Raises:
        ValueError, RecursionError: broken where only the standard library looks.
    """
    if is_countable(raw):
        inner = b"" if skimmed.data is UNSET else bytes(skimmed.data)
        if raw.count(b'":') - inner.count(b'":') == _attributes(skimmed):
            return False
    return _doubled_by_hook(raw).envelope


def is_countable(raw: bytes) -> bool:
    """Whether `":` stands behind every key, and nowhere else: no escapes, and no space in front of a colon."""
    return b"\\" not in raw and b" :" not in raw and b"\n:" not in raw and b"\t:" not in raw and b"\r:" not in raw


def _attributes(record: Any) -> int:
    return len(_NEEDED) + len(_OPTIONAL) - list(_optional(record)).count(UNSET)


class Doubled(NamedTuple):
    """Where a key stands twice."""

    envelope: bool
    data: bool


_NONE_DOUBLED = Doubled(False, False)


def doubled_keys(raw: bytes, envelope: Any) -> Doubled:
    """Whether a key stands twice in `raw`, of which `envelope` is the decoded struct."""
    if encode(envelope) == raw:
        return _NONE_DOUBLED
    if is_countable(raw) and raw.count(b'":') == _attributes(envelope) + _count_keys(envelope.data):
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


Placed = tuple[int, int, int, str | None, str, bytes]
"""A record with its place in one source: sequence, position in its batch, time (ms UTC), round, type, bytes.

A plain tuple, as a batch makes ten thousand of them: named ones cost five times as much.
"""

Groups = dict[tuple[str, str], list[Placed]]
"""Records by subject and source."""


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


_SECONDS = {f"{second:02d}": second * 1000 for second in range(60)}
_THOUSANDTHS = {f"{ms:03d}": ms for ms in range(1000)}


class Times:
    """Reads times; a minute with its offset is kept, as it recurs (0.4 µs instead of 2)."""

    def __init__(self) -> None:
        self._minutes: dict[str, int] = {}

    def ms(self, text: str) -> int:
        """`parse_time`.

        Raises:
            ValueError: as `parse_time`.
        """
        thousandths, seconds = _THOUSANDTHS.get(text[20:23]), _SECONDS.get(text[17:19])
        if thousandths is None or seconds is None or text[19] != ".":
            return parse_time(text)
        minute = text[:17] + text[23:]
        start = self._minutes.get(minute)
        if start is not None:
            return start + seconds + thousandths
        at = parse_time(text)
        if len(self._minutes) > _KEPT:
            self._minutes.clear()
        self._minutes[minute] = at - seconds - thousandths
        return at


class Unplaced(ValueError):
    """Why a record has no place, found while reading it."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.rejected = Rejected(reason, detail)


Door = Callable[[str, str], Rejected | None]
"""Who may speak of what: subject and source → None, or why not."""


class Reader:
    """Reads batches that come in by one door; keeps what recurs (names, places, seconds) between them."""

    def __init__(self, may: Door) -> None:
        self._may = may
        self._names: set[str] = set()
        self._places: set[tuple[str, str]] = set()
        self._ms = Times().ms

    def read(self, records: Sequence[bytes | Oversized]) -> tuple[Groups, list[tuple[int, Rejected]]]:
        """Groups by (subject, source), each in order of arrival, and what has no place, by arrival."""
        groups: Groups = {}
        rejected: list[tuple[int, Rejected]] = []
        names, ms = self._names, self._ms
        skim_data_last, skim_ours, skim_by_name = _skim_data_last, _skim_ours, _skim_by_name
        for arrival, raw in enumerate(records):
            try:
                if raw.startswith(_BEGINS):  # type: ignore[union-attr]
                    record = skim_data_last(raw) if raw.endswith(_DATA_LAST) else skim_ours(raw)  # type: ignore[union-attr, arg-type]
                else:
                    record = skim_by_name(raw)  # type: ignore[arg-type]
                if not raw.isascii():  # type: ignore[union-attr]
                    raw.decode()  # type: ignore[union-attr]
                if encode(record) != raw and envelope_key_twice(raw, record):  # type: ignore[arg-type]
                    raise Unplaced("key_twice", "a key stands twice in the envelope")
                if record.specversion != SPECVERSION:
                    raise Unplaced(
                        "bad_specversion", f"specversion {_shown(record.specversion)}, expected {SPECVERSION}"
                    )
                digits, at = record.sequence, ms(record.time)
                if digits.isascii() and digits.isdigit() and len(digits) <= SEQUENCE_WIDTH:
                    sequence = int(digits)
                    if not 0 < sequence <= SEQUENCE_MAX:
                        sequence = read_sequence(digits)
                else:
                    sequence = read_sequence(digits)
                topic, name = record.type, record.round
                if name is UNSET:
                    name = None
                elif name is not None and name not in names:
                    self._check_name("round", name)
                if topic not in names:
                    self._check_name("type", topic)
                key = (record.subject, record.source)
                group = groups.get(key)
                if group is None:
                    self._check_place(key)
                    group = groups[key] = []
            except (*_BAD, ValueError, AttributeError) as error:
                rejected.append((arrival, diagnose(raw, error)))
                continue
            group.append((sequence, arrival, at, name, topic, raw))  # type: ignore[arg-type]
        return groups, rejected

    def _check_name(self, what: str, text: str) -> None:
        if not is_name(text):
            raise _bad_name(what, text)
        if len(self._names) > _KEPT:
            self._names.clear()
        self._names.add(text)

    def _check_place(self, place: tuple[str, str]) -> None:
        if place in self._places:
            return
        for what, text in zip(("subject", "source"), place, strict=True):
            if not is_name(text):
                raise _bad_name(what, text)
        refused = self._may(*place)
        if refused is not None:
            raise Unplaced(*refused)
        if len(self._places) > _KEPT:
            self._places.clear()
        self._places.add(place)


def _bad_name(what: str, text: str) -> Unplaced:
    return Unplaced(f"bad_{what}", f"{what} {_shown(text)} {flaw_of(text)}")


def read_sequence(text: str) -> int:
    """1 to 2^53 - 1, decimal digits of any length.

    Raises:
        ValueError: another form, or out of range.
    """
    if text.isascii() and text.isdigit() and len(text) <= _DIGITS_MAX:
        sequence = int(text)
        if 1 <= sequence <= SEQUENCE_MAX:
            return sequence
        raise Unplaced("bad_sequence", f"sequence {_shown(text)} is not between 1 and 2^53 - 1")
    raise Unplaced("bad_sequence", f"sequence {_shown(text)} is not decimal digits")


_KINDS = {
    list: "a list", str: "a text", int: "a number", float: "a number", bool: "true or false", type(None): "null",
}  # fmt: skip


def _too_long(line: Oversized) -> Rejected:
    return Rejected("too_long", f"{line.length} bytes in one line; its first {len(line.head)} are kept")


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 80 else text[:76] + '…"'


def diagnose(raw: bytes | Oversized, error: Exception) -> Rejected:
    """The most exact reason for a record that could not be read."""
    if isinstance(error, Unplaced):
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
        return Rejected("not_an_object", f"one JSON object was expected, found {_KINDS[type(loaded)]}")
    for name in _NEEDED:
        if not isinstance(loaded.get(name), str):
            found = _shown(loaded[name]) if name in loaded else "nothing"
            return Rejected(f"bad_{name}", f"{name} must be a string, found {found}")
    if not isinstance(loaded.get("round"), str | None):
        return Rejected("bad_round", f"round must be a string, found {_shown(loaded['round'])}")
    try:
        parse_time(loaded["time"])
    except ValueError as wrong:
        return Rejected("bad_time", f"time {_shown(loaded['time'])}: {wrong}")
    return Rejected("not_json", str(error))
