"""What is wrong with a shoe: packs, shuffle, cut, loading and burns as they are on record (BJ-07 to BJ-14).

A step that is absent counts as not done only where another one of its group is on record: those of the shuffle, or
those of cut and loading (blackjack.md 1.1). What lets management void a shoe is said in each of its rounds, everything
else once, in its first.
"""

from __future__ import annotations

from collections.abc import Iterator

from events.schema import common as tb
from events.schema.fact import Fact
from events.values.cards import cards_text
from games.blackjack import events as bj
from games.blackjack.parameters import CUT_STEPS, STEPS
from games.blackjack.table import Change, Round, Session, Shoe
from games.house_rules.edition import Edition
from games.shared.bank import events as bg
from games.shared.marks import Mark, known, missing
from games.verdict import Kind

_WORDS = {"wash": "chemmy", "piles": "piles", "riffle": "riffle"}
_CUT = (bj.CutOffered, tb.CutMade, bj.CutRejected, bg.CutJoined, bj.CardsCutOff, bg.DeckLoaded, bj.ShoeOrderRead)


def shoe_marks(session: Session, round_: Round, *, touched: bool) -> Iterator[Mark]:
    """What a round's shoe gives reason to say; nothing before its first card."""
    shoe = round_.shoe
    if shoe is None:
        return
    edition, first = session.edition, not shoe.dealing
    holed = shoe.holed or (touched and first)
    faults = (
        () if shoe.carried is not None else (*_shuffled(shoe, edition), *_cut(shoe, edition), *_joined(shoe, edition))
    )
    for fault in faults:
        if fault.kind == "unverified" or (holed and fault.remedy.get("absent")):
            if first:
                yield fault if fault.kind == "unverified" else _unknown(fault)
        elif first or fault.kind == "voidable":
            yield fault
    if first and shoe.carried is None:
        yield from _cutter(shoe)
        yield from _burn_after_shuffle(shoe, edition, holed=holed)
    for change in round_.changes:
        yield from _burn_on_change(change, edition, touched=touched)
    yield from _composition(_by_now(session, shoe), edition)
    if shoe.last_round not in (None, round_.name):
        yield Mark(
            rule="BJ-14", code="dealt_past_cutting_card", kind="breach", scope="round", subject=round_.name,
            facts=known(shoe.cutting, round_.first_card.fact if round_.first_card else None),
            text=f"the cutting card came out in round {shoe.last_round}",
        )  # fmt: skip


def _by_now(session: Session, shoe: Shoe) -> Shoe:
    """The round's shoe at the end of the round."""
    later = (one for one in (session.shoe, session.last_shoe) if one is not None and one.number == shoe.number)
    return next(later, shoe)


def _composition(shoe: Shoe, edition: Edition) -> Iterator[Mark]:
    """BJ-07: packs, and every card that came out so far. A round that was over before it was seen does not say it, so
    the finding names all that were dealt from the shoe: what is ruled is about each of them."""
    packs: int = edition.constants.packs
    said = [f"{shoe.packs} packs"] if shoe.packs not in (None, packs) else []
    said += [
        f"{cards_text((card,))} came out {count} times of {packs} packs"
        for card, count in shoe.drawn.items()
        if count > packs
    ]
    if shoe.wrong and len(said) == (shoe.packs not in (None, packs)):
        said.append(f"{shoe.cards} cards came out, more than were in it")
    if not said:
        return
    opened = next((fact for fact in shoe.prepared if isinstance(fact.event, tb.DeckOpened)), None)
    if len(shoe.rounds) > 1:
        first, last = shoe.rounds[0], shoe.rounds[-1]
        said.append(
            f"{len(shoe.rounds)} rounds were dealt from it, {first} to {last}, and a ruling is about all of them"
        )
    yield Mark(
        rule="BJ-07", code="shoe_composition", kind="ruling_required", scope="shoe", subject=shoe.deck,
        facts=shoe.wrong or known(opened), text="; ".join(said),
    )  # fmt: skip


