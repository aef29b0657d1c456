"""What the boxes did with their hands: exchanges and their fee, Bet or fold (CS-05 to CS-10).

An action that the rules do not allow is replaced by what they require, where they say what that is; else money lies
as it does and a person must rule.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from events.schema.fact import Fact
from games.caribbean_stud.course import CARDS, Exchange
from games.caribbean_stud.events import BET, EXCHANGE, FOLD, WORDS, TimeCalled
from games.caribbean_stud.paper import Box, Paper
from games.caribbean_stud.stakes import returned, void
from games.shared.bank.deck import box_number
from games.shared.bank.parts import keep_up_to, total
from games.shared.bank.table import Laid, Noted
from games.shared.bank.words import unknown_words


def play(paper: Paper) -> None:
    """All boxes of the current deal, then how the exchanges were carried out and when the dealer turned his cards."""
    for note in paper.deal.decisions:
        _stranger(paper, note)
    paper.marks.extend(unknown_words("CS-08", paper.deal.decisions, WORDS))
    for box in paper.boxes.values():
        late = _late_bets(paper, box)
        deadline = _deadline(paper, box)
        _decide(paper, box, deadline, late)
        _exchanges(paper, box)
        _bet(paper, box)
    _execution(paper)
    _reveal(paper)


def _stranger(paper: Paper, note: Noted) -> None:
    """Something was decided for a box that is not in play, or after the boxes had decided."""
    closed = paper.deal.closed
    if closed is not None and paper.earlier(closed.fact, note.fact):
        if note.event.choice == EXCHANGE and note.event.box in paper.boxes:
            return  # CS-05 says what becomes of it
        code = "late_decision"
    elif note.event.box not in paper.boxes and paper.deal.first is not None:
        code = "decision_without_ante"
    else:
        return
    paper.mark("CS-08", code, "breach", box=note.event.box, facts=(note.fact,))


# Bet or fold ----------------------------------------------------------------------------------------------------------


def _late_bets(paper: Paper, box: Box) -> bool:
    """CS-08: Bets placed when all had decided go back."""
    closed, late = paper.deal.closed or paper.round.closed, False
    for part in list(box.bets):
        if closed is None:
            break
        after = paper.earlier(closed.fact, part.stake.fact)
        if after is None:
            paper.unverified("CS-08", "late_bet", part=part, facts=(part.stake.fact, closed.fact))
        elif after:
            void(paper, part, "CS-08", "late_bet", closed.fact)
            box.bets.remove(part)
            late = True
    return late


def _deadline(paper: Paper, box: Box) -> Noted | None:
    """The call of time on a box, where the house gives so many seconds from it (C20)."""
    if paper["cs.time.limit_s"] is None:
        return None
    return next((note for note in paper.deal.told(TimeCalled) if note.event.box == box.number), None)


def _too_slow(paper: Paper, deadline: Noted | None, fact: Fact) -> bool:
    if deadline is None or paper.session.clocks.compare(deadline.fact, fact) != "before":
        return False
    limit_s: int = paper["cs.time.limit_s"]
    return fact.occurred_at - deadline.fact.occurred_at > limit_s * 1000


def _decide(paper: Paper, box: Box, deadline: Noted | None, late: bool) -> None:
    """The first of Bet and fold binds; who does neither in time has folded (CS-08, CS-09)."""
    fold = next((note for note in _own(paper, box) if note.event.choice == FOLD), None)
    for part in list(box.bets):
        if _too_slow(paper, deadline, part.stake.fact):
            void(paper, part, "CS-08", "time_expired", deadline.fact if deadline is not None else None)
            box.bets.remove(part)
            late = True
    if fold is not None and box.bets:
        first = box.bets[0].stake.fact
        if paper.earlier(fold.fact, first):
            returned(
                paper, box.bets, "CS-09", "bet_after_fold", box=box.number, facts=(fold.fact, first)
            )  # fmt: skip
            box.bets = []
        else:
            paper.mark("CS-09", "fold_after_bet", "breach", box=box.number, facts=(first, fold.fact))
    if box.bets:
        box.decided = BET
    elif fold is not None:
        box.decided = FOLD
    elif paper.deal.closed is not None:
        box.decided = FOLD
        if not late:
            paper.mark(
                "CS-08", "no_decision", "corrected", box=box.number, facts=(paper.deal.closed.fact,), action=FOLD
            )


def _own(paper: Paper, box: Box) -> list[Noted]:
    """The box's decisions, in time."""
    closed = paper.deal.closed
    return [
        note
        for note in paper.deal.decisions
        if note.event.box == box.number and not (closed is not None and paper.earlier(closed.fact, note.fact))
    ]


