"""The rounds of an evidence pack: walked through, judged, and what the dispute made of them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from cli.evidence_dispute import Judged
from cli.evidence_round import PackedRound
from cli.objections import objections
from cli.rulings import effects_on_record
from events.schema.disputes import DisputeAdjudicated
from events.store.backend import Row
from events.values.money import unit_text
from games.adjudicate import judge_round
from games.casebook import Casebook
from games.overtaken import by_facts
from games.verdict import Verdict
from replay.disputes.dispute import Dispute
from replay.disputes.verdicts import verdicts
from replay.stepper import Stepper
from replay.timeline import Records

_STEPS = 400
"""So many steps are drawn of the disputed rounds together, the first round whole whatever it has: a table takes half a
page of paper, and a pack is to be read."""
_SEVERAL = 6
"""Of more rounds of one session the whole session is folded once; of fewer each is folded up to its end."""


def packed_rounds(book: Casebook, rounds: Sequence[str], dispute: Dispute | None) -> list[PackedRound]:
    """The rounds at these addresses, in that order.

    Raises:
        Refused: no such round. Unable, EditionMissing, BadEdition: as for judging.
    """
    names: dict[str, list[str]] = {}
    for text in rounds:
        subject, _hash, name = text.rpartition("#")
        names.setdefault(subject, []).append(name)
    found: dict[str, PackedRound] = {}
    for subject, own in names.items():
        found |= {case.address: case for case in _of_session(book, subject, own)}
    cases = _drawn([found[text] for text in rounds], dispute)
    return _moved(book, cases, dispute) if dispute is not None else cases


def _of_session(book: Casebook, subject: str, names: Sequence[str]) -> list[PackedRound]:
    records = Records.read(book, subject)
    if len(names) <= _SEVERAL:
        walks = [Stepper(records, book.rooms, name) for name in names]
        case = walks[0].case
        by_facts_alone = replace(case, ordered=by_facts(case.ordered))
        alone = {name: judge_round(by_facts_alone, book.rooms, name) for name in names}
    else:
        whole = Stepper(records, book.rooms)
        walks = [whole.within(name) for name in names]
        alone = {text.rpartition("#")[2]: one for text, one in _alone(book, subject, names).items()}
    against = objections(walks[0].case.ordered.facts)
    return [
        PackedRound(
            address=f"{subject}#{name}",
            drawn=True,
            walk=walk,
            verdict=walk.verdict(name),
            alone=alone[name],
            objections=[one for one in against if one.round == name.partition("~")[0]],
        )
        for name, walk in zip(names, walks, strict=True)
    ]


def _alone(book: Casebook, subject: str, names: Sequence[str]) -> dict[str, Verdict]:
    return verdicts(book, [f"{subject}#{name}" for name in names])


def _drawn(cases: Sequence[PackedRound], dispute: Dispute | None) -> list[PackedRound]:
    """The disputed rounds are drawn step by step, of many the first; any other as it was over."""
    left = _STEPS
    found: list[PackedRound] = []
    for case in cases:
        drawn = not found or (dispute is not None and case.address in dispute.rounds and len(case.walk) <= left)
        left -= len(case.walk) if drawn else 0
        found.append(replace(case, drawn=drawn))
    return found


def _moved(book: Casebook, cases: Sequence[PackedRound], dispute: Dispute) -> list[PackedRound]:
    """Each round with what the ruling in force, else the one that waits, moves in it."""
    ruling = dispute.in_force or dispute.proposed
    came = effects_on_record(book, ruling) if ruling is not None else None
    if ruling is None or came is None or ((came.amounts or came.foreign) and not came.stakes):
        return list(cases)
    by_round: dict[str, dict[str, tuple[int, int]]] = {text: {} for text in ruling.rounds}
    for one in came.stakes:
        own = by_round[one.round]
        named = f"{one.player} ({unit_text(one.currency)})" if one.currency else one.player
        before, after = own.get(named, (0, 0))
        own[named] = (before + one.before, after + one.after)
    return [replace(case, moved=by_round.get(case.address)) for case in cases]


def judged_in(
    book: Casebook, cases: Sequence[PackedRound], dispute: Dispute, rows: dict[int, Row]
) -> dict[int, list[Judged]]:
    """What was judged in each such act of a dispute: by today's records, or else by those that were known then."""
    recorded = {row.version: row.recorded_at for row in rows.values() if row.stream == dispute.stream}
    today = {case.address: case.alone for case in cases}
    found: dict[int, list[Judged]] = {}
    for act in dispute.acts:
        if isinstance(act.event, DisputeAdjudicated):
            own = found[act.version] = []
            for address, digest in act.event.verdicts.items():
                verdict = today.get(address)
                if verdict is None or verdict.digest != digest:
                    verdict = _as_known(book, address, recorded[act.version])
                own.append(Judged(address, digest, verdict if verdict.digest == digest else None))
    return found


def _as_known(book: Casebook, address: str, at_us: int) -> Verdict:
    """The verdict by the facts alone, of what had been recorded by then."""
    subject, _hash, name = address.rpartition("#")
    case = Records.read(book, subject, known_at=at_us).case()
    return judge_round(replace(case, ordered=by_facts(case.ordered)), book.rooms, name)
