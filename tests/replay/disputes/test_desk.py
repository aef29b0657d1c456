"""What a ruling may say, whom it reaches when two are made, and when it is overtaken; money in minor units."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from msgspec.structs import replace

from cli import assembly
from events.errors import Refused
from events.schema.common import ChipsMoved
from events.schema.disputes import EvidenceNoted
from events.schema.envelope import Envelope, make_envelope
from events.schema.ours import RulingApplied, SettingChanged
from events.store import Draft
from games.casebook import Casebook
from replay.disputes import desk
from replay.disputes.desk import Session, Wish
from replay.disputes.dispute import Dispute, disputes, read_dispute
from replay.disputes.effects import effects_of
from replay.disputes.shoes import rounds_of_shoe
from replay.disputes.verdicts import parse_address
from tests.replay.disputes.evenings import evening, rows_of
from tests.replay.disputes.house import ROULETTE, accept, house, issued, opened, proposed

VOID = Wish(ground="collusion_players", scope="round", standard="suspicion")
CORRECT = Wish(ground="table_error", remedy="correct", standard="fact")


def wheel(breach: str | None = None) -> list[Envelope]:
    return list(assembly.rooms()["roulette"].deal(4, 3, breach=breach, table="brno/RL-03"))


def spin(number: int) -> str:
    return f"{ROULETTE}#{number}"


@pytest.fixture
def book() -> Iterator[Casebook]:
    with house(wheel()) as made:
        yield made


def lost(book: Casebook, address: str) -> dict[str, int]:
    subject, _hash, name = address.rpartition("#")
    recorded = book.judge_round(subject, name).recorded
    assert recorded is not None
    return {player: -net for player, net in sorted(recorded.nets().items()) if net}


def settled(book: Casebook, dispute: str) -> None:
    """Everything that is open dealt with, and everybody told."""
    at, found = Session(book, "novakova"), read_dispute(book.log, dispute)
    for player, amount in found.open_amounts.items():
        desk.settle(at, dispute, player, "paid" if amount > 0 else "received", reason="desk 1")
    desk.tell(at, dispute, [player for ruling in found.issued for player in ruling.amounts], "desk", "")


def otherwise(book: Casebook, dispute: str, wish: Wish) -> Dispute:
    """The dispute judged again and ruled on otherwise."""
    desk.adjudicate(Session(book, "novakova"), dispute)
    desk.propose(Session(book, "novakova"), dispute, wish, "otherwise")
    return issued(book, dispute)


@pytest.mark.parametrize("kept", [0, 1])
def test_a_round_that_a_replacement_frees_in_another_session_is_ruled_on_by_another_dispute(
    book: Casebook, kept: int
) -> None:
    second = list(assembly.rooms()["roulette"].deal(3, 5, table="brno/RL-04"))
    accept(book.log, second)
    rounds = [spin(2), f"{second[0].subject}#2"]
    made = proposed(book, *rounds, wish=VOID)[0].id
    issued(book, made)
    settled(book, made)
    stays, freed = rounds[kept], rounds[1 - kept]
    after = otherwise(book, made, replace(VOID, rounds=(stays,)))
    # What was paid for both comes back for the one, and only for that one.
    assert after.open_amounts == {player: -amount for player, amount in lost(book, freed).items()}
    subject, _hash, name = freed.rpartition("#")
    assert book.judge_round(subject, name).standing == "valid"
    assert book.judge_round(stays.rpartition("#")[0], stays.rpartition("#")[2]).standing == "void"
    told = book.case(subject).ordered.rulings[-1].event
    assert isinstance(told, RulingApplied)
    assert (told.rounds, told.freed, told.amounts, told.rests_on) == ((), (freed,), {}, {})
    assert told.replaces == f"{made}.R1"
    settled(book, made)

    other = proposed(book, freed, wish=VOID)[0].id
    assert issued(book, other).open_amounts == lost(book, freed)
    settled(book, other)
    assert book.judge_round(subject, name).standing == "void"
    paid: dict[str, int] = {}
    for dispute in (made, other):
        done = desk.close(Session(book, "dvorak"), dispute, "settled", "done")
        for act in done.settled:
            paid[act.player] = paid.get(act.player, 0) + act.amount
    first, second_ = (lost(book, address) for address in rounds)
    assert paid == {player: first.get(player, 0) + second_.get(player, 0) for player in {*first, *second_}}

    desk.reopen(Session(book, "dvorak"), made, "both after all")
    with pytest.raises(Refused, match="was not judged since it was reopened"):
        desk.close(Session(book, "dvorak"), made, "settled", "no look at it")
    desk.adjudicate(Session(book, "dvorak"), made)
    with pytest.raises(Refused, match=f"is void already by ruling {other}.R1"):
        desk.propose(Session(book, "novakova"), made, VOID, "both")


def test_of_one_session_a_replacement_says_which_rounds_it_rules_on_and_which_it_frees(book: Casebook) -> None:
    made = proposed(book, spin(2), spin(3), wish=VOID)[0].id
    issued(book, made)
    otherwise(book, made, replace(VOID, rounds=(spin(3),)))
    told = book.case(ROULETTE).ordered.rulings[-1].event
    assert isinstance(told, RulingApplied)
    assert (told.rounds, told.freed, list(told.rests_on)) == ((spin(3),), (spin(2),), [spin(3)])
    assert issued(book, proposed(book, spin(2), wish=VOID)[0].id).open_amounts == lost(book, spin(2))


def test_what_a_replacement_frees_waits_for_a_person_again_and_is_not_settled_by_it(book: Casebook) -> None:
    """At the other table a manager must say what follows from an early reveal; its money is as the rules make it."""
    second = list(assembly.rooms()["caribbean_stud"].deal(2, 3, breach="CS-10", breach_round=1, table="brno/CS-1"))
    accept(book.log, second)
    rounds = (spin(2), f"{second[0].subject}#2")
    manager, upheld = Session(book, "novakova"), Wish(ground="", remedy="valid", standard="fact")
    before = book.judge_round(second[0].subject, "2")
    assert (before.standing, before.player_differences) == ("ruling_required", {})
    (code,) = {one.code for one in before.findings if one.kind == "ruling_required"}
    made = proposed(book, *rounds, wish=replace(upheld, ground=code))[0].id
    issued(book, made)
    assert book.judge_round(second[0].subject, "2").standing == "valid"
    otherwise(book, made, replace(upheld, rounds=(spin(2),), ground=code))
    assert book.judge_round(second[0].subject, "2").standing == "ruling_required"
    other = proposed(book, spin(3), rounds[1], wish=replace(upheld, ground=code, rounds=(spin(3),)))[0].id
    issued(book, other)
    for dispute in (made, other):
        with pytest.raises(
            Refused, match=rf"#2 waits for a person's word \({code}\), and no ruling in force"
        ) as caught:
            desk.close(manager, dispute, "settled", "done")
        assert f"recoup dispute propose {dispute} --remedy valid --ground {code}" in caught.value.hint
    otherwise(book, other, replace(upheld, ground=code))
    for dispute in (made, other):
        assert desk.close(manager, dispute, "settled", "said").state == "closed"


def test_two_disputes_about_a_round_do_not_both_pay(book: Casebook) -> None:
    one, _came = proposed(book, spin(2), wish=VOID)
    other, _came = proposed(book, spin(2), wish=VOID)
    issued(book, one.id)
    with pytest.raises(Refused, match="void already") as refused:
        desk.decide(Session(book, "dvorak"), other.id, approve=True, reason="r")
    assert f"recoup dispute judge {one.id}; recoup dispute reject {other.id}" in refused.value.hint  # it is not closed


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        (replace(VOID, ground="bad_luck"), "gives management no ruling on `bad_luck`"),
        (replace(VOID, ground="staff_advice", scope="round"), "reaches"),
        (replace(VOID, remedy="wish"), "no remedy|gives no wish"),
        (replace(VOID, stated={"p-1": 5}), "takes no stated amounts"),
        (Wish(ground="table_error", remedy="return", basis="management", standard="fact"), "needs an amount"),
        (Wish(ground="table_error", remedy="return", basis="management", stated={"p-1": -5}), "more than nothing"),
    ],
)
def test_a_ruling_that_cannot_be_is_refused_and_writes_nothing(book: Casebook, wish: Wish, told: str) -> None:
    made = opened(book, spin(2))
    with pytest.raises(Refused, match=told):
        desk.propose(Session(book, "novakova"), made.id, wish, "r")
    assert read_dispute(book.log, made.id).version == made.version


def test_a_ground_of_managements_own_is_marked(book: Casebook) -> None:
    made, came = proposed(book, spin(2), wish=replace(VOID, ground="bad_luck", basis="management"))
    assert made.proposed is not None
    assert made.proposed.basis == "management"
    assert came.amounts == lost(book, spin(2))


def test_a_dispute_must_be_judged_and_one_ruling_waits_at_a_time(book: Casebook) -> None:
    at = Session(book, "cerny")
    made = desk.open_dispute(at, [spin(2)], "c", player="p-1", channel="desk")
    manager = Session(book, "novakova")
    with pytest.raises(Refused, match="not judged yet"):
        desk.propose(manager, made.id, VOID, "r")
    with pytest.raises(Refused, match=r"nothing .* is decided yet"):
        desk.tell(at, made.id, ["p-1"], "desk", "")
    desk.adjudicate(at, made.id)
    desk.propose(manager, made.id, VOID, "r")
    with pytest.raises(Refused, match="waits already"):
        desk.propose(manager, made.id, VOID, "r")
    with pytest.raises(Refused, match="waits for a second manager"):
        desk.adjudicate(at, made.id)
    desk.decide(Session(book, "dvorak"), made.id, approve=True, reason="r")
    with pytest.raises(Refused, match="is approved"):
        desk.adjudicate(at, made.id)


def test_limits_of_the_house(book: Casebook) -> None:
    drafts = [SettingChanged(desk.AUTHORITY, 1), SettingChanged(desk.OPEN_DAYS, 0)]
    book.log.author("house/brno@/recoup", [Draft(event=one, reason="r") for one in drafts])
    at = Session(book, "cerny")
    with pytest.raises(Refused, match=r"takes complaints for 0 \(dispute.open_days\)"):
        desk.open_dispute(at, [spin(2)], "c", player=None, channel="table")
    made = desk.open_dispute(at, [spin(2)], "c", player=None, channel="surveillance")
    desk.adjudicate(at, made.id)
    desk.propose(Session(book, "novakova"), made.id, VOID, "r")
    with pytest.raises(Refused, match="authority first"):
        issued(book, made.id)
    desk.note(at, made.id, EvidenceNoted("authority", "letter 7"))
    assert desk.issue(Session(book, "novakova"), made.id).state == "issued"


def test_a_ruling_overtaken_by_a_late_record_is_found_and_a_further_one_settles_it(book: Casebook) -> None:
    made, came = proposed(book, spin(2), wish=VOID)
    issued(book, made.id)
    moved = next(one for one in wheel() if one.type == "TB.ChipsMoved.v1" and one.round == "2")
    late = replace(moved, source="/pit/late", sequence="0" * 15 + "1", id=f"{moved.subject}@/pit/late/1")
    accept(book.log, [late])
    overtaken = [one for one in book.judge_round(ROULETTE, "2").findings if one.rule == "TB-10"]
    assert [one.subject for one in overtaken] == [f"{made.id}.R1"]
    assert [one for one in book.judge(ROULETTE).verdicts[1].findings if one.rule == "TB-10"] == overtaken
    assert not [one for one in book.judge(ROULETTE).verdicts[2].findings if one.rule == "TB-10"]
    assert read_dispute(book.log, made.id).open_amounts == came.amounts  # the finding itself moves no money
    settled(book, made.id)
    manager = Session(book, "novakova")
    desk.adjudicate(manager, made.id)
    with pytest.raises(Refused, match=rf"ruling {made.id}.R1 was decided on another verdict on .*#2 than the facts"):
        desk.close(manager, made.id, "settled", "paid")
    otherwise(book, made.id, VOID)
    assert not [one for one in book.judge_round(ROULETTE, "2").findings if one.rule == "TB-10"]
    settled(book, made.id)
    assert desk.close(manager, made.id, "settled", "paid").state == "closed"


def test_chips_that_carry_a_ruling_out_at_the_table_do_not_overtake_it() -> None:
    row = next(one for one in rows_of("holdem") if one.row.startswith("Wrong winner"))
    records = evening("holdem", row, "NL-9")
    with house(records) as book:
        address = f"{records[0].subject}#1"
        made, came = proposed(book, address, wish=Wish(ground="NL-37", remedy="correct", standard="fact"))
        assert came.amounts == {"p-1": 28_500, "p-2": -28_500}
        issued(book, made.id)
        last = max(records, key=lambda one: one.sequence)
        moved = ChipsMoved("seat/2", "seat/1", 28_500, "ruling", stake="seat/1")
        paid = make_envelope(
            subject=last.subject, source=last.source, sequence=int(last.sequence) + 1, topic="TB.ChipsMoved.v1",
            at_ms=book.log.now_ms() + 1000, data=msgspec.to_builtins(moved), round_name="1",
        )  # fmt: skip
        accept(book.log, [paid])
        verdict = book.judge_round(last.subject, "1")
        assert [one.code for one in verdict.findings if one.rule == "TB-10"] == []
        assert (verdict.standing, verdict.player_differences) == ("valid", {})
        again = effects_of(book, read_dispute(book.log, made.id).issued[0])
        assert again.amounts == came.amounts  # what the table paid at first, not what it paid by the ruling


def test_a_correction_of_some_bets_or_players_reaches_those_alone() -> None:
    """The mistake is p-438's bet b43: a correction of another bet, or of somebody else, must not collect it."""
    records = list(assembly.rooms()["roulette"].deal(4, 5, breach="RL-26", breach_round=2, table="brno/RL-03"))
    with house(records) as book:
        at, made = Session(book, "novakova"), opened(book, spin(3)).id
        for wrong in ({"bets": ("b20",)}, {"players": ("p-269",)}):
            _dispute, came = desk.propose(at, made, replace(CORRECT, scope="bet", **wrong), "the wrong one")
            assert (came.amounts, came.stakes, came.before) == ({}, (), came.after)
            issued(book, made)
            with pytest.raises(Refused, match=r"not what was due \(p-438\), and no ruling in force reaches that"):
                desk.close(at, made, "settled", "he was never asked")
            desk.adjudicate(at, made)
        with pytest.raises(Refused, match="`tabel_error` is no ground") as misspelt:
            desk.propose(at, made, replace(CORRECT, ground="tabel_error"), "a slip of the pen")
        assert "--ground table_error, RL-26, wrong_payout" in misspelt.value.hint
        for nobody in ({"bets": ("b999",)}, {"bets": ("b43",), "players": ("p-269",)}):
            with pytest.raises(Refused, match="reaches no chips in its rounds") as refused:
                desk.propose(at, made, replace(CORRECT, scope="bet", **nobody), "a slip of the pen")
            assert "b43 p-438" in refused.value.hint
        _dispute, came = desk.propose(at, made, replace(CORRECT, scope="bet", bets=("b43",)), "that one")
        assert (came.amounts, came.after.win - came.before.win) == ({"p-438": -5_000}, 5_000)
        assert issued(book, made).open_amounts == {"p-438": -5_000}


