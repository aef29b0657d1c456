"""The verifier against packs that somebody changed: with the tools of an outsider, and with the house's own key."""

from __future__ import annotations

import ast
import hashlib
import io
import json
import re
import subprocess
import sys
import zipfile
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cffi
import cryptography
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from cli import assembly
from events.seal import SigningKey
from replay.evidence import verify
from replay.evidence.verify import Pack, zip_bytes
from tests.cli.desk import Desk, lines_of

ORIGIN = "brno.example/recoup"
VERIFIER = Path(verify.__file__)


class House:
    """A house with a dispute about a spin, its pack, and what an auditor knows from elsewhere."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.witness = folder / "witness"
        self.witness.mkdir()
        self.desk = Desk(folder).init().employ()
        records = lines_of(assembly.rooms()["roulette"].deal(3, 5, breach="RL-26", breach_round=2))
        assert self.desk.ingest(records).code == 0
        for act in (
            (
                "correct",
                "100@terminal",
                "chips=3 amount=600 placed_by=croupier",
                "--in",
                "RL-03#3",
                "--reason",
                "camera 4",
            ),
            ("disown", "99@terminal", "--in", "RL-03#3", "--reason", "entered twice"),
            ("dispute", "open", "RL-03#3", "--claim", "špatně vyplaceno", "--player", "p-438"),
        ):
            done = self.desk.run(*act)
            assert done.code == 0, done.err
        self.dispute = done.out.split()[1]
        assert self.desk.run("dispute", "judge", self.dispute).code == 0
        made = self.desk.run("seal", "init", "--origin", ORIGIN, "--witness", str(self.witness))
        assert made.code == 0, made.err
        self.path = folder / "pack.zip"
        packed = self.desk.run("evidence", self.dispute, "-o", str(self.path))
        assert packed.code == 0, packed.err
        self.raw = self.path.read_bytes()
        self.files, wrong = verify.read_pack(self.path)
        assert not wrong

    @property
    def keys(self) -> str:
        """The keys as the witness keeps them."""
        return str(self.witness / ORIGIN.replace("/", "_") / "keys")

    @property
    def key(self) -> SigningKey:
        """The house's own private key, in force."""
        path = min((self.folder / "desk.db.seal").glob("key-*.pem"))
        private = load_pem_private_key(path.read_bytes(), None)
        assert isinstance(private, Ed25519PrivateKey)
        return SigningKey(ORIGIN, private)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    return House(tmp_path_factory.mktemp("house"))


def signed(files: dict[str, bytes], key: SigningKey) -> dict[str, bytes]:
    """These files with a manifest that lists them, signed."""
    rest = {name: data for name, data in files.items() if name not in (verify.MANIFEST, verify.SIGNATURE)}
    about = json.loads(files[verify.MANIFEST])["about"]
    listed = {name: hashlib.sha256(data).hexdigest() for name, data in rest.items()}
    manifest = json.dumps({"format": verify.FORMAT, "about": about, "files": listed}).encode()
    text = f"{verify.FORMAT}\n{about}\n{hashlib.sha256(manifest).hexdigest()}\n"
    return {**rest, verify.MANIFEST: manifest, verify.SIGNATURE: key.sign(text).encode()}


def found(files: dict[str, bytes]) -> list[str]:
    """What is wrong with a pack of these files, as it is told."""
    pack = Pack(files)
    pack.check()
    return [f"{one.where}: {one.what}" for one in pack.wrong]


def run(path: Path | str, *words: str) -> int:
    return verify.main([str(path), *words])


