from __future__ import annotations

import os
from collections import Counter

import pytest
from hypothesis import settings

# Fixtures of every area that needs a real broker, a real store.
from tests.brokers import kafka, own_kafka  # noqa: F401
from tests.soaking import FACTOR, examples
from tests.stores import log, postgres_server, postgres_url, store_url  # noqa: F401

# A process of several (xdist) is told how wide the controller's terminal is; what is printed here is not for it.
os.environ.pop("COLUMNS", None)

if FACTOR > 1:
    settings.register_profile("soak", max_examples=examples(settings.default.max_examples), deadline=None)
    settings.load_profile("soak")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Which tests stay together where several processes share them: those of a file, and all that need the broker, of
    which one is enough."""
    for item in items:
        brokered = {"kafka", "own_kafka"}.intersection(getattr(item, "fixturenames", ()))
        item.add_marker(pytest.mark.xdist_group("kafka" if brokered else item.path.name + item.path.parent.name))


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say last what was not run and why: a suite that was skipped must not read as one that passed."""
    reasons: Counter[str] = Counter()
    for report in terminalreporter.stats.get("skipped", []):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        reasons[reason.removeprefix("Skipped: ")] += 1
    if not reasons:
        return
    terminalreporter.section("not run", sep="-", yellow=True)
    for reason, count in sorted(reasons.items()):
        terminalreporter.write_line(f"{count} skipped: {reason}", yellow=True)
