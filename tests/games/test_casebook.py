"""From the log to a verdict: editions adopted, settings, gaps, corrections, what was known when."""

from __future__ import annotations

from datetime import date, timedelta

import msgspec
import pytest

from events.errors import BadEdition, EditionMissing, Refused
from events.schema.envelope import canonical
from events.schema.ours import RecordCorrected, SettingChanged
from events.store import Draft, Log, Origin
from events.values.clock import gaming_day, now_ms
from games.casebook import ALWAYS, Casebook
from games.house_rules.edition import ANY_HOUSE
from tests.games.table import catalogue_of, with_parameters
from tests.games.toy import GAME, TOML, deal

CATALOGUE = catalogue_of(GAME)
SUBJECT = "table/brno/CO-1/2026-11-28.1"


@pytest.fixture
def log():
    with Log.open(":memory:", CATALOGUE, create=True) as opened:
        yield opened


@pytest.fixture
def book(log):
    return Casebook(log, {"coin": GAME}, CATALOGUE)


def send(log, envelopes):
    return log.accept([msgspec.json.encode(envelope) for envelope in envelopes], Origin("test"))


def test_a_session_is_judged_by_the_edition_in_force(log, book):
    book.adopt(ANY_HOUSE, TOML, ALWAYS)
    send(log, deal(3, 1))
    judgement = book.judge(SUBJECT)
    assert [verdict.settlement for verdict in judgement.verdicts] == ["agrees"] * 3
    assert judgement.between == ()
    assert book.judge_round(SUBJECT, "2") == judgement.verdicts[1]


def test_a_houses_own_edition_stands_before_everybodys(log, book):
    book.adopt(ANY_HOUSE, TOML, ALWAYS)
    book.adopt("brno", with_parameters(TOML, {"coin.late": "counts"}, GAME), date(2026, 11, 1))
    send(log, deal(1, 1, breach="CO-02"))
    assert book.judge(SUBJECT).verdicts[0].findings[0].kind == "breach"
    send(log, deal(1, 1, breach="CO-02", table="praha/CO-1"))
    assert book.judge("table/praha/CO-1/2026-11-28.1").verdicts[0].findings[0].kind == "void"


def test_an_edition_cannot_be_put_under_what_was_judged_by_another(log, book):
    send(log, deal(1, 1))
    with pytest.raises(EditionMissing, match="no CO edition of `brno`"):
        book.judge(SUBJECT)
    book.adopt("brno", TOML, date(2026, 11, 1))  # nothing was in force there: no verdict changes
    assert book.judge(SUBJECT).verdicts
    other = with_parameters(TOML, {"coin.late": "counts"}, GAME)
    with pytest.raises(Refused, match="was played under another one since"):
        book.adopt("brno", other, date(2026, 11, 28))
    book.adopt("brno", TOML, date(2026, 11, 28))  # the same bytes: nothing changes
    book.adopt(ANY_HOUSE, other, ALWAYS)  # brno has its own
    book.adopt("praha", other, date(2026, 11, 28))
    assert book.judge(SUBJECT).verdicts[0].defaulted == ("coin.late",)


@pytest.mark.parametrize(
    ("toml", "found"),
    [
        (TOML.replace('"CO"', '"XX"'), "no rule book"),
        (TOML.replace("[parameters]", '[parameters]\n"coin.lte" = "void"'), "no parameter is called `coin.lte`"),
        (TOML.replace("[parameters]", '[parameters]\n"coin.late" = "maybe"'), "it can be 'void', 'counts'"),
        (TOML.replace("[parameters]", "[constants]\nodds = 0\n[parameters]"), "odds"),
        (TOML.replace("[parameters]", "[constants]\nods = 1\n[parameters]"), "ods"),
        (TOML.replace("title", "titel"), "titel"),
        (TOML + "[", "cannot be read"),
    ],
)
def test_an_edition_with_a_mistake_is_refused_when_adopting(log, book, toml, found):
    with pytest.raises(BadEdition, match=found):
        book.adopt(ANY_HOUSE, toml, ALWAYS)
    assert log.size() == 0


