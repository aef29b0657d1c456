"""The checks of rule book RL, RL-01 to RL-42 (roulette.md section 3).

What decides money is found once, in `payouts`; such a check reports the marks of its rule. The others look at one
record (`on=`), or at what a whole spin lacks.
"""

from __future__ import annotations

from collections.abc import Iterator

from events.schema.common import BuyIn, ColourChipsIssued, ColourChipsRedeemed, SeatTaken
from events.schema.fact import Fact
from games.house_rules.rulebook import Rule, RuleBook
from games.protocol import Round
from games.roulette.bets import owners_of
from games.roulette.events import BetPlaced, CallBetPlaced, ChipsSwapped, RedemptionRefused, StaffAdvice
from games.roulette.parameters import PARAMETERS, Constants
from games.roulette.payouts import CALL_RULE, ODDS_RULE, analysis_of
from games.roulette.rulings import rulings_on
from games.roulette.table import Session
from games.shared import comparison, marks
from games.shared.comparison import Wrong
from games.shared.marks import known
from games.verdict import Finding, Line

RULES = RuleBook("RL", PARAMETERS, Constants)


def noticed(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """What the settlement noticed of this rule."""
    return marks.noticed(analysis_of(round_).marks, rule)


# Chips and seats ------------------------------------------------------------------------------------------------------


@RULES.check("RL-01")
def the_wheel_has_the_houses_order(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """Any rotation of the ring is the same wheel, a reversed ring is not; every spin on another needs a ruling."""
    yield from noticed(round_, rule)


@RULES.check("RL-02", on=(ColourChipsIssued,))
def colour_chips_cost_their_value(_before: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """What the player gave for colour chips is what they are worth; a shortfall is owed by him."""
    event = fact.event
    assert isinstance(event, ColourChipsIssued)
    if event.tender_in is None:
        yield rule.unverified("exchange_mismatch", "player", player=event.player, facts=(fact,))
        return
    apart = event.tender_in - event.unit_value * event.count
    if apart:
        yield _exchange(rule, fact, event.player, apart)


@RULES.check("RL-02", on=(ColourChipsIssued, BuyIn), parameters=("roulette.cash_at_table",))
def no_cash_at_the_table(_before: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """Chips are bought at the desk; the table takes value chips only (RL-A23)."""
    event = fact.event
    assert isinstance(event, ColourChipsIssued | BuyIn)
    if event.tender == "cash" and not rule["roulette.cash_at_table"]:
        yield rule.finding("cash_at_table", "breach", "player", player=event.player, facts=(fact,))


@RULES.check(
    "RL-03", on=(ColourChipsIssued,), parameters=("roulette.second_colour_effect", "roulette.colour_limit_scope")
)
def one_colour_is_issued_to_one_player(before: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """No second colour while chips of the first are out, and no colour that another player has chips of."""
    event = fact.event
    assert isinstance(event, ColourChipsIssued)
    here = event.table in (None, before.table)
    if rule["roulette.colour_limit_scope"] == "house":
        elsewhere = [own for own in before.elsewhere if own.player == event.player and own.count]
        own_here = [own for own in before.holdings if own.player == event.player and own.count]
        if elsewhere if here else own_here:
            yield rule.finding(
                "second_colour", "breach", "player", player=event.player, facts=(fact,), subject=event.colour,
                text=f"he has chips of {'another table' if here else 'this table'}",
            )  # fmt: skip
            return
    for holding in before.holdings if here else ():
        if holding.count and holding.player == event.player and holding.colour != event.colour:
            yield rule.finding(
                "second_colour", "breach", "player", player=event.player, facts=(fact,), subject=event.colour
            )
        elif holding.count and holding.colour == event.colour and holding.player not in {event.player, *before.left}:
            yield rule.finding(
                "colour_shared", "breach", "player", player=event.player, facts=(fact,), subject=event.colour,
                text=f"{holding.player} has chips of it",
            )  # fmt: skip


@RULES.check("RL-03", on=(BetPlaced, CallBetPlaced))
def a_colour_bet_says_its_colour(before: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """Without the colour nobody can tell whose chips they are."""
    event = fact.event
    assert isinstance(event, BetPlaced | CallBetPlaced)
    if event.chip_kind == "colour" and event.colour is None and event.chip_table in (None, before.table):
        for code in ("second_colour", "colour_owner_conflict"):
            yield rule.unverified(code, "bet", subject=event.bet, player=event.player, facts=(fact,))


@RULES.check("RL-03", parameters=("roulette.second_colour_effect", "roulette.colour_limit_scope"))
def one_colour_is_played(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """A bet in a second colour: a breach, or void where the house says so (RL-A12)."""
    spin = round_.session.spin
    if spin is None or rule["roulette.second_colour_effect"] != "breach_only":
        return
    for bet in spin.bets:
        if bet.second:
            yield rule.finding("second_colour", "breach", "bet", subject=bet.id, player=bet.player, facts=(bet.fact,))


@RULES.check("RL-03", parameters=("roulette.colour_owner", "roulette.second_colour_effect"))
def the_colour_shows_the_owner(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """A bet in another player's colour is that player's (RL-A34)."""
    yield from noticed(round_, rule)


@RULES.check("RL-04", parameters=("roulette.foreign_chip_effect",))
def colour_chips_play_at_their_own_table(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """A colour chip of another table is no stake: void and returned (RL-A13)."""
    yield from noticed(round_, rule)


@RULES.check("RL-05", on=(ColourChipsIssued,), parameters=("roulette.colour_value_check",))
def a_colour_chip_lies_within_the_limits(before: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """The value of one chip is neither below the table's minimum nor above its maximum."""
    event = fact.event
    assert isinstance(event, ColourChipsIssued)
    low, high = before.limits.low, before.limits.high
    if low is None or high is None:
        yield rule.unverified("colour_value_out_of_range", "player", player=event.player, facts=(fact,))
    elif not low <= event.unit_value <= high:
        yield rule.finding(
            "colour_value_out_of_range", "breach", "player", player=event.player, facts=(fact,),
            remedy={"min": low, "max": high},
        )  # fmt: skip


@RULES.check("RL-06", on=(ChipsSwapped,))
def a_swap_keeps_the_value(_before: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """Colour chips given for value chips are worth as much."""
    event = fact.event
    assert isinstance(event, ChipsSwapped)
    if event.value_chips_in is None:
        yield rule.unverified("exchange_mismatch", "player", player=event.player, facts=(fact,))
        return
    apart = event.value_chips_in - event.unit_value * event.count
    if apart:
        yield _exchange(rule, fact, event.player, apart)


@RULES.check("RL-07", on=(ColourChipsRedeemed,))
def colour_chips_are_changed_back_at_their_value(before: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """The croupier changes them at full value; a cash desk does not take them at all."""
    event = fact.event
    assert isinstance(event, ColourChipsRedeemed)
    if event.at_desk:
        yield rule.finding("colour_chip_cashed", "breach", "player", player=event.player, facts=(fact,))
    if event.value_chips_out is None:
        yield rule.unverified("exchange_mismatch", "player", player=event.player, facts=(fact,))
    elif _left_behind(before, event) is None:
        apart = event.unit_value * event.count - event.value_chips_out
        if apart:
            yield _exchange(rule, fact, event.player, apart)


@RULES.check("RL-07", on=(RedemptionRefused,), parameters=("roulette.refused_exchange_value",))
def an_exchange_is_not_refused(before: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """Who is still at the table gets the full value of his chips, even if he then leaves (RL-A10)."""
    event = fact.event
    assert isinstance(event, RedemptionRefused)
    if event.player not in before.left:
        worth = sum(own.count * own.unit_value for own in before.holdings if own.player == event.player)
        yield rule.finding(
            "redemption_refused", "breach", "player", player=event.player, money=worth, facts=(fact,),
            remedy={"due": worth},
        )  # fmt: skip


@RULES.check(
    "RL-08",
    on=(ColourChipsRedeemed,),
    parameters=("roulette.left_chip_value", "roulette.left_staked_chips", "roulette.refused_exchange_value"),
)
def chips_left_behind_are_worth_the_minimum(before: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """Who ended play and left without exchanging gets the table's minimum for each chip, never more than its value."""
    event = fact.event
    assert isinstance(event, ColourChipsRedeemed)
    worth, out = _left_behind(before, event), event.value_chips_out
    if worth is not None and out is not None and worth * event.count != out:
        yield _exchange(rule, fact, event.player, worth * event.count - out, via="RL-07")


def _left_behind(before: Session, event: ColourChipsRedeemed) -> int | None:
    """What a chip is worth to somebody who left it behind; None if its value has not fallen."""
    own = before.holding(event.player, event.colour)
    return own.worth if own is not None and own.worth < own.unit_value else None


def _exchange(rule: Rule, fact: Fact, player: str, apart: int, *, via: str = "") -> Finding:
    return rule.finding("exchange_mismatch", "mispaid", "player", player=player, money=apart, facts=(fact,), via=via)


@RULES.check("RL-09", on=(SeatTaken,), parameters=("roulette.seat_effect",))
def seats_are_for_players(_before: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """Somebody who does not play has no seat."""
    event = fact.event
    assert isinstance(event, SeatTaken)
    if not event.is_player:
        yield rule.finding(
            "seat_not_player", "breach", "player", subject=f"seat/{event.seat}", player=event.person, facts=(fact,)
        )


# Placing bets ---------------------------------------------------------------------------------------------------------


@RULES.check("RL-10", parameters=("roulette.early_bet_effect",))
def bets_are_invited(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """The opening call is made before the spin; bets before it are good all the same (RL-A35)."""
    spin = round_.session.spin
    if spin is None or spin.opening is not None or not (spin.started or spin.closing or spin.drop or spin.closed):
        return
    facts = known(spin.started, spin.closing, spin.drop)[:1]
    if round_.touched:
        yield rule.unverified("opening_call_missing", facts=facts, subject=spin.name)
    else:
        yield rule.finding("opening_call_missing", "breach", "round", subject=spin.name, facts=facts)


RULES.cannot_be_broken(
    "RL-11", "says who answers for a position; a bet is judged where it lay at the cut-off, which no event can breach"
)


@RULES.check("RL-12")
def a_call_bet_is_laid_as_announced(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """Laid differently and not put right in time: what lies governs. A refused call is no bet and no breach."""
    yield from noticed(round_, rule)


@RULES.check("RL-13", parameters=("roulette.call_bet_cutoff", "roulette.void_bet_effect", "roulette.late_test"))
def a_call_bet_lies_in_time(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """The time of placing counts, not that of announcing."""
    yield from noticed(round_, rule)


# The spin -------------------------------------------------------------------------------------------------------------


@RULES.check("RL-14")
def the_ball_runs_against_the_wheel(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """Ball and wheel in one direction: the spin is void."""
    yield from noticed(round_, rule)


@RULES.check("RL-15", parameters=("roulette.alternation_reference", "roulette.alternation_resets_on_open"))
def the_wheel_alternates(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """The wheel turns against its previous rotation, else the spin is void."""
    yield from noticed(round_, rule)


@RULES.check("RL-16", parameters=("roulette.short_spin_policy", "roulette.refund_mode"))
def a_misspin_has_a_ground(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """A declaration that the facts contradict, or that names no ground of RL-14, RL-15 or RL-17, needs a ruling."""
    yield from noticed(round_, rule)


@RULES.check(
    "RL-17",
    parameters=("roulette.short_spin_policy", "roulette.min_ball_revolutions", "roulette.revolution_rounding"),
)
def the_ball_runs_ten_laps(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """Whole laps, rounded down; too few void the spin, or let it be declared void (RL-A01)."""
    yield from noticed(round_, rule)


@RULES.check("RL-18", parameters=("roulette.nmb_min_lead_ms", "roulette.cutoff_without_call"))
def betting_is_closed_before_the_drop(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """The closing call is made, before the ball falls; how early is measured, and tested if the house sets a lead."""
    spin = round_.session.spin
    if spin is None or (spin.drop is None and spin.announced is None):
        return
    facts = known(spin.closing, spin.drop)
    if spin.closing is None:
        if round_.touched:
            yield rule.unverified("nmb_missing", facts=facts, subject=spin.name)
        else:
            yield rule.finding("nmb_missing", "breach", "round", subject=spin.name, facts=facts)
        return
    relation = round_.clocks.compare(spin.closing, spin.drop) if spin.drop is not None else "unknown"
    if spin.drop is None or relation == "unknown":
        yield rule.unverified("nmb_late", facts=facts, subject=spin.name)
        return
    lead = spin.drop.occurred_at - spin.closing.occurred_at
    wanted = rule["roulette.nmb_min_lead_ms"]
    if relation != "before":
        yield rule.finding("nmb_late", "breach", "round", subject=spin.name, facts=facts, remedy={"lead_ms": lead})
    elif wanted is not None and lead < wanted:
        if spin.drop.source == spin.closing.source:
            yield rule.finding(
                "nmb_late", "breach", "round", subject=spin.name, facts=facts, remedy={"lead_ms": lead, "min": wanted}
            )
        else:
            yield rule.unverified("nmb_late", facts=facts, subject=spin.name)


@RULES.check("RL-19", parameters=("roulette.void_bet_effect", "roulette.late_test", "roulette.drop_test"))
def bets_come_in_time(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """A bet after the cut-off is void; the player's bets in time stand."""
    yield from noticed(round_, rule)


@RULES.check("RL-20", parameters=("roulette.late_move_effect",))
def bets_lie_still_after_the_call(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """A bet shifted or taken up late is void, and it is shown if that saved it from losing (RL-A06)."""
    yield from noticed(round_, rule)


@RULES.check("RL-21", parameters=("roulette.result_without_pocket", "roulette.ball_incident_effect"))
def the_pocket_governs(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """Bets are settled on the pocket, whatever was announced; no pocket, by an incident: a person rules (RL-A24)."""
    yield from noticed(round_, rule)


# Settlement -----------------------------------------------------------------------------------------------------------


EXACT = frozenset({*ODDS_RULE.values(), *CALL_RULE.values(), "RL-32", "RL-33"})
"""Rules whose own checks report the wrong settlements of their bets, by way of RL-22."""


def wrongly_settled(round_: Round[Session]) -> tuple[Wrong, ...]:
    """Every bet of the spin that was settled otherwise than due (RL-42 step 7)."""
    spin = round_.session.spin
    if spin is None:
        return ()
    return comparison.wrongly_settled(round_, _exact, "RL-22", is_closed=spin.closed is not None)


def _exact(line: Line, was: Line | None) -> tuple[str, str]:
    """Rule and code: a stake taken that was not due to the house is `wrong_take`, any other difference the other.

    A winning stake taken off although it was paid breaks RL-33; a bet that is void goes by the rule that voids it; zero
    has a rule of its own; the amount of a win goes by the odds.
    """
    taken, paid = (was.taken, was.paid) if was is not None else (0, 0)
    if taken > line.taken:
        if line.rule not in EXACT:
            return line.rule, "wrong_take"
        return ("RL-33" if line.paid and line.paid == paid else "RL-22"), "wrong_take"
    if paid != line.paid:
        return line.rule, "wrong_payout"
    return (line.rule if line.rule == "RL-32" else "RL-22"), "wrong_payout"


@RULES.check("RL-22", parameters=("void_paid_wins_policy", "payout.ratio_basis", "money.rounding"))
def bets_are_settled_as_due(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """Losing bets are taken, winning bets paid; what no rule of odds fixes more exactly is reported here."""
    for wrong in wrongly_settled(round_):
        if wrong.rule not in EXACT:
            yield _mispaid(round_, rule, wrong)


@RULES.check("RL-22", parameters=("value_chip_dispute", "money.smallest_chip"))
def a_disputed_bet_waits(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """Stake and win are held while players dispute whose the bet is (RL-A26); amounts no chip expresses (RL-A32)."""
    yield from noticed(round_, rule)


def pays_as_the_rules_fix(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """A bet whose odds, or whose fate, this very rule fixes was settled otherwise."""
    for wrong in wrongly_settled(round_):
        if wrong.rule == rule.id:
            yield _mispaid(round_, rule, wrong)


for _rule_id, _parameters in {
    **dict.fromkeys(sorted(set(ODDS_RULE.values())), ("payout.ratio_basis", "money.rounding")),
    "RL-25": ("payout.ratio_basis", "roulette.even_chance_settlement"),
    "RL-32": ("roulette.zero_rule",),
    "RL-33": ("roulette.carry_basis",),
    "RL-34": ("roulette.neighbours_reach", "roulette.call_bet_remainder"),
    **dict.fromkeys(("RL-35", "RL-36", "RL-37", "RL-38"), ("roulette.call_bet_remainder",)),
}.items():
    RULES.check(_rule_id, parameters=(*_parameters, "void_paid_wins_policy"))(pays_as_the_rules_fix)


def _mispaid(round_: Round[Session], rule: Rule, wrong: Wrong) -> Finding:
    spin = round_.session.spin
    assert spin is not None
    return comparison.mispaid(round_, rule, wrong, via="RL-22", settles=spin.settles, closed=spin.closed)


@RULES.check(
    "RL-23",
    parameters=("limits.basis", "limits.under_min_effect", "limits.over_max_effect", "roulette.standing_bet_limits"),
)
def bets_keep_the_limits(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """Per player and position: below the minimum void, above the maximum cut, the chips placed last first."""
    yield from noticed(round_, rule)


@RULES.check("RL-24", parameters=("roulette.legal_positions", "roulette.illegal_position_effect"))
def bets_lie_on_the_layout(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """A place that the layout does not have is no bet: void and returned (RL-A16)."""
    yield from noticed(round_, rule)


@RULES.check("RL-39", parameters=("roulette.call_bet_winner_stands",))
def a_call_bets_chips_go_where_it_hit(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """As many chips on each winning position as the parts that hit had there; those really put there stand."""
    yield from noticed(round_, rule)


# Voiding by management ------------------------------------------------------------------------------------------------

RULES.cannot_be_broken(
    "RL-40", "a right of management; a ruling that is not good in form has no effect, and its check says why"
)


@RULES.check("RL-40", parameters=("roulette.session_scope",))
def management_may_void(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """A ruling good in form voids its spins; one that is not has no effect and says why."""
    yield from noticed(round_, rule)


@RULES.check("RL-41", parameters=("roulette.staff_advice_void", "roulette.staff_advice_scope"))
def advice_found_by_management_voids(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """The finding is management's; without one, suspected advice is only noted."""
    yield from noticed(round_, rule)
    spin = round_.session.spin
    if spin is None or not spin.advice:
        return
    ruled, owners = rulings_on(round_.session, spin).advised, owners_of(round_.session, spin)
    for fact in spin.advice:
        assert isinstance(fact.event, StaffAdvice)
        player = fact.event.player
        bets = [bet for bet, owner in owners.items() if owner == player]
        if any(ruling.reaches("", player) or ruling.bets.intersection(bets) for ruling in ruled):
            continue
        yield rule.finding("staff_advice_noted", "breach", "player", player=player, facts=(fact,))


RULES.cannot_be_broken("RL-42", "the order in which the other rules are applied")
