"""What each box decided and paid for: sixth card, exchange, Bet, fold (RP-15 to RP-20, RP-23)."""

from __future__ import annotations

from events.schema.fact import Fact
from games.russian_poker.boxes import FINAL, PURCHASES, Purchase, noticed
from games.russian_poker.hands import dealt_five, final_cards, hand_of
from games.russian_poker.play import Playing, Table
from games.russian_poker.rulings import Ruled
from games.shared.bank.parts import Part, keep_up_to, total
from games.shared.bank.table import Noted
from games.shared.bank.words import unknown_words
from games.shared.marks import missing

PURCHASE_RULE = {"buy6": "RP-16", "exchange": "RP-17"}


def judge_decisions(table: Table, ruled: Ruled) -> None:
    """Settles how each box stands at the reveal; a ruling may count one as folded."""
    _in_turn(table)
    for own in table.boxes:
        if own.counts:
            _purchases(table, own)
            _final_word(table, own, ruled)
            _bet(table, own)
        dup_rank = table.edition["rp.double.straight_dup_rank"]
        own.first = hand_of(dealt_five(own.box), dup_rank)
        own.hand = hand_of(final_cards(own.box), dup_rank)


def _in_turn(table: Table) -> None:
    """D38: boxes decide from left to right, and one is done before the next begins."""
    latest = 0
    own = [note for note in table.coup.decisions if note.deal == table.coup.deal]
    table.marks.extend(unknown_words("RP-15", own, sorted(PURCHASES | FINAL)))
    for note in own:
        if note.event.choice not in PURCHASES | FINAL:
            continue
        box = note.event.box
        if box < latest:
            table.mark(
                "RP-15", "decided_out_of_turn", "breach", "hand", subject=f"box/{box}", facts=(note.fact,),
                text=f"box {latest} had begun",
            )  # fmt: skip
            return
        latest = box


# Sixth card and exchange ----------------------------------------------------------------------------------------------


def _purchases(table: Table, own: Playing) -> None:
    final = own.box.final
    bought = 0
    for purchase, fees in _with_fees(own):
        rule = PURCHASE_RULE[purchase.choice]
        if not own.box.stakes:
            continue
        if final is not None and purchase.note.order > final.order:
            _after_its_word(table, own, purchase, fees)
        elif _refused_size(table, own, purchase):
            table.void(own, fees, "RP-17", "exchange_size")
        elif bought and not purchase.cards:
            table.void(own, fees, "RP-15", "second_purchase")
        elif bought:
            _second_delivered(table, own, purchase, fees)
        else:
            bought += 1
            _fee(table, own, purchase, fees, rule)
            _delivered(table, own, purchase, rule)


def _with_fees(own: Playing) -> list[tuple[Purchase, list[Part]]]:
    """Each purchase with the fees put down for it: those from its own word to the next, the first with any before."""
    purchases = own.box.purchases
    fees: list[list[Part]] = [[] for _ in purchases]
    for part in own.live("fee"):
        places = [place for place, purchase in enumerate(purchases) if purchase.note.order < part.stake.order]
        if fees:
            fees[places[-1] if places else 0].append(part)
    return list(zip(purchases, fees, strict=True))


def _refused_size(table: Table, own: Playing, purchase: Purchase) -> bool:
    """RP-17: too few or too many cards are refused if that is noticed before the new ones leave the shoe."""
    if purchase.choice != "exchange" or _size_is_right(table, purchase):
        return False
    if not purchase.cards:
        return True
    when = noticed(table.coup, "exchange_size", own.box.number, spot="fee", after=purchase.note.order)
    return when is not None and when < purchase.cards[0].order


def _size_is_right(table: Table, purchase: Purchase) -> bool:
    low, high = table.edition["rp.exchange.min"], table.edition["rp.exchange.max"]
    count = len(purchase.discards) or len(purchase.cards)
    return not count or bool(low <= count <= high)


def _after_its_word(table: Table, own: Playing, purchase: Purchase, fees: list[Part]) -> None:
    """RP-18: who has bet or folded buys no more; what came all the same is for a person."""
    code, facts = "purchase_after_decision", (purchase.note.fact,)
    if purchase.cards:
        table.strange(table.mark("RP-18", code, "ruling_required", "round", own=own, facts=facts))
        _fee(table, own, purchase, fees, PURCHASE_RULE[purchase.choice])
    elif not table.void(own, fees, "RP-18", code):
        table.mark("RP-18", code, "corrected", "hand", own=own, facts=facts)


def _second_delivered(table: Table, own: Playing, purchase: Purchase, fees: list[Part]) -> None:
    facts = (purchase.note.fact, purchase.cards[0].fact)
    table.strange(table.mark("RP-15", "second_purchase", "ruling_required", "round", own=own, facts=facts))
    _fee(table, own, purchase, fees, PURCHASE_RULE[purchase.choice])


def _fee(table: Table, own: Playing, purchase: Purchase, fees: list[Part], rule: str) -> None:
    """One ante: more goes back, for less the card stands (D52)."""
    amount = total(fees)
    facts = (purchase.note.fact, *[part.stake.fact for part in fees])
    if amount > own.ante:
        excess = keep_up_to(fees, own.ante, rule, "fee_too_large")
        table.mark(
            rule, "fee_too_large", "corrected", own=own, facts=facts, remedy={"live": own.ante, "refund": excess}
        )
    elif amount < own.ante and (purchase.cards or table.is_over):
        table.mark(rule, "fee_too_small", "breach", own=own, facts=facts, remedy={"fee": own.ante, "staked": amount})


