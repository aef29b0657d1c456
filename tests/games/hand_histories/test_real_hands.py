"""Hands that were really played, where the data folder lies beside the checkout: nothing of it is in the project.

All hold'em hands are imported, none is refused, every finishing stack is reached to the chip, and written out
and read in again they are equal.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from events.schema.order import table_order
from events.store import Log
from games.adjudicate import Case, SessionJudgement, judge_session
from games.hand_histories.draft import HandRefused
from games.hand_histories.imports import import_hands
from games.hand_histories.phh import read_hand
from games.hand_histories.phh_in import Imported, take
from games.hand_histories.phh_out import hands_of
from games.hand_histories.sections import lines_of, sections
from games.holdem import GAME
from games.house_rules.edition import Editions
from games.settlement import conserved
from games.verdict import Settlement, Verdict
from tests.games.hand_histories.hands import CATALOGUE, NAMES, apart, facts_of
from tests.games.table import editions_of

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT.parent / "shared" / "data" / "hands"

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"no real hands at {DATA.relative_to(ROOT.parent)}")

PLURIBUS = sorted((DATA / "pluribus").glob("*.phhs"))
SINGLES = sorted((*(DATA / "wsop").rglob("*.phh"), *(DATA / "showcase").glob("*.phh")))
SITES = DATA / "sites" / "absolute-handhq.phhs"
HANDHQ = DATA / "handhq" / "absolute-1000nl-2009-07.phhs"
EDITION = (ROOT / "games" / "holdem" / "editions" / "import.toml").read_text()


@cache
def editions() -> Editions:
    return editions_of(GAME, EDITION, house="import")


def read(path: Path) -> Iterator[tuple[str, Imported | HandRefused]]:
    """A file's hands by section, the refused ones too."""
    with path.open("rb") as file:
        for section in sections(lines_of(file)):
            try:
                yield section.name, take(section.raw, NAMES)
            except HandRefused as error:
                yield section.name, error


def judged(hand: Imported) -> SessionJudgement:
    facts = facts_of(hand)
    return judge_session(Case.make(facts[0].subject, facts, CATALOGUE, editions()), {GAME.name: GAME})


def finishing(hand: Imported, settlement: Settlement) -> list[int]:
    """Stacks after the hand by what is due, minor units, in the order of the file."""
    nets = {line.stake: line.net for line in settlement.lines}
    return [
        (stack or 0) + nets.get(f"seat/{seat}", 0)
        for seat, stack in zip(hand.hand.seats, hand.hand.stacks, strict=True)
    ]


def expected(path: Path) -> dict[str, dict[str, Any]]:
    """The expected file's hands by section, or by file name; amounts as `minor` reads them."""
    hands = json.loads(path.read_text())["hands"]
    return {str(hand.get("section") or hand["file"]): hand for hand in hands}


def minor(hand: dict[str, Any], amounts: list[int]) -> list[int]:
    scale = 100 // hand["unit_scale"]
    return [amount * scale for amount in amounts]


def check_verdict(verdict: Verdict, name: str) -> None:
    """Money is conserved, and what was recorded agrees with what is due."""
    assert conserved(verdict.due), name
    assert sum(pot.amount for pot in verdict.due.pots) == sum(line.taken for line in verdict.due.lines), name
    assert not any(finding.rule.startswith("TB-") for finding in verdict.findings), name


def round_trip(hand: Imported) -> list[str]:
    [written] = hands_of(table_order(facts_of(hand), CATALOGUE.decode))
    return apart(hand.hand, read_hand(written.text))


def test_all_pluribus_hands_reach_every_finishing_stack() -> None:
    kinds: Counter[str] = Counter()
    count = 0
    for path in PLURIBUS:
        known = expected(path.with_suffix(".expected.json"))
        for section, hand in read(path):
            name = f"{path.name} [{section}]"
            assert isinstance(hand, Imported), (name, hand)
            judgement = judged(hand)
            assert judgement.between == (), name
            [verdict] = judgement.verdicts
            wanted = known.pop(section)
            assert finishing(hand, verdict.due) == minor(wanted, wanted["recorded"]["finishing_stacks"]), name
            assert (verdict.standing, verdict.settlement) == ("valid", "agrees"), name
            check_verdict(verdict, name)
            kinds.update(f"{finding.rule} {finding.code}" for finding in verdict.findings)
            count += 1
        assert known == {}
    assert count == 4930
    assert kinds == {}


