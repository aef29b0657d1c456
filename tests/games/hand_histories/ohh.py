"""Open Hand Histories written for these tests."""

from __future__ import annotations

import json
from typing import Any

from games.hand_histories.draft import Imported
from games.hand_histories.ohh_in import take
from tests.games.hand_histories.hands import NAMES


def act(player: int | None, action: str, amount: float = 0, cards: str = "", **more: Any) -> dict[str, Any]:
    """An action; `cards` as `AhKs`."""
    found: dict[str, Any] = {"player_id": player, "action": action, "amount": amount, "is_allin": False, **more}
    return found | {"cards": _pairs(cards)} if cards else found


def round_(street: str, *actions: dict[str, Any], cards: str = "") -> dict[str, Any]:
    """A round; `cards` laid on the board in it."""
    return {"street": street, "cards": _pairs(cards), "actions": list(actions)}


def win(player: int, amount: float, **more: float) -> dict[str, Any]:
    """What a player gets of a pot."""
    return {"player_id": player, "win_amount": amount, **more}


def pot(amount: float, *wins: dict[str, Any], rake: float = 0, **more: float) -> dict[str, Any]:
    """A pot."""
    return {"number": 0, "amount": amount, "rake": rake, "player_wins": list(wins), **more}


def hand(
    *rounds: dict[str, Any], pots: list[dict[str, Any]] | None = None, stacks: Any = (100, 100, 100), **more: Any
) -> dict[str, Any]:
    """A hand of players 0, 1, 2 … in the seats 1, 3, 5 …, the button at seat 1; blinds 1 and 2."""
    players = [
        {"id": place, "seat": 2 * place + 1, "name": f"Player {place}", "starting_stack": stack}
        for place, stack in enumerate(stacks)
    ]
    document: dict[str, Any] = {
        "spec_version": "1.4.7",
        "site_name": "Kitchen",
        "game_number": "77",
        "start_date_utc": "2024-03-02T20:15:30Z",
        "game_type": "Holdem",
        "bet_limit": {"bet_type": "NL", "bet_cap": 0},
        "table_size": 9,
        "currency": "EUR",
        "dealer_seat": 1,
        "small_blind_amount": 1,
        "big_blind_amount": 2,
        "ante_amount": 0,
        "hero_player_id": None,
        "flags": [],
        "players": players,
        "rounds": list(rounds),
        "pots": pots if pots is not None else [],
    }
    return {"ohh": document | more}


def text_of(document: Any) -> str:
    """One line of JSON."""
    return json.dumps(document, ensure_ascii=False)


def taken(document: Any) -> Imported:
    """A hand read: of a document, or of its text."""
    raw = (
        document
        if isinstance(document, bytes)
        else (document if isinstance(document, str) else text_of(document)).encode()
    )
    return take(raw, NAMES)


def _pairs(cards: str) -> list[str]:
    return [cards[place : place + 2] for place in range(0, len(cards), 2)]


BLINDS = (act(1, "Post SB", 1), act(2, "Post BB", 2))

STEAL = hand(
    round_("Preflop", *BLINDS, act(0, "Dealt Cards", cards="AhKs"), act(0, "Raise", 6), act(1, "Fold"), act(2, "Fold")),
    pots=[pot(5, win(0, 5))],
)
"""The button raises and takes the blinds: 4 of his 6 were never called."""

SHOWDOWN = hand(
    round_("Preflop", *BLINDS, act(0, "Raise", 6), act(1, "Fold"), act(2, "Call", 4)),
    round_("Flop", act(2, "Check"), act(0, "Bet", 8), act(2, "Call", 8), cards="4h9sJc"),
    round_("Turn", act(2, "Check"), act(0, "Check"), cards="2d"),
    round_("River", act(2, "Bet", 10.5), act(0, "Call", 10.5), cards="2c"),
    round_("Showdown", act(2, "Shows Cards", cards="9h9d"), act(0, "Mucks Cards")),
    pots=[pot(50, win(2, 47.5), rake=2.5)],
)
"""A hand to the river; the caller gives his cards away."""
