"""An OHH hand told in poker events, and taken over: what is stored of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from events.schema.common import ChipsMoved, SeatLeft, SeatTaken
from events.schema.ours import HandImported
from events.values.money import amount_text
from games.hand_histories.draft import GAME, RULE_BOOK, HandDraft, HandRefused, Imported, hand_key
from games.hand_histories.names import Pseudonyms
from games.hand_histories.ohh import (
    BETTING,
    FORMAT,
    NOT_YET,
    READER,
    STREETS,
    Action,
    OhhHand,
    Player,
    PotTold,
    Told,
    read_hand,
)
from games.shared.poker.events import PostKind, StakesAnnounced, TopUpAnnounced
from games.shared.poker.settling import pot_names

_POSTS = frozenset({"Post Ante", "Post SB", "Post BB", "Straddle", "Post Dead", "Post Extra Blind"})
_BETS: dict[str, Any] = {"Bet": "bet", "Raise": "raise", "Call": "call"}
_PLAYS = frozenset({*_POSTS, *_BETS, "Fold", "Check", "Dealt Cards", "Shows Cards", "Mucks Cards"})
_ABOUT_SEATS = frozenset({"Sits Down", "Stands Up", "Added Chips"})
_ENUMERATED = ("street", "action", "game_type", "bet_type", "currency", "type", "flags")
"""Fields whose texts are the format's own words, whatever somebody may be called."""

_OWN_WORDS = frozenset(
    {
        *_PLAYS, *_ABOUT_SEATS, *STREETS, *NOT_YET, *BETTING, "Add to Pot", "Preflop", "Showdown", "Holdem",
        "Run_It_Twice", "Anonymous", "Observed", "Fast", "Cap", "STT", "MTT", "SNG", "DON", "Bounty", "Shootout",
        "Rebuy", "Matrix", "Push_Or_Fold", "Satellite", "Steps", "Deep", "Multi-Entry", "Fifty50", "Flipout",
        "TripleUp", "Lottery", "Re-Entry", "Power_Up", "Progressive-Bounty", "Normal", "Semi-Turbo", "Turbo",
        "Super-Turbo", "Hyper-Turbo", "Ultra-Turbo",
    }
)  # fmt: skip
"""Those words."""

JACKPOT = "jackpot"
"""What names, in place of a pot, a fee that the site takes out of it besides the rake."""


def draft_of(hand: OhhHand, ids: Mapping[int, str]) -> HandDraft:
    """The hand in poker events; `ids` are the players', by seat.

    Raises:
        HandRefused: fewer than two players take part.
    """
    return _Teller(hand, ids).told()


