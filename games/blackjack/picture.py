"""The table as a person sees it: boxes with bets, cards and totals, dealer, shoe, the settlement line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from events.values.cards import UNKNOWN, cards_text
from games.blackjack.bets import BET, INSURANCE
from games.blackjack.hands import EVEN_MONEY, EXPELLED, SURRENDER
from games.blackjack.payouts import Analysis, analyse
from games.blackjack.table import Round, Session, exact_place, hand_place
from games.blackjack.totals import is_21_in_two, total_text
from games.picture import Panel, Picture, Span, Viewpoint, fitted, line
from games.shared.bank.picture import Spans, nets_text, settlement_panel, stakes_text
from games.shared.bank.table import Laid
from games.sight import is_seat


def picture(session: Session, viewpoint: Viewpoint) -> Picture:
    """Cards lie where the record left them; one dealt face down is hidden until it is turned."""
    round_ = session.round
    if round_ is None:
        return (Panel("Shoe", tuple(map(fitted, _shoe(session)))),)
    analysis = analyse(session)
    panels = [
        Panel(f"Dealer, round {round_.name}", (fitted(_dealer(round_, viewpoint)),)),
        Panel("Boxes", tuple(map(fitted, _boxes(session, round_, analysis, viewpoint)))),
    ]
    lines = analysis.settlement.lines
    if any(not one.held for one in lines) or analysis.settlement.candidates:
        settled = settlement_panel(lines)
        panels += [settled] if settled is not None else []
        if analysis.settlement.candidates:
            panels.append(Panel("For a person to decide", tuple(map(fitted, _candidates(analysis)))))
    return (*panels, Panel("Shoe", tuple(map(fitted, _shoe(session)))))


def _dealer(round_: Round, view: Viewpoint) -> Spans:
    cards = _seen([card for card in round_.draws if card.to == "dealer"], view)
    return _cards(cards) if cards else line(Span("no card yet", "dim"))


def _boxes(session: Session, round_: Round, analysis: Analysis, view: Viewpoint) -> Iterator[Spans]:
    """A line for each box with its bets, and one for each of its hands."""
    hands = _hands(round_, analysis)
    owners = round_.owners if round_.owners is not None else session.owners
    turn = analysis.play.waits if analysis.play is not None else None
    for box in sorted({*owners, *(stake.box for stake in round_.stakes), *hands}):
        yield line(Span(f"box {box}", "bold"), *_stakes(round_, box, owners.get(box, "")))
        own = hands.get(box, [])
        for at, cards in enumerate(own, 1):
            if not cards:
                continue
            mark = "  " if len(own) == 1 else f"{at} "
            now = turn is not None and (turn.box, turn.hand) == (box, at) and not turn.place
            yield (
                Span("  > " if now else "    ", "now" if now else ""),
                Span(mark),
                *_cards(_seen(cards, view)),
                Span(_said(analysis, box, at), "dim"),
            )


def _stakes(round_: Round, box: int, owner: str) -> Iterator[Span]:
    """`  p-204 (owner) bet 100 · double 100`, player by player."""
    betting = [stake.player for stake in round_.stakes if stake.box == box and stake.left]
    order = {BET: 0, "split": 1, "double": 2, INSURANCE: 3}
    for player in dict.fromkeys([owner, *betting] if owner else betting):
        text = stakes_text([stake for stake in round_.stakes if stake.box == box and stake.player == player], order)
        whose = " (owner)" if player == owner else ""
        yield Span(f"  {player}{whose} {text or 'no bet'}", "" if text else "dim")


def _hands(round_: Round, analysis: Analysis) -> dict[int, list[list[Laid]]]:
    """Box → its hands as the cards lie; those that the play split are apart."""
    hands: dict[int, list[list[Laid]]] = {}
    placed: set[int] = set()
    if analysis.play is not None:
        for box, at, hand in analysis.play.all_hands():
            at_home = [card for card in hand.cards if _lies_in(card, box, at, hand.from_split)]
            placed.update(card.order for card in at_home)
            hands.setdefault(box, []).append(at_home)
    for card in round_.draws:
        place = exact_place(card.to)
        if card.order in placed or not place.startswith("box/"):
            continue
        own_box, _dot, number = place.removeprefix("box/").partition(".")
        own = hands.setdefault(int(own_box), [])
        while len(own) < int(number):
            own.append([])
        own[int(number) - 1].append(card)
    for own in hands.values():
        for cards in own:
            cards.sort(key=lambda card: card.order)
    return hands


def _lies_in(card: Laid, box: int, at: int, from_split: bool) -> bool:
    """Whether a card of that hand lies there: one that a split moved was recorded at the hand it came from."""
    place = exact_place(card.to)
    return place == hand_place(box, at) or (from_split and place.startswith(f"box/{box}."))


def _seen(cards: Iterable[Laid], view: Viewpoint) -> tuple[str, ...]:
    return tuple(
        card.card
        if view.all_knowing or card.face == "up" or card.card in view.known or is_seat(view, card.to.partition(".")[0])
        else UNKNOWN
        for card in cards
    )


def _cards(cards: tuple[str, ...]) -> Spans:
    name = "blackjack" if is_21_in_two(cards) else total_text(cards)
    return (Span(f"{cards_text(cards):<18}", "bold"), Span(f" {name:<10}"))


_LEFT = {SURRENDER: "surrendered", EVEN_MONEY: "took even money", EXPELLED: "was expelled"}


def _said(analysis: Analysis, box: int, at: int) -> str:
    """What was decided on the hand beside its cards."""
    if analysis.play is None:
        return ""
    hands = analysis.play.hands.get(box, [])
    if at > len(hands):
        return "no bet"
    hand = hands[at - 1]
    words = [f"{player} {_LEFT[how]}" for player, how in hand.gone.items()]
    words += ["doubled"] if hand.doubled else []
    words += ["stands"] if hand.stood else []
    return ", ".join([*words, *(f"{player} did not go along" for player in hand.refused)])


def _candidates(analysis: Analysis) -> Iterator[Spans]:
    """Each way the money may go, by player."""
    for name, lines in analysis.settlement.candidates.items():
        waits = all(one.held for one in lines)
        yield line(f"{name.replace('_', ' '):<16} ", "not known yet" if waits else nets_text(lines))


def _shoe(session: Session) -> Iterator[Spans]:
    shoe, round_ = session.shoe, session.round
    if not shoe.number:
        yield line(Span("no shoe is on record", "dim"))
        return
    text = f"{shoe.deck or 'shoe'}: {shoe.cards} cards out" if shoe.cards else f"{shoe.deck or 'shoe'}: not dealt yet"
    yield line(text, Span(f", the cutting card came out in round {shoe.last_round}" if shoe.last_round else "", "gold"))
    if round_ is not None and any(not card.dealt_to for card in round_.carried) and not round_.laid:
        waiting = cards_text([card.card for card in round_.carried])
        yield line(Span(f"{waiting} waits to be the next card", "gold"))
