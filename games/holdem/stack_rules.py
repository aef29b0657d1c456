"""Checks of what lies before each player from hand to hand, and of who sits out (NL-04, NL-38)."""

from __future__ import annotations

from collections.abc import Iterator

from events.schema.common import ChipsMoved
from events.schema.fact import Fact
from events.values.places import POT
from games.holdem.book import BOOK
from games.holdem.seat_rules import hand_of, told_by_a_site
from games.house_rules.rulebook import Rule
from games.protocol import Round
from games.shared.poker.betting import NOBODY
from games.shared.poker.conduct import PenaltyGiven
from games.shared.poker.events import LineUp, PlayerDealtIn
from games.shared.poker.stacks import NOTHING, WrongStack, moved_by, wrong_buy_in, wrong_stack
from games.shared.poker.table import Session
from games.verdict import Finding


@BOOK.check("NL-04", parameters=("topup", "min_buyin", "max_buyin"), unless=told_by_a_site)
def stacks_are_what_the_hand_before_left(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """A stack is the one that the last hand left, and what was added; part of it can never be removed."""
    hand, session = hand_of(round_), round_.session
    if hand is None:
        return
    before, terms = session.before, session.terms.seating
    for place, player in enumerate(hand.players):
        stack, moved = before.stacks.get(player), before.moved.get(player, NOTHING)
        wrong = wrong_stack(hand, place, stack, moved) or wrong_buy_in(
            hand, place, stack, moved, terms.least_buy_in, terms.most_buy_in
        )
        if wrong is not None:
            yield from _stack(round_, rule, wrong)


def _stack(round_: Round[Session], rule: Rule, wrong: WrongStack) -> Iterator[Finding]:
    hand = round_.session.hand
    assert hand is not None
    seat, player = hand.seats[wrong.place], hand.players[wrong.place]
    facts = [
        fact
        for fact in round_.facts
        if (isinstance(fact.event, PlayerDealtIn) and fact.event.seat == seat) or isinstance(fact.event, LineUp)
    ]
    if round_.touched or wrong.code == "chips_unaccounted":
        # A purchase that nobody recorded is no breach; and a hole may hide one, or that he had left.
        yield rule.unverified(wrong.code, "player", subject=f"seat/{seat}", player=player, facts=facts)
        return
    words = {
        "chips_off_table": ("to_put_back", "chips went off the table though he plays on"),
        "buy_in_below_minimum": ("to_add", "less than the smallest buy-in"),
        "buy_in_above_maximum": ("to_take_off", "more than the largest buy-in"),
    }
    name, text = words[wrong.code]
    yield rule.finding(
        wrong.code, "corrected", "player", subject=f"seat/{seat}", player=player, facts=facts, text=text,
        remedy={"stack": wrong.due, name: wrong.difference},
    )  # fmt: skip
    if wrong.code == "chips_off_table":
        yield rule.finding(
            wrong.code, "penalty", "player", subject=f"seat/{seat}", player=player, facts=facts,
            text="management may give a penalty",
        )  # fmt: skip


def _from_the_pot(session: Session, fact: Fact) -> bool:
    event = fact.event
    assert isinstance(event, ChipsMoved)
    return event.frm == POT or session.imported


@BOOK.check("NL-04", on=(ChipsMoved,), parameters=("topup",), unless=_from_the_pot)
def no_top_up_in_a_hand(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """Chips that come to a stack during a hand do not play in it (NL-A41)."""
    hand, event = session.hand, fact.event
    assert isinstance(event, ChipsMoved)
    if hand is None or hand.closed or any(hand.won) or not (hand.posts or hand.dealt) or hand.over:
        return
    for player, moved in moved_by(event, session.seated).items():
        place = hand.players.index(player) if player in hand.players else NOBODY
        if moved.added > 0 and place != NOBODY and not hand.out[place]:
            yield rule.finding(
                "topped_up_in_hand", "corrected", "player", subject=event.to, player=player, facts=(fact,),
                remedy={"plays_from": "the next hand", "amount": event.amount},
                text="only chips that lay there when the hand began play in it",
            )  # fmt: skip


@BOOK.check("NL-38", parameters=("sit_out_posts_blinds",), unless=told_by_a_site)
def who_sits_out_is_not_dealt_in(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """During a sit-out a player is away from table and playing area; his chips stay."""
    hand = hand_of(round_)
    if hand is None or not hand.barred:
        return
    for player in hand.barred:
        if player in hand.players:
            place = hand.players.index(player)
            seat = hand.seats[place]
            facts = [
                fact
                for fact in round_.facts
                if isinstance(fact.event, PlayerDealtIn) and fact.event.seat == seat
            ]  # fmt: skip
            yield rule.finding(
                "dealt_in_during_sit_out", "breach", "hand", subject=f"seat/{seat}", player=player, facts=facts,
                text="he sits out a penalty",
            )  # fmt: skip


@BOOK.check("NL-38", on=(PenaltyGiven,), parameters=("sit_out_authority",))
def who_may_order_a_sit_out(_session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """A sit-out is ordered by those whom the house names; a warning may come from the dealer too (NL-A29)."""
    event = fact.event
    assert isinstance(event, PenaltyGiven)
    if event.penalty != "sit_out":
        return
    if event.role is None:
        yield rule.unverified("sit_out_authority", "player", player=event.player, facts=(fact,))
    elif event.role not in rule["sit_out_authority"]:
        yield rule.finding(
            "no_authority", "breach", "player", player=event.player, facts=(fact,),
            subject=f"seat/{event.seat}" if event.seat else "",
            remedy={"authority": list(rule["sit_out_authority"])}, text=f"a {event.role} may not order a sit-out",
        )  # fmt: skip
