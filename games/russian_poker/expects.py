"""What may happen next at the table, and which payments are due."""

from __future__ import annotations

from events.schema.common import CutMade
from games.protocol import Action, Due, Expectation
from games.russian_poker.boxes import FINAL, PURCHASES
from games.russian_poker.dealing import HAND, first_deal, missing_steps
from games.russian_poker.insuring import insurance_bounds
from games.russian_poker.payouts import Analysis, analyse
from games.russian_poker.play import Playing, Table
from games.russian_poker.table import Session
from games.shared.bank.deck import round_robin, shuffle_steps
from games.shared.bank.dues import dues
from games.shared.bank.events import DeckLoaded
from games.verdict import Line


def expects(session: Session) -> Expectation:
    """The phase in the floor's words, who may act, where the next card goes, and what is to be paid now.

    Phases: `between rounds`, `antes`, `deal`, `decisions`, `reveal`, `ante or another card`, `another card`,
    `settlement`, `settled`, `ruling`, `closed`. Bounds of an amount are those of the whole stake on a spot; `add`
    is a purchase's fee.
    """
    coup = session.round
    if session.closed:
        return Expectation(phase="closed")
    if coup is None or coup.closed is not None:
        return Expectation(phase="between rounds", actor="dealer", actions=(*_prepare(session), *_antes(session)))
    analysis = analyse(session)
    table = analysis.table
    assert table is not None
    if analysis.void:
        return _settlement(analysis, "void: everything goes back")
    if analysis.waits and table.is_over:
        return Expectation(phase="ruling", actor="management", note=", ".join(sorted({m.code for m in analysis.waits})))
    if coup.first_card is None:
        return _before_the_deal(session, table)
    if not table.is_over:
        return _before_the_reveal(table, analysis)
    return _after_the_reveal(table, analysis)


# Before the first card ------------------------------------------------------------------------------------------------


def _before_the_deal(session: Session, table: Table) -> Expectation:
    actions = _antes(session)
    todo = _prepare(session)
    boxes = [own.box.number for own in table.playing()]
    if todo or not boxes:
        return Expectation(phase="antes", actor="players", actions=(*actions, *todo))
    return Expectation(phase="antes", actor="players", actions=actions, next_card=f"box/{boxes[0]}")


def _antes(session: Session) -> tuple[Action, ...]:
    low, high = session.limits.of("ante")
    fixed = session.edition.constants.bonus_stake(session.currency)
    ante = Action(actor="players", name="ante", low=low, high=high)
    return (ante,) if fixed is None else (ante, Action(actor="players", name="bonus", low=fixed, high=fixed))


def _prepare(session: Session) -> tuple[Action, ...]:
    """The next thing to do with the deck before it can be dealt."""
    if session.royal or session.ordered is not None:
        return (_staff("change the deck"),)
    lacking = missing_steps(shuffle_steps(session.prepared), session.edition["rp.shuffle.required_steps"])
    if lacking:
        return (_staff(lacking[0]),)
    kinds = [type(fact.event) for fact in session.prepared]
    if CutMade not in kinds:
        return (_staff("cut"),)
    return () if DeckLoaded in kinds else (_staff("load"),)


def _staff(name: str) -> Action:
    return Action(actor="dealer", name=name)


# Deal and decisions ---------------------------------------------------------------------------------------------------


def _before_the_reveal(table: Table, analysis: Analysis) -> Expectation:
    boxes = [own.box.number for own in table.playing()]
    places = round_robin(boxes, HAND)
    dealt = len(first_deal(table))
    if dealt < len(places):
        return Expectation(phase="deal", actor="dealer", next_card=places[dealt])
    done = tuple(_due(table, analysis, [own for own in table.boxes if own.status in ("fold", "out")]))
    for own in table.playing():
        expected = _of_box(table, own, done)
        if expected is not None:
            return expected
    if all(own.status == "fold" for own in table.playing()):
        return _settlement(analysis, "nobody plays on")
    return Expectation(phase="reveal", actor="dealer", actions=(_staff("turn the cards"),), due=done)


