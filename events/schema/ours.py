"""Events that only Recoup writes (streams `…@/recoup`): the record itself, editions, rulings, imports.

The account that caused one and the reason given stand in the envelope (`account`, `reason`).
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta
from msgspec.structs import force_setattr

from events.schema.event import Amount, Count, Event, Name, Text

Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
"""SHA-256, hexadecimal."""

Day = Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\d$")]


Where = Annotated[str, Meta(min_length=1, max_length=1023)]
"""Several names in one: the address of a round, the citation of a record, a source with the part of its counter."""


class RecordCorrected(Event, frozen=True):
    """The record that `about` names is read with another round, time or data from now on."""

    TOPIC: ClassVar[str] = "RC.RecordCorrected.v1"
    round: Name | None = None
    time: Text | None = None
    data: dict[str, Any] | None = None


class RecordDisowned(Event, frozen=True):
    """The record that `about` names is not counted: it was never true, or stands elsewhere."""

    TOPIC: ClassVar[str] = "RC.RecordDisowned.v1"


class GapDeclaredLost(Event, frozen=True):
    """Nobody will ever send these records of a source."""

    TOPIC: ClassVar[str] = "RC.GapDeclaredLost.v1"
    source: Where
    first: Count
    last: Count


class SourceRestarted(Event, frozen=True):
    """A source's counter began again in mid-session; it goes on in `stream`."""

    TOPIC: ClassVar[str] = "RC.SourceRestarted.v1"
    source: Name
    stream: Text
    part: Count


class RecordConflicted(Event, frozen=True):
    """A second record with a known sequence and other content; its bytes lie in quarantine under `sha256`."""

    TOPIC: ClassVar[str] = "RC.RecordConflicted.v1"
    record: Where
    stored_digest: Digest
    received_digest: Digest
    sha256: Digest


class RecordQuarantined(Event, frozen=True):
    """Bytes that could not be read, placed or believed."""

    TOPIC: ClassVar[str] = "RC.RecordQuarantined.v1"
    sha256: Digest
    why: Name
    detail: Text = ""
    origin: Text = ""


class QuarantineReleased(Event, frozen=True):
    """A person let quarantined bytes into the log, stored as `stream`."""

    TOPIC: ClassVar[str] = "RC.QuarantineReleased.v1"
    sha256: Digest
    stream: Text


class QuarantineDiscarded(Event, frozen=True):
    """A person decided that quarantined bytes are no record; the bytes stay in quarantine."""

    TOPIC: ClassVar[str] = "RC.QuarantineDiscarded.v1"
    sha256: Digest


class OffsetOutOfRange(Event, frozen=True):
    """Kafka no longer has, or does not have, the offset at which the log wanted to read on; it went on from `earliest`.

    `stored` less than `earliest`: what lay between was deleted before it was read, and is lost unless its source sends
    it again. `stored` greater than `latest`: the partition has lost its end.
    """

    TOPIC: ClassVar[str] = "RC.OffsetOutOfRange.v1"
    cluster: Name
    topic: Name
    topic_id: Name
    partition: Count
    stored: Count
    earliest: Count
    latest: Count


class EditionAdopted(Event, frozen=True):
    """An edition of a rule book is in force in the house from the gaming day `first_day`, as these very bytes."""

    TOPIC: ClassVar[str] = "HS.EditionAdopted.v1"
    rule_book: Name
    edition: Name
    first_day: Day
    toml: str
    sha256: Digest


class SettingChanged(Event, frozen=True):
    """A house setting (`clock.tolerance_ms`, …) has another value."""

    TOPIC: ClassVar[str] = "HS.SettingChanged.v1"
    setting: Name
    value: int | str | bool | None


class RateStored(Event, frozen=True):
    """The house's rate for thresholds: thousandths of the currency for one euro, from the gaming day on."""

    TOPIC: ClassVar[str] = "HS.RateStored.v1"
    currency: Annotated[str, Meta(pattern="^[A-Z]{3}$")]
    thousandths: Count
    day: Day


StaffRole = Literal["surveillance", "inspector", "manager", "compliance", "auditor"]


class StaffProposed(Event, frozen=True):
    """A manager asks another one to let an account stand for a person with roles (`events.staff`).

    `key`: the verifier key of a personal Ed25519 key, where `for_account` is one (`key:…`).
    """

    TOPIC: ClassVar[str] = "HS.StaffProposed.v1"
    proposal: Name
    person: Name
    for_account: Name
    roles: tuple[StaffRole, ...]
    from_day: Day
    to_day: Day | None = None
    key: Text = ""


class StaffRegistered(Event, frozen=True):
    """An account stands for a person with roles, from one day to another (both included); `proposal`: the one that was
    approved, empty for the first two managers. A later one of the same account replaces this one from its first day."""

    TOPIC: ClassVar[str] = "HS.StaffRegistered.v1"
    person: Name
    for_account: Name
    roles: tuple[StaffRole, ...]
    from_day: Day
    to_day: Day | None = None
    proposal: Name | None = None
    key: Text = ""


class StaffRetired(Event, frozen=True):
    """A person has no role any more after `last_day`, by whatever account."""

    TOPIC: ClassVar[str] = "HS.StaffRetired.v1"
    person: Name
    last_day: Day


