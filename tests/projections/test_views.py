"""What a view answers, and what it refuses."""

from __future__ import annotations

from datetime import date

import pytest
from msgspec.structs import replace

from events.errors import Refused
from events.schema.common import ChipsMoved, RoundOpened, SourceEnded, TableClosed, TableOpened
from events.schema.ours import (
    RateStored,
    RecordCorrected,
    RecordDisowned,
    RulingApplied,
    SettingChanged,
    StaffProposed,
    StaffRegistered,
    StaffRetired,
)
from events.store import Draft, Origin
from events.values.clock import gaming_day, now_ms
from games.casebook import ALWAYS, Casebook
from games.scribe import Scribe
from games.verdict import Line, Settlement
from tests.games.table import with_parameters
from tests.games.toy import GAME, TOML, CoinTossed, HeadsBet, deal
from tests.projections.desk import SUBJECT, TERMINAL, casebook, imported, open_views, raw, record, send

OURS = f"{SUBJECT}@/recoup"


def rows(views, sql, params=None):
    return views.query(sql, params).rows


# -- asking


def test_an_answer_has_columns_types_and_rows(log, views):
    send(log, deal(1, 1))
    answer = views.query("SELECT round, staked_minor FROM fct_round WHERE house = $house", {"house": "brno"})
    assert answer.columns == ["round", "staked_minor"]
    assert answer.types == ["VARCHAR", "BIGINT"]
    assert answer.rows == [("1", 1000)]


@pytest.mark.parametrize(
    "sql",
    [
        "WITH a AS (SELECT 1 AS x) SELECT * FROM a",
        "EXPLAIN SELECT 1",
        "DESCRIBE fct_round",
        "FROM fct_round",
        "VALUES (1)",
    ],
)
def test_reading_statements_are_answered(views, sql):
    assert views.query(sql).columns


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM record", "DROP VIEW fct_round", "CREATE TABLE x (a INTEGER)", "COPY record TO 'x.csv'",
        "ATTACH 'x.db'", "SET threads = 1", "PRAGMA database_list", "CHECKPOINT", "CALL pragma_version()",
        "INSERT INTO todo VALUES ('x')", "UPDATE position SET next_index = 0", "COMMIT",
    ],
)  # fmt: skip
def test_what_would_change_anything_is_refused(views, sql):
    with pytest.raises(Refused, match="only read"):
        views.query(sql)


def test_two_statements_are_refused(views):
    with pytest.raises(Refused, match="found 2"):
        views.query("SELECT 1; DELETE FROM record")
    with pytest.raises(Refused, match="found 0"):
        views.query("  ")


def test_explain_analyze_cannot_smuggle_a_change_in(log, views):
    send(log, deal(1, 1))
    with pytest.raises(Refused, match="read-only"):
        views.query("EXPLAIN ANALYZE DELETE FROM record")
    assert rows(views, "SELECT count(*) FROM record") == [(log.size(),)]


def test_files_and_python_variables_are_out_of_reach(views, tmp_path):
    secret = tmp_path / "secret.csv"
    secret.write_text("a\n1\n")
    with pytest.raises(Refused, match="disabled by configuration"):
        views.query(f"SELECT * FROM read_csv('{secret}')")
    with pytest.raises(Refused, match="does not exist"):
        views.query("SELECT * FROM secret")


def test_a_mistake_in_sql_is_shown_with_what_to_try(views):
    with pytest.raises(Refused, match=r"standin(.|\n)*standing") as caught:
        views.query("SELECT standin FROM fct_round")
    assert "--tables" in caught.value.hint
    with pytest.raises(Refused, match="syntax error"):
        views.query("SELEC 1")
    with pytest.raises(Refused, match="not understood"):
        views.query("SELECT ?", ["a", "b"])
    assert rows(views, "SELECT 1") == [(1,)]


def test_tables_say_what_they_show(views):
    shown = {view.name: view.comment for view in views.tables()}
    assert {"stg_record", "fct_bet", "rpt_table_day", "chk_transfer_one_end"} <= set(shown)
    assert not {"standing", "recorded"} & set(shown)
    for name in shown:
        assert views.query(f"SELECT * FROM {name}").columns


