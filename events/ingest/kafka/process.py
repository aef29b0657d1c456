"""One daemon put together: settings, lock, metrics, feed and loop."""

from __future__ import annotations

import ctypes
import gc
import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from threading import Event as Flag

from events.ingest.kafka.daemon import HELP, Daemon, Totals
from events.ingest.kafka.feed import Feed, KafkaFeed
from events.ingest.kafka.meter import Meter, serve
from events.ingest.kafka.only import only_daemon
from events.ingest.kafka.settings import address_of, read_settings
from events.store import Log


def tune() -> None:
    """A process that does nothing but ingest: the collector leaves alone what was loaded, and memory of one batch is
    kept for the next instead of being given back and asked for again (`engineering.md`, 2.5)."""
    gc.collect()
    gc.freeze()
    try:
        c = ctypes.CDLL(None)
        c.mallopt(-2, 64 << 20)  # M_TOP_PAD
        c.mallopt(-1, 1 << 30)  # M_TRIM_THRESHOLD
    except (OSError, AttributeError):  # another C library; nothing depends on it
        return


def run(
    log: Log,
    config: str | None,
    given: Mapping[str, str | None],
    *,
    beside: bool,
    once: bool,
    say: Callable[[str], None],
    stopping: Flag,
) -> Totals:
    """Reads Kafka into `log` until `stopping` is set (`once`: until the end of what is there).

    `config` and the environment are read again for every connection, so that a broker may come back elsewhere.
    `beside`: fetching is another process's work.

    Raises:
        StoreBusy: another daemon has this SQLite file.
        Refused: settings that cannot be meant; a compacted topic.
    """
    read = partial(read_settings, config, dict(os.environ), dict(given))
    settings = read()
    tune()
    with ExitStack() as stack:
        stack.enter_context(only_daemon(log.address.path))
        meter = Meter("recoup_ingest", HELP, settings.stall_s)
        address = address_of(settings.metrics_address)
        if address is not None:
            stack.callback(serve(meter, address))
        feed: Feed
        if beside:
            from events.ingest.kafka.beside import FeedBeside

            feed = FeedBeside(read)
        else:
            feed = KafkaFeed(read)
        return Daemon(feed, log, settings, meter, say=say, stopping=stopping).run(once=once)
