"""PokerNow logs cut into hands, told in poker events, proved and judged."""

from __future__ import annotations

import gzip
import io
import random
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.schema.common import ChipsMoved, RoundClosed
from events.schema.event import Event
from events.store import Log
from games.adjudicate import Case, judge_session
from games.hand_histories.draft import HandRefused, Imported
from games.hand_histories.formats import FORMATS
from games.hand_histories.imports import import_hands
from games.hand_histories.names import Pseudonyms
from games.hand_histories.pokernow_in import take
from games.hand_histories.pokernow_log import cut, fits
from games.holdem import GAME
from games.registry import shipped_editions
from games.settlement import conserved
from games.shared.poker.events import (
    ActionTaken,
    AgreementMade,
    BoardDealt,
    HandsDealt,
    HandShown,
    LineUp,
    Posted,
    StakesAnnounced,
)
from games.verdict import Verdict
from tests.games.hand_histories.hands import CATALOGUE, facts_of
from tests.games.hand_histories.logs import (
    ANA,
    BLINDS,
    BOB,
    END,
    EVA,
    HEAD,
    JAN,
    NAMES,
    STACKS,
    START_MS,
    WALK,
    entries_of,
    hand,
    log,
    pieces,
    taken,
)
from tests.games.hand_histories.test_real_hands import PLURIBUS, SINGLES, SITES, read
from tests.games.table import editions_of

T = TypeVar("T")
EDITIONS = editions_of(
    GAME, next(toml for room, file, toml in shipped_editions() if (room, file) == ("holdem", "import.toml")), house="import"
)  # fmt: skip
ROOT = Path(__file__).resolve().parents[3]
REAL = ROOT.parent / "shared" / "data" / "hands" / "pokernow-csv"


def judged(found: Imported) -> Verdict:
    facts = facts_of(found)
    [verdict] = judge_session(Case.make(facts[0].subject, facts, CATALOGUE, EDITIONS), {GAME.name: GAME}).verdicts
    return verdict


def of(found: Imported, kind: type[T]) -> list[T]:
    return [event for event in found.draft.events if isinstance(event, kind)]


def agrees(found: Imported) -> None:
    """The file's money is proved, the judge reaches it, and chips are conserved."""
    verdict = judged(found)
    assert found.draft.unproved == []
    assert (verdict.standing, verdict.settlement) == ("valid", "agrees")
    assert conserved(verdict.due)


def back(found: Imported) -> dict[str, int]:
    """What left the pot, by cause and place."""
    return {f"{one.cause} {one.to}": one.amount for one in of(found, ChipsMoved)}


# --- rows and pieces ---


TWO = (
    *hand(*BLINDS, *WALK),
    f"{ANA} shows a 2♣.",
    f"The player {JAN} requested a seat.",
    *(entry.replace("#7", "#8") for entry in hand(*BLINDS, *WALK, stacks=STACKS.replace("(500)", "(495)").replace("(400)", "(405)"))),
)  # fmt: skip


def test_hands_come_in_the_order_of_play_however_the_rows_lie() -> None:
    newest_first = log(*TWO)
    head, *rows = newest_first.decode().splitlines(keepends=True)
    random.Random(5).shuffle(rows)
    shuffled = "".join([head, *rows]).encode()
    assert pieces(newest_first) == pieces(log(*TWO, newest_first=False)) == pieces(shuffled)
    assert [section.name for section in cut(io.BytesIO(newest_first))] == ["7", "8"]


def test_rows_of_one_instant_keep_their_order() -> None:
    header, *rows = log(*TWO).decode().splitlines()
    same = [row.rpartition(",")[0] + ",170000000000000" for row in rows]
    assert [_take(piece).draft.unproved for piece in pieces("\n".join([header, *same]).encode())] == [[], []]


def _take(raw: bytes) -> Imported:
    return take(raw, NAMES)


def test_pieces_of_a_log_put_together_tell_each_hand_once() -> None:
    whole = log(*TWO)
    assert pieces(whole + whole) == pieces(whole)


def test_a_hand_is_the_same_in_a_log_that_was_exported_later() -> None:
    assert _take(pieces(log(*TWO))[0]).key == _take(pieces(log(*TWO[: len(hand(*BLINDS, *WALK))]))[0]).key


