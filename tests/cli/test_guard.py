"""A foreign package under one of our names is refused before a line of it runs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli import guard

ROOT = Path(guard.__file__).resolve().parents[1]

RUN = "import sys; from cli.__main__ import run; run()"


def start(path: Path, program: str = RUN) -> subprocess.CompletedProcess[str]:
    """Run `program` with `path` and then the checkout before everything else on the import path."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(path), str(ROOT)])}
    return subprocess.run(
        [sys.executable, "-c", program], env=environment, cwd=path, capture_output=True, text=True, timeout=60
    )


def foreign(folder: Path, package: str) -> Path:
    """A package of somebody else's that leaves a trace if it is ever imported."""
    path = folder / package
    path.mkdir()
    (path / "__init__.py").write_text(f"open({str(folder / 'imported')!r}, 'w').close()\n")
    return path


def test_our_own_packages_pass() -> None:
    assert guard.shadowed() is None


@pytest.mark.parametrize("package", [name for name in guard.PACKAGES if name != "cli"])
def test_a_foreign_package_ends_the_program_with_3_and_both_places(tmp_path: Path, package: str) -> None:
    path = foreign(tmp_path, package)
    result = start(tmp_path)
    assert result.returncode == 3
    assert result.stdout == ""
    assert str(path) in result.stderr
    assert str(ROOT / "cli") in result.stderr
    assert "hint: " in result.stderr


def test_nothing_foreign_is_imported_before_the_refusal(tmp_path: Path) -> None:
    foreign(tmp_path, "events")
    start(tmp_path)
    assert not (tmp_path / "imported").exists()


def test_nothing_of_ours_but_the_guard_is_imported_before_the_check(tmp_path: Path) -> None:
    foreign(tmp_path, "events")
    names = guard.PACKAGES
    program = f"""
import sys
from cli.__main__ import run
try:
    run()
except SystemExit:
    print(*sorted(m for m in sys.modules if m.split('.')[0] in {names!r}))
"""
    result = start(tmp_path, program)
    assert result.stdout.split() == ["cli", "cli.__main__", "cli.guard"]


def test_a_foreign_module_in_one_file_is_refused_too(tmp_path: Path) -> None:
    (tmp_path / "events.py").write_text("")
    result = start(tmp_path)
    assert result.returncode == 3
    assert str(tmp_path / "events.py") in result.stderr


def test_a_missing_package_is_said() -> None:
    message = guard.shadowed(["events", "no_such_package_of_ours"])
    assert message is not None
    assert message.startswith("error: found no package `no_such_package_of_ours`")


def test_the_guard_knows_every_package_that_the_wheel_holds() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert list(guard.PACKAGES) == project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
