"""What the pictures of the card games against the bank share: cards as a viewer knows them, stakes, the settlement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from events.values.cards import UNKNOWN, cards_text
from events.values.money import amount_text
from games.picture import Panel, Span, Viewpoint, fitted, line
from games.shared.bank.deck import box_number, hand
from games.shared.bank.table import BankRound, Stake
from games.sight import is_seat
from games.verdict import Line, nets_of

Spans = tuple[Span, ...]


def seen(round_: BankRound, place: str, view: Viewpoint) -> tuple[str, ...]:
    """The cards of a hand, `??` for each that the viewer has not seen."""
    own = hand(round_, place)
    if view.all_knowing or is_seat(view, place):
        return own
    faces = [card.face for card in round_.cards if card.to == place]
    turned = _is_turned(round_, place)
    return tuple(
        card if turned or face == "up" or card in view.known else UNKNOWN
        for card, face in zip(own, faces, strict=True)
    )  # fmt: skip


def _is_turned(round_: BankRound, place: str) -> bool:
    if place == "dealer":
        return round_.dealer_turned is not None
    number = box_number(place)
    return any(note.deal == round_.deal and note.event.box == number for note in round_.turned)


def all_seen(cards: Iterable[str]) -> bool:
    """Whether every card of a hand is known, so that it may be named."""
    return UNKNOWN not in cards


def cards_span(cards: Sequence[str], width: int = 0) -> Span:
    """Cards for people, padded to a width."""
    return Span(f"{cards_text(tuple(cards)):<{width}}", "bold" if all_seen(cards) and cards else "")


def stakes_text(stakes: Iterable[Stake], order: Mapping[str, int] | None = None) -> str:
    """`ante 100 · bet 200`: what lies on the spots of a box, whole units; `order` of the spots if not as placed."""
    sums: dict[tuple[str, str], int] = {}
    for stake in stakes:
        key = stake.spot, stake.currency
        sums[key] = sums.get(key, 0) + stake.left
    keys = sorted(sums, key=lambda key: order.get(key[0], 99)) if order is not None else list(sums)
    return " · ".join(f"{key[0]} {amount_text(sums[key])} {key[1]}".rstrip() for key in keys if sums[key])


def settlement_panel(lines: Sequence[Line], *, title: str = "Settlement", most: int = 30) -> Panel | None:
    """Each stake's outcome with the rule that fixes it, and what every player wins or loses; None without stakes."""
    if not lines:
        return None
    told = [fitted(spans) for spans in _settled(lines[:most])]
    if len(lines) > most:
        told.append(line(Span(f"… and {len(lines) - most} more", "dim")))
    return Panel(title, (*told, *map(fitted, _nets(lines))))


def _settled(lines: Iterable[Line]) -> Iterator[Spans]:
    for one in lines:
        yield line(
            f"{one.what:<16.16} {one.player:<10.10} {amount_text(one.staked):>10}  ",
            outcome(one),
            Span(f"  {one.rule}" if one.rule else "", "dim"),
        )


def outcome(one: Line) -> Span:
    """What becomes of a stake, in words."""
    why = f" ({', '.join(one.reasons)})" if one.reasons else ""
    back = f", {amount_text(one.returned)} back" if one.taken and one.returned else ""
    if one.held:
        return Span(f"held{why}", "gold")
    if one.paid and one.taken:
        return Span(f"paid {amount_text(one.paid)}, stake lost{why}", "good")
    if one.paid:
        return Span(f"wins {amount_text(one.paid)}{why}", "good")
    if one.taken:
        return Span(f"loses {amount_text(one.taken)}{back}{why}", "bad")
    return Span(f"goes back{why}", "gold")


def _nets(lines: Iterable[Line]) -> Iterator[Spans]:
    settled = [one for one in lines if not one.held]
    moved = any(net for own in nets_of(settled).values() for net in own.values())
    if moved or len({one.player for one in settled}) > 1:
        yield line(Span(f"net: {nets_text(settled)}", "bold"))


def nets_text(lines: Iterable[Line]) -> str:
    """`p-1 +500 · p-2 −100 · p-1 −10 EUR`: what every player wins or loses, by currency, whole units."""
    return " · ".join(
        f"{player} {'+' if net > 0 else ''}{amount_text(net)} {unit}".rstrip()
        for unit, own in sorted(nets_of(lines).items())
        for player, net in own.items()
    )
