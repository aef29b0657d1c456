"""Whether a game counts, and which symbol it gave: turns, wheel, layout, incidents, pointer (MW-01, MW-09 to MW-12)."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from events.schema.fact import Fact
from games.magic_wheel.events import RotationsCounted, SpinStarted, SymbolAnnounced, WheelIncident, WheelStopped
from games.magic_wheel.table import Session, Spin
from games.shared.marks import Mark, known, missing
from games.shared.wheel import Direction, whole_laps


class Result(Struct, frozen=True):
    """The symbol that decides, None if it cannot be had; `candidates`: those of which a person must choose one."""

    symbol: str | None
    marks: tuple[Mark, ...] = ()
    candidates: tuple[str, ...] = ()


def turns_of(spin: Spin) -> tuple[int | None, Fact | None]:
    """Turns in tenths and the record that says so; a count of its own holds over the one that came with the stop."""
    if spin.rotations is not None and isinstance(spin.rotations.event, RotationsCounted):
        return spin.rotations.event.turns_tenths, spin.rotations
    for fact in reversed(spin.stops):
        if isinstance(fact.event, WheelStopped) and fact.event.turns_tenths is not None:
            return fact.event.turns_tenths, fact
    return None, None


def is_short(session: Session, spin: Spin) -> bool:
    """Fewer whole turns than the rules ask for (MW-10)."""
    turns, _fact = turns_of(spin)
    return turns is not None and whole_laps(turns) < session.edition["wheel.min_rotations"]


def cancelled(session: Session, spin: Spin) -> Mark | None:
    """MW-10: too few turns cancel the game, whether or not anybody says so (MW-A14)."""
    if not is_short(session, spin):
        return None
    turns, fact = turns_of(spin)
    assert turns is not None
    return Mark(
        rule="MW-10", code="short_spin", kind="void", scope="round", subject=spin.name, facts=known(fact),
        remedy={"void": "game"}, text=f"{turns // 10}.{turns % 10} turns",
    )  # fmt: skip


def uncounted(spin: Spin) -> tuple[Mark, ...]:
    """MW-09: nobody counted the turns."""
    if turns_of(spin)[0] is not None or not spin.has_stopped:
        return ()
    return (missing("MW-09", "short_spin", facts=known(*spin.stops, spin.announced)),)


def doubts(session: Session, spin: Spin) -> tuple[Mark, ...]:
    """What makes a person decide whether the game counts: the wheel (MW-01), the layout (MW-02), incidents (MW-A12)."""
    found = [*_wheel(session, spin), *_cloth(session, spin)]
    for fact in spin.incidents:
        text = fact.event.kind if isinstance(fact.event, WheelIncident) else ""
        found.append(_asks("MW-11", "wheel_incident", spin, (fact,), text))
    return tuple(found)


def field_order(session: Session) -> tuple[str, ...]:
    """What the wheel's fields show, clockwise: as listed for the wheel at the table, else the house's list (MW-A01);
    empty if nobody listed them."""
    if session.wheel is not None and session.wheel.fields:
        return session.wheel.fields
    return tuple(session.edition["wheel.field_order"] or ())


def _wheel(session: Session, spin: Spin) -> list[Mark]:
    order = field_order(session)
    wanted = session.edition.constants.fields
    counts = Counter(order)
    if not order or counts == Counter(wanted):
        return []
    apart = ", ".join(
        f"{symbol} {counts[symbol]} times, not {wanted.get(symbol, 0)}"
        for symbol in dict.fromkeys((*wanted, *counts))
        if counts[symbol] != wanted.get(symbol, 0)
    )
    facts = known(session.wheel.fact if session.wheel is not None else None)
    return [_asks("MW-01", "wheel_composition", spin, facts, apart)]


def _cloth(session: Session, spin: Spin) -> list[Mark]:
    pays = session.edition.constants.pays
    if session.cloth is None or session.cloth.printed == pays:
        return []
    printed = session.cloth.printed
    apart = ", ".join(
        f"{box} shows {f'{printed[box]}:1' if box in printed else 'nothing'}, the rules say "
        + (f"{pays[box]}:1" if box in pays else "nothing")
        for box in dict.fromkeys((*pays, *printed))
        if printed.get(box) != pays.get(box)
    )
    return [_asks("MW-02", "layout_ratio_mismatch", spin, (session.cloth.fact,), apart)]


def result_of(session: Session, spin: Spin) -> Result:
    """MW-11, MW-12: where the wheel stands governs; the announcement only where that is not on record (MW-A22)."""
    announced = spin.announced.event if spin.announced is not None else None
    said = announced.symbol if isinstance(announced, SymbolAnnounced) else None
    facts = known(*spin.stops, spin.announced)
    shown = _shown(session, spin)
    if shown is not None:
        if shown.symbol is None or said is None or said == shown.symbol:
            return shown
        rule = "MW-12" if _is_on_pin(spin) else "MW-11"
        mark = Mark(
            rule=rule, code="misannounced_symbol", kind="corrected", scope="round", subject=spin.name, facts=facts,
            remedy={"symbol": shown.symbol}, text=f"announced {said}, the wheel shows {shown.symbol}",
        )  # fmt: skip
        return Result(shown.symbol, (*shown.marks, mark))
    if said is None:
        return Result(None)
    use = session.edition["wheel.result_without_field"] == "announced_symbol"
    return Result(said if use else None, (missing("MW-11", "misannounced_symbol", facts=facts),))


def _is_on_pin(spin: Spin) -> bool:
    return any(isinstance(fact.event, WheelStopped) and fact.event.on_pin for fact in spin.stops)


def _shown(session: Session, spin: Spin) -> Result | None:
    """What the wheel shows by the last word of each device; None if no record says it."""
    by_source: dict[str, Result] = {}
    for fact in spin.stops:
        event = fact.event
        if isinstance(event, WheelStopped):
            own = _on_pin(session, spin, fact, event) if event.on_pin else _in_field(session, spin, fact, event)
            if own is not None:
                by_source[fact.source] = own
    shown = list(by_source.values())
    symbols = {own.symbol for own in shown if own.symbol is not None}
    if len(symbols) == 1 and len(shown) > 1:  # one device could not tell, another could
        return next(own for own in shown if own.symbol is not None)
    if len(symbols) > 1:
        text = "the devices differ: " + ", ".join(sorted(symbols))
        return _mismatch(spin, spin.stops, sorted(symbols), text)
    return shown[-1] if shown else None


def _in_field(session: Session, spin: Spin, fact: Fact, event: WheelStopped) -> Result | None:
    """The pointer stands in a field: its symbol, which must be that of the field's number in the list."""
    listed = _listed(session, event.field)
    if listed is None or event.symbol is None or listed == event.symbol:
        symbol = event.symbol or listed
        return Result(symbol) if symbol is not None else None
    text = f"field {event.field} is {listed} in the wheel's list, {event.symbol} on record"
    return _mismatch(spin, (fact,), [event.symbol, listed], text)


