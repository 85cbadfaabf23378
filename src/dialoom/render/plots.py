"""Bar charts, histograms and heat maps as inline SVG, in the page's width, fonts and colours.

    bars([Group("weather", (Bar(74.2, (70.1, 78.0)), Bar(58.5)))], [Series("follower"), …], "F1")
    columns([("single-task", {"4": 10, "5": 30}), ("multi-task", {"9": 12})], "utterances")
    matrix(["hotel_book", "weather"], {("hotel_book", "weather"): 52}, "dialogues with both")

They are not drawn by matplotlib because its pictures have one size and one set of colours: on a
phone the text becomes too small, and a dark page would need a second picture. Here lengths along
the axis are shares of the width, text keeps its size, and colours are classes of the page's style
sheet: `series-0` to `series-5`, `reference`, `grid`, `whisker`, `halo`. A heat map keeps its size
and scrolls in a frame (`page.scroll`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from dialoom.errors import clip
from dialoom.render.tables import percent
from dialoom.render.transcript import clean

SERIES = 6
"""Number of colours of series; further series repeat them."""

MOST = 40
"""Most columns of a histogram, beyond which values are binned, and most rows of a matrix."""

FEWEST = 8
"""Least number of columns that a histogram has room for, so that columns are not too wide."""

DARKEST = 0.55
"""Opacity of a matrix's largest cell, low enough for its text to be legible."""

_AXIS = 86.0
"""Share of the width that the axis of bars takes; the rest is for the figure beyond a full bar."""

_LABEL, _BAR, _GAP, _FOOT = 20, 14, 12, 24
"""Heights in pixels: a group's label, a bar, the space below a group, the numbers of the axis."""

_LONGEST = 40
"""Most characters of a label, so that it fits on a phone; the title has all of it."""

_HEIGHT, _BELOW, _LEFT = 150, 38, 7.0
"""A histogram: height of the columns and of the labels below (pixels), width of the axis (%)."""

_CELL, _LETTER, _NAME = 28, 7.2, 30
"""A matrix: side of a cell and width of a letter (pixels), most letters of a name."""

Histogram = Mapping[str, int]
"""A histogram: value, a whole number as text (a JSON key), to the number of cases with it."""


@dataclass(frozen=True, slots=True)
class Series:
    """A series of bars, one in each group; a reference series is drawn as an outline."""

    name: str
    reference: bool = False


@dataclass(frozen=True, slots=True)
class Bar:
    """A figure with its interval; None draws no bar and prints a dash."""

    value: float | None
    interval: tuple[float, float] | None = None

    @classmethod
    def percent(cls, share: float | None) -> Bar:
        """Return the bar of a share, given from 0 to 1, in percent."""
        return cls(percent(share))


@dataclass(frozen=True, slots=True)
class Group:
    """The bars with one label, one bar for each series."""

    label: str
    bars: tuple[Bar, ...]


def element(name: str, content: str | None = None, **attributes: object) -> str:
    """Return an SVG element; `text_anchor` is `text-anchor`, and `style` the class."""
    markup = "".join(
        f' {"class" if key == "style" else key.replace("_", "-")}="{value}"'
        for key, value in attributes.items()
    )
    return f"<{name}{markup}/>" if content is None else f"<{name}{markup}>{content}</{name}>\n"


def svg(body: str, title: str, *, height: int, width: str = "100%", style: str = "plot") -> str:
    """Return an SVG picture with a title for screen readers."""
    name = escape(clean(title), quote=True)
    return (
        f'<svg class="{style}" role="img" aria-label="{name}" width="{width}" '
        f'height="{height}">\n{body}</svg>\n'
    )


def legend(series: Sequence[Series]) -> str:
    """Return the HTML of a legend: each series with its colour."""
    items = "".join(
        '<li><svg class="swatch" aria-hidden="true"><rect width="100%" height="100%" '
        f'class="{series_style(number, one)}"/></svg>{escape(clean(one.name))}</li>'
        for number, one in enumerate(series)
    )
    return f'<ul class="legend">{items}</ul>\n'


def share(value: float, limit: float = 100.0) -> str:
    """Return a small bar for a table's cell; `limit` fills the cell."""
    width = _percent(100 * min(max(value / limit, 0.0), 1.0))
    return (
        '<svg class="share" aria-hidden="true"><rect class="rest" width="100%" height="100%"/>'
        f'<rect class="series-0" width="{width}" height="100%"/></svg>'
    )


