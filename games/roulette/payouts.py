"""The one settlement of roulette: what every bet on a spin is due, in the order of RL-42.

Call bets are expanded and standing bets carried when the spin opens (state); then rulings, direction and laps, single
bets, limits, and the money. Checks read the marks that this leaves behind; nothing is settled twice.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from games.protocol import Round
from games.roulette.events import CallBetSettled
from games.roulette.layout import OUTSIDE, canonical
from games.roulette.rulings import rulings_on
from games.roulette.stakes import LATE_CODES, Laid, Stake, cutoff_of, lay
from games.roulette.table import Bet, Session, Spin
from games.roulette.validity import result_of, validity_of
from games.shared.booked import booked
from games.shared.lines import held, inexpressible, merged, refunded
from games.shared.marks import Mark
from games.shared.rulings import Rulings
from games.shared.wheel.bets import Piece
from games.verdict import Line, Settlement

ODDS_RULE = {
    "straight": "RL-31", "split": "RL-30", "street": "RL-28", "corner": "RL-29", "six_line": "RL-27",
    "dozen": "RL-26", "column": "RL-26", "red": "RL-25", "black": "RL-25", "odd": "RL-25", "even": "RL-25",
    "low": "RL-25", "high": "RL-25",
}  # fmt: skip
CALL_RULE = {
    "neighbours": "RL-34",
    "jeu_zero": "RL-35",
    "voisins": "RL-36",
    "tiers": "RL-37",
    "orphelins": "RL-38",
}


class Analysis(Struct, frozen=True):
    """A spin judged: its settlement, what was noticed, and what is left on the layout if it is settled as due.

    `number` decides, None if there is none. `void`: by its facts or by a ruling. `left`: for each bet of the layout,
    its stakes that stay if it is settled as due.
    """

    settlement: Settlement
    marks: tuple[Mark, ...] = ()
    number: int | None = None
    void: bool = False
    left: tuple[tuple[Piece, ...], ...] = ()


def due(round_: Round[Session]) -> Settlement:
    """What the rules make of the spin, a line a bet (roulette.md RL-42). A call bet is one line, all parts summed.

    Lines are `held` in full where a person must rule, and where no number can be had (`known` false).
    """
    return analysis_of(round_).settlement


def analysis_of(round_: Round[Session]) -> Analysis:
    """How the round's settlement comes about; worked out once a round."""
    memo = round_.memo
    if "analysis" not in memo:
        memo["analysis"] = analyse(round_.session)
    analysis: Analysis = memo["analysis"]
    return analysis


def analyse(session: Session) -> Analysis:
    """The session's current spin, judged by what is known of it so far."""
    spin = session.spin
    if spin is None:
        return Analysis(Settlement())
    rulings = rulings_on(session, spin)
    if rulings.void:
        return _voided(session, spin, (*rulings.void, *rulings.invalid))
    validity = validity_of(session, spin)
    if validity.void:
        return _voided(session, spin, (*validity.void, *validity.marks, *rulings.invalid))
    result = result_of(session, spin)
    laid = lay(session, spin, cutoff_of(session, spin), rulings.on_bets, result.number)
    if result.number is not None:
        _settle(laid.stakes, result.number, session)
    doubtful = _ruled(validity.doubtful, rulings)
    marks = (*doubtful, *validity.marks, *result.marks, *rulings.invalid, *laid.marks)
    candidates = () if rulings.counts else validity.candidates
    return _summed(session, spin, laid, result.number, marks, candidates)


def _ruled(doubtful: tuple[Mark, ...], rulings: Rulings) -> tuple[Mark, ...]:
    """A person who decided that the spin counts has answered what the rules left open."""
    if not rulings.counts:
        return doubtful
    return tuple(replace(mark, kind="advisory", basis=rulings.counts) for mark in doubtful)


def _settle(stakes: Iterable[Stake], number: int, session: Session) -> None:
    """RL-42 step 6."""
    constants = session.edition.constants
    forfeits = session.edition["roulette.void_bet_effect"] == "forfeit"
    call_stands = session.edition["roulette.call_bet_winner_stands"]
    for stake in stakes:
        if stake.void:
            stake.taken = stake.amount if forfeits and stake.reasons[0][0] in LATE_CODES else 0
        elif stake.place is not None and number in stake.place.numbers:
            stake.paid = stake.live * constants.ratio(stake.place.type)
            stake.stands = stake.live if call_stands or not stake.bet.call else 0
        else:
            stake.taken = stake.live


