"""What a session is judged with: its case, and the room and edition found for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from events.errors import Unable
from events.schema.catalogue import Catalogue
from events.schema.common import TableOpened
from events.schema.fact import Fact
from events.schema.order import Ordered, table_order
from events.schema.ours import HandImported
from events.values.clock import gaming_day
from events.values.names import parse_subject
from games.clocks import TOLERANCE_MS, Clocks
from games.house_rules.edition import Edition, Editions
from games.house_rules.rulebook import Bound
from games.protocol import Game
from games.registry import Rooms
from games.table_rules import Hole, clock_findings, finding, touched, undecoded_holes
from games.verdict import Finding

IMPORT_HOUSE = "import"
"""The house under whose editions imported hands are judged."""

_OPENS = (TableOpened, HandImported)


class Case(Struct, frozen=True, kw_only=True):
    """All that judging a session needs, and nothing else: the same case gives the same verdicts, byte for byte.

    `opened`: the fact that opened the session, if it is on record. `holes`: gaps and open conflicts by source.
    `restarts`: sources whose counter began again. `editions`: those adopted, of every house.
    """

    subject: str
    ordered: Ordered
    opened: Fact | None
    holes: tuple[Hole, ...]
    restarts: tuple[str, ...]
    editions: Editions
    tolerance_ms: int = TOLERANCE_MS

    @classmethod
    def make(
        cls,
        subject: str,
        facts: Iterable[Fact],
        catalogue: Catalogue,
        editions: Editions,
        *,
        holes: Sequence[Hole] = (),
        restarts: Sequence[str] = (),
        tolerance_ms: int = TOLERANCE_MS,
    ) -> Case:
        """A session's case from its records in any order; what-if facts are given among them."""
        ordered = table_order(facts, catalogue.decode)
        opened = ordered.facts[0] if ordered.facts else None
        if opened is not None and not isinstance(opened.event, _OPENS):  # as nearly never
            opened = next((fact for fact in ordered.facts if isinstance(fact.event, _OPENS)), None)
        return cls(
            subject=subject,
            ordered=ordered,
            opened=opened,
            holes=(*holes, *undecoded_holes(ordered)),
            restarts=tuple(restarts),
            editions=editions,
            tolerance_ms=tolerance_ms,
        )


class Bench(Struct, frozen=True):
    """A case with its room and edition found; `touched`, `clock`, `overtaken`: by round or record what is not whole."""

    case: Case
    game: Game[Any]
    edition: Edition
    bound: Bound
    house: str
    clocks: Clocks
    opened: Fact
    touched: dict[str, list[Hole]]
    clock: dict[str, Finding]
    overtaken: dict[str, Finding] = {}


def bench_of(case: Case, rooms: Rooms) -> Bench | Finding:
    """The case with its room and edition, or why nothing tells what is played.

    Raises:
        EditionMissing: no edition of its rule book is in force.
        BadEdition: the one in force cannot be read.
    """
    opened = case.opened
    if opened is None:
        return finding("TB-13", "not_opened", "unverified", "session", text="no record opens this session")
    event = opened.event
    assert isinstance(event, TableOpened | HandImported)
    game, book = rooms.get(event.game), None
    for own in game.books if game is not None else ():
        if own.name == event.rule_book:
            book = own
            break
    if game is None or book is None:
        text = f"no room plays `{event.game}` by rule book `{event.rule_book}`"
        return finding("TB-13", "game_unknown", "unverified", "session", events=(opened.cite,), text=text)
    imported = isinstance(event, HandImported)
    house = IMPORT_HOUSE if imported else parse_subject(case.subject).house
    edition = case.editions.in_force(house, book.name, gaming_day(opened.occurred_at))
    known = not isinstance(event, HandImported) or event.time_known
    return Bench(
        case=case,
        game=game,
        edition=edition,
        bound=book.bind(edition),
        house=house,
        clocks=Clocks(case.ordered.facts, tolerance_ms=case.tolerance_ms, known=known),
        opened=opened,
        touched=touched(case.ordered, case.holes),
        clock=clock_findings(case.ordered.facts) if known else {},
    )


def sure_bench(case: Case, rooms: Rooms, what: str) -> Bench:
    """The same where nothing can be done without it; `what` could not be.

    Raises:
        Unable: nothing tells what is played. EditionMissing, BadEdition: as `bench_of`.
    """
    bench = bench_of(case, rooms)
    if isinstance(bench, Finding):
        raise cannot(case, bench, what)
    return bench


def game_of(case: Case, rooms: Rooms) -> tuple[Game[Any], Edition]:
    """The room in which a session is played, and the edition in force there.

    Raises:
        Unable: nothing tells what is played. EditionMissing, BadEdition: as `bench_of`.
    """
    bench = sure_bench(case, rooms, "judged")
    return bench.game, bench.edition


_CANNOT = {
    "not_opened": "the record that opened the table is not there: bring in the file that holds it; `recoup gaps`",
    "game_unknown": "a later Recoup may know it; its records are kept as they came",
}


def cannot(case: Case, found: Finding, what: str) -> Unable:
    """What keeps a case from being judged, replayed or read, as an error."""
    return Unable(f"{case.subject} cannot be {what}: {found.text}", hint=_CANNOT[found.code])


def open_session(bench: Bench) -> Any:
    """The room's session as it stands before the first record behind its opening."""
    return bench.game.open_table(bench.edition, bench.opened, bench.case.ordered.rulings, bench.clocks)