def axis_end(largest: float) -> float:
    """Return the end of an axis in percent that is divisible into quarters."""
    return next((float(end) for end in (1, 2, 4, 8, 20, 40, 60, 80) if largest <= end), 100.0)


def series_style(number: int, series: Series) -> str:
    """Return the classes of the style sheet for a series."""
    return f"series-{number % SERIES}" + (" reference" if series.reference else "")


def _percent(value: float) -> str:
    return f"{value:.2f}%"


def bars(
    groups: Sequence[Group], series: Sequence[Series], title: str, *, limit: float = 100.0
) -> str:
    """Return horizontal bars from 0 to `limit`, each group below its label, with a legend."""
    step = _LABEL + _BAR * len(series) + _GAP
    body = list(_grid(limit, step * len(groups)))
    body += [_group(group, series, number * step, limit) for number, group in enumerate(groups)]
    height = step * len(groups) + _FOOT
    return legend(series) + svg("".join(body), title, height=height)


def _along(value: float, limit: float) -> str:
    return _percent(_AXIS * min(max(value / limit, 0.0), 1.0))


def _grid(limit: float, bottom: int) -> Iterator[str]:
    for quarter in range(5):
        value, anchor = limit * quarter / 4, "middle" if quarter else "start"
        place = _along(value, limit)
        yield element("line", style="grid", x1=place, x2=place, y1=0, y2=bottom)
        yield element(
            "text", f"{value:g}", style="axis", x=place, y=bottom + 16, text_anchor=anchor
        )


def _group(group: Group, series: Sequence[Series], top: int, limit: float) -> str:
    if len(group.bars) != len(series):
        raise ValueError(f"{group.label}: {len(group.bars)} bars for {len(series)} series")
    label = escape(clip(clean(group.label), _LONGEST))
    parts = [element("text", label, style="label", x=0, y=top + 14)]
    for number, (bar, one) in enumerate(zip(group.bars, series, strict=True)):
        parts += _bar(bar, series_style(number, one), top + _LABEL + number * _BAR, limit)
    return f"<g><title>{escape(clean(group.label))}</title>\n{''.join(parts)}</g>\n"


