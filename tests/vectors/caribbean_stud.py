"""The vectors of caribbean-stud.md: one box against the dealer, each put on a table and judged through the store.

Amounts of the catalogue are whole units, ours hundredths. What a vector does not say is as the rules want it.
"""

from __future__ import annotations

from typing import Any

from cli.assembly import rooms
from events.schema import common as tb
from events.schema.event import Event
from events.schema.ours import RulingApplied
from events.values.cards import DECK
from games.adjudicate import Case, SessionJudgement, steps
from games.caribbean_stud.payouts import Analysis, analyse
from games.scribe import Scribe
from games.shared.bank import events as bg
from games.verdict import Finding, Line, Verdict
from tests.vectors.bench import edition_with, judged
from tests.vectors.reading import UNNAMED, Vector, unknown_keys

KINDS = frozenset({UNNAMED})

EDITION = "caribbean-poker.toml"
UNIT = 100
BOX = 1
BT: dict[str, Any] = {"kind": "fixed", "prizes": {"FL": 1000, "FH": 1500, "4K": 5000, "SF": 10000, "RF": 20000}}
"""`BT` of the catalogue's section 6."""

GIVEN = frozenset({
    "ante", "bet", "bonus", "fee", "act", "hand", "dealer", "exchange", "bonus_table", "config", "box_cards", "viewed",
    "decisions_closed", "settled", "defective_deck", "antes_before", "ante_seq", "first_card_seq", "recorded", "ruling",
})  # fmt: skip
EXPECT = frozenset({"cat", "dealer", "result", "verdict", "needs_ruling", "lines", "net", "difference"})
SPOTS = ("ante", "bonus", "fee", "bet")


def run(vector: Vector, _base: Vector) -> list[str]:
    """What one vector's round gave otherwise than expected."""
    given, expect = vector["given"], vector["expect"]
    problems = unknown_keys("given", given, GIVEN) + unknown_keys("expect", expect, EXPECT)
    if problems:
        return problems
    table = _Table(given)
    table.play()
    rulings = [_ruling(given["ruling"])] if "ruling" in given else []
    toml = edition_with("caribbean_stud", EDITION, _parameters(given))
    judgement, case, lost = judged(table.envelopes, toml, rulings)
    return [*_compared(expect, given, judgement, _analysed(case), vector.get("rule", [])), *([lost] if lost else [])]


def _parameters(given: Vector) -> dict[str, Any]:
    """The vector's config and its bonus table in the edition's words and minor units."""
    config = dict(given.get("config", {}))
    table = config.pop("cs.bonus.table", given.get("bonus_table"))
    if table is not None:
        plain = BT if table == "BT" else table
        scale = UNIT if plain["kind"] == "fixed" else 1
        own = {"kind": plain["kind"], "prizes": {code: n * scale for code, n in plain["prizes"].items()}}
        if plain.get("stake") is not None:  # null is any stake; an edition leaves it out
            own["stake"] = plain["stake"] * UNIT
        config["cs.bonus.table"] = own
    if config.get("cs.max_payout") is not None:
        config["cs.max_payout"] *= UNIT
    if config.get("cs.limits") is not None:
        config["cs.limits"] = [amount * UNIT for amount in config["cs.limits"]]
    return config


def _ruling(effect: str) -> RulingApplied:
    """A good ruling of management on the round."""
    remedy = {"round_void": "void"}.get(effect, effect)
    return RulingApplied(
        "r-1", "collusion", scope="round", standard="proof", decided_by="m-1", role="management", rounds=("1",),
        remedy=remedy,
    )  # fmt: skip


