"""The judge's working paper of one round: boxes and the parts of their stakes, the deals, what was noticed so far.

It is filled step by step (`payouts.analyse` says in which order) and thrown away; what lasts are lines and marks.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from events.schema.fact import Fact
from games.caribbean_stud.course import Deal, Exchange, deals_of
from games.caribbean_stud.events import ANTE, BET, BONUS, FEE
from games.caribbean_stud.table import Round, Session
from games.shared.bank.parts import Part, total
from games.shared.bank.sequence import earlier
from games.shared.marks import Mark
from games.verdict import Kind, Scope


class Box(Struct, kw_only=True):
    """One box in play. `antes` … `bets`: its stakes that count, in order of placing; what does not has gone back.

    `decided`: `bet`, `fold` or nothing yet; `exchanged`: a card was delivered; `dead`: the code of what killed the
    hand. `open`: it waits for a person: nothing of it is settled; `stands`: it stays as it was settled.
    """

    number: int
    player: str
    antes: list[Part] = []
    bonuses: list[Part] = []
    fees: list[Part] = []
    bets: list[Part] = []
    exchanges: list[Exchange] = []
    decided: str = ""
    dead: str = ""
    exchanged: bool = False
    open: bool = False
    stands: bool = False

    @property
    def ante(self) -> int:
        """The ante at risk, minor units."""
        return total(self.antes)

    @property
    def parts(self) -> list[Part]:
        """All its stakes that count."""
        return [*self.antes, *self.bonuses, *self.fees, *self.bets]

    def of(self, spot: str) -> list[Part]:
        """Its stakes on a spot."""
        return {ANTE: self.antes, BONUS: self.bonuses, FEE: self.fees, BET: self.bets}[spot]


class Paper:
    """See above. `parts`: every stake of the round in order of placing, whatever becomes of it. `voided`: why
    everything goes back (`misdeal` or `void`, the rule, the code); empty if nothing does."""

    def __init__(self, session: Session, round_: Round) -> None:
        self.session = session
        self.round = round_
        self.edition = session.edition
        self.deals: list[Deal] = deals_of(round_)
        self.deal = self.deals[-1]
        self.boxes: dict[int, Box] = {}
        self.parts: list[Part] = []
        self.marks: list[Mark] = []
        self.voided: tuple[str, str, str] | None = None

    def __getitem__(self, parameter: str) -> Any:
        return self.edition.parameters[parameter]

    def earlier(self, one: Fact, other: Fact) -> bool | None:
        """Whether one record came before another; None where two clocks are too near to tell."""
        return earlier(self.session.clocks, one, other)

    def owner(self, box: int) -> str:
        """Who has taken a box; where nobody says so, whose ante counts there."""
        taken = self.session.owners.get(box)
        return taken or (self.boxes[box].player if box in self.boxes else "")

    def mark(
        self,
        rule: str,
        code: str,
        kind: Kind,
        scope: Scope = "hand",
        *,
        box: int | None = None,
        part: Part | None = None,
        facts: tuple[Fact | None, ...] = (),
        text: str = "",
        **remedy: Any,
    ) -> None:
        """Notes what a check will report: about a stake, a box or the round."""
        player, subject = "", self.round.name
        if part is not None:
            player, subject = part.stake.player, part.stake.id
        elif box is not None:
            player, subject = self.owner(box), f"box/{box}"
        self.marks.append(
            Mark(
                rule=rule, code=code, kind=kind, scope=scope, subject=subject, player=player, text=text, remedy=remedy,
                facts=tuple(fact for fact in facts if fact is not None),
            )
        )  # fmt: skip

    def unverified(
        self, rule: str, code: str, *, part: Part | None = None, facts: tuple[Fact | None, ...] = ()
    ) -> None:
        """A fact that the test needs is missing, or two clocks are too near."""
        self.mark(rule, f"unverified:{code}", "unverified", "bet" if part else "round", part=part, facts=facts)

    def everything_back(self, how: str, rule: str, code: str) -> None:
        """The round is void or misdealt; what was found first says why."""
        if self.voided is None or (how == "void" and self.voided[0] == "misdeal"):
            self.voided = (how, rule, code)