def test_a_query_catches_up_first(log, views):
    assert rows(views, "SELECT count(*) FROM fct_round") == [(0,)]
    send(log, deal(3, 1))
    assert rows(views, "SELECT count(*) FROM fct_round") == [(3,)]
    assert views.position == log.size()


# -- as recorded and as it stands


def test_a_corrected_bet_is_shown_as_it_stands_and_as_it_was_recorded(log, views):
    send(log, deal(2, 1))
    about = f"3@{TERMINAL}"
    data = {"bet": "b1", "player": "p-9", "amount": 700}
    log.author(OURS, [Draft(RecordCorrected(data=data), about=about, reason="camera 4")])
    assert rows(views, "SELECT player, amount_minor FROM fct_bet WHERE cite = ?", [about]) == [("p-9", 700)]
    assert rows(views, "SELECT from_place, amount_minor FROM fct_chip_move WHERE cite = ?", [about]) == [
        ("player/p-9", 700)
    ]
    assert rows(views, "SELECT from_place, amount_minor FROM stg_chip_move WHERE cite = ?", [about]) == [
        ("player/p-1", 1000)
    ]
    assert rows(views, "SELECT staked_minor, difference_minor FROM fct_round WHERE round = '1'") == [(700, -300)]
    assert rows(views, "SELECT about, reason, recorded_data FROM stg_amendment") == [
        (about, "camera 4", '{"amount":1000,"bet":"b1","player":"p-1"}')
    ]


def test_a_disowned_bet_is_gone_from_the_facts_only(log, views):
    send(log, deal(1, 1))
    about = f"3@{TERMINAL}"
    log.author(OURS, [Draft(RecordDisowned(), about=about)])
    assert rows(views, "SELECT count(*) FROM fct_bet") == [(0,)]
    assert rows(views, "SELECT count(*) FROM stg_chip_move WHERE cite = ?", [about]) == [(1,)]


def test_a_correction_of_the_round_moves_the_fact(log, views):
    send(log, deal(2, 1))
    about = f"8@{TERMINAL}"
    assert rows(views, "SELECT round FROM fct_bet WHERE cite = ?", [about]) == [("2",)]
    log.author(OURS, [Draft(RecordCorrected(round="1", time="2026-11-28T18:00:06.500+01:00"), about=about)])
    assert rows(views, "SELECT round, epoch_ms(occurred_at) FROM fct_bet WHERE cite = ?", [about]) == [
        ("1", 1795885206500)
    ]
    assert rows(views, "SELECT staked_minor FROM fct_round ORDER BY ordinal") == [(2000,), (0,)]


def test_an_added_fact_counts_where_it_stands(log, views):
    send(log, deal(1, 1))
    log.author(OURS, [Draft(HeadsBet("b7", "p-7", 50), about=f"3@{TERMINAL}", reason="video")])
    assert rows(views, "SELECT stake, round FROM fct_bet ORDER BY stake") == [("b1", "1"), ("b7", "1")]


def test_a_fact_without_a_round_stands_in_the_round_open_at_its_place(log, views):
    opening = [
        record(TableOpened("coin", "CO", "CZK"), 1),
        record(RoundOpened(), 2, round_name="9"),
        record(HeadsBet("b1", "p-1", 100), 3),
    ]
    send(log, opening)
    assert rows(views, "SELECT address FROM fct_bet") == [(f"{SUBJECT}#9",)]
    assert rows(views, "SELECT round FROM stg_chip_move") == [(None,)]


def test_a_name_used_again_is_another_round(log, views):
    send(log, [record(TableOpened("coin", "CO", "CZK"), 1)])
    for sequence in (2, 4):
        bet = HeadsBet(f"b{sequence}", "p-1", 100)
        send(log, [record(RoundOpened(), sequence, round_name="5"), record(bet, sequence + 1, round_name="5")])
    assert rows(views, "SELECT round, stake FROM fct_bet ORDER BY round") == [("5", "b2"), ("5~2", "b4")]
    assert rows(views, "SELECT round, ordinal FROM fct_round ORDER BY ordinal") == [("5", 1), ("5~2", 2)]


