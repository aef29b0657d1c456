"""A poker table as a person sees it; shared by all poker rooms. At most 99 columns, readable without colour.

A room hands in what it alone knows (`Shown`): its boards, who competes for the pots, how it names a hand. Amounts
stand without their currency, which the title has.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from events.values.cards import UNKNOWN, card_text
from events.values.money import CHIPS, money_text
from games.picture import Panel, Picture, Span, Style, Viewpoint, fitted, line
from games.protocol import Due, Expectation
from games.shared.poker.blinds import positions_of
from games.shared.poker.hand import STREETS, UNLIMITED, Hand, deal_order
from games.shared.poker.seats import Positions
from games.shared.poker.settling import Claims, outcome, pot_names, tabled
from games.shared.poker.showdown import Outcome, Won
from games.shared.poker.stacks import NOTHING, stack_after
from games.shared.poker.table import Session
from games.sight import is_seat

Parts = list[Span | str]
NameHand = Callable[[tuple[str, ...], tuple[str, ...]], str]
"""A hand's name from its own cards and a board, all known and different."""

_RED = frozenset("dh")
_PLAYER_MAX = 16
_NARROW = 79
_LATE: tuple[tuple[str, ...], ...] = (
    (),
    ("BTN",),
    ("UTG", "BTN"),
    ("UTG", "CO", "BTN"),
    ("UTG", "HJ", "CO", "BTN"),
    ("UTG", "MP", "HJ", "CO", "BTN"),
    ("UTG", "UTG+1", "MP", "HJ", "CO", "BTN"),
    ("UTG", "UTG+1", "UTG+2", "MP", "HJ", "CO", "BTN"),
    ("UTG", "UTG+1", "UTG+2", "MP", "MP+1", "HJ", "CO", "BTN"),
)
"""Names of the positions behind the big blind, by their number."""


class Shown(Struct, frozen=True, kw_only=True):
    """What a room tells of its hand. `boards`: all of a hand run more than once, whole; `claims`: who competes.

    `told`: who wins may be said, since hands lie open.
    """

    boards: tuple[tuple[str, ...], ...]
    claims: Claims
    next: Expectation
    name_hand: NameHand
    told: bool = False


def nobody(session: Session, next_: Expectation) -> Picture:
    """The table before its first hand."""
    rows = [
        line(f"   {seat:>2}  {player}", Span("  away" if seat in session.away else "", "dim"))
        for seat, player in sorted(session.seated.items())
    ]
    panels = [Panel("Table", (line("no hand yet"), *rows)), Panel("Draw for the button", tuple(_draws(session)))]
    if next_.note:
        panels.append(Panel(f"Next: {next_.phase}", (line(next_.note),)))
    return tuple(panel for panel in panels if panel.lines)


def picture(session: Session, hand: Hand, viewpoint: Viewpoint, shown: Shown) -> Picture:
    """The table of a hand: board, seats, pots, what comes next."""
    result = None if hand.betting else outcome(hand, session.terms, shown.claims, parts=len(shown.boards))
    is_told = viewpoint.all_knowing or hand.over or any(tabled(hand, place, session.terms.hole) for place in hand.left)
    shown = replace(shown, told=is_told)
    panels = (
        Panel(_title(session, hand), tuple(_board(hand, viewpoint, shown))),
        Panel("Seats", tuple(_seats(session, hand, viewpoint, shown, result))),
        _pots(session, hand, shown, result),
        Panel("Draw for the button", tuple(_draws(session))),
        _next(session, hand, shown.next),
    )
    return tuple(Panel(panel.title, tuple(map(fitted, panel.lines))) for panel in panels if panel.lines)


def positions(session: Session, hand: Hand) -> dict[int, str]:
    """Position → its name, by where button and blinds are on record or else due. A seat between button and big blind
    that has not the small blind has none, nor has anybody the button or a blind that lies at an empty seat. While the
    players are still being dealt in, only the button is told."""
    order = deal_order(hand, session.terms.heads_up)
    names = dict.fromkeys(order, "")
    if len(order) < 2:
        return names
    spots = _spots(session, hand)
    small, big = hand.place(spots.small), hand.place(spots.big)
    button = hand.place(spots.button) if spots.button else order[-1]
    if not (hand.posts or hand.dealt or hand.actions):
        return names | ({button: "BTN"} if button in names else {})
    if len(order) == 2:
        blinds = {small: "SB", big: "BB"}
        told = {place: ("BTN" if place == button else "", blinds.get(place, "")) for place in order}
        return {place: "/".join(filter(None, both)) for place, both in told.items()}
    late = [place for place in order[order.index(big) + 1 if big in names else 0 :] if place != small]
    # A button before an empty seat is dead: who sits last before it is still the cut-off.
    count = len(late) + (button not in names)
    if count < len(_LATE):
        names |= dict(zip(late, _LATE[count], strict=False))
    return names | {place: name for place, name in ((small, "SB"), (big, "BB")) if place in names}