class DaySigned(Event, frozen=True):
    """One of the two persons who sign a house's gaming day: as it was reconciled, with its exceptions (`events.days`).

    `digest`: over figures, rulings and exceptions; `tree_size`: rows that the log had. `figures`: book → figure → minor
    units, null where nobody counted; `exceptions`: the ids of those that stood open.
    """

    TOPIC: ClassVar[str] = "DY.DaySigned.v1"
    digest: Digest
    tree_size: Count
    figures: dict[str, dict[str, int | None]]
    exceptions: tuple[Name, ...] = ()


class Ruling(Event, frozen=True):
    """What a ruling says; shared by the ruling in its dispute and its application in each session touched.

    `scope` with the names it covers: `rounds` (addresses), `bets`, `players`. `basis` `management`: the house's own
    book does not give this ground in this game. `decided_by` is a person's id, `role` what he decided as. `amounts`:
    player → minor units of the tables' currency, signed: what he gets or owes; `foreign`: those of stakes in another
    one, currency → player → minor units.
    """

    ruling: Name
    ground: Name
    scope: Literal["bet", "hand", "round", "shoe", "session", "player"] | None = None
    standard: Literal["proof", "suspicion", "fact"] | None = None
    decided_by: Name | None = None
    role: Name | None = None
    rounds: tuple[Where, ...] = ()
    bets: tuple[Name, ...] = ()
    players: tuple[Name, ...] = ()
    basis: Literal["book", "analogy", "management"] = "book"
    remedy: Name = "void"
    evidence: tuple[Text, ...] = ()
    replaces: Name | None = None
    amounts: dict[str, int] = {}
    foreign: dict[str, dict[str, int]] = {}

    @property
    def moves_money_of(self) -> frozenset[str]:
        """Who gets or owes something, in whatever currency."""
        return frozenset(self.amounts).union(*self.foreign.values())


class RulingIssued(Ruling, frozen=True):
    """A manager's decision, in its dispute."""

    TOPIC: ClassVar[str] = "DS.RulingIssued.v1"


class RulingApplied(Ruling, frozen=True):
    """The same decision, in a session that it touches; input of that session's fold, never an event of it.

    `amounts` and `foreign` are the effects stated when it was applied.
    `rests_on`: address of each of its rounds → digest of the outcome by the facts alone that it was decided on (TB-10).
    `freed`: rounds of the session that only the ruling which it replaces had reached. It does not rule on them: they
    are as the rules make them, and another ruling may reach them. Where it rules on no round of the session, `rounds`
    and `amounts` are empty.
    """

    TOPIC: ClassVar[str] = "DS.RulingApplied.v1"
    dispute: Name | None = None
    rests_on: dict[str, Digest] = {}
    freed: tuple[Where, ...] = ()

    def __post_init__(self) -> None:
        """Reads what was written before there was `freed`: such rounds stood in `rounds`, as if they were corrected
        without amounts, and rested on nothing; whatever else a dispute has ruled on rests on verdicts."""
        replaced = self.dispute is not None and self.replaces is not None and not self.freed
        if replaced and self.remedy == "correct" and not self.amounts and not self.rests_on:
            force_setattr(self, "freed", self.rounds)
            force_setattr(self, "rounds", ())


class HandImported(Event, frozen=True):
    """The first record of an imported hand: opens its session, as `TableOpened` does a table's.

    `sha256` is that of the hand's own text, `text` the same with players' names replaced. Amounts of the hand are
    hundredths of the file's unit. `time_known` false: the hand names no time, and nothing compares its times.
    """

    TOPIC: ClassVar[str] = "IM.HandImported.v1"
    game: Name
    rule_book: Name
    currency: Annotated[str, Meta(pattern="^[A-Z]{3}$")]
    format: Name
    reader: Count
    sha256: Digest
    text: str
    time_known: bool
    smallest_chip: Amount | None = None
    site: Text | None = None
    site_hand: Text | None = None
    notes: tuple[Text, ...] = ()


class SealKeyAdopted(Event, frozen=True):
    """From the tree size `from_size` on, checkpoints of `origin` are signed by this key (a C2SP verifier key).

    `endorsed`: the note by which the key before it names this one; empty for the first.
    """

    TOPIC: ClassVar[str] = "SL.SealKeyAdopted.v1"
    origin: Text
    key: Text
    from_size: Count
    endorsed: str = ""


class CheckpointSigned(Event, frozen=True):
    """The tree's first `size` rows have the root that the note says (C2SP tlog-checkpoint, signed).

    `frontier`: the roots of its full subtrees, largest first, so that the next checkpoint goes on from there.
    """

    TOPIC: ClassVar[str] = "SL.CheckpointSigned.v1"
    size: Count
    note: str
    frontier: tuple[Digest, ...] = ()


OUR_EVENTS: tuple[type[Event], ...] = (
    RecordCorrected, RecordDisowned, GapDeclaredLost, SourceRestarted, RecordConflicted, RecordQuarantined,
    QuarantineReleased, QuarantineDiscarded, OffsetOutOfRange, EditionAdopted, SettingChanged, StaffProposed,
    StaffRegistered, StaffRetired, RateStored, DaySigned,
    RulingIssued, RulingApplied, HandImported, SealKeyAdopted, CheckpointSigned,
)  # fmt: skip
"""All that Recoup itself writes."""
