"""A hold'em table as a person sees it: seats with positions, stacks and bets, board, pots, who may do what."""

from __future__ import annotations

from events.values.cards import card_text
from events.values.money import money_text
from games.holdem.expects import expects
from games.holdem.payouts import all_boards, claims_of
from games.picture import Panel, Picture, Span, Style, Viewpoint, line
from games.protocol import Expectation
from games.shared.poker.hand import STREETS, UNLIMITED, Hand, deal_order
from games.shared.poker.ranks import hand_name
from games.shared.poker.settling import outcome, pot_names, tabled
from games.shared.poker.table import Session

_RED = frozenset("dh")
_POSITIONS: dict[int, tuple[str, ...]] = {
    2: ("SB", "BB"),
    3: ("SB", "BB", "BTN"),
    4: ("SB", "BB", "UTG", "BTN"),
    5: ("SB", "BB", "UTG", "CO", "BTN"),
    6: ("SB", "BB", "UTG", "HJ", "CO", "BTN"),
    7: ("SB", "BB", "UTG", "MP", "HJ", "CO", "BTN"),
    8: ("SB", "BB", "UTG", "UTG+1", "MP", "HJ", "CO", "BTN"),
    9: ("SB", "BB", "UTG", "UTG+1", "UTG+2", "MP", "HJ", "CO", "BTN"),
    10: ("SB", "BB", "UTG", "UTG+1", "UTG+2", "MP", "MP+1", "HJ", "CO", "BTN"),
}


def picture(session: Session, viewpoint: Viewpoint) -> Picture:
    """The table. Cards show if they lie open, to their own seat, or to one who may see all."""
    hand = session.hand
    if hand is None:
        return (Panel("Table", (line("no hand yet"),)),)
    next_ = expects(session)
    panels = [
        _board(session, hand),
        _seats(session, hand, viewpoint, next_),
        _pots(session, hand, viewpoint),
        _next(session, next_),
    ]
    return tuple(panel for panel in panels if panel.lines)


def positions(session: Session, hand: Hand) -> dict[int, str]:
    """Position → its name, by the order from the button. With two players the button is one of the blinds."""
    order = deal_order(hand, session.terms.heads_up)
    names = _POSITIONS.get(len(order))
    if names is None:
        return dict.fromkeys(order, "")
    if len(order) == 2:
        button_is_small = session.terms.heads_up == "button_small_blind"
        return {order[1]: "BTN/SB" if button_is_small else "BTN/BB", order[0]: "BB" if button_is_small else "SB"}
    return dict(zip(order, names, strict=True))


def card_span(card: str) -> Span:
    """A card in its suit's colour; the suit itself is readable without."""
    style: Style = "red" if card[1:] in _RED and card[1:] else ""
    return Span(card_text(card), style)


def _cards(cards: tuple[str, ...], hidden: int = 0) -> list[Span | str]:
    parts: list[Span | str] = []
    for card in (*cards, *("??",) * hidden):
        parts += [card_span(card), " "]
    return parts[:-1]


def _money(session: Session, amount: int) -> str:
    return "?" if amount > UNLIMITED // 2 else money_text(amount, session.currency)


def _board(session: Session, hand: Hand) -> Panel:
    lines = []
    for number, board in enumerate(all_boards(hand), 1):
        name = "board" if number == 1 else f"board {number}"
        lines.append(line(f"{name:8}", *(_cards(board) if board else ["nothing yet"])))
    stakes = session.stakes
    title = f"Hand {hand.name}, {STREETS[hand.street]}"
    if stakes.big_blind:
        title += f" ({_money(session, stakes.small_blind)} / {_money(session, stakes.big_blind)})"
    return Panel(title, tuple(lines))


def _visible(hand: Hand, place: int, viewpoint: Viewpoint) -> bool:
    return (
        viewpoint.all_knowing
        or viewpoint.seat == str(hand.seats[place])
        or (viewpoint.seat == f"seat/{hand.seats[place]}")
    )


