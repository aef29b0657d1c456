"""The benchmark runs, over the rooms that there are."""

from __future__ import annotations

import re

from benchmarks import views


def test_the_benchmark_prints_ratio_reading_and_judging():
    ratio, with_reading, read, judged = views.run(3_000, 1)
    for line in (ratio, with_reading):
        assert re.search(r"\d+\.\d\d of read_ndjson .* \(range .*, goal at least 0\.3\)", line)
    assert re.search(r"fct_bet \d+ ms", read)
    assert re.search(r"[1-9][\d,]* rounds/s", judged)
