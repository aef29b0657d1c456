"""A verdict in words: what stands, who owes whom, which rule says so, what to do; then all that it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from cli.findings import KINDS, Matter, Shorten, all_finding_lines, grave, matters, owed_text, rules_found
from cli.money import apart, candidate_lines, money_table, pot_lines, transfers
from cli.options import is_timeless
from cli.screen import Words, plain_of, spans_of, wrapped
from events.values.clock import time_text
from events.values.money import money_text, unit_text
from games.house_rules.edition import Edition
from games.picture import Span
from games.protocol import Game
from games.table_rules import TABLE_RULES
from games.verdict import Finding, Verdict

_SHOWN = 4
"""So many records are told under the rule that decides; `why` tells all."""


class Scene(Struct, frozen=True):
    """What a verdict is told with, where the records are at hand.

    `told`: records by their citations, each in words with its time, in table order. `figures`: those on which the
    rule rests that decides; `settings`: how the house has set it. `story`: the round as its records tell it. `beside`:
    what was found between it and its neighbours, and of the objections to it. `objections`: these themselves.
    `rulings`: what its disputes did; `is_carried_out`: so that nobody is owed anything any more.
    """

    told: Callable[[Iterable[str]], list[str]] = lambda _cites: []
    figures: Sequence[str] = ()
    settings: Sequence[Words] = ()
    story: Sequence[Words] = ()
    beside: Sequence[Words] = ()
    objections: Sequence[Words] = ()
    rulings: Sequence[Words] = ()
    is_carried_out: bool = False


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
    if verdict.standing == "ruling_required" and verdict.due.known and verdict.settlement == "differs":
        standing = "RULING REQUIRED — a manager must decide"
    if verdict.due.pots and verdict.standing == "void":
        standing = "VOID — every chip goes back to the stack it came from"
    good = verdict.standing == "valid" and verdict.settlement != "differs" and not _beside_the_pot(verdict)
    if verdict.standing == "valid" and not good:
        standing = "VALID, BUT PAID WRONG"
    if misdealt(verdict):
        standing, good = "MISDEAL — every stake goes back, the cards are dealt again", good and not verdict.differences
    joint = " — " if verdict.standing == "valid" and not misdealt(verdict) else "; "
    return [Span(standing, "good" if good else "bad"), joint, Span(money, "bold")]


def standing_word(verdict: Verdict) -> str:
    """The standing in a list of rounds, as the headline of the one has it."""
    return "misdeal" if misdealt(verdict) else verdict.standing.replace("_", " ")


def misdealt(verdict: Verdict) -> bool:
    """Whether a misdeal undid the round: after one that was dealt again the round has its own result."""
    undone = all(line.returned == line.staked and not line.paid for line in verdict.due.lines)
    return undone and any(one.kind == "misdeal" and one.scope == "round" for one in verdict.findings)


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
        return "the bets are settled as the rules say; " + ", ".join(owed_text(one, verdict.currency) for one in beside)
    if verdict.settlement == "agrees":
        told = _told_apart(verdict) if verdict.standing == "valid" else ""
        return "settled as the rules say" + (f"; {told}" if told else "")
    sums = verdict.apart if any(verdict.apart.values()) else {verdict.currency: verdict.differences}
    if not verdict.due.known and not any(sums.values()):
        return "what was paid cannot be compared with what is due"
    moved = any(amount for own in sums.values() for amount in own.values())
    if not moved and verdict.recorded is not None and verdict.due.rake != verdict.recorded.rake:
        rakes = (money_text(verdict.recorded.rake, verdict.currency), money_text(verdict.due.rake, verdict.currency))
        return f"the rake taken was {rakes[0]}, due was {rakes[1]}"
    said = [
        apart(verdict, {player: amount for player, amount in own.items() if amount}, currency)
        for currency, own in sums.items()
    ]
    return "; ".join(filter(None, said)) or "the settlement differs"


def _beside_the_pot(verdict: Verdict) -> list[Finding]:
    """Money found wrong in a round whose settlement agrees: chips kept from a player outside it."""
    if verdict.settlement == "differs":
        return []
    return [finding for finding in verdict.findings if finding.kind == "mispaid" and finding.money]


_DECIDES = {"void": "void", "ruling_required": "ruling_required", "voidable": "voidable", "cannot_tell": "unverified"}


def deciding(verdict: Verdict) -> Finding | None:
    """The finding on which standing or money rests; the gravest where none does; None if nothing was found."""
    wanted = _DECIDES.get(verdict.standing, "mispaid" if verdict.settlement == "differs" else "")
    for finding in verdict.findings:
        if finding.kind == wanted and (wanted != "void" or finding.scope in ("round", "shoe", "session")):
            return finding
    return min(verdict.findings, key=lambda one: (put_right(verdict, one), grave(one)), default=None)


def put_right(verdict: Verdict, finding: Finding) -> bool:
    """Whether the table did what the rule requires: what was out of order was replaced, and nobody is owed anything.

    Chips outside a pot (scope `player`) are not in the settlement, which therefore proves nothing of them.
    """
    done = verdict.settlement == "agrees" and verdict.standing in ("valid", "void")
    repaired = finding.kind in ("corrected", "misdeal") and finding.scope not in ("player", "session")
    return done and repaired and not finding.money and not _beside_the_pot(verdict)


def apart_by_course(verdict: Verdict) -> tuple[list[Finding], list[Finding]]:
    """The findings to look at, and those that the table dealt with as the rule says."""
    right = [finding for finding in verdict.findings if put_right(verdict, finding)]
    return [finding for finding in verdict.findings if not put_right(verdict, finding)], right


def _told_apart(verdict: Verdict) -> str:
    """`found: NL-27; put right at the table: NL-26`."""
    found, right = apart_by_course(verdict)
    done = "put right at the table"
    if any(one.kind == "misdeal" for one in right):
        done += " by a misdeal"
    parts = ((name, rules_found(some)) for name, some in (("found", found), (done, right)))
    return "; ".join(f"{name}: {rules}" for name, rules in parts if rules)


def deciding_title(verdict: Verdict, finding: Finding) -> str:
    """What the finding that decides is to the verdict, as a heading."""
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


def meanings(game: Game[Any], edition: Edition, parameters: Mapping[str, Any]) -> Iterator[tuple[str, Any, str]]:
    """Name, value and meaning of each parameter."""
    known = next((book.form.parameters for book in game.books if book.name == edition.rule_book), None)
    for name, value in parameters.items():
        yield name, value, known[name].meaning if known is not None and name in known else ""


def setting_text(value: Any) -> str:
    """A parameter's value for people."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else "none" if value is None else str(value)


