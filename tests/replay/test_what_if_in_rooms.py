"""What-if on amounts, words, order, cards and parameters: at a poker table, on an imported hand, at a roulette wheel."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.errors import BadNotation, RecoupError, Refused
from events.schema.catalogue import Catalogue
from events.schema.common import TABLE_EVENTS
from events.schema.envelope import canonical
from events.schema.fact import Fact
from events.schema.notation import write_event
from events.schema.ours import OUR_EVENTS
from events.values.cards import DECK
from games.adjudicate import judge_round
from games.holdem import GAME as HOLDEM
from games.holdem.dealer import shipped_edition
from games.protocol import Game
from games.registry import rooms, shipped_editions
from games.roulette import GAME as ROULETTE
from games.settlement import conserved
from games.verdict import Line
from replay.stepper import Stepper
from replay.timeline import Records
from replay.what_if import Comparison, Place, what_if
from tests.games.hand_histories.hands import HEADS_UP_ALL_IN, taken
from tests.games.hand_histories.hands import facts_of as facts_of_hand
from tests.games.poker.anything import ANYTHING
from tests.games.table import catalogue_of, editions_of, facts_of, facts_of_lines
from tests.soaking import examples

NL = shipped_edition().toml
ROOMS = rooms()

HAND = """
    @+0 TableOpened holdem NL CZK smallest_chip=5
    StakesAnnounced 5 10
    @+1 #1 RoundOpened
    @+2 #1 ButtonPlaced 1
    #1 PlayerDealtIn 1 p-1 1000
    #1 PlayerDealtIn 2 p-2 1000
    #1 PlayerDealtIn 3 p-3 1000
    @+3 #1 Posted 2 small_blind 5
    @+4 #1 Posted 3 big_blind 10
    @+5 #1 HoleDealt 1 Ah,Ad
    #1 HoleDealt 2 Kh,Kd
    #1 HoleDealt 3 7c,2d
    @+9 #1 WordsSpoken 1 raise
    @+10 #1 ChipsPushed 1 100 chips=100
    @+12 #1 ActionTaken 2 raise amount=295 to=300
    @+14 #1 ActionTaken 3 fold
    @+16 #1 ActionTaken 1 call amount=200
    @+18 #1 CardBurned
    #1 BoardDealt flop Kc,9s,4h
    @+20 #1 ActionTaken 2 check
    @+21 #1 ActionTaken 1 check
    @+22 #1 CardBurned
    #1 BoardDealt turn 3s
    @+24 #1 ActionTaken 2 check
    @+25 #1 ActionTaken 1 check
    @+26 #1 CardBurned
    #1 BoardDealt river 8d
    @+28 #1 ActionTaken 2 check
    @+29 #1 ActionTaken 1 check
    @+30 #1 HandShown 2 Kh,Kd
    @+31 #1 HandShown 1 Ah,Ad
    @+32 #1 ChipsMoved pot rake 30 rake
    @+33 #1 ChipsMoved pot seat/2 580 award stake=seat/2
    @+34 #1 RoundClosed
"""


def table(text: str = HAND, **more: Any) -> Records:
    """A hold'em table whose first hand is `text`."""
    return records(facts_of_lines(text, catalogue_of(HOLDEM)), HOLDEM, NL, **more)


def records(facts: list[Fact], game: Game[Any], toml: str, **more: Any) -> Records:
    return Records(
        subject=facts[0].subject, facts=tuple(facts), catalogue=Catalogue((*TABLE_EVENTS, *OUR_EVENTS, *game.events)),
        editions=editions_of(game, toml), **more,
    )  # fmt: skip


def number(of: Records, line: str) -> str:
    """The number that a replay of round 1 gives the first record whose notation begins so."""
    for step in Stepper(of, ROOMS, "1").steps:
        if write_event(step.entry.fact.event, of.catalogue).startswith(line):
            return str(step.number)
    raise AssertionError(line)


def net(result: Comparison, stake: str) -> tuple[int, int]:
    """What a seat has of the hand now, and what it would have; minor units."""
    pair = next(pair for pair in result.stakes if pair.stake == stake)
    assert isinstance(pair.was, Line)
    assert isinstance(pair.would, Line)
    return pair.was.net, pair.would.net


