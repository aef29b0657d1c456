"""What stands on the table: a session and its current round. Values only, nothing decides."""

from __future__ import annotations

from events.schema.fact import Fact
from games.shared.bank.table import BankRound, BankSession, Noted


class Coup(BankRound, frozen=True, kw_only=True):
    """One round. `claims`, `elections`, `replaced`: bonuses claimed, antes taken or given up, dealer's cards replaced.

    As it stood when the round began: `deck_since`, the record that brought the deck; `royal`, the round in which a
    player made a royal flush with it, empty if none did; `ordered`, management's order to change it. `on_duty`: the
    dealer at the table when the deck was cut.
    """

    claims: tuple[Noted, ...] = ()
    elections: tuple[Noted, ...] = ()
    replaced: tuple[Noted, ...] = ()
    deck_since: Fact | None = None
    royal: str = ""
    ordered: Fact | None = None
    on_duty: str = ""


class Session(BankSession, frozen=True, kw_only=True):
    """A table from opening to close. `deck_since`, `royal` and `ordered` as in `Coup`; `on_duty`: dealer at the cut.

    `idle`: person with a seat → rounds in a row that he let pass without an ante (RP-02).
    """

    round: Coup | None = None
    deck_since: Fact | None = None
    royal: str = ""
    ordered: Fact | None = None
    on_duty: str = ""
    idle: dict[str, int] = {}