def test_a_row_may_span_lines_and_the_line_of_a_hand_is_that_of_its_first_row() -> None:
    raw = log("Game Config Changes\nRun it twice: no\nBomb pot: off", *TWO)
    sections = list(cut(io.BytesIO(raw)))
    lines = raw.decode().split("\n")
    assert [lines[section.line - 1].split(",")[0].strip('"')[:20] for section in sections] == [
        "-- starting hand #7 "[:20],
        "-- starting hand #8 "[:20],
    ]
    assert [_take(section.raw).draft.unproved for section in sections] == [[], []]


def test_logs_are_known_by_their_header_and_read_packed_and_with_a_byte_order_mark(tmp_path: Path) -> None:
    raw = b"\xef\xbb\xbf" + log(*TWO)
    assert fits(raw)
    assert not fits(b"player_nickname,player_id")
    path = tmp_path / "game.csv.gz"
    path.write_bytes(gzip.compress(raw))
    (tmp_path / "game.txt").write_bytes(raw)
    with Log.open(":memory:", CATALOGUE, create=True) as store:
        packed, plain = import_hands(store, [str(path), str(tmp_path / "game.txt")]).files
        assert (packed.imported, packed.refused, packed.unproved) == (2, (), ())
        assert (plain.imported, plain.repeats) == (0, 2)


def test_a_closing_quote_that_is_missing_loses_no_other_hand() -> None:
    broken = b'entry,at,order\n"-- a row cut off,2023-11-14T22:13:19.000Z,169999999900000\n' + b"x\n" * 1001 + log(*TWO)
    found = [_take(raw) for raw in pieces(broken)]
    assert [one.draft.unproved for one in found] == [[], []]


# --- telling ---


def test_a_hand_is_told_with_its_times_and_its_head() -> None:
    found = taken(hand(*BLINDS, *WALK))
    agrees(found)
    assert found.opened.site_hand == "h7"
    assert of(found, StakesAnnounced) == [StakesAnnounced(500, 1000, variant="NT")]
    [line_up] = of(found, LineUp)
    assert (line_up.seats, line_up.stacks) == ((1, 3, 8), (50000, 40000, 60000))
    assert (line_up.button, line_up.small_blind, line_up.big_blind) == (8, 1, 3)
    facts = facts_of(found)
    at = {type(fact.event): fact.occurred_at - START_MS for fact in facts[::-1]}
    assert (at[Posted], at[ActionTaken], at[RoundClosed]) == (2000, 4000, 7000)
    assert [fact.occurred_at for fact in facts] == sorted(fact.occurred_at for fact in facts)


def test_calls_bets_and_raises_name_what_then_lies_before_a_player() -> None:
    found = taken(hand(
        *BLINDS, f"{EVA} raises to 30", f"{ANA} calls 30", f"{BOB} raises to 100", f"{EVA} folds", f"{ANA} calls 100",
        "Flop:  [2♣, 3♣, 9♦]", f"{ANA} checks", f"{BOB} bets 50", f"{ANA} folds",
        f"Uncalled bet of 50 returned to {BOB}", f"{BOB} collected 230 from pot",
    ))  # fmt: skip
    agrees(found)
    acts = [(act.seat, act.action, act.amount) for act in of(found, ActionTaken)]
    assert acts == [
        (8, "raise", 3000), (1, "call", 2500), (3, "raise", 9000), (8, "fold", 0), (1, "call", 7000),
        (1, "check", 0), (3, "bet", 5000), (1, "fold", 0),
    ]  # fmt: skip
    assert back(found) == {"return seat/3": 5000, "award seat/3": 23000}


def test_straddles_and_missed_big_blinds_are_told_as_what_then_lies_there_and_missing_small_blinds_are_dead() -> None:
    found = taken(hand(
        f"{ANA} posts a small blind of 5", f"{BOB} posts a big blind of 10", f"{EVA} posts a missing small blind of 5",
        f"{EVA} posts a missed big blind of 10", f"{ANA} posts a straddle of 20", f"{BOB} folds", f"{EVA} folds",
        f"Uncalled bet of 10 returned to {ANA}", f"{ANA} collected 35 from pot",
    ))  # fmt: skip
    assert [(post.seat, post.kind, post.amount) for post in of(found, Posted)] == [
        (1, "small_blind", 500), (3, "big_blind", 1000), (8, "dead_small_blind", 500), (8, "missed_big_blind", 1000),
        (1, "straddle", 1500),
    ]  # fmt: skip
    agrees(found)


