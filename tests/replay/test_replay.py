"""Timeline, stepper, balances and what-if, on a room that is no real game."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from events.errors import BadNotation, Refused
from events.schema.common import ChipsMoved, InventoryCounted, SeatTaken
from events.schema.event import Event
from events.schema.fact import Fact
from events.schema.ours import RecordCorrected, RecordDisowned
from games.adjudicate import judge_round
from games.shared.poker.events import PlayerDealtIn, SeatChanged, StackCounted
from replay import balances as money
from replay.balances import Balances
from replay.stepper import Step, Stepper
from replay.timeline import Records, Timeline, full_citation, short_names
from replay.what_if import what_if
from tests.games.table import catalogue_of, editions_of, facts_of, facts_of_lines
from tests.games.toy import GAME, TOML, CoinTossed, HeadsBet

TERMINAL = "/brno/CO-1/terminal"
ROOMS = {GAME.name: GAME}


def records_of(facts: Iterable[Fact], **more: Any) -> Records:
    known = tuple(facts)
    return Records(
        subject=known[0].subject, facts=known, catalogue=catalogue_of(GAME), editions=editions_of(GAME, TOML), **more
    )


def dealt(rounds: int = 3, seed: int = 1, breach: str | None = None, breach_round: int | None = None) -> list[Fact]:
    """A dealer's session as stored: one record a second, from 1,000,000 µs on."""
    envelopes = GAME.deal(rounds, seed, breach=breach, breach_round=breach_round)
    facts = facts_of(envelopes, catalogue_of(GAME))
    return [replace(fact, recorded_at=(number + 1) * 1_000_000) for number, fact in enumerate(facts)]


def authored(event: Event, about: Fact, sequence: int = 1, *, recorded_at: int = 10**9) -> Fact:
    return Fact(
        subject=about.subject,
        source="/recoup",
        sequence=sequence,
        topic=event.TOPIC,
        event=event,
        occurred_at=about.occurred_at,
        about=about.cite,
        account="ana",
        reason="camera 4",
        recorded_at=recorded_at,
    )


def first(facts: Iterable[Fact], kind: type[Event], round_name: str | None = None) -> Fact:
    return next(f for f in facts if isinstance(f.event, kind) and round_name in (None, f.round))


# --- timeline ---


def test_a_timeline_numbers_every_record_in_table_order_and_names_its_rounds() -> None:
    facts = dealt()
    shuffled = facts[:]
    random.Random(4).shuffle(shuffled)
    timeline = Timeline.make(records_of(shuffled))
    assert [entry.fact.cite for entry in timeline.entries] == [fact.cite for fact in facts]
    assert [entry.number for entry in timeline.entries] == list(range(1, len(facts) + 1))
    assert timeline.rounds == ("1", "2", "3")
    assert timeline.cite(facts[0]) == "1@terminal"


def test_a_corrected_record_shows_the_correction_and_the_original() -> None:
    facts = dealt()
    toss = first(facts, CoinTossed, "2")
    note = authored(RecordCorrected(data={"side": "tails"}), toss)
    entry = Timeline.make(records_of([*facts, note])).find(toss.cite)
    assert entry.fact.event == CoinTossed("tails")
    assert entry.original == toss
    assert [(one.account, one.reason) for one in entry.notes] == [("ana", "camera 4")]
    assert not entry.disowned


def test_a_disowned_record_stays_visible_where_it_stood() -> None:
    facts = dealt()
    bet = first(facts, HeadsBet, "2")
    timeline = Timeline.make(records_of([*facts, authored(RecordDisowned(), bet)]))
    assert [entry.fact.cite for entry in timeline.entries] == [fact.cite for fact in facts]
    entry = timeline.find(bet.cite)
    assert entry.disowned
    assert entry.fact.event == bet.event
    assert entry.fact.round == "2"
    verdict = judge_round(records_of([*facts, authored(RecordDisowned(), bet)]).case(), ROOMS, "2")
    assert verdict.due.lines == ()


def test_even_the_very_first_record_can_be_disowned_and_seen() -> None:
    facts = facts_of_lines("@+0 TableOpened coin CO CZK\n#1 RoundOpened\n#1 RoundClosed", catalogue_of(GAME))
    timeline = Timeline.make(records_of([*facts, authored(RecordDisowned(), facts[0])]))
    assert [entry.disowned for entry in timeline.entries] == [True, False, False]


