"""`collusion`: what players did to each other over many hands, beside what chance would give."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli import acting, assembly, failures, screen
from cli.access import noted
from cli.addresses import one_round, sittings, tell_houses
from cli.judge import watched
from cli.options import AsJson, DayOf, Store, day_of, opened, reason_of
from cli.screen import Words
from cli.searching import ids_of
from events.errors import Refused
from events.values.money import money_text
from games.picture import Span

if TYPE_CHECKING:
    from events.store import Log
    from replay.collusion.file import CollusionFile, Figure, Look, PairFile

_THOUSAND = 1000
_SHORT = 8
_RARE = 0.01
"""A figure that the shufflings reach less often is set in bold."""


def collusion(
    players: Annotated[
        list[str] | None, typer.Argument(metavar="PLAYER", help="Ids or names: pairs among them; of one, his with all.")
    ] = None,
    table: Annotated[str, typer.Option("--table", metavar="TABLE", help="As NL-1, or brno/NL-1.")] = "",
    day: DayOf = None,
    round_: Annotated[list[str], typer.Option("--round", metavar="ROUND", help="Only these hands.")] = [],  # noqa: B006
    imports: Annotated[bool, typer.Option("--imports", help="Imported hands instead of tables.")] = False,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Of the shufflings.")] = 1,
    shufflings: Annotated[
        int, typer.Option("--shufflings", metavar="N", min=100, help="At least; many pairs need more.")
    ] = 2000,
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=1, help="So many pairs; --json has all.")] = 3,
    dispute: Annotated[str, typer.Option("--dispute", metavar="DISPUTE", help="Note it there as evidence.")] = "",
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; it is kept in the access trail.")] = "",
    key_file: Annotated[
        str, typer.Option("--key-file", metavar="FILE", help="The secret of the import, to find a player by name.")
    ] = "",
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Who plays for whom? Reasons to look, not a verdict.

    Of each two players: net chips, folds to the other's bets (before he paid anything of his own will, and after),
    better hands folded, soft play (NL-40), raises against and beside each other, streets without a bet when just the
    two are left. Each with how often it could be, and in how many of some thousand seeded shufflings of the names at
    the same tables it came out as large. A pair stands out by its figures together, after Holm's correction for all
    pairs looked at. Hands of two players are left out.

    \b
    Examples:
      recoup collusion --table NL-1 --day 2026-11-28
      recoup collusion p-204 p-317 --reason "note of 28 November"
      recoup collusion p-204 p-317 --table NL-1 --json > file.ndjson
      recoup collusion p-204 p-317 --dispute 2026-11-28.1

    The same log, seed and question give the same bytes. It is kept in the access trail, and not shown where that
    cannot be written. Exit code 5 if something stands out.
    """
    from replay.collusion.file import make

    named = list(dict.fromkeys(players or []))
    why = reason_of(reason) if reason else ""
    with opened(store) as log:
        rounds = [one_round(log, text, day=day_of(day)).text for text in round_]
        if not (named or table or day or rounds or imports):
            raise Refused(
                "whose hands?", hint="recoup collusion --table NL-1 --day 2026-11-28, or players by their ids"
            )
        subjects = _subjects(log, table, day, rounds, imports, whole=bool(named))
        people = [ids_of(one, key_file) for one in named]
        on = str(day_of(day) or "")
        asked = {"players": named, "table": table, "day": on, "rounds": rounds, "imports": imports}
        reading = _read(log, subjects, people, rounds)
        if not reading.hands:
            raise Refused("no poker hand fits", hint="`recoup rounds` lists tables and days; fewer conditions")
        ids = _dealt_in(named, people, reading)
        of_all = [_about(table, on, rounds)] if len(ids) < 2 else []  # of one: his with everybody
        noted(log, "collusion", *ids, *of_all, reason=why)
        made = make(reading, asked=asked, players=ids, seed=seed, shufflings=shufflings)
        if dispute:
            _attach(log, dispute, made, why)
    if as_json:
        for line in made.lines():
            screen.put_raw(line + b"\n")
    else:
        _say(made, limit)
    if dispute:
        screen.note(f"noted with dispute {dispute} as evidence, SHA-256 {made.digest()[:16]}… of the --json output")
    if any(pair.stands_out for pair in made.pairs):
        if not dispute:
            screen.hint("look at the hands named; recoup dispute open ROUND --claim TEXT, then the same with --dispute")
        raise typer.Exit(failures.FOUND_SOMETHING)


