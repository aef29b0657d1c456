"""What each stake comes to: the settlement table of blackjack.md section 2, per player and hand (BJ-29, 43 to 47)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from games.blackjack.bets import BET, Bets
from games.blackjack.hands import EVEN_MONEY, EXPELLED, SURRENDER, Hand, Play
from games.blackjack.legality import counts_sevens, paid_at_once
from games.blackjack.table import Session
from games.blackjack.totals import TWENTY_ONE, dealer_stands, is_21_in_two, is_known, total
from games.shared.bank.parts import Part, line_of, spread
from games.shared.lines import merged
from games.shared.marks import Mark
from games.verdict import Line

RULE_OF = {
    "bust": "BJ-29", SURRENDER: "BJ-34", EVEN_MONEY: "BJ-36", "blackjack": "BJ-44", "blackjack_push": "BJ-38",
    "dealer_blackjack": "BJ-47", "triple7_won": "BJ-46", "triple7_tied": "BJ-46", "triple7_lost": "BJ-46",
    "triple7_first": "BJ-37", EXPELLED: "BJ-16", "win": "BJ-43", "push": "BJ-43", "lose": "BJ-43",
}  # fmt: skip
"""Outcome → the rule that fixes its money."""

NAMES = {"blackjack_push": "push", "dealer_blackjack": "lose"}


class Result(Struct, frozen=True):
    """What a player's stake on a hand came to. `code` as the catalogue names it; empty while it is open."""

    box: int
    hand: int
    player: str
    code: str


class Outcomes(Struct):
    """A round's lines by stake, in the order placed; `known` false while one is open.

    `halves`: stakes whose exact win or half is no whole minor unit: the line with one more (BJ-A41). `at_once`: stakes
    on three sevens: what was won whatever the dealer drew, minor units (BJ-37).
    """

    lines: dict[str, Line]
    results: list[Result]
    marks: list[Mark]
    halves: dict[str, Line]
    at_once: dict[str, int]
    known: bool = True


class Dealer:
    """The dealer's hand as the players' are compared with it. `final`: nothing will change it."""

    def __init__(self, names: list[str], *, final: bool) -> None:
        self.points = total(names).points
        self.blackjack = is_21_in_two(names)
        self.bust = self.points > TWENTY_ONE
        self.two = len(names) >= 2 and is_known(names[:2])
        self.final = is_known(names) and len(names) >= 2 and (final or dealer_stands(names))
        self.upcard = names[0][0] if names else ""


def outcomes(session: Session, bets: Bets, play: Play, *, as_it_lies: bool = False) -> Outcomes:
    """Every stake's line; `as_it_lies`: the dealer's hand is taken as final though he stopped too early."""
    return _Settler(session, bets, play, as_it_lies=as_it_lies).run()


