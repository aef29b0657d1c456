"""The disputed rounds judged: by the facts alone, and as they would be under a ruling. One judge for both."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from events.errors import Refused
from events.schema.fact import Fact
from events.schema.ours import Ruling, RulingApplied
from events.values.clock import now_ms
from events.values.names import RECOUP
from games.adjudicate import Case, judge_session
from games.casebook import Casebook
from games.overtaken import by_facts
from games.verdict import Verdict


class Address(Struct, frozen=True):
    """A round: its subject and its name there."""

    subject: str
    round: str

    @property
    def text(self) -> str:
        """`<subject>#<round>`."""
        return f"{self.subject}#{self.round}"


def parse_address(text: str) -> Address:
    """A round's address taken apart.

    Raises:
        Refused: no `#` in it.
    """
    subject, mark, name = text.rpartition("#")
    if not mark or not subject or not name:
        raise Refused(f"`{text}` is no round's address", hint="<subject>#<round>")
    return Address(subject, name)


def verdicts(book: Casebook, rounds: Iterable[str], *, ruling: Ruling | None = None) -> dict[str, Verdict]:
    """Address → verdict, by the facts alone; or with `ruling` as the only one that there is.

    Rulings that stand in the log play no part: a verdict that a ruling rests on must not depend on that ruling, nor on
    one that it replaces.

    Raises:
        Refused: a session or round that is not in the log.
        EditionMissing, BadEdition: as the judge.
    """
    found: dict[str, Verdict] = {}
    wanted: dict[str, list[Address]] = {}
    for text in rounds:
        address = parse_address(text)
        wanted.setdefault(address.subject, []).append(address)
    for subject, own in wanted.items():
        case = alone(book.case(subject))
        if ruling is not None:
            case = under(case, applied(ruling))
        by_name = {verdict.round.rpartition("#")[2]: verdict for verdict in judge_session(case, book.rooms).verdicts}
        for address in own:
            if address.round not in by_name:
                raise Refused(f"{subject} has no round `{address.round}`", hint="`recoup rounds` lists them")
            found[address.text] = by_name[address.round]
    return found


def alone(case: Case) -> Case:
    """The case by the facts alone: without rulings and what was paid by them."""
    return replace(case, ordered=by_facts(case.ordered)) if case.ordered.rulings else case


def under(case: Case, ruling: RulingApplied) -> Case:
    """The case as if that ruling were made now: what a table had settled before it counts as settled."""
    fact = Fact(case.subject, RECOUP, 1, ruling.TOPIC, ruling, now_ms())
    return replace(case, ordered=replace(case.ordered, rulings=(*case.ordered.rulings, fact)))


def applied(
    ruling: Ruling, *, dispute: str | None = None, rests_on: dict[str, str] | None = None, freed: tuple[str, ...] = ()
) -> RulingApplied:
    """What a ruling is in a session that it touches. `freed`: as `RulingApplied` has it."""
    fields = {name: getattr(ruling, name) for name in Ruling.__struct_fields__}
    return RulingApplied(**fields, dispute=dispute, rests_on=rests_on or {}, freed=freed)


def digests(found: dict[str, Verdict]) -> dict[str, str]:
    """Address → digest, as a ruling is bound to them."""
    return {address: verdict.digest for address, verdict in found.items()}


def currency_of(book: Casebook, rounds: Iterable[str]) -> str:
    """The currency in which rounds were played, as their tables were opened; `CZK` where no record says it."""
    for text in rounds:
        opened = book.case(parse_address(text).subject).opened
        if opened is not None:
            return str(getattr(opened.event, "currency", "CZK"))
    return "CZK"