def new(result: Comparison) -> set[tuple[str, str]]:
    return {(finding.rule, finding.code) for finding in result.new}


def told(result: Comparison) -> list[tuple[str, str]]:
    return [(one.was, one.would) for one in result.alterations]


# --- the hand as it is ---


def test_the_hand_of_these_tests_is_played_and_paid_by_the_rules() -> None:
    verdict = judge_round(table().case(), ROOMS, "1")
    assert (verdict.standing, verdict.settlement) == ("valid", "agrees")
    assert verdict.findings == ()


# --- amounts ---


def test_what_if_a_bet_had_been_another_amount() -> None:
    hand = table()
    bet = number(hand, "ActionTaken 2 raise")
    less = what_if(hand, ROOMS, "1", settings=[f"{bet}.amount=145"])
    assert ("NL-22", "below_minimum") in new(less)
    # It is a raise to 200, of which 50 are still to come; the call of it gives 100 back.
    assert [pair.by for pair in less.stakes] == [100_00, -90_00, 0]
    call = number(hand, "ActionTaken 1 call")
    more = what_if(hand, ROOMS, "1", settings=[f"{bet}.amount=395", f"{call}.amount=300"])
    assert (net(more, "seat/1"), net(more, "seat/3")) == ((-300_00, -400_00), (-10_00, -10_00))
    assert (more.was.due.rake, more.would.due.rake) == (30_00, 40_00)
    assert told(more)[0] == ("ActionTaken 2 raise amount=295 to=300", "ActionTaken 2 raise amount=395")


def test_several_fields_of_one_record_are_one_change() -> None:
    hand = table()
    bet = number(hand, "ActionTaken 2 raise")
    result = what_if(hand, ROOMS, "1", settings=[f"{bet}.action=call", f"{bet}.amount=95"])
    assert told(result)[0][1] == "ActionTaken 2 call amount=95"
    assert result.alterations[0].number == int(bet)


def test_chips_counted_for_the_old_amount_are_not_those_of_the_new() -> None:
    hand = table()
    push = number(hand, "ChipsPushed 1")
    changed = what_if(hand, ROOMS, "1", settings=[f"{push}.amount=50"])
    assert told(changed)[0][1] == "ChipsPushed 1 50"
    counted = what_if(hand, ROOMS, "1", settings=[f"{push}.amount=50", f"{push}.chips=25,25"])
    assert told(counted)[0][1] == "ChipsPushed 1 50 chips=25,25"


# --- words, and their times ---


SILENT = HAND.replace("    @+9 #1 WordsSpoken 1 raise\n", "")
"""One chip of 100 into 10 without a word is a call (NL-A10)."""


def test_what_if_he_had_said_raise_before_the_chip_touched() -> None:
    silent = table(SILENT)
    push = number(silent, "ChipsPushed 1")
    said = what_if(silent, ROOMS, "1", add=[f"WordsSpoken 1 raise before {push}"])
    assert [one.code for one in said.was.findings] == ["short_call"]  # his chip was the call of 10
    assert said.would.findings == ()
    assert said.would.standing == "valid"
    assert said.would.due == judge_round(table().case(), ROOMS, "1").due
    assert told(said) == [("", f"WordsSpoken 1 raise (before {push})")]
    late = what_if(silent, ROOMS, "1", add=[f"WordsSpoken 1 raise behind {push}"])
    assert {"short_call", "word_late", "fold_to_void_raise"} == {one.code for one in late.would.findings}


def test_what_if_he_had_said_it_after_the_chip_touched() -> None:
    hand = table()
    word, push = number(hand, "WordsSpoken 1"), number(hand, "ChipsPushed 1")
    late = what_if(hand, ROOMS, "1", move=[f"{word} behind {push}"])
    silent = judge_round(table(SILENT).case(), ROOMS, "1")
    assert late.would.due == silent.due
    assert what_if(hand, ROOMS, "1", settings=[f"{word}.time=+0.1"]).is_same  # his word is still before the chip
    assert what_if(hand, ROOMS, "1", drop=[word]).would.due == silent.due


