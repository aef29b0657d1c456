"""Bets that lie on the places of a layout until a wheel decides: how they lie, and what becomes of them.

A round's bets are judged as they lay at the cut-off. What voids one, and what the limits cut, is noted in marks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, TypeVar

from msgspec import Struct

from events.schema.common import LimitsChanged
from events.schema.fact import Fact
from events.values.money import amount_text
from games.shared.marks import Mark, missing
from games.shared.wheel.cutoff import Cutoff
from games.shared.wheel.events import BetMoved, BetRemoved


class Limits(Struct, frozen=True):
    """Posted limits, minor units; None: not posted. `by_type` holds those of single types of bet."""

    low: int | None = None
    high: int | None = None
    by_type: dict[str, tuple[int, int]] = {}

    def of(self, kind: str) -> tuple[int | None, int | None]:
        """Minimum and maximum for a type of bet."""
        own = self.by_type.get(kind)
        return own if own is not None else (self.low, self.high)

    def changed(self, event: LimitsChanged) -> Limits:
        """New ones; a minimum or maximum that is not named stays as it was."""
        low = event.min if event.min is not None else self.low
        high = event.max if event.max is not None else self.high
        return type(self)(low, high, event.limits)


class Piece(Struct, frozen=True, gc=False):
    """Chips of one bet on one place, minor units."""

    position: str
    amount: int


class Bet(Struct, frozen=True, kw_only=True):
    """A bet as it was laid. `standing`: it lies there from an earlier round.

    `order`: its place among this round's bets and changes; −1 if it was there before them.
    """

    id: str
    player: str
    fact: Fact
    pieces: tuple[Piece, ...]
    standing: bool = False
    order: int = -1

    @property
    def staked(self) -> int:
        """All chips that the bet brought to the layout, minor units."""
        return sum(piece.amount for piece in self.pieces)


class Change(Struct, frozen=True, gc=False):
    """A bet moved or taken up. `settled`: the bet had been paid or taken, or the round closed, before it.

    `order` as in `Bet`.
    """

    fact: Fact
    bet: str
    settled: bool
    order: int


B = TypeVar("B", bound=Bet)
P = TypeVar("P")


class Layout(Struct, Generic[P], frozen=True):
    """A game's places. `find`: the place that a text names, None if the layout has none; `write`: a place's text as the
    layout writes it, another as it came."""

    find: Callable[[str], P | None]
    write: Callable[[str], str]


class Stake(Generic[B, P]):
    """Chips of one bet on one place while they are judged; amounts in minor units.

    `live` is what is at risk; `reasons` what took the rest off, first reason first, with its rule. `landed` orders the
    stakes of one place by when they came there.
    """

    __slots__ = (
        "amount", "bet", "fact", "landed", "live", "paid", "place", "position", "reasons", "stands", "taken",
    )  # fmt: skip

    def __init__(self, bet: B, piece: Piece, place: P | None, landed: int, fact: Fact) -> None:
        self.bet = bet
        self.position = piece.position
        self.place = place
        self.amount = self.live = piece.amount
        self.landed = landed
        self.fact = fact
        self.reasons: list[tuple[str, str]] = []
        self.taken = self.paid = self.stands = 0

    @property
    def void(self) -> bool:
        """Nothing of it is at risk."""
        return bool(self.reasons)


Late = tuple[Stake[B, P], Change]
"""A stake that was moved or taken up too late, and that change."""


class Laid(Generic[B, P]):
    """The stakes of a round with what was noticed about them. `owners`: bet → whose it is; `resolved`: bets of which
    that was decided; `held`: bets in dispute."""

    __slots__ = ("held", "marks", "owners", "resolved", "stakes")

    def __init__(self, owners: dict[str, str], resolved: frozenset[str] = frozenset()) -> None:
        self.stakes: list[Stake[B, P]] = []
        self.marks: list[Mark] = []
        self.owners = owners
        self.resolved = resolved
        self.held: set[str] = set()


def laid_pieces(bet: B, layout: Layout[P]) -> list[Stake[B, P]]:
    """A bet's stakes before any change."""
    return [
        Stake(bet, piece, layout.find(piece.position), bet.order, bet.fact) for piece in bet.pieces if piece.amount > 0
    ]


def changes_by_bet(changes: Iterable[Change]) -> dict[str, list[Change]]:
    """Bet → its changes, in table order."""
    by_bet: dict[str, list[Change]] = {}
    for change in changes:
        by_bet.setdefault(change.bet, []).append(change)
    return by_bet


def at_cutoff(
    laid: Laid[B, P], own: list[Stake[B, P]], changes: Iterable[Change], cut: Cutoff, layout: Layout[P], rule: str
) -> tuple[list[Stake[B, P]], list[Late[B, P]]]:
    """A bet's stakes after the changes that came in time, and those that came late; `rule` is about these.

    A settled bet may be moved freely. One of which nobody can tell counts as in time, and that is noted.
    """
    late: list[Late[B, P]] = []
    for change in changes:
        event = change.fact.event
        if change.settled or not isinstance(event, BetMoved | BetRemoved) or _knock(event):
            continue
        where = _from(event, layout)
        at = [stake for stake in own if stake.position == where]
        if not at and (len(own) == 1 or isinstance(event, BetRemoved)):
            at = own
        answer = cut.of(change.fact)
        if answer == "late":
            late.extend((stake, change) for stake in at)
            continue
        if answer == "unknown":
            facts = (change.fact, *cut.facts())
            laid.marks.append(missing(rule, "late_move", "bet", facts=facts, subject=change.bet))
        own = _changed(own, at, change, event, layout)
    return own, late


