"""Open Hand Histories of hands that were really played, where the data folder lies beside the checkout.

Every hold'em hand is imported and reaches what its file records, by its own sums and by the expected file's; each other
game is listed by name. Written out and read in again they are equal.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from events.errors import Refused
from events.store import Log
from games.adjudicate import SessionJudgement
from games.hand_histories import ohh_out, phh_out
from games.hand_histories.draft import HandRefused, Imported
from games.hand_histories.imports import import_hands
from games.hand_histories.objects import objects
from games.hand_histories.ohh_in import take
from games.hand_histories.phh_in import take as take_phh
from games.verdict import Settlement
from tests.games.hand_histories.hands import CATALOGUE, NAMES, ordered
from tests.games.hand_histories.test_real_hands import DATA, PLURIBUS, SINGLES, SITES, check_verdict, judged
from tests.games.hand_histories.test_real_hands import read as read_phh

OHH = DATA / "ohh"

pytestmark = pytest.mark.skipif(not OHH.is_dir(), reason="no real hands beside the checkout")

FILES = sorted(OHH.rglob("*.ohh"))
HOLDEM = {
    "all_in": 75, "dead_blind": 58, "extra_blind": 24, "not_replayed": 3, "odd_chip_disagreement": 0, "plain": 32,
    "pokerkit_crash": 0, "pokerkit_refuses": 34, "run_it_twice": 48, "split_pot": 27, "straddle": 31,
    "session-01": 50, "session-02": 54, "session-03": 95, "session-04": 40,
}  # fmt: skip
"""Hold'em hands in each file; the others are Omaha."""


@cache
def hands_of(path: Path) -> tuple[tuple[str, Imported | HandRefused], ...]:
    return tuple(_read(path))


def _read(path: Path) -> Iterator[tuple[str, Imported | HandRefused]]:
    with path.open("rb") as file:
        for section in objects(file):
            try:
                yield section.name, take(section.raw, NAMES)
            except HandRefused as error:
                yield section.name, error


def holdem() -> Iterator[tuple[str, Imported]]:
    for path in FILES:
        for name, hand in hands_of(path):
            if isinstance(hand, Imported):
                yield f"{path.name} [{name}]", hand


def expected() -> dict[tuple[str, int], dict[str, Any]]:
    """By file and place in it, from 1."""
    found = {}
    for path in sorted(OHH.rglob("*.expected.json")):
        for hand in json.loads(path.read_text())["hands"]:
            found[Path(hand["file"]).name, hand["index"] + 1] = hand
    return found


def final_stacks(hand: Imported, due: Settlement) -> dict[str, int]:
    """By the file's player id, cents."""
    nets = {line.stake: line.net for line in due.lines}
    return {str(player.ident): (player.stack or 0) + nets.get(f"seat/{player.seat}", 0) for player in hand.hand.players}


def agreement(judgement: SessionJudgement, hand: Imported) -> str:
    """Empty, or why the hand does not reach what its file records."""
    [verdict] = judgement.verdicts
    if hand.draft.unproved:
        return "; ".join(hand.draft.unproved)
    if verdict.settlement != "agrees":
        return f"{verdict.settlement}: {verdict.differences} {[f'{one.rule} {one.code}' for one in verdict.findings]}"
    return "" if verdict.standing == "valid" else verdict.standing


def test_every_hold_em_hand_reaches_what_its_file_records() -> None:
    known = expected()
    count, apart = 0, {}
    kinds: Counter[str] = Counter()
    for path in FILES:
        for name, hand in hands_of(path):
            wanted = known.get((path.name, int(name)))
            if not isinstance(hand, Imported):
                assert hand.code == "not_yet", (path.name, name, hand)
                assert wanted is None or wanted["game_type"] in str(hand)
                continue
            count += 1
            judgement = judged(hand)
            assert judgement.between == ()
            if reason := agreement(judgement, hand):
                apart[f"{path.name} [{name}]"] = reason
                continue
            [verdict] = judgement.verdicts
            check_verdict(verdict, f"{path.name} [{name}]")
            kinds.update(f"{finding.rule} {finding.code}" for finding in verdict.findings)
            if wanted is not None:
                assert final_stacks(hand, verdict.due) == wanted["recorded"]["final_stacks"], (path.name, name)
                assert verdict.due.rake == wanted["recorded"]["rake"]
    print(f"{count} hands, {len(apart)} apart: {apart}; findings {dict(kinds)}")
    assert apart == {}
    assert count == sum(HOLDEM.values()) + 3  # the three examples have no expected file


def test_the_hands_of_each_file_are_all_accounted_for() -> None:
    for path in FILES:
        if path.stem in HOLDEM:
            hands = [hand for _name, hand in hands_of(path)]
            assert sum(isinstance(hand, Imported) for hand in hands) == HOLDEM[path.stem], path.name
            assert len(hands) == sum(file == path.name for file, _place in expected()), path.name


def test_written_and_read_again_every_hand_tells_the_same() -> None:
    different = {}
    for name, hand in holdem():
        [written] = ohh_out.hands_of(ordered(hand))
        again = take(written.text.encode(), NAMES)
        if again.draft.events != hand.draft.events:
            different[name] = written.text
    assert different == {}


def test_written_as_phh_every_hand_is_judged_alike_or_refused_with_its_reason() -> None:
    told: Counter[str] = Counter()
    for name, hand in holdem():
        try:
            [written] = phh_out.hands_of(ordered(hand))
        except Refused as refused:
            told[re.sub(r"seat \d+ ", "", str(refused).partition("PHH: ")[2])] += 1
            continue
        [one], [other] = judged(hand).verdicts, judged(take_phh(written.text.encode(), NAMES)).verdicts
        assert (one.settlement, one.due.lines, one.due.rake) == (other.settlement, other.due.lines, other.due.rake), (
            name
        )
        told["alike"] += 1
    assert told == {
        "alike": 513,
        "the board was run more than once": 56,
        "posted two blinds, and the format has one a player": 5,
    }


def test_phh_hands_written_as_ohh_are_judged_alike() -> None:
    told: Counter[str] = Counter()
    for path in (PLURIBUS[0], *SINGLES, SITES):
        for section, hand in read_phh(path):
            if not isinstance(hand, Imported):
                continue
            [written] = ohh_out.hands_of(ordered(hand))
            [one], [other] = judged(hand).verdicts, judged(take(written.text.encode(), NAMES)).verdicts
            assert (one.standing, one.settlement, one.due) == (other.standing, other.settlement, other.due), (
                path,
                section,
            )
            told[path.parent.name] += 1
    assert told["sites"] == 498
    assert sum(told.values()) > 500


def test_all_files_come_in_through_the_door(tmp_path: Path) -> None:
    with Log.open(str(tmp_path / "hands.db"), CATALOGUE, create=True) as log:
        report = import_hands(log, [str(OHH)])
        assert report.errors == ()
        assert report.imported == sum(HOLDEM.values()) + 3
        assert Counter(hand.reason for hand in report.refused) == {
            "pot-limit Omaha (Omaha) is not played here yet": 370,
            "pot-limit Omaha high-low (OmahaHiLo) is not played here yet": 277,
        }
        assert report.hands == 1_221
        assert report.unproved == ()
        assert log.status().quarantined == log.status().conflicts == 0
