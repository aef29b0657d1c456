"""Open Hand History read: what becomes of fields and actions, and what is refused with which words."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from events.schema.common import ChipsMoved, RoundClosed, RoundOpened, SeatLeft, SeatTaken
from events.schema.event import Event
from events.schema.ours import HandImported
from games.hand_histories.draft import HandRefused, Imported, records
from games.hand_histories.ohh import NOT_YET
from games.shared.poker.events import (
    ActionTaken,
    AgreementMade,
    BoardDealt,
    HandCashedOut,
    HandMucked,
    HandsDealt,
    HandShown,
    HoleDealt,
    LineUp,
    Posted,
    StakesAnnounced,
    TopUpAnnounced,
)
from tests.games.hand_histories.hands import NAMES, facts_of
from tests.games.hand_histories.ohh import BLINDS, SHOWDOWN, STEAL, act, hand, pot, round_, taken, text_of, win


def of(document: Any, *kinds: type[Event]) -> list[Event]:
    return [event for event in taken(document).draft.events if isinstance(event, kinds)]


def refusal(document: Any) -> HandRefused:
    with pytest.raises(HandRefused) as caught:
        taken(document)
    return caught.value


def copy_of(document: Any) -> Any:
    return json.loads(text_of(document))


def stolen(**more: Any) -> dict[str, Any]:
    """The steal with some fields otherwise."""
    return {"ohh": STEAL["ohh"] | more}


def before_the_flop(*actions: dict[str, Any], pots: Any = (), **more: Any) -> dict[str, Any]:
    return hand(round_("Preflop", *actions), pots=list(pots), **more)


def test_a_hand_becomes_poker_events() -> None:
    names = tuple(NAMES.of(f"Player {place}") for place in range(3))
    assert taken(SHOWDOWN).draft.events == [
        StakesAnnounced(100, 200),
        RoundOpened(),
        LineUp((1, 3, 5), names, (10000, 10000, 10000), 1, 3, 5),
        Posted(3, "small_blind", 100),
        Posted(5, "big_blind", 200),
        ActionTaken(1, "raise", 600, to=600),
        ActionTaken(3, "fold"),
        ActionTaken(5, "call", 400, to=600),
        BoardDealt("flop", ("4h", "9s", "Jc")),
        ActionTaken(5, "check"),
        ActionTaken(1, "bet", 800, to=800),
        ActionTaken(5, "call", 800, to=800),
        BoardDealt("turn", ("2d",)),
        ActionTaken(5, "check"),
        ActionTaken(1, "check"),
        BoardDealt("river", ("2c",)),
        ActionTaken(5, "bet", 1050, to=1050),
        ActionTaken(1, "call", 1050, to=1050),
        HandShown(5, ("9h", "9d")),
        HandMucked(1, ()),
        ChipsMoved("pot", "seat/5", 4750, "award", "seat/5"),
        ChipsMoved("pot", "rake", 250, "rake", ""),
        RoundClosed(),
    ]


def test_the_bet_that_nobody_called_goes_back() -> None:
    assert of(STEAL, ChipsMoved, HoleDealt) == [
        HoleDealt(1, ("Ah", "Ks")),
        ChipsMoved("pot", "seat/1", 400, "return", "seat/1"),
        ChipsMoved("pot", "seat/1", 500, "award", "seat/1"),
    ]


def test_some_count_it_as_won() -> None:
    found = taken(stolen(pots=[pot(9, win(0, 9))]))
    assert of(stolen(pots=[pot(9, win(0, 9))]), ChipsMoved) == of(STEAL, ChipsMoved)
    assert found.draft.notes == ["the bet that nobody called is in the pot's amount and in what was won"]
    assert found.draft.unproved == []


def test_the_record_that_opens_says_where_the_hand_comes_from() -> None:
    found = taken(STEAL)
    raw = text_of(STEAL)
    digest = hashlib.sha256(raw.encode()).hexdigest()
    for place in range(3):
        raw = raw.replace(f"Player {place}", NAMES.of(f"Player {place}"))
    assert found.key == digest[:32]
    assert found.played_at == 1709410530000
    assert found.opened == HandImported(
        game="holdem", rule_book="NL", currency="EUR", format="ohh", reader=1, sha256=digest, text=raw,
        time_known=True, smallest_chip=100, site="Kitchen", site_hand="77",
    )  # fmt: skip


# --- names ---


def named(*names: str, **more: Any) -> Any:
    document = copy_of(STEAL)
    for player, name in zip(document["ohh"]["players"], names, strict=False):
        player["name"] = name
    document["ohh"] |= more
    return document


@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("names", [("Anna Nová", "Bedřich", "Cyril"), ('q"uote', "back\\slash", "a/b")])
def test_no_name_of_a_player_reaches_the_log(names: tuple[str, ...], ascii_only: bool) -> None:
    document = named(*names, winner=names[0], table_name=f"{names[1]}'s table")
    document["ohh"]["players"][0]["display"] = "The Ace"
    found = taken(json.dumps(document, ensure_ascii=ascii_only))
    kept = json.loads(found.opened.text)["ohh"]
    assert [player["name"] for player in kept["players"]] == [NAMES.of(name) for name in names]
    assert kept["players"][0]["display"] == kept["winner"] == NAMES.of(names[0])
    written = b"\n".join(records(found.key, found.opened, found.draft, found.played_at)).decode()
    assert names[2] not in written
    assert "The Ace" not in written


def test_a_player_may_be_called_as_a_word_of_the_format() -> None:
    document = named("Preflop", "Raise", "name", tournament_info={"name": "Sunday"})
    found = taken(document)
    kept = json.loads(found.opened.text)["ohh"]
    assert [player["name"] for player in kept["players"]] == [NAMES.of(name) for name in ("Preflop", "Raise", "name")]
    assert kept["rounds"] == document["ohh"]["rounds"]
    assert kept["tournament_info"] == {"name": "Sunday"}


def test_somebody_without_a_name_has_an_id_all_the_same() -> None:
    assert of(named("", "Anna"), LineUp)[0].players == ("p1", NAMES.of("Anna"), NAMES.of("Player 2"))  # type: ignore[attr-defined]


# --- the head ---


@pytest.mark.parametrize(
    ("kind", "betting", "bets"),
    [("NL", "no_limit", (None, None)), ("PL", "pot_limit", (None, None)), ("FL", "fixed_limit", (200, 400))],
)
def test_betting_is_told(kind: str, betting: Any, bets: tuple[int | None, int | None]) -> None:
    [stakes] = of(stolen(bet_limit={"bet_type": kind}), StakesAnnounced)
    assert stakes == StakesAnnounced(100, 200, betting, small_bet=bets[0], big_bet=bets[1])


@pytest.mark.parametrize(
    ("fields", "currency"),
    [({}, "EUR"), ({"currency": "Chips"}, "XXX"), ({"currency": None}, "XXX"), ({"tournament": True}, "XXX")],
)
def test_money_has_a_currency_and_chips_have_none(fields: dict[str, Any], currency: str) -> None:
    assert taken(stolen(**fields)).opened.currency == currency


@pytest.mark.parametrize("written", ["2024-03-02T20:15:30Z", "2024-03-02T20:15:30", "2024-03-02T21:15:30+01:00"])
def test_times_are_utc_where_nothing_else_is_said(written: str) -> None:
    assert taken(stolen(start_date_utc=written)).played_at == 1709410530000


@pytest.mark.parametrize("written", ["yesterday", 5, "2024-02-31T00:00:00Z", "0001-01-01T00:00:00"])
def test_a_time_that_never_was_is_noted(written: Any) -> None:
    found = taken(stolen(start_date_utc=written))
    assert (found.played_at, found.opened.time_known) == (None, False)
    assert "which is no time" in found.opened.notes[0]


def test_a_hand_without_a_time_has_none() -> None:
    assert taken(stolen(start_date_utc=None)).opened.notes == ()
    assert not taken(stolen(start_date_utc=None)).opened.time_known


def test_seats_may_count_from_nought() -> None:
    document = copy_of(STEAL)
    for player in document["ohh"]["players"]:
        player["seat"] -= 1
    document["ohh"]["dealer_seat"] = 0
    found = taken(document)
    assert found.draft.events == taken(STEAL).draft.events
    assert found.opened.notes == ("the file counts seats from 0; they are numbered from 1 here",)


def test_a_button_may_be_unknown() -> None:
    assert of(stolen(dealer_seat=None), LineUp)[0].button is None  # type: ignore[attr-defined]


def test_a_stack_may_be_unknown() -> None:
    document = copy_of(STEAL)
    document["ohh"]["players"][0]["starting_stack"] = None
    assert of(document, LineUp)[0].stacks == (None, 10000, 10000)  # type: ignore[attr-defined]


def test_who_sits_out_is_not_dealt_in() -> None:
    document = copy_of(STEAL)
    document["ohh"]["players"] += [
        {"id": 7, "seat": 7, "name": "Out", "starting_stack": 5, "is_sitting_out": True},
        {"id": 9, "seat": 9, "name": "Idle", "starting_stack": 5},
    ]
    found = taken(document)
    [line_up] = [event for event in found.draft.events if isinstance(event, LineUp)]
    assert line_up.seats == (1, 3, 5)
    assert found.opened.notes == ("seat 9 takes no part in what the file tells: not dealt in",)


@pytest.mark.parametrize(
    ("written", "minor"), [("0.01", 1), ("12.5", 1250), ("7", 700), ("7.00", 700), ("1e3", 100000), ("0.1e1", 100)]
)
def test_amounts_are_exact_hundredths(written: str, minor: int) -> None:
    raw = text_of(STEAL).replace('"starting_stack": 100', f'"starting_stack": {written}', 1)
    assert of(raw, LineUp)[0].stacks[0] == minor  # type: ignore[attr-defined]


def test_amounts_count_in_hundredths_where_any_has_a_part() -> None:
    assert taken(STEAL).opened.smallest_chip == 100
    assert taken(SHOWDOWN).opened.smallest_chip == 1
    assert taken(stolen(_smallest_chip=5)).opened.smallest_chip == 500


# --- posts ---


@pytest.mark.parametrize(
    ("posts", "kinds"),
    [
        ([act(0, "Straddle", 4)], ["straddle"]),
        ([act(0, "Post Dead", 1)], ["dead_small_blind"]),
        ([act(0, "Post Dead", 2)], ["dead_big_blind"]),
        ([act(0, "Post Extra Blind", 2), act(0, "Post Dead", 1)], ["extra_blind", "dead_small_blind"]),
        ([act(0, "Post BB", 2)], ["extra_blind"]),
    ],
)
def test_posts_besides_the_blinds(posts: list[dict[str, Any]], kinds: list[str]) -> None:
    found = of(before_the_flop(*BLINDS, *posts), Posted)
    assert [post.kind for post in found] == ["small_blind", "big_blind", *kinds]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("paying", "kind", "by"),
    [
        ((0, 1, 2), "ante", "each"),
        ((0, 2), "ante", "each"),
        ((2,), "big_blind_ante", "big_blind"),
        ((0,), "button_ante", "button"),
        ((1,), "ante", "each"),
    ],
)
def test_antes_are_everybody_s_or_those_of_one(paying: tuple[int, ...], kind: str, by: str) -> None:
    document = before_the_flop(*[act(player, "Post Ante", 0.5) for player in paying], *BLINDS, ante_amount=0.5)
    assert {post.kind for post in of(document, Posted)[: len(paying)]} == {kind}  # type: ignore[attr-defined]
    [stakes] = of(document, StakesAnnounced)
    assert (stakes.ante, stakes.ante_by) == (50, by)  # type: ignore[attr-defined]


def test_nobody_posts_the_small_blind_where_no_one_is_due() -> None:
    [line_up] = of(before_the_flop(act(2, "Post BB", 2)), LineUp)
    assert (line_up.small_blind, line_up.big_blind) == (None, 5)  # type: ignore[attr-defined]


# --- cards and boards ---


def test_a_whole_deal_is_one_record_and_unknown_cards_are_dealt_too() -> None:
    dealt = [act(0, "Dealt Cards"), act(1, "Dealt Cards", cards="AhKs"), act(2, "Dealt Cards")]
    assert of(before_the_flop(*BLINDS, *dealt), HandsDealt, HoleDealt) == [
        HandsDealt((1, 3, 5), ("??", "Ah", "??", "??", "Ks", "??"))
    ]


def test_cards_may_stand_in_one_text() -> None:
    document = before_the_flop(*BLINDS, act(0, "Dealt Cards") | {"cards": "AhKs"})
    assert of(document, HoleDealt) == [HoleDealt(1, ("Ah", "Ks"))]


def test_a_hand_may_be_shown_unread() -> None:
    document = before_the_flop(*BLINDS, act(0, "Raise", 5), act(1, "Fold"), act(2, "Fold"), act(0, "Shows Cards"))
    assert of(document, HandShown) == [HandShown(1, ())]


ALL_IN = (*BLINDS, act(0, "Raise", 100, is_allin=True), act(1, "Fold"), act(2, "Call", 98, is_allin=True))


@pytest.mark.parametrize(
    ("streets", "boards"),
    [
        ("FTRFTR", [1, 1, 1, 2, 2, 2]),
        ("FTTRR", [1, 1, 2, 1, 2]),
        ("FTRTR", [1, 1, 1, 2, 2]),
        ("FTRRR", [1, 1, 1, 2, 3]),
        ("FFTTRR", [1, 2, 1, 2, 1, 2]),
    ],
)
def test_a_street_that_comes_again_is_the_next_board_s(streets: str, boards: list[int]) -> None:
    deck = iter("4h9sJc2d3cKc9d5c7d8hTh6s6d6hQd"[place : place + 2] for place in range(0, 30, 2))
    names = {"F": "Flop", "T": "Turn", "R": "River"}
    rounds = [
        round_(names[street], cards="".join(next(deck) for _ in range(3 if street == "F" else 1))) for street in streets
    ]
    found = of(hand(round_("Preflop", *ALL_IN), *rounds), BoardDealt, AgreementMade)
    assert [event.board for event in found if isinstance(event, BoardDealt)] == boards
    again = next(street for place, street in enumerate(streets) if boards[place] > 1)
    agreed = found.index(AgreementMade("run_it", (1, 5), max(boards)))
    assert agreed == streets.index(again), "before the first street that is dealt twice"


def test_no_hand_has_five_boards() -> None:
    rivers = [round_("River", cards="2c")] * 5
    error = refusal(
        hand(round_("Preflop", *ALL_IN), round_("Flop", cards="4h9sJc"), round_("Turn", cards="2d"), *rivers)
    )
    assert (error.code, str(error)) == ("card", "the board is run more than four times")


# --- besides the play ---


def test_chips_bought_in_a_hand_come_after_it() -> None:
    document = before_the_flop(
        *BLINDS, act(0, "Added Chips", 50), act(0, "Fold"), act(1, "Fold"), pots=[pot(2, win(2, 2))]
    )
    found = taken(document).draft.events
    assert TopUpAnnounced(1, NAMES.of("Player 0"), 5000) in found
    assert found[-2:] == [RoundClosed(), ChipsMoved("float", "seat/1", 5000, "buy_in")]


def test_who_sits_down_and_who_leaves() -> None:
    document = before_the_flop(*BLINDS, act(1, "Fold"), act(1, "Stands Up"), act(0, "Sits Down"))
    assert of(document, SeatTaken, SeatLeft) == [
        SeatLeft(3, NAMES.of("Player 1")),
        SeatTaken(1, NAMES.of("Player 0")),
    ]


def test_what_the_format_does_not_know_is_noted() -> None:
    found = taken(before_the_flop(*BLINDS, act(0, "Payout", 5), act(None, "Sings")))
    assert found.opened.notes == (
        "the action `Payout` of seat 1 is passed over",
        "the action `Sings` is passed over",
    )


# --- pots ---


def test_a_hand_cashed_out_is_bought_by_the_site() -> None:
    pots = [pot(5, win(0, 5, cashout_amount=4.4, cashout_fee=0.1))]
    assert of(stolen(pots=pots), ChipsMoved, HandCashedOut) == [
        HandCashedOut(1, 440, 10),
        ChipsMoved("pot", "seat/1", 400, "return", "seat/1"),
        ChipsMoved("pot", "seat/1", 500, "award", "seat/1"),
        ChipsMoved("seat/1", "float", 500, "exchange", "seat/1"),
    ]


def test_rake_jackpot_and_bonus() -> None:
    pots = [pot(5, win(0, 4, bonus_amount=20), rake=0.75, jackpot=0.25)]
    assert of(stolen(pots=pots), ChipsMoved)[1:] == [
        ChipsMoved("pot", "seat/1", 400, "award", "seat/1"),
        ChipsMoved("pot", "rake", 75, "rake", ""),
        ChipsMoved("pot", "rake", 25, "rake", "jackpot"),
        ChipsMoved("float", "seat/1", 2000, "win"),
    ]


def test_the_rake_of_several_pots_is_told_by_pot() -> None:
    pots = [pot(3, win(0, 2.5), rake=0.5), pot(2, win(0, 1.9), rake=0.1, number=1)]
    assert [move.stake for move in of(stolen(pots=pots), ChipsMoved) if move.to == "rake"] == ["main", "side 1"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("pots", "reasons"),
    [
        ([pot(5, win(0, 4))], ["the file pays 1 of the pot to nobody"]),
        ([pot(5, win(0, 6))], ["the file pays out 1 more than went into the pot"]),
        ([pot(8, win(0, 5))], ["the pots are 8, and 5 went in"]),
        ([pot(5, win(0, 5), rake=1)], ["the file pays out 1 more than went into the pot"]),
    ],
)
def test_money_that_does_not_add_up_is_told_as_it_is_and_named(pots: list[Any], reasons: list[str]) -> None:
    found = taken(stolen(pots=pots))
    assert found.draft.unproved == reasons
    assert found.opened.notes == tuple(reasons)


def test_who_puts_in_more_than_he_has_is_named() -> None:
    found = taken(hand(*STEAL["ohh"]["rounds"], pots=STEAL["ohh"]["pots"], stacks=(5, 100, 100)))
    assert found.draft.unproved == ["seat 1 puts in 1 more than its stack"]


def test_an_all_in_that_leaves_chips_is_noted() -> None:
    document = before_the_flop(*BLINDS, act(0, "Raise", 6, is_allin=True), act(1, "Fold"), act(2, "Fold"))
    assert taken(document).opened.notes == ("seat 1 is said to be all-in with 94 left",)
    assert of(document, ActionTaken)[0].all_in  # type: ignore[attr-defined]


def test_a_hand_without_pots_is_not_settled() -> None:
    assert of(stolen(pots=[]), ChipsMoved) == []


# --- refusals ---


@pytest.mark.parametrize("game", NOT_YET)
def test_games_that_are_not_played_here_yet_are_named(game: str) -> None:
    error = refusal(stolen(game_type=game, bet_limit={"bet_type": "PL"}))
    assert error.code == "not_yet"
    assert str(error) == f"pot-limit {NOT_YET[game]} ({game}) is not played here yet"


def changed(old: str, new: str) -> str:
    text = text_of(STEAL)
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.parametrize(
    ("document", "code", "words"),
    [
        (text_of(STEAL)[:-30], "json", "ends in the middle"),
        (text_of(STEAL) + "}", "json", "behind the end"),
        (changed('"seat": 1', '"seat": 1,,'), "json", ""),
        (changed('"amount": 6', '"amount": NaN'), "amount", "NaN is no amount"),
        (changed('"amount": 6', '"amount": "6"'), "amount", "rounds[0].actions[3].amount is '6', which is no amount"),
        (changed('"amount": 6', '"amount": true'), "amount", "True, which is no amount"),
        (changed('"amount": 6', '"amount": -6'), "amount", "no amount is negative"),
        (changed('"amount": 6', '"amount": 0.001'), "amount", "finer"),
        (changed('"amount": 6', '"amount": 1e400'), "amount", "finer or more"),
        (changed('"amount": 6', '"amount": 90071992547409.93'), "amount", "more than can be kept"),
        (changed('"win_amount": 5', '"win_amount": [5]'), "amount", "pots[0].player_wins[0].win_amount is [5]"),
        (changed('"player_id": 0, "action": "Raise"', '"player_id": 8, "action": "Raise"'), "player", "player 8, whom"),
        (changed('"player_id": 0, "action": "Raise"', '"player_id": "0", "action": "Raise"'), "player", "player '0'"),
        (changed('"player_id": 0, "win_amount"', '"player_id": 4, "win_amount"'), "player", "pots[0].player_wins[0]"),
        (changed('"Ah"', '"Zz"'), "card", "'Zz', which is no card"),
        (changed('"Ah"', "7"), "card", "7, which is no card"),
        (changed('"Preflop"', '"Fifth Street"'), "field", "no street of hold'em"),
        (changed('"action": "Raise"', '"action": 4'), "action", "rounds[0].actions[3].action is 4"),
        (changed('"seat": 1', '"seat": 3'), "field", "a seat of his own"),
        (changed('"seat": 1', '"seat": "one"'), "field", "a seat of his own"),
        (changed('"seat": 1', '"seat": 100'), "field", "none of 1 to 99"),
        (changed('"id": 0', '"id": 1'), "field", "same id"),
        (changed('"id": 0', '"id": null'), "field", "players[0].id is None"),
        (stolen(game_type="Snap"), "field", "none that the format knows"),
        (stolen(game_type=None), "field", "game_type is missing"),
        (stolen(bet_limit=None), "field", "bet_limit.bet_type is None"),
        (stolen(players=[]), "field", "at least two"),
        (stolen(players=7), "field", "players is not a list"),
        (stolen(rounds=None), "field", "rounds is missing"),
        (stolen(rounds=[4]), "field", "rounds is not a list of objects"),
        (stolen(pots=[{"amount": 5}]), "field", "pots[0].player_wins is missing"),
        (hand(round_("Preflop", *BLINDS), round_("Flop", cards="4h9s")), "card", "lays 2 cards on the flop"),
        ("[]", "field", "`ohh` is missing"),
        ("7", "field", "`ohh` is missing"),
        ('{"ohh": []}', "field", "`ohh` is missing"),
        ("[" * 100_000, "json", ""),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_reason(document: Any, code: str, words: str) -> None:
    error = refusal(document)
    assert error.code == code
    assert words in str(error)


def test_a_mistake_in_the_json_has_its_line() -> None:
    pretty = json.dumps(STEAL, indent=2).replace('"seat": 3', '"seat": = 3')
    line = pretty[: pretty.index("= 3")].count("\n") + 1
    assert refusal(pretty).line == line


def test_bytes_that_are_no_text_are_refused() -> None:
    raw = text_of(named("Anna")).encode().replace(b"Anna", b"Ann\xe1")
    assert refusal(raw).code in ("encoding", "json")


def test_the_same_hand_in_other_line_ends_is_the_same() -> None:
    pretty = json.dumps(STEAL, indent=2)
    assert taken(pretty).key == taken("\r\n" + pretty.replace("\n", "\r\n")).key


def test_records_are_numbered_and_a_millisecond_apart() -> None:
    facts = facts_of(taken(STEAL))
    assert [fact.sequence for fact in facts] == list(range(1, len(facts) + 1))
    assert [fact.occurred_at - 1709410530000 for fact in facts] == list(range(len(facts)))
    assert {fact.source for fact in facts} == {"/recoup/import/ohh/1"}


def test_an_id_of_ours_stays_that_id() -> None:
    known = NAMES.of("Anna")
    found: Imported = taken(named(known))
    assert found.draft.events[2].players[0] == known  # type: ignore[attr-defined]
