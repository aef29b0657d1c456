from __future__ import annotations

from decimal import Decimal
from typing import Any

import pokerkit
import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.errors import Refused
from events.schema.common import ChipsMoved, RoundClosed, RoundOpened, TableOpened
from events.schema.event import Event
from events.schema.fact import Fact
from events.schema.order import table_order
from events.schema.ours import RecordCorrected
from events.values.cards import DECK
from games.hand_histories.phh import read_document, read_hand
from games.hand_histories.phh_out import WrittenHand, hands_of, write_file
from games.shared.poker.events import (
    ActionTaken,
    BoardDealt,
    ButtonPlaced,
    CardDealt,
    HandsDealt,
    PlayerDealtIn,
    Posted,
    StakesAnnounced,
)
from tests.games.hand_histories.hands import CATALOGUE, HEADS_UP_ALL_IN, THREE_HANDED, apart, facts_of, ordered, taken

FULL = """\
variant = 'NT'
ante_trimming_status = true
antes = [0.5, 0.5, 0.5]
blinds_or_straddles = [1, 2, -2]
min_bet = 2
starting_stacks = [0.5, 1.2, inf]
actions = ['d dh p1 AhKh', 'd dh p2 ????', 'd dh p3 QcQd', 'p3 cbr 8.25', 'p3 sm QcQd', 'p1 sm -', 'd db 4h9sJc']
author = 'N. N.'
event = "It's \\"the\\" game\\t"
url = 'https://example.org/#1'
time = 10:11:12.5
day = 1
month = 2
year = 2023
hand = '7a'
level = 3
seats = [9, 1, 4]
seat_count = 9
table = 'A'
players = ['x', '', 'y']
currency = 'EUR'
currency_symbol = '€'
time_banks = [30.0, 30, 15.5]
_site = {mode = 'fast', "a b" = [true, 1979-05-27, 1e-3]}
"""


FIXED_LIMIT = """\
variant = 'FT'
antes = [0, 0, 0]
blinds_or_straddles = [5, 10, 0]
small_bet = 10
big_bet = 20
starting_stacks = [400, 400, 400]
actions = ['p3 cbr 20', 'p1 f', 'p2 cc', 'd db 4h9sJc', 'p2 cc', 'p3 cbr 10', 'p2 f']
"""


@pytest.mark.parametrize("text", [THREE_HANDED, HEADS_UP_ALL_IN, FULL, FIXED_LIMIT])
def test_out_and_in_again_gives_an_equal_hand(text: str) -> None:
    first = taken(text)
    [written] = hands_of(ordered(first))
    assert apart(first.hand, read_hand(written.text)) == []


def test_fields_stand_in_the_format_s_order_and_the_site_s_own_after_them() -> None:
    [written] = hands_of(ordered(taken("_own = 1\nhand = 2\n" + THREE_HANDED)))
    names = list(read_document(written.text))
    assert names[:3] == ["variant", "ante_trimming_status", "antes"]
    assert names.index("event") < names.index("hand") < names.index("players") < names.index("_own")


@pytest.mark.parametrize("text", [THREE_HANDED, HEADS_UP_ALL_IN])
def test_another_program_reads_and_replays_what_is_written(text: str) -> None:
    [written] = hands_of(ordered(taken(text)))
    *_states, last = pokerkit.HandHistory.loads(written.text, parse_value=Decimal)
    assert list(last.stacks) == read_document(written.text)["finishing_stacks"]


def test_a_file_of_several_hands_has_numbered_sections() -> None:
    hands = [WrittenHand("1", {"variant": "NT"}), WrittenHand("2", {"min_bet": 5})]
    assert "".join(write_file(hands)) == "[1]\nvariant = 'NT'\n\n[2]\nmin_bet = 5\n"


