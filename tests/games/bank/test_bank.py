"""What the card rooms against the bank share: the fold, who holds what, the money of stakes, limits, viewpoints."""

from __future__ import annotations

import pytest

from events.schema.catalogue import Catalogue
from events.schema.common import TABLE_EVENTS, LimitsChanged, TableOpened
from events.schema.event import Event
from events.schema.fact import Fact
from games.clocks import Clocks
from games.picture import WIDTH, Span, Viewpoint, fitted
from games.shared.bank import wording
from games.shared.bank.deck import box_number, dealt_twice, hand, out_of_place, round_robin
from games.shared.bank.events import BANK_EVENTS
from games.shared.bank.fold import Fold
from games.shared.bank.limits import Limits, posted_at_opening
from games.shared.bank.parts import Part, give_back, keep_up_to, line_of, lose, part_of, push, spread, win
from games.shared.bank.picture import seen
from games.shared.bank.sequence import earlier
from games.shared.bank.table import BankRound, BankSession, Stake
from games.shared.bank.wording import tell
from games.sight import is_seat, learn
from tests.games.caribbean_stud.room import SHIPPED
from tests.games.table import facts_of_lines

CATALOGUE = Catalogue((*TABLE_EVENTS, *BANK_EVENTS))
FOLD = Fold(BankRound)


def folded(text: str) -> BankSession:
    session = BankSession(edition=SHIPPED, subject="t", table="t", limits=Limits(), clocks=Clocks())
    for fact in facts_of_lines(text, CATALOGUE):
        session = FOLD(session, fact)
    return session


def stake(amount: int, order: int = 0) -> Stake:
    fact = facts_of_lines("@+0 StakePlaced k1 p-1 3 ante 1", CATALOGUE)[0]
    return Stake(
        id=f"k{order}", player="p-1", box=3, spot="ante", amount=amount, fact=fact, order=order, limits=Limits()
    )


def parts(*amounts: int) -> list[Part]:
    return [part_of(stake(amount, order)) for order, amount in enumerate(amounts)]


# The fold -------------------------------------------------------------------------------------------------------------


def test_what_is_said_between_rounds_belongs_to_the_next() -> None:
    session = folded("""
        @+1 ShuffleStep riffle d-1
        @+2 StakePlaced k1 p-1 1 ante 100
        @+3 #7 RoundOpened
        @+4 #7 CardLaid box/1 card=As
        @+5 ShuffleStep riffle d-1
        @+6 #7 RoundClosed
        @+7 StakePlaced k2 p-1 1 ante 100
    """)
    assert [one.id for one in session.round.stakes] == ["k1"]
    assert [type(fact.event).__name__ for fact in session.round.prepared] == ["ShuffleStep"]
    assert len(session.prepared) == 1
    assert len(session.between) == 1
    assert [one.id for one in FOLD(session, facts_of_lines("@+8 #8 RoundOpened", CATALOGUE)[0]).round.stakes] == ["k2"]


def test_chips_taken_up_are_told_with_their_place() -> None:
    (own,) = folded("""
        @+1 #1 StakePlaced k1 p-1 1 ante 100
        @+2 #1 CardLaid box/1
        @+3 #1 StakeTakenUp k1 p-1 30
        @+4 #1 StakeTakenUp unknown p-1 30
    """).round.stakes
    assert (own.left, own.left_at(2), own.left_at(3)) == (7_000, 10_000, 7_000)


def test_a_redeal_begins_another_deal_of_the_round() -> None:
    round_ = folded("""
        @+1 CutMade d-1
        @+2 #1 CardLaid box/1 card=As
        @+3 #1 DecisionsClosed
        @+4 #1 RedealOrdered
        @+5 #1 ShuffleStep riffle d-1
        @+6 #1 CardLaid box/1 card=Kd
    """).round
    assert (round_.deal, [card.card for card in round_.cards], round_.decisions_closed) == (1, ["Kd"], None)
    assert [len(facts) for facts in (*round_.prepared_before, round_.prepared)] == [1, 1]


