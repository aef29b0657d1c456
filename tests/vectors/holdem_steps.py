"""Vectors about one step of a hand: the shortest lawful hand up to it, then what the room reads, expects or finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from events.schema.common import CardBurned, ChipsMoved, RoundClosed, RoundOpened, TableOpened
from events.schema.event import Event
from events.values.cards import DECK
from games.shared.poker.events import (
    ActionTaken,
    BoardDealt,
    ButtonCardDrawn,
    ButtonPlaced,
    CardExposed,
    CardFound,
    ChipsPushed,
    HandShown,
    HoleDealt,
    PlayerDealtIn,
    Posted,
    StakesAnnounced,
    WordsSpoken,
)
from games.shared.poker.hand import BOARD_CARDS, STREETS
from games.verdict import Finding
from tests.vectors.holdem_table import WHOLE, Table, compare, edition_of, seat_of, verdict_word, whole
from tests.vectors.reading import Vector, unknown_keys

RICH = 100_000 * WHOLE
HERO = 1
BOARD = ("2c", "7d", "9h", "Js", "4s")


def opened(unit: int = 1) -> TableOpened:
    """A table with this smallest chip, whole CZK."""
    return TableOpened(game="holdem", rule_book="NL", currency="CZK", smallest_chip=unit * WHOLE, seats=9)


def start(
    config: dict[str, Any],
    stacks: dict[int, int],
    button: int,
    big_blind: int,
    *,
    unit: int = 1,
    small_blind: int = 0,
    holes: Mapping[int, tuple[str, ...]] | None = None,
) -> Table:
    """Seats with stacks (minor units), blinds posted by whom they are due from, cards dealt unseen but for `holes`."""
    known = holes or {}
    table = Table(config, [opened(unit), StakesAnnounced(small_blind or big_blind // 2, big_blind)])
    table.say(RoundOpened(), ButtonPlaced(button))
    table.say(*(PlayerDealtIn(seat, f"p-{seat}", stack) for seat, stack in sorted(stacks.items())))
    for due in table.expects().due:
        table.say(Posted(seat_of(due.frm), due.what, due.amount))  # type: ignore[arg-type]
    table.say(*(HoleDealt(seat, known.get(seat, ("??", "??"))) for seat in sorted(stacks)))
    return table


def passive(table: Table, street: int) -> None:
    """Everybody checks or calls until the betting of `street` begins."""
    while table.hand.street < street:
        next_ = table.expects()
        if next_.actor and next_.actions:
            names = [action.name for action in next_.actions]
            table.act(seat_of(next_.actor), "check" if "check" in names else "call")
        elif next_.next_card:
            deal_street(table)
        else:
            break


def deal_street(table: Table, board: Sequence[str] = BOARD) -> None:
    """A burn and the next street."""
    laid = len(table.hand.board)
    street = next(number for number, count in enumerate(BOARD_CARDS) if count > laid)
    table.say(CardBurned(), BoardDealt(STREETS[street], tuple(board[laid : BOARD_CARDS[street]])))  # type: ignore[arg-type]


# --- one action ---

_ACTION = frozenset({
    "kind", "config", "street", "bb", "C", "committed", "stack", "last_full_increment", "verbal", "chips",
    "t_contact",
})  # fmt: skip


def action(given: Vector, expect: Vector) -> list[str]:
    """Words and chips of one player: what they count for."""
    problems = unknown_keys("given", given, _ACTION)
    problems += unknown_keys("verbal", given.get("verbal") or {}, frozenset({"word", "amount", "t", "lang"}))
    if problems:
        return problems
    table = facing(given)
    said = told_events(given)
    return compare(expect, read_off(table, said))


def facing(given: Vector) -> Table:
    """The player on turn with what the vector puts in front of him and behind."""
    street = STREETS.index(given["street"])
    big, to_match, front = (given[key] * WHOLE for key in ("bb", "C", "committed"))
    stack = given["stack"] * WHOLE
    before_street = 0 if street == 0 else big
    stacks = {HERO: stack + front + before_street, **dict.fromkeys(range(2, 7), RICH)}
    if street and 0 < to_match < big:
        stacks[2] = big + to_match  # somebody opened with his last chips
    small = street == 0 and 0 < front < big
    if street == 0 and front == big:
        button = 5  # the big blind
    else:
        button = 6 if small or (street and front) else 1
    table = start(given.get("config", {}), stacks, button, big, small_blind=front if small else 0)
    if street:
        passive(table, street)
    increment = given.get("last_full_increment", given["C"]) * WHOLE
    table.bet_up(HERO, to_match, front, increment)
    return table


def told_events(given: Vector) -> list[tuple[float, Event]]:
    """The words and the push, each at its time in seconds; a word at the very contact of one chip is not before it."""
    said: list[tuple[float, Event]] = []
    verbal = given.get("verbal")
    if verbal:
        amount = verbal.get("amount")
        word = {"all-in": "all_in", "allin": "all_in", None: "amount"}.get(verbal.get("word"), verbal.get("word"))
        language = {"other": "de"}.get(verbal.get("lang", ""), verbal.get("lang", ""))
        said.append(
            (verbal.get("t", 0.0), WordsSpoken(HERO, word, None if amount is None else amount * WHOLE, "", language))
        )
    chips = tuple(chip * WHOLE for chip in given.get("chips", ()))
    if chips:
        said.append((given.get("t_contact", 0.0 if not said else said[0][0] + 1), ChipsPushed(HERO, sum(chips), chips)))
    tied = len(chips) == 1 and bool(verbal) and verbal.get("word") in ("raise", "bet") and not verbal.get("amount")
    return sorted(said, key=lambda one: (one[0], tied and isinstance(one[1], WordsSpoken)))


def read_off(table: Table, said: list[tuple[float, Event]]) -> dict[str, Any]:
    """What the room makes of it: how the player stands afterwards, and its findings about him."""
    to_match = table.hand.bets.to_match
    front = table.hand.bets.front[table.hand.place(HERO)]
    first = said[0][0] if said else 0.0
    for time, event in said:
        table.say(event, at_s=time - first)
    place = table.hand.place(HERO)
    acted = table.hand.latest == place
    pending = table.hand.pending
    if not acted and pending is not None and pending.said.binding:
        # No chips come: the word counts once the next player acts.
        after = next(other for other in (place + 1, *range(place)) if not table.hand.out[other])
        table.say(ActionTaken(table.hand.seats[after], "fold"))
        acted = True
    findings, hand = table.judged()
    own = [finding for finding in findings if finding.subject == f"seat/{HERO}"]
    total = hand.bets.front[place]
    advisory = {
        name: whole(value) for finding in own if finding.kind == "advisory" for name, value in finding.remedy.items()
    }
    found: dict[str, Any] = {
        "verdict": verdict_word([finding for finding in own if finding.kind != "advisory"]),
        "action": _named(hand.out[place], total, front, to_match, acted=acted),
        "total": whole(total),
        "add": whole(max(-hand.apart[place], 0)),
        "returned": whole(max(hand.apart[place], 0)),
        "all_in": hand.stacks[place] == 0,
    }
    if advisory:
        found["advisory"] = advisory
    return found


def _named(out: bool, total: int, front: int, to_match: int, *, acted: bool) -> str:
    if out:
        return "fold"
    if not acted:
        return "none"
    if total > to_match:
        return "raise" if to_match else "bet"
    return "call" if total > front else "check"


def exposed_action(given: Vector, expect: Vector) -> list[str]:
    """A player who has turned his cards up pushes chips."""
    problems = unknown_keys(
        "given", given, frozenset({"kind", "config", "C", "committed", "exposed_before", "pushed", "bb", "stack"})
    )
    if problems:
        return problems
    pushed = given["pushed"]
    like = {
        "street": "flop", "bb": given.get("bb", 10), "C": given["C"], "committed": given["committed"],
        "stack": given.get("stack", 10 * max(pushed, 1)), "config": given.get("config", {}),
    }  # fmt: skip
    table = facing(like)
    if given["exposed_before"]:
        table.say(CardExposed(f"seat/{HERO}", "player", ("Ah", "Ad")))
    half = pushed // 2
    return compare(expect, read_off(table, told_events({**like, "chips": [half, pushed - half] if half else [pushed]})))


def reopen(given: Vector, expect: Vector) -> list[str]:
    """Actions in one round, and what the next player may do."""
    problems = unknown_keys("given", given, frozenset({"kind", "config", "actions", "next", "bb", "street"}))
    problems += [
        problem
        for one in given["actions"]
        for problem in unknown_keys("actions", one, frozenset({"seat", "total", "type"}))
    ]
    if problems:
        return problems
    actions = [(one["seat"], one["total"] * WHOLE, one["type"]) for one in given["actions"]]
    big = given.get("bb", 10) * WHOLE
    seats = sorted({seat for seat, _total, _type in actions} | {given["next"]})
    last = {seat: total for seat, total, _type in actions}
    all_in = {seat for seat, _total, kind in actions if kind == "all_in"}
    stacks = {seat: big + (last[seat] if seat in all_in else RICH) for seat in seats}
    button = max((seat for seat in seats if seat < actions[0][0]), default=max(seats))
    table = start(given.get("config", {}), stacks, button, big)
    passive(table, 1)
    for seat, total, kind in actions:
        front = table.hand.bets.front[table.hand.place(seat)]
        table.say(ActionTaken(seat, kind, total - front))
    next_ = table.expects()
    if next_.actor != f"seat/{given['next']}":
        return [f"it is the turn of {next_.actor or 'nobody'}, not of seat/{given['next']}"]
    by_name = {action.name: action for action in next_.actions}
    found: dict[str, Any] = {"legal": [name for name in ("fold", "check", "call", "bet", "raise") if name in by_name]}
    if "call" in by_name:
        found["call_add"] = whole(by_name["call"].add or 0)
    found["min_raise_to"] = whole(by_name["raise"].low or 0) if "raise" in by_name else None
    return compare(expect, found)


# --- order ---


def show_order(given: Vector, expect: Vector) -> list[str]:
    """Who shows first, and then who."""
    problems = unknown_keys("given", given, frozenset({"kind", "config", "button", "live_seats", "aggressions"}))
    if problems:
        return problems
    live = sorted(given["live_seats"])
    waiting = [(STREETS.index(one["street"]), one["seat"]) for one in given["aggressions"]]
    seats = sorted({*live, given["button"], *(seat for _street, seat in waiting)})
    table = start(given.get("config", {}), dict.fromkeys(seats, RICH), given["button"], 10 * WHOLE)
    while (next_ := table.expects()).phase != "showdown":
        if next_.next_card:
            deal_street(table)
            continue
        seat = seat_of(next_.actor)
        names = {action.name for action in next_.actions}
        if waiting and waiting[0] == (table.hand.street, seat):
            waiting.pop(0)
            table.act(seat, "raise" if "raise" in names else "bet")
        elif seat not in live and not any(other == seat for _street, other in waiting):
            table.act(seat, "fold")
        else:
            table.act(seat, "check" if "check" in names else "call")
    if waiting:
        return [f"no lawful hand has these aggressions: {given['aggressions']}"]
    order = []
    while table.expects().phase == "showdown" and len(order) < len(live):
        seat = seat_of(table.expects().actor)
        free = [card for card in DECK if card not in table.hand.board][2 * len(order) :]
        order.append(seat)
        table.say(HandShown(seat, (free[0], free[1])))
    return compare(expect, {"order": order})


def heads_up(given: Vector, expect: Vector) -> list[str]:
    """Two players: who posts what, gets the first card and acts first."""
    problems = unknown_keys("given", given, frozenset({"kind", "config", "seats", "button"}))
    if problems:
        return problems
    table = Table(given.get("config", {}), [opened(), StakesAnnounced(5 * WHOLE, 10 * WHOLE)])
    table.say(RoundOpened(), ButtonPlaced(given["button"]))
    table.say(*(PlayerDealtIn(seat, f"p-{seat}", RICH) for seat in given["seats"]))
    found: dict[str, Any] = {}
    for due in table.expects().due:
        found[{"small_blind": "sb", "big_blind": "bb"}[due.what]] = seat_of(due.frm)
        table.say(Posted(seat_of(due.frm), due.what, due.amount))  # type: ignore[arg-type]
    found["first_card"] = seat_of(table.expects().next_card)
    table.say(*(HoleDealt(seat, ("??", "??")) for seat in given["seats"]))
    found["first_preflop"] = seat_of(table.expects().actor)
    passive(table, 1)
    found["first_postflop"] = seat_of(table.expects().actor)
    return compare(expect, found)


def button_draw(given: Vector, expect: Vector) -> list[str]:
    """The card that takes the button: the seat at which placing it is no finding."""
    problems = unknown_keys("given", given, frozenset({"kind", "config", "cards"}))
    if problems:
        return problems
    drawn = {int(seat): card for seat, card in given["cards"].items()}
    right = []
    for seat in drawn:
        before: list[Event] = [opened(), StakesAnnounced(5 * WHOLE, 10 * WHOLE)]
        before += [ButtonCardDrawn(other, card) for other, card in drawn.items()]
        table = Table(given.get("config", {}), before)
        table.say(RoundOpened(), ButtonPlaced(seat))
        findings, _hand = table.judged()
        if not any(finding.rule == "NL-06" for finding in findings):
            right.append(seat)
    return compare(expect, {"button": right[0] if len(right) == 1 else right})


# --- money ---


def _two_handed(given: Vector, pot: int, winner: int, loser: int, cards: dict[int, tuple[str, ...]]) -> Table:
    """A pot between two players, who table their hands."""
    half = pot // 2
    board = tuple(given.get("board", BOARD))
    stacks = {winner: RICH, loser: RICH}
    table = start(given.get("config", {}), stacks, winner, min(10 * WHOLE, half), unit=given.get("u", 1))
    table.all_call(half)
    while (next_ := table.expects()).phase != "showdown":
        if next_.next_card:
            deal_street(table, board)
        else:
            table.act(seat_of(next_.actor), "check")
    while (next_ := table.expects()).phase == "showdown":
        seat = seat_of(next_.actor)
        table.say(HandShown(seat, cards[seat]))
    return table


def _all_tabled(given: Vector, pot: int) -> Table:
    """A pot to which all who table have put in the same, what is over being dead money of somebody else."""
    from tests.vectors.holdem import wanted_of
    from tests.vectors.holdem_play import opening, play

    tabled, unit = given["tabled"], given.get("u", 1)
    each = given["pot"] // (len(tabled) * unit) * unit
    other = next(seat for seat in range(1, 10) if str(seat) not in tabled)
    rest = given["pot"] - each * len(tabled)
    wanted = wanted_of({
        "button": min(map(int, tabled)), "u": unit, "live": dict.fromkeys(tabled, each), "hole": tabled,
        "dead": {str(other): rest} if rest else {}, "board": given["board"],
    })  # fmt: skip
    config = {"out_of_turn": "as_taken", **given.get("config", {})}
    events = play(wanted, edition_of(config))
    if not given.get("readable", True):
        hidden = ("??", "??")
        events = [
            replace(event, cards=hidden) if isinstance(event, HoleDealt | HandShown) else event for event in events
        ]
    table = Table(config, [opening(wanted), events[0]])
    table.say(*events[1:-1])
    return table


def _simple(given: Vector, pot: int) -> Table:
    winner = given["winner"]
    return _two_handed(given, pot, winner, winner + 1, {winner: ("Ah", "Ad"), winner + 1: ("Kh", "Kd")})


def _paid(table: Table, rake: int, awards: dict[int, int]) -> tuple[list[Finding], Any]:
    table.say(ChipsMoved("pot", "rake", rake, "rake"))
    for seat, amount in awards.items():
        table.say(ChipsMoved("pot", f"seat/{seat}", amount, "award", f"seat/{seat}"))
    table.say(RoundClosed())
    verdict = table.verdict()
    return list(verdict.findings), verdict


def _owed(findings: list[Finding], rule: str) -> dict[str, int | float]:
    return {
        finding.subject.removeprefix("seat/"): whole(finding.money)
        for finding in findings
        if finding.rule == rule and finding.money > 0
    }


def over_rake(given: Vector, expect: Vector) -> list[str]:
    """Rake on record against rake due."""
    problems = unknown_keys("given", given, frozenset({"kind", "config", "pot", "u", "taken", "winner"}))
    if problems:
        return problems
    pot, taken, winner = given["pot"] * WHOLE, given["taken"] * WHOLE, given["winner"]
    table = _simple(given, pot)
    findings, verdict = _paid(table, taken, {winner: pot - taken})
    return compare(expect, {"due": whole(verdict.due.rake), "owed_to": _owed(findings, "NL-33")})


def pot_balance(given: Vector, expect: Vector) -> list[str]:
    """Awards and rake on record against the pot."""
    problems = unknown_keys(
        "given", given, frozenset({"kind", "config", "u", "pot", "rake_taken", "awarded", "winner"})
    )
    if problems:
        return problems
    table = _simple(given, given["pot"] * WHOLE)
    awards = {int(seat): amount * WHOLE for seat, amount in given["awarded"].items()}
    findings, _verdict = _paid(table, given["rake_taken"] * WHOLE, awards)
    unaccounted = sum(
        finding.money or finding.remedy.get("unaccounted", 0) for finding in findings if finding.rule == "NL-02"
    )
    return compare(expect, {"unaccounted": whole(unaccounted), "owed_to": _owed(findings, "NL-02")})


def reaward(given: Vector, expect: Vector) -> list[str]:
    """A pot pushed to the wrong one of several tabled hands."""
    problems = unknown_keys(
        "given", given, frozenset({"kind", "config", "u", "pot", "awarded", "tabled", "board", "readable"})
    )
    if problems:
        return problems
    awards = {int(seat): amount * WHOLE for seat, amount in given["awarded"].items()}
    pot = given["pot"] * WHOLE
    table = _all_tabled(given, pot)
    findings, verdict = _paid(table, pot - sum(awards.values()), awards)
    moved = {finding.subject: finding.money for finding in findings if finding.kind == "mispaid"}
    found: dict[str, Any] = {"rake": whole(verdict.due.rake), "verdict": verdict_word(findings), "move": None}
    giver = [subject for subject, money in moved.items() if money < 0]
    taker = [subject for subject, money in moved.items() if money > 0]
    if giver and taker:
        found["move"] = {"from": seat_of(giver[0]), "to": seat_of(taker[0]), "amount": whole(moved[taker[0]])}
    return compare(expect, found)


def void_hand(given: Vector, expect: Vector) -> list[str]:
    """A fouled deck: what goes back to whom."""
    problems = unknown_keys(
        "given", given, frozenset({"kind", "config", "ground", "found", "live", "dead", "rake_taken"})
    )
    if problems or given["ground"] != "fouled_deck":
        return problems or [f"unknown ground {given['ground']}"]
    from tests.vectors.holdem import wanted_of
    from tests.vectors.holdem_play import opening, play

    live = given["live"]
    cards = ("Ah", "Ad", "Kh", "Kd", "Qh", "Qd", "Jh", "Jd", "Th", "Td", "9c", "9s", "8c", "8s", "7h", "7s", "6h", "6s")
    hole = {seat: list(cards[2 * number : 2 * number + 2]) for number, seat in enumerate(live)}
    wanted = wanted_of({
        "button": min(int(seat) for seat in live), "u": 1, "live": live, "dead": given["dead"], "hole": hole,
        "board": ["2c", "3d", "4s", "5h", "Tc"],
    })  # fmt: skip
    config = {"out_of_turn": "as_taken", **given.get("config", {})}
    events = play(wanted, edition_of(config))
    table = Table(config, [opening(wanted), events[0]])
    table.say(*events[1:-1])
    rake = given["rake_taken"] * WHOLE
    if rake:
        table.say(ChipsMoved("pot", "rake", rake, "rake"))
    foul = CardFound("stub", "foreign")
    if given["found"] == "before_award":
        table.say(foul, RoundClosed())
    else:
        for due in table.expects().due:
            if due.what == "award":
                table.say(ChipsMoved("pot", due.to, due.amount, "award", due.stake))
        table.say(foul, RoundClosed())
    verdict = table.verdict()
    # After the award management decides: the refund then is what the engine prepares for it.
    lines = verdict.due.candidates.get("void", verdict.due.lines)
    kept = 0 if "void" in verdict.due.candidates else verdict.due.rake
    found = {
        "verdict": {"void": "VOID", "ruling_required": "RULING", "valid": "VALID"}.get(verdict.standing, ""),
        "refund": {line.stake.removeprefix("seat/"): whole(line.returned) for line in lines if line.returned},
        "rake_returned": whole((verdict.recorded.rake if verdict.recorded else 0) - kept),
    }
    return compare(expect, found)