def test_a_correction_shows_in_what_is_written() -> None:
    facts = facts_of(taken(THREE_HANDED))
    wrong = next(fact for fact in facts if isinstance(fact.event, HandsDealt))
    data = {"seats": [1, 2, 3], "cards": ["7d", "Ks", "??", "2d", "Kh", "??"]}
    event = RecordCorrected(data=data)
    note = Fact(
        subject=wrong.subject, source="/recoup", sequence=1, topic=event.TOPIC, event=event, occurred_at=0,
        about=wrong.cite,
    )  # fmt: skip
    [written] = hands_of(table_order([*facts, note], CATALOGUE.decode))
    assert written.fields["actions"][0] == "d dh p1 7d2d"


def table(*events: tuple[str | None, Event]) -> list[WrittenHand]:
    facts = [
        Fact(
            subject="table/brno/PK-1/2026-11-28.1", source="/brno/PK-1/terminal", sequence=number, topic=event.TOPIC,
            event=event, occurred_at=number, round=name,
        )
        for number, (name, event) in enumerate(events, 1)
    ]  # fmt: skip
    return list(hands_of(table_order(facts, CATALOGUE.decode)))


OPENED: tuple[str | None, Event] = (None, TableOpened("holdem", "NL", "CZK"))


def test_hands_of_a_table_are_written_too() -> None:
    """The button in the middle of the seats, cards dealt one by one, a dealer who calls a call an all-in."""
    hand: list[Event] = [
        RoundOpened(),
        ButtonPlaced(5, 8, 2),
        PlayerDealtIn(2, "p-2", 10000),
        PlayerDealtIn(5, "p-5", 3000),
        PlayerDealtIn(8, "p-8", 9000),
        Posted(8, "small_blind", 1000),
        Posted(2, "big_blind", 2000),
        *[CardDealt(f"seat/{seat}", card) for seat, card in [(8, "Ah"), (2, "Kh"), (5, "Qh")]],
        *[CardDealt(f"seat/{seat}", card) for seat, card in [(8, "Ad"), (2, "Kd"), (5, "Qd")]],
        ActionTaken(5, "all_in", 3000),
        ActionTaken(8, "fold"),
        ActionTaken(2, "all_in", 1000),
        CardDealt("burn"),
        *[CardDealt("flop", card) for card in ("4h", "9s", "Jc")],
        BoardDealt("turn", ("2c",)),
        ChipsMoved("pot", "seat/5", 7000, "award", "seat/5"),
        RoundClosed(),
    ]
    [written] = table(OPENED, (None, StakesAnnounced(1000, 2000)), *[("1", event) for event in hand])
    assert written.fields == {
        "variant": "NT",
        "ante_trimming_status": True,
        "antes": [0, 0, 0],
        "blinds_or_straddles": [10, 20, 0],
        "min_bet": 20,
        "starting_stacks": [90, 100, 30],
        "actions": [
            "d dh p1 AhAd", "d dh p2 KhKd", "d dh p3 QhQd", "p3 cbr 30", "p1 f", "p2 cc", "d db 4h9sJc", "d db 2c",
        ],
        "seats": [8, 2, 5],
        "players": ["p-8", "p-2", "p-5"],
        "finishing_stacks": [80, 70, 70],
        "winnings": [0, 0, 70],
        "currency": "CZK",
    }  # fmt: skip


def test_each_hand_has_the_stakes_that_held_when_it_was_dealt() -> None:
    seats = [PlayerDealtIn(1, "a", 9000), PlayerDealtIn(2, "b", 9000)]
    hands = table(
        OPENED,
        (None, StakesAnnounced(100, 200)),
        *[("1", event) for event in (RoundOpened(), ButtonPlaced(1), *seats, RoundClosed())],
        (None, StakesAnnounced(200, 400)),
        *[("2", event) for event in (RoundOpened(), ButtonPlaced(2), *seats, RoundClosed())],
        ("3", RoundOpened()),
    )
    assert [(hand.round, hand.fields["min_bet"], hand.fields["players"]) for hand in hands] == [
        ("1", 2, ["b", "a"]),
        ("2", 4, ["a", "b"]),
    ]


