"""The players' cards of one deal: order, number, exposed and extra cards; grounds for a misdeal."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from msgspec import Struct

from events.schema.fact import Fact
from events.values.cards import UNKNOWN, card_text
from games.shared.poker.deck import Irregularity, Need, Step
from games.shared.poker.events import CardDealt, CardExposed, CardFound, CardsMoved, HandsDealt, HoleDealt
from games.shared.poker.hand import Terms
from games.verdict import Kind


class Seen(Struct):
    """A player's card that was exposed or lay face up in the deck; `seq` 0: nobody knows which of his it is."""

    seat: str
    seq: int
    facts: list[Fact]
    boxed: bool = False
    dealt_up: bool = False


class Extra(Struct):
    """A card dealt beyond a player's number."""

    seat: str
    seq: int
    facts: list[Fact]


def line_from(seq: int) -> dict[str, Any]:
    """Flop to river off the deck from a place on, the first burn card being another."""
    return {"flop": [seq, seq + 1, seq + 2], "burn2": seq + 3, "turn": seq + 4, "burn3": seq + 5, "river": seq + 6}


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _name(seen: Seen) -> str:
    """` Q♦`, if its records name the card and no other; it lay open to all."""
    cards: set[str] = set()
    for event in (fact.event for fact in seen.facts):
        cards.update(event.cards if isinstance(event, CardExposed) else (getattr(event, "card", UNKNOWN),))
    return f" {card_text(cards.pop())}" if len(cards) == 1 and UNKNOWN not in cards else ""


