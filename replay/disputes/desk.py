"""The commands of a dispute. Each reads it, checks, says which rule refuses, and writes at the version that was read.

Who acts is handed in as the account and the house's register says who that is (`events.staff`): nobody can be two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from events.schema.ours import Ruling, RulingApplied, RulingIssued
from events.store import Draft
from events.values.names import RECOUP, parse_subject
from games.adjudicate import engine, game_of
from games.outcome import outcome_digest
from games.shared.bank.events import StakePlaced
from games.verdict import Verdict
from replay.disputes.dispute import Dispute, read_dispute, stream_of, ways
from replay.disputes.effects import STATED, Effects, add, effects
from replay.disputes.matrix import basis_of, scope_of
from replay.disputes.refusals import (
    AUTHORITY,
    MANAGER,
    OF_THE_HOUSE,
    OPEN_DAYS,
    OPENERS,
    check_all_ruled,
    check_authority,
    check_disputed,
    check_in_time,
    check_not_on_duty,
    check_not_overtaken,
    check_not_ruled,
    check_rests,
    check_rounds,
    check_unchanged,
    open_one,
    still_holds,
)
from replay.disputes.session import Session
from replay.disputes.shoes import rounds_of_shoe
from replay.disputes.verdicts import Address, applied, digests, parse_address, verdicts


def open_dispute(
    desk: Session, rounds: Sequence[str], claim: str, *, player: str | None, channel: Channel, reason: str = ""
) -> Dispute:
    """A complaint about rounds (addresses), the disputed one first.

    Raises:
        Refused: the rounds are not in the log, or of several houses or currencies, the time for complaints is over, or
            the actor may not.
    """
    addresses = [parse_address(text) for text in dict.fromkeys(rounds)]
    if not addresses:
        raise Refused("a dispute names at least one round", hint="recoup dispute open RL-03#173 --claim TEXT")
    houses = {parse_subject(address.subject).house for address in addresses}
    if len(houses) != 1 or "" in houses:
        raise Refused("a dispute is about rounds of one house", hint="open one for each house")
    (house,) = houses
    desk.require(house, OPENERS, "opening a dispute")
    found = verdicts(desk.book, [address.text for address in addresses])
    currencies = sorted({verdict.currency for verdict in found.values()})
    if len(currencies) > 1:  # its rulings net what those before them have paid
        raise Refused(f"the rounds were played in {' and '.join(currencies)}", hint="open a dispute for each currency")
    if channel not in OF_THE_HOUSE:
        check_in_time(desk, house, found.values())
    event = DisputeOpened(house, tuple(found), claim, channel, player)
    day = desk.today()
    number = 1 + sum(1 for _one in desk.book.log.subjects(f"dispute/{day}."))
    while True:
        try:
            return desk.write(Dispute(id=f"{day}.{number}"), event, reason)
        except Refused:
            if not desk.book.log.streams_of(f"dispute/{day}.{number}"):
                raise
            number += 1  # somebody opened one at the same moment


def note(desk: Session, dispute: str, evidence: EvidenceNoted, reason: str = "") -> Dispute:
    """What was looked at, and what is put away.

    Raises:
        Refused: the dispute is closed, or the actor may not.
    """
    found = open_one(desk, dispute, OPENERS, "noting evidence")
    return desk.write(found, evidence, reason)


def adjudicate(desk: Session, dispute: str, reason: str = "") -> tuple[Dispute, dict[str, Verdict]]:
    """Judges the disputed rounds by the facts alone, and binds the dispute to what was seen.

    Raises:
        Refused: the dispute is closed, a ruling waits for its decision, or the actor may not.
    """
    found = open_one(desk, dispute, OPENERS, "judging a dispute")
    if found.state == "proposed":
        raise Refused(
            f"ruling {found.proposed.ruling if found.proposed else ''} of {dispute} waits for a second manager",
            hint=f"recoup dispute approve {dispute} --reason TEXT (another manager); or reject it first",
        )
    if found.state == "approved" and found.proposed is not None and still_holds(desk, found.proposed):
        raise Refused(
            f"ruling {found.proposed.ruling} of {dispute} is approved, and the verdicts that it rests on hold",
            hint=f"recoup dispute issue {dispute}",
        )
    judged = verdicts(desk.book, found.rounds)
    apart: dict[str, dict[str, int]] = {}
    for verdict in judged.values():
        add(apart, {"": verdict.player_differences, **(verdict.foreign_differences or {})})
    event = DisputeAdjudicated(digests(judged), desk.book.log.size(), engine(), apart.pop("", {}), apart)
    return desk.write(found, event, reason), judged


class Wish(Struct, frozen=True, kw_only=True):
    """A ruling that somebody wants. `rounds`: at least one of the dispute, and others only beside it; empty: those of
    the dispute. `stated`: player → minor units, where the remedy is a stated amount; `foreign`: the same in a currency
    that is not the tables', by currency."""

    ground: str
    remedy: str = "void"
    scope: Literal["bet", "hand", "round", "shoe", "session", "player"] | None = None
    standard: Literal["proof", "suspicion", "fact"] | None = None
    rounds: tuple[str, ...] = ()
    bets: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    basis: Literal["book", "management"] = "book"
    stated: dict[str, int] = {}
    foreign: dict[str, dict[str, int]] = {}


