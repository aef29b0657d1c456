"""deploy/ says only what is true of the program: commands, options, settings, metrics, files, and who runs as whom."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer.main
import yaml

from cli.app import build
from cli.assembly import STORE_VARIABLE
from events.ingest.kafka import CONFIG_VARIABLE, NAMES, PREFIX, Settings, read_settings
from events.ingest.kafka.daemon import HELP as INGEST_HELP
from events.outbox.watch import HELP as PUBLISH_HELP
from events.outbox.watch import PREFIX as PUBLISH
from events.sealing import FOLDER_VARIABLE

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
SYSTEMD = DEPLOY / "systemd"
README = (DEPLOY / "README.md").read_text(encoding="utf-8")
TEXTS = sorted(path for path in DEPLOY.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
UNITS = sorted(path for path in SYSTEMD.iterdir() if path.suffix in (".service", ".timer", ".target"))
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if service["image"] == "recoup"}


@cache
def program() -> Any:
    return typer.main.get_command(build())


def command_of(words: list[str]) -> tuple[list[str], Any, list[str]]:
    """The command that the words name, and what stands behind it.

    Raises:
        AssertionError: there is none.
    """
    found, at = program(), 0
    while hasattr(found, "commands") and at < len(words):
        two = " ".join(words[at : at + 2])
        step = 2 if two in found.commands else 1
        name = two if step == 2 else words[at]
        assert name in found.commands, f"recoup {' '.join(words)}: there is no command `{name}`"
        found, at = found.commands[name], at + step
    return words[:at], found, words[at:]


def check_command(words: list[str]) -> None:
    """Command and options exist."""
    _name, command, rest = command_of(words)
    known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    known |= {"--help"}
    for word in rest:
        if word.startswith("--"):
            assert word.partition("=")[0] in known, f"recoup {' '.join(words)}: no option {word}"


def commands_in_text(text: str) -> Iterator[list[str]]:
    """`recoup …` in code spans, code blocks and comments; `recoup` as a name of something else is none."""
    spans = re.findall(r"`([^`\n]+)`", text)
    blocks = [line for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
    for line in [*spans, *blocks]:
        code = re.sub(r"\s#\s.*", "", line)
        for piece in re.split(r"[|;&]+|'|\$\(", code):
            words = piece.split()
            if words and words[0] == "recoup" and len(words) > 1 and words[1] != "…":
                yield [word for word in words[1:] if word != "…"]


ASKED = [
    (path.relative_to(ROOT), words) for path in TEXTS for words in commands_in_text(path.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize(("path", "words"), ASKED, ids=[f"{path}: {' '.join(words)}" for path, words in ASKED])
def test_every_command_that_a_text_names_exists(path: Path, words: list[str]) -> None:
    check_command(words)


def test_enough_commands_are_named_for_the_check_to_mean_something() -> None:
    said = {tuple(command_of(words)[0]) for _path, words in ASKED}
    assert {("ingest", "kafka"), ("publish", "kafka"), ("send", "kafka"), ("store", "restore"), ("verify",)} <= said


# -- compose.yaml


@pytest.mark.parametrize("name", [name for name, one in OURS.items() if "entrypoint" not in one])
def test_every_service_runs_a_command_that_exists(name: str) -> None:
    check_command(OURS[name]["command"])


@pytest.mark.parametrize("name", SERVICES)
def test_no_container_may_write_to_itself_be_root_or_become_it(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["user"].split(":")[0] not in ("", "0", "root")
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert not {"privileged", "cap_add", "network_mode", "pid"} & set(service)


@pytest.mark.parametrize("name", SERVICES)
def test_ports_lead_to_this_machine_only_and_images_have_a_version(name: str) -> None:
    service = SERVICES[name]
    assert all(port.startswith("127.0.0.1:") for port in service.get("ports", ()))
    if name not in OURS:
        assert re.search(r":\d", service["image"])
        assert not service["image"].endswith(":latest")
    else:
        assert (DEPLOY / service["build"]["context"] / service["build"]["dockerfile"]).is_file()


def test_what_services_wait_for_mount_and_join_exists() -> None:
    for name, service in SERVICES.items():
        assert set(service.get("depends_on", ())) <= set(SERVICES), name
        assert set(service["networks"]) <= set(COMPOSE["networks"]), name
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            assert (DEPLOY / source).exists() if source.startswith(".") else source in COMPOSE["volumes"], volume


def test_two_ingest_daemons_a_publisher_kafka_in_kraft_mode_and_postgresql() -> None:
    commands = [" ".join(one["command"]) for one in OURS.values()]
    assert commands.count("ingest kafka") == 2
    assert commands.count("publish kafka") == 1
    assert SERVICES["kafka"]["environment"]["KAFKA_PROCESS_ROLES"] == "broker,controller"
    assert int(SERVICES["postgres"]["image"].partition(":")[2]) >= 17
    version = re.findall(r'^VERSION = "(.+)"$', (DEPLOY / "kafka" / "local").read_text(encoding="utf-8"), re.MULTILINE)
    assert SERVICES["kafka"]["image"].partition(":")[2] == version[0]


def test_every_environment_variable_is_one_that_the_program_knows() -> None:
    for name, service in OURS.items():
        for variable in service.get("environment", {}):
            assert is_known(variable), f"{name}: {variable}"
        if service.get("environment"):
            kafka = {key: value for key, value in service["environment"].items() if key.startswith(PREFIX)}
            read_settings(None, kafka)


def is_known(variable: str) -> bool:
    if variable in (STORE_VARIABLE, CONFIG_VARIABLE, "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"):
        return True
    return variable.startswith(PREFIX) and variable.removeprefix(PREFIX).lower() in NAMES


def test_the_roles_in_addresses_are_those_that_are_made() -> None:
    script = (DEPLOY / "postgres" / "roles.sql").read_text(encoding="utf-8")
    roles = {login for login, _kind in re.findall(r"\('(\w+)', '(\w+)'\)", script)}
    for path in (DEPLOY / "compose.yaml", DEPLOY / "README.md", *UNITS):
        named = re.findall(r"postgresql://(\w+)[:@]", path.read_text(encoding="utf-8"))
        assert set(named) <= roles, path
    asked = re.findall(r"for role in ([\w ]+);", (DEPLOY / "postgres" / "passwords.sh").read_text(encoding="utf-8"))[0]
    assert {f"recoup_{role}" for role in asked.split()} == roles
    assert {f"RECOUP_{role.upper()}_PASSWORD" for role in asked.split()} <= set(SERVICES["postgres"]["environment"])


# -- systemd


def unit(path: Path) -> dict[str, list[str]]:
    """Name → values, sections left aside."""
    found: dict[str, list[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        name, equals, value = line.partition("=")
        if equals and not line.startswith(("#", "[")):
            found.setdefault(name, []).append(value)
    return found


@pytest.mark.parametrize("path", [path for path in UNITS if path.suffix == ".service"], ids=lambda path: path.name)
def test_every_unit_runs_a_command_that_exists_with_settings_that_are_known(path: Path) -> None:
    found = unit(path)
    program_, *words = shlex.split(found["ExecStart"][0])
    if path.name.startswith("recoup-"):
        assert program_ == "/opt/recoup/bin/recoup"
        check_command(words)
    for pair in found.get("Environment", ()):
        assert is_known(pair.partition("=")[0]), pair
    assert found.get("User", ["recoup"]) == ["recoup"]


def test_every_timer_has_its_service_and_the_target_starts_what_there_is() -> None:
    names = {path.name for path in UNITS}
    for path in UNITS:
        if path.suffix == ".timer":
            assert path.with_suffix(".service").name in names
    wanted = " ".join(unit(SYSTEMD / "recoup.target")["Wants"]).split()
    assert {re.sub(r"@\d+\.", "@.", name) for name in wanted} <= names
    assert {path.name for path in UNITS if path.suffix == ".timer"} <= set(wanted)


def test_systemd_finds_no_fault_in_the_units_and_little_exposure(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("no systemd-analyze: units are not verified")
    for path in SYSTEMD.rglob("*"):
        if path.is_file():
            target = tmp_path / path.relative_to(SYSTEMD)
            target.parent.mkdir(exist_ok=True)
            target.write_text(path.read_text(encoding="utf-8").replace("/opt/recoup/bin/recoup ", "/bin/true "))
    names = [re.sub(r"@\.", "@1.", path.name) for path in UNITS]
    environment = {"SYSTEMD_UNIT_PATH": f"{tmp_path}:", "PATH": "/usr/bin:/bin"}
    said = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *names], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    ours = [line for line in said.stderr.splitlines() if "recoup" in line]
    assert ours == []
    root = tmp_path / "root"
    shutil.copytree(SYSTEMD, root / "etc" / "systemd" / "system")
    for name in names:
        if name.startswith("recoup-") and name.endswith(".service"):
            words = ["systemd-analyze", "security", "--offline=true", f"--root={root}", "--threshold=20", name]
            rated = subprocess.run(words, capture_output=True, text=True)
            assert rated.returncode == 0, rated.stdout[-200:] + rated.stderr


# -- settings, topics, metrics, and what the README says of them


def test_the_example_of_settings_is_one(tmp_path: Path) -> None:
    settings = read_settings(str(SYSTEMD / "kafka.toml.example"), {})
    assert settings.security_protocol == "SASL_SSL"


def rows_of(heading: str) -> list[list[str]]:
    """Cells of the first table below a heading."""
    lines = README.partition(f"{heading}\n")[2].splitlines()
    rows: list[list[str]] = []
    for line in lines:
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip("|").split("|")])
        elif rows:
            break
    return rows[2:]


def test_the_readme_lists_every_setting_with_its_default() -> None:
    listed = {name.strip("`"): default.strip("`") for name, default, _what in rows_of("## Settings of Kafka")}
    defaults = {name: getattr(Settings(), name) for name in Settings.__struct_fields__}
    assert listed == {
        name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in defaults.items()
    }


def test_the_readme_table_names_services_units_and_settings_that_there_are() -> None:
    units = {path.name for path in UNITS}
    seen: set[str] = set()
    for command, service, runs, _when, settings in rows_of("## From command to service, unit and setting"):
        check_command(command.strip("`").split()[1:])
        for name in re.findall(r"`([^`]+)`", service):
            assert " ".join(SERVICES[name]["command"]).startswith(command.strip("`").removeprefix("recoup ")), name
            seen.add(name)
        for name in re.findall(r"`([^`]+)`", runs):
            assert re.sub(r"@\d+\.", "@.", name) in units, name
        for name in re.findall(r"`([a-zA-Z_]+)`", settings):
            assert name in NAMES or name in (STORE_VARIABLE, FOLDER_VARIABLE) or name.startswith("recoup_"), name
    assert seen == set(OURS) - {"topics"}


def test_every_metric_of_an_alarm_is_one_that_is_served() -> None:
    served = {f"recoup_ingest_{name}" for name in INGEST_HELP} | {f"{PUBLISH}_{name}" for name in PUBLISH_HELP}
    named = set(re.findall(r"\brecoup_(?:ingest|publish)_[a-z_]+", README)) - {"recoup_ingest", "recoup_publish"}
    assert len(named) >= 10
    assert named <= served


def test_every_file_that_a_text_names_is_there() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (DEPLOY / target).exists(), target
    for path in TEXTS:
        for named in re.findall(r"\bdeploy/[\w./-]+\w", path.read_text(encoding="utf-8")):
            assert (ROOT / named).exists() or named == "deploy/.env", f"{path.name}: {named}"


def test_topics_are_those_of_the_settings_keep_every_record_and_have_their_rights() -> None:
    described = tomllib.loads((DEPLOY / "kafka" / "topics.toml").read_text(encoding="utf-8"))
    settings = Settings()
    written = {settings.rulings_topic, settings.rejected_topic, settings.checkpoints_topic}
    assert set(described["topics"]) == {settings.topic, *written}
    for topic in described["topics"].values():
        assert topic["configs"]["cleanup.policy"] == "delete"
        assert topic["partitions"] >= 3
        assert topic["replication_factor"] == 3
        assert topic["configs"]["min.insync.replicas"] == 2
    rights = {(one["principal"], one.get("topic", one.get("group"))): one["operations"] for one in described["acls"]}
    assert rights["User:recoup-ingest", settings.topic] == ["READ", "DESCRIBE_CONFIGS"]
    assert rights["User:recoup-ingest", settings.group] == ["READ"]
    assert all(rights["User:recoup-publish", topic] == ["WRITE"] for topic in written)
    assert {one.get("topic", settings.topic) for one in described["acls"]} <= set(described["topics"])
