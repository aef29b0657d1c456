"""The checks of rule book CH, CH-01 to CH-34 (casino-holdem.md section 3).

What decides money, and what was irregular, is found once, in `payouts` and `showing`; a check reports the marks of its
rule. Wrong payments are told under the rule that fixes the odds, by way of CH-33.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from events.schema.common import DeckInspected
from events.schema.fact import Fact
from games.casino_holdem.parameters import PARAMETERS, Constants
from games.casino_holdem.payouts import analysis_of
from games.casino_holdem.showing import ending
from games.casino_holdem.table import Session
from games.house_rules.rulebook import Rule, RuleBook
from games.protocol import Round
from games.shared.comparison import mispaid, wrongly_settled
from games.shared.marks import noticed
from games.verdict import Finding, Line

RULES = RuleBook("CH", PARAMETERS, Constants)

ODDS = frozenset({"CH-22", "CH-25", "CH-26", "CH-27", "CH-28", "CH-29", "CH-30"})
"""Rules whose own checks report wrong payments; those of bets that are void, or of no rule, are CH-33's."""


def reports(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """What the settlement, and the end of the round, noticed of the rule."""
    yield from noticed(analysis_of(round_).marks, rule)
    yield from noticed(ending(round_), rule)


def pays(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """Bets that were settled otherwise than the rule fixes; CH-33 tells those that no rule of odds does."""
    coup = round_.session.coup
    if coup is None:
        return
    closed = coup.closed.fact if coup.closed is not None else None
    unit = rule.edition["payout_unit"]
    for wrong in wrongly_settled(round_, _exact(unit), "CH-33", is_closed=closed is not None):
        if wrong.rule == rule.id or (rule.id == "CH-33" and wrong.rule not in ODDS):
            yield mispaid(round_, rule, wrong, via="CH-33", settles=coup.settles, closed=closed)


def _exact(unit: int) -> Callable[[Line, Line | None], tuple[str, str]]:
    """Rule and code of a difference: less than a unit of payment on the Blind is the rounding (CH-33, CH-A13)."""

    def exact(line: Line, was: Line | None) -> tuple[str, str]:
        taken, paid = (was.taken, was.paid) if was is not None else (0, 0)
        if taken > line.taken:
            return line.rule or "CH-33", "wrong_take"
        if line.rule == "CH-28" and paid and taken == line.taken and 0 < abs(line.paid - paid) < unit:
            return "CH-33", "wrong_rounding"
        return line.rule or "CH-33", "wrong_payout"

    return exact


def _irregular(*keys: str) -> tuple[str, ...]:
    return ("deal_irregularity_confirmed", *(f"deal_irregularity.{key}" for key in keys))


_PLAY = ("play_multiples", "play_amount_correction", "window_close")

for _rule, _parameters in {
    "CH-01": ("max_boxes", *_irregular("fouled_deck")),
    "CH-02": (),
    "CH-03": ("limits", "limit_basis", "over_max", "under_min_dealt"),
    "CH-04": ("non_value_chips",),
    "CH-05": (),
    "CH-06": ("late_bet_change",),
    "CH-07": ("seen_box_unannounced",),
    "CH-08": (),
    "CH-09": ("blind_box_play", "blind_box_without_play"),
    "CH-10": ("max_boxes",),
    "CH-11": ("shuffle_each_round", "cut_required", "shuffle_breach_remedy"),
    "CH-12": ("reshuffle_mid_round",),
    "CH-13": ("ante_blind_mismatch", "trips_requires_main_bet", "players_per_box"),
    "CH-14": ("late_bet_change",),
    "CH-15": (
        "dealer_first_card_face_up",
        *_irregular(
            "player_card_exposed", "box_wrong_count", "dealer_wrong_count", "card_to_empty_box", "boxed_card"
        ),
    ),
    "CH-16": ("collusion_remedy",),
    "CH-17": _PLAY,
    "CH-18": _irregular("burn_omitted", "burn_doubled", "board_wrong_count", "board_exposed_early", "boxed_card"),
    "CH-19": _PLAY,
    "CH-20": _irregular("burn_omitted", "burn_doubled", "board_wrong_count", "board_exposed_early", "boxed_card"),
    "CH-21": (*_PLAY, "no_decision_window3", "early_fold", "fold_after_play"),
    "CH-22": ("fold_settlement", "no_decision_window3"),
    "CH-23": ("late_bet_change",),
    "CH-24": _irregular("dealer_hole_exposed"),
    "CH-27": ("tie",),
    "CH-29": ("ante_when_dealer_not_qualified",),
    "CH-31": ("wheel_straight",),
    "CH-33": ("payout_unit",),
    "CH-34": ("settlement_order",),
}.items():  # fmt: skip
    RULES.check(_rule, parameters=_parameters)(reports)

for _rule, _parameters in {
    "CH-22": ("fold_settlement", "ratio_semantics"),
    "CH-25": ("ratio_semantics", "tie_breakers"),
    "CH-26": ("ratio_semantics", "tie_breakers"),
    "CH-27": ("tie", "tie_breakers"),
    "CH-28": ("ratio_semantics", "payout_rounding", "payout_unit"),
    "CH-29": ("ante_when_dealer_not_qualified",),
    "CH-30": ("ratio_semantics", "wheel_straight"),
    "CH-33": ("payout_rounding", "payout_unit", "complaint_window_minutes", "complaint_body"),
}.items():
    RULES.check(_rule, parameters=_parameters)(pays)


@RULES.check("CH-01", on=(DeckInspected,), parameters=_irregular("fouled_deck"))
def earlier_rounds_with_a_bad_deck(before: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """A deck that is not 52 distinct cards voids its own round; on the rounds before a person rules."""
    event = fact.event
    assert isinstance(event, DeckInspected)
    coup = before.coup
    earlier = before.rounds - (coup is not None and coup.name == fact.round)
    if not event.complete and before.deck in ("", event.deck) and earlier > 0:
        yield rule.finding(
            "fouled_deck_before", "ruling_required", "session", subject=event.deck, facts=(fact,),
            text="rounds were dealt from this deck",
        )  # fmt: skip


RULES.cannot_be_broken(
    "CH-32",
    "says which of two hands is the better one; a bet paid by another order breaks the rule that fixes its odds",
)
