"""The commands of a dispute. Each reads it, checks, says which rule refuses, and writes at the version that was read.

Who acts is handed in as the account and the house's register says who that is (`events.staff`): nobody can be two.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from events.errors import Refused
from events.schema.disputes import (
    Channel,
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
from events.schema.fact import Fact
from events.schema.ours import Ruling, RulingIssued, StaffRole
from events.staff import Actor, read_register
from events.store import Draft
from events.values.clock import gaming_day, now_ms
from events.values.money import money_text
from events.values.names import RECOUP, parse_subject
from games.adjudicate import engine
from games.casebook import Casebook
from games.verdict import Verdict
from replay.disputes.dispute import Dispute, read_dispute, stream_of
from replay.disputes.effects import PENALTY, STATED, Effects, effects
from replay.disputes.matrix import basis_of, is_void, on_duty
from replay.disputes.shoes import rounds_of_shoe
from replay.disputes.verdicts import Address, applied, currency_of, digests, parse_address, verdicts

AUTHORITY = "dispute.authority_amount"
"""House setting: from this sum of amounts on (minor units) the supervising authority has its say first."""
OPEN_DAYS = "dispute.open_days"
"""House setting: so many days after the round a complaint may still be opened."""

_OF_THE_HOUSE = ("surveillance", "compliance", "night")
"""Channels by which the house itself asks, for which no time runs out."""
_OPENERS: tuple[StaffRole, ...] = ("surveillance", "inspector", "manager", "compliance")
_MANAGER: tuple[StaffRole, ...] = ("manager",)


class Session(Struct, frozen=True):
    """Who sits at the desk: the casebook over his log, and the account that acts."""

    book: Casebook
    account: str

    def today(self) -> date:
        """The gaming day now."""
        return gaming_day(now_ms())

    def require(self, house: str, roles: tuple[StaffRole, ...], to: str) -> Actor:
        """The actor, who has one of the roles in that house today.

        Raises:
            Refused: he has none.
        """
        return read_register(self.book.log, house).require(self.account, self.today(), *roles, to=to)

    def person(self, house: str, account: str) -> str:
        """Who an account stands for."""
        return read_register(self.book.log, house).person_of(account)

    def write(self, dispute: Dispute, event: Event, reason: str) -> Dispute:
        """Appends one event at the version that was read; gives the dispute after it.

        Raises:
            Refused: somebody acted on it since.
        """
        self.book.log.author(
            dispute.stream,
            [Draft(event=event, account=self.account, reason=reason or None)],
            expected=dispute.version + 1,
        )
        return read_dispute(self.book.log, dispute.id)


def open_dispute(
    desk: Session, rounds: Sequence[str], claim: str, *, player: str | None, channel: Channel, reason: str = ""
) -> Dispute:
    """A complaint about rounds (addresses), the disputed one first.

    Raises:
        Refused: the rounds are not in the log or of several houses, the time for complaints is over, or the actor may
            not.
    """
    addresses = [parse_address(text) for text in dict.fromkeys(rounds)]
    if not addresses:
        raise Refused("a dispute names at least one round", hint="recoup dispute open RL-03#173 --claim TEXT")
    houses = {parse_subject(address.subject).house for address in addresses}
    if len(houses) != 1 or "" in houses:
        raise Refused("a dispute is about rounds of one house", hint="open one for each house")
    (house,) = houses
    desk.require(house, _OPENERS, "opening a dispute")
    found = verdicts(desk.book, [address.text for address in addresses])
    if channel not in _OF_THE_HOUSE:
        _check_in_time(desk, house, found.values())
    event = DisputeOpened(house, tuple(found), claim, channel, player)
    number = 1 + sum(1 for _one in desk.book.log.subjects(f"dispute/{desk.today()}."))
    dispute = Dispute(id=f"{desk.today()}.{number}")
    return desk.write(dispute, event, reason)


def _check_in_time(desk: Session, house: str, found: Iterable[Verdict]) -> None:
    days = desk.book.settings(house).get(OPEN_DAYS)
    if not isinstance(days, int) or isinstance(days, bool):
        return
    for verdict in found:
        age = (desk.today() - gaming_day(verdict.opened_at)).days
        if age > days:
            raise Refused(
                f"{verdict.round} was played {age} days ago; the house takes complaints for {days} ({OPEN_DAYS})",
                hint="what the house itself has found out has no such limit: --channel surveillance or compliance",
            )


def note(desk: Session, dispute: str, evidence: EvidenceNoted, reason: str = "") -> Dispute:
    """What was looked at, and what is put away.

    Raises:
        Refused: the dispute is closed, or the actor may not.
    """
    found = _open(desk, dispute, _OPENERS, "noting evidence")
    return desk.write(found, evidence, reason)


def adjudicate(desk: Session, dispute: str, reason: str = "") -> tuple[Dispute, dict[str, Verdict]]:
    """Judges the disputed rounds by the facts alone, and binds the dispute to what was seen.

    Raises:
        Refused: the dispute is closed, a ruling waits for its decision, or the actor may not.
    """
    found = _open(desk, dispute, _OPENERS, "judging a dispute")
    if found.state == "proposed":
        raise Refused(
            f"ruling {found.proposed.ruling if found.proposed else ''} of {dispute} waits for a second manager",
            hint=f"recoup dispute approve {dispute}, or reject it first",
        )
    if found.state == "approved" and found.proposed is not None and _holds(desk, found.proposed):
        raise Refused(
            f"ruling {found.proposed.ruling} of {dispute} is approved, and the verdicts that it rests on hold",
            hint=f"recoup dispute issue {dispute}",
        )
    judged = verdicts(desk.book, found.rounds)
    apart: dict[str, int] = {}
    for verdict in judged.values():
        for player, amount in verdict.player_differences.items():
            apart[player] = apart.get(player, 0) + amount
    event = DisputeAdjudicated(digests(judged), desk.book.log.size(), engine(), apart)
    return desk.write(found, event, reason), judged


class Wish(Struct, frozen=True, kw_only=True):
    """A ruling that somebody wants. `rounds` empty: those of the dispute. `stated`: player → minor units, where the
    remedy is a stated amount."""

    ground: str
    remedy: str = "void"
    scope: Literal["bet", "hand", "round", "shoe", "session", "player"] | None = None
    standard: Literal["proof", "suspicion", "fact"] | None = None
    rounds: tuple[str, ...] = ()
    bets: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    basis: Literal["book", "management"] = "book"
    stated: dict[str, int] = {}


def propose(desk: Session, dispute: str, wish: Wish, reason: str) -> tuple[Dispute, Effects]:
    """Proposes a ruling with all its effects; another manager decides.

    Raises:
        Refused: the dispute is not judged, a verdict has changed since, the book gives no such ruling, a round is open,
            unknown, touched by a hole or ruled on already, or the actor may not.
    """
    found = _open(desk, dispute, _MANAGER, "proposing a ruling")
    if found.adjudicated is None:
        raise Refused(f"{dispute} was not judged yet", hint=f"recoup dispute judge {dispute}")
    if found.state in ("proposed", "approved"):
        raise Refused(f"a ruling of {dispute} waits already", hint=f"recoup dispute show {dispute}")
    _check_unchanged(desk, found)
    rounds = _reached(desk, found, wish)
    _check_not_on_duty(desk, found.house, rounds, "propose")
    judged = verdicts(desk.book, rounds)
    _check_rounds(judged)
    before = found.in_force
    ruling = Ruling(
        ruling=f"{found.id}.R{1 + sum(1 for act in found.acts if isinstance(act.event, RulingProposed))}",
        ground=wish.ground,
        scope=wish.scope,
        standard=wish.standard,
        decided_by=desk.person(found.house, desk.account),
        role="management",
        rounds=tuple(rounds),
        bets=wish.bets,
        players=wish.players or tuple(sorted(wish.stated)),
        basis=wish.basis,
        remedy=wish.remedy,
        evidence=tuple(" ".join(part for part in (one.kind, one.ref, one.clip) if part) for one in found.evidence),
        replaces=before.ruling if before is not None else None,
    )
    _check_not_ruled(desk, ruling, found.id)
    cameras = sum(1 for one in found.evidence if one.kind == "camera")
    played = {verdict.game for verdict in judged.values()}
    basis = {basis_of(desk.book.rooms[game].matrix, ruling, cameras=cameras) for game in played}
    ruling = replace(ruling, basis=next((one for one in ("management", "analogy") if one in basis), "book"))
    came = effects(desk.book, ruling, judged, wish.stated)
    ruling = replace(ruling, amounts=came.amounts)
    fields = {name: getattr(ruling, name) for name in Ruling.__struct_fields__}
    event = RulingProposed(**fields, rests_on=digests(judged))
    return desk.write(found, event, reason), came


def _reached(desk: Session, dispute: Dispute, wish: Wish) -> list[str]:
    """The rounds that a ruling names: those given, all of the shoe or session, or the dispute's own."""
    given = list(wish.rounds or dispute.rounds)
    if wish.rounds or wish.scope not in ("shoe", "session"):
        return list(dict.fromkeys(given))
    reached: list[str] = []
    for text in given:
        address = parse_address(text)
        reached += rounds_of_shoe(desk.book, address) if wish.scope == "shoe" else _session(desk, address)
    return list(dict.fromkeys(reached))


