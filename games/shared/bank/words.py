"""Decisions in words that a game does not know: what was decided nobody can tell, so nothing is made of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from games.shared.bank.deck import box_place
from games.shared.bank.table import Noted
from games.shared.marks import Mark


def unknown_words(rule: str, decisions: Iterable[Noted], known: Collection[str]) -> Iterator[Mark]:
    """A mark for each decision that says something else than `known`, in the words of the record."""
    for note in decisions:
        word = note.event.choice
        if word not in known:
            yield Mark(
                rule=rule, code="unverified:decision", kind="unverified", scope="hand",
                subject=box_place(note.event.box), player=note.event.player or "", facts=(note.fact,),
                text=f"“{word}” is no decision of this game; it knows {', '.join(known)}",
            )  # fmt: skip
