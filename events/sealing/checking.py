"""The log against everything that was ever signed of it: by its own record, and by each witness's copies."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from events.seal import BadNote, Frontier, VerifierKey, read_checkpoint
from events.sealing.record import STREAM, SealRecord
from events.sealing.sealer import seal_record
from events.sealing.witness import Witness
from events.store import Log
from events.store.verify import PROBLEMS_MAX, Problem, Progress, VerifyReport, Witnessed, verify


class SealReport(Struct, frozen=True):
    """What `verify_all` found. `checkpoints`: on record, that the log agrees with or not; `copies`: read at witnesses;
    `unreached`: witness → why it could not be asked; `missing`: witness → copies that it does not have yet."""

    walk: VerifyReport
    checkpoints: int
    copies: int
    unreached: dict[str, str] = {}
    missing: dict[str, int] = {}

    @property
    def ok(self) -> bool:
        """Whether all is as it was sealed, as far as could be asked."""
        return self.walk.ok


def verify_all(
    log: Log,
    witnesses: Iterable[str | Path] = (),
    origin: str = "",
    progress: Progress | None = None,
    *,
    since: int | None = None,
) -> SealReport:
    """Recomputes the whole log and compares it with every checkpoint ever signed.

    `witnesses`: folders with copies; `origin`: whose, beside what the log says of itself, as a log that was made anew
    may say another name or none. Where nobody says, they are those of the one log that a folder is about. `since`: only
    the leaves behind the last checkpoint before this tree index are looked at, and no row; older copies are compared
    with what the log says that it signed.

    Raises:
        Unable: the database cannot be read.
    """
    record = seal_record(log)
    faults = [Problem("seal", text, index, STREAM) for index, text in record.faults]
    witnessed = [
        Witnessed(one.checkpoint.size, one.checkpoint.root, f"the log's own checkpoint at row {one.index:,}")
        for one in record.signed
    ]
    own = record.keys[-1].key.name if record.keys else ""
    origins = [name for name in dict.fromkeys((own, origin)) if name]
    copies = 0
    unreached: dict[str, str] = {}
    missing: dict[str, int] = {}
    for folder in witnesses:
        try:
            asked = [Witness(folder, name) for name in origins or _only_log(folder)]
            found = [_seen_by(witness, record) for witness in asked]
            if not any(seen or wrong for seen, wrong in found) and (others := Witness(folder, "").logs()):
                raise OSError(f"it has no copy of this log, but of {', '.join(others)}; whose, --origin says")
        except OSError as error:
            unreached[str(folder)] = error.strerror.lower() if error.strerror else str(error)
            continue
        copies += sum(len(seen) for seen, _wrong in found)
        faults += [problem for _seen, wrong in found for problem in wrong]
        witnessed += [one for seen, _wrong in found for one in seen]
        if lacking := len({one.checkpoint.size for one in record.signed} - {one.size for one in found[0][0]}):
            missing[str(folder)] = lacking
    behind = None
    if since is not None:
        behind, old = _start(record, since), {one.checkpoint.size: one.checkpoint.root for one in record.signed}
        strange = [one for one in witnessed if one.size <= behind.size and old.get(one.size) != one.root]
        faults += [Problem("witness", f"{one.seen_in}: the log never signed this root", one.size) for one in strange]
        witnessed = [one for one in witnessed if one.size > behind.size]
    report = verify(log, progress, witnessed, behind=behind)
    if faults:
        report = replace(report, problems=tuple([*report.problems, *_once(faults, report.problems)][:PROBLEMS_MAX]))
    return SealReport(report, len(record.signed), copies, unreached, missing)


def _only_log(folder: str | Path) -> list[str]:
    """The one log of which a folder holds copies: for a log that does not say, or no more, who it is.

    Raises:
        OSError: it cannot be read, or holds copies of none or of several.
    """
    logs = Witness(folder, "").logs()
    if len(logs) != 1:
        raise OSError(f"it has copies of {', '.join(logs) or 'no log'}; whose, --origin says")
    return logs


def _once(faults: Iterable[Problem], told: Iterable[Problem]) -> list[Problem]:
    """Faults of the same words as one, at the first place: what one changed key leads to, each checkpoint would say.
    Of a row that is told as changed nothing more is said."""
    changed = {one.index for one in told if one.what == "row"}
    groups: dict[tuple[str, str], list[Problem]] = {}
    for one in faults:
        if one.index not in changed:
            groups.setdefault((one.what, one.text), []).append(one)
    return [
        replace(first, text=f"{first.text}; the same of {len(rest):,} more") if rest else first
        for first, *rest in groups.values()
    ]


def _start(record: SealRecord, since: int) -> Frontier:
    """The tree of the last checkpoint before a tree index."""
    before = [one for one in record.signed if one.checkpoint.size <= since]
    return Frontier(before[-1].checkpoint.size, before[-1].frontier) if before else Frontier()


def _seen_by(witness: Witness, record: SealRecord) -> tuple[list[Witnessed], list[Problem]]:
    """What a witness saw, and which of its files is none of ours.

    A copy is believed by the keys of the log or by those that the witness kept: whoever made the log anew may have
    signed it with another key, and then only the witness knows the old one.

    Raises:
        OSError: the folder cannot be read.
    """
    kept, wrong = _keys_of(witness, record)
    keys = [*record.verifiers, *kept]
    seen: list[Witnessed] = []
    for copy in witness.copies():
        try:
            checkpoint, _key = read_checkpoint(copy.note, keys)
            if checkpoint.size != copy.size:
                raise BadNote(f"is of {checkpoint.size:,} rows")
        except BadNote as error:
            wrong.append(Problem("witness", str(error), record=str(copy.path)))
        else:
            seen.append(Witnessed(checkpoint.size, checkpoint.root, str(copy.path)))
    return seen, wrong


def _keys_of(witness: Witness, record: SealRecord) -> tuple[list[VerifierKey], list[Problem]]:
    from events.seal import parse_verifier

    kept: list[VerifierKey] = []
    wrong: list[Problem] = []
    for line in witness.keys().splitlines():
        try:
            kept.append(parse_verifier(line))
        except BadNote as error:
            wrong.append(Problem("witness", f"a key that cannot be read: {error}", record=witness.shown))
    mine = record.verifiers
    if kept[: len(mine)] != mine[: len(kept)]:
        wrong.append(Problem("witness", "knows other keys than the log does", record=witness.shown))
    return kept, wrong
