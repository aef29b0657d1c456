"""What the source leaves open: every decision of caribbean-stud.md section 4 as a parameter, with its default there.

A parameter with one choice states a decision for which the catalogue names no alternative: an edition can say it, and
nothing else. What is null in the catalogue is null here. `cs.paytable` (C5) is the edition's pay table.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from events.errors import BadEdition
from games.caribbean_stud.hands import CODES
from games.house_rules.parameters import Parameter, Parameters

Ratio = Annotated[int, Meta(ge=1)]
Minor = Annotated[int, Meta(ge=0)]


class Constants(Struct, frozen=True, forbid_unknown_fields=True):
    """What an edition fixes: for each hand the win on top of a Bet of one, and the ante's.

    Raises ValueError for a pay table that misses a hand, has one that the game does not know, or pays a weaker hand
    more than a stronger one.
    """

    pays: dict[str, Ratio]
    ante_pays: Ratio = 1

    def __post_init__(self) -> None:
        if set(self.pays) != set(CODES):
            holes, strange = sorted(set(CODES) - set(self.pays)), sorted(set(self.pays) - set(CODES))
            raise ValueError(f"the pay table misses {holes or 'nothing'} and has unknown {strange or 'nothing'}")
        odds = [self.pays[code] for code in CODES]
        if odds != sorted(odds, reverse=True):
            raise ValueError("the pay table pays a weaker hand more than a stronger one")


class BonusTable(Struct, frozen=True, forbid_unknown_fields=True):
    """The bonus hands: `fixed` prizes in minor units, or `odds` on the bonus stake; `stake`: the only one allowed."""

    kind: Literal["fixed", "odds"]
    prizes: dict[str, Minor]
    stake: Minor | None = None

    def __post_init__(self) -> None:
        strange = sorted(set(self.prizes) - set(CODES))
        if strange or not self.prizes:
            raise ValueError(f"the bonus table has unknown hands {strange}" if strange else "it names no hand")

    def prize(self, code: str, staked: int) -> int | None:
        """What a hand wins on a bonus stake, minor units; None for a hand that is not in the table."""
        prize = self.prizes.get(code)
        return prize if prize is None or self.kind == "fixed" else prize * staked


class BonusParameter(Parameter, frozen=True):
    """`cs.bonus.table`: null, or a table as `BonusTable` says."""

    def check(self, value: Any) -> Any:
        """The table as stated, if it can be meant.

        Raises:
            BadEdition: it cannot.
        """
        if value is None:
            return None
        try:
            msgspec.convert(value, BonusTable)
        except msgspec.ValidationError as error:
            raise BadEdition(f"{self.name}: {error}") from error
        return value


class LimitsParameter(Parameter, frozen=True):
    """`cs.limits`: null, or the least and the greatest ante in minor units."""

    def check(self, value: Any) -> Any:
        """Both limits, if they can be meant.

        Raises:
            BadEdition: they cannot.
        """
        if value is None:
            return None
        if (
            not isinstance(value, list)
            or len(value) != 2
            or not all(type(limit) is int and limit >= 0 for limit in value)
            or value[0] > value[1]
        ):
            raise BadEdition(f"{self.name} = {value!r}; it is null or [least, greatest] in minor units")
        return value


def bonus_table(value: Any) -> BonusTable | None:
    """The parameter's value as a table."""
    return None if value is None else msgspec.convert(value, BonusTable)


def _one(name: str, value: str | bool | int, ambiguity: str, meaning: str) -> Parameter:
    return Parameter(name, value, (value,), ambiguity=ambiguity, meaning=meaning)


