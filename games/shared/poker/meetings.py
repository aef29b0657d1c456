"""Who met whom in a hand: who faced whose bet and what he did, who was left alone with whom, who raised beside whom.

Looked on while the hand is folded: `Watch.see` after each fact, `Watch.seen` at its end.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from msgspec import Struct

from games.shared.poker.betting import NOBODY, NOT_SINCE
from games.shared.poker.hand import STREETS, Hand, button_place
from games.shared.poker.ranks import rank_key
from games.shared.poker.softplay import LAST_STREET

LATE = 2
"""Button and the seat before it."""


class Response(NamedTuple):
    """Somebody acts and has another's bet or raise to match, the last of this street. `when`: what else his answer
    depends on, be it whose bet it is: the street, where both sit, how many are in. `again`: that bet was a raise of a
    bet already. `paid`: he had put chips in of his own will before. `open`: he could have raised, and somebody had
    chips to answer. `board`: as it lay then."""

    place: int
    against: int
    when: str
    word: Literal["fold", "call", "raise"]
    again: bool
    paid: bool
    open: bool
    board: tuple[str, ...]


class Decision(NamedTuple):
    """Somebody acts; `beside`: who else was in the hand then."""

    place: int
    when: str
    raised: bool
    beside: tuple[int, ...]


class Alone(NamedTuple):
    """A street after the flop on which just two were left, both with chips. `bet`: one of them bet or raised."""

    pair: tuple[int, int]
    bet: bool


class Meetings(Struct, frozen=True, gc=False):
    """What a hand shows of its players towards each other, by position. `paying`: who put chips in of his own will;
    `raisers` among them. `better`: indices of `responses` that are folds of a hand known to have been better, at that
    moment, than the known one of whoever bet; `compared`: of those folds where both were known. `last`: who ended the
    river's betting with a check or call, and `spared` who was in with him."""

    responses: tuple[Response, ...]
    decisions: tuple[Decision, ...]
    alone: tuple[Alone, ...]
    paying: frozenset[int]
    raisers: frozenset[int]
    compared: frozenset[int]
    better: frozenset[int]
    last: int
    spared: tuple[int, ...]


class Watch:
    """Looks on at one hand."""

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._responses: list[Response] = []
        self._decisions: list[Decision] = []
        self._alone: dict[int, Alone] = {}
        self._paying: set[int] = set()
        self._raisers: set[int] = set()
        self._actions = self._raises = self._to_match = 0
        self._aggressor = NOBODY
        self._street = 0
        self._front: list[int] = []
        self._out: list[bool] = []
        self._chips: list[int] = []
        self._acted_at: list[int] = []
        self._board: tuple[str, ...] = ()
        self._seats: list[str] = []

    def see(self, hand: Hand) -> None:
        """The hand after one more fact; a misdeal begins it anew."""
        if hand.actions == self._actions + 1 and len(self._out) == len(hand.out) and hand.latest != NOBODY:
            self._acted(hand, hand.latest)
        elif hand.actions < self._actions and not hand.actions:
            self._forget()
        bets = hand.bets
        self._actions, self._raises, self._street = hand.actions, len(hand.raises), hand.street
        self._to_match, self._aggressor = bets.to_match, bets.aggressor
        self._front, self._out, self._chips = bets.front.copy(), hand.out.copy(), hand.stacks.copy()
        self._acted_at = bets.acted.copy()
        self._board = hand.board

    def _acted(self, hand: Hand, place: int) -> None:
        raised = len(hand.raises) > self._raises and hand.raises[-1][1] == place
        faces = place < len(self._front) and self._front[place] < self._to_match
        gone = hand.out[place]
        left = [other for other, out in enumerate(self._out) if not out]
        against = self._aggressor
        again = [street for street, _place in hand.raises[: self._raises]].count(self._street) > 1
        if faces and against not in (NOBODY, place) and not self._out[against]:
            word: Literal["fold", "call", "raise"] = "fold" if gone else "raise" if raised else "call"
            when = f"{self._when(hand, place, left)}, {self._sits(hand, against)}{', again' if again else ''}"
            self._responses.append(
                Response(
                    place,
                    against,
                    when,
                    word,
                    again,
                    place in self._paying,
                    raised or self._open(place, left),
                    self._board,
                )
            )
        when = f"{self._when(hand, place, left)}, {'bet' if against != NOBODY else 'open'}"
        self._decisions.append(Decision(place, when, raised, tuple(other for other in left if other != place)))
        if not gone and (raised or faces):
            self._paying.add(place)
        if raised:
            self._raisers.add(place)
        if self._street and len(left) == 2 and all(self._chips[one] > 0 for one in left):
            self._alone.setdefault(self._street, Alone((left[0], left[1]), False))
        if raised and self._street in self._alone:
            self._alone[self._street] = self._alone[self._street]._replace(bet=True)

    def _open(self, place: int, left: list[int]) -> bool:
        """Whether betting is open for him, he has more than a call takes, and another one has chips."""
        return (
            self._acted_at[place] == NOT_SINCE
            and self._chips[place] > self._to_match - self._front[place]
            and any(self._chips[other] > 0 for other in left if other != place)
        )

    def _when(self, hand: Hand, place: int, left: list[int]) -> str:
        """Before the flop where he sits, later whether more than two are in."""
        if self._street:
            return "two left" if len(left) == 2 else "more left"
        return f"{STREETS[0]}, {self._sits(hand, place)}"

    def _sits(self, hand: Hand, place: int) -> str:
        """`blind`, `late` or `early`, as the seats lie to the button; only before the flop."""
        if self._street:
            return ""
        if not self._seats:
            blinds = {post[0] for post in hand.posts if post[1] in ("small_blind", "big_blind")}
            button, count = button_place(hand, "text_order"), len(hand.seats)
            self._seats = [
                "blind" if one in blinds else "late" if (button - one) % count < LATE else "early"
                for one in range(count)
            ]
        return self._seats[place]

    def seen(self, hand: Hand) -> Meetings:
        """All of it, now that the hand is over."""
        compared, better = _folds(hand, self._responses)
        last, spared = NOBODY, tuple[int, ...]()
        if hand.street == LAST_STREET and not hand.over and not hand.betting and self._decisions:
            ending = self._decisions[-1]
            if not ending.raised and not hand.out[ending.place]:
                last = ending.place
                spared = tuple(other for other in hand.left if other != last)
        return Meetings(
            tuple(self._responses), tuple(self._decisions), tuple(self._alone.values()), frozenset(self._paying),
            frozenset(self._raisers), compared, better, last, spared,
        )  # fmt: skip


def _folds(hand: Hand, responses: list[Response]) -> tuple[frozenset[int], frozenset[int]]:
    """Folds after the flop where both hands are known, and those of the better hand as the board lay then."""
    compared, better = [], []
    for at, one in enumerate(responses):
        if one.word == "fold" and len(one.board) >= 3:
            mine, other = hand.hole[one.place], hand.hole[one.against]
            known = (*mine, *other, *one.board)
            if len(mine) == len(other) == 2 and "??" not in known and len(set(known)) == len(known):
                compared.append(at)
                if rank_key((*mine, *one.board)) < rank_key((*other, *one.board)):
                    better.append(at)
    return frozenset(compared), frozenset(better)