def test_a_hand_without_stakes_cannot_be_written() -> None:
    with pytest.raises(Refused, match="no stakes on record"):
        table(OPENED, ("1", PlayerDealtIn(1, "a", 100)))


# --- generated hands, lawful or not ---

amounts = st.integers(0, 10**7).map(lambda minor: Decimal(minor) / 100)
cards = st.lists(st.sampled_from((*DECK, "??")), min_size=1, max_size=3).map("".join)
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="#"), max_size=12)


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    count = draw(st.integers(2, 9))
    player = st.integers(1, count).map(lambda number: f"p{number}")
    big = draw(st.integers(1, 5000).map(lambda minor: Decimal(4 * minor) / 100))
    small = draw(st.sampled_from([Decimal(0), big / 2, big]))
    ante = draw(st.sampled_from([Decimal(0), big / 4]))
    antes = [ante] * count if draw(st.booleans()) else [ante if place == 1 else Decimal(0) for place in range(count)]
    more = [draw(st.sampled_from([0, -big, 2 * big])) for _ in range(count - 2)]
    action = st.one_of(
        st.builds("d dh {} {}".format, player, cards),
        st.builds("{} {}".format, player, st.sampled_from(["f", "cc", "sm", "sm -"])),
        st.builds("{} cbr {}".format, player, amounts),
        st.builds("{} sm {}".format, player, cards),
    )
    actions = draw(st.lists(action, max_size=20))
    for street in draw(st.lists(cards, max_size=3)):
        actions.insert(draw(st.integers(0, len(actions))), f"d db {street}")
    found: dict[str, Any] = {
        "variant": "NT",
        "ante_trimming_status": draw(st.booleans()),
        "antes": antes,
        "blinds_or_straddles": [small, big, *more],
        "min_bet": big,
        "starting_stacks": draw(st.lists(amounts, min_size=count, max_size=count)),
        "actions": actions,
    }
    if draw(st.booleans()):
        found["players"] = draw(st.lists(texts, min_size=count, max_size=count, unique=True))
    if draw(st.booleans()):
        found["event"] = draw(texts)
    return found


@given(documents())
def test_whatever_a_hand_holds_is_equal_out_and_in_again(document: dict[str, Any]) -> None:
    first = taken(WrittenHand("1", document).text)
    assert first.hand.document == document
    [written] = hands_of(ordered(first))
    again = read_hand(written.text)
    # A post that the stack did not reach is written as it was due, which for a straddle nobody knows.
    short = {
        place
        for place, (ante, blind) in enumerate(zip(document["antes"], document["blinds_or_straddles"], strict=True))
        if ante + abs(blind) > listed(document["starting_stacks"])[place]
    }
    different = apart(first.hand, again)
    if short:
        different = [name for name in different if name not in ("antes", "blinds_or_straddles")]
        for place in set(range(len(document["antes"]))) - short:
            assert again.blinds[place] == first.hand.blinds[place]
            assert again.antes[place] == first.hand.antes[place]
    assert different == []


def listed(values: list[Any]) -> list[Any]:
    """By player to the order of the lists of antes and blinds."""
    return values[::-1] if len(values) == 2 else values


@given(documents())
def test_chips_are_conserved_in_every_draft(document: dict[str, Any]) -> None:
    """By the movements alone, nothing comes from nowhere: what leaves the pot went in before."""
    hand = taken(WrittenHand("1", document | {"winnings": [0] * len(document["antes"])}).text)
    pot = 0
    for event in hand.draft.events:
        for move in event.moves() if event.MOVES else ():
            pot += int(move.amount) * ((move.to == "pot") - (move.frm == "pot"))
            assert int(move.amount) > 0 or move.to == "pot"
    assert pot == 0
