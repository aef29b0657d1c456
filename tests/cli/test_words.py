"""A verdict in words: every standing, every settlement, in one line that says who owes whom."""

from __future__ import annotations

from typing import Any

import pytest

from cli import findings, money, screen, words
from games.house_rules.edition import Edition
from games.verdict import Finding, Line, Pot, Settlement, Standing, Verdict

STAKED = Line(stake="b1", player="p-1", staked=50_000, taken=0, returned=50_000, paid=1_750_000)
HELD = Line(stake="b2", player="p-1", staked=50_000, held=50_000)
SHORT = Line(stake="b1", player="p-1", staked=50_000, returned=50_000, paid=1_730_000)


def verdict(standing: Standing = "valid", **more: Any) -> Verdict:
    known: dict[str, Any] = {
        "round": "table/brno/RL-03/2026-11-28.1#173",
        "game": "roulette",
        "rule_book": "RL",
        "house": "brno",
        "edition": "test",
        "edition_digest": "0" * 64,
        "settlement": "agrees",
        "due": Settlement(lines=(STAKED,)),
        "recorded": Settlement(lines=(STAKED,)),
    }
    return Verdict(standing=standing, **(known | more))


def head(of: Verdict) -> str:
    return screen.plain_of(words.headline(of))


def differing(**sums: int) -> dict[str, Any]:
    named = {name.replace("_", "-").strip("-"): amount for name, amount in sums.items()}
    return {"settlement": "differs", "differences": {"b1": 1}, "player_differences": named}


def found(rule: str, kind: Any, scope: Any = "round", **more: Any) -> Finding:
    return Finding(rule=rule, code=rule.lower(), kind=kind, scope=scope, **more)


@pytest.mark.parametrize(
    ("of", "text"),
    [
        (verdict(), "VALID — settled as the rules say"),
        (verdict(settlement="not_recorded", recorded=None), "VALID — no settlement is on record"),
        (verdict(**differing(p_204=20_000)), "VALID, BUT PAID WRONG — the table paid 200 CZK too little to p-204"),
        (verdict(**differing(p_204=-50)), "VALID, BUT PAID WRONG — the table paid 0.50 CZK too much to p-204"),
        (
            verdict(**differing(p_1=100, p_2=-300)),
            "VALID, BUT PAID WRONG — the table owes p-1 1 CZK; got too much: p-2 3 CZK",
        ),
        (
            verdict(**differing(p_1=100, p_2=200, p_3=300, p_4=400, p_5=500)),
            "VALID, BUT PAID WRONG — the table owes p-5 5, p-4 4, p-3 3, 2 more 3 CZK",
        ),
        (verdict("void"), "VOID — every bet goes back; settled as the rules say"),
        (verdict("voidable"), "VOIDABLE — management may void this round; until then it counts"),
        (verdict("ruling_required"), "RULING REQUIRED — the rules do not fix the money, a manager must decide"),
        (verdict("cannot_tell"), "CANNOT TELL — part of the record is missing"),
        (
            verdict("cannot_tell", touched=True, due=Settlement(known=False)),
            "CANNOT TELL — part of the record is missing",
        ),
        (
            verdict("cannot_tell", due=Settlement(known=False), settlement="not_recorded", recorded=None),
            "CANNOT TELL — the record does not tell what is due; no settlement is on record",
        ),
        (
            verdict("ruling_required", due=Settlement(lines=(HELD, HELD)), settlement="not_compared"),
            "RULING REQUIRED — the rules do not fix the money, a manager must decide; every stake waits for it",
        ),
        (verdict("ruling_required", due=Settlement(lines=(HELD, STAKED))), "what was settled so far does not differ"),
        (verdict(**differing(_=100)), "the table paid 1 CZK too little to somebody whom no record names"),
        (verdict("cannot_tell", **differing(p_1=100)), "the table paid 1 CZK too little to p-1"),
        (verdict("cannot_tell"), "as far as is known, settled as the rules say"),
        (
            verdict(findings=(found("RL-24", "void", "bet"), found("RL-10", "breach"))),
            "VALID — settled as the rules say; found: RL-24, RL-10",
        ),
    ],
)
def test_the_first_line_says_standing_and_money(of: Verdict, text: str) -> None:
    shown = head(of).replace("\u00a0", " ")
    assert text in shown
    assert "\n" not in shown