def test_antes_and_short_blinds_make_side_pots() -> None:
    stacks = f"Player stacks: #1 {ANA} (4) | #3 {BOB} (400) | #8 {EVA} (600)"
    found = taken(hand(
        *(f"{who} posts an ante of 1" for who in (ANA, BOB, EVA)), f"{ANA} posts a small blind of 3 and go all in",
        f"{BOB} posts a big blind of 10", f"{EVA} calls 10", f"{BOB} checks", "Flop:  [2♣, 3♣, 9♦]", f"{BOB} checks",
        f"{EVA} checks", "Turn: 2♣, 3♣, 9♦ [4♠]", f"{BOB} checks", f"{EVA} checks", "River: 2♣, 3♣, 9♦, 4♠ [J♥]",
        f"{BOB} checks", f"{EVA} checks", f"{ANA} shows a A♣, A♦.", f"{BOB} shows a K♣, K♦.", f"{EVA} shows a Q♣, Q♦.",
        f"{ANA} collected 12 from pot with Pair, A's (combination: A♣, A♦, J♥, 9♦, 4♠)",
        f"{BOB} collected 14 from pot with Pair, K's (combination: K♣, K♦, J♥, 9♦, 4♠)",
        stacks=stacks,
    ))  # fmt: skip
    agrees(found)
    assert of(found, StakesAnnounced)[0].ante == 100
    assert [pot.amount for pot in judged(found).due.pots] == [1200, 1400]


def test_a_hand_run_twice_has_two_boards_and_two_halves() -> None:
    found = taken(hand(
        *BLINDS, f"{EVA} raises to 600 and go all in", f"{ANA} folds", f"{BOB} calls 400 and go all in",
        f"Uncalled bet of 200 returned to {EVA}", "Remaining players decide whether to run it twice.",
        f"{EVA} chooses to  run it twice.", f"{BOB} chooses to  run it twice.",
        "All players in hand choose to run it twice.", f"{EVA} shows a A♣, A♦.", f"{BOB} shows a K♣, K♦.",
        "Flop:  [2♣, 3♣, 9♦]", "Turn: 2♣, 3♣, 9♦ [4♠]", "River: 2♣, 3♣, 9♦, 4♠ [J♥]",
        "Flop (second run):  [2♥, 3♥, K♥]", "Turn (second run): 2♥, 3♥, K♥ [4♦]",
        "River (second run): 2♥, 3♥, K♥, 4♦ [J♠]",
        f"{EVA} collected 402.50 from pot with Pair, A's (combination: A♣, A♦, J♥, 9♦, 4♠)",
        f"{BOB} collected 402.50 from pot with Three of a Kind, K's (combination: K♣, K♦, K♥, J♠, 4♦)",
    ))  # fmt: skip
    agrees(found)
    assert of(found, AgreementMade) == [AgreementMade("run_it", (3, 8), 2)]
    assert [(laid.board, laid.street) for laid in of(found, BoardDealt)] == [
        (board, street) for board in (1, 2) for street in ("flop", "turn", "river")
    ]
    assert found.opened.smallest_chip == 1


def test_two_boards_by_the_rules_of_the_site_are_dealt_side_by_side() -> None:
    found = taken(hand(
        *BLINDS, f"{EVA} folds", f"{ANA} calls 10", f"{BOB} checks", "Flop:  [2♣, 3♣, 9♦]",
        "Flop (second board):  [2♥, 3♥, K♥]", f"{ANA} bets 20", f"{BOB} calls 20", "Turn: 2♣, 3♣, 9♦ [4♠]",
        "Turn (second board): 2♥, 3♥, K♥ [4♦]", f"{ANA} checks", f"{BOB} checks", "River: 2♣, 3♣, 9♦, 4♠ [J♥]",
        "River (second board): 2♥, 3♥, K♥, 4♦ [J♠]", f"{ANA} checks", f"{BOB} checks", f"{ANA} shows a A♣, A♦.",
        f"{BOB} shows a K♣, Q♦.", f"{ANA} collected 60 from pot with Pair, A's (combination: A♣, A♦, J♥, 9♦, 4♠)",
    ))  # fmt: skip
    agrees(found)
    assert [agreed.text for agreed in of(found, AgreementMade)] == ["two boards by the rules of the site"]