@pytest.mark.parametrize(
    ("how", "moved"),
    [
        ("box/2 seq=1", "As"),
        ("box/2 frm=box/1", "Kd"),
        ("box/2 card=As", "As"),
        ("box/2 frm=box/1 card=As", "As"),
    ],
)
def test_a_card_put_elsewhere_is_found_by_what_the_record_says(how: str, moved: str) -> None:
    round_ = folded(f"""
        @+1 #1 CardLaid box/1 card=As seq=1
        @+2 #1 CardLaid box/1 card=Kd seq=2
        @+3 #1 CardReassigned {how}
    """).round
    assert [card.card for card in round_.laid if card.to == "box/2"] == [moved]


def test_owners_dealer_deck_and_limits_run_on() -> None:
    session = folded("""
        @+1 BoxTaken 2 p-2
        @+2 SeatTaken 3 p-3
        @+3 BoxReleased 2
        @+4 DealerSeated s-1
        @+5 DeckOpened d-9
        @+6 LimitsChanged min=10 max=500
        @+7 LimitsChanged max=600
        @+8 TableClosed
    """)
    assert (session.owners, session.dealer, session.deck, session.closed) == ({3: "p-3"}, "s-1", "d-9", True)
    assert (session.limits.low, session.limits.high) == (1_000, 60_000)


# Cards ----------------------------------------------------------------------------------------------------------------


def test_a_hand_dealt_unseen_is_what_its_turning_showed() -> None:
    round_ = folded("""
        @+1 #1 CardLaid dealer
        @+2 #1 CardLaid dealer card=Kd face=up
        @+3 #1 DealerTurned cards=As,Kd
        @+4 #1 CardLaid box/1
        @+5 #1 BoxTurned 1 cards=2c
    """).round
    assert hand(round_, "dealer") == ("As", "Kd")
    assert hand(round_, "box/1") == ("2c",)
    assert hand(round_, "box/2") == ()


def test_boxes_and_their_hands() -> None:
    assert [box_number(place) for place in ("box/3", "box/3.2", "dealer", "flop")] == [3, 3, None, None]
    assert round_robin([1, 3], 2) == ["box/1", "box/3", "dealer"] * 2
    cards = folded("@+1 #1 CardLaid box/1 card=As\n@+2 #1 CardLaid dealer card=As\n@+3 #1 CardLaid box/3").round.laid
    assert [(card.to, place) for card, place in out_of_place(cards, round_robin([1, 3], 1))] == [
        ("dealer", "box/3"), ("box/3", "dealer"),
    ]  # fmt: skip
    assert list(dealt_twice(cards)) == ["As"]
    assert dealt_twice(cards, decks=2) == {}


def test_a_viewer_sees_his_own_box_what_lies_open_and_what_he_has_seen() -> None:
    text = """
        @+1 #1 CardLaid box/1 card=As
        @+2 #1 CardLaid dealer card=2c
        @+3 #1 CardLaid dealer card=Kd face=up
    """
    round_ = folded(text).round
    assert seen(round_, "dealer", Viewpoint(seat="1")) == ("??", "Kd")
    assert seen(round_, "box/1", Viewpoint(seat="1")) == ("As",)
    assert seen(round_, "box/1", Viewpoint()) == ("??",)
    assert seen(round_, "dealer", Viewpoint(all_knowing=True)) == ("2c", "Kd")
    known: frozenset[str] = frozenset()
    for fact in facts_of_lines(text, CATALOGUE):
        known = learn(known, fact.event, Viewpoint(seat="1"))
    assert known == {"As", "Kd"}


@pytest.mark.parametrize(
    ("seat", "place", "own"),
    [
        ("3", "box/3", True), ("3", "box/3.2", True), ("3", "seat/3", True), ("box/3", "box/3", True),
        ("3", "box/31", False), ("1", "box/3.1", False), ("3", "dealer", False),
    ],
)  # fmt: skip
def test_whose_place_it_is(seat: str, place: str, own: bool) -> None:
    assert is_seat(Viewpoint(seat=seat), place) is own


# Money ----------------------------------------------------------------------------------------------------------------