def _spots(session: Session, hand: Hand) -> Positions:
    """Seats of button and blinds, as recorded where they are."""
    due = positions_of(hand, session.before.positions, session.terms)
    return Positions(hand.button or due.button, hand.small_blind or due.small, hand.big_blind or due.big)


def card_span(card: str) -> Span:
    """A card in its suit's colour; the suit itself is readable without."""
    style: Style = "red" if card[1:] in _RED and card[1:] else ""
    return Span(card_text(card), style)


def _cards(cards: tuple[str, ...]) -> Parts:
    parts: Parts = []
    for card in cards:
        parts += [card_span(card), " "]
    return parts[:-1]


def _length(parts: Parts) -> int:
    return sum(len(part if isinstance(part, str) else part.text) for part in parts)


def _plain(amount: int) -> str:
    """An amount without its currency; `?` for what no record tells."""
    return "?" if abs(amount) > UNLIMITED // 2 else money_text(amount, CHIPS).removesuffix(" chips")


# --- board ---


def _title(session: Session, hand: Hand) -> str:
    stakes = session.stakes
    parts = [f"Hand {hand.name}, {'over' if hand.closed else STREETS[hand.street]}"]
    if stakes.big_blind:
        parts.append(f"blinds {_plain(stakes.small_blind)} / {_plain(stakes.big_blind)}")
    if stakes.ante:
        parts.append(f"ante {_plain(stakes.ante)}")
    if stakes.betting != "no_limit":
        parts.append(stakes.betting.replace("_", " "))
    parts.append("amounts in " + ("chips" if session.currency == CHIPS else session.currency))
    return " · ".join(parts)


def _board(hand: Hand, viewpoint: Viewpoint, shown: Shown) -> Iterator[tuple[Span, ...]]:
    for number, board in enumerate(shown.boards, 1):
        name = "board" if len(shown.boards) == 1 else f"board {number}"
        parts = [*_cards(board[:3]), *("  ", *_cards(board[3:4])), *("  ", *_cards(board[4:]))]
        yield line(f"{name:8}", *(parts if board else ["nothing yet"]))
    if hand.runs > 1 and len(shown.boards) < hand.runs:
        yield line(f"{'':8}it is to be run {hand.runs} times")
    if hand.burns:
        known = tuple(card for card in hand.put_away if viewpoint.all_knowing or card in viewpoint.known)
        burnt = _cards(known + (UNKNOWN,) * max(hand.burns - len(known), 0))
        yield line(Span(f"{'burnt':8}", "dim"), *burnt)
    for text in _irregular(hand, viewpoint):
        yield line(f"{'':8}", Span(text, "bad"))


def _irregular(hand: Hand, viewpoint: Viewpoint) -> Iterator[str]:
    """What is not as it should be with the cards."""
    if hand.fouled:
        yield f"the deck is fouled, found {hand.fouled.replace('_', ' the ')}"
    if hand.misdeals:
        yield "dealt anew after a misdeal" + (f" ({hand.misdeals} times)" if hand.misdeals > 1 else "")
    if hand.premature:
        yield f"the {hand.premature} was laid before the betting was over"
    if hand.surplus:
        yield f"on the board beyond what the street has: {' '.join(map(card_text, hand.surplus))}"
    if hand.loose:
        seen = [card for card in hand.loose if viewpoint.all_knowing or card in viewpoint.known]
        named = f": {' '.join(map(card_text, seen))}" if seen else ""
        yield f"cards were exposed, or moved from where they were dealt{named}"


def _draws(session: Session) -> Iterator[tuple[Span, ...]]:
    for seat, card in session.draws:
        yield line(f"   {seat:>2}  ", card_span(card))


# --- seats ---


