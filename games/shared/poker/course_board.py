"""Burns and board of one deal: missing and double burns, streets too early or with too many cards, and their repair."""

from __future__ import annotations

from msgspec.structs import replace

from events.schema.common import CardBurned
from games.shared.poker.course_gaps import Gaps
from games.shared.poker.course_hole import HoleReader
from games.shared.poker.course_repair import (
    AFTER,
    QUOTA,
    Mode,
    Repair,
    acted_on,
    before_its_time,
    irregularity_of,
    limit_of,
    listed,
    need_of,
    stands,
)
from games.shared.poker.deck import DealTerms, Irregularity, Need, Step
from games.shared.poker.events import (
    BoardDealt,
    CardDealt,
    CardPicked,
    CardsMoved,
    CardsScrambled,
    StubShuffled,
)

_WITNESSES = frozenset({"floorman", "management"})


class BoardReader:
    """Reads the steps of a deal that are about burns and board. `plan`: what is still due, in order."""

    def __init__(self, hole: HoleReader, rules: DealTerms) -> None:
        self.hole, self.rules = hole, rules
        burn = hole.first_burn
        self.served = burn != 0
        names = ("flop", "flop", "flop", *AFTER["flop"])
        self.plan = [Need(to="burn", name="burn1", seq=max(burn, 0))]
        self.plan += [Need(to=name[:4] if name.startswith("burn") else name, name=name) for name in names]
        self.laid: dict[str, list[int]] = {street: [] for street in QUOTA}
        self.top = hole.size + 1
        self.shuffled = False
        self.burns: list[int] = []
        self.repairs: list[Repair] = []
        self.others: list[Irregularity] = []
        self.gaps = Gaps(hole)
        self.more_boards = False

    # --- reading ---

    def read(self, step: Step) -> None:
        """A step about burns or board; any other is passed over."""
        event = step.fact.event
        for repair in self.repairs:
            if not repair.done:
                repair.acts = max(repair.acts, acted_on(step, repair.street))
        if self.more_boards:
            return
        if isinstance(event, CardBurned | CardDealt) and not step.seqs:
            return  # told again
        if isinstance(event, CardBurned):
            self._card("burn", step.seqs[0], step)
        elif isinstance(event, CardDealt) and not event.to.startswith("seat/"):
            if event.board != 1:
                self.more_boards = True
            else:
                self._card(event.to, step.seqs[0], step)
        elif isinstance(event, BoardDealt):
            if event.board != 1:
                self.more_boards = True
                return
            for seq in step.seqs:
                self._card("rabbit" if event.rabbit else event.street, seq, step)
        elif isinstance(event, CardsMoved):
            self._moved(event, step)
        elif isinstance(event, StubShuffled):
            self._shuffled(event, step)
        elif isinstance(event, CardsScrambled):
            self._scrambled(event)
        elif isinstance(event, CardPicked):
            self._picked(event, step)

    def _open(self) -> Repair | None:
        """The repair under way."""
        return next((one for one in reversed(self.repairs) if not one.done and not one.gone_on), None)

    def _card(self, to: str, seq: int, step: Step) -> None:
        """A card off the deck, or one that was set aside, goes to its place."""
        decided = step.over or step.paid
        if to == "rabbit" and (not decided or self.rules.rabbit != "allowed"):
            text = "cards were turned for the curious" + ("" if decided else " before the hand was decided")
            code = "rabbit" if decided else "rabbit_early"
            if not any(one.code == code and step.fact in one.facts for one in self.others):
                self.others.append(Irregularity(code=code, kinds=("breach",), facts=[step.fact], text=text))
        if decided or to == "rabbit":
            return  # left out of everything (NL-35)
        self.top = max(self.top, seq + 1)
        self.gaps.came(seq, step)
        repair = self._open()
        if repair is not None and self._repairing(repair, to, seq, step):
            return
        if to == "burn":
            self._burn(seq, step)
        elif to in QUOTA:
            self._street(to, seq, step)

    def _burn(self, seq: int, step: Step) -> None:
        if not self.plan:
            return
        need = self.plan[0]
        if need.name != "burn1" or not self.served:
            self.gaps.pass_over(next((one.to for one in self.plan if one.to != "burn"), "river"), seq, step)
        if need.to != "burn" and self.laid[need.to]:
            self._left_short(need.to, step)
            need = self.plan[0]
        if need.to != "burn":
            self.repairs.append(Repair(mode="burn_double", street=need.to, step=step, seqs=[seq]))
            self.burns.append(seq)
            return
        if need.name == "burn1" and self.served:
            if step.sure and need.seq and seq != need.seq:
                self.hole.wrong.append("another card was burnt before the flop")
                return
            self.hole.moved = True
        self._fixed(need, seq, step)
        self.plan.pop(0)
        self.burns.append(seq)

    def _left_short(self, street: str, step: Step) -> None:
        """The deal went on with cards of a street missing: what that makes of the board a person decides."""
        count = len(self.laid[street])
        text = f"only {count} card{'s' if count > 1 else ''} of the {street} came, and the deal went on"
        self.others.append(
            Irregularity(code="street_short", place=street, kinds=("ruling_required",), facts=[step.fact], text=text)
        )
        while len(self.plan) > 1 and self.plan[0].to == street:
            self.plan.pop(0)

    def _street(self, to: str, seq: int, step: Step) -> None:
        if len(self.laid[to]) >= QUOTA[to]:
            self._one_more(to, seq, step)
            return
        plan = self.plan
        burnt = not (len(plan) > 1 and plan[0].to == "burn" and plan[1].to == to)
        self.gaps.pass_over(to, seq, step, untold=not burnt)
        if not burnt:
            served = plan[0].name == "burn1" and self.served and not (self.hole.on_top and seq == plan[0].seq)
            if not served:
                self._without_burn(to, seq, step)
            plan.pop(0)
        elif not plan or plan[0].to != to:
            text = f"a card of the {to} came where {plan[0].to if plan else 'none'} was due"
            self.others.append(
                Irregularity(
                    code="street_order", place=to, kinds=("ruling_required",), facts=[step.fact], text=text, absent=True
                )
            )
            while plan and plan[0].to != to:
                plan.pop(0)
        if plan:
            self._fixed(plan[0], seq, step)
            plan.pop(0)
        self.laid[to].append(seq)
        self.hole.begun = True
        if before_its_time(step, to):
            self._early(to, seq, step)

    def _without_burn(self, to: str, seq: int, step: Step) -> None:
        """No burn is on record before a street: the card that comes shows whether one was passed over for it; a record
        that numbers none and tells no burn at all leaves it open."""
        if self.gaps.before(seq, step) or not (step.sure or self.burns):
            self.gaps.unburnt[to] = step
        elif before_its_time(step, to):  # all of it has to come anew, so that nothing is left to put right
            text = f"no card was burnt before the {to}"
            self.others.append(
                Irregularity(code="burn_missing", place=to, kinds=("breach",), facts=[step.fact], text=text)
            )
        else:
            self.repairs.append(Repair(mode="burn_missing", street=to, step=step, seqs=[seq]))

    def _early(self, to: str, seq: int, step: Step) -> None:
        """A street was laid while somebody had still to act."""
        repair = self._open()
        if repair is not None and repair.mode == "premature":
            repair.seqs.append(seq)
            repair.too_many = repair.too_many or repair.street != to
            repair.steps.append(step)
        else:
            repair = Repair(mode="premature", street=to, step=step, seqs=[seq], steps=[step])
            self.repairs.append(repair)
        if len(self.laid[to]) == QUOTA[to]:
            count = len(AFTER[repair.street])
            repair.aside = list(range(self.top, self.top + count))
            repair.after = dict(zip(AFTER[repair.street], repair.aside, strict=True))

    def _one_more(self, to: str, seq: int, step: Step) -> None:
        """More cards than a street has."""
        self.laid[to].append(seq)
        mode: Mode = "reshuffle"
        if to == "flop":
            if len(self.laid[to]) == 4 and self.rules.four_flop == "scramble":
                mode = "scramble"
        elif self.rules.second_turn == "ruling":
            mode = "ruling"
        self.repairs.append(
            Repair(mode=mode, street=to, step=step, seqs=list(self.laid[to]), steps=[step], after=self._coming())
        )

    def _coming(self) -> dict[str, int]:
        """Which cards would come where, by the plan."""
        at, found = self.top, {}
        for need in self.plan:
            if need.seq:
                found[need.name] = need.seq
            elif not self.shuffled:
                found[need.name] = at
                at += 1
        return found

    def _fixed(self, need: Need, seq: int, step: Step) -> None:
        """Cards set aside come in their order."""
        if need.seq and step.sure and seq != need.seq and need.name != "burn1":
            last = self.repairs[-1]
            last.wrong.append(f"card {seq} came as {need.name} instead of card {need.seq}, which was set aside")

    # --- repairs ---

    def _repairing(self, repair: Repair, to: str, seq: int, step: Step) -> bool:
        """Whether the card belongs to the repair under way."""
        how = {
            "premature": self._redealing, "reshuffle": self._redealing, "scramble": self._scrambling,
            "burn_missing": self._burning, "burn_double": self._unburning, "ruling": self._waiting,
        }[repair.mode]  # fmt: skip
        return how(repair, to, seq, step)

    def _redealing(self, repair: Repair, to: str, seq: int, step: Step) -> bool:
        street = repair.street
        begun = bool(repair.got) or repair.shuffled
        if repair.acts >= limit_of(repair, self.rules):
            repair.gone_on = True
            return False
        if to == street:
            early = before_its_time(step, street)
            if not begun and (early or repair.mode == "reshuffle"):
                if repair.mode == "premature" and len(self.laid[street]) < QUOTA[street]:
                    return False
                self.laid[street].append(seq)  # one more of those that have to go back
                repair.seqs.append(seq)
                repair.too_many = repair.mode == "premature"
                repair.aside = [one for one in repair.aside if one != seq]
                repair.after = {name: one for name, one in repair.after.items() if one != seq}
                repair.steps.append(step)
                return True
            if not repair.shuffled:
                repair.wrong.append("it was dealt again without a shuffle")
            if early:
                repair.wrong.append("it was dealt again before the betting was over")
            repair.fresh += 1
            repair.steps.append(step)
            if repair.fresh == QUOTA[street]:
                self._redealt(repair)
            return True
        kept = {name[:4] if name.startswith("burn") else name for name in AFTER[street]} | {"aside"}
        if repair.mode == "premature" and not repair.shuffled and to in kept and len(repair.got) < len(repair.aside):
            if street == "flop" and before_its_time(step, street):
                repair.wrong.append("cards were set aside before the betting was over")
            repair.got.append(seq)
            return True
        if to == "burn" and (begun or (street == "river" and repair.mode == "premature")):
            repair.wrong.append(f"another card was burnt before the new {street}")
            return True
        if to in QUOTA and before_its_time(step, to):
            return False  # the next street too: `_early` takes it
        repair.gone_on = True
        return False

    def _redealt(self, repair: Repair) -> None:
        repair.done = True
        if repair.mode == "premature":
            # Where nothing was set aside, all comes off the deck as ever.
            dealt = {"burn3"} if repair.street == "turn" and repair.got else set()
            self.plan = [
                Need(to=name[:4] if name.startswith("burn") else name, name=name, seq=seq if repair.got else 0)
                for name, seq in repair.after.items()
                if name not in dealt
            ]

    def _scrambling(self, repair: Repair, to: str, seq: int, step: Step) -> bool:
        if to == repair.street and not repair.moved:
            self.laid[to].append(seq)
            repair.seqs.append(seq)
            repair.mode = "reshuffle"
            repair.steps.append(step)
            return True
        repair.gone_on = True
        return False

    def _burning(self, repair: Repair, to: str, seq: int, step: Step) -> bool:
        """A street without a burn: its first card becomes the burn, one more is laid."""
        full = len(self.laid[repair.street]) >= QUOTA[repair.street]
        if to == repair.street and full:
            self._in_time(repair, step)
            repair.fresh += 1
            self.laid[to].append(seq)
            self._settled(repair)
            return True
        if to != repair.street:
            repair.gone_on = True
        return False

    def _unburning(self, repair: Repair, to: str, _seq: int, _step: Step) -> bool:
        if to == repair.street and len(self.laid[to]) < QUOTA[to]:
            return False
        repair.gone_on = True
        return False

    def _waiting(self, repair: Repair, _to: str, _seq: int, _step: Step) -> bool:
        repair.gone_on = True
        return False

    def _in_time(self, repair: Repair, step: Step) -> None:
        if acted_on(step, repair.street) >= self.rules.burn_repair:
            repair.wrong.append("it was changed after players had acted on it")

    def _settled(self, repair: Repair) -> None:
        """A burn is put right once the card lies where it belongs and the street is whole."""
        whole = len(self.laid[repair.street]) == QUOTA[repair.street] + (repair.mode == "burn_missing")
        if repair.mode == "burn_missing":
            repair.done = repair.moved and repair.fresh == 1
        else:
            repair.done = repair.moved and (not repair.too_many or whole)

    def _moved(self, event: CardsMoved, step: Step) -> None:
        repair = self._open()
        if event.to == "aside":
            if repair is not None and repair.mode == "premature":
                seqs = sorted(event.seqs) or repair.aside
                if repair.street == "flop" and before_its_time(step, "flop"):
                    repair.wrong.append("cards were set aside before the betting was over")
                if not set(seqs) <= set(repair.aside):
                    repair.wrong.append(f"cards {listed(seqs)} were set aside instead of {listed(repair.aside)}")
                repair.got += seqs
                self.top = max(self.top, *(seq + 1 for seq in seqs)) if seqs else self.top
            return
        if event.to in QUOTA and event.frm not in QUOTA:
            if repair is not None and repair.mode == "burn_double" and set(event.seqs) & set(repair.seqs):
                self._unburnt(repair, event.to, step)
                return
            for seq in event.seqs or (0,) * max(len(event.cards), 1):
                self._card(event.to, seq, replace(step, sure=bool(event.seqs)))
            return
        if repair is None:
            return
        repair.returned |= set(event.seqs)
        if repair.mode == "burn_missing" and event.to == "burn":
            self._in_time(repair, step)
            if event.seqs and not set(event.seqs) & set(repair.seqs):
                repair.wrong.append(f"card {listed(event.seqs)} became the burn instead of {listed(repair.seqs)}")
            repair.moved = True
            self._settled(repair)
        elif repair.mode == "burn_double" and event.to in ("top", "stub"):
            self._unburnt_to_top(repair, event, step)
        elif repair.mode == "scramble" and event.to == "burn" and set(event.seqs) <= set(repair.seqs):
            repair.untold.append("who picked the card is not on record")
            self._one_picked(repair, step)
        elif event.to == "burn" and event.frm == "aside":
            for seq in event.seqs or (0,):
                self._card("burn", seq, replace(step, sure=bool(event.seqs)))

    def _unburnt(self, repair: Repair, street: str, step: Step) -> None:
        """The second burn becomes the street's first card."""
        self._in_time(repair, step)
        repair.moved = True
        self.laid[street].insert(0, repair.seqs[0])
        if len(self.laid[street]) <= QUOTA[street]:
            if self.plan and self.plan[0].to == street:
                self.plan.pop(0)
        else:
            repair.too_many = True
        self._settled(repair)

    def _unburnt_to_top(self, repair: Repair, event: CardsMoved, step: Step) -> None:
        """The second burn, or the last card of the street instead of which it comes, goes back on top."""
        self._in_time(repair, step)
        own = self.laid[repair.street]
        if set(event.seqs) & set(repair.seqs):
            repair.moved = True
            self.top = repair.seqs[0]
        elif own and (not event.seqs or own[-1] in event.seqs):
            self.top = own.pop()
            if len(own) < QUOTA[repair.street] and not repair.moved:
                self.plan.insert(0, Need(to=repair.street, name=repair.street))
        self._settled(repair)

    def _shuffled(self, event: StubShuffled, step: Step) -> None:
        repair = self._open()
        self.shuffled = self.gaps.shuffled = True
        if repair is not None and repair.mode == "scramble":
            repair.wrong.append("the four cards were shuffled in instead of scrambled")
            repair.mode, repair.due = "reshuffle", "scramble"
        if repair is None or repair.mode not in ("premature", "reshuffle"):
            text = "the stub was shuffled while the hand was on"
            if not step.over and not step.paid:
                self.others.append(Irregularity(code="stub_shuffled", kinds=("breach",), facts=[step.fact], text=text))
            return
        repair.steps.append(step)
        repair.shuffled = True
        if repair.mode == "premature" and len(repair.got) < len(repair.aside):
            repair.wrong.append(f"cards {listed(repair.aside)} were not set aside before the shuffle")
        if repair.mode == "premature" and repair.street == "flop" and before_its_time(step, "flop"):
            repair.wrong.append("it was taken back before the betting was over")
        named = set(event.seqs)
        if named and not set(repair.seqs) <= named | repair.returned:
            repair.wrong.append(f"not all of cards {listed(repair.seqs)} were shuffled in")
        if named & set(self.burns):
            repair.wrong.append("a burn card was shuffled in")

    def _scrambled(self, event: CardsScrambled) -> None:
        repair = self._open()
        if repair is None or repair.mode != "scramble":
            return
        repair.shuffled = True
        if event.face == "up":
            repair.wrong.append("the cards were scrambled face up")
        if event.seqs and set(event.seqs) != set(repair.seqs):
            repair.wrong.append(f"cards {listed(event.seqs)} were scrambled instead of {listed(repair.seqs)}")

    def _picked(self, event: CardPicked, step: Step) -> None:
        repair = self._open()
        if repair is None or repair.mode != "scramble":
            return
        if event.seq is not None and event.seq not in repair.seqs:
            repair.wrong.append(f"card {event.seq} was picked, which is none of {listed(repair.seqs)}")
        if event.role not in _WITNESSES:
            repair.wrong.append(f"the {event.role} picked, not the floorman or management")
        if event.face == "up":
            repair.wrong.append("the card was picked face up")
        if event.to != "burn":
            repair.wrong.append(f"the card picked went to {event.to}, not to the burn cards")
        self._one_picked(repair, step)

    def _one_picked(self, repair: Repair, step: Step) -> None:
        """One of four cards is the burn card; the others are the flop."""
        repair.steps.append(step)
        if not repair.shuffled:
            repair.untold.append("the scramble is not on record")
        if repair.acts:
            repair.wrong.append("players had acted before it was put right")
        repair.moved = repair.done = True
        if self.rules.picked == "next_burn" and self.plan and self.plan[0].to == "burn":
            self.plan.pop(0)

    # --- what it comes to ---

    def finish(self, last: Step) -> list[Irregularity]:
        """All that was irregular with burns and board."""
        for repair in self.repairs:
            if not repair.done:
                repair.acts = max(repair.acts, acted_on(last, repair.street))
        found = [irregularity_of(repair, last, self.rules) for repair in self.repairs]
        early = [one.place for one in found if one.code == f"premature_{one.place}" and "ruling_required" in one.kinds]
        # Where a street that came early was not taken back, that it has another card is what followed.
        found = [one for one in found if one.place not in early or one.code != f"{one.place}_cards"]
        return found + self.others + self.gaps.found(last)

    def due(self, last: Step) -> Need | None:
        """What comes next: a step of a repair, a burn, a card of the board."""
        for one in self.repairs:
            if not one.done:
                one.acts = max(one.acts, acted_on(last, one.street))
        repair = self._open()
        if last.paid:
            return None
        if repair is not None and not stands(repair, last, self.rules) and repair.acts < limit_of(repair, self.rules):
            whole = len(self.laid[repair.street]) >= QUOTA[repair.street]
            need = need_of(repair, last, self.top if whole else 0)
            if need is not None:
                return need
        if last.betting or not self.plan or self.more_boards:
            return None
        need = self.plan[0]
        if need.name == "burn1" and self.served and not self.hole.on_top and len(self.plan) > 1:
            need = self.plan[1]
        return replace(need, seq=self._coming().get(need.name, 0))
