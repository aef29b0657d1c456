"""Blackjack out of a shoe of six packs, a bank game without a hole card (rule book BJ).

Values     totals (cards and hands), events, parameters, table (shoe, round, session)
Fold       state (open_table, evolve) on the shared fold of card games against the bank; shoe: what runs on
The round  bets (at the closing call), hands, legality (what a hand may do), requests (even money, insurance), play:
           every card to its rightful place, every decision to its hand
Judgement  payouts (due, in the order of BJ-48): rulings, shuffle, misdeals, outcomes, conduct; readings of parameters
Checks     rules, which read the marks that the settlement leaves; expects: what may come next; matrix of voids
For people picture; dealer with misdeeds
"""

from __future__ import annotations

from games.blackjack.dealer import BREACHES, deal
from games.blackjack.events import EVENTS
from games.blackjack.expects import expects
from games.blackjack.matrix import MATRIX
from games.blackjack.payouts import due
from games.blackjack.picture import picture
from games.blackjack.rules import RULES
from games.blackjack.state import evolve, open_table
from games.blackjack.table import Session
from games.blackjack.wording import tell
from games.protocol import Game

GAME: Game[Session] = Game(
    name="blackjack",
    title="Blackjack",
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
