"""Insurance against the dealer not qualifying: who may, how much, until when (RP-21, RP-22)."""

from __future__ import annotations

from games.russian_poker.combinations import ORDER, Hand
from games.russian_poker.hands import cards_at, hand_of
from games.russian_poker.play import Playing, Table
from games.shared.bank.parts import keep_up_to, total
from games.shared.marks import missing


def judge_insurance(table: Table, own: Playing) -> None:
    """Sends back what may not lie on a box's insurance; the rest is settled with the dealer's first hand (RP-25)."""
    if own.status not in ("bet", "fold") or not own.live("insurance"):
        return
    _in_time(table, own)
    if own.status == "fold":
        if table.edition["rp.insurance.on_fold"] == "refund":
            table.void(own, own.live("insurance"), "RP-22", "insurance_folded")
        return
    if own.live("insurance"):
        _bounds(table, own)


def _in_time(table: Table, own: Playing) -> None:
    """RP-22: before the box's own Bet; until the reveal it stands with a breach (D12)."""
    if table.revealed is not None:
        late = [part for part in own.live("insurance") if part.stake.order > table.revealed]
        table.void(own, late, "RP-22", "late_insurance")
    bets = [part.stake.order for part in own.parts["bet"]]
    late = [part for part in own.live("insurance") if bets and part.stake.order > min(bets)]
    if not late:
        return
    if table.edition["rp.insurance.late_policy"] == "void":
        table.void(own, late, "RP-22", "late_insurance")
    else:
        facts = tuple(part.stake.fact for part in late)
        table.mark("RP-22", "late_insurance", "breach", own=own, subject=late[0].stake.id, facts=facts)


def insurance_bounds(table: Table, own: Playing, hand: Hand) -> tuple[int, int] | None:
    """The least and the most that a hand may be insured for, minor units (D13); None below two pair (D17)."""
    if ORDER[hand.primary] > ORDER["2P"]:
        return None
    possible = table.constants.odds(hand.primary, hand.second) * own.bet
    if table.tier is not None:
        possible = min(possible, table.tier.max_payout)
    return own.bet, possible // 2


def _bounds(table: Table, own: Playing) -> None:
    parts = own.live("insurance")
    hand = own.hand
    if table.edition["rp.insurance.hand"] == "at_placing":
        dup_rank = table.edition["rp.double.straight_dup_rank"]
        hand = hand_of(cards_at(own.box, parts[0].stake.order), dup_rank)
    facts = tuple(part.stake.fact for part in parts)
    if hand is None:
        if table.is_over:
            table.known = False
            table.marks.append(missing("RP-21", "insurance_bounds", "bet", facts=facts, subject=parts[0].stake.id))
        return
    bounds = insurance_bounds(table, own, hand)
    if bounds is None:
        table.void(own, parts, "RP-21", "insurance_hand")
        return
    low, high = bounds
    if total(parts) < low:
        table.void(own, parts, "RP-21", "insurance_too_small")
    elif total(parts) > high:
        excess = keep_up_to(parts, high, "RP-21", "insurance_too_large")
        table.mark(
            "RP-21", "insurance_too_large", "corrected", own=own, subject=parts[0].stake.id, facts=facts,
            remedy={"live": high, "refund": excess},
        )  # fmt: skip
