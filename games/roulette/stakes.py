"""The stakes of a spin as they lay at the cut-off, and what voids or cuts them: RL-42 steps 4 and 5."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from events.schema.fact import Fact
from events.values.money import amount_text
from games.house_rules.edition import Edition
from games.roulette.bets import announced_parts, in_another_colour, owners_of
from games.roulette.events import CallBetAnnounced, CallBetPlaced
from games.roulette.layout import LAYOUT, Position
from games.roulette.table import Bet, Session, Spin
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
from games.shared.wheel.claims import raised_claims, resolved_claims
from games.shared.wheel.cutoff import Cutoff, End

LATE_CODES = frozenset({"late_bet", "late_call_bet"})


Stake = bets.Stake[Bet, Position]
Laid = bets.Laid[Bet, Position]
Late = tuple[Stake, Change]


class Cutoffs(NamedTuple):
    """A spin's cut-off, and that for a call bet."""

    cut: Cutoff
    call: Cutoff


def cutoff_of(session: Session, spin: Spin) -> Cutoffs:
    """The closing call or the drop, whichever is earlier; without a call, the drop (RL-A38).

    Late is after the call, or at or after the drop (RL-A31). For a call bet the drop alone may count (RL-A07).
    """
    ends = tuple(
        End(what, fact, at_it_is_late=what == "drop")
        for what, fact in (("closing call", spin.closing), ("drop", spin.drop))
        if fact is not None
    )
    cut = Cutoff(session.clocks, ends)
    if session.edition["roulette.call_bet_cutoff"] != "ball_drop":
        return Cutoffs(cut, cut)
    return Cutoffs(cut, Cutoff(session.clocks, tuple(end for end in ends if end.at_it_is_late)))


def lay(session: Session, spin: Spin, cuts: Cutoffs, on_bets: Sequence[BetRuling], number: int | None) -> Laid:
    """Every stake that lay on the layout at the cut-off, each void one with its reasons."""
    laid = Laid(owners_of(session, spin), frozenset(resolved_claims(spin.claims)))
    by_bet = changes_by_bet(spin.changes)
    for bet in spin.layout:
        own, late = at_cutoff(laid, laid_pieces(bet, LAYOUT), by_bet.get(bet.id, ()), cuts.cut, LAYOUT, "RL-20")
        _reasons(laid, session, bet, own, late, cuts, on_bets, number)
        if bet.call and not bet.standing:
            _differs(laid, session, spin, bet, own)
        laid.stakes.extend(own)
    if spin.claims:
        _claims(laid, spin)
    for ruling in on_bets:
        _reached(laid, spin, ruling)
    _limits(laid, session)
    return laid


def _reasons(
    laid: Laid,
    session: Session,
    bet: Bet,
    own: list[Stake],
    moved: list[Late],
    cuts: Cutoffs,
    on_bets: Sequence[BetRuling],
    number: int | None,
) -> None:
    """RL-42 step 4: the first that applies is the reason, every one is listed."""
    _owner(laid, session.edition, bet)
    for ruling in on_bets:
        if ruling.reaches(bet.id, laid.owners[bet.id]):
            void(laid, bet, own, ruling.rule, ruling.code, (ruling.fact,), ruling.told, basis=ruling.id)
    if bet.foreign:
        void(laid, bet, own, "RL-04", "foreign_chip", (bet.fact,), "a colour chip of another table")
    if bet.second and not bet.standing and session.edition["roulette.second_colour_effect"] == "void_refund":
        void(laid, bet, own, "RL-03", "second_colour", (bet.fact,), "he holds another colour")
    for stake in own:
        if stake.place is None:
            text = f"{stake.position} is no place to bet on"
            void(laid, bet, [stake], "RL-24", "illegal_position", (stake.fact,), text)
    if not bet.standing:
        cut = cuts.cut
        answer = (cuts.call if bet.call else cut).of(bet.fact)
        code, rule = ("late_call_bet", "RL-13") if bet.call else ("late_bet", "RL-19")
        if answer == "late":
            facts, late = (bet.fact, *cut.facts()), cut.since(bet.fact)
            void(laid, bet, own, rule, code, facts, late, forfeit=_forfeits(session.edition))
        elif answer == "unknown":
            laid.marks.append(missing(rule, code, "bet", facts=(bet.fact, *cut.facts()), subject=bet.id))
    restores = session.edition["roulette.late_move_effect"] == "restore_original"
    loses = number is not None and not any(
        stake.place is None or number in stake.place.numbers for stake, _change in moved if not stake.void
    )
    for stake, change in moved:
        _moved(laid, stake, change, cuts.cut, loses=loses and not stake.void, restores=restores)


def _differs(laid: Laid, session: Session, spin: Spin, bet: Bet, own: list[Stake]) -> None:
    """RL-12: the parts that lie at the cut-off against what the player asked for; what lies governs."""
    placed = bet.fact.event
    assert isinstance(placed, CallBetPlaced)
    call = _call_for(spin, placed)
    asked = call.event if call is not None else placed
    assert isinstance(asked, CallBetAnnounced | CallBetPlaced)
    wanted = announced_parts(session, asked, bet.unit_value)
    lying: dict[str, int] = {}
    for stake in own:
        lying[stake.position] = lying.get(stake.position, 0) + stake.amount
    if wanted and lying != wanted:
        laid.marks.append(
            Mark(
                rule="RL-12", code="call_bet_differs", kind="breach", scope="bet", subject=bet.id, player=bet.player,
                facts=known(call, bet.fact), remedy={"announced": ", ".join(wanted)}, text=_apart(wanted, lying),
            )
        )  # fmt: skip


