"""A round on its way to its settlement: every box with its stakes as they count by now, and what was noticed so far."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from events.schema.fact import Fact
from games.house_rules.edition import Edition
from games.russian_poker.boxes import SPOTS, Box, boxes_of
from games.russian_poker.combinations import Hand
from games.russian_poker.pay_table import Constants, Tier
from games.russian_poker.table import Coup, Session
from games.shared.bank.events import StakeTakenUp
from games.shared.bank.parts import Part, give_back, part_of, refund_of, total
from games.shared.bank.table import Stake
from games.shared.marks import Mark
from games.verdict import Kind, Scope

Status = Literal["open", "out", "bet", "fold", "undecided"]
"""`open`: it may still decide; `out`: it has no valid ante; `undecided`: the round went on without its word."""


class Playing(Struct):
    """One box. `ante`: as it counts, minor units, `bet`: twice that. `hand`: what it plays with, `first`: the five
    cards of the deal; None where they are not known. `dead`: cards that it should not have. `result`: in the
    catalogue's words, empty while it is open; `cut`: what the maximum payout took off."""

    box: Box
    parts: dict[str, list[Part]]
    ante: int = 0
    status: Status = "open"
    dead: bool = False
    hand: Hand | None = None
    first: Hand | None = None
    result: str = ""
    cut: int = 0
    dealer: Hand | None = None

    @property
    def bet(self) -> int:
        """What its Bet must be."""
        return 2 * self.ante

    @property
    def counts(self) -> bool:
        """Whether it has an ante in play."""
        return self.ante > 0

    def live(self, spot: str) -> list[Part]:
        """What is at risk on a spot."""
        return [part for part in self.parts[spot] if part.live and part.open]

    def staked(self, spot: str) -> int:
        """How much is at risk on a spot, minor units."""
        return total(self.live(spot))

    def counted(self, spot: str) -> int:
        """How much of a spot counts, settled or not, minor units."""
        return total(self.parts[spot])


class Table(Struct):
    """A round being judged. `boxes` from left to right; `irregular`: what the source does not regulate, each with where
    it was noticed (None: after the reveal). `known` false: the record does not tell what is due."""

    session: Session
    coup: Coup
    boxes: list[Playing]
    marks: list[Mark]
    irregular: list[tuple[Mark, int | None]]
    tier: Tier | None = None
    tier_name: str = ""
    known: bool = True

    @property
    def edition(self) -> Edition:
        """The house's rules."""
        return self.session.edition

    @property
    def constants(self) -> Constants:
        """Pay tables and tiers."""
        constants: Constants = self.session.edition.constants
        return constants

    @property
    def first_card(self) -> int | None:
        """Where in the round the first card came; stakes of the opening lie before it."""
        return self.coup.laid[0].order if self.coup.laid else None

    @property
    def revealed(self) -> int | None:
        """Where in the round the dealer turned his cards."""
        return self.coup.dealer_turned.order if self.coup.dealer_turned is not None else None

    @property
    def is_over(self) -> bool:
        """Nobody can decide any more."""
        return self.revealed is not None or self.coup.closed is not None

    def playing(self) -> list[Playing]:
        """The boxes with an ante in play."""
        return [own for own in self.boxes if own.counts]

    def mark(
        self,
        rule: str,
        code: str,
        kind: Kind,
        scope: Scope = "bet",
        *,
        own: Playing | None = None,
        subject: str = "",
        facts: tuple[Fact, ...] = (),
        remedy: dict[str, Any] | None = None,
        basis: str = "facts",
        text: str = "",
    ) -> Mark:
        """Notes a finding; of a box unless another subject is named."""
        mark = Mark(
            rule=rule,
            code=code,
            kind=kind,
            scope=scope,
            subject=subject or (f"box/{own.box.number}" if own is not None else self.coup.name),
            player=own.box.player if own is not None else "",
            facts=facts,
            remedy=remedy or {},
            basis=basis,
            text=text,
        )
        self.marks.append(mark)
        return mark

    def strange(self, mark: Mark, noticed: int | None = None) -> None:
        """Notes that the source has no rule for this (RP-46)."""
        self.irregular.append((mark, noticed))

    def void(self, own: Playing, parts: list[Part], rule: str, code: str) -> int:
        """Undoes stakes of a box: they go back. Returns how much, and notes it if there was anything."""
        live = [part for part in parts if part.live and part.open]
        amount = total(live)
        if amount:
            give_back(live, rule, code)
            self.mark(
                rule, code, "void", own=own, subject=live[0].stake.id, facts=tuple(part.stake.fact for part in live),
                remedy={**refund_of(live[0]), "refund": amount},
            )  # fmt: skip
        return amount


def lay_out(session: Session, coup: Coup) -> Table:
    """The round's boxes with their stakes as they lie."""
    table = Table(session=session, coup=coup, boxes=[], marks=[], irregular=[])
    given_back = {note.order for note in coup.notes(StakeTakenUp) if note.event.by == "dealer"}
    for box in boxes_of(coup):
        own = Playing(box=box, parts={spot: [] for spot in spots_of(box)})
        for stake in box.stakes:
            own.parts[stake.spot].append(_lies(table, own, stake, given_back))
        table.boxes.append(own)
    limits = coup.stakes[0].limits if coup.stakes else session.limits
    found = table.constants.tier_of(session.currency, *limits.of("ante"))
    if found is not None:
        table.tier_name, table.tier = found
    return table


STAYS = {"ante": "RP-11", "bonus": "RP-12", "fee": "RP-15", "insurance": "RP-22", "bet": "RP-19", "rex": "RP-40"}
"""The rule by which a stake lies once its time is over."""


def _lies(table: Table, own: Playing, stake: Stake, given_back: set[int]) -> Part:
    """A stake as it counts: what its player takes up after the first card (a later stake: after the reveal) counts."""
    end = table.first_card if stake.spot in ("ante", "bonus") else table.revealed
    late = [amount for order, amount in stake.back if end is not None and order > end and order not in given_back]
    if late:
        table.mark(
            STAYS.get(stake.spot, "RP-11"), "stake_taken_up", "breach", own=own, subject=stake.id, facts=(stake.fact,),
            remedy={"live": stake.left + sum(late)},
        )  # fmt: skip
    return part_of(stake, stake.left + sum(late))


def spots_of(box: Box) -> tuple[str, ...]:
    """The spots of the layout, then others that the record names."""
    return tuple(dict.fromkeys((*SPOTS, *(stake.spot for stake in box.stakes))))
