"""What every room must hold, asked of each that there is; a new room is under it from its first day."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from cli.assembly import catalogue, rooms
from events.errors import Refused
from events.schema.common import TABLE_EVENTS, ChipsMoved, TableOpened
from events.schema.envelope import canonical
from events.schema.fact import Fact
from games.adjudicate import Case, SessionJudgement, judge_session
from games.casebook import IMPORT_HOUSE
from games.clocks import Clocks
from games.house_rules.edition import ANY_HOUSE, Edition, EditionAdopted, Editions, read_edition
from games.picture import Viewpoint
from games.registry import forms, shipped_editions
from games.roulette.events import BallDropped, BetPlaced, CallBetPlaced
from games.wording import sentence
from tests.games.bank.anything import events
from tests.games.table import all_findings, facts_of

CASES = Path(__file__).parents[1] / "cases"
NOT_YET: dict[str, set[str]] = {}
"""Rules of a shipped edition that no code answers for yet; the list may only shrink."""

BREACHES = [(name, breach) for name, game in rooms().items() for breach in game.breaches]


BANKED = [room for room in rooms() if room != "holdem"]


def editions() -> Editions:
    adopted = Editions(forms(rooms().values()))
    for name, _file, toml in shipped_editions():
        edition = edition_of(name, toml)
        house = IMPORT_HOUSE if edition.name.startswith("import") else ANY_HOUSE
        adopted.adopt(house, EditionAdopted(edition.rule_book, edition.name, "0001-01-01", toml, edition.digest))
    return adopted


def edition_of(room: str, toml: str) -> Edition:
    form = next(book.form for book in rooms()[room].books if f'rule_book = "{book.name}"' in toml)
    return read_edition(toml, form)


def dealt(room: str, rounds: int, seed: int, breach: str | None = None) -> list[Fact]:
    """A dealer's session as facts."""
    return facts_of(rooms()[room].deal(rounds, seed, breach=breach), catalogue())


def judged(case: Case) -> SessionJudgement:
    """The session's judgement by the shipped editions."""
    return judge_session(case, rooms())


def case_of(facts: list[Fact]) -> Case:
    return Case.make(facts[0].subject, facts, catalogue(), editions())


@pytest.mark.parametrize(("room", "file", "toml"), shipped_editions(), ids=lambda value: str(value)[:40])
def test_an_edition_and_its_checks_name_the_same_rules(room, file, toml):
    edition = edition_of(room, toml)
    book = next(book for book in rooms()[room].books if book.name == edition.rule_book)
    assert book.rule_ids <= set(edition.rules), file
    assert set(edition.rules) - book.rule_ids <= NOT_YET.get(room, set()), file
    for rule, text in edition.rules.items():
        assert text.title.strip(), rule
        assert text.text.strip(), rule
        assert text.source.strip(), rule


def test_the_rules_that_no_code_answers_for_are_no_more_than_said():
    for room, missing in NOT_YET.items():
        answered = set().union(*(book.rule_ids for book in rooms()[room].books))
        assert not missing & answered, f"{room}: {sorted(missing & answered)} are checked; take them off the list"


@pytest.mark.parametrize("room", rooms())
def test_at_most_three_rules_are_left_to_a_person_and_each_exception_has_a_reason(room):
    for book in rooms()[room].books:
        assert len(book.by_hand) <= 3
        assert all(reason.strip() for reason in (*book.by_hand.values(), *book.not_breakable.values()))


@pytest.mark.parametrize("room", rooms())
def test_every_checked_rule_has_cases_that_keep_break_and_touch_it(room):
    for book in rooms()[room].books:
        for rule in {check.rule for check in book.checks}:
            text = (CASES / room / f"{rule}.toml").read_text(encoding="utf-8")
            for word in ("kept", "broken", "edge"):
                assert f'"{word}"' in text, f"{rule} has no case that is {word}"


@pytest.mark.parametrize("room", rooms())
@pytest.mark.parametrize("seed", [1, 2])
def test_a_dealer_asked_for_no_breach_deals_what_is_in_order(room, seed):
    envelopes = list(rooms()[room].deal(4, seed))
    assert [canonical(one) for one in envelopes] == [canonical(one) for one in rooms()[room].deal(4, seed)]
    counts: dict[str, int] = {}
    for envelope in envelopes:
        counts[envelope.source] = counts.get(envelope.source, 0) + 1
        assert int(envelope.sequence) == counts[envelope.source]
    case = case_of(facts_of(envelopes, catalogue()))
    judgement = judge_session(case, rooms())
    assert all_findings(judgement) == []
    assert [verdict.settlement for verdict in judgement.verdicts] == ["agrees"] * 4
    assert [verdict.standing for verdict in judgement.verdicts] == ["valid"] * 4
    assert canonical(judge_session(case, rooms())) == canonical(judgement)


@pytest.mark.parametrize(("room", "breach"), BREACHES)
@pytest.mark.parametrize(("rounds", "seed"), [(3, 7), (10, 3)])
def test_a_dealer_commits_the_breach_asked_for_and_no_other(room, breach, rounds, seed):
    found = all_findings(judged(case_of(dealt(room, rounds, seed, breach))))
    assert {finding.rule for finding in found} == {breach}


@pytest.mark.parametrize(
    ("room", "cause"),
    [(room, "win") for room in BANKED] + [(room, "return") for room in BANKED if room != "roulette"],
)  # fmt: skip
def test_chips_that_went_to_the_wrong_player_are_claimed_back_and_owed(room, cause):
    facts = dealt(room, 6, 3)
    at = next(at for at, fact in enumerate(facts) if _is_payment(fact, cause))
    event, owner = facts[at].event, facts[at].event.to.removeprefix("player/")
    facts[at] = replace(facts[at], event=replace(event, to="player/p-stranger"))
    wrong = [one for one in judged(case_of(facts)).verdicts if one.player_differences]
    assert [one.player_differences for one in wrong] == [{owner: event.amount, "p-stranger": -event.amount}]
    money = {finding.player: finding.money for finding in wrong[0].findings if finding.kind == "mispaid"}
    assert money == {owner: event.amount, "p-stranger": -event.amount}
    assert wrong[0].settlement == "differs"
    assert facts[at].cite in {cite for one in wrong[0].findings if one.player == "p-stranger" for cite in one.events}


