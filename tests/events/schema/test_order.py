"""Table order: inside a source by sequence, between sources by round, time, name (design section 4)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from events.schema import order
from events.schema.catalogue import Catalogue
from events.schema.common import TABLE_EVENTS
from events.schema.order import table_order
from events.schema.ours import OUR_EVENTS
from tests.games.table import facts_of_lines

CATALOGUE = Catalogue((*TABLE_EVENTS, *OUR_EVENTS))


def ordered(text):
    return table_order(facts_of_lines(text, CATALOGUE), CATALOGUE.decode)


def cites(text):
    return [fact.cite.replace("/brno/T-1/", "") for fact in ordered(text).facts]


def test_inside_a_source_the_counter_holds_whatever_its_clock_says():
    assert cites("@+0 TableOpened a A CZK\n@+50 NoMoreBets\n@+20 NoMoreBets") == [
        "1@terminal",
        "2@terminal",
        "3@terminal",
    ]


def test_between_sources_time_decides_by_the_largest_seen_so_far():
    text = "@+0 TableOpened a A CZK\n@+50 NoMoreBets\n@+20 NoMoreBets\n[/b]\n@+10 NoMoreBets\n@+30 NoMoreBets\n@+60 NoMoreBets"
    assert cites(text) == ["1@terminal", "1@/b", "2@/b", "2@terminal", "3@terminal", "3@/b"]


def test_at_one_instant_the_sources_name_decides():
    text = "@+0 TableOpened a A CZK\n@+5 NoMoreBets\n[/zz]\n@+5 NoMoreBets\n[/aa]\n@+5 NoMoreBets"
    assert cites(text) == ["1@terminal", "1@/aa", "2@terminal", "1@/zz"]


def test_between_sources_the_round_decides_before_the_time():
    text = (
        "@+0 TableOpened a A CZK\n@+1 #1 RoundOpened\n@+20 #1 RoundClosed\n@+21 #2 RoundOpened\n"
        "[/sensor]\n@+90 #1 NoMoreBets\n@+91 #2 NoMoreBets"
    )
    assert cites(text) == ["1@terminal", "2@terminal", "3@terminal", "1@/sensor", "4@terminal", "2@/sensor"]


def test_a_record_that_names_no_known_round_stands_in_the_one_last_opened_at_its_time():
    text = "@+0 TableOpened a A CZK\n@+1 #1 RoundOpened\n@+21 #2 RoundOpened\n@+30 #2 RoundClosed\n[/s]\n@+22 #9 NoMoreBets\n"
    assert cites(text) == ["1@terminal", "2@terminal", "3@terminal", "1@/s", "4@terminal"]


def test_a_record_without_round_belongs_to_the_round_open_at_its_place():
    text = "@+0 TableOpened a A CZK\n@+1 #1 RoundOpened\n@+2 NoMoreBets\n@+3 #1 RoundClosed\n@+4 NoMoreBets\n[/s]\n@+2.5 NoMoreBets"
    assert [(fact.cite.partition("@")[0], fact.round) for fact in ordered(text).facts] == [
        ("1", None), ("2", "1"), ("3", "1"), ("1", "1"), ("4", "1"), ("5", None),
    ]  # fmt: skip


def test_a_name_opened_again_is_another_round_also_for_other_sources():
    text = (
        "@+0 TableOpened a A CZK\n@+1 #7 RoundOpened\n@+2 #7 RoundClosed\n@+11 #7 RoundOpened\n@+12 #7 RoundClosed\n"
        "[/s]\n@+1.5 #7 NoMoreBets\n@+11.5 #7 NoMoreBets"
    )
    assert ordered(text).rounds == ("7", "7~2")
    assert [fact.round for fact in ordered(text).facts if fact.source == "/s"] == ["7", "7~2"]


def test_a_restarted_counter_goes_on_behind_the_old_one():
    facts = facts_of_lines("@+0 TableOpened a A CZK\n@+9 5@/brno/T-1/terminal NoMoreBets", CATALOGUE)

    again = replace(facts[1], sequence=1, part=2, occurred_at=facts[1].occurred_at + 1)
    assert [fact.cite for fact in table_order([again, *facts], CATALOGUE.decode).facts][-1] == "1@/brno/T-1/terminal~2"


def test_corrected_time_and_round_move_a_record_of_another_source():
    text = (
        "@+0 TableOpened a A CZK\n@+1 #1 RoundOpened\n@+20 #1 RoundClosed\n@+21 #2 RoundOpened\n[/s]\n@+22 #2 NoMoreBets\n"
        '^1@/s RecordCorrected round=1 time="2026-11-28T18:00:05+01:00"'
    )
    order = ordered(text)
    assert [fact.cite for fact in order.facts][2] == "1@/s"
    assert order.facts[2].round == "1"
    assert order.replaced["1@/s"].round == "2"
    assert [note.topic for note in order.notes["1@/s"]] == ["RC.RecordCorrected.v1"]


def test_an_added_fact_about_a_record_that_is_disowned_stands_where_that_stood_and_in_its_round():
    text = (
        "@+0 TableOpened a A CZK\n@+1 #1 RoundOpened\n@+2 #1 NoMoreBets\n@+3 #1 RoundClosed\n@+4 #2 RoundOpened\n"
        "^3@/brno/T-1/terminal ErrorNoted x\n^3@/brno/T-1/terminal RecordDisowned\n"
        "^1@/brno/T-1/terminal ErrorNoted y\n^1@/brno/T-1/terminal RecordDisowned\n"
        "^5@/brno/T-1/terminal ErrorNoted z\n^5@/brno/T-1/terminal RecordDisowned"
    )
    assert [(type(fact.event).__name__, fact.round) for fact in ordered(text).facts] == [
        ("ErrorNoted", None), ("RoundOpened", "1"), ("ErrorNoted", "1"), ("RoundClosed", "1"), ("ErrorNoted", "2"),
    ]  # fmt: skip


def test_an_added_fact_about_a_record_that_nobody_knows_stands_at_the_end():
    text = "@+0 TableOpened a A CZK\n^9@/brno/T-1/terminal ErrorNoted x\n@+2 NoMoreBets"
    assert [type(fact.event).__name__ for fact in ordered(text).facts] == ["TableOpened", "NoMoreBets", "ErrorNoted"]


def test_what_was_added_can_be_corrected_disowned_and_added_to():
    text = (
        "@+0 TableOpened a A CZK\n@+1 #1 RoundOpened\n@+2 #1 RoundClosed\n"
        "^2@/brno/T-1/terminal ErrorNoted x\n^2@/brno/T-1/terminal ErrorNoted y\n"
        '^1@/recoup RecordCorrected data={"what":"z"}\n^2@/recoup RecordDisowned\n^2@/recoup NoMoreBets'
    )
    order = ordered(text)
    assert [getattr(fact.event, "what", type(fact.event).__name__) for fact in order.facts] == [
        "TableOpened", "RoundOpened", "z", "NoMoreBets", "RoundClosed",
    ]  # fmt: skip
    assert [fact.round for fact in order.facts] == [None, "1", "1", "1", "1"]
    assert set(order.replaced) == {"1@/recoup", "2@/recoup"}


def test_of_an_imported_hand_only_what_the_reader_wrote_is_folded():
    text = (
        "[/recoup/import/phh/1]\n@+0 #1 RoundOpened\n@+1 #1 RoundClosed\n"
        "[/recoup/import/phh/2]\n@+0 #1 RoundOpened\n@+2 #1 RoundClosed\n[/recoup]\n@+0 GapDeclaredLost /x 3 4"
    )
    facts = [replace(fact, subject="import/ab12") for fact in facts_of_lines(text, CATALOGUE)]
    found = table_order(facts, CATALOGUE.decode).facts
    assert {fact.source for fact in found} == {"/recoup/import/phh/2"}
    assert len(found) == 2


@given(st.permutations(range(9)))
def test_the_order_does_not_depend_on_arrival(shuffle):
    text = (
        "@+0 TableOpened a A CZK\n@+1 #1 RoundOpened\n@+9 #1 RoundClosed\n@+9 #2 RoundOpened\n[/s]\n@+9 #1 NoMoreBets\n@+9 NoMoreBets\n"
        "[/r]\n@+9 #2 NoMoreBets\n^1@/s ErrorNoted x\n^1@/s RecordCorrected round=2"
    )
    facts = facts_of_lines(text, CATALOGUE)
    wanted = table_order(facts, CATALOGUE.decode).facts
    assert table_order([facts[index] for index in shuffle], CATALOGUE.decode).facts == wanted


def test_a_ruling_counts_only_if_we_wrote_it():
    facts = facts_of_lines("@+0 TableOpened a A CZK\n@+1 RulingApplied r1 fact\n@+2 RulingApplied r2 fact", CATALOGUE)
    device = [replace(fact, source="/brno/T-1/terminal", sequence=9) for fact in facts if fact.sequence == 2]
    found = table_order([*facts, *device], CATALOGUE.decode)
    assert [fact.source for fact in found.rulings] == ["/recoup", "/recoup"]
    assert [fact.source for fact in found.facts] == ["/brno/T-1/terminal"] * 2


EVENTS = {
    "opened": "RoundOpened",
    "closed": "RoundClosed",
    "other": "NoMoreBets",
}


@given(st.lists(st.tuples(st.sampled_from(sorted(EVENTS)), st.sampled_from(["", "#1 ", "#2 ", "#3 "])), max_size=12))
def test_the_quick_way_of_a_single_source_gives_what_the_long_one_gives(story):
    lines = "\n".join(f"@+{at} {name}{EVENTS[what]}" for at, (what, name) in enumerate(story, 1))
    facts = facts_of_lines(f"@+0 TableOpened a A CZK\n{lines}", CATALOGUE)
    quick = table_order(facts, CATALOGUE.decode)
    plain, order._plain = order._plain, lambda _facts: None
    try:
        assert table_order(facts, CATALOGUE.decode) == quick
    finally:
        order._plain = plain