def test_an_added_fact_stands_behind_the_record_it_is_about() -> None:
    facts = dealt()
    bet = first(facts, HeadsBet, "2")
    extra = authored(HeadsBet("b2", "p-2", 500), bet)
    timeline = Timeline.make(records_of([*facts, extra]))
    place = next(entry for entry in timeline.entries if entry.added)
    assert timeline.entries[place.number - 2].fact.cite == bet.cite
    assert place.fact.round == "2"


def test_as_of_ends_at_the_tables_own_time_and_a_wrong_stamp_hides_only_itself() -> None:
    facts = dealt()
    stamped = [replace(fact, occurred_at=4 * 10**12) if fact.cite == facts[2].cite else fact for fact in facts]
    toss = first(facts, CoinTossed, "2")
    seen = Timeline.make(records_of(stamped).as_of(toss.occurred_at)).entries
    assert seen[-1].fact.cite == toss.cite
    assert facts[2].cite not in {entry.fact.cite for entry in seen}
    assert len(seen) == facts.index(toss)


def test_as_of_keeps_a_correction_with_its_record() -> None:
    facts = dealt()
    toss = first(facts, CoinTossed, "1")
    late_note = replace(authored(RecordCorrected(data={"side": "tails"}), toss), occurred_at=toss.occurred_at + 10**7)
    seen = Timeline.make(records_of([*facts, late_note]).as_of(toss.occurred_at))
    assert seen.entries[-1].fact.event == CoinTossed("tails")
    before = Timeline.make(records_of([*facts, late_note]).as_of(toss.occurred_at - 1))
    assert toss.cite not in {entry.fact.cite for entry in before.entries}


def test_known_at_forgets_later_records_and_corrections_and_counts_the_holes_of_then() -> None:
    facts = dealt()
    toss = first(facts, CoinTossed, "2")
    late = [replace(fact, recorded_at=10**8) if fact is toss else fact for fact in facts]
    records = records_of([*late, authored(RecordCorrected(data={"side": "tails"}), toss)])
    assert [hole.first for hole in records.known_at(10**8 - 1).holes] == [toss.sequence]
    assert judge_round(records.known_at(10**8 - 1).case(), ROOMS, "2").standing == "cannot_tell"
    then = records.known_at(10**8)
    assert then.holes == ()
    assert Timeline.make(then).find(toss.cite).original is None
    assert Timeline.make(records.known_at(10**9)).find(toss.cite).original is not None


def test_short_names_only_where_they_are_unique() -> None:
    assert short_names(["/brno/T-1/shoe", "/brno/T-1/terminal"])["/brno/T-1/shoe"] == "shoe"
    assert short_names(["/brno/T-1/shoe", "/brno/T-2/shoe"]) == {}
    assert full_citation("7@shoe", ["/brno/T-1/shoe"]) == "7@/brno/T-1/shoe"
    with pytest.raises(Refused, match="may be of"):
        full_citation("7@shoe", ["/brno/T-1/shoe", "/brno/T-2/shoe"])


# --- stepper ---


def test_forward_and_back_show_the_same_steps() -> None:
    walk = Stepper(records_of(dealt(5, breach="CO-02")), ROOMS)
    forward = [walk.step, *(walk.next() for _ in range(len(walk) - 1))]
    assert walk.next() is forward[-1]
    backward = [walk.step, *(walk.back() for _ in range(len(walk) - 1))]
    assert walk.back() is backward[-1]
    assert forward == backward[::-1]
    fresh = Stepper(records_of(dealt(5, breach="CO-02")), ROOMS)
    for number in (7, 2, len(fresh), 1, 9):
        assert fresh.goto(number) == forward[number - 1]


def test_each_step_begins_where_the_one_before_it_ended() -> None:
    walk = Stepper(records_of(dealt(4)), ROOMS)
    for one, two in zip(walk.steps, walk.steps[1:], strict=False):
        assert two.before == one.after
        assert two.balances_before == one.balances_after


