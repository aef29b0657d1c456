"""What an officer sees of a hand: hidden cards, streets, moments, keys, and why something was found."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli import assembly
from events.schema.envelope import make_envelope
from events.schema.event import to_plain
from events.schema.notation import read_line
from events.values.clock import parse_time
from tests.cli.desk import Desk, Result, lines_of

TABLE = "table/brno/T-1/2026-11-28.1"
CARDS = re.compile(r"(?<!\w)[2-9TJQKA][cdhs](?!\w)|(?:10|[2-9JQKA])[♣♦♥♠]")

HAND = """
TableOpened holdem NL CZK min=10 smallest_chip=5
StakesAnnounced 5 10
#7 RoundOpened
#7 ButtonPlaced 1
#7 PlayerDealtIn 1 p-1 1000
#7 PlayerDealtIn 2 p-2 60
#7 PlayerDealtIn 3 p-3 1000
#7 Posted 2 small_blind 5
#7 Posted 3 big_blind 10
#7 CardDealt seat/2 card=Kh seq=1
#7 CardDealt seat/3 card=Qh seq=2
#7 CardDealt seat/1 card=Ah seq=3
#7 CardDealt seat/2 card=Kd seq=4
#7 CardDealt seat/3 card=Qd seq=5
#7 CardDealt seat/1 card=Ad seq=6
#7 ActionTaken 1 raise amount=30
#7 ActionTaken 2 all_in amount=55
#7 ActionTaken 3 call amount=50
#7 ActionTaken 1 call amount=30
#7 CardBurned card=7c seq=7
#7 CardDealt flop card=9c seq=8 face=up
#7 CardDealt flop card=5d seq=9 face=up
#7 CardDealt flop card=3h seq=10 face=up
#7 ActionTaken 3 check
#7 ActionTaken 1 bet amount=100
#7 ActionTaken 3 fold
#7 ChipsMoved pot seat/1 100 return stake=seat/1
#7 CardBurned card=7d seq=11
#7 CardDealt turn card=8s seq=12 face=up
#7 CardBurned card=7h seq=13
#7 CardDealt river card=2s seq=14 face=up
#7 HandShown 1 Ah,Ad
#7 HandMucked 2 cards=Kh,Kd
#7 ChipsMoved pot seat/1 180 award stake=seat/1
#7 RoundClosed
"""
"""Aces against kings all in; the queens fold on the flop. No rake is taken, and the kings are mucked unseen."""


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """A store with one hand, whose every card is on record; nobody writes to it."""
    desk = Desk(tmp_path_factory.mktemp("hand")).init()
    catalogue = assembly.catalogue().at_table(assembly.rooms()["holdem"].events)
    start = parse_time("2026-11-28T21:40:00+01:00")
    made = []
    for sequence, text in enumerate(HAND.strip().splitlines(), 1):
        line = read_line(f"@+{sequence} {text}", catalogue)
        made.append(
            make_envelope(
                subject=TABLE,
                source="/brno/T-1/terminal",
                sequence=sequence,
                topic=line.event.TOPIC,
                at_ms=start + (line.offset_ms or 0),
                data=to_plain(line.event),
                round_name=line.round,
            )
        )
    assert desk.ingest(lines_of(made)).code == 0
    return desk


def shown(desk: Desk, *words: str) -> Result:
    result = desk.run("replay", "T-1#7", *words)
    assert result.code == 0, result
    return result


def cards_in(text: str) -> set[str]:
    """Every card that stands in a text, in two letters or with its suit."""
    letters = str.maketrans("♣♦♥♠", "cdhs")
    return {found.translate(letters).replace("10", "T") for found in CARDS.findall(text)}


BOARD = {"9c", "5d", "3h", "8s", "2s"}


# --- what is hidden ---


def test_no_line_and_no_picture_names_a_card_that_never_lay_open(desk: Desk) -> None:
    text = shown(desk).out
    assert cards_in(text) == BOARD | {"Ah", "Ad"}
    assert "CardDealt seat/2 card=?? seq=1  (hidden)" in text
    assert "HandMucked 2 cards=??,??  (hidden)" in text
    assert "CardBurned card=?? seq=7  (hidden)" in text


def test_json_hides_the_same_cards_and_says_where(desk: Desk) -> None:
    result = shown(desk, "--json")
    assert cards_in(result.out) == BOARD | {"Ah", "Ad"}
    dealt = next(row for row in result.rows if row["data"].get("to") == "seat/1")
    assert (dealt["data"]["card"], dealt["hidden"], dealt["words"]) == ("??", ["card"], "a card to seat 1")
    opened = next(row for row in result.rows if row["type"] == "PK.HandShown.v1")
    assert (opened["data"]["cards"], opened["hidden"]) == (["Ah", "Ad"], [])


def test_a_card_shows_from_the_record_on_that_shows_it(desk: Desk) -> None:
    rows = shown(desk, "--json").rows
    showing = next(row["step"] for row in rows if row["type"] == "PK.HandShown.v1")
    before, then = (shown(desk, "--at", str(step)).out for step in (showing - 1, showing))
    assert cards_in(before) == BOARD
    assert cards_in(then) == BOARD | {"Ah", "Ad"}
    assert "pair, aces, nine, eight and five kickers" in then


def test_a_seat_sees_its_own_cards_from_the_deal_on(desk: Desk) -> None:
    text = shown(desk, "--viewpoint", "2", "--street", "preflop").out
    assert cards_in(text) == {"Kh", "Kd"}
    whole = shown(desk, "--viewpoint", "2").out
    assert cards_in(whole) == BOARD | {"Kh", "Kd", "Ah", "Ad"}
    assert "HandMucked 2 cards=Kh,Kd" in whole


def test_of_dealt_hands_too_no_card_shows_that_never_lay_open(disputed: Desk) -> None:
    everything = disputed.run("replay", "brno/NL-1", "--all-knowing", "--json").rows
    opened = {
        card
        for row in everything
        if row["type"] in ("PK.HandShown.v1", "PK.CardExposed.v1", "PK.ButtonCardDrawn.v1")
        or (row["type"] == "PK.CardDealt.v1" and row["data"]["to"] in ("flop", "turn", "river"))
        for card in cards_in(row["line"])
    }
    dealt = {card for row in everything for card in cards_in(row["line"])}
    assert dealt - opened
    for words in ([], ["--words"], ["--json"]):
        assert cards_in(disputed.run("replay", "brno/NL-1", *words).out) <= opened


def test_who_may_see_all_sees_all(desk: Desk) -> None:
    text = shown(desk, "--all-knowing").out
    assert cards_in(text) == BOARD | {"Ah", "Ad", "Kh", "Kd", "Qh", "Qd", "7c", "7d", "7h"}
    assert "hidden" not in text


def test_the_key_for_hidden_cards_lifts_and_hides_again(desk: Desk) -> None:
    screens = shown_keys(desk, b"$aaq")
    assert cards_in(screens[1]) == BOARD | {"Ah", "Ad"}
    assert {"Kh", "Qd", "7c"} <= cards_in(screens[2])
    assert screens[3] == screens[1]


def shown_keys(desk: Desk, keys: bytes, *words: str, columns: int = 100) -> list[str]:
    """The screens that these keys leave behind."""
    result = desk.run("replay", "T-1#7", "--step", *words, stdin=keys, columns=columns)
    assert result.code == 0, result
    return result.out.split("REPLAY of")[1:]


def test_records_in_words_hide_the_same(desk: Desk) -> None:
    text = shown(desk, "--words").out.replace("\u00a0", " ")
    assert cards_in(text) == BOARD | {"Ah", "Ad"}
    for words in ("a card to seat 2  (hidden)", "seat 1 raises, adding 30 CZK", "seat 1 shows A♥ A♦", "seat 2 mucks"):
        assert words in text


# --- the table ---


def test_the_table_at_the_flop_reads_as_the_officer_saw_it(desk: Desk) -> None:
    said = shown(desk, "--at", "23").out.replace("\u00a0", " ").partition("── Hand")[2]
    assert said.splitlines()[1:] == [
        "board   9♣ 5♦ 3♥",
        "burnt   ▒▒",
        "── Seats " + "─" * 90,
        "  seat       player  cards  behind  in front",
        "   1 BTN     p-1     ▒▒ ▒▒     840       100",
        "   2 SB      p-2     ▒▒ ▒▒       0            all in",
        "▶  3 BB      p-3     ▒▒ ▒▒     940",
        "── Pots, bets in front included " + "─" * 67,
        "main             180  seats 1, 2, 3",
        "side 1           100  seats 1, 3",
        "── Next: flop " + "─" * 85,
        "seat 3, p-3: fold | call 100 | raise to 200–940 (all in)",
    ]


@pytest.mark.parametrize(
    "step",
    [
        "23",  # a bet in front of seat 1
        "31",  # what was not called is back
        "33",  # the pot is paid out
    ],
)
def test_places_that_the_table_shows_are_not_told_again(desk: Desk, step: str) -> None:
    assert "\nNow (" not in shown(desk, "--at", step).out
    assert {"seat/1", "seat/3"} <= shown(desk, "--at", step, "--json").row["places"].keys()


def test_places_that_the_table_does_not_show_are_told(disputed: Desk) -> None:
    said = disputed.run("replay", "NL-1#3", "--at", "-1").out.replace("\u00a0", " ")
    told = said.partition("\nNow (by the record, beside what the table shows")[2].partition("\n\n")[0]
    assert "rake 230, seat/6 580" in told  # he is not in this hand
    assert told.count("seat/") == 1


@pytest.mark.parametrize("columns", [80, 99, 100])
def test_no_screen_is_wider_than_the_terminal(desk: Desk, columns: int) -> None:
    for screen in shown_keys(desk, b"n" * 40 + b"w?v", columns=columns):
        assert max(map(len, screen.splitlines()[1:])) <= columns


# --- where to ---


@pytest.mark.parametrize(
    ("words", "record"),
    [
        (["--street", "preflop"], "15@"),
        (["--street", "flop"], "23@"),
        (["--street", "turn"], "29@"),
        (["--street", "river"], "31@"),
        (["--at", "21:40:23"], "23@"),
        (["--at", "21:40:23.999"], "23@"),
        (["--at", "2026-11-28T21:40:24+01:00"], "24@"),
        (["--at", "23:00"], "35@"),
        (["--at", "21"], "23@"),
        (["--at", "24@terminal"], "24@"),
        (["--at", "flop"], "23@"),
    ],
)
def test_a_step_is_named_by_street_time_number_or_record(desk: Desk, words: list[str], record: str) -> None:
    row = shown(desk, *words, "--json").row
    assert row["record"].startswith(record.replace("@", "@/brno"))
    assert [panel["title"].partition(",")[0] for panel in row["table"]][:2] == ["Hand 7", "Seats"]


@pytest.mark.parametrize(
    ("words", "error", "hint"),
    [
        (["--street", "fourth"], "round 7 has no phase or street `fourth`", "`preflop`, `flop`"),
        (["--at", "21:39"], "nothing had happened yet at 2026-11-28T21:39", "the first record is of"),
        (["--at", "99"], "there is no step 99; this walk has steps 1 to 33", ""),
        (["--at", "3", "--street", "flop"], "both name a step", "one of them"),
        (["--viewpoint", "9"], "has no seat `9`; it has 1, 2, 3", "--viewpoint 1"),
        (["--viewpoint", "30"], "has no seat `30`; it has 1, 2, 3", "--viewpoint 1"),
        (["--viewpoint", "1", "--all-knowing"], "sees more than any seat", "--viewpoint"),
        (["--step", "--json"], "--step is for people", "--at N --json"),
    ],
)
def test_what_cannot_be_meant_is_said_with_a_hint(desk: Desk, words: list[str], error: str, hint: str) -> None:
    refused = desk.run("replay", "T-1#7", *words)
    assert (refused.code, refused.out) == (2, "")
    assert error in refused.err
    assert hint in refused.err


def test_keys_go_by_street_to_the_ends_and_back_to_equal_screens(desk: Desk) -> None:
    there = shown_keys(desk, b"sssssss$")
    assert ["── Hand 7, flop" in screen for screen in there].count(True) >= 1
    assert "step 33 of 33" in there[-1]
    assert "step 1 of 33" in shown_keys(desk, b"$0")[-1]
    assert shown_keys(desk, b"sssS")[-1] == shown_keys(desk, b"ss")[-1]
    assert shown_keys(desk, b"nnnb")[-1] == shown_keys(desk, b"nn")[-1]
    assert shown_keys(desk, b"g21:40:23\n")[-1] == shown_keys(desk, b"gflop\n")[-1]
    assert shown_keys(desk, b"", "--street", "flop")[0] == shown_keys(desk, b"gflop\n")[-1]


def test_the_footer_names_the_keys(desk: Desk) -> None:
    (screen,) = shown_keys(desk, b"")
    for key in ("[Enter] next", "[b] back", "[s/S] street", "[e] finding", "[w] why", "[0/$] start/end", "[q] out"):
        assert key in screen


# --- why ---


@pytest.fixture(scope="module")
def disputed(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """A side pot awarded wrongly in hand 3; hands 1 and 2 as they should be."""
    desk = Desk(tmp_path_factory.mktemp("disputed")).init()
    holdem = assembly.rooms()["holdem"]
    assert desk.ingest(lines_of(holdem.deal(3, 3, breach="NL-24", breach_round=2))).code == 0
    return desk


def test_why_tells_the_rule_its_source_and_the_records_in_words(disputed: Desk) -> None:
    result = disputed.run("why", "NL-1#3")
    assert result.code == 5
    text = " ".join(result.out.replace("\u00a0", " ").split())
    for words in (
        "Finding 1 NL-24 side_pot",
        "owed to p-",
        "The rule NL-24 All-in and side pots “A player may bet all value chips he has on the table",
        "live-games-plan, §5.2.",
        "What it rests on",
        "out of the pot ChipsMoved pot seat/",
    ):
        assert words in text
    assert re.search(r"\d\d:\d\d:\d\d\.\d{3} {2}\d+@terminal {2}seat \d is paid", result.out)
    assert result.out.count("The rule") == 1  # what several findings share is told once


def test_why_by_number_and_by_rule(disputed: Desk) -> None:
    everything = disputed.run("why", "NL-1#3", "--json").rows
    assert [row["number"] for row in everything] == list(range(1, len(everything) + 1))
    assert disputed.run("why", "NL-1#3", "nl-24", "--json").rows == everything
    one = disputed.run("why", "NL-1#3", "2", "--json").row
    assert one == everything[1]
    assert one["rule_text"]["source"] == "§5.2."
    (rested,) = one["rests_on"]
    assert rested["line"].startswith("ChipsMoved pot seat/")
    assert rested["at"].startswith("2026-11-28T18:")


def test_why_tells_what_a_check_read_and_whether_the_edition_states_it(tmp_path: Path) -> None:
    desk = Desk(tmp_path).init()
    desk.ingest(lines_of(assembly.rooms()["holdem"].deal(3, 5, breach="NL-23", breach_round=2)))
    text = desk.run("why", "NL-1#3", "NL-23").out
    assert "fifty_pct_base = increment  (stated by live-games-plan)" in text
    (row,) = desk.run("why", "NL-1#3", "NL-23", "--json").rows
    assert {"name", "value", "stated", "meaning"} == set(row["read"][0])


@pytest.mark.parametrize(
    ("words", "error", "hint"),
    [
        (["NL-1#3", "7"], "there is no finding 7", "numbers them"),
        (["NL-1#3", "0"], "there is no finding 0", "numbers them"),
        (["NL-1#3", "NL-99"], "no finding of rule `NL-99`", "one of these"),
        (["NL-1#1", "1"], "nothing was found in", "recoup judge"),
        (["NL-1#1", "NL-99"], "`NL-99` is no rule of its edition", "recoup rules list"),
        (["NL-1#3", "1", "--viewpoint", "99"], "has no seat `99`", "--viewpoint"),
        (["NL-1#99"], "has a round `99`", "lists them"),
    ],
)
def test_why_of_what_is_not_there_is_refused(disputed: Desk, words: list[str], error: str, hint: str) -> None:
    refused = disputed.run("why", *words)
    assert (refused.code, refused.out) == (2, "")
    assert error in refused.err
    assert hint in refused.err


def test_why_of_a_round_without_findings_tells_on_what_figures_its_rules_rest(disputed: Desk) -> None:
    result = disputed.run("why", "NL-1#1")
    assert result.code == 0
    first, *lines = result.out.splitlines()
    assert first == "nothing was found in this round"
    assert any("NL-08 Blinds" in line for line in lines)
    assert any(line.startswith("NL-33 Rake") for line in lines)
    figures = [line for line in lines if line.startswith("  ")]
    assert len(set(figures)) > 5
    assert disputed.run("why", "NL-1#1", "NL-33").out.count("base: ") == result.out.count("base: ") == 1
    assert disputed.run("why", "NL-1#1", "--json").out == ""


def test_why_a_rule_was_kept_tells_its_words_its_parameters_and_its_figures(disputed: Desk) -> None:
    result = disputed.run("why", "NL-1#1", "nl-33")
    assert result.code == 0
    assert result.out.startswith("NL-33: nothing was found against it in this round\n")
    for words in (
        "live-games-plan, §5.1.",
        "rake_rate_bp = 500  (stated by live-games-plan)",
        "rate: 5 %",
        "; taken: ",
    ):
        assert words in result.out.replace("\u00a0", " ")
    row = disputed.run("why", "NL-1#1", "NL-33", "--json").row
    assert (row["rule"], row["found"], row["round"]) == ("NL-33", False, "table/brno/NL-1/2026-11-28.1#1")
    assert row["figures"][0].startswith("base: ")
    assert {"name": "rake_rate_bp", "value": 500, "stated": True, "meaning": "rate in hundredths of a per cent"} in row[
        "read"
    ]


def test_a_rule_that_was_kept_in_a_round_with_findings_of_others_is_no_finding(disputed: Desk) -> None:
    result = disputed.run("why", "NL-1#3", "NL-33")
    assert (result.code, "nothing was found against it" in result.out) == (0, True)


def test_why_of_a_rule_that_no_record_can_show_broken_says_so(disputed: Desk) -> None:
    book = assembly.rooms()["holdem"].books[0]
    for rule, why in [*list(book.by_hand.items())[:1], *list(book.not_breakable.items())[:1]]:
        assert disputed.run("why", "NL-1#1", rule, "--json").row["said"].endswith(why)


def test_a_room_without_figures_still_tells_the_rule(tmp_path: Path) -> None:
    desk = Desk(tmp_path).init()
    desk.ingest(lines_of(assembly.rooms()["roulette"].deal(1, 1)))
    row = desk.run("why", "RL-03#1", "RL-15", "--json").row
    assert (row["figures"], row["rule_text"]["source"][:1]) == ([], "§")


def test_w_in_the_stepper_says_the_same_as_the_command(disputed: Desk) -> None:
    told = disputed.run("why", "NL-1#3").out.partition("The rule")[2].strip()
    walked = disputed.run("replay", "NL-1#3", "--step", stdin=b"ewq").out
    assert told in walked
    nothing = disputed.run("replay", "NL-1#1", "--step", stdin=b"wq").out
    assert "nothing was found up to here" in nothing
    assert "no further record has a finding" in disputed.run("replay", "NL-1#1", "--step", stdin=b"eq").out


def test_a_rule_may_be_named_by_what_it_is_about(disputed: Desk) -> None:
    kept = disputed.run("why", "NL-1#1", "string", "bet")
    assert kept.code == 0
    assert "rule NL-23" in kept.err
    assert "NL-23: nothing was found against it" in kept.out
    broken = disputed.run("why", "NL-1#3", "vedlejší", "pot")
    assert broken.code == 5
    assert "NL-24  All-in and side pots" in broken.out
    nothing = disputed.run("why", "NL-1#1", "zebra")
    assert nothing.code == 2
    assert "no rule is about `zebra`" in nothing.err