def test_a_pot_game_names_seats_and_a_wrong_rake() -> None:
    line = Line(stake="seat/3", player="p-3", staked=1000, taken=1000, paid=2000)
    due = Settlement(lines=(line,), pots=(Pot(name="main", amount=2000, eligible=("seat/3",)),), rake=100)
    wrong = verdict(due=due, recorded=Settlement(lines=(line,), rake=100), **differing(p_3=500, p_4=-500))
    assert head(wrong).endswith("owed: p-3 (seat 3) 5 CZK; too much has: p-4 5 CZK")
    raked = verdict(due=due, recorded=Settlement(lines=(line,), rake=300), settlement="differs")
    assert head(raked).endswith("the rake taken was 3 CZK, due was 1 CZK")


def test_money_set_right_says_whose_chips_go_to_whom() -> None:
    due = Settlement(
        lines=tuple(Line(stake=f"seat/{n}", player=f"p-{n}", staked=1000) for n in (3, 4, 5)),
        pots=(Pot(name="main", amount=3000, eligible=("seat/3",)),),
        rake=100,
    )
    kept = found("NL-26", "mispaid", player="p-3", money=40_000)
    wrong = verdict(due=due, recorded=Settlement(rake=4100), findings=(kept,), **differing(p_3=40_000, p_4=-36_000))
    assert list(money.transfers(wrong)) == [
        ("p-4 (seat 4)", "p-3 (seat 3)", 36_000, "CZK"),
        ("the rake", "p-3 (seat 3)", 4000, "CZK"),
    ]
    assert head(wrong).endswith("too much has: p-4 (seat 4) 360, the rake 40 CZK")
    assert "To set it right\n  360 CZK from p-4 (seat 4) to p-3 (seat 3)\n  40 CZK from the rake to p-3" in told(wrong)
    lost = verdict(due=due, recorded=Settlement(rake=100), **differing(p_3=1000))
    assert list(money.transfers(lost)) == [("the table", "p-3 (seat 3)", 1000, "CZK")]
    bank = verdict(**differing(p_1=100, p_2=-300))
    assert list(money.transfers(bank)) == [("the table", "p-1", 100, "CZK"), ("p-2", "the table", 300, "CZK")]
    ruled = verdict("ruling_required", findings=(found("NL-37", "ruling_required"),), **differing(p_1=100))
    assert "If the ruling follows the rules\n  1 CZK from the table to p-1" in told(ruled)
    assert head(ruled).startswith("RULING REQUIRED — a manager must decide; ")
    unknown = verdict(due=Settlement(known=False), **differing(p_1=100))
    assert not list(money.transfers(unknown))


def test_findings_on_one_record_are_one_matter_and_what_was_done_wrong_leads_it() -> None:
    late = found("NL-26", "corrected", "bet", text="the chip lay on the table before the word", events=("364@t",))
    kept = found("NL-26", "mispaid", "hand", player="p-1", money=40_000, events=("364@t", "366@t"))
    order = found("NL-27", "breach", "hand", events=("364@t",))
    (first, second) = findings.matters((kept, order, late))
    assert first.lead is late
    assert first.rest == (kept,)
    assert second.lead is order
    shown = told(verdict(findings=(kept, order, late), **differing(p_1=40_000)))
    answer = shown.partition("Money")[0]
    assert "The rule that decides\n  NL-26" in answer
    assert "    the chip lay on the table before the word\n" in answer
    assert "NL-27" not in answer
    assert "         nl-26: 400 CZK owed to p-1" in shown