def test_a_walk_through_one_round_carries_what_stood_before_it() -> None:
    whole = Stepper(records_of(dealt(4)), ROOMS)
    part = Stepper(records_of(dealt(4)), ROOMS, "3")
    wanted = [step for step in whole.steps if step.entry.fact.round == "3"]
    assert [dataclasses.replace(step, number=0) for step in part.steps] == [
        dataclasses.replace(step, number=0) for step in wanted
    ]
    assert [step.expected for step in part.steps] == [step.expected for step in wanted]


def test_the_last_step_of_a_round_has_all_of_its_findings() -> None:
    walk = Stepper(records_of(dealt(3, breach="CO-01", breach_round=2)), ROOMS, "3")
    assert [finding.rule for finding in walk.steps[-1].so_far] == ["CO-01"]
    assert walk.steps[-2].so_far == ()
    assert [finding.rule for step in walk.steps for finding in step.cited] == []  # it rests on no record
    late = Stepper(records_of(dealt(3, breach="CO-02", breach_round=1)), ROOMS, "2")
    assert [finding.rule for finding in late.next_finding().here] == ["CO-02"]
    assert late.step.so_far == late.verdict("2").findings


def test_goto_record_round_phase_and_what_is_not_there() -> None:
    walk = Stepper(records_of(dealt()), ROOMS)
    assert walk.goto_record("5@terminal").entry.fact.sequence == 5
    assert walk.goto_round("2").entry.fact.round == "2"
    assert walk.goto(-1).number == len(walk)
    assert walk.goto_phase("betting").stands == "betting"
    assert walk.phases() == ["betting"]
    for call, argument in ((walk.goto, 0), (walk.goto, 10**6), (walk.goto, -(10**6))):
        with pytest.raises(Refused, match="there is no step"):
            call(argument)
    with pytest.raises(Refused, match="no record"):
        walk.goto_record("999@terminal")
    with pytest.raises(Refused, match="not in this walk"):
        walk.goto_round("99")
    with pytest.raises(Refused, match="no round `99`"):
        Stepper(records_of(dealt()), ROOMS, "99")


# --- balances ---


def test_balances_follow_every_movement_and_add_up_to_nothing() -> None:
    walk = Stepper(records_of(dealt(6)), ROOMS)
    for step in walk.steps:
        assert sum(step.balances_after.places.values()) == 0
    assert {"player/p-1", "box/b1", "float"} <= set(walk.steps[-1].balances_after.places)


def test_a_stake_is_still_the_players_until_it_is_lost() -> None:
    walk = Stepper(records_of(dealt(1, seed=0)), ROOMS, "1")  # tails: the stake is taken
    bet = next(step for step in walk.steps if isinstance(step.entry.fact.event, HeadsBet))
    assert money.player_changes(bet.balances_before, bet.balances_after) == []
    assert [change.who for change in money.changes(bet.balances_before, bet.balances_after)] == [
        "box/b1",
        "player/p-1",
    ]
    assert walk.steps[-1].balances_after.players() == {"p-1": -1000}


def test_a_count_that_disagrees_is_a_surprise() -> None:
    facts = dealt(1)
    one, two = (replace(facts[0], event=InventoryCounted("opener", amount)) for amount in (5000, 4900))
    counted = money.after(Balances(), one)
    assert counted.of("float") == 5000
    assert counted.surprises == {}
    assert money.after(counted, two).surprises == {"float": -100}


CHANGE = (InventoryCounted("opener", 9000), SeatTaken(7, "p-7"), StackCounted(7, 4000), SeatChanged("p-7", 7, 4))
MOVED = ChipsMoved("seat/7", "seat/4", 4000, "seat_change")


def lying(*events: Event) -> list[Balances]:
    """The balances after each."""
    fact, found = dealt(1)[0], [Balances()]
    for event in events:
        found.append(money.after(found[-1], replace(fact, event=event)))
    return found[1:]


