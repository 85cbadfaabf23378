"""Bar plots as inline SVG that take the page's width, fonts and colours.

    bars([Group("weather", (Bar(74.2, (70.1, 78.0)), Bar(58.5)))], [Series("follower"), …], "F1")

Drawn here rather than by matplotlib. Its pictures have one size and one set of colours: shrunk to
a phone the text cannot be read, and a dark page would need a second picture. Here every length
along the axis is a share of the width, text keeps its size, and colours are classes that the
page's style sheet knows: `series-0` to `series-5`, `reference`, `grid`, `whisker`,
`halo`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from dialoom.errors import clip
from dialoom.render.tables import percent
from dialoom.render.transcript import clean

SERIES = 6
"""Series that have a colour of their own; more of them begin again."""

_AXIS = 86.0
"""Share of the width that the axis takes; the rest is for the figures at its right."""

_LABEL, _BAR, _GAP, _FOOT = 20, 14, 12, 24
"""Heights in pixels: a group's label, a bar, the space below a group, the numbers of the axis."""

_LONGEST = 46
"""Characters of a label that fit a phone's width; the whole of it is in the title."""


@dataclass(frozen=True, slots=True)
class Series:
    """A series of bars, one in each group; a reference series is drawn as an outline."""

    name: str
    reference: bool = False


@dataclass(frozen=True, slots=True)
class Bar:
    """A figure with its interval; None draws nothing and prints a dash."""

    value: float | None
    interval: tuple[float, float] | None = None

    @classmethod
    def percent(cls, share: float | None) -> Bar:
        """Return the bar of a share from 0 to 1, in percent."""
        return cls(percent(share))


@dataclass(frozen=True, slots=True)
class Group:
    """The bars of one label, one for each series."""

    label: str
    bars: tuple[Bar, ...]


def bars(
    groups: Sequence[Group], series: Sequence[Series], title: str, *, limit: float = 100.0
) -> str:
    """Return horizontal bars from 0 to `limit`, each group below its label, with a legend.

    Args:
        groups: From top to bottom.
        series: What the bars of each group are of, in order.
        title: Says what is plotted, to those who hear the page.
        limit: The end of the axis.
    """
    step = _LABEL + _BAR * len(series) + _GAP
    body = [_grid(limit, step * len(groups))]
    body += [_group(group, series, number * step, limit) for number, group in enumerate(groups)]
    height = step * len(groups) + _FOOT
    return legend(series) + svg("".join(body), title, height=height)


def svg(body: str, title: str, *, height: int, width: str = "100%", style: str = "plot") -> str:
    """Return a picture with the title that those who hear the page are told."""
    name = escape(clean(title), quote=True)
    return (
        f'<svg class="{style}" role="img" aria-label="{name}" width="{width}" '
        f'height="{height}">\n{body}</svg>\n'
    )


def axis_end(largest: float) -> float:
    """Return the end of an axis in percent that can be quartered."""
    return next((float(end) for end in (1, 2, 4, 8, 20, 40, 60, 80) if largest <= end), 100.0)


def share(value: float, limit: float = 100.0) -> str:
    """Return a small bar for a table's cell."""
    width = _percent(100 * min(max(value / limit, 0.0), 1.0))
    return (
        '<svg class="share" aria-hidden="true"><rect class="rest" width="100%" height="100%"/>'
        f'<rect class="series-0" width="{width}" height="100%"/></svg>'
    )


def legend(series: Sequence[Series]) -> str:
    """Return what the colours stand for."""
    items = "".join(
        '<li><svg class="swatch" aria-hidden="true"><rect width="100%" height="100%" '
        f'class="{_style(number, one)}"/></svg>{escape(clean(one.name))}</li>'
        for number, one in enumerate(series)
    )
    return f'<ul class="legend">{items}</ul>\n'


def _grid(limit: float, bottom: int) -> str:
    lines = []
    for quarter in range(5):
        place, anchor = _percent(_AXIS * quarter / 4), "middle" if quarter else "start"
        lines.append(f'<line class="grid" x1="{place}" x2="{place}" y1="0" y2="{bottom}"/>')
        lines.append(
            f'<text class="axis" x="{place}" y="{bottom + 16}" text-anchor="{anchor}">'
            f"{limit * quarter / 4:g}</text>"
        )
    return "\n".join(lines) + "\n"


def _group(group: Group, series: Sequence[Series], top: int, limit: float) -> str:
    if len(group.bars) != len(series):
        raise ValueError(f"{group.label}: {len(group.bars)} bars for {len(series)} series")
    label, whole = clip(clean(group.label), _LONGEST), escape(clean(group.label))
    parts = [
        f"<g><title>{whole}</title>",
        f'<text class="label" x="0" y="{top + 14}">{escape(label)}</text>',
    ]
    for number, (bar, one) in enumerate(zip(group.bars, series, strict=True)):
        parts += _bar(bar, _style(number, one), top + _LABEL + number * _BAR, limit)
    return "\n".join([*parts, "</g>\n"])


def _bar(bar: Bar, style: str, top: int, limit: float) -> Iterator[str]:
    shown = "–" if bar.value is None else f"{bar.value:.1f}"
    yield f'<text class="value" x="100%" y="{top + 11}" text-anchor="end">{shown}</text>'
    if bar.value is None:
        return
    width = _percent(_AXIS * min(max(bar.value / limit, 0.0), 1.0))
    yield f'<rect class="{style}" x="0" y="{top + 1}" width="{width}" height="{_BAR - 3}"/>'
    if bar.interval is not None:
        yield _whisker(bar.interval, top + _BAR // 2, limit)


def _whisker(interval: tuple[float, float], middle: int, limit: float) -> str:
    low, high = (_percent(_AXIS * min(max(end / limit, 0.0), 1.0)) for end in interval)
    lines = "".join(
        f'<line x1="{start}" x2="{end}" y1="{upper}" y2="{lower}"/>'
        for start, end, upper, lower in (
            (low, high, middle, middle),
            (low, low, middle - 4, middle + 4),
            (high, high, middle - 4, middle + 4),
        )
    )
    # twice: a broad one in the page's colour sets the line off from the bar it lies on
    return f'<g class="halo">{lines}</g><g class="whisker">{lines}</g>'


def _style(number: int, series: Series) -> str:
    return f"series-{number % SERIES}" + (" reference" if series.reference else "")


def _percent(value: float) -> str:
    return f"{value:.2f}%"
