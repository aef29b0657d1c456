"""Keys, checkpoints and witnesses in ordinary life, and when a folder is gone, full or readable by others."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from events.errors import Refused, SealBroken, Unable
from events.seal import VerifierKey, read_checkpoint, split_leaves, tree_root
from events.sealing import SealConfig, folder_of, read_config, rotate, seal, seal_if_due, seal_record, start
from events.store import Log
from events.store import statements as sql
from events.store.address import parse_address
from tests.events.sealing.seals import ORIGIN, Place, filled, place_in
from tests.events.store.records import TEST, records
from tests.stores import CATALOGUE


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return filled(place_in(tmp_path))


def all_leaves(log: Log) -> list[bytes]:
    with log.reading() as reading:
        return [leaf for (blob,) in reading.all(sql.LEAVES) for leaf in split_leaves(blob)]


def test_checkpoints_state_the_root_of_the_rows_before_them(place: Place) -> None:
    with place.open() as log:
        record = seal_record(log).check()
        leaves = all_leaves(log)
    assert [one.checkpoint.size for one in record.signed] == [22, 33, 44]
    for one in record.signed:
        assert one.checkpoint.root == tree_root(leaves[: one.checkpoint.size])
        assert read_checkpoint(one.note, record.verifiers)[0] == one.checkpoint
    for witness in place.witnesses:
        names = sorted(path.name for path in (witness / "brno.example_recoup").iterdir())
        assert names == [f"{size:016d}.checkpoint" for size in (22, 33, 44)] + ["keys"]
    report = place.verify()
    assert (report.ok, report.checkpoints, report.copies) == (True, 3, 6)


def test_with_nothing_new_nothing_is_signed(place: Place) -> None:
    again = place.seal()
    assert (again.made, again.copied, again.checkpoint.size) == (False, 0, 44)
    with place.open() as log:
        log.accept(records([99], round="9"), TEST)
    assert place.seal().made


def test_a_rotated_key_signs_and_what_the_old_one_signed_stays_good(place: Place) -> None:
    with place.open() as log:
        old = seal_record(log).keys[0].key
        new = rotate(log, place.folder)
        signed = seal(log, place.folder)
        record = seal_record(log).check()
    assert [one.key for one in record.keys] == [old, new]
    assert read_checkpoint(signed.note, [new])[1] == new
    assert read_checkpoint(record.signed[0].note, [old])[1] == old
    (place.folder / f"key-{old.key_id.hex()}.pem").unlink()
    assert place.verify().ok
    assert place.seal().made is False


def test_ingest_asks_for_a_checkpoint_after_so_many_rows(place: Place) -> None:
    with place.open() as log:
        assert seal_if_due(log, place.folder) is None
        log.accept(records(range(100, 199), round="9"), TEST)
        assert seal_if_due(log, place.folder) is None or len(all_leaves(log)) - 44 >= 100
        log.accept(records(range(199, 301), round="9"), TEST)
        done = seal_if_due(log, place.folder)
        assert done is not None
        assert done.made
        assert seal_if_due(log, place.folder) is None
        assert seal_if_due(log, None) is None
        assert seal_if_due(log, place.folder.with_name("nothing")) is None


def test_a_witness_that_is_gone_is_said_and_gets_its_copies_later(place: Place) -> None:
    away = place.witnesses[0].with_name("away")
    place.witnesses[0].rename(away)
    with place.open() as log:
        log.accept(records([99], round="9"), TEST)
    done = place.seal()
    assert done.made
    assert list(done.failed) == [str(place.witnesses[0])]
    assert done.copied == 1
    assert place.verify().unreached == {str(place.witnesses[0]): "no such folder"}
    away.rename(place.witnesses[0])
    assert place.verify().missing == {str(place.witnesses[0]): 1}
    assert place.seal().copied == 1
    assert not place.verify().missing


def test_a_witness_that_is_full_is_said(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write

    def full(descriptor: int, data: bytes) -> int:
        if str(place.witnesses[1]) in Path(f"/proc/self/fd/{descriptor}").readlink().as_posix():
            raise OSError(28, "No space left on device")
        return real(descriptor, data)

    with place.open() as log:
        log.accept(records([99], round="9"), TEST)
        monkeypatch.setattr(os, "write", full)
        done = seal(log, place.folder)
    assert done.failed == {str(place.witnesses[1]): "no space left on device"}
    assert done.copied == 1
    monkeypatch.undo()
    assert place.seal().copied == 1


@pytest.mark.parametrize("rights", [0o640, 0o604, 0o660])
def test_a_key_that_others_can_read_signs_nothing(place: Place, rights: int) -> None:
    key = next(place.folder.glob("key-*.pem"))
    key.chmod(rights)
    with place.open() as log:
        log.accept(records([99], round="9"), TEST)
        with pytest.raises(Unable, match="can be read by others") as raised:
            seal(log, place.folder)
        assert "chmod 600" in raised.value.hint
        assert len(seal_record(log).signed) == 3


def test_a_key_that_is_gone_or_another_signs_nothing(place: Place, tmp_path: Path) -> None:
    key = next(place.folder.glob("key-*.pem"))
    other = filled(place_in(_made(tmp_path / "other")))
    with place.open() as log:
        log.accept(records([99], round="9"), TEST)
        key.write_bytes(next(other.folder.glob("key-*.pem")).read_bytes())
        with pytest.raises(Unable, match="another key than its name says"):
            seal(log, place.folder)
        key.write_bytes(b"nonsense")
        with pytest.raises(Unable, match="no key"):
            seal(log, place.folder)
        key.unlink()
        with pytest.raises(Unable, match="is not in"):
            seal(log, place.folder)


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def test_a_log_has_one_seal(place: Place) -> None:
    with place.open() as log, pytest.raises(Refused, match="has had a seal"):
        start(log, place.folder, place.config())


def test_another_logs_folder_or_origin_signs_nothing(place: Place, tmp_path: Path) -> None:
    other = filled(place_in(_made(tmp_path / "other")))
    with place.open() as log:
        log.accept(records([99], round="9"), TEST)
        with pytest.raises(Unable, match="is not in"):
            seal(log, other.folder)
        (place.folder / "seal.toml").write_text('origin = "praha.example/recoup"\n')
        with pytest.raises(Refused, match="is the seal of"):
            seal(log, place.folder)


def test_a_log_that_was_cut_behind_a_witnesss_back_signs_nothing(place: Place) -> None:
    """Restored from an old backup, say: the witness has seen more than this log knows."""
    saved = place.store.with_name("saved.db")
    shutil.copy(place.store, saved)
    with place.open() as log:
        log.accept(records(range(50, 60), round="9"), TEST)
        seal(log, place.folder)
    for path in place.store.parent.glob("log.db*"):
        if path.is_file():
            path.unlink()
    saved.rename(place.store)
    with place.open() as log:
        log.accept(records(range(60, 70), round="9"), TEST)
        with pytest.raises(SealBroken, match="that this log never signed"):
            seal(log, place.folder)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("origin = 5\n", "origin is a text"),
        ('origin = "x"\nevry = 5\n', "`evry` is no setting"),
        ('origin = "x"\nwitnesses = "y"\n', "witnesses a list"),
        ("= 5\n", "seal.toml"),
    ],
)
def test_a_seal_toml_that_says_nonsense_is_refused(place: Place, text: str, why: str) -> None:
    (place.folder / "seal.toml").write_text(text)
    with pytest.raises(Refused, match=why):
        read_config(place.folder)


@pytest.mark.parametrize(
    ("config", "why"),
    [
        (SealConfig("two words"), "no name for a key"),
        (SealConfig(""), "no name for a key"),
        (SealConfig(ORIGIN, -1), "-1 rows"),
        (SealConfig(ORIGIN, 5, ("there",)), "relative name"),
    ],
)
def test_a_seal_that_cannot_be_is_refused(tmp_path: Path, config: SealConfig, why: str) -> None:
    with Log.open(str(tmp_path / "log.db"), CATALOGUE, create=True) as log, pytest.raises(Refused, match=why):
        start(log, tmp_path / "seal", config)


def test_where_the_seal_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RECOUP_SEAL", raising=False)
    file = parse_address(str(tmp_path / "log.db"))
    server = parse_address("postgresql://recoup@db/recoup")
    assert folder_of(file) == tmp_path / "log.db.seal"
    assert folder_of(server) is None
    monkeypatch.setenv("RECOUP_SEAL", "/etc/recoup/seal")
    assert folder_of(server) == Path("/etc/recoup/seal")
    assert folder_of(server, "/given") == Path("/given")
    with pytest.raises(Unable, match="no file"):
        read_config(None)
    with pytest.raises(Unable, match="no seal in"):
        read_config(tmp_path)


def test_the_seal_on_postgresql(postgres_url: str, tmp_path: Path) -> None:
    place = place_in(tmp_path)
    with Log.open(postgres_url, CATALOGUE, create=True) as log:
        log.accept(records(range(1, 12), round="1"), TEST)
        key = start(log, place.folder, place.config())
        done = seal(log, place.folder)
        assert isinstance(key, VerifierKey)
        assert read_checkpoint(done.note, [key])[0].root == tree_root(all_leaves(log)[:12])
