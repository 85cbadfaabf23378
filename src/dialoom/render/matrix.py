"""A heat map of counts of pairs as SVG.

    matrix(["hotel_book", "weather"], {("hotel_book", "weather"): 52}, "dialogues with both")

It keeps its size, so that names can be read, and stands in a frame that scrolls (`page.scroll`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from dialoom.errors import clip
from dialoom.render.plots import svg
from dialoom.render.transcript import clean

MOST = 40
"""Things that are shown, in the order given."""

_CELL, _LETTER, _LONGEST = 28, 7.2, 30
"""Pixels of a cell's side and of a letter; letters of a name that are shown."""

DARKEST = 0.55
"""Opacity of the largest pair: what is written on it can still be read."""


def matrix(names: Sequence[str], pairs: Mapping[tuple[str, str], int], title: str) -> str:
    """Return a square matrix of counts; a pair that is given one way round shows both ways.

    Args:
        names: Rows and columns, in order; the first MOST are shown.
        pairs: Two names to a count.
        title: What is counted, to those who hear the page.
    """
    shown = list(names[:MOST])
    labels = [clip(clean(name), _LONGEST) for name in shown]
    margin = int(max((len(label) for label in labels), default=0) * _LETTER) + 10
    size = margin + _CELL * len(shown)
    both = {(other, one): n for (one, other), n in pairs.items()} | dict(pairs)
    most = max(both.values(), default=0) or 1
    body = [*_names(labels, margin)]
    for row, one in enumerate(shown):
        for column, other in enumerate(shown):
            if n := both.get((one, other), 0):
                x, y = margin + column * _CELL, margin + row * _CELL
                body += _cell(x, y, n / most, n, f"{one}, {other}")
    return svg("\n".join(body) + "\n", title, height=size, width=str(size), style="plot matrix")


def _names(labels: Sequence[str], margin: int) -> Iterator[str]:
    for index, label in enumerate(labels):
        middle = margin + index * _CELL + _CELL // 2
        words = escape(label)
        yield f'<text x="{margin - 6}" y="{middle + 4}" text-anchor="end">{words}</text>'
        yield (
            f'<text x="{middle}" y="{margin - 6}" '
            f'transform="rotate(-90 {middle} {margin - 6}) translate(0 4)">{words}</text>'
        )


def _cell(x: int, y: int, share: float, n: int, pair: str) -> Iterator[str]:
    yield (
        f'<rect class="series-0" x="{x + 1}" y="{y + 1}" width="{_CELL - 2}" height="{_CELL - 2}" '
        f'fill-opacity="{DARKEST * share:.2f}"><title>{escape(clean(pair))}: {n}</title></rect>'
    )
    yield (
        f'<text class="axis" x="{x + _CELL // 2}" y="{y + _CELL // 2 + 4}" text-anchor="middle">'
        f"{n}</text>"
    )
