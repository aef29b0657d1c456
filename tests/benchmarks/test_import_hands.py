"""The benchmark runs, over hands of our own dealer."""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks import import_hands


def test_the_benchmark_prints_rate_and_largest_shares_of_both_formats(tmp_path: Path) -> None:
    phh, phh_shares, ohh, ohh_shares = import_hands.run(1, 30, real=tmp_path)
    for name, rate, shares in (("PHH", phh, phh_shares), ("OHH", ohh, ohh_shares)):
        assert re.search(rf"{name}: [1-9][\d,]* hands/s of one core \(30 hands in [\d,]+ records\)", rate)
        assert re.search(rf"{name}: largest shares ([a-z, ]+ \d+%, )+[a-z, ]+ \d+%; then ", shares)
