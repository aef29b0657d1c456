"""`hands find`: what it finds is what the judge and the records say, condition by condition."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cli import assembly
from cli.assembly import rooms
from games.hand_histories.names import Pseudonyms
from games.shared.poker.events import (
    BoardDealt,
    CardDealt,
    HandMucked,
    HandsDealt,
    HandShown,
    HoleDealt,
    LineUp,
    MisdealDeclared,
    PlayerDealtIn,
)  # fmt: skip
from games.verdict import Verdict
from tests.cli.desk import Desk, lines_of
from tests.cli.test_hands import hands
from tests.games.hand_histories.logs import ANA, BLINDS, BOB, EVA, WALK, hand, log

ALL = ("--limit", "100000", "--json")
RUN_TWICE = hand(
    *BLINDS, f"{EVA} raises to 600 and go all in", f"{ANA} folds", f"{BOB} calls 400 and go all in",
    f"Uncalled bet of 200 returned to {EVA}", "All players in hand choose to run it twice.", f"{EVA} shows a A♣, A♦.",
    f"{BOB} shows a K♣, K♦.", "Flop:  [2♣, 3♣, 9♦]", "Turn: 2♣, 3♣, 9♦ [4♠]", "River: 2♣, 3♣, 9♦, 4♠ [J♥]",
    "Flop (second run):  [2♥, 3♥, K♥]", "Turn (second run): 2♥, 3♥, K♥ [4♦]", "River (second run): 2♥, 3♥, K♥, 4♦ [J♠]",
    f"{EVA} collected 402.50 from pot with Pair, A's (combination: A♣, A♦, J♥, 9♦, 4♠)",
    f"{BOB} collected 402.50 from pot with Three of a Kind, K's (combination: K♣, K♦, K♥, J♠, 4♦)",
)  # fmt: skip


class Seat(NamedTuple):
    """A seat by the facts alone."""

    seat: int
    player: str
    stack: int | None
    cards: frozenset[str]
    contends: bool
    all_in: bool
    paid: int


class Told(NamedTuple):
    """A hand by the judge and the facts alone."""

    verdict: Verdict
    seats: list[Seat]
    board: frozenset[str]
    showdown: bool

    @property
    def pot(self) -> int:
        """Without what nobody called."""
        return sum(line.taken + line.held for line in self.verdict.due.lines)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """Two tables of ours, one with a breach, hands in PHH and a log of PokerNow."""
    made = Desk(tmp_path_factory.mktemp("search")).init()
    holdem = rooms()["holdem"]
    made.ingest(lines_of(holdem.deal(25, 7)), "nl1.ndjson")
    breach = made.run("dealer", "holdem", "--rounds", "15", "--seed", "8", "--breach", "NL-27", "--table", "praha/NL-2")
    (made.folder / "nl2.ndjson").write_text(breach.out)
    assert made.run("ingest", str(made.folder / "nl2.ndjson")).code == 0
    (made.folder / "day.phhs").write_text(hands(3))
    second = hand(
        *BLINDS, *WALK, head=f"-- starting hand #8 (id: h8)  No Limit Texas Hold'em (dealer: {EVA}) --",
        stacks=f"Player stacks: #1 {ANA} (495.00) | #3 {BOB} (402.50) | #8 {EVA} (602.50)",
    )  # fmt: skip
    (made.folder / "game.csv").write_bytes(log(*RUN_TWICE, *second))
    assert made.run("hands", "import", str(made.folder / "day.phhs"), str(made.folder / "game.csv")).code == 0
    return made


@pytest.fixture(scope="module")
def told(desk: Desk) -> dict[str, Told]:
    """Every hand of the store, by address."""
    with assembly.open_log(desk.store) as opened:
        book = assembly.casebook(opened)
        subjects = [*opened.subjects("table/"), *opened.subjects("import/")]
        return {address: one for subject in subjects for address, one in _hands(book, subject)}


def _hands(book: Any, subject: str) -> Iterator[tuple[str, Told]]:
    facts = book.case(subject).ordered.facts
    for verdict in book.judge(subject).verdicts:
        name = verdict.round.partition("#")[2]
        own = [fact.event for fact in facts if fact.round == name]
        yield f"{subject}#{name}", _hand(verdict, own)


def _hand(verdict: Verdict, own: list[Any]) -> Told:
    players: dict[int, tuple[str, int | None]] = {}
    cards: dict[int, set[str]] = {}
    board: set[str] = set()
    for event in own:
        if isinstance(event, LineUp):
            players |= {
                seat: (who, stack) for seat, who, stack in zip(event.seats, event.players, event.stacks, strict=True)
            }
        elif isinstance(event, PlayerDealtIn) and event.status != "absent":
            players[event.seat] = (event.player, event.stack)
        elif isinstance(event, MisdealDeclared):
            cards = {}
        elif isinstance(event, HandsDealt):
            for at, card in enumerate(event.cards):
                cards.setdefault(event.seats[at % len(event.seats)], set()).add(card)
        elif isinstance(event, HoleDealt | HandShown | HandMucked):
            cards.setdefault(event.seat, set()).update(event.cards)
        elif isinstance(event, CardDealt) and event.to.startswith("seat/"):
            cards.setdefault(int(event.to[5:]), set()).add(event.card)
        elif isinstance(event, BoardDealt) or (isinstance(event, CardDealt) and event.to in ("flop", "turn", "river")):
            board.update(event.cards if isinstance(event, BoardDealt) else [event.card])
    lines = {line.stake: line for line in verdict.due.lines}
    on_record = {line.stake: line.paid for line in verdict.recorded.lines} if verdict.recorded is not None else {}
    eligible = {stake for pot in verdict.due.pots for stake in pot.eligible}
    mucked = {event.seat for event in own if isinstance(event, HandMucked)}
    seats = [
        Seat(
            seat, who, stack, frozenset(cards.get(seat, set()) - {"??"}), f"seat/{seat}" in eligible or seat in mucked,
            bool(stack and f"seat/{seat}" in lines and lines[f"seat/{seat}"].staked >= stack),
            on_record.get(f"seat/{seat}", lines[f"seat/{seat}"].paid if f"seat/{seat}" in lines else 0),
        )
        for seat, (who, stack) in sorted(players.items())
    ]  # fmt: skip
    return Told(verdict, seats, frozenset(board), len(eligible) > 1 or bool(mucked))


def found(desk: Desk, *conditions: str) -> set[str]:
    result = desk.run("hands", "find", *conditions, *ALL)
    assert (result.code, result.err) == (0, ""), result
    return {row["round"] for row in result.rows}


def test_every_hand_is_there_as_the_judge_has_it(desk: Desk, told: dict[str, Told]) -> None:
    rows = {row["round"]: row for row in desk.run("hands", "find", *ALL).rows}
    assert rows.keys() == told.keys()
    for address, one in told.items():
        row = rows[address]
        assert (row["seats"], row["players"]) == (
            [seat.seat for seat in one.seats],
            [seat.player for seat in one.seats],
        )
        assert row["winners"] == [seat.player for seat in one.seats if seat.paid > 0]
        assert (row["pot_minor"], row["is_showdown"]) == (one.pot, one.showdown)
        assert row["is_all_in"] == any(seat.all_in for seat in one.seats)
        assert {card for board in row["boards"] for card in board} == one.board
        assert row["findings"] == sorted({finding.rule for finding in one.verdict.findings})
        assert (row["standing"], row["settlement"]) == (one.verdict.standing, one.verdict.settlement)


def test_conditions_are_about_the_hand_or_one_and_the_same_seat(desk: Desk, told: dict[str, Told]) -> None:
    """Each search against the same condition over the facts."""
    some = next(one for one in told.values() if one.showdown and len(one.board) == 5)
    winner = next(seat for seat in some.seats if seat.paid > 0)
    card, other = sorted(winner.cards)
    high, low = sorted(card[0] + other[0], key="23456789TJQKA".index, reverse=True)
    suited = "s" if card[1] == other[1] else "o" if high != low else ""
    on_board = sorted(some.board)[:2]

    def hits(of_hand: Any = None, of_seat: Any = None) -> set[str]:
        return {
            address
            for address, one in told.items()
            if (of_hand is None or of_hand(one)) and (of_seat is None or any(map(of_seat, one.seats)))
        }

    def held(seat: Seat) -> bool:
        ranks = sorted(one[0] for one in seat.cards)
        suits = {one[1] for one in seat.cards}
        return ranks == sorted(high + low) and (not suited or (len(suits) == 1) == (suited == "s"))

    searches = {
        ("--player", winner.player): hits(None, lambda seat: seat.player == winner.player),
        ("--seat", str(winner.seat)): hits(None, lambda seat: seat.seat == winner.seat),
        ("--cards", card + other): hits(None, lambda seat: {card, other} <= seat.cards),
        ("--cards", f"{other} {card.upper()}"): hits(None, lambda seat: {card, other} <= seat.cards),
        ("--cards", card): hits(None, lambda seat: card in seat.cards),
        ("--cards", high + low + suited): hits(None, held),
        ("--board", "".join(on_board)): hits(lambda one: set(on_board) <= one.board),
        ("--pot-over", "500"): hits(lambda one: one.pot > 50_000),
        ("--pot-under", "12.5"): hits(lambda one: one.pot < 1250),
        ("--showdown",): hits(lambda one: one.showdown),
        ("--all-in",): hits(None, lambda seat: seat.all_in),
        ("--player", winner.player, "--showdown"): hits(
            lambda one: one.showdown, lambda seat: seat.player == winner.player and seat.contends
        ),
        ("--player", winner.player, "--all-in"): hits(None, lambda seat: seat.player == winner.player and seat.all_in),
        ("--player", winner.player, "--cards", card, "--won"): hits(
            None, lambda seat: seat.player == winner.player and card in seat.cards and seat.paid > 0
        ),
        ("--finding", "nl-27"): hits(lambda one: any(finding.rule == "NL-27" for finding in one.verdict.findings)),
        ("--showdown", "--pot-over", "500"): hits(lambda one: one.showdown and one.pot > 50_000),
    }
    for conditions, wanted in searches.items():
        assert wanted, conditions
        assert wanted < told.keys(), conditions
        assert found(desk, *conditions) == wanted, conditions


def test_hands_are_found_by_table_house_day_and_site(desk: Desk, told: dict[str, Told]) -> None:
    nl1 = {address for address in told if "/NL-1/" in address}
    nl2 = {address for address in told if "/NL-2/" in address}
    assert found(desk, "--table", "nl-1") == found(desk, "--table", "brno/NL-1") == nl1
    assert found(desk, "--table", "praha/NL-2") == nl2
    assert found(desk, "--table", "brno/NL-2") == set()
    assert found(desk, "--day", "2026-11-28") == nl1 | nl2
    assert len(found(desk, "--site", "pokernow")) == 2


def test_a_player_is_found_by_the_name_that_his_history_wrote(desk: Desk) -> None:
    assert len(found(desk, "--player", "Bedrich")) == len(found(desk, "--player", Pseudonyms().of("Bedrich"))) == 3
    assert found(desk, "--player", "Eva N @ e-3") == found(desk, "--player", "e-3") == found(desk, "--site", "PokerNow")
    key = desk.folder / "secret"
    key.write_bytes(b"another key\n")
    refused = desk.run("hands", "find", "--player", "Bedrich", "--key-file", str(key))
    assert (refused.code, "no hand has a player `Bedrich`" in refused.err) == (2, True)


def test_a_list_has_a_line_a_hand_and_says_what_to_do_next(desk: Desk) -> None:
    shown = desk.run("hands", "find", "--site", "PokerNow", "--all-in", columns=150)
    assert shown.code == 0
    [_head, line] = shown.out.splitlines()
    for told in ("805 chips", "2♣ 3♣ 9♦ 4♠ J♥ / 2♥ 3♥ K♥ 4♦ J♠", Pseudonyms().of("e-3"), "2023-11-14"):
        assert told in line
    assert "A♣" not in line
    assert "1 hand" in shown.err
    address = re.search(r"recoup replay (\S+)", shown.err)
    assert address is not None
    assert address[1] in line
    assert desk.run("replay", address[1]).code == 0
    table = desk.run("hands", "find", "--table", "NL-1", "--limit", "2")
    assert len(table.out.splitlines()) == 3
    assert "--limit shows more than 2" in table.err
    assert desk.run("judge", table.out.splitlines()[1].split()[0]).code in (0, 5)


def test_new_records_are_found_without_being_asked_for(desk: Desk, tmp_path: Path) -> None:
    own = Desk(tmp_path).init()
    (own.folder / "one.phhs").write_text(hands(1))
    own.run("hands", "import", str(own.folder))
    assert len(own.run("hands", "find", "--json").rows) == 1
    (own.folder / "one.phhs").write_text(hands(3))
    own.run("hands", "import", str(own.folder))
    assert len(own.run("hands", "find", "--json").rows) == 3
    assert own.run("hands", "find", "--board", "2c", "--json").out == ""


@pytest.mark.parametrize(
    ("conditions", "said"),
    [
        (("--cards", "Ax"), "`Ax` in --cards Ax is no card"),
        (("--cards", "AhKsQ"), "`Q` in --cards AhKsQ is no card"),
        (("--cards", "AhAh"), "names a card twice"),
        (("--cards", "AAs"), "a pair is never suited"),
        (("--cards", "2c3c4c5c6c"), "names 5 cards, at the most 4"),
        (("--board", "AK"), "`Ak` in --board AK is no card"),
        (("--pot-over", "many"), "`many` is not an amount"),
        (("--pot-under", "-5"), "no pot is smaller than nothing"),
        (("--finding", "odd chip"), "`odd chip` is no rule"),
        (("--won",), "--won needs to know who"),
        (("--day", "yesteryear"), "yesteryear"),
        (("--player", "nobody"), "no hand has a player `nobody`"),
        (("--site", "Stars"), "no hand was imported from `Stars`"),
        (("--table", "NL-9"), "no poker hand was recorded at `NL-9`"),
        (("--pot-over", "1000000000"), "no hand fits"),
        (("--key-file", "/nowhere/key", "--player", "x"), "/nowhere/key"),
    ],
)  # fmt: skip
def test_what_cannot_be_searched_or_found_is_said(desk: Desk, conditions: tuple[str, ...], said: str) -> None:
    result = desk.run("hands", "find", *conditions)
    assert result.code in (2, 3)
    assert result.out == ""
    assert said in " ".join(result.err.split())
    assert "Traceback" not in result.err


def test_a_store_without_hands_says_how_to_bring_some_in(tmp_path: Path) -> None:
    result = Desk(tmp_path).init().run("hands", "find")
    assert (result.code, "recoup hands import" in result.err) == (2, True)