def _subjects(log: Log, table: str, day: str | None, rounds: list[str], imports: bool, *, whole: bool) -> list[str]:
    """The sessions to read; where only players are named, tables' and imported ones."""
    if rounds:
        return list(dict.fromkeys(text.partition("#")[0] for text in rounds))
    found = sittings(log, table=table, day=day_of(day), prefix="import/" if imports else "table/")
    if not imports:
        tell_houses(found, table)
    if whole and not (table or imports):
        found += sittings(log, day=day_of(day), prefix="import/")
    return [one.subject for one in found]


def _read(log: Log, subjects: list[str], people: list[list[str]], rounds: list[str]) -> Any:
    from replay.collusion.reading import read

    sought = frozenset(one for ids in people for one in ids)
    return read(assembly.casebook(log), watched(subjects), players=sought, rounds=frozenset(rounds))


def _dealt_in(named: list[str], people: list[list[str]], reading: Any) -> list[str]:
    """Whom the hands have of each player named: as typed, or as an import calls him.

    Raises:
        Refused: one of them was in none of the hands.
    """
    seen = {player for hand in reading.hands for player in hand.players}
    found = []
    for name, ids in zip(named, people, strict=True):
        known = next((one for one in ids if one in seen), None)
        if known is None:
            raise Refused(
                f"`{name}` was dealt in to none of these hands", hint="ids as records have them: `recoup hands find`"
            )
        found.append(known)
    return found


def _about(table: str, day: str, rounds: list[str]) -> str:
    """Whose hands were shown where not each player is named, for the trail."""
    if rounds:
        return ", ".join(rounds[:8]) + (f" and {len(rounds) - 8} more" if len(rounds) > 8 else "")
    return " ".join(part for part in ("all players of", table or "every table", day) if part)


def _attach(log: Log, dispute: str, made: CollusionFile, reason: str) -> None:
    """Notes the file as evidence: its digest, what it was made of, and its first figures."""
    from events.schema.disputes import EvidenceNoted
    from replay.disputes import desk

    session = desk.Session(assembly.casebook(log), acting.account_of(log))
    told = " ".join(
        f"{name}={','.join(value) if isinstance(value, list) else value}" for name, value in made.asked.items() if value
    )
    lines = [f"collusion file, {_made_of(made)}; {told} seed={made.seed}; reasons to look, not a verdict"]
    for pair in made.pairs[:3]:
        lines += [screen.plain_of(line) for line in _pair_lines(pair)]
        lines += [
            f"  {_name(one, _called(pair))}: {_found(one)}; by chance {_by_chance(one) or '—'}; "
            f"with others {_elsewhere(one)}; as far in {screen.plain_of(_as_large(one))}"
            for one in _told(pair)
        ]
    note = "\n".join(lines)
    event = EvidenceNoted("analysis", f"collusion file {made.digest()[:16]}", note[:4000], sha256=made.digest())
    desk.note(session, dispute, event, reason)


# --- what is shown ---


def _made_of(made: CollusionFile) -> str:
    hands, tables = screen.number(made.hands, "hand"), screen.number(made.tables, "table")
    return (
        f"{hands} of {tables}, {screen.number(len(made.players), 'player')}, {screen.number(len(made.pairs), 'pair')}"
    )


