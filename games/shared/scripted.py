"""A scripted session: a room's dealer opens, plays its rounds, one of them with a breach if asked, and closes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from random import Random
from typing import Generic, Protocol, TypeVar

from events.errors import Refused
from events.schema.envelope import Envelope
from games.protocol import Deal


class Scripted(Protocol):
    """A dealer of a room; `said` is what has not been handed on yet."""

    said: list[Envelope]

    def open(self) -> None:
        """Whatever stands before the first round."""

    def between(self, number: int) -> None:
        """What comes before the round with this index."""

    def play(self, name: str, breach: str | None) -> None:
        """One round, with a breach or as the rules say."""

    def close(self) -> None:
        """Whatever comes after the last round."""


D = TypeVar("D", bound=Scripted)
C = TypeVar("C")
P = TypeVar("P")


class Misdeed(Generic[C, P]):
    """What a croupier `C` with a plan `P` changes in a round: `before` it begins, or `during` it, when all have bet."""

    def __init__(
        self, *, before: Callable[[C, P], None] | None = None, during: Callable[[C, P], None] | None = None
    ) -> None:
        self._before = before
        self._during = during

    def before(self, croupier: C, plan: P) -> None:
        """Before the opening call, or the shuffle."""
        if self._before is not None:
            self._before(croupier, plan)

    def during(self, croupier: C, plan: P) -> None:
        """After the players' bets, before the closing call, the spin or the deal."""
        if self._during is not None:
            self._during(croupier, plan)


def session_dealer(
    dealer: Callable[[Random, str, str, str], D],
    *,
    room: str,
    table: str,
    breaches: Collection[str],
    before_first: Callable[[D, str], None] | None = None,
) -> Deal:
    """The room's `deal`: seeded with `room`, at `table` where none is named. `before_first`: what a breach in the first
    round needs before it."""
    usual = table

    def deal(
        rounds: int,
        seed: int,
        *,
        breach: str | None = None,
        breach_round: int | None = None,
        table: str = "",
        day: str = "2026-11-28",
        currency: str = "CZK",
    ) -> Iterator[Envelope]:
        if breach is not None and breach not in breaches:
            raise Refused(f"the dealer commits no breach of {breach}", hint=f"one of {', '.join(sorted(breaches))}")
        rng = Random(f"{room} {seed}")
        at = breach_round if breach_round is not None else rng.randrange(max(1, rounds))
        if breach is not None and not 0 <= at < rounds:
            raise Refused(f"there is no round {at} among {rounds}", hint="breach_round counts from 0")
        made = dealer(rng, table or usual, day, currency)
        made.open()
        if breach is not None and at == 0 and before_first is not None:
            before_first(made, breach)
        for number in range(rounds):
            made.between(number)
            made.play(str(number + 1), breach if number == at else None)
            yield from made.said
            made.said.clear()
        made.close()
        yield from made.said

    return deal
