"""A verdict in words: what stands, who owes whom, which rule says so, and what to do next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from cli.options import is_timeless
from cli.screen import Words, plain_of, spans_of, table, wrapped
from events.values.clock import time_text
from events.values.money import money_text
from games.house_rules.edition import Edition
from games.picture import Span, Style
from games.table_rules import TABLE_RULES
from games.verdict import Finding, Line, Verdict

KINDS = {
    "breach": "procedure broken, money unchanged",
    "corrected": "replaced by what the rules require",
    "void": "void by the facts alone",
    "voidable": "management may declare it void",
    "misdeal": "misdeal: cards back, deal again",
    "dead": "dead hand, its chips stay",
    "mispaid": "paid wrong",
    "ruling_required": "needs a manager's ruling",
    "penalty": "a sanction is open to management",
    "advisory": "another reading of the rules would pay otherwise",
    "unverified": "a fact is missing: neither proved nor disproved",
}
"""The kinds of finding, for people."""

_GRAVE: dict[str, int] = {
    "void": 0, "ruling_required": 1, "misdeal": 2, "mispaid": 3, "voidable": 4, "corrected": 5, "dead": 6,
    "unverified": 7, "breach": 8, "penalty": 9, "advisory": 10,
}  # fmt: skip

_MONEY = frozenset({
    "net", "correction", "amount", "due", "pay", "paid", "take", "refund", "add", "to", "rake", "award", "return",
    "total", "returned", "over", "missing", "last_increment", "small_blind", "big_blind", "forfeit", "live", "held",
    "avoided", "left", "unaccounted", "min", "max",
})  # fmt: skip
"""Keys of a finding's remedy that hold minor units; `min` and `max` do not where the remedy is about time."""

_WITH_SIGN = frozenset({"net", "correction"})

Shorten = Callable[[str], str]


def headline(verdict: Verdict) -> Words:
    """Standing and money in one line."""
    money = _money(verdict)
    standing = {
        "valid": "VALID",
        "void": "VOID — every bet goes back",
        "voidable": "VOIDABLE — management may void this round; until then it counts",
        "ruling_required": "RULING REQUIRED — the rules do not fix the money, a manager must decide",
        "cannot_tell": "CANNOT TELL — part of the record is missing",
    }[verdict.standing]
    if verdict.standing == "cannot_tell" and not (verdict.touched or verdict.due.known):
        standing = "CANNOT TELL — the record does not tell what is due"
    if verdict.due.pots and verdict.standing == "void":
        standing = "VOID — every chip goes back to the stack it came from"
    good = verdict.standing == "valid" and verdict.settlement != "differs" and not _beside_the_pot(verdict)
    if verdict.standing == "valid" and not good:
        standing = "VALID, BUT PAID WRONG"
    joint = " — " if verdict.standing == "valid" else "; "
    return [Span(standing, "good" if good else "bad"), joint, Span(money, "bold")]


def _money(verdict: Verdict) -> str:
    if verdict.settlement == "not_recorded":
        return "no settlement is on record"
    if verdict.settlement == "not_compared":
        return "every stake waits for it"
    if verdict.settlement == "agrees" and verdict.standing == "ruling_required":
        return "what was settled so far does not differ"
    if verdict.settlement == "agrees" and verdict.standing == "cannot_tell":
        return "as far as is known, settled as the rules say"
    beside = _beside_the_pot(verdict)
    if verdict.settlement == "agrees" and beside:
        return "the bets are settled as the rules say; " + ", ".join(_owed(one, verdict.currency) for one in beside)
    if verdict.settlement == "agrees":
        told = _told_apart(verdict) if verdict.standing == "valid" else ""
        return "settled as the rules say" + (f"; {told}" if told else "")
    sums = verdict.player_differences or verdict.differences
    if not verdict.due.known and not sums:
        return "what was paid cannot be compared with what is due"
    if not any(sums.values()) and verdict.recorded is not None and verdict.due.rake != verdict.recorded.rake:
        rakes = (money_text(verdict.recorded.rake, verdict.currency), money_text(verdict.due.rake, verdict.currency))
        return f"the rake taken was {rakes[0]}, due was {rakes[1]}"
    return _apart(verdict, {player: amount for player, amount in sums.items() if amount}) or "the settlement differs"


