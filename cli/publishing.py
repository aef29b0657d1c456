"""`publish kafka`: what the log says to others."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from cli import assembly, screen
from cli.brokers import Config, Servers, settings_of
from cli.options import AsJson, Store

if TYPE_CHECKING:
    from types import FrameType

    from events.outbox import Publisher
    from events.store import Log

app = typer.Typer(help="Send what the log holds to others.", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def _publish() -> None:
    """Send what the log holds to others."""


@app.command()
def kafka(
    config: Config = None,
    bootstrap_servers: Servers = None,
    metrics: Annotated[
        str | None, typer.Option("--metrics", metavar="HOST:PORT", help="Serve /metrics and /healthz there.")
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="Send what there is, then end.")] = False,
    again: Annotated[bool, typer.Option("--again", help="From the log's beginning, whatever was sent before.")] = False,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Follow the log, and send rulings, rejected records and checkpoints to their Kafka topics.

    Rulings applied go to recoup.rulings, quarantined and conflicting bytes to floor.events.rejected with the reason in
    their headers, checkpoints and their keys to recoup.checkpoints; the setting publish_types names further ones. In
    log order, at least once: consumers drop repeats by the header event_id. Runs until it is stopped (SIGTERM, ctrl-C);
    what is on its way then is finished first.

    \b
    Examples:
      recoup publish kafka --config /etc/recoup/kafka.toml
      recoup publish kafka --once

    Settings: deploy/README.md. With --once exit code 3 if store or broker is away, or a topic refuses a message; else
    it waits until that is mended.
    """
    from events.ingest.kafka import Settings, address_of
    from events.ingest.kafka.meter import serve
    from events.outbox import Publisher, Sender, read_routes

    def asked() -> Settings:
        return settings_of(config, bootstrap_servers=bootstrap_servers, publish_metrics_address=metrics)

    def opened() -> Log:
        return assembly.open_log(store)

    def connected() -> Sender:
        return Sender(asked())  # read anew: an address may have changed

    settings = asked()
    routes = read_routes(settings, assembly.catalogue())
    publisher = Publisher(routes, settings, opened, connected, say=_journal, again=again)
    address = address_of(settings.publish_metrics_address)
    end = serve(publisher.watch.meter, address) if address else None
    try:
        with stopping(publisher.stop.set):
            sent = publisher.run(once=once)
    finally:
        if end is not None:
            end()
    _report(publisher, sent, as_json=as_json)


def _journal(text: str) -> None:
    """A line for whoever reads the journal, at once."""
    print(text, file=sys.stderr, flush=True)


def _report(publisher: Publisher, sent: int, *, as_json: bool) -> None:
    watch = publisher.watch
    if as_json:
        counts = {topic: watch.sent[topic] for topic in publisher.topics}
        screen.put_json({"sent": counts, "position": watch.position, "rows": watch.size})
        return
    screen.say(
        f"{screen.number(sent, 'message')} sent, position {watch.position:,} of {screen.number(watch.size, 'row')}"
    )
    for refused in publisher.refused:
        screen.hint(f"{refused.hint} ({refused})")


@contextmanager
def stopping(stop: Callable[[], object]) -> Iterator[None]:
    """SIGTERM and ctrl-C call `stop`; a second one ends the program as it would any."""

    def asked(number: int, _frame: FrameType | None) -> None:
        signal.signal(number, before[signal.Signals(number)])
        stop()

    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    for number in before:
        signal.signal(number, asked)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
