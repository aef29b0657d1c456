"""Whatever comes in whatever order: nothing raises, money adds up, the same facts give the same verdict."""

from __future__ import annotations

from events.schema.common import TableOpened
from events.schema.fact import Fact
from games.casino_holdem import GAME
from games.casino_holdem.events import EVENTS
from games.casino_holdem.parameters import PARAMETERS
from tests.games.bank.anything import disturbed, parameters, sessions
from tests.games.bank.laws import Sources, laws
from tests.games.casino_holdem.room import CATALOGUE, EDITION
from tests.games.table import facts_of

OPENED = TableOpened("casino_holdem", "CH", "CZK", min=500, max=20_000, limits={"trips": (500, 10_000)}, seats=6)
WORDS = ("ante", "blind", "trips", "play", "check", "fold", "pair", "shuffle_breach", "collusion_players")


def dealt(seed: int) -> list[Fact]:
    breach = GAME.breaches[seed % len(GAME.breaches)] if seed % 3 == 0 else None
    return facts_of(GAME.deal(2, seed, breach=breach), CATALOGUE)


anything = sessions(EVENTS, OPENED, WORDS)
disturbances = disturbed(dealt, EVENTS, WORDS)
readings = parameters(PARAMETERS, payout_unit=(0, 1, 100), max_boxes=(1, 2, 6))


(
    test_nothing_that_comes_to_the_table_raises_and_every_line_adds_up,
    test_a_session_in_which_something_went_wrong_is_judged_all_the_same,
    test_the_verdict_does_not_depend_on_the_order_of_arrival,
    test_every_step_can_be_shown_says_what_may_come_next_and_folds_the_same_again,
) = laws(GAME, EDITION, CATALOGUE, Sources(anything, disturbances, readings), 150)
