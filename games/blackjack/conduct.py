"""What dealer and players did beside the cards: calls, offers, signs, totals, payments in time (BJ-21 … 27, 36 … 38).

The closing call, the offer of even money and the decisions are one group: one that is absent counts as not made only
where another is on record (blackjack.md 1.1).
"""

from __future__ import annotations

from collections.abc import Iterator

from events.schema.common import ChipsMoved
from events.schema.fact import Fact
from games.blackjack.bets import Bets
from games.blackjack.events import EvenMoneyOffered, TotalCalled
from games.blackjack.hands import EVEN_MONEY, Hand, Play
from games.blackjack.legality import ACTS, CARD_ACTS, WORDS, counts_sevens, is_blackjack, paid_at_once
from games.blackjack.play import total_at
from games.blackjack.requests import offers_even_money
from games.blackjack.table import Round, Session, exact_place
from games.shared.bank.deck import box_number
from games.shared.bank.events import CardLaid, CardShown
from games.shared.bank.words import unknown_words
from games.shared.marks import Mark, missing
from games.verdict import Scope


def conduct_marks(session: Session, round_: Round, play: Play, bets: Bets, *, touched: bool) -> Iterator[Mark]:
    """All of it; nothing while no card was dealt."""
    if not round_.laid:
        return
    group = round_.closing is not None or bool(round_.decisions) or bool(round_.notes(EvenMoneyOffered))
    told = _Absent(group=group, touched=touched)
    if round_.closing is None:
        yield told.mark("BJ-21", "closing_call_missing", "round", round_.name, (round_.laid[0].fact,))
    yield from _face_down(round_)
    yield from _burn_seen(session, round_)
    yield from _totals(round_, play)
    yield from _signs(round_, play, told)
    yield from unknown_words("BJ-27", round_.decisions, WORDS)
    if play.dealt:
        yield from _offers(session, round_, play, told)
        yield from _payments(session, round_, play)


class _Absent:
    """What to say of something that no record tells."""

    def __init__(self, *, group: bool, touched: bool) -> None:
        self._not_done = group and not touched

    def mark(self, rule: str, code: str, scope: Scope, subject: str, facts: tuple[Fact, ...]) -> Mark:
        """A breach, or nobody knows."""
        if not self._not_done:
            return missing(rule, code, scope, facts=facts, subject=subject)
        return Mark(rule=rule, code=code, kind="breach", scope=scope, subject=subject, facts=facts)


def _face_down(round_: Round) -> Iterator[Mark]:
    """All cards lie face up; one face down is turned and counts (BJ-23)."""
    for card in round_.laid:
        if isinstance(card.fact.event, CardLaid) and card.fact.event.face == "down" and card.dealt_to != "pending":
            yield Mark(
                rule="BJ-23", code="face_down_card", kind="breach", scope="hand", subject=card.dealt_to,
                facts=(card.fact,),
            )  # fmt: skip


def _burn_seen(session: Session, round_: Round) -> Iterator[Mark]:
    """A burned card is unseen as long as the shoe is played; those seen as they were burned the shoe tells (BJ-12)."""
    first = round_.first_card
    changes = [*round_.changes, *([session.shoe.change] if session.shoe.change is not None else [])]
    told = [fact for change in changes for fact in change.shown]
    for note in round_.notes(CardShown):
        if note.event.where == "burn" and first is not None and note.order > first.order and note.fact not in told:
            yield Mark(
                rule="BJ-12", code="burn_breach", kind="breach", scope="shoe", subject=session.shoe.deck,
                facts=(note.fact,), text="a burned card was seen",
            )  # fmt: skip


def _totals(round_: Round, play: Play) -> Iterator[Mark]:
    """A total that was called is the one that the cards make (BJ-24)."""
    for note in round_.notes(TotalCalled):
        event = note.event
        made = total_at(play, exact_place(event.place), note.order)
        if made is not None and made != event.total:
            yield Mark(
                rule="BJ-24", code="total_misread", kind="corrected", scope="hand", subject=event.place,
                facts=(note.fact,), remedy={"points": made}, text=f"{event.total} called, the cards make {made}",
            )  # fmt: skip


