"""How the game was run: shuffle and re-shuffle, boxes and who waits for one, touching, looking, talking.

None of it moves money by itself; where section 4 attaches no sanction the marks ask for a ruling (CH-A15, CH-A17).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from events.schema import common as tb
from events.schema.fact import Fact
from games.casino_holdem.boxes import Box, Reading, looks_at
from games.casino_holdem.course import asks
from games.casino_holdem.table import SPOTS
from games.shared.bank import events as bg
from games.shared.bank.deck import box_number, box_place
from games.shared.bank.table import Noted
from games.shared.marks import Mark, missing
from games.verdict import Kind, Scope

STEPS = ("wash", "piles", "riffle")
"""CH-11: the order of a shuffle; other steps between them do no harm."""

LOOKED_AT = {"deck": "undealt_seen", "burn": "discards_seen", "discards": "discards_seen"}
"""Where no player looks at cards: with the kind of conduct by which it is told (CH-16)."""

TALK = frozenset({"communication", "agreement"})
ADVICE = frozenset({"advice", "favour"})


def procedure(reading: Reading, boxes: Sequence[Box]) -> Iterator[Mark]:
    """Marks on everything that is no bet and no card."""
    if reading.course.first is not None:
        yield from _shuffle(reading)
    yield from _reshuffle(reading)
    yield from _positions(reading, boxes)
    yield from _waiting(reading, boxes)
    for box in boxes:
        yield from _stacks(reading, box)
        yield from _looks(reading, box)
    by_number = {box.number: box for box in boxes}
    for note in reading.coup.notes(bg.CardsViewed, bg.ConductNoted, bg.CardShown):
        yield from _conduct(reading, note, by_number)


def _mark(
    reading: Reading, rule: str, code: str, facts: tuple[Fact, ...], text: str, *, kind: Kind = "breach",
    scope: Scope = "round", subject: str = "", player: str = "",
) -> Mark:  # fmt: skip
    return Mark(
        rule=rule, code=code, kind=kind, scope=scope, subject=subject or reading.coup.name, player=player, facts=facts,
        text=text,
    )  # fmt: skip


def _with_remedy(mark: Mark, remedy: str) -> Iterator[Mark]:
    """A breach for which section 4 gives no sanction: a ruling is asked for, or the round is void, or neither."""
    yield mark
    if remedy == "management_ruling":
        yield asks(mark)
    elif remedy == "void_round_refund":
        yield Mark(
            rule=mark.rule, code=mark.code, kind="void", scope="round", subject=mark.subject, facts=mark.facts,
            text=mark.text, remedy={"void": "round"},
        )  # fmt: skip


# The shuffle ----------------------------------------------------------------------------------------------------------


def _shuffle(reading: Reading) -> Iterator[Mark]:
    """CH-11: wash, piles, riffle since the last card of the round before, a cut where the house wants one."""
    prepared = reading.coup.prepared
    if not reading.settings["shuffle_each_round"] and reading.coup.dealt_before and not _new_deck(prepared):
        return
    first = reading.coup.first_card
    wrong = _lacks(prepared, cut=reading.settings["cut_required"])
    if wrong and first is not None:
        facts = (*prepared, first.fact)
        if reading.course.touched:
            yield missing("CH-11", "shuffle_incomplete", facts=facts, subject=reading.coup.name)
        else:
            mark = _mark(reading, "CH-11", "shuffle_incomplete", facts, wrong)
            yield from _with_remedy(mark, reading.settings["shuffle_breach_remedy"])


def _new_deck(prepared: Iterable[Fact]) -> bool:
    """A deck came into play, or somebody wanted it shuffled."""
    return any(isinstance(fact.event, tb.DeckOpened | bg.ShuffleOrdered) for fact in prepared)


def _lacks(prepared: Iterable[Fact], *, cut: bool) -> str:
    """What is wrong with a shuffle, in words; empty if nothing is."""
    done = [fact.event.step for fact in prepared if isinstance(fact.event, tb.ShuffleStep)]
    absent = [step for step in STEPS if step not in done]
    if absent:
        return f"no {', no '.join(absent)} on record"
    place = -1
    for step in STEPS:
        if step not in done[place + 1 :]:
            return f"{step} is out of its order: {', '.join(done)}"
        place = done.index(step, place + 1)
    if cut and not any(isinstance(fact.event, tb.CutMade) for fact in prepared):
        return "the deck was not cut"
    return ""


def _reshuffle(reading: Reading) -> Iterator[Mark]:
    """CH-12: an ordered shuffle is done before the next deal; ordered while cards are out, it ends the round."""
    prepared = reading.coup.prepared
    orders = [
        at
        for at, fact in enumerate(prepared)
        if isinstance(fact.event, bg.ShuffleOrdered) and fact.event.role == "management"
    ]
    if orders and reading.course.first is not None:
        lacks = _lacks(prepared[orders[-1] :], cut=False)
        facts = (prepared[orders[-1]], reading.course.first.fact)
        if lacks and reading.course.touched:
            yield missing("CH-12", "reshuffle_not_done", facts=facts, subject=reading.coup.name)
        elif lacks:
            mark = _mark(reading, "CH-12", "reshuffle_not_done", facts, lacks)
            yield mark
            yield asks(mark)
    for note in reading.coup.notes(bg.ShuffleOrdered):
        out = reading.freeze < note.order and (reading.coup.closed is None or note.order < reading.coup.closed.order)
        if out and note.event.role == "management" and reading.settings["reshuffle_mid_round"] == "void_round_refund":
            yield Mark(
                rule="CH-12", code="reshuffle_mid_round", kind="void", scope="round", subject=reading.coup.name,
                facts=(note.fact,), text="ordered while cards were out", remedy={"void": "round"},
            )  # fmt: skip


# Boxes and seats ------------------------------------------------------------------------------------------------------


def _limit(reading: Reading) -> int:
    """CH-A20: the positions of the layout, six at most."""
    most: int = reading.settings["max_boxes"]
    positions = reading.session.positions
    return most if positions is None else min(most, positions)


def _positions(reading: Reading, boxes: Iterable[Box]) -> Iterator[Mark]:
    most = _limit(reading)
    over = [box for box in boxes if not 1 <= box.number <= most]
    if over:
        facts = tuple(part.stake.fact for box in over for part in box.all_parts[:1])
        yield _mark(reading, "CH-01", "too_many_boxes", facts, f"the table has boxes 1 to {most}")


def _waiting(reading: Reading, boxes: Sequence[Box]) -> Iterator[Mark]:
    """CH-02: a seat without a bet while somebody waits; CH-10: a blind box while somebody asked for one in vain."""
    players = {box.owner for box in boxes}
    waiting = {player: fact for player, fact in reading.coup.waiting.items() if player not in players}
    if not waiting or reading.coup.closed is None or not boxes:
        return
    facts, text = tuple(waiting.values()), f"{', '.join(waiting)} had asked for a box"
    found = [
        ("CH-02", "seat_without_bet", f"seat/{seat}", person)
        for seat, person in reading.coup.seats.items()
        if person not in players and person not in waiting and reading.session.seats.get(seat) == person
    ]
    blind = [box for box in boxes if not box.seen]
    if blind and len(reading.course.boxes) >= _limit(reading):
        found.append(("CH-10", "blind_box_not_freed", box_place(blind[-1].number), blind[-1].owner))
    for rule, code, subject, player in found:
        if reading.course.touched:
            yield missing(rule, code, "player", facts=facts, subject=subject)
        else:
            yield _mark(reading, rule, code, facts, text, scope="player", subject=subject, player=player)


# Hands off ------------------------------------------------------------------------------------------------------------


def _stacks(reading: Reading, box: Box) -> Iterator[Mark]:
    """CH-05: one stack on the spot, no chip above a smaller one."""
    for spot in SPOTS:
        stack: list[int] = []
        for part in box.parts[spot]:
            event = part.stake.fact.event
            assert isinstance(event, bg.StakePlaced)
            if spot == "play":
                stack = []  # every Play is put down anew
            elif part.stake.order > reading.freeze:
                break  # too late to be part of the bet
            stack += event.chips
            wrong = ""
            if not event.in_box:
                wrong = "not on its spot"
            elif event.chips and stack != sorted(stack, reverse=True):
                wrong = "a larger chip lies above a smaller one"
            if wrong:
                yield Mark(
                    rule="CH-05", code="stack_order", kind="breach", scope="bet", subject=part.stake.id,
                    player=part.stake.player, facts=(part.stake.fact,), text=wrong,
                )  # fmt: skip
                break


def _looks(reading: Reading, box: Box) -> Iterator[Mark]:
    """CH-08: nobody looks at the cards of a blind box before the Dealer turns them."""
    announced = box.seen or not box.owner
    for note in () if announced else looks_at(reading.coup, box.number, box.owner):
        mark = _mark(
            reading, "CH-08", "looked_at_blind_box", (note.fact,), "its cards are turned by the Dealer, last",
            scope="hand", subject=box_place(box.number), player=box.owner,
        )  # fmt: skip
        yield mark
        yield asks(mark)


def _conduct(reading: Reading, note: Noted, boxes: dict[int, Box]) -> Iterator[Mark]:
    event = note.event
    remedy = reading.settings["collusion_remedy"]
    if isinstance(event, bg.CardsViewed):
        box = boxes.get(event.box)
        if box is not None and event.by not in (None, box.owner):
            yield from _others_cards(reading, note, box, event.by or "", remedy)
    elif isinstance(event, bg.CardShown) and event.by == "player" and event.where in LOOKED_AT:
        yield from _not_his_to_see(reading, LOOKED_AT[event.where], note, "", remedy)
    elif isinstance(event, bg.CardShown):
        if event.by == "player" and box_number(event.place or "") is not None:
            mark = _mark(
                reading, "CH-16", "cards_shown", (note.fact,), "a player showed his cards", scope="hand",
                subject=event.place or "",
            )  # fmt: skip
            yield from _with_remedy(mark, remedy)
    elif event.kind in TALK:
        mark = _mark(
            reading, "CH-16", event.kind, (note.fact,), event.text, scope="player", player=", ".join(event.players)
        )
        yield from _with_remedy(mark, remedy)
    elif event.kind in LOOKED_AT.values():
        yield from _not_his_to_see(reading, event.kind, note, ", ".join(event.players), remedy)
    elif event.kind in ADVICE:
        who = ", ".join(event.players)
        mark = _mark(reading, "CH-16", f"staff_{event.kind}", (note.fact,), event.text, scope="player", player=who)
        yield mark
        yield asks(mark)
    elif event.kind == "look":
        for number in event.boxes:
            box = boxes.get(number)
            for player in event.players if box is not None else ():
                if box is not None and player != box.owner:
                    yield from _others_cards(reading, note, box, player, remedy)
    elif event.kind == "touch":
        yield from _touched(reading, note, boxes)


def _not_his_to_see(reading: Reading, code: str, note: Noted, player: str, remedy: str) -> Iterator[Mark]:
    text = "a player looks at the cards of his own box only"
    mark = _mark(reading, "CH-16", code, (note.fact,), text, scope="player" if player else "round", player=player)
    yield from _with_remedy(mark, remedy)


def _others_cards(reading: Reading, note: Noted, box: Box, player: str, remedy: str) -> Iterator[Mark]:
    mark = _mark(
        reading, "CH-16", "cards_of_another", (note.fact,), f"looked at the cards of box {box.number}", scope="hand",
        subject=box_place(box.number), player=player,
    )  # fmt: skip
    yield from _with_remedy(mark, remedy)


def _touched(reading: Reading, note: Noted, boxes: dict[int, Box]) -> Iterator[Mark]:
    """CH-06: bets, once the cards are dealt; CH-08: neither cards nor bets of a blind box."""
    event = note.event
    for number in event.boxes:
        box = boxes.get(number)
        if box is None or note.order < reading.freeze:
            continue
        blind = not box.seen and box.owner in event.players
        if not blind and event.spot is None:
            continue  # a player's own cards are his to hold
        rule, code = ("CH-08", "blind_box_touched") if blind else ("CH-06", "bet_touched")
        what = f"the {event.spot}" if event.spot else "the cards"
        yield _mark(
            reading, rule, code, (note.fact,), f"{what} of box {number}", scope="hand", subject=box_place(number),
            player=", ".join(event.players),
        )  # fmt: skip
