"""Whatever comes in whatever order: nothing raises, money adds up, the same facts give the same verdict."""

from __future__ import annotations

from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from events.schema import common as tb
from events.schema.event import Event
from events.schema.fact import Fact
from games.magic_wheel import GAME
from games.magic_wheel import events as mw
from games.magic_wheel.dealer import Croupier
from games.magic_wheel.parameters import PARAMETERS
from games.magic_wheel.symbols import BOXES, SYMBOLS
from tests.games.bank.anything import disturbed, parameters, sessions
from tests.games.bank.laws import Sources, laws
from tests.games.magic_wheel.room import CATALOGUE, EDITION, SHIPPED
from tests.games.table import all_findings, facts_of, judge_envelopes
from tests.soaking import examples

THOROUGH = settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))
OPENED = tb.TableOpened("magic_wheel", "MW", "CZK", min=500, max=20_000, limits={"seven": (500, 5_000)})
WORDS = (*SYMBOLS, *SYMBOLS, "b1", "b2", "banana", "box/b1", "box/b2", "staff_advice", "rule_breach", "cw")
BETS: tuple[type[Event], ...] = (
    mw.BetPlaced,
    mw.BetPlaced,
    mw.WheelStopped,
    mw.SymbolAnnounced,
    mw.ChoiceMade,
    *mw.EVENTS,
)


def dealt(seed: int) -> list[Fact]:
    breach = GAME.breaches[seed % len(GAME.breaches)] if seed % 2 == 0 else None
    return facts_of(GAME.deal(3, seed, breach=breach), CATALOGUE)


anything = sessions(BETS, OPENED, WORDS)
disturbances = disturbed(dealt, mw.EVENTS, WORDS)
readings = parameters(
    PARAMETERS, wheel__min_rotations=(0, 5, 7), wheel__table_min=(None, 1_000), wheel__table_max=(None, 15_000),
    money__smallest_chip=(None, 500), wheel__field_order=(None, ["x", "bell"], list(SYMBOLS) * 4),
)  # fmt: skip


(
    test_nothing_that_comes_to_the_table_raises_and_every_line_adds_up,
    test_a_session_in_which_something_went_wrong_is_judged_all_the_same,
    test_the_verdict_does_not_depend_on_the_order_of_arrival,
    test_every_step_can_be_shown_says_what_may_come_next_and_folds_the_same_again,
) = laws(GAME, EDITION, CATALOGUE, Sources(anything, disturbances, readings), 60)


class Obedient(Croupier):
    """Does only what the room expects, whatever that is, and bets within the bounds that it offers."""

    def step(self) -> None:
        """One of the things that may happen now."""
        expected = GAME.expects(self.session)
        names = [action.name for action in expected.actions]
        bets = [action for action in expected.actions if action.name == "bet"]
        waits = any(name.startswith("leave") for name in names)
        if waits:
            spin = self.session.spin
            assert spin is not None
            stake = next(name for name in names if name.startswith("leave")).split()[1]
            self.say(mw.ChoiceMade(stake, self.rng.choice(("leave", "refund"))))
        elif expected.due:
            due = expected.due[0]
            self.say(tb.ChipsMoved(due.frm, due.to, due.amount, due.cause, due.stake))
        elif bets and self.rng.random() < 0.6 and self.boxes:
            box, player = self.boxes.pop()
            self.bet(player, box, self.rng.choice((bets[0].low or 500, bets[0].high or 700, 5_000, 10_000)))
        elif any("Vaše" in name for name in names):
            self.say(mw.BetsOpened())
        elif any("Konec" in name for name in names):
            self.say(tb.NoMoreBets())
        elif any(name.startswith("spin") for name in names):
            self.say(mw.SpinStarted(self.rng.choice(("cw", "ccw"))))
        elif "wheel stops" in names:
            self.say(mw.WheelStopped(self.rng.choice(SYMBOLS), 71))  # type: ignore[arg-type]
        else:
            (said,) = [name for name in names if name.startswith("announce")]
            self.say(mw.SymbolAnnounced(said.split()[1]))  # type: ignore[arg-type]

    boxes: list[tuple[str, str]] = []


@THOROUGH
@given(st.integers(0, 10**6))
def test_who_does_only_what_is_offered_breaks_nothing(seed: int) -> None:
    table = Obedient(Random(seed), "brno/MW-01", "2026-11-28", "CZK")
    for number in (1, 2, 3):
        table.boxes = [(box, f"p-{player}") for box in BOXES for player in (1, 2)]
        table.rng.shuffle(table.boxes)
        table.pen.round = str(number)
        table.say(tb.RoundOpened())
        while GAME.expects(table.session).phase != "settled":
            table.step()
        table.say(tb.RoundClosed())
        table.pen.round = None
    judgement = judge_envelopes(table.said, GAME, EDITION)
    assert all_findings(judgement) == []
    for verdict in judgement.verdicts:
        assert verdict.standing == "valid"
        assert verdict.settlement == ("agrees" if verdict.due.lines else "not_recorded")


def straightforward(bets: list[tuple[str, str, int]], symbol: str) -> dict[str, int]:
    """What every player wins or loses, worked out from the printed table and nothing of the room's."""
    odds = {"cherries": 2, "bell": 3, "grapes": 4, "melon": 8, "star": 10, "seven": 25}
    nets: dict[str, int] = {}
    for player, box, amount in bets:
        nets[player] = nets.get(player, 0) + (amount * odds[box] if box == symbol else -amount)
    return nets


@THOROUGH
@given(
    st.lists(st.tuples(st.sampled_from(("p-1", "p-2")), st.sampled_from(BOXES), st.integers(1, 10**6)), max_size=8),
    st.sampled_from(SYMBOLS),
)
def test_a_second_reckoning_gives_the_same_money(bets: list[tuple[str, str, int]], symbol: str) -> None:
    pen = Croupier(Random(1), "brno/MW-01", "2026-11-28", "CZK")
    pen.said.clear()
    pen.say(tb.TableOpened("magic_wheel", "MW", "CZK"), 0)
    pen.pen.round = "1"
    for player, box, amount in bets:
        pen.bet(player, box, amount)
    for event in (tb.NoMoreBets(), mw.SpinStarted("cw"), mw.WheelStopped(symbol, 60), tb.RoundClosed()):  # type: ignore[arg-type]
        pen.say(event)
    (verdict,) = judge_envelopes(pen.said, GAME, EDITION).verdicts
    assert verdict.due.nets() == straightforward(bets, symbol)


def test_the_returns_are_those_printed() -> None:
    constants = SHIPPED.constants
    returns = {box: constants.fields[box] * (constants.pays[box] + 1) for box in BOXES}
    assert returns == {"cherries": 27, "bell": 24, "grapes": 25, "melon": 27, "star": 22, "seven": 26}
    assert sum(constants.fields.values()) == 30