def test_an_older_type_is_shown_as_the_newer(log, views):
    send(log, [record(TableOpened("coin", "CO", "CZK"), 1), record(RoundOpened(), 2, round_name="1")])
    old = raw([record(CoinTossed("heads"), 3, round_name="1")])[0]
    old = old.replace(b"CoinTossed.v2", b"CoinTossed.v1").replace(b'"side":"heads"', b'"heads":true')
    log.accept([old], Origin("stdin"))
    assert rows(views, "SELECT topic, data FROM standing WHERE sequence = 3") == [
        ("CO.CoinTossed.v2", '{"side":"heads"}')
    ]
    assert rows(views, "SELECT topic, data FROM stg_record WHERE sequence = 3") == [
        ("CO.CoinTossed.v1", '{"heads":true}')
    ]


def test_chips_taken_up_again_lessen_what_was_at_stake(log, views):
    moves = [("player/p-1", "box/b1", 500), ("box/b1", "player/p-1", 200), ("seat/2", "pot", 90), ("pot", "seat/2", 30)]
    told = [
        record(ChipsMoved(frm, to, amount, "stake", "b1"), sequence, round_name="1")
        for sequence, (frm, to, amount) in enumerate(moves, 1)
    ]
    send(log, told)
    assert rows(views, "SELECT player, amount_minor, staked_minor FROM fct_bet ORDER BY idx") == [
        ("p-1", 500, 500),
        ("p-1", 200, -200),
        ("seat/2", 90, 90),
        ("seat/2", 30, -30),
    ]


# -- judged anew


def test_a_late_record_redoes_its_session(log, views):
    envelopes = list(deal(2, 1))
    late = envelopes.pop(2)
    send(log, envelopes)
    assert rows(views, "SELECT standing FROM fct_round ORDER BY ordinal") == [("cannot_tell",), ("valid",)]
    assert ("TB-01", "1") in rows(views, "SELECT rule, round FROM fct_finding")
    send(log, [late])
    assert rows(views, "SELECT standing FROM fct_round ORDER BY ordinal") == [("valid",), ("valid",)]
    assert rows(views, "FROM fct_finding") == []


def test_only_the_sessions_touched_are_judged_again(log, views):
    send(log, deal(1, 1))
    send(log, deal(1, 1, table="brno/CO-2"))
    assert views.catch_up().sessions_judged == 2
    log.author(OURS, [Draft(RecordDisowned(), about=f"3@{TERMINAL}")])
    assert views.catch_up().sessions_judged == 1


def test_a_ruling_redoes_the_session_and_is_shown(log, views):
    send(log, deal(1, 1))
    views.catch_up()
    ruling = RulingApplied("r-1", "collusion", scope="round", rounds=(f"{SUBJECT}#1",), decided_by="m-1")
    log.author(OURS, [Draft(ruling)])
    assert views.catch_up().sessions_judged == 1
    assert rows(views, "SELECT ruling, remedy, rounds, decided_by FROM fct_ruling") == [
        ("r-1", "void", [f"{SUBJECT}#1"], "m-1")
    ]


def test_an_edition_adopted_since_redoes_the_sessions_that_it_binds(log, views, book):
    today = gaming_day(now_ms())
    for table, day in (("brno/CO-1", today), ("brno/CO-2", date(2024, 1, 5)), ("praha/CO-1", today)):
        send(log, deal(1, 1, table=table, day=day.isoformat(), breach="CO-02"))
    assert views.catch_up().sessions_judged == 3
    assert {row[0] for row in rows(views, "SELECT kind FROM fct_finding WHERE rule = 'CO-02'")} == {"void"}
    book.adopt("brno", with_parameters(TOML, {"coin.late": "counts"}, GAME), today)
    assert views.catch_up().sessions_judged == 1
    assert rows(views, "SELECT subject, kind FROM fct_finding WHERE rule = 'CO-02' AND kind <> 'void'") == [
        (f"table/brno/CO-1/{today}.1", "breach")
    ]


def test_an_edition_of_another_book_touches_nothing(log, views, book):
    today = gaming_day(now_ms())
    other = f"table/brno/X-1/{today}.1"
    at = f"{today}T20:00:00+01:00"
    send(log, [record(TableOpened("coin", "CX", "CZK"), 1, subject=other, source="/x", at=at)])
    send(log, deal(1, 1, day=today.isoformat()))
    assert views.catch_up().sessions_judged == 2
    book.adopt("brno", with_parameters(TOML, {"coin.late": "counts"}, GAME), today)
    assert views.catch_up().sessions_judged == 1


