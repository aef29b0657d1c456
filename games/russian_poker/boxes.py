"""A round read box by box: whose it is, what lies on its spots, which cards it was dealt and drew, what it decided."""

from __future__ import annotations

from msgspec import Struct

from events.schema.common import ErrorNoted
from games.russian_poker.table import Coup
from games.shared.bank.deck import box_number
from games.shared.bank.events import StakeRefused
from games.shared.bank.table import Laid, Noted, Stake

PURCHASES = frozenset({"buy6", "exchange"})
FINAL = frozenset({"bet", "fold"})
SPOTS = ("ante", "bonus", "fee", "insurance", "bet", "rex")


class Purchase(Struct, frozen=True):
    """A sixth card or an exchange that a box asked for, and the cards that it got for it."""

    note: Noted
    cards: tuple[Laid, ...]

    @property
    def choice(self) -> str:
        """`buy6` or `exchange`."""
        choice: str = self.note.event.choice
        return choice

    @property
    def discards(self) -> tuple[str, ...]:
        """The cards given away in an exchange, as recorded."""
        cards: tuple[str, ...] = self.note.event.discards
        return cards


class Box(Struct, frozen=True, kw_only=True):
    """One box of a round. `dealt`: cards of the deal, `purchases` what it bought later; `shown`: its cards as they were
    read when they were turned up. `decisions`: all it said, `claims`: of the bonus."""

    number: int
    player: str
    stakes: tuple[Stake, ...] = ()
    dealt: tuple[Laid, ...] = ()
    decisions: tuple[Noted, ...] = ()
    purchases: tuple[Purchase, ...] = ()
    claims: tuple[Noted, ...] = ()
    elections: tuple[Noted, ...] = ()
    shown: tuple[str, ...] = ()

    def on(self, spot: str) -> tuple[Stake, ...]:
        """Its stakes on a spot, as they were placed."""
        return tuple([stake for stake in self.stakes if stake.spot == spot])

    @property
    def final(self) -> Noted | None:
        """Its first word on playing on: `bet` or `fold`."""
        return next((note for note in self.decisions if note.event.choice in FINAL), None)


def boxes_of(coup: Coup) -> tuple[Box, ...]:
    """Every box that has stakes, cards or words in the round's current deal, from left to right."""
    cards: dict[int, list[Laid]] = {}
    for card in coup.cards:
        number = box_number(card.to)
        if number is not None:
            cards.setdefault(number, []).append(card)
    stakes: dict[int, list[Stake]] = {}
    for stake in coup.stakes:
        stakes.setdefault(stake.box, []).append(stake)
    decisions = _by_box(coup, coup.decisions)
    claims, elections = _by_box(coup, coup.claims), _by_box(coup, coup.elections)
    turned = _by_box(coup, coup.turned)
    return tuple(
        _box(
            number,
            tuple(stakes.get(number, ())),
            cards.get(number, []),
            tuple(decisions.get(number, ())),
            tuple(claims.get(number, ())),
            tuple(elections.get(number, ())),
            next((note.event.cards for note in reversed(turned.get(number, [])) if note.event.cards), ()),
        )
        for number in sorted({*cards, *stakes, *decisions, *claims, *elections})
    )


def _by_box(coup: Coup, notes: tuple[Noted, ...]) -> dict[int, list[Noted]]:
    found: dict[int, list[Noted]] = {}
    for note in notes:
        if note.deal == coup.deal:
            found.setdefault(note.event.box, []).append(note)
    return found


def _box(
    number: int,
    stakes: tuple[Stake, ...],
    cards: list[Laid],
    decisions: tuple[Noted, ...],
    claims: tuple[Noted, ...],
    elections: tuple[Noted, ...],
    shown: tuple[str, ...],
) -> Box:
    asked = [note for note in decisions if note.event.choice in PURCHASES]
    starts = [note.order for note in asked]
    dealt = [card for card in cards if not starts or card.order < starts[0]]
    purchases = []
    for place, note in enumerate(asked):
        until = starts[place + 1] if place + 1 < len(starts) else None
        own = [card for card in cards if card.order > note.order and (until is None or card.order < until)]
        purchases.append(Purchase(note, tuple(own)))
    ante = next((stake for stake in stakes if stake.spot == "ante"), stakes[0] if stakes else None)
    return Box(
        number=number, player=ante.player if ante is not None else "", stakes=stakes, dealt=tuple(dealt),
        decisions=decisions, purchases=tuple(purchases), claims=claims, elections=elections, shown=shown,
    )  # fmt: skip


def noticed(coup: Coup, code: str, box: int, *, spot: str = "", after: int = -1) -> int | None:
    """Where in the round a fault was named after a place of it; None if nobody did (then it is found after the reveal).

    A `StakeRefused` names the box and spot, an `ErrorNoted` the code of the finding and, if any, `box/3`.
    """
    for note in coup.told:
        if note.order <= after:
            continue
        event = note.event
        if isinstance(event, StakeRefused):
            if event.box == box and event.spot == spot:
                return note.order
        elif isinstance(event, ErrorNoted):
            words = event.what.split()
            if code in words and f"box/{box}" in (word for word in words if word.startswith("box/")):
                return note.order
    return None


def error_on(coup: Coup, code: str) -> int | None:
    """Where in the round a fault that is no box's was named; None if nobody did."""
    for note in coup.notes(ErrorNoted):
        if code in note.event.what.split():
            return note.order
    return None
