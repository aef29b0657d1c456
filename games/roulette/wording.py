"""Records of roulette in words: `p-204 bets 500 CZK on 17/20, a split (bet b9)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from events.schema.common import ChipsMoved
from events.schema.event import Event
from events.values.money import money_text
from games.roulette import events as rl
from games.roulette.layout import OUTSIDE, colour_of, find_position
from games.shared.wheel.wording import claim_raised, claim_resolved
from games.wording import by


def tell(event: Event, currency: str) -> str:
    """A sentence; empty for what is none of these records. Amounts in the table's currency."""
    teller = _TELLERS.get(type(event))
    return teller(event, currency) if teller is not None else ""


def place_text(position: str) -> str:
    """`17/20, a split`; `dozen 1`; `red`."""
    found = find_position(position)
    if found is None:
        return f"{position}, which the layout does not have"
    if found.type in OUTSIDE:
        return position.replace("/", " ")
    return f"{position}, {_KINDS[found.type]}" if found.type != "straight" else position


_KINDS = {"split": "a split", "street": "a street", "corner": "a corner", "six_line": "a six line"}
_CALLS = {"jeu_zero": "jeu zéro", "voisins": "voisins du zéro", "tiers": "tiers du cylindre"}
_WAY = {"cw": "clockwise", "ccw": "counter-clockwise"}


def _placed(event: rl.BetPlaced, currency: str) -> str:
    croupier = ", placed by the croupier" if event.placed_by == "croupier" else ""
    left = ", left from the spin before" if event.origin == "left_after_void" else ""
    amount = money_text(event.amount, currency)
    if event.chip_kind == "colour":
        amount += f" in {event.colour or 'colour'} chips"
    foreign = f" of table {event.chip_table}" if event.chip_table is not None else ""
    return f"{event.player} bets {amount}{foreign} on {place_text(event.position)} (bet {event.bet}){croupier}{left}"


def _moved(event: rl.BetMoved, currency: str) -> str:
    part = f"{money_text(event.amount, currency)} of " if event.amount is not None else ""
    back = ", and put back" if event.restored else ""
    where = f"from {event.from_position} to {place_text(event.to_position)}"
    return f"{part}bet {event.bet} goes {where}, by {'the player' if event.by == 'player' else 'staff'}{back}"


def _removed(event: rl.BetRemoved, currency: str) -> str:
    where = f" from {event.position}" if event.position is not None else ""
    staff = ", by staff" if event.by == "staff" else ""
    return f"{event.player} takes {money_text(event.amount, currency)} of bet {event.bet} up again{where}{staff}"


def _call(kind: str | None, number: int | None, reach: int) -> str:
    if kind == "neighbours":
        centre = "a number that nobody wrote down" if number is None else str(number)
        return f"{centre} and its neighbours, {reach} a side"
    return _CALLS.get(kind or "", (kind or "a call bet").replace("_", " "))


def _asked(event: rl.CallBetAnnounced, currency: str) -> str:
    each = f", {money_text(event.unit, currency)} a chip" if event.unit is not None else ""
    amount = f" for {money_text(event.amount, currency)}" if event.amount is not None else ""
    return f"{event.player} asks for {_call(event.kind, event.number, event.reach)}{amount}{each}"


def _laid(event: rl.CallBetPlaced, currency: str) -> str:
    parts = ", ".join(f"{part.position} ×{part.chips}" for part in event.components)
    colour = f" in {event.colour or 'colour'} chips" if event.chip_kind == "colour" else ""
    foreign = f" of table {event.chip_table}" if event.chip_table is not None else ""
    each = f", {money_text(event.unit, currency)} a chip" if event.unit is not None else ""
    return (
        f"{_call(event.kind, event.number, event.reach)} is laid out for {event.player}{by(event.by)}: "
        f"{money_text(event.amount, currency)}{colour}{foreign}{each} (bet {event.bet})"
        + (f", on {parts}" if parts else "")
    )


def _refused(event: rl.CallBetRefused, _currency: str) -> str:
    what = _call(event.kind, None, 0) if event.kind not in (None, "neighbours") else "neighbours" if event.kind else ""
    return f"{event.player} is refused {what or 'a call bet'}{by(event.by)}: no time for it"


