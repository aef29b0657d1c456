"""The collusion file: finds who plays together, leaves honest tables alone, and says what it rests on."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from cli import assembly
from replay.collusion.chance import holm
from replay.collusion.file import CollusionFile, make
from replay.collusion.reading import Reading, read
from replay.collusion.tally import Tally
from replay.collusion.ways import Count, Ways
from tests.cli.desk import Desk, lines_of
from tests.replay.collusion import nights, room

ROOT = Path(__file__).resolve().parents[3]
PLURIBUS = ROOT.parent / "shared" / "data" / "hands" / "pluribus"
PAIR = ("p-2", "p-4")
HONEST_NIGHTS = 50


def of(reading: Reading, *players: str, seed: int = 1) -> CollusionFile:
    return make(reading, asked={}, players=players, seed=seed)


@cache
def dealt(seed: int, how: room.Together, pair: tuple[str, str]) -> tuple[Reading, dict[tuple[str, str], int]]:
    """300 hands of the scripted dealer, two perhaps together; and (round, player) → net by the judge."""
    with TemporaryDirectory() as folder:
        desk = Desk(Path(folder)).init()
        with pytest.MonkeyPatch.context() as patch:
            assert desk.ingest(lines_of(room.night(patch, seed, 300, how, pair))).code == 0
        with assembly.open_log(desk.store) as log:
            book = assembly.casebook(log)
            (subject,) = book.sessions()
            nets = {
                (verdict.round, player): net
                for verdict in book.judge(subject).verdicts
                for player, net in verdict.due.nets().items()
            }
            return read(book, [subject]), nets


@cache
def honest_night(seed: int) -> CollusionFile:
    return of(nights.night(seed, 60))


@pytest.mark.parametrize(("how", "seed", "pair"), [("soft", 4, ("p-2", "p-7")), ("dump", 2, PAIR)])
def test_two_who_play_together_among_honest_players_are_found_first(
    how: room.Together, seed: int, pair: tuple[str, str]
) -> None:
    made = of(dealt(seed, how, pair)[0])
    assert [one.players for one in made.pairs if one.stands_out] == [pair]
    assert made.pairs[0].players == pair


def test_the_same_players_at_the_same_table_do_not_stand_out_when_they_play_honestly() -> None:
    assert not any(pair.stands_out for pair in of(dealt(2, "", PAIR)[0]).pairs)


def test_of_honest_nights_no_more_have_a_pair_that_stands_out_than_is_claimed() -> None:
    """Of 50 at most one in twenty on average: five or more would come about once in a hundred if it were just that."""
    found = [seed for seed in range(HONEST_NIGHTS) if any(one.stands_out for one in honest_night(seed).pairs)]
    assert len(found) <= 5, found


def test_the_p_of_honest_pairs_lies_evenly_so_that_it_means_what_it_says() -> None:
    """Of 300 pairs a tenth would be expected at or below 0.1, give or take 17 (three standard deviations)."""
    known = [one.chance.p for seed in range(20) for one in honest_night(seed).pairs if one.chance is not None]
    assert len(known) == 300
    assert 10 <= sum(p <= 0.1 for p in known) <= 55
    assert 110 <= sum(p <= 0.5 for p in known) <= 190


def test_soft_play_shows_in_the_figures_with_its_sample_and_what_was_likely() -> None:
    made = of(nights.night(7, 300, soft=PAIR))
    found = next(pair for pair in made.pairs if pair.players == PAIR)
    assert made.pairs[0] is found
    assert found.stands_out
    raises = next(one for one in found.figures if one.figure == "raises")
    assert raises.done == 0
    assert raises.of > 50
    assert raises.by_ways > 3000
    assert raises.chance is not None
    assert raises.chance.p < 0.01
    folds = [one for one in found.figures if one.figure == "folds"]
    assert {(one.who, one.to) for one in folds} == {PAIR, PAIR[::-1]}
    assert all(one.done * 1000 > one.by_ways for one in folds)


def test_few_hands_say_nothing_however_odd_they_are() -> None:
    made = of(nights.night(7, 29, soft=PAIR))
    assert made.compared == 0
    assert all(pair.chance is None and not pair.stands_out for pair in made.pairs)
    assert all(one.chance is None for pair in made.pairs for one in pair.figures)


def test_the_same_question_gives_the_same_bytes_and_another_seed_others() -> None:
    night = nights.night(3, 80)
    assert of(night).lines() == of(night).lines()
    assert of(night).digest() != of(night, seed=2).digest()
    turned = Reading(list(reversed(night.hands)), [], {})
    turned.hands.sort(key=lambda one: (one.at, one.address))
    assert of(turned).digest() == of(night).digest()


def test_one_player_is_told_of_with_everybody_and_several_among_themselves() -> None:
    night = nights.night(3, 80)
    assert {pair.players for pair in of(night, "p-2").pairs} == {
        tuple(sorted(("p-2", f"p-{other}"))) for other in (1, 3, 4, 5, 6)
    }
    assert sorted(pair.players for pair in of(night, "p-5", "p-2", "p-3").pairs) == [
        ("p-2", "p-3"), ("p-2", "p-5"), ("p-3", "p-5"),
    ]  # fmt: skip


def test_hands_of_two_are_left_out_and_counted() -> None:
    made = of(nights.night(3, 80, players=2))
    assert (made.hands, made.two_only, made.pairs) == (0, 80, ())


def test_net_chips_of_all_pairs_and_the_rake_are_the_players_nets() -> None:
    reading, nets = dealt(2, "", PAIR)
    tally = Tally(reading.hands)
    assert len(tally.players) > 6
    for player in tally.players:
        lost = sum(money["CZK"] for (giver, _taker), money in tally.money.items() if giver == player)
        raked = sum(
            amount
            for hand in tally.hands
            for (one, other), amount in (hand.chips or {}).items()
            if other == len(hand.players) and hand.players[one] == player
        )
        assert lost + raked == -sum(nets.get((hand.address, player), 0) for hand in tally.hands)


def test_the_fit_gives_back_ways_that_add_up_though_chances_are_uneven() -> None:
    """Who folds much folds much to everybody; nobody lies out of it, though some meet ten times as often."""
    ways = {"a": 0.1, "b": 0.3, "c": 0.5, "d": 0.6}
    cells = {
        (who, other): Count(round(ways[who] * 1000 * times), 1000 * times)
        for number, who in enumerate(ways)
        for times, other in enumerate(ways, 1)
        if who != other and number >= 0
    }
    fit = Ways({"": cells})
    assert all(abs(fit.rate("", pair) - ways[pair[0]]) < 0.01 for pair in cells)


def test_who_plays_with_somebody_does_not_make_the_others_look_odd() -> None:
    """b folds to nobody but c: all the others' expectations stay what they are."""
    names = "abcdef"
    cells = {(who, other): Count(30, 100) for who in names for other in names if who != other}
    cells["b", "c"] = Count(95, 100)
    fit = Ways({"": cells})
    assert fit.left_out == {("b", "c")}
    assert all(abs(fit.rate("", pair) - 0.3) < 0.01 for pair in cells)


def test_holm_multiplies_the_smallest_by_all_and_never_lets_a_larger_one_pass_it() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


@pytest.mark.skipif(not PLURIBUS.is_dir(), reason=f"no real hands at {PLURIBUS.relative_to(ROOT.parent)}")
def test_of_real_honest_hands_no_pair_stands_out(tmp_path: Path) -> None:
    desk = Desk(tmp_path).init()
    files = sorted(PLURIBUS.glob("*.phhs"))[:10]
    assert desk.run("hands", "import", *map(str, files)).code == 0
    told = desk.run("collusion", "--imports", "--json")
    assert told.code == 0, told.err
    assert told.rows[0]["hands"] > 500
