"""How Recoup reaches Kafka: one set of settings, from a TOML file and the environment.

A file holds `name = value` lines under the names below; `RECOUP_KAFKA_<NAME>` in the environment holds against the
file. Names that nobody knows are refused in both: a misspelt setting must not be a default in silence.
"""

from __future__ import annotations

import ssl
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from events.errors import Refused, Unable

PREFIX = "RECOUP_KAFKA_"
CONFIG_VARIABLE = "RECOUP_KAFKA_CONFIG"
"""Names the file, where no option does."""

Filled = Annotated[str, Meta(min_length=1)]
Positive = Annotated[int, Meta(ge=1)]
TopicName = Annotated[str, Meta(pattern=r"^[A-Za-z0-9._-]{1,249}$")]


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All settings. Where a default is empty, nothing is set.

    `bootstrap_servers`: `host:port`, several after commas. `group`: of the ingest daemons, which share the topic's
    partitions. `session_timeout_ms`: after so long a silence a daemon counts as dead and its partitions go to others.
    `max_poll_interval_ms`: so long a batch may take at the most. `batch_records`, `batch_bytes`: a batch ends at
    whichever comes first; `batch_wait_ms`: so long it waits to be filled. `record_max_bytes`: of a longer record the
    beginning and the digest are quarantined. `backoff_min_ms`, `backoff_max_ms`: pauses while store or broker is away.
    `metrics_address`: `host:port` of `/metrics` and `/healthz`. `stall_s`: `/healthz` fails when so long nothing moved.
    `rulings_topic`, `rejected_topic`, `checkpoints_topic`, `publish_client_id`, `publish_metrics_address`: of `recoup
    publish kafka`; `publish_types`: further stored event types that it follows, as `TYPE=TOPIC`, several after commas.
    """

    bootstrap_servers: Filled = "127.0.0.1:9092"
    topic: TopicName = "floor.events"
    group: Filled = "recoup-ingest"
    client_id: Filled = "recoup"
    security_protocol: Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"] = "PLAINTEXT"
    tls_ca_file: str = ""
    tls_cert_file: str = ""
    tls_key_file: str = ""
    tls_key_password: str = ""
    tls_check_hostname: bool = True
    sasl_mechanism: Literal["", "PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] = ""
    sasl_username: str = ""
    sasl_password: str = ""
    sasl_password_file: str = ""
    session_timeout_ms: Annotated[int, Meta(ge=1000)] = 6000
    max_poll_interval_ms: Annotated[int, Meta(ge=1000)] = 300_000
    request_timeout_ms: Annotated[int, Meta(ge=1000, le=500_000)] = 30_000
    batch_records: Annotated[int, Meta(ge=1, le=100_000)] = 10_000
    batch_bytes: Positive = 8 << 20
    batch_wait_ms: Annotated[int, Meta(ge=0, le=60_000)] = 50
    record_max_bytes: Positive = 1 << 20
    backoff_min_ms: Positive = 200
    backoff_max_ms: Positive = 10_000
    metrics_address: str = ""
    stall_s: Positive = 60
    rulings_topic: TopicName = "recoup.rulings"
    rejected_topic: TopicName = "floor.events.rejected"
    checkpoints_topic: TopicName = "recoup.checkpoints"
    publish_types: str = ""
    publish_client_id: Filled = "recoup-publish"
    publish_metrics_address: str = ""

    @property
    def servers(self) -> list[str]:
        """The bootstrap servers, one by one."""
        return [name.strip() for name in self.bootstrap_servers.split(",") if name.strip()]

    def connection(self, client_id: str = "") -> dict[str, Any]:
        """What every client of kafka-python is given: where to, as whom, how guarded.

        Raises:
            Unable: a key, certificate or password file cannot be read.
        """
        found: dict[str, Any] = {
            "bootstrap_servers": self.servers,
            "client_id": client_id or self.client_id,
            "security_protocol": self.security_protocol,
            "request_timeout_ms": self.request_timeout_ms,
        }
        if "SSL" in self.security_protocol:
            found["ssl_context"] = self._tls()
            found["ssl_check_hostname"] = self.tls_check_hostname
        if "SASL" in self.security_protocol:
            found["sasl_mechanism"] = self.sasl_mechanism
            found["sasl_plain_username"] = self.sasl_username
            found["sasl_plain_password"] = self._password()
        return found

    def _tls(self) -> ssl.SSLContext:
        """Trusts `tls_ca_file`, or what the system trusts."""
        try:
            context = ssl.create_default_context(cafile=self.tls_ca_file or None)
            context.check_hostname = self.tls_check_hostname
            if self.tls_cert_file:
                context.load_cert_chain(self.tls_cert_file, self.tls_key_file or None, self.tls_key_password)
        except (OSError, ssl.SSLError) as error:
            raise Unable(
                f"certificates cannot be used: {error}", hint="tls_ca_file, tls_cert_file and tls_key_file name them"
            ) from error
        return context

    def _password(self) -> str:
        if not self.sasl_password_file:
            return self.sasl_password
        try:
            return Path(self.sasl_password_file).read_text(encoding="utf-8").rstrip("\r\n")
        except OSError as error:
            raise Unable(f"the password file {self.sasl_password_file} cannot be read: {error.strerror}") from error


NAMES = frozenset(Settings.__struct_fields__)
"""Every setting that there is."""


def read_settings(path: str | None, environment: Mapping[str, str], given: Mapping[str, Any] | None = None) -> Settings:
    """Defaults, then the file (or that of `RECOUP_KAFKA_CONFIG`), then the environment, then `given` (options).

    Raises:
        Refused: a setting that nobody knows, a value that is none, settings that do not go together.
        Unable: the file cannot be read.
    """
    plain: dict[str, Any] = {}
    path = path or environment.get(CONFIG_VARIABLE) or None
    if path is not None:
        plain.update(_checked(_read_file(path), f"{path}: "))
    plain.update(_checked(_of_environment(environment), "in the environment: "))
    plain.update({name: value for name, value in (given or {}).items() if value is not None})
    return _agreed(_checked_all(plain))


def _read_file(path: str) -> dict[str, Any]:
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise Unable(f"the settings {path} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refused(
            f"the settings {path} are no TOML: {error}", hint='name = value, as topic = "floor.events"'
        ) from None


def _of_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    return {
        name.removeprefix(PREFIX).lower(): value
        for name, value in environment.items()
        if name.startswith(PREFIX) and name != CONFIG_VARIABLE
    }


def _checked(found: dict[str, Any], where: str) -> dict[str, Any]:
    """As it is, if every name is known."""
    from difflib import get_close_matches

    for name in found:
        if name not in NAMES:
            near = get_close_matches(name, NAMES, n=1)
            raise Refused(
                f"{where}there is no setting `{name}`",
                hint=f"`{near[0]}` is one" if near else f"there are {', '.join(sorted(NAMES))}",
            )
    return found


def _checked_all(plain: Mapping[str, Any]) -> Settings:
    """Typed; text stands for numbers and yes or no, as the environment has nothing else."""
    try:
        return msgspec.convert(dict(plain), Settings, strict=False)
    except msgspec.ValidationError as error:
        raise Refused(f"Kafka settings: {error}", hint="deploy/README.md lists them with their defaults") from None


def _agreed(settings: Settings) -> Settings:
    """Settings that go together.

    Raises:
        Refused: they do not.
    """
    if "SASL" in settings.security_protocol and not (settings.sasl_mechanism and settings.sasl_username):
        raise Refused(f"{settings.security_protocol} needs sasl_mechanism, sasl_username and a password")
    if settings.sasl_mechanism and "SASL" not in settings.security_protocol:
        raise Refused(
            f"sasl_mechanism is set, and {settings.security_protocol} would not use it",
            hint='security_protocol = "SASL_SSL"',
        )
    if settings.tls_ca_file and "SSL" not in settings.security_protocol:
        raise Refused(
            f"tls_ca_file is set, and {settings.security_protocol} would not use it", hint='security_protocol = "SSL"'
        )
    if settings.backoff_max_ms < settings.backoff_min_ms:
        raise Refused("backoff_max_ms is less than backoff_min_ms")
    if settings.max_poll_interval_ms < settings.session_timeout_ms:
        raise Refused("max_poll_interval_ms is less than session_timeout_ms")
    for name in ("metrics_address", "publish_metrics_address"):
        address_of(getattr(settings, name), name)
    if not settings.servers:
        raise Refused("bootstrap_servers names no server", hint="host:port, several after commas")
    return settings


def address_of(text: str, what: str = "address") -> tuple[str, int] | None:
    """`host:port` → both; None for an empty text.

    Raises:
        Refused: another form.
    """
    if not text:
        return None
    host, colon, port = text.rpartition(":")
    if not colon or not port.isdigit() or int(port) > 65_535:
        raise Refused(f"{what} `{text}` is no address", hint="host:port, as 127.0.0.1:9464")
    return host.strip("[]"), int(port)