def _bet(paper: Paper, box: Box) -> None:
    """CS-08: the Bet is so many times the ante; more goes back, less plays once nobody can add to it."""
    if not box.bets:
        return
    wanted, lies = paper["cs.bet_multiple"] * box.ante, total(box.bets)
    facts = tuple(part.stake.fact for part in box.bets)
    if lies > wanted:
        keep_up_to(box.bets, wanted, "CS-08", "bet_too_large")
        paper.mark(
            "CS-08", "bet_too_large", "corrected", "bet", box=box.number, facts=facts, live=wanted, refund=lies - wanted
        )
    elif lies < wanted and (paper.deal.closed is not None or paper.round.closed is not None):
        paper.mark("CS-08", "bet_too_small", "breach", "bet", box=box.number, facts=facts, live=lies)


# Exchange -------------------------------------------------------------------------------------------------------------


def _exchanges(paper: Paper, box: Box) -> None:
    """CS-05: one card, once, after the deal and before the Bet, for one ante."""
    allowed = 0
    for exchange in paper.deal.exchanges:
        if exchange.box != box.number:
            continue
        box.exchanges.append(exchange)
        exchange.problem = _problem(paper, box, exchange, allowed)
        box.exchanged = box.exchanged or exchange.delivered
        if not exchange.problem:
            allowed += 1
        elif exchange.delivered:
            allowed += 1  # it had its card, so that another is a second one
            paper.mark(
                "CS-05", exchange.problem, "ruling_required", box=box.number,
                facts=(exchange.asked.fact, exchange.got[0].fact),
            )  # fmt: skip
    _fee(paper, box)


def _problem(paper: Paper, box: Box, exchange: Exchange, allowed: int) -> str:
    deal, asked = paper.deal, exchange.asked.fact
    if len(exchange.given) > 1:
        return "too_many_cards"
    if allowed:
        return "second_exchange"
    regular = deal.dealt[: CARDS * (len(paper.boxes) + 1)]
    if regular and regular[-1].order > exchange.asked.order:
        return "exchange_before_deal"
    if deal.closed is not None and paper.earlier(deal.closed.fact, asked):
        return "exchange_after_close"
    done = [part.stake.fact for part in box.bets]
    done += [note.fact for note in _own(paper, box) if note.event.choice in (FOLD, BET)]
    if any(paper.earlier(fact, asked) for fact in done):
        return "exchange_after_bet"
    return ""


def _fee(paper: Paper, box: Box) -> None:
    """The price of the cards that were given; for one that was refused it goes back (CS-05)."""
    refused = [exchange for exchange in box.exchanges if exchange.problem and not exchange.delivered]
    over_with = paper.deal.closed is not None or paper.round.closed is not None
    given = [exchange for exchange in box.exchanges if exchange.delivered or not (exchange.problem or over_with)]
    unserved = [exchange for exchange in box.exchanges if not (exchange.delivered or exchange.problem) and over_with]
    asked = tuple(exchange.asked.fact for exchange in box.exchanges)
    wanted = box.ante * len(given)
    lies = total(box.fees)
    facts = tuple(part.stake.fact for part in box.fees)
    for exchange in refused:
        back = min(box.ante, max(total(box.fees) - wanted, 0))
        keep_up_to(box.fees, total(box.fees) - back, "CS-05", exchange.problem)
        paper.mark("CS-05", exchange.problem, "corrected", box=box.number, facts=asked, refund=back)
    for exchange in unserved:
        back = min(box.ante, max(total(box.fees) - wanted, 0))
        keep_up_to(box.fees, total(box.fees) - back, "CS-05", "exchange_not_served")
        paper.mark(
            "CS-05", "exchange_not_served", "corrected", box=box.number, facts=(exchange.asked.fact,), refund=back,
            text="no card came for it",
        )  # fmt: skip
    over = total(box.fees) - wanted
    if over > 0 and (given or paper.deal.closed is not None):
        code = "fee_too_large" if given else "fee_without_exchange"
        keep_up_to(box.fees, wanted, "CS-05", code)
        paper.mark("CS-05", code, "corrected", "bet", box=box.number, facts=facts, live=wanted, refund=over)
    elif lies < wanted and any(exchange.delivered for exchange in given):
        paper.mark(
            "CS-05", "fee_too_small", "ruling_required", "bet", box=box.number, facts=(*asked, *facts), due=wanted
        )  # fmt: skip