class _Teller:
    """Tells a hand in the file's order, with what the file has only at its end or in its head."""

    def __init__(self, hand: OhhHand, ids: Mapping[int, str]) -> None:
        self.hand = hand
        self.ids = ids
        self.draft = HandDraft()
        self.draft.notes.extend(hand.notes)
        self.actions = [action for told in hand.rounds for action in told.actions]
        self.in_ = self._dealt_in()
        self.left = set(self.in_)
        self.big_blind = self._first("Post BB")
        self.ante_kind = self._ante_kind()
        self.added: list[Action] = []

    def told(self) -> HandDraft:
        hand, draft = self.hand, self.draft
        draft.stakes(self._stakes())
        draft.button(hand.button, self._first("Post SB"), self.big_blind)
        for seat, player in self.in_.items():
            draft.seat(seat, self.ids[seat], player.stack)
        boards = _boards(hand.rounds)
        agreed = self._agreement(boards)
        for place, told in enumerate(hand.rounds):
            if place == agreed:
                draft.run_it(sorted(self.left), max(boards))
            if told.street is not None:
                if boards[place] == 1:
                    draft.board(told.cards)
                else:
                    draft.another_board(told.street, told.cards, boards[place])
            for action in told.actions:
                self._tell(action)
        if hand.pots is not None:
            self._settle(hand.pots)
        draft.close()
        for action in self.added:  # chips bought in a hand play from the next one on
            draft.tell(ChipsMoved("float", f"seat/{action.seat}", action.amount, "buy_in"))
        return draft

    # --- the head ---

    def _dealt_in(self) -> dict[int, Player]:
        """Who was dealt in, by seat: who does something or wins, if the hand is told to its end."""
        seated = {player.seat: player for player in self.hand.players if player.is_in}
        doing = {action.seat for action in self.actions if action.what in _PLAYS}
        doing |= {win.seat for pot in self.hand.pots or () for win in pot.wins}
        doing &= seated.keys()
        if len(seated) < 2:
            raise HandRefused("field", "fewer than two players take part")
        if self.hand.pots is None or len(doing) < 2:
            return seated
        for seat in seated.keys() - doing:
            self.draft.notes.append(f"seat {seat} takes no part in what the file tells: not dealt in")
        return {seat: player for seat, player in seated.items() if seat in doing}

    def _first(self, what: str) -> int | None:
        return next((action.seat for action in self.actions if action.what == what and action.seat), None)

    def _ante_kind(self) -> PostKind:
        paying = {action.seat for action in self.actions if action.what == "Post Ante"}
        if len(paying) == 1 and len(self.in_) > 1:
            if self.big_blind in paying:
                return "big_blind_ante"
            if self.hand.button in paying:
                return "button_ante"
        return "ante"

    def _stakes(self) -> StakesAnnounced:
        hand = self.hand
        fixed = hand.betting == "fixed_limit"
        highest = max((action.amount for action in self.actions if action.what == "Post Ante"), default=0)
        by: dict[str, Any] = {"big_blind_ante": "big_blind", "button_ante": "button"}
        return StakesAnnounced(
            small_blind=hand.small_blind,
            big_blind=hand.big_blind,
            betting=hand.betting,
            ante=max(hand.ante, highest),
            ante_by=by.get(self.ante_kind, "each"),
            small_bet=hand.big_blind if fixed else None,
            big_bet=2 * hand.big_blind if fixed else None,
        )

    def _agreement(self, boards: list[int]) -> int:
        """Before which round the players agreed to run the rest several times; −1: they did not."""
        if max(boards, default=0) < 2:
            return -1
        first = self.hand.rounds[next(place for place, board in enumerate(boards) if board > 1)].street
        return next(place for place, told in enumerate(self.hand.rounds) if told.street == first)

    # --- actions ---

    def _tell(self, action: Action) -> None:
        what, seat, amount, cards, _all_in = action
        draft = self.draft
        if what == "Add to Pot":
            self._add_to_pot(seat, amount)
        elif seat not in self.in_ and what not in _ABOUT_SEATS:
            self._passed_over(action)
        elif what == "Fold":
            draft.fold(seat)
            self.left.discard(seat)
        elif what == "Check":
            draft.check(seat)
        elif what in _BETS:
            draft.acted(seat, _BETS[what], amount, all_in=action.all_in)
            self._is_all_in(action)
        elif what in _POSTS:
            self._post(what, seat, amount)
            self._is_all_in(action)
        elif what == "Dealt Cards":
            draft.hole(seat, cards or ("??", "??"))
        elif what == "Shows Cards":
            draft.show(seat, cards)
        elif what == "Mucks Cards":
            draft.muck(seat, cards)
        else:
            self._besides(action)

    def _besides(self, action: Action) -> None:
        """What is no part of the play."""
        what, seat, amount, *_rest = action
        if not seat or what not in _ABOUT_SEATS:
            self._passed_over(action)
        elif what == "Sits Down":
            self.draft.tell(SeatTaken(seat, self.ids[seat]))
        elif what == "Stands Up":
            self.draft.tell(SeatLeft(seat, self.ids[seat]))
        elif amount:
            self.draft.tell(TopUpAnnounced(seat, self.ids[seat], amount))
            self.added.append(action)

    def _passed_over(self, action: Action) -> None:
        whose = f" of seat {action.seat}" if action.seat else ""
        said = f"the action `{action.what}`{whose} is passed over"
        self.draft.notes.append(said)

    def _add_to_pot(self, seat: int, amount: int) -> None:
        """Chips of the site, or of a player beyond any bet."""
        if seat in self.in_ and amount:
            self.draft.notes.append(f"what seat {seat} adds to the pot is told as an ante")
            self.draft.posted(seat, "ante", amount)
        elif amount:
            self.draft.add_to_pot(amount)

    def _post(self, what: str, seat: int, amount: int) -> None:
        if amount:
            kind = self._kind(what, seat, amount)
            due = {"small_blind": self.hand.small_blind, "big_blind": self.hand.big_blind}.get(kind, 0)
            self.draft.posted(seat, kind, amount, due)

    def _kind(self, what: str, seat: int, amount: int) -> PostKind:
        if what == "Post Ante":
            return self.ante_kind
        if what == "Post SB":
            return "small_blind"
        if what == "Post BB":
            return "big_blind" if seat == self.big_blind else "extra_blind"
        if what == "Straddle":
            return "straddle"
        if what == "Post Extra Blind":
            return "extra_blind"
        return "dead_big_blind" if amount >= self.hand.big_blind > 0 else "dead_small_blind"

    def _is_all_in(self, action: Action) -> None:
        behind = self.draft.behind(action.seat)
        if action.all_in and behind:
            self.draft.notes.append(f"seat {action.seat} is said to be all-in with {amount_text(behind)} left")

    # --- the end ---

    def _settle(self, pots: tuple[PotTold, ...]) -> None:
        """What left the pots by the file's own account: its wins, and the bet that nobody called."""
        draft = self.draft
        back: dict[int, int] = {}
        for pot in pots:
            for win in pot.wins:
                back[win.seat] = back.get(win.seat, 0) + win.amount
                if win.cashed_out:
                    draft.cash_out(win.seat, win.cashed_out, win.fee)
        rake, jackpot = sum(pot.rake for pot in pots), sum(pot.jackpot for pot in pots)
        written = sum(pot.amount for pot in pots)
        top, over = draft.uncalled()
        out = sum(back.values()) + rake + jackpot
        if over and out == draft.pot:
            draft.notes.append("the bet that nobody called is in the pot's amount and in what was won")
            written -= over
        elif over:
            back[top] = back.get(top, 0) + over
        if written != draft.pot - over:
            draft.unproved.append(f"the pots are {amount_text(written)}, and {amount_text(draft.pot - over)} went in")
        draft.settle(back, rake + jackpot, rakes=_rakes(pots, jackpot))
        for pot in pots:
            for win in pot.wins:
                if win.bonus:
                    draft.tell(ChipsMoved("float", f"seat/{win.seat}", win.bonus, "win"))