def test_a_bomb_pot_is_told_as_a_bet_and_calls() -> None:
    found = taken(hand(
        f"{ANA} posts a bet of 20 (bomb pot bet)", f"{BOB} calls 20 (bomb pot bet)", f"{EVA} calls 20 (bomb pot bet)",
        "Flop:  [2♣, 3♣, 9♦]", f"{ANA} checks", f"{BOB} bets 30", f"{EVA} folds", f"{ANA} folds",
        f"Uncalled bet of 30 returned to {BOB}", f"{BOB} collected 60 from pot",
    ))  # fmt: skip
    agrees(found)
    assert [act.action for act in of(found, ActionTaken)][:3] == ["bet", "call", "call"]
    assert any("bomb pot" in note for note in found.opened.notes)


def test_cards_shown_and_turned_up_after_the_hand_belong_to_it() -> None:
    found = taken(
        (*hand(*BLINDS, *WALK), "Undealt cards:  [2♣, 3♣, 9♦, 4♠, J♥]", f"{BOB} shows a 7♠.", f"{BOB} shows a 7♠, 2♦.")
    )
    agrees(found)
    assert [(shown.seat, shown.cards) for shown in of(found, HandShown)] == [(3, ("7s",)), (3, ("2d",))]
    rabbits = [(laid.street, laid.cards, laid.rabbit) for laid in of(found, BoardDealt)]
    assert rabbits == [("flop", ("2c", "3c", "9d"), True), ("turn", ("4s",), True), ("river", ("Jh",), True)]


def test_a_bounty_is_a_side_bet_outside_the_pot() -> None:
    stacks = f"Player stacks: #1 {ANA} (492) | #3 {BOB} (411) | #8 {EVA} (597)"
    found = taken((
        *hand(*BLINDS, *WALK), f"{ANA} paid 3 for the 7-2 bounty to {BOB}", f"{EVA} paid 3 for the 7-2 bounty to {BOB}",
        f"{BOB} collected 6 from the 7-2 bounty", HEAD, stacks,
    ))  # fmt: skip
    assert found.draft.unproved == []
    assert [(moved.frm, moved.to, moved.amount) for moved in of(found, ChipsMoved) if moved.cause == "transfer"] == [
        ("seat/1", "seat/3", 300), ("seat/8", "seat/3", 300),
    ]  # fmt: skip
    assert judged(found).settlement == "agrees"


@pytest.mark.parametrize(("empty", "small", "button"), [(3, ANA, 10), (1, BOB, 2), (8, EVA, 7)])
def test_a_dead_button_lies_before_the_blinds_where_nobody_sits(empty: int, small: str, button: int) -> None:
    found = taken(hand(f"{small} posts a small blind of 5", head=HEAD.replace(f"dealer: {EVA}", "dead button")))
    [line_up] = of(found, LineUp)
    assert line_up.button == button
    assert line_up.button not in line_up.seats
    assert any(f"before the blinds, at {button}" in note for note in found.opened.notes)


def test_a_dead_small_blind_is_not_due_from_anybody() -> None:
    found = taken(hand(
        "Dead Small Blind", f"{BOB} posts a big blind of 10", f"{EVA} folds", f"{ANA} folds",
        f"Uncalled bet of 10 returned to {BOB}",
    ))  # fmt: skip
    [line_up] = of(found, LineUp)
    assert (line_up.small_blind, line_up.big_blind) == (None, 3)
    assert found.draft.unproved == []


def test_settings_hold_from_the_next_hand_on() -> None:
    raised = ("The game's small blind was changed from 5 to 25.", "The game's big blind was changed from 10 to 50.")
    only = ("Dead Small Blind", f"{BOB} posts a big blind of 4 and go all in")
    first, second = pieces(log(*hand(*only, raised[0]), raised[1], *hand(*only, head=HEAD.replace("#7", "#8"))))
    stakes = [of(take(raw, NAMES), StakesAnnounced)[0] for raw in (first, second)]
    assert [(one.small_blind, one.big_blind) for one in stakes] == [(0, 400), (2500, 5000)]


# --- whose cards ---


def own_cards(found: Imported) -> dict[int, tuple[str, ...]]:
    [dealt] = of(found, HandsDealt)
    count = len(dealt.seats)
    known = {seat: dealt.cards[at::count] for at, seat in enumerate(dealt.seats)}
    return {seat: cards for seat, cards in known.items() if cards != ("??", "??")}


