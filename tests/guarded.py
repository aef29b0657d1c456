"""Real Kafkas that let nobody in unknown: TLS with certificates of an authority of their own, rights, and either
passwords (SASL) or the client's certificate."""

from __future__ import annotations

import datetime
import ipaddress
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from tests.brokers import OwnKafka, missing

PASSWORDS = {
    "admin": "a-1",
    "recoup-ingest": "i-1",
    "recoup-publish": "p-1",
    "floor-gateway": "g-1",
    "settlement": "s-1",
}
BY_PLAIN = ("admin",)
"""Who logs in by PLAIN; the others by SCRAM-SHA-512."""


class Authority:
    """Signs certificates; `path` is its own, in PEM."""

    def __init__(self, folder: Path, name: str) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self._folder = folder
        self.path = folder / f"{name}.pem"
        made = self._certificate(self._name, self._key.public_key()).add_extension(
            x509.BasicConstraints(ca=True, path_length=0), critical=True
        )
        self.path.write_bytes(made.sign(self._key, hashes.SHA256()).public_bytes(Encoding.PEM))

    def _certificate(
        self, subject: x509.Name, key: ec.EllipticCurvePublicKey, hours: int = 24
    ) -> x509.CertificateBuilder:
        now = datetime.datetime.now(datetime.UTC)
        return (
            x509.CertificateBuilder(issuer_name=self._name, subject_name=subject, public_key=key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(hours=hours))
        )

    def issue(self, name: str, *, is_over: bool = False) -> Path:
        """Key and certificate of somebody at 127.0.0.1, in one file. `is_over`: it was good until an hour ago."""
        key = ec.generate_private_key(ec.SECP256R1())
        names = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        made = self._certificate(subject, key.public_key(), -1 if is_over else 24)
        made = made.add_extension(names, critical=False)
        path = self._folder / f"{name}.pem"
        path.write_bytes(
            key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
            + made.sign(self._key, hashes.SHA256()).public_bytes(Encoding.PEM)
        )
        return path


class Guarded:
    """Where it is, and the certificate of whoever signed the broker's own."""

    def __init__(self, servers: str, ca: Path) -> None:
        self.servers = servers
        self.ca = ca

    def settings(self, name: str) -> dict[str, str]:
        """The settings of somebody who logs in."""
        return {
            "bootstrap_servers": self.servers,
            "security_protocol": "SASL_SSL",
            "tls_ca_file": str(self.ca),
            "sasl_mechanism": "PLAIN" if name in BY_PLAIN else "SCRAM-SHA-512",
            "sasl_username": name,
            "sasl_password": PASSWORDS[name],
        }

    def env(self, name: str, **more: str) -> dict[str, str]:
        """The same as variables, and others."""
        return {f"RECOUP_KAFKA_{key.upper()}": value for key, value in self.settings(name).items()} | more


class Certified:
    """Where it is, and who signs the certificates that it asks for."""

    def __init__(self, servers: str, authority: Authority) -> None:
        self.servers = servers
        self.authority = authority

    def settings(self, name: str) -> dict[str, str]:
        """The settings of somebody with a certificate."""
        return {
            "bootstrap_servers": self.servers,
            "security_protocol": "SSL",
            "tls_ca_file": str(self.authority.path),
            "tls_cert_file": str(self.authority.issue(name)),
        }


@contextmanager
def _broker(authority: Authority, properties: Mapping[str, str], *more: str) -> Iterator[str]:
    """Address of a broker with a certificate, which lets nobody do what no right allows."""
    guards = {
        "connection.failed.authentication.delay.ms": "100",
        "ssl.keystore.type": "PEM",
        "ssl.keystore.location": str(authority.issue("broker")),
        "ssl.truststore.type": "PEM",
        "ssl.truststore.location": str(authority.path),
        "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "super.users": "User:admin;User:ANONYMOUS",
    }
    settings = {**guards, **properties}.items()
    broker = OwnKafka(words=[*(word for name, value in settings for word in ("--set", f"{name}={value}")), *more])
    try:
        yield broker.start()
    finally:
        broker.remove()


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """Who signs the certificates of the brokers here; without Kafka there is nothing to sign, and that is said."""
    if why := missing():
        pytest.skip(why)
    return Authority(tmp_path_factory.mktemp("authority"), "house")


@pytest.fixture(scope="module")
def guarded_kafka(authority: Authority) -> Iterator[Guarded]:
    """A broker that asks for a name and a password."""
    users = " ".join(f'user_{name}="{PASSWORDS[name]}"' for name in BY_PLAIN)
    login = "org.apache.kafka.common.security.plain.PlainLoginModule required"
    properties = {
        "listener.security.protocol.map": "PLAINTEXT:SASL_SSL,CONTROLLER:PLAINTEXT",
        "sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-512",
        "sasl.mechanism.inter.broker.protocol": "PLAIN",
        "listener.name.plaintext.plain.sasl.jaas.config": f'{login} username="admin" password="a-1" {users};',
        "listener.name.plaintext.scram-sha-512.sasl.jaas.config": (
            "org.apache.kafka.common.security.scram.ScramLoginModule required;"
        ),
    }
    scram = [word for name in PASSWORDS if name not in BY_PLAIN for word in ("--scram", f"{name}={PASSWORDS[name]}")]
    with _broker(authority, properties, *scram) as servers:
        yield Guarded(servers, authority.path)


@pytest.fixture(scope="module")
def certified_kafka(authority: Authority) -> Iterator[Certified]:
    """A broker that knows its clients by their certificates."""
    properties = {
        "listener.security.protocol.map": "PLAINTEXT:SSL,CONTROLLER:PLAINTEXT",
        "ssl.client.auth": "required",
        "ssl.principal.mapping.rules": "RULE:^CN=(.*)$/$1/",
    }
    with _broker(authority, properties) as servers:
        yield Certified(servers, authority)
