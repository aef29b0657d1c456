"""Nights of a house in a log, what was planted in their books, and what the reconciliation finds of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from random import Random

from cli import assembly
from events.errors import Refused
from events.schema.envelope import Envelope, canonical
from events.schema.ours import RulingApplied
from events.store import Draft, Log, Origin
from games.night import KINDS, Night, night
from projections import Views
from projections.night import night as reconciled

Row = tuple[str, str]
"""Kind and place of an exception."""

_FIRST = date(2026, 11, 1)
_TRIES = 50


def accept(log: Log, records: Iterable[Envelope]) -> None:
    assert log.accept([canonical(record) for record in records], Origin(kind="test")).stored


@contextmanager
def viewed(*records: Iterable[Envelope]) -> Iterator[Views]:
    """A caught-up view of a log with these records."""
    with Log.open(":memory:", assembly.catalogue(), create=True) as log:
        book = assembly.casebook(log)
        book.adopt_shipped()
        for some in records:
            accept(log, some)
        with Views.open(log, book, ":memory:", threads=1) as views:
            views.catch_up()
            yield views


def expected(planted: Night) -> set[tuple[str, str]]:
    """Kind and place of what must be found of a night."""
    named = {"slip_amount": "slip", "void": "round"}
    return {(named.get(one.kind, one.kind), one.place) for one in planted.planted}


def found(views: Views, day: date) -> list[tuple[str, str]]:
    """Kind and place of each exception."""
    kinds = {"called_off": "round", "paid_otherwise": "round", "undecided": "round"}
    return [
        (kinds.get(row["kind"], row["kind"]), row["about"] if row["kind"] in ("slip", *kinds) else row["subject"])
        for row in reconciled(views, "brno", day).exceptions
    ]


def nights_in_a_row(seed: int, count: int) -> list[tuple[list[Row], list[Row]]]:
    """`count` nights of a house, mistakes of all kinds in its books and rulings: of each what was planted, and found."""
    rng = Random(f"nights {seed}")
    planted: list[list[Row]] = []
    dealt: list[Night] = []
    for number in range(count):
        day = (_FIRST + timedelta(days=number)).isoformat()
        dealt.append(_dealt(day, seed * count + number, rng, dealt[-1].left if dealt else {}))
        planted.append(sorted(expected(dealt[-1])))
    with viewed(*(one.records for one in dealt)) as views:
        for number, own in enumerate(dealt):
            planted[number] += _rulings(views.log, own, rng)
        views.catch_up()
        days = [_FIRST + timedelta(days=number) for number in range(count)]
        return [(own, found(views, day)) for own, day in zip(planted, days, strict=True)]


def _dealt(day: str, seed: int, rng: Random, left: dict[str, int]) -> Night:
    """A night with some mistakes, or with none; another one where the floor has no place for them."""
    for again in range(_TRIES):
        kinds = [kind for kind in KINDS if rng.random() < 0.3 and (left or kind != "opener")]
        try:
            return night(assembly.rooms(), day, seed * _TRIES + again, rounds=4, plant=kinds, before=left)
        except Refused:
            continue
    raise AssertionError(f"no night of {_TRIES} has a place for what is planted")


def _rulings(log: Log, own: Night, rng: Random) -> list[Row]:
    """Now and then a ruling that is wrong: it names no round of its session, or rests on a verdict nobody gave."""
    written: list[Row] = []
    for rule, chance in (("TB-10", 0.2), ("TB-11", 0.2)):
        if rng.random() > chance:
            continue
        book = own.books[rng.randrange(len(own.books) - 2)]
        subject = book[0].subject
        names = [one.round for one in book if one.round]
        address = f"{subject}#{names[0] if rule == 'TB-10' else 'no-such-round'}"
        if any(place == address for _kind, place in (*written, *((one.kind, one.place) for one in own.planted))):
            continue
        rests = {address: "0" * 64} if rule == "TB-10" else {}
        ruling = RulingApplied(
            f"{rule}-{subject[-12:]}", "table_error", remedy="valid", rounds=(address,), rests_on=rests
        )
        log.author(f"{subject}@/recoup", [Draft(event=ruling)])
        written.append((rule, subject))
    return written
