"""Caribbean stud poker, a bank game with five cards each and one exchange (rule book CS).

Values     hands (codes, order), events, parameters, table (session, round)
Fold       state (open_table, evolve), on games/shared/bank
Judgement  payouts (due, in the order of CS-17), on a working paper: stakes, conduct, play, faults of the deal, rulings;
           course: how each deal of a round went; matrix: what follows from what, as data
Checks     rules, which read the marks that the settlement leaves; expects: what may come next
For people picture; explain: the figures behind a rule; dealer with misdeeds
"""

from __future__ import annotations

from games.caribbean_stud.dealer import BREACHES, deal
from games.caribbean_stud.events import EVENTS
from games.caribbean_stud.expects import expects
from games.caribbean_stud.explain import explain
from games.caribbean_stud.matrix import MATRIX
from games.caribbean_stud.payouts import due
from games.caribbean_stud.picture import picture, tell
from games.caribbean_stud.rules import RULES
from games.caribbean_stud.state import evolve, open_table
from games.caribbean_stud.table import Session
from games.protocol import Game

GAME: Game[Session] = Game(
    name="caribbean_stud",
    title="Caribbean stud poker",
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
