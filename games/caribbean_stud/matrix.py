"""The void-and-refund matrix of Caribbean stud (caribbean-stud.md section 5)."""

from __future__ import annotations

from games.shared.matrix import Row

_MISDEAL = ("no_cut", "cut_by_wrong_person", "cut_not_joined", "recut_ignored", "card_exposed", "wrong_box")
_EXCHANGE = ("too_many_cards", "second_exchange", "exchange_after_bet", "exchange_before_deal", "exchange_after_close")

MATRIX: tuple[Row, ...] = (
    Row(
        trigger="misdeal ground before all boxes have decided", grounds=(*_MISDEAL, "wrong_count"), scopes=("round",),
        evidence="cards dealt, cut, exposures", standard="fact", decides="mandatory", effects=("refund",), rule="CS-20",
    ),
    Row(
        trigger="the same ground found later", grounds=_MISDEAL, scopes=(), evidence="cards dealt, cut, exposures",
        standard="fact", decides="nobody", effects=("none",), rule="CS-20",
    ),
    Row(
        trigger="wrong count put right before anybody looked", grounds=(), scopes=("hand",),
        evidence="counts, no cards viewed", standard="fact", decides="mandatory", effects=("none",), rule="CS-20",
    ),
    Row(
        trigger="wrong count of a box, found when all have decided", grounds=("wrong_count",), scopes=("hand",),
        evidence="counts", standard="fact", decides="mandatory", effects=("dead", "forfeit"), rule="CS-20",
    ),
    Row(
        trigger="wrong count of the dealer, found when all have decided", grounds=("wrong_count",), scopes=("round",),
        evidence="counts", standard="fact", decides="mandatory", effects=("refund",), rule="CS-20",
    ),
    Row(
        trigger="wrong count of a box that deal and exchange do not explain", grounds=("wrong_count",),
        scopes=("hand",), evidence="counts, cards dealt, exchanges", standard="fact", decides="mandatory",
        effects=("dead", "forfeit"), rule="CS-20",
    ),
    Row(
        trigger="wrong count found after the settlement", grounds=("wrong_count",), scopes=(), evidence="counts",
        standard="fact", decides="nobody", effects=("none",), rule="CS-20",
    ),
    Row(
        trigger="defective deck before the settlement", grounds=("defective_deck",), scopes=("round",),
        evidence="defect report, one card twice", standard="fact", decides="mandatory", effects=("void", "refund"),
        rule="CS-20",
    ),
    Row(
        trigger="defective deck found after the settlement", grounds=("defective_deck",), scopes=(),
        evidence="defect report, one card twice", standard="fact", decides="nobody", effects=("none",), rule="CS-20",
    ),
    Row(
        trigger="late ante or bonus, bonus without ante, ante over the number of boxes",
        grounds=("late_ante", "late_bonus", "bonus_without_ante", "too_many_boxes"), scopes=("bet",),
        evidence="order of records", standard="fact", decides="mandatory", effects=("refund",), rule="CS-02",
    ),
    Row(
        trigger="ante or bonus over a limit", grounds=("ante_over_limit", "bonus_over_limit"), scopes=("bet",),
        evidence="amounts", standard="fact", decides="mandatory", effects=("partial_refund",), rule="CS-02",
    ),
    Row(
        trigger="Bet too large", grounds=("bet_too_large",), scopes=("bet",), evidence="amounts", standard="fact",
        decides="mandatory", effects=("partial_refund",), rule="CS-08",
    ),
    Row(
        trigger="Bet too small", grounds=("bet_too_small",), scopes=(), evidence="amounts", standard="fact",
        decides="mandatory", effects=("none",), rule="CS-08",
    ),
    Row(
        trigger="Bet after all boxes have decided", grounds=("late_bet",), scopes=("bet",), evidence="order of records",
        standard="fact", decides="mandatory", effects=("refund", "forfeit"), rule="CS-08",
    ),
    Row(
        trigger="fee too large", grounds=("fee_too_large",), scopes=("bet",), evidence="amounts", standard="fact",
        decides="mandatory", effects=("partial_refund",), rule="CS-05",
    ),
    Row(
        trigger="fee too small", grounds=("fee_too_small",), scopes=("bet",), evidence="amounts", standard="none",
        decides="management", effects=("ruling",), rule="CS-05",
    ),
    Row(
        trigger="an exchange that is not allowed, undelivered", grounds=_EXCHANGE, scopes=("bet",),
        evidence="exchange", standard="fact", decides="mandatory", effects=("refund",), rule="CS-05",
    ),
    Row(
        trigger="an exchange that is not allowed, delivered", grounds=_EXCHANGE, scopes=("hand",), evidence="exchange",
        standard="none", decides="management", effects=("ruling",), rule="CS-05",
    ),
    Row(
        trigger="burn missing, order wrong", grounds=("burn_missing", "burn_doubled", "exchange_out_of_order"),
        scopes=(), evidence="deck order", standard="fact", decides="nobody", effects=("none",), rule="CS-07",
    ),
    Row(
        trigger="exchange with a bonus stake", grounds=("exchanged",), scopes=("bet",), evidence="exchange",
        standard="fact", decides="mandatory", effects=("forfeit",), rule="CS-06",
    ),
    Row(
        trigger="bonus stake without a configured table", grounds=("bonus_table_missing",), scopes=("bet",),
        evidence="edition", standard="none", decides="management", effects=("hold", "ruling"), rule="CS-15",
    ),
    Row(
        trigger="the dealer turns his cards early", grounds=("early_reveal",), scopes=("round",),
        evidence="order of records", standard="none", decides="management", effects=("ruling",), rule="CS-10",
    ),
    Row(
        trigger="collusion, chips passed, staking for another",
        grounds=("collusion", "agreement", "chips_passed", "staked_for_another", "discards_seen", "undealt_seen"),
        scopes=("round",),
        evidence="chips moved, who staked, surveillance", standard="proof", decides="management",
        effects=("void", "refund"), rule="CS-21",
    ),
    Row(
        trigger="wrong payment", grounds=("wrong_payout",), scopes=("bet",), evidence="payment against what is due",
        standard="fact", decides="complaints", effects=("resettle",), rule="CS-17",
    ),
    Row(
        trigger="any other dispute: management decides finally",
        grounds=(
            "table_error", "staff_advice", "shuffle_breach", "equipment_fault", "force_majeure", "game_rule",
            "cards_contradict", "redeal_without_ground",
        ),
        scopes=("round", "session", "hand", "bet", "player"), evidence="what the dispute shows", standard="none",
        decides="management", effects=("ruling", "void", "refund"), rule="CS-22",
    ),
)  # fmt: skip
"""What follows from what, in the catalogue's order; rows that it gives in one are told apart by their effect."""
