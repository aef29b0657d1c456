"""From a hand as it was played to its settlement: one line a seat, one pot a layer. Generic over how hands rank."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import add

from msgspec import Struct
from msgspec.structs import replace

from events.values.places import FLOAT, SEATS
from games.shared.poker.betting import NOBODY
from games.shared.poker.hand import Hand, Terms, button_place
from games.shared.poker.pots import Layer, RakeTerms, rakes
from games.shared.poker.showdown import Keys, Money, Outcome, settle
from games.verdict import Line, Pot, Settlement

Evaluate = Callable[[Hand, int], Keys | None]
"""The keys of the hand at a position, one a part of the pots; None if its cards are not known."""


class Claims(Struct, frozen=True, gc=False):
    """Who competes, by position. `known` false: the record does not tell which hands or cards these are."""

    keys: dict[int, Keys]
    mucked: frozenset[int]
    known: bool


_NOBODY: frozenset[int] = frozenset()


def tabled(hand: Hand, place: int, cards: int) -> bool:
    """Whether all cards of a hand lie open; a hand that was shown and that no record names does too."""
    shown = hand.shown[place]
    return len(shown) >= cards or (not shown and place in hand.shows)


def claims(hand: Hand, terms: Terms, evaluate: Evaluate, *, finished: bool, private: bool = False) -> Claims:
    """The hands that compete: those tabled; if none is, the only one not mucked.

    `finished`: nothing more is to come, so that a hand neither tabled nor mucked is passed over (NL-28). `private`:
    where nobody tabled and nobody mucked on record, the cards dealt decide: a history that names them all and says
    nothing of the showdown. At a table what never lay open claims nothing (NL-37), and nobody can tell.
    """
    if hand.out.count(False) == 1:
        return Claims({hand.out.index(False): (0,)}, _NOBODY, True)
    left = hand.left
    mucked = frozenset(place for place in left if hand.gone[place] == "mucked")
    if not hand.ready:
        return Claims({}, mucked, False)
    standing = [place for place in left if place not in mucked]
    open_ = [place for place in standing if tabled(hand, place, terms.hole)]
    if hand.aside:
        open_ = sorted({*open_, *_absent(hand, standing, evaluate)})
    if open_ and len(open_) < len(standing) and not finished:
        return Claims({}, mucked, False)
    if not open_:
        if len(standing) < 2:
            return Claims(dict.fromkeys(standing, (0,) * max(hand.runs, 1)), mucked, True)
        if not private:
            return Claims({}, mucked, False)
        open_ = standing
    keys: dict[int, Keys] = {}
    for place in open_:
        key = evaluate(hand, place)
        if key is None:
            return Claims({}, mucked, False)
        keys[place] = key
    return Claims(keys, mucked, True)


def _absent(hand: Hand, standing: Sequence[int], evaluate: Evaluate) -> list[int]:
    """Hands of players expelled since: who is not there to show his is paid if it wins all the same (NL-43)."""
    seats = {seat for seat, _stack in hand.aside}
    return [place for place in standing if hand.seats[place] in seats and evaluate(hand, place) is not None]


def outcome(hand: Hand, terms: Terms, found: Claims, parts: int = 1, raked: Sequence[int] | None = None) -> Outcome:
    """What the rules make of the hand's money. `raked`: what each pot pays, where it is not what the rules say."""

    def rake(pots: Sequence[Layer], returned: int) -> list[int]:
        if raked is not None:
            return list(raked)
        if terms.rake is None:
            return recorded_rakes(hand, pots, terms)
        return rakes(pots, terms.rake, returned=returned, flop_seen=bool(hand.board))

    antes = layered_antes(hand)
    dead = sum(hand.dead) + hand.added + (0 if antes else sum(hand.antes))
    money = Money(hand.live, hand.out, dead, antes)
    first = button_place(hand, terms.heads_up) + 1 if len(found.keys) > 1 else 0  # only shares have odd chips
    return settle(money, found.keys, first, terms.unit, rake, mucked=found.mucked, parts=parts)


def layered_antes(hand: Hand) -> list[int] | None:
    """Antes that are layered before the bets; None where one that some did not pay, with chips to pay it, is dead
    money of all (a newcomer's, or a dead blind that a history tells as an ante)."""
    if not any(hand.antes):
        return None
    most = max(hand.antes)
    for place, paid in enumerate(hand.antes):
        if paid < most and hand.start[place] > paid + hand.dead[place]:
            return None
    return hand.antes


def recorded_rakes(hand: Hand, pots: Sequence[Layer], terms: Terms) -> list[int]:
    """What was taken: from the pots that the record names; a total that names none as the rake algorithm lays it."""
    taken = [0] * len(pots)
    if not hand.raked:
        return taken
    rest = 0
    names = pot_names(len(pots))
    for name, amount in hand.raked:
        if name in names:
            taken[names.index(name)] += amount
        else:
            rest += amount
    if rest > 0:
        free = [Layer(max(pot.amount - had, 0), pot.eligible) for pot, had in zip(pots, taken, strict=True)]
        taken = list(map(add, taken, _laid_over(rest, free, terms)))
    return taken