def _execution(paper: Paper) -> None:
    """CS-07: one card burned before each, boxes from left to right, the new card face down."""
    deal = paper.deal
    for exchange in deal.served:
        if exchange.problem or exchange.box not in paper.boxes:
            continue
        burns, got = exchange.burns, exchange.got[0]
        if len(burns) != 1:
            code = "burn_missing" if not burns else "burn_doubled"
            paper.mark("CS-07", code, "breach", box=exchange.box, facts=(*_facts(burns), got.fact))
        elif burns[0].seq is not None and got.seq is not None and got.seq != burns[0].seq + 1:
            paper.mark("CS-07", "not_the_card_after", "breach", box=exchange.box, facts=(burns[0].fact, got.fact))
        if got.face == "up":
            _exposed(paper, exchange.box, got.fact)
    order = [exchange.box for exchange in deal.served if not exchange.problem]
    for before, after in pairwise(order):
        if after < before:
            facts = tuple(exchange.got[0].fact for exchange in deal.served if exchange.box in (before, after))
            paper.mark("CS-07", "exchange_out_of_order", "breach", box=after, facts=facts)
    waits = any(not exchange.delivered and not exchange.problem for exchange in deal.exchanges)
    if deal.burns and not (waits and deal.closed is None):
        paper.mark("CS-07", "burn_without_exchange", "breach", "round", facts=_facts(deal.burns))


def _exposed(paper: Paper, box: int | None, fact: Fact) -> None:
    """C17: a new card that the dealer turned up stands, or is a misdeal where the house says so."""
    if paper["cs.exchange.exposed"] == "misdeal" and not _after_close(paper, fact):
        paper.mark("CS-07", "exchanged_card_exposed", "misdeal", "round", box=box, facts=(fact,))
        paper.everything_back("misdeal", "CS-07", "exchanged_card_exposed")
    else:
        paper.mark("CS-07", "exchanged_card_exposed", "breach", box=box, facts=(fact,))


def exposed_in_exchange(paper: Paper, note: Noted) -> None:
    """A new card that became visible after it lay."""
    _exposed(paper, box_number(note.event.place or ""), note.fact)


def _after_close(paper: Paper, fact: Fact) -> bool:
    closed = paper.deal.closed
    return closed is not None and bool(paper.earlier(closed.fact, fact))


def _facts(cards: Iterable[Laid]) -> tuple[Fact, ...]:
    return tuple(card.fact for card in cards)


# The dealer's turn ----------------------------------------------------------------------------------------------------


def _reveal(paper: Paper) -> None:
    """CS-10: the dealer turns his cards when all boxes have decided."""
    turned, closed = paper.deal.dealer_turned, paper.deal.closed
    if turned is None:
        return
    if closed is None:
        undecided = [box.number for box in paper.boxes.values() if not _decided_by(paper, box, turned.fact)]
        if not undecided:
            paper.unverified("CS-10", "early_reveal", facts=(turned.fact,))
            return
    else:
        before = paper.earlier(turned.fact, closed.fact)
        if before is None:
            paper.unverified("CS-10", "early_reveal", facts=(turned.fact, closed.fact))
        if not before:
            return
    if paper["cs.early_reveal"] == "misdeal":
        paper.mark("CS-10", "early_reveal", "misdeal", "round", facts=(turned.fact,))
        paper.everything_back("misdeal", "CS-10", "early_reveal")
    else:
        paper.mark("CS-10", "early_reveal", "ruling_required", "round", facts=(turned.fact,))


def _decided_by(paper: Paper, box: Box, turned: Fact) -> bool:
    facts = [part.stake.fact for part in box.bets]
    facts += [note.fact for note in _own(paper, box) if note.event.choice == FOLD]
    return any(paper.earlier(fact, turned) for fact in facts)