@pytest.mark.parametrize("room", BANKED)
def test_what_a_dealer_puts_right_at_the_table_is_right_and_what_he_corrects_wrongly_is_found(room):
    facts = dealt(room, 6, 3)
    at = next(at for at, fact in enumerate(facts) if _is_payment(fact, "win"))
    event, owner = facts[at].event, facts[at].event.to.removeprefix("player/")
    short = replace(facts[at], event=replace(event, amount=event.amount - 1))
    lacking = [one.player_differences for one in judged(case_of([*facts[:at], short, *facts[at + 1 :]])).verdicts]
    assert {owner: 1} in lacking
    rest = ChipsMoved(event.frm, event.to, 1, "correction", stake=event.stake)
    after = replace(facts[at], event=rest, source=f"{facts[at].source}-2", sequence=1)
    right = judged(case_of([*facts[:at], short, after, *facts[at + 1 :]])).verdicts
    assert not any(one.player_differences for one in right)
    wrong = judged(case_of([*facts[: at + 1], after, *facts[at + 1 :]])).verdicts
    assert [one.player_differences for one in wrong if one.player_differences] == [{owner: -1}]


@pytest.mark.parametrize("room", BANKED)
def test_a_win_for_no_stake_is_claimed_back(room):
    facts = dealt(room, 6, 3)
    at = next(at for at, fact in enumerate(facts) if _is_payment(fact, "win"))
    facts[at] = replace(facts[at], event=replace(facts[at].event, stake=""))
    wrong = [one for one in judged(case_of(facts)).verdicts if one.differences]
    owner, amount = facts[at].event.to.removeprefix("player/"), facts[at].event.amount
    assert [one.differences.get(f"no stake to {owner}") for one in wrong] == [-amount]
    assert wrong[0].player_differences == {}, "paid to whom it was due, under no name"


def _is_payment(fact: Fact, cause: str) -> bool:
    event = fact.event
    return (
        isinstance(event, ChipsMoved) and event.cause == cause and bool(event.stake) and event.to.startswith("player")
    )


@pytest.mark.parametrize("room", rooms())
def test_a_dealer_refuses_a_breach_that_he_cannot_commit(room):
    with pytest.raises(Refused):
        list(rooms()[room].deal(1, 1, breach="XX-99"))


@pytest.mark.parametrize("room", rooms())
def test_a_picture_can_be_drawn_at_every_step_and_fits_the_screen(room):
    game = rooms()[room]
    facts = facts_of(game.deal(2, 3), catalogue())
    case = case_of(facts)
    edition = editions().in_force("brno", game.books[0].name, _any_day())
    session = game.open_table(edition, case.ordered.facts[0], (), Clocks())
    for fact in case.ordered.facts[1:]:
        session = game.evolve(session, fact)
        game.expects(session)
        for view in (Viewpoint(), Viewpoint(all_knowing=True), Viewpoint(seat="1")):
            for panel in game.picture(session, view):
                assert all(sum(len(span.text) for span in line) < 100 for line in panel.lines)


def _any_day():
    from datetime import date

    return date(2026, 11, 28)


@pytest.mark.parametrize("room", rooms())
@pytest.mark.parametrize("seed", [4, 5])
def test_a_fold_in_place_gives_the_verdicts_of_the_pure_one(room, seed):
    game = rooms()[room]
    breach = game.breaches[seed % len(game.breaches)]
    case = case_of(dealt(room, 5, seed, breach))
    pure = replace(game, advance=None)
    assert canonical(judge_session(case, {room: pure})) == canonical(judge_session(case, {room: game}))


@pytest.mark.parametrize("room", rooms())
def test_every_record_that_may_come_to_a_table_has_words(room):
    """Whoever reads a replay or an evidence pack reads what happened, never the name of an event type."""
    classes = [cls for cls in (*rooms()[room].events, *TABLE_EVENTS) if cls is not TableOpened]

    @settings(max_examples=4, deadline=None)
    @given(st.tuples(*[events((cls,)) for cls in classes]))
    def is_told(told):
        for event in told:
            said = sentence(event, rooms()[room], "CZK")
            assert said, type(event).__name__
            assert type(event).__name__ not in said

    is_told()


def test_a_bet_at_roulette_is_told_with_its_place_as_the_floor_names_it():
    tell = rooms()["roulette"].tell
    for position, told in (
        ("17", "17"), ("17/20", "17/20, a split"), ("0/2/3", "0/2/3, a street"), ("0/1/2/3", "0/1/2/3, a corner"),
        ("16/17/18/19/20/21", "16/17/18/19/20/21, a six line"), ("dozen/2", "dozen 2"), ("red", "red"),
        ("17/21", "17/21, which the layout does not have"),
    ):  # fmt: skip
        assert tell(BetPlaced("b9", "p-204", position, 50_000), "CZK") == f"p-204 bets 500 CZK on {told} (bet b9)"
    assert tell(BallDropped(17, 121), "CZK") == "the ball drops after 12.1 laps into 17 black"
    assert tell(CallBetPlaced("b1", "p-7", "voisins", 90_000, 10_000), "CZK") == (
        "voisins du zéro is laid out for p-7: 900 CZK, 100 CZK a chip (bet b1)"
    )
