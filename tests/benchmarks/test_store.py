"""The benchmarks of the log run and print their ratios; at this size the ratios say nothing."""

from __future__ import annotations

import pytest

from benchmarks import ingest, large, memory, postgres, seal, verify
from benchmarks.__main__ import discovered, main
from benchmarks.records import ONE_SOURCE, THREE_SOURCES, records


def test_ingest_prints_three_ratios() -> None:
    lines = ingest.run(events=3000, pairs=2)
    assert [line.split(":")[0] for line in lines] == [
        "ingest, one source a table, batches of 10,000",
        "the same records again",
        "ingest, three sources, 2 % late, batches of 10,000",
    ]
    assert all("goal" in line and "range" in line for line in lines)


def test_seal_prints_a_share_with_checkpoints_that_reached_the_witness() -> None:
    (line,) = seal.run(events=12_000, pairs=1)
    assert "of bulk ingest" in line
    assert "goal at most 25%" in line


def test_verify_prints_a_ratio_of_two_processes() -> None:
    (line,) = verify.run(events=3000, pairs=1)
    assert "of cursor and hash" in line


def test_memory_prints_a_ratio_of_two_processes() -> None:
    (line,) = memory.run(events=4000)
    assert "MB against" in line


def test_postgres_prints_three_ratios() -> None:
    lines = postgres.run(events=3000, pairs=1)
    assert [line.split(":")[0] for line in lines] == [
        "PostgreSQL, one source a table, batches of 10,000",
        "PostgreSQL, one source a table, batches of 1,000",
        "PostgreSQL, three sources, 2 % late, batches of 10,000",
    ]
    assert all("of bare unnest" in line and "goal" in line for line in lines)


def test_a_large_log_is_measured_beside_a_small_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("SESSION", 2000), ("TAIL", 1000), ("SPAN", 5000), ("BATCH", 500)):
        monkeypatch.setattr(large, name, value)
    small, larger, both = large.soak_lines("sqlite", 20_000, rounds=3)
    assert small.startswith("sqlite, 2,0")
    assert larger.startswith("sqlite, 20,0")
    assert "of the rate" in both


def test_records_are_the_same_every_time_and_of_the_size_that_is_said() -> None:
    for sources, late in ((ONE_SOURCE, 0.0), (THREE_SOURCES, 0.02)):
        made = list(records(5000, sources=sources, late=late))
        assert made == list(records(5000, sources=sources, late=late))
        assert len(set(made)) == len(made) == 5000
        assert all(360 <= len(line) <= 500 for line in made)


def test_benchmarks_are_discovered_and_unknown_ones_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert {"ingest", "verify", "memory", "open_round", "postgres"} <= set(discovered())
    assert main(["no-such"]) == 2
    assert "no benchmark no-such" in capsys.readouterr().err