def test_all_pluribus_hands_are_equal_out_and_in_again() -> None:
    different = {
        f"{path.name} [{section}]": fields
        for path in PLURIBUS
        for section, hand in read(path)
        if isinstance(hand, Imported) and (fields := round_trip(hand))
    }
    assert different == {}


def test_all_hold_em_singles_reach_what_is_known_of_them() -> None:
    known = expected(DATA / "singles.expected.json")
    reached = 0
    for path in SINGLES:
        wanted = known.pop(str(path.relative_to(DATA)))
        [(_section, hand)] = read(path)
        if wanted["variant"] not in ("NT", "FT"):
            assert isinstance(hand, HandRefused), path
            assert hand.code == "not_yet", path
            continue
        assert isinstance(hand, Imported), (path, hand)
        [verdict] = judged(hand).verdicts
        stacks = wanted["recorded"].get("finishing_stacks") or wanted["pokerkit"]["final_stacks"]
        assert finishing(hand, verdict.due) == minor(wanted, stacks), path
        assert verdict.standing == "valid", path
        assert verdict.settlement == ("agrees" if "finishing_stacks" in wanted["recorded"] else "not_recorded"), path
        check_verdict(verdict, str(path))
        assert round_trip(hand) == [], path
        reached += 1
    assert known == {}
    assert reached == 8 + 4


def test_hands_of_a_site_reach_every_stack_with_the_rake_recorded() -> None:
    known, logs = expected(SITES.with_suffix(".expected.json")), expected(HANDHQ.with_suffix(".expected.json"))
    findings: Counter[str] = Counter()
    for section, hand in read(SITES):
        assert isinstance(hand, Imported), (section, hand)
        [verdict] = judged(hand).verdicts
        wanted = known.pop(section)
        assert finishing(hand, verdict.due) == minor(wanted, wanted["recorded"]["finishing_stacks"]), section
        # The site's own field has the rake without the jackpot fee of 0.50 that it takes from some pots.
        fees = logs[section]["log_rake_and_fees_cents"]
        assert verdict.due.rake == fees, section
        assert fees - round(float(hand.hand.document["_recorded_rake"]) * 100) in (0, 50), section
        assert (verdict.standing, verdict.settlement) == ("valid", "agrees"), section
        check_verdict(verdict, section)
        assert round_trip(hand) == [], section
        findings.update(f"{finding.rule} {finding.code}" for finding in verdict.findings)
    assert known == {}
    assert not findings


def test_hands_of_a_site_without_rake_differ_by_the_rake_of_its_log() -> None:
    """The file omits the rake; where it says what was won, the rest is rake, and it is the log's to the cent."""
    known = expected(HANDHQ.with_suffix(".expected.json"))
    told = reached = 0
    for section, hand in read(HANDHQ):
        assert isinstance(hand, Imported), (section, hand)
        [verdict] = judged(hand).verdicts
        wanted = known.pop(section)
        check_verdict(verdict, section)
        assert round_trip(hand) == [], section
        after, log = finishing(hand, verdict.due), wanted["log_final_stacks_cents"]
        rake = wanted["log_rake_and_fees_cents"]
        if wanted["recorded"].get("winnings"):
            assert after == log, section
            assert verdict.due.rake == rake, section
            told += 1
        else:
            assert verdict.standing == "valid", section
            apart_by = [one - other for one, other in zip(after, log, strict=True)]
            assert sum(apart_by) == rake, section
            winners = [line.paid > 0 for line in verdict.due.lines]
            assert all(0 <= cents <= rake for cents in apart_by), section
            assert sum(cents > 0 for cents in apart_by) == (sum(winners) if rake else 0), section
            reached += 1
    assert known == {}
    assert (told, reached) == (423, 75)


def test_all_files_come_in_through_the_door_and_again_as_repeats(tmp_path: Path) -> None:
    with Log.open(str(tmp_path / "hands.db"), CATALOGUE, create=True) as log:
        report = import_hands(log, [str(DATA / name) for name in ("pluribus", "wsop", "showcase", "sites", "handhq")])
        assert {file.error for file in report.files} == {""}
        assert report.imported == 4930 + 8 + 4 + 498 + 498
        assert {hand.code for hand in report.refused} == {"not_yet"}
        assert len(report.refused) == 39
        size = log.size()
        again = import_hands(log, [str(DATA / "pluribus")])
        assert (again.imported, again.repeats, log.size()) == (0, 4930, size)
        status = log.status()
        assert status.quarantined == status.conflicts == 0
        assert len(list(log.subjects("import/"))) == report.imported
