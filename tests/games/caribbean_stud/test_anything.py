"""Whatever comes in whatever order: nothing raises, money adds up, the same facts give the same verdict."""

from __future__ import annotations

from events.schema.common import TableOpened
from events.schema.fact import Fact
from games.caribbean_stud import GAME
from games.caribbean_stud.events import EVENTS
from games.caribbean_stud.parameters import PARAMETERS
from tests.games.bank.anything import disturbed, parameters, sessions
from tests.games.bank.laws import Sources, laws
from tests.games.caribbean_stud.room import CATALOGUE, EDITION
from tests.games.table import facts_of

OPENED = TableOpened("caribbean_stud", "CS", "CZK", min=500, max=20_000, limits={"bonus": (500, 500)})
WORDS = ("ante", "bonus", "fee", "bet", "exchange", "fold", "no_cut", "wrong_count")
TABLES = (None, {"kind": "odds", "prizes": {"1P": 2, "AK": 3}}, {"kind": "fixed", "stake": 500, "prizes": {"1P": 900}})


def dealt(seed: int) -> list[Fact]:
    breach = GAME.breaches[seed % len(GAME.breaches)] if seed % 3 == 0 else None
    return facts_of(GAME.deal(2, seed, breach=breach), CATALOGUE)


anything = sessions(EVENTS, OPENED, WORDS)
disturbances = disturbed(dealt, EVENTS, WORDS)
readings = parameters(
    PARAMETERS, cs__bonus__table=TABLES, cs__limits=(None, [500, 15_000]), cs__max_payout=(None, 12_345),
    cs__max_players=(1, 2, 6), cs__boxes_per_player=(None, 1), cs__time__limit_s=(None, 5), cs__recut__max=(None, 1),
)  # fmt: skip


(
    test_nothing_that_comes_to_the_table_raises_and_every_line_adds_up,
    test_a_session_in_which_something_went_wrong_is_judged_all_the_same,
    test_the_verdict_does_not_depend_on_the_order_of_arrival,
    test_every_step_can_be_shown_says_what_may_come_next_and_folds_the_same_again,
) = laws(GAME, EDITION, CATALOGUE, Sources(anything, disturbances, readings), 60)
