"""`dispute open|show|list|note|judge|propose|approve|reject|issue|settle|tell|close|reopen`, and `void`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from cli import acting, assembly, screen
from cli import dispute_pages as pages
from cli.access import noted
from cli.addresses import one_round
from cli.options import AsJson, DayOf, Reason, Store, clock_of, day_of, opened, reason_of
from cli.screen import Words
from events.errors import RecoupError, Refused
from events.schema.disputes import Channel, EvidenceKind, EvidenceNoted, Settled
from events.values.money import CURRENCIES, parse_amount

if TYPE_CHECKING:
    from events.store import Log
    from replay.disputes.desk import Session, Wish
    from replay.disputes.dispute import Dispute
    from replay.disputes.effects import Effects

app = typer.Typer(
    help="Complaints, from the first word to the last: two people, full money effects.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
Id = Annotated[str, typer.Argument(metavar="DISPUTE", help="As `dispute list` shows it: 2026-11-28.1.")]
Rounds = Annotated[list[str], typer.Argument(metavar="ROUND...", help="As RL-03#173; the disputed one first.")]
Ground = Annotated[str, typer.Option("--ground", metavar="GROUND", help="What it rests on, as collusion_players.")]
Why = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; it is kept with your account's name.")]


@app.command("open")
def open_(
    rounds: Rounds,
    claim: Annotated[str, typer.Option("--claim", metavar="TEXT", help="What is claimed, in the claimant's words.")],
    player: Annotated[str, typer.Option("--player", metavar="PLAYER", help="Whose chips it is about.")] = "",
    channel: Annotated[str, typer.Option("--channel", metavar="HOW", help=", ".join(get_args(Channel)))] = "table",
    day: DayOf = None,
    store: Store = None,
) -> None:
    """Open a dispute about a round or several.

    \b
    Example:
      recoup dispute open RL-03#173 --claim "I had 100 on 17" --player p-204
    """
    from replay.disputes import desk

    if not claim.strip():
        raise Refused("the claim is empty", hint='--claim "I had 100 on 17"')
    with opened(store) as log:
        addresses = [one_round(log, text, day=day_of(day)).text for text in rounds]
        how = _word(channel, Channel, "channel")
        made = desk.open_dispute(_session(log), addresses, reason_of(claim), player=player or None, channel=how)
        others = _others(log, made)
    screen.say(f"dispute {made.id} is open")
    pages.say_others(others)
    screen.hint(pages.next_step(made))


@app.command("list")
def list_(
    everything: Annotated[bool, typer.Option("--all", help="Closed ones too.")] = False,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Disputes and where each of them stands, without persons: `dispute show` tells those, and notes who looked.

    \b
    Example:
      recoup dispute list
    """
    from replay.disputes.dispute import disputes

    with opened(store) as log:
        found = [one for one in disputes(log) if everything or one.state != "closed"]
    if as_json:
        for one in found:
            screen.put_json({"dispute": one.id, "state": one.state, "house": one.house, "rounds": list(one.rounds),
                             "outcome": one.outcome, "open_amounts": _open(one)})  # fmt: skip
        return
    rows: list[list[Words]] = []
    for one in found:
        state = f"{one.state} ({one.outcome})" if one.outcome else one.state
        rows.append([one.id, state, pages.short(one.rounds), f"{_open(one)} open" if _open(one) else ""])
    screen.say_all(screen.table(["dispute", "state", "round", "money"], rows) if rows else ["no dispute is open"])


@app.command()
def show(dispute: Id, reason: Why = "", store: Store = None, as_json: AsJson = False) -> None:
    """A dispute: what was claimed, seen, judged, ruled and paid. The look is kept in the access trail.

    \b
    Example:
      recoup dispute show 2026-11-28.1
    """
    from events.staff import read_register
    from replay.disputes.dispute import read_dispute

    with opened(store) as log:
        found = read_dispute(log, dispute)
        noted(log, "dispute", dispute, reason=reason)
        currency = _currency(log, found)
        register = read_register(log, found.house)
        people = {act.account: register.person_of(act.account) or act.account for act in found.acts}
        came = _effects(log, found)
    if as_json:
        screen.put_json(pages.plain_dispute(found, came))
        return
    pages.say_dispute(found, currency, people, came)
    if came is not None or not (found.proposed or found.in_force):
        screen.hint(pages.next_step(found))
    screen.hint(f"recoup evidence {found.id} -o {found.id}.zip puts all of it in a pack that an outsider can check")


