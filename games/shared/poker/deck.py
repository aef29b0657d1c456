"""What a rule book says of dealing errors (`DealTerms`), what a hand notes of its cards (`Step`), and what is read out
of that (`Irregularity`, `Need`). Places off the deck (`seq`) count from 1."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from events.schema.fact import Fact
from games.verdict import Kind

NAMED_GROUNDS = frozenset({
    "exposed_first", "exposed_more", "boxed_more", "extra_cards", "extra_card_lost", "order", "wrong_count",
})  # fmt: skip
"""Grounds for a misdeal that the cards themselves show (NL-10, NL-14, NL-16, NL-21, NL-A33)."""


class DealTerms(Struct, frozen=True, gc=False, kw_only=True):
    """Decisions about irregular deals; the defaults are those of rule book NL.

    `grounds`: the irregularities for which a misdeal may be called. `deadline`: until when (NL-A28; `two_players`: two
    players have acted). `posts`: whether posts stay for the new deal or go back and are posted anew. `exposed_first`:
    up to which card of the deal one exposed is a misdeal. `boxed`: a card that lay face up in the deck counts as one
    that the dealer exposed, or is a scrap of paper that is replaced whichever it is. `up_rounds`: rounds of the deal,
    from 0, whose cards rightly come face up. `extra`, `extra_elsewhere`: one card too many, to the first player or to
    another. `burn_repair`: how many actions on its street end the repair of a burn. `fold_stands`: a street that came
    early stands if everybody whose action was due folds. `four_flop`: a flop of four is scrambled or shuffled in;
    `picked`: the card picked of them is the next burn or one more. `surplus_repair`: how many actions end the repair
    of too many board cards (None: never). `second_turn`: two cards on turn or river. `foul`: what makes the deck
    fouled; `foul_in_stub`: also where it is found among cards not dealt. `joker`: fouls the deck, or is a scrap of
    paper that kills the hand of who acts with it. `rabbit`: cards turned after the hand.
    """

    grounds: frozenset[str] = NAMED_GROUNDS
    deadline: Literal["substantial_action", "two_players"] = "substantial_action"
    posts: Literal["stay", "returned"] = "stay"
    exposed_first: int = 2
    by_player: Literal["stays", "as_dealer"] = "stays"
    boxed: Literal["as_exposed", "scrap"] = "as_exposed"
    up_rounds: tuple[int, ...] = ()
    extra: Literal["burn", "misdeal"] = "burn"
    extra_elsewhere: Literal["as_first_player", "misdeal"] = "as_first_player"
    burn_repair: int = 1
    fold_stands: bool = False
    four_flop: Literal["scramble", "reshuffle"] = "scramble"
    picked: Literal["next_burn", "additional"] = "next_burn"
    surplus_repair: int | None = None
    second_turn: Literal["ruling", "reshuffle"] = "ruling"
    foul: frozenset[str] = frozenset({"duplicate", "foreign", "missing"})
    foul_in_stub: bool = True
    joker: Literal["foul", "scrap"] = "foul"
    rabbit: Literal["allowed", "exception_only"] = "allowed"


class Step(Struct, frozen=True, gc=False, kw_only=True):
    """A fact about cards, and how the hand stood when it came.

    `seqs`: places off the deck of the cards that it deals; `sure`: the record itself says them; `top`: the place of the
    card that lay on top before. `about`: places of cards dealt before that it shows, finds or moves, 0 where nobody can
    tell. `replaces`: the card that it deals stands for one that was exposed. `acts`: actions on the
    street so far; `actions`, `left`: in the hand, and players still in; `opened`: the same two when the street's
    betting began. `betting`: somebody had still to act. `over`: all but one had folded. `late`: no misdeal may be
    called any more. `paid`: something of the pot was awarded.
    """

    fact: Fact
    seqs: tuple[int, ...] = ()
    sure: bool = False
    top: int = 0
    about: tuple[int, ...] = ()
    replaces: bool = False
    street: int = 0
    acts: int = 0
    actions: int = 0
    left: int = 0
    opened: tuple[int, int] = (0, 0)
    betting: bool = False
    over: bool = False
    late: bool = False
    paid: bool = False


class Lying(Struct, frozen=True, gc=False):
    """A card that came off the deck: its place off it, where it lies now, what it is."""

    seq: int
    where: str
    card: str


class Irregularity(Struct, kw_only=True):
    """Something irregular in the deal and what became of it.

    `place`: a seat or a street. `kinds`: `misdeal`, where one was called for and called, or still may be; `corrected`,
    where it was put right as the rules say, or still may be; `breach`, where it was not, or wrongly; `ruling_required`
    besides, where a person has to say what holds; `dead`: the hand at `place` is; `unverified`: the record does not
    tell. `wrong`: what was done otherwise than required. `absent`: it rests on something that is not on record.
    """

    code: str
    place: str = ""
    kinds: tuple[Kind, ...] = ()
    facts: list[Fact] = []
    remedy: dict[str, Any] = {}
    wrong: list[str] = []
    text: str = ""
    absent: bool = False


class Need(Struct, frozen=True, kw_only=True):
    """What is due: the next card off the deck to a place, or a step of a repair (`to`: `aside`, `stub`, `top`, or
    nowhere, if only `note` says it). `name`: what a remedy calls it. `seq`, `seqs`: which cards, as far as anybody can
    know. `blocks`: nobody acts before it is done."""

    to: str
    name: str = ""
    seq: int = 0
    seqs: tuple[int, ...] = ()
    note: str = ""
    blocks: bool = False
