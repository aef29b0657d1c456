"""Russian poker, a bank game on one deck: buy or exchange, two combinations paid, the dealer's card replaced (book RP).

Values     combinations (hands and the second one beside them), pay_table, parameters, events, table (session, coup)
Fold       state (open_table, evolve), on the fold of every card game against the bank
Judgement  payouts (due): boxes and hands as recorded, play (a round being judged), opening, dealing, decisions,
           insuring, replacing, settling; rulings and matrix
Checks     rules, which read the marks that the settlement leaves; expects: what may come next
For people picture, explain; dealer with misdeeds
"""

from __future__ import annotations

from games.protocol import Game
from games.russian_poker.dealer import BREACHES, deal
from games.russian_poker.events import EVENTS
from games.russian_poker.expects import expects
from games.russian_poker.explain import explain
from games.russian_poker.matrix import MATRIX
from games.russian_poker.payouts import due
from games.russian_poker.picture import picture, tell
from games.russian_poker.rules import RULES
from games.russian_poker.state import evolve, open_table
from games.russian_poker.table import Session

GAME: Game[Session] = Game(
    name="russian_poker",
    title="Russian poker",
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
    explain=explain,
)