def test_the_answer_tells_the_records_and_what_a_finding_means_for_the_money() -> None:
    edition = Edition("test", "RL", "", None, {}, (), {}, "0" * 64, "")
    scene = words.Scene(
        told=lambda cites: [f"record {cite}" for cite in sorted(set(cites))], objections=["", "objected"]
    )
    soft = found("NL-40", "penalty", "player", events=tuple(f"{n}@t" for n in range(1, 8)))
    lines = [screen.plain_of(one) for one in words.verdict_lines(verdict(findings=(soft,)), edition, str, scene)]
    assert [line.strip() for line in lines[5:10]] == [*(f"record {n}@t" for n in range(1, 5)), "… and 3 more records"]
    shown = "\n".join(lines)
    assert "nothing is owed: the round stands as it was paid; a sanction is management's to choose" in shown
    assert shown.index("objected") < shown.index("Money")
    assert "Nothing was found: every check of the edition passed" in told(verdict())


def test_the_finding_that_decides_is_the_one_on_which_the_standing_rests() -> None:
    breach, bet, whole = found("RL-10", "breach"), found("RL-24", "void", "bet"), found("RL-15", "void")
    assert words.deciding(verdict("void", findings=(breach, bet, whole))) is whole
    mispaid = found("RL-26", "mispaid", "bet")
    assert words.deciding(verdict(findings=(bet, mispaid), settlement="differs")) is mispaid
    assert words.deciding(verdict(findings=(breach, bet))) is bet
    assert words.deciding(verdict()) is None


def test_what_the_table_put_right_is_told_apart_from_what_was_not_kept() -> None:
    repaired, breach = found("NL-26", "corrected", "bet"), found("NL-27", "breach", "hand")
    right = verdict(findings=(repaired,))
    assert head(right) == "VALID — settled as the rules say; put right at the table: NL-26"
    assert "Dealt with at the table as the rule says\n  NL-26" in told(right)
    assert "Put right at the table: 1; nothing is owed" in told(right)
    assert "Findings:" not in told(right)
    both = verdict(findings=(repaired, breach))
    assert head(both).endswith("; found: NL-27; put right at the table: NL-26")
    assert words.deciding(both) is breach
    assert "The rule that was not kept\n  NL-27" in told(both)
    assert told(both).index("Findings: 1") < told(both).index("Put right at the table: 1")
    assert words.summary_row(both, "x")[-1] == "NL-27; put right at the table: NL-26"
    assert words.has_found(right)


@pytest.mark.parametrize(
    "of",
    [
        verdict(findings=(found("NL-26", "corrected", "bet"),), settlement="not_recorded", recorded=None),
        verdict(findings=(found("NL-26", "corrected", "bet"),), **differing(p_1=100)),
        verdict(findings=(found("NL-04", "corrected", "player"),)),
        verdict("ruling_required", findings=(found("NL-10", "misdeal"),)),
        verdict(findings=(found("NL-26", "corrected", "bet"), found("NL-33", "mispaid", money=100, player="p-1"))),
        verdict(findings=(found("NL-27", "breach"),)),
    ],
)
def test_nothing_is_put_right_that_is_owed_open_or_outside_the_pot(of: Verdict) -> None:
    assert "ut right at the table" not in told(of)
    assert "as the rule says\n" not in told(of)


def test_a_seat_that_put_chips_in_stands_in_the_money_table_though_it_won_nothing() -> None:
    even = Line(stake="seat/5", player="p-105", staked=300, taken=300, paid=300)
    away = Line(stake="seat/6", player="p-106", staked=0)
    shown = "\n".join(map(screen.plain_of, money.money_table(verdict(due=Settlement(lines=(even, away))))))
    assert "p-105" in shown
    assert "p-106" not in shown


def test_many_findings_of_one_kind_are_told_as_one() -> None:
    many = [found("RL-22", "mispaid", "bet", subject=f"b{n}", player="p-1", money=100 * n) for n in range(1, 31)]
    lines = [screen.plain_of(line) for line in findings.all_finding_lines(many, lambda cite: cite, "CZK")]
    assert "×30" in lines[0]
    assert sum("b17" in line for line in lines) == 1
    assert len(lines) < 40


def told(of: Verdict) -> str:
    edition = Edition("test", "RL", "", None, {}, (), {}, "0" * 64, "")
    return "\n".join(screen.plain_of(line) for line in words.verdict_lines(of, edition, str)).replace("\u00a0", " ")


