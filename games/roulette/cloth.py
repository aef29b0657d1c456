"""The cloth from above: every place of the layout where it lies on a real one, and the chips on it (roulette.md 2.3).

Zero stands at the left, the rows of three run to the right with 1 at the bottom, dozens and even chances lie below. A
chip on a number lies inside its field; one on a split lies on the line between the two, on a corner where four meet;
on a street at the outer end of its row, on a six line between two such ends; with zero likewise on its line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from games.picture import Mark, Plan, Style
from games.roulette.layout import NUMBERS, colour_of, find_position
from games.shared.wheel.cloth import stack

FIELD, ROW, OUTSIDE = 60, 74, 46
"""Width and height of a number's field, and height of the fields below."""
MARGIN = 10
LEFT = MARGIN + FIELD
"""Where the numbers begin: the line that zero shares with 1, 2 and 3."""
FOOT = MARGIN + 3 * ROW
"""The outer line of the rows, on which streets and six lines lie."""
WIDE = LEFT + 13 * FIELD + MARGIN
HIGH = FOOT + 2 * OUTSIDE + MARGIN
_INK: dict[str, Style] = {"red": "red", "black": "black", "green": "green"}
_EVEN: tuple[tuple[str, str, Style], ...] = (
    ("low", "1 to 18", "green"), ("even", "EVEN", "green"), ("red", "RED", "red"), ("black", "BLACK", "black"),
    ("odd", "ODD", "green"), ("high", "19 to 36", "green"),
)  # fmt: skip


def field_of(number: int) -> tuple[int, int]:
    """The middle of a number's field."""
    if number == 0:
        return MARGIN + FIELD // 2, MARGIN + 3 * ROW // 2
    row, column = divmod(number - 1, 3)
    return LEFT + row * FIELD + FIELD // 2, FOOT - column * ROW - ROW // 2


def place_of(position: str) -> tuple[int, int] | None:
    """Where a chip lies that stands for a position; None where the layout has no such place."""
    found = find_position(position)
    if found is None:
        return None
    if found.type in ("straight", "split", "street", "corner", "six_line"):
        return _inside(found.type, sorted(found.numbers))
    kind, _slash, which = found.text.partition("/")
    if kind == "column":
        return LEFT + 12 * FIELD + FIELD // 2, field_of(int(which))[1] + ROW // 4
    if kind == "dozen":
        return LEFT + (2 * int(which) - 1) * 2 * FIELD + FIELD, FOOT + OUTSIDE // 2 + 2
    at = next(at for at, (name, _text, _style) in enumerate(_EVEN) if name == kind)
    return LEFT + at * 2 * FIELD + FIELD + FIELD * 2 // 3, FOOT + OUTSIDE + OUTSIDE // 2


def _inside(kind: str, numbers: list[int]) -> tuple[int, int]:
    if kind == "straight":
        x, y = field_of(numbers[0])
        return x, y + 10
    own = [field_of(number) for number in numbers if number]
    if 0 in numbers:  # on zero's line: beside one number, where two meet, or at its outer end
        return LEFT, FOOT if kind == "corner" else sum(y for _x, y in own) // len(own)
    x = sum(x for x, _y in own) // len(own)
    return x, FOOT if kind in ("street", "six_line") else sum(y for _x, y in own) // len(own)


def plan(lying: Mapping[str, tuple[int, int]], shown: int | None) -> Plan:
    """The cloth with its chips. `lying`: position → minor units, and of how many bets; `shown`: the number that won."""
    return Plan(WIDE, HIGH, (*_cloth(shown), *_chips(lying)))


def _cloth(shown: int | None) -> Iterator[Mark]:
    for number in NUMBERS:
        x, y = field_of(number)
        high = ROW if number else 3 * ROW
        yield Mark("field", x, y, FIELD, high, style=_INK[colour_of(number)])
        yield Mark("text", x, y - ROW // 2 + 17, FIELD, 22, str(number), "bold")
    for column in (1, 2, 3):
        x, y = LEFT + 12 * FIELD + FIELD // 2, field_of(column)[1]
        yield Mark("field", x, y, FIELD, ROW, style="green")
        yield Mark("text", x, y - ROW // 2 + 17, FIELD, 15, "2 to 1")
    for which, text in ((1, "1st 12"), (2, "2nd 12"), (3, "3rd 12")):
        x, y = LEFT + (2 * which - 1) * 2 * FIELD, FOOT + OUTSIDE // 2
        yield Mark("field", x, y, 4 * FIELD, OUTSIDE, style="green")
        yield Mark("text", x - FIELD // 2, y, FIELD, 16, text)
    for at, (_name, text, style) in enumerate(_EVEN):
        x, y = LEFT + at * 2 * FIELD + FIELD, FOOT + OUTSIDE + OUTSIDE // 2
        yield Mark("field", x, y, 2 * FIELD, OUTSIDE, style=style)
        yield Mark("text", x - FIELD // 4, y, FIELD, 15, text)
    if shown is not None:
        x, y = field_of(shown)
        yield Mark("frame", x, y, FIELD, ROW if shown else 3 * ROW, style="gold")


def _chips(lying: Mapping[str, tuple[int, int]]) -> Iterator[Mark]:
    for position, (amount, bets) in lying.items():
        place = place_of(position)
        if place is not None and amount:
            yield from stack(*place, amount, bets)