def parameter_lines(
    game: Game[Any], edition: Edition, parameters: Mapping[str, Any], indent: str = "  "
) -> list[Words]:
    """What a rule reads: each parameter with its value, who states it, and its meaning."""
    lines: list[Words] = []
    for name, value, meaning in meanings(game, edition, parameters):
        shown = setting_text(value)
        defaulted = name in edition.defaulted
        how = "the catalogue's default, not stated by the edition" if defaulted else f"stated by {edition.name}"
        lines.append([indent, Span(f"{name} = {shown}", "bold"), Span(f"  ({how})", "dim")])
        if meaning:
            lines += [[Span(piece, "dim")] for piece in wrapped(meaning, indent + "    ")]
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


def verdict_lines(verdict: Verdict, edition: Edition, shorten: Shorten, scene: Scene | None = None) -> list[Words]:
    """The whole verdict: first the answer (what stands, why, what to do), then the round, then the figures."""
    scene = scene or Scene()
    found, right = apart_by_course(verdict)
    lines: list[Words] = [*headline_lines(verdict), *scene.rulings]
    lines += [*_answer(verdict, edition, scene), *scene.objections]
    lines += [*scene.story, *scene.beside]
    if pots := pot_lines(verdict):
        lines += ["", *pots]
    lines += ["", f"Money ({unit_text(verdict.currency)}; + goes to the player, − to the {other_side(verdict)})"]
    lines += money_table(verdict)
    lines += candidate_lines(verdict)
    if found:
        lines += ["", f"Findings: {len(matters(found))}", *all_finding_lines(found, shorten, verdict.currency)]
    if right:
        lines += ["", f"Put right at the table: {len(matters(right))}; nothing is owed"]
        lines += all_finding_lines(right, shorten, verdict.currency)
    lines += ["", *_rests_on(verdict)]
    return lines


