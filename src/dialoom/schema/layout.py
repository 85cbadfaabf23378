"""Layout of a directed graph in layers and columns: the usual course left, branches to its right.

    placed = lay_out({"a": ("b", "c"), "b": ("d",), "c": ("d",), "d": ("a",)}, sizes)
    placed.boxes["a"]        # Box(x, y, width, height)
    placed.ways[("d", "a")]  # the points an edge passes, from its start to its end

The usual course takes the first edge of each node and has the left column to itself. A layer has
at most `COLUMNS` nodes, so that the width is bounded; further ones move down. An edge over several
layers runs down a column without boxes there, else in a lane between two columns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

COLUMNS = 4
"""Most nodes of a layer."""

ASIDE, BELOW, LANE = 26.0, 46.0, 12.0
"""Space between columns, between layers, and between the lanes of edges, in pixels."""

PORT = 28.0
"""Most space between the ends of two edges at a box, in pixels."""

Edge = tuple[str, str]


class Box(NamedTuple):
    """A rectangle by its upper left corner."""

    x: float
    y: float
    width: float
    height: float


class Point(NamedTuple):
    """A place that an edge passes."""

    x: float
    y: float


class Placed(NamedTuple):
    """A layout; `ways` are edges' points: two, or four with the inner two at one x."""

    boxes: dict[str, Box]
    ways: dict[Edge, list[Point]]
    back: frozenset[Edge]
    width: float
    height: float


def lay_out(after: Mapping[str, Sequence[str]], sizes: Mapping[str, tuple[float, float]]) -> Placed:
    """Return the layout of a graph; edges from a node to itself are left out.

    `after` maps a node to its successors, the usual one first, from the top node on. `sizes` are
    width and height of boxes, in pixels.
    """
    back = _back(after)
    every = [(a, b) for a, following in after.items() for b in following if a != b]
    # what leads back is drawn as if it led down
    edges = list(dict.fromkeys((b, a) if (a, b) in back else (a, b) for a, b in every))
    usual = _usual(after, back)
    layers = _layers(list(after), edges, usual)
    columns = _columns(layers, edges, usual)
    return _Drawing(layers, columns, sizes, {(b, a) for a, b in back}).placed(edges, every, back)


def _back(after: Mapping[str, Sequence[str]]) -> frozenset[Edge]:
    """Return the edges that lead back to a node on the way to their start."""
    done: set[str] = set()
    edges: set[Edge] = set()
    for start in after:
        way: dict[str, int] = {} if start in done else {start: 0}
        while way:
            name, number = next(reversed(way.items()))
            if number == len(after[name]):
                del way[name]
                done.add(name)
                continue
            way[name] = number + 1
            following = after[name][number]
            if following in way:
                edges.add((name, following))
            elif following not in done:
                way[following] = 0
    return frozenset(edges)


def _usual(after: Mapping[str, Sequence[str]], back: frozenset[Edge]) -> set[str]:
    at = next(iter(after), None)
    path: set[str] = set()
    while at is not None:
        path.add(at)
        at = next((b for b in after[at] if (at, b) not in back and b not in path), None)
    return path


def _layers(names: list[str], edges: list[Edge], usual: set[str]) -> dict[str, int]:
    """Return each node's layer: the first with room below all nodes that lead to it.

    A node that none leads to moves down to the layer above its first successor.
    """
    before: dict[str, list[str]] = {name: [] for name in names}
    after: dict[str, list[str]] = {name: [] for name in names}
    for start, end in edges:
        before[end].append(start)
        after[start].append(end)
    missing = {name: len(sources) for name, sources in before.items()}
    layer: dict[str, int] = {}
    counts: Counter[int] = Counter()
    ready = [name for name in names if not missing[name]]
    for name in ready:
        at = max((layer[each] + 1 for each in before[name]), default=0)
        while name not in usual and counts[at] >= COLUMNS - 1:
            at += 1
        layer[name] = at
        counts[at] += name not in usual
        for following in after[name]:
            missing[following] -= 1
            if not missing[following]:
                ready.append(following)
    for name in reversed(ready):
        if not before[name] and name not in usual and after[name]:
            levels = range(min(layer[each] for each in after[name]) - 1, layer[name], -1)
            at = next((each for each in levels if counts[each] < COLUMNS - 1), layer[name])
            counts[layer[name]] -= 1
            counts[at] += 1
            layer[name] = at
    return layer


def _columns(layers: dict[str, int], edges: list[Edge], usual: set[str]) -> dict[str, int]:
    """Return each node's column: below a node that leads to it, else the first that is free."""
    before: dict[str, list[str]] = {}
    for start, end in edges:
        before.setdefault(end, []).append(start)
    column = dict.fromkeys(usual, 0)
    cells: set[tuple[int, int]] = set()
    for name in sorted(layers, key=lambda name: layers[name]):
        if name not in usual:
            above = (column[each] for each in before.get(name, ()) if each not in usual)
            free = (each for each in (*above, *range(1, COLUMNS)))
            column[name] = next(each for each in free if (layers[name], each) not in cells)
            cells.add((layers[name], column[name]))
    return column


