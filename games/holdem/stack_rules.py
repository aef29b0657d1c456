"""Checks of what lies before each player from hand to hand, and of who sits out (NL-04, NL-38)."""

from __future__ import annotations

from collections.abc import Iterator

from events.schema.common import ChipsMoved, TableClosed
from events.schema.fact import Fact
from games.holdem.book import BOOK
from games.holdem.seat_rules import from_the_pot, hand_of, told_by_a_site
from games.house_rules.rulebook import Rule
from games.protocol import Round
from games.shared.poker.betting import NOBODY
from games.shared.poker.conduct import PenaltyGiven
from games.shared.poker.events import LineUp, PlayerDealtIn
from games.shared.poker.stacks import (
    NOTHING,
    WrongStack,
    moved_by,
    removed_in_play,
    stack_after,
    wrong_buy_in,
    wrong_stack,
)
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
    moved = round_.session.before.moved.get(player, NOTHING)
    if wrong.code == "chips_off_table" and moved.in_play < wrong.difference:  # else it was proposed when they went
        yield rule.finding(
            wrong.code, "penalty", "player", subject=f"seat/{seat}", player=player, facts=facts,
            text="management may give a penalty",
        )  # fmt: skip


@BOOK.check("NL-04", on=(ChipsMoved,), unless=from_the_pot)
def chips_stay_on_the_table(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """Chips taken off while their owner plays a hand; and chips that come back, which shows that he plays on. Whoever
    takes his chips between hands may be leaving, and an expelled player is paid out."""
    event = fact.event
    assert isinstance(event, ChipsMoved)
    for player, moved in moved_by(event, session.seated).items() if not session.imported else ():
        before = session.moved.get(player, NOTHING)
        back = min(moved.added, before.off - before.in_play)
        if moved.taken and removed_in_play(session.hand, player) and player not in session.conduct.expelled:
            remedy, text = {"to_put_back": moved.taken}, "chips went off the table in his hand"
            yield from _off_table(rule, fact, event.frm, player, remedy, text)
        elif back > 0:
            text = "chips went off the table; they are back"
            yield from _off_table(rule, fact, event.to, player, {"amount": back}, text)


@BOOK.check("NL-04", on=(TableClosed,))
def no_part_of_a_stack_is_taken_off(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """After the last hand no other shows that a player stayed: but who has taken part of his chips has not left."""
    hand = session.hand
    for seat, player in session.seated.items() if hand is not None and not session.imported else ():
        moved = session.moved.get(player, NOTHING)
        if moved.off <= moved.in_play or hand is None or player not in hand.players:
            continue
        stack = stack_after(hand, hand.players.index(player))
        if stack is not None and stack + moved.other > moved.off and player not in session.conduct.expelled:
            text = "part of his chips went off the table, and he sat on"
            yield from _off_table(rule, fact, f"seat/{seat}", player, {"to_put_back": moved.off - moved.in_play}, text)


def _off_table(rule: Rule, fact: Fact, seat: str, player: str, remedy: dict[str, int], text: str) -> Iterator[Finding]:
    yield rule.finding(
        "chips_off_table", "corrected", "player", subject=seat, player=player, facts=(fact,), text=text,
        remedy=remedy,
    )  # fmt: skip
    yield rule.finding(
        "chips_off_table", "penalty", "player", subject=seat, player=player, facts=(fact,),
        text="management may give a penalty",
    )  # fmt: skip


@BOOK.check("NL-04", on=(ChipsMoved,), parameters=("topup",), unless=from_the_pot)
def no_top_up_in_a_hand(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """Chips that come to a stack during a hand do not play in it (NL-A41)."""
    hand, event = session.hand, fact.event
    assert isinstance(event, ChipsMoved)
    if session.imported or hand is None or hand.closed or any(hand.won):
        return
    if not (hand.posts or hand.dealt) or hand.over:
        return
    for player, moved in moved_by(event, session.seated).items():
        place = hand.players.index(player) if player in hand.players else NOBODY
        back = session.moved.get(player, NOTHING).off  # his own that come back are no new chips
        if moved.added > back and place != NOBODY and not hand.out[place]:
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


_AUTHORITY = {
    "sit_out": ("sit_out_authority", "order a sit-out"),
    "expulsion": ("expulsion_authority", "expel a player"),
}
"""Sanction → what a record without its author leaves open, and what he may not do."""


@BOOK.check("NL-38", on=(PenaltyGiven,), parameters=("sit_out_authority",))
def who_may_order_a_sit_out(_session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """A sit-out is ordered by those whom the house names, an expulsion by management; a warning may come from the
    dealer too (NL-A29, section 5)."""
    event = fact.event
    assert isinstance(event, PenaltyGiven)
    if event.penalty not in _AUTHORITY:
        return
    name, what = _AUTHORITY[event.penalty]
    allowed = ("management",) if event.penalty == "expulsion" else rule["sit_out_authority"]
    if event.role is None:
        yield rule.unverified(name, "player", player=event.player, facts=(fact,))
    elif event.role not in allowed:
        yield rule.finding(
            "no_authority", "breach", "player", player=event.player, facts=(fact,),
            subject=f"seat/{event.seat}" if event.seat else "",
            remedy={"authority": list(allowed)}, text=f"a {event.role} may not {what}",
        )  # fmt: skip
