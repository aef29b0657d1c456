"""A piece of a PokerNow log told in poker events, and taken over.

Every act keeps its own time. The money is proved: what goes into the pot comes out of it, and what the hand leaves a
player is what the log says of him next.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal, cast

from events.schema.common import ChipsMoved
from events.schema.ours import HandImported
from events.values.cards import UNKNOWN
from events.values.money import CHIPS
from games.hand_histories.draft import GAME, RULE_BOOK, HandDraft, HandRefused, Imported, Street, hand_key
from games.hand_histories.names import Pseudonyms
from games.hand_histories.pokernow import Said
from games.hand_histories.pokernow_piece import (
    Entry,
    Nameless,
    Piece,
    head_of,
    piece_of,
    smallest_chip,
    unproved_after,
)
from games.shared.poker.events import ActionTaken, AgreementMade, Betting, BoardDealt, PostKind, StakesAnnounced

FORMAT = "pokernow"
READER = 1
"""Raised when the reader reads a hand otherwise than before; of one hand only the highest is folded."""

SITE = "PokerNow"

_GAME = re.compile(r"(?:(No|Pot|Fixed) Limit|Limit)?\s*(?:Texas )?Hold'?em\b.*", re.IGNORECASE)
_BETTING: Mapping[str, Betting] = {"no": "no_limit", "pot": "pot_limit", "fixed": "fixed_limit", "": "fixed_limit"}
_POSTS: Mapping[str, PostKind] = {
    "small blind": "small_blind",
    "big blind": "big_blind",
    "straddle": "straddle",
    "ante": "ante",
    "big blind ante": "big_blind_ante",
    "missed big blind": "missed_big_blind",
    "missing big blind": "missed_big_blind",
    "missing small blind": "dead_small_blind",  # what the small blind missed is dead money on this site
    "missed small blind": "dead_small_blind",
    "dead small blind": "dead_small_blind",
    "dead big blind": "dead_big_blind",
}
_DEAD = frozenset({"ante", "big_blind_ante", "dead_small_blind", "dead_big_blind"})
_STREETS: tuple[Street, ...] = ("flop", "turn", "river")
_STREET_CARDS = {"flop": 3, "turn": 1, "river": 1}
_SEATS_MAX = 10
_SHOWN_MAX = 160


def take(raw: bytes, pseudonyms: Pseudonyms) -> Imported:
    """A hand's piece of a log to what is stored of it.

    Raises:
        HandRefused: another game than hold'em, a hand that does not end, no line of stacks, or an entry that is not
            understood in a hand whose money does not add up without it.
    """
    piece = piece_of(raw)
    start = piece.hand[0]
    betting = _betting(start.told.text, piece)
    names = Nameless(piece, pseudonyms)
    draft = _Telling(piece, names, betting).told()
    key, digest = hand_key(b"".join(entry.raw for entry in piece.hand))
    opened = HandImported(
        game=GAME,
        rule_book=RULE_BOOK,
        currency=CHIPS,
        format=FORMAT,
        reader=READER,
        sha256=digest,
        text=names.text,
        time_known=start.at is not None,
        smallest_chip=smallest_chip(piece.hand),
        site=SITE,
        site_hand=start.told.other or start.order or None,
        notes=draft.remarks,
    )
    return Imported(key, opened, draft, start.at, piece)


def _betting(game: str, piece: Piece) -> Betting:
    match = _GAME.fullmatch(game or "No Limit Texas Hold'em")  # logs of the first months name no game: there was one
    own = next((entry.told.cards for entry in piece.hand if entry.told.what == "your_hand"), ())
    if match is None or len(own) not in (0, 2):
        cards = f" ({len(own)} cards)" if match is not None else ""
        raise HandRefused("not_yet", f"{game or 'the game'}{cards} is not played here yet")
    return _BETTING[(match[1] or "").lower()]


# --- the hand told ---


class _Telling:
    """One hand on its way into a draft."""

    def __init__(self, piece: Piece, names: Nameless, betting: Betting) -> None:
        self.piece = piece
        self.draft = HandDraft()
        self._names = names
        self._betting: Betting = betting
        self._head = _seated(piece.hand)
        self._seat = {who: seat for seat, who, _stack in self._head}
        self._seat_now = dict(self._seat)  # under the ids that players take during the hand, too
        self._seats = sorted(self._seat.values())
        self._back: dict[int, int] = {}
        self._returned = 0
        self._folded: set[int] = set()
        self._shown: dict[int, tuple[str, ...]] = {}
        self._streets = 0
        self._agreed = False
        self._bomb = False
        self._unknown: list[str] = []
        self._dealt = False
        self._stakes = self._stakes_told()

    def told(self) -> HandDraft:
        """The whole of it.

        Raises:
            HandRefused: an entry is not understood, and the money does not add up without it.
        """
        self._begin()
        for entry in self.piece.hand:
            self._take(entry)
        self._deal()
        self.draft.settle(self._back, 0, returned=self._returned)
        for entry in self.piece.after:
            self._take_after(entry)
        self._last()
        self.draft.close()
        return self.draft

    def _begin(self) -> None:
        draft = self.draft
        draft.stakes(self._stakes)
        small, big = self._poster("small blind"), self._poster("big blind")
        draft.button(self._button(small, big), small, big)
        for seat, who, stack in self._head:
            draft.seat(seat, self._names.ids[who], stack)

    def _stakes_told(self) -> StakesAnnounced:
        posted: dict[str, int] = {}
        short: dict[str, int] = {}
        for told in (entry.told for entry in self.piece.hand):
            if told.what == "post":
                kept = short if told.all_in else posted
                kept[told.text] = max(kept.get(told.text, 0), told.amount)
        known = {entry.told.text: entry.told.amount for entry in (*self.piece.before, *head_of(self.piece.hand))
                 if entry.told.what == "setting"}  # fmt: skip
        found = {**short, **known, **posted}
        big = found.get("big blind", 0)
        ante = {**short, **posted}
        fixed = self._betting == "fixed_limit"
        return StakesAnnounced(
            small_blind=found.get("small blind", 0),
            big_blind=big,
            betting=self._betting,
            small_bet=big if fixed else None,
            big_bet=2 * big if fixed else None,
            ante=ante.get("ante", 0) or ante.get("big blind ante", 0),
            ante_by="each" if ante.get("ante") or not ante.get("big blind ante") else "big_blind",
            variant={"no_limit": "NT", "fixed_limit": "FT"}.get(self._betting),
        )

    def _poster(self, kind: str) -> int | None:
        return next(
            (
                self._seat[entry.told.who]
                for entry in self.piece.hand
                if entry.told.what == "post" and entry.told.text == kind and entry.told.who in self._seat
            ),
            None,
        )

    def _button(self, small: int | None, big: int | None) -> int:
        """The dealer's seat; of a dead button the seat nearest before the blinds at which nobody is dealt in."""
        dealer = self._seat.get(self.piece.hand[0].told.who)
        if dealer is not None:
            return dealer
        seats = set(self._seat.values())
        after = small if small is not None else big
        if after is None:
            return max(seats)
        back = [(after - step - 1) % _SEATS_MAX + 1 for step in range(1, _SEATS_MAX)]
        if small is None and back[0] not in seats and back[1] not in seats:
            back = back[1:]  # the small blind, too, is an empty seat
        found = back[0]
        self.draft.notes.append(
            f"the log names no dealer (a dead button): the button is laid before the blinds, at {found}"
        )
        return found

    # --- line by line ---

    def _take(self, entry: Entry) -> None:
        told = entry.told
        what = told.what
        if what == "renamed" and told.who in self._seat:
            self._seat_now[told.other] = self._seat[told.who]
        if what not in ("post", "your_hand", "start", "stacks", "setting", "stack", "idle", "gone", "renamed"):
            self._deal()
        handler = _HANDLERS.get(what)
        if what == "unknown":
            self._unknown.append(self._shortened(entry.text))
        elif handler is not None:
            seat = self._seat_now.get(told.who, 0)
            if told.who and not seat:
                self.draft.unproved.append(f"somebody who is not dealt in acts: {self._shortened(entry.text)}")
                return
            if entry.at is not None:
                self.draft.at(entry.at)
            handler(self, seat, told)

    def _take_after(self, entry: Entry) -> None:
        """After the hand: cards shown to please, cards that would have come, side bets."""
        if entry.told.what in ("show", "undealt", "bounty_paid", "unknown"):
            self._take(entry)

    def _deal(self) -> None:
        """Two cards to everybody, after the posts, though the log tells its owner's before them."""
        if self._dealt:
            return
        self._dealt = True
        own = next((entry.told.cards for entry in self.piece.hand if entry.told.what == "your_hand"), ())
        owner = self._seat.get(self._owner(own), 0) if own else 0
        if own and not owner:
            self.draft.notes.append(f"the log's owner was dealt {''.join(own)}; who that is nobody can tell")
        elif own:
            self.draft.notes.append(f"the owner's cards are seat {owner}'s, who shows such cards in this log")
        for seat in self._seats:
            self.draft.hole(seat, own if seat == owner else (UNKNOWN, UNKNOWN))

    def _owner(self, own: Sequence[str]) -> str:
        """Who shows these cards in this hand; else the log's owner, unless he shows others."""
        shows = [(entry.told.who, set(entry.told.cards)) for entry in (*self.piece.hand, *self.piece.after)
                 if entry.told.what == "show"]  # fmt: skip
        for who, cards in shows:
            if cards == set(own):
                return who
        owner = self.piece.owner
        return "" if any(who == owner and not cards <= set(own) for who, cards in shows) else owner

    def post(self, seat: int, told: Said) -> None:
        kind = _POSTS.get(told.text, "extra_blind")
        if told.text not in _POSTS:
            self.draft.notes.append(f"a post of {told.text} is read as one that counts towards the bet")
        paid = told.amount if kind in _DEAD else max(told.amount - self.draft.in_front(seat), 0)
        due = self._stakes.big_blind if kind == "big_blind" else 0
        if paid:
            self.draft.posted(seat, kind, paid, due)

    def fold(self, seat: int, _told: Said) -> None:
        self._folded.add(seat)
        self.draft.fold(seat)

    def check(self, seat: int, _told: Said) -> None:
        self.draft.tell(ActionTaken(seat, "check"))

    def act(self, seat: int, told: Said) -> None:
        self._put(seat, "bet" if told.what == "bet" else "raise" if told.what == "raise" else "call", told)

    def _put(self, seat: int, word: Literal["bet", "raise", "call"], told: Said) -> None:
        """The log names what then lies before him, the draft what he puts in."""
        self.draft.acted(seat, word, max(told.amount - self.draft.in_front(seat), 0), all_in=told.all_in)

    def bomb(self, seat: int, told: Said) -> None:
        """A bomb pot: everybody puts in the same before the flop, told as a bet and its calls."""
        if not self._bomb:
            self._bomb = True
            self.draft.notes.append("a bomb pot: what everybody puts in before the flop is told as a bet and calls")
        self._put(seat, "call" if any(map(self.draft.in_front, self._seats)) else "bet", told)

    def board(self, _seat: int, told: Said) -> None:
        if told.number == 1:
            self.draft.board(told.cards)
            self._streets += 1
            return
        if not self._agreed:
            self._run(told.number, "two boards by the rules of the site" if told.other == "board" else "")
        self.draft.another_board(cast("Street", told.text), told.cards, told.number)

    def runs_agreed(self, _seat: int, told: Said) -> None:
        self._run(told.number, "")

    def _run(self, runs: int, why: str) -> None:
        self._agreed = True
        left = tuple(seat for seat in self._seats if seat not in self._folded)
        self.draft.tell(AgreementMade("run_it", left, runs, why))

    def undealt(self, _seat: int, told: Said) -> None:
        """Cards that nobody needed any more, turned up to see."""
        cards = list(told.cards)
        for street in _STREETS[self._streets :]:
            count = _STREET_CARDS[street]
            if told.number == 1 and len(cards) >= count:
                self.draft.tell(BoardDealt(street, tuple(cards[:count]), rabbit=True))
                cards = cards[count:]

    def uncalled(self, seat: int, told: Said) -> None:
        self._returned += told.amount
        self.collected(seat, told)

    def collected(self, seat: int, told: Said) -> None:
        self._back[seat] = self._back.get(seat, 0) + told.amount

    def show(self, seat: int, told: Said) -> None:
        known = self._shown.get(seat, ())
        more = tuple(card for card in told.cards if card not in known)
        if more:
            self._shown[seat] = known + more
            self.draft.show(seat, more)

    def bounty(self, seat: int, told: Said) -> None:
        """A side bet of all against who wins with certain cards; it is no part of the pot."""
        other = self._seat_now.get(told.other, 0)
        if other:
            self.draft.tell(AgreementMade("side_bet", (seat, other), text="a bounty of the site"))
            self.draft.tell(ChipsMoved(f"seat/{seat}", f"seat/{other}", told.amount, "transfer"))

    # --- the proof ---

    def _last(self) -> None:
        """What the hand leaves everybody is what the log says next; what is not understood is named."""
        left = {who: stack - self.draft.put_in(seat) + self._back.get(seat, 0) for seat, who, stack in self._head}
        self.draft.unproved += unproved_after(self.piece, left, self._seat)
        if not self._unknown:
            return
        entries = "; ".join(self._unknown)
        if self.draft.unproved:
            problems = "; ".join(self.draft.unproved)
            raise HandRefused("action", f"not understood: {entries}; without it the hand does not add up: {problems}")
        self.draft.unproved.append(f"not understood, though the money adds up without it: {entries}")

    def _shortened(self, text: str) -> str:
        plain = " ".join(self._names.without(text).split())
        return f"`{plain[:_SHOWN_MAX]}{'…' if len(plain) > _SHOWN_MAX else ''}`"


_HANDLERS = {
    "post": _Telling.post, "bomb": _Telling.bomb, "fold": _Telling.fold, "check": _Telling.check,
    "call": _Telling.act, "bet": _Telling.act, "raise": _Telling.act, "board": _Telling.board,
    "undealt": _Telling.undealt, "runs_agreed": _Telling.runs_agreed, "uncalled": _Telling.uncalled,
    "collected": _Telling.collected, "show": _Telling.show, "bounty_paid": _Telling.bounty,
}  # fmt: skip


def _seated(hand: Sequence[Entry]) -> tuple[tuple[int, str, int], ...]:
    seats = next((entry.told.seats for entry in hand if entry.told.what == "stacks"), ())
    if (
        len(seats) < 2
        or len({seat for seat, _who, _stack in seats}) < len(seats)
        or not all(seat for seat, *_ in seats)
    ):
        raise HandRefused("field", "the hand has no line of stacks that can be read: `Player stacks: #1 …`")
    if len({who for _seat, who, _stack in seats}) < len(seats):
        raise HandRefused("field", "a player stands twice in the line of stacks")
    return seats
