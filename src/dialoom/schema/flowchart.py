"""A task's flow graph as a picture: SVG that follows the page's light or dark colours.

System nodes are square boxes, user nodes round ones; queries and their results have colours of
their own. Edges that lead back are dashed. Questions show the constraints on their values, queries
the rules that refuse them and how often they fail.
"""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Iterator
from functools import lru_cache
from html import escape

from dialoom.errors import UsageError
from dialoom.render.transcript import clean
from dialoom.schema.flow import Node, notes
from dialoom.schema.layout import Box, Placed, Point, lay_out
from dialoom.schema.outline import limits
from dialoom.schema.task import TaskSchema

WIDE, LINE, PAD = 252.0, 16.0, 9.0
"""Width of a box, height of a line of text, and space around the text, in pixels."""

LETTERS, BOLD, LINES = 33, 29, 3
"""Most characters of a line, of a bold one, and most lines of text; the title has all of it."""

FAILURES = ("nothing", "unavailable", "failed")
"""Outcomes whose branches are drawn next to the usual course."""

MARGIN, HEAD = 20.0, 34.0
"""Space around the chart, and the height of its heading, in pixels."""

STYLE = """
.flow { --ink: #1f2430; --faint: #667085; --paper: #fff; --user: #e8f1fd; --user-edge: #3b78c4;
  --system: #f4f4f5; --system-edge: #71717a; --call: #fdf1dd; --call-edge: #b7791f;
  --result: #e9f6ec; --result-edge: #3f8f55; background: var(--paper);
  font: 12px system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif; }
@media (prefers-color-scheme: dark) { .flow { --ink: #e6e8ee; --faint: #98a2b3; --paper: #15181f;
  --user: #1b2b42; --user-edge: #6ea3e6; --system: #262a33; --system-edge: #8b93a3;
  --call: #3a2d16; --call-edge: #d9a441; --result: #19311f; --result-edge: #6cbf84; } }
.flow text { fill: var(--ink); } .flow .name { font-weight: 600; font-size: 11.5px; }
.flow .said { fill: var(--ink); }
.flow .when { fill: var(--faint); font-style: italic; }
.flow .head { font-size: 15px; font-weight: 600; }
.flow .box { stroke-width: 1.3; } .flow .user { fill: var(--user); stroke: var(--user-edge); }
.flow .system { fill: var(--system); stroke: var(--system-edge); }
.flow .call { fill: var(--call); stroke: var(--call-edge); }
.flow .result { fill: var(--result); stroke: var(--result-edge); }
.flow .way { fill: none; stroke: var(--faint); stroke-width: 1.3; }
.flow .back { stroke-dasharray: 5 4; } .flow .tip { fill: var(--faint); }
"""


def draw(task: TaskSchema) -> str:
    """Return a task's flow chart as an SVG document; `UsageError` if it has no flow."""
    if not task.flow.complete:
        raise UsageError(
            f"{task.id} has no flow to draw; it was not written as a task file", code="no-flow"
        )
    nodes = task.flow.nodes
    after = {
        name: sorted(following, key=lambda each: nodes[each].outcome in FAILURES)
        for name, following in task.flow.after.items()
    }
    lines = {name: _lines(node, task) for name, node in nodes.items()}
    sizes = {name: (WIDE, LINE * len(rows) + 2 * PAD) for name, rows in lines.items()}
    placed = lay_out(after, sizes)
    boxes = (_box(node, placed.boxes[name], lines[name]) for name, node in nodes.items())
    parts = [*_ways(placed), *itertools.chain.from_iterable(boxes)]
    parts += [_loop(placed.boxes[name]) for name, targets in after.items() if name in targets]
    return _document(task, placed, parts)


