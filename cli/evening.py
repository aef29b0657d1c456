"""The night that `demo` deals: a table of every room, with one mistake at each, and what of it was found again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from cli import assembly, screen
from cli.screen import Words
from events.schema.envelope import Envelope, canonical
from games.picture import Span

if TYPE_CHECKING:
    from games.casebook import Casebook
    from games.verdict import Finding, Verdict

DAY = "2026-11-28"
_SPIN = "RL.SpinStarted.v1"
_MOVED = "TB.ChipsMoved.v1"
_OTHER = {"cw": "ccw", "ccw": "cw"}
_ROUNDS = 8

_MISTAKES = (
    ("magic_wheel", "brno/MW-1", "MW-14"),
    ("blackjack", "brno/BJ-1", "BJ-41"),
    ("caribbean_stud", "brno/CS-1", "CS-10"),
    ("casino_holdem", "brno/CH-1", "CH-28"),
    ("russian_poker", "brno/RP-1", "RP-38"),
)
"""Room, table and mistake of those at whose tables nobody complained; one of them moves no money."""


class Dealt(Struct, frozen=True):
    """A session and the rule that was broken in it, in one round; `round` is that round's address.

    `follows`: rules that are found broken with it, since the table went on as if nothing had happened.
    """

    title: str
    table: str
    records: Sequence[Envelope]
    round: str
    rule: str
    follows: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        """The file of its records."""
        return f"{self.table.partition('/')[2]}.ndjson"

    @property
    def name(self) -> str:
        """The round's name at its table."""
        return self.round.partition("#")[2]


class Found(Struct, frozen=True, order=True):
    """A rule that was found broken: in a round, by its address, or between rounds, by the session's subject."""

    place: str
    rule: str


def night(seed: int) -> list[Dealt]:
    """The two disputed tables, roulette and hold'em, then the others."""
    return [
        _wheel_not_alternated(seed),
        _dealt("holdem", "brno/NL-1", "NL-24", 6, seed, at=5),
        *(_dealt(room, table, rule, _ROUNDS, seed, at=seed * 3 % _ROUNDS) for room, table, rule in _MISTAKES),
    ]


def _dealt(room: str, table: str, rule: str, rounds: int, seed: int, *, at: int) -> Dealt:
    """A session whose dealer breaks the rule in the round with index `at`."""
    game = assembly.rooms()[room]
    records = list(game.deal(rounds, seed, breach=rule, breach_round=at, table=table, day=DAY))
    names = list(dict.fromkeys(record.round for record in records if record.round))
    return Dealt(game.title, table, records, f"{records[0].subject}#{names[at]}", rule)


def _wheel_not_alternated(seed: int) -> Dealt:
    """A session at the wheel in which one spin went the way of the spin before, and was paid all the same.

    The dealer deals a lawful evening; from the chosen spin on every rotation is the other way round, so that this one
    spin alone does not alternate.
    """
    game = assembly.rooms()["roulette"]
    dealt = list(game.deal(12, seed, table="brno/RL-03", day=DAY))
    wrong = _disputed(dealt)
    records = []
    turned = False
    for record in dealt:
        if record.type == _SPIN:
            turned = turned or record.round == wrong
            if turned:
                directions = {name: _OTHER[record.data[name]] for name in ("wheel_direction", "ball_direction")}
                records.append(replace(record, data={**record.data, **directions}))
                continue
        records.append(record)
    return Dealt(game.title, "brno/RL-03", records, f"{dealt[0].subject}#{wrong}", "RL-15", ("RL-16",))


def _disputed(records: Sequence[Envelope]) -> str:
    """A round in which somebody won and somebody lost: the last, if it is short, or the one with fewest payments."""
    causes: dict[str, list[str]] = {}
    for record in records:
        if record.round and record.type == _MOVED:
            causes.setdefault(record.round, []).append(record.data["cause"])
    fit = [name for name, own in causes.items() if "win" in own and "take" in own]
    return fit[-1] if len(causes[fit[-1]]) <= 6 else min(fit[1:], key=lambda name: len(causes[name]))