def _changed(
    own: list[Stake[B, P]],
    at: Sequence[Stake[B, P]],
    change: Change,
    event: BetMoved | BetRemoved,
    layout: Layout[P],
) -> list[Stake[B, P]]:
    left = _limit(event.amount)
    for stake in at:
        part = min(stake.amount, left)
        left -= part
        stake.amount -= part
        stake.live -= part
        if isinstance(event, BetMoved) and part:
            piece = Piece(layout.write(event.to_position), part)
            own = [*own, Stake(stake.bet, piece, layout.find(piece.position), change.order, change.fact)]
    return [stake for stake in own if stake.amount > 0]


def physical(pieces: Iterable[Piece], changes: Iterable[Change], layout: Layout[Any]) -> tuple[Piece, ...]:
    """Where a bet's chips really lay after all changes, lawful or not."""
    lying: dict[str, int] = {}
    for piece in pieces:
        lying[piece.position] = lying.get(piece.position, 0) + piece.amount
    for change in changes:
        event = change.fact.event
        if not isinstance(event, BetMoved | BetRemoved) or _knock(event):
            continue
        where = _from(event, layout)
        where = where if where in lying else _only(lying)
        part = min(lying.get(where, 0), _limit(event.amount))
        lying[where] = lying.get(where, 0) - part
        if isinstance(event, BetMoved):
            to = layout.write(event.to_position)
            lying[to] = lying.get(to, 0) + part
    return tuple(Piece(position, amount) for position, amount in lying.items() if amount > 0)


def _from(event: BetMoved | BetRemoved, layout: Layout[Any]) -> str:
    """Where the chips were taken from, as the layout writes it; empty if the record does not say."""
    where = event.from_position if isinstance(event, BetMoved) else event.position
    return layout.write(where) if where is not None else ""


def _only(lying: dict[str, int]) -> str:
    """The place of a bet that lies on one; else nowhere."""
    places = [position for position, amount in lying.items() if amount]
    return places[0] if len(places) == 1 else ""


def _limit(amount: int | None) -> int:
    return 2**63 if amount is None else amount


def _knock(event: BetMoved | BetRemoved) -> bool:
    """Knocked by staff and put back: no move."""
    return isinstance(event, BetMoved) and event.by == "staff" and event.restored


def told(change: Change, cut: Cutoff) -> str:
    """A change in words: what was done, and how late."""
    event = change.fact.event
    did = "taken up"
    if isinstance(event, BetMoved):
        did = f"moved from {event.from_position} to {event.to_position}"
    return f"{did} {cut.since(change.fact)}"


def void(
    laid: Laid[B, P],
    bet: B,
    stakes: Sequence[Stake[B, P]],
    rule: str,
    code: str,
    facts: tuple[Fact, ...],
    text: str,
    *,
    basis: str = "facts",
    forfeit: bool = False,
    remedy: dict[str, Any] | None = None,
) -> None:
    """Takes stakes of a bet off the risk and says why: they go back, or the house keeps them (`forfeit`)."""
    for stake in stakes:
        stake.reasons.append((code, rule))
        stake.live = 0
    amount = sum(stake.amount for stake in stakes)
    mark = Mark(
        rule=rule, code=code, kind="void", scope="bet", subject=bet.id, player=bet.player, facts=facts, basis=basis,
        remedy={"forfeit" if forfeit else "refund": amount, **(remedy or {})}, text=text,
    )  # fmt: skip
    laid.marks.append(mark)


def by_player_and_place(laid: Laid[B, P]) -> list[list[Stake[B, P]]]:
    """The stakes that are not void, a group for each player and place, in the order in which they came there."""
    groups: dict[tuple[str, str], list[Stake[B, P]]] = {}
    for stake in laid.stakes:
        if not stake.void and stake.place is not None:
            groups.setdefault((laid.owners[stake.bet.id], stake.position), []).append(stake)
    for own in groups.values():
        own.sort(key=_landed)
    return list(groups.values())


def _landed(stake: Stake[Any, Any]) -> int:
    return stake.landed


def limit(
    laid: Laid[B, P],
    own: Sequence[Stake[B, P]],
    tested: Sequence[Stake[B, P]],
    low: int | None,
    high: int | None,
    rule: str,
) -> None:
    """Holds one player's chips on one place to the limits: below the minimum void, above the maximum cut, the chips
    placed last first. All of `own` count, only `tested` ones are void or cut."""
    total, place = sum(stake.live for stake in own), own[0].position
    if low is not None and total < low:
        text = f"{place}: {amount_text(total)} on it, the minimum is {amount_text(low)}"
        for stake in tested:
            void(laid, stake.bet, [stake], rule, "under_min", (stake.fact,), text)
        return
    excess = total - high if high is not None else 0
    text = f"{place}: {amount_text(total)} on it, the maximum is {amount_text(total - excess)}"
    for stake in reversed(tested):
        if excess <= 0:
            return
        cut = min(stake.live, excess)
        excess -= cut
        stake.live -= cut
        mark = Mark(
            rule=rule, code="over_max", kind="corrected", scope="bet", subject=stake.bet.id, player=stake.bet.player,
            facts=(stake.fact,), remedy={"live": stake.live, "refund": cut}, text=text,
        )  # fmt: skip
        laid.marks.append(mark)
