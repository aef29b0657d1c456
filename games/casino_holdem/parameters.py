"""What an edition fixes (pay tables) and what the source leaves open: casino-holdem.md sections 2 and 4.

A parameter with one choice states a decision for which the catalogue names no alternative: an edition can say it, and
nothing else. Names and defaults are the catalogue's.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from games.house_rules.parameters import Parameter, Parameters
from games.shared.poker.ranks import CATEGORIES

Ratio = Annotated[str, Meta(pattern=r"^[1-9][0-9]{0,5}:[1-9][0-9]{0,2}$")]
"""`3:2`: the win is the stake times three over two, and the stake comes back (CH-A19)."""

PayTable = dict[str, Ratio]

BLIND_FROM, TRIPS_FROM = "straight", "three of a kind"
"""The lowest hand that a table pays; below it Blind is a push and Trips loses."""


class Constants(Struct, frozen=True, forbid_unknown_fields=True):
    """What an edition fixes: the pay tables of Blind and Trips, hand → ratio (`full_house` → `3:1`).

    Raises ValueError for a table that misses a hand, or has one that it does not pay.
    """

    blind: PayTable
    trips: PayTable

    def __post_init__(self) -> None:
        for name, lowest in (("blind", BLIND_FROM), ("trips", TRIPS_FROM)):
            table = getattr(self, name)
            wanted = {key_of(hand) for hand in CATEGORIES[: CATEGORIES.index(lowest) + 1]}
            if set(table) != wanted:
                holes, strange = sorted(wanted - set(table)), sorted(set(table) - wanted)
                raise ValueError(
                    f"the pay table of {name} misses {holes or 'nothing'} and has unknown {strange or 'nothing'}"
                )

    def odds(self, spot: str, hand: str) -> tuple[int, int] | None:
        """Win per stake as (for, against) of `blind` or `trips`; None where the table does not pay that hand."""
        ratio = getattr(self, spot).get(key_of(hand))
        if ratio is None:
            return None
        won, staked = ratio.split(":")
        return int(won), int(staked)


def key_of(hand: str) -> str:
    """A category as pay tables write it: `four of a kind` → `four_of_a_kind`."""
    return hand.replace(" ", "_")


MULTIPLES: dict[str, list[int]] = {"1": [3, 4], "2": [2], "3": [1]}


def _one(name: str, ambiguity: str, value: Any, *others: Any, meaning: str) -> Parameter:
    return Parameter(name, value, (value, *others), ambiguity=ambiguity, meaning=meaning)


def _irregular(key: str, value: str, meaning: str) -> Parameter:
    return _one(f"deal_irregularity.{key}", "CH-A14", value, meaning=meaning)


PARAMETERS = Parameters([
    _one(
        "fold_settlement", "CH-A1", "ante_blind_trips_live", "trips_only", "all_forfeit",
        meaning="a folded box is still compared, loses Ante and Blind, or Trips as well",
    ),
    _one(
        "ante_when_dealer_not_qualified", "CH-A2", "push", "pay_1_1",
        meaning="what the value of the Ante is that the player gets",
    ),
    _one("tie", "CH-A2", "push", "pay_1_1", meaning="what the value of Ante, Play and Blind is on equal hands"),
    _one("trips_requires_main_bet", "CH-A3", True, False, meaning="Trips alone is a breach, settled all the same"),
    _one("blind_box_play", "CH-A4", "allowed_unseen", "forbidden", meaning="whether Play may be put on a blind box"),
    _one(
        "blind_box_without_play", "CH-A5", "compare", "as_fold",
        meaning="a blind box without Play is compared with the Dealer, or settled as a fold",
    ),
    _one("no_decision_window3", "CH-A6", "fold", meaning="a seen box with neither Play nor fold in window 3"),
    _one("play_multiples", "CH-A7", MULTIPLES, meaning="permitted multiples of the Ante, by window"),
    _one(
        "play_amount_correction", "CH-A8", "floor_to_permitted", "void",
        meaning="a wrong amount on Play counts as the largest permitted one below it, or not at all",
    ),
    _one(
        "ante_blind_mismatch", "CH-A9", "level_to_lower", "void_box", "stands",
        meaning="Ante and Blind found unequal after the deal",
    ),
    _one("limits", "CH-A10", None, meaning="those posted at the table"),
    _one("limit_basis", "CH-A10", "ante_per_box", meaning="what table minimum and maximum are compared with"),
    _one("over_max", "CH-A10", "return_excess", meaning="above the maximum"),
    _one("under_min_dealt", "CH-A10", "stands", meaning="below the minimum, once the cards are dealt"),
    _one("early_fold", "CH-A11", "binding", "ignored", meaning="a fold said before window 3"),
    _one("wheel_straight", "CH-A12", True, meaning="A-2-3-4-5 is the lowest straight"),
    _one("payout_rounding", "CH-A13", "up", meaning="a win that the smallest unit of payment cannot express"),
    Parameter("payout_unit", 100, kind=int, ambiguity="CH-A13", meaning="that unit, minor units"),
    Parameter(
        "deal_irregularity_confirmed", False, ambiguity="CH-A14",
        meaning="management has confirmed the defaults below, so that none of them waits for a ruling",
    ),
    _irregular("player_card_exposed", "stands", "a box's card exposed by the Dealer"),
    _irregular("dealer_hole_exposed", "void_round", "the Dealer's second card seen before window 3 closed"),
    _irregular("board_exposed_early", "void_round", "a community card seen before the window ahead of it closed"),
    _irregular("box_wrong_count", "void_box", "a box with other than two cards"),
    _irregular("dealer_wrong_count", "void_round", "a Dealer with other than two cards"),
    _irregular("card_to_empty_box", "misdeal", "a card dealt to a box without a bet, before any decision"),
    _irregular("board_wrong_count", "first_stand", "too many or too few community cards"),
    _irregular("burn_omitted", "stands", "no burn before community cards"),
    _irregular("burn_doubled", "stands", "more than one burn before community cards"),
    _irregular("fouled_deck", "void_round", "not 52 distinct cards"),
    _irregular("boxed_card", "next_card", "a card found face up in the deck"),
    Parameter("shuffle_each_round", True, ambiguity="CH-A15", meaning="a full shuffle before every round"),
    Parameter("cut_required", False, ambiguity="CH-A15", meaning="whether the deck is cut after the riffle"),
    _one(
        "shuffle_breach_remedy", "CH-A15", "management_ruling", "void_round_refund", "none",
        meaning="what a breach of the shuffle does to the round",
    ),
    _one(
        "reshuffle_mid_round", "CH-A16", "void_round_refund", "finish_round_first",
        meaning="a re-shuffle ordered while cards are out",
    ),
    _one(
        "collusion_remedy", "CH-A17", "management_ruling", "void_round_refund", "none",
        meaning="what communication or agreement does to the round",
    ),
    _one("late_bet_change", "CH-A18", "freeze_at_first_card", meaning="a bet changed after the deal"),
    _one("ratio_semantics", "CH-A19", "winnings_plus_stake", meaning="what n:m pays"),
    Parameter("max_boxes", 6, kind=int, ambiguity="CH-A20", meaning="boxes in play at most, if the layout has as many"),
    Parameter("dealer_first_card_face_up", True, ambiguity="CH-A21", meaning="how the Dealer's first card is dealt"),
    _one("tie_breakers", "CH-A22", "lexicographic", meaning="how hands of one category are compared"),
    Parameter(
        "complaint_window_minutes", None, kind=int, nullable=True, ambiguity="CH-A23",
        meaning="how long a complaint may be raised; null: not in the text",
    ),
    Parameter(
        "complaint_body", None, kind=str, nullable=True, ambiguity="CH-A23",
        meaning="to whom a rejected complaint goes; null: not in the text",
    ),
    _one("settlement_order", "CH-A24", "dealer_left_to_right", meaning="in which order boxes are settled"),
    _one("players_per_box", "CH-A25", 1, meaning="a second player's chips on a box are returned"),
    _one(
        "non_value_chips", "CH-A26", "counts_if_announced", "void_bet",
        meaning="cash or other chips that were dealt in",
    ),
    _one("seen_box_unannounced", "CH-A27", "first_taken_up", meaning="which of several boxes is seen"),
    _one("fold_after_play", "CH-A28", "ignored", meaning="a fold of a box that has a Play bet"),
    _one("window_close", "CH-A29", "next_card", meaning="when a decision window closes"),
])  # fmt: skip
"""All of them; an adopted edition that does not state one has the default, and the verdict says so."""
