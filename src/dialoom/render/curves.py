"""Line charts as inline SVG, with the frame and colours of `dialoom.render.plots`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from dialoom.render.plots import Bar, Series, element, legend, series_style, svg

HEIGHT, BELOW = 260, 24
"""Heights in pixels: the plot, and the names of the points below it."""

LEFT, FIRST, LAST = 7.0, 9.0, 97.0
"""Positions of the grid, the first point and the last point, in percent of the width."""

RADIUS = 3.5
"""Radius of a point in pixels."""


class _Axis(NamedTuple):
    """The vertical axis: its ends, multiples of ten between which all points and intervals are."""

    low: int
    high: int

    def height(self, value: float) -> str:
        return f"{HEIGHT * (self.high - value) / (self.high - self.low):.1f}"


def on_scale(names: Sequence[str]) -> bool:
    """True if all names are numbers, so that a line chart can connect their values."""
    return len(names) > 1 and all(map(str.isdecimal, names))


def curves(names: Sequence[str], lines: Sequence[tuple[Series, Sequence[Bar]]], title: str) -> str:
    """Return a line for each series with intervals; missing points are left out."""
    bars = [bar for _, line in lines for bar in line if bar.value is not None]
    ends = [end for bar in bars for end in (bar.value or 0.0, *(bar.interval or ()))] or [0.0]
    low = 10 * math.floor(min(ends) / 10)
    axis = _Axis(low, max(10 * math.ceil(max(ends) / 10), low + 10))
    step = (LAST - FIRST) / max(len(names) - 1, 1)
    places = [f"{FIRST + step * number:.2f}%" for number in range(len(names))]
    body = [*_grid(axis), *_names(names, places)]
    for number, (series, line) in enumerate(lines):
        style = series_style(number, series)
        body += _curve(places, line, axis, style)
        body += _points(places, names, line, axis, style)
    keys = legend([series for series, _ in lines])
    return keys + svg("".join(body), title, height=HEIGHT + BELOW)


def _grid(axis: _Axis) -> Iterator[str]:
    step = 10 if axis.high - axis.low <= 50 else 20
    for value in range(axis.low, axis.high + 1, step):
        y = axis.height(value)
        yield element("line", style="grid", x1=f"{LEFT}%", x2="100%", y1=y, y2=y)
        yield element(
            "text", f"{value}", style="axis", x=f"{LEFT - 1}%", y=y, dy="4", text_anchor="end"
        )


def _names(names: Sequence[str], places: Sequence[str]) -> Iterator[str]:
    for name, place in zip(names, places, strict=True):
        y = HEIGHT + 18
        yield element("text", name, style="axis", x=place, y=y, text_anchor="middle")


def _curve(places: Sequence[str], line: Sequence[Bar], axis: _Axis, style: str) -> Iterator[str]:
    for (x1, one), (x2, other) in pairwise(zip(places, line, strict=True)):
        if one.value is not None and other.value is not None:
            y1, y2 = axis.height(one.value), axis.height(other.value)
            yield element("line", style=style, x1=x1, x2=x2, y1=y1, y2=y2, stroke_width=2)


def _points(
    places: Sequence[str], names: Sequence[str], line: Sequence[Bar], axis: _Axis, style: str
) -> Iterator[str]:
    for place, name, bar in zip(places, names, line, strict=True):
        if bar.value is None:
            continue
        if bar.interval is not None:
            y1, y2 = map(axis.height, bar.interval)
            yield element("line", style="whisker", x1=place, x2=place, y1=y1, y2=y2)
        title = element("title", f"{name}: {bar.value:.1f}")
        y = axis.height(bar.value)
        yield element("circle", title, style=style, cx=place, cy=y, r=RADIUS)
