"""Rule books: code for rule ids. A check yields findings and never raises on what it is given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from events.schema.event import Event
from events.schema.fact import Fact
from games.house_rules.edition import Edition, Form
from games.house_rules.parameters import Parameters
from games.verdict import Finding, Kind, Scope

if TYPE_CHECKING:
    from games.protocol import Round

Unless = Callable[..., bool]
Group = tuple[Unless | None, tuple[tuple[Callable[..., Iterable[Finding]], "Rule"], ...]]
"""Checks that have nothing to say if the first is true."""


class Rule:
    """A rule as one edition words it, handed to its check; makes findings that cite it.

    `rule["name"]` is the value of a parameter that the check declared; another is a KeyError, so that a finding's
    `parameters` cannot be incomplete.
    """

    __slots__ = ("constants", "edition", "id", "parameters")

    def __init__(self, rule_id: str, edition: Edition, parameters: tuple[str, ...]) -> None:
        self.id = rule_id
        self.edition = edition
        self.constants = edition.constants
        self.parameters = {name: edition.parameters[name] for name in parameters}

    def __getitem__(self, parameter: str) -> Any:
        return self.parameters[parameter]

    def finding(
        self,
        code: str,
        kind: Kind,
        scope: Scope,
        *,
        subject: str = "",
        player: str = "",
        money: int = 0,
        remedy: dict[str, Any] | None = None,
        facts: Sequence[Fact] = (),
        basis: str = "facts",
        rule: str = "",
        via: str = "",
        text: str = "",
    ) -> Finding:
        """A finding of this rule; `rule` names a more exact one (then this is its `via`, unless given)."""
        return Finding(
            rule=rule or self.id,
            via=via or (self.id if rule and rule != self.id else ""),
            code=code,
            kind=kind,
            scope=scope,
            subject=subject,
            player=player,
            money=money,
            remedy=remedy or {},
            events=tuple(fact.cite for fact in facts),
            basis=basis,
            parameters=self.parameters,
            text=text,
        )

    def unverified(self, code: str, scope: Scope = "round", *, facts: Sequence[Fact] = (), **more: Any) -> Finding:
        """The fact that `code` needs is missing: neither innocent nor guilty."""
        return self.finding(f"unverified:{code}", "unverified", scope, facts=facts, **more)


class Check(Struct, frozen=True):
    """A registered check: at a round's end (`on` empty), or at each event of the types in `on`, also between rounds."""

    rule: str
    code: Callable[..., Iterable[Finding]]
    on: tuple[type[Event], ...]
    parameters: tuple[str, ...]
    unless: Unless | None = None


class RuleBook:
    """The checks of one rule book, and why the other ids have none."""

    def __init__(self, name: str, parameters: Parameters, constants: type[Struct]) -> None:
        self.name = name
        self.form = Form(name, parameters, constants)
        self.checks: list[Check] = []
        self.not_breakable: dict[str, str] = {}
        self.by_hand: dict[str, str] = {}
        self._bound: dict[str, Bound] = {}

    def check(
        self,
        rule: str,
        *,
        on: tuple[type[Event], ...] = (),
        parameters: tuple[str, ...] = (),
        unless: Unless | None = None,
    ) -> Callable[[Callable[..., Iterable[Finding]]], Callable[..., Iterable[Finding]]]:
        """Register a check: without `on` it takes `(round, rule)`, else `(session_before, fact, rule)`.

        `unless`, given what the check is given less the rule: it has nothing to say then; asked once for neighbours
        that share it.
        """
        unknown = [name for name in parameters if name not in self.form.parameters]
        if unknown:
            raise KeyError(f"{rule} reads unknown parameters {unknown}")

        def register(code: Callable[..., Iterable[Finding]]) -> Callable[..., Iterable[Finding]]:
            self.checks.append(Check(rule, code, on, parameters, unless))
            return code

        return register

    def cannot_be_broken(self, rule: str, why: str) -> None:
        """A definition or a right: nothing that happens can break it."""
        self.not_breakable[rule] = why

    def needs_a_person(self, rule: str, why: str) -> None:
        """No recorded fact can show that it was broken."""
        self.by_hand[rule] = why

    @property
    def rule_ids(self) -> set[str]:
        """Every rule id that this book answers for."""
        return {check.rule for check in self.checks} | set(self.not_breakable) | set(self.by_hand)

    def bind(self, edition: Edition) -> Bound:
        """The checks with parameters as the edition sets them; kept, since thousands of rounds share one."""
        bound = self._bound.get(edition.digest)
        if bound is None:
            bound = self._bound[edition.digest] = Bound(self.checks, edition)
        return bound


class _ByType(dict[type[Any], tuple[Group, ...]]):
    """The checks that look at facts with a kind of event, found when the kind first comes."""

    def __init__(self, on: Sequence[tuple[Check, Rule]]) -> None:
        super().__init__()
        self._on = on

    def __missing__(self, kind: type[Any]) -> tuple[Group, ...]:
        own = [(check, rule) for check, rule in self._on if issubclass(kind, check.on)]
        found = self[kind] = _grouped(own)
        return found


def _grouped(own: Iterable[tuple[Check, Rule]]) -> tuple[Group, ...]:
    """Neighbours that share their `unless` together."""
    groups = groupby(own, lambda one: one[0].unless)
    return tuple((unless, tuple((check.code, rule) for check, rule in group)) for unless, group in groups)


class Bound:
    """A rule book's checks bound to one edition, ready to run. `by_type`: those at each event of a type."""

    def __init__(self, checks: Sequence[Check], edition: Edition) -> None:
        bound = [(check, Rule(check.rule, edition, check.parameters)) for check in checks]
        self.at_end = _grouped([(check, rule) for check, rule in bound if not check.on])
        self.by_type = _ByType([(check, rule) for check, rule in bound if check.on])

    def step(self, before: Any, fact: Fact) -> Iterator[Finding]:
        """Findings on one fact, with the session as it stood before."""
        for unless, own in self.by_type[type(fact.event)]:
            if unless is None or not unless(before, fact):
                for code, rule in own:
                    yield from code(before, fact, rule)

    def end(self, round_: Round[Any]) -> list[Finding]:
        """Findings on a whole round."""
        found: list[Finding] = []
        for unless, own in self.at_end:
            if unless is None or not unless(round_):
                for code, rule in own:
                    found.extend(code(round_, rule))
        return found
