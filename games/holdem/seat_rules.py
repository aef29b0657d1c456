"""Checks of button, blinds and posts (NL-03, NL-06 … NL-09)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from events.schema.fact import Fact
from events.values.cards import RANKS, UNKNOWN
from games.holdem.book import BOOK
from games.house_rules.rulebook import Rule
from games.protocol import Round
from games.shared.poker.events import ButtonPlaced, Posted
from games.shared.poker.hand import Hand, blinds_due
from games.shared.poker.table import Session
from games.verdict import Finding


def hand_of(round_: Round[Session]) -> Hand | None:
    hand = round_.session.hand
    return hand if hand is not None and hand.name == round_.name else None


@BOOK.check("NL-06", on=(ButtonPlaced,), parameters=("button_draw_suit_order",))
def highest_card_takes_the_button(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """Of the cards drawn at the start the highest takes the button, of equal ones by suit."""
    hand, event = session.hand, fact.event
    assert isinstance(event, ButtonPlaced)
    drawn = session.draws or (hand.drawn if hand is not None and hand.name == fact.round else ())
    if not drawn:
        return
    if any(card == UNKNOWN for _seat, card in drawn):
        yield rule.unverified("button_draw", facts=(fact,))
        return
    best = drawn_button(drawn, rule["button_draw_suit_order"])
    if event.seat != best:
        yield rule.finding(
            "button_not_to_highest", "breach", "round", subject=f"seat/{event.seat}", facts=(fact,),
            remedy={"seat": f"seat/{best}"},
        )  # fmt: skip


def drawn_button(drawn: tuple[tuple[int, str], ...], suits: str) -> int:
    """The seat with the highest card; `suits` from high to low."""
    return max(drawn, key=lambda one: (RANKS.index(one[1][0]), -suits.index(one[1][1])))[0]


@BOOK.check("NL-07", parameters=("button_rule",))
def button_moves_to_the_next(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """After each hand the button moves clockwise to the next player dealt in."""
    hand, last = hand_of(round_), round_.session.before.button
    if hand is None or not last or not hand.button or hand.drawn or rule["button_rule"] != "moving":
        return
    facts = [fact for fact in round_.facts if isinstance(fact.event, ButtonPlaced)]
    if len(hand.seats) < 2 or any(isinstance(fact.event, ButtonPlaced) and fact.event.why for fact in facts):
        return  # an irregular move with its reason on record is for a person (NL-45)
    due = next((seat for seat in hand.seats if seat > last), hand.seats[0])
    if hand.button != due:
        yield rule.finding(
            "button_moved_wrong", _kind(hand), "round", subject=f"seat/{hand.button}", facts=facts,
            remedy={"seat": f"seat/{due}"}, text=f"after seat/{last} it comes to seat/{due}",
        )  # fmt: skip


def _facts(round_: Round[Session], seat: int, kind: str) -> list[Fact]:
    return [
        fact
        for fact in round_.facts
        if isinstance(fact.event, Posted) and fact.event.seat == seat and fact.event.kind == kind
    ]


def _kind(hand: Hand) -> Literal["breach", "corrected"]:
    return "breach" if hand.actions else "corrected"


@BOOK.check("NL-03", parameters=("ante", "straddle"))
def posts_are_as_announced(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """Blinds have the announced amounts, unless the stack is shorter; nothing is posted that is not played."""
    hand, stakes = hand_of(round_), round_.session.stakes
    if hand is None:
        return
    announced = {"small_blind": stakes.small_blind, "big_blind": stakes.big_blind} if stakes.announced else {}
    paid: dict[tuple[int, str], int] = {}
    for place, kind, amount in hand.posts:
        paid[place, kind] = paid.get((place, kind), 0) + amount
    for (place, what), total in paid.items():
        due = announced.get(what, total)
        seat = hand.seats[place]
        if total != due and not total == hand.start[place] < due:
            yield rule.finding(
                "blind_amount", _kind(hand), "bet", subject=f"seat/{seat}", player=hand.players[place],
                facts=_facts(round_, seat, what), remedy={"amount": due},
            )  # fmt: skip
        if what == "straddle" and not rule["straddle"]:
            yield rule.finding(
                "straddle", "breach", "bet", subject=f"seat/{seat}", player=hand.players[place],
                facts=_facts(round_, seat, what), text="no straddles here",
            )  # fmt: skip


@BOOK.check("NL-08", parameters=("heads_up_blinds", "button_rule"))
def blinds_left_of_the_button(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """First left of the button the small blind, the next the big blind of twice as much."""
    hand, stakes = hand_of(round_), round_.session.stakes
    if hand is None or rule["button_rule"] != "moving" or not hand.button or len(hand.seats) < 2:
        return
    if stakes.announced and stakes.big_blind != 2 * stakes.small_blind:
        yield rule.finding(
            "big_blind_not_double", "breach", "round", remedy={"big_blind": 2 * stakes.small_blind},
            text="the big blind is twice the small blind",
        )  # fmt: skip
    due = dict(zip(("small_blind", "big_blind"), blinds_due(hand, rule["heads_up_blinds"]), strict=True))
    for place, kind, _amount in hand.posts:
        if place != due.get(kind, place):
            right = f"seat/{hand.seats[due[kind]]}"
            seat = hand.seats[place]
            yield rule.finding(
                f"{kind}_seat", _kind(hand), "bet", subject=f"seat/{seat}", player=hand.players[place],
                facts=_facts(round_, seat, kind), remedy={"seat": right}, text=f"due from {right}",
            )  # fmt: skip


@BOOK.check("NL-09", parameters=("button_rule",))
def both_blinds_in_every_hand(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """Small and big blind are paid in every hand."""
    hand, stakes = hand_of(round_), round_.session.stakes
    if hand is None or rule["button_rule"] != "moving" or not hand.actions or len(hand.seats) < 2:
        return
    posted: set[str] = {kind for _place, kind, _amount in hand.posts}
    places = blinds_due(hand, round_.session.terms.heads_up)
    for kind, place, amount in zip(
        ("small_blind", "big_blind"), places, (stakes.small_blind, stakes.big_blind), strict=True
    ):
        if kind in posted:
            continue
        if round_.touched:
            yield rule.unverified(f"no_{kind}")
            continue
        yield rule.finding(
            f"no_{kind}", "breach", "round", subject=f"seat/{hand.seats[place]}", player=hand.players[place],
            remedy={"missing": amount}, text="both blinds are paid in every hand",
        )  # fmt: skip
