"""The money of each box once hands are compared, in the order of RP-41: insurance, ante or replacement, Bet, bonus."""

from __future__ import annotations

from events.values.cards import UNKNOWN
from games.russian_poker.boxes import Box
from games.russian_poker.combinations import ORDER, Hand
from games.russian_poker.play import Playing, Table
from games.russian_poker.replacing import Outcome
from games.shared.bank.parts import Part, hold, lose, push, total, win
from games.shared.marks import missing


def settle_box(table: Table, own: Playing, outcome: Outcome) -> None:
    """What every stake of a box is worth; what cannot be told yet, or by nobody, stays open and is held."""
    if own.status == "out":
        own.result = own.result or "void"
        return
    if own.status == "undecided":
        hold([part for parts in own.parts.values() for part in parts if part.open], "RP-23")
        return
    _fees(own)
    if own.status == "fold":
        own.result = "fold"
        lose(own.live("ante"), "RP-20")
        lose(own.live("insurance"), "RP-22", "insurance_folded")
        _bonus(table, own)
    elif own.status == "bet" and table.is_over and outcome.first is not None:
        _insurance(own, outcome.first)
        _ante_and_bet(table, own, outcome, outcome.first)
        _bonus(table, own)
        _capped(table, own)
    if any(part.open and part.amount for parts in own.parts.values() for part in parts):
        table.known = False


def _fees(own: Playing) -> None:
    """Prices: always taken, nothing is paid on them (D43)."""
    rule = "RP-17" if any(purchase.choice == "exchange" for purchase in own.box.purchases) else "RP-16"
    lose(own.live("fee"), rule)
    if own.status != "open":
        lose(own.live("rex"), "RP-40")


def _insurance(own: Playing, first: Hand) -> None:
    """RP-25: against the dealer's first five cards, whatever comes after."""
    parts = own.live("insurance")
    if first.qualifies:
        lose(parts, "RP-25")
    else:
        win(parts, total(parts), "RP-25")


def _ante_and_bet(table: Table, own: Playing, outcome: Outcome, first: Hand) -> None:
    number = own.box.number
    own.dealer = outcome.by_box.get(number, first)
    ante, bet = own.live("ante"), own.live("bet")
    if number in outcome.by_box:
        lose(ante, "RP-37")
        if own.dealer is None:
            return
        if not own.dealer.qualifies:
            own.result = "no_qualify"
            push(bet, "RP-39")
            return
        _compared(table, own, own.dealer, ("RP-38", "RP-38", "RP-38"))
    elif not first.qualifies:
        own.result = "no_qualify"
        win(ante, total(ante), "RP-35")
        push(bet, "RP-35")
    elif own.hand is not None:
        _compared(table, own, first, ("RP-27", "RP-28", ""))
        if own.result == "lose":
            lose(ante, "RP-27")
        else:
            push(ante, "RP-28" if own.result == "tie" else "RP-29")


def _compared(table: Table, own: Playing, dealer: Hand, rules: tuple[str, str, str]) -> None:
    """The Bet against a hand that qualifies; `rules` for what is lost, tied and won, the odds' own if there is none."""
    bet, hand = own.live("bet"), own.hand
    if hand is None:
        return
    apart = _apart(table, hand, dealer)
    if apart > 0:
        own.result = "lose"
        lose(bet, rules[0])
    elif apart == 0:
        own.result = "tie"
        push(bet, rules[1])
    else:
        own.result = "win"
        odds = table.constants.odds(hand.primary, hand.second)
        win(bet, odds * total(bet), rules[2] or ("RP-31" if hand.second is not None else "RP-30"))


def _apart(table: Table, hand: Hand, dealer: Hand) -> int:
    """Positive where the dealer is higher, 0 for a tie (RP-26, D10)."""
    if table.edition["rp.compare"] == "category_only":
        return ORDER[hand.primary] - ORDER[dealer.primary]
    return hand.key - dealer.key


# Bonus ----------------------------------------------------------------------------------------------------------------


def _bonus(table: Table, own: Playing) -> None:
    """RP-42: the prize of the five cards first dealt, if they stayed or were claimed before they went (RP-14)."""
    parts = own.live("bonus")
    if not parts:
        return
    by_final = table.edition["rp.bonus.hand"] == "final_hand"
    hand = own.hand if by_final else own.first
    leaves = _leaves(own, by_final=by_final)
    if leaves is not None and not _claimed(table, own.box, leaves):
        lost = hand is not None and _prize(table, hand) > 0
        lose(parts, "RP-14" if lost else "RP-42", "bonus_not_claimed" if lost else "")
        return
    if hand is None:
        table.marks.append(missing("RP-42", "bonus_hand", "bet", subject=parts[0].stake.id))
        return
    lose(parts, "RP-42")
    parts[0].paid = _prize(table, hand)


def _leaves(own: Playing, *, by_final: bool) -> int | None:
    """Where in the round the dealt cards left the box; None where they stay in the hand."""
    places = [] if by_final else [one.note.order for one in own.box.purchases if one.choice == "exchange" and one.cards]
    if own.status == "fold":
        final = own.box.final
        places.append(final.order if final is not None else own.box.stakes[-1].order)
    return min(places, default=None)


def _claimed(table: Table, box: Box, before: int) -> bool:
    """Whether the bonus was claimed in time with the five cards shown."""
    dealt = [card.card for card in box.dealt]
    for claim in box.claims:
        shown = claim.event.cards
        if claim.order > before:
            continue
        if len(shown) == len(dealt) and all(card != UNKNOWN and (card in dealt or UNKNOWN in dealt) for card in shown):
            return True
        table.mark(
            "RP-14", "claim_not_shown", "breach", "hand", subject=f"box/{box.number}", facts=(claim.fact,),
            text="the cards shown are not the five that were dealt",
        )  # fmt: skip
    return False


def _prize(table: Table, hand: Hand) -> int:
    prizes = table.constants.bonus.get(table.session.currency, {})
    return prizes.get(hand.primary, 0)


# Maximum payout -------------------------------------------------------------------------------------------------------

CUT_FROM = {
    "bet_win": ("bet",),
    "all_but_bonus": ("bet", "insurance", "ante"),
    "all": ("bet", "insurance", "ante", "bonus"),
}
"""Which winnings count towards the maximum, in the order in which the cut falls on them (D32)."""


def _capped(table: Table, own: Playing) -> None:
    """RP-43: no more than the tier's maximum is paid."""
    spots = CUT_FROM[table.edition["rp.max_payout.scope"]]
    parts = [part for spot in spots for part in own.parts[spot] if part.paid]
    if not parts:
        return
    if table.tier is None:
        table.marks.append(missing("RP-43", "max_payout", "bet", subject=f"box/{own.box.number}"))
        table.known = False
        return
    over = sum(part.paid for part in parts) - table.tier.max_payout
    own.cut = max(over, 0)
    for part in parts:
        over = _cut(part, over)


def _cut(part: Part, over: int) -> int:
    less = min(part.paid, max(over, 0))
    if less:
        part.paid -= less
        part.because("RP-43", "max_payout")
    return over - less
