"""Who acts: which account stands for which person, with which roles, on which day (design section 8).

An actor is the operating-system account (on PostgreSQL the database role) that runs a command, or a personal Ed25519
key (`key:<beginning of its SHA-256>`); no option names one. The first two managers of a house are registered alone;
from then on each registration is proposed by one manager and approved by another person. What the log holds against
these rules does not count: the register is folded from the house's own stream and says what it passed over.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from hashlib import sha256

from msgspec import Struct
from msgspec.structs import replace

from events.errors import Refused
from events.schema.event import Event
from events.schema.fact import Fact
from events.schema.ours import StaffProposed, StaffRegistered, StaffRetired, StaffRole
from events.seal import BadNote, VerifierKey, parse_verifier
from events.store import Draft, Log
from events.values.clock import gaming_day
from events.values.names import RECOUP, check_name

MANAGERS_ALONE = 2
"""So many managers a house has before each registration needs two of them."""

KEY = "key:"


class Assignment(Struct, frozen=True):
    """One account's roles for a person, from one day to another; `to_day` None: until further notice."""

    person: str
    account: str
    roles: frozenset[StaffRole]
    from_day: date
    to_day: date | None = None
    key: VerifierKey | None = None

    def covers(self, day: date) -> bool:
        """Whether the day lies in it."""
        return self.from_day <= day and (self.to_day is None or day <= self.to_day)


class Proposal(Struct, frozen=True):
    """A registration that waits for a second manager. `by`: who proposed it."""

    id: str
    event: StaffProposed
    by: str


class Passed(Struct, frozen=True):
    """A record of the house's stream that does not count, and why."""

    cite: str
    text: str


class Actor(Struct, frozen=True):
    """Who runs a command: the account, and the person and roles that it stands for today; no person if none."""

    account: str
    person: str = ""
    roles: frozenset[StaffRole] = frozenset()


