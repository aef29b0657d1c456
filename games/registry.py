"""The rooms, discovered: every package in `games/` that exports a `GAME` is one."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from functools import lru_cache
from importlib import resources
from typing import Any

import games
from events.errors import Unable
from games.house_rules.edition import Form
from games.protocol import Game

Rooms = dict[str, Game[Any]]


@lru_cache(maxsize=1)
def rooms() -> Rooms:
    """Every room by its name, sorted."""
    found: Rooms = {}
    for module in sorted(pkgutil.iter_modules(games.__path__), key=lambda module: module.name):
        if module.ispkg:
            game = getattr(importlib.import_module(f"games.{module.name}"), "GAME", None)
            if isinstance(game, Game):
                if game.name != module.name:
                    raise Unable(f"the room in games/{module.name} calls itself `{game.name}`; both names must be one")
                found[game.name] = game
    return found


def forms(of: Iterable[Game[Any]]) -> dict[str, Form]:
    """What each rule book expects of its editions, by the book's id."""
    return {book.name: book.form for game in of for book in game.books}


def shipped_editions() -> list[tuple[str, str, str]]:
    """The editions that come with Recoup: room, file name, TOML text; sorted."""
    found = []
    for name in rooms():
        folder = resources.files(f"games.{name}") / "editions"
        if folder.is_dir():
            for file in sorted(folder.iterdir(), key=lambda file: file.name):
                if file.name.endswith(".toml"):
                    found.append((name, file.name, file.read_text(encoding="utf-8")))
    return found
