"""What the rules expect next at a hold'em table: posts, cards, actions with amounts, showing, payments."""

from __future__ import annotations

from msgspec.structs import replace

from events.values.places import SEATS
from games.holdem.payouts import BEST, best_of_all, fouled, plays_board, result_of
from games.holdem.posting import between, may_straddle, posting, still_due
from games.protocol import Action, Due, Expectation
from games.shared.poker.amounts import barred
from games.shared.poker.betting import options
from games.shared.poker.course import Course, course_of
from games.shared.poker.discipline import to_cash_out
from games.shared.poker.early import early_chips
from games.shared.poker.hand import BOARD_CARDS, STREETS, Hand, deal_order
from games.shared.poker.pots import uncalled
from games.shared.poker.settling import tabled
from games.shared.poker.showing import claims_alone, due_to_show, must_show
from games.shared.poker.softplay import LAST_STREET, owes_aggression
from games.shared.poker.table import Session


def expects(session: Session) -> Expectation:
    """What may happen next; never something that a check would then call a breach."""
    hand = session.hand
    if hand is None or hand.closed or len(hand.seats) < 2:
        return _cashing_out(session, between(session))
    posts = posting(session, hand)
    if posts is not None:
        return posts
    if fouled(hand) == "before_award":
        return _calling_off(hand)
    course = course_of(hand, session.terms)
    if course.misdeal or (course.due is not None and course.due.blocks):
        return _mending(session, hand, course)
    cards = session.terms.hole
    # A history that names one player's cards names those of no other; they are dealt all the same.
    told = session.imported and any(hand.hole) and any(kind == "big_blind" for _place, kind, _amount in hand.posts)
    if not told and not hand.actions and not hand.board and any(len(mine) < cards for mine in hand.hole):
        return _dealing(session, hand)
    if hand.betting:
        next_ = _acting(session, hand)
        # A street came early: the round goes on, and what then has to be done is said already now.
        return replace(next_, note=course.due.note) if course.due is not None and course.due.note else next_
    if not hand.ready:
        return _next_card(session, hand, course)
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


def _mending(session: Session, hand: Hand, course: Course) -> Expectation:
    """The deal went wrong: a misdeal has to be called, or a repair comes before anything else."""
    if course.misdeal:
        posts = "posts stay" if session.terms.deal.posts == "stay" else "posts go back"
        note = f"misdeal: {course.misdeal}; shuffle and deal again, {posts}, the button does not move"
        return Expectation(phase="misdeal", due=_change(hand), note=note)
    assert course.due is not None
    phase = STREETS[hand.street] if hand.board or hand.actions else "dealing"
    if course.due.to in STREETS:
        phase = course.due.to  # dealt anew: the replay stays in the street that is put right
    return Expectation(phase=phase, next_card=course.due.to, due=_change(hand), note=course.due.note)