@pytest.mark.parametrize(
    "line",
    [
        "WordsSpoken 1 raise before {n}",
        'WordsSpoken(1, "raise") before {n}',
        'WordsSpoken(1, word="raise") @{n}',
        "@{n} WordsSpoken 1 raise",
        "WordsSpoken( 1 , 'raise' )  before  {cite}",
    ],
)
def test_an_added_event_may_be_written_in_several_ways(line: str) -> None:
    hand = table(SILENT)
    push = number(hand, "ChipsPushed 1")
    cite = Stepper(hand, ROOMS, "1").steps[int(push) - 1].entry.fact.cite
    one = what_if(hand, ROOMS, "1", add=[line.format(n=push, cite=cite)])
    other = what_if(hand, ROOMS, "1", add=["WordsSpoken 1 raise"], place=Place("before", push))
    assert told(one) == told(other) == [("", f"WordsSpoken 1 raise (before {push})")]
    assert one.would == other.would


def test_what_if_he_had_shown_his_hand_or_had_not() -> None:
    hand = table()
    shown, award = number(hand, "HandShown 1"), number(hand, "ChipsMoved pot rake")
    mucked = table(HAND.replace("HandShown 1 Ah,Ad", "HandMucked 1"))
    one = what_if(hand, ROOMS, "1", cards=["river=As"], drop=[shown], add=[f"HandMucked 1 @{shown}"])
    assert one.would.due == one.was.due  # who mucks a winning hand has not won
    two = what_if(mucked, ROOMS, "1", drop=[shown], add=["HandShown(1, [Ah, Ad])"], place=Place("before", award))
    assert two.would.due == judge_round(hand.case(), ROOMS, "1").due


def test_a_record_may_be_replaced_at_its_place() -> None:
    hand = table()
    shown = number(hand, "HandShown 2")
    by_drop = what_if(hand, ROOMS, "1", drop=[shown], add=[f"HandShown 2 Kh,Kd @{shown}"])
    assert by_drop.is_same


# --- order ---


def test_what_if_a_call_had_come_before_the_fold() -> None:
    hand = table()
    fold, call = number(hand, "ActionTaken 3 fold"), number(hand, "ActionTaken 1 call")
    result = what_if(hand, ROOMS, "1", move=[call], place=Place("before", fold))
    assert ("NL-11", "out_of_turn") in new(result)
    assert told(result)[0][1] == f"the same, before {fold}"
    assert what_if(hand, ROOMS, "1", move=[f"{call} before {fold}"]).would == result.would


def test_several_records_move_together_and_keep_their_order() -> None:
    hand = table()
    first, last = number(hand, "HandShown 2"), number(hand, "HandShown 1")
    paid = number(hand, "RoundClosed")
    span = what_if(hand, ROOMS, "1", move=[f"{first}-{last} behind {paid}"])
    apart = what_if(hand, ROOMS, "1", move=[first, last], place=Place("behind", paid))
    assert [one.number for one in span.alterations] == [int(first), int(last)]
    assert apart.would == span.would
    turned = what_if(hand, ROOMS, "1", move=[last, first], place=Place("behind", str(int(first) - 1)))
    assert (span.new, new(turned)) == ((), {("NL-27", "shown_out_of_order")})
    assert what_if(
        hand, ROOMS, "1", move=[f"{first}-{last} before {int(last) + 1}"]
    ).is_same  # where they stand already


def test_what_is_moved_happened_between_its_new_neighbours() -> None:
    hand = table()
    fold, call = number(hand, "ActionTaken 3 fold"), number(hand, "ActionTaken 1 call")
    result = what_if(hand, ROOMS, "1", move=[f"{call} before {fold}"])
    assert "TB-05" not in {finding.rule for finding in result.new}


# --- cards ---


