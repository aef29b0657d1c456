"""European roulette, a bank game on a single-zero wheel (rule book RL).

Values     layout (positions, wheel, call bets), events, parameters, table (session, spin, bet)
Fold       state (open_table, evolve); bets and holdings as they come, carry: what a spin leaves for the next
Judgement  payouts (due, in the order of RL-42): rulings, validity, stakes
Checks     rules, which read the marks that the settlement leaves; expects: what may come next
For people picture, wording; dealer with players and misdeeds
"""

from __future__ import annotations

from games.protocol import Game
from games.roulette.dealer import BREACHES, deal
from games.roulette.events import EVENTS
from games.roulette.expects import expects
from games.roulette.matrix import MATRIX
from games.roulette.payouts import due
from games.roulette.picture import picture
from games.roulette.rules import RULES
from games.roulette.state import evolve, open_table
from games.roulette.table import Session
from games.roulette.wording import tell

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
    matrix=MATRIX,
    tell=tell,
)
