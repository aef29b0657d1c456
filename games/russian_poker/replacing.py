"""The dealer's hand, and what becomes of it when boxes give their ante up for another card (RP-24, RP-36 to RP-40)."""

from __future__ import annotations

from msgspec import Struct

from events.values.cards import RANKS
from games.russian_poker.combinations import Hand
from games.russian_poker.hands import hand_of
from games.russian_poker.play import Playing, Table
from games.shared.bank.deck import DEALER, hand
from games.shared.bank.parts import keep_up_to, total
from games.shared.bank.table import Noted


class Outcome(Struct):
    """What the boxes play against. `first`: the dealer's five cards of the deal; `by_box`: the hand with which one ends
    that asked for another card, None where it is not known. `cards`: the last lawful five. `count`:
    lawful replacements; `again`: boxes for which the card may be replaced once more; `asked`: boxes that gave up the
    ante and wait for the card."""

    first: Hand | None
    cards: tuple[str, ...]
    by_box: dict[int, Hand | None]
    count: int = 0
    again: frozenset[int] = frozenset()
    asked: frozenset[int] = frozenset()


class Lawful(Struct):
    """Where the replacements stand. `joined`: boxes still in; `paid`: further antes (their places in the round) for
    which a card came; `same`: the last new card is of the rank it replaced."""

    cards: list[str]
    hand: Hand | None
    joined: set[int]
    paid: set[int]
    count: int = 0
    same: bool = False


def judge_replacements(table: Table) -> Outcome:
    """The dealer's hand for each box; what was replaced unlawfully is undone (D55)."""
    cards = hand(table.coup, DEALER)
    first = hand_of(cards) if len(cards) == 5 else None
    asked = _elected(table, first)
    outcome = Outcome(first, cards, {})
    if first is None:
        return outcome
    now = Lawful(list(cards), first, set(asked), set())
    start = -1
    broken = False
    for note in table.coup.replaced:
        code, rule = ("replacement_unlawful", "RP-40") if broken else _may(table, now, start, note)
        if code:
            broken = True
            table.mark(rule, code, "corrected", "round", facts=(note.fact,), remedy={"count": now.count})
        else:
            _repeat(table, now, start, note, outcome)
            _replace(table, now, note)
        start = note.order
    for number in now.joined:
        outcome.by_box[number] = now.hand
    outcome.cards = tuple(now.cards)
    outcome.count = now.count
    outcome.asked = frozenset(asked if not now.count else ())
    limit = table.edition["rp.dealer_exchange.max_total"]
    if now.count and now.same and not broken and now.count < limit and now.hand is not None and not now.hand.qualifies:
        outcome.again = frozenset(now.joined)
    if asked and not now.count:
        _not_replaced(table, asked, outcome)
    _idle_antes(table, now.paid)
    return outcome


# Who asks -------------------------------------------------------------------------------------------------------------


def _elected(table: Table, first: Hand | None) -> list[int]:
    """RP-36: the boxes that asked before the first new card; later, or where it is not offered, it has no effect."""
    new = table.coup.replaced[0].order if table.coup.replaced else None
    asked = []
    for own in table.boxes:
        last: Noted | None = None
        for note in own.box.elections:
            if new is not None and note.order > new:
                if note.event.choice == "replace_card" and (last is None or last.event.choice != "replace_card"):
                    table.mark(
                        "RP-36", "late_election", "corrected", "hand", own=own, facts=(note.fact,),
                        remedy={"election": "take_ante"},
                    )  # fmt: skip
                continue
            last = note
        if last is None or last.event.choice != "replace_card":
            continue
        early = table.revealed is None or last.order < table.revealed
        if own.status != "bet" or early or (first is not None and first.qualifies):
            table.mark("RP-36", "election_not_open", "corrected", "hand", own=own, facts=(last.fact,))
        else:
            asked.append(own.box.number)
    return asked


