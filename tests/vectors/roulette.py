"""The vectors of roulette.md: spins, sequences of spins, colour chips, single exchanges."""

from __future__ import annotations

from typing import Any

from events.schema import common as tb
from events.schema.event import Event
from games.adjudicate import SessionJudgement
from games.roulette import events as rl
from games.verdict import Finding, Line, Verdict
from tests.vectors.bench import edition_with, judged
from tests.vectors.reading import UNNAMED, Vector, merged, unknown_keys
from tests.vectors.roulette_facts import BEFORE, Table, as_laid
from tests.vectors.roulette_words import ROUND, SESSION, SPIN, Given, in_our_words, problems_of_spin

KINDS = frozenset({UNNAMED, "sequence", "chips", "exchange"})

EDITION = "live-games-plan.toml"
WORDS = {
    "roulette.legal_positions": {"the lists of 2.3": "catalogue"},
}
"""Values that the catalogue says in other words than the edition."""

EXPECT_BET = frozenset({"effect", "net", "verdict", "live_stake", "excess_refund", "p", "player"})
OUTCOME = frozenset({"verdict", "findings", "bets", "net", "corrections", "candidate", "candidates"})


def run(vector: Vector, base: Vector) -> list[str]:
    """What one vector's session gave otherwise than expected."""
    given, problems = in_our_words(vector["given"])
    if problems:
        return problems
    kind = given.get("kind", UNNAMED)
    adapters = {UNNAMED: _round, "sequence": _sequence, "chips": _chips, "exchange": _exchange}
    return adapters[kind](given, vector["expect"], base)


def _round(given: Given, expect: Vector, base: Vector) -> list[str]:
    problems = unknown_keys("given", given, SESSION | ROUND) + unknown_keys("expect", expect, OUTCOME)
    problems += problems_of_spin(given, given.get("spin", {}), set())
    whole = merged(base, given)
    problems += _elsewhere([whole], whole)
    if problems:
        return problems
    table = Table(whole)
    table.before(whole["spin"].get("prev_wheel_dir"), whole["config"])
    table.play(whole["spin"], as_laid(whole))
    judgement, lost = _judged(table, whole)
    verdict = judgement.verdicts[-1]
    found = _differs_in(expect, verdict, whole)
    found += _set("findings", set(expect.get("findings", ())), _codes(judgement))
    return found + ([lost] if lost else [])


def _elsewhere(spins: list[Given], whole: Given) -> list[str]:
    """A vector is one table's."""
    table = whole.get("table")
    bets = [bet for spin in spins for bet in spin.get("bets") or ()]
    return [
        f"bet {bet['id']} lies at table {bet['table']}, the vector's is {table}"
        for bet in bets
        if bet.get("table", table) != table
    ]


def _sequence(given: Given, expect: Vector, base: Vector) -> list[str]:
    problems = unknown_keys("given", given, SESSION | {"spins", "recorded", "spin"})
    problems += unknown_keys("expect", expect, frozenset({"verdicts", "nets", "total", "player_corrections"}))
    whole, laid = merged(base, given), set[str]()
    spins = whole.get("spins") or []
    records = whole.get("recorded") or [None] * len(spins)
    for what, several in (("recorded", records), ("verdicts", expect.get("verdicts")), ("nets", expect.get("nets"))):
        if several is not None and len(several) != len(spins):
            problems.append(f"`{what}` has {len(several)} entries for {len(spins)} spins")
    for spin in spins:
        problems += unknown_keys("a spin", spin, SPIN | ROUND | {"spin_id", "id"})
        problems += problems_of_spin(spin, {key: spin[key] for key in SPIN & spin.keys()}, laid)
    problems += _elsewhere(spins, whole) + ([] if spins else ["a sequence without `spins`"])
    if problems:
        return problems
    table = Table(whole)
    for number, (spin, record) in enumerate(zip(spins, records, strict=True)):
        own = {**spin, "recorded": record if record is not None else spin.get("recorded")}
        course = merged(whole["spin"], {key: value for key, value in spin.items() if key in SPIN})
        if number == 0:
            table.before(course.get("prev_wheel_dir"), whole["config"])
            own["colours"] = [*(whole.get("colours") or ()), *(spin.get("colours") or ())]
        table.play(course, as_laid(own))
    table.rule(whole.get("rulings") or (), [str(number) for number in range(1, table.spins + 1)])
    judgement, lost = _judged(table, whole)
    return _differ_in(expect, judgement.verdicts[-len(spins) :]) + ([lost] if lost else [])


