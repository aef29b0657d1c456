"""The stakes of a game as they lay at the cut-off, and what voids or cuts them: MW-17 steps 1 and 3."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from games.magic_wheel.events import ChoiceMade
from games.magic_wheel.symbols import LAYOUT
from games.magic_wheel.table import Bet, Session, Spin
from games.magic_wheel.validity import is_short
from games.shared.marks import Mark, known, missing
from games.shared.rulings import BetRuling
from games.shared.wheel import bets
from games.shared.wheel.bets import (
    Change,
    at_cutoff,
    by_player_and_place,
    changes_by_bet,
    laid_pieces,
    limit,
    told,
    void,
)
from games.shared.wheel.cutoff import Cutoff, End

Stake = bets.Stake[Bet, str]
Laid = bets.Laid[Bet, str]
Late = tuple[Stake, Change]


def cutoff_of(session: Session, spin: Spin) -> Cutoff:
    """The closing call; the start of the spin where the call is missing or comes after it (MW-08, MW-A23).

    At that very instant a bet is still in time (MW-A07). A wheel that stands ends the betting in any case.
    """
    call = [End("closing call", spin.closing)] if spin.closing is not None else []
    start = [End("start of the spin", spin.started)] if spin.started is not None else []
    stop = [End("stop of the wheel", fact) for fact in known(*spin.stops[:1], spin.announced)[:1]]
    first = call or start or stop
    if call and start and spun_before_call(session, spin) == "before":
        first = start if session.edition["wheel.late_call_cutoff"] == "spin_start" else call
    return Cutoff(session.clocks, tuple(first))


def no_cutoff(session: Session) -> Cutoff:
    """One that everything comes before."""
    return Cutoff(session.clocks, ())


def spun_before_call(session: Session, spin: Spin) -> str:
    """How the start of the spin lies to the closing call in time; `unknown` without either."""
    if spin.started is None or spin.closing is None:
        return "unknown"
    return session.clocks.compare(spin.started, spin.closing)


def choice_of(spin: Spin, bet: str, cut: Cutoff | None = None, *, own: bool = False) -> ChoiceMade | None:
    """What the player last chose for a bet of a cancelled game; with `cut`, before the next game's closing call. `own`:
    this very game was cancelled, and what was said before its wheel stood was about another."""
    latest: ChoiceMade | None = None
    for fact in spin.choices[spin.answered if own else 0 :]:
        event = fact.event
        if isinstance(event, ChoiceMade) and event.bet == bet and (cut is None or cut.of(fact) != "late"):
            latest = event
    return latest


def is_left(session: Session, bet: Bet, choice: ChoiceMade | None) -> bool:
    """Whether a bet of a cancelled game is left for the next: as chosen, at its original amount (MW-10)."""
    if choice is None:
        return bool(session.edition["wheel.no_choice"] == "leave")
    return choice.choice == "leave" and choice.amount in (None, bet.staked)


def layout_of(session: Session, spin: Spin, cut: Cutoff) -> tuple[Bet, ...]:
    """Every bet of the game: those that lay there from earlier ones, then those laid for this one (MW-17 step 1)."""
    left = tuple(bet for bet in spin.offered if is_left(session, bet, choice_of(spin, bet.id, cut)))
    standing = spin.standing if session.edition["wheel.winning_stake"] == "stands" else ()
    return (*left, *standing, *spin.bets)


def changes_of(session: Session, spin: Spin) -> tuple[Change, ...]:
    """The changes of a game. Once the wheel stands after too few turns, players may take up what is theirs (MW-10)."""
    if not spin.changes or not spin.stops or not is_short(session, spin):
        return spin.changes
    compare, stop = session.clocks.compare, spin.stops[0]
    return tuple(
        replace(change, settled=change.settled or compare(change.fact, stop) in ("after", "same"))
        for change in spin.changes
    )


def lay(session: Session, spin: Spin, cut: Cutoff, layout: Sequence[Bet], on_bets: Sequence[BetRuling]) -> Laid:
    """Every stake that lay on the layout at the cut-off, each void one with its reasons (MW-17 step 3)."""
    laid = Laid({bet.id: bet.player for bet in layout})
    by_bet = changes_by_bet(changes_of(session, spin))
    for bet in layout:
        own, late = at_cutoff(laid, laid_pieces(bet, LAYOUT), by_bet.get(bet.id, ()), cut, LAYOUT, "MW-08")
        _reasons(laid, bet, own, cut, on_bets)
        laid.marks.extend(_moved_late(late, cut))
        laid.stakes.extend(own)
    for ruling in on_bets:
        _reached(laid, spin, ruling)
    _limits(laid, session)
    return laid


def _reasons(laid: Laid, bet: Bet, own: list[Stake], cut: Cutoff, on_bets: Sequence[BetRuling]) -> None:
    """The first that applies is the reason, every one is listed."""
    for ruling in on_bets:
        if ruling.reaches(bet.id, bet.player):
            void(
                laid, bet, own, ruling.rule, ruling.code, (ruling.fact,), f"{ruling.told}, by analogy",
                basis=ruling.id, remedy={"basis": "analogy"},
            )  # fmt: skip
    if bet.standing:
        return
    if bet.chip_kind is None:
        laid.marks.append(missing("MW-04", "not_value_chip", "bet", facts=(bet.fact,), subject=bet.id))
    elif bet.chip_kind != "value":
        void(laid, bet, own, "MW-04", "not_value_chip", (bet.fact,), _kind(bet.chip_kind))
    for stake in own:
        if stake.place is None:
            text = f"{stake.position} is no box to bet on"
            void(laid, bet, [stake], "MW-02", "illegal_symbol", (stake.fact,), text)
    answer = cut.of(bet.fact)
    if answer == "late":
        void(laid, bet, own, "MW-08", "late_bet", (bet.fact, *cut.facts()), cut.since(bet.fact))
    elif answer == "unknown":
        laid.marks.append(missing("MW-08", "late_bet", "bet", facts=(bet.fact, *cut.facts()), subject=bet.id))


def _kind(chip_kind: str) -> str:
    return {"colour": "colour chips", "cash": "cash"}.get(chip_kind, "no value chips")


def _moved_late(late: Sequence[Late], cut: Cutoff) -> Iterator[Mark]:
    """MW-A07: ignored, the bet is judged where it lay."""
    for stake, change in late:
        yield Mark(
            rule="MW-08", code="late_move", kind="breach", scope="bet", subject=stake.bet.id, player=stake.bet.player,
            facts=(change.fact, *cut.facts()), remedy={"position": stake.position, "amount": stake.amount},
            text=told(change, cut),
        )  # fmt: skip


def _reached(laid: Laid, spin: Spin, ruling: BetRuling) -> None:
    """A ruling that meets no bet of this game is reported all the same."""
    if not any(mark.code == ruling.code and mark.facts[:1] == (ruling.fact,) for mark in laid.marks):
        laid.marks.append(
            Mark(
                rule=ruling.rule, code=ruling.code, kind="void", scope="player", subject=spin.name,
                facts=(ruling.fact,), basis=ruling.id, remedy={"basis": "analogy"},
                text="none of the bets named lay in this game",
            )
        )  # fmt: skip


def _limits(laid: Laid, session: Session) -> None:
    """MW-A08: per player and symbol, over all his chips there that are not void, where the table posts a limit or the
    house sets one. A bet left from a cancelled game at its amount is not tested again (MW-A18), but counts."""
    house = session.edition["wheel.table_min"], session.edition["wheel.table_max"]
    for own in by_player_and_place(laid):
        tested = [stake for stake in own if not _is_exempt(stake)]
        if tested:
            latest = tested[-1].bet
            posted = (session.limits if latest.standing else latest.limits).of(tested[-1].position)
            low, high = (one if one is not None else other for one, other in zip(posted, house, strict=True))
            limit(laid, own, tested, low, high, "MW-02")


def _is_exempt(stake: Stake) -> bool:
    """It lies as it was left, in place and amount."""
    return stake.bet.standing and stake.landed < 0 and stake.amount == stake.bet.staked
