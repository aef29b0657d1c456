"""The one settlement of the magic wheel: what every bet of a game is due, in the order of MW-17.

Bets left from a cancelled game come in when the game opens (state); then rulings, single bets, turns, wheel, layout,
incidents, the symbol, the money. Checks read the marks that this leaves behind; nothing is settled twice.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from games.house_rules.edition import Edition
from games.magic_wheel.events import ChoiceMade
from games.magic_wheel.parameters import PARAMETERS
from games.magic_wheel.rulings import rulings_on
from games.magic_wheel.stakes import Laid, Stake, choice_of, cutoff_of, is_left, lay, layout_of
from games.magic_wheel.symbols import X
from games.magic_wheel.table import Bet, Session, Spin
from games.magic_wheel.validity import cancelled, doubts, result_of, uncounted
from games.protocol import Round
from games.shared.bank.advisory import other_readings
from games.shared.lines import inexpressible, merged
from games.shared.marks import Mark
from games.shared.wheel.bets import Piece
from games.shared.wheel.claims import raised_claims, resolved_claims
from games.verdict import Line, Settlement

READINGS = {
    "wheel.late_call_cutoff": "MW-08",
    "wheel.no_choice": "MW-10",
    "wheel.result_without_field": "MW-11",
    "wheel.winning_stake": "MW-13",
    "analogy_collusion_clause": "MW-17",
}
"""Parameters of which the catalogue names another reading that moves money, and the rule that is read."""


class Analysis(Struct, frozen=True):
    """A game judged: its settlement, what was noticed, and the bets that may go on to the next.

    `symbol` decides, None if there is none. `void`: cancelled by its turns, or by a ruling. `offered`: the valid bets
    of a cancelled game, as they lay at the cut-off; `standing`: winning ones that lie on (MW-A06).
    """

    settlement: Settlement
    marks: tuple[Mark, ...] = ()
    symbol: str | None = None
    void: bool = False
    offered: tuple[Bet, ...] = ()
    standing: tuple[Bet, ...] = ()


def due(round_: Round[Session]) -> Settlement:
    """What the rules make of the game, a line a bet (magic-wheel.md MW-17).

    Lines are `held` where a person must rule, and where no symbol can be had (`known` false); what is void anyway goes
    back all the same. A bet left for the next game `stands`.
    """
    return analysis_of(round_).settlement


def analysis_of(round_: Round[Session]) -> Analysis:
    """How the round's settlement comes about; worked out once a round."""
    memo = round_.memo
    if "analysis" not in memo:
        session = round_.session
        after = tuple(fact for fact in round_.after if isinstance(fact.event, ChoiceMade))
        if after and session.spin is not None:  # said between the games, of the one before
            session = replace(session, spin=replace(session.spin, choices=(*session.spin.choices, *after)))
        memo["analysis"] = _with_other_readings(session, analyse(session))
    analysis: Analysis = memo["analysis"]
    return analysis


def _with_other_readings(session: Session, analysis: Analysis) -> Analysis:
    def due_by(edition: Edition) -> Settlement:
        return analyse(replace(session, edition=edition)).settlement

    others = tuple(other_readings(session.edition, PARAMETERS, READINGS, analysis.settlement, due_by))
    return replace(analysis, marks=(*analysis.marks, *others)) if others else analysis


def analyse(session: Session) -> Analysis:
    """The session's current game, judged by what is known of it so far."""
    spin = session.spin
    if spin is None:
        return Analysis(Settlement())
    ruled = rulings_on(session, spin)
    cut = cutoff_of(session, spin)
    layout = layout_of(session, spin, cut)
    laid = lay(session, spin, cut, layout, ruled.on_bets)
    if ruled.void:
        return _ruled_void(layout, laid, (*ruled.void, *ruled.invalid))
    short = cancelled(session, spin)
    if short is not None:
        return _cancelled(session, spin, layout, laid, (short, *ruled.invalid, *laid.marks))
    result = result_of(session, spin)
    doubtful = doubts(session, spin)
    if ruled.counts:  # a person has answered what the rules left open
        doubtful = tuple(replace(mark, kind="advisory", basis=ruled.counts) for mark in doubtful)
    marks = (*doubtful, *result.marks, *uncounted(spin), *ruled.invalid, *laid.marks)
    candidates = result.candidates or ((result.symbol,) if result.symbol is not None else ())
    asks = any(mark.kind == "ruling_required" and mark.scope == "round" for mark in marks)
    return _summed(session, spin, layout, laid, result.symbol, marks, candidates if asks else ())


def _ruled_void(layout: tuple[Bet, ...], laid: Laid, marks: tuple[Mark, ...]) -> Analysis:
    """MW-A11: every bet goes back, none is left; nothing further is asked. Wins already paid are owed back (MW-A17)."""
    codes = tuple(mark.code for mark in marks if mark.kind == "void")
    lines = tuple(
        replace(_line(bet, own, bet.player), rule="MW-17", reasons=codes) for bet, own in _by_bet(layout, laid)
    )
    return Analysis(Settlement(lines=merged(lines)), marks, void=True)


def _cancelled(session: Session, spin: Spin, layout: tuple[Bet, ...], laid: Laid, marks: tuple[Mark, ...]) -> Analysis:
    """MW-10: the symbol has no effect. Each valid bet goes back or is left for the next game, as its player chooses."""
    lines, offered = [], []
    for bet, own in _by_bet(layout, laid):
        line = _line(bet, own, bet.player)
        if all(stake.void for stake in own):
            lines.append(line)
            continue
        lying = replace(bet, pieces=tuple(_pieces(own)), standing=True, order=-1)
        offered.append(lying)
        stands = lying.staked if is_left(session, lying, choice_of(spin, bet.id, own=True)) else 0
        lines.append(replace(line, returned=line.staked, stands=stands, rule="MW-10", reasons=("short_spin",)))
    return Analysis(Settlement(lines=merged(tuple(lines))), marks, void=True, offered=tuple(offered))


