"""The one settlement of blackjack: what every stake of a round is due, in the order of BJ-48.

Rulings, the shoe, bets at the closing call, the deal by draw order with each decision, the dealer, the money. Checks
read the marks that this leaves behind; nothing is settled twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import UNSET, Struct
from msgspec.structs import replace

from events.schema.fact import Fact
from events.values.money import amount_text
from games.blackjack.bets import Bets, bets_of
from games.blackjack.conduct import conduct_marks
from games.blackjack.hands import Issue, Play
from games.blackjack.misdeals import BY_ITSELF, Slip, inspector_seen, places_missing, slips
from games.blackjack.outcomes import Outcomes, Result, outcomes
from games.blackjack.play import play
from games.blackjack.rulings import Ruled, ruled_on
from games.blackjack.shuffle import shoe_marks
from games.blackjack.table import Round, Session
from games.protocol import Round as JudgedRound
from games.shared.bank.deck import DEALER
from games.shared.booked import booked
from games.shared.lines import held, merged, refunded
from games.shared.marks import Mark, known, missing
from games.shared.rulings import void_bet
from games.verdict import Kind, Line, Settlement

Lines = dict[str, Line]

AS_PLAYED = "as_played"


class Analysis(Struct):
    """A round judged: its settlement, what was noticed, the play that it rests on. `at_once` as in
    `Outcomes`. `void`: by a ruling."""

    settlement: Settlement
    marks: tuple[Mark, ...] = ()
    play: Play | None = None
    bets: Bets | None = None
    results: tuple[Result, ...] = ()
    at_once: dict[str, int] = {}
    void: bool = False


class _Open(Struct):
    """What a person has to say: a name for each way the money may go, with the lines that it changes."""

    candidates: dict[str, Lines]

    def add(self, name: str, lines: Iterable[Line]) -> None:
        """Another way."""
        self.candidates.setdefault(name, {}).update({line.stake: line for line in lines})


def due(round_: JudgedRound[Session]) -> Settlement:
    """What the rules make of the round, a line a stake (blackjack.md BJ-48), amounts in minor units.

    Lines are `held` where a person must rule (`candidates` name the ways) and while cards are missing (`known` false).
    """
    return analysis_of(round_).settlement


def analysis_of(round_: JudgedRound[Session]) -> Analysis:
    """How the round's settlement comes about; worked out once a round."""
    memo = round_.memo
    if "analysis" not in memo:
        memo["analysis"] = analyse(round_.session, touched=round_.touched)
    analysis: Analysis = memo["analysis"]
    return analysis


def analyse(session: Session, *, touched: bool = False) -> Analysis:
    """The session's current round, judged by what is known of it so far; `touched`: a hole in the record touches it."""
    round_ = session.round
    if round_ is None:
        return Analysis(Settlement())
    ruled = ruled_on(session, round_)
    if ruled.shoe is not None or ruled.others.void:
        return _voided(session, round_, ruled)
    return _Judge(session, round_, ruled, touched=touched).run()


