"""A directed graph laid out in layers from top to bottom, without overlaps.

    placed = lay_out({"a": ("b", "c"), "b": ("d",), "c": ("d",), "d": ("a",)}, sizes)
    placed.boxes["a"]        # Box(x, y, width, height)
    placed.ways[("d", "a")]  # the points an edge passes, from its start to its end

The method is Sugiyama's: edges against the order of a depth-first search are turned round, layers
are longest paths, edges over several layers get a narrow place in each, places are ordered by the
middle of their neighbours, and moved towards it as far as the order allows.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

SWEEPS, MOVES, LAST = 12, 17, 2
"""How often layers are put in order, and places moved; the last moves regard both sides at once."""

ASIDE, BELOW, NARROW = 26.0, 46.0, 10.0
"""Space between boxes, between layers, and the width of an edge's place."""


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
    """A layout.

    Attributes:
        boxes: Node to its box.
        ways: Edge to the points it passes, from its start to its end; in pairs, one pair a gap
            between layers.
        back: The edges that lead upwards.
        width: The whole width.
        height: The whole height.
    """

    boxes: dict[str, Box]
    ways: dict[tuple[str, str], list[Point]]
    back: frozenset[tuple[str, str]]
    width: float
    height: float


class _Spot(NamedTuple):
    """A place in a layer: of a node, or of an edge that passes the layer."""

    name: str
    layer: int
    edge: tuple[str, str] | None = None


_Chains = dict[tuple[str, str], list[_Spot]]


def lay_out(after: Mapping[str, Sequence[str]], sizes: Mapping[str, tuple[float, float]]) -> Placed:
    """Lay a graph out; the first node comes first. Edges from a node to itself are left out.

    Args:
        after: Node to the nodes that its edges lead to.
        sizes: Node to the width and height of its box.
    """
    back = _back(after)
    downward = {
        (b, a) if (a, b) in back else (a, b) for a, following in after.items() for b in following
    }
    place = {name: number for number, name in enumerate(after)}
    kept = ((a, b) for a, b in downward if a != b)
    edges = sorted(kept, key=lambda edge: (place[edge[0]], place[edge[1]]))
    layers = _layers(list(after), edges)
    chains = _chains(edges, layers)
    rows = _order(_rows(layers, chains), chains)
    middles = _move(rows, chains, {(b, a) for a, b in back}, sizes)
    return _measure(after, back, rows, chains, middles, sizes)


def _back(after: Mapping[str, Sequence[str]]) -> frozenset[tuple[str, str]]:
    """Return the edges that lead back to a node on the way to their start."""
    done: set[str] = set()
    found: set[tuple[str, str]] = set()
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
                found.add((name, following))
            elif following not in done:
                way[following] = 0
    return frozenset(found)


def _layers(names: list[str], edges: list[tuple[str, str]]) -> dict[str, int]:
    """Return each node's layer: the longest way to it; a lone beginning moves down to its end."""
    before: dict[str, list[str]] = {name: [] for name in names}
    after: dict[str, list[str]] = {name: [] for name in names}
    for start, end in edges:
        before[end].append(start)
        after[start].append(end)
    layer = dict.fromkeys(names, 0)
    ready = [name for name in names if not before[name]]
    missing = {name: len(found) for name, found in before.items()}
    for name in ready:
        for following in after[name]:
            layer[following] = max(layer[following], layer[name] + 1)
            missing[following] -= 1
            if not missing[following]:
                ready.append(following)
    for name in reversed(ready):
        if not before[name] and name != names[0] and after[name]:
            layer[name] = min(layer[following] for following in after[name]) - 1
    return layer


def _chains(edges: list[tuple[str, str]], layers: dict[str, int]) -> _Chains:
    """Return each edge's spots, from its upper to its lower end."""
    return {
        (a, b): [
            _Spot(a, layers[a]),
            *(_Spot(f"{a} {b}", layer, (a, b)) for layer in range(layers[a] + 1, layers[b])),
            _Spot(b, layers[b]),
        ]
        for a, b in edges
    }


