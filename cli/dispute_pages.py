"""What `dispute` shows: a ruling with all that it costs, a dispute from the first word to the last, both as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cli import screen
from cli.options import local_text
from cli.rulings import dealt_lines, dealt_text, rule_anew
from events.schema.disputes import DisputeClosed, EffectSettled, EvidenceNoted, PlayersTold, RulingProposed
from events.values.money import money_text
from games.picture import Span

if TYPE_CHECKING:
    from events.schema.event import Event
    from events.schema.ours import Ruling
    from games.verdict import Verdict
    from replay.disputes.dispute import Dispute
    from replay.disputes.effects import Effects

_DID = {
    "DisputeOpened": "opened", "DisputeAdjudicated": "judged", "RulingApproved": "ruling approved",
    "RulingRejected": "ruling rejected", "RulingIssued": "ruling issued", "DisputeReopened": "reopened",
}  # fmt: skip


_BASIS = {
    "analogy": "by analogy: this game's book has no such clause",
    "management": "MANAGEMENT'S OWN GROUND: the house's book does not give it in this game",
}


def short(rounds: Sequence[str]) -> str:
    """`RL-03#173`, and how many more."""
    first, *more = rounds or [""]
    subject, _hash, name = first.rpartition("#")
    parts = subject.split("/")
    shown = f"{parts[2] if len(parts) > 2 else subject}#{name}"
    return f"{shown} and {len(more)} more" if more else shown


def _name(address: str, among: Iterable[str]) -> str:
    """`RL-03#173`; with its session where `among` has that table in several."""
    subject, _hash, name = address.rpartition("#")
    table = short([address]).rpartition("#")[0]
    sessions = {one.rpartition("#")[0] for one in among if short([one]).rpartition("#")[0] == table}
    return f"{table}/{subject.rpartition('/')[2]}#{name}" if len(sessions) > 1 else short([address])


def _all_rounds(found: Dispute) -> set[str]:
    """Every round that a dispute or one of its rulings names."""
    rulings = (*found.issued, *([found.proposed] if found.proposed is not None else []))
    return {*found.rounds, *(text for ruling in rulings for text in ruling.rounds)}


def say_judged(found: Dispute, judged: dict[str, Verdict], currency: str) -> None:
    """Each disputed round in a line, what is apart by the facts, and what a person may choose among; what was dealt
    with before."""
    for address, verdict in judged.items():
        name = _name(address, judged)
        screen.say([f"{name}: ", Span(verdict.standing, "bold"), f", settlement {verdict.settlement}"])
        if verdict.standing == "cannot_tell" and any(verdict.apart.values()):
            screen.say("  part of the record is missing; by what there is of it, which is no claim yet:")
        for unit, own in verdict.apart.items():
            for player, amount in own.items():
                owed = "is owed" if amount > 0 else "owes"
                screen.say(f"  {player} {owed} {money_text(abs(amount), unit)}")
        asked = {"ruling_required": "a person must say", "voidable": "a person may void it"}
        for kind, ground in dict.fromkeys((one.kind, one.code) for one in verdict.findings if one.kind in asked):
            screen.say(f"  {asked[kind]}: --ground {ground}")
        if verdict.due.candidates:
            screen.say(f"  outcomes: --remedy {', '.join(verdict.due.candidates)}")
    if found.settled and found.in_force is not None:
        screen.say(f"dealt with so far, by rulings up to {found.in_force.ruling}:")
        screen.say_all([f"  {line}"] for line in dealt_lines(found, currency))
    if (aside := found.set_aside) is not None:
        screen.say(f"ruling {aside.ruling}, approved on another verdict, is put aside: it cannot be issued any more")


def say_others(others: Sequence[Dispute], put: Callable[[str], None] = screen.say) -> None:
    """That a round of a new dispute is disputed in others too."""
    for one in others:
        put(f"  disputed in {one.id} too ({one.state}{f', {one.outcome}' if one.outcome else ''})")


def say_proposed(found: Dispute, came: Effects, *, as_json: bool) -> None:
    """A ruling as it was proposed, with its effects."""
    ruling = found.proposed
    assert ruling is not None
    if as_json:
        head = {"dispute": found.id, "ruling": ruling.ruling, "basis": ruling.basis, "rounds": list(ruling.rounds)}
        screen.put_json({**head, **plain_effects(came), **_plain_preview(found)})
        return
    screen.say(f"proposed as {_what(ruling)}")
    _say_rounds(found, ruling.rounds)
    _say_basis(ruling)
    _say_effects(found, came, ruling)
    _say_preview(found, came.currency)
    screen.hint(
        f"recoup dispute approve {found.id} --reason TEXT (another manager, who was not at that table; where you share "
        "an account, with RECOUP_KEY=FILE)"
    )


def say_approved(found: Dispute, currency: str) -> None:
    """What a second manager has just put his name to, and what issuing it will leave open."""
    ruling = found.proposed
    assert ruling is not None
    screen.say(f"the ruling of {found.id} is approved")
    screen.say(f"  {_what(ruling)}")
    _say_owed({currency: found.net(ruling.amounts), **found.net_foreign(ruling.foreign)})


def say_open(found: Dispute, currency: str) -> None:
    """What is still to be paid or received."""
    _say_owed({currency: found.open_amounts, **found.open_foreign})


def say_settled(found: Dispute, currency: str) -> None:
    """What was just dealt with, and what is open still."""
    last = found.settled[-1]
    screen.say(dealt_text(last.player, last.how, last.amount, last.currency or currency))
    say_open(found, currency)


def say_issued(found: Dispute, currency: str) -> None:
    """The ruling in force, and what is open by it."""
    ruling = found.in_force
    assert ruling is not None
    screen.say(f"ruling {ruling.ruling} is in force for {screen.number(len(ruling.rounds), 'round')}")
    _say_freed(found, ruling)
    say_open(found, currency)


def _say_owed(amounts: Mapping[str, Mapping[str, int]]) -> None:
    """Currency → player → what is open for him."""
    for unit, own in amounts.items():
        for player, amount in own.items():
            screen.say(f"  {player} {'is owed' if amount > 0 else 'owes'} {money_text(abs(amount), unit)}")
    if not any(amounts.values()):
        screen.say("  no amount is open")


def _say_preview(found: Dispute, currency: str) -> None:
    """Of a ruling that waits and replaces another: which rounds that frees, and what will be open, net of all that was
    dealt with."""
    ruling = found.proposed
    if ruling is None or not ruling.replaces:
        return
    screen.say(f"  it replaces {ruling.replaces}; once it is issued, net of what was dealt with by then:")
    _say_freed(found, ruling)
    _say_owed({currency: found.net(ruling.amounts), **found.net_foreign(ruling.foreign)})


def _say_freed(found: Dispute, ruling: Ruling) -> None:
    if freed := found.freed(ruling):
        _say_rounds(found, freed, f"no longer under {ruling.replaces}, as the rules make them again:")


def say_dispute(found: Dispute, currency: str, people: dict[str, str], came: Effects | None) -> None:
    """A dispute from the first word to the last. `came`: effects of the ruling that waits, else of the one in force;
    None where the facts have changed since."""
    screen.say([Span(found.id, "bold"), f": {found.state}", f" ({found.outcome})" if found.outcome else ""])
    if found.opened is not None:
        who = f"{found.opened.player}, " if found.opened.player else ""
        screen.say_all(screen.wrapped(f"{who}{short(found.rounds)}: «{found.opened.claim}»", "    ", "  "))
    for act in found.acts:
        line = f"{local_text(act.at)}  {people[act.account]}: {_did(act.event, currency)}"
        screen.say_all(screen.wrapped(f"{line}  {act.reason}".rstrip(), "      ", "  "))
    if found.holds:
        screen.say(f"  put away: {', '.join(found.holds)}")
    for word, ruling in (("in force", found.in_force), ("waits", found.proposed)):
        if ruling is not None:
            screen.say(f"  {word}: {_what(ruling)}")
            _say_rounds(found, ruling.rounds)
            _say_basis(ruling)
    ruling_shown = found.proposed or found.in_force
    if ruling_shown is not None:
        if came is None:
            screen.say("  the facts give another verdict by now (TB-10); only a further ruling moves money")
            screen.hint(rule_anew(found))
        else:
            _say_effects(found, came, ruling_shown)
            _say_preview(found, currency)
    if found.settled:
        screen.say("  dealt with so far:")
        screen.say_all([f"    {line}"] for line in dealt_lines(found, currency))
    if found.in_force is not None:
        screen.say("  open now:")
        say_open(found, currency)


def _did(event: Event, currency: str) -> str:
    """What an act was, so that who decides need not ask: the evidence, the ruling that was rejected later, the slip."""
    match event:
        case EvidenceNoted():
            clip = f", clip {event.clip}" if event.clip else ""
            span = f", {event.from_at} to {event.to_at}".removesuffix(" to ") if event.from_at or event.to_at else ""
            return f"evidence noted: {event.kind} {event.ref}{clip}{span}{f': {event.note}' if event.note else ''}"
        case RulingProposed():
            return f"ruling proposed: {event.remedy} for {event.ground}"
        case EffectSettled():
            done = dealt_text(event.player, event.how, event.amount, event.currency or currency)
            return done + (f", slip {event.slip}" if event.slip else "")
        case PlayersTold():
            return f"told ({event.how}): {', '.join(event.players)}{f': {event.text}' if event.text else ''}"
        case DisputeClosed():
            return f"closed: {event.outcome}"
    return _DID.get(type(event).__name__, "")


def next_step(found: Dispute) -> str:
    """What is to be done now."""
    from replay.disputes.dispute import ways

    of = found.id
    match found.state:
        case "closed":
            return f"recoup dispute reopen {of} --reason TEXT, if there is something new"
        case "open":
            return f"recoup dispute judge {of}"
        case "proposed":
            return f"recoup dispute approve {of} --reason TEXT, or reject (another manager, who was not at that table)"
        case "approved":
            return f"recoup dispute issue {of}"
    propose = f"recoup dispute propose {of} --ground GROUND --remedy correct|valid|void … --reason TEXT (a manager)"
    if found.in_force is None:
        return f"{propose}, or close {of} --outcome unfounded|withdrawn|passed_on --reason TEXT"
    if found.is_overtaken:
        return f"{propose}: {found.in_force.ruling} rests on another verdict (TB-10), what it moved is netted"
    otherwise = f", or propose another ruling than {found.in_force.ruling}" if found.state == "adjudicated" else ""
    for unit, own in {"": found.open_amounts, **found.open_foreign}.items():
        for player, amount in own.items():
            which = f" --currency {unit}" if unit else ""
            settle = f"recoup dispute settle {of} {player}{which} --how {'|'.join(ways(amount))} --reason TEXT"
            return f"{settle}{otherwise}"
    if found.untold:
        return f"recoup dispute tell {of} {' '.join(found.untold)}{otherwise}"
    return f"recoup dispute close {of} --outcome settled --reason TEXT{otherwise}"


def _what(ruling: Ruling) -> str:
    """`2026-11-28.1.R1: void of 2 rounds for collusion_players, of b1`."""
    some = ruling.scope in ("bet", "hand", "player") or ruling.remedy in ("correct", "penalty")
    of = ", ".join((*ruling.bets, *ruling.players)) if some else ""
    rounds = screen.number(len(ruling.rounds), "round")
    if ruling.remedy == "penalty":
        return f"{ruling.ruling}: penalty on {of} in {rounds} for {ruling.ground}"
    return f"{ruling.ruling}: {ruling.remedy} of {rounds} for {ruling.ground}{f', of {of}' if of else ''}"


def _say_rounds(found: Dispute, rounds: Sequence[str], what: str = "of") -> None:
    """Every round by its name, those of one session together."""
    tables: dict[str, list[str]] = {}
    for text in rounds:
        table, _hash, name = _name(text, _all_rounds(found)).rpartition("#")
        tables.setdefault(table, []).append(name)
    told = "; ".join(f"{table} #{', #'.join(names)}" for table, names in tables.items())
    screen.say_all(screen.wrapped(f"{what} {told}", "      ", "    "))


def _say_basis(ruling: Ruling) -> None:
    if ruling.basis != "book":
        screen.say([Span(f"  {_BASIS[ruling.basis]}", "bold")])


_STAKES = 12
"""So many stakes are told one by one; a shoe has hundreds."""


def _say_effects(found: Dispute, came: Effects, ruling: Ruling) -> None:
    for unit, own in {came.currency: came.amounts, **came.foreign}.items():
        for player, amount in own.items():
            screen.say(f"  {player} {'gets' if amount > 0 else 'owes'} {money_text(abs(amount), unit)}")
    for one in came.stakes[:_STAKES]:
        was, now = (money_text(amount, one.currency or came.currency) for amount in (one.before, one.after))
        screen.say(f"    {_name(one.round, _all_rounds(found))} {one.stake} of {one.player}: {was} → {now}")
    if len(came.stakes) > _STAKES:
        screen.say(f"    … and {screen.number(len(came.stakes) - _STAKES, 'stake')} more; --json has all")
    if not came.amounts and not came.foreign:
        screen.say("  it moves no money" if not ruling.replaces else "  of itself it moves no money")
    sides = {came.currency: (came.before, came.after), **came.foreign_sides}
    for unit, (before, after) in sides.items():
        for what, *both in (("win", before.win, after.win), ("rake", before.rake, after.rake)):
            if any(both):
                was, now = (money_text(amount, unit) for amount in both)
                screen.say(f"  the house's {what} of these rounds: {was} → {now}")
    if came.drop is not None:
        screen.say(f"  drop of the session: {money_text(came.drop, came.currency)}, which no ruling changes")


def _plain_preview(found: Dispute) -> dict[str, Any]:
    """Player → what issuing the ruling that waits will leave open; and the rounds that it frees."""
    ruling = found.proposed
    if ruling is None:
        return {}
    opens, foreign = found.net(ruling.amounts), found.net_foreign(ruling.foreign)
    return {"opens": opens, "opens_foreign": foreign, "frees": list(found.freed(ruling))}


def plain_effects(came: Effects) -> dict[str, Any]:
    """Effects as `--json` gives them."""
    import msgspec

    return dict(msgspec.to_builtins(came))


def plain_head(found: Dispute) -> dict[str, Any]:
    """What `--json` and the evidence pack say alike of a dispute; amounts in minor units."""
    import msgspec

    return {
        "dispute": found.id,
        "state": found.state,
        "house": found.house,
        "rounds": list(found.rounds),
        "player": found.opened.player if found.opened else None,
        "claim": found.opened.claim if found.opened else "",
        "outcome": found.outcome,
        "in_force": msgspec.to_builtins(found.in_force) if found.in_force else None,
        "dealt_with": [{"player": player, "how": how, "amount": amount, **({"currency": unit} if unit else {})}
                       for (unit, player, how, _), amount in sorted(found.dealt_with.items())],
        "open_amounts": found.open_amounts,
        "open_foreign": found.open_foreign,
    }  # fmt: skip


def plain_dispute(found: Dispute, came: Effects | None) -> dict[str, Any]:
    """A dispute as `--json` gives it."""
    import msgspec

    return {
        **plain_head(found),
        "evidence": [msgspec.to_builtins(one) for one in found.evidence],
        "proposed": msgspec.to_builtins(found.proposed) if found.proposed else None,
        "effects": plain_effects(came) if came is not None else None,
        **_plain_preview(found),
        "told": sorted(found.told),
        "acts": [{"at": act.at, "account": act.account, "what": type(act.event).__name__, "reason": act.reason}
                 for act in found.acts],
    }  # fmt: skip
