"""The shoe across rounds and sessions, and records that a table should not give."""

from __future__ import annotations

from games.adjudicate import Case, steps
from games.blackjack import GAME
from games.blackjack.table import Session
from games.verdict import Finding
from tests.games.blackjack.room import CATALOGUE, EDITION, TABLE
from tests.games.table import all_findings, editions_of, facts_of_lines, judge_facts


def session_of(lines: str) -> Session:
    facts = facts_of_lines(lines, CATALOGUE)
    case = Case.make(facts[0].subject, facts, CATALOGUE, editions_of(GAME, EDITION))
    *_, last = steps(case, {GAME.name: GAME})
    session: Session = last.session
    return session


def found(lines: str) -> list[Finding]:
    return all_findings(judge_facts(facts_of_lines(lines, CATALOGUE), GAME, EDITION))


def round_(name: str, at: int, seq: int = 0) -> str:
    """A round of box 1 that p-1 wins with 19 against a dealer who passes 21."""
    cards = [("box/1", "Th"), ("dealer", "6c"), ("box/1", "9s"), ("dealer", "Td"), ("dealer", "Ts")]
    lines = [f"#{name} RoundOpened", f"#{name} StakePlaced k{name} p-1 1 bet 100", f"#{name} NoMoreBets"]
    for number, (place, card) in enumerate(cards):
        told = f" seq={seq + number}" if seq else ""
        lines.append(f"#{name} CardLaid {place} card={card} face=up{told}")
        if number == 2:
            lines.append(f"#{name} Decided 1 stand player=p-1 signal=gesture")
    lines.append(f"#{name} RoundClosed")
    return "\n".join(f"@+{at + number} {line}" for number, line in enumerate(lines)) + "\n"


CARRIED = "\n".join(TABLE.strip().splitlines()[:4]) + "\n@+10 ShoeCarried shoe table/brno/T-1/2026-11-27.1 200\n"


def test_a_shoe_runs_on_from_round_to_round_and_counts_its_cards() -> None:
    shoe = session_of(TABLE + round_("1", 30, 4) + round_("2", 60, 9)).shoe
    assert (shoe.number, shoe.packs, shoe.cards, shoe.last_seq) == (1, 6, 13, 13)
    assert shoe.drawn == {"Th": 2, "6c": 2, "9s": 2, "Td": 2, "Ts": 2}


def test_a_shoe_that_was_carried_over_is_not_asked_for_its_shuffle_or_its_burns() -> None:
    assert found(CARRIED + round_("1", 30, 113)) == []
    assert session_of(CARRIED + round_("1", 30, 113)).shoe.carried is not None


def test_without_any_record_of_the_shoe_nobody_knows_how_it_was_made() -> None:
    bare = "\n".join(TABLE.strip().splitlines()[:4]) + "\n" + round_("1", 30) + round_("2", 60)
    assert [(one.rule, one.code) for one in found(bare)] == [
        ("BJ-08", "unverified:shuffle"), ("BJ-10", "unverified:cut"), ("BJ-11", "unverified:cut_completion"),
        ("BJ-12", "unverified:burn"),
    ]  # fmt: skip


def test_a_new_shuffle_makes_a_new_shoe_of_the_same_packs() -> None:
    again = "\n".join(
        line.replace("+1", "+8", 1) for line in TABLE.strip().splitlines()[5:12] if "Cut" not in line
    )  # fmt: skip
    session = session_of(TABLE + round_("1", 30, 4) + again + "\n")
    assert (session.shoe.number, session.shoe.packs, session.shoe.cards) == (2, 6, 0)
    assert session.last_shoe is not None
    assert session.last_shoe.cards == 8


def test_a_card_whose_place_in_the_shoe_no_record_tells_proves_no_misdeal() -> None:
    text = TABLE + round_("1", 30, 4)
    lost = "\n".join(line for line in text.splitlines() if "seq=6" not in line)  # the box's second card
    codes = {(one.rule, one.code, one.kind) for one in found(lost)}
    assert {kind for _rule, _code, kind in codes} == {"unverified"}, codes


def test_a_payment_that_names_no_stake_of_the_round_and_a_late_decision_are_findings_and_raise_nothing() -> None:
    text = TABLE + round_("1", 30, 4)
    text += "@+60 #1 ChipsMoved float player/p-9 50 win stake=none\n@+61 #1 Decided 1 hit player=p-1 signal=verbal\n"
    assert [(one.rule, one.code, one.subject) for one in found(text)] == [
        ("BJ-28", "decision_after_close", "box 1"), ("BJ-43", "wrong_payout", "k1"), ("BJ-43", "wrong_payout", "none"),
    ]  # fmt: skip


def test_a_bet_in_a_currency_that_the_table_does_not_deal_is_none() -> None:
    text = TABLE + round_("1", 30, 4).replace("bet 100", "bet 100 currency=USD")
    assert ("BJ-02", "not_value_chip") in {(one.rule, one.code) for one in found(text)}


def test_whoever_rules_on_a_wrong_shoe_reads_which_rounds_were_dealt_from_it() -> None:
    text = TABLE + round_("1", 30, 4) + round_("2", 60, 9) + round_("3", 90, 14).replace("card=9s", "card=Th")
    text += round_("4", 120, 19).replace("card=9s", "card=Th") + round_("5", 150, 24)
    told = [(one.subject, one.text) for one in found(text) if one.rule == "BJ-07"]
    whole = "10♥ came out 7 times of 6 packs; 5 rounds were dealt from it, 1 to 5, and a ruling is about all of them"
    assert told == [("shoe", whole)]