@app.command()
def note(
    dispute: Id,
    camera: Annotated[
        str, typer.Option("--camera", metavar="CAMERA", help="Its name; with --clip, --from, --to.")
    ] = "",
    ref: Annotated[str, typer.Option("--ref", metavar="TEXT", help="Another thing: a record, a letter.")] = "",
    kind: Annotated[str, typer.Option("--kind", metavar="KIND", help=", ".join(get_args(EvidenceKind)))] = "record",
    clip: Annotated[str, typer.Option("--clip", metavar="CLIP", help="The clip's number.")] = "",
    begins: Annotated[str, typer.Option("--from", metavar="TIME", help="Where it begins.")] = "",
    ends: Annotated[str, typer.Option("--to", metavar="TIME", help="Where it ends.")] = "",
    text: Annotated[str, typer.Option("--note", metavar="TEXT", help="What is seen in it.")] = "",
    hold: Annotated[list[str], typer.Option("--hold", metavar="THING", help="Stays put away: footage:cam-4.")] = [],  # noqa: B006
    store: Store = None,
) -> None:
    """Note what was looked at, and what stays put away.

    \b
    Example:
      recoup dispute note 2026-11-28.1 --camera cam-4 --clip 12 --from 21:40 --to 21:42
    """  # fmt: skip
    from replay.disputes import desk

    if bool(camera) == bool(ref):
        raise Refused("evidence is a camera or another thing", hint="--camera cam-4, or --ref TEXT with --kind")
    for clock in (begins, ends):
        if clock:
            clock_of(clock)
    event = EvidenceNoted(
        "camera" if camera else _word(kind, EvidenceKind, "kind of evidence"), camera or ref, text, clip, begins, ends,
        tuple(hold),
    )  # fmt: skip
    with opened(store) as log:
        found = desk.note(_session(log), dispute, event)
    screen.say(f"{screen.number(len(found.evidence), 'piece')} of evidence with {dispute}")
    if found.adjudicated is None:
        screen.hint(f"recoup dispute judge {dispute}")


@app.command()
def judge(dispute: Id, store: Store = None) -> None:
    """Judge the disputed rounds by the facts alone; a ruling is bound to what is seen now.

    \b
    Example:
      recoup dispute judge 2026-11-28.1
    """
    from replay.disputes import desk

    with opened(store) as log:
        found, judged = desk.adjudicate(_session(log), dispute)
        currency = _currency(log, found)
    pages.say_judged(found, judged, currency)
    if any(verdict.standing == "cannot_tell" for verdict in judged.values()):
        screen.hint("recoup gaps; a ruling waits until the round is over and its record complete, or declared lost")
    screen.hint(pages.next_step(found))


