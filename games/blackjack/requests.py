"""What players may ask for before anybody acts: even money and insurance (BJ-35, BJ-36)."""

from __future__ import annotations

from games.blackjack.bets import Box, void_mark
from games.blackjack.hands import EVEN_MONEY, Hand, Play
from games.blackjack.legality import ACTS, House, is_blackjack, paid_at_once
from games.blackjack.table import Round, Session
from games.shared.bank.parts import Part, give_back, keep_up_to
from games.shared.bank.parts import total as at_risk
from games.shared.bank.table import Laid, Noted
from games.shared.marks import Mark, missing


def early_requests(session: Session, round_: Round, boxes: list[Box], play: Play) -> None:
    """Settles who takes even money and which insurance plays; before the second cards everything waits."""
    house: House = session.edition.__getitem__
    first = first_act(round_, len(boxes))
    dealt = round_.draws[2 * len(boxes)] if len(round_.draws) > 2 * len(boxes) else None
    for note in round_.decisions:
        if note.event.choice == EVEN_MONEY:
            _even_money(note, boxes, play, house, first.order if first is not None else None)
    if not play.dealt:
        return
    for box in boxes:
        for player in box.players:
            _insure(session, box, player, play, first, dealt)
    insurers = {(box.number, player) for box in boxes for player in box.players}
    for part in play.insurance:
        if part.open and (part.stake.box, part.stake.player) not in insurers:
            _no_insurance(part, play, "insurance_not_allowed")


def first_act(round_: Round, boxes: int) -> Noted | Laid | None:
    """The first decision or card after two cards to each box and one to the dealer; None before it."""
    dealt = 2 * boxes + 1
    acts: list[Noted | Laid] = [note for note in round_.decisions if note.event.choice in ACTS]
    acts += round_.draws[dealt : dealt + 1]
    return min(acts, key=lambda act: act.order, default=None)


def _even_money(note: Noted, boxes: list[Box], play: Play, house: House, first: int | None) -> None:
    event = note.event
    hands = play.hands.get(event.box)
    player = event.player or next((box.owner for box in boxes if box.number == event.box), "")
    in_time = first is None or note.order < first
    if hands and in_time and offers_even_money(house, play, hands[0]) and player in hands[0].playing:
        hands[0].gone[player] = EVEN_MONEY
        return
    play.marks.append(
        Mark(
            rule="BJ-36", code="even_money_not_allowed", kind="corrected", scope="hand", subject=f"box {event.box}",
            player=player, facts=(note.fact,),
        )
    )  # fmt: skip


def offers_even_money(house: House, play: Play, hand: Hand) -> bool:
    """Blackjack with the first two cards against an ace, which is not paid at once (BJ-36, BJ-A07)."""
    first = not hand.from_split and is_blackjack(house, hand)
    return first and play.upcard == "A" and not paid_at_once(house, play.upcard)


def _insure(
    session: Session, box: Box, player: str, play: Play, first: Noted | Laid | None, dealt: Laid | None
) -> None:
    """A player's insurance of his own bet on a box: after the last of the second cards, before the first act."""
    house: House = session.edition.__getitem__
    hand = play.hands[box.number][0]
    own = [
        part for part in play.insurance
        if part.open and part.stake.box == box.number and part.stake.player == player
    ]  # fmt: skip
    for part in own:
        early = session.clocks.compare(part.stake.fact, dealt.fact) if dealt is not None else "after"
        if not part.amount:
            give_back([part], "BJ-35")  # taken up again before anybody acted
        elif early == "before":
            _no_insurance(part, play, "insurance_not_allowed", "laid before the second cards")
        elif play.upcard != "A" or is_blackjack(house, hand) or part.amount < house("blackjack.insurance_min"):
            _no_insurance(part, play, "insurance_not_allowed")
        elif first is not None and part.stake.order > first.order:
            _no_insurance(part, play, "late_insurance")
        elif early == "unknown":
            play.marks.append(
                missing("BJ-35", "insurance_not_allowed", "bet", facts=(part.stake.fact,), subject=part.stake.id)
            )
    own = [part for part in own if part.open]
    over = keep_up_to(own, insurance_limit(play, box.number, player), "BJ-35", "insurance_over_half")
    if over:
        live = at_risk(own)
        if house("blackjack.insurance_excess") == "void_all":
            live, over = 0, live + over
            give_back(own, "BJ-35", "insurance_over_half")
        play.marks.append(
            Mark(
                rule="BJ-35", code="insurance_over_half", kind="corrected", scope="bet", subject=own[-1].stake.id,
                player=player, facts=(own[-1].stake.fact,), remedy={"live": live, "refund": over},
            )
        )  # fmt: skip


def insurance_limit(play: Play, box: int, player: str) -> int:
    """Half of the original bet, down to the whole minor unit (BJ-35, BJ-A41)."""
    return play.hands[box][0].original_of(player) // 2


def _no_insurance(part: Part, play: Play, code: str, text: str = "") -> None:
    give_back([part], "BJ-35", code)
    play.marks.append(void_mark("BJ-35", code, part, text))