def with_rake_left(hand: Hand, terms: Terms, found: Claims, result: Outcome, due: Settlement, parts: int) -> Settlement:
    """A closed hand's settlement in which the house leaves rake that it did not take with who wins the pot (NL-33).

    Not where chips of a bet are missing or were kept: its rake is wrong with the bet.
    """
    if terms.rake is None or not (hand.closed and result.rake) or any(hand.apart):
        return due
    pots = [Layer(pot.amount, pot.eligible) for pot in result.pots]
    names = pot_names(len(pots))
    if hand.raked:
        total = sum([amount for _pot, amount in hand.raked])
        if total >= result.rake and not any(pot in names for pot, _amount in hand.raked):
            return due
        laid = recorded_rakes(hand, pots, terms)
    else:  # what lies in no award may be a rake that nobody recorded
        total = max(hand.contributed - sum(hand.won) - sum(hand.back), 0)
        if total >= result.rake:
            return due
        laid = _laid_over(total, pots, terms)
    taken = [min(was, pot.rake) for was, pot in zip(laid, result.pots, strict=True)]
    if sum(taken) == result.rake:
        return due
    more = {line.stake: line.paid for line in settlement(hand, outcome(hand, terms, found, parts, taken)).lines}
    lines = [replace(line, waived=more.get(line.stake, 0) - line.paid) for line in due.lines]
    return replace(due, lines=tuple(lines))


def _laid_over(total: int, pots: Sequence[Layer], terms: Terms) -> list[int]:
    """A rake cut into pots, the main pot first: as if its rate were the edition's and its cap what was taken; where
    more was taken than that rate gives, the rate that gives it."""
    whole = sum(pot.amount for pot in pots)
    if not whole:
        return [0] * len(pots)
    rate = max(terms.rate_bp, -(-total * 10_000 // whole))
    found = rakes(pots, RakeTerms(rate_bp=rate, cap=total, unit=terms.unit))
    short = total - sum(found)
    for number in reversed(range(len(pots))):
        more = min(short, pots[number].amount - found[number])
        found[number] += more
        short -= more
    return found


def pot_names(count: int) -> list[str]:
    """`main`, `side 1`, `side 2`, …"""
    if count == 1:
        return ["main"]
    return ["main", *(f"side {number}" for number in range(1, count))][:count]


def settlement(hand: Hand, result: Outcome, known: bool = True) -> Settlement:
    """One line a seat that put something in or gets something. Pots that nobody tabled a hand for are `held`."""
    names = [SEATS[seat] for seat in hand.seats]
    paid = [0] * len(names)
    pots = []
    rake = 0
    for name, pot in zip(pot_names(len(result.pots)), result.pots, strict=True):
        awards = {}
        rake += pot.rake
        for place, amount in pot.shares.items():
            paid[place] += amount
            awards[names[place]] = amount
        eligible = tuple([names[place] for place in pot.eligible])
        pots.append(Pot(name=name, amount=pot.amount, eligible=eligible, rake=pot.rake, awards=awards))
    held = _held(hand, result)
    back, returned_to = result.returned, result.returned_to
    players, dead, antes = hand.players, hand.dead, hand.antes
    lines = []
    for place, live in enumerate(hand.live):
        staked = live + dead[place] + antes[place]
        if staked or paid[place]:
            returned = back if place == returned_to else 0
            waits = held.get(place, 0) if held else 0
            taken = staked - returned - waits
            lines.append(Line(names[place], players[place], staked, taken, returned, paid[place], waits))
    if hand.added:  # what the house put in is won with the rest
        waits = held.get(NOBODY, 0)
        lines.append(Line(FLOAT, "", hand.added, hand.added - waits, held=waits))
    return Settlement(lines=tuple(lines), rake=rake, pots=tuple(pots), known=known)


def _held(hand: Hand, result: Outcome) -> dict[int, int]:
    """Chips of open pots by the seats that put most in: a person decides about them."""
    held: dict[int, int] = {}
    waiting = 0
    for pot in result.pots:
        if pot.open:
            waiting += pot.amount - pot.rake
    if not waiting:
        return held
    staked = [live + dead + ante for live, dead, ante in zip(hand.live, hand.dead, hand.antes, strict=True)]
    if result.returned:
        staked[result.returned_to] -= result.returned
    for place in sorted(range(len(staked)), key=lambda place: -hand.live[place]):
        part = min(staked[place], waiting)
        if part:
            held[place] = part
            waiting -= part
    if waiting:
        held[NOBODY] = waiting
    return held


def unsettled(hand: Hand) -> Settlement:
    """The hand's money while nobody can tell who gets it: all of it waits."""
    lines = tuple(
        Line(stake=f"seat/{seat}", player=hand.players[place], staked=staked, held=staked)
        for place, seat in enumerate(hand.seats)
        if (staked := hand.live[place] + hand.dead[place] + hand.antes[place])
    )
    if hand.added:
        lines += (Line(FLOAT, "", hand.added, held=hand.added),)
    return Settlement(lines=lines, known=False)


def refunded(hand: Hand) -> Settlement:
    """A voided hand: everybody gets back what he put in, blinds and dead money too; the rake goes back."""
    lines = tuple(
        Line(stake=f"seat/{seat}", player=hand.players[place], staked=staked, returned=staked)
        for place, seat in enumerate(hand.seats)
        if (staked := hand.live[place] + hand.dead[place] + hand.antes[place])
    )
    if hand.added:
        lines += (Line(FLOAT, "", hand.added, returned=hand.added),)
    return Settlement(lines=lines)