def _voided(session: Session, spin: Spin, marks: tuple[Mark, ...]) -> Analysis:
    """RL-16, RL-40: every bet goes back, whoever laid it; the number has no effect and nothing further is asked.

    Wins already paid are owed back, unless the house leaves them with the players (RL-A20).
    """
    grounds = [mark for mark in marks if mark.kind == "void"]
    rule = "RL-16" if grounds[0].basis == "facts" else grounds[0].rule
    codes = tuple(mark.code for mark in grounds)
    lines = tuple(
        Line(
            stake=bet.id, player=bet.player, staked=bet.staked, returned=bet.staked, what=described(bet), rule=rule,
            reasons=codes,
        )
        for bet in spin.layout
    )  # fmt: skip
    lines = merged(lines)
    if session.edition["void_paid_wins_policy"] == "refund_losers_only":
        record = booked(spin.settles)
        won = {bet: max(0, own.paid - own.taken) for bet, own in record.items()}
        lines = tuple(replace(line, waived=won.get(line.stake, 0)) for line in lines)
    return Analysis(Settlement(lines=lines), marks, void=True)


def _summed(
    session: Session, spin: Spin, laid: Laid, number: int | None, marks: tuple[Mark, ...], candidates: tuple[str, ...]
) -> Analysis:
    by_bet: dict[int, list[Stake]] = {}
    for stake in laid.stakes:
        by_bet.setdefault(id(stake.bet), []).append(stake)
    asks = any(mark.kind == "ruling_required" and mark.scope == "round" for mark in marks)
    known = number is not None or not (spin.layout or spin.started or spin.drop)
    lines, valid = [], []
    left: list[tuple[Piece, ...]] = []
    for bet in spin.layout:
        own = by_bet.get(id(bet), [])
        left.append(())
        line = _line(bet, own, laid.owners[bet.id], number)
        valid.append(line)
        waits = asks or number is None or bet.id in laid.held
        lines.append(held(line) if waits else line)
        if not waits:
            left[-1] = tuple(Piece(stake.position, stake.stands) for stake in own if stake.stands)
    outcomes: dict[str, tuple[Line, ...]] = {}
    for name in candidates:
        if name == "refund":
            outcomes[name] = merged(tuple(refunded(line, "RL-16") for line in valid))
        elif number is not None:
            outcomes[name] = merged(tuple(valid))
    small = session.edition["money.smallest_chip"]
    if small:
        marks += tuple(inexpressible(line, small, "RL-22") for line in lines if line.paid % small)
    if number is not None:
        marks += tuple(_laid_out_wrong(spin, laid))
    return Analysis(
        settlement=Settlement(lines=merged(tuple(lines)), known=known, candidates=outcomes),
        marks=marks,
        number=number,
        left=tuple(left),
    )


def _line(bet: Bet, own: list[Stake], owner: str, number: int | None) -> Line:
    staked = sum(stake.amount for stake in own) + bet.rest
    taken = sum(stake.taken for stake in own)
    codes = dict.fromkeys(code for stake in own for code, _rule in stake.reasons)
    return Line(
        stake=bet.id,
        player=owner,
        staked=staked,
        taken=taken,
        returned=staked - taken,
        paid=sum(stake.paid for stake in own),
        stands=sum(stake.stands for stake in own),
        what=described(bet, own),
        rule=_line_rule(bet, own, number),
        reasons=tuple(codes),
    )


def _line_rule(bet: Bet, own: list[Stake], number: int | None) -> str:
    """The rule that a wrong settlement of this bet would break: what voids it, what fixes its odds, or zero's."""
    if own and all(stake.void for stake in own):
        return own[0].reasons[0][1]
    if bet.call and not bet.standing:
        return CALL_RULE.get(bet.call, "RL-39")
    place = next((stake.place for stake in own if stake.place is not None), None)
    if place is None:
        return "RL-22"
    if number == 0 and place.type in OUTSIDE:
        return "RL-32"
    return ODDS_RULE[place.type]


def described(bet: Bet, own: Iterable[Stake] | None = None) -> str:
    """`17/20`, or `tiers` with its parts' number: what a person calls the bet."""
    if bet.call:
        return bet.call
    places = [stake.position for stake in own] if own is not None else [piece.position for piece in bet.pieces]
    return ", ".join(dict.fromkeys(places)) or "taken up"


def _laid_out_wrong(spin: Spin, laid: Laid) -> Iterable[Mark]:
    """RL-39: the chips put on the winning positions of a call bet are those of the parts that hit."""
    for fact in spin.call_settles:
        event = fact.event
        assert isinstance(event, CallBetSettled)
        own = [stake for stake in laid.stakes if stake.bet.id == event.bet and stake.bet.call]
        wanted: dict[str, int] = {}
        for stake in own:
            if stake.paid:
                wanted[stake.position] = wanted.get(stake.position, 0) + stake.live // stake.bet.unit_value
        put: dict[str, int] = {}
        for part in event.winning:
            put[canonical(part.position)] = put.get(canonical(part.position), 0) + part.chips
        if own and put != wanted:
            due_there = ", ".join(f"{count} on {place}" for place, count in wanted.items())
            yield Mark(
                rule="RL-39", code="call_bet_chips_mismatch", kind="breach", scope="bet", subject=event.bet,
                player=own[0].bet.player, facts=(fact, own[0].bet.fact), remedy={"chips": due_there},
            )  # fmt: skip