def _unknown(fault: Mark) -> Mark:
    return missing(fault.rule, fault.code, "shoe", facts=fault.facts, subject=fault.subject)


def _fault(shoe: Shoe, edition: Edition, rule: str, code: str, text: str, step: str, facts: tuple[Fact, ...]) -> Mark:
    """A breach of the procedure; which of them let management void the shoe, the house says (BJ-A25)."""
    counts = step in edition["blackjack.shuffle_steps"].split(", ")
    kind: Kind = "voidable" if counts else "breach"
    return Mark(
        rule=rule, code=code, kind=kind, scope="shoe", subject=shoe.deck, facts=facts, text=text,
        remedy={"absent": True} if text.startswith("no ") else {},
    )  # fmt: skip


def _shuffled(shoe: Shoe, edition: Edition) -> Iterator[Mark]:
    """BJ-08: chemmy, piles, riffle, each at least once and in this order."""
    steps = [(fact, fact.event) for fact in shoe.prepared if isinstance(fact.event, tb.ShuffleStep)]
    done = [(fact, _WORDS[event.step]) for fact, event in steps if event.step in _WORDS]
    if not done:
        yield missing("BJ-08", "shuffle", "shoe", subject=shoe.deck)
        return
    words = list(dict.fromkeys(word for _fact, word in done))
    absent = [word for word in STEPS if word not in words]
    facts = tuple(fact for fact, _word in done)
    if absent:
        yield _fault(shoe, edition, "BJ-08", "shuffle_breach", f"no {' and no '.join(absent)}", absent[0], facts)
    elif words != list(STEPS):
        yield _fault(shoe, edition, "BJ-08", "shuffle_breach", f"in the order {', '.join(words)}", words[0], facts)


def _cut(shoe: Shoe, edition: Edition) -> Iterator[Mark]:
    """BJ-10: the cut that was used leaves a pack on either side; one that was rejected is no matter."""
    group = [fact for fact in shoe.prepared if isinstance(fact.event, _CUT)]
    used: Fact | None = None
    for fact in group:
        if isinstance(fact.event, tb.CutMade):
            used = fact
        elif isinstance(fact.event, bj.CutRejected):
            used = None
    if not group:
        yield missing("BJ-10", "cut", "shoe", subject=shoe.deck)
    elif used is None:
        yield _fault(
            shoe, edition, "BJ-10", "improper_cut_used", "no cut that was good", CUT_STEPS[0], tuple(group[-1:])
        )
    elif (depth := getattr(used.event, "depth", None)) is None:
        yield missing("BJ-10", "improper_cut_used", "shoe", facts=(used,), subject=shoe.deck)
    elif not is_good_cut(depth, edition):
        text = f"{depth} cards in front of the cut, {edition.constants.cards - depth} behind"
        yield _fault(shoe, edition, "BJ-10", "improper_cut_used", text, CUT_STEPS[0], (used,))


def is_good_cut(cards_in_front: int, edition: Edition) -> bool:
    """Whether a cut leaves enough cards on both sides (BJ-10)."""
    least: int = edition["blackjack.min_cut_cards"]
    cards: int = edition.constants.cards
    return least <= cards_in_front <= cards - least


def _joined(shoe: Shoe, edition: Edition) -> Iterator[Mark]:
    """BJ-11: what lay in front of the cut goes behind the rest, cards are cut off, the shoe is loaded in that order."""
    group = tuple(fact for fact in shoe.prepared if isinstance(fact.event, _CUT))
    if not group:
        yield missing("BJ-11", "cut_completion", "shoe", subject=shoe.deck)
        return
    for kind, step, what in (
        (bg.CutJoined, CUT_STEPS[1], "no record that the cut was completed"),
        (bj.CardsCutOff, CUT_STEPS[2], "no cards were cut off"),
    ):
        if not any(isinstance(fact.event, kind) for fact in group):
            yield _fault(shoe, edition, "BJ-11", "cut_completion_breach", what, step, group[-1:])
    wanted = edition["blackjack.cut_off_cards"]
    for fact in group:
        if isinstance(fact.event, bj.CardsCutOff) and wanted is not None and fact.event.count != wanted:
            text = f"{fact.event.count} cards cut off instead of {wanted}"
            yield _fault(shoe, edition, "BJ-11", "cut_completion_breach", text, CUT_STEPS[2], (fact,))
    yield from _ordered(shoe, edition, group)