def _of_box(table: Table, own: Playing, done: tuple[Due, ...]) -> Expectation | None:
    """What a box still has to say or to pay; None if it is done."""
    number = own.box.number
    who = f"box/{number}"
    words = [note.event.choice for note in own.box.decisions if note.event.choice in PURCHASES | FINAL]
    if own.status == "fold" or (own.status == "bet" and own.counted("bet") >= own.bet):
        return None
    if own.status == "bet":
        bet = Action(actor=who, name="put down the bet", low=own.bet, high=own.bet)
        return Expectation(phase="decisions", actor=who, actions=(bet,), due=done)
    last = own.box.purchases[-1] if own.box.purchases else None
    if last is not None:
        wanted = 1 if last.choice == "buy6" else len(last.discards)
        paid = own.counted("fee")
        if paid < own.ante:
            fee = Action(actor=who, name="put down the fee", low=own.ante, high=own.ante)
            return Expectation(phase="decisions", actor=who, actions=(fee,), due=done)
        if len(last.cards) < wanted:
            return Expectation(phase="decisions", actor="dealer", next_card=who, due=done)
    actions = [Action(actor=who, name="bet", low=own.bet, high=own.bet), Action(actor=who, name="fold")]
    if not words:
        if not own.parts["insurance"]:  # what he then draws might not be the hand that he insured
            actions += [Action(actor=who, name=name, add=own.ante) for name in ("buy6", "exchange")]
        if own.counted("bonus") and not own.box.claims:
            actions.append(Action(actor=who, name="claim the bonus"))
    bounds = insurance_bounds(table, own, own.hand) if own.hand is not None and not own.parts["insurance"] else None
    if bounds is not None:
        actions.append(Action(actor=who, name="insurance", low=bounds[0], high=bounds[1]))
    return Expectation(phase="decisions", actor=who, actions=tuple(actions), due=done)


# After the reveal -----------------------------------------------------------------------------------------------------


def _after_the_reveal(table: Table, analysis: Analysis) -> Expectation:
    outcome = analysis.outcome
    if outcome is None or outcome.first is None:
        return Expectation(phase="settlement", actor="dealer", note="the dealer's cards are not on record")
    playing = [own for own in table.playing() if own.status == "bet"]
    if outcome.first.qualifies or not playing:
        return _settlement(analysis, "")
    if not outcome.count:
        return _election(table, analysis, playing, outcome.asked)
    if outcome.again:
        return _repeat(table, analysis, playing, outcome.again)
    return _settlement(analysis, "")


def _election(table: Table, analysis: Analysis, playing: list[Playing], asked: frozenset[int]) -> Expectation:
    """RP-36: each box takes 1:1 on its ante or gives it up."""
    silent = [own for own in playing if not own.box.elections and not _booked(table, own)]
    settled = [own for own in table.boxes if own.box.number not in asked and own not in silent]
    due = tuple(_due(table, analysis, settled))
    if silent:
        actions = tuple(
            Action(actor=f"box/{own.box.number}", name=name)
            for own in silent
            for name in ("take the ante", "another card")
        )
        note = "the dealer does not qualify"
        return Expectation(phase="ante or another card", actor="players", actions=actions, due=due, note=note)
    if asked:
        return Expectation(
            phase="another card", actor="dealer", actions=(_staff("replace the highest card"),), next_card="dealer",
            due=due,
        )  # fmt: skip
    return _settlement(analysis, "")


def _repeat(table: Table, analysis: Analysis, playing: list[Playing], again: frozenset[int]) -> Expectation:
    """RP-40: the new card is of the same rank; who pays another ante has it replaced again."""
    last = table.coup.replaced[-1].order
    paid = {own.box.number for own in playing if any(part.stake.order > last for part in own.parts["rex"])}
    if paid:
        return Expectation(
            phase="another card", actor="dealer", actions=(_staff("replace the highest card"),), next_card="dealer"
        )
    if any(_bet_booked(table, own) for own in playing if own.box.number in again):
        return _settlement(analysis, "")
    actions = tuple(
        Action(actor=f"box/{own.box.number}", name="another ante", low=own.ante, high=own.ante)
        for own in playing
        if own.box.number in again
    )
    due = _settlement(analysis, "").due
    return Expectation(phase="another card", actor="players", actions=actions, due=due, note="a card of the same rank")


def _booked(table: Table, own: Playing) -> bool:
    """Whether its ante has been settled."""
    ids = {part.stake.id for part in own.parts["ante"]}
    return any(getattr(fact.event, "stake", "") in ids for fact in table.coup.settles)


def _bet_booked(table: Table, own: Playing) -> bool:
    ids = {part.stake.id for part in own.parts["bet"]}
    return any(getattr(fact.event, "stake", "") in ids for fact in table.coup.settles)


def _settlement(analysis: Analysis, note: str) -> Expectation:
    table = analysis.table
    due = tuple(_due(table, analysis, list(analysis.boxes))) if table is not None else ()
    return Expectation(phase="settlement" if due else "settled", actor="dealer", due=due, note=note)


def _due(table: Table, analysis: Analysis, boxes: list[Playing]) -> tuple[Due, ...]:
    """What is still to be moved for these boxes, in the order of RP-41; what waits for a ruling is not."""
    ids = {stake.id for own in boxes for stake in own.box.stakes}
    lines: list[Line] = [line for line in analysis.settlement.lines if line.stake in ids and not line.held]
    lying = {stake.id: stake.left for stake in table.coup.stakes}
    return dues(lines, table.coup.settles, lying)