def test_a_setting_changed_redoes_the_house(log, views):
    send(log, deal(1, 1))
    send(log, deal(1, 1, table="praha/CO-1"))
    views.catch_up()
    log.author("house/brno@/recoup", [Draft(SettingChanged("clock.tolerance_ms", 100))])
    assert views.catch_up().sessions_judged == 1


@pytest.mark.parametrize(
    "event",
    [
        StaffProposed("staff-3", "p-1", "key:1", ("manager",), "2026-11-01"),
        StaffRegistered("p-1", "key:1", ("manager",), "2026-11-01"),
        StaffRetired("p-1", "2026-11-30"),
        RateStored("CZK", 24_350, "2026-11-28"),
    ],
    ids=lambda event: event.TOPIC,
)
def test_what_enters_no_verdict_redoes_no_session(log, views, event):
    send(log, deal(1, 1))
    views.catch_up()
    log.author("house/brno@/recoup", [Draft(event)])
    assert views.catch_up().sessions_judged == 0


def test_a_session_without_an_edition_is_judged_once_there_is_one(log):
    bare = casebook(log, adopt=False)
    today = gaming_day(now_ms())
    send(log, deal(1, 1, day=today.isoformat()))
    with open_views(log, bare) as views:
        problem = rows(views, "SELECT problem FROM chk_session_judged")
        assert "no CO edition" in problem[0][0]
        assert rows(views, "SELECT round, standing FROM fct_round") == [("1", None)]
        assert rows(views, "SELECT count(*) FROM fct_bet") == [(1,)]
        bare.adopt("brno", TOML, today)
        assert rows(views, "SELECT round, standing FROM fct_round") == [("1", "valid")]
        assert rows(views, "FROM chk_session_judged") == []


@pytest.mark.parametrize("decision", ["release", "discard"])
def test_a_conflict_decided_redoes_the_session(log, views, decision):
    envelopes = list(deal(1, 1))
    send(log, envelopes)
    send(log, [record(HeadsBet("b1", "p-1", 999), 3, at="2026-11-28T18:00:06+01:00", round_name="1")])
    assert rows(views, "SELECT standing FROM fct_round") == [("cannot_tell",)]
    assert "TB-02" in {row[0] for row in rows(views, "SELECT rule FROM fct_finding")}
    held = log.quarantine()[0].sha256.hex()
    getattr(log, decision)(held, reason="looked at the camera")
    assert views.catch_up().sessions_judged == 1
    assert "TB-02" not in {row[0] for row in rows(views, "SELECT rule FROM fct_finding")}
    stakes = rows(views, "SELECT cite, amount_minor FROM fct_bet ORDER BY cite")
    released = [(f"3@{TERMINAL}~r", 999)] if decision == "release" else []
    assert stakes == [(f"3@{TERMINAL}", 1000), *released]


def test_a_desk_is_fed_and_not_judged(log, views):
    subject = "desk/brno/d1/2026-11-28.1"
    send(log, [record(ChipsMoved("float", "player/p-1", 100, "cash_out"), 1, subject=subject, source="/till")])
    assert rows(views, "SELECT kind, gaming_day, problem FROM fct_session") == [("desk", date(2026, 11, 28), None)]
    assert rows(views, "SELECT amount_minor FROM fct_chip_move") == [(100,)]


def test_a_session_that_nothing_opens_says_so(log, views):
    send(log, [record(HeadsBet("b1", "p-1", 100), 1, round_name="1")])
    assert rows(views, "SELECT problem FROM fct_session") == [("no record opens this session",)]
    assert rows(views, "SELECT code FROM fct_finding") == [("not_opened",)]


# -- the gaming day


@pytest.mark.parametrize(
    ("opening", "day"),
    [
        ("2026-11-29T05:59:59.999+01:00", date(2026, 11, 28)),
        ("2026-11-29T06:00:00.000+01:00", date(2026, 11, 29)),
        ("2026-03-29T05:59:59.999+02:00", date(2026, 3, 28)),  # the night that has no 02:30
        ("2026-03-29T06:00:00.000+02:00", date(2026, 3, 29)),
        ("2026-10-25T05:59:59.999+01:00", date(2026, 10, 24)),  # the night that has 02:30 twice
        ("2026-10-25T04:00:00.000Z", date(2026, 10, 24)),
        ("2026-10-25T05:00:00.000Z", date(2026, 10, 25)),
    ],
)
def test_the_gaming_day_is_that_of_the_opening(log, views, opening, day):
    later = "2026-12-24T12:00:00.000+01:00"
    send(log, [record(TableOpened("coin", "CO", "CZK"), 1, at=opening), record(RoundOpened(), 2, at=later)])
    send(log, [record(HeadsBet("b1", "p-1", 100), 3, at=later, round_name="1")])
    assert rows(views, "SELECT DISTINCT gaming_day FROM fct_bet") == [(day,)]
    assert rows(views, "SELECT gaming_day FROM fct_session") == [(day,)]
    assert rows(views, "SELECT strftime(occurred_at, '%H:%M') FROM fct_bet") == [("12:00",)]


