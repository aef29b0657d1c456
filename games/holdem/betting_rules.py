"""Checks at each action: turn, amounts, words and chips (NL-11, NL-12, NL-22 … NL-26, NL-34, NL-36)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from events.schema.event import Event
from events.schema.fact import Fact
from games.holdem.book import BOOK
from games.house_rules.rulebook import Rule
from games.shared.poker.acting import read_in, said_of
from games.shared.poker.betting import NOBODY, Bets, Limits, may_raise, raise_by_increment, raise_to
from games.shared.poker.events import ActionTaken, ChipsPushed, WordsSpoken
from games.shared.poker.hand import STREETS, Hand
from games.shared.poker.reading import Reading
from games.shared.poker.table import Session
from games.verdict import Finding

_ACTS = (ActionTaken, ChipsPushed, WordsSpoken)
_NOTHING: tuple[Finding, ...] = ()
READING_RULES: dict[str, str] = {
    "below_minimum": "NL-22",
    "under_bet": "NL-22",
    "short_call": "NL-22",
    "above_maximum": "NL-22",
    "check_facing_bet": "NL-22",
    "half_raise": "NL-23",
    "below_half": "NL-23",
    "not_reopened": "NL-25",
    "word_late": "NL-26",
    "other_language": "NL-34",
    "exposed": "NL-36",
}
"""The rule behind each reason for which an action counts otherwise than it was made."""


def _in_order(session: Session, fact: Fact) -> bool:
    """Whether a whole action is plainly in order, as nearly all are: on turn and of a legal amount."""
    hand, event = session.hand, fact.event
    if type(event) is not ActionTaken or hand is None or hand.name != fact.round:
        return False
    bets = hand.bets
    place = bets.actor
    if place == NOBODY or hand.seats[place] != event.seat or not (hand.last_blind or hand.street):
        return False
    if event.action == "fold":
        return True
    amount, stack = event.amount, hand.stacks[place]
    total = bets.front[place] + amount
    if total == bets.to_match:
        return amount <= stack
    limits = session.limits[hand.street]
    if total < bets.to_match or amount > stack or limits.exactly or limits.most is not None:
        return total < bets.to_match and amount == stack
    return may_raise(bets, limits, place) and (amount == stack or total >= raise_to(bets, limits))


def _acting(session: Session, fact: Fact) -> tuple[Hand, int] | None:
    """The hand and the position of who acts, if it is one that counts."""
    hand = session.hand
    event = fact.event
    if hand is None or fact.round != hand.name or not isinstance(event, _ACTS):
        return None
    place = hand.place(event.seat)
    return None if place == NOBODY else (hand, place)


def _out_of_turn(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    hand = session.hand
    event = fact.event
    if hand is None or fact.round != hand.name:
        return
    assert isinstance(event, ActionTaken | ChipsPushed | WordsSpoken)
    if not hand.last_blind and not hand.street:
        return
    actor = hand.bets.actor
    seat = event.seat
    if actor != NOBODY and hand.seats[actor] == seat:
        return
    if not isinstance(event, ActionTaken) and not _acts_anew(hand, event):
        return
    expected = "" if actor == NOBODY else f"seat/{hand.seats[actor]}"
    yield rule.finding(
        "out_of_turn" if expected else "nothing_to_act",
        "breach",
        "bet",
        subject=f"seat/{seat}",
        player=_player(hand, seat),
        facts=(fact,),
        remedy={"actor": expected},
        text=f"{STREETS[hand.street]}: it was the turn of {expected or 'nobody'}",
    )


def _acts_anew(hand: Hand, event: Event) -> bool:
    """Words and chips of somebody who is not on turn: chips that he owes, or a second motion, are no new action."""
    assert isinstance(event, ChipsPushed | WordsSpoken)
    place = hand.place(event.seat)
    if isinstance(event, WordsSpoken):
        return event.word not in ("time", "straddle") and place != hand.latest
    return place == NOBODY or (hand.apart[place] >= 0 and place != hand.latest)


def _player(hand: Hand, seat: int) -> str:
    place = hand.place(seat)
    return "" if place == NOBODY else hand.players[place]


@BOOK.check("NL-11", on=_ACTS, parameters=("out_of_turn",), unless=_in_order)
def first_round_in_turn(session: Session, fact: Fact, rule: Rule) -> Iterable[Finding]:
    """The first round starts left of the big blind and goes round clockwise."""
    return _NOTHING if session.hand is None or session.hand.street else _out_of_turn(session, fact, rule)


@BOOK.check("NL-12", on=_ACTS, parameters=("out_of_turn",), unless=_in_order)
def later_rounds_in_turn(session: Session, fact: Fact, rule: Rule) -> Iterable[Finding]:
    """Later rounds start with the first player still in after the button; the bet comes back to who checked."""
    return _NOTHING if session.hand is None or not session.hand.street else _out_of_turn(session, fact, rule)


@BOOK.check(
    "NL-22", on=(ActionTaken,), parameters=("min_raise_rule", "under_bet", "raise_size", "short_open"),
    unless=_in_order,
)  # fmt: skip
def raises_reach_the_minimum(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """A bet is at least the big blind, a raise at least to double the bet; who has less may put in all he has."""
    event = fact.event
    assert isinstance(event, ActionTaken)
    if event.action == "fold" or not event.amount:
        if event.action == "check":
            yield from _check_facing_bet(session, fact, rule)
        return
    found = _acting(session, fact)
    if found is None or not session.limits:
        return
    hand, place = found
    bets, limits = hand.bets, session.limits[hand.street]
    total, stack = bets.front[place] + event.amount, hand.stacks[place]
    if total < bets.to_match:
        if event.amount < stack:
            yield _corrected(rule, hand, place, fact, "short_call", "call", bets.to_match)
        return
    if total == bets.to_match or event.amount >= stack or not may_raise(bets, limits, place):
        return
    low = raise_to(bets, limits)
    if total < low:
        yield _corrected(rule, hand, place, fact, "below_minimum" if bets.to_match else "under_bet", "raise", low)
        yield from _other_reading(rule, hand, place, fact, bets, limits, total)
    elif limits.exactly and total > low:
        yield _corrected(rule, hand, place, fact, "not_exactly_double", "raise", low)
    elif limits.most is not None and total > limits.most:
        yield _corrected(rule, hand, place, fact, "above_maximum", "raise", limits.most)


def _check_facing_bet(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    found = _acting(session, fact)
    if found is not None and found[0].bets.front[found[1]] < found[0].bets.to_match:
        hand, place = found
        yield rule.finding(
            "check_facing_bet", "corrected", "bet", subject=f"seat/{hand.seats[place]}", player=hand.players[place],
            facts=(fact,), remedy={"action": "none"}, text="a check facing a bet is no action, all options stay",
        )  # fmt: skip


def _other_reading(
    rule: Rule, hand: Hand, place: int, fact: Fact, bets: Bets, limits: Limits, total: int
) -> Iterator[Finding]:
    """The increment rule would have let it stand: other money, so both are shown (NL-A6)."""
    smallest = raise_by_increment(bets, limits)
    if limits.min_raise != "double_bet_to_match" or not bets.to_match or total < smallest:
        return
    yield rule.finding(
        "other_reading", "advisory", "bet", subject=f"seat/{hand.seats[place]}", player=hand.players[place],
        facts=(fact,), remedy={"last_increment": smallest}, text="legal where the last increment is the minimum",
    )  # fmt: skip


def _corrected(rule: Rule, hand: Hand, place: int, fact: Fact, code: str, action: str, total: int) -> Finding:
    return rule.finding(
        code, "corrected", "bet", subject=f"seat/{hand.seats[place]}", player=hand.players[place], facts=(fact,),
        remedy={"action": action, "total": total},
    )  # fmt: skip


@BOOK.check("NL-24", on=(ActionTaken,), unless=_in_order)
def nobody_bets_more_than_he_has(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """A player may bet what he has on the table, and no more."""
    event = fact.event
    assert isinstance(event, ActionTaken)
    found = _acting(session, fact) if event.amount else None
    if found is not None and event.amount > max(found[0].stacks[found[1]], 0):
        hand, place = found
        whole = hand.bets.front[place] + hand.stacks[place]
        yield _corrected(rule, hand, place, fact, "more_than_stack", "all_in", whole)


@BOOK.check("NL-25", on=(ActionTaken,), parameters=("short_all_in_accumulates",), unless=_in_order)
def short_all_in_does_not_reopen(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """Who has acted and faces only short all-ins may fold or call."""
    event = fact.event
    assert isinstance(event, ActionTaken)
    found = _acting(session, fact) if event.amount else None
    if found is None or not session.limits:
        return
    hand, place = found
    bets = hand.bets
    if bets.actor == NOBODY:
        return  # nobody may act at all, which NL-12 reports
    if bets.front[place] + event.amount > bets.to_match and not may_raise(bets, session.limits[hand.street], place):
        yield _corrected(rule, hand, place, fact, "not_reopened", "call", bets.to_match)


# --- words and chips told apart ---


def reading_at(session: Session, fact: Fact) -> Reading | None:
    """What this word or push counts for, if it is an action of the player on turn."""
    found = _acting(session, fact)
    if found is None or not session.limits:
        return None
    hand, place = found
    event = fact.event
    if place != hand.bets.actor or hand.apart[place] < 0:
        return None
    if isinstance(event, ChipsPushed):
        pending = hand.pending
        said = pending.said if pending is not None and pending.place == place else None
        return read_in(hand, session, place, said, event.chips or (event.amount, 0))
    if isinstance(event, WordsSpoken):
        said = said_of(event, session)
        waits = said.word in ("raise", "bet", "complete") and said.amount is None
        if waits or not said.binding or event.word in ("time", "straddle"):
            return None
        return read_in(hand, session, place, said, ())
    return None


def _reads_as(codes: frozenset[str]) -> object:
    def check(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
        reading = reading_at(session, fact)
        if reading is None or reading.code not in codes or session.hand is None:
            return
        hand, event = session.hand, fact.event
        assert isinstance(event, ChipsPushed | WordsSpoken)
        place = hand.place(event.seat)
        yield rule.finding(
            reading.code, "corrected", "bet", subject=f"seat/{event.seat}", player=hand.players[place],
            facts=(fact,), text=f"counts as {reading.action or 'no action'}",
            remedy={
                "action": reading.action, "total": reading.total, "add": reading.add, "returned": reading.returned,
            },
        )  # fmt: skip
        if reading.code == "below_minimum" and isinstance(event, WordsSpoken) and event.amount is not None:
            limits = session.limits[hand.street]
            yield from _other_reading(rule, hand, place, fact, hand.bets, limits, event.amount)

    return check


def _register() -> None:
    parameters = {
        "NL-22": ("min_raise_rule", "under_bet", "raise_size", "short_open"),
        "NL-23": ("fifty_pct_base", "min_raise_rule"),
        "NL-25": ("short_all_in_accumulates",),
        "NL-26": ("one_chip_raise", "one_chip_post_flop", "words"),
        "NL-34": ("other_language_effect",),
        "NL-36": ("exposed_ban_scope", "exposed_ban_cards"),
    }
    for rule_id, names in parameters.items():
        codes = frozenset(code for code, rule in READING_RULES.items() if rule == rule_id)
        BOOK.check(rule_id, on=(ChipsPushed, WordsSpoken), parameters=names)(_reads_as(codes))  # type: ignore[arg-type]


_register()


@BOOK.check("NL-26", on=(WordsSpoken,), parameters=("words",))
def word_before_the_chip(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """A raise with one chip is announced before the chip touches the table; a word behind it is too late."""
    hand, event = session.hand, fact.event
    assert isinstance(event, WordsSpoken)
    if hand is None or hand.name != fact.round or event.word not in ("raise", "bet", "complete"):
        return
    place = hand.place(event.seat)
    if place == NOBODY or place != hand.latest or hand.apart[place] <= 0:
        return
    total = hand.bets.front[place]
    yield rule.finding(
        "word_late", "corrected", "bet", subject=f"seat/{event.seat}", player=hand.players[place], facts=(fact,),
        remedy={"action": "call", "total": total, "add": 0, "returned": hand.apart[place]},
        text="the chip lay on the table before the word",
    )  # fmt: skip
