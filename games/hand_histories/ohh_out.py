"""OHH written: a hand's facts to the JSON that `ohh` reads back as an equal hand.

What only the file had (site, table, a player's bounty, a site's own fields) comes from the text in `HandImported`;
everything that is played, posted, dealt and paid comes from the facts, so that a correction shows in what is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import Struct

from events.errors import Refused
from events.schema.common import SeatLeft, SeatTaken, TableOpened
from events.schema.order import Ordered
from events.schema.ours import HandImported
from events.values.cards import UNKNOWN
from events.values.clock import time_text
from events.values.money import MINOR_PER_MAJOR
from games.hand_histories.ohh import CHIP, FORMAT, LIMITS, STREETS, Number, read_document
from games.hand_histories.ohh_in import JACKPOT
from games.hand_histories.retold import BETTING, Acts, Retold, Step, joined, retell
from games.shared.poker.events import TopUpAnnounced

VERSION = "1.4.7"
"""Of the specification that we write by."""

_POSTS = {
    "small_blind": "Post SB", "big_blind": "Post BB", "straddle": "Straddle", "extra_blind": "Post Extra Blind",
    "missed_big_blind": "Post Extra Blind", "dead_small_blind": "Post Dead", "dead_big_blind": "Post Dead",
    "ante": "Post Ante", "big_blind_ante": "Post Ante", "button_ante": "Post Ante",
}  # fmt: skip
_WORDS = {
    "hole": "Dealt Cards", "show": "Shows Cards", "muck": "Mucks Cards", "fold": "Fold", "check": "Check",
    "call": "Call", "bet": "Bet", "raise": "Raise",
}  # fmt: skip
_BESIDE: dict[Any, str] = {SeatTaken: "Sits Down", SeatLeft: "Stands Up", TopUpAnnounced: "Added Chips"}
_STREET_NAMES: dict[str, str] = {street: name for name, street in STREETS.items()}

_ORDER = (
    "spec_version", "site_name", "network_name", "internal_version", "tournament", "tournament_info", "game_number",
    "start_date_utc", "table_name", "table_handle", "table_skin", "game_type", "bet_limit", "table_size", "currency",
    "dealer_seat", "small_blind_amount", "big_blind_amount", "ante_amount", "hero_player_id", "flags", "players",
    "rounds", "pots", "tournament_bounties",
)  # fmt: skip
"""The format's own fields in the order of its description; a site's own come after."""


class WrittenHand(Struct, frozen=True):
    """One hand: the name of its round, and its fields in order of writing; `text` is one line of JSON."""

    round: str
    fields: dict[str, Any]

    @property
    def text(self) -> str:
        """The hand as a file of one hand has it."""
        return f"{_json({'ohh': self.fields})}\n"


def hands_of(ordered: Ordered, acts: Acts | None = None) -> Iterator[WrittenHand]:
    """As `phh_out.hands_of`."""
    return map(write, retell(ordered, acts))


def write_file(hands: Iterable[WrittenHand]) -> Iterator[str]:
    """A file of many hands in pieces, a blank line between two."""
    return joined(hands, lambda number: "" if number == 1 else "\n")


def write(hand: Retold) -> WrittenHand:
    """One hand.

    Raises:
        Refused: the format has no word for something in it.
    """
    for problem in _cannot_say(hand):
        raise Refused(f"{hand.address} cannot be written as OHH: {problem}")
    known = hand.imported
    file = read_document(known.text)["ohh"] if known is not None and known.format == FORMAT else {}
    told = _head(hand, file) | _played(hand, file)
    found = file | told
    return WrittenHand(hand.name, {name: found[name] for name in (*_ORDER, *found) if name in found})


def _cannot_say(hand: Retold) -> Iterator[str]:
    for seat, player in hand.players.items():
        if player.stack is None:
            yield f"the stack of seat {seat} is not known"
    stakes = hand.stakes
    if stakes.bring_in or any(step.kind == "bring_in" for step in hand.steps):
        yield "it has a bring-in"
    if stakes.betting == "fixed_limit":
        small = stakes.small_bet or stakes.big_blind
        if small != stakes.big_blind or (stakes.big_bet or 2 * small) != 2 * small:
            yield "the format takes the bets of fixed limit from the big blind, and here they are others"


# --- the head ---


def _head(hand: Retold, file: dict[str, Any]) -> dict[str, Any]:
    stakes, opened = hand.stakes, hand.opened
    found: dict[str, Any] = {
        "bet_limit": {**(file.get("bet_limit") or {}), "bet_type": LIMITS[stakes.betting]},
        "dealer_seat": hand.button or 0,
        "small_blind_amount": _number(stakes.small_blind),
        "big_blind_amount": _number(stakes.big_blind),
        "ante_amount": _number(stakes.ante),
    }
    if file:
        return found
    found |= {
        "spec_version": VERSION,
        "internal_version": VERSION,
        "site_name": "",
        "network_name": "",
        "game_number": hand.address,
        "table_name": hand.facts[0].subject,
        "game_type": "Holdem",
        "bet_limit": {"bet_type": LIMITS[stakes.betting], "bet_cap": _number(0)},
        "table_size": max(10, *hand.players),
        "hero_player_id": None,
    }
    if isinstance(opened, TableOpened | HandImported):
        found["currency"] = opened.currency
        if opened.smallest_chip:
            found[CHIP] = _number(opened.smallest_chip)  # the format has no field for it; odd chips need it
    if isinstance(opened, HandImported):
        found["site_name"] = found["network_name"] = opened.site or ""
        found["game_number"] = opened.site_hand or found["game_number"]
    if not isinstance(opened, HandImported) or opened.time_known:
        found["start_date_utc"] = time_text(hand.began_at)
    return found


# --- what was played ---


def _played(hand: Retold, file: dict[str, Any]) -> dict[str, Any]:
    idents, players = _players(hand, file)
    kept = file.get("flags")
    flags = [flag for flag in (kept if isinstance(kept, list) else []) if flag != "Run_It_Twice" or hand.runs > 1]
    if hand.runs > 1 and "Run_It_Twice" not in flags:
        flags.append("Run_It_Twice")
    return {
        "flags": flags,
        "players": players,
        "rounds": _rounds(hand, idents),
        "pots": _pots(hand, file, idents) if hand.is_settled else [],
    }


def _players(hand: Retold, file: dict[str, Any]) -> tuple[dict[int, int], list[dict[str, Any]]]:
    """Ids by seat, and the players: the file's, with those of the facts put in."""
    items = [dict(item) for item in file.get("players") or []]
    shift = 1 if any(item["seat"] == 0 for item in items) else 0
    for item in items:
        item["seat"] += shift
    by_seat = {item["seat"]: item for item in items}
    free = max((item["id"] for item in items), default=-1) + 1
    for seat, player in sorted(hand.players.items()):
        if seat not in by_seat:
            by_seat[seat] = {"id": free, "seat": seat, "name": player.player}
            items.append(by_seat[seat])
            free += 1
        item = by_seat[seat]
        if item.get("name"):  # somebody without a name has an id only because an event needs one
            item["name"] = player.player
        item["starting_stack"] = _number(player.stack or 0)
    return {seat: item["id"] for seat, item in by_seat.items()}, items