def _say(made: CollusionFile, limit: int) -> None:
    from replay.collusion.file import NOTICE

    screen.say([Span(f"Collusion file: {NOTICE}", "bold")])
    screen.say(_made_of(made))
    said = f"seed {made.seed}, up to {made.shufflings:,} shufflings of the names at each table"
    pairs = screen.number(made.compared, "pair")
    screen.say_all(screen.wrapped(f"{said}; {pairs} compared, and corrected for that many (Holm)"))
    for count, why in (
        (made.two_only, "left out: only two were dealt in, and nobody else to compare with"),
        (made.unknown_chips, "without chips: nobody can tell who was due what"),
    ):
        if count:
            screen.say(f"{screen.number(count, 'hand')} {why}")
    screen.say("too little: fewer than 30 hands together, or 20 chances, say nothing")
    for subject, why in made.unreadable.items():
        screen.say([Span(f"not read: {subject}: {why}", "bad")])
    for pair in made.pairs[:limit]:
        screen.say()
        screen.say_all(_pair_lines(pair))
        screen.say_all(_figures(pair))
        screen.say_all(_looks(pair))
    screen.say()
    found = sum(bool(pair.stands_out) for pair in made.pairs)
    if len(made.pairs) > limit:
        screen.say(f"… and {screen.number(len(made.pairs) - limit, 'more pair')}; --limit shows more than {limit}")
    stand = "stands" if found == 1 else "stand"
    if found:
        screen.say(f"{screen.number(found, 'pair')} {stand} out.")
    elif made.compared:
        screen.say(f"Of {screen.number(made.compared, 'pair')} compared, none stands out beyond chance.")
    else:
        screen.say("No pair has enough hands and chances together to be compared: this says nothing of anybody.")
    screen.say_all(
        screen.wrapped(
            f"These are {NOTICE}: style, seats and luck have figures too, and nothing that stands out proves an "
            "agreement; nothing that does not disproves one."
        )
    )


_NAMES = {
    "chips": "chips {who} → {to}",
    "folds": "{who} folds to {to}, unpaid",
    "gives_up": "{who} folds to {to}, paid in",
    "better_folds": "{who} folds the better hand",
    "soft_play": "{who} spares {to} (NL-40)",
    "raises": "raises of each other's bets",
    "unbet_alone": "just the two left, no bet",
    "both_raised": "both raise, a third pays",
}


def _pair_lines(pair: PairFile) -> list[Words]:
    """A pair's head, and what stands out in words."""
    one, other = pair.players
    called = _called(pair)
    named = [who if called[who] == who else f"{who} ({called[who]})" for who in (one, other)]
    lines: list[Words] = [
        [Span(" and ".join(named), "bold"), f": {screen.number(pair.hands, 'hand')} together{_lost(pair)}"]
    ]
    chance = pair.chance
    if chance is None:
        return [*lines, "  too little to say anything"]
    said = f"  taken together as far out in {chance.as_large:,} of {chance.shufflings:,} shufflings"
    if pair.stands_out:
        said += f": stands out (p {chance.p:.5f}, for all pairs looked at {pair.corrected:.3f})"
    lines.append(Span(said, "bad" if pair.stands_out else ""))
    return lines


def _called(pair: PairFile) -> dict[str, str]:
    """What the two are called in the lines about them: ids that are long (of imported hands) are A and B there."""
    if max(map(len, pair.players)) <= _SHORT:
        return {player: player for player in pair.players}
    return dict(zip(pair.players, "AB", strict=True))


def _lost(pair: PairFile) -> str:
    """Who lost how much to whom, net, by currency."""
    flow = next(one for one in pair.figures if one.figure == "chips")
    called = _called(pair)
    said = [
        f"{called[flow.who if amount > 0 else flow.to]} lost {money_text(abs(amount), currency)} net to the other"
        for currency, amount in flow.money.items()
    ]
    return "".join(f"; {one}" for one in said)


