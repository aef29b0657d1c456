from __future__ import annotations

import gzip
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from events.errors import Refused
from events.schema.ours import HandImported
from events.store import Log
from games.hand_histories.imports import FileImport, import_hands
from games.hand_histories.names import Pseudonyms
from tests.games.hand_histories.hands import CATALOGUE, HEADS_UP_ALL_IN, THREE_HANDED, taken
from tests.games.hand_histories.ohh import SHOWDOWN, STEAL, pot, text_of, win
from tests.games.hand_histories.ohh import hand as hand_of_ohh


@pytest.fixture
def log() -> Iterator[Log]:
    with Log.open(":memory:", CATALOGUE, create=True) as opened:
        yield opened


def hands(count: int, **other: str) -> str:
    """Different hands in sections from 1; `other`: section → text instead."""
    return "".join(
        f"[{number}]\n{other.get(f'h{number}', HEADS_UP_ALL_IN.replace('hand = 12', f'hand = {number}'))}\n"
        for number in range(1, count + 1)
    )


def write(path: Path, text: str) -> str:
    path.write_text(text)
    return str(path)


def sums(report: object) -> tuple[int, ...]:
    return tuple(getattr(report, name) for name in ("hands", "imported", "repeats"))


def test_a_hand_is_a_session_of_its_own(log: Log, tmp_path: Path) -> None:
    report = import_hands(log, [write(tmp_path / "one.phh", THREE_HANDED)])
    assert sums(report) == (1, 1, 0)
    assert (report.refused, report.errors) == ((), ())
    hand = taken(THREE_HANDED)
    facts = log.session_facts(f"import/{hand.key}").facts
    assert [fact.event for fact in facts] == [hand.opened, *hand.draft.events]
    assert len(facts) == report.files[0].records == log.size()


def test_the_same_file_again_changes_nothing(log: Log, tmp_path: Path) -> None:
    path = write(tmp_path / "many.phhs", hands(30))
    assert sums(import_hands(log, [path])) == (30, 30, 0)
    size = log.size()
    assert sums(import_hands(log, [path])) == (30, 0, 30)
    assert log.size() == size
    assert log.status().conflicts == 0


def test_a_hand_twice_in_a_file_is_a_repeat(log: Log, tmp_path: Path) -> None:
    text = f"[1]\n{THREE_HANDED}\n[2]\n{THREE_HANDED}\n"
    assert sums(import_hands(log, [write(tmp_path / "a.phhs", text)])) == (2, 1, 1)


def test_a_mistake_in_hand_57_of_100_loses_that_hand_only(log: Log, tmp_path: Path) -> None:
    broken = HEADS_UP_ALL_IN.replace("min_bet = 2", "min_bet = = 2").replace("hand = 12", "hand = 57")
    path = write(tmp_path / "session.phhs", hands(100, h57=broken))
    report = import_hands(log, [path])
    assert sums(report) == (100, 99, 0)
    [refused] = report.refused
    assert (refused.file, refused.section, refused.code) == (path, "57", "toml")
    assert Path(path).read_text().splitlines()[refused.line - 1] == "min_bet = = 2"
    write(tmp_path / "session.phhs", hands(100))
    assert sums(import_hands(log, [path])) == (100, 1, 99)
    assert len(list(log.subjects("import/"))) == 100


@pytest.mark.parametrize("mistake", ["actions = ['p1 f'", 'event = "no end', "antes = [[", "'''", "[[7]]", "\x00"])
def test_whatever_the_mistake_the_other_hands_come_in(log: Log, tmp_path: Path, mistake: str) -> None:
    path = write(tmp_path / "session.phhs", hands(3, h2=mistake))
    report = import_hands(log, [path])
    assert report.imported == 2
    assert [hand.section for hand in report.refused] == ["2"]


def test_a_line_that_is_no_utf_8_is_named(log: Log, tmp_path: Path) -> None:
    path = tmp_path / "session.phhs"
    path.write_bytes(hands(3, h2="variant = 'NT'\nevent = 'x'\n").encode().replace(b"'x'", b"'\xe9'"))
    [refused] = import_hands(log, [str(path)]).refused
    assert refused.code == "encoding"
    assert b"\xe9" in path.read_bytes().splitlines()[refused.line - 1]


