"""Times at the edges of the calendar: what is taken can be shown as local time and has a gaming day."""

from __future__ import annotations

import pytest

from events.values.clock import gaming_day, parse_time, time_text


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00+23:00", "0001-06-01T00:00:00Z", "9999-12-31T23:59:59-23:00"])
def test_a_year_at_the_very_edge_is_refused(text):
    with pytest.raises(ValueError, match="a year beyond 2 to 9998"):
        parse_time(text)


@pytest.mark.parametrize("text", ["0002-01-01T00:00:00+23:59", "9998-12-31T23:59:59.999-23:59"])
def test_every_time_taken_has_a_local_time_and_a_gaming_day(text):
    at = parse_time(text)
    assert time_text(at)[:4] in ("0001", "9999")
    assert gaming_day(at).year in (1, 9999)
