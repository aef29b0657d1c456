"""Checks of the deck and of how it is dealt (NL-01, NL-10, NL-13)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from events.schema.common import CardBurned, DeckInspected
from events.schema.fact import Fact
from games.holdem.book import BOOK
from games.holdem.payouts import cards_twice, fouled
from games.holdem.seat_rules import hand_of
from games.holdem.tape import tape_of
from games.house_rules.rulebook import Rule
from games.protocol import Round
from games.shared.poker.events import BoardDealt, CardDealt, CardFound
from games.shared.poker.hand import deal_order
from games.shared.poker.table import Session
from games.verdict import Finding

_NOTHING: tuple[Finding, ...] = ()


@BOOK.check("NL-01", parameters=("fouled_deck",))
def two_to_nine_players_one_deck(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """Two to nine are dealt in, and no card comes twice."""
    hand, constants = hand_of(round_), rule.constants
    if hand is None:
        return
    count = len(hand.seats)
    if hand.dealt and not constants.seats_min <= count <= constants.seats_max:
        yield rule.finding(
            "players_dealt_in", "ruling_required", "round", text=f"{count} players were dealt in",
            remedy={"least": constants.seats_min, "most": constants.seats_max},
        )  # fmt: skip
    found = fouled(hand)
    if found:
        # Found before the award the hand is void by the facts; what was paid waits for management (NL-A33).
        twice = cards_twice(hand)
        yield rule.finding(
            "card_twice" if twice else "fouled_deck", "void" if found == "before_award" else "ruling_required",
            "round", text=f"{', '.join(twice)} came twice" if twice else "the deck is not complete and genuine",
            facts=[fact for fact in round_.facts if isinstance(fact.event, CardFound | DeckInspected)],
            remedy={"cards": twice},
        )  # fmt: skip


@BOOK.check("NL-10", on=(CardDealt,))
def dealt_one_by_one_from_the_small_blind(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """One card at a time, clockwise, the first to the first player left of the button."""
    hand, event = session.hand, fact.event
    assert isinstance(event, CardDealt)
    if hand is None or hand.name != fact.round or event.purpose or not event.to.startswith("seat/"):
        return
    count = len(hand.seats)
    # Where a record is missing the counter off the deck still tells which card this is.
    given = sum(map(len, hand.hole)) if event.seq is None else event.seq - 1
    if hand.board or hand.actions or given >= session.terms.hole * count or not hand.button:
        return
    due = hand.seats[deal_order(hand, session.terms.heads_up)[given % count]]
    before = [len(cards) for cards in hand.hole]
    regular = max(before) - min(before) <= 1
    if event.to != f"seat/{due}" and regular:
        yield rule.finding(
            "dealt_to_wrong_seat", "misdeal", "round", subject=event.to, facts=(fact,),
            remedy={"seat": f"seat/{due}"}, text=f"card {given + 1} belongs to seat/{due}",
        )  # fmt: skip


@BOOK.check("NL-13")
def one_burn_before_each_street(round_: Round[Session], rule: Rule) -> Iterable[Finding]:
    """Burn one, then flop; burn one, then turn; burn one, then river. Histories of sites do not tell of burns."""
    return _NOTHING if round_.session.imported else _burns(round_, rule)


def _burns(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    tape = tape_of(round_)
    if tape is None:
        return
    burns = 0
    streets: dict[str, tuple[int, int, Fact]] = {}
    for index, fact in tape.cards:
        event = fact.event
        if isinstance(event, CardBurned) or (isinstance(event, CardDealt) and event.to == "burn"):
            burns += 1
            continue
        street: str = event.street if isinstance(event, BoardDealt) and event.board == 1 and not event.rabbit else ""
        if isinstance(event, CardDealt) and event.to in ("flop", "turn", "river") and event.board == 1:
            street = event.to
        if street and street not in streets:
            streets[street] = (index, burns, fact)
            burns = 0
    starts = [index for index, _burns, _fact in streets.values()] + [len(round_.facts)]
    for number, (street, (index, burnt, fact)) in enumerate(streets.items()):
        if burnt == 1:
            continue
        if round_.touched and not burnt:
            yield rule.unverified(f"no_burn_{street}", facts=(fact,))
            continue
        acted = any(index < act < starts[number + 1] for act in tape.acts)
        yield rule.finding(
            "burn_missing" if burnt == 0 else "burn_double", "breach" if acted else "corrected", "round",
            subject=street, facts=(fact,), text=f"{burnt} cards burnt before the {street}",
        )  # fmt: skip
