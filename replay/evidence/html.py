"""A report as one page: no script, nothing to load, readable on a screen, by keyboard, and printed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape

from games.picture import Mark, Panel, Plan, Span
from replay.evidence.blocks import (
    Block,
    Bullets,
    Drawing,
    Fields,
    Heading,
    Kept,
    Quote,
    Report,
    Table,
    Text,
    Words,
    alarms,
    drawn,
    has_cards,
    shown_card,
    size_of,
    visible,
)

_STYLE = """
:root { --ink: #16181d; --faint: #5a616c; --rule: #c9ccd2; --felt: #0d4a32; --paper: #fff; }
* { box-sizing: border-box; }
html { font: 17px/1.5 "DejaVu Sans", Verdana, "Segoe UI", sans-serif; color: var(--ink); background: #eceef0; }
body { max-width: 64rem; margin: 0 auto; padding: 0 0 4rem; background: var(--paper); }
.sheet { display: table; width: 100%; margin: 0; table-layout: fixed; font-size: 1rem; }
.sheet > thead > tr > th { position: sticky; top: 0; z-index: 1; padding: .55rem 2rem; border: 0; text-align: left;
  background: #7a1420; color: #fff; letter-spacing: .02em; }
.sheet > tbody > tr > td { padding: 0 2rem; border: 0; white-space: normal; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 1.6rem 0 .2rem; }
nav { margin: 0 0 1.2rem; } nav a { color: var(--felt); } h2 { scroll-margin-top: 3rem; }
.subtitle { margin: 0 0 1.6rem; color: var(--faint); font-size: 1.1rem; }
h2 { font-size: 1.45rem; margin: 2.6rem 0 .6rem; padding-top: .8rem; border-top: 3px solid var(--felt); }
h3 { font-size: 1.15rem; margin: 1.8rem 0 .4rem; }
h4 { font-size: 1rem; margin: 1.4rem 0 .3rem; }
p { margin: .4rem 0; overflow-wrap: anywhere; }
p.mark { padding: .7rem 1rem; border-left: 6px solid var(--felt); background: #f1f6f3; }
p.alarm { border-color: #7a1420; background: #faf1f2; }
dl { display: grid; grid-template-columns: minmax(9rem, max-content) 1fr; gap: .25rem 1.4rem; margin: .6rem 0; }
dt { color: var(--faint); }
dd { margin: 0; overflow-wrap: anywhere; min-width: 0; }
ul { margin: .3rem 0; padding-left: 1.3rem; }
blockquote { margin: .6rem 0; padding: .5rem 1.1rem; border-left: 6px solid var(--felt); background: #f1f6f3; }
blockquote cite { display: block; margin-top: .3rem; color: var(--faint); font-style: normal; font-size: .92rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: .7rem 0; width: 100%; font-size: .94rem; }
th { text-align: left; font-weight: bold; border-bottom: 2px solid var(--ink); padding: .3rem .6rem;
  vertical-align: bottom; }
td { border-bottom: 1px solid var(--rule); padding: .3rem .6rem; vertical-align: top; overflow-wrap: break-word;
  white-space: pre-line; }
th.right, td.right { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
figure { margin: .8rem 0; border: 1px solid var(--felt); }
figcaption, .panel { background: var(--felt); color: #fff; padding: .2rem .8rem; font-size: .9rem; font-weight: bold; }
.panel { background: #dfe9e3; color: var(--felt); }
pre { margin: 0; padding: .4rem .8rem; overflow-x: auto; background: #fbfaf5;
  font: .82rem/1.17 "DejaVu Sans Mono", Consolas, Menlo, monospace; }
pre.loose { line-height: 1.62; }
.card { background: #fff; border-radius: 3px; box-shadow: 0 0 0 1px #8b919b; font-weight: bold; }
.card.dim { box-shadow: 0 0 0 1px #c9ccd2; font-weight: normal; }
.plan { display: block; width: 100%; font-family: "DejaVu Sans", Verdana, sans-serif; }
.plan text { text-anchor: middle; dominant-baseline: central; fill: #fff; }
.plan text.bold { font-weight: bold; }
.plan .cloth, .plan .field { fill: var(--felt); stroke: none; } .plan .field { stroke: #e9e2c8; stroke-width: 2; }
.plan .field.red { fill: #a3121d; } .plan .field.black { fill: #17181b; }
.plan .frame { fill: none; stroke: #ffd24a; stroke-width: 6; }
.plan .chip { fill: #f4efe0; stroke: #b8860b; stroke-width: 3; }
.plan text.on-chip { fill: #16181d; font-weight: bold; }
.name { white-space: nowrap; }
.bold { font-weight: bold; } .dim { color: var(--faint); } .red { color: #b3121d; font-weight: bold; }
.black { font-weight: bold; } .green { color: #0a6b3d; font-weight: bold; } .gold { color: #8a5a00; font-weight: bold; }
.good { color: #0a6b3d; font-weight: bold; } .bad { color: #b3121d; font-weight: bold; }
.now { background: #ffe28a; font-weight: bold; }
.kept { break-inside: avoid; }
footer { margin: 3rem 2rem 0; padding-top: .6rem; border-top: 1px solid var(--rule); color: var(--faint);
  font-size: .9rem; }
@media (max-width: 45rem) {
  .sheet > thead > tr > th, .sheet > tbody > tr > td { padding-left: 1rem; padding-right: 1rem; }
  dl { grid-template-columns: 1fr; } dd { margin-bottom: .5rem; } .scroll table { min-width: 42rem; }
}
@page { size: A4; margin: 12mm 14mm 14mm; }
@media print {
  html { font-size: 12px; background: none; } nav { display: none; }
  body { max-width: none; padding: 0; }
  /* The head of the sheet is printed on every page. */
  .sheet > thead > tr > th { position: static; padding: 1.5mm 3mm; border-bottom: 4mm solid #fff; }
  .sheet > tbody > tr > td { padding: 0; }
  figure, .scroll tr, blockquote, h2, h3, h4 { break-inside: avoid; } h2, h3, h4 { break-after: avoid; }
  h2 { break-before: page; } h2:first-of-type { break-before: auto; }
  .scroll { overflow: visible; }
  pre { white-space: pre; font-size: 10.4px; padding: .3rem; overflow: visible; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""


def page(report: Report) -> bytes:
    """The whole page, UTF-8."""
    title = escape(visible(report.title))
    parts = [
        "<!DOCTYPE html>\n",
        '<html lang="en">\n<head>\n<meta charset="utf-8">\n',
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
        # Nothing is ever loaded or run, whatever a claim or a note may hold.
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n",
        f"<title>{title}: {escape(report.banner)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n",
        # A table's head is what every browser prints on every page.
        f'<table class="sheet" role="presentation">\n<thead><tr><th>{escape(report.banner)}</th></tr></thead>\n',
        "<tbody><tr><td>\n<main>\n",
        f'<h1>{_unbroken(title)}</h1>\n<p class="subtitle">{_unbroken(escape(visible(report.subtitle)))}</p>\n',
        *_contents(report.blocks),
        *_blocks(report.blocks),
        f"</main>\n</td></tr></tbody>\n</table>\n<footer>{escape(visible(report.foot))}</footer>\n</body>\n</html>\n",
    ]
    return "".join(parts).encode()


def _contents(blocks: Iterable[Block]) -> Iterator[str]:
    """The parts, to go to."""
    parts = [block.text for block in blocks if isinstance(block, Heading) and block.level == 1]
    links = " · ".join(f'<a href="#{_anchor(text)}">{escape(visible(text))}</a>' for text in parts)
    yield f'<nav aria-label="parts">{links}</nav>\n'


def _anchor(text: str) -> str:
    return "-".join(re.findall(r"[a-z0-9]+", text.lower()))


def _blocks(blocks: Iterable[Block]) -> Iterator[str]:
    for block in blocks:
        yield from _block(block)


def _block(block: Block) -> Iterator[str]:
    match block:
        case Heading(text, level):
            anchor = f' id="{_anchor(text)}"' if level == 1 else ""
            yield f"<h{level + 1}{anchor}>{escape(visible(text))}</h{level + 1}>\n"
        case Text(words, mark):
            kind = ' class="mark alarm"' if mark and alarms(words) else ' class="mark"' if mark else ""
            yield f"<p{kind}>{_prose(words)}</p>\n"
        case Bullets(lines):
            yield "<ul>" + "".join(f"<li>{_spans(line)}</li>" for line in lines) + "</ul>\n"
        case Fields(rows):
            yield "<dl>" + "".join(f"<dt>{escape(name)}</dt><dd>{_spans(own)}</dd>" for name, own in rows) + "</dl>\n"
        case Quote(text, source):
            yield f"<blockquote>{escape(visible(text))}<cite>{escape(visible(source))}</cite></blockquote>\n"
        case Table():
            yield from _table(block)
        case Drawing(title, picture):
            yield f"<figure><figcaption>{escape(title)}</figcaption>\n"
            yield from (_panel(panel) for panel in picture)
            yield "</figure>\n"
        case Kept(blocks):
            yield '<section class="kept">\n'
            yield from _blocks(blocks)
            yield "</section>\n"


def _table(table: Table) -> Iterator[str]:
    sides = [' class="right"' if at in table.right else "" for at in range(len(table.heads))]
    heads = "".join(f'<th scope="col"{side}>{escape(head)}</th>' for head, side in zip(table.heads, sides, strict=True))
    columns = "".join(f'<col style="width: {wide}%">' for wide in table.wide)
    yield f'<div class="scroll"><table>\n<colgroup>{columns}</colgroup>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n'
    for row in table.rows:
        yield "<tr>" + "".join(f"<td{side}>{_spans(cell)}</td>" for cell, side in zip(row, sides, strict=True))
        yield "</tr>\n"
    yield "</tbody>\n</table></div>\n"


def _panel(panel: Panel) -> str:
    title = f'<div class="panel">{escape(panel.title)}</div>' if panel.title else ""
    if panel.plan is not None:
        return title + _plan(panel.plan, panel.title)
    kind = ' class="loose"' if has_cards(panel) else ""
    return f"{title}<pre{kind}>" + "\n".join(_spans(line) for line in drawn(panel)) + "</pre>\n"


def _plan(plan: Plan, title: str) -> str:
    """The cloth from above."""
    marks = "".join(map(_mark, plan.marks))
    return (
        f'<svg class="plan" viewBox="0 0 {plan.wide} {plan.high}" role="img" aria-label="{escape(visible(title))}">'
        f'<rect class="cloth" width="{plan.wide}" height="{plan.high}"/>{marks}</svg>\n'
    )


def _mark(mark: Mark) -> str:
    left, top = mark.x - mark.wide // 2, mark.y - mark.high // 2
    text = ""
    if mark.text:
        kind = f"on-{mark.kind} {mark.style}".strip()
        text = f'<text x="{mark.x}" y="{mark.y}" font-size="{size_of(mark)}" class="{kind}">'
        text += f"{escape(visible(mark.text))}</text>"
    if mark.kind == "text":
        return text
    if mark.kind == "chip":
        return f'<circle class="chip" cx="{mark.x}" cy="{mark.y}" r="{mark.wide // 2}"/>{text}'
    kind = f"{mark.kind} {mark.style}".strip()
    return f'<rect class="{kind}" x="{left}" y="{top}" width="{mark.wide}" height="{mark.high}"/>{text}'


def _spans(spans: Words) -> str:
    return "".join(_span(span) for span in spans)


_NAMES = re.compile(r"\b(?:[a-z]{1,3}-\d+|\d{4}-\d\d-\d\d(?:\.\d+(?:\.R\d+)?)?)\b")
"""What a browser would break at its hyphen, and nobody reads as one word then: p-4, 2026-11-28.1."""


def _prose(spans: Words) -> str:
    """Words of a paragraph, with the names in them kept whole."""
    return _unbroken(_spans(spans))


def _unbroken(html: str) -> str:
    return _NAMES.sub(r'<span class="name">\g<0></span>', html)


def _span(span: Span) -> str:
    text = escape(visible(span.text))
    if shown_card(span):
        return f'<span class="card {span.style}">{text}</span>'
    return f'<span class="{span.style}">{text}</span>' if span.style else text
