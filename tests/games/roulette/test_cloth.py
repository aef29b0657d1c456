"""Where chips lie on the drawn cloth: on a real one the place alone says which numbers a chip covers."""

from __future__ import annotations

import pytest

from games.picture import Viewpoint
from games.roulette import GAME
from games.roulette.cloth import FIELD, FOOT, HIGH, LEFT, MARGIN, ROW, WIDE, field_of, place_of, plan
from games.roulette.layout import NUMBERS, POSITIONS
from games.shared.wheel.cloth import CHIP, chip_text
from tests.games.roulette.test_state import folded

REACH = CHIP // 2


def touched(x: int, y: int) -> set[int]:
    """The numbers whose fields a chip there touches."""
    found = set()
    for number in NUMBERS:
        own_x, own_y = field_of(number)
        high = ROW if number else 3 * ROW
        apart_x, apart_y = max(abs(x - own_x) - FIELD // 2, 0), max(abs(y - own_y) - high // 2, 0)
        if apart_x**2 + apart_y**2 < REACH**2:
            found.add(number)
    return found


@pytest.mark.parametrize("text", POSITIONS)
def test_every_position_is_drawn_where_it_covers_its_numbers_and_no_others(text: str) -> None:
    place, position = place_of(text), POSITIONS[text]
    assert place is not None
    x, y = place
    assert MARGIN + REACH <= x <= WIDE - MARGIN - REACH or x == LEFT
    assert MARGIN + REACH <= y <= HIGH - MARGIN
    if position.type in ("straight", "split") or (position.type == "corner" and 0 not in position.numbers):
        assert touched(x, y) == position.numbers
    elif position.type in ("street", "six_line") and 0 not in position.numbers:
        # At the outer end of its rows: the chip touches the first of each, and hangs over the edge.
        assert touched(x, y) == {number for number in position.numbers if number % 3 == 1}
        assert y == FOOT
    elif 0 in position.numbers:
        assert x == LEFT
        assert touched(x, y) == (position.numbers if position.type == "street" else {0, 1})
        assert (y == FOOT) == (position.type == "corner"), "the first four: where zero's line meets the edge"
    else:
        assert touched(x, y) == set(), "outside bets lie in fields of their own"


def test_no_two_positions_share_a_place() -> None:
    places = [place_of(text) for text in POSITIONS]
    assert len(set(places)) == len(POSITIONS) == 157


def test_a_place_that_the_layout_does_not_have_is_drawn_nowhere_and_told() -> None:
    assert place_of("1/5") is None
    assert not [mark for mark in plan({"1/5": (500, 1)}, None).marks if mark.kind == "chip"]


def test_chips_say_what_they_are_worth_and_those_of_several_bets_lie_in_a_stack() -> None:
    chips = [mark for mark in plan({"17/20": (150_000, 2)}, 17).marks if mark.kind == "chip"]
    assert [chip.text for chip in chips] == ["", "1500"]
    place = place_of("17/20")
    assert place is not None
    assert (chips[-1].x, chips[-1].y) == place
    (won,) = [mark for mark in plan({}, 17).marks if mark.kind == "frame"]
    assert (won.x, won.y) == field_of(17)
    assert [chip_text(amount) for amount in (0, 50_000, 1_250_000, 12_345_600, 10**9, 2**53 - 1)] == [
        "", "500", "12500", "123k", "10M", "much",
    ]  # fmt: skip


def test_the_picture_of_a_spin_has_its_chips_on_the_cloth_and_in_its_lines_those_on_lines() -> None:
    session = folded("""
        @+10 #1 RoundOpened
        @+11 #1 BetPlaced b1 p-204 17/20 10
        @+12 #1 BetPlaced b2 p-7 20/17 15
        @+13 #1 BetPlaced b3 p-7 1/5 20
        @+14 #1 CallBetPlaced b4 p-9 voisins 90 unit=10
        @+15 #1 BetMoved b1 17/20 red
    """)
    layout = GAME.picture(session, Viewpoint())[0]
    assert layout.plan is not None
    chips = {(mark.x, mark.y): mark.text for mark in layout.plan.marks if mark.kind == "chip" and mark.text}
    parts = {
        "0/2/3": "20",
        "4/7": "10",
        "12/15": "10",
        "18/21": "10",
        "19/22": "10",
        "25/26/28/29": "20",
        "32/35": "10",
    }
    assert chips == {place_of(text): worth for text, worth in {"17/20": "15", "red": "10", **parts}.items()}
    told = ["".join(span.text for span in line) for line in layout.lines]
    (on_lines,) = [line for line in told if line.startswith("on lines: ")]
    for text, worth in {"17/20": "15", **parts}.items():
        assert f"{text} {worth}" in on_lines
    assert "not on the layout: 20 on 1/5" in told
