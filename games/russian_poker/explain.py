"""The figures on which a rule rests that was kept: who held what, against which hand, and what it was worth."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from events.values.cards import cards_text
from events.values.money import amount_text
from games.protocol import Round
from games.russian_poker.combinations import NAMES
from games.russian_poker.hands import final_cards
from games.russian_poker.insuring import insurance_bounds
from games.russian_poker.payouts import Analysis, analysis_of, hand_text
from games.russian_poker.table import Session


def explain(round_: Round[Session], rule: str) -> tuple[str, ...]:
    """A line of text for each figure; nothing for rules that have none."""
    told = _TOLD.get(rule)
    return tuple(told(analysis_of(round_))) if told is not None else ()


def _hands(analysis: Analysis) -> Iterator[str]:
    """RP-24, RP-26: the dealer's hand, and each box's against it."""
    outcome = analysis.outcome
    if outcome is not None and outcome.first is not None:
        plays = "qualifies" if outcome.first.qualifies else "does not qualify"
        yield f"dealer {cards_text(outcome.cards)}: {NAMES[outcome.first.primary]}, {plays}"
        if outcome.count:
            yield f"{outcome.count} of the dealer's cards replaced"
    for own in analysis.boxes:
        cards = final_cards(own.box)
        if own.status == "bet" and own.hand is not None and cards is not None:
            yield f"box {own.box.number} {cards_text(cards)}: {hand_text(own.hand)}, {own.result.replace('_', ' ')}"


def _odds(analysis: Analysis) -> Iterator[str]:
    """RP-30 to RP-33: what a winning hand is paid."""
    table = analysis.table
    for own in analysis.boxes:
        if own.result == "win" and own.hand is not None and table is not None:
            odds = table.constants.odds(own.hand.primary, own.hand.second)
            yield f"box {own.box.number}: {hand_text(own.hand)}, {odds}:1 on a Bet of {amount_text(own.counted('bet'))}"


def _maximum(analysis: Analysis) -> Iterator[str]:
    """RP-43: the tier's maximum, and what it took off."""
    table = analysis.table
    if table is None or table.tier is None:
        return
    yield f"tier {table.tier_name}: no more than {amount_text(table.tier.max_payout)}"
    for own in analysis.boxes:
        if own.cut:
            yield f"box {own.box.number}: cut by {amount_text(own.cut)}"


def _insurance(analysis: Analysis) -> Iterator[str]:
    """RP-21: the bounds for each box that insured."""
    table = analysis.table
    for own in analysis.boxes:
        if own.parts["insurance"] and own.hand is not None and table is not None:
            bounds = insurance_bounds(table, own, own.hand)
            staked = amount_text(sum(part.amount for part in own.parts["insurance"]))
            if bounds is not None:
                low, high = map(amount_text, bounds)
                yield f"box {own.box.number}: {staked} on {hand_text(own.hand)}, from {low} to {high}"


_TOLD: dict[str, Callable[[Analysis], Iterator[str]]] = {
    **dict.fromkeys(("RP-24", "RP-26", "RP-27", "RP-28", "RP-29", "RP-35", "RP-38", "RP-39"), _hands),
    **dict.fromkeys(("RP-30", "RP-31", "RP-32", "RP-33"), _odds),
    "RP-21": _insurance,
    "RP-43": _maximum,
}
