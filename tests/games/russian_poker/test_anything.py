"""Whatever comes in whatever order: nothing raises, money adds up, the same facts give the same verdict."""

from __future__ import annotations

from events.schema.common import TableOpened
from events.schema.fact import Fact
from games.russian_poker import GAME
from games.russian_poker.events import EVENTS
from games.russian_poker.parameters import PARAMETERS
from tests.games.bank.anything import disturbed, parameters, sessions
from tests.games.bank.laws import Sources, laws
from tests.games.russian_poker.room import CATALOGUE, EDITION
from tests.games.table import facts_of

OPENED = TableOpened("russian_poker", "RP", "CZK", min=5_000, max=100_000, seats=4)
WORDS = (
    "ante", "bonus", "fee", "insurance", "bet", "rex", "buy6", "exchange", "fold", "take_ante", "replace_card",
    "shuffle_breach", "early_reveal", "deck_change", "card_twice", "second_box",
)  # fmt: skip


def dealt(seed: int) -> list[Fact]:
    breach = GAME.breaches[seed % len(GAME.breaches)] if seed % 3 == 0 else None
    return facts_of(GAME.deal(2, seed, breach=breach), CATALOGUE)


anything = sessions(EVENTS, OPENED, WORDS)
disturbances = disturbed(dealt, EVENTS, WORDS)
readings = parameters(
    PARAMETERS, rp__exchange__min=(1, 2, 6), rp__deck__max_age_min=(0, 60), rp__seats__idle_rounds=(0, 1, 3),
    rp__shuffle__required_steps=([], ["spread", "wash", "piles", "riffle"], ["box"]),
)  # fmt: skip


(
    test_nothing_that_comes_to_the_table_raises_and_every_line_adds_up,
    test_a_session_in_which_something_went_wrong_is_judged_all_the_same,
    test_the_verdict_does_not_depend_on_the_order_of_arrival,
    test_every_step_can_be_shown_says_what_may_come_next_and_folds_the_same_again,
) = laws(GAME, EDITION, CATALOGUE, Sources(anything, disturbances, readings), 60)