def _on_pin(session: Session, spin: Spin, fact: Fact, event: WheelStopped) -> Result:
    """MW-12: the field that passed under the pointer last wins, of which side it is by the direction of the spin.

    Turning clockwise the pin's later neighbour has passed, counter-clockwise the earlier (MW-A03). X is a field like
    any other (MW-A13).
    """
    sides = _sides(session, event)
    by_turn = None
    direction = _direction(spin)
    if len(sides) == 2:
        by_turn = sides[0] if sides[0] == sides[1] else {"cw": sides[1], "ccw": sides[0]}.get(direction or "")
    told = {symbol for symbol in (by_turn, event.previous_symbol) if symbol is not None}
    if len(told) == 1 and (not sides or told <= set(sides)):
        return Result(told.pop())
    candidates = tuple(dict.fromkeys((*sides, *told, *((event.symbol,) if event.symbol else ()))))
    why = "which way the wheel turned" if len(sides) == 2 else "the fields on both sides"
    text = "the records differ about the field that passed last" if told else f"{why} is not on record"
    mark = _asks(
        "MW-12", "pin_undecided", spin, known(fact, *spin.spins), text, remedy={"candidates": list(candidates)}
    )
    return Result(None, (mark,), candidates)


def _sides(session: Session, event: WheelStopped) -> tuple[str, ...]:
    """The symbols on both sides of the pin, clockwise; empty if they are unknown."""
    if len(event.pin_between) == 2:
        return event.pin_between
    before = _listed(session, event.field)
    after = _listed(session, event.field + 1 if event.field is not None else None, around=True)
    return (before, after) if before is not None and after is not None else ()


def _listed(session: Session, field: int | None, *, around: bool = False) -> str | None:
    """The symbol of a field by the wheel's list; `around`: behind the last comes the first."""
    order = field_order(session)
    if field is None or not order or (field >= len(order) and not (around and field == len(order))):
        return None
    return order[field % len(order)]


def _direction(spin: Spin) -> Direction | None:
    """Which way the wheel turned when it came to rest."""
    event = spin.spins[-1].event if spin.spins else None
    return event.direction if isinstance(event, SpinStarted) else None


def _mismatch(spin: Spin, facts: tuple[Fact, ...], symbols: list[str], text: str) -> Result:
    mark = _asks("MW-11", "symbol_mismatch", spin, facts, text, remedy={"candidates": symbols})
    return Result(None, (mark,), tuple(symbols))


def _asks(
    rule: str, code: str, spin: Spin, facts: tuple[Fact, ...], text: str, remedy: dict[str, object] | None = None
) -> Mark:
    return Mark(
        rule=rule, code=code, kind="ruling_required", scope="round", subject=spin.name, facts=facts, text=text,
        remedy=remedy or {},
    )  # fmt: skip
