"""The night as one HTML page: nothing but itself, to be read on a screen, printed on A4 and signed by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import TYPE_CHECKING, Any

from cli.night_words import (
    DESK_FIGURES,
    DIFFERENCES,
    FIGURES,
    figure,
    kind_text,
    shown,
    since_texts,
    total,
    what,
    win_by_it,
)
from cli.screen import number
from events.values.clock import time_text

if TYPE_CHECKING:
    from cli.night_data import Account

_STYLE = """
:root { color-scheme: light; --ink: #1c1f24; --faint: #6b7280; --line: #d9dce1; --bad: #b3261e; --good: #1a7f4b; }
* { box-sizing: border-box; } html { font-size: 15px; }
body { font: 1rem/1.45 system-ui, "Segoe UI", "Noto Sans", Arial, sans-serif; color: var(--ink); background: #fff;
  max-width: 1180px; margin: 2rem auto; padding: 0 1.5rem; }
h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.05rem; margin: 1.8rem 0 .4rem; }
.sub { color: var(--faint); margin: .15rem 0 0; }
.state { margin: 1rem 0 0; padding: .6rem .9rem; border-left: 4px solid var(--faint); background: #f5f6f8; }
.state.good { border-color: var(--good); } .state.failed { border-color: var(--bad); }
.state p:first-child { font-weight: 600; }
.state p { margin: .15rem 0; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th { text-align: right; font-weight: 500; color: var(--faint); font-size: .85rem; padding: .3rem .55rem;
  border-bottom: 1px solid var(--ink); white-space: nowrap; }
td { text-align: right; padding: .32rem .55rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
th:first-child, td:first-child { text-align: left; padding-left: 0; } th:last-child, td:last-child { padding-right: 0; }
td:first-child { font-weight: 600; }
tr.all td { border-bottom: 0; border-top: 1px solid var(--ink); font-weight: 600; }
td.none { color: #b6bac1; font-weight: 400; } td.win { font-weight: 700; } .bad { color: var(--bad); }
td.apart { font-weight: 700; color: var(--bad); }
table.words th, table.words td { text-align: left; vertical-align: top; white-space: normal; }
table.words td.key, table.words .id { white-space: nowrap; }
.id { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .85rem; font-weight: 400; }
.records { display: block; color: var(--faint); font-size: .8rem; overflow-wrap: anywhere; }
.signatures { display: grid; grid-template-columns: 1fr 1fr; gap: 3rem; margin: 3.2rem 0 0; break-inside: avoid; }
.signatures div { border-top: 1px solid var(--ink); padding-top: .3rem; color: var(--faint); font-size: .85rem; }
footer { margin-top: 2rem; color: var(--faint); font-size: .8rem; overflow-wrap: anywhere; }
@page { size: A4 landscape; margin: 12mm; }
@media print { html { font-size: 10.5px; } body { margin: 0; padding: 0; max-width: none; } h2 { break-after: avoid; }
  tr { break-inside: avoid; } .state { background: none; border: 1px solid var(--line); border-left-width: 4px; } }
"""


def page(account: Account) -> str:
    """The whole page."""
    one = account.night
    title = f"Night of {one.day}, {one.house}"
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>",
            f"<h1>{escape(title)}</h1>",
            *_state(account),
            *_exceptions(one.exceptions),
            *_books("Tables", "table", one.tables, FIGURES),
            *_books("Desks", "desk", one.desks, DESK_FIGURES),
            *_rulings(one.rulings, one.tables),
            *_foot(account),
            "</body>\n</html>\n",
        ]
    )


def _state(account: Account) -> Iterator[str]:
    one = account.night
    rounds = sum(row["rounds"] for row in one.tables)
    floor = ((len({row["unit"] for row in one.tables}), "table"), (len(one.desks), "desk"), (rounds, "round"))
    yield f'<p class="sub">{", ".join(number(*one) for one in floor)}</p>'
    count = len(one.exceptions)
    said = ["No exceptions: every book adds up." if not count else f"{count} exception{'s' if count > 1 else ''}."]
    tone = "failed" if account.needs_a_look or account.seal_fault else "good"
    for closing in account.day.closings:
        first, second = closing.by
        said.append(f"Signed by {first} and {second}, {_clock(time_text(closing.at))}.")
    waiting = account.day.waiting(one.digest)
    if waiting is not None:
        said.append(f"Signed by {waiting.person}; a second person is needed.")
    elif not account.day.closings:
        said.append("Not signed yet.")
    lines = [f"<p>{escape(text)}</p>" for text in said]
    if account.day.closings and not account.is_signed_as_it_stands:
        lines.append('<p class="bad"><strong>Changed since it was signed</strong></p>')
    lines += [f"<p>{escape(text)}</p>" for text in since_texts(account)]
    if account.seal_fault:
        lines.append(f'<p class="bad"><strong>Not as it was sealed: {escape(account.seal_fault)}</strong></p>')
    yield f'<div class="state {tone}">{"".join(lines)}</div>'


def _clock(text: str) -> str:
    return text[:16].replace("T", " ")


def _exceptions(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    rows = list(rows)
    if not rows:
        return
    yield "<h2>Exceptions</h2>"
    yield '<table class="words"><thead><tr><th>where</th><th>what</th><th></th><th>id</th></tr></thead><tbody>'
    for row in rows:
        records = f'<span class="records">{escape(", ".join(row["cites"]))}</span>' if row["cites"] else ""
        yield (
            f'<tr><td class="key">{escape(row["unit"])}</td>'
            f'<td class="key bad">{escape(kind_text(row))}</td>'
            f'<td>{escape(what(row))}{records}</td><td class="id">{escape(row["id"])}</td></tr>'
        )
    yield "</tbody></table>"


def _books(
    title: str, head: str, rows: Iterable[dict[str, Any]], figures: tuple[tuple[str, str], ...]
) -> Iterator[str]:
    """A table of figures for each currency."""
    rows = list(rows)
    named = shown(rows, figures)
    for currency in dict.fromkeys(row["currency"] for row in rows):
        own = [row for row in rows if row["currency"] == currency]
        yield f"<h2>{title}, {escape(currency or 'currency unknown')}</h2><table><thead><tr><th>{head}</th>"
        yield "".join(f"<th>{escape(text)}</th>" for _name, text in named) + "</tr></thead><tbody>"
        for row in own:
            yield f"<tr><td>{escape(row['unit'])}</td>{''.join(_cell(row, name) for name, _text in named)}</tr>"
        if len(own) > 1:
            sums = {name: total(own, name) for name, _text in named}
            yield f'<tr class="all"><td>all</td>{"".join(_cell(sums, name) for name, _text in named)}</tr>'
        yield "</tbody></table>"


def _cell(row: dict[str, Any], name: str) -> str:
    text = figure(row, name)
    kind = "none" if text == "·" else "apart" if name in DIFFERENCES else "win" if name == "win_minor" else ""
    return f"<td{f' class={kind}' if kind else ''}>{escape(text)}</td>"


def _rulings(rows: Iterable[dict[str, Any]], tables: Iterable[dict[str, Any]]) -> Iterator[str]:
    voids = [f"{row['unit']} {row['voids']}" for row in tables if row["voids"]]
    if voids:
        yield f"<h2>Void rounds</h2><p>{escape(', '.join(voids))}</p>"
    rows = list(rows)
    if not rows:
        return
    yield "<h2>Rulings</h2><table><thead><tr><th>table</th><th>ruling</th><th>remedy</th><th>rounds</th>"
    yield "<th>win by it</th><th>money</th></tr></thead><tbody>"
    for row in rows:
        left = row["open_players"]
        cells = [row["ruling"], row["remedy"], str(row["rounds_ruled"]), win_by_it(row)]
        state = f'<td class="apart">{left} open</td>' if left else "<td>settled</td>"
        yield f"<tr><td>{escape(row['unit'])}</td>{''.join(f'<td>{escape(one)}</td>' for one in cells)}{state}</tr>"
    yield "</tbody></table>"


def _foot(account: Account) -> Iterator[str]:
    one = account.night
    yield '<div class="signatures"><div>first signature, name and time</div><div>second signature</div></div>'
    yield (
        "<footer>win = closer + credits + drop + rake box − opener − fills; win − by games = all "
        f"that is marked ±.<br>Digest {one.digest}; `recoup views rebuild` and `recoup night {one.day}` compute it "
        "again from the log.</footer>"
    )
