"""Checks of pots, rake and awards (NL-02, NL-24, NL-28, NL-29, NL-31 … NL-33, NL-37)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from events.schema.fact import Fact
from events.values.cards import UNKNOWN
from games.holdem.book import BOOK
from games.holdem.payouts import FULL_BOARD, evaluate
from games.holdem.state import HOME_CURRENCY
from games.holdem.tape import Tape, tape_of
from games.holdem.wrongs import Wrong, moves, wrongs
from games.house_rules.rulebook import Rule
from games.protocol import Round
from games.shared.poker.conduct import ObjectionRaised
from games.shared.poker.events import CardDealt, HandKilled, HandsDealt, HoleDealt
from games.shared.poker.hand import Hand
from games.shared.poker.ranks import hand_name
from games.shared.poker.settling import tabled
from games.shared.poker.shuffling import steps_before
from games.shared.poker.table import Session
from games.verdict import Finding, Kind


def _paid_as_due(round_: Round[Session]) -> bool:
    return not wrongs(round_)


def _mispaid(rule_id: str) -> object:
    def check(round_: Round[Session], rule: Rule) -> Iterable[Finding]:
        found = wrongs(round_)
        return findings(round_, rule, found) if found else ()

    def findings(round_: Round[Session], rule: Rule, found: tuple[Wrong, ...]) -> Iterator[Finding]:
        for wrong in found:
            if wrong.rule == rule_id:
                tape = tape_of(round_)
                assert tape is not None
                facts = tape.rakes if rule_id == "NL-33" else _about(tape, wrong.stake)
                kind: Kind = "mispaid"
                text = _held_by(tape.hand, wrong.stake) if rule_id in ("NL-29", "NL-37") else ""
                if wrong.code == "under_rake":
                    kind, text = "breach", "the house's loss: no player owes any of it"
                yield rule.finding(
                    wrong.code, kind, "hand" if wrong.stake else "round", subject=wrong.stake,
                    player=wrong.player, money=wrong.money, remedy=dict(wrong.remedy), facts=facts,
                    via="" if rule_id in ("NL-02", "NL-32", "NL-33") else "NL-32", text=text,
                )  # fmt: skip

    return check


def _held_by(hand: Hand, stake: str) -> str:
    """The name of the hand that a seat tabled."""
    place = hand.place(int(stake.removeprefix("seat/"))) if stake[5:].isdigit() else -1
    return hand_name((*hand.hole[place], *hand.board)) if place >= 0 and evaluate(hand, place) is not None else ""


def _about(tape: Tape, stake: str) -> list[Fact]:
    return [fact for fact in tape.awards if getattr(fact.event, "to", "") == stake] or tape.awards


_NOTICE = ("award_error_deadline", "complaint_window_minutes")
_MONEY_PARAMETERS: dict[str, tuple[str, ...]] = {
    "NL-02": (),
    "NL-24": (),
    "NL-28": ("showdown_muck_allowed",),
    "NL-29": ("wheel_straight", "ranking_between"),
    "NL-31": ("odd_chip",),
    "NL-32": (),
    "NL-37": _NOTICE,
    "NL-33": (
        "rake_rate_bp", "rake_cap_czk", "rake_cap_other_currency", "rake_rounding", "rake_base", "no_flop_no_drop",
        "rake_allocation", "rake_source",
    ),
}  # fmt: skip

for _rule, _names in _MONEY_PARAMETERS.items():
    BOOK.check(_rule, parameters=_names, unless=_paid_as_due)(_mispaid(_rule))  # type: ignore[arg-type]


def _capped(round_: Round[Session]) -> bool:
    """The house's rake has a cap in the currency of the table, or it takes none."""
    session = round_.session
    terms = session.terms.rake
    return terms is None or session.currency == HOME_CURRENCY or terms.cap is not None or not terms.rate_bp


