"""The named queries: each tells what it is, runs, and finds what a dealer did and nothing in a lawful night."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from typing import Any

import pytest
from msgspec.structs import replace

from cli import assembly
from events.errors import Refused
from events.schema import common as tb
from events.schema.disputes import RulingProposed
from events.schema.envelope import Envelope
from events.schema.ours import RateStored, RulingApplied
from events.store import Draft
from games.night import FLOOR, night
from projections import Views
from projections.ask import ask, question, questions
from projections.layers import view_files
from tests.projections.nights import viewed
from tests.projections.test_night import FIRST

NAMES = [one.name for one in questions()]
BY_HAND = {"fills_near_close", "over_threshold", "sat_together"}
"""Questions whose answer is no fault: a lawful night may have rows."""


def rows(views: Views, name: str, day: date | None = FIRST, **given: str) -> list[dict[str, Any]]:
    answer = ask(views, question(name), "brno", day, given)
    return [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]


def dealt(room: str, breach: str | None = None, rounds: int = 4, seed: int = 3) -> list[Envelope]:
    return list(assembly.rooms()[room].deal(rounds, seed, breach=breach, table=f"brno/{room}"))


def test_there_are_ten_and_each_says_what_it_shows_its_grain_units_and_readers():
    assert len(NAMES) == 10
    views = {view.name for view in view_files()}
    for one in questions():
        assert one.shows.endswith((".", ","))
        assert re.search(r"^Grain: .*Units: ", one.comment, re.MULTILINE)
        assert re.search(r"^Readers: ", one.comment, re.MULTILINE)
        assert all(len(line) <= 120 for line in one.sql.splitlines())
        assert set(re.findall(r"\$(\w+)", one.sql)) == {"house", "day", *(own.name for own in one.parameters)}
        assert not re.search(r"[/%]", re.sub(r"'[^']*'", "", one.sql)), "money is added, never divided"
        read = set(re.findall(r"(?:FROM|JOIN)\s+(\w+)", one.sql)) - set(re.findall(r"(\w+) AS \(", one.sql))
        assert read <= views, f"{one.name} reads {sorted(read - views)}"


def test_a_lawful_night_has_nothing_that_they_ask_for():
    with viewed(night(assembly.rooms(), FIRST.isoformat(), 1, floor=FLOOR[:4], rounds=3).records) as views:
        for name in set(NAMES) - BY_HAND:
            assert rows(views, name) == [], name


@pytest.mark.parametrize(
    ("name", "room", "breach"),
    [
        ("over_limit", "roulette", "RL-23"),
        ("over_limit", "casino_holdem", "CH-03"),
        ("short_spins", "roulette", "RL-17"),
        ("short_spins", "magic_wheel", "MW-10"),
        ("late_bets_paid", "roulette", "RL-19"),
        ("payouts_by_dealer", "roulette", "RL-26"),
        ("chips_without_cause", "holdem", "NL-04"),
    ],
)
def test_each_finds_what_the_dealer_did(name, room, breach):
    records = dealt(room, breach)
    if name == "late_bets_paid":
        records = paid_late(records)
    with viewed(records) as views:
        (found,) = rows(views, name)
        assert rows(views, name, None) == [found]
        assert rows(views, name, date(2026, 11, 27)) == []
        addresses = {row[0] for row in views.query("SELECT address FROM fct_round").rows}
        named = found.get("addresses") or [found["address"] or records[0].subject]
        assert set(named) <= {*addresses, records[0].subject}


def paid_late(records: list[Envelope]) -> list[Envelope]:
    """The dealer gives a late bet back; here he pays a win on it instead."""
    with viewed(records) as views:
        ((late, cause),) = views.query(
            "SELECT f.about, m.cause FROM fct_finding AS f JOIN fct_chip_move AS m ON m.stake = f.about AND "
            "m.address = f.address WHERE f.rule = 'RL-19' AND m.cause <> 'stake'"
        ).rows
    assert cause == "return"
    return [
        replace(one, data={**one.data, "from": "float", "cause": "win"})
        if one.data.get("stake") == late and one.data.get("cause") == cause
        else one
        for one in records
    ]


@pytest.mark.parametrize("breach", ["BJ-37", "BJ-38"])
def test_a_payment_that_comes_late_is_no_late_bet(breach):
    with viewed(dealt("blackjack", breach)) as views:
        codes = views.query("SELECT DISTINCT code FROM fct_finding WHERE rule = ?", [breach]).rows
        assert codes == [("late_payment",)]
        assert rows(views, "late_bets_paid") == []


def test_neither_a_buy_in_nor_a_replaced_card_is_a_bet_over_the_limit():
    with viewed(dealt("roulette", "RL-23")) as views:
        (found,) = rows(views, "over_limit")
        for code, is_one in {
            "over_box_max": True, "ante_over_max": True, "bonus_over_limit": True, "sum_over_max": True,
            "above_maximum": True, "buy_in_above_maximum": False, "replacement_over_limit": False,
            "unverified:over_max": False,
        }.items():  # fmt: skip
            asked = question("over_limit").sql.replace("f.code,", f"'{code}',").replace("(f.code", f"('{code}'")
            answer = views.query(asked, {"house": "brno", "day": FIRST.isoformat()})
            assert bool(found["address"] in {row[0] for row in answer.rows}) == is_one, code


def test_short_spins_tell_the_laps():
    with viewed(dealt("roulette", "RL-17")) as views:
        (found,) = rows(views, "short_spins")
        assert found["laps_tenths"] < 100


def test_a_payout_is_laid_to_the_dealer_who_sat_there():
    records = dealt("roulette", "RL-26", rounds=30)
    with viewed(records) as views:
        (found,) = rows(views, "payouts_by_dealer")
        (address,) = found["addresses"]
        name = address.rpartition("#")[2]
        at = next(number for number, one in enumerate(records) if one.round == name)
        seated = [one.data["person"] for one in records[:at] if one.type == tb.DealerSeated.TOPIC]
        assert found["dealer"] == seated[-1]
        assert found["over_minor"] + found["under_minor"] > 0


@pytest.mark.parametrize("remedy", ["void", "correct", "penalty"])
def test_what_management_ruled_is_not_laid_to_the_dealer(remedy):
    """A void makes other sums due than he could pay; a penalty moves none, and his own difference stays his."""
    records = dealt("roulette", "RL-26")
    subject = records[0].subject
    with viewed(records) as views:
        (before,) = rows(views, "payouts_by_dealer")
        assert before["ruled_rounds"] == 0
        names = sorted({one.round for one in records if one.round})
        (wrong,) = before["addresses"]
        lawful = next(f"{subject}#{name}" for name in names if f"{subject}#{name}" != wrong)
        basis = "management" if remedy == "penalty" else "book"
        for number, address in enumerate((wrong, lawful), 1):
            ruling = RulingApplied(
                f"r-{number}", "table_error", rounds=(address,), remedy=remedy, basis=basis, decided_by="m-1"
            )
            views.log.author(f"{subject}@/recoup", [Draft(event=ruling)])
        views.catch_up()
        (found,) = rows(views, "payouts_by_dealer")
        kept = {name: found[name] for name in ("stakes", "rounds", "over_minor", "under_minor")}
        if remedy == "penalty":
            assert (kept, found["ruled_rounds"]) == ({name: before[name] for name in kept}, 0)
        else:
            assert (kept, found["ruled_rounds"]) == (dict.fromkeys(kept, 0), 2)
            replacing = RulingApplied(
                "r-3", "insult", rounds=(lawful,), remedy="penalty", basis="management", replaces="r-2"
            )
            views.log.author(f"{subject}@/recoup", [Draft(event=replacing)])
            views.catch_up()
            assert [row["ruled_rounds"] for row in rows(views, "payouts_by_dealer")] == [1]


def test_rounds_with_a_gap_name_what_is_missing():
    records = dealt("roulette")
    lost = next(one for one in records if one.round == "2" and one.type == tb.ChipsMoved.TOPIC)
    with viewed([one for one in records if one is not lost]) as views:
        (found,) = rows(views, "gap_rounds")
        assert found["address"] == f"{records[0].subject}#2"
        assert found["rules"] == ["TB-01"]
        assert found["missing"] == [f"{int(lost.sequence)}@{lost.source}"]


def payments(*amounts: int, currency: str = "CZK") -> Iterable[Envelope]:
    """Purchases of one player at a table."""
    records = dealt("magic_wheel", rounds=1)
    kept = [one for one in records if one.type != tb.BuyIn.TOPIC]
    opened = replace(kept[0], data={**kept[0].data, "currency": currency})
    bought = [replace(kept[1], type=tb.BuyIn.TOPIC, data={"player": "p-1", "amount": one}) for one in amounts]
    return [replace(one, sequence=str(number)) for number, one in enumerate((opened, *bought, *kept[1:]), 1)]


@pytest.mark.parametrize(
    ("amounts", "rate", "reaches", "is_in_one"),
    [
        ((2_435_000,), 24_350, "yes", True),
        ((1_435_000, 1_000_000), 24_350, "yes", False),  # linked: only together
        ((1_435_000, 999_999), 24_350, None, None),
        ((2_435_000,), 24_351, None, None),
        ((100,), None, "unknown", False),
    ],
)
def test_payments_of_a_day_reach_the_threshold_together_by_the_rate_stored(amounts, rate, reaches, is_in_one):
    with viewed(payments(*amounts)) as views:
        if rate is not None:
            for day, thousandths in (("2026-11-01", 1), ("2026-11-28", rate), ("2026-11-29", 1)):
                stored = RateStored("CZK", thousandths, day)
                views.log.author("house/brno@/recoup", [Draft(event=stored)])
            views.catch_up()
        found = rows(views, "over_threshold")
        if reaches is None:
            assert found == []
            return
        (one,) = found
        assert (one["player"], one["payments"], one["czk_minor"]) == ("p-1", len(amounts), sum(amounts))
        assert one["reaches"] == reaches
        assert one["without_rate"] == (["CZK"] if rate is None else [])
        assert (one["is_in_one"], len(one["cites"])) == (is_in_one, len(amounts))


def test_a_threshold_in_euro_needs_no_rate():
    with viewed(payments(100_000, currency="EUR")) as views:
        found = rows(views, "over_threshold")
        assert [(row["reaches"], row["without_rate"], row["eur_minor"]) for row in found] == [("yes", [], 100_000)]
        assert rows(views, "over_threshold", threshold_eur="1001") == []


def test_fills_near_the_close_are_those_within_the_minutes_asked_for():
    records = dealt("magic_wheel", rounds=2)
    closed = next(one for one in records if one.type == tb.TableClosed.TOPIC)
    slips = {"F-early": closed.time.replace("18:", "17:", 1), "F-late": closed.time}
    fills = [
        replace(closed, type=tb.FillReceived.TOPIC, time=time, data={"desk": "main", "amount": 500, "slip": slip},
                source="/brno/cage", sequence=str(number))
        for number, (slip, time) in enumerate(slips.items(), 1)
    ]  # fmt: skip
    with viewed(records, fills) as views:
        found = {minutes: {row["slip"] for row in rows(views, "fills_near_close", minutes=minutes)}
                 for minutes in ("59", "60")}  # fmt: skip
        assert set(slips) & found["59"] == {"F-late"}
        assert set(slips) <= found["60"]


def test_who_sat_with_whom_counts_rounds_together():
    with viewed(dealt("holdem", rounds=5)) as views:
        found = rows(views, "sat_together", rounds="1")
        (one, other) = next(
            row
            for row in views.query(
                "SELECT a.player, b.player FROM fct_settlement a JOIN fct_settlement b USING (address) "
                "WHERE a.player < b.player LIMIT 1"
            ).rows
        )
        together = views.query(
            "SELECT count(DISTINCT address) FROM fct_settlement a JOIN fct_settlement b USING (address) "
            "WHERE a.player = ? AND b.player = ?",
            [one, other],
        ).rows[0][0]
        assert [row["rounds"] for row in found if (row["player"], row["other"]) == (one, other)] == [together]
        mine = rows(views, "sat_together", rounds="1", player=one)
        assert mine
        assert all(one in (row["player"], row["other"]) for row in mine)
        assert rows(views, "sat_together", rounds="6") == []


def test_rulings_without_evidence_are_those_that_name_none():
    records = dealt("roulette")
    with viewed(records) as views:
        subject = records[0].subject
        for name, evidence in (("r-1", ()), ("r-2", ("camera cam-4 12",))):
            ruling = RulingApplied(name, "table_error", rounds=(f"{subject}#1",), evidence=evidence)
            views.log.author(f"{subject}@/recoup", [Draft(event=ruling)])
        views.catch_up()
        (found,) = rows(views, "rulings_without_evidence")
        assert (found["ruling"], found["reason"]) == ("r-1", None)
        proposed = RulingProposed("r-1", "table_error", rounds=(f"{subject}#1",))
        views.log.author("dispute/2026-11-28.1@/recoup", [Draft(event=proposed, reason="seen by the inspector")])
        views.catch_up()
        assert [row["reason"] for row in rows(views, "rulings_without_evidence")] == ["seen by the inspector"]


def test_what_is_asked_wrongly_is_refused():
    with viewed(dealt("roulette", rounds=1)) as views:
        with pytest.raises(Refused, match="no parameter `hours`"):
            rows(views, "fills_near_close", hours="1")
        for wrong in ("an hour", "-1", "1.5", "\u0663", "\u00b2", "9" * 20):
            with pytest.raises(Refused, match="minutes is a whole number"):
                rows(views, "fills_near_close", minutes=wrong)
        with pytest.raises(Refused) as caught:
            ask(views, question("fills_near_close"), "brno", None, {"day": "2026-11-28"})
        assert caught.value.hint == "--day is an option"
    with pytest.raises(Refused, match="nobody knows") as caught:
        question("spins")
    assert "short_spins" in caught.value.hint
    with pytest.raises(Refused) as caught:
        question("over-treshold")
    assert "over_threshold" in caught.value.hint