def _beside_the_pot(verdict: Verdict) -> list[Finding]:
    """Money found wrong in a round whose settlement agrees: chips kept from a player outside it."""
    if verdict.settlement == "differs":
        return []
    return [finding for finding in verdict.findings if finding.kind == "mispaid" and finding.money]


def _apart(verdict: Verdict, sums: dict[str, int]) -> str:
    """Who is owed and who has too much, the greatest first."""
    pots = bool(verdict.due.pots)
    if len(sums) == 1 and not pots:
        ((player, amount),) = sums.items()
        much = "little" if amount > 0 else "much"
        return f"the table paid {money_text(abs(amount), verdict.currency)} too {much} to {_person(verdict, player)}"
    owed = _named(verdict, {player: amount for player, amount in sums.items() if amount > 0})
    over = _named(verdict, {player: -amount for player, amount in sums.items() if amount < 0})
    sides = []
    if owed:
        sides.append(f"owed: {owed}" if pots else f"the table owes {owed}")
    if over:
        sides.append(f"too much has: {over}" if pots else f"got too much: {over}")
    candidate = "as far as is known, " if verdict.standing == "cannot_tell" else ""
    return candidate + "; ".join(sides)


def _named(verdict: Verdict, sums: dict[str, int]) -> str:
    """`p-246 1 200, p-1 50 and 3 more 70 CZK`."""
    own = sorted(sums.items(), key=lambda item: -item[1])
    shown = [f"{_person(verdict, player)} {plain(amount)}" for player, amount in own[:3]]
    if len(own) > 3:
        shown.append(f"{len(own) - 3} more {plain(sum(amount for _player, amount in own[3:]))}")
    return f"{', '.join(shown)} {_unit(verdict.currency)}" if shown else ""


def _person(verdict: Verdict, player: str) -> str:
    """A pot game's player with his seat."""
    if not player:
        return "somebody whom no record names"
    for line in verdict.due.lines:
        if player in (line.player, line.stake):
            if line.stake.startswith("seat/") and line.player != line.stake:
                return f"{line.player} (seat {line.stake[5:]})"
            return line.player.replace("seat/", "seat ")
    return player.replace("seat/", "seat ")


_DECIDES = {"void": "void", "ruling_required": "ruling_required", "voidable": "voidable", "cannot_tell": "unverified"}


def deciding(verdict: Verdict) -> Finding | None:
    """The finding on which standing or money rests; the gravest where none does; None if nothing was found."""
    wanted = _DECIDES.get(verdict.standing, "mispaid" if verdict.settlement == "differs" else "")
    for finding in verdict.findings:
        if finding.kind == wanted and (wanted != "void" or finding.scope in ("round", "shoe", "session")):
            return finding
    return min(verdict.findings, key=lambda one: (put_right(verdict, one), _GRAVE[one.kind]), default=None)


def put_right(verdict: Verdict, finding: Finding) -> bool:
    """Whether the table did what the rule requires: what was out of order was replaced, and nobody is owed anything.

    Chips outside a pot (scope `player`) are not in the settlement, which therefore proves nothing of them.
    """
    done = verdict.settlement == "agrees" and verdict.standing in ("valid", "void")
    repaired = finding.kind in ("corrected", "misdeal") and finding.scope not in ("player", "session")
    return done and repaired and not finding.money and not _beside_the_pot(verdict)


def _apart_by_course(verdict: Verdict) -> tuple[list[Finding], list[Finding]]:
    """The findings to look at, and those that the table dealt with as the rule says."""
    right = [finding for finding in verdict.findings if put_right(verdict, finding)]
    return [finding for finding in verdict.findings if not put_right(verdict, finding)], right


def _told_apart(verdict: Verdict) -> str:
    """`found: NL-27; put right at the table: NL-26`."""
    parts = zip(("found", "put right at the table"), map(rules_found, _apart_by_course(verdict)), strict=True)
    return "; ".join(f"{name}: {rules}" for name, rules in parts if rules)


