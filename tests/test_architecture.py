"""The picture of the project: which package may import which, and what may lie where."""

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from importlib.metadata import Distribution, distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PACKAGES: list[str] = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
# Their names by id.
CONTRACTS: dict[str, str] = {it["id"]: it["name"] for it in PROJECT["tool"]["importlinter"]["contracts"]}
FOLDERS = {
    ".ci",
    "benchmarks",
    "cli",
    "deploy",
    "docs",
    "events",
    "games",
    "projections",
    "replay",
    "tests",
    "web",
}

# Each import breaks the contract it stands under and no other: the importing module, then what it imports.
FORBIDDEN = [
    ("layers", "events/broken.py", "import games"),
    ("layers", "games/broken.py", "import projections"),
    ("layers", "projections/broken.py", "import replay"),
    ("layers", "replay/broken.py", "import projections"),
    ("layers", "replay/broken.py", "import cli"),
    ("events", "events/values/broken.py", "import events.schema"),
    ("events", "events/schema/broken.py", "import events.seal"),
    ("events", "events/seal/broken.py", "import events.store"),
    ("events", "events/store/broken.py", "import events.ingest"),
    ("events", "events/ingest/broken.py", "import events.outbox"),
    ("rooms", "games/roulette/broken.py", "import games.holdem.state"),
    ("rooms", "games/holdem/broken.py", "import games.roulette.state"),
    ("rooms", "games/holdem/broken.py", "from games.a_room_that_no_contract_names import GAME"),
    ("rooms", "games/shared/broken.py", "import games.holdem.state"),
    ("rooms", "games/broken.py", "from games.holdem import state"),
    ("rooms", "games/house_rules/broken.py", "import games.roulette.state"),
    ("rules", "games/holdem/broken.py", "import sqlite3"),
    ("runtime", "games/shared/broken.py", "import pokerkit"),
    ("runtime", "cli/broken.py", "import tests"),
]

