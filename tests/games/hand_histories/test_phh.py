from __future__ import annotations

import hashlib
import tomllib
from decimal import Decimal
from typing import Any

import pytest

from events.schema.common import ChipsMoved, RoundClosed, RoundOpened
from events.schema.ours import HandImported
from games.hand_histories.draft import HandRefused, records
from games.hand_histories.phh import NOT_YET, read_document, read_hand
from games.hand_histories.phh_in import take
from games.shared.poker.events import (
    ActionTaken,
    BoardDealt,
    HandMucked,
    HandsDealt,
    HandShown,
    LineUp,
    Posted,
    StakesAnnounced,
)
from tests.games.hand_histories.hands import HEADS_UP_ALL_IN, NAMES, THREE_HANDED, facts_of, taken


def hand(**fields: Any) -> str:
    """A three-handed hand in which everybody folds to the big blind, with some fields otherwise."""
    told: dict[str, Any] = {
        "variant": "'NT'",
        "antes": "[0, 0, 0]",
        "blinds_or_straddles": "[1, 2, 0]",
        "min_bet": "2",
        "starting_stacks": "[100, 100, 100]",
        "actions": "['p3 f', 'p1 f']",
    }
    told.update(fields)
    return "".join(f"{name} = {value}\n" for name, value in told.items() if value is not None)


def of(text: str, *kinds: type) -> list[Any]:
    return [event for event in taken(text).draft.events if isinstance(event, kinds)]


def refusal(text: str) -> HandRefused:
    with pytest.raises(HandRefused) as caught:
        taken(text)
    return caught.value


def test_a_hand_becomes_poker_events() -> None:
    anna, bedrich, cyril = (NAMES.of(name) for name in ("Anna Nová", "Bedřich", "Cyril"))
    assert taken(THREE_HANDED).draft.events == [
        StakesAnnounced(200, 400, variant="NT"),
        RoundOpened(),
        LineUp((1, 2, 3), (anna, bedrich, cyril), (40000, 39650, 25000), 3, 1, 2),
        Posted(1, "small_blind", 200),
        Posted(2, "big_blind", 400),
        HandsDealt((1, 2, 3), ("7c", "Ks", "??", "2d", "Kh", "??")),
        ActionTaken(3, "raise", 1200, to=1200),
        ActionTaken(1, "fold"),
        ActionTaken(2, "call", 800, to=1200),
        BoardDealt("flop", ("4h", "9s", "Jc")),
        ActionTaken(2, "check"),
        ActionTaken(3, "bet", 1550, to=1550),
        ActionTaken(2, "raise", 5000, to=5000),
        ActionTaken(3, "fold"),
        ChipsMoved("pot", "seat/2", 3450, "return", "seat/2"),
        ChipsMoved("pot", "seat/2", 5700, "award", "seat/2"),
        RoundClosed(),
    ]


def test_heads_up_the_second_player_has_button_and_small_blind() -> None:
    [line_up] = of(HEADS_UP_ALL_IN, LineUp)
    assert (line_up.button, line_up.small_blind, line_up.big_blind) == (3, 3, 7)
    assert of(HEADS_UP_ALL_IN, Posted) == [
        Posted(7, "big_blind_ante", 100),
        Posted(3, "small_blind", 100),
        Posted(7, "big_blind", 200),
    ]


def test_a_call_goes_as_far_as_the_stack() -> None:
    assert of(HEADS_UP_ALL_IN, ActionTaken) == [
        ActionTaken(3, "raise", 7800, to=7900),
        ActionTaken(7, "call", 4700, to=4900, all_in=True),
    ]


def test_the_record_that_opens_says_where_the_hand_comes_from() -> None:
    found = taken(HEADS_UP_ALL_IN)
    digest = hashlib.sha256(HEADS_UP_ALL_IN.strip().encode()).hexdigest()
    assert found.key == digest[:32]
    assert found.opened == HandImported(
        game="holdem", rule_book="NL", currency="XXX", format="phh", reader=1, sha256=digest,
        text=HEADS_UP_ALL_IN.strip(), time_known=False, smallest_chip=100, site="The kitchen", site_hand="12",
    )  # fmt: skip


