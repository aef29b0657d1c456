"""`hands find`: which hand was it? By player, cards, board, pot, showdown, all-in, finding, day, table, site."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from msgspec import Struct

from cli import screen
from cli.access import noted
from cli.options import AsJson, DayOf, Store, day_of, opened
from cli.screen import Words
from cli.views import View, progress_bar, viewed
from events.errors import Refused
from events.values.cards import RANKS, cards_text, is_card
from events.values.money import money_text, parse_amount
from games.picture import Span

if TYPE_CHECKING:
    from projections import Views

_RULE = re.compile(r"[A-Z]{2}-[A-Z]?\d{1,3}")
_CLASS = re.compile(rf"([{RANKS}])([{RANKS}])([so]?)")
_KEY_SHOWN = 12
"""Digits of an imported hand's key that lists show: as good as the whole among billions of hands."""


class Wanted(Struct, frozen=True, kw_only=True):
    """Conditions of a search, all of which must hold. `of_hand` about the hand, `of_seat` about one and the same seat.

    Each is SQL over `rpt_hand AS h` or `fct_hand_seat AS s` with `?` for each of its values.
    """

    of_hand: list[tuple[str, list[Any]]] = []
    of_seat: list[tuple[str, list[Any]]] = []

    def where(self) -> tuple[str, list[Any]]:
        """One condition over `h`, and its values."""
        parts = [f"({sql})" for sql, _values in self.of_hand]
        values = [value for _sql, given in self.of_hand for value in given]
        if self.of_seat:
            inside = " AND ".join(f"({sql})" for sql, _values in self.of_seat)
            parts.append(f"h.address IN (SELECT s.address FROM fct_hand_seat AS s WHERE {inside})")  # noqa: S608  our own names
            values += [value for _sql, given in self.of_seat for value in given]
        return " AND ".join(parts) or "true", values


