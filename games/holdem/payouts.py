"""What a hold'em hand pays: returns, pots, rake, awards (NL-24, NL-28 … NL-33)."""

from __future__ import annotations

from msgspec.structs import replace

from events.schema.common import DeckInspected, DeckOpened, DeckRetired, ShuffleStep
from events.schema.fact import Fact
from events.values.money import MINOR_PER_MAJOR
from games.holdem.rulings import ruled_on
from games.protocol import Round
from games.shared.poker.conduct import ConductReported
from games.shared.poker.found import fouls
from games.shared.poker.hand import BOARD_CARDS, Hand, Terms
from games.shared.poker.ranks import rank_key, unbeatable
from games.shared.poker.settling import Claims, claims, outcome, refunded, settlement, tabled, unsettled, with_rake_left
from games.shared.poker.showdown import Keys, Outcome
from games.shared.poker.table import Session
from games.verdict import Settlement

FULL_BOARD = BOARD_CARDS[-1]
SMALLEST_CHIPS = tuple(MINOR_PER_MAJOR * chip for chip in (2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1_000))
"""Chips that may be the smallest of a table which does not say so, minor units."""


def evaluate(hand: Hand, place: int) -> Keys | None:
    """Best five of two own and five common cards, on every board of the hand (NL-29)."""
    hole = hand.hole[place]
    if len(hole) != 2 or "??" in hole:
        return None
    keys = []
    for board in all_boards(hand):
        if len(board) != FULL_BOARD or "??" in board or not set(board).isdisjoint(hole):
            return None
        keys.append(rank_key(hole + board))
    return tuple(keys)


def plays_board(hand: Hand, place: int) -> bool:
    """Whether a tabled hand is worth just what the board is: its owner claims a share with the board (NL-30)."""
    if len(hand.board) != FULL_BOARD or not tabled(hand, place, 2):
        return False
    key = evaluate(hand, place)
    return key is not None and key[0] == rank_key(hand.board)


BEST = (True, False)
"""What `best_of_all` says of a hand that nobody can beat and somebody can lose to."""


def best_of_all(hand: Hand, place: int) -> tuple[bool, bool]:
    """Whether nobody can beat the hand at a position, and whether everybody ties; no, where its cards are not known."""
    return (False, False) if evaluate(hand, place) is None else unbeatable(hand.hole[place], hand.board)


def all_boards(hand: Hand) -> tuple[tuple[str, ...], ...]:
    """The board, and of a hand run more than once the others: what they do not repeat is the first one's."""
    if not hand.boards:
        return (hand.board,)
    others = tuple(hand.board[: FULL_BOARD - len(board)] + board for board in hand.boards)
    return (hand.board, *others)


def cards_twice(hand: Hand) -> list[str]:
    """Known cards that stand more than once among hands, first board and burn cards, sorted (NL-A33).

    Burn cards count unless cards were exposed or moved and nobody says which.
    """
    seen = list(hand.board)
    if hand.surplus:
        seen += hand.surplus
    if hand.put_away and "??" not in hand.loose:
        seen += hand.put_away
    for cards in hand.hole:
        seen += cards
    if len(set(seen)) == len(seen):
        return []
    return sorted({card for card in seen if card != "??" and seen.count(card) > 1})


def fouled(hand: Hand) -> str:
    """`before_award` or `after_award`: when the deck was found wrong, or a card known to have come twice; or empty."""
    if hand.fouled:
        return hand.fouled
    if cards_twice(hand):
        return "after_award" if any(hand.won) else "before_award"
    return ""


def foul_of(round_: Round[Session], hand: Hand) -> str:
    """`fouled` of a round's hand as the round leaves it, or as the deck was found right after it; worked out once."""
    memo = round_.memo
    if "foul" not in memo:
        memo["foul"] = fouled(hand) or ("after_award" if checked_after(round_) else "")
    foul: str = memo["foul"]
    return foul


