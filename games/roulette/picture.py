"""The table as a person sees it: the layout with its bets, the wheel round the winning number, the bets one by one.

Red and black are told apart by a letter too, the winning number by brackets: nothing needs colour. 99 columns at most.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from textwrap import wrap

from events.values.money import amount_text
from games.picture import WIDTH, Panel, Picture, Span, Style, Viewpoint, fitted, line
from games.roulette.cloth import plan
from games.roulette.layout import LAYOUT, OUTSIDE, colour_of, find_position
from games.roulette.payouts import Analysis, analyse
from games.roulette.table import Bet, Session, Spin
from games.roulette.validity import laps_of
from games.shared.wheel import arc
from games.shared.wheel.bets import Piece, changes_by_bet, physical
from games.shared.wheel.cloth import chip_text
from games.verdict import Line

CELL = 6
WHEEL_REACH = 6
BETS_SHOWN = 30
PLACE = 46
"""Columns for where a bet lies: a tiers with its six splits."""
_INK: dict[str, Style] = {"red": "red", "black": "black", "green": "green"}

Spans = tuple[Span, ...]


def picture(session: Session, _viewpoint: Viewpoint) -> Picture:
    """Everything lies open at a roulette table, so every viewer sees the same."""
    spin = session.spin
    analysis = analyse(session) if spin is not None else None
    shown = analysis.number if analysis is not None else None
    panels = [
        _layout_panel(spin, shown),
        Panel("Wheel", tuple(map(fitted, _wheel(session, spin, shown)))),
    ]
    if spin is not None and analysis is not None and spin.layout:
        panels.append(Panel("Bets", tuple(map(fitted, _bets(spin, analysis)))))
    people = tuple(map(fitted, _people(session, spin)))
    if people:
        panels.append(Panel("Players", people))
    return tuple(panels)


# The layout -----------------------------------------------------------------------------------------------------------


def _layout_panel(spin: Spin | None, shown: int | None) -> Panel:
    lying = _lying(spin)
    bets: dict[str, set[str]] = {}
    for bet, pieces in _laid(spin) if spin is not None else ():
        for piece in pieces:
            bets.setdefault(piece.position, set()).add(bet.id)
    chips = {position: (amount, len(bets[position])) for position, amount in lying.items()}
    title = "Layout" + (f", spin {spin.name}" if spin is not None else "")
    title += "" if shown is None else f": {shown} won; the chips as they lay before the settlement"
    return Panel(title, (*_layout(spin, shown), *_beside(lying)), plan(chips, shown))


def _beside(lying: dict[str, int]) -> Iterator[Spans]:
    """What the grid has no cell for: chips on lines between numbers, and those on no place of the layout."""
    on_lines, nowhere = [], []
    for position, amount in lying.items():
        found = find_position(position)
        if found is None:
            nowhere.append(f"{amount_text(amount)} on {position}")
        elif len(found.numbers) > 1 and found.type not in OUTSIDE and amount:
            on_lines.append(f"{position} {amount_text(amount)}")
    styled: tuple[tuple[str, list[str], Style], ...] = (
        ("on lines: ", on_lines, ""), ("not on the layout: ", nowhere, "bad"),
    )  # fmt: skip
    for head, said, style in styled:
        for piece in wrap(" · ".join(said), WIDTH - len(head), break_on_hyphens=False):
            yield line(Span(head, "dim"), Span(piece, style))


def _layout(spin: Spin | None, shown: int | None) -> Iterable[Spans]:
    lying = _lying(spin)
    rule = "+".join(["", "-" * CELL, *["-" * CELL] * 12, "-" * CELL, ""])
    yield line(rule)
    for row in (3, 2, 1):
        zero = row == 2
        numbers = [Span("|")]
        chips = ["|"]
        numbers.append(_number(0, shown) if zero else Span(" " * CELL))
        chips.append(_chips(lying, "0") if zero else " " * CELL)
        for column in range(12):
            number = 3 * column + row
            numbers += [Span("|"), _number(number, shown)]
            chips += ["|", _chips(lying, str(number))]
        numbers += [Span("|"), Span(f"col {row}".center(CELL)), Span("|")]
        chips += ["|", _chips(lying, f"column/{row}"), "|"]
        yield tuple(numbers)
        yield line("".join(chips))
    yield line(rule)
    yield _boxes(lying, [(f"dozen/{which}", f"dozen {which}") for which in (1, 2, 3)], 4 * CELL + 3)
    names = ("low", "even", "red", "black", "odd", "high")
    yield _boxes(
        lying, [(name, "1-18" if name == "low" else "19-36" if name == "high" else name) for name in names], 13
    )


def _number(number: int, shown: int | None) -> Span:
    """` 17b `, the winning one `[17b]`; a letter for the colour."""
    colour = colour_of(number)
    text = f"{number}{colour[0]}" if number else "0"
    if number == shown:
        return Span(f"[{text}]".center(CELL), "now")
    return Span(text.center(CELL), _INK[colour])


def _lying(spin: Spin | None) -> dict[str, int]:
    """Position → all chips on it before the settlement, minor units, wherever they have been moved."""
    lying: dict[str, int] = {}
    if spin is not None:
        for _bet, pieces in _laid(spin):
            for piece in pieces:
                lying[piece.position] = lying.get(piece.position, 0) + piece.amount
    return lying


def _laid(spin: Spin) -> Iterable[tuple[Bet, tuple[Piece, ...]]]:
    """Each bet with where its chips lie before the settlement."""
    changes = changes_by_bet(spin.changes)
    for bet in spin.layout:
        own = [change for change in changes.get(bet.id, ()) if not change.settled]
        yield bet, physical(bet.pieces, own, LAYOUT) if own else bet.pieces


def _chips(lying: dict[str, int], position: str) -> str:
    return chip_text(lying.get(position, 0)).center(CELL)


def _boxes(lying: dict[str, int], boxes: list[tuple[str, str]], width: int) -> Spans:
    parts = [Span(" " * (CELL + 1) + "|")]
    for position, name in boxes:
        amount = chip_text(lying.get(position, 0))
        text = f"{name} {amount}" if amount else name
        parts += [Span(text.center(width), "bold" if amount else ""), Span("|")]
    return tuple(parts)


# The wheel ------------------------------------------------------------------------------------------------------------


def _wheel(session: Session, spin: Spin | None, shown: int | None) -> Iterable[Spans]:
    order = session.wheel.order if session.wheel is not None else session.edition.constants.wheel_order
    if shown is not None and shown in order:
        spans = [Span("… ")]
        for number in arc(order, shown, WHEEL_REACH):
            spans += [_number(number, shown), Span(" ")]
        yield (*spans, Span("…"))
    if spin is not None:
        yield from (line(piece) for piece in wrap("; ".join(_said(session, spin)) or "not spun yet", WIDTH))
    if session.results:
        yield line("before: ", " ".join(f"{number}{colour_of(number)[0]}" for number in reversed(session.results)))


def _said(session: Session, spin: Spin) -> Iterable[str]:
    if spin.started is not None:
        event = spin.started.event
        wheel, ball = getattr(event, "wheel_direction", None), getattr(event, "ball_direction", None)
        before = "" if spin.previous in ("none", "unknown") else f" (before: {spin.previous})"
        yield f"wheel {wheel or '?'}{before}, ball {ball or '?'}"
    laps, _fact = laps_of(spin)
    if laps is not None:
        yield f"{laps // 10}.{laps % 10} laps"
    if spin.misspin is not None:
        yield "declared a mis-spin"
    for fact in spin.incidents:
        yield f"incident: {getattr(fact.event, 'kind', '')}"
    if spin.announced is not None:
        yield f"announced {getattr(spin.announced.event, 'number', '')}"


# Bets and players -----------------------------------------------------------------------------------------------------


def _bets(spin: Spin, analysis: Analysis) -> Iterable[Spans]:
    lines = {outcome.stake: outcome for outcome in analysis.settlement.lines}
    for bet, pieces in islice(_laid(spin), BETS_SHOWN):
        outcome = lines.get(bet.id)
        yield line(
            f"{bet.id:<10.10} {bet.player:<10.10} {_cut(_where(bet, pieces)):<{PLACE}} {amount_text(bet.staked):>10}  ",
            _outcome(outcome, analysis),
        )
    more = len(spin.layout) - BETS_SHOWN
    if more > 0:
        yield line(Span(f"… and {more} more", "dim"))


def _cut(text: str) -> str:
    return text if len(text) <= PLACE else text[: PLACE - 1] + "…"


def _where(bet: Bet, pieces: tuple[Piece, ...]) -> str:
    places = ", ".join(piece.position for piece in pieces or bet.pieces)
    kind = next((place.type for piece in pieces if (place := find_position(piece.position))), "")
    kind = kind.replace("_", " ")
    text = f"{bet.call}: {places}" if bet.call else f"{places} ({kind})" if kind and "/" in places else places
    return f"{text} (stood)" if bet.standing else text


def _outcome(outcome: Line | None, analysis: Analysis) -> Span:
    if outcome is None or not outcome.staked:
        return Span("taken up", "dim")
    if outcome.held:
        return Span("held", "gold") if analysis.settlement.known and analysis.number is not None else Span("")
    why = f" ({', '.join(outcome.reasons)})" if outcome.reasons else ""
    if outcome.paid:
        return Span(f"wins {amount_text(outcome.paid)}{why}", "good")
    if outcome.taken:
        return Span(f"loses {amount_text(outcome.taken)}{why}", "bad")
    return Span(f"goes back{why}", "gold")


def _people(session: Session, spin: Spin | None) -> Iterable[Spans]:
    seats = {person: seat for seat, person in session.seats.items()}
    staked: dict[str, int] = {}
    for bet, pieces in _laid(spin) if spin is not None else ():
        amount = bet.rest + sum(piece.amount for piece in pieces)
        if amount:
            staked[bet.player] = staked.get(bet.player, 0) + amount
    chips: dict[str, list[str]] = {}
    for own in session.holdings:
        chips.setdefault(own.player, []).append(f"{own.count} {own.colour} at {amount_text(own.worth)}")
    for person in dict.fromkeys((*seats, *staked, *chips)):
        seat = f"seat {seats[person]}" if person in seats else "standing"
        parts = [f"bets {amount_text(staked[person])}"] if person in staked else []
        parts += chips.get(person, [])
        yield line(f"{person:<12.12} {seat:<9} {'; '.join(parts)}")
