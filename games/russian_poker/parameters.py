"""What the source leaves open: every decision of russian-poker.md section 4 as a parameter, with its default there.

A parameter with one choice states a decision for which the catalogue names no alternative.
"""

from __future__ import annotations

from games.house_rules.parameters import Parameter, Parameters


def _one(name: str, value: str | bool | int, decision: str, meaning: str) -> Parameter:
    return Parameter(name, value, (value,), ambiguity=decision, meaning=meaning)


PARAMETERS = Parameters([
    _one("rp.bet.names", "one_stake", "D1", "`Odd bet` and `Bet` are one stake"),
    _one("rp.deck.size", 52, "D2", "cards of the deck, without jokers"),
    _one("rp.double.table", "catalogue", "D3", "the cells of table no. 1 are the edition's `second`"),
    _one("rp.double.rule", "one_new_core_card", "D4", "a second combination has a card that the first does not use"),
    _one("rp.double.semicolon", "off_suit", "D5", "how the examples of table no. 1 are read"),
    _one("rp.double.second_must_beat_dealer", False, "D6", "the best hand alone decides against the dealer"),
    Parameter(
        "rp.double.straight_dup_rank", "straight", ("straight", "pair"), ambiguity="D7",
        meaning="a repeated rank in a straight of six cards makes a second straight, or a pair",
    ),
    _one("rp.double.max", 2, "D8", "combinations paid at most"),
    _one("rp.double.pay_on_tie", False, "D9", "a tie pays no combination"),
    Parameter(
        "rp.compare", "full_five_card", ("full_five_card", "category_only"), ambiguity="D10",
        meaning="hands are compared with all their cards, or tie when their category is the same (D10, D11)",
    ),
    Parameter(
        "rp.insurance.late_policy", "stands_with_breach", ("stands_with_breach", "void"), ambiguity="D12",
        meaning="insurance after the box's own Bet and before the reveal",
    ),
    _one("rp.insurance.max_basis", "total_capped", "D13", "possible win: both combinations, capped, without the stake"),
    _one("rp.insurance.settle_on", "original", "D14", "insurance looks at the dealer's first five cards"),
    Parameter(
        "rp.insurance.on_fold", "refund", ("refund", "forfeit"), ambiguity="D15",
        meaning="insurance of a box that then folds",
    ),
    _one("rp.insurance.invalid", "refund", "D16", "insurance without the hand for it or out of bounds"),
    _one("rp.insurance.min_hand", "two_pair", "D17", "the least hand that can be insured"),
    _one("rp.dealer_exchange.collect", "after_draw", "D18", "when the ante is collected; the money is the same"),
    _one("rp.dealer_exchange.non_participants", "settle_on_original", "D19", "who takes the ante is out of the rest"),
    Parameter(
        "rp.dealer_exchange.max_total", 3, (3, 4), ambiguity="D20",
        meaning="replacements of the dealer's card in a round, the first included",
    ),
    _one("rp.dealer_exchange.same", "rank", "D21", "which new card may be replaced again"),
    _one("rp.dealer_exchange.repeat_eligible", "participants", "D22", "who may join a repeat: who joined all before"),
    _one("rp.dealer_exchange.tie_returns_ante", False, "D23", "the ante after a tie with the new hand"),
    _one("rp.dealer_exchange.win_returns_ante", False, "D23", "the ante after a win over the new hand"),
    _one("rp.burn", False, "D24", "no card is burnt before a sixth, an exchanged or a replaced card"),
    _one("rp.bonus.stake_deadline", "first_card", "D25", "until when the bonus may be staked"),
    Parameter(
        "rp.bonus.hand", "initial_five", ("initial_five", "final_hand"), ambiguity="D26",
        meaning="the cards by which the bonus is judged",
    ),
    _one("rp.bonus.stake_returned", False, "D27", "the prize is the whole reward"),
    _one("rp.bonus.on_fold", "forfeit_unless_claimed", "D28", "the bonus of a box that folds"),
    _one("rp.bonus.on_exchange", "forfeit_unless_claimed", "D28", "the bonus of a box that exchanges"),
    _one("rp.bonus.requires_qualified_dealer", False, "D29", "the bonus is independent of the dealer"),
    _one("rp.bonus.table", "literal", "D30", "three of a kind: 25 EUR and 750 CZK, as printed"),
    _one("rp.bonus.stake", "literal", "D31", "1 EUR and 20 CZK, as printed"),
    Parameter(
        "rp.max_payout.scope", "bet_win", ("bet_win", "all_but_bonus", "all"), ambiguity="D32",
        meaning="what the maximum payout caps; the cut falls on Bet, insurance, ante, bonus in this order",
    ),
    Parameter("rp.deck.max_age_min", 60, ambiguity="D33", meaning="minutes after which a deck is replaced"),
    Parameter("rp.deck.age_tolerance_min", 15, ambiguity="D33", meaning="minutes over the age that are no breach"),
    _one("rp.deck.change_on_dealer_rf", False, "D34", "a dealer's royal flush changes no deck"),
    _one("rp.void.refund_stakes", True, "D35", "a void game gives the stakes back"),
    _one("rp.void.after_payout", "by_ruling", "D35", "a game can be voided after it was paid"),
    Parameter("rp.exchange.min", 2, ambiguity="D36", meaning="cards exchanged at least"),
    Parameter("rp.exchange.max", 5, ambiguity="D36", meaning="cards exchanged at most"),
    _one("rp.draw.max_purchases", 1, "D37", "sixth card or exchange, once a round"),
    _one("rp.order", "left_to_right", "D38", "boxes are dealt and asked from the dealer's left"),
    Parameter(
        "rp.misdeal.policy", "needs_ruling", ("needs_ruling", "auto_before_view"), ambiguity="D39",
        meaning="irregular deals wait for a ruling, or are misdeals if found before anybody looked",
    ),
    _one("rp.limits.late", "cap_and_play", "D40", "an ante outside the limits that is found after the deal began"),
    _one("rp.bet.late", "cap_and_play", "D41", "a Bet that is not twice the ante, found after the reveal"),
    _one("rp.boxes.late", "needs_ruling", "D42", "a player's second box, found after the deal began"),
    _one("rp.fee.refundable", False, "D43", "a fee goes back in a void round or a misdeal only"),
    _one("rp.void.refund_fees", True, "D44", "fee, insurance and further antes in a void round"),
    _one("rp.ranking", "standard", "D45", "ranking and tie-breaks; 5-4-3-2-A is the lowest straight"),
    _one("rp.dealer_exchange.ante_after_fail", "taken", "D46", "the ante when the new hand does not qualify either"),
    _one("rp.collusion.void_enabled", False, "D47", "the book has no rule on collusion"),
    _one("rp.bonus.lost_on_draw", False, "D48", "buying or exchanging does not cost the bonus"),
    _one("rp.bet.odds.CZK", "table_3", "D49", "CZK is paid by table no. 3"),
    _one("rp.stake.invalid", "refund", "D50", "a stake that may not lie; the rest of the round plays on"),
    _one("rp.reveal.early", "needs_ruling", "D51", "the dealer turns before a box has decided"),
    _one("rp.bet.after_reveal", "void_and_fold", "D51", "a Bet decided in time and put down after the reveal"),
    _one("rp.decision.final", True, "D51", "a fold stands"),
    _one("rp.fee.late", "cap_and_stand", "D52", "a fee or further ante that is not one ante"),
    _one("rp.draw.face", "down", "D53", "bought and exchanged cards"),
    Parameter(
        "rp.insurance.hand", "final", ("final", "at_placing"), ambiguity="D54",
        meaning="the hand by which the bounds of insurance are reckoned",
    ),
    _one("rp.dealer_exchange.late_election", "take_ante", "D55", "who asks after the new card was seen"),
    _one("rp.dealer_exchange.unlawful", "undo", "D55", "a replacement that may not be"),
    _one("rp.dealer_exchange.wrong_card", "needs_ruling", "D55", "another than the highest card is replaced"),
    Parameter(
        "rp.shuffle.required_steps", ["spread", "wash", "piles", "riffle"], kind=list, ambiguity="D56",
        meaning="the steps of a shuffle, in order",
    ),
    Parameter("rp.seats.idle_rounds", 3, ambiguity="D57", meaning="rounds that a seat may be held without an ante"),
    _one("rp.bet.stake_returned", True, "D58", "n:1 is paid beside the stake"),
])  # fmt: skip