def _seats(
    session: Session, hand: Hand, viewpoint: Viewpoint, shown: Shown, result: Outcome | None
) -> Iterator[tuple[Span, ...]]:
    names = positions(session, hand)
    held = [_held(session, hand, place, viewpoint) for place in range(len(hand.seats))]
    cells = [_cards(cards) for cards in held]
    outside = {seat: player for seat, player in session.seated.items() if seat not in hand.seats}
    wide = max(map(_length, cells), default=5)
    player_wide = min(max(map(len, (*hand.players, *outside.values(), "player"))), _PLAYER_MAX)
    chips = [_plain(behind(session, hand, place)) for place in range(len(hand.seats))]
    # Once a round of betting is over its chips are in the pot, and once that is paid out, nowhere in front.
    lie = (hand.betting or not hand.actions) and not _paid_out(hand)
    fronts = [_plain(front) if front and lie else "" for front in hand.bets.front]
    chips_wide = max(map(len, (*chips, "behind")))
    front_wide = max(map(len, (*fronts, "in front")))
    yield line(
        Span(
            f"  {'seat':<9}  {'player':<{player_wide}}  {'cards':<{wide}}  {'behind':>{chips_wide}}"
            f"  {'in front':>{front_wide}}",
            "dim",
        )
    )
    rows: dict[int, list[tuple[Span, ...]]] = {}
    for place, seat in enumerate(hand.seats):
        turn = shown.next.actor == f"seat/{seat}"
        gone: Style = "dim" if hand.out[place] else ""
        states = "; ".join([*_states(session, hand, place), *_paid(session, hand, place, shown, result)])
        rows[seat] = [
            line(
                Span("▶ " if turn else "  ", "now" if turn else ""),
                Span(f"{seat:>2} {names.get(place, ''):6}  ", "bold" if turn else gone),
                Span(f"{hand.players[place][:player_wide]:<{player_wide}}  ", "bold" if turn else gone),
                *cells[place],
                " " * (wide - _length(cells[place])),
                f"  {chips[place]:>{chips_wide}}  {fronts[place]:>{front_wide}}",
                Span(f"  {states}" if states else "", gone or "bold"),
            ),
            *_named(session, hand, place, held[place], shown),
        ]
    for seat, player in outside.items():
        state = _outside(session, hand, seat)
        rows[seat] = [line(Span(f"  {seat:>2} {'':6}  {player[:player_wide]:<{player_wide}}  {state}", "dim"))]
    for seat, name in _dead_spots(session, hand):
        rows.setdefault(seat, []).append(line(Span(f"  {seat:>2} {name:6}  dead: nobody is dealt in there", "dim")))
    for seat in sorted(rows):
        yield from rows[seat]


def behind(session: Session, hand: Hand, place: int) -> int:
    """What lies behind a seat, minor units: by the rules while the hand is played, so that it fits what is in front;
    by the record once the pots are paid out, whatever should lie there."""
    lies = stack_after(hand, place) if _paid_out(hand) else None
    return hand.stacks[place] if lies is None else lies + _otherwise(session, hand, place)


def _otherwise(session: Session, hand: Hand, place: int) -> int:
    """What came to a seat in this hand outside the pot, minor units: mostly an award that was put right. Told when the
    pots are paid out."""
    moved = session.moved.get(hand.players[place], NOTHING) if _paid_out(hand) else NOTHING
    return moved.other - moved.in_play


def in_pots(hand: Hand) -> int | None:
    """What the pots hold as the picture has them, minor units, bets in front included; None once they are paid out."""
    return None if _paid_out(hand) else hand.contributed - sum(hand.back)


def _paid_out(hand: Hand) -> bool:
    return hand.closed or any(hand.won)


def _outside(session: Session, hand: Hand, seat: int) -> str:
    """How it stands with a player who is not in the hand."""
    if seat in session.away:
        return "away"
    if seat in session.waiting:
        return "waits for the big blind"
    return "not in this hand" if hand.posts or hand.actions else ""


def _dead_spots(session: Session, hand: Hand) -> Iterator[tuple[int, str]]:
    """Empty seats at which button or small blind lie."""
    spots = _spots(session, hand)
    if not hand.seats:
        return
    if spots.button and spots.button not in hand.seats:
        yield spots.button, "BTN"
    if spots.small and spots.small not in hand.seats:
        yield spots.small, "SB"


def _held(session: Session, hand: Hand, place: int, viewpoint: Viewpoint) -> tuple[str, ...]:
    """The cards before a seat, `??` for each that the viewer has not seen; none of a hand that is out of play, but
    for what he has."""
    own, open_ = hand.hole[place], hand.shown[place]
    if viewpoint.all_knowing or is_seat(viewpoint, f"seat/{hand.seats[place]}"):
        return own or open_
    if not own and not open_ and hand.actions:
        own = (UNKNOWN,) * session.terms.hole  # dealt, and no record names them
    seen = tuple(card if card in open_ or card in viewpoint.known - set(hand.board) else UNKNOWN for card in own)
    # What lies open and was never told as dealt (a history that names only the hands shown) lies there all the same.
    seen = seen if len(own) >= len(open_) and set(open_) - {UNKNOWN} <= set(own) else open_
    return () if hand.out[place] and not set(seen) - {UNKNOWN} else seen


