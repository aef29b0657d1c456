"""Whether Kafka can be reached, and why not.

kafka-python says of everything that it cannot bootstrap: of a wrong password too, as it drops what a broker says last
before it hangs up. So one connection comes before each client, on which every step has an answer of its own.
"""

from __future__ import annotations

import socket
import ssl
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from events.errors import Unable
from events.ingest.kafka.settings import Settings, address_of

CONNECT_S = 3.0
ANSWER_S = 10.0
_TLS_ALERT = 0x15
_NO_TLS = (None, "UNEXPECTED_EOF_WHILE_READING", "WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE")
"""How OpenSSL calls what is no TLS, or nothing at all."""
_FOREIGN_CA = (18, 19, 20, 21)
_FOREIGN_NAME = (62, 63, 64)
"""OpenSSL's X509_V_ERR_*: nobody whom we trust signed the certificate; it is for another name."""


class BrokerAway(Unable):
    """Kafka does not answer, or does not let us in; it may by and by."""


class NotLetIn(BrokerAway):
    """It answers, and as the settings are it will not let us in."""


class TopicMissing(BrokerAway):
    """There is no such topic, or not yet."""


def lacks_right(settings: Settings, error: BaseException, words: str) -> NotLetIn | None:
    """A right that is missing, in words; None if that is not the matter. `words`: what is not allowed."""
    from kafka.errors import AuthorizationError

    if not isinstance(error, AuthorizationError):
        return None
    certified = f"the owner of {settings.tls_cert_file}" if settings.tls_cert_file else "this client"
    who = settings.sasl_username or certified
    return NotLetIn(
        f"Kafka at {settings.bootstrap_servers} does not allow {who} to {words}",
        hint="`python deploy/kafka/topics apply --acls` gives the rights that topics.toml beside it describes",
    )


def knock(settings: Settings) -> None:
    """Whether anybody listens at one of the addresses; far cheaper to find out than with a whole client.

    Raises:
        BrokerAway: nobody does.
    """
    _any_of(settings, lambda server: _connected(server).close())


def greet(settings: Settings, topic: str = "") -> None:
    """Whether one of the brokers lets us in: connection, TLS, authentication, an answer; and whether there is a topic.

    Raises:
        BrokerAway: nobody listens, or whoever does is silent.
        NotLetIn: one of them refuses, or does not let us see the topic.
        TopicMissing: there is no such topic.
        Unable: a key, certificate or password file cannot be read.
    """
    options = settings.connection()
    _any_of(settings, lambda server: _greet(settings, options, server, topic))


def _any_of(settings: Settings, ask: Any) -> None:
    refused: BrokerAway | None = None
    why = ""
    for server in settings.servers:
        try:
            ask(server)
            return
        except NotLetIn as error:
            refused = error
        except BrokerAway as error:
            refused = refused or error
        except OSError as error:
            why = error.strerror or str(error)
    raise refused or BrokerAway(
        f"nobody listens at {settings.bootstrap_servers}: {why}", hint="is Kafka up, is the address right?"
    )


def _connected(server: str) -> socket.socket:
    return socket.create_connection(address_of(server, "bootstrap server") or ("", 0), timeout=CONNECT_S)


def _greet(settings: Settings, options: dict[str, Any], server: str, topic: str) -> None:
    from kafka import errors

    plain = _connected(server)
    plain.settimeout(ANSWER_S)
    line: socket.socket = plain
    try:
        if "ssl_context" in options:
            line = _guarded(plain, server, settings, options["ssl_context"])
        ask = _Line(line, server, settings)
        if "sasl_mechanism" in options:
            _log_in(ask, settings, options)
        code = ask.metadata(topic)
        if error := errors.for_code(code) if code else None:
            allowed = lacks_right(settings, error(topic), f"see {topic}")
            if allowed is not None:
                raise allowed
            if issubclass(error, errors.UnknownTopicOrPartitionError):
                raise TopicMissing(
                    f"there is no topic {topic} at {settings.bootstrap_servers}",
                    hint="`python deploy/kafka/topics apply` makes it",
                )
    except TimeoutError as error:
        raise BrokerAway(f"Kafka at {server} does not answer within {ANSWER_S:.0f} s", hint="is it well?") from error
    finally:
        line.close()
        plain.close()


def _guarded(plain: socket.socket, server: str, settings: Settings, context: ssl.SSLContext) -> ssl.SSLSocket:
    host, _port = address_of(server) or ("", 0)
    try:
        return context.wrap_socket(plain, server_hostname=host)
    except ssl.SSLCertVerificationError as error:
        said = error.verify_message.rstrip(".")
        if error.verify_code in _FOREIGN_NAME:
            raise NotLetIn(
                f"the certificate of Kafka at {server} is for another name: {said}",
                hint="call the broker as its certificate does; tls_check_hostname = false takes any name",
            ) from error
        is_foreign = error.verify_code in _FOREIGN_CA
        hint = "tls_ca_file names the certificate of whoever signed it" if is_foreign else "have it renewed"
        raise NotLetIn(f"the certificate of Kafka at {server} is not trusted: {said}", hint=hint) from error
    except TimeoutError:
        raise
    except OSError as error:
        if isinstance(error, ssl.SSLError) and error.reason not in _NO_TLS:
            raise NotLetIn(f"TLS with Kafka at {server} fails: {error.reason}") from error
        raise NotLetIn(
            f"Kafka at {server} does not speak TLS, and security_protocol is {settings.security_protocol}",
            hint="PLAINTEXT or SASL_PLAINTEXT is meant, or another port",
        ) from error