def _deciding_title(verdict: Verdict, finding: Finding) -> str:
    if verdict.standing == "cannot_tell":
        return "What is missing"
    if verdict.standing != "valid" or verdict.settlement == "differs":
        return "The rule that decides"
    if put_right(verdict, finding):
        return "Dealt with at the table as the rule says"
    return "The rule that could not be tested" if finding.kind == "unverified" else "The rule that was not kept"


def rule_lines(rule: str, edition: Edition, *, indent: str = "  ") -> list[Words]:
    """A rule as the edition words it: id and title, its text, its source."""
    text = edition.rules.get(rule)
    if text is None:
        plain = TABLE_RULES.get(rule, "")
        source = "rules of every table" if plain else f"not in edition {edition.name}"
        return [[indent, Span(rule, "bold"), f"  {plain}" if plain else "", Span(f"  ({source})", "dim")]]
    lines: list[Words] = [[indent, Span(rule, "bold"), "  ", Span(text.title, "bold")]]
    lines += wrapped(f"“{text.text}”", indent + "  ")
    lines += [[indent + "  ", Span(f"{edition.name}, {text.source}", "dim")]]
    return lines


def money_table(verdict: Verdict) -> list[Words]:
    """Due, recorded and difference per stake, then per player where he has several."""
    if not verdict.due.lines and verdict.recorded is None:
        return ["  no stake in this round"]
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
    lines = table(heads, rows, right=(2, 3, 4, 5)) if rows else ["  nobody won or lost anything"]
    return [*lines, *_totals(verdict, due, recorded)]


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
    return [
        f"{name} {line.what}".strip(),
        line.player.replace("seat/", "seat "),
        plain(line.staked),
        due_text(due, verdict.due.known),
        signed(was.net) if was is not None else "—",
        Span(signed(apart), "bad") if apart else Span("·", "dim"),
        " ".join(part for part in (line.rule, ", ".join(line.reasons)) if part),
    ]


def due_text(line: Line | None, known: bool) -> str:
    """What is due on a stake: `?` where the record does not tell, `waits` where a person decides."""
    if not known:
        return "?"
    if line is not None and line.held:
        return "waits"
    return signed(line.net if line is not None else 0)


def _totals(verdict: Verdict, due: dict[str, Line], recorded: dict[str, Line]) -> list[Words]:
    owners: dict[str, list[str]] = {}
    for stake in dict.fromkeys([*due, *recorded]):
        owners.setdefault((due.get(stake) or recorded[stake]).player, []).append(stake)
    rows: list[list[Words]] = []
    several = any(len(stakes) > 1 for stakes in owners.values())
    moved = any(line.net for line in (*due.values(), *recorded.values()))
    for player, stakes in owners.items() if several and moved else ():
        dues = sum(due[stake].net for stake in stakes if stake in due)
        paid = sum(recorded[stake].net for stake in stakes if stake in recorded)
        apart = verdict.player_differences.get(player, 0)
        told: Words = Span(signed(apart), "bad") if apart else Span("·", "dim")
        waits = any(due[stake].held for stake in stakes if stake in due)
        rows.append([player, ("waits" if waits else signed(dues)) if verdict.due.known else "?", signed(paid), told])
    if verdict.due.pots:
        was = verdict.recorded.rake if verdict.recorded else 0
        apart = was - verdict.due.rake
        rows.append(
            ["rake", plain(verdict.due.rake), plain(was), Span(signed(apart), "bad") if apart else Span("·", "dim")]
            if verdict.due.known
            else ["rake", "?", plain(was), Span("·", "dim")]
        )
    return ["", *table(["in all", "due", "recorded", "difference"], rows, right=(1, 2, 3))] if rows else []