def _session(desk: Session, address: Address) -> list[str]:
    return [f"{address.subject}#{name}" for name in desk.book.case(address.subject).ordered.rounds]


def decide(desk: Session, dispute: str, *, approve: bool, reason: str) -> Dispute:
    """A second manager approves or rejects the ruling proposed.

    Raises:
        Refused: none is proposed, it is his own, he dealt or supervised one of the rounds, a verdict that it rests on
            has changed, or he may not.
    """
    word = "approve" if approve else "reject"
    found = _open(desk, dispute, _MANAGER, f"to {word} a ruling")
    ruling = found.proposed
    if ruling is None or found.state != "proposed":
        raise Refused(f"no ruling of {dispute} waits for a decision", hint=f"recoup dispute show {dispute}")
    actor = desk.require(found.house, _MANAGER, f"to {word} a ruling")
    if actor.person == desk.person(found.house, found.proposed_by):
        raise Refused(
            f"{actor.person} proposed {ruling.ruling} and cannot decide on it, by whatever account: two persons do",
            hint="another manager decides: recoup staff list",
        )
    _check_not_on_duty(desk, found.house, ruling.rounds, word)
    if not approve:
        return desk.write(found, RulingRejected(ruling.ruling), reason)
    _check_rests(desk, ruling)
    return desk.write(found, RulingApproved(ruling.ruling), reason)


