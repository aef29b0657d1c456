"""`demo`: two disputes from the first record to the verdict, on a store of its own."""

from __future__ import annotations


def demo() -> None:
    """Two disputes."""