def _settled(event: rl.CallBetSettled, currency: str) -> str:
    won = ", ".join(f"{part.position} ×{part.chips}" for part in event.winning) or "nothing"
    paid, taken = money_text(event.paid, currency), money_text(event.taken, currency)
    return f"call bet {event.bet} is settled: {won} wins, {paid} paid, {taken} taken"


def _installed(event: rl.WheelInstalled, _currency: str) -> str:
    last = f", last turned {_WAY[event.last_direction]}" if event.last_direction is not None else ""
    return f"wheel {event.wheel} stands at the table{last}"


def _spun(event: rl.SpinStarted, _currency: str) -> str:
    wheel = f" {_WAY[event.wheel_direction]}" if event.wheel_direction is not None else ", no record says which way"
    ball = f", the ball {_WAY[event.ball_direction]}" if event.ball_direction is not None else ""
    return f"the wheel is set going{wheel}{ball}{by(event.croupier)}"


def _laps(tenths: int) -> str:
    return f"{tenths // 10}.{tenths % 10} laps"


def _dropped(event: rl.BallDropped, _currency: str) -> str:
    where = f"into {_pocket(event.pocket)}" if event.pocket is not None else ", no record says where"
    after = f" after {_laps(event.laps_tenths)}" if event.laps_tenths is not None else ""
    return f"the ball drops{after} {where}".replace(" ,", ",")


def _pocket(number: int) -> str:
    return f"{number} {colour_of(number)}" if number else "0"


def _swapped(event: rl.ChipsSwapped, currency: str) -> str:
    given = money_text(event.value_chips_in, currency) if event.value_chips_in is not None else "an amount not recorded"
    bet = f", on bet {event.bet}" if event.bet is not None else ""
    got = f"{event.count} {event.colour} chips of {money_text(event.unit_value, currency)}"
    return f"value chips of {event.player} ({given}) become {got}{bet}"


def _settling(event: ChipsMoved, currency: str) -> str:
    """Chips that settle a bet; those of another kind are told as at every table."""
    amount, bet = money_text(event.amount, currency), event.stake
    if event.cause == "win" and bet:
        return f"{event.to.removeprefix('player/')} is paid {amount} on bet {bet}"
    if event.frm != f"box/{bet}":
        return ""
    if event.cause == "take":
        return f"bet {bet} loses: {amount} are taken"
    return f"{amount} of bet {bet} go back to {event.to.removeprefix('player/')}" if event.cause == "return" else ""


def _off(event: rl.MisspinDeclared, _currency: str) -> str:
    why = f": {event.ground.replace('_', ' ')}" if event.ground else ""
    return f"the spin is called off by the {event.role.replace('_', ' ')}{f' ({event.by})' if event.by else ''}{why}"


_TELLERS: dict[Any, Callable[[Any, str], str]] = {
    ChipsMoved: _settling,
    rl.BetsOpened: lambda e, c: f"bets are invited{by(e.by)}",
    rl.BetPlaced: _placed,
    rl.BetMoved: _moved,
    rl.BetRemoved: _removed,
    rl.CallBetAnnounced: _asked,
    rl.CallBetPlaced: _laid,
    rl.CallBetRefused: _refused,
    rl.CallBetSettled: _settled,
    rl.WheelInstalled: _installed,
    rl.SpinStarted: _spun,
    rl.LapsCounted: lambda e, c: f"{_laps(e.laps_tenths)} of the ball are counted, by {e.by}",
    rl.BallDropped: _dropped,
    rl.NumberAnnounced: lambda e, c: f"{_pocket(e.number)} is announced{by(e.by)}",
    rl.MisspinDeclared: _off,
    rl.BallIncident: lambda e, c: f"incident: {e.kind.replace('_', ' ')}{': ' + e.note if e.note else ''}",
    rl.StaffAdvice: lambda e, c: f"{e.staff} is suspected of advising {e.player}{by(e.suspected_by)}",
    rl.ClaimRaised: claim_raised,
    rl.ClaimResolved: claim_resolved,
    rl.ChipsSwapped: _swapped,
    rl.RedemptionRefused: lambda e, c: f"{e.player} is refused value chips for his colour chips{by(e.by)}",
}
