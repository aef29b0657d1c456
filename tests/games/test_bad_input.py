"""What no table should send, in every room: a finding, or a record kept undecoded, or an edition refused; never a crash,
and never a guess."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from cli.assembly import catalogue, rooms
from events.errors import BadEdition
from events.schema.envelope import Envelope
from events.schema.event import Undecoded
from games.adjudicate import SessionJudgement
from games.registry import shipped_editions
from tests.games.table import all_findings, facts_of
from tests.games.test_every_room import case_of, edition_of, judged

EDITIONS = [(room, file, toml) for room, file, toml in shipped_editions()]
WINS = ("win", "award")
TWICE = {
    "blackjack": "shoe_composition",
    "caribbean_stud": "defective_deck",
    "casino_holdem": "fouled_deck",
    "holdem": "card_twice",
    "russian_poker": "card_twice",
}
"""Rooms with cards, and what a card is called there that came more often than their decks have it."""
CURRENCY = {
    "blackjack": "not_value_chip",
    "caribbean_stud": "foreign_currency",
    "casino_holdem": "foreign_currency",
    "russian_poker": "foreign_currency",
}
"""Rooms whose bets may name a currency; those of the others have no field for one."""
LATE = {
    "blackjack": "decision_after_close",
    "caribbean_stud": "late_decision",
    "casino_holdem": "decision_late",
    "holdem": "nothing_to_act",
    "magic_wheel": "late_bet",
    "roulette": "late_bet",
    "russian_poker": "decided_out_of_turn",
}
UNSHUFFLED = {
    "blackjack": "unverified:shuffle",
    "casino_holdem": "shuffle_incomplete",
    "holdem": "unverified:shuffle",
    "russian_poker": "shuffle_incomplete",
}
"""Caribbean stud's text has no clause on a shuffle that was not done (C25): a manager may void the round."""


def evening(room: str) -> list[Envelope]:
    """Three rounds without a mistake."""
    return list(rooms()[room].deal(3, 5))


def of_kind(envelopes: Sequence[Envelope], *kinds: str) -> list[int]:
    """Where records of these event names stand that are in the first round."""
    first = next(envelope.round for envelope in envelopes if envelope.round)
    return [at for at, one in enumerate(envelopes) if one.round == first and one.type.split(".")[1] in kinds]


def changed(envelopes: list[Envelope], at: int, **data: Any) -> list[Envelope]:
    """The same with other data at one place."""
    one = envelopes[at]
    return [*envelopes[:at], replace(one, data={**one.data, **data}), *envelopes[at + 1 :]]


def numbered(envelopes: Iterable[Envelope]) -> list[Envelope]:
    """Counted anew by source, so that no gap explains what is missing."""
    counts: dict[str, int] = {}
    made = []
    for one in envelopes:
        counts[one.source] = counts.get(one.source, 0) + 1
        made.append(replace(one, sequence=str(counts[one.source]).rjust(16, "0")))
    return made


def codes(envelopes: Sequence[Envelope]) -> set[str]:
    """What judging finds, by code; every round has its verdict."""
    judgement = judgement_of(envelopes)
    assert len(judgement.verdicts) == 3
    return {finding.code for finding in all_findings(judgement)}


def judgement_of(envelopes: Sequence[Envelope]) -> SessionJudgement:
    return judged(case_of(facts_of(envelopes, catalogue())))


@pytest.mark.parametrize("room", rooms())
def test_the_evening_itself_is_in_order(room: str) -> None:
    assert codes(evening(room)) == set()


@pytest.mark.parametrize("room", TWICE)
def test_a_card_that_its_deck_has_no_more_of(room: str) -> None:
    dealt = evening(room)
    laid = of_kind(dealt, "CardLaid", "CardDealt")
    if room == "holdem":  # face down cards are taken as dealt, not as known
        laid = [at for at in laid if dealt[at].data.get("face") == "up"]
    for at in laid[1 : 7 if room == "blackjack" else 2]:
        dealt = changed(dealt, at, card=dealt[laid[0]].data["card"])
    assert TWICE[room] in codes(dealt)


