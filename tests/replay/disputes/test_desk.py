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
from events.schema.ours import SettingChanged
from events.store import Draft
from games.casebook import Casebook
from replay.disputes import desk
from replay.disputes.desk import Session, Wish
from replay.disputes.dispute import read_dispute
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


def test_a_replacing_ruling_frees_rounds_of_a_session_that_it_does_not_reach(book: Casebook) -> None:
    second = list(assembly.rooms()["roulette"].deal(3, 5, table="brno/RL-04"))
    accept(book.log, second)
    other = f"{second[0].subject}#2"
    made, came = proposed(book, spin(2), other, wish=VOID)
    issued(book, made.id)
    assert book.judge_round(second[0].subject, "2").standing == "void"
    assert sum(came.amounts.values()) == sum(lost(book, spin(2)).values()) + sum(lost(book, other).values())
    manager = Session(book, "novakova")
    desk.adjudicate(manager, made.id)
    desk.propose(manager, made.id, replace(VOID, rounds=(spin(2),)), "only there")
    after = issued(book, made.id)
    assert book.judge_round(second[0].subject, "2").standing == "valid"
    assert book.judge_round(ROULETTE, "2").standing == "void"
    assert after.open_amounts == lost(book, spin(2))


def test_two_disputes_about_a_round_do_not_both_pay(book: Casebook) -> None:
    one, _came = proposed(book, spin(2), wish=VOID)
    other, _came = proposed(book, spin(2), wish=VOID)
    issued(book, one.id)
    desk.decide(Session(book, "dvorak"), other.id, approve=True, reason="r")
    with pytest.raises(Refused, match="void already"):
        desk.issue(Session(book, "dvorak"), other.id)


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
    manager = Session(book, "novakova")
    desk.adjudicate(manager, made.id)
    desk.propose(manager, made.id, VOID, "again")
    issued(book, made.id)
    assert not [one for one in book.judge_round(ROULETTE, "2").findings if one.rule == "TB-10"]


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
