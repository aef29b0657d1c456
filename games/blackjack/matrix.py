"""What follows from what, and who decides it (blackjack.md section 5)."""

from __future__ import annotations

from games.shared.matrix import Row

MATRIX: tuple[Row, ...] = (
    Row(
        trigger="shuffle procedure broken, an improper cut used, the cut not completed",
        grounds=("shuffle_breach", "improper_cut_used", "cut_completion_breach"), scopes=("shoe",),
        evidence="audiovisual record of the table", standard="proof", decides="management", effects=("refund", "none"),
        rule="BJ-15",
    ),
    Row(
        trigger="unacceptable cut, seen in time", grounds=(), scopes=("shoe",),
        evidence="cut position or the dealer's rejection", standard="fact", decides="nobody", effects=("none",),
        rule="BJ-10",
    ),
    Row(
        trigger="card counting", grounds=("card_counting",), scopes=("bet", "player"),
        evidence="reasonable suspicion; his unsettled bets", standard="suspicion", decides="management",
        effects=("refund", "none"), rule="BJ-16",
    ),
    Row(
        trigger="late bet", grounds=("late_bet",), scopes=("bet",), evidence="times of bet and closing call",
        standard="fact", decides="mandatory", effects=("refund",), rule="BJ-21",
    ),
    Row(
        trigger="late removal", grounds=("late_removal",), scopes=("bet",),
        evidence="times of removal and closing call",
        standard="fact", decides="mandatory", effects=("resettle",), rule="BJ-21",
    ),
    Row(
        trigger="not in a box, not value chips", grounds=("not_in_box", "not_value_chip"), scopes=("bet",),
        evidence="placement, chip kind", standard="fact", decides="mandatory", effects=("refund",), rule="BJ-01",
    ),
    Row(
        trigger="fourth player on a box", grounds=("box_full",), scopes=("bet",), evidence="order of bets",
        standard="fact", decides="mandatory", effects=("refund",), rule="BJ-05",
    ),
    Row(
        trigger="under minimum", grounds=("under_min",), scopes=("bet",), evidence="stake, limit",
        standard="fact", decides="mandatory", effects=("refund",), rule="BJ-17",
    ),
    Row(
        trigger="box over maximum", grounds=("over_box_max",), scopes=("bet",), evidence="stakes, limit, order",
        standard="fact", decides="mandatory", effects=("partial_refund",), rule="BJ-18",
    ),
    Row(
        trigger="insurance not allowed or late", grounds=("insurance_not_allowed", "late_insurance"), scopes=("bet",),
        evidence="upcard, hand, time", standard="fact", decides="mandatory", effects=("refund",), rule="BJ-35",
    ),
    Row(
        trigger="insurance over half", grounds=("insurance_over_half",), scopes=("bet",), evidence="amounts",
        standard="fact", decides="mandatory", effects=("partial_refund",), rule="BJ-35",
    ),
    Row(
        trigger="extra stake without the owner's split or double", grounds=("no_independent_extra",), scopes=("bet",),
        evidence="decisions", standard="fact", decides="mandatory", effects=("refund",), rule="BJ-39",
    ),
    Row(
        trigger="bet on a barred box", grounds=("box_barred",), scopes=("bet",), evidence="the ruling on hindrance",
        standard="fact", decides="mandatory", effects=("refund",), rule="BJ-06",
    ),
    Row(
        trigger="double or split not allowed, or extra stake unequal, but played",
        grounds=("double_not_allowed", "unequal_extra_bet", "not_a_pair", "split_limit", "sum_over_max"),
        scopes=("hand",), evidence="cards, stakes, decisions", standard="fact", decides="management",
        effects=("ruling",), rule="BJ-A40",
    ),
    Row(
        trigger="decision by another than the owner, who objects in time", grounds=("decision_not_by_owner",),
        scopes=("hand",), evidence="decisions, objection", standard="fact", decides="management", effects=("ruling",),
        rule="BJ-04",
    ),
    Row(
        trigger="surrender or even money not allowed", grounds=("surrender_not_allowed", "even_money_not_allowed"),
        scopes=("hand",), evidence="upcard, cards, times", standard="fact", decides="mandatory", effects=("resettle",),
        rule="BJ-34",
    ),
    Row(
        trigger="surrender not allowed, and play of the hand stopped", grounds=("surrender_not_allowed",),
        scopes=("hand",), evidence="upcard, cards, times", standard="fact", decides="management", effects=("ruling",),
        rule="BJ-34",
    ),
    Row(
        trigger="card misdirected or drawn by mistake",
        grounds=("card_misassigned", "hole_card_dealt", "card_on_closed_hand", "card_to_betless_box"),
        scopes=("round",), evidence="draw order, assignments; an inspector for a box without a bet", standard="fact",
        decides="mandatory", effects=("resettle",), rule="BJ-25",
    ),
    Row(
        trigger="misdeal found too late, and the money differs",
        grounds=("card_misassigned", "hole_card_dealt", "card_on_closed_hand", "card_to_betless_box"),
        scopes=("round",), evidence="draw order, assignments, decisions", standard="fact", decides="management",
        effects=("ruling",), rule="BJ-25",
    ),
    Row(
        trigger="dealer overdrew", grounds=("dealer_overdrew",), scopes=("round",), evidence="the dealer's cards",
        standard="fact", decides="mandatory", effects=("resettle",), rule="BJ-42",
    ),
    Row(
        trigger="dealer underdrew, and the next cards are known", grounds=("dealer_underdrew",), scopes=("round",),
        evidence="the dealer's cards, the next cards", standard="fact", decides="mandatory", effects=("resettle",),
        rule="BJ-42",
    ),
    Row(
        trigger="dealer underdrew", grounds=("dealer_underdrew",), scopes=("round",), evidence="the dealer's cards",
        standard="fact", decides="management", effects=("ruling",), rule="BJ-42",
    ),
    Row(
        trigger="burn, stack order, seat, signal, face-down card, cutter, cutting card, posting, call, offer, payment",
        grounds=(
            "burn_breach", "stack_order", "seat_not_player", "unclear_signal", "face_down_card", "wrong_cutter",
            "dealt_past_cutting_card", "limits_not_posted", "closing_call_missing", "even_money_not_offered",
            "late_payment",
        ),
        scopes=(), evidence="events", standard="fact", decides="nobody", effects=("none",), rule="BJ-A34",
    ),
    Row(
        trigger="composition of the shoe wrong", grounds=("shoe_composition",), scopes=("shoe",),
        evidence="drawn cards",
        standard="fact", decides="management", effects=("ruling",), rule="BJ-07",
    ),
    Row(
        trigger="collusion", grounds=("collusion_players", "collusion_staff"), scopes=("round",),
        evidence="suspicion or proof", standard="suspicion", decides="management", effects=("refund", "none"),
        rule="BJ-A39", by_analogy=True,
    ),
    Row(
        trigger="staff advice or dishonest help", grounds=("staff_advice", "dishonest_help"), scopes=("bet",),
        evidence="suspicion or proof", standard="suspicion", decides="management", effects=("refund",), rule="BJ-A39",
        by_analogy=True,
    ),
)  # fmt: skip
