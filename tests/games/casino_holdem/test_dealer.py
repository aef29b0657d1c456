"""The scripted dealer: whole sessions, the same for the same seed, with everything that a table holds."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from events.errors import Refused
from events.schema.common import InventoryCounted
from events.schema.event import Event
from events.values.cards import UNKNOWN
from events.values.places import FLOAT, kind
from games.casino_holdem import GAME
from games.shared.bank.events import CardLaid
from tests.games.casino_holdem.room import CATALOGUE, EDITION
from tests.games.table import all_findings, facts_of, judge_facts


def test_one_seed_deals_one_session_and_another_another() -> None:
    assert list(GAME.deal(5, 1)) == list(GAME.deal(5, 1))
    assert list(GAME.deal(5, 1)) != list(GAME.deal(5, 2))
    assert list(GAME.deal(5, 1, breach="CH-24")) == list(GAME.deal(5, 1, breach="CH-24"))


def test_a_session_says_where_when_and_in_which_money() -> None:
    envelopes = list(GAME.deal(2, 1, table="praha/CH-11", day="2026-12-01", currency="EUR"))
    assert {envelope.subject for envelope in envelopes} == {"table/praha/CH-11/2026-12-01.1"}
    assert envelopes[0].data["currency"] == "EUR"


@pytest.mark.parametrize("seed", range(4))
def test_the_closing_count_is_the_opening_count_and_what_moved(seed: int) -> None:
    moved = 0
    counts: dict[str, int] = {}
    lying: Counter[str] = Counter()
    for fact in facts_of(GAME.deal(30, seed), CATALOGUE):
        for move in fact.event.moves() if fact.event.MOVES else ():
            lying[move.frm] -= int(move.amount)
            lying[move.to] += int(move.amount)
            moved += int(move.amount) * ((move.to == FLOAT) - (move.frm == FLOAT))
        if isinstance(fact.event, InventoryCounted):
            counts[fact.event.kind] = fact.event.amount
    assert counts["closer"] == counts["opener"] + moved
    assert all(amount == 0 for place, amount in lying.items() if kind(place) == "box")


def test_a_long_session_holds_what_a_table_holds() -> None:
    facts = [fact for seed in (3, 4, 6) for fact in facts_of(GAME.deal(40, seed), CATALOGUE)]
    seen = Counter(type(fact.event).__name__ for fact in facts)
    for wanted in (
        "SeenBoxAnnounced",
        "StakePlaced",
        "Decided",
        "BoxTurned",
        "DealerRelieved",
        "SeatLeft",
        "FillReceived",
    ):
        assert seen[wanted], f"no {wanted}"
    spots = Counter(fact.event.spot for fact in facts if type(fact.event).__name__ == "StakePlaced")
    assert set(spots) == {"ante", "blind", "trips", "play"}
    choices = Counter(fact.event.choice for fact in facts if type(fact.event).__name__ == "Decided")
    assert set(choices) == {"check", "fold"}
    reasons = {
        line.rule
        for verdict in judge_facts(facts_of(GAME.deal(150, 9), CATALOGUE), GAME, EDITION).verdicts
        for line in verdict.due.lines
    }
    assert reasons == {"CH-25", "CH-26", "CH-27", "CH-28", "CH-29", "CH-30"}


def unread(event: Event) -> Event:
    """A down card as nobody has seen it."""
    hidden = isinstance(event, CardLaid) and event.face == "down"
    return replace(event, card=UNKNOWN) if hidden else event


def test_a_deck_that_is_not_read_is_settled_all_the_same_once_hands_are_turned() -> None:
    """A table without a reading shoe: cards are dealt unseen and told when they are turned."""
    facts = [replace(fact, event=unread(fact.event)) for fact in facts_of(GAME.deal(3, 2), CATALOGUE)]
    judgement = judge_facts(facts, GAME, EDITION)
    assert all_findings(judgement) == []
    assert {(verdict.standing, verdict.settlement) for verdict in judgement.verdicts} == {("valid", "agrees")}


def test_what_cannot_be_dealt_is_refused() -> None:
    with pytest.raises(Refused, match="CH-32"):
        list(GAME.deal(3, 1, breach="CH-32"))
    with pytest.raises(Refused, match="no round 3"):
        list(GAME.deal(3, 1, breach="CH-24", breach_round=3))