def _answer(verdict: Verdict, edition: Edition, scene: Scene) -> list[Words]:
    """The rule that decides, what was done against it and when, and what is to be done."""
    decider = deciding(verdict)
    if decider is None:
        if verdict.standing == "cannot_tell":
            return ["", "What is missing", *wrapped(missing_words(verdict), "  ")]
        return ["", "Nothing was found: every check of the edition passed"]
    matter = next(one for one in matters(verdict.findings) if decider in (one.lead, *one.rest))
    head, *words = rule_lines(decider.rule, edition)
    lines: list[Words] = ["", deciding_title(verdict, decider), head]
    lines += [[Span(piece, "bold")] for piece in wrapped(reason_words(matter), "    ")]
    told = scene.told(cite for finding in (matter.lead, *matter.rest) for cite in finding.events)
    for record in told[:_SHOWN]:
        lines += wrapped(record, "        ", "      ")
    if len(told) > _SHOWN:
        lines.append([Span(f"      … and {len(told) - _SHOWN} more records", "dim")])
    lines += figure_lines(scene.figures, "    ")
    return [*lines, *words, *scene.settings, *_to_do_lines(verdict, matter, scene)]


def figure_lines(figures: Iterable[str], indent: str) -> list[Words]:
    """The figures on which a rule rests, as the room tells them."""
    lines: list[Words] = []
    for text in figures:
        own = indent + ("  " if text.startswith(" ") else "")
        lines += wrapped(text.strip(), own + "  ", own)
    return lines


def reason_words(matter: Matter) -> str:
    """What was out of order, in words: those of the findings, without any those of their kind."""
    texts = dict.fromkeys(one.text for one in (matter.lead, *matter.rest) if one.text)
    return "; ".join(list(texts)[:2]).replace("seat/", "seat ") or KINDS[matter.lead.kind]


_MEANS = {
    "breach": "nothing is owed: the round stands as it was paid",
    "penalty": "nothing is owed: the round stands as it was paid; a sanction is management's to choose",
    "unverified": "nothing is owed as far as the record goes; what is missing may be seen on camera and added",
}
"""What a finding means for the money of a round that was settled as due, where its headline does not say it."""


def to_do(verdict: Verdict, matter: Matter) -> tuple[str, list[str]]:
    """Whose chips go to whom, under a heading; or that none do, under none."""
    moves = [
        f"{money_text(amount, currency)} from {giver} to {who}" for giver, who, amount, currency in transfers(verdict)
    ]
    if moves:
        by_ruling = verdict.standing == "ruling_required"
        return "If the ruling follows the rules" if by_ruling else "To set it right", moves
    plain = verdict.standing == "valid" and verdict.settlement == "agrees" and not _beside_the_pot(verdict)
    means = _MEANS.get(matter.lead.kind, "") if plain else ""
    return "", [means] if means else []


def _to_do_lines(verdict: Verdict, matter: Matter, scene: Scene) -> list[Words]:
    """The same in lines, the first few of many."""
    title, said = to_do(verdict, matter)
    if not title:
        return ["", *wrapped(said[0], "  ")] if said else []
    if scene.is_carried_out:
        title = "Set right already by the ruling, nothing is left to do"
    more = [f"… and {len(said) - _SHOWN} more, as the table below tells"] if len(said) > _SHOWN else []
    return ["", title, *(f"  {move}" for move in (*said[:_SHOWN], *more))]


def other_side(verdict: Verdict) -> str:
    """Whom a player's loss goes to."""
    return "pot" if verdict.due.pots else "house"


def missing_words(verdict: Verdict) -> str:
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
    differs: dict[str, int] = {}
    others = verdict.foreign
    for stake, amount in verdict.differences.items():
        currency = others.get(stake, verdict.currency)
        differs[currency] = differs.get(currency, 0) + abs(amount)
    bad = verdict.standing != "valid" or verdict.settlement == "differs"
    found = rules_found(verdict.findings) if bad else _told_apart(verdict).removeprefix("found: ")
    return [
        name,
        Span(standing_word(verdict), "bad" if bad and verdict.standing != "valid" else ""),
        Span(verdict.settlement.replace("_", " "), "bad" if verdict.settlement == "differs" else ""),
        " + ".join(money_text(amount, currency) for currency, amount in differs.items())
        if any(differs.values())
        else Span("·", "dim"),
        found,
    ]


def has_found(verdict: Verdict) -> bool:
    """Whether somebody must look: a finding, a difference, or a standing other than valid."""
    return bool(verdict.findings) or verdict.standing != "valid" or verdict.settlement == "differs"


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
