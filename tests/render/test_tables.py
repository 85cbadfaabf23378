"""Rows as tables, on a terminal and in HTML."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from dialoom.render.tables import Cell, spell, to_html, to_rich

HEADER = ["task", "F1", "turns", "seen"]
ROWS: list[list[Cell]] = [["weather", 58.456, 1200, True], ["<trip>", None, 7, False]]


def test_a_terminal_table() -> None:
    console = Console(file=StringIO(), width=60, color_system=None)
    console.print(to_rich(HEADER, ROWS, title="[b]Scores[/b]"))
    assert isinstance(console.file, StringIO)
    rows = [line.strip() for line in console.file.getvalue().splitlines()]
    assert rows[0] == "[b]Scores[/b]"  # what looks like markup is left alone
    assert rows[2] == "┃ task    ┃    F1 ┃ turns ┃ seen ┃"
    assert rows[4] == "│ weather │ 58.46 │  1200 │ yes  │"
    assert rows[5] == "│ <trip>  │     – │     7 │ no   │"


def test_an_html_table() -> None:
    assert to_html(HEADER, ROWS, title="A & B", digits=1) == (
        "<table>\n<caption>A &amp; B</caption>\n"
        '<thead><tr><th scope="col">task</th><th class="number" scope="col">F1</th>'
        '<th class="number" scope="col">turns</th><th scope="col">seen</th></tr></thead>\n'
        "<tbody>\n"
        '<tr><td>weather</td><td class="number">58.5</td><td class="number">1200</td>'
        "<td>yes</td></tr>\n"
        '<tr><td>&lt;trip&gt;</td><td class="number">–</td><td class="number">7</td>'
        "<td>no</td></tr>\n"
        "</tbody>\n</table>\n"
    )


def test_a_table_without_rows() -> None:
    assert "<tbody>\n</tbody>" in to_html(["task"], [])
    assert to_rich(["task"], []).row_count == 0


def test_a_row_of_another_length_is_a_bug_and_says_so() -> None:
    with pytest.raises(ValueError, match="1 cells under 4 columns"):
        to_html(HEADER, [["weather"]])


@pytest.mark.parametrize(
    ("cell", "expected"),
    [(None, "–"), (True, "yes"), (3, "3"), (2.0, "2.00"), ("a\x1bb", "a␛b"), ("", "")],
)
def test_cells(cell: Cell, expected: str) -> None:
    assert spell(cell) == expected


def test_a_column_of_long_texts_is_not_squeezed() -> None:
    html = to_html(
        ["system", "about"], [["one", "short"], ["two", "ten domains, each left out once"]]
    )
    assert html.count('class="words"') == 3
    assert "words" not in to_html(["system", "about"], [["one", "short"]])