def _summed(
    session: Session,
    spin: Spin,
    layout: tuple[Bet, ...],
    laid: Laid,
    symbol: str | None,
    marks: tuple[Mark, ...],
    candidates: tuple[str, ...],
) -> Analysis:
    asks = any(mark.kind == "ruling_required" and mark.scope == "round" for mark in marks)
    lines, standing = [], []
    stands = session.edition["wheel.winning_stake"] == "stands"
    if symbol is not None and not asks:
        disputed, decided = _claims(session, spin, layout, laid, symbol)
        marks = (*marks, *disputed)
        waiting = {mark.subject for mark in disputed}
        for bet, own in _by_bet(layout, laid):
            line = _settled(session, bet, own, symbol, decided.get(bet.id, bet.player))
            waits = bet.id in waiting
            lines.append(_held(line, own) if waits else line)
            if stands and line.paid and not waits:
                standing.append(replace(bet, player=line.player, pieces=tuple(_pieces(own)), standing=True, order=-1))
    else:
        lines = [_held(_line(bet, own, bet.player), own) for bet, own in _by_bet(layout, laid)]
    small = session.edition["money.smallest_chip"]
    if small:
        marks += tuple(inexpressible(line, small, "MW-13") for line in lines if line.paid % small)
    outcomes = {
        name: merged(tuple(_settled(session, bet, own, name, bet.player) for bet, own in _by_bet(layout, laid)))
        for name in candidates
    }
    if asks and layout:
        outcomes["refund"] = merged(
            tuple(replace(_line(bet, own, bet.player), rule="MW-17") for bet, own in _by_bet(layout, laid))
        )
    known = symbol is not None or asks or not (layout or spin.spins or spin.has_stopped)
    settlement = Settlement(lines=merged(tuple(lines)), known=known, candidates=outcomes)
    return Analysis(settlement, marks, symbol, standing=tuple(standing))


def _by_bet(layout: Iterable[Bet], laid: Laid) -> list[tuple[Bet, list[Stake]]]:
    own: dict[int, list[Stake]] = {}
    for stake in laid.stakes:
        own.setdefault(id(stake.bet), []).append(stake)
    return [(bet, own.get(id(bet), [])) for bet in layout]


def _line(bet: Bet, own: list[Stake], player: str) -> Line:
    """A bet that goes back whole, with what took it off the risk."""
    staked = sum(stake.amount for stake in own)
    reasons = dict.fromkeys(code for stake in own for code, _rule in stake.reasons)
    rule = own[0].reasons[0][1] if own and all(stake.void for stake in own) else "MW-13"
    return Line(bet.id, player, staked, returned=staked, what=_places(own), rule=rule, reasons=tuple(reasons))


def _settled(session: Session, bet: Bet, own: list[Stake], symbol: str, player: str) -> Line:
    """MW-13 to MW-15: what lies on the symbol wins, all else that is at risk loses; the stake of a win goes back."""
    line = _line(bet, own, player)
    at_risk = [stake for stake in own if not stake.void]
    if not at_risk:
        return line
    won = sum(stake.live for stake in at_risk if stake.place == symbol)
    taken = sum(stake.live for stake in at_risk) - won
    stands = won if session.edition["wheel.winning_stake"] == "stands" else 0
    return replace(
        line,
        taken=taken,
        returned=line.staked - taken,
        paid=won * session.edition.constants.pays.get(symbol, 0),
        stands=stands,
        rule="MW-15" if symbol == X else "MW-14" if won else "MW-13",
    )


def _held(line: Line, own: list[Stake]) -> Line:
    """What is at risk waits; what is void, or above the maximum, goes back whatever is decided."""
    live = sum(stake.live for stake in own)
    return replace(line, taken=0, paid=0, stands=0, returned=line.staked - live, held=live)


def _claims(
    session: Session, spin: Spin, layout: tuple[Bet, ...], laid: Laid, symbol: str
) -> tuple[list[Mark], dict[str, str]]:
    """MW-06: the wins that several claim, which wait with their stakes, and whose those are of which it was decided.

    A claim to a bet that does not win changes nothing.
    """
    if not spin.claims:
        return [], {}
    raised, resolved = raised_claims(spin.claims), resolved_claims(spin.claims)
    marks, decided = [], {}
    for bet, own in _by_bet(layout, laid):
        line = _settled(session, bet, own, symbol, bet.player)
        if not line.paid:
            continue
        if bet.id in resolved:
            decided[bet.id] = resolved[bet.id]
        elif bet.id in raised:
            players = list(getattr(raised[bet.id].event, "players", ()))
            mark = Mark(
                rule="MW-06", code="claim_disputed", kind="ruling_required", scope="bet", subject=bet.id,
                player=bet.player, facts=(raised[bet.id], bet.fact),
                remedy={"held": line.paid + line.staked, "win": line.paid, "stake": line.staked, "candidates": players},
                text=f"claimed by {' and '.join(players) or 'nobody by name'}",
            )  # fmt: skip
            marks.append(mark)
    return marks, decided


def _pieces(own: list[Stake]) -> Iterable[Piece]:
    return (Piece(stake.position, stake.live) for stake in own if stake.live)


def _places(own: Iterable[Stake]) -> str:
    """`bell`: what a person calls the bet."""
    return ", ".join(dict.fromkeys(stake.position for stake in own)) or "taken up"
