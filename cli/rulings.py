"""What the disputes about a round did with it: rulings in force, what was paid on them, and what is still open.

The verdict stays as it is, since chips that carry a ruling out are no part of the round; so this is told beside it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from cli import screen
from events.errors import Refused
from events.schema.ours import RulingIssued
from events.values.clock import time_text, to_datetime
from events.values.money import money_text
from games.picture import Span
from games.verdict import Verdict

if TYPE_CHECKING:
    from cli.screen import Words
    from events.schema.ours import Ruling
    from events.store import Log
    from games.casebook import Casebook
    from replay.disputes.dispute import Dispute
    from replay.disputes.effects import Effects

_HOW = {"paid": "paid to", "received": "received from", "retained": "kept back from"}


def dealt_text(player: str, how: str, amount: int, currency: str) -> str:
    """What became of an amount, in words: `amount` minor units, positive if he was owed it."""
    done = _HOW.get(how) or ("given up by" if amount > 0 else "waived for")
    return f"{money_text(abs(amount), currency)} {done} {player}"


def dealt_lines(one: Dispute, currency: str) -> list[str]:
    """All that was dealt with so far, a line a player and way."""
    return [
        dealt_text(player, how, amount, unit or currency)
        for (unit, player, how, _), amount in sorted(one.dealt_with.items())
    ]


def disputes_about(log: Log, address: str) -> list[Dispute]:
    """Disputes that a round is disputed in, or one of whose rulings reached it."""
    from replay.disputes.dispute import disputes

    return [one for one in disputes(log) if address in one.rounds or _last_on(one, address)]


def ruling_lines(found: list[Dispute], verdict: Verdict) -> list[Words]:
    """Each in a sentence, with what became of its amounts."""
    lines: list[Words] = []
    for one in found:
        said = _ruled(one, verdict) if _reaches(one, verdict.round) else _undecided(one, verdict.round)
        lines += [[Span(piece, "bold")] for piece in screen.wrapped(said, "  ", "")]
    return lines


def ruling_json(one: Dispute, address: str) -> dict[str, Any]:
    """The same for `--json`; amounts in minor units, of all rounds of the ruling."""
    ruling = one.in_force if _reaches(one, address) else None
    return {
        "dispute": one.id,
        "state": one.state,
        "ruling": ruling.ruling if ruling else None,
        "remedy": ruling.remedy if ruling else None,
        "issued": time_text(_issued_at(one)) if ruling else None,
        "rounds": list(ruling.rounds) if ruling else [],
        "settled": [{"player": act.player, "amount": act.amount, "how": act.how, "slip": act.slip,
                     **({"currency": act.currency} if act.currency else {})}
                    for act in one.settled] if ruling else [],
        "open_amounts": one.open_amounts if ruling else {},
        "open_foreign": one.open_foreign if ruling else {},
    }  # fmt: skip


def owed_words(one: Dispute, currency: str) -> list[str]:
    """Who is still owed what by a dispute's ruling in force, or owes it; `currency`: the tables'."""
    return [
        f"{player} {'is owed' if amount > 0 else 'owes'} {money_text(abs(amount), unit)}"
        for unit, own in {currency: one.open_amounts, **one.open_foreign}.items()
        for player, amount in own.items()
    ]


def is_carried_out(found: Iterable[Dispute], verdict: Verdict) -> bool:
    """Whether each player whose money is apart in a round was dealt with, so that nobody pays twice."""
    apart = {(unit, player) for unit, own in verdict.apart.items() for player, amount in own.items() if amount}
    ruled = [one for one in found if _reaches(one, verdict.round)]
    done = {(act.currency or verdict.currency, act.player) for one in ruled for act in one.settled if act.amount}
    still = any(one.open_amounts or one.open_foreign for one in ruled) or overtaken_dispute(ruled, verdict) is not None
    return bool(apart) and apart <= done and not still


def overtaken_dispute(found: Iterable[Dispute], verdict: Verdict) -> Dispute | None:
    """The dispute whose ruling on this round rests on a verdict that the facts no longer give (TB-10)."""
    gone = {one.subject for one in verdict.findings if one.code == "ruling_overtaken"}
    return next((one for one in found if one.in_force is not None and one.in_force.ruling in gone), None)


def rule_anew(one: Dispute) -> str:
    """The command by which a ruling that was overtaken is replaced: a closed dispute must be reopened first."""
    if one.state == "closed":
        return f"recoup dispute reopen {one.id} --reason TEXT, then judge and propose there again"
    return f"recoup dispute judge {one.id}, then propose there again"


def effects_on_record(book: Casebook, ruling: Ruling) -> Effects | None:
    """What a ruling on record comes to; None where the facts give another amount by now."""
    from replay.disputes.effects import effects_of

    try:
        came = effects_of(book, ruling)
    except Refused:
        return None
    return came if (came.amounts, came.foreign) == (ruling.amounts, ruling.foreign) else None


def _reaches(one: Dispute, address: str) -> bool:
    return one.in_force is not None and address in one.in_force.rounds


def _last_on(one: Dispute, address: str) -> str:
    """The last of its rulings that reached a round, in force or not; empty if none did."""
    return next((ruling.ruling for ruling in reversed(one.issued) if address in ruling.rounds), "")


def _ruled(one: Dispute, verdict: Verdict) -> str:
    ruling = one.in_force
    assert ruling is not None
    of = f" of {screen.number(len(ruling.rounds), 'round')}" if len(ruling.rounds) > 1 else ""
    day = to_datetime(_issued_at(one))
    said = [f"ruled on by {ruling.ruling} ({ruling.remedy}{of}, issued {day.day}. {day.month}.)"]
    for act in one.settled:
        done = dealt_text(act.player, act.how, act.amount, act.currency or verdict.currency)
        said.append(done + (f" with slip {act.slip}" if act.slip else ""))
    owing = owed_words(one, verdict.currency)
    if owing:
        said.append(f"still open: {'; '.join(owing)}")
    else:
        said.append("nothing is open" if ruling.moves_money_of else "it moves no money")
    if one.state not in ("issued", "closed"):
        said.append(f"the dispute is open again ({one.state})")
    return ", ".join(said)


def _undecided(one: Dispute, address: str) -> str:
    ruling, before = one.in_force, _last_on(one, address)
    if ruling is not None and before:
        return f"{before} no longer rules on this round: {ruling.ruling} is in force instead and does not reach it"
    if one.state == "closed":
        return f"disputed in {one.id}, which was closed without a ruling on this round ({one.outcome})"
    if ruling is not None:
        return f"disputed in {one.id} ({one.state}), whose ruling {ruling.ruling} does not reach this round"
    return f"disputed in {one.id} ({one.state}), no ruling is in force yet"


def _issued_at(one: Dispute) -> int:
    return next(act.at for act in reversed(one.acts) if isinstance(act.event, RulingIssued))
