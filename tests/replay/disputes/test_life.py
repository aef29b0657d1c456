"""A dispute from complaint to end, what each step refuses, and what a ruling does to money."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from cli import assembly
from events.errors import Refused
from events.schema.disputes import EffectSettled, EvidenceNoted, Settled
from events.schema.envelope import Envelope, canonical
from events.schema.ours import RulingApplied, SettingChanged, StaffProposed, StaffRegistered, StaffRole
from events.staff import approve as let_in
from events.staff import propose as register
from events.store import Draft, Log, Origin
from games.casebook import Casebook
from games.outcome import outcome_digest
from games.verdict import Verdict
from replay.disputes import desk
from replay.disputes.desk import Session, Wish
from replay.disputes.dispute import Dispute, read_dispute
from replay.disputes.verdicts import verdicts

FILE = Origin(kind="file", name="table.ndjson")
CAMERA = EvidenceNoted("camera", "cam-4", "the chips lay on 17", clip="12", hold=("footage:cam-4",))


class House(NamedTuple):
    """A house with three managers, one of them with two accounts, and its log."""

    log: Log
    book: Casebook
    anna: Session
    anna_again: Session
    boris: Session
    cyril: Session
    nobody: Session

    def takes(self, records: list[Envelope]) -> str:
        """Stores a session; gives its subject."""
        self.log.accept([canonical(record) for record in records], FILE)
        return records[0].subject


def employed(log: Log, person: str, *roles: StaffRole, account: str = "") -> None:
    wish = StaffRegistered(person, account or person, roles, "2026-01-01")
    made = register(log, "brno", wish, account="anna", reason="hired")
    if isinstance(made, StaffProposed):
        let_in(log, "brno", made.proposal, account="boris", reason="seen")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with assembly.open_log(str(tmp_path / "log.db"), create=True) as log:
        book = assembly.casebook(log)
        book.adopt_shipped()
        for person in ("anna", "boris", "cyril"):
            employed(log, person, "manager", "surveillance")
        employed(log, "anna", "manager", account="anna-2")
        sessions = (Session(book, account) for account in ("anna", "anna-2", "boris", "cyril", "stranger"))
        yield House(log, book, *sessions)


def spins(rounds: int = 6, *, breach: str | None = "RL-26", table: str = "brno/RL-03") -> list[Envelope]:
    """An evening at the wheel; its third spin breaks the rule."""
    return list(assembly.rooms()["roulette"].deal(rounds, 5, breach=breach, breach_round=2, table=table))


def judged(house: House, rounds: list[str]) -> Dispute:
    """A dispute about rounds, with a clip, judged."""
    made = desk.open_dispute(house.anna, rounds, "too little", player="p-438", channel="table")
    desk.note(house.anna, made.id, CAMERA)
    found, _verdicts = desk.adjudicate(house.anna, made.id)
    return found


CORRECT = Wish(ground="table_error", remedy="correct", standard="fact")
VOID = Wish(ground="collusion_players", remedy="void", scope="round", standard="suspicion")


def issued(house: House, dispute: str, wish: Wish) -> Dispute:
    """The wish proposed, approved by another and issued."""
    desk.propose(house.anna, dispute, wish, "the clip shows it")
    desk.decide(house.boris, dispute, approve=True, reason="seen")
    return desk.issue(house.anna, dispute)


def test_a_payment_is_corrected_from_complaint_to_end(house: House) -> None:
    round_ = f"{house.takes(spins())}#3"
    found = judged(house, [round_])
    assert found.holds == ("footage:cam-4",)
    (verdict,) = verdicts(house.book, [round_]).values()
    assert found.adjudicated is not None
    assert found.adjudicated.verdicts == {round_: verdict.digest}
    assert verdict.player_differences == {"p-438": -5000}
    found, came = desk.propose(house.anna, found.id, CORRECT, "the clip shows it")
    assert came.amounts == {"p-438": -5000}
    assert came.after.win - came.before.win == 5000
    desk.decide(house.boris, found.id, approve=True, reason="seen")
    found = desk.issue(house.anna, found.id)
    assert found.in_force is not None
    assert (found.in_force.decided_by, found.in_force.amounts) == ("boris", {"p-438": -5000})
    with pytest.raises(Refused, match="still owes or is owed: p-438"):
        desk.close(house.anna, found.id, "settled", "done")
    with pytest.raises(Refused, match="the other way round"):
        desk.settle(house.anna, found.id, "p-438", "paid", reason="desk 1")
    found = desk.settle(house.anna, found.id, "p-438", "received", reason="desk 1")
    assert found.open_amounts == {}
    with pytest.raises(Refused, match=r"nothing of .* is open for p-438"):
        desk.settle(house.anna, found.id, "p-438", "received", reason="twice")
    with pytest.raises(Refused, match="not told yet: p-438"):
        desk.close(house.anna, found.id, "settled", "done")
    desk.tell(house.anna, found.id, ["p-438"], "table", "you were paid too much")
    found = desk.close(house.anna, found.id, "settled", "done")
    assert (found.state, found.outcome, found.holds) == ("closed", "settled", ())
    with pytest.raises(Refused, match="is closed"):
        desk.note(house.anna, found.id, CAMERA)
    assert desk.reopen(house.boris, found.id, "he appeals").state == "open"


def test_a_void_gives_every_stake_back_and_takes_every_win(house: House) -> None:
    round_ = f"{house.takes(spins(breach=None))}#4"
    (before,) = verdicts(house.book, [round_]).values()
    found = issued(house, judged(house, [round_]).id, VOID)
    assert found.in_force is not None
    # A void leaves everybody as he was before the round: what he lost comes back, what he won goes back.
    assert found.in_force.amounts == undone(before)
    subject = round_.partition("#")[0]
    after = house.book.judge_round(subject, "4")
    assert after.standing == "void"
    assert after.player_differences == found.in_force.amounts
    assert found.in_force.basis == "book"


def undone(verdict: Verdict) -> dict[str, int]:
    """Player → what he lost on record, negative: what he won; added up here by hand."""
    assert verdict.recorded is not None
    owners = {line.stake: line.player for line in verdict.due.lines}
    found: dict[str, int] = {}
    for line in verdict.recorded.lines:
        owner = owners[line.stake]
        found[owner] = found.get(owner, 0) + line.taken - line.paid
    return {player: amount for player, amount in found.items() if amount}


def test_two_people_decide_by_whatever_account(house: House) -> None:
    found = judged(house, [f"{house.takes(spins())}#3"])
    desk.propose(house.anna, found.id, CORRECT, "the clip shows it")
    for own in (house.anna, house.anna_again):
        with pytest.raises(Refused, match="anna proposed") as caught:
            desk.decide(own, found.id, approve=True, reason="mine")
        assert "another manager does" in caught.value.hint
        assert "by a personal key" in caught.value.hint
    with pytest.raises(Refused, match="account stranger has no role"):
        desk.decide(house.nobody, found.id, approve=True, reason="mine")
    with pytest.raises(Refused, match="is approved"):
        desk.issue(house.anna, found.id)
    found = desk.decide(house.boris, found.id, approve=False, reason="another box")
    assert (found.state, found.proposed) == ("adjudicated", None)


def test_who_dealt_or_supervised_judges_nobodys_round_his_own(house: House) -> None:
    records = spins()
    dealer = next(one.data["person"] for one in records if one.type == "TB.DealerSeated.v1")
    employed(house.log, dealer, "manager")
    found = judged(house, [f"{house.takes(records)}#3"])
    with pytest.raises(Refused, match="dealt one of these rounds"):
        desk.propose(Session(house.book, dealer), found.id, CORRECT, "I know best")
    desk.propose(house.anna, found.id, CORRECT, "the clip shows it")
    with pytest.raises(Refused, match="dealt one of these rounds"):
        desk.decide(Session(house.book, dealer), found.id, approve=True, reason="I know best")


def test_nor_does_he_take_back_a_ruling_on_it(house: House) -> None:
    """A ruling that replaces another touches the rounds that only that one reached."""
    away = list(assembly.rooms()["roulette"].deal(4, 6, table="brno/RL-04"))
    records = spins(breach=None)
    worked = [{one.data["person"] for one in own if "Seated" in one.type} for own in (records, away)]
    dealer = min(worked[1] - worked[0])
    employed(house.log, dealer, "manager")
    rounds = [f"{house.takes(own)}#4" for own in (records, away)]
    found = issued(house, judged(house, rounds).id, VOID)
    desk.adjudicate(house.anna, found.id)
    only = replace(VOID, rounds=(rounds[0],))
    with pytest.raises(Refused, match="one of these rounds and cannot propose"):
        desk.propose(Session(house.book, dealer), found.id, only, "mine stands")
    desk.propose(house.anna, found.id, only, "only there")
    with pytest.raises(Refused, match="one of these rounds and cannot approve"):
        desk.decide(Session(house.book, dealer), found.id, approve=True, reason="mine stands")


def test_two_terminals_at_once_one_wins_and_the_other_is_told(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    found = judged(house, [f"{house.takes(spins())}#3"])
    found, _came = desk.propose(house.anna, found.id, CORRECT, "the clip shows it")
    desk.decide(house.boris, found.id, approve=True, reason="seen")
    monkeypatch.setattr("replay.disputes.refusals.read_dispute", lambda _log, _id: found)
    with pytest.raises(Refused, match="is at version"):
        desk.decide(house.cyril, found.id, approve=True, reason="me too")
    monkeypatch.undo()
    assert read_dispute(house.log, found.id).approved_by == "boris"
    desk.issue(house.boris, found.id)
    with pytest.raises(Refused, match="no ruling of"):
        desk.issue(house.cyril, found.id)


def test_a_ruling_on_what_is_open_unknown_or_touched_by_a_hole_is_refused(house: House) -> None:
    records = spins(breach=None)
    last = max(at for at, one in enumerate(records) if one.type == "TB.RoundClosed.v1")
    subject = house.takes(records[:last])
    found = judged(house, [f"{subject}#6"])
    with pytest.raises(Refused, match="is still open"):
        desk.propose(house.anna, found.id, VOID, "seen")
    with pytest.raises(Refused, match="has no round `99`"):
        desk.open_dispute(house.anna, [f"{subject}#99"], "?", player=None, channel="table")
    with pytest.raises(Refused, match="the log has nothing of"):
        desk.open_dispute(house.anna, ["table/brno/RL-99/2026-11-28.1#1"], "?", player=None, channel="table")
    gapped = spins(breach=None, table="brno/RL-04")
    del gapped[next(at for at, one in enumerate(gapped) if one.round == "3") + 2]
    found = judged(house, [f"{house.takes(gapped)}#3"])
    with pytest.raises(Refused, match="a hole in the record touches"):
        desk.propose(house.anna, found.id, VOID, "seen")


def test_the_book_says_on_what_ground_and_how_far(house: House) -> None:
    found = judged(house, [f"{house.takes(spins())}#3"])
    with pytest.raises(Refused, match="gives management no ruling on `shuffle_breach`"):
        desk.propose(house.anna, found.id, Wish(ground="shuffle_breach", scope="round", standard="proof"), "r")
    with pytest.raises(Refused, match="reaches bet or player, not round"):
        desk.propose(house.anna, found.id, Wish(ground="staff_advice", scope="round", standard="proof"), "r")
    own = Wish(ground="shuffle_breach", scope="round", standard="proof", basis="management")
    found, _came = desk.propose(house.anna, found.id, own, "our own decision")
    assert found.proposed is not None
    assert found.proposed.basis == "management"


def test_a_ruling_answers_its_dispute_and_other_rounds_only_beside_it(house: House) -> None:
    subject = house.takes(spins())
    found = judged(house, [f"{subject}#3"])
    with pytest.raises(Refused, match="was not judged on"):
        desk.propose(house.anna, found.id, replace(CORRECT, rounds=(f"{subject}#4",)), "another")
    both = (f"{subject}#4", f"{subject}#3")
    found, came = desk.propose(house.anna, found.id, replace(CORRECT, rounds=both), "both")
    assert found.proposed is not None
    assert (found.proposed.rounds, set(found.proposed.rests_on), came.amounts) == (both, set(both), {"p-438": -5000})


def test_nothing_is_settled_while_a_disputed_round_has_money_apart_and_no_ruling(house: House) -> None:
    subject = house.takes(spins())
    found = issued(house, judged(house, [f"{subject}#4", f"{subject}#3"]).id, replace(VOID, rounds=(f"{subject}#4",)))
    for player, amount in found.open_amounts.items():
        desk.settle(house.anna, found.id, player, "paid" if amount > 0 else "received", reason="desk")
    assert found.in_force is not None
    desk.tell(house.anna, found.id, ["p-438", *found.in_force.amounts], "table", "so it is")
    with pytest.raises(Refused, match=r"in .*#3 what was paid is not what was due \(p-438\), and no ruling"):
        desk.close(house.anna, found.id, "settled", "done")
    other = issued(house, judged(house, [f"{subject}#3"]).id, CORRECT)
    assert desk.close(house.anna, found.id, "settled", "the other dispute did it").state == "closed"
    assert other.open_amounts == {"p-438": -5000}


def test_a_round_is_voided_once(house: House) -> None:
    round_ = f"{house.takes(spins(breach=None))}#4"
    issued(house, judged(house, [round_]).id, VOID)
    other = judged(house, [round_])
    with pytest.raises(Refused, match="is void already"):
        desk.propose(house.boris, other.id, VOID, "again")


def test_an_approved_ruling_that_another_dispute_overtook_is_rejected_and_its_dispute_closed(house: House) -> None:
    round_ = f"{house.takes(spins(breach=None))}#4"
    first, second = judged(house, [round_]), judged(house, [round_])
    for found in (first, second):
        desk.propose(house.anna, found.id, VOID, "seen")
        desk.decide(house.boris, found.id, approve=True, reason="seen")
    desk.issue(house.anna, first.id)
    with pytest.raises(Refused, match="is void already") as caught:
        desk.issue(house.anna, second.id)
    assert f"recoup dispute reject {second.id}" in caught.value.hint
    with pytest.raises(Refused, match="anna proposed"):
        desk.decide(house.anna, second.id, approve=False, reason="mine")
    with pytest.raises(Refused, match="waits for a decision"):
        desk.decide(house.cyril, second.id, approve=True, reason="once more")
    found = desk.decide(house.boris, second.id, approve=False, reason="ruled by the other dispute")
    assert (found.state, found.proposed, found.approved_by) == ("adjudicated", None, "")
    desk.tell(house.anna, second.id, ["p-438"], "table", "see the other one")
    assert desk.close(house.anna, second.id, "withdrawn", "one is enough").state == "closed"


def test_a_ruling_that_replaces_another_nets_what_was_paid(house: House) -> None:
    round_ = f"{house.takes(spins(breach=None))}#4"
    found = issued(house, judged(house, [round_]).id, VOID)
    first = dict(found.open_amounts)
    player = next(one for one, amount in first.items() if amount > 0)
    desk.settle(house.anna, found.id, player, "paid", reason="desk")
    desk.adjudicate(house.anna, found.id)
    found = issued(house, found.id, Wish(ground="collusion_players", remedy="valid", standard="fact"))
    assert found.in_force is not None
    assert found.in_force.replaces == found.issued[0].ruling
    # What was paid for the void comes back; the others are owed nothing any more.
    assert found.open_amounts == {player: -first[player]}
    subject = round_.partition("#")[0]
    assert house.book.judge_round(subject, "4").standing == "valid"


UPHELD = Wish(ground="table_error", remedy="valid", standard="fact", basis="management")


@pytest.mark.parametrize(
    ("how", "again", "open_then"),
    [("received", UPHELD, {"p-438": 5000}), ("waived", UPHELD, {}), ("received", CORRECT, {}), ("waived", CORRECT, {})],
    ids=["received comes back", "waived moved nothing", "received is received", "waived stays waived"],
)
def test_a_debt_that_was_waived_never_comes_back_as_money(
    house: House, how: Settled, again: Wish, open_then: dict[str, int]
) -> None:
    found = issued(house, judged(house, [f"{house.takes(spins())}#3"]).id, CORRECT)
    desk.settle(house.anna, found.id, "p-438", how, reason="desk 1")
    desk.adjudicate(house.anna, found.id)
    assert issued(house, found.id, again).open_amounts == open_then


@pytest.mark.parametrize(("how", "comes_back"), [("paid", True), ("retained", False), ("waived", False)])
def test_a_claim_that_was_never_paid_is_not_owed_back(house: House, how: Settled, comes_back: bool) -> None:
    found = issued(house, judged(house, [f"{house.takes(spins(breach=None))}#4"]).id, VOID)
    player, amount = next((player, amount) for player, amount in found.open_amounts.items() if amount > 0)
    desk.settle(house.anna, found.id, player, how, reason="desk")
    desk.adjudicate(house.anna, found.id)
    upheld = issued(house, found.id, Wish(ground="collusion_players", remedy="valid", standard="fact"))
    assert upheld.open_amounts == ({player: -amount} if comes_back else {})


def test_what_was_waived_stands_against_as_much_of_a_larger_debt() -> None:
    settled = (EffectSettled("R1", "p-1", -50, "waived"), EffectSettled("R1", "p-1", 30, "retained"))
    dispute = Dispute(id="2026-11-28.1", settled=settled)
    for due, left in ((-70, -20), (-50, 0), (-20, 0), (0, 0), (20, 0), (40, 10)):
        assert dispute.net({"p-1": due}).get("p-1", 0) == left


def test_each_way_of_dealing_with_an_amount_is_summed_by_itself() -> None:
    ways: list[tuple[int, Settled]] = [(50, "paid"), (20, "paid"), (-50, "received"), (30, "waived"), (-30, "waived")]
    dispute = Dispute(id="2026-11-28.1", settled=tuple(EffectSettled("R1", "p-1", amount, how) for amount, how in ways))
    assert dispute.dealt_with == {
        ("", "p-1", "paid", True): 70,
        ("", "p-1", "received", False): -50,
        ("", "p-1", "waived", True): 30,
        ("", "p-1", "waived", False): -30,
    }


def test_a_dispute_is_about_money_of_one_currency(house: House) -> None:
    """Its rulings replace each other, and what one has paid is netted by the next."""
    rounds = [f"{house.takes(list(assembly.rooms()['roulette'].deal(1, 1, table='brno/RL-01')))}#1"]
    euros = [
        replace(one, data=one.data | {"currency": "EUR"}) if one.type == "TB.TableOpened.v1" else one
        for one in assembly.rooms()["roulette"].deal(1, 1, table="brno/RL-02")
    ]
    rounds.append(f"{house.takes(euros)}#1")
    with pytest.raises(Refused, match="the rounds were played in CZK and EUR") as caught:
        desk.open_dispute(house.anna, rounds, "both", player=None, channel="table")
    assert "a dispute for each currency" in caught.value.hint
    assert desk.open_dispute(house.anna, rounds[1:], "one", player=None, channel="table").state == "open"


def test_a_debt_is_not_retained(house: House) -> None:
    found = issued(house, judged(house, [f"{house.takes(spins())}#3"]).id, CORRECT)
    with pytest.raises(Refused, match="`retained` is what he is owed"):
        desk.settle(house.anna, found.id, "p-438", "retained", reason="desk 1")


def test_who_has_to_give_back_what_a_replaced_ruling_gave_him_is_told(house: House) -> None:
    round_ = f"{house.takes(spins())}#3"
    found = desk.open_dispute(house.anna, [round_], "seen on camera", player=None, channel="surveillance")
    desk.adjudicate(house.anna, found.id)
    issued(house, found.id, CORRECT)
    desk.settle(house.anna, found.id, "p-438", "received", reason="desk 1")
    desk.adjudicate(house.anna, found.id)
    issued(house, found.id, UPHELD)
    desk.settle(house.anna, found.id, "p-438", "paid", reason="desk 1")
    with pytest.raises(Refused, match="not told yet: p-438"):
        desk.close(house.anna, found.id, "settled", "done")


def test_a_late_record_makes_the_ruling_wait_for_another_look(house: House) -> None:
    records = spins()
    late = next(at for at, one in enumerate(records) if one.round == "3" and one.type == "RL.BetPlaced.v1")
    subject = house.takes(records)
    found = judged(house, [f"{subject}#3"])
    desk.propose(house.anna, found.id, CORRECT, "the clip shows it")
    from events.schema.ours import RecordDisowned

    cite = f"{int(records[late].sequence)}@{records[late].source}"
    house.log.author(f"{subject}@/recoup", [Draft(event=RecordDisowned(), about=cite, reason="never lay there")])
    with pytest.raises(Refused, match="is another one than was judged"):
        desk.decide(house.boris, found.id, approve=True, reason="seen")
    desk.decide(house.boris, found.id, approve=False, reason="look again")
    with pytest.raises(Refused, match="is another one than was judged"):
        desk.propose(house.anna, found.id, CORRECT, "again")
    desk.adjudicate(house.anna, found.id)
    assert issued(house, found.id, CORRECT).state == "issued"


def test_a_large_amount_goes_to_the_authority_first(house: House) -> None:
    found = judged(house, [f"{house.takes(spins())}#3"])
    house.log.author("house/brno@/recoup", [Draft(event=SettingChanged(desk.AUTHORITY, 5000), reason="licence")])
    desk.propose(house.anna, found.id, CORRECT, "the clip shows it")
    desk.decide(house.boris, found.id, approve=True, reason="seen")
    with pytest.raises(Refused, match="must go to the authority first"):
        desk.issue(house.anna, found.id)
    desk.note(house.anna, found.id, EvidenceNoted("authority", "MF-2026-1", "no objection"))
    assert desk.issue(house.anna, found.id).state == "issued"


def test_a_large_amount_that_only_comes_back_goes_to_the_authority_too(house: House) -> None:
    found = issued(house, judged(house, [f"{house.takes(spins())}#3"]).id, CORRECT)
    desk.settle(house.anna, found.id, "p-438", "received", reason="desk 1")
    house.log.author("house/brno@/recoup", [Draft(event=SettingChanged(desk.AUTHORITY, 5000), reason="licence")])
    desk.adjudicate(house.anna, found.id)
    with pytest.raises(Refused, match="50 CZK in all must go to the authority first"):
        issued(house, found.id, UPHELD)


def test_an_old_complaint_is_refused_where_the_house_says_so(house: House) -> None:
    subject = house.takes(list(assembly.rooms()["roulette"].deal(2, 1, day="2026-01-05")))
    house.log.author("house/brno@/recoup", [Draft(event=SettingChanged(desk.OPEN_DAYS, 30), reason="rules")])
    with pytest.raises(Refused, match="takes complaints for 30"):
        desk.open_dispute(house.anna, [f"{subject}#1"], "late", player=None, channel="letter")


def test_a_ruling_lies_in_every_session_that_it_touches(house: House) -> None:
    subjects = [house.takes(spins(breach=None, table=table)) for table in ("brno/RL-03", "brno/RL-04")]
    rounds = [f"{subject}#2" for subject in subjects]
    found = issued(house, judged(house, rounds).id, VOID)
    for subject, address in zip(subjects, rounds, strict=True):
        (fact,) = house.book.case(subject).ordered.rulings
        assert isinstance(fact.event, RulingApplied)
        assert fact.event.rounds == (address,)
        (verdict,) = verdicts(house.book, [address]).values()
        assert fact.event.rests_on == {address: outcome_digest(verdict)}
        assert fact.event.dispute == found.id


def test_a_pot_game_is_voided_to_the_chip(house: House) -> None:
    round_ = f"{house.takes(list(assembly.rooms()['holdem'].deal(3, 3)))}#2"
    (before,) = verdicts(house.book, [round_]).values()
    assert before.recorded is not None
    wish = Wish(ground="collusion_players", remedy="void", scope="hand", standard="suspicion")
    found = issued(house, judged(house, [round_]).id, wish)
    assert found.in_force is not None
    assert found.in_force.basis == "analogy"
    assert sum(found.in_force.amounts.values()) == before.recorded.rake
    assert found.in_force.amounts == undone(before)
