"""The checks of rule book BJ, BJ-01 to BJ-48 (blackjack.md section 3).

What decides money is found once, in `payouts`; such a check reports the marks of its rule. The others look at one
record (`on=`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from events.schema.common import SeatTaken, TableOpened
from events.schema.fact import Fact
from games.blackjack.events import ChipsWithheld, LimitSignChecked
from games.blackjack.outcomes import RULE_OF
from games.blackjack.parameters import PARAMETERS, Constants
from games.blackjack.payouts import analysis_of
from games.blackjack.readings import readings
from games.blackjack.table import Session
from games.house_rules.rulebook import Rule, RuleBook
from games.protocol import Round
from games.shared import marks
from games.shared.comparison import Wrong, mispaid, wrongly_settled
from games.verdict import Finding, Line

RULES = RuleBook("BJ", PARAMETERS, Constants)

GENERAL = "BJ-43"
"""What no rule of odds fixes more exactly is settled under this one."""

FIRST_SEVENS = "BJ-37"
"""Three sevens win once at once; only the second payment is another rule's (BJ-46)."""

EXACT = frozenset({
    *RULE_OF.values(), "BJ-01", "BJ-02", "BJ-05", "BJ-06", "BJ-15", "BJ-16", "BJ-17", "BJ-18", "BJ-21", "BJ-35",
    "BJ-39", "BJ-40", "BJ-41", "BJ-42", "BJ-45", "BJ-48",
})  # fmt: skip
"""Rules that fix a stake's money, or void it, and report its wrong payment themselves."""


# Table, people, shoe --------------------------------------------------------------------------------------------------


