"""No-limit Texas hold'em for cash, players against each other (rule book NL)."""

from __future__ import annotations

from games.holdem.dealer import BREACHES, deal
from games.holdem.expects import expects
from games.holdem.explain import explain
from games.holdem.matrix import MATRIX
from games.holdem.payouts import due
from games.holdem.picture import picture
from games.holdem.rules import RULES
from games.holdem.state import Session, evolve, open_table
from games.holdem.terms import TERMS
from games.protocol import Game
from games.shared.poker.events import POKER_EVENTS
from games.shared.poker.story import story
from games.shared.poker.table import advance
from games.shared.poker.wording import tell

GAME: Game[Session] = Game(
    name="holdem",
    title="Texas hold'em, cash",
    events=POKER_EVENTS,
    books=(RULES,),
    open_table=open_table,
    evolve=evolve,
    expects=expects,
    due=due,
    picture=picture,
    deal=deal,
    breaches=BREACHES,
    matrix=MATRIX,
    advance=advance,
    tell=tell,
    explain=explain,
    story=story,
    terms=TERMS,
)