def test_a_hole_in_the_record_leaves_the_round_open_until_the_late_record_comes(log, book):
    book.adopt(ANY_HOUSE, TOML, ALWAYS)
    envelopes = list(deal(3, 1))
    late = next(e for e in envelopes if e.round == "2" and e.type.startswith("CO.HeadsBet"))
    send(log, [e for e in envelopes if e is not late])
    assert [v.standing for v in book.judge(SUBJECT).verdicts] == ["valid", "cannot_tell", "valid"]
    before = max(row.recorded_at for row in log.page(-1))
    send(log, [late])
    assert [v.standing for v in book.judge(SUBJECT).verdicts] == ["valid"] * 3
    then = book.case(SUBJECT, known_at=before)
    assert [(hole.first, hole.why) for hole in then.holes] == [(int(late.sequence), "gap")]


def test_a_correction_changes_the_verdict_and_what_was_known_before_stays(log, book):
    book.adopt(ANY_HOUSE, TOML, ALWAYS)
    envelopes = list(deal(1, 1))
    send(log, envelopes)
    before = max(row.recorded_at for row in log.page(-1))
    toss = next(e for e in envelopes if e.type.startswith("CO.CoinTossed"))
    log.author(
        f"{SUBJECT}@/recoup",
        [
            Draft(
                RecordCorrected(data={"side": "tails"}), about=f"{int(toss.sequence)}@{toss.source}", reason="camera 4"
            )
        ],
    )
    assert book.judge(SUBJECT).verdicts[0].settlement == "differs"
    case = book.case(SUBJECT, known_at=before)
    assert len(case.ordered.facts) == len(envelopes)
    assert case.ordered.replaced == {}


def test_settings_of_a_house_stand_above_those_of_all(log, book):
    log.author("house/*@/recoup", [Draft(SettingChanged("clock.tolerance_ms", 100))])
    assert book.settings("brno") == {"clock.tolerance_ms": 100}
    log.author("house/brno@/recoup", [Draft(SettingChanged("clock.tolerance_ms", 7))])
    assert book.settings("brno") == {"clock.tolerance_ms": 7}
    assert book.settings("praha") == {"clock.tolerance_ms": 100}
    send(log, deal(1, 1))
    assert book.case(SUBJECT).tolerance_ms == 7


def test_an_adoption_from_outside_does_not_count(log, book):
    book.adopt(ANY_HOUSE, TOML, ALWAYS)
    row = log.page(-1)[0]
    forged = msgspec.json.decode(row.state)
    forged["source"] = "/brno/terminal"
    receipt = log.accept([canonical(forged)], Origin("test"))
    assert receipt.quarantined == 1
    assert log.quarantine()[0].reason == "not_yours"


def test_the_log_has_nothing_of_that_name(book):
    with pytest.raises(Refused, match="nothing of"):
        book.case("table/brno/RL-99/2026-11-28.1")


def test_shipped_editions_are_adopted_once(log):
    from cli.assembly import catalogue, rooms

    with Log.open(":memory:", catalogue(), create=True) as full:
        book = Casebook(full, rooms(), catalogue())
        first = book.adopt_shipped()
        assert {game.books[0].name for game in rooms().values()} <= {
            edition.rule_book for _house, edition, _day in first
        }
        assert book.adopt_shipped() == []


def test_what_comes_with_a_later_recoup_is_in_force_from_tomorrow_and_what_was_played_keeps_its_edition(
    log, monkeypatch
):
    old = TOML.replace("[edition]", "# as it came with the Recoup before\n[edition]")
    book = Casebook(log, {"coin": GAME}, CATALOGUE)
    monkeypatch.setattr("games.casebook.shipped_editions", lambda: [("coin", "plan.toml", old)])
    book.adopt_shipped()
    send(log, deal(3, 1))
    before = canonical(book.judge(SUBJECT))
    monkeypatch.setattr("games.casebook.shipped_editions", lambda: [("coin", "plan.toml", TOML)])
    ((house, edition, day),) = book.adopt_shipped()
    assert (house, edition.digest) == (ANY_HOUSE, book.read_edition(TOML).digest)
    assert day == gaming_day(now_ms()) + timedelta(days=1)
    assert canonical(book.judge(SUBJECT)) == before
    assert book.adopt_shipped() == []