def checked_after(round_: Round[Session]) -> tuple[Fact, ...]:
    """The records by which the deck of a hand was found wrong after it, before it was shuffled for the next."""
    found = []
    for fact in round_.after:
        if isinstance(fact.event, ShuffleStep | DeckOpened | DeckRetired):
            break
        if isinstance(fact.event, DeckInspected) and fouls(fact.event, round_.session.terms):
            found.append(fact)
    return tuple(found)


def claims_of(session: Session, hand: Hand) -> Claims:
    """Who competes for the pots of a hand."""
    finished = hand.closed or session.imported or any(hand.won)
    return claims(hand, session.terms, evaluate, finished=finished, private=session.imported)


def result_of(session: Session, hand: Hand) -> Outcome | None:
    """The hand's outcome; None while the record does not tell it."""
    found = claims_of(session, hand)
    if not found.known:
        return None
    return outcome(hand, session.terms, found, parts=len(hand.boards) + 1)


def due(round_: Round[Session]) -> Settlement:
    """One line a seat; `known` false while hands or cards that decide are not on record."""
    session = round_.session
    hand = session.hand
    if hand is None or hand.name != round_.name:
        return Settlement(known=False)
    foul = foul_of(round_, hand)
    never_redealt = hand.misdeals and hand.closed and not any(hand.hole)
    if never_redealt or (round_.rulings and ruled_on(round_).void) or foul == "before_award":
        return refunded(hand)
    due_now = _due_now(round_, hand)
    if foul or (round_.edition["collusion_void_enabled"] and _collusion_reported(round_)):
        # Management decides; what would go back is prepared (NL-A33, NL-A35).
        return replace(due_now, candidates={"void": refunded(hand).lines})
    return due_now


def _due_now(round_: Round[Session], hand: Hand) -> Settlement:
    session = round_.session
    found, parts = claims_of(session, hand), len(hand.boards) + 1
    if not found.known and (session.imported or not hand.ready):
        return unsettled(hand)
    if not found.known:  # who wins nobody can tell, what the pots hold and the rake are known
        nobody = Claims({}, frozenset(range(len(hand.seats))), False)
        return settlement(hand, outcome(hand, session.terms, nobody, parts=parts), known=False)
    terms = session.terms if session.smallest_chip else _by_its_chip(round_, hand, found, parts)
    result = outcome(hand, terms, found, parts=parts)
    return with_rake_left(hand, terms, found, result, settlement(hand, result), parts)


def _by_its_chip(round_: Round[Session], hand: Hand, found: Claims, parts: int) -> Terms:
    """The terms where nobody says which chip is the smallest: with one by which rake and shares are as they were paid,
    if whole units are not and another chip is. `Round.memo` keeps it, minor units (NL-31, NL-33; 1.1)."""
    terms, paid = round_.session.terms, (sum([amount for _name, amount in hand.raked]), hand.won)
    if terms.rake is None or not hand.closed or _paid_by(outcome(hand, terms, found, parts), hand) == paid:
        return terms
    for chip in SMALLEST_CHIPS:
        if not any(amount % chip for amount in (*hand.live, *hand.dead)):
            by_chip = replace(terms, unit=chip, rake=replace(terms.rake, unit=chip))
            if _paid_by(outcome(hand, by_chip, found, parts), hand) == paid:
                round_.memo["smallest_chip"] = chip
                return by_chip
    return terms


def _paid_by(result: Outcome, hand: Hand) -> tuple[int, list[int]]:
    """The rake of an outcome, and what each position gets of the pots."""
    shares = [0] * len(hand.seats)
    for pot in result.pots:
        for place, amount in pot.shares.items():
            shares[place] += amount
    return sum([pot.rake for pot in result.pots]), shares


def _collusion_reported(round_: Round[Session]) -> bool:
    return any(isinstance(fact.event, ConductReported) and fact.event.what == "collusion" for fact in round_.facts)