@app.command()
def propose(
    dispute: Id,
    ground: Ground,
    reason: Reason,
    remedy: Annotated[
        str,
        typer.Option("--remedy", metavar="REMEDY", help="correct, valid, void, return, forfeit, penalty, an outcome."),
    ] = "correct",
    scope: Annotated[str, typer.Option("--scope", metavar="SCOPE", help="bet, hand, round, shoe, session …")] = "",
    standard: Annotated[str, typer.Option("--standard", metavar="HOW", help="proof, suspicion or fact.")] = "fact",
    round_: Annotated[list[str], typer.Option("--round", metavar="ROUND", help="Others beside a disputed one.")] = [],  # noqa: B006
    player: Annotated[list[str], typer.Option("--player", metavar="PLAYER", help="Whom it reaches.")] = [],  # noqa: B006
    bet: Annotated[list[str], typer.Option("--bet", metavar="BET", help="Which bets.")] = [],  # noqa: B006
    amount: Annotated[
        list[str], typer.Option("--amount", metavar="P=SUM", help="return, forfeit: p-204=500, p-204=50EUR.")
    ] = [],  # noqa: B006
    basis: Annotated[str, typer.Option("--basis", metavar="BASIS", help="management: not the book's ground.")] = "book",
    day: DayOf = None,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Propose a ruling with all that it costs; another manager decides.

    \b
    Examples:
      recoup dispute propose 2026-11-28.1 --ground table_error --reason "camera 4: paid 17 as a split"
      recoup dispute propose 2026-11-28.2 --remedy void --ground collusion_players --reason "…"
    Ground, scope and proof are those of the room's void-and-refund matrix;
    --basis management marks another ground. A ground may be a finding's code or
    a rule. `dispute judge` names the outcomes where a person must choose one;
    --remedy return --amount p-3=500 --amount p-2=-500 moves chips between two.
    """  # fmt: skip
    from replay.disputes import desk

    with opened(store) as log:
        rounds = tuple(one_round(log, text, day=day_of(day)).text for text in round_)
        wish = desk.Wish(
            ground=ground, remedy=remedy, scope=_scope(scope), standard=_standard(standard), rounds=rounds,
            bets=tuple(bet), players=tuple(player), basis=_basis(basis),
            **_stated(amount),
        )  # fmt: skip
        found, came = desk.propose(_session(log), dispute, wish, reason_of(reason))
        noted(log, "ruling", dispute, reason=f"proposed: {reason}", shows_persons=False)
    pages.say_proposed(found, came, as_json=as_json)


def void(
    rounds: Rounds,
    ground: Ground,
    reason: Reason,
    scope: Annotated[str, typer.Option("--scope", metavar="SCOPE", help="round, shoe, session; else the book's.")] = "",
    standard: Annotated[str, typer.Option("--standard", metavar="HOW", help="proof, suspicion or fact.")] = "suspicion",
    camera: Annotated[str, typer.Option("--camera", metavar="CAMERA", help="The footage that shows it.")] = "",
    basis: Annotated[str, typer.Option("--basis", metavar="BASIS", help="management: not the book's ground.")] = "book",
    day: DayOf = None,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Propose to void rounds, a shoe or a session: opens the dispute, judges, and proposes, in one go.

    \b
    Example:
      recoup void BJ-1#2 --scope shoe --ground shuffle_breach --standard proof --camera 4 --reason …
    Another manager approves: recoup dispute approve DISPUTE, then recoup dispute issue DISPUTE.
    """
    from replay.disputes import desk

    why = reason_of(reason)
    with opened(store) as log:
        session = _session(log)
        addresses = [one_round(log, text, day=day_of(day)).text for text in rounds]
        wish = desk.Wish(
            ground=ground, remedy="void", scope=_scope(scope), standard=_standard(standard), basis=_basis(basis)
        )
        made = desk.open_dispute(session, addresses, why, player=None, channel="surveillance")
        try:
            if camera:
                desk.note(session, made.id, EvidenceNoted("camera", camera))
            desk.adjudicate(session, made.id)
            screen.note(f"dispute {made.id} is open and judged")
            pages.say_others(_others(log, made), put=screen.note)
            found, came = desk.propose(session, made.id, wish, why)
        except RecoupError as error:
            error.hint = _left_open(made.id, wish, error.hint)
            raise
        noted(log, "ruling", made.id, reason=f"proposed: {why}", shows_persons=False)
    pages.say_proposed(found, came, as_json=as_json)


def _left_open(dispute: str, wish: Wish, hint: str) -> str:
    """What to do with a dispute for which no ruling could be proposed."""
    scope = f" --scope {wish.scope}" if wish.scope else ""
    again = f"--remedy void --ground {wish.ground}{scope} --standard {wish.standard} --reason TEXT"
    return (
        f"{hint}\ndispute {dispute} stays open, without a ruling; go on there, do not type `void` again: "
        f"`recoup dispute propose {dispute} {again}`, or `recoup dispute close {dispute} --outcome withdrawn "
        "--reason TEXT`"
    ).lstrip()


@app.command()
def approve(dispute: Id, reason: Reason, store: Store = None) -> None:
    """Approve the ruling that another manager proposed.

    \b
    Example:
      recoup dispute approve 2026-11-28.1 --reason "seen the clip"
    """
    from replay.disputes import desk

    with opened(store) as log:
        found = desk.decide(_session(log), dispute, approve=True, reason=reason_of(reason))
        noted(log, "ruling", dispute, reason=f"approved: {reason}", shows_persons=False)
        currency = _currency(log, found)
    pages.say_approved(found, currency)
    screen.hint(pages.next_step(found))


@app.command()
def reject(dispute: Id, reason: Reason, store: Store = None) -> None:
    """Reject the ruling that another manager proposed, also an approved one that is not issued yet.

    \b
    Example:
      recoup dispute reject 2026-11-28.1 --reason "the clip shows the other box"
    """
    from replay.disputes import desk

    with opened(store) as log:
        found = desk.decide(_session(log), dispute, approve=False, reason=reason_of(reason))
        noted(log, "ruling", dispute, reason=f"rejected: {reason}", shows_persons=False)
    left = f"{found.in_force.ruling} stays in force" if found.in_force is not None else "it stands as judged"
    screen.say(f"the ruling of {dispute} is rejected; {left}")
    screen.hint(pages.next_step(found))


@app.command()
def issue(dispute: Id, reason: Why = "", store: Store = None) -> None:
    """Issue the approved ruling: in the dispute and in every session that it touches, at once.

    \b
    Example:
      recoup dispute issue 2026-11-28.1
    """
    from replay.disputes import desk

    with opened(store) as log:
        found = desk.issue(_session(log), dispute, reason)
        noted(log, "ruling", dispute, reason=f"issued: {reason}".removesuffix(": "), shows_persons=False)
        currency = _currency(log, found)
    pages.say_issued(found, currency)
    screen.hint(pages.next_step(found))


@app.command()
def settle(
    dispute: Id,
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="Whose amount was dealt with, in full.")],
    reason: Reason,
    how: Annotated[str, typer.Option("--how", metavar="HOW", help=", ".join(get_args(Settled)))] = "paid",
    slip: Annotated[str, typer.Option("--slip", metavar="SLIP", help="The cash desk's slip.")] = "",
    currency: Annotated[
        str, typer.Option("--currency", metavar="CODE", help="Which amount, if it is not in the table's currency.")
    ] = "",
    store: Store = None,
) -> None:
    """Say that what a player is owed, or owes, was dealt with.

    \b
    Example:
      recoup dispute settle 2026-11-28.1 p-204 --how paid --slip 4711 --reason "at desk 1"
    """
    from replay.disputes import desk
    from replay.disputes.dispute import read_dispute

    with opened(store) as log:
        word = _word(how, Settled, "way to settle")
        session = _session(log)
        tables = _currency(log, read_dispute(log, dispute))
        found = desk.settle(
            session, dispute, player, word, slip=slip or None, reason=reason_of(reason),
            currency=currency if currency and currency != tables else None,
        )  # fmt: skip
    pages.say_settled(found, tables)
    screen.hint(pages.next_step(found))