@pytest.mark.parametrize("room", rooms())
def test_a_payout_to_a_box_that_has_no_bet(room: str) -> None:
    dealt = evening(room)
    at = next(at for at, one in enumerate(dealt) if one.type == "TB.ChipsMoved.v1" and one.data["cause"] in WINS)
    elsewhere = {"to": "seat/2", "stake": "seat/2"} if room == "holdem" else {"stake": "k999"}
    amount = dealt[at].data["amount"]
    judgement = judgement_of(changed(dealt, at, **elsewhere))
    wrong = [one for one in all_findings(judgement) if one.kind == "mispaid" and abs(one.money) == amount]
    assert len(wrong) >= 2  # one who got what was not his, and one who did not get what was


@pytest.mark.parametrize("room", rooms())
def test_a_decision_or_bet_after_the_round_was_closed(room: str) -> None:
    dealt = evening(room)
    (close,) = of_kind(dealt, "RoundClosed")
    late = dealt[of_kind(dealt, "Decided", "ActionTaken", "BetPlaced")[0]]
    again = replace(dealt[close], type=late.type, data=late.data, id="late")
    assert LATE[room] in codes(numbered([*dealt[: close + 1], again, *dealt[close + 1 :]]))


@pytest.mark.parametrize("room", rooms())
def test_a_bet_in_a_currency_that_the_table_does_not_deal(room: str) -> None:
    dealt = evening(room)
    at = of_kind(dealt, "StakePlaced", "BetPlaced", "Posted")[0]
    dealt = changed(dealt, at, currency="EUR")
    found = codes(dealt)
    if room in CURRENCY:
        assert CURRENCY[room] in found
    else:
        assert isinstance(facts_of(dealt, catalogue())[at].event, Undecoded)
        assert "undecoded" in found


@pytest.mark.parametrize("room", UNSHUFFLED)
def test_a_round_whose_shuffle_was_never_recorded(room: str) -> None:
    dealt = evening(room)
    closed = [at for at, one in enumerate(dealt) if one.type == "TB.RoundClosed.v1"]
    after = 0 if room == "blackjack" else closed[1]  # a shoe is shuffled once
    kept = [one for at, one in enumerate(dealt) if at < after or one.type != "TB.ShuffleStep.v1"]
    assert len(kept) < len(dealt)
    assert UNSHUFFLED[room] in codes(numbered(kept))


@pytest.mark.parametrize("room", rooms())
def test_a_table_opened_in_no_currency_is_not_guessed(room: str) -> None:
    dealt = evening(room)
    judgement = judgement_of(changed(dealt, 0, currency="koruny"))
    assert judgement.verdicts == ()
    assert [finding.code for finding in judgement.between] == ["not_opened"]


@pytest.mark.parametrize(("room", "file", "toml"), EDITIONS, ids=[f"{room}-{file}" for room, file, _toml in EDITIONS])
def test_an_edition_with_a_parameter_misspelt_is_refused(room: str, file: str, toml: str) -> None:
    before, parameters = toml.split("[parameters]") if "[parameters]" in toml else (toml + "\n", "\n")
    first = next(iter(edition_of(room, toml).parameters))
    misspelt = f'{before}[parameters]\n"{first}x" = "null"\n{parameters}'
    with pytest.raises(BadEdition, match=re.escape(first)):
        edition_of(room, misspelt)


@pytest.mark.parametrize(
    ("room", "toml"),
    [(room, toml) for room, _file, toml in EDITIONS if "[constants." in toml],
    ids=lambda text: text[:20],
)
def test_an_edition_with_a_hole_in_a_pay_table_is_refused(room: str, toml: str) -> None:
    lines = toml.splitlines(keepends=True)
    inside, holes = False, 0
    for at, line in enumerate(lines):
        if line.startswith("["):
            inside = line.startswith("[constants.")
        elif inside and re.match(r'["\w]+ = ', line):
            holes += 1
            with pytest.raises(BadEdition):
                edition_of(room, "".join(lines[:at] + lines[at + 1 :]))
    assert holes
