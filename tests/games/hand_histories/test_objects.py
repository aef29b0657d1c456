from __future__ import annotations

import io
import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from games.hand_histories import objects as cutting
from games.hand_histories.objects import objects
from games.hand_histories.sections import HAND_MAX, Section


def cut(raw: bytes) -> list[Section]:
    return list(objects(io.BytesIO(raw)))


def hand(number: int) -> dict[str, Any]:
    return {"ohh": {"game_number": str(number), "rounds": [{"cards": [], "actions": [{"a": 1}, {"a": 2}]}]}}


HANDS = [hand(number) for number in range(1, 5)]


@pytest.mark.parametrize(
    "text",
    [
        "\n\n".join(json.dumps(one) for one in HANDS),
        "\n".join(json.dumps(one) for one in HANDS) + "\n",
        "".join(json.dumps(one) for one in HANDS),
        "\n\n".join(json.dumps(one, indent=4) for one in HANDS),
        "\r\n\r\n".join(json.dumps(one, indent=1).replace("\n", "\r\n") for one in HANDS),
        json.dumps(HANDS),
        json.dumps(HANDS, separators=(",", ":")),
        json.dumps(HANDS, indent=2),
        json.dumps(HANDS, indent=0),
        "\ufeff" + json.dumps(HANDS),
        json.dumps(HANDS).replace("{", " {\t"),
    ],
    ids=["blank lines", "lines", "nothing between", "pretty", "crlf", "list", "tight list", "pretty list", "flush list",
         "bom", "spaces"],
)  # fmt: skip
def test_a_file_is_cut_into_its_hands_however_they_are_joined(text: str) -> None:
    found = cut(text.encode())
    assert [section.name for section in found] == ["1", "2", "3", "4"]
    assert [json.loads(section.raw) for section in found] == HANDS
    lines = text.encode().split(b"\n")
    for section in found:  # where it begins
        assert b"{" in lines[section.line - 1]


def test_a_hand_that_breaks_off_does_not_take_the_next_one_with_it() -> None:
    whole = json.dumps(HANDS[0])
    found = cut(f"{whole[:40]}\n\n{whole}\n".encode())
    assert [section.raw.decode() for section in found] == [whole[:40], whole]
    assert [section.line for section in found] == [1, 3]


def test_an_object_that_is_no_hand_stands_for_itself() -> None:
    found = cut(b'{"a": 1}\n{"ohh": {}}\n{"b": [{}]}\n')
    assert [section.raw for section in found] == [b'{"a": 1}', b'{"ohh": {}}', b'{"b": [{}]}']


@pytest.mark.parametrize("raw", [b"", b" \n\r\n", b"[]", b"[\n]\n", b"\xef\xbb\xbf"])
def test_nothing_is_no_hand(raw: bytes) -> None:
    assert cut(raw) == []


@pytest.mark.parametrize("chunk", [64, 65, 71, 100, 1000])
def test_where_the_file_is_read_in_pieces_makes_no_difference(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = "\n\n".join(json.dumps(hand(number), indent=1) for number in range(40)).encode()
    wanted = cut(raw)
    monkeypatch.setattr(cutting, "_CHUNK", chunk)
    assert cut(raw) == wanted
    assert len(wanted) == 40


def test_a_hand_longer_than_a_hand_can_be_is_cut_and_the_others_stand() -> None:
    long = json.dumps({"ohh": {"table_name": "x" * (HAND_MAX + 3_000_000)}})
    raw = "\n\n".join([json.dumps(HANDS[0]), long, json.dumps(HANDS[1])]).encode()
    found = cut(raw)
    assert [section.cut for section in found] == [False, True, False]
    assert [section.line for section in found] == [1, 3, 5]
    assert len(found[1].raw) < HAND_MAX
    assert json.loads(found[2].raw) == HANDS[1]


def test_at_most_a_few_hands_are_held_however_large_the_file(tmp_path: Path) -> None:
    text = json.dumps([{"ohh": {"number": number, "table_name": "x" * 3000}} for number in range(5000)])
    (tmp_path / "a.json").write_text(text)
    tracemalloc.start()
    try:
        with (tmp_path / "a.json").open("rb") as file:
            assert sum(1 for _hand in objects(file)) == 5000
        _now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2 * 2**20 < len(text)
