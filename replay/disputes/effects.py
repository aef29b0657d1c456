"""What a ruling does to money: each player's amount, the house's win and rake, before and after, by currency.

One implementation: a void is what the room's own settlement makes of the rounds under that ruling, against what was
really paid. Nothing is computed here that a room computes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from events.errors import Refused
from events.schema.common import DropBoxCounted
from events.schema.ours import Ruling
from games.casebook import Casebook
from games.shared.rulings import ON_BETS, VOIDS, voids
from games.verdict import Line, Settlement, Verdict
from replay.disputes.verdicts import parse_address, verdicts

AS_DUE = "correct"
UPHOLD = "valid"
STATED = frozenset({"return", "forfeit"})
PENALTY = "penalty"
REMEDIES: dict[str, str] = {
    "valid": "the round stands; only what waited for that word is paid",
    "correct": "what was due is paid, what was paid too much comes back",
    "void": "stakes go back, no win is due",
    "return": "chips are returned, as stated for each player",
    "forfeit": "chips are kept by the house, as stated for each player",
    "penalty": "a sanction on a person; no money",
}
"""What a ruling may say, in words. `refund` is an older word for `void`."""


Money = dict[str, dict[str, int]]
"""Currency (empty: the tables') → player → minor units, signed: what he gets or owes."""


class Side(Struct, frozen=True):
    """Money of some rounds, minor units. `win`: what the house keeps of the stakes (bank games), `rake`: of pots."""

    win: int = 0
    rake: int = 0


class Stake(Struct, frozen=True):
    """A player's stake that a ruling changes, fees too; net minor units: `before` as the table paid, `after` as it is
    due under the ruling. `currency`: of its chips, empty where it is the tables'."""

    round: str
    stake: str
    player: str
    before: int
    after: int
    currency: str = ""


class Effects(Struct, frozen=True):
    """What a ruling comes to. `amounts`: player → what he gets, negative: what he owes. `before`: as the table paid;
    `after`: with the ruling carried out. `stakes`: those whose money is another one; none where amounts were stated.
    `drop`: counted in the drop boxes of the sessions, null while one is not counted; no ruling changes it. All that in
    `currency`, the tables'; `foreign` and `foreign_sides` (before, after): the same of chips in others, by currency."""

    amounts: dict[str, int]
    before: Side
    after: Side
    currency: str
    stakes: tuple[Stake, ...] = ()
    drop: int | None = None
    foreign: Money = {}
    foreign_sides: dict[str, tuple[Side, Side]] = {}


def add(sums: Money, more: Mapping[str, Mapping[str, int]]) -> None:
    """Adds amounts, each to its player's in its currency."""
    for unit, own in more.items():
        for player, amount in own.items():
            there = sums.setdefault(unit, {})
            there[player] = there.get(player, 0) + amount


def effects_of(book: Casebook, ruling: Ruling) -> Effects:
    """The effects of a ruling on record, by the verdicts of today.

    Raises:
        Refused: as `effects`; the facts are others than those that it was made on.
    """
    sign = -1 if ruling.remedy == "forfeit" else 1
    amounts = {"": ruling.amounts, **ruling.foreign}
    stated = {unit: {player: sign * amount for player, amount in own.items()} for unit, own in amounts.items()}
    return effects(book, ruling, verdicts(book, ruling.rounds), stated if ruling.remedy in STATED else None)


def effects(
    book: Casebook,
    ruling: Ruling,
    by_facts: Mapping[str, Verdict],
    stated: Mapping[str, Mapping[str, int]] | None = None,
) -> Effects:
    """The effects of a ruling on its rounds. `stated`: currency (empty: the tables') → player → minor units, where the
    remedy is a stated amount.

    Raises:
        Refused: a remedy that nobody knows, amounts where none are stated or none where they must be, rounds of
            several currencies, or money that the facts do not tell.
    """
    if ruling.remedy not in REMEDIES and ruling.remedy not in VOIDS:
        _check_candidate(ruling.remedy, by_facts)
    currency = _currency(by_facts.values())
    before = _sides(by_facts.values())
    said: Money = {}
    for unit, own in (stated or {}).items():
        add(said, {"" if unit == currency else unit: own})
    if ruling.remedy in STATED:
        given = {unit: _stated(ruling, own) for unit, own in (said or {"": {}}).items()}
        _check_present(book, {*ruling.players, *(player for own in given.values() for player in own)}, by_facts)
        return _effects(given, before, None, currency, drop=_drop(book, by_facts))
    if said:
        raise Refused(f"remedy `{ruling.remedy}` takes no stated amounts", hint="return or forfeit do")
    if ruling.remedy == PENALTY:
        if not ruling.players:
            raise Refused("a penalty is on a person, and this one names nobody", hint="--player p-204")
        _check_present(book, ruling.players, by_facts)
        return _effects({}, before, None, currency, drop=_drop(book, by_facts))
    under = by_facts if ruling.remedy == AS_DUE else verdicts(book, by_facts, ruling=ruling)
    for address, verdict in under.items():
        _check_effect(ruling, address, verdict)
    _check_present(book, ruling.players, by_facts)
    if is_of_some(ruling):
        _check_named(ruling, under.values())
    amounts: Money = {}
    for address, verdict in under.items():
        owed = _decided(by_facts[address], verdict) if ruling.remedy == UPHOLD else _owed(ruling, verdict)
        for unit, own in owed.items():
            add(amounts, {unit: own})
    amounts = {
        unit: {player: amount for player, amount in sorted(own.items()) if amount} for unit, own in amounts.items()
    }
    after = _sides(under.values(), due=True)
    stays = _is_partial(ruling) or ruling.remedy == UPHOLD or is_of_some(ruling)
    stakes = (one for verdict in under.values() for one in _stakes(verdict) if _names(ruling, one.stake, one.player))
    told = tuple(one for one in stakes if one.player in amounts.get(one.currency, {}))
    return _effects(amounts, before, None if stays else after, currency, told, _drop(book, by_facts))


def _effects(
    amounts: Money,
    before: dict[str, Side],
    after: dict[str, Side] | None,
    currency: str,
    stakes: tuple[Stake, ...] = (),
    drop: int | None = None,
) -> Effects:
    """Told by currency. `after` None: what others were paid stays, so that win changes by the amounts alone."""

    def sides(unit: str) -> tuple[Side, Side]:
        was = before.get(unit, Side())
        moved = Side(was.win - sum(amounts.get(unit, {}).values()), was.rake)
        return was, moved if after is None else after.get(unit, Side())

    units = sorted({*amounts, *before, *(after or ())} - {""})
    foreign = {unit: amounts[unit] for unit in units if amounts.get(unit)}
    both = {unit: sides(unit) for unit in units}
    return Effects(amounts.get("", {}), *sides(""), currency, stakes, drop, foreign, both)


def _check_candidate(remedy: str, by_facts: Mapping[str, Verdict]) -> None:
    """A remedy that is no word of ours names one of the outcomes among which a person must choose, in every round."""
    known = list(dict.fromkeys(name for verdict in by_facts.values() for name in verdict.due.candidates))
    if not all(remedy in verdict.due.candidates for verdict in by_facts.values()):
        raise Refused(f"`{remedy}` is no remedy", hint=", ".join((*REMEDIES, *known)))


def _check_effect(ruling: Ruling, address: str, verdict: Verdict) -> None:
    """A ruling does what it says in that round, and leaves nothing of the money open."""
    for one in verdict.findings:
        if one.code == "ruling_invalid" and one.subject == ruling.ruling:
            raise Refused(f"the ruling would have no effect on {address} ({one.rule}): {one.text}")
    lines = _reached(ruling, verdict)
    if _is_partial(ruling) and not lines:
        named = ", ".join((*ruling.bets, *ruling.players)) or "nobody"
        there = ", ".join(f"{line.stake} {line.player}" for line in verdict.due.lines)
        raise Refused(f"the ruling reaches no bet of {address}: it names {named}", hint=f"there lay: {there}")
    if voids(ruling) and not _is_partial(ruling) and any(line.net or line.held for line in lines):
        raise Refused(
            f"the rules of this game do not void {address} on `{ruling.ground}`",
            hint="--remedy return states what each player gets",
        )
    if verdict.touched and ruling.remedy == AS_DUE:
        raise Refused(
            f"a part of the record that is lost touches {address}: what was paid there cannot be told",
            hint="--remedy return states what each player gets; --remedy void gives stakes back",
        )
    if (verdict.recorded is not None or ruling.remedy == UPHOLD) and any(line.held for line in lines):
        raise Refused(
            f"what is due in {address} waits for a person's word; no amount follows from the rules",
            hint=_choices(verdict),
        )
    if not verdict.due.known:
        raise Refused(f"the facts do not tell what is due in {address}", hint="state amounts: --remedy return")


def _choices(verdict: Verdict) -> str:
    names = ", ".join(verdict.due.candidates)
    return f"--remedy {names} says which outcome counts" if names else "--remedy return states what each player gets"


def _is_partial(ruling: Ruling) -> bool:
    """Whether it voids some bets of a round only; in a pot game a hand is the round."""
    return voids(ruling) and ruling.scope in ON_BETS and bool(ruling.bets or ruling.players)


def is_of_some(ruling: Ruling) -> bool:
    """Whether it corrects what some bets or players were paid, and leaves the rest of the round."""
    return ruling.remedy == AS_DUE and bool(ruling.bets or ruling.players)


def _names(ruling: Ruling, stake: str, player: str) -> bool:
    """Whether a correction reaches that stake of that player: all, if it names neither bets nor players."""
    if not is_of_some(ruling):
        return True
    return (not ruling.bets or stake in ruling.bets) and (not ruling.players or player in ruling.players)


def _check_named(ruling: Ruling, found: Iterable[Verdict]) -> None:
    """Whatever bet or player a correction names has chips in one of its rounds: a slip of the pen moves no money, and
    says so before anybody decides."""
    there: set[tuple[str, str]] = set()
    for verdict in found:
        there |= {(line.stake, line.player) for line in verdict.due.lines}
        there |= {(one.stake, one.player) for one in _stakes(verdict)}
    known = {name for both in there for name in both}
    wrong = [name for name in (*ruling.bets, *ruling.players) if name not in known]
    if wrong or not any(_names(ruling, *both) for both in there):
        named = ", ".join(wrong or (*ruling.bets, *ruling.players))
        lay = ", ".join(f"{stake} {player}" for stake, player in sorted(there))
        raise Refused(f"the ruling reaches no chips in its rounds: it names {named}", hint=f"there lay: {lay}")


def _reached(ruling: Ruling, verdict: Verdict) -> tuple[Line, ...]:
    """The lines that a ruling changes, judged under it: of one on bets those that the room gave back by it."""
    if not _is_partial(ruling):
        return verdict.due.lines
    return tuple(line for line in verdict.due.lines if f"ruling_{ruling.ground}" in line.reasons)


def _check_present(book: Casebook, stated: Iterable[str], rounds: Iterable[str]) -> None:
    """Whomever a ruling names is somebody whom the records of these sessions name."""
    there: set[str] = set()
    for subject in {parse_address(text).subject for text in rounds}:
        for fact in book.case(subject).ordered.facts:
            there |= {getattr(fact.event, "player", None) or "", *(getattr(fact.event, "players", None) or ())}
    if unknown := sorted(set(stated) - there):
        raise Refused(
            f"no record of these tables names {', '.join(unknown)}", hint=f"they name {', '.join(sorted(there - {''}))}"
        )


def _stakes(verdict: Verdict) -> Iterator[Stake]:
    """The stakes of a round whose money differs, judged under a ruling."""
    before = {line.stake: line.net for line in verdict.recorded.lines} if verdict.recorded is not None else {}
    after = {line.stake: line for line in verdict.due.lines}
    for name in verdict.differences:
        line = after.get(name)
        was, now = before.get(name, 0), line.net if line is not None else 0
        player = line.player if line is not None else name.rpartition(" to ")[2]
        yield Stake(verdict.round, name, player, was, now, verdict.foreign.get(name, ""))


def _drop(book: Casebook, rounds: Iterable[str]) -> int | None:
    """What was counted in the drop boxes of the rounds' sessions; None if one has no count."""
    counts: list[int] = []
    for subject in dict.fromkeys(parse_address(text).subject for text in rounds):
        events = [fact.event for fact in book.case(subject).ordered.facts]
        own = [event.amount for event in events if isinstance(event, DropBoxCounted)]
        if not own:
            return None
        counts += own
    return sum(counts)


def _decided(by_facts: Verdict, verdict: Verdict) -> Money:
    """What a round that stands owes because somebody said so: of stakes that waited for that word, or would
    be void without it. What the table paid wrongly anyhow is another matter."""
    before = {line.stake: (line.net, line.held) for line in by_facts.due.lines}
    owed: Money = {}
    for line in verdict.due.lines:
        if before.get(line.stake) != (line.net, line.held) and verdict.recorded is not None:
            add(owed, {line.currency or "": {line.player: verdict.differences.get(line.stake, 0)}})
    return owed


def _owed(ruling: Ruling, verdict: Verdict) -> Money:
    """Due net less recorded net, of the stakes that the ruling reaches. A round that was never settled owes
    each stake's return."""
    reached = _reached(ruling, verdict)
    if is_of_some(ruling):
        own: Money = {}
        for one in _stakes(verdict):
            if _names(ruling, one.stake, one.player):
                add(own, {one.currency: {one.player: verdict.differences[one.stake]}})
        return own
    if verdict.recorded is not None and not _is_partial(ruling):
        return {"": verdict.player_differences, **(verdict.foreign_differences or {})}
    owed: Money = {}
    for line in reached:
        never = verdict.recorded is None
        amount = line.returned + line.paid if never else verdict.differences.get(line.stake, 0)
        add(owed, {line.currency or "": {line.player: amount}})
    return owed


def _stated(ruling: Ruling, stated: Mapping[str, int]) -> dict[str, int]:
    """The amounts as stated, signed. `return` may also move chips from one player to another: then they add up to
    nothing, and who gives them up stands with less than nothing."""
    if not stated:
        raise Refused(f"remedy `{ruling.remedy}` needs an amount for each player", hint="--amount p-204=500")
    if ruling.remedy == "return" and len(stated) > 1 and not sum(stated.values()) and all(stated.values()):
        return dict(sorted(stated.items()))
    if any(amount <= 0 for amount in stated.values()):
        raise Refused(
            "an amount is more than nothing, unless a return moves chips between players and all add up to nothing",
            hint="`return` gives, `forfeit` takes; --remedy return --amount p-3=500 --amount p-2=-500 moves chips",
        )
    sign = 1 if ruling.remedy == "return" else -1
    return {player: sign * amount for player, amount in sorted(stated.items())}


def _currency(found: Iterable[Verdict]) -> str:
    currencies = sorted({verdict.currency for verdict in found})
    if len(currencies) > 1:
        raise Refused(f"the rounds were played in {' and '.join(currencies)}", hint="rule on each currency by itself")
    return currencies[0] if currencies else "CZK"


def _sides(found: Iterable[Verdict], *, due: bool = False) -> dict[str, Side]:
    """Currency (empty: the tables') → win and rake of rounds, as they were paid, or as they are due. A pot game's
    stakes go among the players, and none of them is win."""
    wins: dict[str, int] = {}
    rake = 0
    for verdict in found:
        settlement = verdict.due if due else verdict.recorded
        if settlement is None:
            continue
        of_pots = _is_of_pots(settlement)
        rake += settlement.rake
        for line in settlement.lines:
            left = line.waived if due else 0  # what the house leaves where it is
            if of_pots:
                rake -= left
            else:
                unit = line.currency or ""
                wins[unit] = wins.get(unit, 0) - line.net - left
    return {unit: Side(win, rake if not unit else 0) for unit, win in {"": 0, **wins}.items()}


def _is_of_pots(settlement: Settlement) -> bool:
    has_seats = any(line.stake.startswith("seat/") for line in settlement.lines)
    return bool(settlement.rake or settlement.pots) or has_seats
