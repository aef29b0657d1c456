"""Hand histories in and out from the command line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli.assembly import open_log, rooms
from tests.cli.desk import Desk, lines_of

HAND = """variant = 'NT'
ante_trimming_status = true
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [10000, 10000, 10000]
actions = ['d dh p1 9sTs', 'd dh p2 JcTc', 'd dh p3 Ad8c', 'p3 f', 'p1 cbr 300', 'p2 f']
hand = {number}
players = ['Ana', 'Bedrich', 'Cyril']
finishing_stacks = [10100, 9900, 10000]
"""


def hands(count: int, broken: int | None = None) -> str:
    """A `.phhs` of so many hands; the hand numbered `broken` has a syntax error."""
    sections = []
    for number in range(1, count + 1):
        text = HAND.format(number=number)
        sections.append(f"[{number}]\n" + (text.replace("antes = [0,", "antes = [0,,") if number == broken else text))
    return "\n".join(sections)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path).init()


def test_a_syntax_error_in_one_hand_of_a_hundred_lets_the_others_in_and_the_repaired_one_later(desk: Desk) -> None:
    file = desk.folder / "day.phhs"
    file.write_text(hands(100, broken=57))
    first = desk.run("hands", "import", str(file))
    assert first.code == 5
    named = re.search(r"day\.phhs:(\d+)\s+\(hand\s+57\)", first.out)
    assert named is not None
    assert "import the same files again" in first.err
    file.write_text(hands(100))
    row = desk.run("hands", "import", str(file), "--json").row
    assert (row["hands"], row["imported"], row["repeats"]) == (100, 1, 99)
    again = desk.run("hands", "import", str(file))
    assert again.code == 0
    assert "nothing new" in again.out


def test_imported_hands_are_listed_judged_replayed_and_written_back_without_names(desk: Desk) -> None:
    (desk.folder / "day.phhs").write_text(hands(3))
    assert desk.run("hands", "import", str(desk.folder)).code == 0
    rows = desk.run("rounds", "--imports", "--json").rows
    assert len(rows) == 3
    assert {(row["day"], row["first"], row["last"]) for row in rows} == {(None, None, None)}
    assert "1970" not in desk.run("rounds", "--imports").out
    key = rows[0]["round"].partition("#")[0]
    judged = desk.run("judge", key[:16])
    assert judged.code == 0
    assert f"round {key}#1" in judged.err
    assert desk.run("judge", "--all").code == 0
    shown = desk.run("replay", rows[0]["round"])
    assert shown.code == 0
    for name in ("Ana", "Bedrich", "Cyril"):
        assert name not in shown.out
    written = desk.run("hands", "export", rows[0]["round"])
    assert written.code == 0
    assert "actions = ['d dh p1 9sTs'" in written.out
    out = desk.folder / "out.phhs"
    assert desk.run("hands", "export", "--all", "-o", str(out)).code == 0
    other = Desk(desk.folder, store=str(desk.folder / "other.db")).init()
    assert other.run("hands", "import", str(out), "--json").row["imported"] == 3
    assert other.run("judge", "--all").code == 0
    assert desk.run("judge", "import/ffffffffffff").code == 2
    assert desk.run("hands", "export").code == 2


def test_files_that_cannot_be_read_are_named_with_3(desk: Desk) -> None:
    (desk.folder / "good.phh").write_text(HAND.format(number=1))
    result = desk.run("hands", "import", str(desk.folder / "none.phh"), str(desk.folder / "good.phh"))
    assert result.code == 3
    assert "none.phh" in result.err
    assert desk.run("rounds", "--imports").code == 0
    empty = desk.folder / "empty"
    empty.mkdir()
    assert desk.run("hands", "import", str(empty)).code in (2, 3)


def test_a_key_file_gives_other_ids(desk: Desk) -> None:
    (desk.folder / "day.phh").write_text(HAND.format(number=1))
    (desk.folder / "key").write_bytes(b"kept in a safe")
    other = Desk(desk.folder, store=str(desk.folder / "other.db")).init()
    desk.run("hands", "import", str(desk.folder / "day.phh"))
    other.run("hands", "import", str(desk.folder / "day.phh"), "--key-file", str(desk.folder / "key"))
    ids = [set(re.findall(r"p-[0-9a-f]{12}", one.run("hands", "export", "--all").out)) for one in (desk, other)]
    assert len(ids[0]) == len(ids[1]) == 3
    assert not ids[0] & ids[1]


def test_who_imports_by_a_key_is_noted_by_it(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "kral.pem"
    assert desk.run("staff", "key", str(path), "--person", "kral").code == 0
    monkeypatch.setenv("RECOUP_KEY", str(path))
    (desk.folder / "day.phh").write_text(HAND.format(number=1))
    assert desk.run("hands", "import", str(desk.folder / "day.phh")).code == 0
    with open_log(desk.store) as log:
        came = log.origin_of(log.size() - 1)
    assert came is not None
    assert came[1].startswith("key:")


def test_hands_of_our_own_tables_written_and_read_again_are_settled_as_they_were(tmp_path: Path, desk: Desk) -> None:
    for seed in (1, 2, 3):
        desk.ingest(lines_of(rooms()["holdem"].deal(12, seed, table=f"brno/NL-{seed}")))
    file = tmp_path / "own.phhs"
    assert desk.run("hands", "export", "--all", "-o", str(file)).code == 0
    (tmp_path / "elsewhere").mkdir()
    elsewhere = Desk(tmp_path / "elsewhere").init()
    assert elsewhere.run("hands", "import", str(file)).code == 0
    rows = elsewhere.run("judge", "--all", "--each", "--json").rows
    assert len(rows) == 36
    assert {row["settlement"] for row in rows} == {"agrees"}


def test_the_round_nearest_to_the_time_is_the_one_to_go_on_with(desk: Desk) -> None:
    desk.ingest(lines_of(rooms()["holdem"].deal(6, 1)))
    rows = desk.run("rounds", "--table", "NL-1", "--json").rows
    third = rows[2]
    clock = third["first"][11:16]
    said = desk.run("rounds", "--table", "NL-1", "--around", clock, "--within", "60")
    within = [row for row in rows if row["first"][11:16] <= clock <= row["last"][11:16]]
    assert any(said.err.strip().endswith(f"recoup judge {row['round']}") for row in within)
    short = third["round"].removeprefix("table/")
    assert desk.run("judge", short, "--json").row["round"] == third["round"]
