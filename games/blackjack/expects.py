"""What may happen next at a blackjack table, where the next card goes, and which payments are due."""

from __future__ import annotations

from collections.abc import Iterator

from games.blackjack.bets import INSURANCE, Box
from games.blackjack.hands import EVEN_MONEY, SURRENDER, Play, Waits
from games.blackjack.legality import (
    DOUBLE,
    HIT,
    SPLIT,
    STAND,
    decider,
    is_blackjack,
    may_surrender,
    no_double,
    no_split,
)
from games.blackjack.payouts import Analysis, analyse
from games.blackjack.requests import first_act, insurance_limit, offers_even_money
from games.blackjack.table import Round, Session
from games.protocol import Action, Due, Expectation
from games.shared.bank.deck import DEALER
from games.shared.bank.dues import dues

CROUPIER = "croupier"


def expects(session: Session) -> Expectation:
    """The phase in the floor's words, who may act, and what the bank owes or is owed now.

    Phases: `between rounds`, `betting`, `dealing`, `box 3`, `box 3, hand 2`, `dealer draws`, `settlement`, `settled`,
    `ruling`, `closed`. Amounts of a bet are the player's minimum and the box's maximum, None where the table posts
    none; those of an extra stake and of insurance what they may cost. `next_card` is `box/3.1` or `dealer`.
    """
    round_ = session.round
    if session.closed:
        return Expectation(phase="closed")
    if round_ is None or round_.over:
        return Expectation(phase="between rounds", actor=CROUPIER, actions=_bets(session), note=_shoe_note(session))
    analysis = analyse(session)
    due = dues(analysis.settlement.lines, round_.settles, _lying(round_))
    play = analysis.play
    if play is None:  # void by a ruling
        return Expectation(phase="settlement" if due else "settled", actor=CROUPIER, due=due, note="void")
    if not round_.draws and round_.closing is None:
        actions = (*_bets(session), Action(actor=CROUPIER, name="call no more bets"))
        return Expectation(phase="betting", actor="players", actions=actions, note=_shoe_note(session))
    asked = [mark.code for mark in analysis.marks if mark.kind == "ruling_required"]
    waits = play.waits
    if waits is None or (waits.place == DEALER and "dealer_underdrew" in asked):
        if asked and analysis.settlement.candidates:
            return Expectation(phase="ruling", actor="management", due=due, note=", ".join(dict.fromkeys(asked)))
        return Expectation(phase="settlement" if due else "settled", actor=CROUPIER, due=due)
    if waits.place:
        return _card(session, round_, play, waits.place, due, analysis)
    return _decision(session, round_, analysis, play, waits, due)


def _card(
    session: Session, round_: Round, play: Play, place: str, due: tuple[Due, ...], analysis: Analysis
) -> Expectation:
    waiting = not round_.draws and any(not card.dealt_to for card in round_.carried)
    if not play.dealt:
        phase, actions = "dealing", ()  # type: tuple[str, tuple[Action, ...]]
    else:
        phase = "dealer draws" if place == DEALER else _box(place)
        actions = tuple(_early(session, round_, analysis, play))
    return Expectation(
        phase=phase, actor=CROUPIER, next_card=place, due=due, actions=actions,
        note="the card that waits from the round before comes first" if waiting else "",
    )  # fmt: skip


def _bets(session: Session) -> tuple[Action, ...]:
    return (Action(actor="players", name="bet", low=session.limits.low, high=session.limits.high),)


def _shoe_note(session: Session) -> str:
    shoe = session.shoe
    if shoe.last_round is not None and shoe.dealing:
        return "the cutting card is out: shuffle first"
    return "the dealer changed: burn one first" if shoe.change is not None else ""


def _box(place: str) -> str:
    """`box/3.1` → `box 3`; further hands by their number."""
    box, _dot, hand = place.removeprefix("box/").partition(".")
    return f"box {box}" if hand in ("", "1") else f"box {box}, hand {hand}"


def _lying(round_: Round) -> dict[str, int]:
    """What lies in the boxes: what was taken up, even too late, is not given back."""
    return {stake.id: stake.left for stake in round_.stakes if stake.back}


def _early(session: Session, round_: Round, analysis: Analysis, play: Play) -> Iterator[Action]:
    """Even money and insurance, until somebody acts or a card is drawn (BJ-35, BJ-36)."""
    assert analysis.bets is not None
    if play.upcard != "A" or first_act(round_, len(analysis.bets.boxes)) is not None:
        return
    house = session.edition.__getitem__
    insured = {(part.stake.box, part.stake.player) for part in play.insurance}
    for box in analysis.bets.boxes:
        hand = play.hands[box.number][0]
        for player in hand.playing:
            if is_blackjack(house, hand):
                if offers_even_money(house, play, hand):
                    yield Action(actor=player, name=f"{EVEN_MONEY} box {box.number}")
                continue
            high, low = insurance_limit(play, box.number, player), house("blackjack.insurance_min")
            if high >= low and (box.number, player) not in insured:
                yield Action(actor=player, name=f"{INSURANCE} box {box.number}", low=low, high=high)


def _decision(
    session: Session, round_: Round, analysis: Analysis, play: Play, waits: Waits, due: tuple[Due, ...]
) -> Expectation:
    """The hand in turn: its decider's choices, and for the others whether they go along."""
    assert analysis.bets is not None
    box = next(box for box in analysis.bets.boxes if box.number == waits.box)
    who = decider(box, play.hands[waits.box][waits.hand - 1])
    actions = (*_choices(session, round_, play, box, waits, who), *_early(session, round_, analysis, play))
    return Expectation(phase=_box(f"box/{waits.box}.{waits.hand}"), actor=who, actions=actions, due=due)


def _choices(session: Session, round_: Round, play: Play, box: Box, waits: Waits, who: str) -> Iterator[Action]:
    house = session.edition.__getitem__
    hands = play.hands[waits.box]
    hand = hands[waits.hand - 1]
    stake = hand.stake_of(who)
    yield Action(actor=who, name=STAND)
    if not hand.ace:
        yield Action(actor=who, name=HIT)
    room = _room(session, round_, play, box)
    if not no_double(house, hand) and (house("blackjack.box_max_scope") != "all_stakes" or stake <= room):
        yield Action(actor=who, name=DOUBLE, low=stake, high=stake)
    if no_split(house, hand, len(hands)) is None and (
        house("blackjack.box_max_scope") == "original_bets" or stake <= room
    ):
        yield Action(actor=who, name=SPLIT, low=stake, high=stake)
    drawn = len(round_.draws) > 2 * len(play.hands) + 1
    if may_surrender(house, play, hand, drawn=drawn):
        by_owner = house("blackjack.surrender_by") == "owner"
        for player in [box.owner] if by_owner else hand.playing:
            yield Action(actor=player, name=SURRENDER)


def _room(session: Session, round_: Round, play: Play, box: Box) -> int:
    """What may still be staked on the box where the house counts extra stakes too (BJ-A02)."""
    high = (round_.limits or session.limits).high
    extra = sum(part.live for part in play.extras if part.stake.box == box.number)
    return 2**53 if high is None else high - box.live - extra
