"""What may happen next at a Caribbean stud table, where the next card goes, and which payments are due."""

from __future__ import annotations

from games.caribbean_stud.course import CARDS, Exchange, home
from games.caribbean_stud.events import ANTE, BET, BONUS, EXCHANGE, FOLD
from games.caribbean_stud.paper import Box, Paper
from games.caribbean_stud.parameters import bonus_table
from games.caribbean_stud.payouts import analyse, lying
from games.caribbean_stud.play import play
from games.caribbean_stud.stakes import lay
from games.caribbean_stud.table import Round, Session
from games.protocol import Action, Expectation
from games.shared.bank.deck import round_robin
from games.shared.bank.dues import dues

DEALER = "dealer"


def expects(session: Session) -> Expectation:
    """The phase in the floor's words, who may act, and what the bank owes or is owed now.

    Phases: `between rounds`, `antes`, `deal`, `decisions`, `dealer's hand`, `settlement`, `settled`, `misdeal`, `void`,
    `ruling`, `closed`. Amounts of an ante are the limits, those of a Bet what it must be.
    """
    round_ = session.round
    if session.closed:
        return Expectation(phase="closed")
    if round_ is None or round_.closed is not None:
        return Expectation(phase="between rounds", actor="players", actions=_antes(session, round_ or Round(name="")))
    analysis = analyse(session)
    if analysis.voided:
        return _given_back(session, round_, analysis.voided)
    paper = Paper(session, round_)
    lay(paper)
    play(paper)
    places = round_robin(sorted(paper.boxes), CARDS)
    dealt = [home(card) for card in paper.deal.dealt]
    if not dealt and not paper.deal.decisions:
        return _before_the_deal(session, round_, places)
    if len(dealt) < len(places) and not paper.deal.done:
        return Expectation(phase="deal", actor=DEALER, next_card=places[len(dealt)])
    if paper.deal.dealer_turned is None and round_.decisions_closed is None:
        return _decisions(paper)
    if paper.deal.dealer_turned is None and any(box.decided == BET for box in paper.boxes.values()):
        return Expectation(phase="dealer's hand", actor=DEALER, actions=(_dealer("turn the dealer's cards"),))
    return _settlement(session, round_)


def _given_back(session: Session, round_: Round, voided: str) -> Expectation:
    due = dues(analyse(session).settlement.lines, round_.settles, lying(round_))
    actions = () if due or voided == "void" else (_dealer("shuffle, cut and deal again"),)
    return Expectation(phase=voided, actor=DEALER, actions=actions, due=due, note="all stakes go back")


def _before_the_deal(session: Session, round_: Round, places: list[str]) -> Expectation:
    return Expectation(
        phase="antes",
        actor="players",
        actions=_antes(session, round_),
        next_card=places[0] if len(places) > CARDS else "",
        note="" if session.prepared else "the cards are shuffled and cut first",
    )


def _antes(session: Session, round_: Round) -> tuple[Action, ...]:
    low, high = session.limits.of(ANTE)
    stated = session.edition["cs.limits"]
    if low is None and high is None and stated is not None:
        low, high = stated
    boxes = round_.boxes(ANTE)
    actions = []
    if len(boxes) < session.edition["cs.max_players"]:
        actions.append(Action(actor="players", name=ANTE, low=low, high=high))
    if boxes:
        table = bonus_table(session.edition["cs.bonus.table"])
        own = session.limits.own_of(BONUS)
        least, most = (table.stake, table.stake) if table is not None and table.stake is not None else own
        actions.append(Action(actor="players", name=BONUS, low=least, high=most))
    return tuple(actions)


def _decisions(paper: Paper) -> Expectation:
    """Exchanges first, which the dealer serves from left to right; then each box bets or folds."""
    waits = [
        exchange for exchange in paper.deal.exchanges if not exchange.delivered and not exchange.problem
    ]  # fmt: skip
    if waits:
        first = min(waits, key=lambda exchange: exchange.box)
        burned = bool(paper.deal.burns)
        place = f"box/{first.box}" if burned else "burn"
        return Expectation(
            phase="decisions", actor=DEALER, next_card=place, actions=_fees(paper, waits),
            note=f"the exchange of box {first.box}",
        )  # fmt: skip
    actions = [action for box in paper.boxes.values() for action in _of_box(paper, box)]
    open_boxes = [box for box in paper.boxes.values() if not box.decided]
    if not open_boxes:
        actions.append(_dealer("close the decisions"))
    actor = f"box/{min(box.number for box in open_boxes)}" if open_boxes else DEALER
    return Expectation(phase="decisions", actor=actor, actions=tuple(actions))


def _fees(paper: Paper, waits: list[Exchange]) -> tuple[Action, ...]:
    """The price of the exchange, where it does not lie there yet."""
    found = []
    for exchange in waits:
        box = paper.boxes.get(exchange.box)
        lies = sum(part.live for part in box.fees) if box is not None else 0
        if box is not None and lies < box.ante:
            rest = box.ante - lies
            found.append(Action(actor=f"box/{box.number}", name="fee", low=rest, high=rest, add=rest))
    return tuple(found)


def _of_box(paper: Paper, box: Box) -> list[Action]:
    """What a box may still do; one that has bet too little may add to it."""
    name = f"box/{box.number}"
    wanted = paper["cs.bet_multiple"] * box.ante
    lies = sum(part.live for part in box.bets)
    if box.decided == FOLD:
        return []
    if lies:
        rest = wanted - lies
        return [Action(actor=name, name=BET, low=rest, high=rest, add=rest)] if rest else []
    actions = [Action(actor=name, name=BET, low=wanted, high=wanted, add=wanted), Action(actor=name, name=FOLD)]
    if not box.exchanges and not _served_beyond(paper, box):
        actions.append(Action(actor=name, name=EXCHANGE, low=box.ante, high=box.ante, add=box.ante))
    return actions


def _served_beyond(paper: Paper, box: Box) -> bool:
    """Whether a box further right has its card already: then this one would be out of order (CS-07)."""
    return any(exchange.box > box.number for exchange in paper.deal.served)


def _settlement(session: Session, round_: Round) -> Expectation:
    analysis = analyse(session)
    due = dues(analysis.settlement.lines, round_.settles, lying(round_))
    codes = sorted({mark.code for mark in analysis.marks if mark.kind == "ruling_required"})
    if codes and not due:
        return Expectation(phase="ruling", actor="management", note=", ".join(codes))
    note = ", ".join(codes)
    if not analysis.settlement.known:
        return Expectation(phase="settlement", actor=DEALER, due=due, note=note or "not every hand is known")
    if due:
        return Expectation(phase="settlement", actor=DEALER, due=due, note=note)
    return Expectation(phase="settled", actor=DEALER, actions=(_dealer("close the round"),))


def _dealer(name: str) -> Action:
    return Action(actor=DEALER, name=name)