def test_the_owners_cards_are_his_who_shows_them_and_never_others() -> None:
    shows = (*hand("Your hand is A♥, K♥", *BLINDS, *WALK, END, f"{ANA} shows a K♥, A♥."),)
    plain = hand("Your hand is 2♥, 3♥", *BLINDS, *WALK, head=HEAD.replace("#7", "#8"))
    assert [own_cards(take(raw, NAMES)) for raw in pieces(log(*shows, *plain))] == [
        {1: ("Ah", "Kh")},
        {1: ("2h", "3h")},
    ]
    other = hand("Your hand is 4♥, 5♥", *BLINDS, *WALK, END, f"{ANA} shows a 9♥, 9♦.", head=HEAD.replace("#7", "#9"))
    doubtful = [take(raw, NAMES) for raw in pieces(log(*shows, *plain, *other))]
    assert [own_cards(one) for one in doubtful] == [{1: ("Ah", "Kh")}, {}, {}]
    assert any("nobody can tell" in note for note in doubtful[1].opened.notes)


# --- the proof ---


@pytest.mark.parametrize(
    ("between", "now", "problem"),
    [
        ((), "#1 {a} (495) | #3 {b} (405) | #8 {e} (600)", None),
        ((), "#1 {a} (495) | #3 {b} (405)", None),
        ((), "#1 {a} (500) | #3 {b} (405)", "seat 1 begins the next hand with 500, this one leaves 495"),
        (("The admin updated the player {a} stack from 495 to 500.",), "#1 {a} (500) | #3 {b} (405)", None),
        (("The player {a} quits the game with a stack of 495.", "The player {a} joined the game with a stack of 50."),
         "#5 {a} (50) | #3 {b} (405)", None),
        (("The player {a} rebought. New stack 900.",), "#1 {a} (900) | #3 {b} (405)", None),
        (("The player {a} quits the game with a stack of 490.",), "#3 {b} (405) | #8 {e} (600)",
         "seat 1 leaves with 490, this hand leaves 495"),
        (('The player "Ana @ new" changed the ID from a1 to new because authenticated login.',),
         '#1 "Ana @ new" (495) | #3 {b} (405)', None),
        (('The player "Ana @ new" changed the ID from a1 to new because authenticated login.',),
         '#1 "Ana @ new" (490) | #3 {b} (405)', "seat 1 begins the next hand with 490, this one leaves 495"),
    ],
)  # fmt: skip
def test_what_a_hand_leaves_is_what_the_log_says_next(between: tuple[str, ...], now: str, problem: str | None) -> None:
    players = {"a": ANA, "b": BOB, "e": EVA}
    lines = [line.format(**players) if "{" in line else line for line in (*between, f"Player stacks: {now}")]
    found = taken((*hand(*BLINDS, *WALK), HEAD.replace("#7", "#8"), *lines[-1:]) if not between else
                  (*hand(*BLINDS, *WALK), *lines[:-1], HEAD.replace("#7", "#8"), lines[-1]))  # fmt: skip
    assert found.draft.unproved == ([problem] if problem else [])
    assert set(found.opened.notes) >= set(found.draft.unproved)


def test_a_pot_that_does_not_come_out_as_it_went_in_is_named() -> None:
    found = taken(hand(*BLINDS, *WALK[:-1], f"{BOB} collected 9 from pot"))
    assert found.draft.unproved == ["the file pays 1 of the pot to nobody"]


def test_an_entry_that_is_not_understood_is_named_and_the_hand_kept_if_it_adds_up() -> None:
    found = taken(hand(*BLINDS, f"{EVA} juggles with Bob", *WALK))
    [named] = found.draft.unproved
    assert "not understood, though the money adds up" in named
    assert f'"{NAMES.of("e-3")}" juggles with {NAMES.of("b_2")}' in named
    assert judged(found).settlement == "agrees"


def test_an_entry_that_is_not_understood_refuses_a_hand_that_does_not_add_up_without_it() -> None:
    with pytest.raises(HandRefused, match=r"juggles .*does not add up: the file pays out 50 more") as refused:
        taken(hand(*BLINDS, f"{EVA} juggles 50", *WALK[:-1], f"{BOB} collected 60 from pot"))
    assert refused.value.code == "action"


