"""What words and chips count for (cash-holdem.md, "Action algorithm")."""

from __future__ import annotations

import pytest

from games.shared.poker.reading import Reading, Said, Spot, read_action


def spot(to_match: int = 100, front: int = 0, stack: int = 1000, **more: object) -> Spot:
    """A player who owes, at a table with big blind 10."""
    low = max(2 * to_match, 10) if to_match else 10
    return Spot(to_match=to_match, front=front, stack=stack, low=low, minimum=10, **more)  # type: ignore[arg-type]


def told(reading: Reading) -> tuple[str, int, int, int, str]:
    return reading.action, reading.total, reading.add, reading.returned, reading.code


@pytest.mark.parametrize(
    ("chips", "expected"),
    [
        ((100, 10, 10, 10, 10), ("call", 100, 0, 40, "below_half")),
        ((100, 50), ("raise", 200, 50, 0, "half_raise")),
        ((100, 25, 25, 10), ("raise", 200, 40, 0, "half_raise")),
        ((100, 100), ("raise", 200, 0, 0, "")),
        ((500,), ("call", 100, 0, 400, "")),
        ((50, 25), ("call", 100, 25, 0, "short_call")),
        ((50, 50), ("call", 100, 0, 0, "")),
        ((500, 500), ("raise", 1000, 0, 0, "")),
    ],
)
def test_chips_without_a_word_facing_a_bet(chips: tuple[int, ...], expected: tuple[str, int, int, int, str]) -> None:
    assert told(read_action(spot(), None, chips)) == expected


def test_chips_without_a_word_where_nobody_has_bet() -> None:
    assert told(read_action(spot(0), None, (100,))) == ("bet", 100, 0, 0, "")
    assert told(read_action(spot(0), None, (5,))) == ("bet", 10, 5, 0, "under_bet")
    assert told(read_action(spot(0), None, (2, 2))) == ("bet", 10, 6, 0, "under_bet")


def test_one_chip_on_the_big_blinds_option_is_a_check() -> None:
    assert told(read_action(spot(10, front=10), None, (500,))) == ("check", 10, 0, 500, "")


def test_his_last_chip_is_a_call_all_the_same() -> None:
    assert told(read_action(spot(stack=500), None, (500,))) == ("call", 100, 0, 400, "")
    assert told(read_action(spot(stack=50), None, (50,))) == ("call", 50, 0, 0, "")


def test_raise_and_one_chip_is_a_raise_to_its_value_chips_in_front_included() -> None:
    said = Said(word="raise")
    assert told(read_action(spot(10, front=5, stack=995), said, (100,))) == ("raise", 100, 0, 5, "")
    own = spot(10, front=5, stack=995)
    assert read_action(own, said, (100,), one_chip="chip_plus_committed").total == 105
    assert read_action(own, said, (100,), one_chip="call_plus_chip").total == 110


def test_a_word_behind_the_chip_is_too_late() -> None:
    late = Said(word="raise", first=False)
    assert told(read_action(spot(), late, (500,))) == ("call", 100, 0, 400, "word_late")


def test_a_word_in_another_language_does_not_bind() -> None:
    foreign = Said(word="raise", binding=False)
    assert told(read_action(spot(), foreign, (500,))) == ("call", 100, 0, 400, "other_language")


def test_a_named_amount_binds_and_is_lifted_to_the_minimum() -> None:
    own = Spot(to_match=300, front=0, stack=2000, low=600, minimum=10)
    assert told(read_action(own, Said(word="raise", amount=500), ())) == ("raise", 600, 600, 0, "below_minimum")
    assert told(read_action(own, Said(word="raise", amount=700), ())) == ("raise", 700, 700, 0, "")
    assert told(read_action(own, Said(word="raise", amount=400, by=True), ())) == ("raise", 700, 700, 0, "")
    assert told(read_action(own, Said(word="raise"), (300, 100))) == ("raise", 600, 200, 0, "below_minimum")
    assert told(read_action(own, Said(word="raise"), ())) == ("raise", 600, 600, 0, "")


def test_who_has_less_than_the_minimum_is_all_in() -> None:
    own = Spot(to_match=300, front=0, stack=450, low=600, minimum=10)
    assert told(read_action(own, Said(word="raise", amount=400), ())) == ("raise", 450, 450, 0, "below_minimum")
    assert told(read_action(own, Said(word="all_in"), ())) == ("raise", 450, 450, 0, "")