def _figures(pair: PairFile) -> list[Words]:
    called = _called(pair)
    rows: list[list[Words]] = [
        [_name(one, called), _found(one), _by_chance(one), _elsewhere(one), _as_large(one)] for one in _told(pair)
    ]
    lines = screen.table(["figure", "found", "by chance", "with others", "as far in"], rows)
    for who, to in (pair.players, pair.players[::-1]):
        inside, outside, again = pair.with_other[who], pair.without[who], pair.again[who]
        lines += screen.wrapped(
            f"{called[who]} raises {inside[0]} of {inside[1]} times while {called[to]} is in, {outside[0]} of "
            f"{outside[1]} while he is not; re-raises him {again[0]} of {again[1]}", "    ", "  ",
        )  # fmt: skip
    if pair.passed:
        lines += screen.wrapped(f"chips handed over outside the pots (NL-42): {', '.join(map(_short, pair.passed))}",
                                "    ", "  ")  # fmt: skip
    return lines


def _told(pair: PairFile) -> list[Figure]:
    """Figures that had a chance; of chips only the way they went."""
    backwards = [
        one for one in pair.figures
        if one.figure == "chips" and (one.done < 0 or (one.done == 0 and one.who != pair.players[0]))
    ]  # fmt: skip
    return [one for one in pair.figures if one.of and one not in backwards]


def _name(figure: Figure, called: dict[str, str]) -> str:
    return _NAMES[figure.figure].format(who=called[figure.who], to=called[figure.to])


def _found(figure: Figure) -> str:
    if figure.figure != "chips":
        return f"{figure.done:,} of {figure.of:,}"
    return f"{_blinds(figure.done)} in {figure.of:,}"


def _by_chance(figure: Figure) -> str:
    """The middle of what the shufflings give, and nine of ten of them about it."""
    if figure.figure == "chips":
        return f"{_blinds(figure.low)[:-3]} … {_blinds(figure.high)}" if figure.chance is not None else ""
    likely = f"{figure.by_ways / _THOUSAND:.1f}"
    if figure.chance is None:
        return likely
    return f"{likely} ({figure.low / _THOUSAND:.0f} … {figure.high / _THOUSAND:.0f})"


def _elsewhere(figure: Figure) -> str:
    done, of = figure.elsewhere
    return f"{_blinds(done)} in {of:,}" if figure.figure == "chips" else f"{done:,} of {of:,}"


def _as_large(figure: Figure) -> Words:
    chance = figure.chance
    if chance is None:
        return Span("too little", "dim")
    return Span(f"{chance.as_large:,} of {chance.shufflings:,}", "bold" if chance.p <= _RARE else "")


def _blinds(thousandths: int) -> str:
    return f"{thousandths / _THOUSAND:,.1f} BB".replace(",", "\u00a0").replace("-", "\u2212")


def _looks(pair: PairFile) -> list[Words]:
    if not pair.look:
        return []
    called = _called(pair)
    rows: list[list[Words]] = [["  ", Span(_short(one.round), "bold"), _why(one, called)] for one in pair.look]
    return ["  look first at", *screen.table(["", "", ""], rows)[1:]]


def _why(look: Look, called: dict[str, str]) -> str:
    said = []
    if look.soft_play:
        said.append(f"{called[look.soft_play]} ends the betting with an unbeatable hand and spares the other")
    if look.better_fold:
        said.append(f"{called[look.better_fold]} folds the better hand to the other's bet")
    if look.money:
        blinds = f" ({_blinds(look.blinds)})" if look.blinds else ""
        said.append(
            f"{money_text(look.money, look.currency)}{blinds} from {called[look.giver]} to {called[look.taker]}"
        )
    return "; ".join(said)


def _short(address: str) -> str:
    """To be pasted into other commands."""
    subject, hash_, name = address.partition("#")
    shown = subject[: len("import/") + 12] if subject.startswith("import/") else subject.removeprefix("table/")
    return f"{shown}{hash_}{name}"
