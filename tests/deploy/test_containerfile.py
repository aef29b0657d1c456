"""The container file, read and not built: no engine is needed here."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CONTAINERFILE = ROOT / "deploy" / "Containerfile"


def instructions() -> list[tuple[str, str]]:
    """Each instruction and its words, continuation lines joined."""
    lines = [line for line in CONTAINERFILE.read_text().splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n", " ", "\n".join(lines))
    found = []
    for line in joined.splitlines():
        if line.strip():
            name, _, words = line.strip().partition(" ")
            found.append((name.upper(), " ".join(words.split())))
    return found


def last_stage() -> list[tuple[str, str]]:
    everything = instructions()
    starts = [index for index, (name, _) in enumerate(everything) if name == "FROM"]
    return everything[starts[-1] :]


def copied_from_the_checkout() -> list[str]:
    return [
        source
        for name, words in instructions()
        if name in {"COPY", "ADD"} and "--from=" not in words
        for source in words.split()[:-1]
    ]


def test_the_image_does_not_run_as_root() -> None:
    users = [words for name, words in last_stage() if name == "USER"]
    assert users
    assert users[-1].split(":")[0] not in {"", "0", "root"}


def test_everything_that_is_copied_exists() -> None:
    sources = copied_from_the_checkout()
    assert sources
    assert [source for source in sources if not (ROOT / source).exists()] == []


def test_every_package_of_the_wheel_is_copied() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    packages = project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert set(packages) <= set(copied_from_the_checkout())


def test_every_pip_install_is_held_by_hashes_or_reaches_no_index() -> None:
    commands = [words for name, text in instructions() if name == "RUN" for words in text.split(" && ")]
    pip = [command for command in commands if re.search(r"pip (install|wheel)", command)]
    assert len(pip) == 4
    assert all("--require-hashes -r" in command or "--no-index --no-deps" in command for command in pip)


def test_the_store_is_a_volume_and_recoup_the_entry_point() -> None:
    stage = last_stage()
    assert ("VOLUME", "/var/lib/recoup") in stage
    assert ("ENTRYPOINT", '["recoup"]') in stage