def propose(desk: Session, dispute: str, wish: Wish, reason: str) -> tuple[Dispute, Effects]:
    """Proposes a ruling with all its effects; another manager decides.

    Raises:
        Refused: the dispute is not judged, a verdict has changed since, the book gives no such ruling, no disputed
            round is among its rounds, one is open, unknown, touched by a hole or ruled on already, or the actor may
            not.
    """
    found = open_one(desk, dispute, MANAGER, "proposing a ruling")
    if found.adjudicated is None:
        raise Refused(f"{dispute} was not judged yet", hint=f"recoup dispute judge {dispute}")
    if found.state in ("proposed", "approved"):
        raise Refused(f"a ruling of {dispute} waits already", hint=f"recoup dispute show {dispute}")
    check_unchanged(desk, found)
    wish = _in_full(desk, found, wish)
    rounds = _reached(desk, found, wish)
    check_disputed(found, rounds)
    judged = verdicts(desk.book, rounds)
    check_rounds(judged)
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
        players=wish.players or tuple(sorted({*wish.stated, *(who for own in wish.foreign.values() for who in own)})),
        basis=wish.basis,
        remedy=wish.remedy,
        evidence=tuple(" ".join(part for part in (one.kind, one.ref, one.clip) if part) for one in found.evidence),
        replaces=before.ruling if before is not None else None,
    )
    check_not_on_duty(desk, found.house, (*rounds, *found.freed(ruling)), "propose")
    cameras = sum(1 for one in found.evidence if one.kind == "camera")
    played = {verdict.game for verdict in judged.values()}
    told = frozenset(name for verdict in judged.values() for one in verdict.findings for name in (one.code, one.rule))
    basis = {basis_of(desk.book.rooms[game].matrix, ruling, cameras=cameras, found=told) for game in played}
    ruling = replace(ruling, basis=next((one for one in ("management", "analogy") if one in basis), "book"))
    came = effects(desk.book, ruling, judged, {"": wish.stated, **wish.foreign})
    ruling = replace(ruling, amounts=came.amounts, foreign=came.foreign)
    check_not_ruled(desk, ruling, found.id)
    fields = {name: getattr(ruling, name) for name in Ruling.__struct_fields__}
    event = RulingProposed(**fields, rests_on=digests(judged))
    return desk.write(found, event, reason), came


def _in_full(desk: Session, dispute: Dispute, wish: Wish) -> Wish:
    """A wish with the scope that the room's matrix gives where it names none, and of scope hand with every bet on
    the hands on which those lie that it names."""
    address = parse_address((wish.rounds or dispute.rounds)[0])
    case = desk.book.case(address.subject)
    if wish.scope is None:
        game, _edition = game_of(case, desk.book.rooms)
        wish = replace(wish, scope=scope_of(game.matrix, wish.ground, wish.remedy))
    if wish.scope == "hand" and wish.bets:
        events = (fact.event for fact in case.ordered.facts if fact.round == address.round)
        staked = [event for event in events if isinstance(event, StakePlaced)]
        hands = {(one.box, one.hand) for one in staked if one.stake in wish.bets}
        own = (one.stake for one in staked if (one.box, one.hand) in hands)
        wish = replace(wish, bets=tuple(dict.fromkeys((*wish.bets, *own))))
    return wish


def _reached(desk: Session, dispute: Dispute, wish: Wish) -> list[str]:
    """The rounds that a ruling names: of a shoe every one dealt from it, of a session those given or all of it, else
    those given or the dispute's own."""
    given = list(wish.rounds or dispute.rounds)
    reached: list[str] = []
    for text in given:
        address = parse_address(text)
        if wish.scope == "shoe":
            reached += _shoe(desk, address, listed=bool(wish.rounds))
        elif wish.scope == "session" and not wish.rounds:
            reached += _session(desk, address)
        else:
            reached.append(text)
    return list(dict.fromkeys(reached))


