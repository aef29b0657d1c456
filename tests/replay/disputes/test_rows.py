"""Every row of every void-and-refund matrix, played and ruled on: what it reaches, and each player's money to the unit.

The trigger is planted at a table, surveillance opens the dispute and has it judged, one manager proposes, a second one
approves, and the ruling is issued; a row that gives nobody a ruling refuses every try.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import date

import pytest

from cli import assembly
from events.errors import Refused
from events.values.money import amount_text, parse_amount
from games.casebook import Casebook
from games.registry import shipped_editions
from games.shared.matrix import rows_for
from games.verdict import Verdict
from replay.disputes import desk
from replay.disputes.desk import Session, Wish
from replay.disputes.dispute import read_dispute
from replay.disputes.effects import Effects, Money
from tests.games.table import with_parameters
from tests.replay.disputes.evenings import FILES, Row, Try, all_rows, catalogue_rows, evening, parameters_of, rows_of
from tests.replay.disputes.house import accept, house, issued, opened

ROWS = [
    pytest.param(room, number, row, id=f"{room}: {row.row[:60]}{f' ({row.name})' if row.name else ''}")
    for room, number, row in all_rows()
]


@pytest.fixture(scope="module")
def books() -> Iterator[Callable[[str], Casebook]]:
    """A house for all rows of a room that need none of their own."""
    with ExitStack() as stack:
        found: dict[str, Casebook] = {}

        def of(room: str) -> Casebook:
            if room not in found:
                found[room] = stack.enter_context(house())
            return found[room]

        yield of


def wish_of(one: Try) -> Wish:
    stated = {player: parse_amount(amount) for player, amount in one.stated.items()}
    return Wish(
        ground=one.ground, remedy=one.remedy, scope=one.scope, standard=one.standard, players=one.players,
        bets=one.bets, basis=one.basis, stated=stated,
    )  # fmt: skip


@pytest.mark.parametrize(("room", "number", "row"), ROWS)
def test_a_row_is_ruled_on_as_the_catalogue_says(books: dict[str, Casebook], room: str, number: int, row: Row) -> None:
    parameters = parameters_of(room, row)
    if not parameters:
        ruled(books(room), room, number, row)
        return
    with house() as book:
        toml = next(text for name, file, text in shipped_editions() if name == room and file != "import.toml")
        book.adopt("brno", with_parameters(toml, parameters, assembly.rooms()[room]), date(2026, 1, 1))
        ruled(book, room, number, row)


def ruled(book: Casebook, room: str, number: int, row: Row) -> None:
    """Plays a row from the first record to the issued ruling."""
    records = evening(room, row, f"{room}-{number}")
    subject = records[0].subject
    accept(book.log, records)
    address = f"{subject}#{row.round}"
    before = book.judge_round(subject, row.round)
    assert {one.code for one in before.findings if one.kind != "mispaid"} == set(row.found)
    assert before.standing == row.standing
    between = {one.player: amount_text(one.money) for one in book.judge(subject).between if one.money}
    assert between == row.between
    made = opened(book, address)
    manager = Session(book, "novakova")
    for one in row.refused:
        with pytest.raises(Refused, match=one.says):
            desk.propose(manager, made.id, wish_of(one), "try")
    assert read_dispute(book.log, made.id).version == made.version
    if row.rule is None:
        assert row.refused
        return
    found, came = desk.propose(manager, made.id, wish_of(row.rule), "seen")
    assert found.proposed is not None
    reached = [text.removeprefix(f"{subject}#") for text in found.proposed.rounds]
    assert reached == list(row.rounds or (row.round,))
    assert found.proposed.basis == row.basis
    told = {f"{who} {unit}".rstrip(): amount_text(own[who]) for unit, own in sums_of(came).items() for who in own}
    assert told == row.amounts
    if row.win is not None:
        assert (amount_text(came.before.win), amount_text(came.after.win)) == row.win
    if row.rake is not None:
        assert (amount_text(came.before.rake), amount_text(came.after.rake)) == row.rake
    done = issued(book, made.id)
    assert {"": done.open_amounts, **done.open_foreign} == sums_of(came)
    for name in reached:
        after = book.judge_round(subject, name)
        assert after.standing == row.after
        check_money(row, before, after, sums_of(came))


def sums_of(came: Effects) -> Money:
    """Currency (empty: the table's) → player → what he gets or owes."""
    return {"": came.amounts, **came.foreign}


def check_money(row: Row, before: Verdict, after: Verdict, amounts: Money) -> None:
    """What the judge says once the ruling is on record is what the ruling said, and nobody asks for a person again."""
    assert row.rule is not None
    assert not [one for one in after.findings if one.code in ("ruling_invalid", "ruling_overtaken")]
    upheld = row.rule.remedy == "valid" and before.player_differences  # what was paid wrongly anyhow stays told
    whole = (
        not upheld
        and row.rule.remedy not in ("return", "forfeit", "penalty")
        and not row.rule.players
        and not row.rule.bets
    )
    if whole and after.recorded is not None and len(row.rounds) < 2:
        assert {"": after.player_differences, **(after.foreign_differences or {})} == amounts


@pytest.mark.parametrize("room", FILES)
def test_every_row_of_the_catalogue_is_played(room: str) -> None:
    wanted = catalogue_rows(room)
    if not wanted:
        pytest.skip("no ../shared beside this checkout: rows cannot be compared with the catalogues")
    assert len(wanted) >= 14
    played = dict.fromkeys(row.row for row in rows_of(room) if not row.row.startswith("("))
    assert list(played) == wanted


@pytest.mark.parametrize("room", FILES)
def test_every_row_that_gives_management_a_ruling_is_ruled_on(room: str) -> None:
    used = {row.rule.ground for row in rows_of(room) if row.rule is not None}
    matrix = assembly.rooms()[room].matrix
    tried = [row for ground in used for row in rows_for(matrix, ground)]
    given = [row for row in matrix if row.grounds and row.decides in ("management", "complaints")]
    assert [row.trigger for row in given if row not in tried] == []