@pytest.mark.parametrize(
    "events",
    [
        (*CHANGE, MOVED),
        (*CHANGE[:3], MOVED, CHANGE[3]),
        (*CHANGE, MOVED, PlayerDealtIn(4, "p-7", 4000)),
        (*CHANGE, PlayerDealtIn(4, "p-7", 4000)),
        (*CHANGE[:3], PlayerDealtIn(4, "p-7", 4000)),
    ],
)
def test_who_changes_seats_has_his_chips_once_and_one_seat(events: tuple[Event, ...]) -> None:
    now = lying(*events)[-1]
    assert (now.owners, now.players()) == ({"seat/4": "p-7"}, {"p-7": 4000})
    assert (now.of("seat/7"), now.of("seat/4"), "seat/4" in now.counted) == (0, 4000, True)
    assert now.surprises == {}


def test_between_the_change_of_seats_and_the_move_of_its_chips_nobody_is_poorer() -> None:
    assert [one.players().get("p-7") for one in lying(*CHANGE, MOVED)[2:]] == [4000] * 3


def test_another_player_at_the_old_seat_is_left_there() -> None:
    now = lying(*CHANGE, MOVED, SeatTaken(7, "p-8"), StackCounted(7, 500), PlayerDealtIn(4, "p-7", 4000))[-1]
    assert now.players() == {"p-7": 4000, "p-8": 500}


# --- what if ---


def test_what_if_a_dropped_bet() -> None:
    facts = dealt(2)
    bet = first(facts, HeadsBet, "1")
    result = what_if(records_of(facts), ROOMS, "1", drop=[bet.cite])
    assert [line.stake for line in result.was.due.lines] == ["b1"]
    assert result.would.due.lines == ()
    assert [(pair.stake, pair.by) for pair in result.stakes] == [("b1", -1000)]
    assert not result.is_same


@pytest.mark.parametrize("line", ["{} amount=20", "{} HeadsBet b1 p-1 20"])
def test_what_if_a_changed_amount_by_field_or_by_the_whole_line(line: str) -> None:
    facts = dealt(2)
    bet = first(facts, HeadsBet, "1")
    result = what_if(records_of(facts), ROOMS, "1", change=[line.format("3@terminal")])
    assert result.alterations[0].cite == bet.cite
    assert "HeadsBet b1 p-1 10" in result.alterations[0].was
    assert "HeadsBet b1 p-1 20" in result.alterations[0].would
    assert [finding.code for finding in result.new] == ["wrong_payout"]
    assert result.would.differences == {"b1": 1000}


def test_what_if_an_added_bet_by_place_by_time_and_at_the_end() -> None:
    facts = dealt(2)
    bet = first(facts, HeadsBet, "1")
    by_place = what_if(records_of(facts), ROOMS, "1", add=["^3@terminal HeadsBet b2 p-2 5"])
    assert [finding.money for finding in by_place.new] == [500]  # nobody paid it
    assert [pair.by for pair in by_place.stakes] == [0, 500]
    in_time = what_if(records_of(facts), ROOMS, "1", add=["@2026-11-28T18:00:06+01:00 HeadsBet b2 p-2 5"])
    assert in_time.alterations[0].cite == bet.cite
    at_end = what_if(records_of(facts), ROOMS, "1", add=["HeadsBet b2 p-2 5"])
    assert "late_bet" in [finding.code for finding in at_end.new]


def test_what_if_a_record_dropped_and_another_put_in_its_place() -> None:
    facts = dealt(2)
    result = what_if(records_of(facts), ROOMS, "1", drop=["3@terminal"], add=["^3@terminal HeadsBet b1 p-1 20"])
    assert [(line.stake, line.staked) for line in result.would.due.lines] == [("b1", 2000)]
    assert [finding.code for finding in result.new] == ["wrong_payout"]
    assert result.elsewhere == ()


def test_what_if_drops_and_changes_what_was_added() -> None:
    facts = dealt(2)
    extra = authored(HeadsBet("b2", "p-2", 500), first(facts, HeadsBet, "1"))
    records = records_of([*facts, extra])
    assert [pair.stake for pair in what_if(records, ROOMS, "1", drop=["1@/recoup"]).stakes if not pair.would] == ["b2"]
    changed = what_if(records, ROOMS, "1", change=["1@/recoup amount=1"])
    assert [line.staked for line in changed.would.due.lines if line.stake == "b2"] == [100]