def _differ_in(expect: Vector, verdicts: tuple[Verdict, ...]) -> list[str]:
    """A sequence's verdicts and money."""
    found = []
    if "verdicts" in expect:
        found += _same("verdicts", expect["verdicts"], [_standing(verdict) for verdict in verdicts])
    for number, wanted in enumerate(expect.get("nets", ()), 1):
        found += _net_of_all(f"spin {number} net", wanted, verdicts[number - 1].due.lines)
    if "total" in expect:
        found += _amounts("total", expect["total"], _sum([_nets(verdict.due.lines) for verdict in verdicts]))
    if "player_corrections" in expect:
        owed = _sum([{finding.player: finding.money} for verdict in verdicts for finding in _mispaid(verdict)])
        found += _amounts("player_corrections", expect["player_corrections"], owed)
    return found


def _chips(given: Given, expect: Vector, base: Vector) -> list[str]:
    """The player asks for all his chips at face value; what the rules take off that is rejected."""
    known = SESSION | {
        "unit_value", "count", "ended_play", "left", "exchanged_before_leaving", "refused", "redemption_refused",
    }  # fmt: skip
    problems = unknown_keys("given", given, known)
    problems += unknown_keys("expect", expect, frozenset({"redeem", "rejected", "findings"}))
    if problems:
        return problems
    whole = merged(base, given)
    unit, count, early = whole["unit_value"], whole["count"], whole.get("exchanged_before_leaving", 0)
    events: list[Event] = [tb.ColourChipsIssued("P1", "red", unit, count, unit * count)]
    if early:
        events.append(tb.ColourChipsRedeemed("P1", "red", unit, early, unit * early))
    if whole.get("refused") or whole.get("redemption_refused"):
        events.append(rl.RedemptionRefused("P1"))
    if whole.get("ended_play"):
        events.append(tb.PlayerEndedPlay("P1"))
    if whole.get("left"):
        events.append(tb.PlayerLeftTable("P1"))
    if count - early:
        events.append(tb.ColourChipsRedeemed("P1", "red", unit, count - early, unit * (count - early)))
    found, findings = _outside(whole, events)
    owed = sum(finding.money for finding in findings if finding.code == "exchange_mismatch")
    if "redeem" in expect:
        found += _same("redeem", expect["redeem"], unit * count + owed)
    if "rejected" in expect:
        found += _same("rejected", expect["rejected"], -owed)
    if "findings" in expect:
        found += _set("findings", set(expect["findings"]), _not_mispaid(findings))
    return found


def _exchange(given: Given, expect: Vector, base: Vector) -> list[str]:
    known = SESSION | {
        "event", "unit_value", "count", "value_chips_in", "value_chips_out", "from_value_chips", "tender", "player", "p",
        "colour", "bet", "at_desk", "cash",
    }  # fmt: skip
    problems = unknown_keys("given", given, known)
    problems += unknown_keys("expect", expect, frozenset({"correction", "findings"}))
    if problems:
        return problems
    whole = merged(base, given)
    player, unit, count = whole.get("p") or whole.get("player", "P1"), whole["unit_value"], whole["count"]
    colour = whole.get("colour", "red")
    event: Event
    if whole["event"] == "ColourChipsIssued":
        tender = whole.get("tender", "cash" if whole.get("cash") else "value_chips")
        event = tb.ColourChipsIssued(player, colour, unit, count, whole["value_chips_in"], tender)
    elif whole["event"] == "ColourChipsRedeemed":
        out, desk = whole["value_chips_out"], whole.get("at_desk", False)
        event = tb.ColourChipsRedeemed(player, colour, unit, count, out, desk)
    elif whole["event"] == "ChipsSwapped":
        event = rl.ChipsSwapped(player, whole["from_value_chips"], colour, unit, count, whole.get("bet"))
    else:
        return [f"no exchange is called {whole['event']}"]
    found, findings = _outside(whole, [event])
    owed = sum(finding.money for finding in findings if finding.code == "exchange_mismatch")
    if "correction" in expect:
        found += _same("correction", expect["correction"], owed)
    if "findings" in expect:
        found += _set("findings", set(expect["findings"]), _not_mispaid(findings))
    return found


