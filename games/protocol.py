"""What a room offers. Who knows one room knows all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, Literal, Protocol, TypeVar, get_args

from msgspec import Struct

from events.schema.envelope import Envelope
from events.schema.event import Cause, Event
from events.schema.fact import Fact
from games.clocks import Clocks
from games.house_rules.edition import Edition
from games.house_rules.rulebook import RuleBook
from games.picture import Picture, Viewpoint
from games.shared.matrix import Row
from games.verdict import Settlement

S = TypeVar("S")

DueKind = Literal[
    Cause,
    "change",  # chips pushed beyond what an action counts for
    "owed",  # chips that an action still lacks
    # posts at a poker table
    "small_blind", "big_blind", "straddle", "bring_in", "missed_big_blind", "extra_blind", "dead_small_blind",
    "dead_big_blind", "ante", "big_blind_ante", "button_ante",
]  # fmt: skip
_CAUSES: dict[str, Cause] = {**{cause: cause for cause in get_args(Cause)}, "change": "return"}


class Action(Struct, frozen=True, kw_only=True):
    """Something that is legal now. `low`, `high`: bounds of the amount, minor units, totals of this round of betting
    or of this bet; `add`: what it costs beyond what lies there already."""

    actor: str
    name: str
    low: int | None = None
    high: int | None = None
    add: int | None = None


class Due(Struct, frozen=True, kw_only=True):
    """A post, return or payment that the rules now require; minor units. `stake`: the bet or hand, or the colour chips,
    that it is for."""

    what: DueKind
    frm: str
    to: str
    amount: int
    stake: str = ""

    @property
    def cause(self) -> Cause:
        """The cause of the movement of chips that does it."""
        return _CAUSES.get(self.what, "stake")


class Expectation(Struct, frozen=True, kw_only=True):
    """What the rules expect next. `phase` in the game's own words; `next_card`: where the next card off the deck goes
    (`seat/3`, `burn`, `flop`, …); `actor` who may act now, empty if nobody in particular."""

    phase: str
    actor: str = ""
    actions: tuple[Action, ...] = ()
    next_card: str = ""
    due: tuple[Due, ...] = ()
    note: str = ""


class Passage(Struct, frozen=True):
    """A stretch of a round told in words: its `head` (`flop`), when it began (ms UTC), its text."""

    head: str
    at: int
    text: str


class Round(Struct, Generic[S], frozen=True, kw_only=True):
    """A round as its judge sees it.

    `before` is the room's session before the round's first fact, `session` the one after its last. `touched`: a hole
    in the record touches the round, so that nothing can be said of what is absent. `due`, `recorded` and `differences`
    (stake → due net − recorded net, minor units) are set when checks run (`recorded` None: no settlement on record);
    `due()` itself gets the round without them. `after`: what no round names and came between this one and the next.
    `next_at`: when the next round began, milliseconds UTC, as far as the record goes. `memo`: what `due` and the
    checks of a round work out once and share, under names of their own; no part of a verdict.
    """

    name: str
    facts: tuple[Fact, ...]
    before: S
    session: S
    edition: Edition
    rulings: tuple[Fact, ...]
    clocks: Clocks
    touched: bool = False
    after: tuple[Fact, ...] = ()
    next_at: int | None = None
    due: Settlement = Settlement()
    recorded: Settlement | None = None
    differences: dict[str, int] = {}
    memo: dict[str, Any] = {}


class Deal(Protocol):
    """A scripted dealer: a whole session of `rounds` rounds, the same for the same seed.

    Asked for a `breach` (a rule id) it commits exactly that breach once, in the round with index `breach_round`
    (0-based; None: a round of its choice), and otherwise plays by the rules and settles as they say. `table` is
    `<house>/<table>`, `day` the gaming day (ISO date), `currency` an ISO code.
    """

    def __call__(
        self,
        rounds: int,
        seed: int,
        *,
        breach: str | None = None,
        breach_round: int | None = None,
        table: str = "",
        day: str = "2026-11-28",
        currency: str = "CZK",
    ) -> Iterator[Envelope]:
        """The session's envelopes in order of happening."""
        ...


class Game(Struct, Generic[S], frozen=True, kw_only=True):
    """One room.

    `open_table(edition, opened, rulings, clocks)`: `opened` is the fact that opened the session (`TableOpened` or
    `HandImported`); rulings are known from the start and never folded, and so are the clocks by which the rounds are
    judged. `evolve(session, fact)` is pure and never refuses. `advance`: the same for a judge who keeps none of the
    sessions inside a round: it may change the one it is given. `expects(session)`: what may happen next. `due(round)`:
    what the rules make of the round, one line a stake. `picture(session, viewpoint)`: the table as a person sees it.
    `tell(event, currency)`: a record of this room in words, empty where it has none (`games.wording`).
    `explain(round, rule)`: the figures on which a rule rests in a judged round, kept or not, a line of text each;
    empty for rules that have none. `story(facts, currency)`: a round in a dozen lines, as its records tell it.
    `terms`: rule → the words that people on the floor have for what it is about, to find it by.
    """

    name: str
    title: str
    events: tuple[type[Event], ...]
    books: tuple[RuleBook, ...]
    open_table: Callable[[Edition, Fact, tuple[Fact, ...], Clocks], S]
    evolve: Callable[[S, Fact], S]
    expects: Callable[[S], Expectation]
    due: Callable[[Round[S]], Settlement]
    picture: Callable[[S, Viewpoint], Picture]
    deal: Deal
    breaches: tuple[str, ...] = ()
    advance: Callable[[S, Fact], S] | None = None
    tell: Callable[[Event, str], str] | None = None
    explain: Callable[[Round[S], str], tuple[str, ...]] | None = None
    matrix: tuple[Row, ...] = ()
    story: Callable[[Sequence[Fact], str], tuple[Passage, ...]] | None = None
    terms: Mapping[str, str] = {}