def _rakes(pots: tuple[PotTold, ...], jackpot: int) -> list[tuple[str, int]]:
    """The rake by its pot, where the file tells pots apart."""
    names = pot_names(len(pots)) if len(pots) > 1 else [""]
    rakes = [(name, pot.rake) for name, pot in zip(names, pots, strict=True)]
    return [*rakes, (JACKPOT, jackpot)]


def _boards(rounds: tuple[Told, ...]) -> list[int]:
    """To which board each round belongs (0: none): to the first that has no such street yet."""
    seen: dict[str, int] = {}
    found = []
    for told in rounds:
        if told.street is None:
            found.append(0)
        else:
            seen[told.street] = seen.get(told.street, 0) + 1
            found.append(seen[told.street])
    return found


# --- together ---


def take(raw: bytes, pseudonyms: Pseudonyms) -> Imported:
    """A hand's own bytes to what is stored of it.

    Raises:
        HandRefused: as `read_hand` and `draft_of`; more boards than there can be.
    """
    key, digest = hand_key(raw)
    hand = read_hand(raw)
    if max(_boards(hand.rounds), default=0) > 4:
        raise HandRefused("card", "the board is run more than four times")
    ids = {
        player.seat: pseudonyms.of(player.name) if player.name else f"p{number}"
        for number, player in enumerate(hand.players, 1)
    }
    draft = draft_of(hand, ids)
    opened = HandImported(
        game=GAME,
        rule_book=RULE_BOOK,
        currency=hand.currency,
        format=FORMAT,
        reader=READER,
        sha256=digest,
        text=_without_names(raw.decode("utf-8-sig").replace("\r\n", "\n").strip(), hand, ids),
        time_known=hand.played_at is not None,
        smallest_chip=hand.smallest_chip,
        site=_short(hand.document.get("site_name")),
        site_hand=_short(hand.document.get("game_number")),
        notes=draft.remarks,
    )
    return Imported(key, opened, draft, hand.played_at, hand)


def _short(value: Any) -> str | None:
    return str(value)[:255] if isinstance(value, str | int) and not isinstance(value, bool) else None


def _without_names(text: str, hand: OhhHand, ids: Mapping[int, str]) -> str:
    """The hand's text with each player's name, and the one he shows, replaced wherever it is the whole of a text."""
    known: dict[str, str] = {}
    by_ident = {player.ident: ids[player.seat] for player in hand.players}
    for item in hand.document["players"]:
        for name in (item.get("name"), item.get("display")):
            if isinstance(name, str) and name:
                known.setdefault(name, by_ident[item["id"]])
    if not known:
        return text
    plain = "\\" not in text and known.keys().isdisjoint(_OWN_WORDS) and str(hand.document.get("currency")) not in known
    if not plain or any(f'"{name}"{mark}' in text for name in known for mark in _BEFORE_COLON):
        return _each_text(text, known)
    for name, ident in known.items():
        text = text.replace(f'"{name}"', f'"{ident}"')
    return text


_BEFORE_COLON = (":", " ", "\t", "\n", "\r")
"""What may follow a field's name; the text is looked at closely where a player is called as a field is."""

_TEXT = re.compile(r'(?P<text>"(?:[^"\\]|\\.)*")(?P<colon>\s*:)?')


def _each_text(text: str, known: Mapping[str, str]) -> str:
    """Where a name may be written with escapes: every text is looked at for what it says."""
    key = ""

    def replaced(match: re.Match[str]) -> str:
        nonlocal key
        try:
            value = msgspec.json.decode(match["text"])
        except msgspec.DecodeError:
            return match[0]
        if match["colon"]:
            key = value
        elif key not in _ENUMERATED and value in known:
            return f'"{known[value]}"'
        return match[0]

    return _TEXT.sub(replaced, text)
