"""Each check returns no row when all is well, and one when it should."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from events.schema.common import ChipsMoved, FillReceived, TableOpened
from events.store import Log, Origin
from games.casebook import ALWAYS, Casebook
from games.verdict import Line, Pot, Settlement
from projections import Views
from tests.games.table import catalogue_of
from tests.games.toy import GAME, TOML, CoinTossed, HeadsBet, deal
from tests.projections.desk import SUBJECT, TERMINAL, desk_end, fill, imported, open_views, raw, record, send


def returned(views, name):
    return views.query(f"FROM {name}").rows


def test_all_checks_are_silent_over_lawful_sessions(log, views):
    send(log, deal(5, 1))
    send(log, deal(5, 2, table="brno/CO-2"))
    fill(log, "s-1", 500)
    desk_end(log, "s-1", 500)
    imported(log, "a" * 32, "1")
    imported(log, "b" * 32, "2")
    found = views.checks()
    assert len(found) == 7
    assert set(found.values()) == {0}


def test_a_slip_with_one_end_is_found(log, views):
    fill(log, "s-1", 500)
    assert returned(views, "chk_transfer_one_end") == [
        ("TB-09", "brno", "s-1", 1, 1, 500, 500, [SUBJECT], [f"900@{TERMINAL}"])
    ]


def test_two_ends_of_different_amounts_are_found(log, views):
    fill(log, "s-1", 500)
    desk_end(log, "s-1", 400)
    assert [row[2:7] for row in returned(views, "chk_transfer_one_end")] == [("s-1", 2, 2, 400, 500)]


def test_a_slip_written_twice_in_one_book_is_no_second_end(log, views):
    send(log, [record(FillReceived("d1", 500, "s-1"), 1), record(FillReceived("d1", 500, "s-1"), 2)])
    assert [row[2:5] for row in returned(views, "chk_transfer_one_end")] == [("s-1", 2, 1)]


def test_a_slip_of_another_house_is_another_slip(log, views):
    fill(log, "s-1", 500)
    desk_end(log, "s-1", 500)
    elsewhere = record(FillReceived("d1", 500, "s-1"), 1, subject="table/praha/CO-1/1", source="/praha/x")
    send(log, [elsewhere])
    assert [row[1] for row in returned(views, "chk_transfer_one_end")] == ["praha"]


def test_a_sites_hand_id_used_twice_is_found(log, views):
    imported(log, "a" * 32, "271")
    imported(log, "b" * 32, "271")
    imported(log, "c" * 32, "272")
    found = returned(views, "chk_site_hand_twice")
    assert found == [("TB-14", "a site", "271", 2, [f"import/{'a' * 32}", f"import/{'b' * 32}"])]


def test_a_box_that_gave_more_than_it_got_is_found(log, views):
    send(log, [record(HeadsBet("b1", "p-1", 100), 1), record(ChipsMoved("box/b1", "float", 150, "take", "b1"), 2)])
    assert returned(views, "chk_chips_conserved") == [(SUBJECT, None, "box/b1", -50)]


def test_a_pot_that_is_not_emptied_is_found_and_an_unsettled_one_is_not(log, views):
    moves = [
        record(ChipsMoved("seat/1", "pot", 100, "stake", "seat/1"), 1, round_name="1"),
        record(ChipsMoved("pot", "seat/2", 90, "award", "seat/2"), 2, round_name="1"),
        record(ChipsMoved("seat/1", "pot", 100, "stake", "seat/1"), 3, round_name="2"),
    ]
    send(log, moves)
    assert returned(views, "chk_chips_conserved") == [(SUBJECT, "1", "pot", 10)]


def test_a_session_that_could_not_be_judged_is_found(log, views):
    send(log, [record(TableOpened("whist", "WH", "CZK"), 1)])
    found = returned(views, "chk_session_judged")
    assert [(row[0], row[2]) for row in found] == [(SUBJECT, "whist")]
    assert "no room plays `whist`" in found[0][4]


def test_a_record_that_cannot_be_read_is_found(log, views):
    line = raw([record(HeadsBet("b1", "p-1", 100), 1)])[0].replace(b'"bet"', b'"bett"')
    log.accept([line], Origin("stdin"))
    assert [row[:3] for row in returned(views, "chk_record_unread")] == [("TB-03", SUBJECT, f"1@{TERMINAL}")]


@pytest.mark.parametrize(
    "damage",
    ["DELETE FROM record WHERE idx = 4", "INSERT INTO record SELECT * FROM record WHERE idx = 4"],
)
def test_a_view_that_lost_or_doubled_a_row_is_found(log, views, damage):
    send(log, deal(2, 1))
    views.catch_up()
    views._db.execute(damage)
    assert {row[0] for row in returned(views, "chk_log_dense")} == {None, f"{SUBJECT}@{TERMINAL}"}
    views.rebuild()
    assert returned(views, "chk_log_dense") == []


def unfair(lines: tuple[Line, ...], pots: tuple[Pot, ...] = ()) -> type[Settlement]:
    """The toy room with a settlement of our own making."""
    return replace(GAME, due=lambda _round: Settlement(lines=lines, pots=pots))


@pytest.mark.parametrize(
    ("lines", "pots", "found"),
    [
        ((Line(stake="b1", player="p", staked=100, taken=60, returned=30),), (), ("due", 1, 100, 90)),
        (
            (Line(stake="seat/1", player="p", staked=100, taken=100, paid=90),),
            (Pot(name="main", amount=100, eligible=("seat/1",)),),
            ("pots", 1, 100, 90),
        ),
    ],
)
def test_a_settlement_that_does_not_add_up_is_found(log, lines, pots, found):
    room = unfair(lines, pots)
    catalogue = catalogue_of(room)
    with Log.open(":memory:", catalogue, create=True) as own:
        book = Casebook(own, {room.name: room}, catalogue)
        book.adopt("*", TOML, ALWAYS)
        send(own, deal(1, 1))
        with open_views(own, book) as views:
            assert returned(views, "chk_settlement_conserved") == [(f"{SUBJECT}#1", *found)]


def test_a_stake_left_lying_from_one_round_to_the_next_is_lawful(log, views):
    told = [
        record(TableOpened("coin", "CO", "CZK"), 1),
        record(HeadsBet("b1", "p-1", 100), 2, round_name="1"),
        record(CoinTossed("tails"), 3, round_name="2"),
        record(ChipsMoved("box/b1", "float", 100, "take", "b1"), 4, round_name="2"),
    ]
    send(log, told)
    assert returned(views, "chk_settlement_conserved") == returned(views, "chk_chips_conserved") == []


def test_checks_are_named_by_their_files(views: Views) -> None:
    assert list(views.checks()) == sorted(view.name for view in views.tables() if view.layer == "checks")
