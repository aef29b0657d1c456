"""What has a place and what has none, with the reason; bad input as the issue lists it."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.store import Oversized
from events.store.parse import Doubled, Reader, Times, decode, doubled_keys, from_importer, from_outside
from events.values.clock import parse_time
from tests.events.store.records import SOURCE, SUBJECT, record


def reason_of(raw: bytes) -> str:
    groups, rejected = Reader(from_outside).read([raw])
    if groups:
        return "stored"
    ((_arrival, why),) = rejected
    assert why.detail
    return why.reason


GOOD = record(1, round="173")


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "not_json"),
        (b"{", "not_json"),
        (GOOD[:60], "not_json"),
        (GOOD + b"}", "not_json"),
        (b"\xef\xbb\xbf" + GOOD, "not_json"),
        (GOOD.decode().encode("utf-16"), "not_utf8"),
        (GOOD.replace(b"d-17", b"\xff"), "not_utf8"),
        (GOOD.replace(b"d-17", b"\xed\xa0\x80"), "not_utf8"),
        (GOOD.replace(b'"d-17"', b"01"), "not_json"),
        (GOOD.replace(b'"d-17"', b'"\\ud800"'), "not_json"),
        (GOOD.replace(b'"d-17"', b'"\\x"'), "not_json"),
        (GOOD.replace(b'"d-17"', b'"\x01"'), "not_json"),
        (GOOD.replace(b'"d-17"', b"NaN"), "not_json"),
        (GOOD.replace(b'{"person":"d-17"}', b'{"person":"d-17",}'), "not_json"),
        (GOOD.replace(b'"id"', b'"comment":"\xff","id"'), "not_utf8"),
        (b'{"specversion":"1.0","data":' + b"[" * 5000 + b"]" * 5000 + b"}", "not_json"),
        (b"[1]", "not_an_object"),
        (b"null", "not_an_object"),
        (record(1, specversion=None), "bad_specversion"),
        (record(1, specversion="0.3"), "bad_specversion"),
        (record(1, source=None), "bad_source"),
        (record(1, source="/brno/RL 03"), "bad_source"),
        (record(1, source=""), "bad_source"),
        (record(1, source="/brno/" + "x" * 250), "bad_source"),
        (record(1, subject="table/brno/RL-03/a@b"), "bad_subject"),
        (record(1, subject="table/brno/RL-03"), "bad_subject"),
        (record(1, subject="table/brno//x"), "bad_subject"),
        (record(1, subject="table/brno/RL-03/a\u0007"), "bad_subject"),
        (record(1, subject="table/brno/RL-03/á"), "bad_subject"),
        (record(1, sequence="0"), "bad_sequence"),
        (record(1, sequence=str(2**53)), "bad_sequence"),
        (record(1, sequence="-1"), "bad_sequence"),
        (record(1, sequence="1e3"), "bad_sequence"),
        (record(1, sequence=" 1"), "bad_sequence"),
        (record(1, sequence="١"), "bad_sequence"),
        (record(1, sequence="9" * 5000), "bad_sequence"),
        (record(1, sequence=1), "bad_sequence"),
        (record(1, type=None), "bad_type"),
        (record(1, type="RL.Bet Placed.v1"), "bad_type"),
        (record(1, time=None), "bad_time"),
        (record(1, time="2026-11-28T21:14:05.120"), "bad_time"),
        (record(1, time="2026-11-28T21:14:05"), "bad_time"),
        (record(1, time="2026-11-28T21:14:05.1+0100"), "bad_time"),
        (record(1, time="2026-02-30T21:14:05.120+01:00"), "bad_time"),
        (record(1, time="2026-11-28T25:14:05.120+01:00"), "bad_time"),
        (record(1, time="2026-11-28T21:14:61.120+01:00"), "bad_time"),
        (record(1, round=7), "bad_round"),
        (record(1, round=["7"]), "bad_round"),
        (record(1, round=""), "bad_round"),
        (record(1, round="173~2"), "bad_round"),
        (GOOD.replace(b'"id":"r-1"', b'"id":"r-1","id":"r-2"'), "key_twice"),
        (GOOD.replace(b'"id":"r-1"', b'"sequence":"5"'), "key_twice"),
        (GOOD.replace(b'"id":"r-1"', b'"extra":{"a":1,"a":2}'), "key_twice"),
        (record(1, subject="house/brno", type="HS.StaffRegistered.v1"), "not_yours"),
        (record(1, subject="import/0123"), "not_yours"),
        (record(1, subject="quarantine/2026-11-28"), "not_yours"),
        (record(1, subject="elsewhere"), "not_yours"),
        (record(1, source="/recoup"), "not_yours"),
        (record(1, source="/recoup/import/phh/1"), "not_yours"),
    ],
)
def test_what_has_no_place_is_named(raw: bytes, reason: str) -> None:
    assert reason_of(raw) == reason


@pytest.mark.parametrize(
    "raw",
    [
        GOOD,
        json.dumps(json.loads(GOOD), indent=1).encode(),
        b"  " + GOOD + b"\t",
        record(1, id=None),
        record(1, id=17),
        record(1, data=None),
        record(1, data=[1, 2]),
        record(1, round=None),
        GOOD.replace(b'"round":"173"', b'"round":null'),
        record(1, sequence="1"),
        record(1, sequence="0" * 300 + "1"),
        record(1, sequence=str(2**53 - 1)),
        record(1, traceparent="00-ab"),
        record(1, time="2099-01-01T00:00:00Z"),
        record(1, time="2026-11-28T21:14:05+01:00"),
        record(1, time="2026-11-28T21:14:05.120456789+01:00"),
        record(1, type="Nobody.Knows.v9"),
        record(1, data={"amount": -1.5}),
        GOOD.replace(b'"d-17"', b"1e999"),
        GOOD.replace(b'"d-17"', b'"{\\"a\\":1}"'),
        GOOD.replace(b'"d-17"', "žluť".encode()).replace("žluť".encode(), b'"' + "žluť".encode() + b'"'),
        GOOD.replace(b'"person":"d-17"', b'"person":"d-17","person":"d-18"'),
        record(1, subject="tournament/brno/T1"),
        record(1, subject="desk/brno/D1/2026-11-28.1"),
    ],
)
def test_what_has_a_place_is_stored(raw: bytes) -> None:
    assert reason_of(raw) == "stored"


def test_a_line_too_long_is_known_by_its_digest_and_length() -> None:
    _groups, rejected = Reader(from_outside).read([Oversized(b"{", b"\1" * 32, 5_000_000)])
    assert rejected[0][1].reason == "too_long"
    assert "5000000 bytes" in rejected[0][1].detail


def test_importers_write_imported_hands_and_nothing_else() -> None:
    hand = record(1, subject="import/ab12", source="/recoup/import/phh/1")
    groups, rejected = Reader(from_importer).read([hand, GOOD, record(1, subject="import/ab12", source="/recoup")])
    assert list(groups) == [("import/ab12", "/recoup/import/phh/1")]
    assert [why.reason for _arrival, why in rejected] == ["not_yours", "not_yours"]


def test_one_record_of_another_version_does_not_speak_for_its_source() -> None:
    groups, rejected = Reader(from_outside).read([record(1, specversion="0.3"), record(2)])
    assert len(groups[SUBJECT, SOURCE]) == len(rejected) == 1


def test_records_are_grouped_by_source_in_order_of_arrival() -> None:
    lines = [record(2), record(1, source="/brno/wheel"), b"junk", record(1)]
    groups, rejected = Reader(from_outside).read(lines)
    assert [(one[0], one[1]) for one in groups[SUBJECT, SOURCE]] == [(2, 0), (1, 3)]
    assert [arrival for arrival, _why in rejected] == [2]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


def written_with_a_key_twice(data: dict[str, object], key: str, gap: str) -> bytes:
    pairs = [*data.items(), (key, 1)]
    inner = ",".join(f"{json.dumps(name)}{gap}:{json.dumps(value)}" for name, value in pairs[:-1])
    inner += f",{json.dumps(key)}:1"
    return record(1, data={"@": 0}).replace(b'{"@":0}', f"{{{inner}}}".encode())


@given(
    st.dictionaries(st.text(max_size=4), json_values, max_size=4),
    st.booleans(),
    st.booleans(),
    st.sampled_from([(",", ":"), (", ", ": "), (" ,", " :")]),
    st.sampled_from(["", " ", "\n", "\t", "\r", "  "]),
)
def test_a_key_twice_is_found_and_only_then(
    data: dict[str, object], by_name: bool, ascii_only: bool, separators: tuple[str, str], gap: str
) -> None:
    once = json.dumps(
        json.loads(record(1, data=data)), sort_keys=by_name, ensure_ascii=ascii_only, separators=separators
    ).encode()
    assert doubled_keys(once, decode(once)) == Doubled(False, False)
    assert reason_of(once) == "stored"
    for key in data:
        twice = written_with_a_key_twice(data, key, gap)
        assert doubled_keys(twice, decode(twice)) == Doubled(False, True)
        assert reason_of(twice) == "stored"
        outside = once.replace(b"{", b'{"subject"%s:"x",' % gap.encode(), 1)
        assert reason_of(outside) == "key_twice"


def test_a_key_twice_deep_in_the_data_is_found() -> None:
    deep = record(1, data={"@": 0}).replace(b'{"@":0}', b'{"a":[{"b":{"c":1,"c":2}}]}')
    assert doubled_keys(deep, decode(deep)) == Doubled(False, True)


def test_a_key_twice_under_another_spelling_is_found() -> None:
    spelt = record(1, data={"@": 0}).replace(b'{"@":0}', b'{"a":1,"\\u0061":2}')
    assert doubled_keys(spelt, decode(spelt)) == Doubled(False, True)


@given(
    st.datetimes().map(lambda at: at.isoformat(timespec="milliseconds"))
    | st.datetimes().map(lambda at: at.isoformat(timespec="microseconds"))
    | st.datetimes().map(lambda at: at.isoformat(timespec="seconds")),
    st.sampled_from(["Z", "+01:00", "-11:30", "", "+1:00", "z"]),
    st.data(),
)
def test_times_kept_by_the_minute_are_those_of_the_clock(text: str, offset: str, data: st.DataObject) -> None:
    times = Times()
    for _ in range(3):
        written = text + offset
        cut = data.draw(st.integers(0, len(written)), label="cut")
        for candidate in (written, written[:cut] + "x" + written[cut + 1 :], written[:cut]):
            try:
                expected: int | None = parse_time(candidate)
            except ValueError:
                expected = None
            try:
                found: int | None = times.ms(candidate)
            except ValueError:
                found = None
            assert found == expected


@given(st.binary(max_size=60) | st.integers(0, len(GOOD)).map(lambda cut: GOOD[:cut] + b"\x00" + GOOD[cut:]))
def test_no_bytes_make_the_reader_fail(raw: bytes) -> None:
    groups, rejected = Reader(from_outside).read([raw])
    assert len(groups) + len(rejected) == 1


def test_the_struct_and_the_standard_library_agree_on_a_record() -> None:
    assert msgspec.to_builtins(decode(GOOD))["data"] == json.loads(GOOD)["data"]
