"""Whatever stands in an Open Hand History: it is refused in words, or taken over, judged, conserved and written again."""

from __future__ import annotations

import io
import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from events.errors import Refused
from games.hand_histories.draft import HandRefused, Imported
from games.hand_histories.objects import objects
from games.hand_histories.ohh_in import take
from games.hand_histories.ohh_out import hands_of
from games.settlement import conserved
from tests.games.hand_histories.hands import NAMES, ordered
from tests.games.hand_histories.ohh import SHOWDOWN, act, text_of
from tests.games.hand_histories.test_judged import judged
from tests.games.hand_histories.test_ohh_out import ODD

WORDS = (
    "Post Ante", "Post SB", "Post BB", "Straddle", "Post Dead", "Post Extra Blind", "Fold", "Check", "Bet", "Raise",
    "Call", "Added Chips", "Sits Down", "Stands Up", "Add to Pot", "Dealt Cards", "Shows Cards", "Mucks Cards", "Sings",
)  # fmt: skip
VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-5, 200), st.sampled_from([0.5, 1e9, 2.005, -1.5]), st.text(max_size=4),
    st.sampled_from(["Ah", "??", "Flop", "River", "Showdown", "NL", "FL", "PL", "AhKs", *WORDS]),
    st.builds(list), st.builds(dict), st.builds(lambda: [["Ah"]]),
)  # fmt: skip
ACTIONS = st.builds(
    act,
    st.one_of(st.integers(0, 3), st.none()),
    st.sampled_from(WORDS),
    st.sampled_from([0, 0.5, 1, 2, 4, 6, 40, 100, 250]),
    st.sampled_from(["", "AhAd", "KhKd", "7c", "7c7d7h"]),
)


def nodes(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to everything in a document."""
    found = [path] if path else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        found += nodes(item, (*path, key))
    return found


@st.composite
def documents(draw: st.DrawFn) -> Any:
    """A hand of these tests, some places of it otherwise, with actions that nobody would take."""
    document = json.loads(text_of(draw(st.sampled_from([*ODD.values(), SHOWDOWN]))))
    for round_ in document["ohh"]["rounds"]:
        if draw(st.booleans()):
            place = draw(st.integers(0, len(round_["actions"])))
            round_["actions"][place:place] = draw(st.lists(ACTIONS, max_size=3))
    for _ in range(draw(st.integers(0, 2))):
        path = draw(st.sampled_from(nodes(document)))
        inside = document
        for key in path[:-1]:
            inside = inside[key]
        inside[path[-1]] = draw(VALUES)
    return document


def taken_or_why(raw: bytes) -> Imported | HandRefused:
    try:
        return take(raw, NAMES)
    except HandRefused as refused:
        return refused


@settings(deadline=None, max_examples=150)
@given(documents())
def test_no_hand_whatever_it_holds_is_an_error(document: Any) -> None:
    found = taken_or_why(json.dumps(document).encode())
    if isinstance(found, HandRefused):
        assert found.code in ("json", "field", "amount", "action", "card", "player", "not_yet")
        return
    first = judged(found)
    assert first == judged(found)
    for one in first.verdicts:
        if one.due.known:
            assert conserved(one.due)
    try:
        [written] = hands_of(ordered(found))
    except Refused:
        return
    again = take(written.text.encode(), NAMES)
    assert [line for one in judged(again).verdicts for line in one.due.lines] == [
        line for one in first.verdicts for line in one.due.lines
    ]


@settings(deadline=None)
@given(st.binary(max_size=300), st.integers(0, 400))
def test_bytes_of_any_kind_end_in_hands_or_refusals(noise: bytes, place: int) -> None:
    raw = text_of(SHOWDOWN).encode()
    raw = raw[:place] + noise + raw[place:]
    for section in objects(io.BytesIO(raw)):
        taken_or_why(section.raw)
