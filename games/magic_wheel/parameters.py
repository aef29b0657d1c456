"""What the source leaves open: every decision of magic-wheel.md section 4 as a parameter, with its default there.

A parameter with one choice states a decision for which the catalogue names no alternative: an edition can say it, and
nothing else. What is null in the catalogue is null here.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from games.house_rules.parameters import Parameter, Parameters
from games.magic_wheel.symbols import BOXES, FIELDS, SYMBOLS

Many = Annotated[int, Meta(ge=1)]


class Constants(Struct, frozen=True, forbid_unknown_fields=True):
    """What an edition fixes: how many fields of the wheel show each symbol, the win of each box on top of a stake of
    one, and the two calls in the croupier's words.

    Raises ValueError for a wheel that has not 30 fields of the seven symbols, and for a pay table that misses a box or
    has one that the layout does not know.
    """

    fields: dict[str, Many]
    pays: dict[str, Many]
    opening_call: str
    closing_call: str

    def __post_init__(self) -> None:
        _same("the wheel", set(self.fields), set(SYMBOLS))
        _same("the pay table", set(self.pays), set(BOXES))
        if sum(self.fields.values()) != FIELDS:
            raise ValueError(f"the wheel has {sum(self.fields.values())} fields; it must have {FIELDS}")


def _same(what: str, stated: set[str], wanted: set[str]) -> None:
    if stated != wanted:
        holes, strange = sorted(wanted - stated), sorted(stated - wanted)
        raise ValueError(f"{what} misses {holes or 'nothing'} and has unknown {strange or 'nothing'}")


def _one(name: str, value: str | bool, ambiguity: str, meaning: str) -> Parameter:
    return Parameter(name, value, (value,), ambiguity=ambiguity, meaning=meaning)


PARAMETERS = Parameters([
    Parameter(
        "wheel.field_order", None, kind=list, nullable=True, ambiguity="MW-A01",
        meaning="what the 30 fields of the house's wheel show, clockwise from the front; null: nobody listed them",
    ),
    Parameter("wheel.min_rotations", 5, ambiguity="MW-A02", meaning="whole turns that make a game count"),
    _one("wheel.rotation_rounding", "floor", "MW-A02", "turns are counted whole, rounded down"),
    _one("wheel.pin_rule", "last_passed_field", "MW-A03", "the pointer on a pin: the field that passed it last wins"),
    Parameter(
        "wheel.no_choice", "refund", ("refund", "leave"), ambiguity="MW-A04",
        meaning="a bet of a cancelled game of which its player said nothing in time",
    ),
    _one("wheel.choice_unit", "bet", "MW-A05", "each bet of a cancelled game by itself"),
    Parameter(
        "wheel.winning_stake", "returned", ("returned", "stands"), ambiguity="MW-A06",
        meaning="a winning stake goes back to its player, or lies on for the next game",
    ),
    _one("wheel.late_bet_effect", "refund", "MW-A07", "a bet after the closing call"),
    _one("wheel.late_test", "strictly_after", "MW-A07", "a bet at the instant of the call is in time"),
    _one("wheel.late_move_effect", "bet_stands", "MW-A07", "moved or taken up late: judged where it lay by then"),
    Parameter(
        "wheel.table_min", None, kind=int, nullable=True, ambiguity="MW-A08",
        meaning="least of one player on one symbol, minor units, at tables that post none; null: not tested there",
    ),
    Parameter(
        "wheel.table_max", None, kind=int, nullable=True, ambiguity="MW-A08",
        meaning="most of one player on one symbol, minor units, at tables that post none; null: not tested there",
    ),
    _one("payout.ratio_basis", "on_top_of_stake", "MW-A09", "25:1 is paid beside the stake"),
    _one("value_chip_dispute", "hold_for_complaint", "MW-A10", "stake and win wait for the complaint"),
    Parameter(
        "analogy_collusion_clause", "accept_with_flag", ("accept_with_flag", "reject"), ambiguity="MW-A11",
        meaning="management may void for the grounds of RL-40 and RL-41, and the finding says so, or may not",
    ),
    _one("wheel.incident_effect", "ruling_required", "MW-A12", "what the rules do not cover"),
    _one("wheel.pin_x", "counts", "MW-A13", "X beside the pin is a field like any other"),
    _one("wheel.cancellation", "automatic", "MW-A14", "too few turns cancel the game without a word"),
    _one("money.rounding", "exact", "MW-A16", "all ratios are whole"),
    Parameter(
        "money.smallest_chip", None, kind=int, nullable=True, ambiguity="MW-A16",
        meaning="minor units; amounts that it cannot express are reported",
    ),
    _one("void_paid_wins_policy", "report_receivable", "MW-A17", "wins paid in a game that is void are owed back"),
    _one("wheel.left_bet_limits", "exempt", "MW-A18", "a left bet keeps its amount when limits have changed"),
    _one("wheel.early_bet_effect", "accepted", "MW-A19", "a bet before the opening call"),
    Parameter(
        "wheel.settlement_order", "not_tested", ("not_tested", "take_first"), ambiguity="MW-A20",
        meaning="losing bets are taken before winning ones are paid",
    ),
    Parameter(
        "wheel.result_without_field", "announced_symbol", ("announced_symbol", "cannot_tell"), ambiguity="MW-A22",
        meaning="the winning symbol where no stopped field is recorded",
    ),
    _one("wheel.cutoff_without_call", "spin_start", "MW-A23", "until when bets are good without a closing call"),
    Parameter(
        "wheel.late_call_cutoff", "spin_start", ("spin_start", "call"), ambiguity="MW-A23",
        meaning="until when bets are good if the closing call comes after the start of the spin",
    ),
])  # fmt: skip
