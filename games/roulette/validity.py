"""Whether a spin counts: directions, laps, the wheel, a declaration, an incident, and which number it gave."""

from __future__ import annotations

from msgspec import Struct

from events.schema.fact import Fact
from games.roulette.events import BallDropped, BallIncident, LapsCounted, MisspinDeclared, NumberAnnounced, SpinStarted
from games.roulette.table import Session, Spin
from games.shared.marks import Mark, known, missing
from games.shared.wheel import is_same_ring, whole_laps
from games.verdict import Kind

GROUNDS = {"ball_with_wheel": "RL-14", "wheel_not_alternated": "RL-15", "short_spin": "RL-17"}
"""The grounds of a mis-spin and their rules."""

DECLARERS = frozenset({"croupier", "inspector", "management"})
"""Whose word makes a mis-spin (RL-A01)."""


class Result(Struct, frozen=True):
    """The number that decides, None if it cannot be had; `marks` of RL-21."""

    number: int | None
    marks: tuple[Mark, ...] = ()


class Validity(Struct, frozen=True):
    """`void`: every ground that voids the spin by its facts; `doubtful`: what needs a ruling; `marks`: the rest.

    `candidates`: which outcomes to show where a person must choose.
    """

    void: tuple[Mark, ...]
    doubtful: tuple[Mark, ...]
    marks: tuple[Mark, ...]
    candidates: tuple[str, ...] = ()


def validity_of(session: Session, spin: Spin) -> Validity:
    """RL-42 step 3."""
    tested = [*_directions(spin), *_laps(session, spin)]
    incidents = _incidents(session, spin)
    void = tuple(mark for mark in (*tested, *incidents) if mark.kind == "void")
    open_questions = [mark for mark in tested if mark.kind == "unverified"]
    wheel = _wheel(session, spin)
    doubtful = [mark for mark in (*wheel, *incidents) if mark.kind == "ruling_required"]
    candidates: tuple[str, ...] = ("valid",) if doubtful else ()
    if not void:
        unfounded = _declaration(session, spin, open_questions)
        asked = {mark.code for mark in unfounded}
        if any(mark.code != "misspin_unfounded" for mark in unfounded):
            candidates = ("refund", "valid")
        elif unfounded:
            candidates = candidates or ("valid",)
        doubtful += unfounded
        open_questions = [mark for mark in open_questions if mark.code not in asked]
    marks = [mark for mark in tested if mark.kind == "voidable"]
    marks += [mark for mark in wheel if mark.kind == "unverified"]
    return Validity(void, tuple(doubtful), (*marks, *open_questions), candidates)


def declared(spin: Spin) -> MisspinDeclared | None:
    """The declaration of a mis-spin, by somebody who may make it."""
    event = spin.misspin.event if spin.misspin is not None else None
    return event if isinstance(event, MisspinDeclared) and event.role in DECLARERS else None


def _directions(spin: Spin) -> list[Mark]:
    """RL-14 and RL-15."""
    event = spin.started.event if spin.started is not None else None
    if not isinstance(event, SpinStarted):
        if spin.drop is None and spin.announced is None:
            return []  # not spun yet
        codes = ("ball_with_wheel", "wheel_not_alternated")
        return [missing(GROUNDS[code], code, facts=known(spin.drop)) for code in codes if _tested(code, spin)]
    marks = []
    facts = known(spin.started)
    wheel, ball = event.wheel_direction, event.ball_direction
    if wheel is None or ball is None:
        marks.append(missing("RL-14", "ball_with_wheel", facts=facts))
    elif wheel == ball:
        marks.append(_void("ball_with_wheel", spin, facts, f"wheel and ball both ran {wheel}"))
    if not _tested("wheel_not_alternated", spin):
        return marks
    if wheel is None or spin.previous == "unknown":
        marks.append(missing("RL-15", "wheel_not_alternated", facts=facts))
    elif wheel == spin.previous:
        marks.append(_void("wheel_not_alternated", spin, facts, f"the rotation before ran {wheel} too"))
    return marks


def _tested(code: str, spin: Spin) -> bool:
    """The first rotation after opening has nothing to alternate with (RL-A04)."""
    return code != "wheel_not_alternated" or spin.previous != "none"


def _laps(session: Session, spin: Spin) -> list[Mark]:
    """RL-17."""
    count, fact = laps_of(spin)
    if count is None:
        spun = spin.drop is not None or spin.announced is not None
        return [missing("RL-17", "short_spin", facts=known(spin.drop))] if spun else []
    if whole_laps(count) >= session.edition["roulette.min_ball_revolutions"]:
        return []
    text = f"{count // 10}.{count % 10} laps"
    facts = known(fact, spin.misspin)
    if session.edition["roulette.short_spin_policy"] == "automatic_void" or declared(spin) is not None:
        return [_void("short_spin", spin, facts, text)]
    return [
        Mark(rule="RL-17", code="short_spin", kind="voidable", scope="round", subject=spin.name, facts=facts, text=text)
    ]


