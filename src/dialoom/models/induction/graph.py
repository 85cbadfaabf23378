"""Transitions between actions in dialogues, and the edges of a flow chosen from them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from statistics import median

from dialoom.schema.flow import reachable

Edge = tuple[str | None, str]
"""An action and its successor; None instead of the first marks the beginning."""

Place = str | tuple[str, str] | None
"""A node with successors: an action, a query with an outcome, or None for the beginning."""

LEAST = 3
"""Least occurrences of a transition."""

ENDS = 0.5
"""Least share of occurrences that end (open) dialogues, for an action to be final (opening)."""


def chain(path: Sequence[str]) -> Iterator[Edge]:
    """Yield the transitions of a path, that from the beginning first."""
    yield from zip((None, *path), path, strict=False)


class Transitions:
    """The transitions between actions in the paths of dialogues.

    `counts` and `times` count transitions and actions.
    """

    def __init__(self, paths: Iterable[Sequence[str]]) -> None:
        self.paths = [list(path) for path in paths if path]
        self.counts = Counter[Edge]()
        for path in self.paths:
            self.counts.update(chain(path))
        self.times = Counter(action for path in self.paths for action in path)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The actions by the median of their relative positions in the dialogues."""
        places = defaultdict[str, list[float]](list)
        for path in self.paths:
            for place, action in enumerate(path):
                places[action].append(place / len(path))
        return tuple(sorted(places, key=lambda action: (median(places[action]), action)))

    @cached_property
    def final(self) -> frozenset[str]:
        """The actions that end the dialogue: at least one."""
        last = Counter(path[-1] for path in self.paths)
        shares = {action: n / self.times[action] for action, n in last.items()}
        least = min(ENDS, max(shares.values(), default=ENDS))
        return frozenset(action for action, share in shares.items() if share >= least)

    @cached_property
    def openings(self) -> frozenset[str]:
        """The actions that open dialogues more often than they come later."""
        first = Counter(path[0] for path in self.paths)
        return frozenset(action for action, n in first.items() if n >= ENDS * self.times[action])

    def supported(
        self, support: float, asks: Collection[str], calls: Collection[str] = ()
    ) -> set[Edge]:
        """Return the edges of a flow: transitions with support.

        Questions form a chain: an edge that skips questions, as after an early answer, leads to the
        first of them instead. Edges are added so that every action is reachable from the beginning,
        and an end from every action. `support` is the least share of the transitions from an
        action.
        """
        leaving = Counter[str | None]()
        for (before, _), count in self.counts.items():
            leaving[before] += count
        edges = {
            edge
            for edge, count in self.counts.items()
            if edge[0] not in self.final
            and count >= min(LEAST, leaving[edge[0]])
            and count >= support * leaving[edge[0]]
        }
        return self._connected(self._chained(edges, asks, calls))

    def _chained(
        self, edges: set[Edge], asks: Collection[str], calls: Collection[str]
    ) -> set[Edge]:
        """Return edges with those from questions or openings routed through skipped questions."""
        place = {action: number for number, action in enumerate(self.order)}
        questions = [action for action in self.order if action in asks]
        routes = set[Edge]()
        for before, after in edges:
            starts = before in asks or before in self.openings
            ends = after in asks or after in calls
            low, high = place.get(before or "", -1), place[after]
            passed = [q for q in questions if low < place[q] < high] if starts and ends else []
            routes |= set(zip((before, *passed), (*passed, after), strict=True))
        return routes

    def _connected(self, edges: set[Edge]) -> set[Edge]:
        """Add the most frequent edge to unreachable actions, and from those that reach no end."""
        while True:
            reached = reach({None}, edges)
            ending = reach(set(self.final), {(b, a) for a, b in edges if a is not None})
            lost = next((a for a in self.order if a not in reached), None)
            stuck = next((a for a in self.order if a not in ending), None)
            if lost is not None:
                ways = [(b, a) for b, a in self.counts if a == lost and b in reached]
                ways = [edge for edge in ways if edge[0] not in self.final] or [(None, lost)]
            elif stuck is not None:
                ways = [(b, a) for b, a in self.counts if b == stuck and a in ending]
                ways = ways or [(stuck, sorted(self.final)[0])]
            else:
                return edges
            edges = edges | {max(ways, key=lambda edge: (self.counts[edge], edge[1]))}


def reach(start: Collection[str | None], edges: Collection[Edge]) -> set[str | None]:
    """Return the actions reachable from given ones, with these."""
    return {*reachable(start, lambda at: (after for before, after in edges if before == at))}


def asked_before(
    edges: Collection[Edge], query: str, questions: Sequence[str], earlier: Collection[str] = ()
) -> set[Edge]:
    """Return edges changed so that a query comes after a chain of questions.

    Edges to the query lead to the first question instead. So do those to any question from the
    beginning and from `earlier`, the actions before the query: a flow skips questions with known
    answers.
    """
    routes: set[Edge] = set(zip(questions, (*questions[1:], query), strict=True))
    for before, after in edges:
        if before in questions:
            routes |= {(before, after)} if after not in (query, *questions) else set()
        elif after == query or (after in questions and (before is None or before in earlier)):
            routes.add((before, questions[0]))
        else:
            routes.add((before, after))
    return routes


def onward(
    ways: Mapping[Place, Mapping[str, int]], outcomes: Mapping[str, Collection[str]]
) -> dict[Place, str]:
    """Return the first successor of each place, such that first successors always reach an end.

    It is the most frequent successor, unless that leads in a circle; then the most frequent one
    that does not. A query reaches an end if all of its outcomes do. If no place could be resolved
    so, the query with the fewest results in circles counts as reaching it, if one outcome does. A
    place that cannot reach an end has no first successor.
    """
    first: dict[Place, str] = {}
    left = [place for place, after in ways.items() if after and place not in outcomes]
    ended = {a for each in ways.values() for a in each if not ways.get(a)} - outcomes.keys()
    while left:
        ended |= {a for a, labels in outcomes.items() if all((a, o) in first for o in labels)}
        grown = _grown(ways, left, ended)
        first |= grown
        left = [place for place in left if place not in first]
        ended |= {place for place in grown if isinstance(place, str)}
        if not grown:
            half = {
                a: sum(sum(ways[a, o].values()) for o in labels if (a, o) not in first)
                for a, labels in outcomes.items()
                if a not in ended and any((a, o) in first for o in labels)
            }
            if not half:
                break
            ended.add(min(half, key=half.__getitem__))
    return first


def _grown(
    ways: Mapping[Place, Mapping[str, int]], left: Sequence[Place], ended: Collection[str]
) -> dict[Place, str]:
    """Return the first successors of places whose most frequent one reaches an end.

    If there are none, return that of the one place with the likeliest other way to an end.
    """
    usual = {place: max(ways[place], key=ways[place].__getitem__) for place in left}
    moves = {place: action for place, action in usual.items() if action in ended}
    exits = (
        (n / (sum(ways[place].values()) or 1), place, action)
        for place in left
        for action, n in ways[place].items()
        if action in ended
    )
    likely = max(exits, key=lambda each: each[0], default=None)
    return moves or ({} if likely is None else {likely[1]: likely[2]})
