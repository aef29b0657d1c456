"""The views as a body: layers, opening comments, money only added, and the generated SQL against the events."""

from __future__ import annotations

import itertools
import re
import typing

import duckdb
import msgspec
import pytest

from events.schema.catalogue import Catalogue
from events.schema.common import TABLE_EVENTS
from events.schema.event import Amount, Card, Cause, Count, Event, Move, Name, Seat
from events.store import Log, Origin
from games.casebook import Casebook
from projections.layers import LAYERS, cards_sql, moves_sql, tables_sql, view_files
from tests.games.toy import GAME
from tests.projections.desk import SUBJECT, open_views, record, send

VIEWS = {view.name: view for view in view_files()}
TABLES = set(re.findall(r"CREATE TABLE (\w+)", tables_sql()))
PREFIXES = {"ground": "", "staging": "stg_", "facts": "fct_", "reports": "rpt_", "checks": "chk_"}


def read_by(view):
    """Names of tables and views after FROM, JOIN or in `@moves(…)`, common table expressions left out."""
    sql = re.sub(r"--.*", "", view.sql)
    names = set(re.findall(r"(?<!DISTINCT )\b(?:FROM|JOIN)\s+(\w+)", sql)) | set(re.findall(r"@\w+\((\w+)\)", sql))
    return names - set(re.findall(r"(\w+) AS (?:MATERIALIZED )?\(", sql)) - {"SELECT"}


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_a_view_reads_only_layers_below(view):
    assert view.name.startswith(PREFIXES[view.layer])
    for name in read_by(view):
        if name in TABLES:
            assert view.layer in ("ground", "facts"), f"{name} is read past the facts"
        else:
            assert LAYERS.index(VIEWS[name].layer) < LAYERS.index(view.layer), f"{view.name} reads {name}"


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_a_view_opens_with_what_it_shows_its_grain_units_and_readers(view):
    lines = view.comment.splitlines()
    assert lines[0].endswith((".", ";"))
    assert re.search(r"^Grain: .*Units: ", view.comment, re.MULTILINE)
    assert re.search(r"^Readers: ", view.comment, re.MULTILINE)
    assert all(len(line) <= 120 for line in view.sql.splitlines())


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_sql_adds_money_and_never_divides_or_rounds_it(view):
    sql = re.sub(r"'[^']*'", "''", view.sql)
    assert "/" not in sql
    assert "%" not in sql
    calls = {name.lower() for name in re.findall(r"(\w+)\s*\(", sql)}
    assert not calls & {"round", "avg", "mean", "floor", "ceil", "trunc", "divide", "mod", "median"}


def test_money_and_counts_are_whole_numbers_of_64_bits(views):
    for view in views.tables():
        for name, kind, *_rest in views.query(f"DESCRIBE {view.name}", catch_up=False).rows:
            assert not re.search(r"HUGEINT|DOUBLE|FLOAT|DECIMAL", kind), f"{view.name}.{name} is {kind}"
            if name.endswith("_minor"):
                assert kind == "BIGINT", f"{view.name}.{name} is {kind}"


def test_the_comment_lies_in_the_database_too(views):
    said = dict(views.query("SELECT view_name, comment FROM duckdb_views() WHERE NOT internal").rows)
    assert said["fct_round"] == VIEWS["fct_round"].comment


# -- generated SQL


class Twice(Event, frozen=True):
    """Moves chips twice, with names that need quoting in SQL and defaults of all kinds."""

    TOPIC: typing.ClassVar[str] = "XX.Twice'd.v1"
    MOVES: typing.ClassVar[tuple[Move, ...]] = (
        Move("player/{player}", "box/it's-{bet}", "amount", "stake", "{bet}"),
        Move("seat/{seat}", "pot", "ante", "{why}"),
    )
    player: Name
    seat: Seat
    amount: Amount
    bet: Name = "b'1"
    ante: Amount = 5
    why: Cause = "stake"
    slip: str = "s"


class Shown(Event, frozen=True):
    TOPIC: typing.ClassVar[str] = "XX.Shown.v1"
    where: Name
    seat: Seat
    cards: tuple[Card, ...] = ()
    seq: Count | None = None


def sample(kind, name):
    """A value of a field's type: plain, unlike any default."""
    if isinstance(kind, msgspec.inspect.Metadata):
        return sample(kind.type, name)
    if isinstance(kind, msgspec.inspect.IntType):
        return 7
    if isinstance(kind, msgspec.inspect.StrType):
        pattern = kind.pattern or ""
        texts = ("Kd", f"{name}-1", "seat/9", "box/9")
        return next((text for text in texts if re.search(pattern, text) and (pattern or "-" in text)), "seat/9")
    if isinstance(kind, msgspec.inspect.LiteralType):
        return kind.values[-1]
    if isinstance(kind, msgspec.inspect.BoolType):
        return True
    if isinstance(kind, msgspec.inspect.VarTupleType):
        return [sample(kind.item_type, name), sample(kind.item_type, name)]
    if isinstance(kind, msgspec.inspect.UnionType):
        return sample(next(t for t in kind.types if not isinstance(t, msgspec.inspect.NoneType)), name)
    return None