@app.command()
def tell(
    dispute: Id,
    players: Annotated[list[str], typer.Argument(metavar="PLAYER...", help="Who was told.")],
    how: Annotated[str, typer.Option("--how", metavar="HOW", help=", ".join(get_args(Channel)))] = "table",
    text: Annotated[str, typer.Option("--note", metavar="TEXT", help="What was said.")] = "",
    store: Store = None,
) -> None:
    """Note that players were told what was decided.

    \b
    Example:
      recoup dispute tell 2026-11-28.1 p-204 --how letter
    """
    from replay.disputes import desk

    with opened(store) as log:
        found = desk.tell(_session(log), dispute, players, _word(how, Channel, "channel"), text)
    screen.say(f"told: {', '.join(players)}")
    screen.hint(pages.next_step(found))


@app.command()
def close(
    dispute: Id,
    outcome: Annotated[str, typer.Option("--outcome", metavar="HOW", help="settled, unfounded, withdrawn, passed_on.")],
    reason: Reason,
    store: Store = None,
) -> None:
    """Close a dispute; what was put away for it is free again.

    \b
    Example:
      recoup dispute close 2026-11-28.1 --outcome settled --reason "paid and told"
    """
    from replay.disputes import desk

    with opened(store) as log:
        found = desk.close(_session(log), dispute, _word(outcome, desk.Outcome, "outcome"), reason_of(reason))
    stays = f"; ruling {found.in_force.ruling} stays in force" if found.in_force is not None else ""
    screen.say(f"{dispute} is closed: {outcome}{stays}")


