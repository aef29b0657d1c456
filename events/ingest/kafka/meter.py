"""What a daemon says about itself: `/metrics` in Prometheus' text form, and `/healthz`."""

from __future__ import annotations

from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from time import monotonic, time

from events.errors import Unable


class Meter:
    """Numbers by name, written by one thread. Names ending in `_total` only grow; `trouble` is what is wrong now."""

    def __init__(self, prefix: str, help_texts: dict[str, str], stall_s: int) -> None:
        self._prefix = prefix
        self._help = help_texts
        self._values: dict[str, float] = {
            name: 0 for name in help_texts if name.endswith(("_total", "_up", "_open", "_missing"))
        }
        self._lag: dict[int, int] = {}
        self._stall_s = stall_s
        self._moved_at = monotonic()
        self.trouble: dict[str, str] = {}

    def add(self, name: str, by: float = 1) -> None:
        """Counts."""
        self._values[name] = self._values.get(name, 0) + by

    def put(self, name: str, value: float) -> None:
        """Sets."""
        self._values[name] = value

    def get(self, name: str) -> float:
        """The value now."""
        return self._values.get(name, 0)

    def put_lag(self, lag: dict[int, int]) -> None:
        """Records behind, by partition."""
        self._lag = lag

    def moved(self) -> None:
        """The loop went round: it is alive, whether or not there was anything to do."""
        self._moved_at = monotonic()

    def committed(self) -> None:
        """Something was stored just now."""
        self._values["last_commit_timestamp_seconds"] = time()

    def health(self) -> tuple[bool, str]:
        """Whether all is well, and in words what is not."""
        still = monotonic() - self._moved_at
        wrong = list(self.trouble.values())
        if still > self._stall_s:
            wrong.append(f"nothing moved for {still:.0f} s")
        return not wrong, "; ".join(wrong) or "ok"

    def text(self) -> str:
        """As Prometheus reads it."""
        lines: list[str] = []
        for name, value in sorted(self._values.copy().items()):
            full = f"{self._prefix}_{name}"
            kind = "counter" if name.endswith("_total") else "gauge"
            lines += [f"# HELP {full} {self._help.get(name, name)}", f"# TYPE {full} {kind}", f"{full} {value:.15g}"]
        if self._lag or "lag" in self._help:
            full = f"{self._prefix}_lag"
            lines += [f"# HELP {full} {self._help.get('lag', 'Records behind.')}", f"# TYPE {full} gauge"]
            lines += [f'{full}{{partition="{part}"}} {behind}' for part, behind in sorted(self._lag.items())]
        return "\n".join(lines) + "\n"


def serve(meter: Meter, address: tuple[str, int]) -> Callable[[], None]:
    """Answers at `address` from a thread of its own; gives what ends it.

    Raises:
        Unable: the address is taken, or none of ours.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            if path == "/metrics":
                self._answer(200, meter.text(), "text/plain; version=0.0.4; charset=utf-8")
            elif path == "/healthz":
                well, words = meter.health()
                self._answer(200 if well else 503, words + "\n", "text/plain; charset=utf-8")
            else:
                self._answer(404, "/metrics and /healthz are here\n", "text/plain; charset=utf-8")

        def _answer(self, code: int, text: str, kind: str) -> None:
            body = text.encode()
            self.send_response(code)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Silent: a scrape every few seconds is no news."""

    try:
        server = ThreadingHTTPServer(address, Handler)
    except OSError as error:
        raise Unable(
            f"metrics cannot be served at {address[0]}:{address[1]}: {error.strerror or error}",
            hint="metrics_address names another; without it none are served",
        ) from error
    server.daemon_threads = True
    Thread(target=server.serve_forever, name="recoup-metrics", daemon=True).start()

    def stop() -> None:
        server.shutdown()
        server.server_close()

    return stop