def _rounds(hand: Retold, idents: dict[int, int]) -> list[dict[str, Any]]:
    rounds: list[dict[str, Any]] = []
    for place, step in enumerate(hand.steps):
        if step.what == "board":
            rounds.append(_round(rounds, _STREET_NAMES[step.street], step.cards))
            continue
        if not rounds:
            rounds.append(_round(rounds, "Preflop"))
        if step.what in ("show", "muck") and rounds[-1]["street"] != "Showdown" and _is_showdown(hand.steps, place):
            rounds.append(_round(rounds, "Showdown"))
        action = _action(step, idents)
        if action is not None:
            rounds[-1]["actions"].append({"action_number": len(rounds[-1]["actions"]) + 1, **action})
    return rounds


def _round(rounds: list[dict[str, Any]], street: str, cards: tuple[str, ...] = ()) -> dict[str, Any]:
    found: dict[str, Any] = {"id": len(rounds), "street": street}
    if street != "Showdown":
        found["cards"] = list(cards)
    return {**found, "actions": []}


def _is_showdown(steps: list[Step], place: int) -> bool:
    """Cards turned up while the betting of a street still goes on are told where that was."""
    for step in steps[place:]:
        if step.what in BETTING:
            return False
        if step.what == "board":
            return True
    return True


def _action(step: Step, idents: dict[int, int]) -> dict[str, Any] | None:
    found: dict[str, Any] = {"player_id": idents.get(step.seat)}
    paid = step.paid
    if step.what == "beside":
        if step.event is None:
            return found | {"action": "Add to Pot", "amount": _number(paid), "is_allin": False}
        if step.seat not in idents:
            return None  # somebody who has no part in this hand sat down or left
        found["action"] = _BESIDE[type(step.event)]
        paid = getattr(step.event, "amount", 0)
    else:
        found["action"] = _POSTS[step.kind] if step.what == "post" else _WORDS[step.what]
    found |= {"amount": _number(paid), "is_allin": step.all_in}
    if step.cards and any(card != UNKNOWN for card in step.cards):
        found["cards"] = list(step.cards)
    return found


