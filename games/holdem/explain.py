"""The figures on which rules rest in a hand, in words, whether they were kept or not: `recoup why NL-1#5 NL-31`.

What is told is what `due` and the checks worked with; nothing is computed another way. Of cards only those are named
that lay open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from events.values.money import money_text
from games.holdem.conduct_rules import no_last_call
from games.holdem.payouts import all_boards, best_of_all, evaluate
from games.holdem.state import evolve
from games.protocol import Round
from games.shared.poker.betting import NOBODY, NOT_SINCE
from games.shared.poker.events import PostKind
from games.shared.poker.hand import STREETS, Hand, blinds_due, button_place, deal_order
from games.shared.poker.pots import RakeTerms
from games.shared.poker.ranks import best_holding, hand_name
from games.shared.poker.settling import tabled
from games.shared.poker.softplay import LAST_STREET
from games.shared.poker.story import odd_actions
from games.shared.poker.table import Session
from games.verdict import Pot

_PERCENT = 100
"""Basis points in a per cent."""


def explain(round_: Round[Session], rule: str) -> tuple[str, ...]:
    """The figures that a rule rests on in a hand, a line each; empty where it rests on none."""
    hand = round_.session.hand
    teller = _TELLERS.get(rule)
    if teller is None or hand is None or hand.name != round_.name:
        return ()
    return tuple(teller(round_, hand))


def _money(round_: Round[Session], amount: int) -> str:
    return money_text(amount, round_.session.currency)


def _seat(stake: str) -> str:
    return stake.replace("seat/", "seat ")


def _seats(stakes: Iterator[str] | list[str] | tuple[str, ...]) -> str:
    """`seats 2, 5`, `seat 2`."""
    numbers = [stake.removeprefix("seat/") for stake in stakes]
    return f"seat{'' if len(numbers) == 1 else 's'} {', '.join(numbers)}"


def _cards(cards: tuple[str, ...]) -> str:
    return " ".join(cards)


# --- pots (NL-24) ---


def _pots(round_: Round[Session], hand: Hand) -> Iterator[str]:
    """Every pot, who may win it and whom it goes to; what nobody called."""
    if not round_.due.pots:
        yield "this hand has no pot that anybody could win"
        return
    for pot in round_.due.pots:
        rake = f", {_money(round_, pot.rake)} of it rake" if pot.rake else ""
        may = _seats(pot.eligible) if pot.eligible else "nobody"
        yield f"{pot.name} pot: {_money(round_, pot.amount)}{rake}; {may} can win it; {_goes(round_, pot)}"
    for line in round_.due.lines:
        if line.returned:
            yield f"uncalled, back to {_seat(line.stake)}: {_money(round_, line.returned)}"
    folded = [f"seat/{seat}" for place, seat in enumerate(hand.seats) if hand.out[place] and hand.live[place]]
    if folded:
        yield f"folded or dead, with chips in the pots that they cannot win: {_seats(folded)}"


def _goes(round_: Round[Session], pot: Pot) -> str:
    if not pot.awards:
        return "it goes to nobody yet"
    return "due: " + ", ".join(f"{_money(round_, amount)} to {_seat(who)}" for who, amount in pot.awards.items())


# --- tabled hands (NL-29) ---


def _tabled_hands(round_: Round[Session], hand: Hand) -> Iterator[str]:
    """The hands that lay open, by name, the strongest first; who did not table his."""
    keys = {place: key for place in _open(round_, hand) if (key := evaluate(hand, place)) is not None}
    boards = all_boards(hand)
    for place in sorted(keys, key=lambda one: [key or 0 for key in keys[one]]):
        names = [hand_name((*hand.hole[place], *board)) for board in boards]
        yield f"seat {hand.seats[place]}: {_cards(hand.hole[place])} — {'; '.join(names)}"
    if keys:
        yield f"the board: {' / '.join(map(_cards, boards))}"
    for place in hand.left:
        if place not in keys:
            how = "mucked" if hand.gone[place] == "mucked" else "did not table a hand that the record can read"
            yield f"seat {hand.seats[place]} {'won without a showdown' if hand.over else how}"


def _open(round_: Round[Session], hand: Hand) -> list[int]:
    return [place for place in hand.left if tabled(hand, place, round_.session.terms.hole)]


# --- odd chips (NL-31) ---


def _odd_chips(round_: Round[Session], hand: Hand) -> Iterator[str]:
    """Of each pot that is split: who ties, where the button is, in which order odd chips go."""
    split = [pot for pot in round_.due.pots if len(pot.awards) > 1]
    if not split:
        yield "no pot of this hand is split: there are no odd chips"
        return
    session = round_.session
    chip = round_.memo.get("smallest_chip") or session.terms.unit
    button = hand.button or hand.seats[button_place(hand, session.terms.heads_up)]
    for pot in split:
        net, ways = pot.amount - pot.rake, len(pot.awards)
        order = [who.removeprefix("seat/") for who in pot.awards]
        yield f"{pot.name} pot: {_seats(tuple(pot.awards))} tie for {_money(round_, net)}"
        if hand.boards:
            yield f"  it is cut for {len(hand.boards) + 1} boards first: {_goes(round_, pot)}"
            continue
        each = net // (ways * chip) * chip
        left = net - each * ways
        yield f"  the button is at seat {button}; first to its left, odd chips go in the order {', '.join(order)}"
        yield f"  each {_money(round_, each)} in chips of {_money(round_, chip)}; left over: {_money(round_, left)}"
        if left:
            odd = [who for who, amount in pot.awards.items() if amount > each]
            yield f"  the odd {'chip goes' if len(odd) == 1 else 'chips go'} to {_seats(odd)}; {_goes(round_, pot)}"


# --- rake (NL-33) ---


def _rake(round_: Round[Session], hand: Hand) -> Iterator[str]:
    """Base, rate, cap, rounding, and what comes of them."""
    session, due = round_.session, round_.due
    terms = session.terms.rake
    if terms is None:
        yield "the rake is what the record says: no rate was set for this table"
        return
    taken = _money(round_, round_.recorded.rake if round_.recorded else 0)
    if not terms.rate_bp or (terms.no_flop_no_drop and not hand.board):
        why = "no flop, no drop" if terms.rate_bp else "the rate is zero"
        yield f"no rake is due: {why}; taken: {taken}"
        return
    if not due.pots:
        yield f"no pot, so that no rake is due; taken: {taken}"
        return
    pots, back = sum(pot.amount for pot in due.pots), sum(line.returned for line in due.lines)
    base = pots + (back if terms.all_chips_in else 0)
    uncalled = f"; the uncalled {_money(round_, back)} {'is in it' if terms.all_chips_in else 'is not'}" if back else ""
    yield f"base: {_money(round_, base)}, all that the pots hold{uncalled}"
    yield f"rate: {terms.rate_bp / _PERCENT:g} %, which is {_money(round_, terms.rate_bp * base // 10_000)}"
    yield f"cap: {_money(round_, terms.cap) if terms.cap is not None else 'none'}"
    yield f"rounding: {_rounding(round_, terms)}"
    if len(due.pots) > 1:
        each = ", ".join(f"{pot.name} {_money(round_, pot.rake)}" for pot in due.pots)
        yield f"laid on the pots, {terms.allocation.replace('_', ' ')}: {each}"
    yield f"due: {_money(round_, due.rake)}; taken: {taken}"


def _rounding(round_: Round[Session], terms: RakeTerms) -> str:
    chip = _money(round_, round_.memo.get("smallest_chip") or terms.unit)
    return {
        "floor_to_smallest_chip": f"down to whole chips of {chip}",
        "nearest": f"to the nearest chip of {chip}",
        "floor_1_czk": "down to whole units of the currency",
    }[terms.rounding]


# --- soft play (NL-40) ---


def _soft_play(round_: Round[Session], hand: Hand) -> Iterator[str]:
    """Whether the last to act on the river held the unbeatable hand; if not, what beats him."""
    if round_.session.imported:
        yield "an imported hand: soft play is not looked for"
        return
    if no_last_call(round_):
        yield _why_no_last_call(hand)
        return
    place = hand.latest
    if hand.bets.acted[place] == NOT_SINCE:
        yield "all were all in before the river, or nobody was left to bet against: nobody acted on it"
        return
    who = f"seat {hand.seats[place]}, the last to act"
    if len(hand.board) != 5 or evaluate(hand, place) is None:
        yield f"{who}: his cards or the board are not on record, so that nobody can tell"
        return
    best, ties = best_of_all(hand, place)
    open_ = place in _open(round_, hand)
    held = (*hand.hole[place], *hand.board)
    holds = f" holds {_cards(hand.hole[place])}: {hand_name(held)}" if open_ else " did not table his hand"
    yield f"{who},{holds}; the board: {_cards(hand.board)}"
    if best and not (ties and round_.edition["soft_play_exempt_all_tie"]):
        yield "nobody can beat it: he may check or call only if no raise was open to him, or nobody could call one"
    elif best:
        yield "nobody can beat it, and every other holding ties with it: he may check or call"
    else:
        pair = best_holding(hand.hole[place], hand.board)
        yield (
            f"it is not unbeatable: {_cards(pair)} would beat it with {hand_name((*pair, *hand.board))}: "
            "he may check or call"
        )


def _why_no_last_call(hand: Hand) -> str:
    if hand.over:
        return "the hand ended when all but one had folded: nobody ended it with a check or call on the river"
    if hand.street != LAST_STREET:
        return f"the betting ended before the river ({STREETS[hand.street]}): nobody ended it there"
    if hand.betting:
        return "somebody still has to act on the river"
    return "the last action on the river was no check or call of a hand still in"


# --- button and blinds (NL-07, NL-08, NL-09) ---


def _blinds(round_: Round[Session], hand: Hand) -> Iterator[str]:
    """Where the button is and was, who follows it, who owed the blinds and who posted them."""
    heads_up = round_.session.terms.heads_up
    if not hand.seats:
        yield "nobody was dealt in"
        return
    before = round_.before.hand
    if before is not None and before.button and hand.button:
        yield f"the button was at seat {before.button} in the hand before, and is at seat {hand.button}"
    order = [str(hand.seats[place]) for place in deal_order(hand, heads_up)]
    yield f"dealt in, clockwise from the left of the button: seats {', '.join(order)}"
    posted = {kind: (place, amount) for place, kind, amount in hand.posts}
    due = dict(zip(_BLINDS, blinds_due(hand, heads_up), strict=True)) if len(hand.seats) > 1 else {}
    for kind, place in due.items():
        name = kind.replace("_", " ")
        if kind in posted:
            who, amount = posted[kind]
            paid = f"posted by seat {hand.seats[who]}, {_money(round_, amount)}"
            yield f"{name}: due from seat {hand.seats[place]}, {paid}"
        else:
            yield f"{name}: due from seat {hand.seats[place]}, not posted"


_BLINDS: tuple[PostKind, ...] = ("small_blind", "big_blind")


# --- words and chips (NL-22, NL-23, NL-26, NL-34) ---


def _words_and_chips(round_: Round[Session], hand: Hand) -> Iterator[str]:
    """Each action whose words and chips are not the plain ones, and what the rules make of it."""
    odd = odd_actions(round_.facts, round_.session.currency)
    if not odd:
        yield "every bet, raise and call was made plainly: one word, one motion of chips, of the same amount"
        return
    ends = {one.facts[-1].cite: one for one in odd}
    starts = {one.facts[0].cite for one in odd}
    session = before = round_.before
    for fact in round_.facts:
        if fact.cite in starts:
            before = session
        session = evolve(session, fact)
        if fact.cite in ends:
            one = ends[fact.cite]
            yield f"seat {one.seat} {one.text}"
            yield f"  it counts as {_counts_as(round_, before.hand, session.hand, one.seat)}"


def _counts_as(round_: Round[Session], was: Hand | None, now: Hand | None, seat: int) -> str:
    """What an action came to, as the fold has it before and after."""
    place = was.place(seat) if was is not None else NOBODY
    if was is None or now is None or place == NOBODY:
        return "nothing: that seat is not in this hand"
    if any(one.seat == seat for one in now.early):
        return "made out of turn: it waits for its turn"
    if now.out[place] and not was.out[place]:
        return "a fold"
    front, to_match = was.bets.front[place], was.bets.to_match
    total = front + now.live[place] - was.live[place]
    if total > to_match:
        return f"{'a raise to' if to_match else 'a bet of'} {_money(round_, total)}"
    if now.actions == was.actions:
        return "no action yet"
    return f"a call: {_money(round_, total)} in front of him" if total > front or to_match > front else "a check"


_TELLERS: dict[str, Callable[[Round[Session], Hand], Iterator[str]]] = {
    "NL-07": _blinds,
    "NL-08": _blinds,
    "NL-09": _blinds,
    "NL-22": _words_and_chips,
    "NL-23": _words_and_chips,
    "NL-24": _pots,
    "NL-26": _words_and_chips,
    "NL-29": _tabled_hands,
    "NL-31": _odd_chips,
    "NL-33": _rake,
    "NL-34": _words_and_chips,
    "NL-40": _soft_play,
}