def test_what_if_another_river_had_come() -> None:
    hand = table()
    result = what_if(hand, ROOMS, "1", cards=["river=As"])
    assert net(result, "seat/1") == (-300_00, 310_00 - 30_00)
    assert {(one.kind, one.player, one.money) for one in result.new} >= {
        ("mispaid", "p-1", 580_00), ("mispaid", "p-2", -580_00),
    }  # fmt: skip
    assert told(result) == [("BoardDealt river 8d", "BoardDealt river As")]


def test_a_card_that_lies_elsewhere_changes_places_wherever_it_is_named() -> None:
    hand = table()
    result = what_if(hand, ROOMS, "1", cards=["river=Kd"])
    assert {would for _was, would in told(result)} == {
        "BoardDealt river Kd", "HoleDealt 2 Kh,8d", "HandShown 2 Kh,8d",
    }  # fmt: skip
    assert not any(finding.kind == "void" for finding in result.new)


def test_several_cards_and_a_card_that_two_of_them_name() -> None:
    hand = table()
    result = what_if(hand, ROOMS, "1", cards=["flop=Qc Jc 10c", "seat/3=KcAc"])
    shown = {would for _was, would in told(result)}
    assert "BoardDealt flop Qc,Jc,Tc" in shown
    assert "HoleDealt 3 Kc,Ac" in shown
    assert what_if(hand, ROOMS, "1", cards=["seat 1=AhAd", "turn=3s"]).is_same


def test_a_record_names_its_cards_too() -> None:
    hand = table()
    river = number(hand, "BoardDealt river")
    assert what_if(hand, ROOMS, "1", cards=[f"{river}=As"]).would == what_if(hand, ROOMS, "1", cards=["river=As"]).would


def test_after_a_misdeal_the_cards_of_the_second_deal_are_meant() -> None:
    again = HAND.replace(
        "@+10 #1 ChipsPushed",
        "@+6 #1 MisdealDeclared\n@+7 #1 HoleDealt 1 Ah,Ad\n#1 HoleDealt 2 Kh,Kd\n#1 HoleDealt 3 7c,2d\n@+10 #1 ChipsPushed",
    )
    hand = table(again)
    result = what_if(hand, ROOMS, "1", cards=["seat/3=8d7c"])
    assert [was for was, _would in told(result)].count("HoleDealt 3 7c,2d") == 1


def test_cards_that_are_not_known_stay_unknown_elsewhere() -> None:
    hidden = table(HAND.replace("HoleDealt 3 7c,2d", "HoleDealt 3 ??,??"))
    result = what_if(hidden, ROOMS, "1", cards=["seat/3=As,8d"])
    assert {would for _was, would in told(result)} == {"HoleDealt 3 As,8d", "BoardDealt river ??"}
    assert result.would.standing == "cannot_tell"
    tabled = table(HAND.replace("HoleDealt 2 Kh,Kd", "HoleDealt 2 ??,??"))
    by_shown = what_if(tabled, ROOMS, "1", cards=["seat/2=QhQd"])
    assert told(by_shown) == [("HandShown 2 Kh,Kd", "HandShown 2 Qh,Qd")]


# --- parameters ---


def test_what_if_a_rule_were_otherwise() -> None:
    hand = table()
    less = table(
        HAND.replace("raise amount=295 to=300", "raise amount=190").replace("call amount=200", "call amount=95")
    )
    other = what_if(less, ROOMS, "1", parameters=["min_raise_rule=last_increment"])
    assert told(other) == [("min_raise_rule = double_bet_to_match", "min_raise_rule = last_increment")]
    assert ("NL-22", "below_minimum") in {(finding.rule, finding.code) for finding in other.gone}
    assert what_if(hand, ROOMS, "1", parameters=["rake_cap_czk=10"]).would.due.rake == 10_00
    assert what_if(hand, ROOMS, "1", parameters=["no_flop_no_drop=yes"]).would.due.rake == 30_00
    capped = what_if(hand, ROOMS, "1", parameters=["table_max_bet=50"])
    assert ("NL-22", "above_maximum") in new(capped)
    assert capped.would.edition_digest != capped.was.edition_digest
    assert what_if(hand, ROOMS, "1", parameters=["table_max_bet=null"]).is_same


