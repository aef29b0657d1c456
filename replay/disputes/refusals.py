"""What refuses an act of a dispute; each says which rule it is and what to do.

Whoever reads a dispute here gets it only if he may act on it as it stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from events.errors import Refused
from events.schema.disputes import RulingProposed
from events.schema.fact import Fact
from events.schema.ours import Ruling, StaffRole
from events.values.clock import gaming_day
from events.values.money import money_text
from events.values.names import RECOUP
from games.verdict import Verdict
from replay.disputes.dispute import Dispute, read_dispute
from replay.disputes.effects import PENALTY, is_of_some
from replay.disputes.matrix import is_void, on_duty
from replay.disputes.session import Session
from replay.disputes.verdicts import currency_of, digests, parse_address, verdicts

AUTHORITY = "dispute.authority_amount"
"""House setting: from this sum of amounts on (minor units) the supervising authority has its say first."""
OPEN_DAYS = "dispute.open_days"
"""House setting: so many days after the round a complaint may still be opened."""

OF_THE_HOUSE = ("surveillance", "compliance", "night")
"""Channels by which the house itself asks, for which no time runs out."""
HOLES = ("TB-01", "TB-02", "TB-03")
OPENERS: tuple[StaffRole, ...] = ("surveillance", "inspector", "manager", "compliance")
MANAGER: tuple[StaffRole, ...] = ("manager",)


def check_in_time(desk: Session, house: str, found: Iterable[Verdict]) -> None:
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


def open_one(desk: Session, dispute: str, roles: tuple[StaffRole, ...], to: str) -> Dispute:
    found = read_dispute(desk.book.log, dispute)
    desk.require(found.house, roles, to)
    if found.state == "closed":
        raise Refused(f"{dispute} is closed ({found.outcome})", hint=f"recoup dispute reopen {dispute} --reason TEXT")
    return found


def check_unchanged(desk: Session, dispute: Dispute) -> None:
    """The verdicts that the dispute is bound to are those of today."""
    assert dispute.adjudicated is not None
    _same(digests(verdicts(desk.book, dispute.rounds)), dispute.adjudicated.verdicts, dispute.id)


def check_rests(desk: Session, ruling: RulingProposed) -> dict[str, Verdict]:
    """The verdicts by the facts alone, which are still those that the ruling rests on."""
    judged = verdicts(desk.book, ruling.rounds)
    _same(digests(judged), ruling.rests_on, ruling.ruling.rpartition(".R")[0])
    return judged


def still_holds(desk: Session, ruling: RulingProposed) -> bool:
    """Whether the facts still give the verdicts that a ruling rests on."""
    return digests(verdicts(desk.book, ruling.rounds)) == ruling.rests_on


def _same(now: Mapping[str, str], then: Mapping[str, str], dispute: str) -> None:
    changed = [address for address, digest in now.items() if then.get(address) != digest]
    if changed:
        raise Refused(
            f"the verdict on {changed[0]} is another one than was judged: a record or correction came since",
            hint=f"look at it, then `recoup dispute judge {dispute}` and propose again",
        )


def check_rounds(judged: Mapping[str, Verdict]) -> None:
    for address, verdict in judged.items():
        holes = [one for one in verdict.findings if one.rule in HOLES] if verdict.touched else []
        if not verdict.closed_at and not any(
            one.remedy.get("lost") for one in holes
        ):  # else its end may be what is lost
            raise Refused(
                f"{address} is still open",
                hint="a ruling waits until the round is over; if the record of its end is lost, `recoup declare-lost`",
            )
        if not all(one.remedy.get("lost") for one in holes):
            raise Refused(
                f"a hole in the record touches {address}",
                hint="bring in what is missing, or `recoup declare-lost`, then judge again",
            )


def check_disputed(dispute: Dispute, rounds: Sequence[str]) -> None:
    """A ruling answers its dispute: it reaches a disputed round, whatever else it reaches with it."""
    if not set(rounds) & set(dispute.rounds):
        raise Refused(
            f"{dispute.id} is about {', '.join(dispute.rounds)} and was not judged on {', '.join(rounds)}",
            hint="list the disputed round too: --round, once for each; or open a dispute on the other round",
        )


def check_all_ruled(desk: Session, dispute: Dispute) -> None:
    """Somebody has ruled on every disputed round where what was paid is not what was due, or where the rules leave it
    to a person what follows; a right to void that nobody used leaves a round as it is, a correction of some players or
    bets leaves the others."""
    own = [dispute.in_force] if dispute.in_force is not None else []
    for address, verdict in verdicts(desk.book, dispute.rounds).items():
        there = _in_force(desk.book.case(parse_address(address).subject).ordered.rulings)
        others = [one for one in there if getattr(one, "dispute", None) != dispute.id]
        reach = [one for one in (*own, *others) if one.remedy != PENALTY and address in one.rounds]
        corrected = {player for one in reach for player in one.moves_money_of}
        players = dict.fromkeys(who for apart in verdict.apart.values() for who in apart if who not in corrected)
        if reach and not (players and all(is_of_some(one) for one in reach)):
            continue
        if players:
            apart = ", ".join(players)
            raise Refused(
                f"in {address} what was paid is not what was due ({apart}), and no ruling in force reaches that",
                hint=f"recoup dispute propose {dispute.id} …; or --outcome unfounded, withdrawn, passed_on",
            )
        if verdict.standing == "ruling_required":
            codes = list(dict.fromkeys(one.code for one in verdict.findings if one.kind == "ruling_required"))
            raise Refused(
                f"{address} waits for a person's word ({', '.join(codes)}), and no ruling in force reaches it",
                hint=f"recoup dispute propose {dispute.id} --remedy valid --ground {codes[0]} … lets it stand; or "
                "--outcome unfounded, withdrawn, passed_on",
            )


def check_not_overtaken(desk: Session, dispute: Dispute) -> None:
    """The facts still give the verdicts that the ruling in force was decided on (TB-10)."""
    ruling = dispute.in_force
    if ruling is None:
        return
    for subject in dict.fromkeys(parse_address(text).subject for text in ruling.rounds):
        for verdict in desk.book.judge(subject).verdicts:
            if any(one.code == "ruling_overtaken" and one.subject == ruling.ruling for one in verdict.findings):
                raise Refused(
                    f"ruling {ruling.ruling} was decided on another verdict on {verdict.round} than the facts give now",
                    hint=f"recoup dispute judge {dispute.id}, then propose again",
                )


def check_not_on_duty(desk: Session, house: str, rounds: Sequence[str], word: str) -> None:
    """Neither dealt nor supervised the disputed round."""
    actor = desk.require(house, MANAGER, f"to {word} a ruling")
    places = [(address.subject, address.round) for address in map(parse_address, rounds)]
    did = on_duty(desk.book, places).get(actor.person)
    if did:
        raise Refused(
            f"{actor.person} {did} one of these rounds and cannot {word} a ruling on it (nobody judges his own round)",
            hint=desk.another(house),
        )


def check_not_ruled(desk: Session, ruling: Ruling, dispute: str) -> dict[str, int]:
    """No round is ruled on by two disputes, unless each is about some players or bets and no player is in both, so that
    nobody is paid twice.

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
                other = getattr(event, "dispute", None) or ""
                go_on = f"rule otherwise in dispute {other}: {_go_on(desk, other)}" if other else ""
                own = f"; recoup dispute reject {dispute} --reason TEXT" if isinstance(ruling, RulingProposed) else ""
                raise Refused(
                    f"{min(both)} {what} ruling {event.ruling}",
                    hint=f"{go_on}{own}".removeprefix("; "),
                )
    return read


