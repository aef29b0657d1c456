"""The money of a verdict in words: what each stake and player is due and got, the pots, who owes whom."""

from __future__ import annotations

from collections.abc import Iterator

from cli.screen import Words, table, wrapped
from events.values.money import figure_text, money_text, unit_text
from games.picture import Span
from games.verdict import Line, Verdict, nets_of


def signed(amount_minor: int) -> str:
    """An amount with its sign, without its currency; zero has none."""
    return f"+{figure_text(amount_minor)}" if amount_minor > 0 else figure_text(amount_minor)


def person(verdict: Verdict, player: str) -> str:
    """A pot game's player with his seat."""
    if not player:
        return "somebody whom no record names"
    for line in verdict.due.lines:
        if player in (line.player, line.stake):
            if line.stake.startswith("seat/") and line.player != line.stake:
                return f"{line.player} (seat {line.stake[5:]})"
            return line.player.replace("seat/", "seat ")
    return player.replace("seat/", "seat ")


def apart(verdict: Verdict, sums: dict[str, int], currency: str) -> str:
    """Who is owed and who has too much, the greatest first; amounts in `currency`."""
    pots = bool(verdict.due.pots)
    if len(sums) == 1 and not pots:
        ((player, amount),) = sums.items()
        much = "little" if amount > 0 else "much"
        return f"the table paid {money_text(abs(amount), currency)} too {much} to {person(verdict, player)}"
    owed = _named(verdict, {player: amount for player, amount in sums.items() if amount > 0}, currency)
    rake = {"the rake": surplus} if pots and (surplus := rake_apart(verdict)) > 0 else {}
    over = _named(verdict, {player: -amount for player, amount in sums.items() if amount < 0} | rake, currency)
    sides = []
    if owed:
        sides.append(f"owed: {owed}" if pots else f"the table owes {owed}")
    if over:
        sides.append(f"too much has: {over}" if pots else f"got too much: {over}")
    candidate = "as far as is known, " if verdict.standing == "cannot_tell" else ""
    return candidate + "; ".join(sides)


def _named(verdict: Verdict, sums: dict[str, int], currency: str) -> str:
    """`p-246 1 200, p-1 50 and 3 more 70 CZK`."""
    own = sorted(sums.items(), key=lambda item: -item[1])
    shown = [f"{person(verdict, player)} {figure_text(amount)}" for player, amount in own[:3]]
    if len(own) > 3:
        shown.append(f"{len(own) - 3} more {figure_text(sum(amount for _player, amount in own[3:]))}")
    return f"{', '.join(shown)} {unit_text(currency)}" if shown else ""


def rake_apart(verdict: Verdict) -> int:
    """Rake taken beyond the one due, minor units; negative: the house took too little. 0 where nobody can tell."""
    if verdict.recorded is None or not verdict.due.known or not verdict.due.pots:
        return 0
    return verdict.recorded.rake - verdict.due.rake


def transfers(verdict: Verdict) -> Iterator[tuple[str, str, int, str]]:
    """The movements that would set a settlement right: who gives, who gets, minor units, their currency; the greatest
    first.

    In a pot game players owe each other, and the rake may have to give something back; against a bank the table pays
    and takes. None where it is not known what is due; where a person must rule they are what his ruling may order.
    """
    if verdict.standing not in ("valid", "void", "ruling_required") or not verdict.due.known:
        return
    for currency, sums in verdict.apart.items():
        for giver, who, amount in _moves(verdict, sums):
            yield giver, who, amount, currency


def _moves(verdict: Verdict, sums: dict[str, int]) -> Iterator[tuple[str, str, int]]:
    gives = {person(verdict, who): -amount for who, amount in sums.items() if amount < 0}
    gets = {person(verdict, who): amount for who, amount in sums.items() if amount > 0}
    if not verdict.due.pots:
        yield from (("the table", who, amount) for who, amount in _greatest(gets))
        yield from ((who, "the table", amount) for who, amount in _greatest(gives))
        return
    if (over := rake_apart(verdict)) > 0:
        gives["the rake"] = over
    givers = _greatest(gives)
    for who, wanted in _greatest(gets):
        open_ = wanted
        while open_ and givers:
            giver, has = givers[0]
            amount = min(open_, has)
            yield giver, who, amount
            open_ -= amount
            givers = [(giver, has - amount), *givers[1:]] if has > amount else givers[1:]
        if open_:
            yield "the table", who, open_  # chips that the record leaves unaccounted for