def _seats(session: Session, hand: Hand, viewpoint: Viewpoint, next_: Expectation) -> Panel:
    names = positions(session, hand)
    lines = []
    for place, seat in enumerate(hand.seats):
        own = hand.hole[place]
        cards = own if _visible(hand, place, viewpoint) else hand.shown[place]
        hidden = 0 if hand.out[place] and not cards else max(len(own) - len(cards), 0)
        turn = next_.actor == f"seat/{seat}"
        front = hand.bets.front[place]
        state: str = hand.gone[place] or ("all in" if hand.stacks[place] <= 0 and not hand.out[place] else "")
        if hand.won[place]:
            state = f"{state + ', ' if state else ''}won {_money(session, hand.won[place])}"
        lines.append(
            line(
                Span("▶ " if turn else "  ", "now"),
                Span(f"{seat:>2} {names.get(place, ''):6}", "bold" if turn else ""),
                Span(f" {hand.players[place]:16.16} ", "dim" if hand.out[place] else ""),
                *(_cards(cards, hidden) or ["     "]),
                f"  {_money(session, hand.stacks[place]):>16}",
                f"  bet {_money(session, front)}" if front else "",
                Span(f"  {state}" if state else "", "dim" if hand.out[place] else "bold"),
            )
        )
        open_ = hand.shown[place] + hand.board
        if len(hand.shown[place]) == session.terms.hole and len(hand.board) >= 3 and "??" not in open_:
            lines.append(line(f"{'':12}{hand_name(open_)}"))
    return Panel("Seats", tuple(lines))


def _pots(session: Session, hand: Hand, viewpoint: Viewpoint) -> Panel:
    """The pots as they stand, chips in front included, and who may win each."""
    if not hand.seats:
        return Panel("Pots", ())
    if hand.betting:
        lines = [
            line(f"{name:8}{_money(session, amount):>14}", f"  seats {', '.join(str(hand.seats[one]) for one in who)}")
            for name, (amount, who) in zip(pot_names(len(hand.seats)), _open_pots(hand), strict=False)
        ]
        return Panel("Pots", tuple(lines))
    found = claims_of(session, hand)
    result = outcome(hand, session.terms, found, parts=len(hand.boards) + 1)
    told = viewpoint.all_knowing or hand.over or any(tabled(hand, place, session.terms.hole) for place in hand.left)
    lines = []
    if result.returned:
        lines.append(
            line(f"uncalled  {_money(session, result.returned)} back to seat {hand.seats[result.returned_to]}")
        )
    for number, pot in enumerate(result.pots):
        who = ", ".join(str(hand.seats[place]) for place in pot.eligible) or "nobody: management decides"
        parts: list[Span | str] = [
            f"{'main' if number == 0 else f'side {number}':8}{_money(session, pot.amount):>14}",
            f"  seats {who}",
        ]
        if found.known and told and pot.shares:
            paid = ", ".join(f"{hand.seats[place]}: {_money(session, amount)}" for place, amount in pot.shares.items())
            parts.append(Span(f"  rake {_money(session, pot.rake)}; wins {paid}", "good"))
        lines.append(line(*parts))
    return Panel("Pots", tuple(lines))


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


def _next(session: Session, next_: Expectation) -> Panel:
    lines = []
    if next_.actor:
        options = []
        for action in next_.actions:
            text = action.name
            if action.low is not None and action.high is not None:
                to = "to " if action.name == "raise" else ""
                text += f" {to}{_money(session, action.low)}"
                if action.high > action.low:
                    text += f"–{_money(session, action.high)}"
            options.append(text)
        lines.append(line(Span(f"{next_.actor.replace('/', ' ')}: ", "now"), " | ".join(options)))
    if next_.next_card:
        lines.append(line(f"next card: {next_.next_card.replace('/', ' ')}"))
    lines += [
        line(f"due: {due.what.replace('_', ' ')} {_money(session, due.amount)}, {due.frm} → {due.to}")
        for due in next_.due
    ]
    if next_.note:
        lines.append(line(next_.note))
    return Panel(f"Next: {next_.phase}", tuple(lines) or (line("nothing"),))
