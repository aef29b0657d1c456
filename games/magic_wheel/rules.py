"""The checks of rule book MW, MW-01 to MW-17 (magic-wheel.md section 3).

What decides money is found once, in `payouts`; such a check reports the marks of its rule. The others look at what a
whole game lacks.
"""

from __future__ import annotations

from collections.abc import Iterator

from events.schema.common import ChipsMoved
from events.schema.fact import Fact
from games.house_rules.rulebook import Rule, RuleBook
from games.magic_wheel.parameters import PARAMETERS, Constants
from games.magic_wheel.payouts import analysis_of
from games.magic_wheel.stakes import spun_before_call
from games.magic_wheel.table import Session, Spin
from games.protocol import Round
from games.shared import comparison, marks
from games.shared.comparison import Wrong
from games.shared.marks import known
from games.verdict import Finding, Line

RULES = RuleBook("MW", PARAMETERS, Constants)


def noticed(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """What the settlement noticed of this rule."""
    return marks.noticed(analysis_of(round_).marks, rule)


# Wheel, layout, chips -------------------------------------------------------------------------------------------------


@RULES.check("MW-01", parameters=("wheel.field_order",))
def the_wheel_shows_each_symbol_so_many_times(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """A listed wheel has 30 fields in the counts of the edition; every game on another needs a ruling."""
    yield from noticed(round_, rule)


@RULES.check("MW-02", parameters=("wheel.table_min", "wheel.table_max", "wheel.left_bet_limits"))
def bets_lie_in_the_boxes(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """Six boxes, none of X, each with its ratio; and the limits that a table posts or the house sets (MW-A08)."""
    yield from noticed(round_, rule)


RULES.cannot_be_broken("MW-03", "how many can play is said by the room around the table, not by a number")


@RULES.check("MW-04")
def only_value_chips_are_staked(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """Other chips are no stake: void and returned."""
    yield from noticed(round_, rule)


RULES.needs_a_person(
    "MW-05", "whether a player kept his own bets in view only a camera shows; the registered owner is presumed right"
)


@RULES.check("MW-06", parameters=("value_chip_dispute",))
def a_disputed_win_waits(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """Stake and win are held while players dispute whose the bet is (MW-A10)."""
    yield from noticed(round_, rule)


# The calls ------------------------------------------------------------------------------------------------------------


@RULES.check("MW-07", parameters=("wheel.early_bet_effect",))
def bets_are_invited(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """The opening call is made; bets before it are good all the same (MW-A19)."""
    spin = round_.session.spin
    if (
        spin is None
        or spin.opening
        or spin.invited
        or not (spin.spins or spin.closing or spin.has_stopped or spin.closed)
    ):
        return
    yield from _absent(round_, rule, spin, "opening_call_missing", known(spin.closing, spin.started, *spin.stops)[:1])


@RULES.check("MW-08", parameters=("wheel.cutoff_without_call", "wheel.late_call_cutoff"))
def betting_is_closed_before_the_spin(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """The closing call is made, and the wheel is set going after it."""
    spin = round_.session.spin
    if spin is None or not (spin.spins or spin.has_stopped):
        return
    if spin.closing is None:
        yield from _absent(round_, rule, spin, "closing_call_missing", known(spin.started, *spin.stops)[:1])
        if spin.started is None and spin.layout:
            yield rule.unverified("late_bet", facts=known(*spin.stops), subject=spin.name)
        return
    facts = known(spin.started, spin.closing)
    relation = spun_before_call(round_.session, spin)
    if relation == "before":
        yield rule.finding("spun_before_call", "breach", "round", subject=spin.name, facts=facts)
    elif relation == "unknown":
        yield rule.unverified("spun_before_call", facts=facts, subject=spin.name)


def _absent(round_: Round[Session], rule: Rule, spin: Spin, code: str, facts: tuple[Fact, ...]) -> Iterator[Finding]:
    """Something was not said; in a game with a hole it may have been."""
    if round_.touched:
        yield rule.unverified(code, facts=facts, subject=spin.name)
    else:
        yield rule.finding(code, "breach", "round", subject=spin.name, facts=facts)


@RULES.check(
    "MW-08", parameters=("wheel.late_bet_effect", "wheel.late_test", "wheel.late_move_effect", "wheel.late_call_cutoff")
)
def bets_come_in_time_and_lie_still(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """A bet after the cut-off is void; one moved or taken up after it is judged where it lay (MW-A07)."""
    yield from noticed(round_, rule)


# The spin -------------------------------------------------------------------------------------------------------------

RULES.cannot_be_broken(
    "MW-09", "the direction is free, and a game of fewer turns than asked for is cancelled by MW-10, which reports it"
)


@RULES.check("MW-09", parameters=("wheel.min_rotations", "wheel.rotation_rounding"))
def the_turns_are_counted(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """Without a count nobody can tell whether the wheel made its five turns; the game counts as if it had."""
    yield from noticed(round_, rule)


@RULES.check(
    "MW-10",
    parameters=(
        "wheel.min_rotations", "wheel.rotation_rounding", "wheel.cancellation", "wheel.no_choice", "wheel.choice_unit",
    ),
)  # fmt: skip
def the_wheel_makes_five_turns(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """Fewer cancel the game: each valid bet goes back or is left for the next, as its player chooses."""
    yield from noticed(round_, rule)


@RULES.check("MW-11", parameters=("wheel.result_without_field", "wheel.incident_effect"))
def the_stopped_field_governs(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """Bets are settled on the symbol that the wheel shows, whatever was announced; after an incident a person rules."""
    yield from noticed(round_, rule)


@RULES.check("MW-12", parameters=("wheel.pin_rule", "wheel.pin_x"))
def on_a_pin_the_field_before_wins(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """The field that passed under the pointer last, by the direction of the spin (MW-A03)."""
    yield from noticed(round_, rule)


# Settlement -----------------------------------------------------------------------------------------------------------

EXACT = frozenset({"MW-14", "MW-15"})
"""Rules whose own checks report the wrong settlements of their bets, by way of MW-13."""


def wrongly_settled(round_: Round[Session]) -> tuple[Wrong, ...]:
    """Every bet of the game that was settled otherwise than due (MW-17 step 7)."""
    spin = round_.session.spin
    if spin is None:
        return ()
    return comparison.wrongly_settled(round_, _exact, "MW-13", is_closed=spin.closed is not None)


def _exact(line: Line, was: Line | None) -> tuple[str, str]:
    """Rule and code: a stake taken that was not due to the house is `wrong_take`, any other difference the other."""
    if was is not None and was.taken > line.taken:
        return ("MW-13" if line.rule == "MW-14" else line.rule), "wrong_take"
    return line.rule, "wrong_payout"


@RULES.check("MW-13", parameters=("void_paid_wins_policy", "wheel.winning_stake"))
def bets_are_settled_as_due(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """Losing bets are taken, a winning stake is not, what is void goes back; the amount of a win is MW-14's."""
    for wrong in wrongly_settled(round_):
        if wrong.rule not in EXACT:
            yield _mispaid(round_, rule, wrong)


@RULES.check("MW-13", parameters=("money.smallest_chip", "wheel.winning_stake"))
def a_win_can_be_paid_in_chips(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """Amounts below the smallest chip are reported (MW-A16); and what a winning stake that lies on changes (MW-A06)."""
    yield from noticed(round_, rule)


@RULES.check("MW-13", parameters=("wheel.settlement_order",))
def losing_bets_are_taken_first(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """Only where the house tests it (MW-A20)."""
    spin = round_.session.spin
    if spin is None or rule["wheel.settlement_order"] != "take_first":
        return
    paid = None
    for fact in spin.settles:
        event = fact.event
        assert isinstance(event, ChipsMoved)
        if event.cause == "win":
            paid = paid or fact
        elif event.cause == "take" and paid is not None:
            yield rule.finding("settlement_order", "breach", "round", subject=spin.name, facts=(paid, fact))
            return


@RULES.check("MW-14", parameters=("payout.ratio_basis", "money.rounding", "void_paid_wins_policy"))
@RULES.check("MW-15", parameters=("void_paid_wins_policy",))
def pays_as_the_rules_fix(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """A bet whose odds, or whose fate, this very rule fixes was settled otherwise."""
    for wrong in wrongly_settled(round_):
        if wrong.rule == rule.id:
            yield _mispaid(round_, rule, wrong)


def _mispaid(round_: Round[Session], rule: Rule, wrong: Wrong) -> Finding:
    spin = round_.session.spin
    assert spin is not None
    return comparison.mispaid(round_, rule, wrong, via="MW-13", settles=spin.settles, closed=spin.closed)


@RULES.check("MW-16")
def a_game_waits_for_the_settlement_of_the_last(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """Bets are invited when everything of the game before has been paid, taken and given back."""
    spin = round_.session.spin
    if spin is None:
        return
    for invited, settled in ((spin.opening, spin.settled_before), (spin.reopened, spin.settles[-1:])):
        if invited is None or not settled:
            continue
        relation = round_.clocks.compare(invited, settled[0])
        if relation == "before":
            yield rule.finding("game_overlap", "breach", "round", subject=spin.name, facts=(invited, *settled))
        elif relation == "unknown":
            yield rule.unverified("game_overlap", facts=(invited, *settled), subject=spin.name)


RULES.cannot_be_broken("MW-17", "the order in which the other rules are applied")


@RULES.check("MW-17", parameters=("analogy_collusion_clause",))
def management_may_void_by_analogy(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """A ruling good in form voids its games, or the bets of who was advised; one that is not says why (MW-A11)."""
    yield from noticed(round_, rule)