def _states(session: Session, hand: Hand, place: int) -> Iterator[str]:
    seat = hand.seats[place]
    gone = hand.gone[place]
    if gone:
        yield {"killed": "dead hand"}.get(gone, gone)
    elif hand.stacks[place] <= 0 and not any(hand.won):
        yield "all in"
    if seat in session.away:
        yield "away"
    if any(seat == own for own, _stack in hand.aside):
        yield "expelled"
    yield from _posted(hand, place)
    if any(one.seat == seat for one in hand.early):
        yield "acted out of turn, which waits"
    if (hand.street, seat) in hand.forfeits and hand.betting:
        yield "may not raise"
    if hand.clock is not None and hand.clock.seat == seat and hand.betting:
        yield "on the clock"
    if hand.exposed[place] and not gone:
        yield f"{hand.exposed[place]} exposed"
    cards = len(hand.hole[place])
    if cards > session.terms.hole or (hand.actions and 0 < cards < session.terms.hole):
        yield f"{cards} cards"
    apart = hand.apart[place]
    if apart and not _paid_out(hand):
        yield f"{_plain(apart)} pushed too much" if apart > 0 else f"owes {_plain(-apart)}"


def _paid(session: Session, hand: Hand, place: int, shown: Shown, result: Outcome | None) -> Iterator[str]:
    """What he was paid and, once the hand is over, what he was due where that is not the same; of his bets, what does
    not count and did not come back, or what is missing."""
    won, apart, other = hand.won[place], hand.apart[place], _otherwise(session, hand, place)
    if won:
        yield f"won {_plain(won)}" if won > 0 else f"paid {_plain(-won)} into the rake"
    if other:
        yield f"{'+' if other > 0 else '−'}{_plain(abs(other))} outside the pot"
    if apart and _paid_out(hand):
        yield f"due back {_plain(apart)}" if apart > 0 else f"owes {_plain(-apart)}"
    if hand.closed and result is not None and shown.claims.known and shown.told:
        due = sum(pot.shares.get(place, 0) for pot in result.pots)
        if due not in (won, won + other):
            yield f"due {_plain(due)}" if due else "not due"


def _posted(hand: Hand, place: int) -> Iterator[str]:
    """What he posted beside his blind, until the flop."""
    for own, kind, amount in hand.posts:
        if own == place and kind not in ("small_blind", "big_blind") and not hand.street and not hand.over:
            yield f"{kind.replace('_', ' ')} {_plain(amount)}"


def _named(
    session: Session, hand: Hand, place: int, cards: tuple[str, ...], shown: Shown
) -> Iterator[tuple[Span, ...]]:
    """What a hand makes: one that lies tabled, or that the viewer sees once all betting is over."""
    if hand.out[place] or len(cards) != session.terms.hole or UNKNOWN in cards:
        return
    if not tabled(hand, place, session.terms.hole) and (hand.betting or not hand.ready):
        return
    several = len(shown.boards) > 1
    for number, board in enumerate(shown.boards, 1):
        if len(board) >= 3 and UNKNOWN not in board and len({*cards, *board}) == len(cards) + len(board):
            where = f"board {number}: " if several else ""
            yield line(f"{'':13}{where}{shown.name_hand(cards, board)}")


# --- pots ---


def _pots(session: Session, hand: Hand, shown: Shown, result: Outcome | None) -> Panel:
    """The pots as they stand, chips in front included, and who may win each; at the end what the rules make of them."""
    if not hand.seats or not hand.contributed:
        return Panel("Pots", ())
    if result is None:
        pots = _open_pots(hand)
        names = pot_names(len(pots))
        rows = [line(_pot(hand, name, amount, who)) for name, (amount, who) in zip(names, pots, strict=True)]
        return Panel("Pots, bets in front included", tuple(rows))
    rows = []
    if result.returned:
        verb = "is back at" if hand.back[result.returned_to] >= result.returned else "goes back to"
        seat = hand.seats[result.returned_to]
        rows.append(line(f"{'uncalled':8}{_plain(result.returned):>12}  {verb} seat {seat}"))
    for name, pot in zip(pot_names(len(result.pots)), result.pots, strict=True):
        rows.append(line(_pot(hand, name, pot.amount, pot.eligible)))
        if shown.claims.known and shown.told and pot.shares:
            rows += [line(Span(text, "good")) for text in _wrapped(_wins(hand, pot), " " * 22)]
        elif pot.open and shown.claims.known:
            rows.append(line(" " * 22, Span("nobody tabled a hand for it: management decides", "bad")))
    return Panel("Pots, as the rules have it", tuple(rows))