def test_what_is_too_much_goes_back_from_the_chips_placed_last() -> None:
    placed = parts(100, 50, 50)
    assert keep_up_to(placed, 120, "CS-08", "bet_too_large") == 80
    assert [part.live for part in placed] == [100, 20, 0]
    lose(placed, "CS-12")
    assert [(part.taken, part.returned) for part in placed] == [(100, 0), (20, 30), (0, 50)]
    assert line_of(placed[1]).reasons == ("bet_too_large",)


def test_a_win_is_shared_by_what_is_at_risk_to_the_last_unit() -> None:
    placed = parts(100, 50, 50)
    win(placed, 333, "CS-13")
    assert [part.paid for part in placed] == [167, 83, 83]
    assert sum(spread(7, [3, 3, 3])) == 7
    assert spread(5, [0, 2]) == [0, 5]
    assert spread(5, [0, 0]) == [5, 0]


def test_every_way_of_settling_keeps_the_stake_whole() -> None:
    for settle in (lose, push, give_back):
        placed = parts(100, 50)
        keep_up_to(placed, 120, "CS-08", "bet_too_large")
        settle(placed, "CS-12")
        assert all(part.amount == part.taken + part.returned + part.held for part in placed)
    (waiting,) = parts(70)
    assert line_of(waiting).held == 70


def test_limits_by_spot() -> None:
    limits = posted_at_opening(TableOpened("x", "XX", "CZK", min=100, max=900, limits={"bonus": (5, 50)}))
    assert (limits.of("bonus"), limits.of("ante"), limits.own_of("ante")) == ((5, 50), (100, 900), (None, None))
    assert limits.after(LimitsChanged(min=200)).of("ante") == (200, 900)


# Order, words, pictures -----------------------------------------------------------------------------------------------


def test_inside_a_source_its_own_count_decides_and_between_two_only_a_clear_gap() -> None:
    def fact(source: str, sequence: int, at_ms: int) -> Fact:
        one = facts_of_lines("@+0 DecisionsClosed", CATALOGUE)[0]
        return Fact(
            subject=one.subject, source=source, sequence=sequence, topic=one.topic, event=one.event, occurred_at=at_ms
        )

    assert earlier(Clocks(), fact("/a", 1, 5_000), fact("/a", 2, 5_000)) is True
    assert earlier(Clocks(), fact("/a", 2, 5_000), fact("/a", 1, 5_000)) is False
    assert earlier(Clocks(), fact("/a", 1, 5_000), fact("/b", 1, 6_000)) is None
    assert earlier(Clocks(), fact("/a", 1, 5_000), fact("/b", 1, 60_000)) is True


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("StakePlaced k1 p-4 3 ante 100", "p-4 stakes 100 CZK on the ante of box 3"),
        (
            "StakePlaced k1 p-4 3 main 100 chip_kind=cash hand=2",
            "p-4 stakes 100 CZK in cash on the main of box 3, hand 2",
        ),
        ("CardLaid box/3.2 card=As face=up", "A♠ to box 3, hand 2, face up"),
        ("CardLaid flop", "a card to the flop"),
        ("Decided 3 exchange discards=??,??", "box 3 exchanges 2 cards"),
        (
            "DealerTurned cards=As,Kd announced=ace-king",
            "the dealer's cards are turned up: A♠ K♦, announced as ace-king",
        ),
        ("ConductNoted agreement players=p-1,p-2", "noted of p-1, p-2: agreement"),
    ],
)
def test_records_in_words(line: str, words: str) -> None:
    event = facts_of_lines(f"@+0 {line}", CATALOGUE)[0].event
    assert isinstance(event, Event)
    assert tell(event, "CZK") == words


def test_every_record_has_words() -> None:
    assert set(BANK_EVENTS) == set(wording._TELLERS)


def test_a_full_line_is_cut_inside_its_width() -> None:
    for length in range(WIDTH - 2, WIDTH + 2):
        assert sum(len(span.text) for span in fitted((Span("x" * length), Span("yy")))) <= WIDTH
