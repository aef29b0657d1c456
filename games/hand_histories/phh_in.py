"""A PHH hand told in poker events, and taken over: what is stored of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Literal

from events.schema.ours import HandImported
from events.values.cards import UNKNOWN
from events.values.money import MINOR_PER_MAJOR, amount_text
from games.hand_histories.draft import GAME, RULE_BOOK, HandDraft, HandRefused, Imported, hand_key
from games.hand_histories.names import Pseudonyms, without_names
from games.hand_histories.phh import CHIP, FORMAT, PLAYED, READER, Action, PhhHand, read_hand
from games.shared.poker.events import PostKind, StakesAnnounced


def draft_of(hand: PhhHand, ids: Sequence[str]) -> HandDraft:
    """The hand in poker events; `ids` are the players'.

    Raises:
        HandRefused: an amount that cannot be read; more than one board.
    """
    draft = HandDraft()
    draft.notes.extend(hand.notes)
    big = _big_blind_place(hand)
    order = _from_small_blind(len(hand.seats))
    small = None if big == 0 else 0
    draft.stakes(_stakes(hand, small, big))
    if hand.min_bet is not None and hand.min_bet != (hand.blinds[big] if big is not None else 0):
        draft.notes.append(f"the file's min_bet {hand.document['min_bet']} is not its big blind")
    seat_at = [hand.seats[player] for player in order]
    draft.button(
        hand.seats[-1],
        seat_at[small] if small is not None and hand.blinds[small] else None,
        seat_at[big] if big is not None else None,
    )
    for seat, player, stack in zip(hand.seats, ids, hand.stacks, strict=True):
        draft.seat(seat, player, stack)
    kind = _ante_kind(hand, big)
    for place, ante in enumerate(hand.antes):
        draft.post(seat_at[place], kind, ante)
    for place, amount in enumerate(hand.blinds):
        if amount:
            draft.post(seat_at[place], _blind_kind(hand, place, big), abs(amount))
    for action in hand.actions:
        _tell(draft, action, hand.seats)
    _settle(draft, hand)
    draft.close()
    return draft


def _from_small_blind(count: int) -> tuple[int, ...]:
    """Players in the order of the lists of antes and blinds."""
    return (1, 0) if count == 2 else tuple(range(count))


def _big_blind_place(hand: PhhHand) -> int | None:
    """Its place in the list of blinds; the first, where it stands alone there: nobody is due for the small one."""
    blinds = hand.blinds
    if blinds[1] > 0:
        return 1
    alone = blinds[0] > 0 and not any(blinds[1:])
    return 0 if alone and len(blinds) > 2 and hand.min_bet in (None, blinds[0]) else None


def _blind_kind(hand: PhhHand, place: int, big: int | None) -> PostKind:
    if hand.blinds[place] < 0:
        return "extra_blind"
    if place == big:
        return "big_blind"
    return "small_blind" if place == 0 else "straddle"


def _ante_kind(hand: PhhHand, big: int | None) -> Literal["ante", "big_blind_ante", "button_ante"]:
    paying = [place for place, ante in enumerate(hand.antes) if ante]
    if len(paying) == 1:
        if paying[0] == big:
            return "big_blind_ante"
        if paying[0] == (0 if len(hand.antes) == 2 else len(hand.antes) - 1):
            return "button_ante"
    return "ante"


_ANTE_BY: Mapping[str, Literal["each", "big_blind", "button"]] = {
    "ante": "each",
    "big_blind_ante": "big_blind",
    "button_ante": "button",
}


def _stakes(hand: PhhHand, small: int | None, big: int | None) -> StakesAnnounced:
    return StakesAnnounced(
        small_blind=max(hand.blinds[small], 0) if small is not None else 0,
        big_blind=hand.blinds[big] if big is not None else (hand.min_bet or 0),
        betting=PLAYED[hand.variant],
        small_bet=hand.bets[0] if hand.bets else None,
        big_bet=hand.bets[1] if hand.bets else None,
        ante=max(hand.antes),
        ante_by=_ANTE_BY[_ante_kind(hand, big)],
        variant=hand.variant,
    )


def _tell(draft: HandDraft, action: Action, seats: Sequence[int]) -> None:
    what, player, amount, cards = action
    if what == "db":
        draft.board(cards or ())
        return
    seat = seats[player]
    if what == "f":
        draft.fold(seat)
    elif what == "cc":
        draft.check_or_call(seat)
    elif what == "dh":
        draft.hole(seat, cards or ())
    elif what == "cbr":
        draft.bet_to(seat, amount or 0)
    elif cards is None:
        draft.muck(seat)
    elif cards and draft.is_board_complete and all(card == UNKNOWN for card in cards):
        # Written for "does not show". Before the river nobody can give up an all-in hand: then it lies open, unread.
        draft.notes.append("unknown cards at the showdown are read as a hand that was not shown")
        draft.muck(seat, cards)
    else:
        draft.show(seat, cards)


def _settle(draft: HandDraft, hand: PhhHand) -> None:
    """What left the pot by the file's own account, if it has one; whatever is not accounted for is rake."""
    seats = hand.seats
    if hand.finishing is not None and None not in hand.stacks:
        back = {}
        for seat, before, after in zip(seats, hand.stacks, hand.finishing, strict=True):
            assert before is not None
            back[seat] = after - (before - draft.put_in(seat))
    elif hand.winnings is not None:
        back = _back_by_winnings(draft, dict(zip(seats, hand.winnings, strict=True)))
    else:
        return
    lost = {seat: amount for seat, amount in back.items() if amount < 0}
    for seat, amount in lost.items():
        draft.unproved.append(f"seat {seat} ends {amount_text(-amount)} below what is left of its stack")
    rake = draft.pot - sum(amount for amount in back.values() if amount > 0)
    if rake > 0:
        draft.notes.append("what the file does not pay out is taken as rake")
    draft.settle({seat: amount for seat, amount in back.items() if amount > 0}, rake)


