"""`evidence`: a dispute or a round in one file that an outsider checks without trusting us."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec.structs import replace

from cli import assembly, failures, screen
from cli.access import noted
from cli.addresses import one_round
from cli.judge import took
from cli.options import AsJson, DayOf, Store, day_of, opened
from cli.sealing import SealFolder
from events.errors import Refused, Unable

if TYPE_CHECKING:
    from cli.evidence_round import PackedRound
    from events.seal import SigningKey
    from events.store import Log
    from events.store.backend import Row
    from games.casebook import Casebook
    from replay.disputes.dispute import Dispute
    from replay.evidence.proofs import Covered


def evidence(
    what: Annotated[str, typer.Argument(metavar="DISPUTE|ROUND", help="As 2026-11-28.1, or RL-03#173.")],
    output: Annotated[str, typer.Option("--output", "-o", metavar="FILE", help="The pack, as pack.zip.")],
    reason: Annotated[
        str, typer.Option("--reason", metavar="TEXT", help="What for; it stands in the access trail.")
    ] = "",
    day: DayOf = None,
    seal: SealFolder = None,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Write an evidence pack: records, proofs, verdict, ruling, the round drawn step by step, and its verifier.

    \b
    Examples:
      recoup evidence 2026-11-28.1 -o pack.zip --reason "asked for by the authority"
      recoup evidence RL-03#173 -o pack.zip

    Of a ruling on a shoe, a session or several rounds every round is in it: the disputed ones drawn step by step, each
    other with its result, what the ruling moves, and the table as it ended.

    The pack is checked offline with the verify.py that lies in it, by whoever has Python and `cryptography`.

    It shows players' numbers and hidden cards: it is written for you alone to read, and the export is kept in the
    access trail. The same log gives the same bytes. A checkpoint is signed first if none covers the records yet.
    """
    from replay.evidence.proofs import signing_key

    path = Path(output)
    with opened(store) as log:
        folder = _folder(log, seal)
        key = signing_key(log, folder)
        book = assembly.casebook(log)
        dispute, rounds = _meant(log, what, day)
        _check_target(path)
        about = dispute.id if dispute is not None else rounds[0]
        noted(log, "export", about, reason=reason)
        made = _make(book, about, dispute, rounds, key, folder)
        beside = [] if dispute is not None else _disputes_about(log, rounds[0])
    written = _write(path, made.data)
    _say(path, made, key, written=written, beside=beside, as_json=as_json)


class _Made:
    """A pack ready to be written: its bytes, what it is about, and by what it is proved. `others`: rounds drawn as they
    ended."""

    def __init__(self, about: str, data: bytes, rows: int, steps: int, others: int, covered: Covered) -> None:
        self.about = about
        self.data = data
        self.rows = rows
        self.steps = steps
        self.others = others
        self.covered = covered


def _folder(log: Log, given: str | None) -> Path:
    from events.sealing import folder_of

    folder = folder_of(log.address, given)
    if folder is None:
        raise Unable(
            "this log is no file, and nothing says where its seal is kept", hint="--seal FOLDER, or RECOUP_SEAL=FOLDER"
        )
    return folder


def _meant(log: Log, what: str, day: str | None) -> tuple[Dispute | None, list[str]]:
    """The dispute with its rounds: the disputed ones first, then those that its rulings reach, replaced ones too; or
    the round."""
    from replay.disputes.dispute import read_dispute

    if "#" in what or what.startswith("import/"):
        address = one_round(log, what, day=day_of(day))
        took(address)
        return None, [address.text]
    if f"dispute/{what}" not in log.subjects("dispute/"):
        raise Refused(f"`{what}` is no dispute and no round", hint="`recoup dispute list --all`; a round is RL-03#173")
    dispute = read_dispute(log, what)
    rulings = (dispute.in_force, dispute.proposed, *reversed(dispute.issued))
    reached = (text for one in rulings if one is not None for text in one.rounds)
    return dispute, list(dict.fromkeys((*dispute.rounds, *reached)))


def _make(
    book: Casebook, about: str, dispute: Dispute | None, rounds: Sequence[str], key: SigningKey, folder: Path
) -> _Made:

    from cli.evidence_cases import judged_in, packed_rounds
    from cli.evidence_data import citations_json, dispute_json, timeline_json
    from cli.evidence_pages import Proof, report
    from cli.words import verdict_json
    from events.staff import read_register
    from replay.evidence.pack import Contents, Told, make_pack
    from replay.evidence.proofs import covering

    cases = packed_rounds(book, rounds, dispute)
    accounts = _accounts(cases, dispute)
    rows, adoptions = _rows(book, cases, dispute, accounts)
    covered = covering(book.log, folder, rows)
    own = {row.index: row for row in rows}
    register = read_register(book.log, cases[0].verdict.house)
    people = {one: register.person_of(one) or one for one in accounts}
    cases = [replace(case, people=people) for case in cases]
    size, root = covered.signed.checkpoint.size, covered.signed.checkpoint.root
    newest_at = max(row.recorded_at for row in rows) // 1000
    proof = Proof(rows=len(rows), newest_at=newest_at, size=size, root=root.hex(), key=str(key.verifier))
    told = [
        Told(
            address=case.address,
            named_again=_named_again(case),
            verdict=verdict_json(case.verdict) | {"by_the_facts_alone": verdict_json(case.alone)},
            timeline=timeline_json(case.walk, own, drawn=case.drawn),
            edition=adopted,
        )
        for case, adopted in zip(cases, adoptions, strict=True)
    ]
    judged = judged_in(book, cases, dispute, own) if dispute is not None else {}
    contents = Contents(
        about=about,
        rows=rows,
        rounds=told,
        citations=citations_json((one, case.walk.edition) for case in cases for one in case.verdict.findings),
        dispute=dispute_json(dispute, rows, judged, people) if dispute is not None else None,
        report=report(about, cases, dispute, judged, people, proof),
    )
    steps = sum(len(case.walk) for case in cases if case.drawn)
    others = sum(not case.drawn for case in cases)
    return _Made(about, make_pack(book.log, contents, covered.signed, key), len(rows), steps, others, covered)