def pot_lines(verdict: Verdict) -> list[Words]:
    """Each pot: how much, who may win it, whom it goes to."""
    rows: list[list[Words]] = []
    for pot in verdict.due.pots:
        goes = ", ".join(f"{plain(amount)} to {_person(verdict, who)}" for who, amount in pot.awards.items())
        may = ", ".join(name.replace("seat/", "") for name in pot.eligible)
        rows.append([pot.name, plain(pot.amount), may, goes or "to nobody yet"])
    return table(["pot", "holds", "seats that may win it", "due"], rows, right=(1,)) if rows else []


def candidate_lines(verdict: Verdict) -> list[Words]:
    """What the money would be under each outcome among which a person must choose."""
    lines: list[Words] = []
    for name, outcome in verdict.due.candidates.items():
        nets: dict[str, int] = {}
        for line in outcome:
            nets[line.player] = nets.get(line.player, 0) + line.net
        said = ", ".join(f"{player} {signed(net)}" for player, net in nets.items()) or "nobody wins or loses"
        lines += wrapped(f"{name}: {said}", "      ", "    ")
    return ["  the outcomes to choose from:", *lines] if lines else []


def grave(finding: Finding) -> int:
    """Place in the order of gravity; 0 weighs most."""
    return _GRAVE[finding.kind]


def in_short(finding: Finding, currency: str) -> str:
    """A finding in a few words: who is owed what, and its own words or, without any, its code's."""
    said = finding.text or finding.code.replace("_", " ").replace(":", ": ")
    return f"{said}; {_owed(finding, currency)}" if finding.money else said


def _owed(finding: Finding, currency: str) -> str:
    who = finding.player or "the player"
    return f"{money_text(abs(finding.money), currency)} owed {'to' if finding.money > 0 else 'by'} {who}"


def finding_lines(
    finding: Finding, shorten: Shorten, currency: str, *, indent: str = "  ", bare: bool = False
) -> list[Words]:
    """One finding: rule, kind, about what, in words, with the records it rests on and the parameters it read; `bare`:
    without these two."""
    about = f" · {finding.subject}" if finding.subject else ""
    via = f" (through {finding.via})" if finding.via else ""
    style: Style = "bad" if finding.kind in ("void", "ruling_required", "mispaid", "misdeal") else "bold"
    head: Words = [indent, Span(f"{finding.rule:<6}", style), f" {finding.code}{about}{via}"]
    lines: list[Words] = [head]
    said = f"{KINDS[finding.kind]} ({finding.scope})"
    if finding.money:
        said += f"; {_owed(finding, currency)}"
    lines += wrapped(said + (f" — {finding.text}" if finding.text else ""), indent + "       ")
    more = []
    if finding.events and not bare:
        more.append("rests on " + ", ".join(shorten(cite) for cite in finding.events))
    if finding.basis != "facts":
        more.append(f"decided by {finding.basis}")
    if finding.parameters and not bare:
        more.append(", ".join(f"{name} = {_value(value)}" for name, value in finding.parameters.items()))
    if finding.remedy:
        more.append("instead: " + ", ".join(_remedies(finding.remedy, currency)))
    for text in more:
        lines += [[Span(piece, "dim")] for piece in wrapped(text, indent + "       ")]
    return lines


def headline_lines(verdict: Verdict) -> list[Words]:
    """The headline in lines as wide as the screen."""
    spans = spans_of(headline(verdict))
    whole = plain_of(spans)
    pieces = wrapped(whole, "    ", "")
    if len(pieces) == 1:
        return [spans]
    # Broken where it must be, the standing keeps its style and the rest is bold.
    standing = spans[0]
    first = pieces[0]
    if not first.startswith(standing.text):
        return [[Span(piece, "bold")] for piece in pieces]
    return [[standing, Span(first[len(standing.text) :], "bold")], *([Span(piece, "bold")] for piece in pieces[1:])]