def issue(desk: Session, dispute: str, reason: str = "") -> Dispute:
    """Issues the approved ruling: in the dispute, and in every session that it touches, in one transaction.

    Raises:
        Refused: none is approved, the authority was not asked, a verdict has changed since, somebody acted at the same
            time, or the actor may not.
    """
    found = _open(desk, dispute, _MANAGER, "issuing a ruling")
    ruling = found.proposed
    if ruling is None or found.state != "approved":
        raise Refused(f"no ruling of {dispute} is approved", hint=f"recoup dispute show {dispute}")
    _check_rests(desk, ruling)
    _check_authority(desk, found, ruling)
    expected = {f"{subject}@{RECOUP}": at for subject, at in _check_not_ruled(desk, ruling, found.id).items()}
    fields = {name: getattr(ruling, name) for name in Ruling.__struct_fields__}
    fields["decided_by"] = desk.person(found.house, found.approved_by)
    issued = RulingIssued(**fields)
    groups = [(found.stream, [_draft(desk, issued, reason)])]
    for subject, here in _by_session(found, issued).items():
        rests = {address: ruling.rests_on[address] for address in here.rounds if address in ruling.rests_on}
        groups.append((f"{subject}@{RECOUP}", [_draft(desk, applied(here, dispute=found.id, rests_on=rests), reason)]))
    desk.book.log.author_all(groups, expected={**expected, found.stream: found.version + 1})
    return read_dispute(desk.book.log, dispute)


def _by_session(dispute: Dispute, ruling: RulingIssued) -> dict[str, Ruling]:
    """What a ruling says in each session that it touches. One that only the ruling replaced had touched is told too:
    what was played there is as the rules make it again."""
    found: dict[str, Ruling] = {}
    for subject, own in _sessions(ruling.rounds).items():
        found[subject] = replace(ruling, rounds=tuple(own))
    before = dispute.in_force
    for subject, own in _sessions(before.rounds if before is not None else ()).items():
        if subject not in found:
            found[subject] = replace(ruling, rounds=tuple(own), remedy="correct", amounts={})
    return found


def _sessions(rounds: Iterable[str]) -> dict[str, list[str]]:
    by_subject: dict[str, list[str]] = {}
    for text in rounds:
        by_subject.setdefault(parse_address(text).subject, []).append(text)
    return by_subject


