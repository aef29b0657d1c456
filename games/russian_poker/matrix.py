"""The void and refund matrix of russian-poker.md section 5, as data: what undoes what, and who says so."""

from __future__ import annotations

from games.shared.matrix import Row

GROUND_OF: dict[str, str] = {
    **dict.fromkeys(
        (
            "shuffle_incomplete", "cut_missing", "cut_too_early", "cut_by_other", "not_loaded", "loaded_too_early",
        ),
        "shuffle_breach",
    ),
    "deck_not_changed": "deck_change",
    "second_box": "second_box",
    "exchange_size": "exchange_size",
    "second_purchase": "second_purchase",
    "purchase_after_decision": "second_purchase",
    "no_decision": "no_decision",
    "early_reveal": "early_reveal",
    "wrong_card_replaced": "wrong_card",
    "not_replaced": "wrong_card",
    **dict.fromkeys(
        (
            "card_twice", "foreign_deck", "deck_duplicate", "deck_foreign", "deck_damaged", "deck_missing",
            "deck_surplus", "deck_marked", "deck_other", "deck_not_complete",
        ),
        "defective_deck",
    ),
    **dict.fromkeys(
        (
            "wrong_count", "deal_order", "card_exposed", "dealer_card_down", "dealt_without_ante", "sixth_card_count",
            "exchange_count", "discards_not_held", "card_burned", "card_reassigned", "redealt",
        ),
        "irregular_deal",
    ),
}  # fmt: skip
"""Finding's code → the ground of the ruling that answers it."""

GROUNDS = frozenset(GROUND_OF.values())
"""Grounds that the book gives management; conduct has none here (D47)."""

FOLDS = frozenset({"no_decision", "early_reveal"})
"""Grounds on which a ruling may count a box as folded (remedy `fold`)."""

