"""A hand in the play of a round, with whose money is on it; and where its next card comes from."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from events.schema.fact import Fact
from games.blackjack.table import Round, exact_place
from games.blackjack.totals import TWENTY_ONE, is_21_in_two, total
from games.shared.bank.parts import Part
from games.shared.bank.parts import total as at_risk
from games.shared.bank.table import Laid, Noted
from games.shared.marks import Mark

SURRENDER = "surrender"
EVEN_MONEY = "even_money"
EXPELLED = "expelled"


class Hand(Struct, eq=False):
    """One hand of a box. `parts`: the stakes it was dealt or split for, `doubles` those that doubled it.

    `gone`: player → how he left the round before the end (surrender, even money, expelled by a ruling). `refused`:
    player → the rule under which he did not go along with the owner. `starved`: no card is on record where it should
    have got one. `unpaid`: the owner's extra stake is not on record, so that the hand is played without.
    """

    box: int
    cards: list[Laid]
    parts: list[Part]
    doubles: list[Part]
    gone: dict[str, str]
    refused: dict[str, str]
    from_split: bool = False
    ace: bool = False
    doubled: bool = False
    stood: bool = False
    starved: bool = False
    unpaid: bool = False

    @classmethod
    def dealt(cls, box: int, parts: list[Part]) -> Hand:
        """A hand without cards yet."""
        return cls(box=box, cards=[], parts=parts, doubles=[], gone={}, refused={})

    @property
    def names(self) -> list[str]:
        """Its cards."""
        return [card.card for card in self.cards]

    @property
    def points(self) -> int:
        """Its total."""
        return total(self.names).points

    @property
    def bust(self) -> bool:
        """Over 21."""
        return self.points > TWENTY_ONE

    @property
    def players(self) -> list[str]:
        """Who has a stake on it, in order of joining."""
        return list(dict.fromkeys(part.stake.player for part in self.parts if part.open))

    @property
    def playing(self) -> list[str]:
        """Those of them who are still in the round."""
        return [player for player in self.players if player not in self.gone]

    def of(self, player: str, *, doubles: bool = True) -> list[Part]:
        """A player's stakes on it."""
        own = [*self.parts, *self.doubles] if doubles else self.parts
        return [part for part in own if part.open and part.stake.player == player]

    def stake_of(self, player: str) -> int:
        """What a player has on it before any double."""
        return at_risk(self.of(player, doubles=False))

    def original_of(self, player: str) -> int:
        """A player's original bet, as live at the closing call (BJ-A43)."""
        return at_risk(part for part in self.parts if part.stake.player == player and part.stake.spot == "bet")

    def is_blackjack(self, *, after_split: bool) -> bool:
        """21 with the first two cards, not after a split unless the house says so (BJ-44, BJ-A12)."""
        return is_21_in_two(self.names) and (after_split or not self.from_split)


class Waits(Struct, frozen=True):
    """What the play waits for: a card at `place`, or a decision for a hand of a box."""

    place: str = ""
    box: int = 0
    hand: int = 0


class Issue(Struct, frozen=True):
    """Extra stakes that should have been refused and were played: a person says whether they count (BJ-A40).

    `hand`: the decision itself is in doubt, so that everything on this hand may go back (BJ-A49).
    """

    mark: Mark
    parts: tuple[Part, ...] = ()
    hand: Hand | None = None


class Play(Struct):
    """A round played out. `places`: every card used, with where it belongs. `left`: cards that nobody is entitled to.

    `waits`: what comes next; None once everything was dealt and decided. `ignored`: decisions that found no hand they
    could be for; `guessed`: place → what was assumed where no decision is on record. `unread`: boxes for
    which a word was said that is no decision, so that nobody can tell what was decided.
    """

    hands: dict[int, list[Hand]]
    dealer: list[Laid]
    places: list[tuple[Laid, str]]
    left: list[Laid]
    extras: list[Part]
    insurance: list[Part]
    marks: list[Mark]
    issues: list[Issue]
    ignored: list[Noted]
    guessed: dict[str, Fact | None]
    unread: frozenset[int] = frozenset()
    waits: Waits | None = None
    needs_dealer: bool = False
    dealt: bool = False

    @property
    def dealer_names(self) -> list[str]:
        """The dealer's cards."""
        return [card.card for card in self.dealer]

    @property
    def upcard(self) -> str:
        """The rank of the dealer's first card; empty before it."""
        return self.dealer[0].card[0] if self.dealer else ""

    def all_hands(self) -> list[tuple[int, int, Hand]]:
        """(box, number of the hand, hand) from left to right."""
        return [(box, at, hand) for box, hands in self.hands.items() for at, hand in enumerate(hands, 1)]


class InOrder:
    """Cards go where they belong: the next one drawn is the next one used (BJ-22, BJ-25)."""

    strict = True

    def __init__(self, draws: Iterable[Laid]) -> None:
        self._draws = list(draws)
        self._at = 0

    def take(self, _place: str) -> Laid | None:
        """The next card."""
        if self._at == len(self._draws):
            return None
        self._at += 1
        return self._draws[self._at - 1]

    def next_at(self, place: str) -> Laid | None:
        """The next card, if it was recorded at this place."""
        card = self._draws[self._at] if self._at < len(self._draws) else None
        return card if card is not None and exact_place(card.dealt_to) == place else None

    def more(self) -> bool:
        """Whether another card was drawn."""
        return self._at < len(self._draws)

    def rest(self, _place: str) -> list[Laid]:
        """Cards of this place that the play did not ask for: none, they are the next ones."""
        return []

    def unused(self) -> list[Laid]:
        """What is left at the end."""
        return self._draws[self._at :]


class AsLaid:
    """Cards stay where the record left them, whoever they belonged to."""

    strict = False

    def __init__(self, draws: Iterable[Laid]) -> None:
        self._at: dict[str, list[Laid]] = {}
        for card in draws:
            self._at.setdefault(exact_place(card.to), []).append(card)

    def take(self, place: str) -> Laid | None:
        """The next card recorded at this place."""
        own = self._at.get(place)
        return own.pop(0) if own else None

    def next_at(self, place: str) -> Laid | None:
        """That card, if there is one."""
        own = self._at.get(place)
        return own[0] if own else None

    def more(self) -> bool:
        """What has not been recorded will not be."""
        return True

    def rest(self, place: str) -> list[Laid]:
        """Cards of this place that the play did not ask for: they lie there all the same."""
        return self._at.pop(place, [])

    def unused(self) -> list[Laid]:
        """What is left at the end."""
        return [card for cards in self._at.values() for card in cards]


def draws_of(round_: Round, order: str) -> list[Laid]:
    """The round's cards in the order in which they are to be used.

    With `next_after_discovery` a misdrawn card comes where it was seen to be one (BJ-A50).
    """
    draws = list(round_.draws)
    if order == "draw_order":
        return draws
    seen = {id(note.fact): note.order for note in round_.told}
    return sorted(draws, key=lambda card: seen.get(id(card.moved), card.order) if card.moved else card.order)