# The long way ---------------------------------------------------------------------------------------------------------


def _judged(table: Table, whole: Given) -> tuple[SessionJudgement, str]:
    table.close()
    judgement, _case, lost = judged(table.envelopes, edition_with("roulette", EDITION, _config(whole)), table.rulings)
    return judgement, lost


def _outside(whole: Given, events: list[Event]) -> tuple[list[str], list[Finding]]:
    table = Table(whole)
    table.outside_spins(events)
    judgement, lost = _judged(table, whole)
    found = [
        f"a record that cannot be read: {finding.text}" for finding in judgement.between if finding.code == "undecoded"
    ]
    return [*found, *([lost] if lost else [])], [own for own in judgement.between if own.rule.startswith("RL-")]


def _config(whole: Given) -> dict[str, Any]:
    return {name: WORDS.get(name, {}).get(str(value), value) for name, value in whole.get("config", {}).items()}


# Comparing ------------------------------------------------------------------------------------------------------------


def _differs_in(expect: Vector, verdict: Verdict, given: Given) -> list[str]:
    found: list[str] = []
    if "verdict" in expect:
        found += _same("verdict", expect["verdict"], _standing(verdict))
    refused = {bet["id"] for bet in given.get("bets") or () if bet.get("refused") or bet.get("placed") is False}
    found += _money("", expect, _shown(expect, verdict), verdict, refused)
    if "corrections" in expect:
        record = given.get("recorded") or {}
        owed = _sum([{finding.subject: finding.money} for finding in _mispaid(verdict)])
        found += _amounts(
            "corrections", expect["corrections"], {bet: net for bet, net in owed.items() if bet in record}
        )
    candidates = {**expect.get("candidates", {}), **({"valid": expect["candidate"]} if "candidate" in expect else {})}
    for name, wanted in candidates.items():
        lines = verdict.due.candidates.get(name)
        if lines is None:
            found.append(f"no candidate `{name}`, there are {sorted(verdict.due.candidates)}")
        else:
            found += unknown_keys(f"candidate {name}", wanted, frozenset({"bets", "net"}))
            found += _money(f"candidate {name}: ", wanted, lines, verdict, refused)
    return found


def _shown(expect: Vector, verdict: Verdict) -> tuple[Line, ...]:
    """Lines that a vector's money is about: what is due, or, where a person must rule on the whole spin and the vector
    pays and takes all the same, the one candidate that the rules have the engine report (RL-16)."""
    due, candidates = verdict.due.lines, list(verdict.due.candidates.values())
    pays = any(bet.get("effect") in ("pay", "take") for bet in expect.get("bets", {}).values())
    pays = pays or any(expect.get("net", {}).values())
    decided = not all(line.held for line in due)
    return due if decided or not pays or len(candidates) != 1 else candidates[0]


NO_BET = {"effect": "refund", "net": 0, "verdict": "valid", "live_stake": 0, "excess_refund": 0}
"""A call bet that was refused or never placed: chips handed over are returned (RL-12)."""


def _money(where: str, expect: Vector, lines: tuple[Line, ...], verdict: Verdict, refused: set[str]) -> list[str]:
    found: list[str] = []
    by_bet = {line.stake: line for line in lines}
    for bet, wanted in expect.get("bets", {}).items():
        found += unknown_keys(f"bet {bet}", wanted, EXPECT_BET)
        line = by_bet.get(bet)
        if line is None:
            if bet not in refused:
                found.append(f"{where}{bet} has no line")
            for key, value in wanted.items() if bet in refused else ():
                found += _same(f"{where}{bet} {key}", value, NO_BET.get(key, value))
            continue
        about = [finding for finding in verdict.findings if finding.subject == bet]
        cut = sum(finding.remedy.get("refund", 0) for finding in about if finding.code == "over_max")
        got = {
            "effect": _effect(line),
            "net": None if line.held else line.net,
            "verdict": _bet_verdict(line, about, verdict),
            "live_stake": line.taken + line.stands,
            "excess_refund": cut,
            "p": line.player,
            "player": line.player,
        }
        for key, value in wanted.items():
            if key in got:
                found += _same(f"{where}{bet} {key}", value, got[key])
    if "net" in expect:
        found += _net_of_all(f"{where}net", expect["net"], lines)
    return found


