"""`dealer`, `dealer night`: a scripted session, or a whole house's night, as the devices would send it, NDJSON on
stdout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli import assembly, screen
from cli.screen import Words
from events.errors import Refused
from events.schema.envelope import canonical

if TYPE_CHECKING:
    from games.protocol import Game


def dealer(
    game: Annotated[str, typer.Argument(metavar="GAME", help="As roulette or holdem.")],
    rounds: Annotated[int, typer.Option("--rounds", metavar="N", min=1, max=1_000_000, help="So many.")] = 10,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="The same seed deals the same session.")] = 1,
    breach: Annotated[str, typer.Option("--breach", metavar="RULE", help="Break exactly this rule, once.")] = "",
    at: Annotated[
        int, typer.Option("--at", metavar="N", min=0, show_default=False, help="Break it in the N-th round.")
    ] = 0,
    table: Annotated[str, typer.Option("--table", metavar="TABLE", help="As brno/RL-03.")] = "",
    day: Annotated[str, typer.Option("--day", metavar="DATE", help="The gaming day.")] = "2026-11-28",
    list_breaches: Annotated[bool, typer.Option("--breaches", help="List the rules that it can break.")] = False,
) -> None:
    """Deal a scripted session, as NDJSON.

    Legal rounds, settled as the rules say, and one breach if you ask for it.

    \b
    Examples:
      recoup dealer roulette --rounds 20 --seed 7 > table.ndjson
      recoup dealer roulette --breach RL-17 | recoup ingest -
      recoup dealer holdem --breaches
    """
    from events.values.clock import parse_day

    rooms = assembly.rooms()
    if game not in rooms:
        raise Refused(f"no room plays `{game}`; there are {', '.join(rooms) or 'none'}")
    room = rooms[game]
    if list_breaches:
        _say_breaches(room)
        return
    wanted = breach.upper() or None
    if wanted is not None and wanted not in room.breaches:
        raise Refused(f"the {game} dealer cannot break `{breach}`", hint=f"`recoup dealer {game} --breaches` lists all")
    if at > rounds:
        raise Refused(f"there is no round {at} among {rounds}")
    if table and table.count("/") != 1:
        raise Refused(f"`{table}` is no table", hint="<house>/<table>, as brno/RL-03")
    parse_day(day)
    dealt = room.deal(rounds, seed, breach=wanted, breach_round=at - 1 if at else None, **_table(table), day=day)
    for envelope in dealt:
        screen.put_raw(canonical(envelope) + b"\n")


def _say_breaches(room: Game[Any]) -> None:
    from cli.rules import shipped
    from games.table_rules import title_of

    editions = {one.edition.rule_book: one.edition for one in shipped()}
    rows: list[list[Words]] = [[rule, title_of(rule, editions.get(rule.partition("-")[0]))] for rule in room.breaches]
    screen.say_all(screen.table(["rule", "title"], rows))
    screen.note(f"{screen.number(len(rows), 'rule')} that the {room.name} dealer can break, one a session")
    screen.hint(f"recoup dealer {room.name} --breach {room.breaches[0]} | recoup ingest -")


def dealer_night(
    day: Annotated[str, typer.Option("--day", metavar="DATE", help="The gaming day.")] = "2026-11-28",
    nights: Annotated[int, typer.Option("--nights", metavar="N", min=1, max=366, help="So many, one a day.")] = 1,
    rounds: Annotated[int, typer.Option("--rounds", metavar="N", min=1, help="At each table.")] = 6,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="The same seed deals the same nights.")] = 1,
    house: Annotated[str, typer.Option("--house", metavar="HOUSE", help="Whose tables.")] = "brno",
    plant: Annotated[
        list[str], typer.Option("--plant", metavar="KIND", help="Put this mistake into the last night; repeatable.")
    ] = [],  # noqa: B006  Typer copies it
) -> None:
    """Deal a house's night: eight tables, the cash desks, all counts, as NDJSON.

    \b
    Examples:
      recoup dealer night | recoup ingest -
      recoup dealer night --nights 2 --plant float --plant slip | recoup ingest -

    Mistakes that can be planted: float, drop, rake, desk (counted short), opener (not what was left there; from the
    second night on), slip (one end only), slip_amount (two amounts), void (a lawful round is called off).
    """
    from datetime import timedelta

    from events.values.clock import parse_day
    from games import night

    first = parse_day(day)
    kinds = [kind for kind in night.KINDS if kind in plant]
    if unknown := sorted(set(plant) - set(night.KINDS)):
        raise Refused(f"`{unknown[0]}` cannot be planted", hint=", ".join(night.KINDS))
    left: dict[str, int] = {}
    for number in range(nights):
        date = (first + timedelta(days=number)).isoformat()
        own = kinds if number == nights - 1 else []
        dealt = night.night(
            assembly.rooms(), date, seed + number, house=house, rounds=rounds, plant=own, before=left
        )  # fmt: skip
        left = dealt.left
        for envelope in dealt.records:
            screen.put_raw(canonical(envelope) + b"\n")
        for one in dealt.planted:
            screen.note(f"planted: {one.kind}, {one.place}")


def _table(table: str) -> dict[str, str]:
    return {"table": table} if table else {}
