"""The night in words: what an exception says, where it leads, and the figures as people read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from events.values.money import CHIPS, figure_text, money_text, unit_text

if TYPE_CHECKING:
    from projections.night import Change

Row = dict[str, Any]

FIGURES: tuple[tuple[str, str], ...] = (
    ("opening_minor", "opener"), ("fill_minor", "fills"), ("credit_minor", "credits"), ("drop_minor", "drop"),
    ("rake_box_minor", "rake"), ("closing_minor", "closer"), ("win_minor", "win"), ("game_win_minor", "by games"),
    ("cash_difference_minor", "cash ±"), ("chip_difference_minor", "chips ±"), ("rake_difference_minor", "rake ±"),
    ("other_minor", "other ±"),
)  # fmt: skip
"""A table's figures and their heads. win − by games = all that is marked ±: cash + chips + rake + other; `rake`: what
lay in its box."""

_SELDOM = frozenset({"rake_box_minor", "rake_difference_minor", "other_minor"})
"""Figures that most tables do not have."""

DESK_FIGURES: tuple[tuple[str, str], ...] = (
    ("opening_minor", "opener"), ("in_minor", "in"), ("out_minor", "out"), ("player_minor", "players"),
    ("closing_minor", "closer"), ("chip_difference_minor", "chips ±"),
)  # fmt: skip

DIFFERENCES = frozenset({"cash_difference_minor", "chip_difference_minor", "rake_difference_minor", "other_minor"})
"""Figures that are nothing when all is well."""

_KINDS: dict[str, str] = {
    "float": "float",
    "desk": "desk",
    "drop": "drop box",
    "rake": "rake box",
    "opener": "opener",
    "other": "float",
    "foreign": "float",
    "not_counted": "not counted",
    "not_closed": "not closed",
    "not_judged": "not judged",
    "no_session": "no session",
    "slip": "slip",
    "paid_otherwise": "round",
    "undecided": "round",
    "ruling_open": "ruling",
}


def kind_text(exception: Row) -> str:
    """What it is about, in a word or two; a rule of every table (TB-01 …) stands for itself."""
    kind: str = exception["kind"]
    return _KINDS.get(kind, kind)


def what(exception: Row) -> str:
    """The exception in a sentence."""
    currency = exception["currency"] or CHIPS
    apart, about = exception["difference_minor"], exception["about"] or ""
    expected, found = (_money(exception[name], currency) for name in ("expected_minor", "found_minor"))
    short = "" if apart is None else f"{'short' if apart < 0 else 'over'} by {money_text(abs(apart), currency)}"
    words = {
        "float": f"chips {short}: {expected} should lie there by the record, {found} were counted",
        "desk": f"chips {short}: {expected} should lie there by the record, {found} were counted",
        "drop": f"cash {short}: {expected} were paid in by the record, {found} were in the box",
        "rake": f"rake {short}: {expected} were taken by the record, {found} were in the box",
        "opener": f"{short}: {expected} lay there at the last close ({_session(about)}), {found} at the opening",
        "other": f"chips came or went without a cause: {found} in all",
        "foreign": f"chips of another currency {'lie in' if (apart or 0) > 0 else 'were paid out of'} the float by the "
        f"record, which no count tells: {found}",
        "not_counted": f"nobody counted the {about}",
        "not_closed": "no record closes the session: is it still open, or is its end not here yet?",
        "not_judged": f"it could not be judged: {exception['text']}",
        "no_session": "it was open the day before and has no session: not opened, or its records are not here",
        "slip": f"slip {about}: {exception['text']}" + (f" ({found} and {expected})" if apart else ""),
        "paid_otherwise": f"{short_round(about)} was paid otherwise than due ({_standing(exception)})",
        "undecided": f"{short_round(about)} waits for a person's word ({_standing(exception)})",
        "ruling_open": f"ruling {about}: not everybody was paid or has paid",
    }
    return words.get(exception["kind"], exception["text"] or "")


def _standing(exception: Row) -> str:
    return (exception["text"] or "").replace("_", " ")


def next_step(exception: Row) -> str:
    """The command that leads on from an exception."""
    kind, about = exception["kind"], exception["about"] or ""
    if kind in ("paid_otherwise", "undecided"):
        return f"recoup judge {about.removeprefix('table/')}"
    if kind == "ruling_open":
        return f"recoup dispute show {about.rpartition('.R')[0]}"
    if kind in ("TB-01", "TB-02", "TB-03", "TB-13", "not_closed", "no_session"):
        return "recoup gaps"
    return ""


def short_round(address: str) -> str:
    """`table/brno/RL-03/2026-11-28.1#7` → `RL-03#7`."""
    subject, _hash, name = address.partition("#")
    return f"{subject.split('/')[2] if subject.count('/') > 1 else subject}#{name}"


def _session(subject: str) -> str:
    return subject.rpartition("/")[2]


def change_texts(changed: list[Change], new: list[str], gone: list[str]) -> list[str]:
    """What has changed since it was signed: figures, and exceptions by their ids."""
    lines = [f"{one.book}, {one.figure.replace('_', ' ')}: {_plain(one.was)} → {_plain(one.now)}" for one in changed]
    lines += [f"exceptions, {word}: {', '.join(ids)}" for word, ids in (("new", new), ("gone", gone)) if ids]
    return lines or ["no money and no exception; how many rounds or bets there were, or the words of an exception"]


def _plain(amount: int | None) -> str:
    return "—" if amount is None else figure_text(amount)


def _money(amount: int | None, currency: str) -> str:
    return "—" if amount is None else money_text(amount, currency)


def shown(rows: list[Row], figures: tuple[tuple[str, str], ...]) -> list[tuple[str, str]]:
    """The figures worth a column, each with its head: what hardly any table has only where one of these has it."""
    return [(name, head) for name, head in figures if name not in _SELDOM or any(row[name] != 0 for row in rows)]


def figure(row: Row, name: str) -> str:
    """A figure for people; a dot for nothing, a dash for what nobody counted."""
    amount = row[name]
    return "—" if amount is None else figure_text(amount) if amount else "·"


def win_by_it(row: Row) -> str:
    """What a ruling does to the house's win, in its own currency."""
    text = figure(row, "win_effect_minor")
    return f"{text} {unit_text(row['currency'] or CHIPS)}" if row["win_effect_minor"] else text


def total(rows: list[Row], name: str) -> int | None:
    """The sum over tables of one currency; None if one of them lacks the figure."""
    amounts = [row[name] for row in rows]
    return None if any(amount is None for amount in amounts) else sum(amounts)