def _back_by_winnings(draft: HandDraft, winnings: dict[int, int]) -> dict[int, int]:
    """Sites differ in whether an uncalled bet counts as won: it does where the pot could not pay it otherwise."""
    top, over = draft.uncalled()
    if not over or draft.pot - over - sum(winnings.values()) < 0:
        return winnings
    draft.notes.append("winnings are read as without the uncalled bet")
    return {**winnings, top: winnings.get(top, 0) + over}


# --- together ---


def take(raw: bytes, pseudonyms: Pseudonyms) -> Imported:
    """A hand's own bytes to what is stored of it.

    Raises:
        HandRefused: as `read_hand` and `draft_of`; bytes that are no UTF-8.
    """
    key, digest = hand_key(raw)
    try:
        text = raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise HandRefused("encoding", f"byte {raw[error.start]:#04x} is no UTF-8", line=line) from error
    hand = read_hand(text)
    ids = [pseudonyms.of(name) if name else f"p{n}" for n, name in enumerate(hand.players or [""] * len(hand.seats), 1)]
    draft = draft_of(hand, ids)
    names = dict(zip(hand.players, ids, strict=True)) if hand.players else {}
    opened = HandImported(
        game=GAME,
        rule_book=RULE_BOOK,
        currency=hand.currency,
        format=FORMAT,
        reader=READER,
        sha256=digest,
        text=without_names(text.strip(), {name: known for name, known in names.items() if name}),
        time_known=hand.played_at is not None,
        smallest_chip=_smallest_chip(hand),
        site=_site(hand.document),
        site_hand=_short(hand.document.get("hand")),
        notes=draft.remarks,
    )
    return Imported(key, opened, draft, hand.played_at, hand)


def _smallest_chip(hand: PhhHand) -> int:
    """What the file says, or else counts in: whole units, or hundredths where any amount has a part of a unit."""
    stated = hand.document.get(CHIP)
    if isinstance(stated, int | Decimal) and stated > 0 and stated * MINOR_PER_MAJOR % 1 == 0:
        return int(stated * MINOR_PER_MAJOR)
    told = (action.amount or 0 for action in hand.actions)
    amounts = (
        *hand.antes, *hand.blinds, *(stack or 0 for stack in hand.stacks), *(hand.finishing or ()),
        *(hand.winnings or ()), *told,
    )  # fmt: skip
    return 1 if any(amount % MINOR_PER_MAJOR for amount in amounts) else MINOR_PER_MAJOR


def _site(document: dict[str, Any]) -> str | None:
    return _short(document.get("venue")) or _short(document.get("event"))


def _short(value: Any) -> str | None:
    return str(value)[:255] if isinstance(value, str | int) and not isinstance(value, bool) else None
