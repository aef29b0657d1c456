"""Checks of conduct: penalties proposed, soft play, talk, collusion, expulsion (NL-34, NL-39 … NL-44, NL-46).

The engine proposes a penalty with its evidence; whether and which is a person's choice (NL-39, NL-44).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from events.schema.common import ChipsMoved, TableClosed
from events.schema.fact import Fact
from events.values.places import SEAT_NUMBERS
from games.holdem.book import BOOK
from games.holdem.payouts import BEST, best_of_all
from games.holdem.seat_rules import from_the_pot
from games.house_rules.rulebook import Rule
from games.protocol import Round
from games.settlement import REPAIRS
from games.shared.poker.conduct import ConductReported, PenaltyGiven
from games.shared.poker.discipline import ETIQUETTE, breaches_after, counts, in_play, seat_of, to_cash_out, withheld
from games.shared.poker.events import (
    CardExposed,
    CardFound,
    HandKilled,
    LineUp,
    PlayerDealtIn,
)
from games.shared.poker.hand import Hand
from games.shared.poker.settling import refunded
from games.shared.poker.softplay import LAST_STREET, owes_aggression
from games.shared.poker.stacks import owner, passes
from games.shared.poker.table import Session, evolve
from games.verdict import Finding, Kind

REPORT_RULES: dict[str, str] = {
    "talk": "NL-41",
    "advice": "NL-41",
    "comment": "NL-41",
    "language": "NL-34",
    "cards_hidden": "NL-46",
    "chips_hidden": "NL-46",
    "delay": "NL-44",
    "splash": "NL-44",
    "other": "NL-44",
    "insult": "NL-39",
    "cards_thrown": "NL-39",
    "one_player_one_hand": "NL-39",
    "dishonesty": "NL-39",
    "device": "NL-39",
    "soft_play": "NL-42",
    "collusion": "NL-42",
}
"""The rule that a reported conduct breaks."""

_REPEATED = ("etiquette_repeat_threshold", "repeat_scope")


def _player(rule: Rule, session: Session, fact: Fact, code: str, kind: Any, **more: Any) -> Finding:
    """A finding about the player whom a report or sanction names."""
    event = fact.event
    assert isinstance(event, ConductReported | PenaltyGiven)
    seat = seat_of(session, event.player, event.seat)
    return rule.finding(
        code, kind, "player", subject=f"seat/{seat}" if seat else "", player=event.player, facts=(fact,), **more
    )


# --- etiquette: a breach the first time, repeated a penalty (NL-34, NL-41, NL-44, NL-46) ---


def _reported_breach(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """A report of etiquette broken: a breach, a penalty proposed from the second of the player's in the session."""
    event = fact.event
    assert isinstance(event, ConductReported)
    if REPORT_RULES.get(event.what) != rule.id or not counts(session, event):
        return
    number = breaches_after(session, event)
    if number < rule["etiquette_repeat_threshold"]:
        yield _player(rule, session, fact, event.what, "breach", text=event.text)
        return
    yield _player(
        rule, session, fact, f"{event.what}_repeated", "penalty", via="" if rule.id == "NL-44" else "NL-44",
        remedy={"breaches": number, "at_most": "expulsion" if rule.id == "NL-41" else "sit_out"}, text=event.text,
    )  # fmt: skip


for _rule in sorted({REPORT_RULES[_what] for _what in ETIQUETTE}):
    BOOK.check(_rule, on=(ConductReported,), parameters=_REPEATED)(_reported_breach)


