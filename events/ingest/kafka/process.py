"""One daemon put together: settings, lock, metrics, feed and loop."""

from __future__ import annotations

import ctypes
import gc
import os
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from threading import Event as Flag

from eventsourcing.persistence import PersistenceError

from events.errors import StoreMissing, StoreTooNew, Unable
from events.ingest.kafka.daemon import HELP, Backoff, Daemon, Totals
from events.ingest.kafka.feed import Feed, KafkaFeed
from events.ingest.kafka.meter import Meter, serve
from events.ingest.kafka.only import only_daemon
from events.ingest.kafka.settings import Settings, address_of, read_settings
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
    opened: Callable[[], AbstractContextManager[Log]],
    config: str | None,
    given: Mapping[str, str | None],
    *,
    beside: bool,
    once: bool,
    say: Callable[[str], None],
    stopping: Flag,
) -> Totals:
    """Reads Kafka into the log until `stopping` is set (`once`: until the end of what is there).

    `config` and the environment are read again for every connection, so that a broker may come back elsewhere.
    `beside`: fetching is another process's work. A store that is away at the start is waited for, unless `once`.

    Raises:
        StoreBusy: another daemon has this SQLite file.
        StoreMissing, StoreTooNew: no waiting mends that.
        Refused: settings that cannot be meant; a compacted topic.
        Unable: the store is away, and it is to be done but once.
    """
    read = partial(read_settings, config, dict(os.environ), dict(given))
    settings = read()
    tune()
    with ExitStack() as stack:
        meter = Meter("recoup_ingest", HELP, settings.stall_s)
        address = address_of(settings.metrics_address)
        if address is not None:
            stack.callback(serve(meter, address))
        log = _patiently(opened, stack, settings, meter, once=once, say=say, stopping=stopping)
        if log is None:
            return Totals()
        stack.enter_context(only_daemon(log.address.path))
        feed: Feed
        if beside:
            from events.ingest.kafka.beside import FeedBeside

            feed = FeedBeside(read)
        else:
            feed = KafkaFeed(read)
        return Daemon(feed, log, settings, meter, say=say, stopping=stopping).run(once=once)


def _patiently(
    opened: Callable[[], AbstractContextManager[Log]],
    stack: ExitStack,
    settings: Settings,
    meter: Meter,
    *,
    once: bool,
    say: Callable[[str], None],
    stopping: Flag,
) -> Log | None:
    """The log, once it is there, closed by `stack`; None if `stopping` was set before that."""
    backoff = Backoff(settings)
    while not stopping.is_set():
        try:
            log = stack.enter_context(opened())
        except (StoreMissing, StoreTooNew):
            raise
        except (Unable, PersistenceError) as error:
            if once:
                raise
            trouble = f"the store: {' '.join(str(error).split())}"
            if meter.trouble.get("store") != trouble:
                say(f"{trouble}; trying again until it is there")
            meter.trouble["store"] = trouble
            meter.moved()
            stopping.wait(backoff.failed())
        else:
            if meter.trouble.pop("store", ""):
                say("the store is there")
            return log
    return None
