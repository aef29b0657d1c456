"""What stands on the table: the shoe, the round with its boxes, the session. Values only, nothing decides."""

from __future__ import annotations

from msgspec import Struct

from events.schema.fact import Fact
from games.shared.bank.limits import Limits
from games.shared.bank.table import BankRound, BankSession, Laid


class Change(Struct, frozen=True):
    """A dealer took over while cards were in the shoe (BJ-13): what was burned until the next card.

    `gap`: places of the shoe between the last card before and the first one after that no record names; None where
    places are not recorded. `after_last`: the shoe's last round had been played.
    """

    fact: Fact
    burned: tuple[Fact, ...] = ()
    shown: tuple[Fact, ...] = ()
    gap: int | None = None
    after_last: bool = False


class Shoe(Struct, frozen=True, kw_only=True):
    """A shoe from its first shuffle to the next.

    `number`: which of the session, from 1 (0: none is on record yet). `prepared`: packs, shuffle, cut and loading in
    table order; `holed`: a record is missing among them. `burned`, `shown`: cards put aside after the shuffle, and
    those of them that somebody saw. `first_seq`, `last_seq`: places of the first and the last card dealt. `drawn`:
    card → how often it came out. `wrong`: records that show other cards than six packs. `rounds`: those dealt from it.
    `last_round`: the round in which the cutting card came out, by `cutting`. `cutter`: who is to cut; empty if the
    record does not tell.
    """

    number: int = 0
    deck: str = ""
    packs: int | None = None
    carried: Fact | None = None
    prepared: tuple[Fact, ...] = ()
    holed: bool = False
    burned: tuple[Fact, ...] = ()
    shown: tuple[Fact, ...] = ()
    dealing: bool = False
    first_seq: int | None = None
    last_seq: int | None = None
    drawn: dict[str, int] = {}
    cards: int = 0
    wrong: tuple[Fact, ...] = ()
    rounds: tuple[str, ...] = ()
    change: Change | None = None
    last_round: str | None = None
    cutting: Fact | None = None
    cutter: str | None = None


class Barred(Struct, frozen=True):
    """A ruling that keeps a player off a box; `since`: how many rounds had been opened by then."""

    fact: Fact
    since: int


class Round(BankRound, frozen=True, kw_only=True):
    """A round of blackjack.

    `carried`: cards misdrawn in the round before that are the first of this one (BJ-25). `shoe`: as it stood before the
    round's first card. `owners`, `limits`: as they stood at the closing call or the first card, whichever came first;
    None before. `changes`: dealers that took over in this round or before its first card. `before`: the round before
    this one, without its own.
    """

    carried: tuple[Laid, ...] = ()
    shoe: Shoe | None = None
    owners: dict[int, str] | None = None
    limits: Limits | None = None
    changes: tuple[Change, ...] = ()
    before: Round | None = None

    @property
    def draws(self) -> tuple[Laid, ...]:
        """Every card that the round had to use, in order off the shoe; burns are none.

        One that waits from the round before is the first, once it was used or another card came.
        """
        own = [card for card in self.laid if card.dealt_to != "burn"]
        waited = self.carried if own else tuple(card for card in self.carried if card.dealt_to)
        return (*waited, *own)

    @property
    def over(self) -> bool:
        """The round is closed: what has not been said will not be."""
        return self.closed is not None


class Session(BankSession, frozen=True, kw_only=True):
    """A blackjack table from opening to close.

    `shoe`: the one in use. `last_shoe`: the one before, whose cutting card says who cuts (BJ-09). `barred`: (box,
    player) → the ruling (BJ-06). `heard`: source → its last number, while the shoe is being prepared.
    """

    round: Round | None = None
    shoe: Shoe = Shoe()
    last_shoe: Shoe | None = None
    barred: dict[tuple[int, str], Barred] = {}
    heard: dict[str, int] = {}


def hand_place(box: int, hand: int) -> str:
    """`box/3.1`: hands are numbered from the left."""
    return f"box/{box}.{hand}"


def exact_place(place: str) -> str:
    """`box/3` → `box/3.1`; other places as they are."""
    return f"{place}.1" if place.startswith("box/") and "." not in place else place