@pytest.mark.parametrize(
    ("entries", "code", "reason"),
    [
        (hand(*BLINDS)[:-1], "incomplete", "the log ends before the hand does"),
        ((*hand(*BLINDS)[:-1], *hand(*BLINDS, *WALK)), "incomplete", "begins another hand before"),
        (hand(*BLINDS, stacks="Player stacks: nobody"), "field", "no line of stacks"),
        (hand(*BLINDS, stacks=f"Player stacks: #1 {ANA} (5) | #1 {BOB} (5)"), "field", "no line of stacks"),
        (hand(*BLINDS, stacks=f"Player stacks: #1 {ANA} (5) | #2 {ANA} (5)"), "field", "stands twice"),
        (hand(head=HEAD.replace("No Limit Texas Hold'em", "Pot Limit Omaha Hi")), "not_yet", "Pot Limit Omaha Hi"),
        (hand("Your hand is A♥, K♥, 2♥, 3♥", *BLINDS), "not_yet", "4 cards"),
    ],
)
def test_a_hand_that_cannot_be_taken_over_says_why(entries: tuple[str, ...], code: str, reason: str) -> None:
    with pytest.raises(HandRefused, match=reason) as refused:
        taken(entries)
    assert refused.value.code == code


@pytest.mark.parametrize(("game", "betting"), [("Pot Limit", "pot_limit"), ("Limit", "fixed_limit"), ("", "no_limit")])
def test_limit_and_pot_limit_holdem_are_read(game: str, betting: str) -> None:
    told = f"({game} Texas Hold'em) " if game else ""
    found = taken(hand(*BLINDS, *WALK, head=HEAD.replace("(No Limit Texas Hold'em) ", told)))
    assert of(found, StakesAnnounced)[0].betting == betting
    agrees(found)


# --- names ---


def test_no_name_and_no_id_of_the_site_reaches_the_log() -> None:
    jan = f"The player {JAN} requested a seat."
    found = taken((*hand(*BLINDS, "Ana shouts at Eva N and b_2", *WALK, jan), f"{ANA} shows a 2♣."), Pseudonyms(b"key"))
    told = found.opened.text + repr(found.opened.notes) + repr(found.draft.events) + repr(found.draft.unproved)
    for name in ("Ana", "Bob", "Eva", "Jan", "a1", "b_2", "e-3", "j4"):
        assert not re.search(rf"(?<![\w-]){name}(?![\w-])", told)
    assert found.opened.text.startswith("entry,at,order\n")


# --- whatever comes ---

ENTRIES = st.sampled_from([
    *BLINDS, *WALK, HEAD, STACKS, END, "Flop:  [2♣, 3♣, 9♦]", "Turn: 2♣, 3♣, 9♦ [4♠]", "River: 2♣ [J♥]",
    "River (second run): [2♥]", "Flop (second board):  [2♣, 3♣, 9♦]", "Your hand is A♥, K♥", f"{ANA} shows a A♥, K♥.",
    f"{EVA} calls 10", f"{EVA} raises to 600 and go all in", f"{BOB} checks", f"{JAN} bets 5", "Undealt cards: [2♣]",
    f"{ANA} paid 3 for the 7-2 bounty to {JAN}", f"{ANA} posts an ante of 1", "All players in hand choose to run it twice.",
    f"The player {ANA} changed the ID from a1 to b_2 because of it", f"{EVA} calls 5 (bomb pot bet)", "nonsense \"'\n",
    f"Player stacks: #1 {ANA} (0) | #2 {JAN} (7.5)", f"{BOB} posts a big blind of 3 and go all in", f"{EVA} calls 0",
])  # fmt: skip


@settings(deadline=None)
@given(st.lists(ENTRIES, max_size=30), st.booleans())
def test_no_log_whatever_it_says_is_an_error(entries: list[str], in_a_hand: bool) -> None:
    """Hands are told or refused with a reason, and judged twice alike."""
    for raw in pieces(log(*(hand(*entries) if in_a_hand else entries))):
        try:
            found = take(raw, NAMES)
        except HandRefused:
            continue
        assert judged(found) == judged(found)
        if judged(found).due.known:
            assert conserved(judged(found).due)


@given(st.binary(max_size=300))
def test_no_bytes_are_an_error(raw: bytes) -> None:
    for piece in pieces(raw + log(*TWO)):
        with suppress(HandRefused):
            take(piece, NAMES)


# --- hands that were really played ---