def _not_replaced(table: Table, asked: list[int], outcome: Outcome) -> None:
    """Boxes asked and the dealer replaced nothing: they are settled as having taken the ante until somebody decides."""
    outcome.by_box.clear()
    if table.coup.closed is not None:
        boxes = ", ".join(str(number) for number in asked)
        mark = table.mark(
            "RP-37", "not_replaced", "ruling_required", "round", facts=(table.coup.closed.fact,),
            text=f"box {boxes} gave up the ante for another card",
        )  # fmt: skip
        table.strange(mark)


# One replacement ------------------------------------------------------------------------------------------------------


def _may(table: Table, now: Lawful, start: int, note: Noted) -> tuple[str, str]:
    """Why the dealer may not replace a card, and by which rule; empty if he may."""
    if now.count == 0:
        if now.hand is not None and now.hand.qualifies:
            return "dealer_qualifies", "RP-36"
        return ("", "") if now.joined else ("replacement_not_asked", "RP-36")
    if now.count >= table.edition["rp.dealer_exchange.max_total"]:
        return "replacement_over_limit", "RP-40"
    if not now.same:
        return "replacement_other_rank", "RP-40"
    if now.hand is not None and now.hand.qualifies:
        return "dealer_qualifies", "RP-40"
    if not any(_window(own, start, note.order) for own in table.boxes if own.box.number in now.joined):
        return "replacement_unpaid", "RP-40"
    return "", ""


def _window(own: Playing, start: int, end: int) -> int:
    """What a box paid for the replacement between two places of the round."""
    return total([part for part in own.live("rex") if start < part.stake.order < end])


def _repeat(table: Table, now: Lawful, start: int, note: Noted, outcome: Outcome) -> None:
    """RP-40: who pays stays in, at one ante; for the others the game ends with the hand that did not qualify."""
    if now.count == 0:
        return
    for own in table.boxes:
        parts = [part for part in own.live("rex") if start < part.stake.order < note.order]
        number = own.box.number
        if number not in now.joined:
            table.void(own, parts, "RP-40", "rex_not_open")
            continue
        if not parts:
            now.joined.discard(number)
            outcome.by_box[number] = now.hand
            continue
        amount = total(parts)
        facts = tuple(part.stake.fact for part in parts)
        if amount > own.ante:
            excess = keep_up_to(parts, own.ante, "RP-40", "rex_too_large")
            table.mark(
                "RP-40", "rex_too_large", "corrected", own=own, facts=facts, remedy={"live": own.ante, "refund": excess}
            )
        elif amount < own.ante:
            table.mark("RP-40", "rex_too_small", "breach", own=own, facts=facts, remedy={"rex": own.ante})
        now.paid.update(part.stake.order for part in parts)


def _replace(table: Table, now: Lawful, note: Noted) -> None:
    """RP-37: the highest card goes, the next one off the deck takes its place."""
    event = note.event
    highest = max(now.cards, key=_height)
    old = event.old
    if old != highest and old != "??":
        mark = table.mark(
            "RP-37", "wrong_card_replaced", "ruling_required", "round", facts=(note.fact,),
            text=f"{old} was set aside, the highest card is {highest}",
        )  # fmt: skip
        table.strange(mark)
    out = old if old in now.cards else highest
    now.cards[now.cards.index(out)] = event.card
    now.same = event.card[0] == out[0]
    now.hand = hand_of(now.cards)
    now.count += 1


def _height(card: str) -> int:
    return RANKS.find(card[0])


def _idle_antes(table: Table, paid: set[int]) -> None:
    """RP-40: a further ante for which no card came goes back; while another card may still come, it waits."""
    last = table.coup.replaced[-1].order if table.coup.replaced else None
    for own in table.boxes:
        for part in own.live("rex"):
            waits = table.coup.closed is None and (last is None or part.stake.order > last)
            if part.stake.order not in paid and not waits:
                table.void(own, [part], "RP-40", "rex_undone")
