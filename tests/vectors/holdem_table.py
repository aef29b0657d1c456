"""A cash game table for vectors: said step by step, folded as it goes, judged by way of a log."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from importlib import resources
from typing import Any

import msgspec

from cli.assembly import casebook, open_log
from events.schema.event import Event
from events.schema.fact import Fact
from events.store import Origin
from games.adjudicate import judge_round, steps
from games.clocks import Clocks
from games.holdem import GAME
from games.holdem.rules import RULES
from games.house_rules.edition import Edition, read_edition
from games.protocol import Expectation
from games.scribe import Scribe
from games.shared.poker.events import ActionTaken
from games.shared.poker.hand import Hand
from games.verdict import Finding, Verdict
from tests.games.table import with_parameters
from tests.vectors.reading import Vector, unknown_keys

WHOLE = 100
"""A whole CZK in minor units: the catalogue counts in whole ones."""

TABLE, DAY = "vectors/NL-1", "2026-11-28"


@lru_cache(maxsize=1)
def _toml() -> str:
    file = resources.files("games.holdem") / "editions" / "live-games-plan.toml"
    return file.read_text(encoding="utf-8")


def edition_text(config: dict[str, Any]) -> str:
    """The shipped edition with a vector's parameters stated instead."""
    return with_parameters(_toml(), config, GAME) if config else _toml()


def edition_of(config: dict[str, Any]) -> Edition:
    """The same, read."""
    return read_edition(edition_text(config), RULES.form)


def whole(amount: int) -> int | float:
    """Whole CZK; a fraction stays visible."""
    return amount // WHOLE if amount % WHOLE == 0 else amount / WHOLE


def seat_of(place: str) -> int:
    """`seat/3` → 3; 0 for none."""
    return int(place.removeprefix("seat/") or 0)


def verdict_word(findings: Sequence[Finding]) -> str:
    """Findings on one thing in the catalogue's word."""
    kinds = {finding.kind for finding in findings}
    for kind, word in (
        ("void", "VOID"), ("misdeal", "MISDEAL"), ("dead", "HAND_DEAD"), ("corrected", "CORRECTED"),
        ("penalty", "PENALTY"), ("ruling_required", "RULING"), ("breach", "BREACH"),
        ("unverified", "unverified"),
    ):  # fmt: skip
        if kind in kinds:
            return word
    return "VALID"


def compare(expect: Vector, found: dict[str, Any]) -> list[str]:
    """A problem for each expected word that was not found so, or that this adapter does not know."""
    problems = unknown_keys("expect", expect, frozenset(found))
    return problems + [
        f"{key}: expected {value}, found {found[key]}"
        for key, value in expect.items()
        if key in found and found[key] != value
    ]


