"""The vectors of casino-holdem.md: boxes settled, amounts corrected, irregular deals, rounds void."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from games.adjudicate import SessionJudgement
from games.verdict import Finding, Line, Verdict
from tests.vectors.bench import edition_with, judged
from tests.vectors.casino_holdem_table import CROWN, IRREGULAR, MOMENTS, Table, filler
from tests.vectors.reading import Vector, unknown_keys

KINDS = frozenset({
    "settle", "boxes", "play_amount", "level", "limit", "chips", "late_change", "positions", "procedure", "void", "audit",
})  # fmt: skip
EDITION = "live-games-plan.toml"
SPOTS = ("ante", "blind", "trips", "play")
HAND = frozenset({"player", "dealer", "board"})
BETS = frozenset({"ante", "blind", "trips", "play", "fold", "seen"})
LOSING = {"player": ["2c", "7d"], "dealer": ["Ah", "Ad"], "board": ["Ks", "Qs", "9h", "4c", "3d"]}
"""Cards with which a box without Trips loses everything to a Dealer who qualifies, so that what is taken was live."""


def run(vector: Vector, _base: Vector) -> list[str]:
    """What one vector's round gave otherwise than expected."""
    given = vector["given"]
    adapters: dict[str, Callable[[Vector, Vector], list[str]]] = {
        "settle": _settle, "boxes": _boxes, "audit": _audit, "positions": _positions, "procedure": _irregular,
        "void": _irregular, "late_change": _late, "play_amount": _play_amount, "level": _cut, "limit": _cut,
        "chips": _cut,
    }  # fmt: skip
    return adapters[given["kind"]](given, vector["expect"])


# The long way ---------------------------------------------------------------------------------------------------------


def _judged(table: Table, given: Vector) -> tuple[Verdict, SessionJudgement, list[str]]:
    config = {
        name: value * CROWN if name == "payout_unit" else value for name, value in given.get("config", {}).items()
    }
    judgement, _case, lost = judged(table.close(), edition_with("casino_holdem", EDITION, config))
    return judgement.verdicts[-1], judgement, [lost] if lost else []


def _play_of(given: Vector) -> tuple[int, int] | None:
    """Window and amount, however the vector words it."""
    play = given.get("play")
    return None if not play else (play["window"], play.get("amount", play.get("placed", 0)))


def _box(given: Vector, number: int = 1, player: str = "p-1") -> dict[str, Any]:
    return {
        "box": given.get("box", number), "owner": player, "seen": given.get("seen", True),
        **{spot: given.get(spot) or 0 for spot in ("ante", "blind", "trips")},
        "play": _play_of(given), "fold": given.get("fold", False), "player": given.get("player"),
    }  # fmt: skip


def _net(lines: Iterable[Line], box: int | None = None) -> dict[str, int]:
    """Spot → net, minor units."""
    nets = dict.fromkeys(SPOTS, 0)
    for line in lines:
        spot, _word, number = line.what.split()
        if box is None or int(number) == box:
            nets[spot] += line.net
    return nets


def _compared(what: str, wanted: Any, found: Any) -> list[str]:
    return [] if wanted == found else [f"{what} is {found!r}, expected {wanted!r}"]


def _crowns(amount: int) -> int | str:
    return amount // CROWN if amount % CROWN == 0 else f"{amount} minor units"


# One box, several boxes, a recorded settlement ------------------------------------------------------------------------


def _settle(given: Vector, expect: Vector) -> list[str]:
    problems = unknown_keys("given", given, HAND | BETS | {"kind", "config"})
    problems += unknown_keys(
        "expect", expect, frozenset({"player_hand", "dealer_hand", "qualifies", "winner", "net", "advisory", "flag"})
    )
    if problems:
        return problems
    table = Table()
    table.round([_box(given)], given["dealer"], given["board"])
    verdict, _judgement, found = _judged(table, given)
    hands = table.hands(1)
    named = {
        "player_hand": hands.player.replace(" ", "_"), "dealer_hand": hands.dealer.replace(" ", "_"),
        "qualifies": hands.qualifies, "winner": {1: "player", 0: "tie", -1: "dealer"}[hands.winner],
    }  # fmt: skip
    for key, value in named.items():
        if key in expect:
            found += _compared(key, expect[key], value)
    nets = _net(verdict.due.lines)
    for spot, wanted in expect.get("net", {}).items():
        amount = sum(nets.values()) if spot == "total" else nets[spot]
        found += _compared(f"net {spot}", wanted, _crowns(amount))
    advisory = next((own for own in verdict.findings if own.code == "fold_settlement"), None)
    if "advisory" in expect:
        told = advisory.remedy if advisory is not None else {}
        for key, wanted in expect["advisory"].items():
            found += _compared(f"advisory {key}", wanted, _crowns(told.get(key, 0)))
    elif advisory is not None and given.get("play") is None:
        found.append(f"an advisory that the vector does not have: {advisory.text}")
    return found + _compared("findings", [], [own.code for own in verdict.findings if own.kind != "advisory"])


