"""Casino Texas hold'em poker, against the bank (rule book CH).

Values     events, parameters (pay tables, decisions), table (session, coup), settling (one box's arithmetic)
Fold       state (open_table, evolve), of what all card games against the bank record (`games.shared.bank`)
Judgement  payouts (due): course (cards and windows), boxes and plays (what is at risk), procedure, rulings, money;
           showing: reveal and order of settlement
Checks     rules, which read the marks that these leave; expects: what may come next; matrix: what may be voided
For people picture, explain; dealer with misdeeds
"""

from __future__ import annotations

from games.casino_holdem.dealer import BREACHES, deal
from games.casino_holdem.events import EVENTS
from games.casino_holdem.expects import expects
from games.casino_holdem.explain import explain
from games.casino_holdem.matrix import MATRIX
from games.casino_holdem.payouts import due
from games.casino_holdem.picture import picture, tell
from games.casino_holdem.rules import RULES
from games.casino_holdem.state import evolve, open_table
from games.casino_holdem.table import Session
from games.protocol import Game

GAME: Game[Session] = Game(
    name="casino_holdem",
    title="Casino hold'em",
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
