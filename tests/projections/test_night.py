"""A house's nights by its dealers: what is planted in the books is found, by one exception each, and nothing else is."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from typing import ClassVar

import pytest
from msgspec.structs import replace

from cli import assembly
from events.errors import Refused
from events.schema import common as tb
from events.schema.catalogue import Catalogue
from events.schema.envelope import Envelope
from events.schema.ours import Ruling, RulingApplied
from games.night import FLOOR, KINDS, SHORT, Kind, Night, Table, night
from projections import Views
from projections.night import NothingPlayed, book_of, changes, late_records, records_of
from projections.night import night as reconciled
from tests.projections.nights import accept, expected, found, nights_in_a_row, viewed

FIRST, SECOND = date(2026, 11, 28), date(2026, 11, 29)
ONE_TABLE = (Table("holdem", "NL-1"),)


@lru_cache(maxsize=8)
def two_nights(seed: int, *plant: Kind, tables: int = len(FLOOR)) -> tuple[Night, Night]:
    """Two nights one after the other, mistakes in the second."""
    floor = FLOOR[:tables]
    first = night(assembly.rooms(), FIRST.isoformat(), seed, floor=floor)
    second = night(assembly.rooms(), SECOND.isoformat(), seed + 1, floor=floor, plant=plant, before=first.left)
    return first, second


@pytest.mark.parametrize("seed", [1, 20])
def test_every_mistake_planted_is_found_by_one_exception_and_nothing_else_is(seed):
    first, second = two_nights(seed, *KINDS)
    with viewed(first.records, second.records) as views:
        assert found(views, FIRST) == []
        assert sorted(found(views, SECOND)) == sorted(expected(second))
        for row in reconciled(views, "brno", SECOND).exceptions:
            assert row["difference_minor"] in (-SHORT, None)
            assert {record["cite"] for record in records_of(views, row)} >= set(row["cites"]) != set()


def test_nights_in_a_row_with_wrong_rulings_too_have_what_was_planted_and_nothing_else():
    planted, seen = zip(*nights_in_a_row(7, 2), strict=True)
    assert [sorted(one) for one in seen] == [sorted(one) for one in planted]
    assert {kind[:2] for night_ in planted for kind, _place in night_} >= {"TB"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_mistake_alone_is_found_alone(kind):
    first, second = two_nights(5, kind, tables=4)
    with viewed(first.records, second.records) as views:
        assert found(views, SECOND) == list(expected(second))


def test_a_nights_win_differs_from_the_games_by_cash_chips_and_rake():
    first, second = two_nights(1, "float", "drop", "rake")
    with viewed(first.records, second.records) as views:
        for day, apart in ((FIRST, 0), (SECOND, 3)):
            tables = reconciled(views, "brno", day).tables
            assert len(tables) == len(FLOOR)
            for row in tables:
                parts = ("cash_difference_minor", "chip_difference_minor", "rake_difference_minor", "other_minor")
                assert row["win_minor"] - row["game_win_minor"] == sum(row[name] for name in parts)
                counted = row["closing_minor"] + row["credit_minor"] + row["drop_minor"] + row["rake_box_minor"]
                assert row["win_minor"] == counted - row["opening_minor"] - row["fill_minor"]
            assert sum(row["win_minor"] != row["game_win_minor"] for row in tables) == apart


def test_computed_twice_and_after_a_rebuild_it_is_the_same():
    first, second = two_nights(1, "float", "slip", tables=4)
    with viewed(first.records, second.records) as views:
        once = reconciled(views, "brno", SECOND)
        assert reconciled(views, "brno", SECOND) == once
        views.rebuild()
        assert reconciled(views, "brno", SECOND) == once
    with viewed(second.records, first.records) as views:  # another order of arrival
        again = reconciled(views, "brno", SECOND)
        assert [row["id"] for row in again.exceptions] == [row["id"] for row in once.exceptions]
        assert again.digest == once.digest


def without(records: Iterable[Envelope], *topics: str) -> list[Envelope]:
    """The records of one source without some, its counter closed up."""
    kept = [one for one in records if one.type not in topics]
    return [replace(one, sequence=str(number)) for number, one in enumerate(kept, 1)]


@pytest.mark.parametrize(
    ("left_out", "kind", "about"),
    [
        (tb.DropBoxCounted.TOPIC, "not_counted", "drop box box-200"),
        (tb.RakeBoxCounted.TOPIC, "not_counted", "rake box"),
        (tb.TableClosed.TOPIC, "not_closed", None),
    ],
)
def test_what_nobody_counted_or_closed_is_an_exception(left_out, kind, about):
    records = without(night(assembly.rooms(), FIRST.isoformat(), 1, floor=ONE_TABLE, rounds=12).records, left_out)
    table = [one for one in records if one.subject.startswith("table/")]
    with viewed(without(table), [one for one in records if one.subject.startswith("desk/")]) as views:
        told = reconciled(views, "brno", FIRST)
        assert [(row["kind"], row["about"]) for row in told.exceptions if row["unit"] == "NL-1"][:1] == [(kind, about)]
        if kind == "not_counted":
            assert told.tables[0]["win_minor"] is None


def test_a_table_of_the_day_before_without_a_session_is_an_exception():
    first = night(assembly.rooms(), FIRST.isoformat(), 1, floor=FLOOR[:2], rounds=2)
    second = night(assembly.rooms(), SECOND.isoformat(), 2, floor=FLOOR[:1], rounds=2, before=first.left)
    with viewed(first.records, second.records) as views:
        assert [(row["kind"], row["unit"]) for row in reconciled(views, "brno", SECOND).exceptions] == [
            ("no_session", "RL-2")
        ]


def test_a_recount_after_the_closer_counts_instead_of_it():
    records = list(night(assembly.rooms(), FIRST.isoformat(), 3, floor=ONE_TABLE, plant=["float"]).books[0])
    at = next(number for number, one in enumerate(records) if one.data.get("kind") == "closer")
    right = replace(
        records[at], data={**records[at].data, "kind": "recount", "amount": records[at].data["amount"] + SHORT}
    )
    records.insert(at + 1, right)
    with viewed(without(records)) as views:
        assert "float" not in {row["kind"] for row in reconciled(views, "brno", FIRST).exceptions}


def test_a_session_cut_at_the_days_end_is_told_up_to_there_and_listed():
    records = list(night(assembly.rooms(), FIRST.isoformat(), 3, floor=ONE_TABLE).books[0])
    (closed,) = (number for number, one in enumerate(records) if one.type == tb.TableClosed.TOPIC)
    cut = [
        replace(one, data={**one.data, "kind": "cut"}) if one.data.get("kind") == "closer" else one for one in records
    ]
    bought = replace(records[closed], type=tb.BuyIn.TOPIC, data={"player": "p-9", "amount": 500})
    with viewed(without([*cut[:closed], bought])) as views:
        told = reconciled(views, "brno", FIRST)
        kinds = [row["kind"] for row in told.exceptions if row["kind"] != "slip"]
        assert kinds == ["not_closed"]
        assert told.tables[0]["chip_difference_minor"] == told.tables[0]["cash_difference_minor"] == 0


def test_a_desk_that_counts_and_tells_no_close_is_no_exception():
    books = night(assembly.rooms(), FIRST.isoformat(), 3, floor=ONE_TABLE).books
    with viewed(*books[:-1], without(books[-1], tb.DeskClosed.TOPIC)) as views:
        assert reconciled(views, "brno", FIRST).exceptions == ()


def test_what_comes_after_the_size_signed_is_late_and_its_figures_have_changed():
    first, second = two_nights(1, "slip")
    missing = night(assembly.rooms(), SECOND.isoformat(), 2, before=first.left)
    with viewed(first.records, second.records) as views:
        before = reconciled(views, "brno", SECOND)
        assert late_records(views, "brno", SECOND, before.size) == []
        ours = missing.books[-2][-1]
        late = replace(ours, type=tb.InventoryCounted.TOPIC, data={"kind": "recount", "amount": 1}, sequence="99")
        accept(views.log, [late])
        views.catch_up()
        after = reconciled(views, "brno", SECOND)
        came = late_records(views, "brno", SECOND, before.size)
        assert [(one.cite, one.book) for one in came] == [(f"99@{late.source}", "main CZK")]
        assert {(one.book, one.figure) for one in changes(before.figures, after.figures)} == {
            ("main CZK", "closing"),
            ("main CZK", "chip_difference"),
        }
        assert after.digest != before.digest


def test_a_float_rests_on_all_its_counts_and_slips():
    first = night(assembly.rooms(), FIRST.isoformat(), 3, floor=FLOOR[2:3], plant=["float"])
    with viewed(first.records) as views:
        (row,) = reconciled(views, "brno", FIRST).exceptions
        counts = [tb.InventoryCounted.TOPIC, tb.FillReceived.TOPIC, tb.CreditSent.TOPIC, tb.DropBoxCounted.TOPIC]
        expected = [f"{int(one.sequence)}@{one.source}" for one in first.books[0] if one.type in counts]
        assert len(expected) > 3
        assert sorted(record["cite"] for record in records_of(views, row)) == sorted(expected)
        book = book_of(views, row["subject"])
        assert (book["expected_minor"], book["closing_minor"]) == (row["expected_minor"], row["found_minor"])


def test_a_round_called_off_without_a_ground_is_told_as_that():
    first = night(assembly.rooms(), FIRST.isoformat(), 3, floor=FLOOR[:1], plant=["void"])
    with viewed(first.records) as views:
        (row,) = reconciled(views, "brno", FIRST).exceptions
        assert (row["kind"], row["standing"]) == ("called_off", "ruling_required")
        assert row["text"].startswith("RL-16: declared for ")


def test_a_round_whose_settlement_nobody_recorded_is_told_as_that():
    records = list(assembly.rooms()["blackjack"].deal(3, 3, table="brno/BJ-1"))
    kept = [one for one in records if one.round != "2" or one.type != tb.ChipsMoved.TOPIC]
    with viewed(without(kept)) as views:
        rows = [row for row in reconciled(views, "brno", FIRST).exceptions if row["about"] == f"{records[0].subject}#2"]
        assert [(row["kind"], row["standing"]) for row in rows] == [("not_settled", "valid")]


def test_of_a_book_that_came_or_went_only_what_is_not_zero_has_changed():
    there = {"RL-1 CZK": {"win": 5, "credit": 0, "closing": None}}
    assert [(one.figure, one.was, one.now) for one in changes({}, there)] == [("win", 0, 5)]
    assert [(one.figure, one.was, one.now) for one in changes(there, {})] == [("win", 5, 0)]
    assert changes(there, there) == []
    counted = {"RL-1 CZK": {"win": 5, "credit": 0, "closing": 0}}
    assert [(one.figure, one.was, one.now) for one in changes(there, counted)] == [("closing", None, 0)]


def test_a_day_without_anything_is_refused_with_days_that_there_are():
    with viewed(night(assembly.rooms(), FIRST.isoformat(), 1, floor=ONE_TABLE, rounds=1).records) as views:
        with pytest.raises(NothingPlayed, match="no table and no desk on 2026-10-24") as caught:
            reconciled(views, "brno", date(2026, 10, 24))
        assert "2026-11-28" in caught.value.hint
        for house, day in (("brmo", date(2026, 10, 24)), ("brno", date(2999, 12, 24))):
            with pytest.raises(Refused, match="no table and no desk") as caught:
                reconciled(views, house, day)
            assert not isinstance(caught.value, NothingPlayed)


def test_a_ruling_stands_apart_from_what_the_table_counted_and_is_open_until_everybody_is_paid():
    from replay.disputes import desk
    from replay.disputes.desk import Session, Wish
    from tests.replay.disputes.house import ROULETTE, house, issued, proposed

    dealt = list(assembly.rooms()["roulette"].deal(4, 3, breach="RL-26", breach_round=1, table="brno/RL-03"))
    with house(dealt) as book, Views.open(book.log, book, ":memory:", threads=1) as views:
        views.catch_up()
        assert "paid_otherwise" in {row["kind"] for row in reconciled(views, "brno", FIRST).exceptions}
        made, came = proposed(book, f"{ROULETTE}#2", wish=Wish(ground="table_error", remedy="correct"))
        issued(book, made.id)
        views.catch_up()
        told = reconciled(views, "brno", FIRST)
        assert [(row["remedy"], row["win_effect_minor"]) for row in told.rulings] == [
            ("correct", -sum(came.amounts.values()))
        ]
        assert [row["kind"] for row in told.exceptions] == ["ruling_open"]
        for player, amount in came.amounts.items():
            desk.settle(Session(book, "dvorak"), made.id, player, "paid" if amount > 0 else "received", reason="done")
        views.catch_up()
        assert reconciled(views, "brno", FIRST).exceptions == ()


@pytest.mark.parametrize("how", ["received", "waived"])
def test_what_is_open_of_a_ruling_that_replaces_another_is_what_its_dispute_says(how):
    from replay.disputes import desk
    from replay.disputes.desk import Session, Wish
    from replay.disputes.dispute import read_dispute
    from tests.replay.disputes.house import ROULETTE, house, issued, proposed

    dealt = list(assembly.rooms()["roulette"].deal(4, 3, breach="RL-26", breach_round=1, table="brno/RL-03"))
    void = Wish(ground="collusion_players", remedy="void", scope="round", standard="suspicion")
    with house(dealt) as book, Views.open(book.log, book, ":memory:", threads=1) as views:
        at = Session(book, "dvorak")

        def agree(made: str) -> dict[str, int]:
            """What is open by the dispute, which the night says too."""
            found = read_dispute(book.log, made)
            views.catch_up()
            told = reconciled(views, "brno", FIRST)
            (row,) = told.rulings
            assert row["open_players"] == len(found.open_amounts)
            open_now = ["ruling_open"] if found.open_amounts else []
            assert [one["kind"] for one in told.exceptions if one["kind"] == "ruling_open"] == open_now
            shown = views.query(
                "SELECT player, open_minor FROM fct_ruling_amount WHERE open_minor <> 0 ORDER BY player"
            ).rows
            assert dict(shown) == found.open_amounts
            return found.open_amounts

        made = issued(book, proposed(book, f"{ROULETTE}#2", wish=void)[0].id).id
        for player, amount in agree(made).items():
            desk.settle(at, made, player, "paid" if amount > 0 else how, reason="done")
        assert not agree(made)
        for remedy in ("valid", "void"):  # upheld: what was paid comes back; void again: what was dealt with stands
            desk.adjudicate(at, made)
            desk.propose(Session(book, "novakova"), made, replace(void, remedy=remedy), "otherwise")
            issued(book, made)
            assert bool(agree(made)) == (remedy == "valid")


class _Before(Ruling, frozen=True):
    """`RulingApplied` as it was written before it had `freed`: what was free again stood in `rounds`, as corrected."""

    TOPIC: ClassVar[str] = RulingApplied.TOPIC
    freed: ClassVar[tuple[str, ...]] = ()
    dispute: str | None = None
    rests_on: dict[str, str] = {}

    @classmethod
    def of(cls, now: RulingApplied) -> _Before:
        fields = {name: getattr(now, name) for name in cls.__struct_fields__}
        return cls(**fields if now.rounds else fields | {"rounds": now.freed, "remedy": "correct"})


@pytest.mark.parametrize("is_old", [False, True], ids=["as it is written", "as it was written before"])
def test_a_ruling_over_two_sessions_counts_once_and_no_longer_covers_what_it_frees(tmp_path, monkeypatch, is_old):
    from replay.disputes import desk
    from replay.disputes.desk import Session, Wish
    from tests.replay.disputes.house import ROULETTE, house, issued, opened, proposed

    tables = [
        list(assembly.rooms()["roulette"].deal(3, 3, breach=breach, breach_round=1, table=f"brno/{name}"))
        for name, breach in (("RL-03", None), ("RL-02", "RL-26"))
    ]
    there = f"{tables[1][0].subject}#2"
    where, void = str(tmp_path / "log.db"), Wish(ground="collusion_players", scope="round", standard="suspicion")
    with monkeypatch.context() as before:
        if is_old:
            then = Catalogue([_Before if one is RulingApplied else one for one in assembly.catalogue().classes])
            now = desk._by_session
            before.setattr(assembly, "catalogue", lambda: then)
            before.setattr(desk, "_by_session", lambda *given: map(_Before.of, now(*given)))
        with house(*tables, where=where) as book:
            made, came = proposed(book, f"{ROULETTE}#2", there, wish=void)
            issued(book, made.id)
            desk.adjudicate(Session(book, "dvorak"), made.id)
            if not is_old:
                with Views.open(book.log, book, ":memory:", threads=1) as views:
                    views.catch_up()
                    (row,) = reconciled(views, "brno", FIRST).rulings
                    assert (row["rounds_ruled"], row["win_effect_minor"]) == (2, -sum(came.amounts.values()))
            _made, only = desk.propose(
                Session(book, "novakova"), made.id, replace(void, rounds=(f"{ROULETTE}#2",)), "only there"
            )
            issued(book, made.id)
    with assembly.open_log(where) as log:
        book = assembly.casebook(log)
        with Views.open(log, book, ":memory:", threads=1) as views:
            views.catch_up()
            told = reconciled(views, "brno", FIRST)
            (row,) = told.rulings
            assert (row["subject"], row["rounds"], row["rounds_ruled"]) == (ROULETTE, [f"{ROULETTE}#2"], 1)
            assert row["win_effect_minor"] == -sum(only.amounts.values())
            assert {one["kind"]: (one["unit"], one["about"]) for one in told.exceptions} == {
                "ruling_open": ("RL-03", f"{made.id}.R2"),
                "paid_otherwise": ("RL-02", there),
            }
            other = opened(book, there)
            _made, right = desk.propose(
                Session(book, "novakova"), other.id, Wish(ground="table_error", remedy="correct", standard="fact"), "so"
            )
            assert issued(book, other.id).open_amounts == right.amounts
            views.catch_up()
            told = reconciled(views, "brno", FIRST)
            assert [(row["ruling"], row["rounds_ruled"]) for row in told.rulings] == [
                (f"{other.id}.R1", 1),
                (f"{made.id}.R2", 1),
            ]
            assert {one["about"] for one in told.exceptions} == {f"{made.id}.R2", f"{other.id}.R1"}