def test_no_name_of_a_player_reaches_the_log() -> None:
    found = taken(THREE_HANDED)
    written = b"\n".join(records(found.key, found.opened, found.draft, found.played_at)).decode()
    for name in ("Anna", "Nov", "Bed", "Cyril"):
        assert name not in written
    assert found.opened.text.count(NAMES.of("Cyril")) == 3


def test_records_are_numbered_and_a_millisecond_apart() -> None:
    facts = facts_of(taken(THREE_HANDED))
    assert [fact.sequence for fact in facts] == list(range(1, len(facts) + 1))
    assert [fact.occurred_at for fact in facts] == list(range(len(facts)))
    assert {fact.source for fact in facts} == {"/recoup/import/phh/1"}
    assert [fact.round for fact in facts[:3]] == [None, None, "1"]


def test_the_key_is_that_of_the_text_whatever_its_line_ends() -> None:
    assert taken("\r\n" + THREE_HANDED.replace("\n", "\r\n")).key == taken(THREE_HANDED).key
    assert taken(THREE_HANDED.replace("398", "397")).key != taken(THREE_HANDED).key


def test_a_time_with_day_and_zone_is_known() -> None:
    text = hand(time="21:14:05", day="2", month="3", year="2024", time_zone="'America/New_York'")
    assert taken(text).opened.time_known
    assert taken(text).played_at == 1709432045000
    assert facts_of(taken(text))[1].occurred_at == 1709432045001


@pytest.mark.parametrize("field", ["day", "time_zone", "time"])
def test_a_time_without_one_of_its_parts_is_not_known(field: str) -> None:
    parts: dict[str, Any] = {"time": "21:14:05", "day": 2, "month": 3, "year": 2024, "time_zone": "'Europe/Prague'"}
    assert not taken(hand(**parts | {field: None})).opened.time_known


def test_a_time_that_never_was_is_noted() -> None:
    found = taken(hand(time="21:14:05", day="31", month="2", year="2024", time_zone="'Europe/Prague'"))
    assert not found.opened.time_known
    assert "do not make an instant" in found.opened.notes[0]


@pytest.mark.parametrize(
    ("written", "minor"), [("10112.5", 1011250), ("0.01", 1), ("7", 700), ("7.00", 700), ("1e3", 100000)]
)
def test_amounts_are_exact_hundredths(written: str, minor: int) -> None:
    assert read_hand(hand(starting_stacks=f"[{written}, 100, 100]")).stacks[0] == minor


@pytest.mark.parametrize(
    "written",
    ["0.001", "-5", "true", "'7'", "nan", "1e300", "10000000000000000000", "0.010000000000000000000000000001"],
)
def test_what_is_no_amount_is_refused(written: str) -> None:
    error = refusal(hand(starting_stacks=f"[{written}, 100, 100]"))
    assert (error.code, error.line) == ("amount", 5)


def test_a_stack_may_be_unknown() -> None:
    text = hand(starting_stacks="[inf, 100, 100]", actions="['p3 f', 'p1 cbr 50', 'p2 f']")
    assert of(text, LineUp)[0].stacks == (None, 10000, 10000)
    assert of(text, ActionTaken)[1] == ActionTaken(1, "raise", 4900, to=5000)


def test_amounts_count_in_hundredths_where_any_has_a_part() -> None:
    assert taken(hand()).opened.smallest_chip == 100
    assert taken(hand(actions="['p3 cbr 5.5']")).opened.smallest_chip == 1