class _Settler:
    def __init__(self, session: Session, bets: Bets, play: Play, *, as_it_lies: bool) -> None:
        self.house: Callable[[str], Any] = session.edition.__getitem__
        self.pays = session.edition.constants.pays
        self.bets, self.play = bets, play
        self.dealer = Dealer(play.dealer_names, final=as_it_lies)
        # While a hand waits for a card or a decision, the dealer's is not compared with any.
        self.played_out = play.waits is None or play.waits.place == "dealer" or as_it_lies
        self.found = Outcomes(lines={}, results=[], marks=[], halves={}, at_once={})

    def run(self) -> Outcomes:
        """All stakes: those on hands, insurance, and what was void from the start."""
        lines: dict[int, Line] = {}
        for box, at, hand in self.play.all_hands():
            for player in hand.players:
                for part, line in self._on_hand(box, at, hand, player):
                    lines[id(part)] = line
        for part in self.play.insurance:
            if part.open:
                lines[id(part)] = self._insured(part)
        every = [*self.bets.parts, *self.play.extras, *self.play.insurance]
        every.sort(key=lambda part: part.stake.order)
        listed = tuple(lines[id(part)] if id(part) in lines else self._void_or_open(part) for part in every)
        self.found.lines = {line.stake: line for line in merged(listed)}
        return self.found

    def _void_or_open(self, part: Part) -> Line:
        if part.open:
            self.found.known = False
        return line_of(part, _what(part.stake.box, 0, part.stake.spot))

    def _on_hand(self, box: int, at: int, hand: Hand, player: str) -> Iterator[tuple[Part, Line]]:
        """A player's stakes on a hand: one outcome, its money shared out."""
        parts = hand.of(player)
        code = self._code(hand, player)
        self.found.results.append(Result(box, at, player, NAMES.get(code, code)))
        rule = RULE_OF.get(code, "")
        if rule in ("BJ-43", "BJ-47"):
            rule = hand.refused.get(player, rule)
        share = [part.live for part in parts]
        win, odd = self._win(code, sum(share))
        paid, lost = spread(win, share), self._lost(code, parts)
        if code == SURRENDER:
            half, odd = divmod(sum(share), 2)
            lost = spread(half, share)
        waits = code in ("", "triple7_first")
        self.found.known = self.found.known and not waits
        where = _what(box, at if len(self.play.hands[box]) > 1 else 0, "")
        for part, won, taken in zip(parts, paid, lost, strict=True):
            held = part.amount if waits else 0
            line = Line(
                stake=part.stake.id, player=player, staked=part.amount, taken=taken,
                returned=part.amount - taken - held, paid=won, held=held, what=where + _spot(part.stake.spot),
                rule=rule, reasons=tuple(part.reasons),
            )  # fmt: skip
            if code.startswith("triple7"):
                self.found.at_once[line.stake] = won // 2 if code == "triple7_won" else won
            if odd:
                self._half(line, rule, parts[0])
                odd = 0
            yield part, line

    def _half(self, line: Line, rule: str, part: Part) -> None:
        """Half a minor unit: a person says which of its neighbours is due (BJ-A41)."""
        if rule == "BJ-34":
            other = replace(line, taken=line.taken + 1, returned=line.returned - 1)
        else:
            other = replace(line, paid=line.paid + 1)
        self.found.halves[line.stake] = other
        self.found.marks.append(
            Mark(
                rule=rule, code="half_unit", kind="ruling_required", scope="bet", subject=line.stake,
                player=line.player, facts=(part.stake.fact,), text="the exact amount ends in half a minor unit",
            )
        )  # fmt: skip

    def _win(self, code: str, stake: int) -> tuple[int, int]:
        """What is paid on top of a stake, and whether half a unit is left over."""
        win, rest = divmod(stake * self._ratio(code)[0], self._ratio(code)[1])
        return win, rest

    def _ratio(self, code: str) -> tuple[int, int]:
        pays: dict[str, tuple[int, int]] = self.pays
        ties_pay = self.house("blackjack.push_effect") == "pay_1_1"
        if code == "win" or (code == "push" and ties_pay):
            return pays["win"]
        if code in ("blackjack", EVEN_MONEY):
            return pays[code]
        if not code.startswith("triple7"):
            return (0, 1)
        win, of = pays["three_sevens"]
        return (2 * win, of) if code == "triple7_won" else (win, of)

    def _lost(self, code: str, parts: list[Part]) -> list[int]:
        """What is taken of each stake; the dealer's blackjack leaves extra stakes where the house says so (BJ-A09)."""
        if code not in ("bust", "lose", "dealer_blackjack", "triple7_lost"):
            return [0] * len(parts)
        original_only = (
            code in ("dealer_blackjack", "triple7_lost") and self.house("blackjack.dealer_bj_takes") == "original_only"
        )
        return [0 if original_only and part.stake.spot != BET else part.live for part in parts]

    def _code(self, hand: Hand, player: str) -> str:
        """The outcome of a player's stake on a hand; empty while it is open."""
        if player in hand.gone:
            return hand.gone[player]
        if hand.box in self.play.unread:
            return ""
        if not is_known(hand.names) or len(hand.cards) < 2:
            return ""
        if hand.bust:
            return "bust"
        if hand.is_blackjack(after_split=self.house("blackjack.bj_after_split")):
            return self._blackjack()
        if counts_sevens(self.house, hand):
            return self._sevens() if self.played_out and self.dealer.final else "triple7_first"
        if not self.played_out or not self.dealer.final:
            return ""
        return self._compared(hand.points)

    def _blackjack(self) -> str:
        """At once, unless the dealer may have one too (BJ-38)."""
        dealer = self.dealer
        if not self.play.dealt:
            return ""
        if paid_at_once(self.house, dealer.upcard):
            return "blackjack"
        if not dealer.two:
            return ""
        if dealer.blackjack:
            return "blackjack_push"
        if self.house("blackjack.blackjack_beats_21"):
            return "blackjack"
        if not dealer.final:
            return ""
        return "push" if dealer.points == TWENTY_ONE else "blackjack"

    def _sevens(self) -> str:
        """The second payment (BJ-46)."""
        if self.dealer.blackjack:
            return "triple7_lost"
        return "triple7_tied" if self.dealer.points == TWENTY_ONE else "triple7_won"

    def _compared(self, points: int) -> str:
        dealer = self.dealer
        if dealer.blackjack and (points < TWENTY_ONE or self.house("blackjack.blackjack_beats_21")):
            return "dealer_blackjack"
        if dealer.bust or points > dealer.points:
            return "win"
        return "push" if points == dealer.points else "lose"

    def _insured(self, part: Part) -> Line:
        """2:1 on the dealer's blackjack, lost without (BJ-45)."""
        what = _what(part.stake.box, 0, part.stake.spot)
        if not self.dealer.two:
            self.found.known = False
            return line_of(part, what)
        won = self.dealer.blackjack
        win, of = self.pays["insurance"]
        return Line(
            stake=part.stake.id, player=part.stake.player, staked=part.amount, taken=0 if won else part.live,
            returned=part.amount if won else part.amount - part.live, paid=part.live * win // of if won else 0,
            what=what, rule="BJ-45", reasons=tuple(part.reasons),
        )  # fmt: skip


def _what(box: int, hand: int, spot: str) -> str:
    """`box 3`, `box 3.2 double`: what a person calls the stake."""
    return (f"box {box}.{hand}" if hand else f"box {box}") + _spot(spot)


def _spot(spot: str) -> str:
    return "" if spot in ("", BET) else f" {spot}"
