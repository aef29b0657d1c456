"""What the source leaves open: every decision of roulette.md section 4 as a parameter, with its default there.

A parameter with one choice states a decision for which the catalogue names no alternative: an edition can say it, and
nothing else. What is null in the catalogue is null here.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from games.house_rules.parameters import Parameter, Parameters
from games.roulette.layout import BET_TYPES, EVEN_CHANCES, NUMBERS

Ratio = Annotated[int, Meta(ge=1)]
ODDS = tuple(kind for kind in BET_TYPES if kind not in EVEN_CHANCES)


class Constants(Struct, frozen=True, forbid_unknown_fields=True):
    """What an edition fixes: the wheel's order clockwise, and for each type of bet the win on top of a stake of one.

    Raises ValueError for a wheel that is not the 37 numbers once each, and for a pay table that misses a type or
    has one that the layout does not know.
    """

    wheel_order: tuple[int, ...]
    pays: dict[str, Ratio]

    def __post_init__(self) -> None:
        if sorted(self.wheel_order) != list(NUMBERS):
            raise ValueError("wheel_order is not the numbers 0 to 36, once each")
        wanted = {*ODDS, "even_chance"}
        if set(self.pays) != wanted:
            holes, strange = sorted(wanted - set(self.pays)), sorted(set(self.pays) - wanted)
            raise ValueError(f"the pay table misses {holes or 'nothing'} and has unknown {strange or 'nothing'}")

    def ratio(self, kind: str) -> int:
        """Win per unit staked, on top of the stake."""
        return self.pays["even_chance" if kind in EVEN_CHANCES else kind]


def _one(name: str, value: str | bool, ambiguity: str, meaning: str) -> Parameter:
    return Parameter(name, value, (value,), ambiguity=ambiguity, meaning=meaning)


PARAMETERS = Parameters([
    Parameter(
        "roulette.short_spin_policy", "automatic_void", ("automatic_void", "on_declaration"), ambiguity="RL-A01",
        meaning="fewer laps than the minimum void the spin by themselves, or once staff declare it",
    ),
    Parameter("roulette.min_ball_revolutions", 10, ambiguity="RL-A02", meaning="whole laps that make a spin count"),
    _one("roulette.revolution_rounding", "floor", "RL-A02", "laps are counted whole, rounded down"),
    Parameter(
        "roulette.alternation_reference", "last_rotation", ("last_rotation", "last_valid_spin"), ambiguity="RL-A03",
        meaning="with which rotation the wheel's direction is compared",
    ),
    Parameter(
        "roulette.alternation_resets_on_open", True, ambiguity="RL-A04",
        meaning="the first spin of a session is not compared; if false, with the wheel's last rotation before",
    ),
    Parameter(
        "roulette.void_bet_effect", "refund", ("refund", "forfeit"), ambiguity="RL-A05",
        meaning="what happens to the stake of a late bet",
    ),
    Parameter(
        "roulette.late_move_effect", "void_refund", ("void_refund", "restore_original"), ambiguity="RL-A06",
        meaning="a bet moved or taken up late is void, or judged where it lay at the cut-off",
    ),
    Parameter(
        "roulette.call_bet_cutoff", "no_more_bets", ("no_more_bets", "ball_drop"), ambiguity="RL-A07",
        meaning="by when a call bet must lie: the earlier of closing call and drop, or the drop",
    ),
    Parameter(
        "roulette.call_bet_winner_stands", True, ambiguity="RL-A08",
        meaning="the parts of a call bet that hit stay for the next spin",
    ),
    Parameter("roulette.neighbours_reach", [2], kind=list, ambiguity="RL-A09", meaning="neighbours a side permitted"),
    _one("roulette.left_chip_value", "table_min_at_departure", "RL-A10", "a colour chip left behind"),
    _one("roulette.left_staked_chips", "settle_at_full_value", "RL-A10", "chips on the layout when their player left"),
    Parameter(
        "roulette.refused_exchange_value", "full", ("full", "table_min"), ambiguity="RL-A10",
        meaning="a chip whose exchange was asked for in time and refused",
    ),
    _one("roulette.colour_value_check", "per_chip", "RL-A11", "limits hold for the value of one colour chip"),
    Parameter(
        "roulette.second_colour_effect", "breach_only", ("breach_only", "void_refund"), ambiguity="RL-A12",
        meaning="bets in a second colour stand, or are void",
    ),
    Parameter(
        "roulette.colour_limit_scope", "table", ("table", "house"), ambiguity="RL-A12",
        meaning="one colour at this table, or chips of another table count as a second colour too",
    ),
    _one("roulette.foreign_chip_effect", "void_refund", "RL-A13", "a colour chip of another table is no stake"),
    _one("limits.basis", "player_position", "RL-A14", "limits hold for a player's chips on one position"),
    _one("limits.under_min_effect", "bet_void_refund", "RL-A14", "below the minimum"),
    _one("limits.over_max_effect", "excess_refund", "RL-A14", "above the maximum"),
    _one("roulette.zero_rule", "lose_all", "RL-A15", "even chances, dozens and columns on zero"),
    _one("roulette.legal_positions", "catalogue", "RL-A16", "the lists of roulette.md 2.3"),
    _one("roulette.illegal_position_effect", "void_refund", "RL-A16", "a place that the layout does not have"),
    _one("roulette.session_scope", "listed_spins", "RL-A17", "the whole game is the spins that the ruling names"),
    Parameter(
        "roulette.staff_advice_void", "obligatory", ("obligatory", "optional"), ambiguity="RL-A18",
        meaning="advice found by management voids the bets, or only if the ruling's remedy is `void`",
    ),
    Parameter(
        "roulette.staff_advice_scope", "advised_player", ("advised_player", "whole_spin", "named_bets"),
        ambiguity="RL-A19", meaning="which bets",
    ),
    Parameter(
        "void_paid_wins_policy", "report_receivable", ("report_receivable", "refund_losers_only"), ambiguity="RL-A20",
        meaning="wins paid on a spin that is void are owed back, or left",
    ),
    _one("payout.ratio_basis", "on_top_of_stake", "RL-A21", "35:1 is paid beside the stake"),
    Parameter(
        "roulette.nmb_min_lead_ms", None, kind=int, nullable=True, ambiguity="RL-A22",
        meaning="milliseconds by which the closing call must come before the drop; null: measured, not tested",
    ),
    Parameter("roulette.cash_at_table", False, ambiguity="RL-A23", meaning="chips may be bought for cash at the table"),
    Parameter(
        "roulette.ball_incident_effect", "ruling_required", ("ruling_required", "misspin"), ambiguity="RL-A24",
        meaning="what the rules do not cover",
    ),
    _one("roulette.seat_effect", "breach_only", "RL-A25", "somebody who does not play has a seat"),
    _one("value_chip_dispute", "hold_for_complaint", "RL-A26", "stake and win wait for the complaint"),
    _one("roulette.refund_mode", "released", "RL-A28", "refunded chips play on only as a new bet"),
    _one("roulette.carry_basis", "recorded_settlement", "RL-A28", "what lies on the layout follows the record"),
    _one("roulette.call_bet_remainder", "return", "RL-A29", "what cannot be shared out among the chips"),
    _one("roulette.even_chance_settlement", "each_alone", "RL-A30", "each even chance by itself"),
    _one("roulette.late_test", "strictly_after", "RL-A31", "a bet at the instant of the call is in time"),
    _one("roulette.drop_test", "at_or_after", "RL-A31", "a bet at the instant of the drop is late"),
    _one("money.rounding", "exact", "RL-A32", "all ratios are whole"),
    Parameter(
        "money.smallest_chip", None, kind=int, nullable=True, ambiguity="RL-A32",
        meaning="minor units; amounts that it cannot express are reported, call bets are shared out in it (RL-A29)",
    ),
    Parameter(
        "roulette.colour_owner", "registered_holder", ("registered_holder", "ruling_required"), ambiguity="RL-A34",
        meaning="whose a bet is that lies in another player's colour",
    ),
    _one("roulette.early_bet_effect", "accepted", "RL-A35", "a bet before the opening call"),
    Parameter(
        "roulette.result_without_pocket", "announced_number", ("announced_number", "cannot_tell"), ambiguity="RL-A36",
        meaning="the winning number where no pocket is recorded",
    ),
    Parameter(
        "roulette.standing_bet_limits", "exempt", ("exempt", "retest"), ambiguity="RL-A37",
        meaning="a winning bet that stays when limits have changed",
    ),
    _one("roulette.cutoff_without_call", "ball_drop", "RL-A38", "until when bets are good without a closing call"),
])  # fmt: skip
