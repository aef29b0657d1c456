"""The generated pages are what the code says."""

from __future__ import annotations

import pytest

from docs import generate


@pytest.mark.parametrize("page", generate.PAGES)
def test_a_generated_page_is_what_the_code_says(page):
    written = (generate.HERE / page).read_text(encoding="utf-8")
    assert written == generate.PAGES[page](), f"docs/{page} has drifted; `make docs` writes it anew"


def test_the_check_can_fail(monkeypatch, tmp_path):
    monkeypatch.setattr(generate, "HERE", tmp_path)
    assert generate.differing() == list(generate.PAGES)