def test_an_edition_that_was_asked_about_does_not_stay() -> None:
    hand = table()
    before = judge_round(hand.case(), ROOMS, "1")
    what_if(hand, ROOMS, "1", parameters=["rake_cap_czk=10", "min_raise_rule=last_increment"])
    assert judge_round(hand.case(), ROOMS, "1") == before


# --- imported hands, roulette ---


def test_what_if_on_an_imported_hand() -> None:
    toml = next(toml for room, file, toml in shipped_editions() if room == "holdem" and file == "import.toml")
    hand = imported(toml)
    assert judge_round(hand.case(), ROOMS, "1").standing == "valid"
    lost = what_if(hand, ROOMS, "1", cards=["flop=Ts,8d,2c", "turn=3s", "river=4s"])
    assert net(lost, "seat/3")[0] > 0 > net(lost, "seat/3")[1]
    assert net(lost, "seat/7")[1] > 0
    call = number(hand, "ActionTaken 7")
    folded = what_if(hand, ROOMS, "1", settings=[f"{call}.action=fold", f"{call}.amount=0"])
    assert folded.would.due != folded.was.due
    by_rule = what_if(hand, ROOMS, "1", parameters=["odd_chip=first_left_of_button"])
    assert by_rule.is_same


def imported(toml: str) -> Records:
    """A hand out of a file, by the edition for imports."""
    facts = facts_of_hand(taken(HEADS_UP_ALL_IN))
    return Records(
        subject=facts[0].subject, facts=tuple(facts), catalogue=Catalogue((*TABLE_EVENTS, *OUR_EVENTS, *HOLDEM.events)),
        editions=editions_of(HOLDEM, toml),
    )  # fmt: skip


def test_what_if_at_a_wheel() -> None:
    toml = next(toml for room, file, toml in shipped_editions() if room == "roulette")
    facts = facts_of(ROULETTE.deal(3, 3), catalogue_of(ROULETTE))
    spin = records(facts, ROULETTE, toml)
    bet, mark = number(spin, "BetPlaced"), number(spin, "SpinStarted")
    more = what_if(spin, ROOMS, "1", settings=[f"{bet}.amount=5"])
    assert more.alterations[0].number == int(bet)
    assert more.alterations[0].would.split()[4] == "5"
    assert more.would.due != more.was.due
    with pytest.raises(Refused, match="no card was dealt"):
        what_if(spin, ROOMS, "1", cards=["river=Ah"])
    late = what_if(spin, ROOMS, "1", move=[f"{bet} behind {number(spin, 'RoundClosed')}"])
    assert not late.is_same
    dropped = what_if(spin, ROOMS, "1", drop=[mark])
    assert dropped.alterations[0].would == ""


# --- what cannot be meant ---