class Register(Struct, frozen=True):
    """A house's staff. `next_version`: of its stream, for who writes the next registration."""

    house: str
    assignments: tuple[Assignment, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    passed: tuple[Passed, ...] = ()
    next_version: int = 1

    def person_of(self, account: str) -> str:
        """The person that an account ever stood for; empty if none. It cannot be two."""
        return next((one.person for one in self.assignments if one.account == account), "")

    def actor(self, account: str, day: date) -> Actor:
        """Who acts by that account on that day."""
        last = self._in_force(account, day)
        return Actor(account, last.person, last.roles) if last is not None else Actor(account, self.person_of(account))

    def roles_of(self, person: str, day: date) -> frozenset[StaffRole]:
        """All roles of a person on a day, by whatever account."""
        accounts = {one.account for one in self.assignments if one.person == person}
        found = [self._in_force(account, day) for account in accounts]
        return frozenset(role for one in found if one is not None for role in one.roles)

    def managers(self, day: date) -> list[str]:
        """Persons who are managers on a day."""
        people = sorted({one.person for one in self.assignments})
        return [person for person in people if "manager" in self.roles_of(person, day)]

    def keys_of(self, account: str) -> VerifierKey | None:
        """The key that an account of the form `key:…` is."""
        return next((one.key for one in reversed(self.assignments) if one.account == account and one.key), None)

    def _in_force(self, account: str, day: date) -> Assignment | None:
        """The last registration of an account that covers a day."""
        return next((one for one in reversed(self.assignments) if one.account == account and one.covers(day)), None)

    def require(self, account: str, day: date, *roles: StaffRole, to: str) -> Actor:
        """The actor, who has one of the roles.

        Raises:
            Refused: he has none of them; `to` says what for.
        """
        actor = self.actor(account, day)
        if actor.roles.isdisjoint(roles):
            wanted = " or ".join(roles)
            who = f"{actor.person} (account {account})" if actor.person else f"account {account}"
            held = f"is {', '.join(sorted(actor.roles))}" if actor.roles else "has no role"
            raise Refused(
                f"{who} {held} in house {self.house} today; {to} needs {wanted}",
                hint="`recoup staff list` shows who may; `recoup staff register` proposes somebody\n"
                f"{self.ways(account)}",
            )
        return actor

    def ways(self, account: str) -> str:
        """How somebody acts as himself where `account` is not his, for a hint."""
        if account.startswith(KEY):
            return f"RECOUP_KEY says that {account} acts: name the file of another key, or unset it"
        if any(one.key is not None for one in self.assignments):
            return "who has a personal key acts by it: RECOUP_KEY=FILE before the command"
        return "who shares an account with others acts by a personal key: `recoup staff key FILE --person PERSON`"


def stream_of(house: str) -> str:
    """Where a house's staff is registered."""
    return f"house/{house}@{RECOUP}"


def read_register(log: Log, house: str) -> Register:
    """A house's staff as the log has it now.

    Raises:
        BadName: no house's name.
    """
    check_name(house, "house")
    facts = sorted(log.session_facts(f"house/{house}").facts, key=lambda fact: fact.version)
    own = [fact for fact in facts if fact.source == RECOUP]
    return replace(fold(house, own), next_version=own[-1].version + 1 if own else 1)


def fold(house: str, facts: Iterable[Fact]) -> Register:
    """The register after a house's records, in their order; never refuses what is on record, but passes it over."""
    register = Register(house)
    for fact in facts:
        event = fact.event
        if isinstance(event, StaffProposed | StaffRegistered | StaffRetired):
            try:
                register = _after(register, event, fact.account or "", gaming_day(fact.occurred_at))
            except Refused as error:
                register = replace(register, passed=(*register.passed, Passed(fact.cite, str(error))))
    return register


def propose(
    log: Log, house: str, wish: StaffRegistered, *, account: str, reason: str
) -> StaffRegistered | StaffProposed:
    """Registers somebody, or asks for it: alone for a house's first two managers, else as a proposal.

    Gives the event that was written.

    Raises:
        Refused: the actor may not, or the registration cannot be.
    """
    register = read_register(log, house)
    today = gaming_day(log.now_ms())
    event: StaffRegistered | StaffProposed = wish
    if len(register.managers(today)) >= MANAGERS_ALONE:
        event = StaffProposed(
            f"staff-{register.next_version}", wish.person, wish.for_account, wish.roles, wish.from_day, wish.to_day,
            wish.key,
        )  # fmt: skip
    _write(log, register, event, account, reason, today)
    return event


def approve(log: Log, house: str, proposal: str, *, account: str, reason: str) -> StaffRegistered:
    """Approves what another manager proposed.

    Raises:
        Refused: no such proposal, the actor may not, or it is his own.
    """
    register = read_register(log, house)
    found = next((one for one in register.proposals if one.id == proposal), None)
    if found is None:
        raise Refused(
            f"no proposal `{proposal}` waits in house {house}", hint="`recoup staff list` shows those that do"
        )
    wish = found.event
    event = StaffRegistered(
        wish.person, wish.for_account, wish.roles, wish.from_day, wish.to_day, proposal, wish.key
    )  # fmt: skip
    _write(log, register, event, account, reason, gaming_day(log.now_ms()))
    return event


def retire(log: Log, house: str, person: str, last_day: date, *, account: str, reason: str) -> StaffRetired:
    """A person has no role any more after a day. One manager is enough: it takes rights, it gives none.

    Raises:
        Refused: the actor is no manager, nobody is called so, or fewer than two managers would be left.
    """
    register = read_register(log, house)
    event = StaffRetired(person, last_day.isoformat())
    _write(log, register, event, account, reason, gaming_day(log.now_ms()))
    return event


def _write(log: Log, register: Register, event: Event, account: str, reason: str, today: date) -> None:
    assert isinstance(event, StaffProposed | StaffRegistered | StaffRetired)
    _after(register, event, account, today)
    draft = Draft(event=event, account=account, reason=reason)
    log.author(stream_of(register.house), [draft], expected=register.next_version)


def _after(
    register: Register, event: StaffProposed | StaffRegistered | StaffRetired, account: str, today: date
) -> Register:
    """The register after one more record.

    Raises:
        Refused: it may not be, and why.
    """
    if isinstance(event, StaffRetired):
        return _retired(register, event, account, today)
    _check_wish(register, event)
    if isinstance(event, StaffProposed):
        by = register.require(account, today, "manager", to="proposing staff")
        if any(one.id == event.proposal for one in register.proposals):
            raise Refused(f"there is a proposal `{event.proposal}` already")
        return replace(register, proposals=(*register.proposals, Proposal(event.proposal, event, by.person)))
    if event.proposal is None:
        if len(register.managers(today)) >= MANAGERS_ALONE:
            raise Refused(f"house {register.house} has {MANAGERS_ALONE} managers: one proposes, another approves")
        if "manager" not in event.roles:
            raise Refused("a house's first two registrations are its managers'", hint="--role manager")
        return replace(register, assignments=(*register.assignments, _assignment(event)))
    found = next((one for one in register.proposals if one.id == event.proposal), None)
    if found is None:
        raise Refused(f"no proposal `{event.proposal}` waits in house {register.house}")
    by = register.require(account, today, "manager", to="approving staff")
    if by.person == found.by:
        raise Refused(
            f"{by.person} proposed `{found.id}` and cannot approve it, by whatever account",
            hint=f"another manager approves: `recoup staff list --house {register.house}` shows who is one\n"
            f"{register.ways(account)}",
        )
    if by.person == event.person and "manager" in event.roles:
        raise Refused(
            f"{by.person} cannot approve roles of his own", hint=f"a third manager approves\n{register.ways(account)}"
        )
    if _wish(found.event) != _wish(event):
        raise Refused(f"what is registered is not what `{found.id}` proposed")
    rest = tuple(one for one in register.proposals if one is not found)
    return replace(register, assignments=(*register.assignments, _assignment(event)), proposals=rest)


def _retired(register: Register, event: StaffRetired, account: str, today: date) -> Register:
    by = register.require(account, today, "manager", to="retiring staff")
    if not any(one.person == event.person for one in register.assignments):
        raise Refused(f"nobody is called {event.person} in house {register.house}", hint="`recoup staff list`")
    last = date.fromisoformat(event.last_day)
    left = tuple(
        replace(one, to_day=last if one.to_day is None else min(one.to_day, last))
        if one.person == event.person and one.from_day <= last
        else one
        for one in register.assignments
        if one.person != event.person or one.from_day <= last
    )
    after = replace(register, assignments=left)
    day = max(today, last) + timedelta(days=1)
    if event.person in register.managers(today) and len(after.managers(day)) < MANAGERS_ALONE:
        raise Refused(
            f"without {event.person} house {register.house} has fewer than {MANAGERS_ALONE} managers",
            hint=f"register another manager first ({by.person} proposes, another approves)",
        )
    return after


def _check_wish(register: Register, event: StaffProposed | StaffRegistered) -> None:
    """What no registration can be, whoever writes it."""
    if not event.roles:
        raise Refused("a registration names at least one role", hint="--role manager")
    if event.to_day is not None and event.to_day < event.from_day:
        raise Refused(f"the last day, {event.to_day}, is before the first, {event.from_day}")
    known = register.person_of(event.for_account)
    if known and known != event.person:
        raise Refused(
            f"account {event.for_account} stands for {known}; it cannot be {event.person} too",
            hint="one account is one person: give each his own",
        )
    if event.for_account.startswith(KEY) != bool(event.key):
        raise Refused(f"{event.for_account} and its key do not go together", hint="`recoup staff key` makes one")
    if event.key and account_of(_key(event.key)) != event.for_account:
        raise Refused(f"the key is {account_of(_key(event.key))}, not {event.for_account}")


def account_of(key: VerifierKey) -> str:
    """What a personal key is called as an account; its name plays no part."""
    return f"{KEY}{sha256(key.public).hexdigest()[:16]}"


def _key(text: str) -> VerifierKey:
    try:
        return parse_verifier(text)
    except BadNote as error:
        raise Refused(str(error)) from error


def _wish(event: StaffProposed | StaffRegistered) -> tuple[object, ...]:
    return event.person, event.for_account, event.roles, event.from_day, event.to_day, event.key


def _assignment(event: StaffRegistered) -> Assignment:
    return Assignment(
        event.person,
        event.for_account,
        frozenset(event.roles),
        date.fromisoformat(event.from_day),
        date.fromisoformat(event.to_day) if event.to_day else None,
        _key(event.key) if event.key else None,
    )