def _net_of_all(what: str, wanted: dict[str, int | None], lines: tuple[Line, ...]) -> list[str]:
    """Nets by player; everybody who had a bet is named, with no net (null) or not at all if all his bets are held."""
    got = _nets(lines)
    told = {player: net for player, net in wanted.items() if net is not None}
    had = dict.fromkeys(line.player for line in lines if line.staked and not line.held)
    found = [f"{what} does not name {player}, who had a bet" for player in had if player not in told]
    return found + _amounts(what, told, got)


def _standing(verdict: Verdict) -> str:
    """The catalogue tells a void spin from a void session; in the design's words that is the finding's scope."""
    if verdict.standing != "void":
        return verdict.standing
    whole_game = any(finding.kind == "void" and finding.scope == "session" for finding in verdict.findings)
    return "session_void" if whole_game else "spin_void"


def _effect(line: Line) -> str:
    if line.held:
        return "held"
    return "pay" if line.paid else "take" if line.taken else "refund"


def _bet_verdict(line: Line, about: list[Finding], verdict: Verdict) -> str:
    """`bet_void` if a finding voids the bet and nothing of it was left at risk; a void spin's is shared by its bets."""
    if verdict.standing == "void":
        return _standing(verdict)
    if line.held:
        return "ruling_required" if any(finding.kind == "ruling_required" for finding in about) else verdict.standing
    voided = {finding.code for finding in about if finding.kind == "void" and finding.scope == "bet"}
    whole = not line.paid and not line.stands and (not line.taken or line.taken == line.staked)
    rules = {finding.rule for finding in about if finding.code in voided}
    return "bet_void" if voided and whole and line.rule in rules else "valid"


def _codes(judgement: SessionJudgement) -> set[str]:
    """The finding codes of a vector's session, without those of the spin that the runner adds.

    A ruling that names no spin is shown at the session's first, whichever that is.
    """
    rounds = [
        finding
        for verdict in judgement.verdicts
        for finding in verdict.findings
        if not verdict.round.endswith(f"#{BEFORE}") or finding.code == "ruling_invalid"
    ]
    return _not_mispaid([*rounds, *judgement.between])


def _not_mispaid(findings: list[Finding]) -> set[str]:
    return {finding.code for finding in findings if finding.kind != "mispaid"}


def _mispaid(verdict: Verdict) -> list[Finding]:
    return [finding for finding in verdict.findings if finding.kind == "mispaid"]


def _nets(lines: tuple[Line, ...]) -> dict[str, int]:
    nets: dict[str, int] = {}
    for line in lines:
        if not line.held:
            nets[line.player] = nets.get(line.player, 0) + line.net
    return nets


def _sum(parts: list[dict[str, int]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for part in parts:
        for name, amount in part.items():
            total[name] = total.get(name, 0) + amount
    return total


def _amounts(what: str, wanted: dict[str, int], got: dict[str, int]) -> list[str]:
    """Amounts by name; one that is not named is nothing."""
    return [
        f"{what} of {name}: expected {wanted.get(name, 0)}, got {got.get(name, 0)}"
        for name in sorted({*wanted, *got})
        if wanted.get(name, 0) != got.get(name, 0)
    ]


def _same(what: str, wanted: Any, got: Any) -> list[str]:
    return [] if wanted == got else [f"{what}: expected {wanted!r}, got {got!r}"]


def _set(what: str, wanted: set[str], got: set[str]) -> list[str]:
    return [] if wanted == got else [f"{what}: expected {sorted(wanted)}, got {sorted(got)}"]