def _dealing(session: Session, hand: Hand) -> Expectation:
    order = deal_order(hand, session.terms.heads_up)
    fewest = min(map(len, hand.hole))
    place = next(place for place in order if len(hand.hole[place]) == fewest)
    return Expectation(
        phase="dealing",
        next_card=f"seat/{hand.seats[place]}",
        actions=may_straddle(session, hand),
        due=(*still_due(session, hand), *_change(hand)),
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
    if may.low is not None and may.high is not None and not barred(hand, session, place):
        name = "raise" if hand.bets.to_match else "bet"
        actions.append(Action(actor=actor, name=name, low=may.low, high=may.high, add=may.low - front))
        if hand.pending is not None and hand.pending.place == place and hand.pending.said.binding:
            # He has announced it: the word binds, only the amount is open.
            return Expectation(
                phase=STREETS[hand.street],
                actor=actor,
                actions=tuple(actions[-1:]),
                due=_change(hand),
                note=f"a {name} is announced; its chips are to come",
            )
    if hand.street == LAST_STREET and not session.imported:
        if owes_aggression(hand, limits, session.terms, best_of_all):
            actions = [action for action in actions if action.name not in ("check", "call")]  # NL-40
        if best_of_all(hand, place) == BEST:
            actions = [action for action in actions if action.name != "fold"]  # NL-42
    alone = not any(hand.stacks[other] > 0 for other in hand.left if other != place)
    return Expectation(
        phase=STREETS[hand.street],
        actor=actor,
        actions=tuple(actions),
        due=_change(hand),
        note="nobody has chips left to call a raise" if alone and len(actions) > 2 else "",
    )


def _change(hand: Hand) -> tuple[Due, ...]:
    """What actions still owe, and chips pushed beyond what they count for; those put out of turn wait there."""
    if not any(hand.apart):
        return ()
    due = []
    for place, seat in enumerate(hand.seats):
        apart, own = hand.apart[place], f"seat/{seat}"
        if apart < 0:
            due.append(Due(what="owed", frm=own, to="pot", amount=-apart, stake=own))
        elif apart > (waits := early_chips(hand, place)):
            due.append(Due(what="change", frm="pot", to=own, amount=apart - waits, stake=own))
    return tuple(sorted(due, key=lambda one: one.what != "owed"))


def _uncalled(hand: Hand) -> tuple[Due, ...]:
    place, amount = uncalled(hand.live)
    left = amount - hand.back[place] if amount else 0
    if left <= 0:
        return ()
    seat = f"seat/{hand.seats[place]}"
    return (Due(what="return", frm="pot", to=seat, amount=left, stake=seat),)


def _next_card(session: Session, hand: Hand, course: Course) -> Expectation:
    """Betting of a street is over: burn, then the next street, card by card, as the course of the deck has it."""
    laid = len(hand.board)
    other = hand.board_missing if hand.runs > 1 and laid == BOARD_CARDS[-1] else 0
    if other:
        laid = hand.run_from + (len(hand.boards[other - 2]) if other - 2 < len(hand.boards) else 0)
    street = next((number for number, count in enumerate(BOARD_CARDS) if count > laid), len(STREETS) - 1)
    next_card = STREETS[street] if session.imported or not _burns(hand, laid) else "burn"
    note = "" if street == hand.street + 1 else "nobody can act any more"
    return Expectation(
        phase=STREETS[hand.street],
        next_card=next_card if course.due is None else course.due.to,
        due=(*_change(hand), *_uncalled(hand)),
        note=f"board {other} of {hand.runs}" if other else note,
    )


def _burns(hand: Hand, laid: int) -> bool:
    """Whether a burn comes before the next card of a board on which `laid` cards lie: one before each street of each
    board."""
    if hand.runs == 1 or laid not in BOARD_CARDS:
        return laid in BOARD_CARDS
    streets = BOARD_CARDS[:-1]
    begun = sum(len(hand.board) > before for before in streets)
    for board in hand.boards:
        begun += sum(hand.run_from <= before < hand.run_from + len(board) for before in streets)
    return hand.burns <= begun


def _showing(session: Session, hand: Hand) -> Expectation | None:
    cards = session.terms.hole
    duty = must_show(hand, session.terms, plays_board)
    for place in due_to_show(hand, session.terms):
        if hand.gone[place] not in ("mucked", "killed") and not tabled(hand, place, cards):
            seat = f"seat/{hand.seats[place]}"
            names = ("show",) if duty or claims_alone(hand, place) else ("show", "muck")
            return Expectation(
                phase="showdown",
                actor=seat,
                actions=tuple(Action(actor=seat, name=name) for name in names),
                due=(*_change(hand), *_uncalled(hand)),
            )
    return None


def _paying(session: Session, hand: Hand) -> Expectation:
    """Rake and awards that are still to be paid."""
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


def _calling_off(hand: Hand) -> Expectation:
    """A fouled deck: the hand is void, and everybody gets back what he put in (NL-A33)."""
    due = []
    for place, seat in enumerate(hand.seats):
        left = hand.live[place] + hand.dead[place] + hand.antes[place] + hand.apart[place] - hand.back[place]
        if left > 0:
            due.append(Due(what="return", frm="pot", to=SEATS[seat], amount=left, stake=SEATS[seat]))
    return Expectation(phase="settling" if due else "settled", due=tuple(due), note="the deck is fouled: all goes back")
