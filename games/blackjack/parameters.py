"""What the source leaves open: every decision of blackjack.md section 4 as a parameter, with its default there.

A parameter with one choice states a decision for which the catalogue names no alternative: an edition can say it, and
nothing else. What is null in the catalogue is null here.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from games.house_rules.parameters import Parameter, Parameters

Part = Annotated[int, Meta(ge=1)]
Ratio = tuple[Part, Part]
"""`[3, 2]`: three on two staked, on top of the stake."""

PAYS = ("win", "blackjack", "even_money", "insurance", "three_sevens")
STEPS = ("chemmy", "piles", "riffle")
CUT_STEPS = ("cut_depth", "completion", "cut_off")


class Constants(Struct, frozen=True, forbid_unknown_fields=True):
    """What an edition fixes: packs in the shoe, boxes, players on a box, burns, and what each outcome pays.

    Raises ValueError for a pay table that misses an outcome or has one that the game does not know.
    """

    packs: Part
    max_boxes: Part
    players_per_box: Part
    burned_after_shuffle: int
    burned_on_dealer_change: int
    dealer_stands_on: Part
    pays: dict[str, Ratio]

    def __post_init__(self) -> None:
        if set(self.pays) != set(PAYS):
            holes, strange = sorted(set(PAYS) - set(self.pays)), sorted(set(self.pays) - set(PAYS))
            raise ValueError(f"the pay table misses {holes or 'nothing'} and has unknown {strange or 'nothing'}")
        if self.dealer_stands_on != 17:
            raise ValueError("dealer_stands_on is not 17, the only total that the rules know")

    @property
    def cards(self) -> int:
        """Cards in a full shoe."""
        return 52 * self.packs


def _one(name: str, value: str | bool | int, ambiguity: str, meaning: str) -> Parameter:
    return Parameter(name, value, (value,), ambiguity=ambiguity, meaning=meaning)


def _two(name: str, value: Any, other: Any, ambiguity: str, meaning: str, *more: Any) -> Parameter:
    return Parameter(name, value, (value, other, *more), ambiguity=ambiguity, meaning=meaning)


def _yes_no(name: str, value: bool, ambiguity: str, meaning: str) -> Parameter:
    return Parameter(name, value, (True, False), ambiguity=ambiguity, meaning=meaning)


_SHUFFLE = ", ".join(STEPS)

PARAMETERS = Parameters([
    _two("blackjack.max_hands_per_box", 4, 3, "BJ-A01", "hands that a box may be split into"),
    _two(
        "blackjack.box_max_scope", "original_bets", "original_plus_split", "BJ-A02",
        "what the maximum of a box holds for", "all_stakes",
    ),
    _yes_no("blackjack.back_bettor_may_decline", True, "BJ-A03", "the others on a box may refuse the extra stake"),
    _two("blackjack.split_pair_basis", "point_value", "rank", "BJ-A04", "when two cards are a pair"),
    _two("blackjack.push_effect", "return_stake", "pay_1_1", "BJ-A05", "what equal totals give"),
    _one("blackjack.bust_loses_always", True, "BJ-A06", "who passes 21 loses at once, also if the dealer does later"),
    _two("blackjack.bj_vs_ace", "even_money_or_wait", "pay_3_2_at_once", "BJ-A07", "blackjack against an ace"),
    _yes_no("blackjack.blackjack_beats_21", True, "BJ-A08", "blackjack ranks above any other 21, on both sides"),
    _two("blackjack.dealer_bj_takes", "all_stakes", "original_only", "BJ-A09", "what the dealer's blackjack collects"),
    _one("blackjack.triple7_tie", "return_stake", "BJ-A10", "three sevens against a dealer's 21"),
    _one("blackjack.triple7_vs_bj", "take_stake", "BJ-A10", "three sevens against blackjack"),
    _yes_no("blackjack.triple7_on_split", True, "BJ-A10", "three sevens count on a split hand"),
    _yes_no("blackjack.triple7_on_double", True, "BJ-A10", "three sevens count on a doubled hand"),
    _yes_no("blackjack.resplit_aces", True, "BJ-A11", "two aces after a split may be split again"),
    _yes_no("blackjack.bj_after_split", False, "BJ-A12", "an ace with a ten-value after a split is blackjack"),
    _two(
        "blackjack.split_second_card", "on_activation", "both_at_once", "BJ-A13",
        "when the second hand of a split gets its second card",
    ),
    _yes_no("blackjack.double_on_split_21", False, "BJ-A14", "a 21 of two cards after a split may be doubled"),
    _yes_no("blackjack.double_on_split_aces", False, "BJ-A14", "a split ace may be doubled"),
    _two(
        "blackjack.surrender_window", "first_two_cards", "before_any_card", "BJ-A15",
        "until when a hand may be surrendered: until it draws, or until any box does",
    ),
    _two("blackjack.surrender_by", "each_player", "owner", "BJ-A16", "who surrenders on a shared box"),
    _one("blackjack.even_money_by", "each_player", "BJ-A16", "who takes even money on a shared box"),
    _one("blackjack.decliner_hand", "first", "BJ-A17", "with which hand who refuses a split plays on"),
    _one("blackjack.insurance_window", "before_first_decision", "BJ-A18", "when insurance may be laid"),
    Parameter("blackjack.insurance_min", 1, ambiguity="BJ-A18", meaning="least insurance, minor units"),
    _two("blackjack.insurance_excess", "refund_excess", "void_all", "BJ-A18", "insurance above half of the bet"),
    _one("blackjack.insurance_after_bust", "lives", "BJ-A18", "insurance of a hand that passed 21"),
    _one("blackjack.dealer_soft_17", "stand", "BJ-A19", "the dealer stands on every soft 17"),
    _one("blackjack.deal_direction", "dealer_left_to_right", "BJ-A20", "box 1 is at the dealer's left, and first"),
    _one("blackjack.cutter_fallback", "first_from_left", "BJ-A21", "who cuts where the cutting card names nobody"),
    Parameter("blackjack.min_cut_cards", 52, ambiguity="BJ-A22", meaning="cards on each side of the cut, at least"),
    Parameter(
        "blackjack.cut_off_cards", None, kind=int, nullable=True, ambiguity="BJ-A23",
        meaning="cards to be cut off before loading; null: not checked",
    ),
    _two("blackjack.cut_off_mode", "marker_in_shoe", "removed", "BJ-A23", "cards cut off stay behind a marker, or not"),
    _one("blackjack.cutting_card_round", "finish_round", "BJ-A24", "the round in which the cutting card comes out"),
    _two("blackjack.shoe_void_reach", "all_rounds", "unsettled_only", "BJ-A25", "rounds that a void shoe reaches"),
    _two(
        "blackjack.shuffle_steps", f"{_SHUFFLE}, {', '.join(CUT_STEPS)}", _SHUFFLE, "BJ-A25",
        "steps whose breach lets management void the shoe",
    ),
    _two(
        "void_paid_wins_policy", "report_receivable", "refund_losers_only", "BJ-A25",
        "wins paid in a shoe that is void are owed back, or left",
    ),
    _one("blackjack.shuffle_breach_standard", "proof", "BJ-A26", "standard of proof for a shuffle breach"),
    _one("blackjack.counting_standard", "suspicion", "BJ-A26", "standard of proof for counting cards"),
    _one("blackjack.counting_scope", "unsettled_bets", "BJ-A27", "bets of a card counter that are returned"),
    _two("blackjack.pending_card", "carry_next_round", "burn", "BJ-A28", "a misdrawn card that nobody is left to take"),
    _one("blackjack.pending_card_unnoticed", "spent", "BJ-A28", "such a card noticed once the next round was dealt"),
    _two(
        "blackjack.late_misdeal", "ruling_required", "as_dealt", "BJ-A29", "a misdeal that was not put right",
        "reconstructed",
    ),
    _one("blackjack.skipped_box", "as_misdrawn", "BJ-A30", "a box that was passed over in the deal"),
    _one("blackjack.burn_breach_effect", "breach_only", "BJ-A31", "a wrong burn"),
    _one("blackjack.late_bet_effect", "refund", "BJ-A32", "a bet after the closing call"),
    _one("blackjack.late_removal_effect", "bet_stands", "BJ-A32", "a bet taken up after the closing call"),
    _two("blackjack.reduction_order", "last_joined_first", "pro_rata", "BJ-A33", "who gives way above the maximum"),
    _one("blackjack.below_min_effect", "refund", "BJ-A33", "a bet below the minimum, or cut below it"),
    _two("blackjack.owner_over_max", "cut_to_max", "void", "BJ-A33", "an owner who alone is above the maximum"),
    _one("blackjack.unsanctioned_breach", "breach_only", "BJ-A34", "breaches for which the source names no effect"),
    _one("blackjack.acting_owner", "earliest_live", "BJ-A35", "who decides for a hand without its owner's stake"),
    _one("blackjack.fourth_player", "last_void", "BJ-A36", "a fourth player on a box"),
    _one("blackjack.dealer_draws_without_bets", "optional", "BJ-A37", "the dealer's cards when no bet depends on them"),
    _one("blackjack.underdraw_effect", "complete_or_ruling", "BJ-A38", "a dealer who stopped below 17"),
    _two(
        "analogy_collusion_clause", "accept_with_flag", "reject", "BJ-A39",
        "rulings on collusion and staff advice, which only roulette's section has",
    ),
    _one("blackjack.unequal_extra_bet", "ruling_required", "BJ-A40", "an extra stake other than the original"),
    _one("blackjack.illegal_extra_bet", "ruling_required", "BJ-A40", "a double or split that was not allowed"),
    _one("money.rounding", "exact", "BJ-A41", "3:2 and halves are exact; half a minor unit needs a person"),
    Parameter(
        "money.smallest_chip", None, kind=int, nullable=True, ambiguity="BJ-A41",
        meaning="minor units; amounts that it cannot express are due all the same, and reported",
    ),
    _one("blackjack.hindrance", "by_ruling", "BJ-A42", "who holds too many boxes"),
    _one("blackjack.barred_box_bet", "refund", "BJ-A42", "a bet on a box that was barred to him"),
    _one("blackjack.original_bet", "live_at_closing_call", "BJ-A43", "what an extra stake must equal"),
    _one("payout.ratio_basis", "on_top_of_stake", "BJ-A45", "3:2 is paid beside the stake"),
    _one("blackjack.box_owner", "first_occupant", "BJ-A46", "whose a box is"),
    _two("blackjack.bets_cutoff", "closing_call", "first_card", "BJ-A48", "from when no bet may change"),
    _two(
        "blackjack.foreign_decision", "stands_if_unopposed", "ruling_required", "BJ-A49",
        "a decision by somebody other than the box's owner",
    ),
    _two("blackjack.misdrawn_order", "draw_order", "next_after_discovery", "BJ-A50", "where a misdrawn card belongs"),
    _two("blackjack.burn_after_last_round", "not_required", "required", "BJ-A51", "a burn for a dealer after it"),
    _one("blackjack.unlawful_bet_effect", "refund", "BJ-A52", "a bet that is none"),
])  # fmt: skip
