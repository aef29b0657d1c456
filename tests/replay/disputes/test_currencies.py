"""A stake in euro at a table that plays in crowns, in every room whose stakes may name a currency: it is judged, ruled on
and paid back in euro, and no sum holds both."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from random import Random

import pytest
from msgspec.structs import replace

from cli import assembly
from events.errors import Refused
from events.schema.envelope import Envelope
from games.night import Table, night
from games.verdict import Verdict, nets_of
from projections import Views
from projections.night import night as reconciled
from projections.night import records_of
from replay.disputes import desk
from replay.disputes.desk import Session, Wish
from replay.disputes.dispute import read_dispute
from replay.disputes.effects import AS_DUE, Effects
from replay.disputes.verdicts import verdicts
from tests.games.foreign import ROOMS, SPOTS, euro, take
from tests.projections.nights import viewed
from tests.replay.disputes.house import house, issued, proposed

OWN = Wish(ground="euro_taken", remedy="void", scope="round", standard="fact", basis="management")
"""A round voided on a ground of management's own, which every room's book leaves it."""


def evening(room: str, seed: int = 5) -> list[Envelope]:
    return list(assembly.rooms()[room].deal(3, seed))


def address(records: list[Envelope]) -> str:
    first = next(one for one in records if one.round)
    return f"{first.subject}#{first.round}"


def settled(verdict: Verdict) -> dict[str, dict[str, int]]:
    """Currency → player → net on record, those of nothing left out."""
    assert verdict.recorded is not None
    nets = {
        unit: {who: net for who, net in own.items() if net} for unit, own in nets_of(verdict.recorded.lines).items()
    }
    return {unit: own for unit, own in nets.items() if own}


def by_currency(came: Effects) -> dict[str, dict[str, int]]:
    return {unit: own for unit, own in {"": came.amounts, **came.foreign}.items() if own}


@pytest.mark.parametrize("room", ROOMS)
def test_a_voided_round_pays_euro_back_in_euro(room: str) -> None:
    records, player = euro(evening(room), SPOTS[room], take(10_000))
    with house(records) as book:
        (verdict,) = verdicts(book, [address(records)]).values()
        assert verdict.player_differences == {}
        assert verdict.foreign_differences == {"EUR": {player: 10_000}}
        assert {one.remedy.get("currency") for one in verdict.findings if one.kind in ("void", "mispaid")} == {"EUR"}
        made, came = proposed(book, address(records), wish=OWN)
        assert came.foreign == {"EUR": {player: 10_000}}
        assert came.foreign_sides["EUR"][0].win == 10_000
        assert came.foreign_sides["EUR"][1].win == 0
        assert sum(came.amounts.values()) == came.before.win - came.after.win
        assert [one.currency for one in came.stakes if one.stake == "euro"] == ["EUR"]
        done = issued(book, made.id)
        assert done.open_foreign == {"EUR": {player: 10_000}}
        at = Session(book, "novakova")
        for who, amount in done.open_amounts.items():
            desk.settle(at, made.id, who, "paid" if amount > 0 else "received", reason="at the desk")
        with pytest.raises(Refused, match=f"still owes or is owed: {player}"):
            desk.close(at, made.id, "settled", "done")
        with pytest.raises(Refused) as refused:
            desk.settle(at, made.id, player, "paid", reason="at the desk")
        assert refused.value.hint == "--currency EUR"
        paid = desk.settle(at, made.id, player, "paid", currency="EUR", reason="100 euro at the desk")
        assert (paid.open_amounts, paid.open_foreign) == ({}, {})


@pytest.mark.parametrize("room", ROOMS)
def test_a_correction_owes_only_the_euro(room: str) -> None:
    records, player = euro(evening(room), SPOTS[room], take(10_000))
    with house(records) as book:
        _made, came = proposed(book, address(records), wish=Wish(ground="table_error", remedy=AS_DUE))
        assert (came.amounts, came.foreign) == ({}, {"EUR": {player: 10_000}})
        assert came.before == came.after


def test_euro_may_be_stated_and_are_kept_apart_from_crowns() -> None:
    records, player = euro(evening("blackjack"), SPOTS["blackjack"], take(10_000))
    wish = replace(OWN, remedy="return", stated={player: 500}, foreign={"EUR": {player: 10_000}})
    with house(records) as book:
        made, came = proposed(book, address(records), wish=wish)
        assert (came.amounts, came.foreign) == ({player: 500}, {"EUR": {player: 10_000}})
        assert came.before.win - came.after.win == 500
        assert issued(book, made.id).open_foreign == {"EUR": {player: 10_000}}
        assert read_dispute(book.log, made.id).open_amounts == {player: 500}


def chances(room: str) -> Iterator[tuple[list[Envelope], str]]:
    """Evenings with a euro stake of some amount that was lost, returned in part, or won on, by chance."""
    rng = Random(f"euro {room}")
    for seed in range(4):
        amount = rng.randrange(1, 500) * 100
        back = rng.choice((0, amount, rng.randrange(amount)))
        moves = [("box/euro", "float", amount - back, "take"), ("box/euro", "player/{player}", back, "return")]
        if rng.random() < 0.5:
            moves.append(("float", "player/{player}", rng.randrange(1, 9) * 100, "win"))
        yield euro(evening(room, seed), SPOTS[room], [move for move in moves if move[2]], amount=amount)


@pytest.mark.parametrize("room", ROOMS)
def test_by_currency_a_void_undoes_what_was_settled(room: str) -> None:
    for records, _player in chances(room):
        with house(records) as book:
            (verdict,) = verdicts(book, [address(records)]).values()
            _made, came = proposed(book, address(records), wish=OWN)
        was = settled(verdict)
        undone = {unit: {who: -net for who, net in own.items()} for unit, own in was.items()}
        assert by_currency(came) == undone
        for unit, (before, after) in {"": (came.before, came.after), **came.foreign_sides}.items():
            assert (before.win, after.win) == (-sum(was.get(unit, {}).values()), 0)


def test_a_nights_win_of_the_table_is_without_the_euro_and_they_have_a_row_and_an_exception() -> None:
    day = date(2026, 11, 28)
    records = [*night(assembly.rooms(), day.isoformat(), 3, floor=(Table("blackjack", "BJ-1"),)).records]
    at_the_table = [one for one in records if one.subject.startswith("table/")]
    changed, player = euro(at_the_table, SPOTS["blackjack"], take(10_000))
    with viewed(records) as views:
        (before,) = reconciled(views, "brno", day).tables
    with viewed([one for one in records if one not in at_the_table], changed) as views:
        account = reconciled(views, "brno", day)
        crowns, euros = account.tables
        assert crowns == before
        assert (euros["currency"], euros["bets"], euros["staked_minor"], euros["game_win_minor"]) == (
            "EUR", 1, 10_000, 10_000,
        )  # fmt: skip
        assert (euros["win_minor"], euros["chip_difference_minor"], euros["rounds"], euros["sessions"]) == (
            None,
            None,
            0,
            1,
        )
        (chips,) = [one for one in account.exceptions if one["kind"] == "foreign"]
        assert (chips["currency"], chips["difference_minor"]) == ("EUR", 10_000)
        assert [one["currency"] for one in records_of(views, chips)] == ["EUR"]
        told = views.query(
            f"SELECT player, currency, staked_minor, difference_minor FROM rpt_player_day WHERE player = '{player}' "
            "ORDER BY currency"
        ).rows
        assert told[1] == (player, "EUR", 10_000, 10_000)
        assert told[0][3] == 0
        rounds = views.query("SELECT DISTINCT other_currencies FROM fct_round ORDER BY 1").rows
        assert rounds == [([],), (["EUR"],)]
        assert views.query(
            "SELECT currency, sum(amount_minor) FROM fct_chip_move WHERE stake = 'euro' GROUP BY 1"
        ).rows == [("EUR", 20_000)]
        assert views.query("SELECT DISTINCT currency FROM fct_finding WHERE about = 'euro'").rows == [("EUR",)]


def test_a_ruling_in_two_currencies_has_a_figure_for_each_and_what_it_moved_comes_back_under_another() -> None:
    asked = "SELECT currency, owed_minor, win_effect_minor, settled_minor, open_players FROM rpt_ruling_day ORDER BY 1"
    records, player = euro(evening("caribbean_stud"), SPOTS["caribbean_stud"], take(10_000))
    with house(records) as book:
        made, came = proposed(book, address(records), wish=OWN)
        issued(book, made.id)
        at = Session(book, "novakova")
        desk.settle(at, made.id, player, "paid", currency="EUR", reason="at the desk")
        with Views.open(book.log, book, ":memory:", threads=1) as views:
            views.catch_up()
            owed = sum(came.amounts.values())
            assert views.query(asked).rows == [
                ("CZK", owed, -owed, 0, len(came.amounts)), ("EUR", 10_000, -10_000, 10_000, 0),
            ]  # fmt: skip
            desk.adjudicate(at, made.id)
            desk.propose(at, made.id, replace(OWN, remedy="penalty", players=(player,)), "it was not his")
            assert issued(book, made.id).open_foreign == {"EUR": {player: -10_000}}
            views.catch_up()
            assert views.query(asked).rows == [("CZK", 0, 0, 0, 0), ("EUR", 0, 0, 10_000, 1)]
