"""The night in words: what an exception says, where it leads, and the figures as people read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from events.values.money import CHIPS, figure_text, money_text, unit_text

if TYPE_CHECKING:
    from cli.night_data import Account
    from projections.night import Change, Late

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

_HEADS = {name.removesuffix("_minor"): head for name, head in (*FIGURES, *DESK_FIGURES)}
_ORDER = {name: place for place, name in enumerate(_HEADS)}

DIFFERENCES = frozenset({"cash_difference_minor", "chip_difference_minor", "rake_difference_minor", "other_minor"})
"""Figures that are nothing when all is well."""

_LATE_SHOWN = 4
"""So many late records are named for a book."""

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
    "called_off": "round",
    "paid_otherwise": "round",
    "not_settled": "round",
    "undecided": "round",
    "ruling_open": "ruling",
}


_UNDECIDED: dict[str, str] = {
    "voidable": "may be declared void by management; until then it counts",
    "ruling_required": "needs a manager's ruling: the rules do not fix the money",
    "cannot_tell": "cannot be judged: the record does not tell what is due",
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
    said = f" ({exception['text'].replace('_', ' ')})" if exception["text"] else ""
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
        "slip": _slip(exception, found, expected),
        "called_off": f"{short_round(about)} was called off by the table without a ground that the rules give{said}; "
        "a manager must rule on it",
        "paid_otherwise": f"{short_round(about)} was paid otherwise than due{said}",
        "not_settled": f"{short_round(about)} has bets, and no record says how they were settled{said}",
        "undecided": f"{short_round(about)} {_UNDECIDED.get(exception['standing'], 'is not decided')}{said}",
        "ruling_open": f"ruling {about}: not everybody was paid or has paid",
    }
    return words.get(exception["kind"], exception["text"] or "")


def _slip(exception: Row, found: str, expected: str) -> str:
    """A slip with one end names the book that wrote it: the other one is asked. With two amounts: who wrote which."""
    slip, units = f"slip {exception['about']}", exception["unit"].split(", ")
    if exception["text"] == "one end only":
        return f"{slip}: {units[0]} wrote it, no other book did"
    if exception["difference_minor"] and len(units) > 1:
        return f"{slip}: {units[0]} wrote {found}, {units[1]} {expected}"
    return f"{slip}: {exception['text']}" + (f" ({found} and {expected})" if exception["difference_minor"] else "")


def next_step(exception: Row) -> str:
    """The command that leads on from an exception."""
    kind, about = exception["kind"], exception["about"] or ""
    if kind in ("called_off", "paid_otherwise", "not_settled", "undecided"):
        return f"recoup judge {about.removeprefix('table/')}"
    if kind == "ruling_open":
        return f"recoup dispute show {about.rpartition('.R')[0]}"
    if kind in ("TB-01", "TB-02", "TB-03", "TB-13", "not_closed", "no_session"):
        return "recoup gaps"
    return ""


def mending(exception: Row) -> str:
    """The command by which a count or a slip that was written down wrong is set right, a desk's too."""
    if exception["kind"] not in ("float", "desk", "drop", "rake", "opener", "slip") or not exception["cites"]:
        return ""
    cite, subject = exception["cites"][-1], exception["subjects"][-1]
    return f'recoup correct {cite} "amount=…" --in {subject} --reason "…", if it was written down wrong'


def short_round(address: str) -> str:
    """`table/brno/RL-03/2026-11-28.1#7` → `RL-03#7`."""
    subject, _hash, name = address.partition("#")
    return f"{subject.split('/')[2] if subject.count('/') > 1 else subject}#{name}"


def _session(subject: str) -> str:
    return subject.rpartition("/")[2]


def since_texts(account: Account) -> list[str]:
    """What has changed since two persons signed, book by book with the late records that changed it; then those late
    records (TB-12) that changed no figure."""
    lines: list[str] = []
    told: list[Late] = []
    for book in dict.fromkeys(one.book for one in account.changed):
        own = sorted((one for one in account.changed if one.book == book), key=lambda one: _ORDER.get(one.figure, 0))
        late = account.late_in(book)
        told += late
        by = f"by {_records(late)}" if late else "by no late record: a ruling, a dispute, or the rules in force"
        lines.append(f"{book}, {', '.join(map(_change_text, own))}; {by}")
    if account.day.closings and not account.is_signed_as_it_stands:
        both = (("new", account.new), ("gone", account.gone))
        lines += [f"exceptions, {word}: {', '.join(ids)}" for word, ids in both if ids]
        lines = lines or ["no figure and no exception: how many rounds or bets there were, or an exception's words"]
    if rest := [one for one in account.late if one not in told]:
        lines.append(f"came after the signing and changed no figure: {_records(rest)}")
    return lines


def _change_text(one: Change) -> str:
    head = _HEADS.get(one.figure, one.figure.replace("_", " "))
    return f"{head}: {_plain(one.was)} → {_plain(one.now)}"


def _records(late: list[Late]) -> str:
    """The first of them with when they came; all are in the JSON."""
    said = [f"{one.topic} {one.cite} of {one.recorded_at:%Y-%m-%d %H:%M} (TB-12)" for one in late[:_LATE_SHOWN]]
    more = len(late) - len(said)
    return ", ".join(said) + (f" and {more:,} more" if more else "")


def float_text(book: Row) -> str:
    """How what should lie in a float comes about: only what is not nothing."""
    is_desk = book["kind"] == "desk"
    rest = book["expected_minor"] - book["opening_minor"] - book["fill_minor"] + book["credit_minor"]
    games = book["game_win_minor"] - book["rake_minor"]
    parts = [("fills", book["fill_minor"]), ("credits", -book["credit_minor"])]
    if is_desk:
        parts = [("in", book["fill_minor"]), ("out", -book["credit_minor"]), ("players", rest)]
    else:
        parts += [("by games", games), ("other", book["other_minor"]), ("sold", rest - games - book["other_minor"])]
    said = "".join(
        f" {'−' if amount < 0 else '+'} {figure_text(abs(amount))} {name}" for name, amount in parts if amount
    )
    expected, counted = (_money(book[name], book["currency"] or CHIPS) for name in ("expected_minor", "closing_minor"))
    return f"{figure_text(book['opening_minor'])} opener{said} = {expected} by the record; {counted} were counted"


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
