"""The dispute as an aggregate: folded from its own stream, decided by commands, written at the version read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Literal

from eventsourcing.application import AggregateNotFoundError
from msgspec import Struct
from msgspec.structs import replace

from events.errors import Refused
from events.schema.disputes import (
    DisputeAdjudicated,
    DisputeClosed,
    DisputeOpened,
    DisputeReopened,
    EffectSettled,
    EvidenceNoted,
    PlayersTold,
    RulingApproved,
    RulingProposed,
    RulingRejected,
    Settled,
)
from events.schema.event import Event
from events.schema.ours import Ruling, RulingIssued
from events.store import Log
from events.store.application import Decided
from events.values.names import RECOUP, check_name


def ways(amount: int) -> tuple[Settled, ...]:
    """How an amount may be dealt with: one that is owed to a player (positive), or by him."""
    return ("paid", "retained", "waived") if amount > 0 else ("received", "waived")


MOVED: frozenset[Settled] = frozenset({"paid", "received"})
"""How money changes hands; the other ways leave it where it is."""
State = Literal["open", "adjudicated", "proposed", "approved", "issued", "closed"]


class Act(Struct, frozen=True):
    """Something that somebody did: version in the stream, when (ms UTC), by which account, why, and the event."""

    version: int
    at: int
    account: str
    reason: str
    event: Event


class Dispute(Struct, frozen=True, kw_only=True):
    """A dispute as it stands. `acts` in order; `version` of the last one.

    `proposed`: the ruling that waits for a second manager, or for being issued once `approved_by` is set; `issued`: all
    that were, oldest first. `settled`: every amount that was dealt with, in order.
    """

    id: str
    state: State = "open"
    acts: tuple[Act, ...] = ()
    version: int = 0
    opened: DisputeOpened | None = None
    evidence: tuple[EvidenceNoted, ...] = ()
    adjudicated: DisputeAdjudicated | None = None
    proposed: RulingProposed | None = None
    proposed_by: str = ""
    approved_by: str = ""
    issued: tuple[RulingIssued, ...] = ()
    settled: tuple[EffectSettled, ...] = ()
    told: frozenset[str] = frozenset()
    outcome: str = ""

    @property
    def stream(self) -> str:
        """Where it stands."""
        return stream_of(self.id)

    @property
    def house(self) -> str:
        """The house that it is about."""
        return self.opened.house if self.opened is not None else ""

    @property
    def rounds(self) -> tuple[str, ...]:
        """Addresses of the disputed rounds."""
        return self.opened.rounds if self.opened is not None else ()

    @property
    def in_force(self) -> RulingIssued | None:
        """The last ruling issued, which replaces those before it."""
        return self.issued[-1] if self.issued else None

    @property
    def open_amounts(self) -> dict[str, int]:
        """Player → what the ruling in force still owes him (negative: he owes), net of all that was dealt with."""
        return self.net(self.in_force.amounts if self.in_force is not None else {})

    @property
    def open_foreign(self) -> dict[str, dict[str, int]]:
        """Currency → player → the same of stakes that did not lie in the tables' currency, where something is open."""
        return self.net_foreign(self.in_force.foreign if self.in_force is not None else {})

    def net_foreign(self, foreign: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
        """As `net`, for each currency that is not the tables'."""
        units = sorted({*foreign, *(one.currency for one in self.settled if one.currency)})
        found = {unit: self.net(foreign.get(unit, {}), unit) for unit in units}
        return {unit: own for unit, own in found.items() if own}

    def net(self, amounts: Mapping[str, int], currency: str | None = None) -> dict[str, int]:
        """Player → what is still open if a ruling owes these amounts, after all that was dealt with in that currency
        (None: the tables').

        Money that moved counts in full, and comes back where nothing is owed. What was retained or waived moved
        nowhere: it stands against as much of the same claim or debt, and nobody gets it back.
        """
        found = {}
        settled = [one for one in self.settled if one.currency == currency]
        for player in sorted({*amounts, *(one.player for one in settled)}):
            own = [one for one in settled if one.player == player]
            left = amounts.get(player, 0) - sum(one.amount for one in own if one.how in MOVED)
            given_up = sum(abs(one.amount) for one in own if one.how not in MOVED and one.amount * left > 0)
            found[player] = max(left - given_up, 0) if left > 0 else min(left + given_up, 0)
        return {player: amount for player, amount in found.items() if amount}

    @property
    def dealt_with(self) -> dict[tuple[str, str, Settled, bool], int]:
        """Currency (empty: the tables'), player, how, whether he was owed it → the sum, signed, of all that was dealt
        with so."""
        found: dict[tuple[str, str, Settled, bool], int] = {}
        for one in self.settled:
            key = (one.currency or "", one.player, one.how, one.amount > 0)
            found[key] = found.get(key, 0) + one.amount
        return found

    @property
    def untold(self) -> list[str]:
        """Who is still to be told: who complained, and whom a ruling reaches, also one that is replaced by now."""
        complains = {self.opened.player} if self.opened is not None and self.opened.player else set()
        return sorted(complains.union(*(one.moves_money_of for one in self.issued)) - self.told)

    @property
    def is_overtaken(self) -> bool:
        """Whether a disputed round, judged last, has another verdict than the one that the ruling in force rests on:
        only a further ruling moves money (TB-10)."""
        if self.adjudicated is None or self.in_force is None:
            return False
        proposals = (act.event for act in self.acts if isinstance(act.event, RulingProposed))
        rests_on = next((one.rests_on for one in proposals if one.ruling == self.in_force.ruling), {})
        now = self.adjudicated.verdicts
        return any(now.get(address, digest) != digest for address, digest in rests_on.items())

    @property
    def set_aside(self) -> RulingProposed | None:
        """The approved ruling that the last act, a judgment on other facts, has put aside."""
        if not self.acts or not isinstance(self.acts[-1].event, DisputeAdjudicated):
            return None
        return reduce(after, self.acts[:-1], Dispute(id=self.id)).proposed

    def freed(self, ruling: Ruling) -> tuple[str, ...]:
        """Rounds that only the ruling replaced by this one reached: under it they are as the rules make them."""
        before = next((one for one in self.issued if one.ruling == ruling.replaces), None)
        return tuple(text for text in before.rounds if text not in ruling.rounds) if before is not None else ()

    @property
    def holds(self) -> tuple[str, ...]:
        """Decks, footage and machines that stay put away."""
        if self.state == "closed":
            return ()
        return tuple(dict.fromkeys(thing for one in self.evidence for thing in one.hold))


def stream_of(dispute: str) -> str:
    """A dispute's stream."""
    return f"dispute/{dispute}@{RECOUP}"


def read_dispute(log: Log, dispute: str) -> Dispute:
    """A dispute as the log has it now.

    Raises:
        Refused: there is none of that id.
    """
    check_name(dispute, "dispute")
    try:
        return log.aggregates.repository.get(stream_of(dispute), projector_func=_project)
    except AggregateNotFoundError as error:
        raise Refused(f"there is no dispute `{dispute}`", hint="`recoup dispute list --all` shows them") from error


def _project(initial: Dispute | None, decided: Iterable[Decided]) -> Dispute | None:
    """The library's projector: the aggregate after its events; None if it has none."""
    dispute = initial
    for one in decided:
        if dispute is None:
            dispute = Dispute(id=one.originator_id.partition("@")[0].removeprefix("dispute/"))
        if isinstance(one.event, Event):
            act = Act(one.originator_version, one.at, one.account or "", one.reason or "", one.event)
            dispute = after(dispute, act)
        else:
            dispute = replace(dispute, version=one.originator_version)
    return dispute


def after(dispute: Dispute, act: Act) -> Dispute:
    """The dispute after one more act; never refuses what is on record."""
    dispute = replace(dispute, acts=(*dispute.acts, act), version=act.version)
    event = act.event
    match event:
        case DisputeOpened():
            return replace(dispute, opened=dispute.opened or event)
        case EvidenceNoted():
            return replace(dispute, evidence=(*dispute.evidence, event))
        case DisputeAdjudicated():
            return replace(dispute, adjudicated=event, state="adjudicated", proposed=None, approved_by="")
        case RulingProposed():
            return replace(dispute, proposed=event, proposed_by=act.account, approved_by="", state="proposed")
        case RulingApproved():
            return replace(dispute, approved_by=act.account, state="approved")
        case RulingRejected():
            return replace(dispute, proposed=None, proposed_by="", approved_by="", state="adjudicated")
        case RulingIssued():
            issued = (*dispute.issued, event)
            return replace(dispute, issued=issued, proposed=None, approved_by="", state="issued", told=frozenset())
        case EffectSettled():
            return replace(dispute, settled=(*dispute.settled, event))
        case PlayersTold():
            return replace(dispute, told=dispute.told | set(event.players))
        case DisputeClosed():
            return replace(dispute, state="closed", outcome=event.outcome)
        case DisputeReopened():
            return replace(dispute, state="open", outcome="", adjudicated=None)
    return dispute


def as_of(dispute: Dispute, at: int) -> Dispute:
    """The dispute as it stood at a moment, ms UTC."""
    return reduce(after, (act for act in dispute.acts if act.at <= at), Dispute(id=dispute.id))


def disputes(log: Log) -> list[Dispute]:
    """Every dispute, by its day and its number on that day."""
    ids = [subject.removeprefix("dispute/") for subject in log.subjects("dispute/")]
    return [read_dispute(log, one) for one in sorted(ids, key=_day_and_number)]


def _day_and_number(dispute: str) -> tuple[str, int, str]:
    day, _dot, number = dispute.rpartition(".")
    return day, int(number) if number.isdecimal() else 0, number