def _shoe(desk: Session, address: Address, *, listed: bool) -> tuple[str, ...]:
    """Every round of the shoe; where no record says which those are, what somebody listed."""
    try:
        return rounds_of_shoe(desk.book, address)
    except Refused:
        if listed:
            return (address.text,)
        raise


def _session(desk: Session, address: Address) -> list[str]:
    return [f"{address.subject}#{name}" for name in desk.book.case(address.subject).ordered.rounds]


def decide(desk: Session, dispute: str, *, approve: bool, reason: str) -> Dispute:
    """A second manager approves or rejects the ruling proposed. One that is approved may still be rejected until it is
    issued, also where it no longer can be.

    Raises:
        Refused: none is proposed, it is his own, he dealt or supervised one of the rounds, a verdict that it rests on
            has changed, another dispute has ruled there since, or he may not.
    """
    word = "approve" if approve else "reject"
    found = open_one(desk, dispute, MANAGER, f"to {word} a ruling")
    ruling = found.proposed
    if ruling is None or found.state not in (("proposed",) if approve else ("proposed", "approved")):
        who = desk.person(found.house, found.approved_by) if ruling is not None else ""
        raise Refused(
            f"no ruling of {dispute} waits for a decision"
            + (f": {ruling.ruling} is approved already, by {who}" if ruling is not None else ""),
            hint=f"recoup dispute issue {dispute}" if ruling is not None else f"recoup dispute show {dispute}",
        )
    actor = desk.require(found.house, MANAGER, f"to {word} a ruling")
    if actor.person == desk.person(found.house, found.proposed_by):
        raise Refused(
            f"{actor.person} proposed {ruling.ruling} and cannot decide on it, by whatever account: two persons do",
            hint=desk.another(found.house),
        )
    check_not_on_duty(desk, found.house, (*ruling.rounds, *found.freed(ruling)), word)
    if not approve:
        return desk.write(found, RulingRejected(ruling.ruling), reason)
    check_rests(desk, ruling)
    check_not_ruled(desk, ruling, found.id)
    return desk.write(found, RulingApproved(ruling.ruling), reason)


def issue(desk: Session, dispute: str, reason: str = "") -> Dispute:
    """Issues the approved ruling: in the dispute, and in every session that it touches, in one transaction.

    Raises:
        Refused: none is approved, the authority was not asked, a verdict has changed since, somebody acted at the same
            time, or the actor may not.
    """
    found = open_one(desk, dispute, MANAGER, "issuing a ruling")
    ruling = found.proposed
    if ruling is None or found.state != "approved":
        raise Refused(f"no ruling of {dispute} is approved", hint=f"recoup dispute show {dispute}")
    judged = check_rests(desk, ruling)
    check_authority(desk, found, ruling)
    expected = {f"{subject}@{RECOUP}": at for subject, at in check_not_ruled(desk, ruling, found.id).items()}
    fields = {name: getattr(ruling, name) for name in Ruling.__struct_fields__}
    fields["decided_by"] = desk.person(found.house, found.approved_by)
    issued = RulingIssued(**fields)
    groups = [(found.stream, [_draft(desk, issued, reason)])]
    for here in _by_session(found, issued, judged):
        subject = parse_address((*here.rounds, *here.freed)[0]).subject
        groups.append((f"{subject}@{RECOUP}", [_draft(desk, here, reason)]))
    desk.book.log.author_all(groups, expected={**expected, found.stream: found.version + 1})
    return read_dispute(desk.book.log, dispute)


def _by_session(dispute: Dispute, ruling: RulingIssued, judged: Mapping[str, Verdict]) -> Iterator[RulingApplied]:
    """What a ruling says in each session that it touches: on which rounds it rules there, and which ones are free of
    the ruling that it replaces. A session that only that one had touched is told no more than this."""
    ruled, freed = _sessions(ruling.rounds), _sessions(dispute.freed(ruling))
    for subject in dict.fromkeys((*ruled, *freed)):
        own = tuple(ruled.get(subject, ()))
        here = replace(
            ruling,
            rounds=own,
            amounts=ruling.amounts if own else {},
            foreign=ruling.foreign if own else {},
        )
        rests = {address: outcome_digest(judged[address]) for address in own}
        yield applied(here, dispute=dispute.id, rests_on=rests, freed=tuple(freed.get(subject, ())))


def _sessions(rounds: Iterable[str]) -> dict[str, list[str]]:
    by_subject: dict[str, list[str]] = {}
    for text in rounds:
        by_subject.setdefault(parse_address(text).subject, []).append(text)
    return by_subject


def _draft(desk: Session, event: Event, reason: str) -> Draft:
    return Draft(event=event, account=desk.account, reason=reason or None)