def _draft(desk: Session, event: Event, reason: str) -> Draft:
    return Draft(event=event, account=desk.account, reason=reason or None)


def settle(desk: Session, dispute: str, player: str, how: Settled, *, slip: str | None = None, reason: str) -> Dispute:
    """What a player is owed, or owes, was dealt with, in full.

    Raises:
        Refused: nothing is open for him, the word does not fit the sign, or the actor may not.
    """
    found = _open(desk, dispute, _MANAGER, "settling what a ruling owes")
    ruling = found.in_force
    amount = found.open_amounts.get(player, 0)
    if ruling is None or not amount:
        raise Refused(f"nothing of {dispute} is open for {player}", hint=f"recoup dispute show {dispute}")
    if how in ("paid", "received") and (how == "paid") != (amount > 0):
        owes = "is owed" if amount > 0 else "owes"
        raise Refused(f"{player} {owes} something; `{how}` is the other way round")
    return desk.write(found, EffectSettled(ruling.ruling, player, amount, how, slip), reason)


def tell(desk: Session, dispute: str, players: Sequence[str], how: Channel, text: str, reason: str = "") -> Dispute:
    """The players concerned were told.

    Raises:
        Refused: nothing was decided yet, or the actor may not.
    """
    found = _open(desk, dispute, _OPENERS, "telling players")
    if not found.issued and found.adjudicated is None:
        raise Refused(f"nothing of {dispute} is decided yet", hint=f"recoup dispute judge {dispute}")
    return desk.write(found, PlayersTold(tuple(dict.fromkeys(players)), how, text), reason)


Outcome = Literal["settled", "unfounded", "withdrawn", "passed_on"]


def close(desk: Session, dispute: str, outcome: Outcome, reason: str) -> Dispute:
    """Nothing more is to be done.

    Raises:
        Refused: a ruling waits, amounts are open, somebody concerned was not told, or the actor may not.
    """
    found = _open(desk, dispute, _MANAGER, "closing a dispute")
    if found.state in ("proposed", "approved"):
        raise Refused(f"a ruling of {dispute} waits", hint=f"recoup dispute show {dispute}")
    if outcome == "settled" and not found.issued:
        raise Refused(
            f"no ruling of {dispute} was issued, so nothing is settled", hint="--outcome unfounded, withdrawn"
        )
    if found.open_amounts:
        raise Refused(
            f"{dispute} still owes or is owed: {', '.join(found.open_amounts)}",
            hint=f"recoup dispute settle {dispute} PLAYER --how paid|received|retained|waived",
        )
    concerned = {found.opened.player} if found.opened is not None and found.opened.player else set()
    if found.in_force is not None:
        concerned |= set(found.in_force.amounts)
    if untold := sorted(concerned - found.told):
        raise Refused(f"not told yet: {', '.join(untold)}", hint=f"recoup dispute tell {dispute} {' '.join(untold)}")
    return desk.write(found, DisputeClosed(outcome), reason)


def reopen(desk: Session, dispute: str, reason: str) -> Dispute:
    """It goes on.

    Raises:
        Refused: it is not closed, or the actor may not.
    """
    found = read_dispute(desk.book.log, dispute)
    desk.require(found.house, _MANAGER, "reopening a dispute")
    if found.state != "closed":
        raise Refused(f"{dispute} is not closed", hint=f"recoup dispute show {dispute}")
    return desk.write(found, DisputeReopened(), reason)


# --- what refuses -----------------------------------------------------------------------------------------------------


def _open(desk: Session, dispute: str, roles: tuple[StaffRole, ...], to: str) -> Dispute:
    found = read_dispute(desk.book.log, dispute)
    desk.require(found.house, roles, to)
    if found.state == "closed":
        raise Refused(f"{dispute} is closed ({found.outcome})", hint=f"recoup dispute reopen {dispute} --reason TEXT")
    return found


def _check_unchanged(desk: Session, dispute: Dispute) -> None:
    """The verdicts that the dispute is bound to are those of today."""
    assert dispute.adjudicated is not None
    _same(digests(verdicts(desk.book, dispute.rounds)), dispute.adjudicated.verdicts, dispute.id)


