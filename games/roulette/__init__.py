"""European roulette, a bank game on a single-zero wheel (rule book RL)."""

from __future__ import annotations

from games.protocol import Game
from games.roulette.dealer import BREACHES, deal
from games.roulette.events import EVENTS
from games.roulette.expects import expects
from games.roulette.payouts import due
from games.roulette.picture import picture
from games.roulette.rules import RULES
from games.roulette.state import evolve, open_table
from games.roulette.table import Session

GAME: Game[Session] = Game(
    name="roulette",
    title="European roulette",
    events=EVENTS,
    books=(RULES,),
    open_table=open_table,
    evolve=evolve,
    expects=expects,
    due=due,
    picture=picture,
    deal=deal,
    breaches=BREACHES,
)
