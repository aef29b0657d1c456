"""Checks of the showdown as it goes: who shows when and who has to, agreements (NL-27, NL-28, NL-30, NL-32, NL-42)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from events.schema.fact import Fact
from games.holdem.book import BOOK
from games.holdem.payouts import plays_board
from games.holdem.seat_rules import told_by_a_site
from games.house_rules.rulebook import Rule
from games.protocol import Round
from games.shared.poker.events import AgreementMade, HandMucked, HandShown
from games.shared.poker.hand import Hand
from games.shared.poker.irregular import CUT_DOWN
from games.shared.poker.settling import tabled
from games.shared.poker.showing import all_in_showdown, board_claimed, due_to_show, may_muck
from games.shared.poker.table import Session
from games.verdict import Finding


@BOOK.check("NL-27", on=(HandShown,), parameters=("showdown_order_scope",))
def last_aggressor_shows_first(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """The last who bet or raised shows first, then clockwise; nobody did: the first after the button. A site turns all
    hands up at once, and the order in which its history lists them is none."""
    hand, event = session.hand, fact.event
    assert isinstance(event, HandShown)
    if session.imported:
        return
    if hand is None or hand.name != fact.round or not hand.ready or hand.over or hand.closed or any(hand.won):
        return
    place = hand.place(event.seat)
    if place < 0 or hand.out[place] or place in hand.shows or _raised_in_vain(hand, event.seat):
        return
    waiting = [
        other
        for other in due_to_show(hand, session.terms)
        if other not in hand.shows and hand.gone[other] not in ("mucked", "killed")
    ]
    if waiting and waiting[0] != place and place in waiting:
        yield rule.finding(
            "shown_out_of_order", "breach", "hand", subject=f"seat/{event.seat}", player=hand.players[place],
            facts=(fact,), remedy={"next": f"seat/{hand.seats[waiting[0]]}"},
        )  # fmt: skip


def _raised_in_vain(hand: Hand, seat: int) -> bool:
    """Whether he bet or raised last as the table saw it, and by the rules it counts for less: then he showed first as
    who had raised, and what was wrong with the raise says all."""
    last = hand.raises[-1][0] if hand.raises else 0
    return any(one.seat == seat and one.code in CUT_DOWN and one.street >= last for one in hand.irregular)


def _mucking(session: Session, fact: Fact) -> tuple[Hand, int] | None:
    """The hand and the position of who gives his cards away at a showdown."""
    hand, event = session.hand, fact.event
    assert isinstance(event, HandMucked)
    if hand is None or hand.name != fact.round or not hand.ready or hand.over:
        return None
    place = hand.place(event.seat)
    return None if place < 0 or hand.out[place] else (hand, place)


@BOOK.check("NL-28", on=(HandMucked,), parameters=("showdown_muck_allowed",))
def hands_are_tabled(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """Who takes part in a showdown shows both cards; giving up an unclaimed hand is tolerated, not all-in."""
    found = _mucking(session, fact)
    if found is None or may_muck(found[0], session.terms):
        return
    hand, place = found
    all_in = session.terms.muck == "unless_all_in" and all_in_showdown(hand)
    yield rule.finding(
        "mucked_all_in" if all_in else "mucked", "breach", "hand", subject=f"seat/{hand.seats[place]}",
        player=hand.players[place], facts=(fact,),
    )  # fmt: skip


def _nobody_silent(round_: Round[Session]) -> bool:
    """Whether no showdown came to its end with somebody neither tabled nor mucked. Of hands that a site does not show
    its history tells nothing."""
    session = round_.session
    hand = session.hand
    if session.imported or hand is None or hand.name != round_.name or hand.over or not hand.ready:
        return True
    return not (hand.closed or any(hand.won)) or not _silent(hand, session.terms.hole)


def _silent(hand: Hand, cards: int) -> list[int]:
    """Who neither tabled nor mucked, though somebody tabled: else nobody knows what the record leaves out."""
    open_ = [place for place in hand.left if tabled(hand, place, cards)]
    return [place for place in hand.left if place not in open_ and not hand.gone[place]] if open_ else []


@BOOK.check("NL-28", parameters=("showdown_muck_allowed",), unless=_nobody_silent)
def nobody_keeps_an_all_in_hand_closed(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """Where no hand may be given away, one that was never tabled breaks the rule, mucked or not (NL-A18)."""
    session = round_.session
    hand = session.hand
    if hand is None or may_muck(hand, session.terms):
        return
    expelled = {seat for seat, _stack in hand.aside}
    for place in _silent(hand, session.terms.hole):
        seat = f"seat/{hand.seats[place]}"
        if round_.touched or hand.seats[place] in expelled:
            yield rule.unverified("never_tabled", "hand", subject=seat, player=hand.players[place])
        else:
            yield rule.finding(
                "never_tabled", "breach", "hand", subject=seat, player=hand.players[place],
                text="no hand may be given away here: it gets no share",
            )  # fmt: skip


@BOOK.check("NL-30", on=(HandMucked,))
def nobody_mucks_when_the_board_plays(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """If somebody plays the board, all who are left show."""
    found = _mucking(session, fact)
    if found is not None and board_claimed(found[0], session.terms, plays_board):
        yield _untabled(rule, *found, [fact])


@BOOK.check("NL-30", unless=told_by_a_site)
def all_show_when_the_board_plays(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """… before the award. Of hands that a site does not show its history tells nothing."""
    session = round_.session
    hand = session.hand
    if hand is None or hand.name != round_.name or hand.over or not (hand.closed or any(hand.won)):
        return
    silent = [place for place in hand.left if not hand.gone[place] and not tabled(hand, place, session.terms.hole)]
    if not silent or not board_claimed(hand, session.terms, plays_board):
        return
    for place in silent:
        if round_.touched:
            yield rule.unverified("board_plays_untabled", "hand", subject=f"seat/{hand.seats[place]}")
        else:
            yield _untabled(rule, hand, place, ())


def _untabled(rule: Rule, hand: Hand, place: int, facts: Sequence[Fact]) -> Finding:
    return rule.finding(
        "board_plays_untabled", "breach", "hand", subject=f"seat/{hand.seats[place]}", player=hand.players[place],
        facts=facts, text="somebody plays the board: all who are left show",
    )  # fmt: skip


@BOOK.check("NL-32", on=(AgreementMade,), parameters=("run_it_twice", "insurance"))
def the_pot_is_run_once(_session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """The winner of the showdown gets the pot: no second board, no insurance, unless the house plays so (NL-A41)."""
    event = fact.event
    assert isinstance(event, AgreementMade)
    allowed = {"run_it": rule["run_it_twice"], "insurance": rule["insurance"]}
    if not allowed.get(event.what, True):
        yield rule.finding(
            f"no_{event.what}", "breach", "round", facts=(fact,), remedy={"seats": list(event.seats)},
            text="not played here; the money stays as the boards decide it" if event.what == "run_it" else "",
        )  # fmt: skip


@BOOK.check("NL-42", on=(AgreementMade,))
def nobody_plays_together(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """Poker is an individual game: who shares a pot or plays it down by agreement may be penalised; bets stand."""
    event = fact.event
    assert isinstance(event, AgreementMade)
    if event.what in ("run_it", "insurance"):
        return
    hand = session.hand
    for seat in event.seats:
        place = -1 if hand is None else hand.place(seat)
        yield rule.finding(
            f"agreed_{event.what}", "penalty", "player", subject=f"seat/{seat}", facts=(fact,), text=event.text,
            player=hand.players[place] if hand is not None and place >= 0 else session.seated.get(seat, ""),
        )  # fmt: skip