@pytest.mark.parametrize(
    ("blinds", "posts"),
    [
        ("[1, 2, 4, 0]", [(1, "small_blind"), (2, "big_blind"), (3, "straddle")]),
        ("[1, 2, 0, -2]", [(1, "small_blind"), (2, "big_blind"), (4, "extra_blind")]),
        ("[0, 2, 0, 0]", [(2, "big_blind")]),
        ("[2, 0, 0, 0]", [(1, "big_blind")]),
    ],
)
def test_posts_are_told_by_place(blinds: str, posts: list[tuple[int, str]]) -> None:
    text = hand(antes="[0, 0, 0, 0]", blinds_or_straddles=blinds, starting_stacks="[50, 50, 50, 50]", actions="[]")
    assert [(post.seat, post.kind) for post in of(text, Posted)] == posts


def test_a_big_blind_that_stands_alone_has_no_small_one_before_it() -> None:
    text = hand(blinds_or_straddles="[2, 0, 0]")
    assert of(text, StakesAnnounced) == [StakesAnnounced(0, 200, variant="NT")]
    assert [(one.button, one.small_blind, one.big_blind) for one in of(text, LineUp)] == [(3, None, 1)]


@pytest.mark.parametrize(
    ("antes", "by", "kinds"),
    [
        ("[1, 1, 1]", "each", ["ante"] * 3),
        ("[0, 3, 0]", "big_blind", ["big_blind_ante"]),
        ("[0, 0, 3]", "button", ["button_ante"]),
        ("[1, 0, 1]", "each", ["ante"] * 2),
    ],
)
def test_antes_are_told_by_who_pays(antes: str, by: str, kinds: list[str]) -> None:
    text = hand(antes=antes)
    assert of(text, StakesAnnounced)[0].ante_by == by
    assert [post.kind for post in of(text, Posted) if "ante" in post.kind] == kinds


def test_a_post_goes_as_far_as_the_stack_and_is_matched_as_a_whole_one() -> None:
    text = hand(antes="[1, 1, 1]", starting_stacks="[100, 2, 100]", actions="['p3 cc', 'p1 f']")
    assert of(text, Posted)[-1] == Posted(2, "big_blind", 100)
    assert of(text, ActionTaken)[0] == ActionTaken(3, "call", 200, to=200)


def test_seats_are_the_file_s_if_they_run_clockwise() -> None:
    for seats in ([8, 2, 5], [5, 8, 2], [2, 5, 8]):
        text = hand(seats=str(seats))
        assert of(text, LineUp)[0].seats == (2, 5, 8)
        assert [post.seat for post in of(text, Posted)] == seats[:2]


@pytest.mark.parametrize("seats", ["[2, 8, 5]", "[1, 1, 2]", "[1, 2]", "[0, 1, 2]", "['a', 'b', 'c']"])
def test_other_seats_are_numbered_and_the_hand_says_so(seats: str) -> None:
    found = taken(hand(seats=seats))
    assert [event.seats for event in found.draft.events if isinstance(event, LineUp)] == [(1, 2, 3)]
    assert "seats do not run clockwise" in found.opened.notes[0]


def test_shown_and_mucked_hands() -> None:
    board = "'d db 4h9sJc', 'd db 2d', 'd db 3d'"
    text = hand(actions=f"['p3 sm ????', {board}, 'p1 sm AhAd', 'p2 sm', 'p3 sm ????', 'p1 sm -']")
    assert of(text, HandShown, HandMucked) == [
        HandShown(3, ("??", "??")),
        HandShown(1, ("Ah", "Ad")),
        HandMucked(2),
        HandMucked(3, ("??", "??")),
        HandShown(1, ()),
    ]
    assert "read as a hand that was not shown" in taken(text).opened.notes[0]


def test_remarks_are_no_actions() -> None:
    assert of(hand(actions="['# let us begin', 'p3 f#tired', 'p1  f  # so']"), ActionTaken) == [
        ActionTaken(3, "fold"),
        ActionTaken(1, "fold"),
    ]


