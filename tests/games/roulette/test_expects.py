"""What may come next, and what is due, step by step through a spin."""

from __future__ import annotations

from collections.abc import Iterator

from games.adjudicate import Case, Step, steps
from games.protocol import Due, Expectation
from games.roulette import GAME
from games.roulette.layout import WHEEL
from tests.games.roulette.room import CATALOGUE, EDITION
from tests.games.table import editions_of, facts_of_lines, with_parameters

OPEN = f"""
@+0 TableOpened roulette RL CZK min=10 max=10000
@+1 WheelInstalled w-1 {",".join(map(str, WHEEL))}
"""


def stepped(text: str, **parameters: object) -> Iterator[tuple[Step, Expectation]]:
    toml = with_parameters(EDITION, parameters, GAME)
    facts = facts_of_lines(OPEN + text, CATALOGUE)
    case = Case.make(facts[0].subject, facts, CATALOGUE, editions_of(GAME, toml))
    for step in steps(case, {GAME.name: GAME}):
        yield step, GAME.expects(step.session)


def phases(text: str) -> list[str]:
    return [expected.phase for _step, expected in stepped(text)]


def last(text: str) -> Expectation:
    return [expected for _step, expected in stepped(text)][-1]


SPIN = """
@+10 #1 RoundOpened
@+11 #1 BetsOpened
@+20 #1 BetPlaced b1 p-204 17 10
@+21 #1 BetPlaced b2 p-318 red 50
@+22 #1 BetPlaced b3 p-318 1/5 20
@+30 #1 SpinStarted wheel_direction=cw ball_direction=ccw
@+40 #1 NoMoreBets
@+50 #1 BallDropped pocket=17 laps_tenths=140
"""
SETTLED = """
@+51 #1 NumberAnnounced 17
@+60 #1 ChipsMoved box/b2 float 50 take stake=b2
@+61 #1 ChipsMoved float player/p-204 350 win stake=b1
@+62 #1 ChipsMoved box/b3 player/p-318 20 return stake=b3
@+70 #1 RoundClosed
"""


def test_the_phases_of_a_spin() -> None:
    assert phases(SPIN + SETTLED) == [
        "between spins", "between spins",  # table, wheel
        "betting", "betting", "betting", "betting", "betting",
        "betting, wheel spinning", "no more bets", "ball down", "settlement", "settlement", "settlement", "settled",
        "between spins",
    ]  # fmt: skip


def test_what_is_due_shrinks_as_it_is_paid() -> None:
    left = [len(expected.due) for _step, expected in stepped(SPIN + SETTLED)]
    assert left == [0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 3, 2, 1, 0, 0]
    assert last(SPIN).due == (
        Due(what="win", frm="float", to="player/p-204", amount=35_000, stake="b1"),
        Due(what="take", frm="box/b2", to="float", amount=5_000, stake="b2"),
        Due(what="return", frm="box/b3", to="player/p-318", amount=2_000, stake="b3"),
    )


def test_who_may_do_what() -> None:
    betting = last("@+10 #1 RoundOpened\n@+11 #1 BetsOpened")
    assert betting.actor == "players"
    first = betting.actions[0]
    assert (first.name, first.low, first.high) == ("bet", 1_000, 1_000_000)
    assert betting.actions[-1].name == "spin either way"
    again = last(SPIN + SETTLED + "@+100 #2 RoundOpened\n@+101 #2 BetsOpened")
    assert again.actions[-1].name == "spin ccw"
    assert [action.name for action in last(SPIN).actions] == ["announce 17"]


def test_a_misspin_gives_everything_back() -> None:
    void = last(SPIN.replace("ball_direction=ccw", "ball_direction=cw"))
    assert (void.phase, void.note) == ("mis-spin", "void: ball_with_wheel")
    assert [(due.what, due.amount) for due in void.due] == [("return", 1_000), ("return", 5_000), ("return", 2_000)]


def test_what_a_person_must_decide_is_not_due_yet() -> None:
    asked = last(SPIN + "@+52 #1 MisspinDeclared ground=bored")
    assert (asked.phase, asked.actor, asked.note, asked.due) == ("ruling", "management", "misspin_unfounded", ())


def test_a_bet_taken_up_too_late_is_not_given_back_twice() -> None:
    late = SPIN + "@+51 #1 NumberAnnounced 17\n@+52 #1 BetRemoved b2 p-318 50"
    assert [due.stake for due in last(late).due] == ["b1", "b3"]


def test_colour_chips_of_who_is_done_are_due() -> None:
    done = "@+5 ColourChipsIssued p-204 red 50 12 600\n@+6 PlayerEndedPlay p-204"
    assert last(done).due == (Due(what="exchange", frm="float", to="player/p-204", amount=60_000, stake="12 red"),)
    left = done + "\n@+7 PlayerLeftTable p-204"
    assert [due.amount for due in last(left).due] == [12_000]
    closed = last("@+5 ColourChipsIssued p-204 red 50 12 600\n@+9 TableClosed")
    assert (closed.phase, [due.amount for due in closed.due]) == ("closed", [60_000])
    assert last("@+5 ColourChipsIssued p-204 red 0 12 0\n@+9 TableClosed").due == ()  # chips recorded as worth nothing
