"""The table as a person sees it: the six boxes with their bets, the wheel at the pointer, the settlement bet by bet.

The winning box stands in brackets: nothing needs colour. 99 columns at most.
"""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap

from events.values.money import amount_text
from games.magic_wheel.events import SpinStarted, SymbolAnnounced, WheelIncident, WheelStopped
from games.magic_wheel.payouts import Analysis, analyse
from games.magic_wheel.stakes import changes_of, choice_of, cutoff_of, layout_of
from games.magic_wheel.symbols import BOXES, LAYOUT
from games.magic_wheel.table import Session, Spin
from games.magic_wheel.validity import field_order, turns_of
from games.picture import WIDTH, Mark, Panel, Picture, Plan, Span, Viewpoint, fitted, line
from games.shared.bank.picture import nets_text, settlement_panel
from games.shared.wheel import arc_at
from games.shared.wheel.bets import changes_by_bet, physical
from games.shared.wheel.cloth import stack

CELL = 15
EDGE, BOX_WIDE, BOX_HIGH = 10, 140, 92
"""The boxes from above: margin, width and height of one."""
REACH = 4
SHOWN = 12

Spans = tuple[Span, ...]


def picture(session: Session, _viewpoint: Viewpoint) -> Picture:
    """Everything lies open at this table, so every viewer sees the same."""
    spin = session.spin
    analysis = analyse(session) if spin is not None else None
    symbol = analysis.symbol if analysis is not None else None
    title = "Layout" + (f", game {spin.name}" if spin is not None else "")
    panels = [
        Panel(title, tuple(_layout(session, spin, symbol)), _plan(session, spin, symbol)),
        Panel("Wheel", tuple(map(fitted, _wheel(session, spin)))),
    ]
    if spin is not None and analysis is not None and analysis.settlement.lines:
        decided = analysis.void or analysis.symbol is not None or _asks(analysis)
        if decided:
            panels += _settlement(spin, analysis)
        else:
            panels.append(Panel("Bets", tuple(map(fitted, _laid(session, spin)))))
    return tuple(panels)


def _asks(analysis: Analysis) -> bool:
    return any(mark.kind == "ruling_required" and mark.scope == "round" for mark in analysis.marks)


# The layout -----------------------------------------------------------------------------------------------------------


def _layout(session: Session, spin: Spin | None, symbol: str | None) -> Iterable[Spans]:
    sums: dict[str, int] = {}
    for _bet, _player, position, amount in _lying(session, spin):
        sums[position] = sums.get(position, 0) + amount
    pays = session.edition.constants.pays
    rule = "+".join(["", *["-" * CELL] * len(BOXES), ""])
    names, chips = [Span("|")], [Span("|")]
    for box in BOXES:
        name = f"{box} {pays[box]}:1"
        text = f"[{name}]" if box == symbol else name
        names += [Span(text.center(CELL), "now" if box == symbol else ""), Span("|")]
        amount = sums.get(box, 0)
        chips += [Span((amount_text(amount) if amount else "").center(CELL), "bold"), Span("|")]
    yield line(rule)
    yield tuple(names)
    yield tuple(chips)
    yield line(rule)
    strange = ", ".join(f"{amount_text(amount)} on {place}" for place, amount in sums.items() if place not in BOXES)
    if strange:
        yield fitted(line(Span(f"outside the boxes: {strange}", "bad")))


