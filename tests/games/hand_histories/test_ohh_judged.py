"""Open Hand Histories written here, imported and judged: what they record is what the rules make of them."""

from __future__ import annotations

from typing import Any

import pytest

from games.settlement import conserved
from games.verdict import Verdict
from tests.games.hand_histories.ohh import BLINDS, SHOWDOWN, STEAL, act, hand, pot, round_, taken, win
from tests.games.hand_histories.test_judged import judged


def verdict(document: Any) -> Verdict:
    [only] = judged(taken(document)).verdicts
    assert conserved(only.due)
    return only


def codes(found: Verdict) -> list[str]:
    return [f"{finding.rule} {finding.code}" for finding in found.findings]


def nets(found: Verdict) -> dict[str, int]:
    return {line.stake: line.net for line in found.due.lines}


ALL_IN = (*BLINDS, act(0, "Raise", 100, is_allin=True), act(1, "Fold"), act(2, "Call", 98, is_allin=True))
SHOWN = round_("Showdown", act(0, "Shows Cards", cards="AhAd"), act(2, "Shows Cards", cards="KhKd"))
FLOP, TURN, RIVER = (round_(name, cards=cards) for name, cards in [("Flop", "4h9sJc"), ("Turn", "2d"), ("River", "2c")])


def all_in(*rounds: dict[str, Any], pots: list[dict[str, Any]]) -> dict[str, Any]:
    return hand(round_("Preflop", *ALL_IN), SHOWN, *rounds, pots=pots)


@pytest.mark.parametrize("document", [STEAL, SHOWDOWN])
def test_regular_hands_agree_with_their_files(document: Any) -> None:
    found = verdict(document)
    assert (found.standing, found.settlement, codes(found)) == ("valid", "agrees", [])


@pytest.mark.parametrize(
    ("rounds", "wins"),
    [
        # the first board by aces, the second by a king: half each
        ([FLOP, TURN, RIVER, round_("Flop", cards="Kc9d3c"), round_("Turn", cards="3d"), round_("River", cards="7c")],
         [win(0, 100.5), win(2, 100.5)]),
        # only the river twice
        ([FLOP, TURN, RIVER, round_("River", cards="Kc")], [win(0, 100.5), win(2, 100.5)]),
        # turn and river twice, told side by side
        ([FLOP, TURN, round_("Turn", cards="Kc"), RIVER, round_("River", cards="7c")], [win(0, 100.5), win(2, 100.5)]),
        # three rivers: a third each
        ([FLOP, TURN, RIVER, round_("River", cards="Kc"), round_("River", cards="7c")], [win(0, 134), win(2, 67)]),
    ],
)  # fmt: skip
def test_a_board_run_more_than_once_cuts_the_pot(rounds: list[Any], wins: list[Any]) -> None:
    found = verdict(all_in(*rounds, pots=[pot(201, *wins)]))
    assert (found.standing, found.settlement, codes(found)) == ("valid", "agrees", [])
    assert {f"seat/{2 * one['player_id'] + 1}": one["win_amount"] * 100 for one in wins} == found.due.pots[0].awards


def test_both_boards_won_by_one_leave_nothing_to_the_other() -> None:
    rounds = [FLOP, TURN, RIVER, round_("River", cards="7c")]
    assert verdict(all_in(*rounds, pots=[pot(201, win(0, 201))])).settlement == "agrees"
    wrong = verdict(all_in(*rounds, pots=[pot(201, win(0, 100.5), win(2, 100.5))]))
    assert wrong.differences == {"seat/1": 10050, "seat/5": -10050}


@pytest.mark.parametrize("river", ["2c", "Kc"])
def test_who_was_cashed_out_owes_the_site_what_his_hand_wins(river: str) -> None:
    wins = [win(0, 201 if river == "2c" else 0, cashout_amount=160.5, cashout_fee=1.6)]
    if river == "Kc":
        wins.insert(0, win(2, 201))
    found = taken(all_in(FLOP, TURN, round_("River", cards=river), pots=[pot(201, *wins)]))
    [one] = judged(found).verdicts
    assert (one.standing, one.settlement) == ("valid", "agrees")
    stacks = {"seat/1": 10000}
    for event in found.draft.events:
        for move in event.moves() if event.MOVES else ():
            for place, sign in ((move.frm, -1), (move.to, 1)):
                stacks[place] = stacks.get(place, 0) + sign * int(move.amount)
    assert stacks["seat/1"] == 16050
    assert stacks["pot"] == 0