class HoleReader:
    """Reads the steps of a deal that are about players' cards.

    `order`: the seats in the order of the deal. `begun`: a card of the flop lies open, so that nothing of the deal is
    repaired any more. `wrong`: what was done otherwise in repairing it. `on_top`: a card too many lies on the
    deck and is to be burnt.
    """

    def __init__(self, order: list[str], terms: Terms, *, button_known: bool) -> None:
        self.order, self.terms, self.rules = order, terms, terms.deal
        self.size = terms.hole * len(order)
        self.check_order = button_known
        self.given = 0
        self.aside = 0  # cards dealt between those of the deal that are none of it
        self.held = dict.fromkeys(order, 0)
        self.told: set[str] = set()
        self.seen: list[Seen] = []
        self.late_seen: list[Seen] = []
        self.own: list[Fact] = []  # cards that their players exposed themselves
        self.extras: list[Extra] = []
        self.lost_extra = False
        self.identified: bool | None = None
        self.moved = self.begun = self.on_top = False
        self.replacement: Fact | None = None
        self.disorder: Irregularity | None = None
        self.short: Irregularity | None = None  # somebody found that a player lacks a card
        self.jokers: dict[str, Irregularity] = {}
        self.found_late: dict[str, Irregularity] = {}  # wrong numbers found when play was under way
        self.wrong: list[str] = []

    # --- reading ---

    @property
    def complete(self) -> bool:
        """Everybody has his cards."""
        return self.given >= self.size or all(count >= self.terms.hole for count in self.held.values())

    def read(self, step: Step) -> None:
        """A step about players' cards; any other is passed over."""
        event = step.fact.event
        if isinstance(event, CardDealt):
            if step.seqs:
                self._dealt(step, event)
        elif isinstance(event, HoleDealt):
            self.given += len(event.cards)
            seat = f"seat/{event.seat}"
            self.held[seat] = self.held.get(seat, 0) + len(event.cards)
        elif isinstance(event, HandsDealt):
            self.given += len(event.cards)
            for at in range(len(event.cards)):
                seat = f"seat/{event.seats[at % len(event.seats)]}"
                self.held[seat] = self.held.get(seat, 0) + 1
        elif isinstance(event, CardExposed):
            self._exposed(step, event)
        elif isinstance(event, CardsMoved):
            self._moved(step, event)
        elif isinstance(event, CardFound) and event.where.startswith("seat/"):
            self._found(step, event)

    def _dealt(self, step: Step, event: CardDealt) -> None:
        seat, seq = event.to, step.seqs[0]
        if step.replaces:
            if not self.complete:
                self.wrong.append("the card was replaced before the deal was complete")
                self.aside += 1
            self.replacement = step.fact
            return
        if event.purpose == "extra" or self.complete:
            self.extras.append(Extra(seat, seq, [step.fact]))
            self.held[seat] = self.held.get(seat, 0) + 1
            self.aside += not self.complete
            return
        if self.extras:
            self.lost_extra = True  # it is not the last card off the deck any more (NL-A27)
        at = seq - 1 - self.aside if step.sure else self.given
        self._in_order(seat, at, step)
        self.told.add(seat)
        up = event.face == "up" and at // max(len(self.order), 1) not in self.rules.up_rounds
        self.given += 1
        self.held[seat] = self.held.get(seat, 0) + 1
        if up or event.boxed:
            self.seen.append(Seen(seat, seq, [step.fact], boxed=event.boxed, dealt_up=True))

    def _in_order(self, seat: str, at: int, step: Step) -> None:
        if not self.check_order or self.disorder is not None or not 0 <= at < self.size:
            return
        due = self.order[at % len(self.order)]
        if seat != due:
            self.disorder = Irregularity(
                code="order", place=seat, facts=[step.fact], remedy={"seat": due}, absent=not step.sure,
                text=f"card {at + 1} of the deal belongs to {due}",
            )  # fmt: skip

    def _exposed(self, step: Step, event: CardExposed) -> None:
        if not event.where.startswith("seat/"):
            return
        if event.by == "player" and self.rules.by_player == "stays":
            self.own.append(step.fact)
            return  # he keeps it, and it does not count (NL-A21)
        shown = self.late_seen if self.begun else self.seen
        for seq in step.about:
            own = [one for one in shown if one.seat == event.where]
            same = [one for one in own if (one.seq == seq if seq else one.dealt_up)]
            if same:
                same[0].facts.append(step.fact)
            else:
                shown.append(Seen(event.where, seq, [step.fact]))

    def _moved(self, step: Step, event: CardsMoved) -> None:
        about, seat = step.about, event.frm
        back = [one for one in self.extras if one.seq in about or (not about and not one.seq and one.seat == seat)]
        for extra in back:
            self.moved = True
            self.on_top = event.to == "top"
            self.held[extra.seat] -= 1
            self.identified = event.identified if self.identified is None else self.identified
            if event.to not in ("top", "burn"):
                self.wrong.append(f"the extra card went to {event.to}, not on top of the deck")
        for seen in [] if back else self.seen:
            if seen.seq in step.about and event.to not in ("burn", "aside", "top"):
                self.wrong.append(f"the exposed card went to {event.to}: it is the burn card")

    def _found(self, step: Step, event: CardFound) -> None:
        if step.late and event.fault in ("surplus", "missing"):
            text = f"a card too {'many' if event.fault == 'surplus' else 'few'} was found when play was under way"
            self.found_late[event.where] = Irregularity(
                code="wrong_count", place=event.where, facts=[step.fact], text=text
            )
        if event.fault == "boxed":
            self.seen.append(Seen(event.where, step.about[0], [step.fact], boxed=True))
        elif event.fault == "surplus" and self.held.get(event.where, 0) <= self.terms.hole:
            self.extras.append(Extra(event.where, 0, [step.fact]))
            self.identified = event.card != UNKNOWN
            self.held[event.where] = self.held.get(event.where, 0) + 1
        elif event.fault == "missing":
            self.held[event.where] = max(self.held.get(event.where, 0) - 1, 0)
            text = f"{event.where} has {_cards(self.held[event.where])} instead of {self.terms.hole}"
            self.short = Irregularity(code="wrong_count", place=event.where, facts=[step.fact], text=text)
        elif event.fault == "joker" and self.rules.joker == "scrap":
            played = step.actions > 0
            self.jokers[event.where] = Irregularity(
                code="joker", place=event.where, facts=[step.fact], kinds=("dead",) if played else ("corrected",),
                text="he played on with a joker" if played else "a joker is a scrap of paper: it is replaced",
            )  # fmt: skip

    # --- what it comes to ---

    @property
    def first_burn(self) -> int:
        """The card that serves as first burn card besides the top one: exposed, or one too many; 0: none does; −1: one
        whose place nobody knows."""
        one = self._single()
        if one is None:
            return -1 if self.replacement is not None or (self.moved and not self.on_top) else 0
        return one.seq or -1

    def _single(self) -> Seen | Extra | None:
        if len(self.seen) == 1 and not self.extras and not self._ground():
            return self.seen[0]
        return self.extras[0] if len(self.extras) == 1 and not self.seen and not self._ground() else None

    def _ground(self) -> Irregularity | None:
        """What calls for a misdeal, if anything does."""
        scraps = [one for one in self.seen if one.boxed and self.rules.boxed == "scrap"]
        shown = [one for one in self.seen if one not in scraps]
        first = [one for one in shown if 0 < one.seq <= self.rules.exposed_first]
        found = None
        if first:
            found = Irregularity(
                code="exposed_first", place=first[0].seat, facts=[fact for one in first for fact in one.facts],
                text=f"card {first[0].seq} of the deal was exposed",
            )  # fmt: skip
        elif len(self.seen) > 1:
            found = Irregularity(
                code="exposed_more" if shown else "boxed_more", place=self.seen[0].seat,
                facts=[fact for one in self.seen for fact in one.facts],
                text=f"{len(self.seen)} cards were exposed",
            )  # fmt: skip
        elif self.extras:
            found = self._extra_ground()
        if found is None and self.disorder is not None:
            found = self.disorder
        if found is None and self.short is not None and self.held[self.short.place] != self.terms.hole:
            found = self.short
        if found is None or found.code not in self.rules.grounds:
            return None
        return found

    def _extra_ground(self) -> Irregularity | None:
        facts = [fact for one in self.extras for fact in one.facts]
        place = self.extras[0].seat
        if len(self.extras) > 1 or self.rules.extra == "misdeal":
            text = f"{len(self.extras)} cards too many were dealt"
            return Irregularity(code="extra_cards", place=place, facts=facts, text=text)
        elsewhere = bool(self.order) and place != self.order[0]
        if self.identified is False or self.lost_extra or (elsewhere and self.rules.extra_elsewhere == "misdeal"):
            text = "nobody can say which card is the one too many" if self.identified is False else ""
            text = text or "the card too many is not the last one off the deck"
            return Irregularity(code="extra_card_lost", place=place, facts=facts, text=text)
        return None

    def misdeal(self, last: Step) -> str:
        """Why a misdeal has to be called now; empty if not."""
        ground = self._ground()
        return ground.text if ground is not None and not last.late and not last.paid else ""

    def called_off(self, step: Step) -> list[Irregularity]:
        """A misdeal was declared: rightly, too late, or for nothing."""
        ground = self._ground() or self._counted(step) or self._unplaced()
        declared = step.fact
        if ground is None:
            return [self._groundless(step)]
        found = self._with(ground, ("breach",) if step.late else ("misdeal",))
        found.facts = [*found.facts, declared]
        if step.late:
            found.wrong = ["a misdeal was called after play had begun"]
        return [found]

    def _unplaced(self) -> Irregularity | None:
        """A card too many that somebody found at a seat: which one it is nobody saw, so that his count is wrong."""
        single = self._single()
        if not isinstance(single, Extra) or single.seq:
            return None
        text = f"{single.seat} has {_cards(self.held[single.seat])} instead of {self.terms.hole}"
        return Irregularity(code="wrong_count", place=single.seat, facts=single.facts, text=text)

    def _groundless(self, step: Step) -> Irregularity:
        """A misdeal that nothing calls for; where one card was exposed or dealt too many, by the rule of that."""
        single = self._single()
        if single is not None:
            seen = isinstance(single, Seen)
            untold = not seen and self.identified is None
            text = (
                "one exposed card is no misdeal: it is replaced" if seen else "one card too many goes back on the deck"
            )
            return Irregularity(
                code="exposed_later" if seen else "extra_card", place=single.seat, facts=[*single.facts, step.fact],
                kinds=("unverified",) if untold else ("breach",),
                text="whether the card too many was identified is not on record" if untold else text,
            )  # fmt: skip
        why = getattr(step.fact.event, "why", "")
        known = bool(self.told) and not why
        text = "nothing on record calls for a misdeal"
        if self.own:
            known, text = True, "a card that its player exposed himself is no ground for a misdeal"
        return Irregularity(
            code="misdeal_without_ground", kinds=("breach",) if known else ("unverified",),
            facts=[*self.own, step.fact], absent=True, text=text,
        )  # fmt: skip

    def _with(self, ground: Irregularity, kinds: tuple[Kind, ...]) -> Irregularity:
        ground.kinds = kinds
        if "misdeal" in kinds:
            again = {"blinds": self.rules.posts.replace("returned", "back"), "button_moves": False, "refund": 0}
            ground.remedy = {**ground.remedy, **again}
        return ground

    def _counted(self, step: Step) -> Irregularity | None:
        """A wrong number of cards, where the deal is on record card by card and over."""
        for seat in self._miscounted(step):
            text = f"{_cards(self.held[seat])} instead of {self.terms.hole}"
            return Irregularity(code="wrong_count", place=seat, text=text, absent=True)
        return None

    def _miscounted(self, step: Step) -> list[str]:
        if not self.told or len(self.told) < len(self.order) - 1 or not (step.actions or self.begun or step.late):
            return []
        return [seat for seat in self.order if self.held[seat] != self.terms.hole]

    def _seen_late(self) -> Iterator[Irregularity]:
        """Cards seen once the deal is over, those of one exposure together."""
        by_exposure: dict[tuple[str, ...], list[Seen]] = {}
        for one in self.late_seen:
            by_exposure.setdefault((one.seat, *(fact.cite for fact in one.facts)), []).append(one)
        for together in by_exposure.values():
            facts = together[0].facts
            cards = [card for fact in facts if isinstance(fact.event, CardExposed) for card in fact.event.cards]
            names = list(dict.fromkeys(cards)) or [f"card {one.seq} of the deck" for one in together if one.seq]
            text = f"{', '.join(names) or 'a card'} {'were' if len(names) > 1 else 'was'} seen"
            yield Irregularity(code="card_seen", place=together[0].seat, kinds=("breach",), facts=facts, text=text)

    def finish(self, last: Step, dead: Collection[str]) -> list[Irregularity]:
        """All that was irregular with players' cards; `dead`: seats whose hands are, so that a wrong number of cards is
        said to kill just those that it killed."""
        found: list[Irregularity] = []
        ground = self._ground()
        over = last.late or last.paid
        if ground is not None:
            late: Kind = "dead" if ground.code == "wrong_count" and ground.place in dead else "breach"
            found.append(self._with(ground, (late,) if over else ("misdeal",)))
        elif (single := self._single()) is not None and (
            isinstance(single, Seen) or single.seq or single.seat not in self.found_late
        ):
            found.append(self._replaced(single, last) if isinstance(single, Seen) else self._put_back(single, last))
        found += self._seen_late()
        miscounted = self._miscounted(last)
        if miscounted and not over and not found:
            counted = self._counted(last)
            found += [self._with(counted, ("misdeal",))] if counted is not None else []
        elif over:
            found += [
                Irregularity(
                    code="wrong_count",
                    place=seat,
                    kinds=("dead",) if seat in dead else ("breach",),
                    absent=True,
                    text=f"{_cards(self.held[seat])} instead of {self.terms.hole}"
                    + (": the hand is dead, its chips stay" if seat in dead else ""),
                )
                for seat in miscounted
                if seat not in [one.place for one in found if one.code == "wrong_count"]
            ]
        for seat, one in self.found_late.items():
            if seat not in [other.place for other in found if other.code == "wrong_count"]:
                one.kinds = ("dead",) if seat in dead else ("breach",)
                found.append(one)
        return found + list(self.jokers.values())

    def _replaced(self, seen: Seen, last: Step) -> Irregularity:
        """One card exposed: the owner gets another after the deal, and it is the burn card (NL-15)."""
        new = self.size + 1
        found = Irregularity(
            code="boxed" if seen.boxed else "exposed_later", place=seen.seat, wrong=self.wrong,
            facts=[*seen.facts, *([] if self.replacement is None else [self.replacement])],
            remedy={"replacement_seq": new, "burn1_seq": seen.seq, **line_from(new + 1), "refund": 0},
            text=f"the exposed card{_name(seen)} is replaced after the deal and is the burn card",
        )  # fmt: skip
        if not seen.seq and seen.seat in self.order[: self.rules.exposed_first] and not seen.boxed:
            found.kinds, found.code = ("unverified",), "exposed_which"
            return found
        if self.begun and self.replacement is None:
            found.wrong = ["the exposed card was not replaced", *found.wrong]
            found.absent = True
        found.kinds = ("breach",) if found.wrong and self.begun else ("corrected",)
        return found

    def _put_back(self, extra: Extra, last: Step) -> Irregularity:
        """One card too many: it goes back on top of the deck and is the burn card (NL-21)."""
        seq = extra.seq or self.size + 1
        found = Irregularity(
            code="extra_card", place=extra.seat, facts=extra.facts, wrong=self.wrong,
            remedy={"burn1_seq": seq, **line_from(self.size + 2), "refund": 0},
            text="the card too many goes back on top of the deck and is the burn card",
        )  # fmt: skip
        if not self.moved and (self.begun or last.late):
            found.wrong = ["the card too many was not put back", *found.wrong]
            found.absent = True
        late = self.begun or (last.late and not self.moved)
        if self.moved and self.identified is None and not found.wrong:
            found.kinds, found.text = ("unverified",), "whether the card too many was identified is not on record"
            return found
        found.kinds = ("breach",) if found.wrong and late else ("corrected",)
        return found

    def due(self, last: Step) -> Need | None:
        """A repair of the deal that comes before anybody acts."""
        single = self._single()
        if single is None or self.begun or last.over or not self.complete:
            return None
        if isinstance(single, Seen):
            if self.replacement is not None:
                return None
            note = "the exposed card is replaced and is the burn card; no other is burnt before the flop"
            return Need(to=single.seat, name="replacement", seq=self.size + self.aside + 1, note=note, blocks=True)
        if self.moved or last.late:
            return None
        note = f"{single.seat} has a card too many: it goes back on top of the deck and is the burn card"
        return Need(to="top", name=single.seat, seqs=(single.seq,), note=note, blocks=True)
