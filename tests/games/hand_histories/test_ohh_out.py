"""Open Hand History written: what comes out is what went in, and corrections show."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from events.errors import Refused
from events.schema.event import Event
from events.schema.order import table_order
from games.adjudicate import Case, judge_session
from games.hand_histories import phh_out
from games.hand_histories.draft import Imported
from games.hand_histories.ohh_in import take
from games.hand_histories.ohh_out import VERSION, WrittenHand, hands_of, write_file
from games.hand_histories.retold import acts_of
from games.holdem import GAME
from games.registry import shipped_editions
from games.shared.poker.events import ActionTaken, StakesAnnounced
from tests.games.hand_histories.hands import CATALOGUE, HEADS_UP_ALL_IN, NAMES, THREE_HANDED, facts_of, ordered
from tests.games.hand_histories.hands import taken as taken_phh
from tests.games.hand_histories.ohh import BLINDS, SHOWDOWN, STEAL, act, hand, pot, round_, taken, win
from tests.games.hand_histories.test_judged import judged
from tests.games.hand_histories.test_ohh_judged import ALL_IN, FLOP, RIVER, SHOWN, TURN
from tests.games.table import editions_of
from tests.games.table import facts_of as table_facts


def written(found: Imported) -> WrittenHand:
    [only] = hands_of(ordered(found))
    return only


def again(text: str) -> Imported:
    return take(text.encode(), NAMES)


def before_the_flop(*actions: dict[str, Any], **more: Any) -> dict[str, Any]:
    return hand(round_("Preflop", *actions), **more)


FOLDED = (act(0, "Fold"), act(1, "Fold"))
ODD = {
    "steal": STEAL,
    "showdown": SHOWDOWN,
    "uncalled in the pot": {"ohh": STEAL["ohh"] | {"pots": [pot(9, win(0, 9))]}},
    "wrong money": {"ohh": STEAL["ohh"] | {"pots": [pot(7, win(0, 4))]}},
    "no pots": {"ohh": STEAL["ohh"] | {"pots": []}},
    "cashed out": {"ohh": STEAL["ohh"] | {"pots": [pot(5, win(0, 5, cashout_amount=4.4, cashout_fee=0.1))]}},
    "fees": {"ohh": STEAL["ohh"] | {"pots": [pot(5, win(0, 4, bonus_amount=20), rake=0.75, jackpot=0.25)]}},
    "two pots": {"ohh": STEAL["ohh"] | {"pots": [pot(3, win(0, 2.5), rake=0.5), pot(2, win(0, 2), number=1)]}},
    "pot limit": {"ohh": STEAL["ohh"] | {"bet_limit": {"bet_type": "PL"}}},
    "fixed limit": {"ohh": STEAL["ohh"] | {"bet_limit": {"bet_type": "FL", "bet_cap": 12.5}}},
    "no button": {"ohh": STEAL["ohh"] | {"dealer_seat": None}},
    "twice": hand(round_("Preflop", *ALL_IN), SHOWN, FLOP, TURN, RIVER, round_("River", cards="Kc"),
                  pots=[pot(201, win(0, 100.5), win(2, 100.5))]),
    "antes": before_the_flop(*[act(n, "Post Ante", 0.5) for n in range(3)], *BLINDS, *FOLDED, pots=[pot(3.5, win(2, 3.5))]),
    "big blind ante": before_the_flop(act(2, "Post Ante", 2), *BLINDS, *FOLDED, pots=[pot(4, win(2, 4))]),
    "dead": before_the_flop(*BLINDS, act(0, "Post Dead", 1), act(0, "Post Extra Blind", 2), *FOLDED,
                            pots=[pot(5, win(2, 5))]),
    "straddle": before_the_flop(*BLINDS, act(0, "Straddle", 4), act(1, "Fold"), act(2, "Fold"), pots=[pot(5, win(0, 5))]),
    "added": before_the_flop(*BLINDS, act(0, "Added Chips", 50), *FOLDED, act(1, "Stands Up"), pots=[pot(2, win(2, 2))]),
    "shown early": before_the_flop(*BLINDS, act(0, "Shows Cards", cards="7h"), *FOLDED, pots=[pot(2, win(2, 2))]),
    "splashed": before_the_flop(act(None, "Add to Pot", 10), *BLINDS, *FOLDED, pots=[pot(12, win(2, 12))]),
    "no names": hand(
        round_("Preflop", act(1, "Post SB", 1), act(0, "Post BB", 2), act(2, "Fold"), act(1, "Fold")),
        pots=[pot(2, win(0, 2))],
        players=[
            *({"id": 5 - place, "seat": place, "starting_stack": 50.25} for place in range(3, 6)),
            {"id": 9, "seat": 0, "starting_stack": 1, "is_sitting_out": True},
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_a_hand_written_and_read_again_tells_the_same(name: str) -> None:
    first = taken(ODD[name])
    text = written(first).text
    second = again(text)
    assert second.draft.events == first.draft.events
    assert second.draft.unproved == first.draft.unproved
    assert (second.played_at, second.opened.smallest_chip) == (first.played_at, first.opened.smallest_chip)
    assert written(second).text == text


def test_what_only_the_file_has_is_kept() -> None:
    document = {"ohh": STEAL["ohh"] | {"_own": [1.50, {"a": None}], "table_name": "Růže", "tournament": False}}
    document["ohh"]["pots"] = [pot(5, win(0, 5, contributed_rake=0.0), _more=7)]
    fields = json.loads(written(taken(document)).text)["ohh"]
    for name in ("_own", "table_name", "tournament", "site_name", "game_number", "start_date_utc", "pots", "bet_limit"):
        assert fields[name] == document["ohh"][name], name
    assert list(fields)[:3] == ["spec_version", "site_name", "tournament"]


def test_numbers_are_written_exactly() -> None:
    text = written(taken(SHOWDOWN)).text
    assert '"amount":10.50' in text
    assert '"win_amount":47.5' in text


def test_a_correction_shows_in_what_is_written() -> None:
    facts = facts_of(taken(STEAL))
    place = next(number for number, fact in enumerate(facts) if isinstance(fact.event, ActionTaken))
    raised = replace(facts[place].event, amount=700, to=700)
    facts[place] = replace(facts[place], event=raised)
    [only] = hands_of(table_order(facts, CATALOGUE.decode))
    actions = json.loads(only.text)["ohh"]["rounds"][0]["actions"]
    assert [one["amount"] for one in actions if one["action"] == "Raise"] == [7.0]


def test_several_hands_stand_apart_by_blank_lines() -> None:
    hands = [WrittenHand("1", {"a": 1}), WrittenHand("1", {"b": 2})]
    assert "".join(write_file(hands)) == '{"ohh":{"a":1}}\n\n{"ohh":{"b":2}}\n'


def events_of(found: Imported) -> list[Event]:
    """Without the variant, which this format tells otherwise."""
    return [
        replace(event, variant=None) if isinstance(event, StakesAnnounced) else event for event in found.draft.events
    ]


@pytest.mark.parametrize("text", [THREE_HANDED, HEADS_UP_ALL_IN, THREE_HANDED.replace("'NT'", "'NT'\nhand = 5")])
def test_a_phh_hand_is_written_too(text: str) -> None:
    first = taken_phh(text)
    only = written(first)
    second = again(only.text)
    assert events_of(second) == events_of(first)
    assert second.opened.smallest_chip == first.opened.smallest_chip
    assert only.fields["spec_version"] == VERSION
    assert "start_date_utc" not in only.fields


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (THREE_HANDED.replace("[400, ", "[inf, "), "the stack of seat 1 is not known"),
        (THREE_HANDED.replace("'NT'", "'FT'").replace("min_bet = 4", "small_bet = 8\nbig_bet = 16"),
         "the format takes the bets of fixed limit from the big blind"),
    ],
)  # fmt: skip
def test_what_the_format_has_no_word_for_is_refused(text: str, reason: str) -> None:
    with pytest.raises(Refused, match=f"cannot be written as OHH: {reason}"):
        written(taken_phh(text))


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("twice", "the board was run more than once"),
        ("cashed out", "seat 1 was cashed out"),
        ("pot limit", "the format has no pot-limit hold'em"),
    ],
)
def test_what_phh_has_no_word_for_is_refused(name: str, reason: str) -> None:
    with pytest.raises(Refused, match=f"cannot be written as PHH: {reason}"):
        list(phh_out.hands_of(ordered(taken(ODD[name]))))


def test_two_live_posts_of_one_seat_are_none_that_phh_can_tell() -> None:
    posts = before_the_flop(*BLINDS, act(1, "Post Extra Blind", 1), *FOLDED, pots=[pot(4, win(2, 4))])
    with pytest.raises(Refused, match="seat 3 posted two blinds"):
        list(phh_out.hands_of(ordered(taken(posts))))


@pytest.mark.parametrize("seed", [1, 2])
def test_hands_of_our_own_tables_are_judged_alike_when_written_and_imported(seed: int) -> None:
    """Words, chips and gestures become the actions that they count for; money and cards stay."""
    plan = next(toml for room, file, toml in shipped_editions() if (room, file) == ("holdem", "live-games-plan.toml"))
    facts = table_facts(GAME.deal(30, seed), CATALOGUE)
    case = Case.make(facts[0].subject, facts, CATALOGUE, editions_of(GAME, plan))
    rooms = {GAME.name: GAME}
    played = judge_session(case, rooms).verdicts
    hands = list(hands_of(case.ordered, acts_of(case, rooms)))
    assert len(hands) == len(played) == 30
    for one, text in zip(played, hands, strict=True):
        [found] = judged(again(text.text)).verdicts
        assert (found.standing, found.due.rake) == ("valid", one.due.rake)
        if len(one.due.pots) > 1 and one.due.rake:
            continue  # a history does not say which pot was raked
        assert found.settlement == "agrees"
        assert {line.player: line.net for line in found.due.lines} == {
            NAMES.of(line.player): line.net for line in one.due.lines
        }
