"""BIGWIN Magic Wheel, a bank game on an upright wheel of thirty fields (rule book MW).

Values     symbols (wheel and boxes), events, parameters, table (session, spin, bet), matrix (who voids what)
Fold       state (open_table, evolve)
Judgement  payouts (due, in the order of MW-17): rulings, stakes, validity
Checks     rules, which read the marks that the settlement leaves; expects: what may come next
For people picture, wording; dealer with misdeeds
"""

from __future__ import annotations

from games.magic_wheel.dealer import BREACHES, deal
from games.magic_wheel.events import EVENTS
from games.magic_wheel.expects import expects
from games.magic_wheel.matrix import MATRIX
from games.magic_wheel.payouts import due
from games.magic_wheel.picture import picture
from games.magic_wheel.rules import RULES
from games.magic_wheel.state import evolve, open_table
from games.magic_wheel.table import Session
from games.magic_wheel.wording import tell
from games.protocol import Game

GAME: Game[Session] = Game(
    name="magic_wheel",
    title="BIGWIN Magic Wheel",
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