def _greatest(sums: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(sums.items(), key=lambda item: -item[1])


def money_table(verdict: Verdict) -> list[Words]:
    """Due, recorded and difference per stake, then per player where he has several."""
    if not verdict.due.lines and verdict.recorded is None:
        return ["  no stake in this round"]
    heads, rows = stake_rows(verdict)
    lines = table(heads, rows, right=(2, 3, 4, 5)) if rows else ["  nobody won or lost anything"]
    totals = total_rows(verdict)
    return [*lines, *(["", *table(TOTALS, totals, right=(1, 2, 3))] if totals else [])]


def stake_rows(verdict: Verdict) -> tuple[list[str], list[list[Words]]]:
    """Heads and rows of what each stake put in, is due and got."""
    recorded = {line.stake: line for line in verdict.recorded.lines} if verdict.recorded else {}
    due = {line.stake: line for line in verdict.due.lines}
    rows = []
    for stake in dict.fromkeys([*due, *recorded]):
        if stake in verdict.differences or any(_is_shown(line) for line in (due.get(stake), recorded.get(stake))):
            rows.append(_stake_row(verdict, stake, due.get(stake), recorded.get(stake)))
    pots = bool(verdict.due.pots)
    heads = ["seat" if pots else "stake", "player", "put in" if pots else "staked", "due", "recorded", "difference"]
    if any(row[-1] for row in rows):
        heads.append("rule, and why")
    else:
        rows = [row[:-1] for row in rows]
    return heads, rows


def _is_shown(line: Line | None) -> bool:
    """A seat that put nothing in, a bet that was taken up again in time: nothing to say. A seat that put chips in is in
    the hand, though it got back just as many."""
    if line is None:
        return False
    told = line.rule or line.stake.startswith("seat/")
    return bool(line.net or line.held or line.reasons or (line.staked and told))


def _stake_row(verdict: Verdict, stake: str, due: Line | None, was: Line | None) -> list[Words]:
    line = due or was
    assert line is not None
    apart = verdict.differences.get(stake, 0)
    name = stake.replace("seat/", "seat ")
    unit = line.currency if line.currency and not line.what.startswith(line.currency) else ""
    return [
        " ".join(filter(None, (name, unit, line.what))),
        line.player.replace("seat/", "seat "),
        figure_text(line.staked),
        due_text(due, verdict.due.known),
        signed(was.net) if was is not None else "—",
        _apart(apart),
        " ".join(part for part in (line.rule, ", ".join(line.reasons)) if part),
    ]


def due_text(line: Line | None, known: bool) -> str:
    """What is due on a stake: `?` where the record does not tell, `waits` where a person decides."""
    if not known:
        return "?"
    if line is not None and line.held:
        return "waits"
    return signed(line.net if line is not None else 0)


def _apart(amount_minor: int) -> Span:
    """A difference in its column; a dot if there is none."""
    return Span(signed(amount_minor), "bad") if amount_minor else Span("·", "dim")


TOTALS = ("in all", "due", "recorded", "difference")


def total_rows(verdict: Verdict) -> list[list[Words]]:
    """Due, recorded and difference of each player, where somebody has several stakes in a currency, and of the rake."""
    recorded = {line.stake: line for line in verdict.recorded.lines} if verdict.recorded else {}
    due = {line.stake: line for line in verdict.due.lines}
    owners: dict[tuple[str, str], list[str]] = {}
    for stake in dict.fromkeys([*due, *recorded]):
        line = due.get(stake) or recorded[stake]
        owners.setdefault((line.currency or "", line.player), []).append(stake)
    rows: list[list[Words]] = []
    several = any(len(stakes) > 1 for stakes in owners.values())
    moved = any(line.net for line in (*due.values(), *recorded.values()))
    for (unit, player), stakes in sorted(owners.items(), key=lambda item: item[0][0]) if several and moved else ():
        dues = sum(due[stake].net for stake in stakes if stake in due)
        paid = sum(recorded[stake].net for stake in stakes if stake in recorded)
        told: Words = _apart(verdict.apart.get(unit or verdict.currency, {}).get(player, 0))
        waits = any(due[stake].held for stake in stakes if stake in due)
        said = ("waits" if waits else signed(dues)) if verdict.due.known else "?"
        rows.append([f"{player} {unit}".rstrip(), said, signed(paid), told])
    if verdict.due.pots:
        was = verdict.recorded.rake if verdict.recorded else 0
        apart = was - verdict.due.rake
        rows.append(
            [
                "rake",
                figure_text(verdict.due.rake),
                figure_text(was),
                _apart(apart),
            ]
            if verdict.due.known
            else ["rake", "?", figure_text(was), _apart(0)]
        )
    return rows


POTS = ("pot", "holds", "rake", "seats that may win it", "due")


def pot_lines(verdict: Verdict) -> list[Words]:
    """Each pot: how much, who may win it, whom it goes to."""
    rows = pot_rows(verdict)
    return table(POTS, rows, right=(1, 2)) if rows else []


def pot_rows(verdict: Verdict) -> list[list[Words]]:
    """The same as rows under `POTS`."""
    rows: list[list[Words]] = []
    for pot in verdict.due.pots:
        goes = ", ".join(f"{figure_text(amount)} to {person(verdict, who)}" for who, amount in pot.awards.items())
        may = ", ".join(name.replace("seat/", "") for name in pot.eligible)
        rows.append([pot.name, figure_text(pot.amount), figure_text(pot.rake), may, goes or "to nobody yet"])
    return rows


def candidate_lines(verdict: Verdict) -> list[Words]:
    """What the money would be under each outcome among which a person must choose."""
    lines: list[Words] = []
    for name, outcome in verdict.due.candidates.items():
        nets = [(player, net, unit) for unit, own in sorted(nets_of(outcome).items()) for player, net in own.items()]
        said = ", ".join(f"{player} {signed(net)} {unit}".rstrip() for player, net, unit in nets)
        said = said or "nobody wins or loses"
        lines += wrapped(f"{name}: {said}", "      ", "    ")
    return ["  the outcomes to choose from:", *lines] if lines else []