def find(
    player: Annotated[str, typer.Option("--player", metavar="NAME", help="Dealt in: an id, or a name.")] = "",
    seat: Annotated[int, typer.Option("--seat", metavar="N", min=0, show_default=False, help="That seat.")] = 0,
    cards: Annotated[
        str, typer.Option("--cards", metavar="CARDS", help="Held by the player, or by anybody: AhKs, Ah, AKs, QQ.")
    ] = "",
    board: Annotated[str, typer.Option("--board", metavar="CARDS", help="All of them on a board, as 7h7d2c.")] = "",
    pot_over: Annotated[str, typer.Option("--pot-over", metavar="AMOUNT", help="The pot was larger.")] = "",
    pot_under: Annotated[str, typer.Option("--pot-under", metavar="AMOUNT", help="The pot was smaller.")] = "",
    showdown: Annotated[bool, typer.Option("--showdown", help="He came to the showdown; anybody, if none.")] = False,
    all_in: Annotated[bool, typer.Option("--all-in", help="He was all-in; anybody, if none is named.")] = False,
    won: Annotated[bool, typer.Option("--won", help="He got a pot, or a part of one.")] = False,
    finding: Annotated[str, typer.Option("--finding", metavar="RULE", help="A rule found in it, as NL-33.")] = "",
    day: DayOf = None,
    table: Annotated[str, typer.Option("--table", metavar="TABLE", help="As NL-1, or brno/NL-1.")] = "",
    site: Annotated[str, typer.Option("--site", metavar="SITE", help="Imported from there, as PokerNow.")] = "",
    key_file: Annotated[
        str, typer.Option("--key-file", metavar="FILE", help="The secret of the import, to find a player by name.")
    ] = "",
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=1, help="At most so many.")] = 50,
    view: View = None,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Find poker hands; all conditions must hold. Hidden cards are searched and not shown.

    \b
    Examples:
      recoup hands find --player p-204 --showdown
      recoup hands find --cards AhKs --pot-over 100000      two cards in one hand, a pot above 100,000
      recoup hands find --player p-204 --cards AA --all-in
      recoup hands find --finding NL-22 --day 2026-11-28 --table NL-1

    A player's name is searched as the id that the import made of it: for PokerNow that of the site's own id.
    """
    people = ids_of(player, key_file)
    wanted = _wanted(people, seat, cards, board, showdown=showdown, all_in=all_in, won=won)
    _money(wanted, pot_over, pot_under)
    _place(wanted, finding, day, table, site)
    where, values = wanted.where()
    with viewed(store, view) as found:
        with progress_bar() as progress:
            found.catch_up(progress)
        answer = found.query(
            f"SELECT h.* FROM rpt_hand AS h WHERE {where} "  # noqa: S608  our own names
            "ORDER BY h.opened_at NULLS LAST, h.subject, h.ordinal LIMIT ?",
            [*values, limit + 1],
            catch_up=False,
        )
        rows = [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
        if rows and player:
            _note(found, store, people)
        if not rows and not as_json:
            _nothing(found, player, people, table, site)
    if as_json:
        for row in rows[:limit]:
            screen.put_json(_json(row))
    else:
        _show(rows[:limit])
    if len(rows) > limit:
        screen.note(f"… and more; --limit shows more than {limit}")
    elif not as_json:
        screen.note(screen.number(len(rows), "hand"))
    if rows and not as_json:
        screen.hint(f"recoup replay {_address(rows[0])} --step walks through it; recoup judge says what is due")


# --- conditions ---


def _wanted(people: list[str], seat: int, cards: str, board: str, *, showdown: bool, all_in: bool, won: bool) -> Wanted:
    wanted = Wanted(of_hand=[], of_seat=[])
    if people:
        wanted.of_seat.append(("list_contains(?, s.player)", [people]))
    if seat:
        wanted.of_seat.append(("s.seat = ?", [seat]))
    if cards:
        wanted.of_seat.append(_held(cards))
    if board:
        wanted.of_hand.append(("list_has_all(h.board_cards, ?)", [_cards(board, "--board", 10)]))
    is_about_one = bool(people or seat)
    flags = ((showdown, "h.is_showdown", "s.contends OR s.is_mucked"), (all_in, "h.is_all_in", "s.is_all_in"))
    for is_asked, of_hand, of_seat in flags:
        if is_asked and is_about_one:
            wanted.of_seat.append((of_seat, []))
        if is_asked:
            wanted.of_hand.append((of_hand, []))
    if won:
        if not is_about_one and not cards:
            raise Refused("--won needs to know who", hint="add --player, --seat or --cards")
        wanted.of_seat.append(("coalesce(s.recorded_paid_minor, s.paid_minor) > 0", []))
    return wanted


def _held(text: str) -> tuple[str, list[Any]]:
    """One or two cards by name, or two ranks: a pair, suited, offsuit, either."""
    match = _CLASS.fullmatch(text)
    if match is None:
        return "list_has_all(s.cards, ?)", [_cards(text, "--cards", 4)]
    high, low, suited = match.groups()
    if high == low and suited:
        raise Refused(f"`{text}`: a pair is never suited", hint=f"--cards {high}{low}")
    ranks = sorted((high, low))
    told = "list_sort(list_transform(s.cards, lambda card : card[1])) = ?"
    if suited:
        told += f" AND s.cards[1][2] {'=' if suited == 's' else '<>'} s.cards[2][2]"
    return told, [ranks]


def _cards(text: str, option: str, most: int) -> list[str]:
    """Cards by name, with or without spaces between: `AhKs`, `Ah Ks`, `10h`.

    Raises:
        Refused: one that is no card, or one that stands twice.
    """
    plain = re.sub(r"[\s,]+", "", text).replace("10", "T")
    found = [plain[at].upper() + plain[at + 1 : at + 2].lower() for at in range(0, len(plain), 2)]
    for card in found:
        if not is_card(card):
            raise Refused(
                f"`{card}` in {option} {text} is no card",
                hint=f"a rank of {RANKS} and a suit of cdhs, as {option} AhKs"
                + ("; or two ranks, as AKs, AKo, AK, QQ" if option == "--cards" else ""),
            )
    if len(set(found)) < len(found):
        raise Refused(f"{option} {text} names a card twice; one deck has it once")
    if len(found) > most:
        raise Refused(f"{option} {text} names {len(found)} cards, at the most {most} can be")
    return found


def _money(wanted: Wanted, over: str, under: str) -> None:
    for option, text, sign in (("--pot-over", over, ">"), ("--pot-under", under, "<")):
        if not text:
            continue
        amount = parse_amount(text.replace(",", ""))
        if amount < 0:
            raise Refused(f"{option} {text}: no pot is smaller than nothing")
        wanted.of_hand.append((f"h.pot_minor {sign} ?", [amount]))


def _place(wanted: Wanted, finding: str, day: str | None, table: str, site: str) -> None:
    if finding:
        rule = finding.upper()
        if not _RULE.fullmatch(rule):
            raise Refused(f"`{finding}` is no rule", hint="as NL-33; `recoup rules list` shows them")
        wanted.of_hand.append(("list_contains(h.findings, ?) OR list_contains(h.findings_via, ?)", [rule, rule]))
    if day is not None:
        wanted.of_hand.append(("h.gaming_day = ?", [day_of(day)]))
    if table:
        house, _slash, unit = table.rpartition("/")
        wanted.of_hand.append(("h.kind = 'table' AND lower(h.unit) = ?", [unit.lower()]))
        if house:
            wanted.of_hand.append(("h.house = ?", [house]))
    if site:
        wanted.of_hand.append(("lower(h.site) = ?", [site.lower()]))


def ids_of(player: str, key_file: str) -> list[str]:
    """What a player may be called in the store: as typed, or the id that an import made of this name."""
    if not player:
        return []
    from games.hand_histories.names import Pseudonyms

    names = Pseudonyms(Path(key_file).read_bytes().strip()) if key_file else Pseudonyms()
    plain = player.strip().strip('"')
    return list(dict.fromkeys((plain, names.of(plain), names.of(plain.rpartition(" @ ")[2]))))


def _note(found: Views, store: str | None, people: list[str]) -> None:
    """That he was asked for goes into the access trail, by the id that records have, never by a name that was typed."""
    answer = found.query(
        "SELECT DISTINCT player FROM fct_hand_seat WHERE list_contains(?, player) ORDER BY 1", [people]
    )
    with opened(store) as log:
        noted(log, "person", *(row[0] for row in answer.rows))


def _nothing(found: Views, player: str, people: list[str], table: str, site: str) -> NoReturn:
    """Says why there is none: nothing at all, a player or a table that nobody knows, or too many conditions.

    Raises:
        Refused: always.
    """

    def is_there(sql: str, values: list[Any]) -> bool:
        return bool(found.query(f"SELECT 1 WHERE EXISTS ({sql})", values, catch_up=False).rows)

    if not is_there("FROM fct_hand_seat", []):
        raise Refused(
            "the store holds no poker hand", hint="`recoup hands import FILE …` or `recoup ingest FILE` brings some in"
        )
    if player and not is_there("FROM fct_hand_seat WHERE list_contains(?, player)", [people]):
        raise Refused(
            f"no hand has a player `{player}`",
            hint="names are kept as ids: of a name give it as the history writes it (of PokerNow the id after the @), "
            "with --key-file if the import had one",
        )
    if site and not is_there("FROM stg_imported_hand WHERE lower(site) = ?", [site.lower()]):
        sites = found.query("SELECT DISTINCT site FROM stg_imported_hand WHERE site <> '' ORDER BY 1", catch_up=False)
        known = ", ".join(row[0] for row in sites.rows[:8])
        raise Refused(f"no hand was imported from `{site}`", hint=f"there are hands of {known}" if known else "")
    unit = table.rpartition("/")[2].lower()
    if table and not is_there("FROM fct_hand_seat WHERE kind = 'table' AND lower(unit) = ?", [unit]):
        raise Refused(f"no poker hand was recorded at `{table}`", hint="`recoup rounds` lists tables and days")
    raise Refused("no hand fits", hint="fewer conditions; or `recoup hands find` alone lists them all")


# --- what is shown ---


def _address(row: dict[str, Any]) -> str:
    """To be pasted into other commands."""
    subject, _hash, name = row["address"].partition("#")
    if row["kind"] == "import":
        return f"{subject[: len('import/') + _KEY_SHOWN]}#{name}"
    return f"{subject.removeprefix('table/')}#{name}"


def _show(rows: list[dict[str, Any]]) -> None:
    heads = ["hand", "time", "players", "winner", "pot", "board"]
    if any(row["findings"] for row in rows):
        heads.append("findings")
    lines: list[list[Words]] = []
    for row in rows:
        pot = "" if row["pot_minor"] is None else money_text(row["pot_minor"], row["currency"])
        board = " / ".join(cards_text(one.split()) for one in row["boards"])
        winners = ", ".join(row["winners"])
        line: list[Words] = [
            Span(_address(row), "bold"), _when(row), str(len(row["players"])), winners or "—", pot, board or "no flop",
        ]  # fmt: skip
        lines.append([*line, Span(", ".join(row["findings"]), "bad")][: len(heads)])
    if rows:
        screen.say_all(screen.table(heads, lines, right=(2, 4)))


def _when(row: dict[str, Any]) -> str:
    opened_at: datetime | None = row["opened_at"]
    return "—" if opened_at is None else f"{opened_at:%Y-%m-%d %H:%M}"


_KEPT = (
    "house", "unit", "game", "site", "site_hand", "currency", "seats", "players", "winners", "pot_minor", "boards",
    "is_showdown", "is_all_in", "standing", "settlement", "findings",
)  # fmt: skip


def _json(row: dict[str, Any]) -> dict[str, Any]:
    told = {
        "round": row["address"],
        "day": row["gaming_day"].isoformat() if row["gaming_day"] is not None else None,
        "opened_at": row["opened_at"].isoformat() if row["opened_at"] is not None else None,
        **{name: row[name] for name in _KEPT},
    }
    return told | {"boards": [board.split() for board in row["boards"]]}