def laps_of(spin: Spin) -> tuple[int | None, Fact | None]:
    """Laps in tenths and the record that says so; a count of its own holds over the one that came with the drop."""
    if spin.laps is not None and isinstance(spin.laps.event, LapsCounted):
        return spin.laps.event.laps_tenths, spin.laps
    for fact in reversed(spin.pockets):
        if isinstance(fact.event, BallDropped) and fact.event.laps_tenths is not None:
            return fact.event.laps_tenths, fact
    return None, None


def _wheel(session: Session, spin: Spin) -> list[Mark]:
    """RL-01."""
    wheel = session.wheel
    if wheel is None:
        return [missing("RL-01", "wheel_order_mismatch", facts=known(spin.drop))] if spin.over else []
    if is_same_ring(wheel.order, session.edition.constants.wheel_order):
        return []
    text = f"wheel {wheel.id} does not have the order of the house's rules"
    return [_doubt("RL-01", "wheel_order_mismatch", spin, (wheel.fact,), text)]


def _incidents(session: Session, spin: Spin) -> list[Mark]:
    """RL-A24, reported under RL-21: the ball has not settled in a pocket."""
    kind: Kind = "void" if session.edition["roulette.ball_incident_effect"] == "misspin" else "ruling_required"
    return [
        Mark(
            rule="RL-21",
            code="ball_incident",
            kind=kind,
            scope="round",
            subject=spin.name,
            facts=(fact,),
            text=fact.event.kind if isinstance(fact.event, BallIncident) else "",
        )
        for fact in spin.incidents
    ]


def _declaration(session: Session, spin: Spin, open_questions: list[Mark]) -> list[Mark]:
    """RL-16: a declaration that the facts do not bear out, or cannot (only asked where nothing voids the spin)."""
    event = declared(spin)
    if event is None:
        return []
    facts = known(spin.misspin, spin.started, spin.drop)
    ground = event.ground
    by_rule = {rule: code for code, rule in GROUNDS.items()}
    ground = by_rule.get(ground or "", ground)
    asked = [mark for mark in open_questions if ground is None or mark.code == f"unverified:{ground}"]
    if asked:
        return [
            Mark(
                rule="RL-16",
                code=mark.code,
                kind="ruling_required",
                scope="round",
                subject=spin.name,
                facts=facts,
                text="declared a mis-spin; what would show the ground is not on record",
            )
            for mark in asked
        ]
    return [_doubt("RL-16", "misspin_unfounded", spin, facts, f"declared for {ground or 'no stated ground'}")]


def _void(code: str, spin: Spin, facts: tuple[Fact, ...], text: str) -> Mark:
    return Mark(
        rule=GROUNDS[code],
        code=code,
        kind="void",
        scope="round",
        subject=spin.name,
        facts=facts,
        text=text,
        remedy={"void": "spin"},
    )


def _doubt(rule: str, code: str, spin: Spin, facts: tuple[Fact, ...], text: str) -> Mark:
    return Mark(rule=rule, code=code, kind="ruling_required", scope="round", subject=spin.name, facts=facts, text=text)


def result_of(session: Session, spin: Spin) -> Result:
    """RL-21: the pocket governs; the announcement only where no pocket is recorded (RL-A36)."""
    announced = spin.announced.event if spin.announced is not None else None
    said = announced.number if isinstance(announced, NumberAnnounced) else None
    by_source: dict[str, int] = {}
    for fact in spin.pockets:
        if isinstance(fact.event, BallDropped) and fact.event.pocket is not None:
            by_source[fact.source] = fact.event.pocket
    pockets = set(by_source.values())
    facts = known(*spin.pockets, spin.announced)
    if len(pockets) == 1:
        pocket = pockets.pop()
        if said is None or said == pocket:
            return Result(pocket)
        return Result(
            pocket,
            (
                Mark(
                    rule="RL-21",
                    code="misannounced_number",
                    kind="corrected",
                    scope="round",
                    subject=spin.name,
                    facts=facts,
                    remedy={"number": pocket},
                    text=f"announced {said}, the ball lay in {pocket}",
                ),
            ),
        )
    if pockets:  # two devices, two numbers: neither decides
        return Result(None, (missing("RL-21", "misannounced_number", facts=facts),))
    if said is None:
        return Result(None)
    use = session.edition["roulette.result_without_pocket"] == "announced_number"
    return Result(said if use else None, (missing("RL-21", "misannounced_number", facts=facts),))
