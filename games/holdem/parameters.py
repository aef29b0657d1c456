"""Parameters of rule book NL: each decision of cash-holdem.md, section 4, with the catalogue's name and default.

A value that is not among the choices is one that this Recoup does not know to mean.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from games.house_rules.parameters import Parameter, Parameters


class Constants(Struct, frozen=True, forbid_unknown_fields=True):
    """What section 2 of the catalogue fixes and no parameter varies."""

    seats_min: int = 2
    seats_max: int = 9
    hole_cards: int = 2


def _one(name: str, ambiguity: str, value: Any, *others: Any, meaning: str = "") -> Parameter:
    return Parameter(name, value, (value, *others), ambiguity=ambiguity, meaning=meaning)


PARAMETERS = Parameters([
    Parameter("rake_rate_bp", 500, kind=int, ambiguity="NL-A1", meaning="rate in hundredths of a per cent"),
    Parameter("rake_cap_czk", 300, kind=int, ambiguity="NL-A1", meaning="cap a hand, whole CZK"),
    Parameter(
        "rake_cap_other_currency", None, kind=int, nullable=True, ambiguity="NL-A1",
        meaning="cap a hand in whole units of another currency; unset: a person rules",
    ),
    _one(
        "rake_rounding", "NL-A2", "floor_to_smallest_chip", "nearest", "floor_1_czk",
        meaning="5 % is the most: what is less than the smallest chip is left in the pot",
    ),
    _one("rake_base", "NL-A3", "contested_pot", "all_chips_in", meaning="whether uncalled chips are raked"),
    _one("no_flop_no_drop", "NL-A4", False, True, meaning="no rake of a hand that ended before the flop"),
    _one(
        "rake_allocation", "NL-A5", "main_pot_first", "proportional",
        meaning="from which pots the rake of a hand is taken",
    ),
    _one(
        "rake_source", "NL-A1", "edition", "as_recorded",
        meaning="imported hands: what was taken is taken as due",
    ),
    _one(
        "min_raise_rule", "NL-A6", "double_bet_to_match", "last_increment",
        meaning="a raise at least doubles the bet to match, or adds at least the last raise",
    ),
    _one(
        "fifty_pct_base", "NL-A7", "increment",
        meaning="half of what a minimum raise adds to the call, not of its total",
    ),
    _one(
        "short_all_in_accumulates", "NL-A8", False, True,
        meaning="whether several short all-ins together reopen the betting",
    ),
    _one(
        "raise_size", "NL-A9", "at_least_double", "exactly_double",
        meaning="doubling is the least, or the only, raise",
    ),
    _one(
        "one_chip_raise", "NL-A10", "to_chip_value", "chip_plus_committed", "call_plus_chip",
        meaning="'raise' and then one chip: to its value, or that much more",
    ),
    _one(
        "string_bet", "NL-A11", "first_motion",
        meaning="chips in several motions: the first one counts, unless the total was said before it",
    ),
    _one(
        "under_bet", "NL-A12", "complete",
        meaning="a bet below the big blind, a call below the bet: filled up, but for an all-in",
    ),
    _one(
        "out_of_turn", "NL-A13", "binding_if_unchanged", "by_price", "as_taken",
        meaning="it stands if nobody changed the bet before his turn came, else chips back and all options open; "
        "by_price: who was first loses his raise; as_taken: imported hands, whatever a site took counts",
    ),
    _one(
        "heads_up_blinds", "NL-A14", "text_order", "button_small_blind",
        meaning="text_order: of two players the button is the big blind and acts last before the flop",
    ),
    _one("button_draw_suit_order", "NL-A15", "shdc"),
    _one(
        "button_rule", "NL-A16", "moving", "dead_button",
        meaning="moving: the obligation of a seat that became free passes to the next player",
    ),
    _one(
        "showdown_order_scope", "NL-A17", "hand", "last_round",
        meaning="who made the last bet or raise of the hand, or of the last round only, shows first",
    ),
    _one(
        "showdown_muck_allowed", "NL-A18", True, False,
        meaning="who claims nothing may put his cards away at the showdown, unless all are all in",
    ),
    _one("ranking_between", "NL-A19", "players"),
    Parameter(
        "misdeal_exposed_seq_max", 2, kind=int, ambiguity="NL-A20",
        meaning="one of so many first cards off the deck, shown by the dealer, is a misdeal",
    ),
    _one(
        "player_exposed_card", "NL-A21", "stays", "as_dealer",
        meaning="a card that the player himself shows stays with him and is no ground for a misdeal",
    ),
    _one(
        "premature_flop_keeps_turn_river", "NL-A22", True,
        meaning="the next four cards are set aside before the flop is shuffled in",
    ),
    _one(
        "four_card_flop_burn", "NL-A23", "next_burn", "additional",
        meaning="the card that is picked is the burn before the turn, or one besides",
    ),
    Parameter("table_max_bet", None, kind=int, nullable=True, ambiguity="NL-A24", meaning="whole CZK; null: none"),
    _one(
        "premature_turn_redeal", "NL-A25", "after_round",
        meaning="the new turn comes once the round on the flop is over",
    ),
    _one(
        "premature_river", "NL-A26", "reshuffle_no_burn",
        meaning="not in the text: the card is shuffled into the stub, the new river comes without a burn",
    ),
    _one(
        "extra_card_other_seat", "NL-A27", "as_first_player",
        meaning="the last card off the deck, if it is certain which, becomes the burn at any seat",
    ),
    _one(
        "misdeal_deadline", "NL-A28", "substantial_action",
        meaning="two actions in turn, one of them with chips, or any three: from then on the hand is played",
    ),
    _one("sit_out_posts_blinds", "NL-A29", False),
    Parameter("sit_out_authority", ["floorman", "management"], kind=list, ambiguity="NL-A29"),
    _one("soft_play_exempt_all_tie", "NL-A30", True, False, meaning="no soft play where every other hand ties"),
    _one(
        "other_language_effect", "NL-A31", "not_binding", "binding",
        meaning="whether words in another language bind; if not, the chips decide",
    ),
    _one("exposed_ban_scope", "NL-A32", "hand", meaning="for how long one who showed his cards may not bet or raise"),
    _one("exposed_ban_cards", "NL-A32", "any", "both", meaning="whether one shown card is enough"),
    _one("fouled_deck", "NL-A33", "void_hand"),
    _one("wrong_count_after_action", "NL-A33", "hand_dead"),
    _one("wheel_straight", "NL-A34", True),
    _one("collusion_void_enabled", "NL-A35", False, True, meaning="a refund of the hand is prepared as an outcome"),
    _one("expelled_hand", "NL-A36", "live_for_amount_in", "dead"),
    _one(
        "missed_blind_due", "NL-A37", "one_live_bb",
        meaning="whatever was missed and for how long: one live big blind",
    ),
    _one("new_player_post", "NL-A37", "bb_or_wait", meaning="a new player posts the big blind or waits for it"),
    _one(
        "odd_chip", "NL-A38", "first_left_of_button",
        meaning="first seat left of the button among those who share; the button itself comes last",
    ),
    _one(
        "award_error_deadline", "NL-A39", "next_deal",
        meaning="until then it is put right at the table, later it is a complaint with the record",
    ),
    _one("shuffle_profile", "NL-A40", "wash_riffle"),
    _one("shuffle_breach_remedy", "NL-A40", "management_ruling"),
    _one("straddle", "NL-A41", False, True),
    _one("run_it_twice", "NL-A41", False, True),
    _one("insurance", "NL-A41", False, True),
    Parameter(
        "ante", 0, kind=int, nullable=True, ambiguity="NL-A41",
        meaning="from each player, whole CZK; null: as the table announces it",
    ),
    Parameter(
        "action_clock_s", None, kind=int, nullable=True, ambiguity="NL-A41",
        meaning="seconds that a player has; null: none but a clock that is called",
    ),
    Parameter("min_buyin", None, kind=int, nullable=True, ambiguity="NL-A41", meaning="whole CZK; null: not checked"),
    Parameter("max_buyin", None, kind=int, nullable=True, ambiguity="NL-A41", meaning="whole CZK; null: not checked"),
    _one("topup", "NL-A41", "between_hands"),
    Parameter(
        "complaint_window_minutes", None, kind=int, nullable=True, ambiguity="NL-A42",
        meaning="after so many minutes a complaint is late; null: none is",
    ),
    _one("short_open", "NL-A43", "as_amount", meaning="an all-in below the big blind opens for its amount"),
    _one(
        "one_chip_post_flop", "NL-A44", "bet_if_unbet",
        meaning="one silent chip is a bet only where nobody has bet yet",
    ),
    _one(
        "words", "NL-A44", "algorithm",
        meaning="what a word without an amount, or an amount without a word, counts for",
    ),
    Parameter(
        "etiquette_repeat_threshold", 2, kind=int, ambiguity="NL-A45",
        meaning="so many breaches are repeated ones",
    ),
    _one("repeat_scope", "NL-A45", "session", meaning="within which breaches are counted"),
])  # fmt: skip
"""All of them; an adopted edition that does not state one has the default, and the verdict says so."""