class _Drawing:
    """Coordinates of layers and columns, in pixels; `turned` are edges that lead back up."""

    def __init__(
        self,
        layers: dict[str, int],
        columns: dict[str, int],
        sizes: Mapping[str, tuple[float, float]],
        turned: set[Edge],
    ) -> None:
        self.layers, self.columns, self.sizes, self.turned = layers, columns, sizes, turned
        self.cells = {(layers[name], column) for name, column in columns.items()}
        # what is passed by edges that lead down, and by those that lead back up
        self.runs: tuple[set[tuple[int, int]], set[tuple[int, int]]] = (set(), set())
        self.lanes: dict[int, list[int]] = {}  # by column: the last layer of each lane
        rows: list[float] = [0.0] * (max(layers.values(), default=-1) + 1)
        for name, layer in layers.items():
            rows[layer] = max(rows[layer], sizes[name][1])
        self.tops = [sum(rows[:number]) + BELOW * number for number in range(len(rows))]
        self.ends = [top + height for top, height in zip(self.tops, rows, strict=True)]

    def placed(self, edges: list[Edge], every: list[Edge], back: frozenset[Edge]) -> Placed:
        passed = {edge: self._passed(edge) for edge in sorted(edges, key=self._span)}
        middles, gaps, width = self._across()
        boxes = {
            name: Box(middles[column] - wide / 2, self.tops[self.layers[name]], wide, high)
            for name, column in self.columns.items()
            for wide, high in (self.sizes[name],)
        }
        runs = {
            edge: None if way is None else middles[way] if isinstance(way, int) else gaps[way]
            for edge, way in passed.items()
        }
        starts, ends = _ports(boxes, runs, 0), _ports(boxes, runs, 1)
        ways: dict[Edge, list[Point]] = {}
        for (a, b), x in runs.items():
            points = [
                Point(starts[a, b], boxes[a].y + boxes[a].height),
                Point(ends[a, b], boxes[b].y),
            ]
            if x is not None:
                first, last = self.tops[self.layers[a] + 1], self.ends[self.layers[b] - 1]
                points[1:1] = [Point(x, first), Point(x, last)]
            ways[a, b], ways[b, a] = points, points[::-1]
        height = self.ends[-1] if self.ends else 0.0
        return Placed(boxes, {edge: ways[edge] for edge in every}, back, width, height)

    def _span(self, edge: Edge) -> tuple[int, int]:
        return self.layers[edge[0]], self.layers[edge[1]]

    def _passed(self, edge: Edge) -> int | tuple[int, int] | None:
        """Return the column, or gap and lane, that an edge runs down in; None to the next layer."""
        first, last = self._span(edge)
        if last == first + 1:
            return None
        up = edge in self.turned
        for column in (self.columns[edge[1]], self.columns[edge[0]]):
            run = {(layer, column) for layer in range(first + 1, last)}
            if run.isdisjoint(self.cells | self.runs[not up]):
                self.runs[up].update(run)
                return column
        gap = self.columns[edge[0 if up else 1]] + (not up)
        lanes = self.lanes.setdefault(gap, [])
        lane = next((n for n, end in enumerate(lanes) if end <= first), len(lanes))
        lanes[lane : lane + 1] = [last]
        return gap, lane

    def _across(self) -> tuple[list[float], dict[tuple[int, int], float], float]:
        middles: list[float] = []
        gaps: dict[tuple[int, int], float] = {}
        x = 0.0
        count = max(self.columns.values(), default=-1) + 1
        for column in range(count + 1):
            lanes = len(self.lanes.get(column, ()))
            gaps |= {(column, lane): x + LANE * (lane + 1) for lane in range(lanes)}
            outer = 0.0 if column in (0, count) else ASIDE
            x += max(outer, LANE * (lanes + 1)) if lanes else outer
            if column < count:
                widths = (self.sizes[n][0] for n, each in self.columns.items() if each == column)
                wide = max(widths, default=0.0)
                middles.append(x + wide / 2)
                x += wide
        return middles, gaps, x


def _ports(boxes: dict[str, Box], runs: dict[Edge, float | None], side: int) -> dict[Edge, float]:
    """Return where each edge leaves its upper box (side 0) or enters its lower one (side 1).

    An edge that runs straight has the middle, the others surround it in the order of their runs.
    """
    ends: dict[str, list[tuple[float, Edge]]] = {}
    for edge, x in runs.items():
        other = boxes[edge[1 - side]]
        ends.setdefault(edge[side], []).append(
            (other.x + other.width / 2 if x is None else x, edge)
        )
    ports: dict[Edge, float] = {}
    for name, entries in ends.items():
        box = boxes[name]
        middle = box.x + box.width / 2
        entries.sort()
        straight = next((n for n, (x, _) in enumerate(entries) if abs(x - middle) < 1), None)
        centre = (len(entries) - 1) / 2 if straight is None else straight
        apart = min(PORT, box.width / 2 / len(entries))
        ports |= {edge: middle + (n - centre) * apart for n, (_, edge) in enumerate(entries)}
    return ports
