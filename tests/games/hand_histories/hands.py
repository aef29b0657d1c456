"""Hands written for these tests, and the way from a file's bytes to facts and verdicts without a store."""

from __future__ import annotations

from events.schema.catalogue import Catalogue
from events.schema.common import TABLE_EVENTS
from events.schema.fact import Fact
from events.schema.order import Ordered, table_order
from events.schema.ours import OUR_EVENTS
from events.values.clock import parse_time
from games.hand_histories.draft import envelopes, plain_data
from games.hand_histories.names import Pseudonyms
from games.hand_histories.phh import PhhHand
from games.hand_histories.phh_in import Imported, take
from games.shared.poker.events import POKER_EVENTS

CATALOGUE = Catalogue((*TABLE_EVENTS, *OUR_EVENTS, *POKER_EVENTS))
NAMES = Pseudonyms()

THREE_HANDED = """\
variant = 'NT'
ante_trimming_status = true
antes = [0, 0, 0]
blinds_or_straddles = [2, 4, 0]
min_bet = 4
starting_stacks = [400, 396.5, 250]
actions = [
  'd dh p1 7c2d',
  'd dh p2 KsKh',
  'd dh p3 ????',
  'p3 cbr 12',  # Cyril opens
  'p1 f',
  'p2 cc',
  'd db 4h9sJc',
  'p2 cc',
  'p3 cbr 15.5',
  'p2 cbr 50',
  'p3 f # and Cyril shows a jack',
]
event = 'A home game'
players = ['Anna Nová', 'Bedřich', 'Cyril']
finishing_stacks = [398, 426, 222.5]
"""

HEADS_UP_ALL_IN = """\
variant = "NT"
ante_trimming_status = false
antes = [0, 1]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [50, 80]
actions = ["d dh p1 AcAd", "d dh p2 QhJh", "p2 cbr 79", "p1 cc", "p1 sm AcAd", "p2 sm QhJh",
  "d db Th8h2c", "d db 3s", "d db 3h"]
seats = [7, 3]
hand = 12
venue = "The kitchen"
finishing_stacks = [0, 130]
"""


def taken(text: str) -> Imported:
    """A hand read."""
    return take(text.encode(), NAMES)


def facts_of(hand: Imported) -> list[Fact]:
    """The hand's records as facts, by way of plain data."""
    return [
        Fact(
            subject=one.subject,
            source=one.source,
            sequence=int(one.sequence),
            topic=one.type,
            event=CATALOGUE.decode(one.type, one.data),
            occurred_at=parse_time(one.time),
            round=one.round,
        )
        for one in map(plain_data, envelopes(hand.key, hand.opened, hand.draft, hand.played_at))
    ]


def ordered(hand: Imported) -> Ordered:
    """The hand in table order."""
    return table_order(facts_of(hand), CATALOGUE.decode)


def apart(one: PhhHand, other: PhhHand, names: Pseudonyms = NAMES) -> list[str]:
    """The fields in which `other` is not the hand `one` with its players' names replaced."""
    told = dict(one.document)
    if one.players:
        ids = {name: names.of(name) for name in one.players if name}
        told = {key: _replaced(value, ids) for key, value in told.items()}
    found = [key for key in {*told, *other.document} - {"actions"} if told.get(key) != other.document.get(key)]
    return found + (["actions"] if one.actions != other.actions else [])


def _replaced(value: object, ids: dict[str, str]) -> object:
    if isinstance(value, list):
        return [_replaced(item, ids) for item in value]
    return ids.get(value, value) if isinstance(value, str) else value
