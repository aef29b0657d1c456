"""Any sequence of acts by anybody: no illegal state, nothing lost, nobody paid twice, whatever a ruling replaces."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from msgspec.structs import replace

from cli import assembly
from events.errors import Refused
from events.schema.disputes import DisputeClosed, EffectSettled, RulingApproved, RulingProposed
from events.schema.ours import RecordDisowned, RulingIssued
from events.store import Draft
from games.shared.rulings import in_force
from replay.disputes import desk
from replay.disputes.desk import Session, Wish
from replay.disputes.dispute import Dispute, read_dispute
from tests.replay.disputes.house import ROULETTE, house, opened

RECORDS = list(assembly.rooms()["roulette"].deal(3, 5, breach="RL-26", breach_round=1, table="brno/RL-03"))
AWAY = list(assembly.rooms()["roulette"].deal(2, 6, table="brno/RL-04"))
ROUND, THERE = f"{ROULETTE}#2", f"{AWAY[0].subject}#1"
BETS = [one for one in RECORDS if one.round == "2" and one.type == "RL.BetPlaced.v1"]
BET, PLAYER = BETS[0].data["bet"], BETS[0].data["player"]
OTHER = next(one.data["player"] for one in BETS if one.data["player"] != PLAYER)
WISHES = [
    Wish(ground="table_error", remedy="correct", standard="fact"),
    Wish(ground="collusion_players", scope="round", standard="suspicion"),
    Wish(ground="collusion_players", remedy="valid", standard="suspicion"),
    Wish(ground="staff_advice", scope="bet", standard="suspicion", bets=(BET,), rounds=(ROUND,)),
    Wish(ground="staff_advice", scope="player", standard="suspicion", players=(OTHER,), rounds=(ROUND,)),
    Wish(ground="goodwill", remedy="return", basis="management", standard="fact", stated={PLAYER: 700}),
    Wish(ground="theft", remedy="forfeit", basis="management", standard="proof", stated={OTHER: 300}),
    Wish(ground="theft", remedy="penalty", basis="management", scope="player", standard="proof", players=(OTHER,)),
]
BOTH = WISHES[:3]
HALF = [replace(wish, rounds=rounds) for wish in BOTH for rounds in ((ROUND,), (THERE,))]
WISHES += HALF
WRONG = [
    Wish(ground="collusion_players", scope="bet", standard="suspicion", bets=(BET,)),
    Wish(ground="staff_advice", scope="player", standard="suspicion", players=("p-nobody",)),
    Wish(ground="bad_luck", standard="fact"),
]
accounts = st.sampled_from(["novakova", "novakova-2", "dvorak", "kral", "cerny", "stranger"])
which = st.integers(0, 1)


class Life(RuleBasedStateMachine):
    """Two disputes about a round at each of two tables, and everybody who may or may not act on them."""

    def __init__(self) -> None:
        super().__init__()
        self._house = house(RECORDS, AWAY)
        self.book = self._house.__enter__()
        self.ids = [opened(self.book, ROUND, THERE).id, opened(self.book, THERE, ROUND).id]
        self.before = [self._read(0), self._read(1)]
        self.late = False

    def teardown(self) -> None:
        self._house.__exit__(None, None, None)

    def _read(self, at: int) -> Dispute:
        return read_dispute(self.book.log, self.ids[at])

    def _in_force(self) -> list[RulingIssued]:
        return [one for one in (self._read(at).in_force for at in (0, 1)) if one is not None]

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

    @rule(at=which, wish=st.sampled_from(BOTH), again=st.sampled_from(HALF))
    def is_ruled_again_over_less(self, at: int, wish: Wish, again: Wish) -> None:
        """What the first ruling alone had reached is free, for the other dispute too."""
        self.is_ruled(at, wish)
        self.is_ruled(at, again)

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
    def a_round_is_ruled_on_by_the_rulings_in_force_that_name_it(self) -> None:
        """So say the judge by the session alone, and the disputes; a void round is one that such a ruling voids."""
        for address in (ROUND, THERE):
            subject, _hash, name = address.rpartition("#")
            wanted = {one.ruling: one for one in self._in_force() if address in one.rounds}
            rulings = self.book.case(subject).ordered.rulings
            if not rulings:
                continue
            assert {event.ruling for _fact, event in in_force(rulings, subject, name)} == set(wanted)
            voided = {one.ruling for one in wanted.values() if one.scope == "round" and one.remedy == "void"}
            assert (self.book.judge_round(subject, name).standing == "void") == bool(voided)

    @invariant()
    def nobody_is_paid_twice(self) -> None:
        """Of two rulings in force on a round no player is in both; what was dealt with never passes what they say."""
        both = [one for one in self._in_force() if one.remedy != "penalty"]
        if len(both) > 1 and set(both[0].rounds) & set(both[1].rounds):
            one, other = ({*ruling.amounts, *ruling.players} for ruling in both)
            assert not one & other
            assert all(ruling.bets or ruling.players for ruling in both)
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