def test_call_and_check_are_words_too() -> None:
    assert told(read_action(spot(), Said(word="call"), (500,))) == ("call", 100, 0, 400, "")
    assert told(read_action(spot(0), Said(word="check"), ())) == ("check", 0, 0, 0, "")
    assert told(read_action(spot(), Said(word="check"), ())) == ("", 0, 0, 0, "check_facing_bet")
    assert read_action(spot(), Said(word="fold"), ()).action == "fold"


def test_an_amount_alone_is_that_amount_in_several_chips() -> None:
    assert told(read_action(spot(), Said(word="amount", amount=160), ())) == ("raise", 200, 200, 0, "half_raise")
    assert told(read_action(spot(), Said(word="amount", amount=140), ())) == ("call", 100, 100, 0, "below_half")


def test_who_may_not_raise_calls_and_who_may_not_bet_checks() -> None:
    assert told(read_action(spot(200, barred="exposed"), None, (300, 300))) == ("call", 200, 0, 400, "exposed")
    assert told(read_action(spot(0, barred="exposed"), None, (50, 50))) == ("check", 0, 0, 100, "exposed")
    own = read_action(spot(barred="not_reopened"), Said(word="raise", amount=400), ())
    assert told(own) == ("call", 100, 100, 0, "not_reopened")


def test_a_maximum_cuts_the_rest_off() -> None:
    assert told(read_action(spot(most=250), None, (100, 100, 100))) == ("raise", 250, 0, 50, "above_maximum")


def vegas(
    word: str = "", chips: tuple[int, ...] = (), amount: int | None = None, **where: object
) -> tuple[object, ...]:
    """Read as poker-room.md 3.6 has it: one chip is added to those in front, a number alone is a total."""
    said = Said(word=word, amount=amount) if word else None
    own = Spot(**{"to_match": 100, "front": 0, "stack": 2000, "low": 200, "minimum": 50, **where})  # type: ignore[arg-type]
    return told(read_action(own, said, chips, one_chip="chip_plus_committed", bare_amount="total"))[:4]


def test_the_other_rule_book_reads_by_the_same_code() -> None:
    """PR-T13 … PR-T25 of poker-room.md."""
    assert vegas(chips=(100, 50)) == ("raise", 200, 50, 0)
    assert vegas(chips=(500,)) == ("call", 100, 0, 400)
    assert vegas("raise", (500,)) == ("raise", 500, 0, 0)
    assert vegas("raise", (100, 100), 300) == ("raise", 300, 100, 0)
    assert vegas("raise", (100, 25)) == ("raise", 200, 75, 0)
    assert vegas(chips=(100, 100), to_match=150, front=50, low=300) == ("raise", 300, 50, 0)
    assert vegas(chips=(500,), to_match=50, front=50, low=100) == ("check", 50, 0, 500)
    assert vegas(chips=(25,), to_match=0, low=50) == ("bet", 50, 25, 0)
    assert vegas(chips=(100,) * 6, to_match=200, low=400, barred="exposed") == ("call", 200, 0, 400)
    assert vegas("all_in", stack=130) == ("raise", 130, 130, 0)
    assert vegas("raise", (100,), to_match=100, front=50, low=200) == ("raise", 200, 50, 0)
    assert vegas("amount", (), 200, front=50) == ("raise", 200, 150, 0)


def test_a_bet_facing_a_bet_is_a_raise_and_a_raise_with_nothing_bet_is_a_bet() -> None:
    assert told(read_action(spot(), Said(word="bet", amount=300), ())) == ("raise", 300, 300, 0, "")
    assert told(read_action(spot(0), Said(word="raise", amount=50), ())) == ("bet", 50, 50, 0, "")
    assert told(read_action(spot(0), Said(word="call"), ())) == ("check", 0, 0, 0, "")


def test_fixed_limit_has_one_size_whatever_is_said() -> None:
    own = Spot(to_match=20, front=0, stack=500, low=40, minimum=20, most=40)
    assert told(read_action(own, Said(word="raise", amount=100), ())) == ("raise", 40, 40, 0, "above_maximum")
    assert told(read_action(own, None, (25, 10))) == ("raise", 40, 5, 0, "half_raise")
    assert told(read_action(own, None, (20, 5))) == ("call", 20, 0, 5, "below_half")
    assert told(read_action(own, Said(word="all_in"), ())) == ("raise", 40, 40, 0, "above_maximum")