def _check_rests(desk: Session, ruling: RulingProposed) -> None:
    _same(digests(verdicts(desk.book, ruling.rounds)), ruling.rests_on, ruling.ruling.rpartition(".R")[0])


def _holds(desk: Session, ruling: RulingProposed) -> bool:
    """Whether the facts still give the verdicts that a ruling rests on."""
    return digests(verdicts(desk.book, ruling.rounds)) == ruling.rests_on


def _same(now: Mapping[str, str], then: Mapping[str, str], dispute: str) -> None:
    changed = [address for address, digest in now.items() if then.get(address) != digest]
    if changed:
        raise Refused(
            f"the verdict on {changed[0]} is another one than was judged: a record or correction came since",
            hint=f"look at it, then `recoup dispute judge {dispute}` and propose again",
        )


def _check_rounds(judged: Mapping[str, Verdict]) -> None:
    for address, verdict in judged.items():
        if not verdict.closed_at:
            raise Refused(f"{address} is still open", hint="a ruling waits until the round is over")
        if verdict.touched:
            raise Refused(
                f"a hole in the record touches {address}",
                hint="bring in what is missing, or `recoup declare-lost`, then judge again",
            )


def _check_not_on_duty(desk: Session, house: str, rounds: Sequence[str], word: str) -> None:
    """Neither dealt nor supervised the disputed round."""
    actor = desk.require(house, _MANAGER, f"to {word} a ruling")
    places = [(address.subject, address.round) for address in map(parse_address, rounds)]
    did = on_duty(desk.book, places).get(actor.person)
    if did:
        raise Refused(
            f"{actor.person} {did} one of these rounds and cannot {word} a ruling on it (nobody judges his own round)",
            hint="another manager does: recoup staff list",
        )


def _check_not_ruled(desk: Session, ruling: Ruling, dispute: str) -> dict[str, int]:
    """No round is ruled on by two disputes, unless both name players and no player is in both: nobody is paid twice.

    Gives the next version of our stream in each session, as it was read for this check.
    """
    read: dict[str, int] = {}
    for text in ruling.rounds:
        subject = parse_address(text).subject
        if subject in read:
            continue
        stored = desk.book.log.session_facts(subject)
        read[subject] = 1 + max((fact.version for fact in stored.facts if fact.source == RECOUP), default=0)
        for event in _in_force(desk.book.case(subject).ordered.rulings):
            both = set(event.rounds) & set(ruling.rounds)
            if getattr(event, "dispute", None) != dispute and both and not _apart(event, ruling):
                what = "is void already by" if is_void(event) else "is decided already by"
                raise Refused(
                    f"{min(both)} {what} ruling {event.ruling}",
                    hint=f"reopen dispute {getattr(event, 'dispute', '') or ''} to rule otherwise".replace("  ", " "),
                )
    return read


def _in_force(rulings: Iterable[Fact]) -> list[Ruling]:
    """Rulings on record that no other one replaces; the same one twice is one."""
    found = {fact.event.ruling: fact.event for fact in rulings if isinstance(fact.event, Ruling)}
    replaced = {event.replaces for event in found.values()}
    return [event for name, event in found.items() if name not in replaced]


def _apart(one: Ruling, other: Ruling) -> bool:
    """Whether two rulings on a round are about different players; a penalty moves no money."""
    if PENALTY in (one.remedy, other.remedy):
        return True
    return bool(one.players) and bool(other.players) and not set(one.players) & set(other.players)


def _check_authority(desk: Session, dispute: Dispute, ruling: Ruling) -> None:
    limit = desk.book.settings(dispute.house).get(AUTHORITY)
    if not isinstance(limit, int) or isinstance(limit, bool):
        return
    total = sum(abs(amount) for amount in ruling.amounts.values())
    if total >= limit and not any(one.kind == "authority" for one in dispute.evidence):
        shown = money_text(total, currency_of(desk.book, ruling.rounds))
        raise Refused(
            f"{shown} in all must go to the authority first ({AUTHORITY})",
            hint=f"recoup dispute note {dispute.id} --kind authority --ref REFERENCE, once it has answered",
        )


__all__ = [
    "AUTHORITY", "OPEN_DAYS", "STATED", "Outcome", "Session", "Wish", "adjudicate", "close", "decide", "issue", "note",
    "open_dispute", "propose", "reopen", "settle", "stream_of", "tell",
]  # fmt: skip