def verdict_lines(verdict: Verdict, edition: Edition, shorten: Shorten) -> list[Words]:
    """The whole verdict."""
    lines: list[Words] = headline_lines(verdict)
    decider = deciding(verdict)
    if decider is not None:
        lines += ["", _deciding_title(verdict, decider), *rule_lines(decider.rule, edition)]
        if decider.text and (decider.rule.startswith("TB-") or verdict.standing == "cannot_tell"):
            lines += wrapped(decider.text, "    ")
    elif verdict.standing == "cannot_tell":
        lines += ["", "What is missing", *wrapped(_missing(verdict), "  ")]
    lines += ["", f"Money ({_unit(verdict.currency)}; + goes to the player, − to the {_other(verdict)})"]
    lines += money_table(verdict)
    if pots := pot_lines(verdict):
        lines += ["", *pots]
    lines += candidate_lines(verdict)
    found, right = _apart_by_course(verdict)
    if found or not right:
        lines += ["", _found(verdict, len(found)), *all_finding_lines(found, shorten, verdict.currency)]
    if right:
        lines += ["", f"Put right at the table: {len(right)}; nothing is owed"]
        lines += all_finding_lines(right, shorten, verdict.currency)
    lines += ["", *_rests_on(verdict)]
    return lines


def _found(verdict: Verdict, count: int) -> str:
    if count:
        return f"Findings: {count}"
    if verdict.standing == "cannot_tell":
        return "Findings: none, as far as the record goes"
    return "Findings: none; every check of the edition passed"


def _missing(verdict: Verdict) -> str:
    """What a round without any finding lacks, so that nobody can tell what is due."""
    if not verdict.closed_at:
        return "no record closes this round: it is not over yet, or its end is not on record"
    stakes = ", ".join(line.stake.replace("seat/", "seat ") for line in verdict.due.lines if line.held)
    return "the record does not say what decides this round" + (f"; open: {stakes}" if stakes else "")


def _rests_on(verdict: Verdict) -> list[Words]:
    said = f"Judged by {verdict.edition} ({verdict.rule_book}, {verdict.edition_digest[:12]}…) for `{verdict.house}`"
    lines: list[Words] = [[Span(piece, "dim")] for piece in wrapped(said)]
    if verdict.defaulted:
        count = len(verdict.defaulted)
        named = f": {', '.join(verdict.defaulted)}" if count <= 3 else "; `--json` names them"
        state = (
            "parameter that the edition does not state has" if count == 1 else "parameters that it does not state have"
        )
        told = f"{count} {state} the catalogue's default{named}"
        lines += [[Span(piece, "dim")] for piece in wrapped(told)]
    lines.append([Span(f"Verdict {verdict.digest[:16]}…, by {verdict.engine}", "dim")])
    return lines


def summary_row(verdict: Verdict, name: str) -> list[Words]:
    """One line of a list of verdicts: round, standing, settlement, money apart, rules found."""
    apart = sum(abs(amount) for amount in verdict.differences.values())
    bad = verdict.standing != "valid" or verdict.settlement == "differs"
    found = rules_found(verdict.findings) if bad else _told_apart(verdict).removeprefix("found: ")
    return [
        name,
        Span(verdict.standing.replace("_", " "), "bad" if bad and verdict.standing != "valid" else ""),
        Span(verdict.settlement.replace("_", " "), "bad" if verdict.settlement == "differs" else ""),
        money_text(apart, verdict.currency) if apart else Span("·", "dim"),
        found,
    ]


def rules_found(findings: Iterable[Finding]) -> str:
    """Rule ids with how often, in order of gravity."""
    counts: dict[str, int] = {}
    for finding in sorted(findings, key=lambda one: _GRAVE[one.kind]):
        counts[finding.rule] = counts.get(finding.rule, 0) + 1
    return ", ".join(rule if count == 1 else f"{rule} ×{count}" for rule, count in counts.items())


def has_found(verdict: Verdict) -> bool:
    """Whether somebody must look: a finding, a difference, or a standing other than valid."""
    return bool(verdict.findings) or verdict.standing != "valid" or verdict.settlement == "differs"


def all_finding_lines(findings: Iterable[Finding], shorten: Shorten, currency: str) -> list[Words]:
    """Findings, the gravest first; many of one kind (a whole layout paid wrong) told as one."""
    groups: dict[tuple[str, str, str, str], list[Finding]] = {}
    for finding in sorted(findings, key=lambda one: _GRAVE[one.kind]):
        groups.setdefault((finding.rule, finding.code, finding.kind, finding.via), []).append(finding)
    lines: list[Words] = []
    for group in groups.values():
        if len(group) <= 2:
            for finding in group:
                lines += finding_lines(finding, shorten, currency)
        else:
            lines += _group_lines(group, shorten, currency)
    return lines