def _boxes(given: Vector, expect: Vector) -> list[str]:
    problems = unknown_keys("given", given, HAND | {"kind", "config", "boxes"} - {"player"})
    for box in given["boxes"]:
        problems += unknown_keys("a box", box, BETS | {"box", "player", "owner"})
    problems += unknown_keys("expect", expect, frozenset({"net", "total"}))
    if problems:
        return problems
    table = Table()
    boxes = [_box(box, number, box.get("owner", "p-1")) for number, box in enumerate(given["boxes"], 1)]
    table.round(boxes, given["dealer"], given["board"])
    verdict, _judgement, found = _judged(table, given)
    for box, wanted in expect.get("net", {}).items():
        found += _compared(f"net of box {box}", wanted, _crowns(sum(_net(verdict.due.lines, int(box)).values())))
    if "total" in expect:
        found += _compared("total", expect["total"], _crowns(sum(_net(verdict.due.lines).values())))
    return found


def _audit(given: Vector, expect: Vector) -> list[str]:
    problems = unknown_keys("given", given, HAND | BETS | {"kind", "config", "actual_net"})
    problems += unknown_keys("expect", expect, frozenset({"overpaid", "underpaid"}))
    if problems:
        return problems
    table = Table()
    table.round([_box(given)], given["dealer"], given["board"], actual=given["actual_net"])
    verdict, _judgement, found = _judged(table, given)
    apart = list(verdict.differences.values())
    over, under = -sum(own for own in apart if own < 0), sum(own for own in apart if own > 0)
    found += _compared("overpaid", expect["overpaid"], _crowns(over))
    found += _compared("underpaid", expect["underpaid"], _crowns(under))
    owed = sum(own.money for own in verdict.findings if own.kind == "mispaid")
    return found + _compared("money of the findings", under - over, owed)


# Amounts --------------------------------------------------------------------------------------------------------------


def _words(findings: Iterable[Finding], *, only: frozenset[str] = frozenset()) -> tuple[str, str | None]:
    """The catalogue's verdict and flag."""
    kinds = {own.kind for own in findings if not only or own.code in only}
    word = next(
        (kind for kind in ("void", "misdeal", "corrected", "breach") if kind in kinds), "valid"
    ).upper()  # fmt: skip
    flag = "RULING" if "ruling_required" in kinds else "ADVISORY" if "advisory" in kinds else None
    return word, flag


def _verdict(expect: Vector, findings: Iterable[Finding]) -> list[str]:
    word, flag = _words(own for own in findings if own.code != "fold_settlement")
    found = _compared("verdict", expect["verdict"], word) if "verdict" in expect else []
    return found + _compared("flag", expect.get("flag"), flag)


def _live(lines: Iterable[Line]) -> dict[str, int]:
    """Spot → what was at risk, where everything at risk was lost."""
    live = dict.fromkeys(SPOTS, 0)
    for line in lines:
        live[line.what.split()[0]] += line.taken
    return live


def _play_amount(given: Vector, expect: Vector) -> list[str]:
    problems = unknown_keys(
        "given", given, frozenset({"kind", "config", "ante", "window", "placed", "earlier_play", "seen", "looked"})
    )
    known = frozenset({"verdict", "flag", "accepted", "returned", "counts_as"})
    problems += unknown_keys("expect", expect, known)
    if problems:
        return problems
    table = Table()
    number = 1 if given.get("seen", True) else 2
    box = {**_box({"ante": given["ante"], "blind": given["ante"]}, number), "seen": number == 1}
    boxes = [box] if number == 1 else [_box({"ante": given["ante"], "blind": given["ante"]}), box]
    earlier, window = given.get("earlier_play"), given["window"]
    if earlier:
        before = max(window - 1, 1)
        fitting = [
            own for own, times in ((1, (3, 4)), (2, (2,)), (3, (1,))) if earlier in [n * given["ante"] for n in times]
        ]
        table.when(
            f"window {min([own for own in fitting if own <= window], default=before)}",
            table.chips(number, "play", earlier),
        )
    if given.get("looked"):
        table.when(f"window {window}", table.look(number))
    table.when(f"window {window}", table.chips(number, "play", given["placed"], late="asked"))
    table.round(boxes, LOSING["dealer"], LOSING["board"])
    verdict, _judgement, found = _judged(table, given)
    line = next(own for own in verdict.due.lines if own.stake == "asked")
    reason = next(iter(line.reasons), "")
    counts = (
        "play" if line.taken else "second_play" if reason == "second_play" else "no_play" if window == 3 else "check"
    )
    answer = {"accepted": _crowns(line.taken), "returned": _crowns(line.returned), "counts_as": counts}
    for key, value in answer.items():
        if key in expect:
            found += _compared(key, expect[key], value)
    return found + _verdict(expect, verdict.findings)


