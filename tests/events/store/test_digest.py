"""Same facts, same digest, whoever wrote the JSON; other facts, another."""

from __future__ import annotations

import json

import pytest

from events.store.digest import facts_digest
from tests.events.store.records import record

BASE = record(1, round="5", data={"amount": 500, "bets": [{"n": 17}], "who": "p-1"})


@pytest.mark.parametrize(
    "same",
    [
        json.dumps(json.loads(BASE), indent=2, sort_keys=True).encode(),
        BASE.replace(b'"who"', b'"\\u0077ho"'),
        BASE.replace(b'"id":"r-1"', b'"id":"another"'),
        BASE.replace(b"21:14:00.037+01:00", b"20:14:00.037Z"),
        BASE.replace(b"21:14:00.037+01:00", b"21:14:00.037999+01:00"),
        BASE.replace(b"500", b"500.0"),
        BASE.replace(b"500", b"5e2"),
        BASE.replace(b'"0000000000000001"', b'"1"'),
        BASE.replace(b'"id"', b'"traceparent":"00","id"'),
    ],
)
def test_the_same_facts_written_otherwise_have_one_digest(same: bytes) -> None:
    assert same != BASE
    assert facts_digest(same) == facts_digest(BASE)


@pytest.mark.parametrize(
    "other",
    [
        BASE.replace(b"500", b"501"),
        BASE.replace(b"500", b"500.5"),
        BASE.replace(b"500", b'"500"'),
        BASE.replace(b"500", b"true"),
        BASE.replace(b"037+01:00", b"038+01:00"),
        BASE.replace(b'"round":"5"', b'"round":"6"'),
        BASE.replace(b',"round":"5"', b""),
        BASE.replace(b"DealerSeated", b"DealerRelieved"),
        BASE.replace(b'"amount":500', b'"amount":9,"amount":500'),
    ],
)
def test_other_facts_have_another_digest(other: bytes) -> None:
    assert other != BASE
    assert facts_digest(other) != facts_digest(BASE)


def test_the_hidden_one_of_a_key_twice_counts() -> None:
    first, second = (BASE.replace(b'"amount":500', b'"amount":%d,"amount":500' % hidden) for hidden in (7, 8))
    assert facts_digest(first) != facts_digest(second)
    assert facts_digest(first) == facts_digest(first.replace(b'"id":"r-1"', b'"id":"x"'))


def test_true_and_one_are_different_facts() -> None:
    assert facts_digest(record(1, data={"a": 1})) != facts_digest(record(1, data={"a": True}))


def test_a_state_that_is_no_record_has_the_digest_of_its_bytes() -> None:
    assert facts_digest(b"state1") != facts_digest(b"state2")