def test_side_pots_and_their_rake() -> None:
    rounds = [
        round_("Preflop", *BLINDS, act(0, "Raise", 20, is_allin=True), act(1, "Raise", 49, is_allin=True), act(2, "Call", 48)),
        FLOP, TURN, RIVER,
        round_("Showdown", act(1, "Shows Cards", cards="KhKd"), act(2, "Shows Cards", cards="QhQd"),
               act(0, "Shows Cards", cards="AhAd")),
    ]  # fmt: skip
    pots = [pot(60, win(0, 57), rake=3), pot(60, win(1, 58), rake=2, number=1)]
    found = verdict(hand(*rounds, pots=pots, stacks=(20, 50, 100)))
    assert (found.standing, found.settlement) == ("valid", "agrees")
    assert [(one.amount, one.rake) for one in found.due.pots] == [(6000, 300), (6000, 200)]
    together = [pot(120, win(0, 57), win(1, 58), rake=5)]  # 3 and 2 is not how a rake without a pot is cut
    assert verdict(hand(*rounds, pots=together, stacks=(20, 50, 100))).due.rake == 500


def checked_down(*actions: dict[str, Any], seats: tuple[int, ...], cards: tuple[str, ...]) -> list[dict[str, Any]]:
    checks = [act(seat, "Check") for seat in seats]
    shows = [act(seat, "Shows Cards", cards=shown) for seat, shown in zip(seats, cards, strict=True)]
    return [
        round_("Preflop", *actions), round_("Flop", *checks, cards="4h9sJc"), round_("Turn", *checks, cards="2d"),
        round_("River", *checks, cards="2c"), round_("Showdown", *shows),
    ]  # fmt: skip


def test_an_ante_that_some_with_chips_did_not_pay_is_won_with_the_rest() -> None:
    antes = [act(0, "Post Ante", 1), act(2, "Post Ante", 1)]
    play = [act(0, "Fold"), act(1, "Call", 1), act(2, "Check")]
    rounds = checked_down(*antes, *BLINDS, *play, seats=(1, 2), cards=("AhAd", "KhKd"))
    found = verdict(hand(*rounds, pots=[pot(6, win(1, 6))], ante_amount=1))
    assert (found.settlement, nets(found)) == ("agrees", {"seat/1": -100, "seat/3": 400, "seat/5": -300})


def test_who_is_short_of_the_ante_plays_for_as_much_of_the_others() -> None:
    antes = [act(0, "Post Ante", 2), act(1, "Post Ante", 2), act(2, "Post Ante", 1, is_allin=True)]
    play = [act(1, "Post SB", 1), act(0, "Call", 2), act(1, "Call", 1)]
    rounds = checked_down(*antes, *play, seats=(1, 0), cards=("QhQd", "KhKd"))
    rounds[-1]["actions"].append(act(2, "Shows Cards", cards="AhAd"))
    pots = [pot(3, win(2, 3)), pot(6, win(0, 6), number=1)]
    found = verdict(hand(*rounds, pots=pots, ante_amount=2, stacks=(100, 100, 1)))
    assert (found.settlement, nets(found)) == ("agrees", {"seat/1": 200, "seat/3": -400, "seat/5": 200})


def test_a_dead_blind_is_in_the_pot_and_not_in_the_bet() -> None:
    posts = [act(0, "Post Dead", 1), act(0, "Post Extra Blind", 2)]
    rounds = checked_down(
        *BLINDS, *posts, act(0, "Check"), act(1, "Fold"), act(2, "Check"), seats=(2, 0), cards=("AhAd", "KhKd")
    )
    found = verdict(hand(*rounds, pots=[pot(6, win(2, 6))]))
    assert (found.standing, found.settlement) == ("valid", "agrees")
    assert nets(found) == {"seat/1": -300, "seat/3": -100, "seat/5": 400}
    assert not any(finding.kind == "breach" for finding in found.findings)


