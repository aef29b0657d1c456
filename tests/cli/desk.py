"""A surveillance desk for tests: a store of its own, and the real command line, in this process or as its own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from cli.app import run
from events.schema.envelope import Envelope, canonical


class Result(Struct, frozen=True):
    """What a command left: exit code, stdout, stderr."""

    code: int
    out: str
    err: str

    @property
    def rows(self) -> list[dict[str, Any]]:
        """stdout as NDJSON."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def row(self) -> dict[str, Any]:
        """stdout as the one JSON object that it must be."""
        (only,) = self.rows
        return only


class Desk:
    """Runs commands against `store` in `folder`."""

    def __init__(self, folder: Path, store: str = "") -> None:
        self.folder = folder
        self.store = store or str(folder / "desk.db")

    def employ(self, person: str = "novakova", roles: str = "manager,surveillance", house: str = "brno") -> Desk:
        """The account that runs these tests is somebody from now on; gives the desk."""
        account = self.run("staff", "list", "--house", house).err.partition("you are account ")[2].partition(":")[0]
        done = self.run("staff", "register", person, "--account", account, "--role", roles, "--house", house)
        assert done.code == 0, done.err
        return self

    def run(self, *words: str, stdin: bytes = b"", columns: int = 100) -> Result:
        """One command in this process, the store given by the environment as a person would."""
        out, err = _Stream(), _Stream()
        before = {name: os.environ.get(name) for name in ("RECOUP_STORE", "COLUMNS")}
        os.environ.update({"RECOUP_STORE": self.store, "COLUMNS": str(columns)})
        kept, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
        try:
            with redirect_stdout(out), redirect_stderr(err):
                try:
                    code = run(list(words))
                except SystemExit as left:
                    code = left.code if isinstance(left.code, int) else 1
        finally:
            sys.stdin = kept
            for name, value in before.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value
        return Result(code, out.text, err.text)

    def spawn(
        self, *words: str, stdin: bytes = b"", env: Mapping[str, str] | None = None, timeout: float = 60
    ) -> Result:
        """One command as a process of its own."""
        done = subprocess.run(
            self.command(*words), input=stdin, capture_output=True, env=self.env(env), cwd=self.folder, timeout=timeout
        )
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    def command(self, *words: str) -> list[str]:
        """The command line of a process of its own."""
        return [sys.executable, "-m", "cli", *words]

    def env(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        """Its environment."""
        return {**os.environ, "RECOUP_STORE": self.store, "COLUMNS": "100", **(more or {})}

    def write(self, name: str, lines: Iterable[bytes]) -> str:
        """A file of these lines; gives its path."""
        path = self.folder / name
        path.write_bytes(b"".join(line + b"\n" for line in lines))
        return str(path)

    def init(self) -> Desk:
        """A store with the shipped rules."""
        made = self.run("init")
        assert made.code == 0, made
        return self

    def ingest(self, lines: Sequence[bytes], name: str = "table.ndjson") -> Result:
        """These records into the store, from a file."""
        return self.run("ingest", self.write(name, lines))


class Managers:
    """Two managers at one machine: who acts is said by the key in force."""

    def __init__(self, desk: Desk, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.desk = desk
        self.monkeypatch = monkeypatch
        self.keys = {}
        for person in ("anna", "boris"):
            path = folder / f"{person}.pem"
            line = desk.run("staff", "key", str(path), "--person", person).out.strip()
            assert desk.run("staff", "register", person, "--key", line, "--role", "manager").code == 0
            self.keys[person] = path

    def run(self, person: str, *words: str) -> Result:
        self.monkeypatch.setenv("RECOUP_KEY", str(self.keys[person]))
        return self.desk.run(*words)


class _Stream(io.TextIOWrapper):
    """A text stream with a buffer of bytes under it, as stdout has."""

    def __init__(self) -> None:
        self._bytes = io.BytesIO()
        super().__init__(self._bytes, encoding="utf-8", newline="\n", write_through=True)

    @property
    def text(self) -> str:
        """What was written."""
        self.flush()
        return self._bytes.getvalue().decode()


def lines_of(envelopes: Iterable[Envelope]) -> list[bytes]:
    """Envelopes as records on the wire."""
    return [canonical(envelope) for envelope in envelopes]


def altered(line: bytes, **fields: Any) -> bytes:
    """A record with other envelope fields; `data` is merged into its data; None takes a field away."""
    plain = json.loads(line)
    for name, value in fields.items():
        if name == "data":
            plain["data"] |= value
        elif value is None:
            plain.pop(name, None)
        else:
            plain[name] = value
    return json.dumps(plain).encode()