def _ordered(shoe: Shoe, edition: Edition, group: tuple[Fact, ...]) -> Iterator[Mark]:
    """Where both orders were read: `c[k+1 …] + c[1 … k]` for a cut of k cards."""
    read = {fact.event.stage: fact for fact in group if isinstance(fact.event, bj.ShoeOrderRead)}
    depth = next((fact.event.depth for fact in reversed(group) if isinstance(fact.event, tb.CutMade)), None)
    if len(read) < 2 or depth is None:
        return
    before, loaded = (getattr(read[stage].event, "cards", ()) for stage in ("before_cut", "loaded"))
    due = (*before[depth:], *before[:depth])
    removed = edition["blackjack.cut_off_mode"] == "removed"
    if loaded != (due[: len(loaded)] if removed else due):
        text = "the shoe was loaded in another order than the cut makes"
        yield _fault(shoe, edition, "BJ-11", "cut_completion_breach", text, CUT_STEPS[1], (read["loaded"],))


def _cutter(shoe: Shoe) -> Iterator[Mark]:
    """BJ-09: whoever cut, or was offered the cards."""
    named = [(fact, _person(fact)) for fact in shoe.prepared if isinstance(fact.event, bj.CutOffered | tb.CutMade)]
    if not named:
        return
    people = [(fact, person) for fact, person in named if person]
    if not people or not shoe.cutter:
        yield missing("BJ-09", "wrong_cutter", "shoe", facts=(named[0][0],), subject=shoe.deck)
        return
    for fact, person in people:
        if person != shoe.cutter:
            yield Mark(
                rule="BJ-09", code="wrong_cutter", kind="breach", scope="shoe", subject=shoe.deck, player=person,
                facts=(fact,), text=f"{shoe.cutter} was to cut",
            )  # fmt: skip
            return


def _person(fact: Fact) -> str:
    return getattr(fact.event, "to", None) or getattr(fact.event, "by", None) or ""


def _burn_after_shuffle(shoe: Shoe, edition: Edition, *, holed: bool) -> Iterator[Mark]:
    """BJ-12: three cards face down, by their records or by the place of the first card dealt."""
    gap = shoe.first_seq - 1 if shoe.first_seq is not None else None
    yield from _burns("BJ-12", shoe.burned, shoe.shown, gap, edition.constants.burned_after_shuffle, None, holed=holed)


def _burn_on_change(change: Change, edition: Edition, *, touched: bool) -> Iterator[Mark]:
    """BJ-13: one card face down before the new dealer's first card."""
    if change.after_last and edition["blackjack.burn_after_last_round"] == "not_required":
        return
    due = edition.constants.burned_on_dealer_change
    yield from _burns("BJ-13", change.burned, change.shown, change.gap, due, change.fact, holed=touched)


def _burns(
    rule: str,
    burned: tuple[Fact, ...],
    shown: tuple[Fact, ...],
    gap: int | None,
    due: int,
    by: Fact | None,
    *,
    holed: bool,
) -> Iterator[Mark]:
    count = len(burned) or gap
    facts = known(by, *burned, *shown)
    if count is None or (holed and count < due):
        yield missing(rule, "burn", "shoe", facts=facts)
    elif count != due or shown:
        text = f"{count} burned instead of {due}" if count != due else "a burned card was seen"
        yield Mark(rule=rule, code="burn_breach", kind="breach", scope="shoe", facts=facts, text=text)