MATRIX: tuple[Row, ...] = (
    Row(
        trigger="management suspects a shuffle breach", grounds=("shuffle_breach",), scopes=("round",),
        evidence="shuffle steps or cited surveillance; suspicion suffices", standard="suspicion", decides="management",
        effects=("void", "refund"), rule="RP-09",
    ),
    Row(
        trigger="a step of the shuffle is missing", grounds=("shuffle_incomplete",), scopes=("round",),
        evidence="gap in the shuffle steps", standard="suspicion", decides="management", effects=("none", "void"),
        rule="RP-07",
    ),
    Row(
        trigger="cut or loading missing or out of order",
        grounds=("cut_missing", "cut_too_early", "cut_by_other", "not_loaded", "loaded_too_early"), scopes=("round",),
        evidence="gap in the shuffle steps", standard="suspicion", decides="management", effects=("none", "void"),
        rule="RP-08",
    ),
    Row(
        trigger="deck not changed after a player's royal flush, or on management's order",
        grounds=("deck_not_changed", "deck_change"), scopes=("round",), evidence="royal flush shown, same deck",
        standard="fact", decides="management", effects=("none",), rule="RP-06",
    ),
    Row(
        trigger="deck over age", grounds=("deck_over_age",), scopes=("round",), evidence="when the deck came",
        standard="fact", decides="mandatory", effects=("none",), rule="RP-06",
    ),
    Row(
        trigger="fifth box", grounds=("fifth_box", "fifth_box_dealt"), scopes=("hand",),
        evidence="place against the first card", standard="fact", decides="mandatory", effects=("refund", "dead"),
        rule="RP-01",
    ),
    Row(
        trigger="late ante", grounds=("late_ante", "stake_without_ante"), scopes=("bet",),
        evidence="place against the first card", standard="fact", decides="mandatory", effects=("refund",),
        rule="RP-11",
    ),
    Row(
        trigger="other currency, or no spot of the layout", grounds=("foreign_currency", "unknown_spot"),
        scopes=("bet",), evidence="currency, spot", standard="fact", decides="mandatory", effects=("refund",),
        rule="RP-04",
    ),
    Row(
        trigger="second box of a player, found before the deal", grounds=("second_box",), scopes=("hand",),
        evidence="who staked; where it was noticed", standard="fact", decides="mandatory", effects=("refund",),
        rule="RP-03",
    ),
    Row(
        trigger="second box of a player, found after the deal", grounds=("second_box",), scopes=("hand", "round"),
        evidence="who staked", standard="fact", decides="management", effects=("ruling",), rule="RP-03",
    ),
    Row(
        trigger="ante too large", grounds=("ante_over_max",), scopes=("bet",), evidence="amounts", standard="fact",
        decides="mandatory", effects=("partial_refund",), rule="RP-04",
    ),
    Row(
        trigger="Bet too large", grounds=("bet_too_large",), scopes=("bet",), evidence="amounts", standard="fact",
        decides="mandatory", effects=("partial_refund",), rule="RP-19",
    ),
    Row(
        trigger="ante out of the limits, found before the first card and not corrected",
        grounds=("ante_over_max", "ante_under_min"), scopes=("hand",), evidence="amounts; where it was noticed",
        standard="fact", decides="mandatory", effects=("refund",), rule="RP-04",
    ),
    Row(
        trigger="ante too small, found late", grounds=("ante_under_min",), scopes=("hand",), evidence="amounts",
        standard="fact", decides="mandatory", effects=("none",), rule="RP-04",
    ),
    Row(
        trigger="Bet too small, found late", grounds=("bet_too_small", "bet_missing"), scopes=("bet",),
        evidence="amounts", standard="fact", decides="mandatory", effects=("none",), rule="RP-19",
    ),
    Row(
        trigger="fee too large or too small", grounds=("fee_too_large", "fee_too_small"), scopes=("bet",),
        evidence="amounts", standard="fact", decides="mandatory", effects=("partial_refund", "none"), rule="RP-16",
    ),
    Row(
        trigger="further ante too large or too small", grounds=("rex_too_large", "rex_too_small"), scopes=("bet",),
        evidence="amounts", standard="fact", decides="mandatory", effects=("partial_refund", "none"), rule="RP-40",
    ),
    Row(
        trigger="Bet decided before and put down after the reveal", grounds=("late_bet",), scopes=("bet",),
        evidence="place against the reveal", standard="fact", decides="mandatory", effects=("refund", "forfeit"),
        rule="RP-19",
    ),
    Row(
        trigger="bonus late, too small, too large, or without an ante",
        grounds=("late_bonus", "bonus_too_small", "bonus_without_ante", "bonus_too_large"), scopes=("bet",),
        evidence="place, amount", standard="fact", decides="mandatory", effects=("refund", "partial_refund"),
        rule="RP-12",
    ),
    Row(
        trigger="insurance without two pair, or below its minimum", grounds=("insurance_hand", "insurance_too_small"),
        scopes=("bet",), evidence="final hand, amount", standard="fact", decides="mandatory", effects=("refund",),
        rule="RP-21",
    ),
    Row(
        trigger="insurance after the reveal, or of a box that folded", grounds=("late_insurance", "insurance_folded"),
        scopes=("bet",), evidence="place", standard="fact", decides="mandatory", effects=("refund",), rule="RP-22",
    ),
    Row(
        trigger="insurance above its maximum", grounds=("insurance_too_large",), scopes=("bet",),
        evidence="odds × Bet, maximum payout", standard="fact", decides="mandatory", effects=("partial_refund",),
        rule="RP-21",
    ),
    Row(
        trigger="exchange of too few cards noticed in time", grounds=("exchange_size",), scopes=("bet",),
        evidence="discards", standard="fact", decides="mandatory", effects=("refund",), rule="RP-17",
    ),
    Row(
        trigger="exchange of too few cards completed", grounds=("exchange_size",), scopes=("hand",),
        evidence="discards, the card that came", standard="fact", decides="management", effects=("ruling",),
        rule="RP-17",
    ),
    Row(
        trigger="second purchase not delivered", grounds=("second_purchase", "purchase_after_decision"),
        scopes=("bet",), evidence="decisions",
        standard="fact", decides="mandatory", effects=("refund",), rule="RP-15",
    ),
    Row(
        trigger="second purchase delivered, or no decision at all",
        grounds=("second_purchase", "purchase_after_decision", "no_decision"),
        scopes=("hand",), evidence="decisions, cards", standard="fact", decides="management", effects=("ruling",),
        rule="RP-15",
    ),
    Row(
        trigger="election after the new card", grounds=("late_election", "election_not_open"), scopes=("hand",),
        evidence="place against the new card", standard="fact", decides="mandatory", effects=("resettle",),
        rule="RP-36",
    ),
    Row(
        trigger="replacement beyond the limit, after another rank, or unpaid",
        grounds=(
            "replacement_over_limit", "replacement_other_rank", "replacement_unpaid", "replacement_unlawful",
            "dealer_qualifies", "rex_undone", "rex_not_open",
        ),
        scopes=("bet",), evidence="replacements in order", standard="fact", decides="mandatory",
        effects=("resettle", "refund"), rule="RP-40",
    ),
    Row(
        trigger="replacement that nobody asked for", grounds=("replacement_not_asked", "dealer_qualifies"),
        scopes=("round",), evidence="elections", standard="fact", decides="mandatory", effects=("resettle",),
        rule="RP-36",
    ),
    Row(
        trigger="wrong dealer's card removed, or none where a box asked",
        grounds=("wrong_card_replaced", "not_replaced", "wrong_card"), scopes=("round",), evidence="replacement",
        standard="fact", decides="management", effects=("ruling",), rule="RP-37",
    ),
    Row(
        trigger="dealer turned before a box had decided", grounds=("early_reveal",), scopes=("hand", "round"),
        evidence="places", standard="fact", decides="management", effects=("ruling",), rule="RP-23",
    ),
    Row(
        trigger="repeated or foreign card, defective deck",
        grounds=(
            "card_twice", "foreign_deck", "deck_duplicate", "deck_foreign", "deck_damaged", "deck_missing",
            "deck_surplus", "deck_marked", "deck_other", "deck_not_complete", "defective_deck",
        ),
        scopes=("round",), evidence="cards", standard="fact", decides="management", effects=("ruling", "refund"),
        rule="RP-05",
    ),
    Row(
        trigger="wrong count or order, exposed card, cards to a box without an ante",
        grounds=(
            "wrong_count", "deal_order", "card_exposed", "dealer_card_down", "dealt_without_ante", "sixth_card_count",
            "exchange_count", "discards_not_held", "card_burned", "card_reassigned", "redealt", "cards_contradict",
            "irregular_deal",
        ),
        scopes=("round",), evidence="cards", standard="fact", decides="management", effects=("ruling", "refund"),
        rule="RP-46",
    ),
    Row(
        trigger="wrong amount paid or taken", grounds=("wrong_payout", "wrong_take"), scopes=("bet",),
        evidence="payments against what is due", standard="fact", decides="mandatory", effects=("resettle",),
        rule="RP-44",
    ),
    Row(
        trigger="dealer does not qualify", grounds=(), scopes=("hand",), evidence="the dealer's cards",
        standard="fact", decides="player", effects=("refund", "resettle"), rule="RP-35",
    ),
)  # fmt: skip
