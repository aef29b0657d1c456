"""Every round dealt from a shoe or deck: what a ruling of scope `shoe` reaches."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from events.errors import Refused
from events.schema.common import DeckOpened, DeckRetired, RoundClosed, ShoeCarried, ShuffleStep
from events.schema.fact import Fact
from events.values.names import round_address
from games.casebook import Casebook
from replay.disputes.verdicts import Address


class Shoe(Struct):
    """A deck from one shuffle to the next, in one session. `origin`: the session that it was carried from, if any."""

    deck: str
    rounds: list[str]
    origin: str = ""


def rounds_of_shoe(book: Casebook, address: Address) -> tuple[str, ...]:
    """Addresses of all rounds dealt from the shoe that the round was dealt from, in order, across sessions.

    A shoe comes into play by `DeckOpened`, by the first shuffle after rounds were dealt, or by `ShoeCarried`, which
    names the session that it came from; it leaves by `DeckRetired`, or when the next one comes.

    Raises:
        Refused: no record says which shoe that round was dealt from.
    """
    subject = address.subject
    shoe = next((one for one in _shoes(_facts(book, subject)) if address.round in one.rounds), None)
    if shoe is None or not shoe.deck:
        raise Refused(
            f"no record says from which shoe {address.text} was dealt", hint="list the rounds: --round, once for each"
        )
    chain = [(subject, shoe)]
    seen = {subject}
    while chain[0][1].origin and chain[0][1].origin not in seen:
        origin = chain[0][1].origin
        before = [one for one in _shoes(_facts(book, origin)) if one.deck == shoe.deck]
        if not before:
            break
        seen.add(origin)
        chain.insert(0, (origin, before[-1]))
    while (after := _carried_on(book, *chain[-1])) is not None and after[0] not in seen:
        seen.add(after[0])
        chain.append(after)
    return tuple(round_address(where, name) for where, one in chain for name in one.rounds)


def _facts(book: Casebook, subject: str) -> tuple[Fact, ...]:
    """A session's facts; none of one that the log does not have."""
    return book.case(subject).ordered.facts if book.log.streams_of(subject) else ()


def _shoes(facts: Iterable[Fact]) -> list[Shoe]:
    """The shoes of a session in order, each with the rounds dealt from it: a round counts where it was closed, one
    that is still open where its last record stands."""
    shoes = [Shoe("", [])]
    place: dict[str, int] = {}
    closed: set[str] = set()
    is_dealt = False
    for fact in facts:
        event = fact.event
        if isinstance(event, DeckOpened):
            shoes.append(Shoe(event.deck, []))
            is_dealt = False
        elif isinstance(event, ShoeCarried):
            shoes.append(Shoe(event.shoe, [], event.from_subject))
            is_dealt = False
        elif isinstance(event, DeckRetired) and event.deck == shoes[-1].deck:
            shoes.append(Shoe("", []))
        elif isinstance(event, ShuffleStep) and is_dealt:
            shoes.append(Shoe(event.deck or shoes[-1].deck, []))
            is_dealt = False
        if fact.round is not None and fact.round not in closed:
            place[fact.round] = len(shoes) - 1
            if isinstance(event, RoundClosed):
                closed.add(fact.round)
                is_dealt = True
    for name, number in place.items():
        shoes[number].rounds.append(name)
    return shoes


def _carried_on(book: Casebook, subject: str, shoe: Shoe) -> tuple[str, Shoe] | None:
    """The session of the same table into which the shoe was carried, and the shoe there: only a session's last one of
    that deck goes on."""
    own = [one for one in _shoes(_facts(book, subject)) if one.deck == shoe.deck]
    if own[-1] != shoe:
        return None
    table = subject.rpartition("/")[0]
    for other in book.log.subjects(f"{table}/"):
        for one in _shoes(_facts(book, other)) if other != subject else ():
            if one.deck == shoe.deck and one.origin == subject:
                return other, one
    return None