def _accounts(cases: Sequence[PackedRound], dispute: Dispute | None) -> set[str]:
    """By whose accounts the record was corrected or added to, and the dispute acted on."""
    found = {act.account for act in dispute.acts} if dispute is not None else set()
    for case in cases:
        for entry in case.walk.timeline.entries:
            if entry.fact.round == case.walk.round:
                found.update(one.account for one in (*entry.notes, entry.fact) if one.account)
    return found


def _rows(
    book: Casebook, cases: Sequence[PackedRound], dispute: Dispute | None, accounts: set[str]
) -> tuple[list[Row], list[Any]]:
    """Every row of the pack in the order of the log, and the adoption of each case's edition."""
    from replay.evidence.rows import adopted, house_rows, session_rows, together

    log = book.log
    found: list[Row] = []
    for subject in dict.fromkeys(case.walk.timeline.subject for case in cases):
        own = [case for case in cases if case.walk.timeline.subject == subject]
        names = {case.walk.round for case in own if case.walk.round is not None}
        said = {one.fact.index for case in own for one in case.objections}
        found += session_rows(log, own[0].walk.timeline, names, said)
    adoptions = [adopted(log, case.verdict.house, case.walk.edition) for case in cases]
    found += [one.row for one in adoptions]
    for house in dict.fromkeys(case.verdict.house for case in cases):
        found += house_rows(log, house, accounts)
    if dispute is not None:
        found += log.stream_rows(dispute.stream)
    return together(found), adoptions


def _named_again(case: PackedRound) -> bool:
    name = case.address.rpartition("#")[2].partition("~")[0]
    return sum(1 for one in case.walk.timeline.rounds if one.partition("~")[0] == name) > 1


def _disputes_about(log: Log, address: str) -> list[str]:
    from replay.disputes.dispute import disputes

    return [one.id for one in disputes(log) if address in one.rounds]


def _check_target(path: Path) -> None:
    """What would make writing fail is said before anybody's data is read."""
    if path.is_dir():
        raise Refused(f"{path} is a folder", hint=f"-o {path / 'pack.zip'}")
    if not path.parent.is_dir():
        raise Refused(f"there is no folder {path.parent}", hint="make it first, or name another one")


def _write(path: Path, data: bytes) -> bool:
    """Writes the pack, readable by its owner alone; False where the very same one lies there already.

    Raises:
        Refused: something else lies there. Unable: it cannot be written.
    """
    from events.sealing.durable import write_durably

    try:
        if path.exists():
            if path.read_bytes() == data:
                return False
            raise Refused(f"{path} is there already, and is another file", hint="another name with -o")
        write_durably(path, data, mode=0o600)
    except OSError as error:
        raise Unable(f"{path} cannot be written: {(error.strerror or str(error)).lower()}") from error
    return True


def _say(path: Path, made: _Made, key: SigningKey, *, written: bool, beside: Sequence[str], as_json: bool) -> None:
    import hashlib

    checkpoint, sealed = made.covered.signed.checkpoint, made.covered.sealed
    digest = hashlib.sha256(made.data).hexdigest()
    if as_json:
        screen.put_json(
            {
                "pack": str(path), "about": made.about, "bytes": len(made.data), "sha256": digest, "records": made.rows,
                "steps": made.steps, "other_rounds": made.others, "checkpoint": checkpoint.size,
                "key": str(key.verifier), "written": written,
            }
        )  # fmt: skip
    else:
        already = "" if written else " (the very same lay there already)"
        screen.say(f"evidence pack of {made.about}: {path}, {len(made.data):,} bytes{already}")
        held = f"{screen.number(made.rows, 'record')}, each proved in a signed log of {checkpoint.size:,}"
        more = f", {screen.number(made.others, 'other round')} as they ended" if made.others else ""
        screen.say(f"  {held}; {screen.number(made.steps, 'step')} drawn{more}")
        screen.say(f"  SHA-256 {digest}")
        screen.say(f"  key     {key.verifier}")
    if sealed is not None:
        screen.note("a checkpoint was signed for it: none covered these records yet")
    for one in beside:
        screen.hint(f"recoup evidence {one} -o … has the dispute about it, too")
    screen.hint(f"unpack verify.py and run `python verify.py {path.name}`; report.html and report.pdf are for people")
    screen.note("it names players and shows hidden cards: hand it only to those who may see all")
    if sealed is not None and sealed.failed:
        for witness, why in sealed.failed.items():
            screen.error(
                f"witness {witness} was not written: {why}", "`recoup seal checkpoint` when the folder is back"
            )
        raise typer.Exit(failures.COULD_NOT)