# --- what was paid ---


def _pots(hand: Retold, file: dict[str, Any], idents: dict[int, int]) -> list[dict[str, Any]]:
    """The file's own pots where they say what the facts say; else one pot with all that was won and raked."""
    kept: list[dict[str, Any]] = file.get("pots") or []
    if kept and _say_the_same(hand, kept, idents):
        return kept
    wins = []
    for seat in {**hand.won, **hand.cashed, **hand.bonus}:
        win: dict[str, Any] = {"player_id": idents[seat], "win_amount": _number(hand.won.get(seat, 0))}
        if seat in hand.cashed:
            win["cashout_amount"] = _number(hand.cashed[seat].amount)
            win["cashout_fee"] = _number(hand.cashed[seat].fee)
        if seat in hand.bonus:
            win["bonus_amount"] = _number(hand.bonus[seat])
        wins.append(win)
    jackpot = sum(amount for name, amount in hand.rakes if name == JACKPOT)
    rake = sum(amount for _name, amount in hand.rakes) - jackpot
    pot: dict[str, Any] = {
        "number": 0,
        "amount": _number(hand.added + sum(hand.put.values()) - sum(hand.back.values()) + sum(hand.won.values())),
        "rake": _number(rake),
        "player_wins": wins,
    }
    return [pot | {"jackpot": _number(jackpot)} if jackpot else pot]


def _say_the_same(hand: Retold, pots: list[dict[str, Any]], idents: dict[int, int]) -> bool:
    won: dict[int, int] = {}
    cashed: dict[int, int] = {}
    bonus: dict[int, int] = {}
    rake = 0
    for pot in pots:
        rake += _minor(pot.get("rake")) + _minor(pot.get("jackpot"))
        for win in pot["player_wins"]:
            for sums, field in ((won, "win_amount"), (cashed, "cashout_amount"), (bonus, "bonus_amount")):
                sums[win["player_id"]] = sums.get(win["player_id"], 0) + _minor(win.get(field))
    return (
        rake == sum(amount for _name, amount in hand.rakes)
        and _told(won) in (_by_ident(hand.won, idents), _by_ident(hand.back, idents))
        and _told(cashed) == _by_ident({seat: event.amount for seat, event in hand.cashed.items()}, idents)
        and _told(bonus) == _by_ident(hand.bonus, idents)
    )


def _told(sums: dict[int, int]) -> dict[int, int]:
    return {ident: amount for ident, amount in sums.items() if amount}


def _by_ident(sums: dict[int, int], idents: dict[int, int]) -> dict[int, int]:
    return _told({idents[seat]: amount for seat, amount in sums.items()})


# --- JSON, exactly ---


def _minor(value: Any) -> int:
    if isinstance(value, Number):
        return value.minor or 0
    return value * MINOR_PER_MAJOR if isinstance(value, int) else 0


def _number(minor: int) -> Number:
    """Whole units with two decimals, as the format's own examples write them."""
    return Number(f"{minor // MINOR_PER_MAJOR}.{minor % MINOR_PER_MAJOR:02d}", minor)


def _raw(value: Any) -> Any:
    if isinstance(value, Number):
        return msgspec.Raw(value.text.encode())
    if isinstance(value, dict):
        return {name: _raw(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_raw(item) for item in value]
    return value


def _json(value: Any) -> str:
    return msgspec.json.encode(_raw(value)).decode()