class Table:
    """One hand at one table. `before` opens the table and announces the stakes."""

    def __init__(self, config: dict[str, Any], before: Sequence[Event]) -> None:
        self.config = config
        self.before = list(before)
        self.said: list[tuple[Event, float | None]] = []
        self.session = GAME.open_table(edition_of(config), _fact(before[0], None), (), Clocks())
        for event in before[1:]:
            self.session = GAME.evolve(self.session, _fact(event, None))

    @property
    def hand(self) -> Hand:
        """The hand as it stands."""
        hand = self.session.hand
        assert hand is not None
        return hand

    def say(self, *events: Event, at_s: float | None = None) -> None:
        """They happen, a second apart; `at_s`: seconds after the first event that has such a time."""
        for event in events:
            self.said.append((event, at_s))
            self.session = GAME.evolve(self.session, _fact(event, "1"))

    def expects(self) -> Expectation:
        """What the room expects next."""
        return GAME.expects(self.session)

    def act(self, seat: int, name: str, total: int | None = None) -> None:
        """A whole action; without a total the smallest that `expects` offers."""
        front = self.hand.bets.front[self.hand.place(seat)]
        if total is None:
            offered = next((action for action in self.expects().actions if action.name == name), None)
            total = offered.low if offered is not None and offered.low is not None else front
        self.say(ActionTaken(seat, name, max(total - front, 0)))  # type: ignore[arg-type]

    def bet_up(self, hero: int, to_match: int, front: int, increment: int) -> None:
        """Others act until `hero` is on turn, faces `to_match` and has `front` before him.

        The last raise is of `increment`; whoever is not needed folds.
        """
        waiting = [total for total in _levels(to_match, increment) if total > self.hand.bets.to_match]
        for _turn in range(40):
            hand = self.hand
            seat = seat_of(self.expects().actor)
            own = hand.bets.front[hand.place(hero)]
            if seat == hero and not waiting and own == front:
                return
            if seat == hero:
                if front > own:
                    self.act(hero, "raise" if hand.bets.to_match else "bet", front)
                else:
                    self.act(hero, "check" if hand.bets.to_match == own else "call")
            elif waiting and (front <= own or self._posted(hero)):
                total = waiting.pop(0)
                self.act(seat, "raise" if hand.bets.to_match else "bet", total)
            elif hand.bets.to_match > hand.bets.front[hand.place(seat)]:
                self.act(seat, "call" if self._needed() else "fold")
            else:
                self.act(seat, "check")
        raise AssertionError(f"no way to {to_match} facing seat {hero}")

    def _posted(self, hero: int) -> bool:
        return any(self.hand.seats[place] == hero for place, _kind, _amount in self.hand.posts)

    def _needed(self) -> bool:
        """Whether a call costs no more than a big blind: then everybody may as well stay."""
        return self.hand.bets.to_match <= self.session.stakes.big_blind

    def all_call(self, total: int) -> None:
        """Before the flop everybody puts in `total`."""
        while self.hand.street == 0 and self.expects().actor:
            names = {action.name for action in self.expects().actions}
            seat = seat_of(self.expects().actor)
            if self.hand.bets.to_match < total:
                self.act(seat, "raise", total)
            else:
                self.act(seat, "check" if "check" in names else "call")

    # --- judged ---

    def _judged(self) -> tuple[Verdict, Hand]:
        scribe = Scribe(TABLE, DAY)
        records = [scribe.say(event, 1) for event in self.before]
        scribe.round = "1"
        origin: int | None = None
        for event, at_s in self.said:
            if at_s is None:
                records.append(scribe.say(event, 1))
                continue
            if origin is None:
                origin = scribe.at_ms + 1000
            scribe.at_ms = origin + round(at_s * 1000)
            records.append(scribe.say(event))
        with open_log(":memory:", create=True) as log:
            book = casebook(log)
            book.adopt("vectors", edition_text(self.config), date(1, 1, 1))
            receipt = log.accept([msgspec.json.encode(record) for record in records], Origin("stdin"))
            assert receipt.stored == len(records), receipt
            case = book.case(scribe.subject)
            hand = [step.session for step in steps(case, book.rooms)][-1].hand
            return judge_round(case, book.rooms, "1"), hand

    def verdict(self) -> Verdict:
        """The longest way: written as the terminal would, accepted into a log, folded, judged by an adopted edition."""
        return self._judged()[0]

    def judged(self) -> tuple[list[Finding], Hand]:
        """Its findings, and the hand as the log's own facts leave it."""
        verdict, hand = self._judged()
        return list(verdict.findings), hand


def _levels(to_match: int, increment: int) -> list[int]:
    """Bets and raises up to a bet to match, each of the last increment but for the first."""
    if not 0 < increment < to_match:
        return [to_match]
    levels = [to_match]
    while levels[0] > increment:
        levels.insert(0, levels[0] - increment)
    return levels


def _fact(event: Event, name: str | None) -> Fact:
    return Fact(subject="", source="", sequence=1, topic=event.TOPIC, event=event, occurred_at=0, round=name)