class _Judge:
    def __init__(self, session: Session, round_: Round, ruled: Ruled, *, touched: bool) -> None:
        self.session, self.round, self.ruled = session, round_, ruled
        self.touched = touched or places_missing(round_)
        self.bets = bets_of(session, round_)
        self.play = play(session, round_, self.bets)
        self.settled = outcomes(session, self.bets, self.play)
        self.open = _Open({})
        self.marks: list[Mark] = []
        self.ruled_bets: set[str] = set()

    def run(self) -> Analysis:
        """Marks in the order in which an officer reads a round: the shoe, bets, cards and decisions, money."""
        base = self._by_the_cards()
        self._issues(base)
        shoe = shoe_marks(self.session, self.round, touched=self.touched)
        marks = [*map(self._ruled_good, shoe), *self.bets.marks, *self.play.marks, *self.marks]
        marks += conduct_marks(self.session, self.round, self.play, self.bets, touched=self.touched)
        marks += [*self.settled.marks, *self.ruled.invalid]
        base, ruled = self._returned(base)
        marks += ruled
        settlement, marks = self._summed(base, marks)
        return Analysis(
            settlement, tuple(marks), self.play, self.bets, tuple(self.settled.results), self.settled.at_once
        )

    # Cards that went wrong

    def _by_the_cards(self) -> Lines:
        """The lines by the cards where they belong; what a slip leaves open goes to the candidates."""
        found = slips(self.round, self.play)
        lines = self.settled.lines
        if found and self.touched:
            self.marks += [missing(slip.rule, slip.code, "hand", facts=slip.facts) for slip in found]
            return self._as_laid().lines
        ordinary = [slip for slip in found if slip.code not in BY_ITSELF]
        kind: Kind = "corrected"
        if any(not slip.in_time for slip in ordinary):
            kind, lines = self._not_put_right(lines)
        for slip in found:
            self.marks.append(_slip_mark(slip, "corrected" if slip.in_time or slip.code in BY_ITSELF else kind))
        if any(slip.code == "card_to_betless_box" for slip in found) and not inspector_seen(self.round):
            facts = next(slip.facts for slip in found if slip.code == "card_to_betless_box")
            mark = Mark(rule="BJ-26", code="no_inspector", kind="breach", scope="round", facts=facts)
            self.marks.append(missing("BJ-26", "no_inspector", facts=facts) if self.touched else mark)
        if all(slip.in_time for slip in found):
            self._underdrew()
        return lines

    def _not_put_right(self, lines: Lines) -> tuple[Kind, Lines]:
        """BJ-25 (b) and (c): the same money either way is a breach, other money needs a ruling (BJ-A29)."""
        laid = self._as_laid()
        way = self.session.edition["blackjack.late_misdeal"]
        same = self.settled.known == laid.known and _nets(lines) == _nets(laid.lines) and not self._impossible()
        if same:
            return "breach", lines
        if way == "as_dealt":
            return "breach", laid.lines
        if way == "reconstructed":
            return "corrected", lines
        self.open.add("reconstructed", lines.values())
        self.open.add("as_dealt", laid.lines.values())
        return "ruling_required", lines

    def _as_laid(self) -> Outcomes:
        bets = bets_of(self.session, self.round)
        self.laid = play(self.session, self.round, bets, as_laid=True)
        return outcomes(self.session, bets, self.laid, as_it_lies=True)

    def _impossible(self) -> bool:
        """Whether a decision on record cannot be carried out on the hands as they should have been, or lacks there."""
        orders = {note.order for note in self.laid.ignored}
        return any(note.order not in orders for note in self.play.ignored) or bool(
            self.play.guessed.keys() - self.laid.guessed.keys()
        )

    def _underdrew(self) -> None:
        """The dealer stopped below 17 and no card is there to complete his hand (BJ-42, BJ-A38)."""
        waits = self.play.waits
        waiting = {stake for stake, line in self.settled.lines.items() if line.held and not line.paid}
        paid = any(getattr(fact.event, "stake", "") in waiting for fact in self.round.settles)
        if waits is None or waits.place != DEALER or not (self.round.over or paid) or len(self.play.dealer) < 2:
            return
        facts = (self.play.dealer[-1].fact,)
        if self.touched:
            self.marks.append(missing("BJ-42", "dealer_underdrew", facts=facts))
            return
        self.marks.append(
            Mark(
                rule="BJ-42", code="dealer_underdrew", kind="ruling_required", scope="round", subject=self.round.name,
                facts=facts, text="below 17, and no further card of the shoe is known",
            )
        )  # fmt: skip
        as_it_lies = outcomes(self.session, self.bets, self.play, as_it_lies=True).lines
        lies = [line for stake, line in as_it_lies.items() if self.settled.lines[stake].held]
        self.open.add("as_it_lies", lies)
        self.open.add("refund", [refunded(line, "BJ-42") for line in lies])
        self.settled.known = True

    # What a person has to decide

    def _issues(self, base: Lines) -> None:
        for issue in self.play.issues:
            for name, lines in self._ways(issue, base):
                self.open.add(name, lines)
        if self.settled.halves:
            self.open.add("rounded_down", [base[stake] for stake in self.settled.halves])
            self.open.add("rounded_up", self.settled.halves.values())

    def _ways(self, issue: Issue, base: Lines) -> Iterator[tuple[str, list[Line]]]:
        mark, hand = issue.mark, issue.hand
        parts = issue.parts or tuple([*hand.parts, *hand.doubles] if hand is not None else ())
        own = [base[part.stake.id] for part in parts if part.stake.id in base]
        if own:
            yield AS_PLAYED, own
            if mark.code == "surrender_not_allowed":
                yield "surrendered", [_halved(line) for line in own]
            else:
                yield ("refund" if hand is not None else "extra_refunded"), [refunded(line, mark.rule) for line in own]

    # Rulings

    def _ruled_good(self, mark: Mark) -> Mark:
        """A person who decided that the shoe counts has answered what the rules left open."""
        if self.ruled.chosen != "valid" or mark.kind not in ("voidable", "ruling_required"):
            return mark
        return replace(mark, kind="advisory", basis=_id(self.ruled.chosen_by))

    def _returned(self, lines: Lines) -> tuple[Lines, list[Mark]]:
        """Bets that a ruling returns: a card counter's unsettled ones (BJ-16), those of who was advised (BJ-A39)."""
        marks: list[Mark] = []
        changed = dict(lines)
        for ruling in (*self.ruled.counting, *self.ruled.others.on_bets):
            for stake, line in lines.items():
                if not ruling.reaches(stake, line.player):
                    continue
                paid = 0
                if ruling.rule == "BJ-16":
                    first = self._first_payment(line, ruling.fact)
                    if _settled_before(self.round, stake, ruling.fact, by_win=first is None):
                        continue
                    paid = first or 0
                back = replace(refunded(line, ruling.rule), paid=paid)
                changed[stake] = replace(back, reasons=(*line.reasons, ruling.code))
                self.ruled_bets.add(stake)
                marks.append(void_bet(ruling, line))
        return changed, marks

    def _first_payment(self, line: Line, ruling: Fact) -> int | None:
        """What three sevens had won by the ruling, whatever the dealer draws (BJ-37); None: no three sevens."""
        for _box, _at, hand in self.play.all_hands():
            if any(part.stake.id == line.stake for part in (*hand.parts, *hand.doubles)):
                too_late = not hand.cards or hand.cards[-1].fact.occurred_at > ruling.occurred_at
                return None if too_late else self.settled.at_once.get(line.stake)
        return None

    # The sum

    def _summed(self, base: Lines, marks: list[Mark]) -> tuple[Settlement, list[Mark]]:
        ways = {name: merged(tuple({**base, **own}.values())) for name, own in self.open.candidates.items()}
        lines = dict(base)
        chosen = next((name for name in _MEANT.get(self.ruled.chosen, (self.ruled.chosen,)) if name in ways), "")
        if chosen:
            lines = {line.stake: line for line in ways[chosen]}
            by = _id(self.ruled.chosen_by)
            marks = [
                replace(mark, kind="advisory", basis=by) if mark.kind == "ruling_required" else mark for mark in marks
            ]
            ways = {}
        for stake, line in lines.items():
            outcomes_ = {replace(own[stake], rule="") for own in map(_by_stake, ways.values()) if stake in own}
            if len(outcomes_) > 1 and stake not in self.ruled_bets:
                lines[stake] = held(line)
        small = self.session.edition["money.smallest_chip"]
        if small:
            marks = [
                *marks,
                *(_not_payable(line, amount, small) for line in lines.values() if (amount := _odd(line, small))),
            ]
        waits = any(line.held for line in lines.values())
        is_known = self.settled.known or not waits or bool(ways and not _still_open(self.settled.lines, ways))
        return Settlement(lines=tuple(lines.values()), known=is_known, candidates=ways), marks


