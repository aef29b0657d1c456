"""What the rules expect next at a hold'em table: posts, cards, actions with amounts, showing, payments."""

from __future__ import annotations

from msgspec.structs import replace

from games.holdem.payouts import best_of_all, fouled, plays_board, result_of
from games.holdem.posting import between, may_straddle, posting, still_due
from games.protocol import Action, Due, Expectation
from games.shared.poker.betting import NOBODY, options
from games.shared.poker.discipline import to_cash_out
from games.shared.poker.hand import BOARD_CARDS, STREETS, Hand, deal_order
from games.shared.poker.pots import uncalled
from games.shared.poker.settling import tabled
from games.shared.poker.showing import due_to_show, must_show
from games.shared.poker.softplay import owes_aggression
from games.shared.poker.table import Session


def expects(session: Session) -> Expectation:
    """What may happen next; never something that a check would then call a breach."""
    hand = session.hand
    if hand is None or hand.closed or len(hand.seats) < 2:
        return _cashing_out(session, between(session))
    posts = posting(session, hand)
    if posts is not None:
        return posts
    cards = session.terms.hole
    if not hand.actions and not hand.board and any(len(mine) < cards for mine in hand.hole):
        return _dealing(session, hand)
    if hand.betting:
        return _acting(session, hand)
    if not hand.ready:
        return _next_card(session, hand)
    if not hand.over and not any(hand.won):
        shows = _showing(session, hand)
        if shows is not None:
            return shows
    return _paying(session, hand)


def _cashing_out(session: Session, next_: Expectation) -> Expectation:
    """Between hands an expelled player's chips are exchanged for cash (NL-43)."""
    if not session.conduct.expelled:
        return next_
    dues = [
        Due(what="cash_out", frm=f"seat/{one.seat}", to=f"player/{player}", amount=left)
        for player, one, left in to_cash_out(session)
    ]
    return replace(next_, due=(*dues, *next_.due))


def _dealing(session: Session, hand: Hand) -> Expectation:
    order = deal_order(hand, session.terms.heads_up)
    fewest = min(map(len, hand.hole))
    place = next(place for place in order if len(hand.hole[place]) == fewest)
    return Expectation(
        phase="dealing",
        next_card=f"seat/{hand.seats[place]}",
        actions=may_straddle(session, hand),
        due=still_due(session, hand),
    )


def _acting(session: Session, hand: Hand) -> Expectation:
    place = hand.bets.actor
    actor = f"seat/{hand.seats[place]}"
    limits, front = session.limits[hand.street], hand.bets.front[place]
    may = options(hand.bets, limits, hand.stacks, place, hand.contributed)
    actions = [Action(actor=actor, name="fold")]
    if may.check:
        actions.append(Action(actor=actor, name="check", add=0))
    if may.call is not None:
        actions.append(Action(actor=actor, name="call", low=may.call, high=may.call, add=may.call - front))
    barred = hand.exposed[place] >= (2 if session.terms.exposed_both else 1)
    if may.low is not None and may.high is not None and not barred:
        name = "raise" if hand.bets.to_match else "bet"
        actions.append(Action(actor=actor, name=name, low=may.low, high=may.high, add=may.low - front))
    if not session.imported and owes_aggression(hand, limits, session.terms, best_of_all):
        actions = [action for action in actions if action.name not in ("check", "call")]  # NL-40
    owed = -hand.apart[hand.latest] if hand.latest != NOBODY and hand.apart[hand.latest] < 0 else 0
    due: tuple[Due, ...] = ()
    if owed:
        seat = f"seat/{hand.seats[hand.latest]}"
        due = (Due(what="owed", frm=seat, to="pot", amount=owed, stake=seat),)
    alone = not any(hand.stacks[other] > 0 for other in hand.left if other != place)
    return Expectation(
        phase=STREETS[hand.street],
        actor=actor,
        actions=tuple(actions),
        due=(*due, *_change(hand)),
        note="nobody has chips left to call a raise" if alone and len(actions) > 2 else "",
    )


def _change(hand: Hand) -> tuple[Due, ...]:
    """Chips pushed beyond what the action counts for."""
    return tuple(
        Due(what="change", frm="pot", to=f"seat/{seat}", amount=apart, stake=f"seat/{seat}")
        for seat, apart in zip(hand.seats, hand.apart, strict=True)
        if apart > 0
    )


def _uncalled(hand: Hand) -> tuple[Due, ...]:
    place, amount = uncalled(hand.live)
    left = amount - hand.back[place] if amount else 0
    if left <= 0:
        return ()
    seat = f"seat/{hand.seats[place]}"
    return (Due(what="return", frm="pot", to=seat, amount=left, stake=seat),)


def _next_card(session: Session, hand: Hand) -> Expectation:
    """Betting of a street is over: burn, then the next street, card by card."""
    laid = len(hand.board)
    street = next((number for number, count in enumerate(BOARD_CARDS) if count > laid), len(STREETS) - 1)
    burn = laid in BOARD_CARDS and not hand.burnt and not session.imported
    return Expectation(
        phase=STREETS[hand.street],
        next_card="burn" if burn else STREETS[street],
        due=(*_change(hand), *_uncalled(hand)),
        note="" if street == hand.street + 1 else "nobody can act any more",
    )


def _showing(session: Session, hand: Hand) -> Expectation | None:
    cards = session.terms.hole
    names = ("show",) if must_show(hand, session.terms, plays_board) else ("show", "muck")
    for place in due_to_show(hand, session.terms):
        if hand.gone[place] not in ("mucked", "killed") and not tabled(hand, place, cards):
            seat = f"seat/{hand.seats[place]}"
            return Expectation(
                phase="showdown",
                actor=seat,
                actions=tuple(Action(actor=seat, name=name) for name in names),
                due=(*_change(hand), *_uncalled(hand)),
            )
    return None


def _paying(session: Session, hand: Hand) -> Expectation:
    """Rake and awards that are still to be paid."""
    if fouled(hand) == "before_award":
        return Expectation(phase="settling", note="the deck is fouled: all goes back")
    result = result_of(session, hand)
    if result is None:
        return Expectation(phase="settling", note="the record does not tell who wins")
    due = [*_change(hand), *_uncalled(hand)]
    rake = result.rake - sum(amount for _name, amount in hand.raked)
    if rake > 0:
        due.append(Due(what="rake", frm="pot", to="rake", amount=rake))
    paid = [0] * len(hand.seats)
    for pot in result.pots:
        for place, amount in pot.shares.items():
            paid[place] += amount
    for place, amount in enumerate(paid):
        left = amount - hand.won[place]
        if left > 0:
            seat = f"seat/{hand.seats[place]}"
            due.append(Due(what="award", frm="pot", to=seat, amount=left, stake=seat))
    waits = any(pot.open for pot in result.pots)
    note = "a pot has no hand tabled for it: management decides" if waits else ""
    return Expectation(phase="settling" if due or note else "settled", due=tuple(due), note=note)