@BOOK.check("NL-44", on=(PenaltyGiven,), parameters=_REPEATED)
def warned_again(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """A warning that answers no report is a breach on record too: the second leads to a penalty."""
    event = fact.event
    assert isinstance(event, PenaltyGiven)
    before = session.conduct.breaches.get(event.player, 0)
    number = breaches_after(session, event)
    if event.penalty == "warning" and number > before and number >= rule["etiquette_repeat_threshold"]:
        yield _player(rule, session, fact, "warned_again", "penalty", remedy={"breaches": number}, text=event.why)


# --- grounds for a penalty (NL-39), cards and chips in sight (NL-46) ---


@BOOK.check("NL-39", on=(ConductReported,))
def grounds_for_a_penalty(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """Cards thrown off the table, two on one hand, insults, suspicion of dishonesty. No money moves; a hand whose cards
    were thrown is dead only by ruling."""
    event = fact.event
    assert isinstance(event, ConductReported)
    if REPORT_RULES.get(event.what) == "NL-39":
        yield _player(rule, session, fact, event.what, "penalty", text=event.text)


@BOOK.check("NL-39", on=(CardExposed,))
def cards_turned_up_on_purpose(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """Turning one's cards up while others still have to act."""
    event, hand = fact.event, session.hand
    assert isinstance(event, CardExposed)
    if event.by != "player" or not event.deliberate or hand is None or hand.name != fact.round or not hand.betting:
        return
    seat = event.where.removeprefix("seat/")
    place = hand.place(int(seat)) if seat.isdigit() else -1
    if place >= 0 and not hand.out[place]:
        yield rule.finding(
            "cards_turned_up", "penalty", "player", subject=event.where, player=hand.players[place], facts=(fact,)
        )


@BOOK.check("NL-46", on=(CardFound,))
def cards_stay_on_the_table(_session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """Cards lie on the table, in sight of all, for the whole hand."""
    event = fact.event
    assert isinstance(event, CardFound)
    if event.fault == "off_table":
        yield rule.finding("card_off_table", "breach", "hand", subject=event.where, facts=(fact,))


@BOOK.check("NL-46", on=(HandKilled,))
def unprotected_hand_is_dead(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """A hand that its owner did not protect and the dealer mucked unseen is dead; its chips stay in the pot."""
    event, hand = fact.event, session.hand
    assert isinstance(event, HandKilled)
    if event.by != "dealer" or event.tabled or hand is None or hand.name != fact.round or not in_play(hand):
        return
    place = hand.place(event.seat)
    cards = session.terms.hole
    if any(seat == event.seat for seat, _stack in hand.aside):
        return  # an expelled player cannot protect it: it stays live (NL-43)
    if place < 0 or hand.out[place] or len(hand.hole[place]) != cards or len(hand.shown[place]) >= cards:
        return
    yield rule.finding(
        "unprotected_hand_mucked", "dead", "hand", subject=f"seat/{event.seat}", player=hand.players[place],
        facts=(fact,), remedy={"refund": 0}, text="its chips stay in the pot",
    )  # fmt: skip


# --- soft play (NL-40) ---


def no_last_call(round_: Round[Session]) -> bool:
    """Whether the hand did not end with somebody checking or calling on the river, as most do not."""
    session = round_.session
    hand = session.hand
    if hand is None or hand.street != LAST_STREET or session.imported or hand.name != round_.name:
        return True
    place = hand.latest
    return place < 0 or hand.out[place] or hand.bets.aggressor == place or hand.over or hand.betting


@BOOK.check("NL-40", parameters=("soft_play_exempt_all_tie",), unless=no_last_call)
def the_last_to_act_does_not_spare_others(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """Who acts last on the river with a hand that cannot be beaten bets or raises, if he may and somebody can call."""
    session = round_.session
    hand = session.hand
    if hand is None:
        return
    best, ties = best_of_all(hand, hand.latest)
    if not best or (ties and rule["soft_play_exempt_all_tie"]):
        return
    seat = hand.seats[hand.latest]
    for before, fact in _steps(round_):
        own = before.hand
        if own is None or own.actions != hand.actions - 1 or own.bets.actor == -1:
            continue
        if own.seats[own.bets.actor] != seat or getattr(fact.event, "seat", 0) != seat:
            continue
        # The last fact before the action counted; his earlier words and chips led to it.
        then = evolve(before, fact).hand
        if (
            then is not None
            and then.actions == hand.actions
            and owes_aggression(own, before.limits[own.street], before.terms, best_of_all)
        ):
            yield rule.finding(
                "soft_play", "penalty", "player", subject=f"seat/{seat}", player=hand.players[hand.latest],
                facts=(fact,),
                remedy={"action": "raise" if own.bets.to_match else "bet", "unbeatable": True, "all_tie": ties},
                text="nobody can beat his hand, and he ends the betting without a bet or raise",
            )  # fmt: skip


def _steps(round_: Round[Session]) -> Iterator[tuple[Session, Fact]]:
    """The round once more, each fact with the session before it."""
    session = round_.before
    for fact in round_.facts:
        yield session, fact
        session = evolve(session, fact)


# --- an individual game (NL-42) ---


def _was_paid(hand: Hand | None, fact: Fact, seat: str) -> bool:
    """Whether a pot of this hand was awarded to a seat: what goes on from there sets the award right."""
    if hand is None or hand.name != fact.round:
        return False
    place = hand.place(SEAT_NUMBERS.get(seat, 0))
    return place >= 0 and hand.won[place] > 0


@BOOK.check("NL-42", on=(ChipsMoved,), unless=from_the_pot)
def chips_are_not_passed(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """Chips from one player to another outside a pot: they go back (NL-04), a penalty is proposed for both. That they
    do go back is no second time."""
    event = fact.event
    assert isinstance(event, ChipsMoved)
    hand, seated = session.hand, session.seated
    giver, taker = owner(event.frm, hand, seated), owner(event.to, hand, seated)
    amount = passes(session.passed, event, giver, taker)
    if not amount or (event.cause in REPAIRS and _was_paid(hand, fact, event.frm)):
        return
    back = {"from": event.to, "to": event.frm, "amount": amount}
    yield rule.finding(
        "chips_passed", "corrected", "player", subject=event.to, player=taker, facts=(fact,), remedy={"moves": [back]},
        text="outside a pot: they go back",
    )  # fmt: skip
    for place, player in ((event.frm, giver), (event.to, taker)):
        yield rule.finding("chips_passed", "penalty", "player", subject=place, player=player, facts=(fact,))


@BOOK.check("NL-42", on=(ConductReported,), parameters=("collusion_void_enabled",))
def suspicion_of_playing_together(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """A friendly game may be penalised; reasonable suspicion of collusion is for management. The section gives no right
    to void a hand or to keep chips (NL-A35): what a refund would give each seat is prepared, no more."""
    event = fact.event
    assert isinstance(event, ConductReported)
    if event.what == "soft_play":
        yield _player(rule, session, fact, "friendly_game", "penalty", text=event.text)
        return
    if event.what != "collusion":
        return
    hand = session.hand
    refund = {}
    if hand is not None and hand.name == fact.round:
        refund = {line.stake: line.returned for line in refunded(hand).lines}
    yield _player(
        rule, session, fact, "collusion_suspected", "ruling_required", remedy={"refund": refund},
        text=event.text or "expulsion on reasonable suspicion; chips and won bets are paid out",
    )  # fmt: skip


def _nobody_folded_the_best(round_: Round[Session]) -> bool:
    """Whether nobody who folded held a hand that no other could beat on this board."""
    session = round_.session
    hand = session.hand
    if session.imported or hand is None or hand.street != LAST_STREET or hand.name != round_.name:
        return True
    return not any(gone == "folded" and best_of_all(hand, place) == BEST for place, gone in enumerate(hand.gone))


@BOOK.check("NL-42", unless=_nobody_folded_the_best)
def nobody_folds_the_best_hand(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """A hand that cannot be beaten, folded on the last street, is a sign of chips given away: no more than a hint."""
    for before, fact in _steps(round_):
        hand, seat = before.hand, getattr(fact.event, "seat", 0)
        if hand is None or hand.street != LAST_STREET or hand.bets.actor == -1 or hand.seats[hand.bets.actor] != seat:
            continue
        place = hand.bets.actor
        after = evolve(before, fact).hand
        if after is not None and after.gone[place] == "folded" and best_of_all(hand, place) == BEST:
            yield rule.finding(
                "best_hand_folded", "advisory", "player", subject=f"seat/{seat}", player=hand.players[place],
                facts=(fact,), text="nobody could beat the hand that he folded",
            )  # fmt: skip


# --- expulsion (NL-43) ---


@BOOK.check("NL-43", on=(ChipsMoved,), parameters=("expelled_hand",), unless=from_the_pot)
def chips_of_an_expelled_player_are_his(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """His stack and what he wins are exchanged for cash in full: whatever is taken away is owed to him."""
    event = fact.event
    assert isinstance(event, ChipsMoved)
    player = withheld(session, event) if session.conduct.expelled else ""
    if player:
        yield rule.finding(
            "withheld", "mispaid", "player", subject=event.frm, player=player, money=event.amount, facts=(fact,),
            text="nothing of an expelled player's chips may be kept",
        )  # fmt: skip


@BOOK.check("NL-43", on=(HandKilled,), parameters=("expelled_hand",))
def the_hand_of_an_expelled_player_stays_live(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """It plays for what he has put in, whoever takes the cards away; where nobody can tell what they were, a person
    decides."""
    event, hand = fact.event, session.hand
    assert isinstance(event, HandKilled)
    if hand is None or hand.name != fact.round or all(seat != event.seat for seat, _stack in hand.aside):
        return
    place = hand.place(event.seat)
    kinds: tuple[Kind, ...] = ("breach",)
    if "??" in hand.hole[place] or len(hand.hole[place]) != session.terms.hole:
        kinds = ("breach", "ruling_required")
    for kind in kinds:
        yield rule.finding(
            "expelled_hand_killed", kind, "hand", subject=f"seat/{event.seat}", player=hand.players[place],
            facts=(fact,), text="it stays live for what he has put in",
        )  # fmt: skip


@BOOK.check("NL-43", on=(TableClosed,), parameters=("expelled_hand",))
def an_expelled_player_is_paid_out(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """When the table closes his chips are gone to the cash desk; what the record does not tell is not held against
    anybody."""
    for player, one, left in to_cash_out(session):
        seat = f"seat/{one.seat}"
        if one.cashed:
            yield rule.finding(
                "cash_out_short", "mispaid", "player", subject=seat, player=player, money=left, facts=(fact,)
            )
        else:
            yield rule.unverified("cash_out", "player", subject=seat, player=player, facts=(fact,))


def _nobody_expelled(session: Session, _fact: Fact) -> bool:
    return not session.conduct.expelled


@BOOK.check("NL-43", on=(PlayerDealtIn, LineUp), unless=_nobody_expelled)
def an_expelled_player_plays_no_more(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """He is dealt in no more."""
    expelled = session.conduct.expelled
    event = fact.event
    dealt = event.players if isinstance(event, LineUp) else (getattr(event, "player", ""),)
    if isinstance(event, PlayerDealtIn) and event.status == "absent":
        return
    for player in dealt:
        if player in expelled:
            seat = seat_of(session, player, getattr(event, "seat", expelled[player].seat))
            yield rule.finding(
                "expelled_dealt_in", "breach", "player", subject=f"seat/{seat}" if seat else "", player=player,
                facts=(fact,), text="he was expelled",
            )  # fmt: skip