@RULES.check("BJ-01", on=(TableOpened,))
def a_table_has_seven_boxes_at_most(before: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """One to seven places."""
    event = fact.event
    assert isinstance(event, TableOpened)
    if event.seats is not None and event.seats > before.edition.constants.max_boxes:
        yield rule.finding("too_many_boxes", "breach", "session", facts=(fact,), text=f"{event.seats} boxes")


@RULES.check("BJ-01", on=(LimitSignChecked,))
def limits_are_posted(_before: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """At a corner of the table."""
    assert isinstance(fact.event, LimitSignChecked)
    if not fact.event.posted:
        yield rule.finding("limits_not_posted", "breach", "session", facts=(fact,))


@RULES.check("BJ-03", on=(SeatTaken,), parameters=("blackjack.unsanctioned_breach",))
def seats_are_for_players(_before: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """Somebody who does not play has no seat; where back bettors stand is not asked."""
    event = fact.event
    assert isinstance(event, SeatTaken)
    if not event.is_player:
        yield rule.finding(
            "seat_not_player", "breach", "player", subject=f"seat/{event.seat}", player=event.person, facts=(fact,)
        )


@RULES.check("BJ-16", on=(ChipsWithheld,))
def a_card_counter_keeps_his_chips(_before: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """His value chips stay his, payable at the cash desk."""
    event = fact.event
    assert isinstance(event, ChipsWithheld)
    if event.amount:
        yield rule.finding(
            "chips_withheld", "mispaid", "player", player=event.player, money=event.amount, facts=(fact,),
            remedy={"due": event.amount},
        )  # fmt: skip


# What the settlement noticed ------------------------------------------------------------------------------------------


def noticed(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """What the settlement noticed of this rule, and where another reading of it moves other money."""
    yield from marks.noticed(analysis_of(round_).marks, rule)
    yield from marks.noticed(readings(round_), rule)


def mispays(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """A stake whose money this very rule fixes was settled otherwise."""
    session = round_.session.round
    for wrong in wrong_payments(round_):
        if wrong.rule == rule.id and session is not None:
            closed = session.closed.fact if session.closed is not None else None
            yield mispaid(round_, rule, wrong, via=GENERAL, settles=session.settles, closed=closed)


def wrong_payments(round_: Round[Session]) -> tuple[Wrong, ...]:
    """Every stake settled otherwise than due."""
    own = round_.session.round
    is_closed = own is not None and own.over
    at_once = analysis_of(round_).at_once

    def exact(line: Line, was: Line | None) -> tuple[str, str]:
        """The rule that fixes what is due; `wrong_take` where the house took what it had not won."""
        taken, paid = (was.taken, was.paid) if was is not None else (0, 0)
        rule = line.rule if line.rule in EXACT else GENERAL
        if paid < at_once.get(line.stake, 0):
            rule = FIRST_SEVENS
        return rule, "wrong_take" if taken > line.taken else "wrong_payout"

    return wrongly_settled(round_, exact, GENERAL, is_closed=is_closed)


NOTICES: dict[str, tuple[str, ...]] = {
    "BJ-01": ("blackjack.unlawful_bet_effect",),
    "BJ-02": ("blackjack.unlawful_bet_effect",),
    "BJ-04": ("blackjack.box_owner", "blackjack.acting_owner", "blackjack.foreign_decision"),
    "BJ-05": ("blackjack.fourth_player",),
    "BJ-06": ("blackjack.hindrance", "blackjack.barred_box_bet"),
    "BJ-07": (),
    "BJ-08": ("blackjack.shuffle_steps",),
    "BJ-09": ("blackjack.cutter_fallback", "blackjack.deal_direction"),
    "BJ-10": ("blackjack.min_cut_cards", "blackjack.shuffle_steps"),
    "BJ-11": ("blackjack.cut_off_cards", "blackjack.cut_off_mode", "blackjack.shuffle_steps"),
    "BJ-12": ("blackjack.burn_breach_effect",),
    "BJ-13": ("blackjack.burn_breach_effect", "blackjack.burn_after_last_round"),
    "BJ-14": ("blackjack.cutting_card_round",),
    "BJ-15": (
        "blackjack.shoe_void_reach", "blackjack.shuffle_breach_standard", "blackjack.shuffle_steps",
        "void_paid_wins_policy",
    ),
    "BJ-16": ("blackjack.counting_standard", "blackjack.counting_scope"),
    "BJ-17": ("blackjack.below_min_effect",),
    "BJ-18": (
        "blackjack.reduction_order", "blackjack.below_min_effect", "blackjack.owner_over_max",
        "blackjack.original_bet",
    ),
    "BJ-19": ("blackjack.unsanctioned_breach",),
    "BJ-20": ("blackjack.max_hands_per_box", "blackjack.box_max_scope"),
    "BJ-21": ("blackjack.bets_cutoff", "blackjack.late_bet_effect", "blackjack.late_removal_effect"),
    "BJ-22": ("blackjack.deal_direction", "blackjack.late_misdeal", "blackjack.misdrawn_order"),
    "BJ-23": ("blackjack.unsanctioned_breach",),
    "BJ-24": (),
    "BJ-25": (
        "blackjack.late_misdeal", "blackjack.misdrawn_order", "blackjack.pending_card",
        "blackjack.pending_card_unnoticed", "blackjack.skipped_box",
    ),
    "BJ-26": ("blackjack.late_misdeal", "blackjack.misdrawn_order"),
    "BJ-27": ("blackjack.unsanctioned_breach",),
    "BJ-28": ("blackjack.late_misdeal", "blackjack.misdrawn_order"),
    "BJ-29": ("blackjack.bust_loses_always",),
    "BJ-30": (
        "blackjack.unequal_extra_bet", "blackjack.illegal_extra_bet", "blackjack.original_bet",
        "blackjack.double_on_split_21", "blackjack.double_on_split_aces", "blackjack.back_bettor_may_decline",
    ),
    "BJ-31": (
        "blackjack.split_pair_basis", "blackjack.max_hands_per_box", "blackjack.illegal_extra_bet",
        "blackjack.resplit_aces", "blackjack.split_second_card",
    ),
    "BJ-33": ("blackjack.resplit_aces", "blackjack.double_on_split_aces", "blackjack.late_misdeal"),
    "BJ-34": ("blackjack.surrender_window", "blackjack.surrender_by", "money.rounding"),
    "BJ-35": (
        "blackjack.insurance_window", "blackjack.insurance_min", "blackjack.insurance_excess",
        "blackjack.unlawful_bet_effect",
    ),
    "BJ-36": ("blackjack.even_money_by", "payout.ratio_basis"),
    "BJ-37": (
        "blackjack.triple7_on_split", "blackjack.triple7_on_double", "blackjack.unsanctioned_breach",
        "payout.ratio_basis",
    ),
    "BJ-38": ("blackjack.bj_vs_ace", "blackjack.blackjack_beats_21"),
    "BJ-39": ("blackjack.unlawful_bet_effect",),
    "BJ-40": ("blackjack.back_bettor_may_decline", "blackjack.decliner_hand"),
    "BJ-41": ("blackjack.back_bettor_may_decline",),
    "BJ-42": (
        "blackjack.dealer_soft_17", "blackjack.underdraw_effect", "blackjack.dealer_draws_without_bets",
    ),
    "BJ-43": ("blackjack.push_effect", "payout.ratio_basis"),
    "BJ-44": ("payout.ratio_basis", "money.rounding", "money.smallest_chip", "blackjack.bj_after_split"),
    "BJ-45": ("blackjack.insurance_after_bust", "payout.ratio_basis"),
    "BJ-46": (
        "blackjack.triple7_tie", "blackjack.triple7_vs_bj", "blackjack.triple7_on_split",
        "blackjack.triple7_on_double",
    ),
    "BJ-47": ("blackjack.dealer_bj_takes", "blackjack.blackjack_beats_21"),
    "BJ-48": ("analogy_collusion_clause", "void_paid_wins_policy"),
}  # fmt: skip
"""Rule → the parameters that its findings rest on."""


def _register(rule_id: str, parameters: tuple[str, ...], code: Callable[..., Iterable[Finding]]) -> None:
    RULES.check(rule_id, parameters=parameters)(code)


for _rule_id, _parameters in NOTICES.items():
    _register(_rule_id, _parameters, noticed)

for _rule_id in sorted(EXACT):
    _register(_rule_id, NOTICES[_rule_id], mispays)

RULES.cannot_be_broken(
    "BJ-15", "a right of management; a ruling that is not good in form has no effect, and its check says why"
)
RULES.cannot_be_broken(
    "BJ-32", "the order in which split hands are played; a card out of this order is misassigned (BJ-25)"
)
RULES.cannot_be_broken("BJ-48", "the order in which the other rules are applied")