def _cut(given: Vector, expect: Vector) -> list[str]:
    """`level`, `limit` and `chips`: what of each bet counts, and what goes back."""
    chips = given["kind"] == "chips"
    known = BETS | {"kind", "config", "table_max", "table_min", "trips_max", "trips_min"}
    problems = unknown_keys("given", given, known)
    problems += unknown_keys("expect", expect, frozenset({*SPOTS, "verdict", "flag", "returned"}))
    if problems:
        return problems
    table = Table(
        low=given.get("table_min"), high=given.get("table_max"), trips=(given.get("trips_min"), given.get("trips_max"))
    )
    box = _box({} if chips else given)
    if chips:
        for spot in ("ante", "blind", "trips"):
            if given.get(spot):
                own = given[spot]
                table.when(
                    "bets",
                    table.chips(1, spot, own["amount"], kind=own.get("chip", "value"), announced=own.get("announced")),
                )
        if given.get("play"):
            own = given["play"]
            table.when(
                f"window {own.get('window', 1)}",
                table.chips(1, "play", own["amount"], kind=own.get("chip", "value"), announced=own.get("announced")),
            )
    table.round([box], LOSING["dealer"], LOSING["board"])
    verdict, _judgement, found = _judged(table, given)
    live = _live(verdict.due.lines)
    for spot in SPOTS:
        if spot in expect:
            found += _compared(spot, expect[spot], _crowns(live[spot]))
    if "returned" in expect:
        found += _compared("returned", expect["returned"], _crowns(sum(line.returned for line in verdict.due.lines)))
    return found + _verdict(expect, verdict.findings)


def _late(given: Vector, expect: Vector) -> list[str]:
    known = HAND | {"kind", "config", "spot", "at_first_card", "at_settlement", "window"}
    problems = unknown_keys("given", given, known)
    problems += unknown_keys("expect", expect, frozenset({"verdict", "flag", "settled_on", "net", "returned"}))
    if problems:
        return problems
    spot, first, last = given["spot"], given["at_first_card"], given["at_settlement"]
    main = {"ante": first, "blind": first} if spot in ("ante", "blind") else {"ante": 100, "blind": 100}
    table = Table()
    box = _box({**main, **({"trips": first} if spot == "trips" else {}), "player": given["player"]})
    if spot == "play":
        box["play"] = (given.get("window", 1), first)
    moment = f"window {given.get('window', 1)}"
    if last > first:
        table.when(moment, table.chips(1, spot, last - first, late="added"))
    elif last < first:
        table.when(moment, table.take_up(1, spot, first - last))
    table.round([box], given.get("dealer") or filler(given["player"], given["board"], 2), given["board"])
    verdict, _judgement, found = _judged(table, given)
    own = [line for line in verdict.due.lines if line.what.startswith(spot)]
    added = [line for line in own if line.stake == "added"]
    answer = {
        "settled_on": sum(line.staked for line in own if line not in added), "net": _net(own)[spot],
        "returned": sum(line.returned for line in added),
    }  # fmt: skip
    for key, value in answer.items():
        if key in expect:
            found += _compared(key, expect[key], _crowns(value))
    return found + _verdict(expect, verdict.findings)


# Procedure ------------------------------------------------------------------------------------------------------------


def _positions(given: Vector, expect: Vector) -> list[str]:
    known = frozenset({"boxes", "kind"})
    problems = unknown_keys("given", given, known)
    keys = frozenset({"dealer_up", "dealer_hole", "burn1", "flop", "burn2", "turn", "river", "first", "second"})
    problems += unknown_keys("expect", expect, keys)
    if problems:
        return problems
    table = Table()
    table.round([_box({"ante": 100, "blind": 100}, number, f"p-{number}") for number in range(1, given["boxes"] + 1)])
    verdict, _judgement, found = _judged(table, given)
    for key, wanted in expect.items():
        found += _compared(key, wanted, table.positions()[key])
    return found + _compared("findings", [], [own.code for own in verdict.findings if own.kind != "advisory"])


def _irregular(given: Vector, expect: Vector) -> list[str]:
    """An irregularity by its key, with the bets at risk."""
    problems = unknown_keys("given", given, frozenset({"kind", "config", "irregularity", "before", "at_risk", "box"}))
    problems += unknown_keys("expect", expect, frozenset({"verdict", "flag", "money", "returned", "paid"}))
    key = given["irregularity"]
    if key not in IRREGULAR:
        problems.append(f"no irregularity is called `{key}`; known: {', '.join(sorted(IRREGULAR))}")
    if problems:
        return problems
    risk = given.get("at_risk") or {"ante": 100, "blind": 100}
    problems += unknown_keys("at_risk", risk, frozenset(SPOTS))
    play = risk.get("play") or 0
    window = {3: 1, 4: 1, 2: 2, 1: 3}.get(play // risk["ante"] if risk.get("ante") else 0, 1)
    box = _box({**risk, "play": {"window": window, "amount": play} if play else None})
    table = Table()
    IRREGULAR[key](table, given)
    table.round([box])
    verdict, _judgement, found = _judged(table, given)
    about = [own for own in verdict.findings if own.code in (key, *MOMENTS.get(key, ()))]
    found += _verdict(expect, about)
    lines = verdict.due.lines
    answer = {
        "money": _crowns(sum(own.money for own in verdict.findings)),
        "returned": _crowns(sum(line.returned for line in lines)),
        "paid": _crowns(sum(line.paid for line in lines)),
    }
    for name, value in answer.items():
        if name in expect:
            found += _compared(name, expect[name], value)
    return found