def _signs(round_: Round, play: Play, told: _Absent) -> Iterator[Mark]:
    """A player shows clearly whether he wants a card (BJ-27)."""
    unknown: list[Fact] = []
    for note in round_.decisions:
        event = note.event
        if event.choice not in CARD_ACTS:
            continue
        if event.signal is None:
            unknown.append(note.fact)
        elif event.signal == "none":
            yield Mark(
                rule="BJ-27", code="unclear_signal", kind="breach", scope="hand",
                subject=f"box {event.box}", player=event.player or "", facts=(note.fact,),
            )  # fmt: skip
    if unknown:
        yield missing("BJ-27", "unclear_signal", facts=tuple(unknown))
    if round_.over:
        for place in play.guessed:
            if box_number(place) not in play.unread:
                yield told.mark("BJ-27", "unclear_signal", "hand", place, ())
    closed = round_.closed
    for note in round_.decisions:
        if closed is not None and note.order > closed.order and note.event.choice in ACTS:
            yield Mark(
                rule="BJ-28", code="decision_after_close", kind="breach", scope="hand",
                subject=f"box {note.event.box}", facts=(note.fact, closed.fact),
            )  # fmt: skip


def _offers(session: Session, round_: Round, play: Play, told: _Absent) -> Iterator[Mark]:
    """Even money is offered to every blackjack against an ace (BJ-36)."""
    house = session.edition.__getitem__
    offered = {note.event.box for note in round_.notes(EvenMoneyOffered)}
    for box, hands in play.hands.items():
        hand = hands[0]
        taken = EVEN_MONEY in hand.gone.values()
        if box not in offered and not taken and offers_even_money(house, play, hand):
            yield told.mark("BJ-36", "even_money_not_offered", "hand", f"box {box}", (hand.cards[-1].fact,))


def _payments(session: Session, round_: Round, play: Play) -> Iterator[Mark]:
    """What is due at once is paid before the next card: three sevens (BJ-37), blackjack (BJ-38)."""
    paid: dict[str, tuple[int, Fact]] = {}
    for note in round_.notes(ChipsMoved):
        if note.event.cause == "win":
            paid.setdefault(note.event.stake, (note.order, note.fact))
    if not paid:
        return
    for _box, _at, hand in play.all_hands():
        since = _due_since(session, play, hand)
        if since is None:
            continue
        rule, order = since
        late = min((card.order for card in round_.draws if card.order > order), default=None)
        if rule == "BJ-37":
            late = min((card.order for card in play.dealer if card.order > order), default=None)
        for part in (*hand.parts, *hand.doubles):
            own = paid.get(part.stake.id)
            if own is None or late is None or own[0] < late or part.stake.player in hand.gone:
                continue
            yield Mark(
                rule=rule, code="late_payment", kind="breach", scope="bet", subject=part.stake.id,
                player=part.stake.player, facts=(own[1],),
            )  # fmt: skip


def _due_since(session: Session, play: Play, hand: Hand) -> tuple[str, int] | None:
    """The rule that has a win paid at once, and the place in the round from which on it was due."""
    if counts_sevens(session.edition.__getitem__, hand):
        return "BJ-37", hand.cards[-1].order
    if not is_blackjack(session.edition.__getitem__, hand):
        return None
    last = max(card.order for hands in play.hands.values() for card in hands[0].cards[:2])
    if paid_at_once(session.edition.__getitem__, play.upcard):
        return "BJ-38", max(last, hand.cards[-1].order)
    if len(play.dealer) < 2:
        return None
    # Where a blackjack does not rank above other 21s, it waits for all of the dealer's cards.
    known = play.dealer[1] if session.edition["blackjack.blackjack_beats_21"] else play.dealer[-1]
    return "BJ-38", known.order