_MEANT = {"valid": (AS_PLAYED, "as_dealt", "as_it_lies")}
"""What a ruling that lets the round stand says where the ways have names: as it was played."""


def _by_stake(lines: tuple[Line, ...]) -> Lines:
    return {line.stake: line for line in lines}


def _still_open(lines: Lines, ways: dict[str, tuple[Line, ...]]) -> bool:
    """Whether a stake is open by its cards in every way, so that no person can decide it."""
    return any(line.held and all(_by_stake(own)[stake].held for own in ways.values()) for stake, line in lines.items())


def _halved(line: Line) -> Line:
    half = line.staked // 2
    return replace(line, taken=half, returned=line.staked - half, paid=0, held=0, rule="BJ-34")


def _nets(lines: Lines) -> dict[str, int]:
    return {stake: line.net for stake, line in lines.items()}


def _slip_mark(slip: Slip, kind: Kind) -> Mark:
    return Mark(
        rule=slip.rule, code=slip.code, kind=kind, scope="hand", subject=slip.card.dealt_to, facts=slip.facts,
        remedy={"card": slip.card.card, "to": slip.due or "pending"}, text=slip.text,
    )  # fmt: skip


def _odd(line: Line, small: int) -> int:
    """A win, or what is left of a stake given up in part, that the smallest chip cannot express; 0 if none is."""
    return next((one for one in (line.paid, line.returned if line.taken else 0) if one % small), 0)


