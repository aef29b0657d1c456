"""From records to bets: call bets expanded into their parts (RL-42 step 1), colours compared with the register, and
whose each bet is."""

from __future__ import annotations

from events.schema.fact import Fact
from games.house_rules.edition import Edition
from games.roulette.events import BetPlaced, CallBetAnnounced, CallBetPlaced
from games.roulette.layout import Component, canonical, components
from games.roulette.table import Bet, Session, Spin
from games.shared.wheel.bets import Piece
from games.shared.wheel.claims import resolved_claims


def bet_of(session: Session, fact: Fact, event: BetPlaced, order: int) -> Bet:
    """An ordinary bet as it was laid."""
    colour = event.colour or ""
    own_table = event.chip_table in (None, session.table)
    return Bet(
        id=event.bet,
        player=event.player,
        fact=fact,
        pieces=(Piece(canonical(event.position), event.amount),),
        limits=session.limits,
        colour=colour if event.chip_kind == "colour" else "",
        unit_value=event.unit_value or 0,
        foreign=event.chip_kind == "colour" and not own_table,
        holder=_holder(session, colour) if own_table else "",
        second=_second(session, event.player, event.chip_kind, colour, own_table=own_table),
        order=order,
    )


def call_bet_of(session: Session, fact: Fact, event: CallBetPlaced, order: int) -> Bet:
    """A call bet laid out. Chips that it cannot share out among its parts are its `rest` (RL-A29)."""
    parts = tuple(Component(canonical(part.position), part.chips) for part in event.components)
    if not parts:
        parts = _parts(session.edition, event.kind, event.number, event.reach)
    chips = sum(part.chips for part in parts)
    unit = event.unit or 0
    if chips and (not unit or unit * chips > event.amount):
        unit = share(event.amount, chips, session.edition["money.smallest_chip"])
    if chips:
        pieces = tuple(Piece(part.position, part.chips * unit) for part in parts if part.chips * unit)
    else:  # no such call bet: the chips lie where the layout has no place
        pieces = (Piece(f"call:{event.kind}", event.amount),)
    colour = event.colour or ""
    own_table = event.chip_table in (None, session.table)
    return Bet(
        id=event.bet,
        player=event.player,
        fact=fact,
        pieces=pieces,
        limits=session.limits,
        call=event.kind,
        rest=event.amount - sum(piece.amount for piece in pieces),
        colour=colour if event.chip_kind == "colour" else "",
        unit_value=unit,
        foreign=event.chip_kind == "colour" and not own_table,
        holder=_holder(session, colour) if own_table else "",
        second=_second(session, event.player, event.chip_kind, colour, own_table=own_table),
        order=order,
    )


def owners_of(session: Session, spin: Spin) -> dict[str, str]:
    """Bet → whose it is: the player named by a resolved claim (RL-A26), the holder of its colour (RL-A34), or else the
    player it was recorded for."""
    by_colour = session.edition["roulette.colour_owner"] == "registered_holder"
    owners = {bet.id: bet.holder if by_colour and in_another_colour(bet) else bet.player for bet in spin.layout}
    return owners | resolved_claims(spin.claims)


def in_another_colour(bet: Bet) -> bool:
    """Whether a bet lies in a colour that is registered to another player."""
    return bool(bet.colour and bet.holder and bet.holder != bet.player and not bet.foreign)


def share(amount: int, chips: int, smallest: int | None) -> int:
    """Value of one of `chips` equal chips out of `amount`, rounded down to the smallest chip; minor units."""
    unit = amount // chips
    return unit - unit % (smallest or 1)


def announced_parts(session: Session, event: CallBetAnnounced | CallBetPlaced, unit: int) -> dict[str, int]:
    """Position → minor units, of a call bet as it was asked for; `unit` where it names no value of a chip."""
    parts = _parts(session.edition, event.kind, event.number, event.reach)
    chips = sum(part.chips for part in parts)
    if isinstance(event, CallBetAnnounced):
        if event.unit:
            unit = event.unit
        elif event.amount and chips:
            unit = share(event.amount, chips, session.edition["money.smallest_chip"])
    return {part.position: part.chips * unit for part in parts if part.chips * unit}


def _parts(edition: Edition, kind: str, number: int | None, reach: int) -> tuple[Component, ...]:
    if kind == "neighbours" and reach not in edition["roulette.neighbours_reach"]:
        return ()
    return components(kind, number, reach, edition.constants.wheel_order)


def _holder(session: Session, colour: str) -> str:
    """To whom a colour is registered; of several, to whom it was issued last."""
    return next((holding.player for holding in reversed(session.holdings) if holding.colour == colour), "")


def _second(session: Session, player: str, chip_kind: str, colour: str, *, own_table: bool) -> bool:
    """Whether a player bets in a second colour: he has, or plays, chips of another that he began with earlier (RL-03).

    A colour that is another player's is that player's bet instead; chips of another table count where the house allows
    one colour in all (RL-A12).
    """
    everywhere = session.edition["roulette.colour_limit_scope"] == "house"
    if chip_kind != "colour" or not (own_table or everywhere):
        return False
    if own_table and _holder(session, colour) not in ("", player):
        return False
    if everywhere and own_table and any(own.player == player and own.count for own in session.elsewhere):
        return True
    own = session.holding(player, colour) if own_table else None
    since = own.since if own is not None and own.count else None
    for holding in session.holdings:
        other = holding.colour != colour or not own_table
        if other and holding.player == player and holding.count and (since is None or holding.since < since):
            return True
    return since is None and _plays_another(session.spin, player, colour, own_table=own_table, everywhere=everywhere)


def _plays_another(spin: Spin | None, player: str, colour: str, *, own_table: bool, everywhere: bool) -> bool:
    """Whether a first colour of the player's lies on the layout already, other than this one."""
    for bet in spin.layout if spin is not None else ():
        other = bet.colour != colour or bet.foreign or not own_table
        if bet.colour and other and not bet.second and (everywhere or not bet.foreign):
            whose = bet.holder if in_another_colour(bet) else bet.player
            if whose == player:
                return True
    return False