def test_odd_actions_are_recorded_as_they_are() -> None:
    """Out of turn, below the minimum, more than the stack, after folding: the room judges it."""
    text = hand(actions="['p2 cbr 3', 'p1 f', 'p1 cbr 500', 'p3 cbr 1', 'd db 4h']")
    assert of(text, ActionTaken, BoardDealt) == [
        ActionTaken(2, "raise", 100, to=300),
        ActionTaken(1, "fold"),
        ActionTaken(1, "raise", 49900, to=50000),
        ActionTaken(3, "raise", 100, to=100),
        BoardDealt("flop", ("4h",)),
    ]


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ("p4 f", "action"), ("p0 f", "action"), ("x", "action"), ("p1", "action"), ("p1 f now", "action"),
        ("p1 cbr", "action"), ("p1 cbr much", "amount"), ("p1 cbr 0.001", "amount"), ("p1 cbr -1", "amount"),
        ("d dh p1 AhZz", "card"), ("d db 10h", "card"), ("p1 sm Ah1", "card"), ("p1 sd AhKh", "action"),
        ("p1 pb", "action"),
    ],
)  # fmt: skip
def test_an_action_that_cannot_be_read_loses_the_hand(action: str, code: str) -> None:
    error = refusal(hand(actions=f"['{action}']"))
    assert (error.code, error.line) == (code, 6)
    assert action.rsplit(maxsplit=1)[-1] in str(error)


def test_fixed_limit_has_two_sizes() -> None:
    text = hand(variant="'FT'", min_bet=None, small_bet="2", big_bet="4.5")
    assert of(text, StakesAnnounced) == [
        StakesAnnounced(100, 200, "fixed_limit", small_bet=200, big_bet=450, variant="FT")
    ]
    error = refusal(hand(variant="'FT'"))
    assert (error.code, str(error)) == ("field", "small_bet is missing")


def test_a_second_board_is_not_yet_read() -> None:
    error = refusal(hand(actions="['d db 4h9sJc', 'd db 2d', 'd db 3d', 'd db 5d']"))
    assert error.code == "not_yet"


@pytest.mark.parametrize("variant", NOT_YET)
def test_games_that_are_not_played_here_yet_are_named(variant: str) -> None:
    error = refusal(hand(variant=f"'{variant}'"))
    assert error.code == "not_yet"
    assert NOT_YET[variant] in str(error)


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"variant": "'XX'"}, 1), ({"variant": None}, 0), ({"antes": None}, 0), ({"antes": "[0, 0]"}, 2),
        ({"antes": "0"}, 2), ({"starting_stacks": "[100]"}, 5), ({"actions": "'p1 f'"}, 6), ({"actions": "[1]"}, 6),
        ({"players": "['a', 'b']"}, 7), ({"players": "[1, 2, 3]"}, 7), ({"winnings": "[1]"}, 7),
    ],
)  # fmt: skip
def test_a_missing_or_wrong_field_is_refused_with_its_line(change: dict[str, Any], line: int) -> None:
    error = refusal(hand(**change))
    assert error.code in ("field", "action")
    assert error.line == line


def test_broken_toml_is_refused_with_its_line() -> None:
    error = refusal(hand(min_bet="= 2"))
    assert (error.code, error.line) == ("toml", 4)
    assert refusal(hand() + "x = [1, 2").line == 7
    assert refusal(hand() + "x = " + "[" * 5000).code == "toml"
    assert refusal(hand() + f"x = {'9' * 5000}").code == "toml"


def test_bytes_that_are_no_text_are_refused_with_their_line() -> None:
    with pytest.raises(HandRefused) as caught:
        take(hand().encode() + b"event = '\xff'", NAMES)
    assert (caught.value.code, caught.value.line) == ("encoding", 7)


# --- what left the pot ---


def settled(**fields: Any) -> tuple[list[tuple[str, str, int]], tuple[str, ...]]:
    found = taken(hand(**fields))
    moves = [event for event in found.draft.events if isinstance(event, ChipsMoved)]
    return [(move.cause, move.to, move.amount) for move in moves], found.opened.notes


CALLED = "['p3 cbr 10', 'p1 f', 'p2 cc', 'd db 4h9sJc', 'p2 cbr 20', 'p3 f']"
"""21 in the pot, and 20 uncalled from the big blind."""


