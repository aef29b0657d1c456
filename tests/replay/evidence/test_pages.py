"""The report's blocks, and the page that is made of them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from cli import assembly
from games.adjudicate import steps
from games.picture import Mark, Panel, Plan, Span, Viewpoint, line
from replay.evidence.blocks import Block, Drawing, Heading, Report, Table, Text, drawn, plain, visible, words
from replay.evidence.html import page
from replay.evidence.pdf import paper, run_lengths
from tests.games.test_every_room import case_of, dealt
from tests.replay.evidence.papers import pages


def report(*blocks: Block) -> Report:
    return Report("Evidence", "a table", "REPLAY", "for some", 1_764_000_000_000, blocks)


def test_a_grid_of_signs_is_drawn_with_lines_in_the_same_columns() -> None:
    panel = Panel("", (line("+--+--+"), line("|", Span("1r", "red"), "|2b|"), line("+--+--+"), line("a + b - c | d")))
    assert [plain(one) for one in drawn(panel)] == ["┌──┬──┐", "│1r│2b│", "└──┴──┘", "a + b - c │ d"]
    assert drawn(panel)[1][1] == Span("1r", "red")
    words_only = Panel("", (line("net: p-1 +200 | p-2 -200"),))
    assert [plain(one) for one in drawn(words_only)] == ["net: p-1 +200 | p-2 -200"]


def test_red_suits_are_red_unless_the_room_marked_or_dimmed_the_cards() -> None:
    panel = Panel("", (line(Span("K♦ 10♥ 8♠", "bold"), Span("2♥", "dim"), Span("3♦", "now")),))
    styles = {span.text: span.style for span in drawn(panel)[0]}
    assert styles == {"K♦": "red", " ": "bold", "10♥": "red", "8♠": "bold", "2♥": "dim", "3♦": "now"}


@pytest.mark.parametrize("room", sorted(assembly.rooms()))
def test_every_picture_of_a_room_keeps_its_columns_when_it_is_drawn(room: str) -> None:
    game = assembly.rooms()[room]
    for step in steps(case_of(dealt(room, 1, 3)), assembly.rooms()):
        for panel in game.picture(step.session, Viewpoint(all_knowing=True)):
            assert [len(plain(one)) for one in panel.lines] == [len(plain(one)) for one in drawn(panel)]


@given(st.lists(st.tuples(st.sampled_from([b"\0", b"a", b"\n"]), st.integers(1, 300))))
def test_run_lengths_are_read_back(runs: list[tuple[bytes, int]]) -> None:
    data = b"".join(letter * count for letter, count in runs)
    made, back, at = run_lengths(data), bytearray(), 0
    while made[at] != 128:
        if made[at] < 128:
            back += made[at + 1 : at + made[at] + 2]
            at += made[at] + 2
        else:
            back += made[at + 1 : at + 2] * (257 - made[at])
            at += 2
    assert (bytes(back), at) == (data, len(made) - 1)


def test_letters_that_nobody_sees_are_told_by_their_number() -> None:
    assert visible("a\u202eb\u200b\x1b[2J 1\u00a0000") == "a[U+202E]b[U+200B][U+001B][2J 1\u00a0000"


def test_a_page_loads_nothing_and_runs_nothing() -> None:
    hostile = "<img src=x onerror=alert(1)> & \u202e \x07"
    made = page(
        report(
            Heading(hostile, 1), Text(words(hostile)), Table((hostile,), ((words(hostile),),)),
            Drawing(hostile, (Panel(hostile, (line(hostile),)),)),
        )
    ).decode()  # fmt: skip
    assert not re.search(r"<(script|img|link|iframe|object)", made)
    assert not re.search(r"(?:src|href)=[\"'](?!#)", made)
    assert "default-src 'none'" in made
    assert made.count("&lt;img src=x onerror=alert(1)&gt; &amp; [U+202E] [U+0007]") >= 5


def test_the_same_report_is_the_same_paper_and_every_page_says_that_it_is_a_replay() -> None:
    long = report(*(Text(words(f"Příliš žluťoučký kůň, odstavec {number}")) for number in range(120)))
    made = paper(long)
    assert made == paper(long)
    found = pages(made)
    assert len(found) > 1
    assert all(one.startswith("REPLAY") for one in found)
    assert "Příliš žluťoučký kůň, odstavec 119" in found[-1]


def test_a_plan_is_drawn_to_scale_on_the_page_and_on_paper() -> None:
    plan = Plan(400, 200, (
        Mark("field", 100, 100, 60, 80, style="red"), Mark("text", 100, 70, 60, 20, "17", "bold"),
        Mark("chip", 130, 100, 28, 28, "<5>"), Mark("frame", 100, 100, 60, 80),
    ))  # fmt: skip
    panel = Panel("Layout", (line("told in words"),), plan)
    made = page(report(Drawing("now", (panel,)))).decode()
    assert 'viewBox="0 0 400 200"' in made
    assert '<rect class="field red" x="70" y="60" width="60" height="80"/>' in made
    assert '<circle class="chip" cx="130" cy="100" r="14"/>' in made
    assert ">&lt;5&gt;</text>" in made
    assert "told in words" not in made, "the plan stands in the lines' place"
    bare, full = (paper(report(Drawing("now", (replace(panel, plan=one),)))) for one in (replace(plan, marks=()), plan))
    assert "<5>" in pages(full)[0]
    assert "17" in pages(full)[0]
    assert full.count(b" re B") - bare.count(b" re B") == 1, "the field, filled and lined"
    assert full.count(b" c\n") - bare.count(b" c\n") > 2, "the chip is round"


def test_cards_are_drawn_as_cards() -> None:
    panel = Panel("", (line(Span("10♥ A♠ ▒▒ soft 20"), Span("3♣", "now")),))
    made = page(report(Drawing("now", (panel,)))).decode()
    assert [re.sub("<[^>]*>", "", one) for one in re.findall(r'<span class="card[^>]*>[^<]*', made)] == [
        "10♥",
        "A♠",
        "▒▒",
    ]
    assert '<span class="now">3♣</span>' in made


def test_a_cell_that_is_longer_than_a_page_goes_on_in_the_next_row() -> None:
    """A note may have 4,000 letters, in lines or in one."""
    for long in ("důvod " * 660 + "konec", "d\n" * 800 + "konec"):
        made = pages(paper(report(Table(("when", "what"), ((words("18:00"), words(long)),), wide=(47, 53)))))
        assert len(made) > 1
        assert sum(one.count("důvod") for one in made) == long.count("důvod")
        assert "konec" in made[-1]
