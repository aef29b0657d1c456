"""Money, cards, places, names and the clock."""

from __future__ import annotations

from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.errors import BadName, Refused
from events.values.cards import DECK, card_text, duplicates, is_card
from events.values.clock import PRAGUE, clock_text, day_bounds, gaming_day, parse_day, parse_time, time_text
from events.values.money import amount_text, money_text, parse_amount
from events.values.names import is_name, parse_citation, parse_stream, parse_subject, round_address, stream_name
from events.values.places import check_place, kind, name


@given(st.integers(-(10**14), 10**14))
def test_an_amount_reads_back_from_its_text(minor):
    assert parse_amount(amount_text(minor)) == minor


@pytest.mark.parametrize("text", ["", "1,5", "1.234", "1e3", "٣", "0x1", ".5", "5.", "--1", " 1"])
def test_what_is_no_amount_is_refused(text):
    with pytest.raises(Refused, match="is not an amount"):
        parse_amount(text)


def test_money_for_people():
    assert money_text(1234550, "CZK") == "12\u00a0345.50 CZK"
    assert money_text(-50000, "EUR") == "\u2212500 EUR"
    assert money_text(1000, "XXX") == "10 chips"


def test_a_deck_has_52_cards_and_a_card_twice_is_named_once():
    assert len(set(DECK)) == 52
    assert all(map(is_card, DECK))
    assert not is_card("??")
    assert duplicates(["As", "Kd", "As", "??", "??", "As"]) == ("As",)
    assert card_text("Td") == "10♦"


def test_places():
    assert (kind("seat/3"), name("seat/3"), name("float")) == ("seat", "3", "")
    assert check_place("box/b9") == "box/b9"
    for wrong in ("seat", "seat/", "table/1", "seat/a b", ""):
        with pytest.raises(BadName):
            check_place(wrong)


@given(st.datetimes(datetime(1971, 1, 1), datetime(2100, 1, 1), timezones=st.just(PRAGUE)))
def test_a_time_reads_back_from_its_text(moment):
    at_ms = int(moment.timestamp() * 1000)
    assert parse_time(time_text(at_ms)) == at_ms


def test_finer_digits_are_cut_not_rounded():
    assert parse_time("1970-01-01T00:00:00.0019999Z") == 1
    assert parse_time("1970-01-01T01:00:00.5+01:00") == 500
    assert parse_time("1969-12-31T23:59:59.999Z") == -1
    assert parse_time("2016-12-31T23:59:60Z") == parse_time("2016-12-31T23:59:59.999Z")


@pytest.mark.parametrize(
    "text",
    ["2026-11-28T21:14:05", "2026-11-28 21:14:05Z", "2026-02-30T00:00:00Z", "2026-11-28T24:00:00Z", "2026-11-28T21:14Z",
     "2026-11-28T21:14:05+25:00", "2026-11-28T21:60:05Z", "", "21:14", "2026-11-28T21:14:05.Z", "0000-01-01T00:00:00Z"],
)  # fmt: skip
def test_a_time_without_offset_or_that_does_not_exist_is_no_time(text):
    with pytest.raises(ValueError, match=r".+"):
        parse_time(text)


def test_the_gaming_day_is_local_first_then_shifted():
    for text, day in [
        ("2026-11-28T05:59:59.999+01:00", date(2026, 11, 27)),
        ("2026-11-28T06:00:00+01:00", date(2026, 11, 28)),
        ("2026-03-29T05:59:00+02:00", date(2026, 3, 28)),  # clocks went forward at 02:00
        ("2026-03-29T06:00:00+02:00", date(2026, 3, 29)),
        ("2026-10-25T05:59:00+01:00", date(2026, 10, 24)),  # clocks went back at 03:00
        ("2026-10-25T06:00:00+01:00", date(2026, 10, 25)),
    ]:
        assert gaming_day(parse_time(text)) == day, text


def test_the_two_clock_change_days_have_23_and_25_hours():
    hours = {
        day: (day_bounds(day)[1] - day_bounds(day)[0]) / 3_600_000
        for day in map(parse_day, ("2026-03-28", "2026-10-24", "2026-11-28"))
    }
    assert list(hours.values()) == [23, 25, 24]


@given(st.dates(date(1990, 1, 1), date(2090, 1, 1)))
def test_every_instant_of_a_day_belongs_to_it(day):
    first, after = day_bounds(day)
    assert [gaming_day(at) for at in (first, after - 1)] == [day, day]
    assert gaming_day(first - 1) != day
    assert gaming_day(after) != day


def test_clock_text_is_local():
    assert clock_text(parse_time("2026-11-28T21:14:05.120+01:00")) == "21:14:05.120"


def test_names():
    assert is_name("table/brno/RL-03/2026-11-28.1")
    for wrong in ("", "a b", "a@b", "a#b", "a~b", "é", "a\n", "x" * 256):
        assert not is_name(wrong)


def test_subjects_have_their_kinds_parts():
    assert parse_subject("table/brno/RL-03/2026-11-28.1").unit == "RL-03"
    assert parse_subject("tournament/brno/t1").house == "brno"
    assert parse_subject("import/abc").unit == "abc"
    for wrong in ("table/brno/RL-03", "table/brno//1", "unit/x", "", "house/a/b", "dispute/"):
        with pytest.raises(BadName):
            parse_subject(wrong)


def test_streams_and_citations_come_apart_again():
    assert parse_stream(stream_name("a/b", "/c", 2)) == ("a/b", "/c", "2")
    assert parse_stream(stream_name("a/b", "/c")).part == "1"
    assert parse_citation("0017@/c~2") == (17, "/c~2")
    assert round_address("s", "9") == "s#9"
    for wrong in ("x", "@/c", "1@", "-1@/c", "١@/c"):
        with pytest.raises(BadName):
            parse_citation(wrong)
