"""The void-and-refund matrix of cash hold'em (cash-holdem.md section 5)."""

from __future__ import annotations

from games.shared.matrix import Row

MATRIX: tuple[Row, ...] = (
    Row(
        trigger="misdeal before substantial action: cards exposed, extra, or dealt to the wrong seats",
        grounds=("misdeal", "exposed_first", "exposed_more", "extra_cards", "extra_card_lost", "order", "wrong_count"),
        scopes=("hand",), evidence="cards, the dealer's call", standard="fact", decides="mandatory",
        effects=("none",), rule="NL-10",
    ),
    Row(
        trigger="one later card exposed, or one extra card", grounds=("exposed_card", "extra_card"), scopes=(),
        evidence="cards", standard="fact", decides="mandatory", effects=("none",), rule="NL-15",
    ),
    Row(
        trigger="missing or double burn; premature or oversized flop, turn or river",
        grounds=("burn", "early_board", "four_flop"), scopes=(), evidence="actions and cards in time, the stub",
        standard="fact", decides="mandatory", effects=("none",), rule="NL-13",
    ),
    Row(
        trigger="illegal amount, one-chip rule, string bet, short re-raise, word in another language",
        grounds=("illegal_amount",), scopes=("bet",), evidence="words, chips, times", standard="fact",
        decides="mandatory", effects=("resettle", "refund"), rule="NL-23",
    ),
    Row(
        trigger="a raise that counted was given back and the hand went on",
        grounds=("raise_undone", "one_chip_raise_undone"), scopes=("hand", "round"), evidence="words, chips, times",
        standard="fact", decides="management", effects=("ruling", "void", "refund"), rule="NL-22",
    ),
    Row(
        trigger="wrong winner, or a tabled hand killed",
        grounds=("wrong_winner", "killed_hand_not_paid", "award_in_error", "winning_hand_killed", "NL-37"),
        scopes=("hand", "round"), evidence="tabled cards, camera", standard="fact", decides="management",
        effects=("resettle",), rule="NL-37",
    ),
    Row(
        trigger="wrong split, odd chip, side pot",
        grounds=("wrong_split", "split_missed", "split_of_unequal_hands", "odd_chip", "side_pot", "NL-24", "NL-31"),
        scopes=("hand", "round"), evidence="contributions, cards, button", standard="fact", decides="management",
        effects=("resettle",), rule="NL-31",
    ),
    Row(
        trigger="award to an untabled hand at a showdown",
        grounds=("award_to_untabled", "no_hand_tabled", "NL-28", "NL-30"),
        scopes=("hand", "round"), evidence="cards shown, order", standard="fact", decides="management",
        effects=("resettle", "ruling"), rule="NL-28",
    ),
    Row(
        trigger="rake over the cap or rate", grounds=("over_rake", "no_cap_in_currency", "NL-33"),
        scopes=("hand", "round"), evidence="pots, rake", standard="fact", decides="management",
        effects=("resettle",), rule="NL-33",
    ),
    Row(
        trigger="award and rake are not the pot",
        grounds=("unaccounted", "returned_too_much", "last_player", "award_to_dead_hand", "NL-02", "NL-32"),
        scopes=("hand", "round"), evidence="pots, awards, rake", standard="fact", decides="management",
        effects=("resettle",), rule="NL-32",
    ),
    Row(
        trigger="missed or wrong blind", grounds=("blind", "NL-08", "NL-09", "NL-45"), scopes=("bet",),
        evidence="seats, posts", standard="fact", decides="mandatory", effects=("resettle", "none"), rule="NL-08",
    ),
    Row(
        trigger="chips taken off, or passed to another seat", grounds=("chips_off_table", "chips_passed", "NL-04"),
        scopes=("player",), evidence="movements of chips, video", standard="fact", decides="management",
        effects=("resettle", "penalty"), rule="NL-04",
    ),
    Row(
        trigger="fouled deck, found before the award", grounds=("fouled_deck_before",), scopes=("hand",),
        evidence="deck check, cards", standard="fact", decides="mandatory", effects=("void", "refund"), rule="NL-01",
    ),
    Row(
        trigger="fouled deck, found after the award", grounds=("fouled_deck", "card_twice", "NL-01"),
        scopes=("hand", "round"), evidence="deck check, cards", standard="fact", decides="management",
        effects=("ruling", "void", "refund"), rule="NL-A33",
    ),
    Row(
        trigger="wrong number of cards after substantial action; an unprotected hand mucked by the dealer",
        grounds=("dead_hand", "NL-46"), scopes=("hand",), evidence="cards", standard="fact", decides="mandatory",
        effects=("dead",), rule="NL-46",
    ),
    Row(
        trigger="player expelled", grounds=("expulsion", "withheld", "cash_out_short", "NL-43"), scopes=("player",),
        evidence="time of the sanction, contributions, stack", standard="suspicion", decides="management",
        effects=("resettle", "penalty"), rule="NL-43",
    ),
    Row(
        trigger="shuffle breach", grounds=("shuffle_breach",), scopes=("hand", "round", "session"),
        evidence="shuffle steps, video", standard="proof", decides="management", effects=("void", "refund"),
        rule="NL-A40", by_analogy=True,
    ),
    Row(
        trigger="collusion, chip dumping: what is done to who did it",
        grounds=("collusion_players", "collusion_staff", "collusion_suspected", "chips_passed"), scopes=("player",),
        evidence="hand histories, transfers, video", standard="suspicion", decides="management", effects=("penalty",),
        rule="NL-42",
    ),
    Row(
        trigger="collusion, chip dumping: the hand",
        grounds=("collusion_players", "collusion_staff", "collusion_suspected"), scopes=("hand", "round"),
        evidence="hand histories, transfers, video", standard="suspicion", decides="management",
        effects=("void", "refund"), rule="NL-A35", by_analogy=True,
    ),
    Row(
        trigger="soft play, talk, etiquette, cards off the table, one player one hand",
        grounds=(
            "soft_play", "agreed_check_down", "insult", "cards_thrown", "cards_turned_up", "language_repeated",
            "advice_repeated", "splash_repeated", "warned_again", "etiquette", "NL-38", "NL-39", "NL-41", "NL-44",
        ),
        scopes=("player",), evidence="hand history, video", standard="suspicion", decides="management",
        effects=("penalty",), rule="NL-40",
    ),
)  # fmt: skip
