"""Who tries to get round the rules of a ruling: at two terminals at once, with the clock set back, by a late record, by
naming others than he pays, or by writing rulings himself. Each is refused and nothing is written."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from cli import assembly
from events.errors import Refused
from events.schema.common import RoundClosed
from events.schema.envelope import Envelope, make_envelope
from events.schema.ours import GapDeclaredLost, RecordDisowned, SettingChanged, StaffRegistered
from events.staff import approve, propose
from events.store import Draft, Log
from games.casebook import Casebook
from replay.disputes import desk
from replay.disputes.desk import Session, Wish
from replay.disputes.dispute import read_dispute
from tests.replay.disputes.house import ROULETTE, accept, house, issued, opened, proposed

DAY_MS = 86_400_000
CORRECT = Wish(ground="table_error", remedy="correct", standard="fact")
VOID = Wish(ground="collusion_players", scope="round", standard="suspicion")
THIRD = f"{ROULETTE}#3"


def wheel(breach: str | None = "RL-26") -> list[Envelope]:
    """Four spins; the third is paid wrongly."""
    return list(assembly.rooms()["roulette"].deal(4, 5, breach=breach, breach_round=2, table="brno/RL-03"))


@pytest.fixture
def book() -> Iterator[Casebook]:
    with house(wheel()) as made:
        yield made


def test_of_two_managers_who_approve_at_the_same_moment_one_is_told_that_the_other_did(tmp_path: Path) -> None:
    where = str(tmp_path / "log.db")
    with house(wheel(), where=where) as book:
        dispute = proposed(book, THIRD, wish=CORRECT)[0].id
        version = read_dispute(book.log, dispute).version
    gate, said = threading.Barrier(2), {}

    def decides(account: str) -> None:
        with Log.open(where, assembly.catalogue()) as log:
            own = Session(assembly.casebook(log), account)
            gate.wait()
            try:
                desk.decide(own, dispute, approve=True, reason="seen")
                said[account] = ""
            except Refused as error:
                said[account] = str(error)

    threads = [threading.Thread(target=decides, args=(account,)) for account in ("dvorak", "kral")]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert sorted(bool(text) for text in said.values()) == [False, True]
    (refused,) = (text for text in said.values() if text)
    assert "is at version" in refused or "waits for a decision" in refused
    with Log.open(where, assembly.catalogue()) as log:
        after = read_dispute(log, dispute)
        assert (after.version, after.state) == (version + 1, "approved")
        assert said[after.approved_by] == ""


def test_two_complaints_at_the_same_moment_are_two_disputes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where = str(tmp_path / "log.db")
    with house(wheel(), where=where) as book:
        at = Session(book, "cerny")
        first = desk.open_dispute(at, [THIRD], "mine", player=None, channel="table")
        real = Log.subjects
        # as the other one read it, a moment ago
        monkeypatch.setattr(Log, "subjects", lambda log, of: () if of.startswith("dispute/") else real(log, of))
        second = desk.open_dispute(at, [THIRD], "no, mine", player=None, channel="table")
    assert (first.id.rpartition(".")[2], second.id.rpartition(".")[2]) == ("1", "2")
    assert second.opened is not None
    assert second.opened.claim == "no, mine"


def test_a_clock_set_back_gives_nobody_a_role_that_has_ended(book: Casebook, monkeypatch: pytest.MonkeyPatch) -> None:
    now = book.log.now_ms()
    left = StaffRegistered("novotny", "novotny", ("manager",), "2026-01-01", "2026-11-01")
    wish = propose(book.log, "brno", left, account="novakova", reason="until All Saints")
    approve(book.log, "brno", getattr(wish, "proposal", ""), account="dvorak", reason="so")
    dispute = proposed(book, THIRD, wish=CORRECT)[0].id
    monkeypatch.setattr("events.store.log.now_ms", lambda: now - 60 * DAY_MS)
    with pytest.raises(Refused, match=r"novotny .* has no role"):
        desk.decide(Session(book, "novotny"), dispute, approve=True, reason="my last one")
    assert read_dispute(book.log, dispute).state == "proposed"


def test_a_clock_set_back_makes_no_complaint_younger(book: Casebook, monkeypatch: pytest.MonkeyPatch) -> None:
    old = list(assembly.rooms()["roulette"].deal(2, 1, day="2026-01-05", table="brno/RL-07"))
    accept(book.log, old)
    book.log.author("house/brno@/recoup", [Draft(event=SettingChanged(desk.OPEN_DAYS, 30), reason="rules")])
    monkeypatch.setattr("events.store.log.now_ms", lambda: 1_767_614_400_000)  # 5 January 2026
    with pytest.raises(Refused, match="takes complaints for 30"):
        desk.open_dispute(Session(book, "cerny"), [f"{old[0].subject}#1"], "?", player=None, channel="letter")


def test_a_late_record_between_approval_and_issue_stops_the_ruling(book: Casebook) -> None:
    dispute = proposed(book, THIRD, wish=CORRECT)[0].id
    desk.decide(Session(book, "dvorak"), dispute, approve=True, reason="seen")
    bet = next(one for one in wheel() if one.round == "3" and one.type == "RL.BetPlaced.v1")
    cite = f"{int(bet.sequence)}@{bet.source}"
    book.log.author(f"{ROULETTE}@/recoup", [Draft(event=RecordDisowned(), about=cite, reason="never lay there")])
    with pytest.raises(Refused, match="is another one than was judged") as caught:
        desk.issue(Session(book, "dvorak"), dispute)
    assert caught.value.hint is not None
    assert f"recoup dispute judge {dispute}" in caught.value.hint
    assert not book.case(ROULETTE).ordered.rulings
    found, _judged = desk.adjudicate(Session(book, "cerny"), dispute)
    assert (found.state, found.proposed) == ("adjudicated", None)
    with pytest.raises(Refused, match=r"no ruling of .* is approved"):
        desk.issue(Session(book, "dvorak"), dispute)


def test_a_ruling_cannot_hide_whom_it_pays_behind_another_name(book: Casebook) -> None:
    """Two disputes on a round may each be about a player of their own; the second names another than it pays."""
    verdict = book.judge_round(ROULETTE, "3")
    first, second, *_more = sorted({line.player for line in verdict.due.lines})
    give = Wish(ground="goodwill", remedy="return", basis="management", standard="fact", stated={first: 5000})
    one, _came = proposed(book, THIRD, wish=give)
    issued(book, one.id)
    again = opened(book, THIRD)
    hidden = replace(give, players=(second,))
    with pytest.raises(Refused, match=rf"is decided already by ruling {one.id}.R1"):
        desk.propose(Session(book, "novakova"), again.id, hidden, "again")
    other = replace(give, stated={second: 5000})
    assert desk.propose(Session(book, "novakova"), again.id, other, "his own")[1].amounts == {second: 5000}


@pytest.mark.parametrize(
    ("lacks", "refused"),
    [
        (lambda own: own[2], "a hole in the record touches"),
        (lambda own: next(one for one in own if one.type == RoundClosed.TOPIC), "is still open"),
    ],
)
def test_a_round_with_a_hole_is_ruled_on_once_the_hole_is_declared_lost_but_not_corrected(
    lacks: Callable[[list[Envelope]], Envelope], refused: str
) -> None:
    records = wheel(breach=None)
    gone = lacks([one for one in records if one.round == "3"])
    records.remove(gone)
    with house(records) as book:
        dispute = opened(book, THIRD).id
        manager = Session(book, "novakova")
        with pytest.raises(Refused, match=refused) as caught:
            desk.propose(manager, dispute, VOID, "seen")
        assert "declare-lost" in str(caught.value.hint)
        lost = GapDeclaredLost(gone.source, int(gone.sequence), int(gone.sequence))
        book.log.author(f"{ROULETTE}@/recoup", [Draft(event=lost, reason="the terminal burnt")])
        desk.adjudicate(manager, dispute)
        with pytest.raises(Refused, match="what was paid there cannot be told"):
            desk.propose(manager, dispute, CORRECT, "as due")
        assert desk.propose(manager, dispute, VOID, "seen")[0].state == "proposed"
        assert issued(book, dispute).state == "issued"


def test_a_round_is_not_voided_bet_by_bet_and_then_whole(book: Casebook) -> None:
    line = next(one for one in book.judge_round(ROULETTE, "3").due.lines if one.net)
    advice = Wish(ground="staff_advice", scope="bet", standard="suspicion", bets=(line.stake,))
    one, came = proposed(book, THIRD, wish=advice)
    assert set(came.amounts) == {line.player}
    issued(book, one.id)
    again = opened(book, THIRD)
    with pytest.raises(Refused, match=f"void already by ruling {one.id}.R1"):
        desk.propose(Session(book, "novakova"), again.id, VOID, "all of it")


def test_a_ruling_that_a_table_sends_rules_nothing(book: Casebook) -> None:
    last = max(wheel(), key=lambda one: one.sequence)
    data = {"ruling": "r-1", "ground": "collusion_players", "scope": "round", "standard": "suspicion",
            "role": "management", "rounds": ["3"]}  # fmt: skip
    forged = make_envelope(
        subject=ROULETTE, source="/brno/RL-03/other", sequence=1, topic="DS.RulingApplied.v1",
        at_ms=1_795_888_800_000, data=data,
    )  # fmt: skip
    before = book.judge_round(ROULETTE, "3")
    accept(book.log, [forged])
    assert last.subject == ROULETTE
    assert not book.case(ROULETTE).ordered.rulings
    assert book.judge_round(ROULETTE, "3").standing == before.standing == "valid"


def test_an_approved_ruling_is_approved_once_and_issued_once(book: Casebook) -> None:
    dispute = proposed(book, THIRD, wish=CORRECT)[0].id
    issued(book, dispute)
    size = book.log.size()
    for act in (
        lambda: desk.decide(Session(book, "kral"), dispute, approve=True, reason="me too"),
        lambda: desk.decide(Session(book, "kral"), dispute, approve=False, reason="no"),
        lambda: desk.issue(Session(book, "kral"), dispute),
    ):
        with pytest.raises(Refused, match=r"no ruling of"):
            act()
    assert book.log.size() == size