def _group_lines(group: Sequence[Finding], shorten: Shorten, currency: str) -> list[Words]:
    first = group[0]
    via = f" (through {first.via})" if first.via else ""
    lines: list[Words] = [["  ", Span(f"{first.rule:<6}", "bad"), f" {first.code} ×{len(group)}{via}"]]
    lines += wrapped(f"{KINDS[first.kind]} ({first.scope}; {_unit(currency)})", "         ")
    rows: list[list[Words]] = [
        [
            finding.subject,
            plain(abs(finding.money)) if finding.money else "",
            f"{'to' if finding.money > 0 else 'by'} {finding.player}" if finding.money and finding.player else "",
            ", ".join(shorten(cite) for cite in finding.events),
        ]
        for finding in group
    ]
    lines += table(["about", "owed", "", "rests on"], rows, right=(1,), indent="         ")
    if first.parameters:
        read = ", ".join(f"{name} = {_value(value)}" for name, value in first.parameters.items())
        lines += [[Span(piece, "dim")] for piece in wrapped(read, "         ")]
    return lines


def verdict_json(verdict: Verdict) -> dict[str, Any]:
    """The verdict as `--json` gives it: its fields, amounts in minor units, and times as RFC 3339 too."""
    import msgspec

    plain_verdict: dict[str, Any] = msgspec.to_builtins(verdict)
    players = {line.stake: line.player for line in verdict.due.lines}
    for line in (plain_verdict["recorded"] or {}).get("lines", ()):
        if line["player"] == line["stake"]:  # a pot's chips move from seats: whose they are the hand says
            line["player"] = players.get(line["stake"], line["player"])
    timeless = is_timeless(verdict.opened_at)  # an imported hand whose time nobody knows
    plain_verdict["opened"] = None if timeless else time_text(verdict.opened_at)
    plain_verdict["closed"] = None if timeless or not verdict.closed_at else time_text(verdict.closed_at)
    return plain_verdict


def plain(amount_minor: int) -> str:
    """An amount without its currency."""
    return money_text(amount_minor, "XXX").removesuffix(" chips")


def signed(amount_minor: int) -> str:
    """An amount with its sign, without its currency; zero has none."""
    return f"+{plain(amount_minor)}" if amount_minor > 0 else plain(amount_minor)


def _remedies(remedy: dict[str, Any], currency: str) -> Iterator[str]:
    """What the rules require instead; amounts are known by their name."""
    in_ms = any(name.endswith("_ms") for name in remedy)
    for name, value in remedy.items():
        is_money = isinstance(value, int) and not isinstance(value, bool) and name in _MONEY
        if is_money and not (in_ms and name in ("min", "max")):
            sign = "+" if name in _WITH_SIGN and value > 0 else ""
            yield f"{name.replace('_', ' ')} {sign}{money_text(value, currency)}"
        elif isinstance(value, list | tuple):
            yield f"{name.replace('_', ' ')} {', '.join(_part(one, currency) for one in value)}"
        elif isinstance(value, str) and value.startswith("seat/"):
            said = value.replace("/", " ")
            yield said if name == "seat" else f"{name.replace('_', ' ')} {said}"
        else:
            yield f"{name.replace('_', ' ')} {_value(value)}"


def _part(value: Any, currency: str) -> str:
    """One of a list in a remedy: a movement of chips, or a plain value."""
    if isinstance(value, dict) and {"from", "to", "amount"} <= set(value):
        frm, to = (str(value[end]).replace("/", " ") for end in ("from", "to"))
        return f"{money_text(value['amount'], currency)} from {frm} to {to}"
    return _value(value)


def _unit(currency: str) -> str:
    return "chips" if currency == "XXX" else currency


def _other(verdict: Verdict) -> str:
    return "pot" if verdict.due.pots else "house"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
