"""The vectors of the catalogues, and the runner itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.vectors.__main__ import adapter_of, main, problems_of
from tests.vectors.reading import HERE, Unreadable, copy_of, merged, read_vectors

CATALOGUE = HERE.parents[2] / "shared" / "rules" / "roulette.md"
COPY = read_vectors(copy_of("roulette"), "roulette")


@pytest.mark.parametrize("vector", [pytest.param(vector, id=vector["id"]) for vector in COPY.vectors])
def test_vector(vector: dict[str, Any]) -> None:
    assert problems_of(vector, COPY.base or {}, adapter_of("roulette")) == []


def test_the_copy_holds_the_vectors_of_the_catalogue() -> None:
    if not CATALOGUE.exists():
        pytest.skip("no ../shared beside this checkout: its vectors cannot be compared with our copy")
    theirs = read_vectors(CATALOGUE, "roulette")
    assert {vector["id"]: vector for vector in COPY.vectors} == {vector["id"]: vector for vector in theirs.vectors}
    assert COPY.base == theirs.base


def test_all_of_roulette_pass_and_none_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["roulette", str(copy_of("roulette"))]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "RL-T01 passed"
    assert lines[-1] == "35 passed, 0 failed"
    assert len(lines) == 36


def written(tmp_path: Path, text: str, name: str = "some.md") -> str:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return str(path)


GOOD: dict[str, Any] = {
    "id": "A",
    "given": {"spin": {"win": 8}, "bets": [{"id": "b1", "p": "P1", "type": "straight", "pos": [8], "stake": 1000}]},
    "expect": {"verdict": "valid", "net": {"P1": 35000}},
    "rule": ["RL-31"],
}


def changed(**parts: Any) -> dict[str, Any]:
    return {**GOOD, **parts}


def test_markdown_and_a_bare_array_give_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    array = json.dumps([GOOD])
    base = json.dumps(COPY.base)
    markdown = (
        f"# Rules\n\n```json\n[1, 2]\n```\n```json\n{base}\n```\nwords\n```json\n{array}\n```\n```text\n1/2\n```\n"
    )
    for path in (written(tmp_path, markdown), written(tmp_path, array, "bare.json")):
        assert main(["roulette", path]) == 0
        assert capsys.readouterr().out == "A passed\n1 passed, 0 failed\n"


@pytest.mark.parametrize(
    "vector",
    [
        changed(expect={"verdict": "spin_void"}),
        changed(expect={"net": {"P1": 34999}}),
        changed(expect={"net": {"P1": 35000, "P2": 1}}),
        changed(expect={"bets": {"b1": {"effect": "take"}}}),
        changed(expect={"bets": {"b2": {"effect": "pay"}}}),
        changed(expect={"findings": ["late_bet"]}),
        changed(expect={"verdict": "valid", "mood": "good"}),
        changed(expect={"bets": {"b1": {"colour": "red"}}}),
        changed(given={**GOOD["given"], "moon": "full"}),
        changed(given={**GOOD["given"], "spin": {"win": 8, "moon": "full"}}),
        changed(given={**GOOD["given"], "config": {"roulette.short_spin_polcy": "on_declaration"}}),
        changed(given={"spin": {"win": 8}, "bets": [{"id": "b1", "p": "P1", "type": "straight", "pos": [8]}]}),
        changed(note="a key that is not a vector's"),
        changed(expect={}),
        changed(expect={"verdict": "valid", "net": {}}),
        changed(given={**GOOD["given"], "moves": [{"bet": "b7", "kind": "removed", "at": 33}]}),
        changed(given={**GOOD["given"], "advice": [{"player": "P9", "mood": "good"}]}),
        changed(given={**GOOD["given"], "recorded": {"b7": 1}}),
        changed(given={**GOOD["given"], "seats": [{"seat": 1}]}),
        changed(
            given={"kind": "sequence", "spins": [{"win": 8, "bets": GOOD["given"]["bets"]}, {"win": 9, "bets": []}]},
            expect={"nets": [{"P1": 35000}]},
        ),
        {"id": "B", "given": []},
    ],
)
def test_a_vector_that_differs_or_is_not_understood_fails(
    vector: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["roulette", written(tmp_path, json.dumps([vector]), "one.json")]) == 5
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{vector['id']} failed: ")
    assert lines[-1] == "0 passed, 1 failed"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            {"bets": [{"id": "b1", "p": "P1", "type": "red"}]},
            "`stake` or `unit` or `amount` or `components` is missing",
        ),
        ({"bets": [{**GOOD["given"]["bets"][0], "moon": 1}]}, "unknown key `moon` in `bets`"),
        ({"bets": [{**GOOD["given"]["bets"][0], "table": "R9"}]}, "bet b1 lies at table R9, the vector's is R1"),
        ({"moves": [{"bet": "b7", "at": 33}]}, "`moves` names a bet b7 that nobody laid"),
        ({"claims": ["b1"]}, "`claims` holds 'b1', which is not an object"),
        ({"spin": {"win": 8, "revs": "many"}}, "cannot be put on a table: "),
        ({"spin": {"win": 8, "wheel_dir": "left"}}, "`wheel_dir` in `spin` is 'left', not one of 'cw', 'ccw', None"),
    ],
)
def test_what_is_wrong_with_a_vector_is_said(given: dict[str, Any], said: str) -> None:
    problems = problems_of(changed(given={**GOOD["given"], **given}), COPY.base or {}, adapter_of("roulette"))
    assert len(problems) == 1
    assert problems[0].startswith(said)


def test_long_names_and_short_ones_are_the_same() -> None:
    long = {"bet_id": "b1", "player": "P1", "type": "straight", "position": [8], "stake": 1000, "table_id": "R1"}
    vector = changed(
        given={
            "spin": {"win": 8},
            "bets": [{**long, "chip_table_id": "R2"}],
            "staff_advice": [{"p": "P1"}],
            "rulings": [{"ground": "staff_advice", "standard": "proof", "role": "management", "p": "P1"}],
        },
        expect={"net": {"P1": 0}, "findings": ["foreign_chip", "ruling_staff_advice"]},
    )
    assert problems_of(vector, COPY.base or {}, adapter_of("roulette")) == []


def test_a_second_vector_of_one_id_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["roulette", written(tmp_path, json.dumps([GOOD, GOOD]), "two.json")]) == 5
    assert capsys.readouterr().out.splitlines()[-1] == "1 passed, 1 failed"


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    assert main(["roulette", written(tmp_path, "\ufeff" + json.dumps([GOOD]), "bom.json")]) == 0


def test_a_kind_without_adapter_is_left_out_and_does_not_pass(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, json.dumps([GOOD, changed(given={"kind": "mood"})]), "two.json")
    assert main(["roulette", path]) == 5
    assert capsys.readouterr().out.splitlines()[-2:] == ["1 left out", "1 passed, 0 failed"]
    assert main(["roulette", path, "--kind", "round"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "1 passed, 0 failed"


@pytest.mark.parametrize(
    ("room", "text", "kind"),
    [
        ("roulette", "no vectors here", None),
        ("roulette", "[1, 2]", None),
        ("roulette", '[{"id": "A", "id": "B"}]', None),
        ("roulette", '```json\n[{"id": "A", "given": {}, ]\n```', None),
        ("roulette", json.dumps([GOOD]), "mood"),
        ("chess", json.dumps([GOOD]), None),
        ("reading", json.dumps([GOOD]), None),
    ],
)
def test_what_cannot_be_run_is_said(
    room: str, text: str, kind: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [room, written(tmp_path, text), *(["--kind", kind] if kind else [])]
    assert main(arguments) == 2
    assert capsys.readouterr().err.startswith("error: ")


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    assert main(["roulette", str(tmp_path / "none.md")]) == 2
    with pytest.raises(Unreadable, match="cannot be read"):
        read_vectors(tmp_path, "roulette")


def test_a_base_lies_beneath_a_vector_deeply_and_lists_replace() -> None:
    assert merged({"a": {"b": 1, "c": [1]}, "d": 2}, {"a": {"c": [2]}}) == {"a": {"b": 1, "c": [2]}, "d": 2}


def test_a_vector_without_id_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nameless = {key: value for key, value in GOOD.items() if key != "id"}
    assert main(["roulette", written(tmp_path, json.dumps([nameless, nameless]), "two.json")]) == 5
    assert capsys.readouterr().out.splitlines() == ["(without id) failed: `id` is missing"] * 2 + ["0 passed, 2 failed"]
