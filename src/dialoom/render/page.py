"""Self-contained HTML pages in one style, and the elements that pages share.

    page("lint of star", [Section("Findings", table(["code", "n"], [["E101", 3]], "Findings"))])

A page loads nothing from elsewhere (its content security policy forbids it) and runs no script; it
follows the reader's choice of light or dark colours. The same content gives the same bytes. Bodies
are HTML; data goes through the functions of this package, which escape it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib import resources

from dialoom.render.plots import share
from dialoom.render.tables import Html, ResultTable, Row, to_html
from dialoom.render.transcript import clean

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""The content security policy of pages: only their own style is allowed."""

UNFOLDED = 12
"""Counts of a card that are shown at once."""

_BREAKS = re.compile(r"(?<=_)(?=.)|(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Section:
    """One part of a page: its heading, also for the contents, and its content as HTML."""

    title: str
    body: str


def page(title: str, sections: Sequence[Section], *, kind: str = "dialoom", lead: str = "") -> str:
    """Return a page: heading, table of contents with a link to each section, and the sections.

    Args:
        sections: Its sections, in order; those with an empty body are left out.
        kind: The small line above the heading, usually the command that made the page.
        lead: HTML between the heading and the table of contents, such as tiles or a paragraph.
    """
    entries = [section for section in sections if section.body]
    ids = _ids(entries)
    links = "".join(
        f'<a href="#{name}">{text(section.title)}</a>\n'
        for name, section in zip(ids, entries, strict=True)
    )
    body = "".join(
        f'<section id="{name}">\n<h2>{text(section.title)}</h2>\n{section.body}</section>\n\n'
        for name, section in zip(ids, entries, strict=True)
    )
    contents = f'<nav aria-label="Contents">\n{links}</nav>\n' if len(entries) > 1 else ""
    return document(title, f"<main>\n\n{body}</main>\n", kind=kind, lead=lead + contents)


def document(
    title: str, body: str, *, kind: str, lead: str, policy: str = POLICY, more_style: str = ""
) -> str:
    """Return a whole document: its head, a header of kind, title and lead, and a body of HTML."""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{text(title)}</title>
<style>
{style()}{more_style}</style>
</head>
<body>
<header>
<p class="kind">{text(kind)}</p>
<h1>{text(title)}</h1>
{lead}</header>
{body}</body>
</html>
"""


def style() -> str:
    """Return the style sheet of all pages."""
    return resources.files(__package__).joinpath("style.css").read_text(encoding="utf-8")


def text(value: str) -> str:
    """Return a text from data as HTML: escaped, with control characters made visible."""
    return escape(clean(value))


def breakable(name: str) -> str:
    """Return an identifier as HTML that may break after `_` and before inner capitals."""
    return "<wbr>".join(escape(part) for part in _BREAKS.split(clean(name)))


def paragraph(words: str, style: str = "") -> str:
    """Return a paragraph of plain text; its style may be `note` or `notice`."""
    return f"<p{_class(style)}>{text(words)}</p>\n"


def link(address: str, words: str) -> Html:
    """Return a link, also as the cell of a table."""
    return Html(f'<a href="{escape(address, quote=True)}">{text(words)}</a>')


def definitions(pairs: Iterable[tuple[str, Sequence[str]]], style: str = "") -> str:
    """Return terms, each with its texts, as a list; empty if there are none."""
    entries = "".join(
        f"<dt>{text(term)}</dt>{''.join(f'<dd>{text(each)}</dd>' for each in texts)}\n"
        for term, texts in pairs
    )
    return f"<dl{_class(style)}>\n{entries}</dl>\n" if entries else ""


def table(
    header: Sequence[str], rows: Iterable[Row], label: str, *, title: str | None = None,
    digits: int = 2,
) -> str:  # fmt: skip
    """Return rows as a scrolling table, with `digits` decimals and a `label`."""
    return scroll(to_html(header, rows, title=title, digits=digits, thousands=True), label)


def noted_table(results: ResultTable, digits: int = 2) -> str:
    """Return a table that scrolls on a narrow page, with its notes below."""
    notes = "".join(paragraph(note, "note") for note in results.notes)
    return table(results.header, results.rows, results.title, digits=digits) + notes


def scroll(html: str, label: str) -> str:
    """Return wide content in a frame of its own that scrolls, also with the keyboard."""
    name = escape(clean(label), quote=True)
    return f'<div class="scroll" role="region" aria-label="{name}" tabindex="0">\n{html}</div>\n'


def tiles(facts: Iterable[tuple[str, int | float | str]]) -> str:
    """Return key figures in large type, each with its name below."""
    items = "".join(
        f'<li><span class="big">{figure(value)}</span><span class="what">{text(what)}</span></li>\n'
        for what, value in facts
    )
    return f'<ul class="tiles small">\n{items}</ul>\n' if items else ""


def counts(title: str, numbers: Mapping[str, int]) -> str:
    """Return a card with a bar for each count, relative to the largest, and `UNFOLDED` shown."""
    most = max(numbers.values(), default=0) or 1
    rows = [
        f'<tr><th scope="row">{breakable(name)}</th><td class="number">{figure(n)}</td>'
        f"<td>{share(n, most)}</td></tr>\n"
        for name, n in numbers.items()
    ]
    first, rest = rows[:UNFOLDED], rows[UNFOLDED:]
    more = f"<details>\n<summary>and {len(rest)} more</summary>\n{_bars(rest)}</details>"
    return (
        f'<div class="card">\n<h3>{text(title)}</h3>\n{_bars(first)}{more if rest else ""}</div>\n'
    )


def cards(pieces: Iterable[str]) -> str:
    """Return cards side by side; empty if there are none."""
    inside = "".join(pieces)
    return f'<div class="cards">\n{inside}</div>\n' if inside else ""


def folded(summary: str, html: str, *, is_open: bool = False) -> str:
    """Return content that is shown when its summary is clicked, or until then."""
    state = " open" if is_open else ""
    return f"<details{state}>\n<summary>{text(summary)}</summary>\n{html}</details>\n"


def figure(value: float | str) -> str:
    """Return a figure as HTML: a comma between thousands, and two decimals unless it is whole."""
    if isinstance(value, str):
        return text(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"


def _bars(rows: Sequence[str]) -> str:
    return f'<table class="bars">\n<tbody>\n{"".join(rows)}</tbody>\n</table>\n'


def _class(style: str) -> str:
    return f' class="{escape(style, quote=True)}"' if style else ""


def _ids(sections: Sequence[Section]) -> list[str]:
    ids: list[str] = []
    for section in sections:
        name = re.sub(r"[^a-z0-9]+", "-", section.title.lower()).strip("-") or "section"
        ids.append(name if name not in ids else f"{name}-{len(ids) + 1}")
    return ids