def samples(cls):
    """Events of a class as JSON would bring them: all fields stated, and only those that have to be."""
    fields = msgspec.inspect.type_info(cls).fields
    for needed in (False, True):
        stated = {
            field.encode_name: value
            for field in fields
            if (field.required or not needed) and (value := sample(field.type, field.name)) is not None
        }
        try:
            yield msgspec.convert(stated, cls)
        except msgspec.ValidationError:
            if needed:
                raise


def classes():
    from games.registry import rooms

    rooms_events = [cls for game in rooms().values() for cls in game.events]
    return Catalogue([*TABLE_EVENTS, *GAME.events, *rooms_events, Twice, Shown]).classes


def asked(sql_of, events):
    with duckdb.connect() as db:
        db.execute("CREATE TABLE fact (idx INTEGER, topic VARCHAR, data VARCHAR)")
        rows = [(idx, event.TOPIC, msgspec.json.encode(event).decode()) for idx, event in enumerate(events)]
        db.executemany("INSERT INTO fact VALUES (?, ?, ?)", rows)
        kinds = {type(event) for event in events}
        return db.execute(f"SELECT * EXCLUDE (topic, data) FROM ({sql_of('fact', kinds)}) ORDER BY 1, 2").fetchall()


def test_chip_moves_in_sql_are_those_that_the_events_state_themselves():
    events = [event for cls in classes() if cls.MOVES for event in samples(cls)]
    assert {type(event).__name__ for event in events} >= {"Twice", "ChipsMoved", "FillReceived", "HeadsBet"}
    expected = [
        (idx, part, move.frm, move.to, move.amount, move.cause, move.stake, getattr(event, "slip", ""))
        for idx, event in enumerate(events)
        for part, move in enumerate(event.moves(), 1)
    ]
    assert asked(moves_sql, events) == expected


def test_cards_in_sql_are_those_that_the_events_name():
    named = [cls for cls in classes() if {"card", "cards"} & set(cls.__struct_fields__)]
    events = [event for cls in named for event in samples(cls)]
    events.append(Shown("seat/3", 3, ("Ah", "??", "2c"), 9))
    expected = []
    for idx, event in enumerate(events):
        cards = getattr(event, "cards", ())
        cards = cards if isinstance(cards, tuple) else ()  # a shoe carried counts its cards
        cards = cards or ((event.card,) if hasattr(event, "card") else ())
        expected += [(idx, n, card) for n, card in enumerate(cards, 1)]
    assert len(expected) > 2
    rows = asked(cards_sql, events)
    assert [row[:3] for row in rows] == expected
    assert rows[-1] == (len(events) - 1, 3, "2c", "seat/3", 3, 9)


def test_a_catalogue_without_moves_or_cards_gives_no_rows():
    assert asked(moves_sql, [GAME.events[1]("heads")]) == []
    assert asked(cards_sql, [GAME.events[1]("heads")]) == []


def test_an_amount_that_is_no_whole_number_is_none_and_never_rounded(log, views):
    send(log, [record(GAME.events[0]("b1", "p-1", 100), 1)])
    line = msgspec.json.encode(record(GAME.events[0]("b1", "p-1", 100), 2)).replace(b":100", b":100.7")
    log.accept([line], Origin("stdin"))
    recorded = views.query("SELECT amount_minor FROM stg_chip_move WHERE subject = ? ORDER BY idx", [SUBJECT]).rows
    assert recorded == [(100,), (None,)]
    assert views.query("SELECT amount_minor FROM fct_chip_move").rows == [(100,)]


ODD = (
    "null", "5", '"x"', "[]", "{}", "[[1]]", '{"cards":5}', '{"cards":{"a":1}}', '{"cards":["Ah",5,null,["2c"]]}',
    '{"card":{"a":"b"}}', '{"amount":-5}', '{"amount":"x"}', '{"amount":1e3}', '{"amount":1.5,"seat":1.5,"seq":"x"}',
    '{"amount":99999999999999999999999}', '{"kind":{},"tender":[],"player":{"a":"\\u0000"}}', '{"from":null,"to":7}',
)  # fmt: skip


def test_no_data_however_odd_keeps_a_view_from_being_read():
    catalogue = Catalogue(classes())
    ours = ("RC.", "HS.", "DS.", "IM.")
    sequences = itertools.count(1)
    lines = [
        b'{"specversion":"1.0","id":"x","source":"/x","type":"%s","subject":"%s","sequence":"%d",'
        b'"time":"2026-11-28T20:00:00Z","round":"1","data":%s}'
        % (topic.encode(), SUBJECT.encode(), next(sequences), data.encode())
        for topic in catalogue.topics
        if not topic.startswith(ours) and "'" not in topic
        for data in ODD
    ]
    with Log.open(":memory:", catalogue, create=True) as log:
        receipt = log.accept(lines, Origin("stdin"))
        assert receipt.stored > 0.8 * len(lines)  # what is no JSON that we read is quarantined
        with open_views(log, Casebook(log, {GAME.name: GAME}, catalogue)) as views:
            views.catch_up()
            for view in views.tables():
                views.query(f"FROM {view.name}", catch_up=False)
            assert views.query("SELECT count(*) FROM chk_record_unread").rows[0][0] > receipt.stored // 2
            assert views.query("SELECT count(*) FROM fct_chip_move WHERE amount_minor IS NULL").rows == [(0,)]