def settle(
    desk: Session,
    dispute: str,
    player: str,
    how: Settled,
    *,
    slip: str | None = None,
    currency: str | None = None,
    reason: str,
) -> Dispute:
    """What a player is owed, or owes, was dealt with, in full. `currency`: which, where that is not the tables'.

    Raises:
        Refused: nothing is open for him, the word does not fit the sign, or the actor may not.
    """
    found = open_one(desk, dispute, MANAGER, "settling what a ruling owes")
    ruling = found.in_force
    opens = found.open_amounts if currency is None else found.open_foreign.get(currency, {})
    amount = opens.get(player, 0)
    if ruling is None or not amount:
        others = ", ".join(unit for unit, own in found.open_foreign.items() if player in own)
        raise Refused(
            f"nothing of {dispute} is open for {player}{f' in {currency}' if currency else ''}",
            hint=f"--currency {others}" if others and not currency else f"recoup dispute show {dispute}",
        )
    if how in ("paid", "received") and (how == "paid") != (amount > 0):
        owes = "is owed" if amount > 0 else "owes"
        raise Refused(
            f"{player} {owes} something; `{how}` is the other way round", hint=f"--how {', '.join(ways(amount))}"
        )
    if how == "retained" and amount < 0:
        raise Refused(
            f"{player} owes something; `retained` is what he is owed and the house keeps back",
            hint="received, if the house has it; waived, if it gives it up",
        )
    return desk.write(found, EffectSettled(ruling.ruling, player, amount, how, slip, currency), reason)


def tell(desk: Session, dispute: str, players: Sequence[str], how: Channel, text: str, reason: str = "") -> Dispute:
    """The players concerned were told.

    Raises:
        Refused: nothing was decided yet, or the actor may not.
    """
    found = open_one(desk, dispute, OPENERS, "telling players")
    if not found.issued and found.adjudicated is None:
        raise Refused(f"nothing of {dispute} is decided yet", hint=f"recoup dispute judge {dispute}")
    return desk.write(found, PlayersTold(tuple(dict.fromkeys(players)), how, text), reason)


Outcome = Literal["settled", "unfounded", "withdrawn", "passed_on"]


def close(desk: Session, dispute: str, outcome: Outcome, reason: str) -> Dispute:
    """Nothing more is to be done.

    Raises:
        Refused: a ruling waits, amounts are open, somebody concerned was not told, or the actor may not; `settled` what
            was not judged since it was reopened, on which nobody ruled, or whose ruling was overtaken.
    """
    found = open_one(desk, dispute, MANAGER, "closing a dispute")
    if found.state in ("proposed", "approved"):
        word = f"approve {dispute} --reason TEXT" if found.state == "proposed" else f"issue {dispute}"
        raise Refused(f"a ruling of {dispute} waits", hint=f"recoup dispute {word}; or reject it")
    if outcome == "settled":
        if not found.issued:
            raise Refused(
                f"no ruling of {dispute} was issued, so nothing is settled",
                hint="--outcome unfounded, withdrawn, passed_on",
            )
        if found.adjudicated is None:
            raise Refused(
                f"{dispute} was not judged since it was reopened, so nothing new is settled",
                hint=f"recoup dispute judge {dispute}",
            )
        check_all_ruled(desk, found)
        check_not_overtaken(desk, found)
    if still := {*found.open_amounts, *(player for own in found.open_foreign.values() for player in own)}:
        raise Refused(
            f"{dispute} still owes or is owed: {', '.join(sorted(still))}",
            hint=f"recoup dispute settle {dispute} PLAYER --how paid|received|retained|waived --reason TEXT",
        )
    if untold := found.untold:
        raise Refused(f"not told yet: {', '.join(untold)}", hint=f"recoup dispute tell {dispute} {' '.join(untold)}")
    return desk.write(found, DisputeClosed(outcome), reason)


def reopen(desk: Session, dispute: str, reason: str) -> Dispute:
    """It goes on.

    Raises:
        Refused: it is not closed, or the actor may not.
    """
    found = read_dispute(desk.book.log, dispute)
    desk.require(found.house, MANAGER, "reopening a dispute")
    if found.state != "closed":
        raise Refused(f"{dispute} is not closed", hint=f"recoup dispute show {dispute}")
    return desk.write(found, DisputeReopened(), reason)


__all__ = [
    "AUTHORITY", "OPEN_DAYS", "STATED", "Outcome", "Session", "Wish", "adjudicate", "close", "decide", "issue", "note",
    "open_dispute", "propose", "reopen", "settle", "stream_of", "tell",
]  # fmt: skip