@pytest.mark.parametrize(("total", "too_much"), [(7, False), (8, True)])
def test_pot_limit_goes_to_the_pot_after_the_call(total: int, too_much: bool) -> None:
    rounds = round_("Preflop", *BLINDS, act(0, "Raise", total), act(1, "Fold"), act(2, "Fold"))
    found = verdict(hand(rounds, pots=[pot(5, win(0, 5))], bet_limit={"bet_type": "PL"}))
    assert found.settlement == "agrees"
    assert ("NL-22 above_maximum" in codes(found)) == too_much


def test_fixed_limit_has_two_sizes() -> None:
    streets = [
        round_("Preflop", *BLINDS, act(0, "Raise", 4), act(1, "Fold"), act(2, "Call", 2)),
        round_("Flop", act(2, "Bet", 2), act(0, "Raise", 4), act(2, "Call", 2), cards="4h9sJc"),
        round_("Turn", act(2, "Check"), act(0, "Bet", 4), act(2, "Fold"), cards="2d"),
    ]
    found = verdict(hand(*streets, pots=[pot(17, win(0, 17))], bet_limit={"bet_type": "FL"}))
    assert (found.settlement, codes(found)) == ("agrees", [])
    streets[2]["actions"][1]["amount"] = 2
    found = verdict(hand(*streets, pots=[pot(17, win(0, 17))], bet_limit={"bet_type": "FL"}))
    assert any(code.startswith("NL-22") for code in codes(found))


def test_rake_jackpot_and_bonus_leave_the_hand_in_order() -> None:
    document = {"ohh": STEAL["ohh"] | {"pots": [pot(5, win(0, 4, bonus_amount=20), rake=0.75, jackpot=0.25)]}}
    found = verdict(document)
    assert (found.standing, found.settlement, found.due.rake) == ("valid", "agrees", 100)


def splashed(*more: dict[str, Any]) -> dict[str, Any]:
    """Ten from the house before the blinds; the raise is called, and both check to the end."""
    rounds = checked_down(
        act(None, "Add to Pot", 10), *BLINDS, act(0, "Raise", 6), act(1, "Fold"), act(2, "Call", 4),
        seats=(2, 0), cards=("KhKd", "AhAd"),
    )  # fmt: skip
    return hand(*rounds, *more, pots=[pot(23, win(0, 22), rake=1)])


def test_what_the_house_adds_to_the_pot_is_won_with_the_rest() -> None:
    found = taken(splashed())
    assert found.draft.unproved == []
    one = verdict(splashed())
    assert (one.standing, one.settlement, codes(one)) == ("valid", "agrees", [])
    assert nets(one) == {"seat/1": 1600, "seat/3": -100, "seat/5": -600, "float": -1000}
    assert one.due.pots[0].amount == 2300
    wrong = splashed()
    wrong["ohh"]["pots"] = [pot(13, win(0, 12), rake=1)]
    assert verdict(wrong).differences == {"seat/1": 1000}


def test_what_a_player_adds_to_the_pot_is_dead_money() -> None:
    rounds = [round_("Preflop", *BLINDS, act(0, "Add to Pot", 3), act(0, "Fold"), act(1, "Fold"))]
    found = taken(hand(*rounds, pots=[pot(5, win(2, 5))]))
    assert found.draft.notes == ["what seat 1 adds to the pot is told as an ante"]
    assert verdict(hand(*rounds, pots=[pot(5, win(2, 5))])).settlement == "agrees"


def test_money_that_does_not_add_up_differs() -> None:
    found = verdict({"ohh": STEAL["ohh"] | {"pots": [pot(5, win(0, 4))]}})
    assert (found.settlement, "NL-02 unaccounted" in codes(found)) == ("differs", True)


def test_a_hand_that_breaks_off_is_not_settled() -> None:
    found = verdict(hand(round_("Preflop", *BLINDS, act(0, "Raise", 6))))
    assert (found.standing, found.settlement) == ("cannot_tell", "not_recorded")