def test_a_game_that_is_not_played_here_is_listed(log: Log, tmp_path: Path) -> None:
    report = import_hands(log, [write(tmp_path / "a.phhs", hands(2, h1="variant = 'PO'\n"))])
    [refused] = report.refused
    assert (refused.section, refused.code) == ("1", "not_yet")
    assert "Omaha" in refused.reason
    assert report.imported == 1


def test_a_folder_gives_all_its_files_and_packed_ones_too(log: Log, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    write(tmp_path / "deep" / "one.phh", THREE_HANDED)
    (tmp_path / "two.phhs.gz").write_bytes(gzip.compress(hands(2).encode()))
    write(tmp_path / "note.txt", "nothing")
    report = import_hands(log, [str(tmp_path)])
    assert [(Path(file.file).name, file.imported) for file in report.files] == [("one.phh", 1), ("two.phhs.gz", 2)]


def test_a_folder_without_hands_is_refused(log: Log, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="holds no file of hands"):
        import_hands(log, [str(tmp_path)])


def test_files_that_cannot_be_read_are_reported_and_stop_nothing(log: Log, tmp_path: Path) -> None:
    packed = gzip.compress(hands(400).encode())
    (tmp_path / "half.phhs.gz").write_bytes(packed[: len(packed) // 2])
    (tmp_path / "plain.phhs.gz").write_bytes(b"not packed at all")
    names = ["missing.phh", "half.phhs.gz", "plain.phhs.gz", "empty.phhs", "good.phh"]
    write(tmp_path / "empty.phhs", "# nobody played\n")
    write(tmp_path / "good.phh", THREE_HANDED)
    report = import_hands(log, [str(tmp_path / name) for name in names])
    assert [bool(file.error) for file in report.files] == [True, True, True, True, False]
    assert "No such file" in report.files[0].error
    assert report.files[1].imported > 0
    assert "holds no hand" in report.files[3].error
    assert report.files[4].imported == 1


def test_progress_is_told_and_batches_are_whole_hands(log: Log, tmp_path: Path) -> None:
    told: list[tuple[int, int, int]] = []

    def note(path: str, done: int, size: int, sofar: FileImport) -> None:
        assert log.size() == sofar.records
        told.append((done, size, sofar.imported))

    path = write(tmp_path / "session.phhs", hands(1500))
    import_hands(log, [path], note)
    assert [imported for _done, _size, imported in told] == sorted({imported for _done, _size, imported in told})
    assert len(told) > 2
    assert told[-1] == (Path(path).stat().st_size, Path(path).stat().st_size, 1500)


def test_a_record_s_batch_says_which_file_it_came_from(log: Log, tmp_path: Path) -> None:
    path = write(tmp_path / "one.phh", THREE_HANDED)
    report = import_hands(log, [path])
    told = log.origin_of(0)
    assert told is not None
    assert path in told[0]
    assert report.files[0].sha256 in told[0]


def test_another_key_for_names_makes_no_other_hand(log: Log, tmp_path: Path) -> None:
    path = write(tmp_path / "one.phh", THREE_HANDED)
    import_hands(log, [path], pseudonyms=Pseudonyms(b"one"))
    assert sums(import_hands(log, [path], pseudonyms=Pseudonyms(b"two"))) == (1, 0, 1)
    [subject] = log.subjects("import/")
    opened = log.session_facts(subject).facts[0].event
    assert isinstance(opened, HandImported)
    assert Pseudonyms(b"one").of("Cyril") in opened.text


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    peaks = []
    for megabytes in (16, 64):
        path = tmp_path / f"{megabytes}.phhs"
        with path.open("w") as file:
            for number in range(megabytes):
                file.write(f"[{number}]\n{'# nothing of note' * 60_000}\n{HEADS_UP_ALL_IN}# {number}\n")
        with Log.open(str(tmp_path / f"{megabytes}.db"), CATALOGUE, create=True) as log:
            tracemalloc.start()
            report = import_hands(log, [str(path)])
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
        assert report.hands == report.imported == megabytes
        assert path.stat().st_size > megabytes * 1_000_000
    assert peaks[1] < 1.1 * peaks[0]


# --- several formats ---


def test_a_file_is_told_by_its_name_or_else_by_how_it_begins(log: Log, tmp_path: Path) -> None:
    files = {
        "a.ohh": text_of(STEAL),
        "b.json": text_of([SHOWDOWN]),
        "c.phh": THREE_HANDED,
        "d.txt": HEADS_UP_ALL_IN,
        "e": "\n\n" + text_of({"ohh": STEAL["ohh"] | {"game_number": "78"}}),
        "f.txt": "a letter",
        "g.json": '{"hands": 3}',
    }
    paths = [write(tmp_path / name, text) for name, text in files.items()]
    report = import_hands(log, paths)
    assert [file.format for file in report.files] == ["ohh", "ohh", "phh", "phh", "ohh", "", "ohh"]
    assert [file.imported for file in report.files] == [1, 1, 1, 1, 1, 0, 0]
    assert "is no hand history that is read here" in report.files[5].error
    assert [(hand.code, hand.file) for hand in report.refused] == [("field", paths[6])]


def test_a_folder_gives_its_json_files_only_where_they_hold_hands(log: Log, tmp_path: Path) -> None:
    write(tmp_path / "hands.json", text_of(STEAL))
    write(tmp_path / "settings.json", "{}")
    (tmp_path / "more.ohh.gz").write_bytes(gzip.compress(text_of(SHOWDOWN).encode()))
    write(tmp_path / "broken.json.gz", "not packed")
    report = import_hands(log, [str(tmp_path)])
    assert [Path(file.file).name for file in report.files] == ["hands.json", "more.ohh.gz"]
    assert report.imported == 2


def test_a_mistake_in_one_hand_of_a_json_file_loses_that_hand_only(log: Log, tmp_path: Path) -> None:
    """Truncated, an amount in quotes, a player nobody knows, NaN, ten megabytes, a game of another day, a repeat."""
    whole = [text_of({"ohh": STEAL["ohh"] | {"game_number": str(number)}}) for number in range(9)]
    broken = {
        1: whole[1][: len(whole[1]) // 2],
        2: whole[2].replace('"amount": 6', '"amount": "6"'),
        3: whole[3].replace('"player_id": 0', '"player_id": 9'),
        4: whole[4].replace('"amount": 6', '"amount": NaN'),
        5: whole[5].replace("Kitchen", "x" * 10 * 2**20),
        6: whole[6].replace("Holdem", "Omaha"),
        7: whole[0],
    }
    path = write(tmp_path / "day.ohh", "\n\n".join(broken.get(number, text) for number, text in enumerate(whole)))
    report = import_hands(log, [path])
    assert sums(report) == (9, 2, 1)
    assert [(hand.section, hand.code, hand.line) for hand in report.refused] == [
        ("2", "json", 3), ("3", "amount", 5), ("4", "player", 7), ("5", "amount", 9), ("6", "length", 11),
        ("7", "not_yet", 13),
    ]  # fmt: skip
    write(Path(path), "\n\n".join(whole))
    assert sums(import_hands(log, [path])) == (9, 7, 2)


def test_a_hand_whose_money_does_not_add_up_comes_in_and_is_named(log: Log, tmp_path: Path) -> None:
    path = write(tmp_path / "a.ohh", text_of(hand_of_ohh(*STEAL["ohh"]["rounds"], pots=[pot(5, win(0, 4))])))
    report = import_hands(log, [path])
    assert sums(report) == (1, 1, 0)
    [named] = report.unproved
    assert (named.code, named.reason, named.section) == ("unproved", "the file pays 1 of the pot to nobody", "1")
    [subject] = log.subjects("import/")
    opened = log.session_facts(subject).facts[0].event
    assert isinstance(opened, HandImported)
    assert opened.notes == ("the file pays 1 of the pot to nobody",)
    again = import_hands(log, [path])
    assert (again.repeats, again.unproved) == (1, ())