def test_finishing_stacks_settle_the_pot() -> None:
    moves, notes = settled(actions=CALLED, finishing_stacks="[99, 111, 90]")
    assert moves == [("return", "seat/2", 2000), ("award", "seat/2", 2100)]
    assert notes == ()


def test_what_finishing_stacks_leave_in_the_pot_is_rake_and_labelled() -> None:
    moves, notes = settled(actions=CALLED, finishing_stacks="[99, 110, 90]")
    assert moves == [("return", "seat/2", 2000), ("award", "seat/2", 2000), ("rake", "rake", 100)]
    assert notes == ("what the file does not pay out is taken as rake",)


def test_winnings_may_or_may_not_count_an_uncalled_bet() -> None:
    assert settled(actions=CALLED, winnings="[0, 41, 0]")[0] == [("return", "seat/2", 2000), ("award", "seat/2", 2100)]
    moves, notes = settled(actions=CALLED, winnings="[0, 20.5, 0]")
    assert moves == [("return", "seat/2", 2000), ("award", "seat/2", 2050), ("rake", "rake", 50)]
    assert "without the uncalled bet" in notes[0]


def test_without_an_account_nothing_is_settled() -> None:
    assert settled(actions=CALLED) == ([], ())


def test_a_file_that_pays_out_too_much_is_recorded_and_labelled() -> None:
    moves, notes = settled(actions=CALLED, finishing_stacks="[99, 120, 90]")
    assert moves == [("return", "seat/2", 2000), ("award", "seat/2", 3000)]
    assert notes == ("the file pays out 9 more than went into the pot",)


def test_a_stack_that_shrinks_without_a_bet_is_labelled() -> None:
    moves, notes = settled(actions=CALLED, finishing_stacks="[95, 111, 90]")
    assert ("award", "seat/2", 2100) in moves
    assert notes == ("seat 1 ends 4 below what is left of its stack",)


def test_decimals_of_the_document_stay_exact() -> None:
    assert read_hand(hand(_x="0.1")).document["_x"] == Decimal("0.1")


@pytest.mark.parametrize(
    ("stated", "chip"), [("5", 500), ("0.5", 50), ("0", 100), ("-1", 100), ("0.001", 100), ("'x'", 100)]
)
def test_a_smallest_chip_that_the_file_states_counts_if_it_is_one(stated: str, chip: int) -> None:
    assert taken(hand() + f"_smallest_chip = {stated}\n").opened.smallest_chip == chip


@pytest.mark.parametrize(
    "field",
    [
        "_a = 'x # y'", '_a = "x # y"', "_a = 7  # remark", "_a = [1, 2,]", "_a = [1, 2, # remark", "_a = 1_000", "_a = 0x1F",
        "_a = inf", "_a = nan", "_a = null", "_a = [null]", "_a = {b = 1}", "_a = [[1], ['b', \"c\"]]", "_a = 12:30:05",
        "_a = 2024-03-02", "_a = 12345678901234567890", "_a = 0.1", "_a = 1e3", "_a = -0", "_a = -0.0", "_a = 007", "_a = 1.",
        "_a = \"\\t\"", "_a = 'C:\\x'", "_a = '''three'''", "_a = 'a\tb'", "_a = 'a\x7fb'", "_a.b = 1", "'_a' = 1", "_a=1", "_a = ",
        "_a = true", "_a = True", "  _a = 1", "_a = 1 ", "_a = 'it''s'", "_a = 'x'y", "[_a]", "[[_a]]", "variant = 'NT'", "_a = 1 2",
    ],
)  # fmt: skip
def test_a_text_read_the_quick_way_says_what_toml_says(field: str) -> None:
    text = f"{hand()}{field}\n"
    try:
        wanted = repr(tomllib.loads(text, parse_float=Decimal))
    except tomllib.TOMLDecodeError:
        with pytest.raises(HandRefused):
            read_document(text)
    else:
        assert repr(read_document(text)) == wanted
