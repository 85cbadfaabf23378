"""Tables from the same rows for a terminal and in HTML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from dialoom.render.transcript import clean

if TYPE_CHECKING:
    from rich.console import JustifyMethod
    from rich.table import Table


class Html(str):
    """The text of a cell that is HTML already, and is not escaped."""


Cell = str | int | float | bool | None
"""A cell's value; None is a missing figure, shown as a dash."""

Row = Sequence[Cell]

LONG = 30
"""Columns with a text of more characters than this get a minimum width."""

_FRAME = 3
"""Characters of a column besides its text: a line, and a blank on both sides."""


def interval_cell(bounds: Sequence[float | None] | None) -> str | None:
    """Return an interval as the text of a cell; None for a missing one, or without bounds."""
    low, high = bounds or (None, None)
    return None if low is None or high is None else f"{low:.2f} to {high:.2f}"


def distinct(names: Sequence[str], paths: Sequence[Path]) -> list[str]:
    """Return each name; the path where several share it, with a number where it is there twice."""
    labels: list[str] = []
    for name, path in zip(names, paths, strict=True):
        label = name if names.count(name) == 1 else str(path)
        labels.append(label if label not in labels else f"{label} ({len(labels) + 1})")
    return labels


class ResultTable(NamedTuple):
    """A table with its title and notes, for a terminal and a page.

    Attributes:
        title: Its title; empty for none.
    """

    title: str
    header: tuple[str, ...]
    rows: Sequence[Row]
    notes: tuple[str, ...] = ()

    def _repr_html_(self) -> str:
        notes = "".join(f"<p>{escape(clean(note))}</p>\n" for note in self.notes)
        return to_html(self.header, self.rows, title=self.title, digits=1) + notes


def to_rich(
    header: Sequence[str],
    rows: Iterable[Row],
    *,
    title: str | None = None,
    digits: int = 2,
    thousands: bool = False,
) -> Table:
    """Return rows as a terminal table; floats have `digits` decimals, `thousands` adds commas."""
    from rich.table import Table
    from rich.text import Text

    body = _checked(header, rows)
    table = Table(title=Text(clean(title)) if title else None)
    for index, name in enumerate(header):
        side: JustifyMethod = "right" if numeric(body, index) else "left"
        table.add_column(Text(clean(name)), justify=side, overflow="fold")
    for row in body:
        # Text, not str: a cell that looks like markup stays what it is.
        table.add_row(*(Text(spell(cell, digits, thousands)) for cell in row))
    return table


def to_html(
    header: Sequence[str],
    rows: Iterable[Row],
    *,
    title: str | None = None,
    digits: int = 2,
    thousands: bool = False,
) -> str:
    """Return rows as an HTML table, escaped; columns of numbers and of long texts get a class."""
    body = _checked(header, rows)
    classes = [_class(body, i) for i in range(len(header))]
    caption = f"<caption>{escape(clean(title))}</caption>\n" if title else ""
    names = _cells("th", classes, header, ' scope="col"')
    lines = "".join(
        f"<tr>{_cells('td', classes, [spell(cell, digits, thousands) for cell in row])}</tr>\n"
        for row in body
    )
    head = f"<thead><tr>{names}</tr></thead>\n"
    return f"<table>\n{caption}{head}<tbody>\n{lines}</tbody>\n</table>\n"


def percent(share: float | None) -> float | None:
    """Return a share, given from 0 to 1, in percent; None for None."""
    return None if share is None else 100 * share


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 warning`, `2,000 warnings`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def spell(cell: Cell, digits: int = 2, thousands: bool = False) -> str:
    """Return a cell as text."""
    if cell is None:
        return "–"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if thousands and isinstance(cell, int):
        return f"{cell:,}"
    if isinstance(cell, float):
        return f"{cell:.{digits}f}"
    return cell if isinstance(cell, Html) else clean(str(cell))


def _checked(header: Sequence[str], rows: Iterable[Row]) -> list[Row]:
    body = list(rows)
    for row in body:
        if len(row) != len(header):
            raise ValueError(f"a row of {len(row)} cells under {len(header)} columns: {row!r}")
    return body


def numeric(rows: Sequence[Row], index: int) -> bool:
    """Return whether a column has numbers only, which are aligned at the right."""
    cells = [row[index] for row in rows if row[index] is not None]
    numbers = [c for c in cells if isinstance(c, int | float) and not isinstance(c, bool)]
    return bool(cells) and len(numbers) == len(cells)


def _class(rows: Sequence[Row], index: int) -> str:
    if numeric(rows, index):
        return ' class="number"'
    long = any(type(row[index]) is str and len(str(row[index])) > LONG for row in rows)
    return ' class="words"' if long else ""


def _cells(tag: str, classes: Sequence[str], texts: Sequence[str], more: str = "") -> str:
    return "".join(
        f"<{tag}{kind}{more}>{text if isinstance(text, Html) else escape(clean(text))}</{tag}>"
        for kind, text in zip(classes, texts, strict=True)
    )


def in_blocks(table: ResultTable, width: int) -> Iterator[ResultTable]:
    """Split a table by columns into tables that fit a width without breaking words.

    Each of them has the first column, and published columns stay with the column of their corpus. A
    corpus that is too wide by itself gets a table of its own.

    Args:
        table: A table whose first column has the names of the rows.
    """
    columns = [[name, *(spell(row[place], thousands=True) for row in table.rows)]
               for place, name in enumerate(table.header)]  # fmt: skip
    blocks: list[list[int]] = [[]]
    for corpus in _corpora(table.header):
        if blocks[-1] and not _fits([columns[place] for place in (0, *blocks[-1], *corpus)], width):
            blocks.append([])
        blocks[-1] += corpus
    for number, block in enumerate(blocks, start=1):
        places = (0, *block)
        yield ResultTable(
            table.title if len(blocks) == 1 else f"{table.title} ({number} of {len(blocks)})",
            tuple(table.header[place] for place in places),
            [[row[place] for place in places] for row in table.rows],
            table.notes if number == len(blocks) else (),
        )


def _corpora(header: Sequence[str]) -> Iterator[list[int]]:
    """Yield the indices of each corpus's columns: its own, and the published ones after it."""
    indices: list[int] = []
    for place in range(1, len(header)):
        if indices and not header[place].endswith(f", {header[indices[0]]}"):
            yield indices
            indices = []
        indices.append(place)
    if indices:
        yield indices


def _fits(columns: Sequence[Sequence[str]], width: int) -> bool:
    """True if columns fit with their longest words, so that no word is broken."""
    word = max(len(word) for column in columns for text in column for word in text.split())
    wide = (min(max(map(len, column)), word) + _FRAME for column in columns)
    return sum(wide) + 1 <= width