PARAMETERS = Parameters([
    Parameter("cs.bet_multiple", 2, (1, 2), ambiguity="C1", meaning="the Bet as a multiple of the ante"),
    _one("cs.exchange.phase", "before_bet", "C2, C18", "a card is exchanged after the deal, before the Bet"),
    Parameter(
        "cs.fold.requires_continuation", False, ambiguity="C3",
        meaning="antes and bonus stakes go back if every box folds",
    ),
    _one("cs.nq.bet", "return", "C4", "the Bet when the dealer has less than ace-king"),
    BonusParameter(
        "cs.bonus.table", None, nullable=True, ambiguity="C6",
        meaning="bonus hands and prizes, amounts in minor units; null: the source names none, a person must decide",
    ),
    Parameter(
        "cs.bonus.pays_when_banker_stronger", False, ambiguity="C7",
        meaning="a bonus hand that the dealer beats is paid all the same",
    ),
    Parameter(
        "cs.bonus.stake_returned", False, ambiguity="C8", meaning="the bonus stake goes back when the bonus is paid"
    ),
    Parameter(
        "cs.bonus.on_exchange", "forfeit", ("forfeit", "refund"), ambiguity="C9",
        meaning="the bonus stake of a box that exchanged a card",
    ),
    _one("cs.tie", "push", "C10", "ante and Bet when the hands are equal"),
    Parameter(
        "cs.ranking", "standard", ("standard", "text_order"), ambiguity="C11, C12",
        meaning="a full house above a flush, or a flush above a full house as the hand list has it",
    ),
    _one("cs.deck.size", 52, "C12", "one deck, no jokers"),
    _one("cs.ace_for_six", False, "C13", "the ace stands for no six; 5-4-3-2-A is the lowest straight"),
    Parameter("cs.max_players", 6, ambiguity="C14", meaning="boxes with an ante in a round"),
    Parameter(
        "cs.boxes_per_player", None, kind=int, nullable=True, ambiguity="C14",
        meaning="boxes that one player may play; null: not checked",
    ),
    LimitsParameter(
        "cs.limits", None, nullable=True, ambiguity="C15",
        meaning="[least, greatest] ante in minor units where the table posts none; null: not checked then",
    ),
    Parameter(
        "cs.max_payout", None, kind=int, nullable=True, ambiguity="C15",
        meaning="most that a box wins on its Bet, minor units; null: no cap",
    ),
    _one("cs.order", "dealer_left_to_right", "C16", "the order of dealing and exchange, and of the boxes' numbers"),
    _one("cs.exchange.burn_hidden", True, "C17", "the card burned before an exchanged one is never shown"),
    Parameter(
        "cs.exchange.exposed", "stands", ("stands", "misdeal"), ambiguity="C17",
        meaning="an exchanged card that the dealer turned up",
    ),
    _one("cs.banker_exchange", False, "C19", "the dealer's hand is not changed"),
    Parameter(
        "cs.inherit_general", True, ambiguity="C20",
        meaning="the document's general rules hold for misdeals and conduct; if false, such faults wait for a ruling",
    ),
    Parameter(
        "cs.time.limit_s", None, kind=int, nullable=True, ambiguity="C20",
        meaning="seconds to decide once time is called; null: no limit",
    ),
    _one("cs.late_count_error", "box_dead", "C21", "a wrong count that the deal explains, found when all have decided"),
    _one("cs.cutoff", "decisions_closed", "C22", "until when stakes are open"),
    _one("cs.bonus.on_win", "pay", "C23", "a bonus hand that beats the dealer"),
    _one("cs.double", False, "C24", "two combinations in one hand"),
    Parameter("cs.void.by_ruling", True, ambiguity="C25", meaning="management may void a round, everything goes back"),
    _one("cs.bonus.on_tie", "pay", "C26", "a bonus hand that ties the dealer's"),
    _one("cs.ak_tiebreak", "all", "C27", "ace-king on both sides: all further cards in turn"),
    _one("cs.bonus.on_fold", "forfeit", "C28", "a bonus hand that is folded"),
    _one("cs.void.refund_fees", True, "C29", "the fee in a misdeal or a void round"),
    Parameter(
        "cs.settled", "round_closed", ("round_closed", "per_box"), ambiguity="C30",
        meaning="from when a fault is found too late: the round's close, or the box's own payment",
    ),
    _one("cs.cut.by", "dealers_right_or_requester", "C31", "who may cut"),
    _one("cs.recut.until", "first_card", "C31", "until when another cut may be asked for"),
    Parameter(
        "cs.recut.max", None, kind=int, nullable=True, ambiguity="C31",
        meaning="how many cuts may be asked for before a deal; null: any number",
    ),
    _one("cs.amount_error", "return_excess_keep_shortfall", "C32", "a Bet or fee of the wrong amount"),
    _one("cs.no_decision", "fold", "C33", "a box that neither bets nor folds"),
    Parameter(
        "cs.early_reveal", "needs_ruling", ("needs_ruling", "misdeal"), ambiguity="C34",
        meaning="the dealer turns his cards before all stakes are down",
    ),
    _one("cs.exchange.order_error", "stands", "C35", "a burn missing or doubled, boxes served in the wrong order"),
    Parameter(
        "cs.conduct.money", "as_it_lies", ("as_it_lies", "bet_void"), ambiguity="C36",
        meaning="stakes placed for another, or with chips passed during the round",
    ),
    _one("cs.defective.money", "refund_all", "C37", "stakes of a round with a defective deck"),
    Parameter(
        "cs.count.policy", "by_phase_and_cause", ("by_phase_and_cause", "by_phase"), ambiguity="C38",
        meaning="a wrong count that the deal does not explain kills the box in every phase, or only once all decided",
    ),
])  # fmt: skip