@app.command()
def reopen(dispute: Id, reason: Reason, store: Store = None) -> None:
    """Reopen a closed dispute; it must be judged anew.

    \b
    Example:
      recoup dispute reopen 2026-11-28.1 --reason "he appeals"
    """
    from replay.disputes import desk

    with opened(store) as log:
        found = desk.reopen(_session(log), dispute, reason_of(reason))
    screen.say(f"{dispute} is open again")
    screen.hint(pages.next_step(found))


def _others(log: Log, made: Dispute) -> list[Dispute]:
    """Other disputes about the same rounds, that nobody goes through one complaint twice."""
    from cli.rulings import disputes_about

    found = {one.id: one for address in made.rounds for one in disputes_about(log, address) if one.id != made.id}
    return list(found.values())


def _open(found: Dispute) -> int:
    """How many amounts are open, each currency by itself."""
    return len(found.open_amounts) + sum(len(own) for own in found.open_foreign.values())


def _session(log: Log) -> Session:
    from replay.disputes.desk import Session

    return Session(assembly.casebook(log), acting.account_of(log))


def _currency(log: Log, found: Dispute) -> str:
    from replay.disputes.verdicts import currency_of

    return currency_of(assembly.casebook(log), found.rounds)


def _effects(log: Log, found: Dispute) -> Effects | None:
    """What the ruling that waits, else the one in force, comes to; None if there is none, or the facts are others."""
    from cli.rulings import effects_on_record

    ruling = found.proposed or found.in_force
    return effects_on_record(assembly.casebook(log), ruling) if ruling is not None else None


def _word(text: str, words: Any, what: str) -> Any:
    known = get_args(words)
    if text not in known:
        raise Refused(f"`{text}` is no {what}", hint=", ".join(known))
    return known[known.index(text)]  # that very word: msgspec leaves out a default by what it is, not how it reads


def _scope(text: str) -> Any:
    from typing import Literal

    return _word(text, Literal["bet", "hand", "round", "shoe", "session", "player"], "scope") if text else None


def _standard(text: str) -> Any:
    from typing import Literal

    return _word(text, Literal["proof", "suspicion", "fact"], "standard of proof")


def _basis(text: str) -> Any:
    from typing import Literal

    return _word(text, Literal["book", "management"], "basis")


def _stated(given: list[str]) -> dict[str, Any]:
    """The stated amounts of a wish; one that names a currency apart: `p-204=50EUR`."""
    stated: dict[str, int] = {}
    foreign: dict[str, dict[str, int]] = {}
    for text in given:
        player, equals, amount = text.partition("=")
        if not equals or not player:
            raise Refused(f"`{text}` states no amount", hint="--amount p-204=500")
        unit = next((unit for unit in CURRENCIES if amount.endswith(unit)), "")
        own = foreign.setdefault(unit, {}) if unit else stated
        if player in own:
            raise Refused(f"{player} stands there twice", hint="--amount once for each player and currency: the sum")
        own[player] = parse_amount(amount.removesuffix(unit).rstrip())
    return {"stated": stated, "foreign": foreign}