def _apart(wanted: dict[str, int], lying: dict[str, int]) -> str:
    """What was asked for and does not lie there, what lies there and was not asked for."""
    asked = [f"{place} {amount_text(amount)}" for place, amount in wanted.items() if lying.get(place) != amount]
    laid = [f"{place} {amount_text(amount)}" for place, amount in lying.items() if wanted.get(place) != amount]
    return f"asked for {', '.join(asked) or 'no more'}; laid {', '.join(laid) or 'nothing there'}"


def _call_for(spin: Spin, placed: CallBetPlaced) -> Fact | None:
    """The announcement of a call bet: the one that names it, else the player's last of that kind, else his last."""
    calls = [
        (fact, fact.event)
        for fact in spin.calls
        if isinstance(fact.event, CallBetAnnounced) and fact.event.player == placed.player
    ]
    for wanted in (
        [fact for fact, event in calls if event.bet == placed.bet],
        [fact for fact, event in calls if event.bet is None and event.kind == placed.kind],
        [fact for fact, event in calls if event.bet is None],
    ):
        if wanted:
            return wanted[-1]
    return None


def _moved(laid: Laid, stake: Stake, change: Change, cut: Cutoff, *, loses: bool, restores: bool) -> None:
    """RL-20; `late_move_avoided_loss` where the bet would have lost as it lay, all of it, and nothing else voids it."""
    facts = (change.fact, *cut.facts())
    if restores:
        mark = Mark(
            rule="RL-20", code="late_move", kind="corrected", scope="bet", subject=stake.bet.id, facts=facts,
            player=stake.bet.player, remedy={"position": stake.position}, text=told(change, cut),
        )  # fmt: skip
        laid.marks.append(mark)
        return
    void(laid, stake.bet, [stake], "RL-20", "late_move", facts, told(change, cut))
    if loses:
        mark = Mark(
            rule="RL-20", code="late_move_avoided_loss", kind="advisory", scope="bet", subject=stake.bet.id,
            player=stake.bet.player, facts=facts, remedy={"avoided": stake.amount}, text=f"{stake.position} lost",
        )  # fmt: skip
        laid.marks.append(mark)


def _forfeits(edition: Edition) -> bool:
    return bool(edition["roulette.void_bet_effect"] == "forfeit")


def _reached(laid: Laid, spin: Spin, ruling: BetRuling) -> None:
    """A ruling that meets no bet of this spin is reported all the same."""
    if not any(mark.code == ruling.code and mark.facts[:1] == (ruling.fact,) for mark in laid.marks):
        laid.marks.append(
            Mark(
                rule=ruling.rule, code=ruling.code, kind="void", scope="player", subject=spin.name,
                facts=(ruling.fact,), basis=ruling.id, text="none of the bets named lay on this spin",
            )
        )  # fmt: skip


def _owner(laid: Laid, edition: Edition, bet: Bet) -> None:
    """RL-03: a bet in another player's colour is that player's (RL-A34), unless a claim was decided (RL-A26)."""
    if not in_another_colour(bet):
        return
    decided = edition["roulette.colour_owner"] == "registered_holder" or bet.id in laid.resolved
    if not decided:
        laid.held.add(bet.id)
    laid.marks.append(
        Mark(
            rule="RL-03", code="colour_owner_conflict", kind="corrected" if decided else "ruling_required", scope="bet",
            subject=bet.id, player=bet.holder, facts=(bet.fact,),
            remedy={"player": laid.owners[bet.id] if decided else bet.holder},
            text=f"recorded for {bet.player}, {bet.colour} is the colour of {bet.holder}",
        )
    )  # fmt: skip


def _claims(laid: Laid, spin: Spin) -> None:
    """RL-A26, reported under RL-22: no settlement while players dispute whose the bet is.

    A colour shows its owner, so a claim to a bet in the claimant's own registered colour is no dispute.
    """
    raised = raised_claims(spin.claims)
    for bet in spin.layout:
        if bet.id in raised and bet.id not in laid.resolved and (not bet.colour or bet.holder != bet.player):
            laid.held.add(bet.id)
            laid.marks.append(
                Mark(
                    rule="RL-22", code="claim_disputed", kind="ruling_required", scope="bet", subject=bet.id,
                    player=bet.player, facts=(raised[bet.id], bet.fact),
                    remedy={"held": sum(stake.amount for stake in laid.stakes if stake.bet is bet)},
                )
            )  # fmt: skip


def _limits(laid: Laid, session: Session) -> None:
    """RL-23: per player and position, over all chips there that are not void; the excess is of those placed last."""
    exempts = session.edition["roulette.standing_bet_limits"] == "exempt"
    unposted: dict[str, Stake] = {}
    for own in by_player_and_place(laid):
        tested = [stake for stake in own if not (exempts and stake.bet.standing and stake.landed < 0)]
        if not tested:
            continue
        latest = tested[-1]
        assert latest.place is not None
        limits = (session.limits if latest.bet.standing else latest.bet.limits).of(latest.place.type)
        for code, posted in zip(("under_min", "over_max"), limits, strict=True):
            if posted is None:
                unposted.setdefault(code, latest)
        limit(laid, own, tested, *limits, "RL-23")
    laid.marks += [missing("RL-23", code, facts=(stake.fact,)) for code, stake in unposted.items()]