def test_who_cannot_tell_names_what_is_missing() -> None:
    held = Settlement(lines=(Line(stake="seat/3", player="p-3", staked=1000, held=1000),), known=False)
    still_open = told(verdict("cannot_tell", due=held, settlement="differs"))
    assert "What is missing\n  no record closes this round" in still_open
    closed = told(verdict("cannot_tell", due=held, settlement="differs", closed_at=1))
    assert "open: seat 3" in closed
    assert "every check" not in still_open + closed
    named = found("NL-29", "unverified", text="the cards of seat 3 are not on record")
    assert "What is missing" in told(verdict("cannot_tell", due=held, findings=(named,)))
    assert "    the cards of seat 3 are not on record" in told(verdict("cannot_tell", due=held, findings=(named,)))


def test_where_nothing_moved_no_empty_table_is_shown() -> None:
    nothing = Settlement(lines=(Line(stake="b1", player="p-1", staked=0),))
    shown = told(verdict(due=nothing, recorded=nothing))
    assert "nobody won or lost anything" in shown
    assert "difference" not in shown


@pytest.mark.parametrize(
    ("remedy", "text"),
    [
        ({"action": "raise", "total": 16_000}, "instead: raise to 160 CZK"),
        ({"action": "call", "total": 1000, "add": 0, "returned": 500}, "instead: call to 10 CZK, 5 CZK go back"),
        ({"blinds": "stay", "button_moves": False, "refund": 0}, "instead: the blinds stay, the button stays"),
        ({"moves": [{"from": "seat/8", "to": "seat/7", "amount": 500}]}, "instead: 5 CZK from seat 8 to seat 7"),
        ({"stack": 69_000, "to_put_back": 17_000}, "instead: stack 690 CZK, to put back 170 CZK"),
        (
            {"burn1": 15, "flop": [16, 17, 18], "refund": 0},
            "instead: by number off the deck: 15 the first burn; 16, 17, 18 the flop",
        ),
        ({"refund": 10_000, "currency": "EUR"}, "instead: refund 100 EUR"),
        ({"correction": 500}, "instead: correction +5 CZK"),
        ({"lead_ms": 1200, "min": 2000}, "instead: lead 1.2 s, min 2 s"),
        ({"min": 2000, "max": 500_000}, "instead: min 20 CZK, max 5 000 CZK"),
        ({"least": 2, "most": 9}, "instead: least 2, most 9"),
        ({"over": 100}, "instead: 1 CZK too much"),
    ],
)
def test_a_remedy_names_amounts_in_the_sessions_currency(remedy: dict[str, Any], text: str) -> None:
    lines = findings.finding_lines(found("NL-22", "corrected", "bet", remedy=remedy), str, "CZK")
    assert text in "\n".join(screen.plain_of(line) for line in lines).replace("\u00a0", " ")


@pytest.mark.parametrize("remedy", [{"refund": 0}, {"absent": True}, {"all_tie": False}, {}])
def test_a_remedy_that_asks_for_nothing_is_not_told(remedy: dict[str, Any]) -> None:
    lines = findings.finding_lines(found("NL-14", "misdeal", remedy=remedy), str, "CZK")
    assert "instead" not in "\n".join(screen.plain_of(line) for line in lines)


def test_findings_of_one_matter_are_counted_as_one() -> None:
    one = found("NL-04", "corrected", subject="seat/1", events=("1@/a",), text="chips went off the table")
    two = found("NL-04", "advisory", subject="seat/1", events=("1@/a",), text="management may give a penalty")
    shown = told(verdict(findings=(one, two), settlement="differs"))
    assert "Findings: 1\n" in shown
    assert "chips went off" in shown
    assert "management may give a penalty" in shown


def test_no_line_is_wider_than_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    long = found("RL-22", "mispaid", text="word " * 60, events=tuple(f"{n}@/brno/RL-03/terminal" for n in range(9)))
    lines = findings.finding_lines(long, lambda cite: cite, "CZK")
    lines += screen.table(["a", "b"], [["short", "word " * 40]])
    lines += words.headline_lines(verdict(**differing(**{f"p_{n}": 100 * n for n in range(1, 9)})))
    assert max(len(screen.plain_of(line)) for line in lines) <= 60
