"""The page of `make soak`: each stage writes its own section."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks import soak


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty page, and two stages."""
    monkeypatch.setattr(soak, "PAGE", tmp_path / "soak.md")
    monkeypatch.setattr(soak, "STAGES", {"first": lambda: iter(["1 found"]), "second": lambda: iter(["2 found"])})
    return tmp_path / "soak.md"


def test_a_stage_keeps_what_the_others_wrote_whatever_the_order(page: Path) -> None:
    assert soak.main(["second"]) == 0
    second = page.read_text()
    assert soak.main(["first"]) == 0
    both = page.read_text()
    assert both.startswith(soak.HEAD)
    assert both.index("## first") < both.index("## second")
    assert second.removeprefix(soak.HEAD) in both
    assert soak.main(["first"]) == 0
    assert page.read_text().count("- 1 found") == 1


def test_a_stage_that_found_something_says_so_in_the_place_of_what_it_said_before(
    page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    soak.main([])

    def fails() -> Iterator[str]:
        yield "so far well"
        raise soak.Failed("a dealer is accused")

    monkeypatch.setitem(soak.STAGES, "first", fails)
    assert soak.main([]) == 5
    text = page.read_text()
    assert "- FAILED: a dealer is accused" in text
    assert "1 found" not in text
    assert "- 2 found" in text


def test_an_unknown_stage_is_refused(page: Path) -> None:
    assert soak.main(["third"]) == 2
    assert not page.exists()


def test_a_program_that_fails_is_a_stage_that_failed() -> None:
    with pytest.raises(soak.Failed, match="no benchmark"):
        list(soak.run_of("benchmarks", "nothing-of-the-kind"))
