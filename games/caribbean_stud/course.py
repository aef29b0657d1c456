"""How one deal of a round went: its cards, the exchanges and how they were served, the decisions, and how far it got.

A misdeal does not close a round: it may hold several deals, each read for itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

from events.schema.common import ErrorNoted
from events.schema.event import Event
from events.schema.fact import Fact
from events.values.cards import UNKNOWN
from games.caribbean_stud.events import EXCHANGE
from games.caribbean_stud.matrix import MATRIX
from games.caribbean_stud.table import Round
from games.shared.bank.deck import DEALER, box_number, box_place, off_the_deck
from games.shared.bank.events import CardsViewed, RedealOrdered
from games.shared.bank.table import Laid, Noted

Phase = Literal["betting", "closed", "settled"]
"""When a fault was found: while boxes may still bet, when all have decided, when the round is settled (CS-19)."""

CARDS = 5


class Exchange(Struct, kw_only=True):
    """A box asked for another card: `given`, as far as recorded, and what it got for it, in order off the deck.

    `problem`: the code of what is wrong with it (CS-05); empty if it is in order.
    """

    box: int
    asked: Noted
    given: tuple[str, ...] = ()
    burns: list[Laid] = []
    got: list[Laid] = []
    problem: str = ""

    @property
    def wanted(self) -> int:
        """How many cards it asked for; one where the record does not say."""
        return len(self.given) or 1

    @property
    def delivered(self) -> bool:
        """Whether it got a card."""
        return bool(self.got)


class Deal(Struct, kw_only=True):
    """One deal, each kind of record in table order; `order` as in `BankRound`.

    `dealt`: cards of the deal itself without those exchanged; `burns`: burned although no exchange waited; `served`:
    exchanges in the order in which their cards came. `closed`: where all boxes had decided; `end`: where the deal was
    called off; `settled`: where the round was.
    """

    number: int
    cards: list[Laid]
    dealt: list[Laid]
    burns: list[Laid]
    exchanges: list[Exchange]
    served: list[Exchange]
    decisions: list[Noted]
    notes: list[Noted]
    turned: list[Noted]
    prepared: tuple[Fact, ...] = ()
    dealer_turned: Noted | None = None
    closed: Noted | None = None
    end: int | None = None
    settled: int | None = None

    @property
    def first(self) -> Laid | None:
        """Its first card."""
        return self.cards[0] if self.cards else None

    @property
    def done(self) -> bool:
        """The deal itself is over: somebody looked, asked, decided or turned. Fewer cards may yet come before that."""
        return bool(self.decisions or self.turned or self.dealer_turned or self.closed or self.viewed is not None) or (
            self.settled is not None or self.end is not None
        )

    @property
    def viewed(self) -> int | None:
        """Where somebody first looked at his cards (CS-19)."""
        return next((note.order for note in self.notes if type(note.event) is CardsViewed), None)

    def told(self, *kinds: type[Event]) -> list[Noted]:
        """Records of these kinds."""
        return [note for note in self.notes if type(note.event) in kinds]

    def found(self, code: str) -> int | None:
        """Where staff noticed a fault of that code: the first `ErrorNoted` that names it, or where the deal was called
        off. None: nobody did, so that only the judge finds it."""
        return next((note.order for note in self.told(ErrorNoted) if code in _words(note)), self.end)

    @property
    def unreadable(self) -> list[Noted]:
        """What staff noted in words that name no fault: which one they saw nobody can tell."""
        return [note for note in self.told(ErrorNoted) if KNOWN_FAULTS.isdisjoint(_words(note))]

    def in_doubt(self, found: int | None) -> Noted | None:
        """Such a note that would have a fault come to light in another phase than where it was `found`."""
        phase = self.phase(found)
        return next((note for note in self.unreadable if self.phase(_first(found, note.order)) != phase), None)

    def phase(self, found: int | None, settled: int | None = None) -> Phase:
        """The phase in which a fault came to light; `settled`: where its box was, if that counts (C30)."""
        over = self.settled if settled is None else settled
        if over is not None and (found is None or found > over):
            return "settled"
        if self.closed is not None and (found is None or found > self.closed.order):
            return "closed"
        return "betting"

    def held(self, place: str, before: int | None = None) -> list[Laid]:
        """Cards that a place got in the deal, after corrections; up to a place in the round."""
        return [
            card for card in self.dealt if home(card) == place and (before is None or card.order < before)
        ]  # fmt: skip

    def count(self, place: str, before: int | None = None) -> int:
        """How many cards deal and exchanges explain at a place."""
        number = len(self.held(place, before))
        box = box_number(place)
        for exchange in self.exchanges:
            if exchange.box == box and exchange.delivered:
                got = [card for card in exchange.got if before is None or card.order < before]
                number += len(got) - (exchange.wanted if got else 0)
        return number

    def hand(self, place: str) -> tuple[str, ...] | None:
        """The five cards that a place plays; None where the record does not tell, or they are not five."""
        cards = [card.card for card in self.held(place)]
        box = box_number(place)
        for exchange in self.exchanges:
            if exchange.box != box or not exchange.delivered:
                continue
            if not exchange.given or UNKNOWN in exchange.given:
                return self._as_shown(place)
            for card in exchange.given:
                if card in cards:
                    cards.remove(card)
                elif UNKNOWN in cards:
                    cards.remove(UNKNOWN)
            cards += [card.card for card in exchange.got]
        if len(cards) != CARDS or UNKNOWN in cards:
            return self._as_shown(place)
        return _five(cards)

    def shown(self, place: str) -> tuple[str, ...]:
        """The cards read when a hand was turned up."""
        if place == DEALER:
            return tuple(self.dealer_turned.event.cards) if self.dealer_turned is not None else ()
        box = box_number(place)
        return next((tuple(n.event.cards) for n in reversed(self.turned) if n.event.box == box and n.event.cards), ())

    def _as_shown(self, place: str) -> tuple[str, ...] | None:
        shown = self.shown(place)
        return _five(shown) if UNKNOWN not in shown else None


KNOWN_FAULTS = frozenset({
    "no_cut", "cut_by_wrong_person", "cut_not_joined", "recut_ignored", "card_exposed", "wrong_box", "wrong_count",
    "defective_deck", "early_reveal", "banker_fifth_down", "exchanged_card_exposed", "burn_shown",
    "not_the_card_after", "burn_without_exchange", "redeal_without_shuffle", "redeal_without_ground",
    "cards_contradict", "no_decision", "late_decision", "decision_without_ante", "bet_after_fold", "fold_after_bet",
    "time_expired", "fee_without_exchange", "exchange_not_served", "foreign_currency", "no_such_spot", "stake_taken_up",
    "given_card_not_held", "discards_seen", "undealt_seen",
}).union(*(row.grounds for row in MATRIX))  # fmt: skip
"""Codes that an `ErrorNoted` may name, each for itself; other words of staff name none."""


def _words(note: Noted) -> list[str]:
    words: list[str] = note.event.what.split()
    return words


def _first(found: int | None, order: int) -> int:
    return order if found is None else min(found, order)


def _five(cards: Sequence[str]) -> tuple[str, ...] | None:
    """A hand of five different cards; what is none has no rank."""
    return tuple(cards) if len(cards) == len(set(cards)) == CARDS else None


def home(card: Laid) -> str:
    """Whose a card of the deal is: where it was put right to, but for one given away since."""
    return card.dealt_to if card.to == "discards" else card.to


def deals_of(round_: Round) -> list[Deal]:
    """Every deal of the round, the current one last; at least one, which may be without cards."""
    ends = [note.order for note in round_.told if type(note.event) is RedealOrdered]
    deals = []
    for number in range(round_.deal + 1):
        current = number == round_.deal
        prepared = round_.prepared if current else round_.prepared_before[number]
        deals.append(
            _read(
                number,
                [card for card in round_.laid if card.deal == number],
                [note for note in round_.decisions if note.deal == number],
                [note for note in round_.told if note.deal == number],
                [note for note in round_.turned if note.deal == number],
                prepared,
            )
        )
        if current:
            deals[-1].dealer_turned = round_.dealer_turned
            deals[-1].closed = round_.decisions_closed
            deals[-1].settled = round_.closed.order if round_.closed is not None else None
        else:
            deals[-1].end = ends[number]
    return deals


def _read(
    number: int,
    cards: Sequence[Laid],
    decisions: list[Noted],
    notes: list[Noted],
    turned: list[Noted],
    prepared: tuple[Fact, ...],
) -> Deal:
    """Sorts the cards of a deal out: those of the deal, those that an exchange burned and brought."""
    exchanges = [
        Exchange(box=note.event.box, asked=note, given=tuple(note.event.discards), burns=[], got=[])
        for note in decisions
        if note.event.choice == EXCHANGE
    ]
    dealt: list[Laid] = []
    stray: list[Laid] = []
    served: list[Exchange] = []
    burned: list[Laid] = []
    for card in off_the_deck(cards):
        if card.dealt_to == "burn":
            burned.append(card)
            continue
        own = _waiting(exchanges, card)
        if own is None:
            stray += burned
            dealt.append(card)
        else:
            own.burns += burned
            own.got.append(card)
            if own not in served:
                served.append(own)
        burned = []
    return Deal(
        number=number, cards=off_the_deck(cards), dealt=dealt, burns=[*stray, *burned], exchanges=exchanges,
        served=served, decisions=decisions, notes=notes, turned=turned, prepared=prepared,
    )  # fmt: skip


def _waiting(exchanges: Iterable[Exchange], card: Laid) -> Exchange | None:
    """The exchange that a card is for: the first of its box that was asked for before and is not served."""
    for exchange in exchanges:
        if (
            box_place(exchange.box) == card.dealt_to
            and exchange.asked.order < card.order
            and len(exchange.got) < exchange.wanted
        ):
            return exchange
    return None
