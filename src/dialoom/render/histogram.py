"""Histograms of whole numbers as inline SVG, in shares.

    columns([("single-task", {"4": 10, "5": 30}), ("multi-task", {"9": 12})], "utterances")

The series stand side by side at each value, each as a share of its own cases, so that a small group
can be compared with a large one. Drawn as `plots` draws: widths are shares of the page's, heights
and text keep their size, colours are the page's classes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape

from dialoom.render.plots import SERIES, Series, legend, svg
from dialoom.render.transcript import clean

Histogram = Mapping[str, int]
"""Value (a whole number, as JSON has its keys) to the number of cases that have it."""

MOST = 40
"""Columns that fit; wider ranges are put together, two or more values to a column."""

_HEIGHT, _FOOT, _LEFT = 150, 38, 7.0
"""Pixels for the columns and for what stands below them; percent of the width for the axis."""


def columns(histograms: Sequence[tuple[str, Histogram]], title: str) -> str:
    """Return columns with a legend; empty where there are no cases.

    Args:
        histograms: Name and histogram of each series.
        title: What the values are of, below the axis and to those who hear the page.
    """
    read = [
        (name, {int(value): n for value, n in found.items()}) for name, found in histograms if found
    ]
    if not read:
        return ""
    low = min(min(found) for _, found in read)
    high = max(max(found) for _, found in read)
    width = math.ceil((high - low + 1) / MOST)
    bins = (high - low) // width + 1
    shares = [_shares(found, low, width, bins) for _, found in read]
    top = _top(max(max(each) for each in shares))
    body = [*_grid(top), *_values(low, width, bins)]
    for number, each in enumerate(shares):
        body += _columns(each, number, len(shares), top, low, width)
    below = f"{escape(clean(title))}; share of each in percent"
    body.append(
        f'<text class="axis" x="100%" y="{_HEIGHT + 32}" text-anchor="end">{below}</text>\n'
    )
    names = legend([Series(name) for name, _ in read]) if len(read) > 1 else ""
    return names + svg("\n".join(body), title, height=_HEIGHT + _FOOT)


def _shares(found: Mapping[int, int], low: int, width: int, bins: int) -> list[float]:
    shares, total = [0.0] * bins, sum(found.values()) or 1
    for value, n in found.items():
        shares[(value - low) // width] += 100 * n / total
    return shares


def _top(largest: float) -> float:
    """Return the end of the axis: the next 1, 2 or 5 times a power of ten, or 100."""
    for step in (1, 2, 5, 10, 20, 25, 50):
        if largest <= step:
            return float(step)
    return 100.0


def _grid(top: float) -> Iterator[str]:
    for part in (0, 1, 2):
        y = _HEIGHT - _HEIGHT * part / 2 + (4 if part == 2 else 0)
        label = f"{top * part / 2:g}"
        yield f'<line class="grid" x1="{_LEFT}%" x2="100%" y1="{y:g}" y2="{y:g}"/>'
        yield (
            f'<text class="axis" x="{_LEFT - 1}%" y="{y + 4 if part else y:g}" '
            f'text-anchor="end">{label}</text>'
        )


def _values(low: int, width: int, bins: int) -> Iterator[str]:
    every = math.ceil(bins / 10)
    for index in range(0, bins, every):
        x = _place(index + 0.5, bins)
        yield (
            f'<text class="axis" x="{x:.2f}%" y="{_HEIGHT + 16}" text-anchor="middle">'
            f"{_range(low + index * width, width)}</text>"
        )


def _columns(
    shares: list[float], number: int, of: int, top: float, low: int, width: int
) -> Iterator[str]:
    bins = len(shares)
    step = (100 - _LEFT) / bins * 0.86 / of
    for index, share in enumerate(shares):
        if not share:
            continue
        height = max((_HEIGHT - 4) * share / top, 1.0)
        x = _place(index + 0.07, bins) + step * number
        yield (
            f'<rect class="series-{number % SERIES}" x="{x:.2f}%" y="{_HEIGHT - height:.1f}" '
            f'width="{step:.2f}%" height="{height:.1f}"><title>'
            f"{_range(low + index * width, width)}: {share:.1f} %</title></rect>"
        )


def _place(index: float, bins: int) -> float:
    return _LEFT + (100 - _LEFT) * index / bins


def _range(first: int, width: int) -> str:
    return str(first) if width == 1 else f"{first}–{first + width - 1}"