class _Table:
    """A table with the vector's box as number 1, boxes of others behind it where the vector speaks of them."""

    def __init__(self, given: Vector) -> None:
        self.given = given
        self.pen = Scribe("brno/CS-1", "2026-11-28")
        self.envelopes = [self.pen.say(tb.TableOpened("caribbean_stud", "CS", "CZK"))]
        self.late = given.get("ante_seq", 0) > given.get("first_card_seq", 10**6)
        self.others = list(range(BOX + 1, BOX + 1 + given.get("antes_before", int(self.late))))
        used = set(" ".join(str(given.get(key, "")) for key in ("hand", "dealer")).split())
        used |= {card for card in (given.get("exchange") or {}).values() if card}
        self.spare = [card for card in DECK if card not in used]

    def say(self, *events: Event) -> None:
        """Records, a second apart."""
        self.envelopes += [self.pen.say(event, 1) for event in events]

    def play(self) -> None:
        """The round as the vector tells it."""
        given = self.given
        self.say(tb.ShuffleStep("riffle", "d-1"), tb.CutMade("d-1", by=f"p-{max(self._playing(), default=BOX)}"))
        self.say(bg.CutJoined("d-1"))
        self.pen.round = "1"
        self.say(tb.RoundOpened())
        for box in self.others:
            self._stake(box, "ante", 100)
        if self.late:
            self.say(bg.CardLaid(f"box/{self.others[0]}", self.spare.pop(), seq=1))
        for spot in ("ante", "bonus"):
            if given.get(spot):
                self._stake(BOX, spot, given[spot])
        if given.get("ante") and not self.late and not self.others and given.keys() & {"hand", "box_cards", "bet"}:
            self._hand()
        if "defective_deck" in given and given.get("settled"):
            self._end()
            self.say(bg.DefectFound(given["defective_deck"]))
        else:
            if "defective_deck" in given:
                self.say(bg.DefectFound(given["defective_deck"]))
            self._end()
        self.pen.round = None
        self.say(tb.TableClosed(), tb.SourceEnded())

    def _playing(self) -> list[int]:
        return [BOX, *self.others][:6] if self.given.get("ante") else []

    def _stake(self, box: int, spot: str, amount: int) -> None:
        name = f"{spot}" if box == BOX else f"{spot}-{box}"
        self.say(bg.StakePlaced(name, f"p-{box}", box, spot, amount * UNIT))

    def _hand(self) -> None:
        given: dict[str, Any] = self.given
        exchange: dict[str, str] | None = given.get("exchange")
        hand = given["hand"].split() if "hand" in given else self._some(5)
        dealer = given["dealer"].split() if "dealer" in given else self._some(5)
        dealt = [exchange["give"] if exchange and card == exchange["get"] else card for card in hand]
        dealt = dealt[: given.get("box_cards", 5)] + self._some(given.get("box_cards", 5) - 5)
        seq = 0
        for turn in range(max(len(dealt), 5)):
            if turn < len(dealt):
                seq += 1
                self.say(bg.CardLaid("box/1", dealt[turn], seq=seq))
            if turn < 5:
                seq += 1
                self.say(bg.CardLaid("dealer", dealer[turn], "up" if turn == 4 else "down", seq=seq))
        if given.get("viewed", True):
            self.say(bg.CardsViewed(BOX))
        if exchange:
            self.say(bg.Decided(BOX, "exchange", discards=(exchange["give"],)))
            self._stake(BOX, "fee", given["fee"] if "fee" in given else given["ante"])
            if exchange["burn"]:
                seq += 1
                self.say(tb.CardBurned(exchange["burn"], seq=seq))
            self.say(bg.CardLaid("box/1", exchange["get"], seq=seq + 1))
        act = given.get("act", "bet")
        self.say(bg.Decided(BOX, act))
        if act == "bet" and "bet" in given:
            self._stake(BOX, "bet", given["bet"])
        if given.get("decisions_closed", True):
            self.say(bg.DecisionsClosed())
            self.say(bg.DealerTurned(tuple(dealer)))

    def _some(self, count: int) -> list[str]:
        return [self.spare.pop() for _ in range(count)]

    def _end(self) -> None:
        """Money as recorded; the round is closed where the vector settles it, or does not say."""
        for spot, (taken, back, paid) in self.given.get("recorded", {}).items():
            if taken:
                self.say(tb.ChipsMoved(f"box/{spot}", "float", taken * UNIT, "take", spot))
            if paid:
                self.say(tb.ChipsMoved("float", "player/p-1", paid * UNIT, "win", spot))
            if back:
                self.say(tb.ChipsMoved(f"box/{spot}", "player/p-1", back * UNIT, "return", spot))
        open_ = "box_cards" in self.given or "defective_deck" in self.given or self.late
        if self.given.get("settled", not open_):
            self.say(tb.RoundClosed())


# Comparing ------------------------------------------------------------------------------------------------------------


def _analysed(case: Case) -> Analysis:
    *_before, last = steps(case, rooms())
    return analyse(last.session)


def _compared(
    expect: Vector, given: Vector, judgement: SessionJudgement, analysis: Analysis, rules: list[str]
) -> list[str]:
    verdict = judgement.verdicts[-1]
    found = [f"{one.rule} {one.code}: {one.text}" for one in judgement.between]
    own = _own(verdict)
    found += _same("verdict", expect.get("verdict", ["valid"]), _words(own))
    asks = any(one.kind == "ruling_required" for one in own)
    found += _same("needs_ruling", expect.get("needs_ruling", False), asks)
    outcome = next((one for one in analysis.outcomes if one.box == BOX), None)
    if "cat" in expect:
        found += _same("cat", expect["cat"], outcome.hand if outcome is not None else "")
    if "dealer" in expect:
        found += _same("dealer", expect["dealer"], analysis.dealer)
    if "result" in expect:
        found += _same("result", expect["result"], outcome.result if outcome is not None else "")
    lines = {line.stake: line for line in verdict.due.lines if line.stake in SPOTS}
    if "lines" in expect:
        found += _same("lines", expect["lines"], {spot: _money(lines[spot]) for spot in SPOTS if spot in lines})
    if "net" in expect:
        open_ = any(line.held for line in lines.values())
        net = None if open_ else _units(sum(line.net for line in lines.values()))
        found += _same("net", expect["net"], net)
    if "difference" in expect:
        found += _same("difference", expect["difference"], _units(sum(verdict.differences.values())))
    for one in own:
        if not {one.rule, one.via} & set(rules):
            found.append(f"finding {one.rule} {one.code}, but the vector is of {', '.join(rules)}")
    return found


def _own(verdict: Verdict) -> list[Finding]:
    """The findings about the vector's box; that a second reading exists is no verdict."""
    return [one for one in verdict.findings if one.kind not in ("advisory", "unverified") and one.rule[:2] == "CS"]


def _words(found: list[Finding]) -> list[str]:
    """The catalogue's words: a breach that needs a ruling is one; an open bonus line is none."""
    words = {_word(one) for one in found} - {""}
    return sorted(words) or ["valid"]


def _word(one: Finding) -> str:
    if one.kind == "void":
        return "bet_void" if one.scope == "bet" else "round_void"
    if one.kind == "ruling_required":
        return "" if one.code == "bonus_table_missing" else "procedure_breach"
    return {"dead": "hand_dead", "misdeal": "misdeal"}.get(one.kind, "procedure_breach")


def _money(line: Line) -> list[int | float] | None:
    return None if line.held else [_units(line.taken), _units(line.returned), _units(line.paid)]


def _units(minor: int) -> int | float:
    return minor // UNIT if minor % UNIT == 0 else minor / UNIT


def _same(what: str, wanted: Any, got: Any) -> list[str]:
    return [] if wanted == got else [f"{what}: expected {wanted!r}, got {got!r}"]
