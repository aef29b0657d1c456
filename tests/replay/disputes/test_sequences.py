"""Any sequence of acts by anybody: no illegal state, nothing lost, nobody paid twice."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from cli import assembly
from events.errors import Refused
from events.schema.disputes import DisputeClosed, EffectSettled, RulingApproved, RulingProposed
from events.schema.ours import Ruling, RulingIssued
from replay.disputes import desk
from replay.disputes.desk import Session, Wish
from replay.disputes.dispute import Dispute, read_dispute
from tests.replay.disputes.house import ROULETTE, house, opened

RECORDS = list(assembly.rooms()["roulette"].deal(3, 5, breach="RL-26", breach_round=1, table="brno/RL-03"))
ROUND = f"{ROULETTE}#2"
WISHES = [
    Wish(ground="table_error", remedy="correct", standard="fact"),
    Wish(ground="collusion_players", scope="round", standard="suspicion"),
    Wish(ground="collusion_players", remedy="valid", standard="suspicion"),
]
accounts = st.sampled_from(["novakova", "novakova-2", "dvorak", "kral", "cerny", "stranger"])
which = st.integers(0, 1)


class Life(RuleBasedStateMachine):
    """Two disputes about one round, and everybody who may or may not act on them."""

    def __init__(self) -> None:
        super().__init__()
        self._house = house(RECORDS)
        self.book = self._house.__enter__()
        self.ids = [opened(self.book, ROUND).id, opened(self.book, ROUND).id]
        self.before = [self._read(0), self._read(1)]

    def teardown(self) -> None:
        self._house.__exit__(None, None, None)

    def _read(self, at: int) -> Dispute:
        return read_dispute(self.book.log, self.ids[at])

    def _try(self, account: str, act: Any, *given: Any, **named: Any) -> None:
        """An act, which may be refused; what it wrote is one event at most."""
        size = self.book.log.size()
        try:
            act(Session(self.book, account), *given, **named)
        except Refused:
            assert self.book.log.size() == size

    @rule(account=accounts, at=which)
    def judges(self, account: str, at: int) -> None:
        self._try(account, desk.adjudicate, self.ids[at])

    @rule(account=accounts, at=which, wish=st.sampled_from(WISHES))
    def proposes(self, account: str, at: int, wish: Wish) -> None:
        self._try(account, desk.propose, self.ids[at], wish, "r")

    @rule(account=accounts, at=which, approve=st.booleans())
    def decides(self, account: str, at: int, approve: bool) -> None:
        self._try(account, desk.decide, self.ids[at], approve=approve, reason="r")

    @rule(account=accounts, at=which)
    def issues(self, account: str, at: int) -> None:
        self._try(account, desk.issue, self.ids[at])

    @rule(at=which)
    def is_ruled(self, at: int) -> None:
        """The whole way at once, so that generated lives come far."""
        self._try("novakova", desk.adjudicate, self.ids[at])
        self._try("novakova", desk.propose, self.ids[at], WISHES[at], "r")
        self._try("dvorak", desk.decide, self.ids[at], approve=True, reason="r")
        self._try("kral", desk.issue, self.ids[at])

    @rule(account=accounts, at=which, how=st.sampled_from(["paid", "received", "retained", "waived"]), data=st.data())
    def settles(self, account: str, at: int, how: Any, data: st.DataObject) -> None:
        player = data.draw(st.sampled_from([*self._read(at).open_amounts, "p-nobody"]))
        self._try(account, desk.settle, self.ids[at], player, how, reason="r")

    @rule(account=accounts, at=which, outcome=st.sampled_from(["settled", "unfounded"]))
    def closes(self, account: str, at: int, outcome: Any) -> None:
        owing = self._read(at).open_amounts
        self._try(account, desk.tell, self.ids[at], list(owing) or ["p-nobody"], "desk", "")
        self._try(account, desk.close, self.ids[at], outcome, "r")

    @rule(account=accounts, at=which)
    def reopens(self, account: str, at: int) -> None:
        self._try(account, desk.reopen, self.ids[at], "r")

    @invariant()
    def nothing_is_lost(self) -> None:
        for at in (0, 1):
            now, before = self._read(at), self.before[at]
            assert now.acts[: len(before.acts)] == before.acts
            assert [act.version for act in now.acts] == list(range(1, now.version + 1))
            self.before[at] = now

    @invariant()
    def two_people_stand_behind_every_ruling(self) -> None:
        persons = {"novakova": "novakova", "novakova-2": "novakova"}
        for at in (0, 1):
            by: dict[str, list[str]] = {}
            for act in self._read(at).acts:
                if isinstance(act.event, RulingProposed | RulingApproved):
                    by.setdefault(act.event.ruling, []).append(persons.get(act.account, act.account))
                elif isinstance(act.event, RulingIssued):
                    assert len(set(by[act.event.ruling])) == 2

    @invariant()
    def nobody_is_paid_twice(self) -> None:
        """Of both disputes only one ruling is in force on the round; what was dealt with never passes what it says."""
        rulings = [fact.event for fact in self.book.case(ROULETTE).ordered.rulings]
        replaced = {ruling.replaces for ruling in rulings if isinstance(ruling, Ruling)}
        assert sum(isinstance(one, Ruling) and one.ruling not in replaced for one in rulings) <= 1
        for at in (0, 1):
            found = self._read(at)
            settled = [act.event for act in found.acts if isinstance(act.event, EffectSettled)]
            assert found.settled == {
                player: sum(one.amount for one in settled if one.player == player)
                for player in {one.player for one in settled}
            }
            if found.acts and isinstance(found.acts[-1].event, DisputeClosed):
                assert not found.open_amounts


TestLife = Life.TestCase
TestLife.settings = settings(
    max_examples=12, stateful_step_count=14, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