def _delivered(table: Table, own: Playing, purchase: Purchase, rule: str) -> None:
    """As many cards as were bought, face down; else a person decides (RP-46)."""
    facts: tuple[Fact, ...] = (purchase.note.fact, *[card.fact for card in purchase.cards])
    if purchase.choice == "exchange":
        if not purchase.discards:
            table.marks.append(missing(rule, "discards", "hand", facts=facts, subject=f"box/{own.box.number}"))
        elif not _size_is_right(table, purchase):
            table.strange(
                table.mark(
                    rule, "exchange_size", "ruling_required", "round", own=own, facts=facts,
                    text=f"{len(purchase.discards)} cards were exchanged",
                )
            )  # fmt: skip
        _discards(table, own, purchase)
    wanted = 1 if purchase.choice == "buy6" else len(purchase.discards) or len(purchase.cards)
    got = len(purchase.cards)
    if got > wanted or (got < wanted and _went_on(table, own, purchase)):
        code = "sixth_card_count" if purchase.choice == "buy6" else "exchange_count"
        table.strange(
            table.mark(
                rule,
                code,
                "ruling_required",
                "round",
                own=own,
                facts=facts,
                text=f"{got} cards came instead of {wanted}",
            )
        )
    for card in purchase.cards:
        if card.face == "up":
            mark = table.mark(rule, "card_exposed", "ruling_required", "round", own=own, facts=(card.fact,))
            table.strange(mark, card.order)
            break


def _discards(table: Table, own: Playing, purchase: Purchase) -> None:
    """Only cards that the box holds can be given away."""
    held = {card.card for card in own.box.dealt}
    held |= {card.card for other in own.box.purchases if other is not purchase for card in other.cards}
    strange = [card for card in purchase.discards if card != "??" and card not in held]
    if strange and "??" not in held:
        table.strange(
            table.mark(
                "RP-17", "discards_not_held", "ruling_required", "round", own=own, facts=(purchase.note.fact,),
                text=f"{' '.join(strange)} were not its cards",
            )
        )  # fmt: skip


def _went_on(table: Table, own: Playing, purchase: Purchase) -> bool:
    """Whether something came after a purchase that the missing card should have come before."""
    later = [note for note in table.coup.decisions if note.order > purchase.note.order]
    return table.is_over or bool(later)


# Bet and fold ---------------------------------------------------------------------------------------------------------


def _final_word(table: Table, own: Playing, ruled: Ruled) -> None:
    final, revealed = own.box.final, table.revealed
    rule = "RP-18" if own.box.purchases else "RP-15"
    _again(table, own, final, rule)
    if final is not None and (revealed is None or final.order < revealed):
        own.status = "bet" if final.event.choice == "bet" else "fold"
    elif final is None and any(_in_time(table, part) for part in own.live("bet")):
        own.status = "bet"  # the chips speak
    elif final is not None:
        _undecided(table, own, ruled, "RP-23", "early_reveal", "the dealer turned before it decided")
    elif table.is_over:
        _undecided(table, own, ruled, rule, "no_decision", "it neither bet nor folded")


def _undecided(table: Table, own: Playing, ruled: Ruled, rule: str, code: str, text: str) -> None:
    """It had not decided when the dealer turned: a person decides, and may count it as folded (RP-23, RP-15)."""
    for spot in ("fee", "insurance", "bet", "rex"):
        late = [part for part in own.live(spot) if not _in_time(table, part)]
        table.void(own, late, "RP-23", "stake_after_reveal")
    notes = (table.coup.dealer_turned or table.coup.closed, own.box.final)
    facts = tuple([note.fact for note in notes if note is not None])
    if own.box.number in ruled.folded:
        own.status = "fold"
        table.mark(rule, code, "breach", "round", own=own, facts=facts, basis=ruled.fold_ruling, text=text)
        return
    own.status = "undecided"
    table.strange(table.mark(rule, code, "ruling_required", "round", own=own, facts=facts, text=text))


def _again(table: Table, own: Playing, final: Noted | None, rule: str) -> None:
    """A decision stands: what is said after it changes nothing (D51)."""
    if final is None:
        return
    for note in own.box.decisions:
        if note.order <= final.order or note.event.choice in PURCHASES:
            continue
        if final.event.choice == "fold" and note.event.choice == "bet":
            table.mark("RP-20", "fold_taken_back", "corrected", "hand", own=own, facts=(final.fact, note.fact))
        elif note.event.choice != final.event.choice:
            table.mark(rule, "decided_again", "corrected", "hand", own=own, facts=(final.fact, note.fact))


def _in_time(table: Table, part: Part) -> bool:
    return table.revealed is None or part.stake.order < table.revealed


def _bet(table: Table, own: Playing) -> None:
    """RP-19: twice the ante, before the reveal."""
    parts = own.live("bet")
    if own.status == "fold":
        table.void(own, parts, "RP-20", "bet_after_fold")
        return
    if own.status != "bet":
        return
    late = [part for part in parts if not _in_time(table, part)]
    table.void(own, late, "RP-19", "late_bet")
    staked = own.staked("bet")
    facts = tuple([part.stake.fact for part in own.live("bet")])
    if not staked:
        if not table.is_over:
            return
        own.status = "fold"
        if not late:
            final = own.box.final
            table.mark("RP-19", "bet_missing", "breach", own=own, facts=(final.fact,) if final is not None else ())
    elif staked > own.bet:
        excess = keep_up_to(own.live("bet"), own.bet, "RP-19", "bet_too_large")
        table.mark(
            "RP-19", "bet_too_large", "corrected", own=own, facts=facts, remedy={"live": own.bet, "refund": excess}
        )
    elif staked < own.bet and table.is_over:
        table.mark("RP-19", "bet_too_small", "breach", own=own, facts=facts, remedy={"bet": own.bet, "staked": staked})