WRITTEN = (Posted, ActionTaken, BoardDealt, HandShown, ChipsMoved)


def is_writable(events: Sequence[Event]) -> bool:
    """Whether the site's log can tell it: stacks and shown cards known, the pot paid out, no rake."""
    moved = [one for one in events if isinstance(one, ChipsMoved)]
    return (
        bool(moved)
        and all(one.to.startswith("seat/") for one in moved)
        and not any(isinstance(one, LineUp) and None in one.stacks for one in events)
        and not any(isinstance(one, HandShown | BoardDealt) and "??" in one.cards for one in events)
    )


@pytest.mark.skipif(not REAL.is_dir(), reason=f"no real logs at {REAL.relative_to(ROOT.parent)}")
def test_every_real_hand_is_proved_by_the_next_and_reached_by_the_judge() -> None:
    counts: Counter[str] = Counter()
    for path in sorted(REAL.glob("*.csv")):
        with path.open("rb") as file:
            for section in cut(file):
                found = take(section.raw, NAMES)
                verdict = judged(found)
                assert found.draft.unproved == [], (path.name, section.name)
                assert conserved(verdict.due), (path.name, section.name)
                assert (verdict.standing, verdict.settlement) == ("valid", "agrees"), (path.name, section.name)
                counts["hands"] += 1
                counts["owners"] += bool(own_cards(found))
                following = [entry.told for entry in found.hand.following if entry.told.what == "stacks"]
                counts["proved by the next"] += bool(following)
                counts["dead buttons"] += any("dead button" in note for note in found.opened.notes)
    assert counts == {"hands": 340, "owners": 340, "proved by the next": 338, "dead buttons": 3}


@pytest.mark.skipif(not REAL.is_dir(), reason=f"no real hands at {REAL.parent.relative_to(ROOT.parent)}")
def test_hands_of_other_sites_written_as_a_log_are_read_as_they_were_played() -> None:
    """All that is known of a hand but hidden cards and rake has words in the log."""
    counts: Counter[str] = Counter()
    for path in (*PLURIBUS[:4], SITES, *SINGLES):
        for section, played in read(path):
            if not isinstance(played, Imported) or not is_writable(played.draft.events):
                continue
            found = taken(entries_of(played.draft.events))
            told, again = ([one for one in hand.draft.events if isinstance(one, WRITTEN)] for hand in (played, found))
            assert again == told, (path.name, section)
            assert found.draft.unproved == [], (path.name, section)
            assert judged(found).settlement == "agrees", (path.name, section)
            counts["hands"] += 1
            counts["split pots"] += sum(isinstance(one, ChipsMoved) and one.cause == "award" for one in told) > 1
    assert counts["hands"] > 600
    assert counts["split pots"] > 0


@pytest.mark.skipif(not REAL.is_dir(), reason=f"no real hands at {REAL.parent.relative_to(ROOT.parent)}")
def test_dead_blinds_straddles_and_second_boards_of_real_tables_are_read_as_they_were_played() -> None:
    """The site's own hands by way of another format, written as its log again."""
    ohh = next(one for one in FORMATS if one.name == "ohh")
    counts: Counter[str] = Counter()
    for topic in ("dead_blind", "extra_blind", "straddle", "run_it_twice"):
        with (REAL.parent / "ohh" / "by-topic" / f"{topic}.ohh").open("rb") as file:
            for section in ohh.cut(file):
                with suppress(HandRefused):  # Omaha
                    played = ohh.take(section.raw, NAMES)
                    if is_writable(played.draft.events):
                        found = taken(entries_of(played.draft.events))
                        assert acts_of(found) == acts_of(played), (topic, section.name)
                        assert found.draft.unproved == [], (topic, section.name)
                        assert judged(found).settlement == "agrees", (topic, section.name)
                        counts[topic] += 1
    assert counts.keys() == {"dead_blind", "extra_blind", "straddle", "run_it_twice"}
    assert sum(counts.values()) > 100


def acts_of(found: Imported) -> list[Event]:
    """Posts, acts, boards and chips; the log has one word for what others call an extra blind and a missed one."""
    told = [one for one in found.draft.events if isinstance(one, (Posted, ActionTaken, BoardDealt, ChipsMoved))]
    return [
        Posted(one.seat, "missed_big_blind", one.amount)
        if isinstance(one, Posted) and one.kind == "extra_blind"
        else one
        for one in told
    ]
