"""A crash at any write, fsync, rename or commit while sealing: the log verifies, and the next run mends the rest."""

from __future__ import annotations

import os
import traceback
import warnings
from pathlib import Path
from typing import Any

import pytest

from events.sealing import rotate, seal, seal_record, start
from tests.events.sealing.seals import Place, place_in
from tests.events.store.records import TEST, records

CRASHED = 9


def run(act: str, at: int, place: Place) -> int:
    """The act in a process of its own, which dies before its step `at` (0: lives). Gives the steps that it took, or
    CRASHED negated."""
    inlet, outlet = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # from 3.12 on: fork beside threads, of which none is ours
        child = os.fork()
    if child == 0:
        os._exit(_in_child(act, at, place, outlet))
    os.close(outlet)
    with os.fdopen(inlet) as pipe:
        said = pipe.read()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, CRASHED), said
    return -CRASHED if code else int(said)


def _in_child(act: str, at: int, place: Place, outlet: int) -> int:
    say = os.write
    try:
        log = place.open()
        count = 0

        def dying(real: Any) -> Any:
            def call(*args: Any, **more: Any) -> Any:
                nonlocal count
                count += 1
                if count == at:
                    os._exit(CRASHED)
                return real(*args, **more)

            return call

        for name in ("open", "write", "fsync", "replace"):
            setattr(os, name, dying(getattr(os, name)))
        log.author = dying(log.author)  # type: ignore[method-assign]
        if act == "start":
            start(log, place.folder, place.config())
        elif act == "rotate":
            rotate(log, place.folder)
        seal(log, place.folder)
        say(outlet, str(count).encode())
    except BaseException:  # noqa: BLE001  the parent tells it
        say(outlet, traceback.format_exc().encode())
        return 1
    return 0


def prepared(path: Path, act: str) -> Place:
    path.mkdir()
    place = place_in(path)
    with place.open() as log:
        log.accept(records(range(1, 12), round="1"), TEST)
    if act != "start":
        run("start", 0, place)
        with place.open() as log:
            log.accept(records(range(12, 22), round="2"), TEST)
    return place


@pytest.mark.parametrize("act", ["start", "seal", "rotate"])
def test_a_crash_at_every_step(act: str, tmp_path: Path) -> None:
    steps = run(act, 0, prepared(tmp_path / "whole", act))
    assert steps >= (6 if act == "seal" else 10)
    for at in range(1, steps + 1):
        place = prepared(tmp_path / f"{act}-{at}", act)
        assert run(act, at, place) == -CRASHED
        assert place.verify().ok, f"{act}, step {at}"
        run(act if act != "start" or not _is_sealed(place) else "seal", 0, place)
        report = place.verify()
        assert report.ok, f"{act}, step {at}: {report}"
        assert not report.missing
        assert report.copies == 2 * report.checkpoints
        assert report.checkpoints >= 1


def _is_sealed(place: Place) -> bool:
    with place.open() as log:
        return bool(seal_record(log).keys)
