"""What was paid otherwise than due, taken apart: bets that were not put right, rake, chips unaccounted for, returns,
pots that went to the wrong hands. Each part has the rule that fixes it; together they are a seat's difference."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from games.protocol import Round
from games.shared.poker.hand import Hand, Terms
from games.shared.poker.settling import tabled
from games.shared.poker.table import Session
from games.verdict import Settlement


class Wrong(Struct, frozen=True, gc=False):
    """One part of a difference between what was paid and what is due; `money` minor units, positive: owed to the seat.

    `rule` is empty where it is the one by which a bet was read: chips that an action owes or gets back, and what a pot
    with or without them changed for others (`betting_rules`).
    """

    rule: str
    code: str
    stake: str = ""
    player: str = ""
    money: int = 0
    remedy: dict[str, Any] = {}


def wrongs(round_: Round[Session]) -> tuple[Wrong, ...]:
    """Every difference of a closed hand, each part with the rule that fixes it; computed once a round."""
    memo = round_.memo
    if "wrongs" not in memo:
        memo["wrongs"] = tuple(_wrongs(round_))
    found: tuple[Wrong, ...] = memo["wrongs"]
    return found


def _wrongs(round_: Round[Session]) -> Iterator[Wrong]:
    hand, due, paid = round_.session.hand, round_.due, round_.recorded
    if hand is None or hand.name != round_.name or paid is None or not due.known or not hand.closed:
        return
    apart = round_.differences
    if not apart and (paid.rake == due.rake or not due.pots):
        return
    parts = _Parts(hand, due, apart)
    if not due.pots:
        yield from parts.bets()
        return
    if paid.rake < due.rake and not parts.bet:
        yield Wrong("NL-33", "under_rake", remedy={"over": paid.rake - due.rake})
    over = paid.rake - due.rake + sum([line.waived for line in due.lines])  # what is left with the winners is settled
    waits = any(line.held for line in due.lines)
    unaccounted = 0 if waits else sum(apart.values()) - over
    back = _with_the_pot(apart, unaccounted)
    place = {stake: number for number, stake in enumerate(apart)}
    every = list(parts.of(over, unaccounted, round_.session.terms, paid))
    for wrong in sorted(every, key=lambda one: place.get(one.stake, len(place))):
        yield wrong if not (back and wrong.rule and wrong.stake) else _moved(wrong, back)


def _moved(wrong: Wrong, back: list[dict[str, Any]]) -> Wrong:
    remedy = {**wrong.remedy, "moves": back}
    return Wrong(wrong.rule, wrong.code, wrong.stake, wrong.player, wrong.money, remedy)


class _Parts:
    """The differences of a hand, by stake: `bet` chips of an action, `rest` what pots paid or gave back."""

    def __init__(self, hand: Hand, due: Settlement, apart: dict[str, int]) -> None:
        self.hand = hand
        self.due = due
        self.apart = apart
        self.bet: dict[str, int] = {}
        self.back: dict[str, int] = {}
        self.rest: dict[str, int] = {}
        self.players = {line.stake: line.player for line in due.lines}
        returned = {line.stake: line.returned for line in due.lines}
        for stake, money in apart.items():
            place = hand.place(int(stake[5:])) if stake[:5] == "seat/" and stake[5:].isdigit() else -1
            bet = hand.apart[place] if place >= 0 else 0
            back = returned.get(stake, 0) - hand.back[place] if place >= 0 else 0
            award = money - bet - back
            # What he owes would have come back uncalled; what came back was his award.
            bet, back = _offset(bet, back)
            award, back = _offset(award, back)
            if bet:
                self.bet[stake] = bet
            if back < 0:
                self.back[stake] = back
            self.rest[stake] = award + max(back, 0)

    def of(self, over: int, unaccounted: int, terms: Terms, paid: Settlement) -> Iterator[Wrong]:
        """All parts. `over`: rake taken beyond what is due; `unaccounted`: chips of the pot that went nowhere."""
        for stake, money in self.back.items():
            yield self._wrong("NL-02", "returned_too_much", stake, money)
            unaccounted -= money
        if self.bet:
            if over:
                yield Wrong("", "rake_of_wrong_bet", remedy={"over": over})
        elif over > 0:
            yield from self._shared("NL-33", "over_rake", over, {"over": over})
        yield from self._shared("NL-02", "unaccounted", unaccounted, {})
        rest = {stake: money for stake, money in self.rest.items() if money}
        if min(rest.values(), default=0) < 0 < max(rest.values(), default=0) or (rest and not self.bet):
            rule, code = _split(self.hand, terms, self.due, paid, rest)
            for stake, money in rest.items():
                yield self._wrong(rule, code, stake, money)
            rest = {}
        for stake, money in rest.items():
            # All right but for the bets: what is wrong with a pot goes against what its winner owes or gets back.
            self.bet[stake], rest[stake] = _offset(self.bet.get(stake, 0), money)
        yield from self.bets()
        for stake, money in rest.items():
            if money:
                yield self._wrong("", "award_with_wrong_bet", stake, money)

    def bets(self) -> Iterator[Wrong]:
        """Chips of actions that were kept or never put in."""
        for stake, money in self.bet.items():
            if money > 0:
                yield self._wrong("", "change_kept", stake, money, {"returned": money})
            elif money:
                yield self._wrong("", "owed_not_put_in", stake, money, {"add": -money})

    def _shared(self, rule: str, code: str, total: int, remedy: dict[str, Any]) -> Iterator[Wrong]:
        """A total that seats bear by what they miss or have too much; by none of them what no seat explains."""
        sign = -1 if total < 0 else 1
        shares = {stake: money for stake, money in self.rest.items() if money * sign > 0}
        whole = sum(shares.values())
        given = total if self.bet and whole else sign * min(total * sign, whole * sign)
        left = given
        for number, (stake, money) in enumerate(shares.items(), 1):
            part = left if number == len(shares) else given * money // whole
            left -= part
            self.rest[stake] -= part
            if part:
                yield self._wrong(rule, code, stake, part, remedy)
        if total != given:
            yield Wrong(rule, code, remedy=remedy or {code: total - given})

    def _wrong(self, rule: str, code: str, stake: str, money: int, remedy: dict[str, Any] | None = None) -> Wrong:
        return Wrong(rule, code, stake, self.players.get(stake, ""), money, remedy or {})


def _offset(one: int, other: int) -> tuple[int, int]:
    """Two amounts of which one cancels the other as far as it goes."""
    if (one < 0) == (other < 0):
        return one, other
    both = min(abs(one), abs(other))
    return (one + both, other - both) if one < 0 else (one - both, other + both)


def moves(apart: dict[str, int]) -> list[dict[str, Any]]:
    """Chips from who got too much to who got too little, each in the order of the seats; minor units."""
    return _moves(apart)[0]


def _moves(apart: dict[str, int]) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """The same, and what who got too much has left."""
    left = {stake: -money for stake, money in apart.items() if money < 0}
    found: list[dict[str, Any]] = []
    for stake, money in apart.items():
        owed = money
        for giver, has in left.items():
            amount = min(owed, has)
            if amount > 0:
                found.append({"from": giver, "to": stake, "amount": amount})
                left[giver] -= amount
                owed -= amount
    return found, left


def _with_the_pot(apart: dict[str, int], unaccounted: int) -> list[dict[str, Any]]:
    """The moves that set a hand right; where more left the pot than lay there, the rest goes back into it."""
    found, left = _moves(apart)
    if found and unaccounted < 0:
        found += [{"from": giver, "to": "pot", "amount": amount} for giver, amount in left.items() if amount]
    return found


def _split(hand: Hand, terms: Terms, due: Settlement, paid: Settlement, apart: dict[str, int]) -> tuple[str, str]:
    """Which rule a wrong split breaks: the most exact that explains it."""
    if len(hand.left) < 2:
        return "NL-32", "last_player"
    places = {f"seat/{seat}": place for place, seat in enumerate(hand.seats)}
    winners = {line.stake for line in due.lines if line.paid}
    got = {line.stake for line in paid.lines if line.paid}
    over = [stake for stake, money in apart.items() if money < 0 and stake in got]
    if any(stake not in places or hand.out[places[stake]] for stake in over):
        return "NL-32", "award_to_dead_hand"
    tied = {stake for pot in due.pots if len(pot.awards) > 1 for stake in pot.awards}
    ties = sum(len(pot.awards) > 1 for pot in due.pots)
    if winners == got and max(map(abs, apart.values())) <= terms.unit * ties:
        return "NL-31", "odd_chip"
    shown = [stake for stake in over if tabled(hand, places[stake], terms.hole)]
    if over and not shown and any(tabled(hand, place, terms.hole) for place in hand.left):
        return "NL-28", "award_to_untabled"
    if any(money > 0 and hand.gone[places[stake]] == "killed" for stake, money in apart.items() if stake in places):
        return "NL-37", "killed_hand_not_paid"
    was = {line.stake: line.paid for line in paid.lines}
    if len(due.pots) > 1 and any(
        was[stake] > sum(pot.amount - pot.rake for pot in due.pots if stake in pot.eligible) for stake in over
    ):
        return "NL-24", "side_pot"
    if winners == got and len(winners) > 1:
        return ("NL-32", "wrong_split") if len(due.pots) == 1 else ("NL-24", "side_pot")
    if got < winners and any(money > 0 and stake in tied for stake, money in apart.items()):
        return "NL-29", "split_missed"
    if winners < got and len(due.pots) == 1:
        return "NL-29", "split_of_unequal_hands"
    return "NL-37", "wrong_winner"