def test_an_added_fact_that_was_disowned_stays_visible() -> None:
    facts = dealt(2)
    extra = authored(HeadsBet("b2", "p-2", 500), first(facts, HeadsBet, "1"))
    timeline = Timeline.make(records_of([*facts, extra, authored(RecordDisowned(), extra, 2)]))
    (entry,) = [entry for entry in timeline.entries if entry.disowned]
    assert entry.added
    assert timeline.entries[entry.number - 2].fact.cite == extra.about


def test_what_if_moves_a_record_in_time_or_into_another_round() -> None:
    facts = dealt(2)
    result = what_if(records_of(facts), ROOMS, "1", change=["3@terminal #2"])
    assert result.would.due.lines == ()
    assert result.elsewhere == ("table/brno/CO-1/2026-11-28.1#2",)


def test_what_if_wins_over_a_correction_on_record() -> None:
    facts = dealt(2)
    toss = first(facts, CoinTossed, "1")
    stored = [*facts, authored(RecordCorrected(data={"side": "tails"}), toss, 9)]
    result = what_if(records_of(stored), ROOMS, "1", change=[f"{toss.cite} side=heads"])
    assert result.was.due.lines[0].taken == 1000
    assert result.would.due.lines[0].paid == 1000


def test_what_if_asks_for_something_that_can_be_meant() -> None:
    records = records_of(dealt(2))
    with pytest.raises(Refused, match="needs something"):
        what_if(records, ROOMS, "1")
    with pytest.raises(Refused, match="no record"):
        what_if(records, ROOMS, "1", drop=["999@terminal"])
    with pytest.raises(BadNotation, match="is a CO"):
        what_if(records, ROOMS, "1", change=["3@terminal CoinTossed heads"])
    with pytest.raises(BadNotation, match="no place for"):
        what_if(records, ROOMS, "1", change=["3@terminal colour=red"])
    with pytest.raises(Refused, match="no round"):
        what_if(records, ROOMS, "9", add=["HeadsBet b2 p-2 5"])


def test_what_if_leaves_the_records_as_they_were() -> None:
    records = records_of(dealt(2))
    before = judge_round(records.case(), ROOMS, "1")
    what_if(records, ROOMS, "1", drop=["3@terminal"])
    assert judge_round(records.case(), ROOMS, "1") == before


# --- whatever is done ---


@given(st.lists(st.sampled_from(["n", "b", "p", "P", "e", "0", "$"]), max_size=40))
def test_however_one_came_to_a_step_it_is_the_same(keys: list[str]) -> None:
    walk, fresh = Stepper(records_of(dealt(4, breach="CO-02")), ROOMS), WALK
    moves: dict[str, Callable[[], Step]] = {
        "n": walk.next,
        "b": walk.back,
        "p": walk.next_phase,
        "P": walk.back_phase,
        "e": walk.next_finding,
        "0": lambda: walk.goto(1),
        "$": lambda: walk.goto(-1),
    }
    for key in keys:
        step = moves[key]()
        assert step == fresh.steps[step.number - 1]
        assert step.expected == fresh.steps[step.number - 1].expected


WALK = Stepper(records_of(dealt(4, breach="CO-02")), ROOMS)


@given(st.randoms(use_true_random=False), st.integers(0, 30))
def test_what_was_known_grows_record_by_record_and_ends_with_all(rng: random.Random, count: int) -> None:
    facts = dealt(4)
    rng.shuffle(facts)
    stamped = [replace(fact, recorded_at=at) for at, fact in enumerate(facts, 1)]
    records = records_of(stamped)
    then = records.known_at(count)
    assert list(then.facts) == stamped[:count]
    missing = {cite for hole in then.holes for cite in range(hole.first, hole.last + 1)}
    present = {fact.sequence for fact in then.facts}
    assert missing == set(range(1, max(present, default=0))) - present
    assert Timeline.make(records.known_at(len(facts))) == Timeline.make(records)


@given(st.integers(0, 60))
def test_as_of_is_a_beginning_of_the_session_while_its_clock_runs_forward(seconds: int) -> None:
    facts = dealt(4)
    cut = Timeline.make(records_of(facts).as_of(facts[0].occurred_at + seconds * 1000))
    whole = Timeline.make(records_of(facts)).entries
    assert cut.entries == whole[: len(cut.entries)]
    assert all(entry.fact.occurred_at <= facts[0].occurred_at + seconds * 1000 for entry in cut.entries)