def _pot(hand: Hand, name: str, amount: int, who: Sequence[int]) -> str:
    seats = ", ".join(str(hand.seats[place]) for place in who)
    eligible = f"seat{'s' if len(who) > 1 else ''} {seats}" if who else "nobody: management decides"
    return f"{name:8}{_plain(amount):>12}  {eligible}"


def _wins(hand: Hand, pot: Won) -> str:
    each = ", ".join(f"seat {hand.seats[place]} gets {_plain(amount)}" for place, amount in pot.shares.items())
    return each + (f"; rake {_plain(pot.rake)}" if pot.rake else "")


def _wrapped(text: str, indent: str = "") -> list[str]:
    """A sentence in lines that fit a narrow terminal."""
    return textwrap.wrap(text, _NARROW, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)


def _open_pots(hand: Hand) -> list[tuple[int, list[int]]]:
    """While bets may still be matched, only who is all-in is cut off from what lies above his own chips."""
    paid = [live + dead + ante for live, dead, ante in zip(hand.live, hand.dead, hand.antes, strict=True)]
    all_in = sorted({paid[place] for place in hand.left if hand.stacks[place] <= 0})
    pots, low = [], 0
    for level in (*all_in, max(paid, default=0)):
        size = sum(min(amount, level) - low for amount in paid if amount > low)
        who = [place for place in hand.left if hand.stacks[place] > 0 or paid[place] >= level]
        if size and who:
            pots.append((size, who))
        low = max(low, level)
    return pots


# --- what comes next ---


def _next(session: Session, hand: Hand, next_: Expectation) -> Panel:
    rows = []
    if next_.actor:
        place = hand.place(int(next_.actor[5:])) if next_.actor[5:].isdigit() else -1
        who = f"seat {next_.actor[5:]}" + (f", {hand.players[place][:_PLAYER_MAX]}" if place >= 0 else "")
        options = " | ".join(_option(hand, place, one.name, one.low, one.high) for one in next_.actions)
        rows.append(line(Span(f"{who}:", "now"), f" {options or 'to act'}"))
    if next_.next_card:
        rows.append(line(f"next card: {_card_goes(next_.next_card)}"))
    rows += [line(f"due: {due_words(due)}") for due in next_.due]
    rows += [line(text) for text in _wrapped(next_.note.replace("seat/", "seat "))]
    if not rows:
        rows.append(line("nothing more in this hand" if hand.closed else "nothing"))
    return Panel(f"Next: {next_.phase}", tuple(rows))


def _option(hand: Hand, place: int, name: str, low: int | None, high: int | None) -> str:
    said = name.replace("_", " ")
    if low is None or high is None:
        return said
    whole = hand.bets.front[place] + hand.stacks[place] if place >= 0 else 0
    front = hand.bets.front[place] if place >= 0 else 0
    if name == "raise":
        said += " to"
    said += f" {_plain(low)}"
    if high > low:
        said += f"–{_plain(high)}"
    if name == "call" and front:
        said += f" ({_plain(low - front)} more)"
    return said + (" (all in)" if high == whole and abs(high) < UNLIMITED // 2 else "")


def _card_goes(where: str) -> str:
    """Where the next card goes, or one that is put back."""
    told = {"burn": "burn card", "top": "back on top of the deck", "stub": "back into the stub", "aside": "set aside"}
    return told.get(where, f"to {where.replace('/', ' ')}" if "/" in where else f"the {where}")


def due_words(due: Due) -> str:
    """`small blind 5 from seat 7`, `award 175 to seat 1`."""
    what = {"return": "uncalled,", "owed": "still owed,"}.get(due.what, due.what.replace("_", " "))
    frm, to = due.frm.replace("/", " "), due.to.replace("/", " ")
    way = f"from {frm}" if due.to == "pot" else f"to {to}" if due.frm == "pot" else f"from {frm} to {to}"
    return f"{what} {_plain(due.amount)} {way}" if due.what != "rake" else f"rake {_plain(due.amount)}"