ADDRESS = re.compile(
    r"(index-url|registry|resolved|find-links)[\"'= :]+https?://|https?://[^\s\"'<>]+/simple\b", re.IGNORECASE
)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The packages and their contracts, to be broken at will."""
    for package in PACKAGES:
        shutil.copytree(
            ROOT / package,
            tmp_path / package,
            ignore=lambda _, names: [n for n in names if n == "__pycache__"],
        )
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for package in sorted({str(Path(path).parent) for _, path, _ in FORBIDDEN}):
        module(tmp_path, f"{package}/__init__.py")
    module(tmp_path, "events/ingest/__init__.py")
    for room in ("roulette", "holdem", "a_room_that_no_contract_names"):
        module(tmp_path, f"games/{room}/__init__.py", f"from games.{room}.state import GAME\n")
        module(tmp_path, f"games/{room}/state.py", "GAME = 1\n")
    return tmp_path


def module(root: Path, path: str, text: str = "") -> None:
    """Write a module unless the project has it already."""
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.exists():
        file.write_text(text)


def lint_imports(root: Path) -> subprocess.CompletedProcess[str]:
    """Check the contracts of the packages that lie in `root`, whatever is installed."""
    command = [
        sys.executable,
        "-c",
        "from importlinter.cli import lint_imports_command as c; c()",
        "--no-cache",
    ]
    return subprocess.run(command, cwd=root, env={"PYTHONPATH": str(root)}, capture_output=True, text=True, timeout=120)


def test_the_import_contracts_hold() -> None:
    result = lint_imports(ROOT)
    assert result.returncode == 0, result.stdout + result.stderr
    assert f"{len(CONTRACTS)} kept, 0 broken" in result.stdout


def test_the_copy_that_is_broken_below_is_whole_before(copy: Path) -> None:
    result = lint_imports(copy)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(("contract", "path", "statement"), FORBIDDEN)
def test_a_forbidden_import_breaks_its_contract(copy: Path, contract: str, path: str, statement: str) -> None:
    module(copy, path, statement + "\n")
    result = lint_imports(copy)
    assert result.returncode == 1, result.stdout + result.stderr
    assert f"{CONTRACTS[contract]} BROKEN" in result.stdout
    assert f"{len(CONTRACTS) - 1} kept, 1 broken" in result.stdout


def test_every_contract_is_shown_to_fail() -> None:
    assert {contract for contract, _, _ in FORBIDDEN} == set(CONTRACTS)


def test_the_contracts_cover_every_package_that_ships() -> None:
    assert PROJECT["tool"]["importlinter"]["root_packages"] == PACKAGES


def test_no_installed_distribution_provides_one_of_our_names() -> None:
    taken = foreign_providers(distributions(), {*PACKAGES, "web", "tests", "docs", "benchmarks"})
    assert taken == []


def test_a_distribution_with_one_of_our_names_would_be_noticed(tmp_path: Path) -> None:
    info = tmp_path / "Events-0.4.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: Events\nVersion: 0.4\n")
    (info / "RECORD").write_text("events/__init__.py,,\nEvents-0.4.dist-info/METADATA,,\n")
    single = tmp_path / "single-1.dist-info"
    single.mkdir()
    (single / "METADATA").write_text("Metadata-Version: 2.1\nName: single\nVersion: 1\n")
    (single / "RECORD").write_text("replay.py,,\nsingle-1.dist-info/METADATA,,\n")
    found = foreign_providers(distributions(path=[str(tmp_path)]), set(PACKAGES))
    assert found == ["Events provides events", "single provides replay"]


def foreign_providers(installed: Iterable[Distribution], names: set[str]) -> list[str]:
    """Which distributions other than ours bring a top-level module with one of `names`."""
    found: set[str] = set()
    for distribution in installed:
        if distribution.name == PROJECT["project"]["name"]:
            continue
        for file in distribution.files or ():
            top = file.parts[0] if len(file.parts) > 1 else re.sub(r"(\.[\w-]+)*\.(py|so|pyd)$", "", file.name)
            if top in names:
                found.add(f"{distribution.name} provides {top}")
    return sorted(found)


@pytest.fixture(scope="module")
def tracked() -> list[str]:
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [path for path in listing.stdout.split("\0") if path and (ROOT / path).is_file()]


def test_only_the_agreed_folders_stand_at_the_top(tracked: list[str]) -> None:
    assert {path.split("/")[0] for path in tracked if "/" in path} <= FOLDERS


def test_no_tracked_file_holds_the_address_of_an_index(tracked: list[str]) -> None:
    assert [line for path in tracked for line in addresses(ROOT / path)] == []


def test_no_lock_holds_any_address() -> None:
    locks = sorted(ROOT.glob("requirements*.lock"))
    assert len(locks) == 3
    assert [lock.name for lock in locks if "://" in lock.read_text()] == []


def test_an_address_of_an_index_would_be_noticed(tmp_path: Path) -> None:
    file = tmp_path / "requirements.txt"
    # In pieces, or this file would be found itself.
    host = "https:" + "//index.example"
    file.write_text(f"--index-url {host}/root\n{host}/simple/\nduckdb\n")
    assert len(addresses(file)) == 2


def addresses(file: Path) -> list[str]:
    """The lines of `file` that name a package index."""
    lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    return [f"{file}:{number}" for number, line in enumerate(lines, 1) if ADDRESS.search(line)]


def test_every_lock_pins_what_the_project_asks_for() -> None:
    for name, asked in [
        ("requirements.lock", PROJECT["project"]["dependencies"]),
        ("requirements-test.lock", PROJECT["project"]["optional-dependencies"]["test"]),
        ("requirements-build.lock", PROJECT["dependency-groups"]["build"]),
    ]:
        pinned = set(re.findall(r"^([a-z0-9.-]+)==", (ROOT / name).read_text(), re.MULTILINE))
        assert {re.split(r"[\[<>=]", item)[0] for item in asked} <= pinned, name


def test_the_locks_agree_with_each_other() -> None:
    def pins(name: str) -> dict[str, str]:
        return dict(re.findall(r"^([a-z0-9.-]+)==([^\s;]+)", (ROOT / name).read_text(), re.MULTILINE))

    everything = pins("requirements-test.lock")
    for name in ("requirements.lock", "requirements-build.lock"):
        assert pins(name).items() <= everything.items()
