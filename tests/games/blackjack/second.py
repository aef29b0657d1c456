"""Blackjack once more, written straight from the rules and sharing no code with the room: one box, one player."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

POINTS = {"A": 11, "T": 10, "J": 10, "Q": 10, "K": 10} | {str(n): n for n in range(2, 10)}

Choose = Callable[[list[str], str, int, bool], str]
"""(cards, dealer's card, hands of the box, from a split) → hit, stand, double, split or surrender, if legal."""


def total(cards: list[str]) -> int:
    points = sum(POINTS[card] for card in cards)
    aces = cards.count("A")
    while points > 21 and aces:
        points -= 10
        aces -= 1
    return points


@dataclass
class Hand:
    cards: list[str]
    split: bool = False
    ace: bool = False
    doubled: bool = False
    stood: bool = False
    gone: bool = False


@dataclass
class Played:
    """What happened: the log as (what, where), and the player's net on a stake of one; None: the shoe ran out."""

    log: list[tuple[str, str]] = field(default_factory=list)
    net: Fraction | None = None


def play(shoe: list[str], choose: Choose, insure: bool = False, even_money: bool = False) -> Played:
    """One round out of the shoe in order; what is asked for and not legal is a stand."""
    cards, done = iter(shoe), Played()
    try:
        done.net = _round(cards.__next__, choose, done.log, insure, even_money)
    except StopIteration:
        done.net = None
    return done


def _round(
    draw: Callable[[], str], choose: Choose, log: list[tuple[str, str]], insure: bool, even_money: bool
) -> Fraction:
    def give(hand: list[str], place: str) -> None:
        card = draw()
        hand.append(card)
        log.append((card, place))

    first, dealer = Hand([]), list[str]()
    give(first.cards, "box/1")
    give(dealer, "dealer")
    give(first.cards, "box/1")
    up, natural = dealer[0], total(first.cards) == 21
    extra = Fraction(0)
    if up == "A" and natural:
        log.append(("offer", "box/1"))
        if even_money:
            log.append(("even_money", "box/1"))
            return Fraction(1)
    insured = up == "A" and insure and not natural
    if insured:
        log.append(("insure", "box/1"))
    hands = [first]
    at = 0
    while at < len(hands):
        hand = hands[at]
        place = "box/1" if at == 0 else f"box/1.{at + 1}"
        if len(hand.cards) == 1:
            give(hand.cards, place)
        while not _closed(hand, len(hands)):
            choice = _legal(choose(hand.cards, up, len(hands), hand.split), hand, up, len(hands))
            log.append((choice, place))
            if choice == "stand":
                hand.stood = True
            elif choice == "surrender":
                hand.gone = True
            elif choice == "split":
                hand.split = True
                hand.ace = hand.cards[0] == "A"
                hands.insert(at + 1, Hand([hand.cards.pop()], split=True, ace=hand.ace))
                give(hand.cards, place)
            else:
                hand.doubled = choice == "double"
                give(hand.cards, place)
        at += 1
    waits = natural and up in "ATJQK"
    if any(not hand.gone and total(hand.cards) <= 21 and not (natural and not hand.split) for hand in hands):
        while total(dealer) < 17:
            give(dealer, "dealer")
    elif waits or insured:
        give(dealer, "dealer")
    dealer_natural = len(dealer) == 2 and total(dealer) == 21
    if insured:
        extra += 1 if dealer_natural else Fraction(-1, 2)
    return sum((_net(hand, dealer, dealer_natural) for hand in hands), extra)


def _closed(hand: Hand, hands: int) -> bool:
    if hand.ace:
        return not (hand.cards == ["A", "A"] and hands < 4 and not hand.stood)
    return hand.stood or hand.doubled or hand.gone or total(hand.cards) >= 21


def _legal(choice: str, hand: Hand, up: str, hands: int) -> str:
    two = len(hand.cards) == 2
    pair = two and POINTS[hand.cards[0]] == POINTS[hand.cards[1]]
    allowed = {
        "hit": not hand.ace,
        "double": two and not hand.ace,
        "split": pair and hands < 4,
        "surrender": two and not hand.split and up != "A",
    }
    return choice if allowed.get(choice, False) else "stand"


def _net(hand: Hand, dealer: list[str], dealer_natural: bool) -> Fraction:
    stake = 2 if hand.doubled else 1
    mine, theirs = total(hand.cards), total(dealer)
    if hand.gone:
        return Fraction(-1, 2)
    if mine > 21:
        return Fraction(-stake)
    if len(hand.cards) == 2 and mine == 21 and not hand.split:
        return Fraction(0) if dealer_natural else Fraction(3, 2)
    if hand.cards == ["7", "7", "7"]:
        if dealer_natural:
            return Fraction(0)
        return Fraction(stake if theirs == 21 else 2 * stake)
    if dealer_natural or (theirs <= 21 and theirs > mine):
        return Fraction(-stake)
    return Fraction(0) if theirs == mine else Fraction(stake)