@pytest.mark.parametrize(
    ("asked", "said", "hint"),
    [
        ({"settings": ["12"]}, "which field", "27.amount"),
        ({"settings": ["12.amount="]}, "which field", "27.amount"),
        ({"settings": ["99.amount=4"]}, "it has 1 to", "replay"),
        ({"settings": ["0.amount=4"]}, "it has 1 to", "replay"),
        ({"settings": ["12.amout=4"]}, "no field `amout`", "`amount`"),
        ({"settings": ["12.amount=four"]}, "amount cannot be `four`", ""),
        ({"settings": ["12.time=-x"]}, "number of seconds", "time=-0.5"),
        ({"settings": ["12.time=noon"]}, "noon", ""),
        ({"cards": ["river"]}, "which card", "river=Ah"),
        ({"cards": ["river=1h"]}, "no card", "Ah"),
        ({"cards": ["river=A"]}, "no card", "Ah"),
        ({"cards": ["rivr=Ah"]}, "cards lie at", "CardDealt"),
        ({"cards": ["flop=Ah"]}, "flop has 3 cards", "--card"),
        ({"cards": ["flop=Ah,Ah,2c"]}, "twice", ""),
        ({"cards": ["2=Ah"]}, "no card in it", ""),
        ({"move": ["12"]}, "where to", "--before"),
        ({"move": ["12 before 12"]}, "itself", ""),
        ({"move": ["12 before 99"]}, "it has 1 to", "replay"),
        ({"move": ["twelve before 3"]}, "names no record", "17-19"),
        ({"move": ["12 before 3"], "drop": ["12"]}, "dropped and moved", ""),
        ({"drop": ["12-"]}, "names no record", "17-19"),
        ({"drop": ["9-3"]}, "names no record", "17-19"),
        ({"add": ["Nonsense 4"]}, "Nonsense", ""),
        ({"add": ["WordsSpoken(4"]}, "WordsSpoken", ""),
        ({"add": ["WordsSpoken 4 shout before 12"]}, "shout", "WordsSpoken seat word"),
        ({"parameters": ["min_raise"]}, "no parameter", "NAME=VALUE"),
        ({"parameters": ["min_raise_rul=x"]}, "no parameter `min_raise_rul`", "min_raise_rule"),
        ({"parameters": ["min_raise_rule=x"]}, "last_increment", ""),
        ({"parameters": ["rake_cap_czk=-1"]}, "negative", ""),
        ({"parameters": ["rake_cap_czk=lots"]}, "rake_cap_czk", "whole CZK"),
        ({}, "needs something", "--set"),
    ],
)
def test_what_cannot_be_meant_is_said_with_what_to_try(asked: dict[str, Any], said: str, hint: str) -> None:
    with pytest.raises((Refused, BadNotation)) as refused:
        what_if(table(), ROOMS, "1", **asked)
    assert said in str(refused.value)
    assert hint in refused.value.hint


def test_one_card_dealt_twice_is_changed_by_its_record_alone() -> None:
    twice = table(HAND.replace("BoardDealt turn 3s", "BoardDealt turn Kd"))
    with pytest.raises(Refused, match="more than once") as refused:
        what_if(twice, ROOMS, "1", cards=["turn=3s"])
    assert "--set" in refused.value.hint
    turn = number(twice, "BoardDealt turn")
    result = what_if(twice, ROOMS, "1", settings=[f"{turn}.cards=3s"])
    assert (result.was.standing, result.would.standing) == ("ruling_required", "valid")


# --- whatever is asked ---

_COUNT = len(Stepper(table(), ROOMS, "1").steps)
_NUMBER = st.integers(1, _COUNT).map(str)
_PLACES = st.sampled_from(("river", "turn", "seat/1", "seat/3", "flop", "burn"))
_ASKED = st.fixed_dictionaries(
    {},
    optional={
        "drop": st.lists(_NUMBER, max_size=3),
        "move": st.lists(st.builds("{} {} {}".format, _NUMBER, st.sampled_from(("before", "behind")), _NUMBER), max_size=3),
        "settings": st.lists(
            st.builds(
                "{}.{}={}".format, _NUMBER, st.sampled_from(("amount", "seat", "time", "round", "card")),
                st.sampled_from(("0", "1", "400", "-0.5", "Ah", "??", "2")),
            ),
            max_size=3,
        ),
        "cards": st.lists(st.builds("{}={}".format, _PLACES | _NUMBER, st.sampled_from((*DECK, "AhKd", "??"))), max_size=3),
        "add": st.lists(
            st.builds(
                "{} {} {}".format, ANYTHING.map(lambda event: write_event(event, catalogue_of(HOLDEM))),
                st.sampled_from(("before", "behind")), _NUMBER,
            ),
            max_size=3,
        ),
    },
)  # fmt: skip


@settings(max_examples=examples(150), deadline=None)
@given(_ASKED)
def test_whatever_is_asked_is_answered_or_refused_with_a_reason(asked: dict[str, Any]) -> None:
    hand = table()
    before = judge_round(hand.case(), ROOMS, "1")
    result = None
    with suppress(RecoupError):
        result = what_if(hand, ROOMS, "1", **asked)
    if result is not None:
        assert result.was == before
        assert conserved(result.would.due)
        assert result.alterations or result.is_same  # a card may be asked for where it lies already
        assert canonical(what_if(hand, ROOMS, "1", **asked)) == canonical(result)
    assert judge_round(hand.case(), ROOMS, "1") == before