def _plan(session: Session, spin: Spin | None, symbol: str | None) -> Plan:
    """The six boxes from above, for a page."""
    lying: dict[str, dict[str, int]] = {}
    for bet, _player, position, amount in _lying(session, spin):
        own = lying.setdefault(position, {})
        own[bet] = own.get(bet, 0) + amount
    marks: list[Mark] = []
    for at, box in enumerate(BOXES):
        x, y = EDGE + at * BOX_WIDE + BOX_WIDE // 2, EDGE + BOX_HIGH // 2
        marks.append(Mark("field", x, y, BOX_WIDE, BOX_HIGH, style="green"))
        marks.append(Mark("text", x, y - BOX_HIGH // 2 + 16, BOX_WIDE, 17, box, "bold"))
        marks.append(
            Mark("text", x, y - BOX_HIGH // 2 + 34, BOX_WIDE, 13, f"{session.edition.constants.pays[box]} : 1")
        )
        own = lying.get(box, {})
        if sum(own.values()):
            marks += stack(x, y + 22, sum(own.values()), len(own))
    if symbol in BOXES:
        x = EDGE + BOXES.index(symbol) * BOX_WIDE + BOX_WIDE // 2
        marks.append(Mark("frame", x, EDGE + BOX_HIGH // 2, BOX_WIDE, BOX_HIGH, style="gold"))
    return Plan(2 * EDGE + len(BOXES) * BOX_WIDE, 2 * EDGE + BOX_HIGH, tuple(marks))


def _lying(session: Session, spin: Spin | None) -> Iterable[tuple[str, str, str, int]]:
    """Bet, player, box and amount of all chips that lay on the layout before the settlement."""
    if spin is None:
        return
    changes = changes_by_bet(changes_of(session, spin))
    for bet in layout_of(session, spin, cutoff_of(session, spin)):
        own = (change for change in changes.get(bet.id, ()) if not change.settled)
        for piece in physical(bet.pieces, own, LAYOUT):
            yield bet.id, bet.player, piece.position, piece.amount


def _laid(session: Session, spin: Spin) -> Iterable[Spans]:
    lying = list(_lying(session, spin))
    stood = {bet.id for bet in (*spin.offered, *spin.standing)}
    for bet, player, position, amount in lying[:SHOWN]:
        left = "from the game before" if bet in stood else ""
        yield line(f"{bet:<8.8} {player:<10.10} {position:<12.12} {amount_text(amount):>10}  ", Span(left, "dim"))
    if len(lying) > SHOWN:
        yield line(Span(f"… and {len(lying) - SHOWN} more", "dim"))


# The wheel ------------------------------------------------------------------------------------------------------------


def _wheel(session: Session, spin: Spin | None) -> Iterable[Spans]:
    order = field_order(session)
    stop = _stop(spin)
    if stop is not None and stop.field is not None and stop.field < len(order):
        yield tuple(_at_the_pointer(order, stop))
    if spin is not None:
        yield from (line(piece) for piece in wrap("; ".join(_said(session, spin)) or "not spun yet", WIDTH))
    if session.results:
        yield line("before: ", Span(" ".join(reversed(session.results)), "dim"))


def _stop(spin: Spin | None) -> WheelStopped | None:
    event = spin.stops[-1].event if spin is not None and spin.stops else None
    return event if isinstance(event, WheelStopped) else None


def _at_the_pointer(order: tuple[str, ...], stop: WheelStopped) -> Iterable[Span]:
    """The fields round the pointer, clockwise; `▼` where it rests on a pin."""
    assert stop.field is not None
    yield Span("… ")
    for number, symbol in enumerate(arc_at(order, stop.field, REACH), -REACH):
        here = number == 0 and not stop.on_pin
        yield Span(f"[{symbol}]" if here else symbol, "now" if here else "")
        yield Span(" ▼ ", "now") if number == 0 and stop.on_pin else Span(" ")
    yield Span("…")


def _said(session: Session, spin: Spin) -> Iterable[str]:
    if spin.spins:
        event = spin.spins[-1].event
        way = event.direction if isinstance(event, SpinStarted) else None
        yield {"cw": "turned clockwise", "ccw": "turned counter-clockwise", None: "turned"}[way]
    turns, _fact = turns_of(spin)
    if turns is not None:
        yield f"{turns // 10}.{turns % 10} turns ({session.edition['wheel.min_rotations']} are needed)"
    stop = _stop(spin)
    if stop is not None:
        yield _where(stop)
    for fact in spin.incidents:
        yield f"incident: {fact.event.kind}" if isinstance(fact.event, WheelIncident) else "incident"
    if spin.announced is not None and isinstance(spin.announced.event, SymbolAnnounced):
        yield f"announced {spin.announced.event.symbol}"


def _where(stop: WheelStopped) -> str:
    if stop.on_pin:
        between = f" between {' and '.join(stop.pin_between)}" if stop.pin_between else ""
        past = f", {stop.previous_symbol} passed last" if stop.previous_symbol else ""
        return f"on the pin{between}{past}"
    field = f" (field {stop.field})" if stop.field is not None else ""
    return f"stopped on {stop.symbol or 'no symbol on record'}{field}"


# The money ------------------------------------------------------------------------------------------------------------


def _settlement(spin: Spin, analysis: Analysis) -> Iterable[Panel]:
    panel = settlement_panel(analysis.settlement.lines, most=SHOWN)
    if panel is not None:
        left = [f"{bet.id} {_choice(spin, bet.id)}" for bet in analysis.offered]
        chosen = (fitted(line(Span(f"for the next game: {', '.join(left)}", "gold"))),) if left else ()
        yield Panel(panel.title, (*panel.lines, *chosen))
    if analysis.settlement.candidates:
        yield Panel("A person must say", tuple(map(fitted, _candidates(analysis))))


def _choice(spin: Spin, bet: str) -> str:
    choice = choice_of(spin, bet)
    return {"leave": "left", "refund": "taken back"}[choice.choice] if choice is not None else "not said"


def _candidates(analysis: Analysis) -> Iterable[Spans]:
    for name, lines in analysis.settlement.candidates.items():
        yield line(f"{name:<10.10} ", Span(nets_text(lines), "gold"))