def test_a_hand_without_a_time_has_no_gaming_day(log, views):
    imported(log, "a" * 32, "271")
    known = rows(views, "SELECT gaming_day, opened_at, house FROM fct_session")
    assert known == [(None, None, "import")]
    move = record(ChipsMoved("seat/1", "pot", 5, "stake", "seat/1"), 2, subject=f"import/{'a' * 32}", round_name="1")
    log.accept_imports(raw([replace(move, source="/recoup/import/toy/1")]), Origin("import"))
    assert rows(views, "SELECT occurred_at, house FROM fct_bet") == [(None, "import")]
    assert rows(views, "SELECT opened_at, closed_at FROM fct_round") == [(None, None)]


def test_a_seats_bet_names_the_player_of_its_settlement(log):
    line = Line(stake="seat/1", player="p-7", staked=5, taken=5)
    room = replace(GAME, due=lambda _round: Settlement(lines=(line,)))
    book = Casebook(log, {room.name: room}, log.catalogue)
    book.adopt("*", TOML, ALWAYS)
    send(log, [record(TableOpened("coin", "CO", "CZK"), 1), record(RoundOpened(), 2, round_name="1")])
    moves = [ChipsMoved(f"seat/{seat}", "pot", 5, "stake", f"seat/{seat}") for seat in (1, 2)]
    send(log, [record(move, number, round_name="1") for number, move in enumerate(moves, 3)])
    with open_views(log, book) as views:
        assert rows(views, "SELECT stake, player FROM fct_bet ORDER BY ALL") == [
            ("seat/1", "p-7"),
            ("seat/2", "seat/2"),
        ]


# -- reports


def test_a_tables_day_adds_up(log, views):
    from events.schema.common import (
        BuyIn,
        ColourChipsIssued,
        CreditSent,
        DropBoxCounted,
        FillReceived,
        InventoryCounted,
    )

    pen = Scribe("brno/CO-1", "2026-11-28")
    said = [pen.say(TableOpened("coin", "CO", "CZK")), pen.say(InventoryCounted("opener", 100_000))]
    colours = ColourChipsIssued("p-1", "red", 100, 20, 2_000, tender="cash")
    said += [pen.say(BuyIn("p-1", 3_000)), pen.say(colours), pen.say(FillReceived("d1", 20_000, "s1"))]
    pen.round = "1"
    said += [pen.say(RoundOpened()), pen.say(HeadsBet("b1", "p-1", 1_000)), pen.say(CoinTossed("tails"))]
    said += [pen.say(ChipsMoved("box/b1", "float", 1_000, "take", "b1"))]
    pen.round = None
    said += [pen.say(CreditSent("d1", 10_000, "s2")), pen.say(InventoryCounted("closer", 106_000))]
    send(log, said)
    assert rows(views, "SELECT win_minor, game_win_minor, drop_minor FROM rpt_table_day") == [(None, 1_000, None)]
    send(log, [pen.say(DropBoxCounted("box-1", 5_000)), pen.say(TableClosed()), pen.say(SourceEnded())])
    day = views.query("SELECT * FROM rpt_table_day")
    shown = dict(zip(day.columns, day.rows[0], strict=True))
    assert shown["opening_minor"] == 100_000
    assert shown["fill_minor"] == 20_000
    assert shown["credit_minor"] == 10_000
    assert shown["tender_minor"] == shown["drop_minor"] == 5_000
    assert (shown["bets"], shown["staked_minor"], shown["rounds"]) == (1, 1_000, 1)
    assert shown["win_minor"] == 106_000 + 10_000 + 5_000 - 100_000 - 20_000 == shown["game_win_minor"]


