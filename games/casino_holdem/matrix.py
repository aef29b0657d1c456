"""The void and refund matrix of casino-holdem.md section 5, as data: what undoes what, and who says so.

A voided round gives each box exactly what was at risk on its four spots; nothing in section 4 of the source allows a
stake to be kept.
"""

from __future__ import annotations

from games.shared.matrix import Row

MATRIX: tuple[Row, ...] = (
    Row(
        trigger="Ante and Blind unequal", grounds=("ante_blind_unequal",), scopes=("bet",),
        evidence="bet snapshot at the first card", standard="fact", decides="mandatory", effects=("partial_refund",),
        rule="CH-13",
    ),
    Row(
        trigger="over the table maximum", grounds=("over_max",), scopes=("bet",),
        evidence="posted limits, bet snapshot", standard="fact", decides="mandatory", effects=("partial_refund",),
        rule="CH-03",
    ),
    Row(
        trigger="Trips or any bet added or raised after the first card", grounds=("late_bet", "late_trips"),
        scopes=("bet",), evidence="times of card and bet, video", standard="fact", decides="mandatory",
        effects=("refund",), rule="CH-06",
    ),
    Row(
        trigger="wrong Play amount, second Play, Play outside its windows",
        grounds=("play_amount", "second_play", "play_too_early", "play_after_fold", "play_after_reveal",
                 "play_on_blind_box"),
        scopes=("bet",), evidence="bet events, window, time of the reveal", standard="fact", decides="mandatory",
        effects=("partial_refund", "refund"), rule="CH-17",
    ),
    Row(
        trigger="Play on a blind box after a look at its cards", grounds=("play_after_look",), scopes=("bet",),
        evidence="video", standard="fact", decides="mandatory", effects=("refund",), rule="CH-08",
    ),
    Row(
        trigger="look at the cards of a blind box", grounds=("looked_at_blind_box",), scopes=("hand",),
        evidence="video", standard="proof", decides="management", effects=("ruling",), rule="CH-08",
    ),
    Row(
        trigger="cash or other chips that the Dealer did not announce", grounds=("not_value_chips", "foreign_currency"),
        scopes=("bet",), evidence="kind of chip, announcement", standard="fact", decides="mandatory",
        effects=("refund",), rule="CH-04",
    ),
    Row(
        trigger="chips of a second player, or on no spot of the box", grounds=("second_player", "unknown_spot"),
        scopes=("bet",), evidence="bet events", standard="fact", decides="mandatory", effects=("refund",),
        rule="CH-13",
    ),
    Row(
        trigger="chips taken up from a bet after the deal", grounds=("bet_taken_up", "play_withdrawn"), scopes=("bet",),
        evidence="bet snapshots, video", standard="fact", decides="mandatory", effects=("resettle",), rule="CH-06",
    ),
    Row(
        trigger="card dealt to a box without a bet", grounds=("card_to_empty_box",), scopes=("round",),
        evidence="card events", standard="fact", decides="mandatory", effects=("leave",), rule="CH-A14",
    ),
    Row(
        trigger="card dealt to a box without a bet, and management has not confirmed how it was put right",
        grounds=("card_to_empty_box",), scopes=("round",), evidence="card events", standard="fact",
        decides="management", effects=("leave", "ruling"), rule="CH-A14",
    ),
    Row(
        trigger="box with a wrong number of cards", grounds=("box_wrong_count",), scopes=("hand",),
        evidence="card events, video", standard="fact", decides="management", effects=("void", "refund"),
        rule="CH-A14",
    ),
    Row(
        trigger="Dealer's wrong count, hole card or board exposed early, fouled deck",
        grounds=("dealer_wrong_count", "dealer_hole_exposed", "board_exposed_early", "fouled_deck", "table_error"),
        scopes=("round",), evidence="card events, deck check, video", standard="fact", decides="management",
        effects=("void", "refund"), rule="CH-A14",
    ),
    Row(
        trigger="other irregular deal, or dealt anew without a ground",
        grounds=("player_card_exposed", "burn_omitted", "burn_doubled", "board_wrong_count", "boxed_card",
                 "redeal_unfounded", "cards_contradict", "deck_defect", "equipment_fault"),
        scopes=("round",), evidence="card events, video", standard="fact", decides="management", effects=("ruling",),
        rule="CH-A14",
    ),
    Row(
        trigger="re-shuffle ordered mid-round", grounds=("reshuffle_mid_round", "reshuffle"), scopes=("round",),
        evidence="order event", standard="fact", decides="management", effects=("void", "refund"), rule="CH-12",
    ),
    Row(
        trigger="shuffle breach", grounds=("shuffle_incomplete", "reshuffle_not_done", "shuffle_breach"),
        scopes=("round",), evidence="shuffle steps, audio-video record", standard="suspicion", decides="management",
        effects=("ruling", "void", "refund"), rule="CH-A15", by_analogy=True,
    ),
    Row(
        trigger="collusion or communication between players",
        grounds=(
            "communication", "agreement", "cards_shown", "cards_of_another", "undealt_seen", "discards_seen",
            "collusion_players",
        ),
        scopes=("round", "player"), evidence="video, decision pattern", standard="suspicion", decides="management",
        effects=("ruling", "void", "refund"), rule="CH-A17", by_analogy=True,
    ),
    Row(
        trigger="Dealer advises or favours a player",
        grounds=("staff_advice", "staff_favour", "collusion_staff"), scopes=("round", "player"),
        evidence="video, settlement differences", standard="proof", decides="management",
        effects=("ruling", "void", "refund"), rule="CH-16", by_analogy=True,
    ),
    Row(
        trigger="a folded hand that cannot be rebuilt", grounds=("folded_cards_lost",), scopes=("hand",),
        evidence="card events, video", standard="fact", decides="management", effects=("hold", "ruling"), rule="CH-22",
    ),
    Row(
        trigger="wrong payout", grounds=("wrong_payout", "wrong_take", "wrong_rounding"), scopes=("bet",),
        evidence="engine result against settlement events", standard="fact", decides="management",
        effects=("resettle",), rule="CH-33",
    ),
    Row(
        trigger="complaint rejected at the table", grounds=(), scopes=(),
        evidence="the General Part's procedure, not in the text", standard="none", decides="complaints",
        effects=("none",), rule="CH-A23",
    ),
)  # fmt: skip
"""Every row of the catalogue, and the rows that its rules imply."""
