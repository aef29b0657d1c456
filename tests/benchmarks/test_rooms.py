"""The benchmark of all rooms, small: the command itself judges what was dealt, on a terminal, and every part is timed."""

from __future__ import annotations

import re

import pytest

from benchmarks import rooms
from cli import assembly
from events.schema.envelope import canonical
from events.store import Log, Origin


def test_every_room_is_judged_by_the_command_and_timed_by_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "A_SESSION", 3)
    monkeypatch.setattr(rooms, "TABLES", 2)
    monkeypatch.setattr(rooms, "TIMED", 1)
    names = list(assembly.rooms())
    memory, *speeds = rooms.run(2 * 6 * len(names))
    assert memory.startswith(f"judge --all of {12 * len(names)} rounds of {len(names)} rooms: peak memory ")
    assert f"of {6 * len(names)} rounds" in memory
    assert [line.partition(":")[0] for line in speeds] == names
    for line in speeds:
        shares = re.findall(r"(read|decode|fold|checks) (\d+)%", line)
        assert [part for part, _share in shares] == ["read", "decode", "fold", "checks"]
        assert 97 <= sum(int(share) for _part, share in shares) <= 103
    assert any("1.00 of roulette" in line for line in speeds)


def test_a_log_in_which_something_is_found_is_no_benchmark(tmp_path_factory: pytest.TempPathFactory) -> None:
    store = str(tmp_path_factory.mktemp("rooms") / "wrong.db")
    with Log.open(store, assembly.catalogue(), create=True) as log:
        assembly.casebook(log).adopt_shipped()
        for number in range(3):  # a bar is shown from three sessions on
            dealt = assembly.rooms()["roulette"].deal(2, 1, breach="RL-19", table=f"brno/R-{number}")
            log.accept([canonical(record) for record in dealt], Origin("stdin", "test"))
    with pytest.raises(RuntimeError, match="ended with 5"):
        rooms._judged(store)