def _go_on(desk: Session, dispute: str) -> str:
    """How another ruling comes about in a dispute that has one: it may be closed."""
    closed = read_dispute(desk.book.log, dispute).state == "closed"
    return f"recoup dispute {'reopen' if closed else 'judge'} {dispute}{' --reason TEXT' if closed else ''}"


def _in_force(rulings: Iterable[Fact]) -> list[Ruling]:
    """Rulings on record that no other one replaces; the same one twice is one."""
    found = {fact.event.ruling: fact.event for fact in rulings if isinstance(fact.event, Ruling)}
    replaced = {event.replaces for event in found.values()}
    return [event for name, event in found.items() if name not in replaced]


def _apart(one: Ruling, other: Ruling) -> bool:
    """Whether two rulings on a round are about different players, by whom they name and by whose money they move; a
    penalty moves none."""
    if PENALTY in (one.remedy, other.remedy):
        return True
    if not all(ruling.players or ruling.bets for ruling in (one, other)):
        return False
    return not {*one.players, *one.moves_money_of} & {*other.players, *other.moves_money_of}


def check_authority(desk: Session, dispute: Dispute, ruling: Ruling) -> None:
    limit = desk.book.settings(dispute.house).get(AUTHORITY)
    if not isinstance(limit, int) or isinstance(limit, bool):
        return
    # One that replaces another may move more than it says. Each currency is a sum of its own.
    moves = {"": (ruling.amounts, dispute.net(ruling.amounts))}
    left = dispute.net_foreign(ruling.foreign)
    moves |= {unit: (ruling.foreign.get(unit, {}), left.get(unit, {})) for unit in {*ruling.foreign, *left}}
    sums = {
        unit: max(sum(abs(amount) for amount in amounts.values()) for amounts in own) for unit, own in moves.items()
    }
    unit, total = max(sums.items(), key=lambda item: item[1])
    if total >= limit and not any(one.kind == "authority" for one in dispute.evidence):
        shown = money_text(total, unit or currency_of(desk.book, ruling.rounds))
        raise Refused(
            f"{shown} in all must go to the authority first ({AUTHORITY})",
            hint=f"recoup dispute note {dispute.id} --kind authority --ref REFERENCE, once it has answered",
        )
