"""Before or after: the counter inside a source, the tolerance between two, nothing from a wild clock."""

from __future__ import annotations

import pytest

from events.schema.catalogue import Catalogue
from events.schema.common import TABLE_EVENTS
from events.schema.ours import OUR_EVENTS
from games.clocks import Clocks
from tests.games.table import facts_of_lines

CATALOGUE = Catalogue((*TABLE_EVENTS, *OUR_EVENTS))


def clocks_and(text: str, **more):
    facts = facts_of_lines(text, CATALOGUE)
    return Clocks(facts, **more), {fact.cite.replace("/brno/T-1/", ""): fact for fact in facts}


@pytest.mark.parametrize(
    ("first", "second", "relation"), [("@+1", "@+2", "before"), ("@+2", "@+2", "same"), ("@+9", "@+2", "before")]
)
def test_inside_a_source_time_decides_unless_the_counter_contradicts_it(first, second, relation):
    clocks, facts = clocks_and(f"{first} NoMoreBets\n{second} NoMoreBets")
    assert clocks.compare(facts["1@terminal"], facts["2@terminal"]) == relation
    mirrored = {"before": "after", "same": "same"}[relation]
    assert clocks.compare(facts["2@terminal"], facts["1@terminal"]) == mirrored


@pytest.mark.parametrize(("apart", "relation"), [(0, "unknown"), (4.9, "unknown"), (5, "before"), (60, "before")])
def test_between_sources_nothing_is_decided_within_the_tolerance(apart, relation):
    clocks, facts = clocks_and(f"@+0 NoMoreBets\n[/s]\n@+{apart} NoMoreBets")
    assert clocks.compare(facts["1@terminal"], facts["1@/s"]) == relation


def test_measured_clocks_decide_more():
    text = "@+0 NoMoreBets\n@+1 ClockCompared /s 3000 100\n[/s]\n@+3.5 NoMoreBets\n@+3.05 NoMoreBets\n@+9 NoMoreBets"
    clocks, facts = clocks_and(text.replace("@+3.5 NoMoreBets\n@+3.05", "@+3.05 NoMoreBets\n@+3.5"))
    assert clocks.compare(facts["1@terminal"], facts["1@/s"]) == "unknown"
    assert clocks.compare(facts["1@terminal"], facts["2@/s"]) == "before"
    assert clocks.compare(facts["2@/s"], facts["1@terminal"]) == "after"


def test_a_record_later_than_one_behind_it_decides_nothing_against_another_source():
    text = "@+0 NoMoreBets\n@2099-01-01T00:00:00Z NoMoreBets\n@+9 NoMoreBets\n[/s]\n@+60 NoMoreBets"
    clocks, facts = clocks_and(text)
    assert clocks.compare(facts["2@terminal"], facts["1@/s"]) == "unknown"
    assert clocks.compare(facts["3@terminal"], facts["1@/s"]) == "before"
    assert clocks.compare(facts["2@terminal"], facts["3@terminal"]) == "before"


def test_hands_without_times_compare_nothing():
    clocks, facts = clocks_and("@+0 NoMoreBets\n@+9 NoMoreBets", known=False)
    assert clocks.compare(facts["1@terminal"], facts["2@terminal"]) == "unknown"
