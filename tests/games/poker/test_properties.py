"""The generators of poker hands themselves: what they make can be on record, and is not all folds before the flop."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings

from events.schema.catalogue import Catalogue
from events.schema.common import TABLE_EVENTS
from events.schema.event import Event, to_plain
from events.schema.notation import read_event, write_event
from games.holdem import GAME
from games.holdem.dealer import shipped_edition
from games.shared.poker.events import POKER_EVENTS
from tests.games.poker.anything import ANYTHING, CHANGES, Change, any_of, changed
from tests.games.poker.hands import Played, Setup, Told, edition_of
from tests.soaking import examples

CATALOGUE = Catalogue((*TABLE_EVENTS, *POKER_EVENTS))
TOML = shipped_edition().toml


@settings(max_examples=examples(300), deadline=None)
@given(ANYTHING)
def test_any_event_that_is_made_up_could_have_come_on_the_wire(event: Event) -> None:
    assert CATALOGUE.decode(event.TOPIC, to_plain(event)) == event
    assert read_event(write_event(event, CATALOGUE), CATALOGUE) == event


@pytest.mark.parametrize("cls", POKER_EVENTS, ids=lambda cls: cls.__name__)
def test_every_poker_event_can_be_made_up(cls: type[Event]) -> None:
    @settings(max_examples=3, database=None)
    @given(any_of(cls))
    def made(event: Event) -> None:
        assert type(event) is cls

    made()


@settings(max_examples=examples(50), deadline=None)
@given(CHANGES)
def test_changes_leave_the_opening_as_it_is(changes: list[Change]) -> None:
    told = [Told(CATALOGUE.decode(topic, {}), name) for topic, name in (("TB.RoundOpened.v1", "1"),) * 9]  # type: ignore[arg-type]
    opening = [Told(Setup((1, 2), (1, 1)).stakes, None)]
    made = changed([*opening, *told], changes, 1)
    assert made[:1] == opening
    assert abs(len(made) - 10) <= len(changes)
    assert {one.round for one in made[1:]} <= {"1"}


def played(seed: int) -> Played:
    """A session of two hands at a table of two to nine with deep and short stacks."""
    rng = Random(seed)
    count = rng.choice((2, 3, 4, 6, 9))
    setup = Setup(
        seats=tuple(sorted(rng.sample(range(1, 10), count))),
        chips=tuple(rng.choice((3, 7, 20, 200)) for _seat in range(count)),
        button=rng.randrange(count),
        betting=("no_limit", "pot_limit", "fixed_limit")[seed % 3],
        straddle=count > 2 and seed % 4 == 0,
        deal=rng.choice(("hole", "cards", "hands")),
        deck=seed,
        hands=2,
    )
    return Played(GAME, edition_of(TOML, setup.parameters, GAME), setup, rng.randbytes(120)).play()


def test_hands_played_reach_the_river_side_pots_and_the_showdown_in_every_structure() -> None:
    seen: Counter[str] = Counter()
    for seed in range(120):
        session = played(seed)
        hand = session.session.hand
        seen[session.setup.betting] += len(hand.board) == 5
        seen["shown"] += len(hand.shows) > 1
        seen["mucked"] += "mucked" in hand.gone
        seen["folded"] += "folded" in hand.gone
        seen["side pots"] += len({live for live, out in zip(hand.live, hand.out, strict=True) if not out}) > 1
        seen["straddle"] += any(kind == "straddle" for _place, kind, _amount in hand.posts)
        seen["second hand"] += hand.name == "2"
        seen["raised"] += len(hand.raises) > 1
        seen["away"] += any(type(one.event).__name__ == "PlayerWentAway" for one in session.told)
    wanted = ("shown", "mucked", "folded", "side pots", "straddle", "second hand", "raised", "away")
    structures = ("no_limit", "pot_limit", "fixed_limit")
    assert [what for what in (*wanted, *structures) if not seen[what]] == [], seen