def _bar(bar: Bar, style: str, top: int, limit: float) -> Iterator[str]:
    end = 0.0
    if bar.value is not None:
        end = max(bar.value, *(bar.interval or ()), 0.0)
        width = _along(bar.value, limit)
        yield element("rect", style=style, x=0, y=top + 1, width=width, height=_BAR - 3)
        if bar.interval is not None:
            yield _whisker(bar.interval, top + _BAR // 2, limit)
    label = "–" if bar.value is None else f"{bar.value:.1f}"
    yield element("text", label, style="value", x=_along(end, limit), dx=6, y=top + 11)


def _whisker(interval: tuple[float, float], middle: int, limit: float) -> str:
    low, high = (_along(end, limit) for end in interval)
    lines = "".join(
        element("line", x1=start, x2=end, y1=middle - half, y2=middle + half)
        for start, end, half in ((low, high, 0), (low, low, 4), (high, high, 4))
    )
    # twice: a broad line in the page's colour separates the thin one from the bar below it
    return f'<g class="halo">{lines}</g><g class="whisker">{lines}</g>'


def columns(histograms: Sequence[tuple[str, Histogram]], title: str) -> str:
    """Return histograms as columns, with a legend; empty if there are no cases.

    The series are side by side at each value, each as a share of its own cases, so that groups of
    different size can be compared.
    """
    read = [
        (name, {int(value): n for value, n in counts.items()})
        for name, counts in histograms
        if counts
    ]
    if not read:
        return ""
    low = min(min(counts) for _, counts in read)
    high = max(max(counts) for _, counts in read)
    width = math.ceil((high - low + 1) / MOST)
    bins = max((high - low) // width + 1, FEWEST)
    shares = [_shares(counts, low, width, bins) for _, counts in read]
    largest = max(max(each) for each in shares)
    top = next((float(end) for end in (1, 2, 5, 10, 20, 25, 50) if largest <= end), 100.0)
    names = [str(n) if width == 1 else f"{n}–{n + width - 1}"
             for n in range(low, low + bins * width, width)]  # fmt: skip
    body = [*_shares_axis(top), *_values_axis(names)]
    for number, each in enumerate(shares):
        body += _columns(each, names, number, len(shares), top)
    below = f"{escape(clean(title))}; share of each in percent"
    body.append(element("text", below, style="axis", x="100%", y=_HEIGHT + 32, text_anchor="end"))
    keys = legend([Series(name) for name, _ in read]) if len(read) > 1 else ""
    return keys + svg("".join(body), title, height=_HEIGHT + _BELOW)


def _shares(counts: Mapping[int, int], low: int, width: int, bins: int) -> list[float]:
    shares, total = [0.0] * bins, sum(counts.values()) or 1
    for value, n in counts.items():
        shares[(value - low) // width] += 100 * n / total
    return shares


def _shares_axis(top: float) -> Iterator[str]:
    for part in (0, 1, 2):
        y = _HEIGHT - _HEIGHT * part / 2 + (4 if part == 2 else 0)
        yield element("line", style="grid", x1=f"{_LEFT}%", x2="100%", y1=f"{y:g}", y2=f"{y:g}")
        yield element(
            "text", f"{top * part / 2:g}", style="axis", x=f"{_LEFT - 1}%",
            y=f"{y + 4 if part else y:g}", text_anchor="end",
        )  # fmt: skip


def _values_axis(names: Sequence[str]) -> Iterator[str]:
    for index in range(0, len(names), math.ceil(len(names) / 10)):
        place = _percent(_across(index + 0.5, len(names)))
        yield element(
            "text", names[index], style="axis", x=place, y=_HEIGHT + 16, text_anchor="middle"
        )


def _columns(
    shares: list[float], names: Sequence[str], number: int, of: int, top: float
) -> Iterator[str]:
    step = (100 - _LEFT) / len(shares) * 0.86 / of
    for index, share in enumerate(shares):
        if share:
            height = max((_HEIGHT - 4) * share / top, 1.0)
            x = _across(index + 0.07, len(shares)) + step * number
            yield element(
                "rect", f"<title>{names[index]}: {share:.1f} %</title>",
                style=f"series-{number % SERIES}", x=_percent(x), y=f"{_HEIGHT - height:.1f}",
                width=_percent(step), height=f"{height:.1f}",
            )  # fmt: skip


def _across(index: float, bins: int) -> float:
    return _LEFT + (100 - _LEFT) * index / bins


def matrix(names: Sequence[str], pairs: Mapping[tuple[str, str], int], title: str) -> str:
    """Return a symmetric heat map of counts by pair of names, for the first MOST names."""
    top_names = list(names[:MOST])
    labels = [clip(clean(name), _NAME) for name in top_names]
    margin = int(max((len(label) for label in labels), default=0) * _LETTER) + 10
    size = margin + _CELL * len(top_names)
    both = {(other, one): n for (one, other), n in pairs.items()} | dict(pairs)
    most = max(both.values(), default=0) or 1
    body = list(_names(labels, margin))
    for row, one in enumerate(top_names):
        for column, other in enumerate(top_names):
            if n := both.get((one, other), 0):
                x, y = margin + column * _CELL, margin + row * _CELL
                body += _cell(x, y, n / most, n, f"{one}, {other}")
    return svg("".join(body), title, height=size, width=str(size), style="plot matrix")


def _names(labels: Sequence[str], margin: int) -> Iterator[str]:
    for index, label in enumerate(labels):
        middle, words = margin + index * _CELL + _CELL // 2, escape(label)
        yield element("text", words, x=margin - 6, y=middle + 4, text_anchor="end")
        turned = f"rotate(-90 {middle} {margin - 6}) translate(0 4)"
        yield element("text", words, x=middle, y=margin - 6, transform=turned)


def _cell(x: int, y: int, share: float, n: int, pair: str) -> Iterator[str]:
    yield element(
        "rect", f"<title>{escape(clean(pair))}: {n}</title>", style="series-0", x=x + 1, y=y + 1,
        width=_CELL - 2, height=_CELL - 2, fill_opacity=f"{DARKEST * share:.2f}",
    )  # fmt: skip
    middle = _CELL // 2
    yield element(
        "text", str(n), style="axis", x=x + middle, y=y + middle + 4, text_anchor="middle"
    )