def test_a_pack_that_nobody_changed_holds_and_says_against_what(
    house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(house.path) == 0
    said = capsys.readouterr().out
    assert "all of it agrees" in said
    assert "NOTE: this shows that the pack agrees with itself" in said
    assert run(house.path, "--key", house.keys, "--checkpoint", str(house.witness)) == 0
    said = capsys.readouterr().out
    assert "the key is one that you know" in said
    assert "the witness saw the same" in said
    assert "NOTE" not in said


def test_it_needs_nothing_but_python_and_cryptography(house: House, tmp_path: Path) -> None:
    """`-I -S`: no environment, no site-packages; of all that is installed only what cryptography itself needs."""
    libraries = tmp_path / "libraries"
    libraries.mkdir()
    installed = Path(cryptography.__file__).parents[1]
    for name in ("cryptography", "cffi", *(path.name for path in installed.glob("_cffi_backend*"))):
        (libraries / name).symlink_to(installed / name)
    assert Path(cffi.__file__).parents[1] == installed
    (tmp_path / "verify.py").write_bytes(house.files["verify.py"])
    start = f"import runpy, sys; sys.path.append({str(libraries)!r}); sys.argv[:] = ['verify.py', sys.argv[1]]; "
    start += f"runpy.run_path({str(tmp_path / 'verify.py')!r}, run_name='__main__')"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", start, str(house.path)], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert "all of it agrees" in done.stdout
    bare = subprocess.run(
        [sys.executable, "-I", "-S", str(tmp_path / "verify.py"), str(house.path)], capture_output=True, text=True
    )
    assert bare.returncode == 2
    assert "python -m pip install cryptography" in bare.stderr


def test_the_verifier_in_the_pack_is_the_one_that_is_tested_here(house: House) -> None:
    assert house.files["verify.py"] == VERIFIER.read_bytes()


def test_the_verifier_is_written_for_python_3_9() -> None:
    ast.parse(VERIFIER.read_text(), feature_version=(3, 9))


def test_an_unpacked_pack_is_checked_as_a_folder(
    house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with zipfile.ZipFile(house.path) as archive:
        archive.extractall(tmp_path / "unpacked")
    assert run(tmp_path / "unpacked") == 0
    (tmp_path / "unpacked" / "letter.txt").write_text("more")
    assert run(tmp_path / "unpacked") == 1
    assert "letter.txt: is no file of this pack" in capsys.readouterr().out


def test_the_last_byte_of_any_file_changed_is_found_and_named(
    house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "changed.zip"
    for name, data in house.files.items():
        start = house.raw.index(name.encode() + data) + len(name.encode())
        changed = bytearray(house.raw)
        changed[start + len(data) - 1] ^= 1
        path.write_bytes(changed)
        assert run(path) == 1, name
        said = capsys.readouterr().out
        assert f"  {name}: " in said, f"{name}: {said}"
        assert "what to do: " in said


def test_one_byte_changed_around_the_files_is_found(tmp_path: Path) -> None:
    files = {"a.txt": b"one", "empty.txt": b"", "z.txt": "dvě".encode()}
    raw, path = zip_bytes(files), tmp_path / "small.zip"
    for at in range(len(raw)):
        changed = bytearray(raw)
        changed[at] ^= 1 << at % 8
        path.write_bytes(changed)
        read, wrong = verify.read_pack(path)
        assert wrong or read != files, at
    path.write_bytes(raw + b"more")
    assert verify.read_pack(path)[1]
    path.write_bytes(raw)
    assert verify.read_pack(path) == (files, [])


def test_the_archive_is_one_that_other_tools_read() -> None:
    files = {"a.txt": b"one", "b/c.json": b"{}" * 999}
    with zipfile.ZipFile(io.BytesIO(zip_bytes(files))) as archive:
        assert archive.testzip() is None
        assert {name: archive.read(name) for name in archive.namelist()} == files
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


@pytest.mark.parametrize("name", ["report.pdf", "report.html", "verdict-1.json", "verify.py"])
def test_a_manifest_put_right_after_a_change_is_not_the_one_that_was_signed(house: House, name: str) -> None:
    files = dict(house.files)
    files[name] = files[name].replace(b"0", b"1", 1)
    manifest = json.loads(files[verify.MANIFEST])
    manifest["files"][name] = hashlib.sha256(files[name]).hexdigest()
    files[verify.MANIFEST] = json.dumps(manifest).encode()
    assert found(files) == ["manifest.json: is not the manifest that was signed: it was changed"]


def test_a_made_up_pack_agrees_with_itself_and_not_with_what_is_known(
    house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever has no key of the house can make a pack of his own: only what the auditor knows tells it apart."""
    (tmp_path / "other").mkdir()
    other = House(tmp_path / "other")
    assert run(other.path) == 0
    assert "is shown only against" in capsys.readouterr().out
    assert run(other.path, "--key", house.keys) == 1
    assert "none of the keys that you know" in capsys.readouterr().out
    assert run(other.path, "--checkpoint", str(house.witness), "--key", house.keys) in (1, 2)
    said = capsys.readouterr()
    assert "another root" in said.out or "holds no copy" in said.err


def test_true_records_with_drawings_of_somebody_else_are_found_by_a_witness_alone(
    house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """He who has no key of the house puts his own before it, as if the house's had been handed on from his."""
    forger = SigningKey(ORIGIN, Ed25519PrivateKey.generate())
    (own,) = json.loads(house.files[verify.KEYS])
    text = f"recoup seal key\n{forger.verifier}\n{own['key']}\n{own['from_size']}\n"
    keys = [{"key": str(forger.verifier), "from_size": 0, "endorsed": ""}, own | {"endorsed": forger.sign(text)}]
    files = {**house.files, "report.html": b"<p>He won.</p>", verify.KEYS: json.dumps(keys).encode()}
    path = tmp_path / "forged.zip"
    path.write_bytes(zip_bytes(signed(files, forger)))
    assert run(path) == 0
    assert str(forger.verifier) in capsys.readouterr().out
    for words in (("--checkpoint", str(house.witness)), ("--key", house.keys)):
        assert run(path, *words) == 1
        assert "none of the keys that you know" in capsys.readouterr().out


def at_record(files: dict[str, bytes], change: Callable[[list[Any]], None]) -> None:
    told = json.loads(files["timeline-1.json"])
    change(told["records"])
    files["timeline-1.json"] = json.dumps(told).encode()


def at_entry(files: dict[str, bytes], change: Callable[[list[dict[str, Any]]], None]) -> None:
    entries = [json.loads(line) for line in files[verify.ENTRIES].decode().splitlines()]
    change(entries)
    files[verify.ENTRIES] = b"".join(json.dumps(one).encode() + b"\n" for one in entries)


def at_dispute(files: dict[str, bytes], change: Callable[[list[Any]], None]) -> None:
    told = json.loads(files["dispute.json"])
    change(told["acts"])
    files["dispute.json"] = json.dumps(told).encode()


def no_pool(entries: list[dict[str, Any]]) -> None:
    """Another stake, and the leaf to go with it."""
    one = next(one for one in entries if "BetPlaced" in one["topic"])
    one["state"] = one["state"].replace('"amount":', '"amount":1', 1)
    one["leaf"] = verify.leaf_of(one).hex()


def paid(records: list[Any]) -> Any:
    return next(one for one in records if one["type"] == "TB.ChipsMoved.v1" and one["data"]["cause"] == "win")


def drop_bet(entries: list[dict[str, Any]]) -> None:
    entries.remove(next(one for one in entries if "BetPlaced" in one["topic"]))


def another_row(records: list[Any]) -> None:
    records[3]["index"] = records[4]["index"]


LIES = [
    (lambda files: at_record(files, lambda all_: paid(all_)["data"].update(amount=1)), "is read otherwise"),
    (lambda files: at_record(files, lambda all_: paid(all_)["stored"]["data"].update(amount=1)), "is told otherwise"),
    (lambda files: at_record(files, lambda all_: paid(all_).update(at_ms=0)), "is told at another time"),
    (lambda files: at_record(files, lambda all_: all_.remove(paid(all_))), "names this round and is left out"),
    (lambda files: at_record(files, another_row), "is not the record in row"),
    (lambda files: at_record(files, lambda all_: all_[3].update(index=1)), "is none of the records of this pack"),
    (lambda files: at_entry(files, no_pool), "is not in the log that was signed"),
    (lambda files: at_entry(files, lambda all_: all_[9].update(state="{}")), "is not as it was sealed"),
    (lambda files: at_entry(files, lambda all_: all_[9].update(recorded_at=1)), "is not as it was sealed"),
    (lambda files: at_entry(files, drop_bet), "rows are left out"),
    (lambda files: at_dispute(files, lambda acts: acts[0]["data"].update(claim="nothing")), "is told otherwise"),
    (lambda files: at_dispute(files, lambda acts: acts[0].update(account="nobody")), "is told otherwise"),
    (lambda files: at_dispute(files, lambda acts: acts.pop()), "is of this dispute and is left out"),
]  # fmt: skip


@pytest.mark.parametrize(("lie", "told"), LIES)
def test_what_the_records_do_not_say_is_found_though_the_house_itself_signed_it(
    house: House, lie: Callable[[dict[str, bytes]], None], told: str
) -> None:
    files = dict(house.files)
    lie(files)
    assert files != house.files
    said = found(signed(files, house.key))
    assert any(told in one for one in said), said
    assert not any("it was changed" in one for one in said)


def test_signing_anew_alone_is_no_lie(house: House) -> None:
    assert found(signed(house.files, house.key)) == []


def test_an_edition_that_was_never_adopted_is_found(house: House) -> None:
    files = dict(house.files)
    name = next(name for name in files if name.startswith("edition-"))
    files[name] = files[name].replace(b"2:1", b"3:1")
    assert any("is not the edition that was adopted" in one for one in found(signed(files, house.key)))


def test_a_byte_changed_in_the_checkpoint_is_told_once_with_what_to_do(
    house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = house.files[verify.CHECKPOINT]
    for at in (3, raw.index(b"\n") + 1, len(raw) // 2, len(raw) - 20):
        changed = raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :]
        path = tmp_path / f"{at}.zip"
        path.write_bytes(zip_bytes({**house.files, verify.CHECKPOINT: changed}))
        assert run(path) == 1
        assert capsys.readouterr().out.splitlines()[1:] == [
            "  checkpoint.note: is not the file that the manifest lists: it was changed",
            f"    what to do: {verify.FRESH}",
        ]


def test_a_checkpoint_of_another_log_is_told_once(house: House) -> None:
    text = house.files[verify.CHECKPOINT].decode().partition("\n\n")[0] + "\n"
    for root in ("", b64encode(bytes(32)).decode()):
        origin, size, _root = text.split("\n")[:3]
        other = house.key.sign(f"{origin}\n{size}\n{root}\n")
        (said,) = found(signed({**house.files, verify.CHECKPOINT: other.encode()}, house.key))
        assert re.fullmatch(r"entries.ndjson: none of its \d+ records is in the log that was signed", said)


def test_a_checkpoint_of_nobody_is_found(house: House) -> None:
    stranger = SigningKey(ORIGIN, Ed25519PrivateKey.generate())
    files = dict(house.files)
    text = files[verify.CHECKPOINT].decode().partition("\n\n")[0] + "\n"
    files[verify.CHECKPOINT] = stranger.sign(text).encode()
    assert any("signed by none of the keys" in one for one in found(signed(files, house.key)))
    files = dict(house.files)
    keys = json.loads(files[verify.KEYS])
    # What the house's key did sign, but not to hand on to this key.
    for endorsed in ("x", house.files[verify.CHECKPOINT].decode()):
        files[verify.KEYS] = json.dumps(
            [*keys, {"key": str(stranger.verifier), "from_size": 1, "endorsed": endorsed}]
        ).encode()
        assert any(one.startswith("keys.json: ") for one in found(signed(files, house.key)))


def test_old_packs_hold_after_the_key_was_changed_and_new_ones_by_the_old_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "changing").mkdir()
    changing = House(tmp_path / "changing")
    old = tmp_path / "old-key"
    old.write_text(Path(changing.keys).read_text())
    assert changing.desk.run("seal", "rotate").code == 0
    again = tmp_path / "again.zip"
    assert changing.desk.run("evidence", changing.dispute, "-o", str(again)).code == 0
    assert again.read_bytes() != changing.raw
    for path in (changing.path, again):
        for keys in (str(old), changing.keys):
            assert run(path, "--key", keys, "--checkpoint", str(changing.witness)) == 0, capsys.readouterr().out
    new = Path(changing.keys).read_text().splitlines()[1]
    capsys.readouterr()
    assert run(changing.path, "--key", new) == 1
    assert "none of the keys that you know" in capsys.readouterr().out


def test_a_witness_with_another_copy_says_which_to_bring(
    house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = next(house.witness.glob("*/*.checkpoint"))
    size = int(own.name.partition(".")[0])
    text = f"{ORIGIN}\n{size + 1}\n{own.read_text().splitlines()[2]}\n"
    (tmp_path / "later.checkpoint").write_text(house.key.sign(text))
    assert run(house.path, "--checkpoint", str(tmp_path / "later.checkpoint")) == 1
    assert f"bring the copy named {size:016d}.checkpoint" in capsys.readouterr().out
    text = f"{ORIGIN}\n{size}\n{'A' * 43}=\n"
    (tmp_path / "other.checkpoint").write_text(house.key.sign(text))
    assert run(house.path, "--checkpoint", str(tmp_path / "other.checkpoint")) == 1
    assert "with another root" in capsys.readouterr().out
    assert run(house.path, "--checkpoint", str(tmp_path)) == 2
    assert run(house.path, "--key", "nonsense") == 2
    assert run(tmp_path / "none.zip") == 2