def test_the_tenth_dispute_of_a_day_stands_behind_the_ninth(book: Casebook) -> None:
    at = Session(book, "cerny")
    made = [desk.open_dispute(at, [spin(2)], "x", player=None, channel="desk").id for _one in range(11)]
    assert [one.id for one in disputes(book.log)] == made


def test_whom_a_ruling_names_the_records_name_too(book: Casebook) -> None:
    at, made = Session(book, "novakova"), opened(book, spin(2)).id
    penalty = Wish(ground="insult", remedy="penalty", basis="management")
    with pytest.raises(Refused, match="names nobody"):
        desk.propose(at, made, penalty, "somebody shouted")
    for wish in (penalty, VOID, CORRECT, replace(CORRECT, remedy="valid")):
        with pytest.raises(Refused, match="no record of these tables names p-999"):
            desk.propose(at, made, replace(wish, players=("p-999",)), "a slip of the pen")


def test_a_shoe_is_every_round_from_one_shuffle_to_the_next() -> None:
    records = list(assembly.rooms()["blackjack"].deal(40, 3, table="brno/BJ-01"))
    subject = records[0].subject
    with house(records) as book:
        rounds = list(book.case(subject).ordered.rounds)
        shoes: list[tuple[str, ...]] = []
        for name in rounds:
            reached = rounds_of_shoe(book, parse_address(f"{subject}#{name}"))
            if not shoes or shoes[-1] != reached:
                shoes.append(reached)
        assert [one for shoe in shoes for one in shoe] == [f"{subject}#{name}" for name in rounds]
        assert len(shoes) > 1


def test_a_shoe_goes_on_in_the_session_that_it_was_carried_into() -> None:
    first = [
        one for one in assembly.rooms()["blackjack"].deal(2, 3, table="brno/BJ-01") if one.type != "TB.DeckRetired.v1"
    ]
    second = list(assembly.rooms()["blackjack"].deal(2, 4, table="brno/BJ-01", day="2026-11-29"))
    at = next(number for number, one in enumerate(second) if one.type == "TB.DeckOpened.v1")
    deck = second[at].data["deck"]
    carried = {"shoe": deck, "from_subject": first[0].subject, "cards": 200}
    second[at] = replace(second[at], type="TB.ShoeCarried.v1", data=carried)
    with house(first, second) as book:
        reached = rounds_of_shoe(book, parse_address(f"{second[0].subject}#1"))
        assert reached == rounds_of_shoe(book, parse_address(f"{first[0].subject}#1"))
        assert reached == tuple(
            f"{one[0].subject}#{name}" for one in (first, second) for name in book.case(one[0].subject).ordered.rounds
        )