def _not_certified(server: str, settings: Settings, error: ssl.SSLError) -> NotLetIn:
    """TLS lets the server say only at the first answer what it thinks of the client's certificate."""
    if not settings.tls_cert_file:
        return NotLetIn(
            f"Kafka at {server} asks who we are by certificate, and tls_cert_file is not set ({error.reason})",
            hint="tls_cert_file and tls_key_file name ours",
        )
    from cryptography import x509

    ours = x509.load_pem_x509_certificate(Path(settings.tls_cert_file).read_bytes())
    until = ours.not_valid_after_utc
    if until < datetime.now(UTC):
        hint = f"it was valid until {until:%Y-%m-%d %H:%M} UTC: have it renewed"
    else:
        hint = f"does the broker trust who signed it: {ours.issuer.rfc4514_string()}?"
    return NotLetIn(f"Kafka at {server} refuses the certificate {settings.tls_cert_file} ({error.reason})", hint=hint)


class _Line:
    """A connection on which one request follows the other."""

    def __init__(self, line: socket.socket, server: str, settings: Settings) -> None:
        from kafka.protocol.parser import KafkaProtocol

        self._line = line
        self._parser = KafkaProtocol(client_id=settings.client_id)
        self._settings = settings
        self.server = server

    def ask(self, request: Any, version: int, refused: NotLetIn) -> Any:
        """The answer.

        Raises:
            NotLetIn: the broker hangs up, which says what `refused` says; or it speaks TLS.
        """
        request.API_VERSION = version
        self._parser.send_request(request)
        try:
            self._line.sendall(self._parser.send_bytes())
            while data := self._line.recv(1 << 16):
                if data[0] == _TLS_ALERT and not isinstance(self._line, ssl.SSLSocket):
                    raise NotLetIn(
                        f"Kafka at {self.server} speaks TLS, and security_protocol is "
                        f"{self._settings.security_protocol}",
                        hint="SSL or SASL_SSL is meant, or another port",
                    )
                for _number, answer in self._parser.receive_bytes(data):
                    return answer
        except ssl.SSLError as error:
            raise _not_certified(self.server, self._settings, error) from error
        except ConnectionError as error:
            raise refused from error
        raise refused

    def metadata(self, topic: str) -> int:
        """A question that nobody unknown is answered; the error code of the topic, if one is named."""
        from kafka.protocol.metadata import MetadataRequest

        hung_up = NotLetIn(
            f"Kafka at {self.server} hangs up on whoever does not log in",
            hint="SASL_SSL or SASL_PLAINTEXT is meant, with sasl_mechanism, sasl_username and a password",
        )
        if "SASL" in self._settings.security_protocol:
            hung_up = NotLetIn(f"Kafka at {self.server} hangs up on {self._settings.sasl_username}")
        topics = [MetadataRequest.MetadataRequestTopic(name=topic)] if topic else []
        answer = self.ask(MetadataRequest(topics=topics, allow_auto_topic_creation=False), 4, hung_up)
        return next((int(one.error_code) for one in answer.topics), 0)


def _log_in(line: _Line, settings: Settings, options: dict[str, Any]) -> None:
    from kafka.net.sasl import get_sasl_mechanism
    from kafka.protocol.sasl import SaslAuthenticateRequest, SaslHandshakeRequest

    def refused(said: str) -> NotLetIn:
        return NotLetIn(
            f"authentication refused: Kafka at {line.server} does not let {settings.sasl_username} in{said}",
            hint="are sasl_username, the password and sasl_mechanism those of the broker?",
        )

    name = settings.sasl_mechanism
    no_sasl = NotLetIn(f"Kafka at {line.server} asks nobody to log in", hint="security_protocol without SASL_ is meant")
    answer = line.ask(SaslHandshakeRequest(mechanism=name), 1, no_sasl)
    if name not in answer.mechanisms:
        if not answer.mechanisms:
            raise no_sasl
        raise NotLetIn(
            f"Kafka at {line.server} knows no {name}",
            hint=f"sasl_mechanism is to be one of {', '.join(answer.mechanisms)}",
        )
    mechanism = get_sasl_mechanism(name)(**options)
    while not mechanism.is_done():
        answer = line.ask(SaslAuthenticateRequest(mechanism.auth_bytes()), 1, refused(""))
        if answer.error_code:
            raise refused(f" ({answer.error_message})" if answer.error_message else "")
        try:
            mechanism.receive(answer.auth_bytes)
        except ValueError as error:  # the broker's own proof is wrong: it does not know the password either
            raise refused(f" ({error})") from error
    if not mechanism.is_authenticated():
        raise refused("")
