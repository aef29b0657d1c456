"""Any sequence of acts by anybody: no illegal state, nothing lost, nobody paid twice."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from cli import assembly
from events.errors import Refused
from events.schema.disputes import DisputeClosed, EffectSettled, RulingApproved, RulingProposed
from events.schema.ours import RecordDisowned, Ruling, RulingIssued
from events.store import Draft
from replay.disputes import desk
from replay.disputes.desk import Session, Wish
from replay.disputes.dispute import Dispute, read_dispute
from tests.replay.disputes.house import ROULETTE, house, opened

RECORDS = list(assembly.rooms()["roulette"].deal(3, 5, breach="RL-26", breach_round=1, table="brno/RL-03"))
ROUND = f"{ROULETTE}#2"
BETS = [one for one in RECORDS if one.round == "2" and one.type == "RL.BetPlaced.v1"]
BET, PLAYER = BETS[0].data["bet"], BETS[0].data["player"]
OTHER = next(one.data["player"] for one in BETS if one.data["player"] != PLAYER)
WISHES = [
    Wish(ground="table_error", remedy="correct", standard="fact"),
    Wish(ground="collusion_players", scope="round", standard="suspicion"),
    Wish(ground="collusion_players", remedy="valid", standard="suspicion"),
    Wish(ground="staff_advice", scope="bet", standard="suspicion", bets=(BET,)),
    Wish(ground="staff_advice", scope="player", standard="suspicion", players=(OTHER,)),
    Wish(ground="goodwill", remedy="return", basis="management", standard="fact", stated={PLAYER: 700}),
    Wish(ground="theft", remedy="forfeit", basis="management", standard="proof", stated={OTHER: 300}),
    Wish(ground="theft", remedy="penalty", basis="management", scope="player", standard="proof", players=(OTHER,)),
]
WRONG = [
    Wish(ground="collusion_players", scope="bet", standard="suspicion", bets=(BET,)),
    Wish(ground="staff_advice", scope="player", standard="suspicion", players=("p-nobody",)),
    Wish(ground="bad_luck", standard="fact"),
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
        self.late = False

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

    def _is_refused(self, account: str, act: Any, *given: Any) -> None:
        size = self.book.log.size()
        with pytest.raises(Refused):
            act(Session(self.book, account), *given)
        assert self.book.log.size() == size

    @rule(account=accounts, at=which)
    def judges(self, account: str, at: int) -> None:
        self._try(account, desk.adjudicate, self.ids[at])

    @rule(account=accounts, at=which, wish=st.sampled_from([*WISHES, *WRONG]))
    def proposes(self, account: str, at: int, wish: Wish) -> None:
        self._try(account, desk.propose, self.ids[at], wish, "r")

    @rule(account=accounts, at=which, approve=st.booleans())
    def decides(self, account: str, at: int, approve: bool) -> None:
        self._try(account, desk.decide, self.ids[at], approve=approve, reason="r")

    @rule(account=accounts, at=which)
    def issues(self, account: str, at: int) -> None:
        self._try(account, desk.issue, self.ids[at])

    @rule(at=which, wish=st.sampled_from(WISHES))
    def is_ruled(self, at: int, wish: Wish) -> None:
        """The whole way at once, so that generated lives come far."""
        self._try("novakova", desk.adjudicate, self.ids[at])
        self._try("novakova", desk.propose, self.ids[at], wish, "r")
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

    @rule()
    def a_record_comes_late(self) -> None:
        """The verdict is another one from now on; whoever goes on without judging again is refused."""
        if self.late:
            return
        self.late = True
        cite = f"{int(BETS[-1].sequence)}@{BETS[-1].source}"
        self.book.log.author(
            f"{ROULETTE}@/recoup", [Draft(event=RecordDisowned(), about=cite, reason="never lay there")]
        )
        for at in (0, 1):
            if self._read(at).state == "approved":
                self._is_refused("kral", desk.issue, self.ids[at])

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
        """Of two rulings in force on the round no player is in both; what was dealt with never passes what they say."""
        rulings = [fact.event for fact in self.book.case(ROULETTE).ordered.rulings if isinstance(fact.event, Ruling)]
        replaced = {ruling.replaces for ruling in rulings}
        moved = [ruling for ruling in rulings if ruling.ruling not in replaced and ruling.remedy != "penalty"]
        players = [player for ruling in moved for player in {*ruling.amounts, *ruling.players}]
        assert len(players) == len(set(players))
        assert len(moved) <= 1 or all(ruling.bets or ruling.players for ruling in moved)
        for at in (0, 1):
            found = self._read(at)
            assert list(found.settled) == [act.event for act in found.acts if isinstance(act.event, EffectSettled)]
            moved: dict[str, int] = {}
            for one in found.settled:
                if one.how in ("paid", "received"):
                    moved[one.player] = moved.get(one.player, 0) + one.amount
            due = found.in_force.amounts if found.in_force is not None else {}
            for player, amount in found.open_amounts.items():
                left = due.get(player, 0) - moved.get(player, 0)
                assert 0 < abs(amount) <= abs(left)
                assert amount * left > 0
            if found.acts and isinstance(found.acts[-1].event, DisputeClosed):
                assert not found.open_amounts


TestLife = Life.TestCase
TestLife.settings = settings(
    max_examples=12, stateful_step_count=14, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