@BOOK.check("NL-33", parameters=("rake_cap_other_currency", "rake_rate_bp"), unless=_capped)
def cap_of_another_currency(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """The cap is in CZK; in another currency the nearest value, which the house has to name."""
    session = round_.session
    yield rule.finding(
        "no_cap_in_currency", "ruling_required", "round", text=f"no cap of the rake is set in {session.currency}"
    )


@BOOK.check("NL-33", parameters=("rake_rounding",), unless=lambda round_: round_.session.smallest_chip)
def the_smallest_chip_is_on_record(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """Rake and shares are rounded to it; what some chip explains is not wrong where nobody says which it was."""
    if round_.due.known and (chip := round_.memo.get("smallest_chip")):
        text = "the record names no smallest chip; by this one rake and shares are right"
        yield rule.unverified("smallest_chip", "round", remedy={"amount": chip}, text=text)


def _told_and_won(round_: Round[Session]) -> bool:
    """The record tells who wins every pot."""
    due = round_.due
    return due.known and all(pot.awards for pot in due.pots)


@BOOK.check("NL-29", unless=_told_and_won)
def tabled_hands_can_be_read(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """A hand that lay tabled and that no record names: nothing is moved (NL-37)."""
    session = round_.session
    hand = session.hand
    if round_.due.known or hand is None or hand.name != round_.name or not hand.ready:
        return
    for place in hand.left:
        if tabled(hand, place, session.terms.hole) and evaluate(hand, place) is None and hand.gone[place] != "killed":
            seat = hand.seats[place]
            code, text = "hand_not_readable", f"the hand that seat {seat} tabled cannot be read from the record"
            if len(hand.shown[place]) >= session.terms.hole and UNKNOWN not in (*hand.shown[place], *hand.board):
                code = "shown_not_dealt"
                text = f"{', '.join(hand.shown[place])}: not the cards that seat {seat} was dealt by the record"
            yield rule.unverified(code, "hand", subject=f"seat/{seat}", text=text)


@BOOK.check("NL-32", unless=_told_and_won)
def the_record_tells_who_won(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """What is missing where a closed hand does not say who gets the pot, and no tabled hand is at fault."""
    session = round_.session
    hand = session.hand
    if round_.due.known or hand is None or hand.name != round_.name or not hand.closed or not hand.contributed:
        return
    cards = session.terms.hole
    open_ = [place for place in hand.left if tabled(hand, place, cards)]
    if hand.ready and any(evaluate(hand, place) is None for place in open_):
        return
    if len(hand.board) < FULL_BOARD:
        yield rule.unverified("board_not_complete", text=f"{len(hand.board)} of {FULL_BOARD} board cards are on record")
    elif hand.runs > 1 and hand.board_missing:
        yield rule.unverified("board_not_complete", text=f"not all of {hand.runs} boards are on record")
    elif not hand.ready:
        yield rule.unverified("betting_not_closed", text="the record does not tell how the betting ended")
    else:
        silent = ", ".join(str(hand.seats[place]) for place in hand.left if place not in open_ and not hand.gone[place])
        yield rule.unverified("nobody_tabled", text=f"neither tabled nor mucked on record: seats {silent}")


@BOOK.check("NL-28", unless=_told_and_won)
def somebody_tables_for_each_pot(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """A pot goes only to a tabled hand; where none that may win it is, a person rules. Dead chips above all live
    hands belong to nobody (pot algorithm, step 2)."""
    for pot in round_.due.pots if round_.due.known else ():
        if not pot.awards and pot.amount > pot.rake:
            yield rule.finding(
                "no_hand_tabled" if pot.eligible else "no_eligible_seat", "ruling_required", "round",
                subject=pot.name, rule="" if pot.eligible else "NL-24", remedy={"amount": pot.amount - pot.rake},
            )  # fmt: skip


# --- a winning hand taken by mistake (NL-37) ---


@BOOK.check("NL-37", parameters=_NOTICE, unless=_paid_as_due)
def management_resolves_a_wrong_award(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """Whoever notices says so at once; management resolves it. The moves that set it right are prepared."""
    objections = [fact for fact in (*round_.facts, *round_.after) if _objects_to(fact, round_.name)]
    taken = any(wrong.rule == "NL-37" for wrong in wrongs(round_))
    if not (taken or objections):
        return
    tape = tape_of(round_)
    awards = tape.awards if tape is not None else []
    text = "management resolves it; the camera record may be checked"
    noticed = min((fact.occurred_at for fact in objections), default=None)
    late = round_.next_at is not None and (noticed is None or round_.next_at < noticed)
    remedy: dict[str, Any] = {"moves": moves(round_.differences), "route": "complaint" if late else "table"}
    if noticed is not None and awards:
        remedy |= _notice(rule, noticed, awards[-1].occurred_at)
        text = f"objected {_span(remedy['after_s'])} after the award; {text}"
    if late:
        text += "; the next hand had been dealt: for a complaint with the record"
    yield rule.finding(
        "award_in_error", "ruling_required", "round", facts=[*objections, *awards], remedy=remedy, text=text
    )


def _objects_to(fact: Fact, hand: str) -> bool:
    """Whether it objects to a hand, told in it or before the next began."""
    event = fact.event
    return isinstance(event, ObjectionRaised) and event.hand in (None, "", hand)


def _notice(rule: Rule, objected_at: int, awarded_at: int) -> dict[str, Any]:
    """When an error was noticed, and whether a complaint about it is late (NL-A39, NL-A42); moments in ms UTC."""
    after_s = max(objected_at - awarded_at, 0) // 1000
    window = rule["complaint_window_minutes"]
    return {"after_s": after_s, "late": window is not None and after_s > 60 * window}


def _span(seconds: int) -> str:
    return f"{seconds} s" if seconds < 120 else f"{seconds // 60} min"


@BOOK.check("NL-37", on=(ObjectionRaised,), parameters=_NOTICE)
def late_objections_are_complaints(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """An error in the award of a hand before is for a complaint with the record: the next hand has been dealt."""
    event, hand = fact.event, session.hand
    assert isinstance(event, ObjectionRaised)
    if not event.hand or hand is None or event.hand == hand.name:
        return
    window, awarded_at = rule["complaint_window_minutes"], session.awarded.get(event.hand)
    remedy: dict[str, Any] = {"hand": event.hand, "route": "complaint", "window_minutes": window}
    if awarded_at is not None:
        remedy |= _notice(rule, fact.occurred_at, awarded_at)
    late = remedy.get("late", False)
    text = f"about hand {event.hand}, after the next deal: for a complaint with the record"
    if awarded_at is not None:
        text += f"; {_span(remedy['after_s'])} after the award, {'late' if late else 'not late'}: "
        text += "the house sets no window" if window is None else f"the house's window is {window} min"
    yield rule.finding(
        "complaint_late" if late else "complaint", "advisory", "round", subject=event.hand, player=event.player or "",
        facts=(fact,), remedy=remedy, text=text,
    )  # fmt: skip


@BOOK.check("NL-37", unless=lambda round_: round_.session.hand is None or "killed" not in round_.session.hand.gone)
def tabled_hands_are_not_killed(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """A hand that lay visible on the table is not lost by the dealer's hand; one that never did claims nothing."""
    hand = round_.session.hand
    if hand is None or hand.name != round_.name or any(wrong.rule == "NL-37" for wrong in wrongs(round_)):
        return
    winners = {line.stake for line in round_.due.lines if line.paid}
    for place in hand.left:
        seat = f"seat/{hand.seats[place]}"
        if hand.gone[place] != "killed":
            continue
        facts = [
            fact for fact in round_.facts if isinstance(fact.event, HandKilled) and fact.event.seat == hand.seats[place]
        ]
        if not round_.due.known:
            yield rule.unverified("killed_hand_not_readable", "hand", subject=seat, facts=facts)
        elif seat in winners:
            yield rule.finding(
                "winning_hand_killed", "breach", "hand", subject=seat, player=hand.players[place], facts=facts,
                text="it lay tabled and wins all the same",
            )  # fmt: skip


# --- the house controls that the game is regular (NL-02, NL-A40) ---

SHUFFLES: dict[str, tuple[str, ...]] = {"wash_riffle": ("wash", "riffle")}
"""The steps of each profile."""


def _no_deal_begins(session: Session, _fact: Fact) -> bool:
    """Whether cards of this hand are dealt already, or nobody at this table records how it shuffles."""
    hand = session.hand
    return not session.shuffle.kept or hand is None or hand.closed or hand.dealt > 0


@BOOK.check(
    "NL-02", on=(CardDealt, HoleDealt, HandsDealt), parameters=("shuffle_profile", "shuffle_breach_remedy"),
    unless=_no_deal_begins,
)  # fmt: skip
def shuffled_before_the_deal(session: Session, fact: Fact, rule: Rule) -> Iterator[Finding]:
    """Washed and riffled before every deal. The section gives no right to void a hand for it: management decides, and
    no money moves."""
    steps = steps_before(session.shuffle, session.hand)
    missing = [step for step in SHUFFLES[rule["shuffle_profile"]] if step not in steps]
    if not steps:
        yield rule.unverified("shuffle", facts=(fact,), text="no shuffle is on record before this deal")
    elif missing:
        yield rule.finding(
            "shuffle_incomplete", "breach", "round", facts=(fact,), text=f"only {', '.join(steps)} before this deal",
            remedy={"missing": missing, "remedy": rule["shuffle_breach_remedy"]},
        )  # fmt: skip