def complaint(dealt: Dealt) -> dict[str, str]:
    """Who is owed most in the round that went wrong, and so complains; of a spin its time and the change that would
    mend it, too."""
    owed = _owed(dealt)
    who = {"player": max(owed, key=lambda player: owed[player])}
    spin = next((one for one in dealt.records if one.round == dealt.name and one.type == _SPIN), None)
    if spin is None:
        return who
    now = spin.data["wheel_direction"]
    change = f"{int(spin.sequence)}@{spin.source.rpartition('/')[2]}"
    directions = f"wheel_direction={_OTHER[now]} ball_direction={now}"
    return {**who, "clock": spin.time[11:16], "change": f"{change} {directions}"}


def _owed(dealt: Dealt) -> dict[str, int]:
    """Player → what he is due beyond what he got, minor units, found as anybody would: by judging."""
    from events.store import Log, Origin

    log = Log.open(":memory:", assembly.catalogue())
    try:
        book = assembly.casebook(log)
        book.adopt_shipped()
        log.accept([canonical(record) for record in dealt.records], Origin(kind="stdin"))
        return book.judge_round(dealt.records[0].subject, dealt.name).player_differences
    finally:
        log.close()


def reckoning(book: Casebook, planted: Iterable[Dealt]) -> tuple[list[Words], list[str]]:
    """Judges the whole log: a table of what was planted and of anything else that was found, and what of it is not
    as it should be (a mistake that was not found, a finding that nobody planted), in words; empty if all is."""
    found = _found(book)
    own = {Found(one.round, one.rule): one for one in planted}
    expected = {Found(place.place, rule) for place, one in own.items() for rule in (place.rule, *one.follows)}
    strange = sorted(set(found) - expected)
    rows = [_row(place, one.title, one.follows, *found.get(place, (None, None))) for place, one in own.items()]
    rows += [_row(place, "", (), *found[place]) for place in strange]
    wrong = [f"{one.rule} of {one.place} was planted and not found" for one in sorted(expected - set(found))]
    wrong += [f"{one.rule or 'a difference'} in {one.place} was found and not planted" for one in strange]
    return screen.table(["round", "game", "rule", "money", "planted", "what"], rows, right=(3,)), wrong


def _found(book: Casebook) -> dict[Found, tuple[Verdict | None, Finding | None]]:
    """Everything that judging finds: each rule once a round, with the verdict and the first finding of it."""
    from cli.words import has_found

    found: dict[Found, tuple[Verdict | None, Finding | None]] = {}
    for subject in book.sessions():
        judged = book.judge(subject)
        for verdict in filter(has_found, judged.verdicts):
            for finding in verdict.findings:
                found.setdefault(Found(verdict.round, finding.rule), (verdict, finding))
            if not verdict.findings:
                found[Found(verdict.round, "")] = (verdict, None)
        for finding in judged.between:
            found.setdefault(Found(subject, finding.rule), (None, finding))
    return found


def _row(
    place: Found, title: str, follows: Sequence[str], verdict: Verdict | None, finding: Finding | None
) -> list[Words]:
    """One line of the last screen; `title` is the game of what was planted, empty for what nobody planted."""
    from cli.money import transfers
    from events.values.money import money_text

    moves = list(transfers(verdict)) if verdict is not None else []
    sums: dict[str, int] = {}
    for _giver, _who, amount, currency in moves:
        sums[currency] = sums.get(currency, 0) + amount
    seen = verdict is not None or finding is not None
    mark = Span("found" if seen else "NOT FOUND", "good" if seen else "bad") if title else Span("NO", "bad")
    said = (finding.text or finding.code.replace("_", " ")) if finding is not None else ""
    if len(moves) == 1:
        said += f"; from {moves[0][0]} to {moves[0][1]}"
    elif verdict is not None and verdict.standing == "ruling_required":
        said += "; a manager must decide"
    return [
        place.place.removeprefix("table/brno/").replace(f"/{DAY}.1", ""),
        title or "·",
        Span(", ".join((place.rule, *follows)), "bold"),
        " + ".join(money_text(amount, currency) for currency, amount in sums.items()) or Span("·", "dim"),
        mark,
        said,
    ]