def _rows(layers: dict[str, int], chains: _Chains) -> list[list[_Spot]]:
    rows: list[list[_Spot]] = [[] for _ in range(max(layers.values(), default=-1) + 1)]
    spots = [_Spot(name, layer) for name, layer in layers.items()]
    spots += [spot for chain in chains.values() for spot in chain[1:-1]]
    for spot in spots:
        rows[spot.layer].append(spot)
    return rows


def _neighbours(chains: _Chains, step: int) -> dict[_Spot, list[_Spot]]:
    """Return the spots that lie next to each on its edges: above (-1) or below (1)."""
    found: dict[_Spot, list[_Spot]] = {}
    for chain in chains.values():
        for upper, lower in itertools.pairwise(chain):
            one, other = (lower, upper) if step < 0 else (upper, lower)
            found.setdefault(one, []).append(other)
    return found


def _order(rows: list[list[_Spot]], chains: _Chains) -> list[list[_Spot]]:
    """Put each layer in the order of the middle of its neighbours, the best of some sweeps."""
    above, below = _neighbours(chains, -1), _neighbours(chains, 1)
    best, fewest = rows, _crossings(rows, below)
    for sweep in range(SWEEPS):
        down = sweep % 2 == 0
        place: dict[_Spot, int] = {}
        new: list[list[_Spot]] = []
        for row in rows if down else reversed(rows):
            ordered = _sorted(row, place, above if down else below)
            place |= {spot: number for number, spot in enumerate(ordered)}
            new.append(ordered)
        rows = new if down else new[::-1]
        crossings = _crossings(rows, below)
        if crossings < fewest:
            best, fewest = rows, crossings
    return best


def _sorted(
    row: list[_Spot], place: dict[_Spot, int], beside: dict[_Spot, list[_Spot]]
) -> list[_Spot]:
    def middle(entry: tuple[int, _Spot]) -> float:
        number, spot = entry
        found = [place[other] for other in beside.get(spot, ()) if other in place]
        return sum(found) / len(found) if found else number

    return [spot for _, spot in sorted(enumerate(row), key=middle)]


def _crossings(rows: list[list[_Spot]], below: dict[_Spot, list[_Spot]]) -> int:
    total = 0
    for upper, lower in itertools.pairwise(rows):
        place = {spot: number for number, spot in enumerate(lower)}
        ends = [
            end
            for spot in upper
            for end in sorted(place[o] for o in below.get(spot, ()) if o in place)
        ]
        total += sum(a > b for number, a in enumerate(ends) for b in ends[number + 1 :])
    return total


def _move(
    rows: list[list[_Spot]],
    chains: _Chains,
    turned: set[tuple[str, str]],
    sizes: Mapping[str, tuple[float, float]],
) -> dict[_Spot, float]:
    """Return the middle of each spot: as near to its neighbours' as order and space allow.

    Boxes do not mind edges that were turned round, so that the way on is straight.
    """
    beside = [_neighbours(chains, -1), _neighbours(chains, 1)]
    middles: dict[_Spot, float] = {}
    for row in rows:
        middles |= dict(zip(row, _fit(row, [0.0] * len(row), sizes), strict=True))
    for move in range(MOVES):
        near = beside[move % 2] if move < MOVES - LAST else _joined(*beside)
        for row in rows if move % 2 == 0 else reversed(rows):
            wanted = []
            for spot in row:
                beside_it = near.get(spot, [])
                onward = [o for o in beside_it if spot.edge or o.edge not in turned]
                found = [middles[other] for other in onward or beside_it]
                wanted.append(sum(found) / len(found) if found else middles[spot])
            middles |= dict(zip(row, _fit(row, wanted, sizes), strict=True))
    return middles


def _joined(
    one: dict[_Spot, list[_Spot]], other: dict[_Spot, list[_Spot]]
) -> dict[_Spot, list[_Spot]]:
    return {spot: [*one.get(spot, ()), *other.get(spot, ())] for spot in {**one, **other}}