def _not_payable(line: Line, amount: int, small: int) -> Mark:
    return Mark(
        rule="BJ-44", code="amount_not_payable", kind="advisory", scope="bet", subject=line.stake, player=line.player,
        text=f"{amount_text(amount)} cannot be paid in chips of {amount_text(small)}; it is due all the same",
    )  # fmt: skip


def _id(fact: Fact | None) -> str:
    return str(getattr(fact.event, "ruling", "")) if fact is not None else "facts"


def _settled_before(round_: Round, stake: str, ruling: Fact, *, by_win: bool = True) -> bool:
    """Whether a stake had been settled when the ruling was made; `by_win`: a win paid on it settles it."""
    return any(
        getattr(fact.event, "stake", "") == stake
        and fact.occurred_at <= ruling.occurred_at
        and (by_win or getattr(fact.event, "frm", "") == f"box/{stake}")
        for fact in round_.settles
    )


def _voided(session: Session, round_: Round, ruled: Ruled) -> Analysis:
    """BJ-15, BJ-A39: every stake goes back and no win is due; wins already paid are owed back, or left (BJ-A25)."""
    if ruled.shoe is not None and session.edition["blackjack.shoe_void_reach"] == "unsettled_only":
        kept = _Judge(session, round_, replace(ruled, shoe=None), touched=False).run()
        settled = {stake for stake in booked(round_.settles) if _settled_before(round_, stake, ruled.shoe)}
    else:
        kept, settled = None, set()
    marks = ruled.others.void
    rule, code = "BJ-48", marks[0].code if marks else ""
    if ruled.shoe is not None:
        rule, code = "BJ-15", f"ruling_{getattr(ruled.shoe.event, 'ground', '')}"
        marks = (_shoe_void(session, ruled.shoe, code),)
    lines = merged(
        tuple(
            Line(
                stake=stake.id, player=stake.player, staked=stake.amount, returned=stake.amount,
                what=f"{stake.currency} box {stake.box}".lstrip(), rule=rule, reasons=(code,),
                currency=stake.currency or UNSET,
            )
            for stake in round_.stakes
        )
    )  # fmt: skip
    if kept is not None:
        own = _by_stake(kept.settlement.lines)
        lines = tuple(own[line.stake] if line.stake in settled else line for line in lines)
    if session.edition["void_paid_wins_policy"] == "refund_losers_only":
        won = {stake: max(0, one.paid - one.taken) for stake, one in booked(round_.settles).items()}
        lines = tuple(replace(line, waived=won.get(line.stake, 0)) for line in lines)
    return Analysis(Settlement(lines=lines), (*marks, *ruled.invalid), void=True)


def _shoe_void(session: Session, fact: Fact, code: str) -> Mark:
    event = fact.event
    who = getattr(event, "decided_by", None) or getattr(event, "role", "")
    return Mark(
        rule="BJ-15", code=code, kind="void", scope="shoe", subject=session.shoe.deck, facts=known(fact),
        basis=_id(fact), remedy={"void": "shoe"}, text=f"ruled by {who}, {getattr(event, 'standard', '')}",
    )  # fmt: skip
