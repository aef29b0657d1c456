"""Checks of the deck and of how it is dealt (NL-01, NL-10, NL-13 … NL-21, NL-35).

What was irregular is read out of the hand's steps once (`games.shared.poker.course`); here stands which rule it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from events.schema.common import DeckInspected
from games.holdem.book import BOOK
from games.holdem.payouts import cards_twice, checked_after, foul_of
from games.holdem.seat_rules import hand_of
from games.house_rules.rulebook import Rule
from games.protocol import Round
from games.shared.poker.course import Course, course_of
from games.shared.poker.deck import Irregularity
from games.shared.poker.events import CardFound
from games.shared.poker.table import Session
from games.verdict import Finding, Kind

_BREACH_AND_RULING: tuple[Kind, ...] = ("breach", "ruling_required")

RULE_OF: dict[str, str] = {
    "order": "NL-10",
    "wrong_count": "NL-10",
    "card_seen": "NL-10",
    "misdeal_without_ground": "NL-10",
    "not_redealt": "NL-10",
    "burn_missing": "NL-13",
    "burn_double": "NL-13",
    "burn_untold": "NL-13",
    "card_passed_over": "NL-13",
    "street_order": "NL-13",
    "street_short": "NL-13",
    "stub_shuffled": "NL-13",
    "turn_cards": "NL-13",
    "river_cards": "NL-13",
    "exposed_first": "NL-14",
    "exposed_which": "NL-14",
    "exposed_later": "NL-15",
    "boxed": "NL-15",
    "exposed_more": "NL-16",
    "boxed_more": "NL-16",
    "premature_flop": "NL-17",
    "flop_cards": "NL-18",
    "four_card_flop": "NL-19",
    "premature_turn": "NL-20",
    "premature_river": "NL-20",
    "extra_card": "NL-21",
    "extra_cards": "NL-21",
    "extra_card_lost": "NL-21",
    "rabbit_early": "NL-35",
}
"""The rule of each irregularity that `course_of` tells."""

_READS: dict[str, tuple[str, ...]] = {
    "NL-10": ("misdeal_deadline", "wrong_count_after_action"),
    "NL-13": (),
    "NL-14": ("misdeal_exposed_seq_max", "player_exposed_card", "misdeal_deadline"),
    "NL-15": ("misdeal_exposed_seq_max", "player_exposed_card"),
    "NL-16": ("player_exposed_card", "misdeal_deadline"),
    "NL-17": ("premature_flop_keeps_turn_river",),
    "NL-18": ("four_card_flop_burn",),
    "NL-19": ("four_card_flop_burn",),
    "NL-20": ("premature_turn_redeal", "premature_river"),
    "NL-21": ("extra_card_other_seat", "misdeal_deadline"),
    "NL-35": (),
}
"""The parameters on which a rule's findings rest."""


def _sound(round_: Round[Session]) -> bool:
    """As many players as there may be, and a deck in order."""
    hand = round_.session.hand
    if hand is None or hand.name != round_.name:
        return True
    constants = round_.edition.constants
    return constants.seats_min <= len(hand.seats) <= constants.seats_max and not foul_of(round_, hand)


@BOOK.check("NL-01", parameters=("fouled_deck",), unless=_sound)
def two_to_nine_players_one_deck(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """Two to nine are dealt in, and no card comes twice."""
    hand, constants = hand_of(round_), rule.constants
    if hand is None:
        return
    count = len(hand.seats)
    if hand.dealt and not constants.seats_min <= count <= constants.seats_max:
        for kind in _BREACH_AND_RULING:
            yield rule.finding(
                "players_dealt_in", kind, "round", text=f"{count} players were dealt in",
                remedy={"least": constants.seats_min, "most": constants.seats_max},
            )  # fmt: skip
    found = foul_of(round_, hand)
    if found:
        # Found before the award the hand is void by the facts; what was paid waits for management (NL-A33).
        twice = cards_twice(hand)
        yield rule.finding(
            "card_twice" if twice else "fouled_deck", "void" if found == "before_award" else "ruling_required",
            "round", text=f"{', '.join(twice)} came twice" if twice else "the deck is not complete and genuine",
            facts=[
                *(fact for fact in round_.facts if isinstance(fact.event, CardFound | DeckInspected)),
                *checked_after(round_),
            ],
            remedy={"cards": twice} if twice else {},
        )  # fmt: skip


def _untold(round_: Round[Session]) -> bool:
    """Nothing is on record of how the cards came: a hand that a site tells, or none."""
    hand = round_.session.hand
    return hand is None or not hand.steps or hand.name != round_.name


def course_in(round_: Round[Session]) -> Course:
    """The course of the deck in a round; read once for all its checks."""
    memo = round_.memo
    if "course" not in memo:
        session = round_.session
        memo["course"] = course_of(session.hand, session.terms) if session.hand is not None else Course()
    course: Course = memo["course"]
    return course


def _dealt_by(rule_id: str) -> Callable[[Round[Session], Rule], Iterator[Finding]]:
    """The check of one rule: the irregularities that are its."""

    def check(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
        for one in course_in(round_).found:
            hand = round_.session.hand
            if one.code == "misdeal_without_ground" and hand is not None and foul_of(round_, hand):
                continue  # a fouled deck is the ground
            if RULE_OF.get(one.code) == rule_id:
                yield from _findings(round_, rule, one)

    return check


def _findings(round_: Round[Session], rule: Rule, one: Irregularity) -> Iterator[Finding]:
    if "unverified" in one.kinds or (one.absent and round_.touched):
        yield rule.unverified(one.code, facts=one.facts, subject=one.place, text=one.text)
        return
    hand = round_.session.hand
    place = hand.place(int(one.place[5:])) if hand is not None and one.place.startswith("seat/") else -1
    for kind in one.kinds:
        yield rule.finding(
            one.code, kind, "hand" if kind == "dead" else "round", subject=one.place, facts=one.facts,
            player=hand.players[place] if hand is not None and place >= 0 else "",
            remedy=one.remedy, text="; ".join(dict.fromkeys(one.wrong)) or one.text,
        )  # fmt: skip


for _rule, _parameters in _READS.items():
    BOOK.check(_rule, parameters=_parameters, unless=_untold)(_dealt_by(_rule))