def _wide(spot: _Spot, sizes: Mapping[str, tuple[float, float]]) -> float:
    return NARROW if spot.edge else sizes[spot.name][0]


def _fit(
    row: list[_Spot], wanted: list[float], sizes: Mapping[str, tuple[float, float]]
) -> list[float]:
    """Return the middles nearest to the wanted ones that keep order and distance.

    Least squares under order: neighbours that want to pass one another are pooled at their mean.
    """
    offsets = [0.0]
    for left, right in itertools.pairwise(row):
        apart = (_wide(left, sizes) + _wide(right, sizes)) / 2 + ASIDE
        offsets.append(offsets[-1] + apart)
    pools: list[tuple[float, float, int]] = []  # mean, weight, how many
    for spot, goal, offset in zip(row, wanted, offsets, strict=False):
        mean, weight, many = goal - offset, 4.0 if spot.edge else 1.0, 1
        while pools and pools[-1][0] >= mean:
            other, heavy, more = pools.pop()
            mean = (mean * weight + other * heavy) / (weight + heavy)
            weight, many = weight + heavy, many + more
        pools.append((mean, weight, many))
    means = [mean for mean, _, many in pools for _ in range(many)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=False)]


def _measure(
    after: Mapping[str, Sequence[str]],
    back: frozenset[tuple[str, str]],
    rows: list[list[_Spot]],
    chains: _Chains,
    middles: dict[_Spot, float],
    sizes: Mapping[str, tuple[float, float]],
) -> Placed:
    left = min((middles[s] - _wide(s, sizes) / 2 for s in middles), default=0.0)
    right = max((middles[s] + _wide(s, sizes) / 2 for s in middles), default=0.0)
    tops, heights, at = [], [], 0.0
    for row in rows:
        tops.append(at)
        heights.append(max(0.0 if s.edge else sizes[s.name][1] for s in row))
        at += heights[-1] + BELOW
    boxes = {
        spot.name: Box(
            middles[spot] - left - sizes[spot.name][0] / 2, tops[number], *sizes[spot.name]
        )
        for number, row in enumerate(rows)
        for spot in row
        if not spot.edge
    }
    ports = _ports(chains, middles, boxes)
    ways: dict[tuple[str, str], list[Point]] = {}
    for (a, b), chain in chains.items():
        start, end = ports[(a, b)]
        points = [Point(start, boxes[a].y + boxes[a].height)]
        for spot in chain[1:-1]:
            x, top = middles[spot] - left, tops[spot.layer]
            points += [Point(x, top), Point(x, top + heights[spot.layer])]
        points.append(Point(end, boxes[b].y))
        if (b, a) in back:
            ways[(b, a)] = points[::-1]
        if b in after[a] and (a, b) not in back:
            ways[(a, b)] = points
    return Placed(boxes, ways, back, right - left, max(0.0, at - BELOW))


def _ports(
    chains: _Chains, middles: dict[_Spot, float], boxes: dict[str, Box]
) -> dict[tuple[str, str], tuple[float, float]]:
    """Return where each edge leaves the lower side of its upper box and enters its lower one."""
    starts: dict[str, list[tuple[float, tuple[str, str]]]] = {}
    ends: dict[str, list[tuple[float, tuple[str, str]]]] = {}
    for edge, chain in chains.items():
        starts.setdefault(edge[0], []).append((middles[chain[1]], edge))
        ends.setdefault(edge[1], []).append((middles[chain[-2]], edge))
    first = {e: x for name, found in starts.items() for e, x in _spread(boxes[name], found)}
    last = {e: x for name, found in ends.items() for e, x in _spread(boxes[name], found)}
    return {edge: (first[edge], last[edge]) for edge in chains}


def _spread(
    box: Box, edges: list[tuple[float, tuple[str, str]]]
) -> list[tuple[tuple[str, str], float]]:
    apart = min(28.0, box.width / (len(edges) + 1))
    first = box.x + box.width / 2 - apart * (len(edges) - 1) / 2
    return [(edge, first + apart * number) for number, (_, edge) in enumerate(sorted(edges))]