def _document(task: TaskSchema, placed: Placed, parts: list[str]) -> str:
    width = max(placed.width, 320.0) + 2 * MARGIN + PAD
    height = placed.height + 2 * MARGIN + HEAD
    title = escape(clean(task.id))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="flow" role="img" '
            f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}">',
            f"<title>{title}</title>",
            f"<style>{STYLE}</style>",
            '<defs><marker id="flow-tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
            'markerHeight="7" orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>',
            f'<text class="head" x="{MARGIN}" y="{MARGIN + 8}">{title}</text>',
            f'<g transform="translate({MARGIN} {MARGIN + HEAD})">',
            *parts,
            "</g>",
            "</svg>",
            "",
        ]
    )


def _said(node: Node) -> str:
    if node.kind == "call":
        return f"{node.call} · {node.request}" if node.request else str(node.call)
    if node.kind == "result":
        return str(node.outcome)
    return node.texts[0] if node.texts else ""


Lines = list[tuple[str, str]]


def _lines(node: Node, task: TaskSchema) -> Lines:
    spaced = textwrap.wrap(node.name.replace("_", "_ "), BOLD + node.name.count("_"))
    lines = [("name", line.replace("_ ", "_")) for line in spaced]  # broken after an underscore
    texts = itertools.chain(notes(node), _limits(node, task))
    lines += [("when", line) for note in texts for line in _wrapped(note)]
    return lines + [("said", line) for line in _wrapped(_said(node))]


def _limits(node: Node, task: TaskSchema) -> Iterator[str]:
    requests = set(node.asks)
    for name in node.asks:
        if name in task.slots and task.slots[name].depends_on:
            yield f"{name} depends on {' and '.join(task.slots[name].depends_on)}"
    for constraint in task.constraints:
        if requests.intersection(constraint.names):
            yield f"has to meet: {constraint}"
    if node.kind == "call" and node.call in task.calls:
        yield from limits(task.calls[node.call])


@lru_cache(maxsize=4096)  # an edit of a task leaves most of its texts as they were
def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(
        clean(text), LETTERS, max_lines=LINES, placeholder=" …", break_long_words=True
    )


def _box(node: Node, box: Box, lines: Lines) -> Iterator[str]:
    radius = {"user": 16, "result": 16, "system": 2, "call": 2}[node.kind]
    yield f"<g><title>{escape(clean(' / '.join(node.texts) or _said(node)))}</title>"
    yield (
        f'<rect class="box {node.kind}" x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" '
        f'height="{box.height:.1f}" rx="{radius}"/>'
    )
    x, y = box.x + PAD + 3, box.y + PAD + LINE - 4
    for number, (kind, line) in enumerate(lines):
        place = f'x="{x:.1f}" y="{y + number * LINE:.1f}"'
        yield f'<text class="{kind}" {place}>{escape(line)}</text>'
    yield "</g>"


def _ways(placed: Placed) -> Iterator[str]:
    for edge, points in placed.ways.items():
        kind = "way back" if edge in placed.back else "way"
        label = escape(f"{edge[0]} → {edge[1]}")
        attributes = f'class="{kind}" d="{_curve(points)}" marker-end="url(#flow-tip)"'
        yield f"<path {attributes}><title>{label}</title></path>"


def _curve(points: list[Point]) -> str:
    start = points[0]
    path = [f"M{start.x:.1f} {start.y:.1f}"]
    for number, (one, two) in enumerate(itertools.pairwise(points)):
        if number % 2:
            path.append(f"L{two.x:.1f} {two.y:.1f}")
        else:
            half = (one.y + two.y) / 2
            path.append(f"C{one.x:.1f} {half:.1f} {two.x:.1f} {half:.1f} {two.x:.1f} {two.y:.1f}")
    return "".join(path)


def _loop(box: Box) -> str:
    x, top, low = box.x + box.width, box.y + box.height * 0.25, box.y + box.height * 0.75
    path = f"M{x:.1f} {low:.1f}C{x + 22:.1f} {low:.1f} {x + 22:.1f} {top:.1f} {x:.1f} {top:.1f}"
    return f'<path class="way back" d="{path}" marker-end="url(#flow-tip)"/>'