def test_colour_chips_leave_and_come_back_at_the_value_that_they_were_issued_at(log, views):
    from events.schema.common import ColourChipsIssued, ColourChipsRedeemed, DropBoxCounted, InventoryCounted

    pen = Scribe("brno/CO-1", "2026-11-28")
    said = [pen.say(TableOpened("coin", "CO", "CZK")), pen.say(InventoryCounted("opener", 100_000))]
    told = [
        ColourChipsIssued("p-1", "red", 100, 20, None, tender="cash"),  # twenty are out, whatever was given for them
        ColourChipsRedeemed("p-1", "red", 100, 10, 100),  # he had left: each is worth the minimum (RL-08)
        ColourChipsIssued("p-2", "blue", 100, 10, 900),  # a hundred too little (RL-02)
        ColourChipsIssued("p-2", "blue", 100, 30, 100, tender="cash", table="CO-2"),
        ColourChipsRedeemed("p-2", "blue", 100, 5, 400, at_desk=True),
    ]
    said += [*map(pen.say, told), pen.say(InventoryCounted("closer", 98_800)), pen.say(DropBoxCounted("box-1", 2_000))]
    send(log, [*said, pen.say(TableClosed()), pen.say(SourceEnded())])
    figures = "tender_minor, chip_difference_minor, cash_difference_minor, other_minor, win_minor, game_win_minor"
    assert rows(views, f"SELECT {figures} FROM rpt_table_day") == [(2_000, 0, 0, 800, 800, 0)]
    assert rows(views, "SELECT kind, found_minor, len(cites) FROM rpt_night_exception") == [("other", 800, 2)]


def test_value_chips_given_for_colours_are_no_tender(log, views):
    from events.schema.common import BuyIn, ColourChipsIssued

    pen = Scribe("brno/CO-1", "2026-11-28")
    paid = [BuyIn("p-1", 3_000), BuyIn("p-1", 500, "voucher"), ColourChipsIssued("p-1", "red", 100, 20, 2_000)]
    send(log, [pen.say(TableOpened("coin", "CO", "CZK")), *map(pen.say, paid)])
    assert rows(views, "SELECT tender, amount_minor FROM fct_tender ORDER BY ALL") == [
        ("cash", 3_000),
        ("voucher", 500),
    ]
    assert rows(views, "SELECT player, tender_minor, largest_tender_minor FROM rpt_player_day") == [
        ("p-1", 3_500, 3_000)
    ]


def test_a_session_that_breaks_a_room_keeps_no_other_from_being_read(log):
    def broken(round_):
        if round_.name == "2":
            raise IndexError("no such card")
        return GAME.due(round_)

    room = replace(GAME, due=broken)
    book = Casebook(log, {room.name: room}, log.catalogue)
    book.adopt("*", TOML, ALWAYS)
    send(log, deal(2, 1))
    send(log, deal(1, 1, table="brno/CO-2"))
    with open_views(log, book) as views:
        problem = "the judge broke, which is a mistake in Recoup: IndexError: no such card"
        assert rows(views, "SELECT subject, problem FROM chk_session_judged") == [(SUBJECT, problem)]
        assert rows(views, "SELECT address FROM fct_round WHERE standing = 'valid'") == [
            ("table/brno/CO-2/2026-11-28.1#1",)
        ]


def test_wrong_payments_and_players_days_are_reported(log, views):
    send(log, deal(2, 1, breach="CO-01"))
    assert rows(views, "SELECT stake, difference_minor FROM rpt_payout_difference") == [("b1", 100)]
    assert rows(views, "SELECT rule, findings, owed_minor FROM rpt_finding_day") == [("CO-01", 1, 100)]
    day = "SELECT player, staked_minor, net_minor, recorded_net_minor, difference_minor FROM rpt_player_day"
    assert rows(views, day) == [("p-1", 2000, 0, -100, 100)]


def test_rounds_that_wait_for_a_person_are_reported(log, views):
    envelopes = list(deal(2, 1))
    del envelopes[3]
    send(log, envelopes)
    assert rows(views, "SELECT address, standing FROM rpt_round_to_decide") == [(f"{SUBJECT}#1", "cannot_tell")]
    assert "TB-01" in rows(views, "SELECT rules FROM rpt_round_to_decide")[0][0]
