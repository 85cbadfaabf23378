"""Which action follows which: the edges of a flow, chosen from what dialogues did.

paths = [["hello", "ask_name", "query", "goodbye"], …]
paths_graph = Transitions(paths)
paths_graph.supported(0.1, asks={"ask_name"})   # {(None, "hello"), ("hello", "ask_name"), …}
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from statistics import median

Edge = tuple[str | None, str]
"""An action and one that may follow it; None opens the dialogue."""

Place = str | tuple[str, str] | None
"""Where a dialogue goes on from: an action, a query with its outcome, or None before the first."""

LEAST = 3
"""How often a transition is seen at least."""

ENDS = 0.5
"""The share of an action's occurrences that end dialogues, or open them, from which it is an action
that ends or opens them."""


def chain(path: Sequence[str]) -> Iterator[Edge]:
    """Yield the transitions of a path, the one that opens it first."""
    yield from zip((None, *path), path, strict=False)


class Transitions:
    """The transitions between actions in some dialogues.

    Attributes:
        paths: The actions of each dialogue, in order.
        counts: Transition to how often it was made.
        times: Action to how often it occurred.
    """

    def __init__(self, paths: Iterable[Sequence[str]]) -> None:
        self.paths = [list(path) for path in paths if path]
        self.counts = Counter[Edge]()
        for path in self.paths:
            self.counts.update(chain(path))
        self.times = Counter(action for path in self.paths for action in path)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The actions by the median of their places in the dialogues, from 0 to 1."""
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
        """Return the transitions that make a share of all that leave their action.

        Questions make a chain: an edge past one, which an answer given early makes needless, leads
        there instead. Every action is reached, and reaches an end.

        Args:
            support: The least share.
            asks: The actions that ask for a value.
            calls: The queries.
        """
        leaving = Counter[str | None]()
        for (before, _), count in self.counts.items():
            leaving[before] += count
        chosen = {
            edge
            for edge, count in self.counts.items()
            if edge[0] not in self.final
            and count >= min(LEAST, leaving[edge[0]])
            and count >= support * leaving[edge[0]]
        }
        return self._connected(self._chained(chosen, asks, calls))

    @cached_property
    def line(self) -> set[Edge]:
        """The actions one after another, in their order: the simplest flow there is."""
        return set(chain(self.order))

    @cached_property
    def every(self) -> set[Edge]:
        """Every transition that was made."""
        return set(self.counts)

    def _chained(
        self, edges: set[Edge], asks: Collection[str], calls: Collection[str]
    ) -> set[Edge]:
        """Let edges from questions or openings past other questions lead to the first of those."""
        place = {action: number for number, action in enumerate(self.order)}
        questions = [action for action in self.order if action in asks]
        kept = set[Edge]()
        for before, after in edges:
            starts = before in asks or before in self.openings
            ends = after in asks or after in calls
            low, high = place.get(before or "", -1), place[after]
            passed = [q for q in questions if low < place[q] < high] if starts and ends else []
            kept |= set(zip((before, *passed), (*passed, after), strict=True))
        return kept

    def _connected(self, edges: set[Edge]) -> set[Edge]:
        """Add the commonest edge to each action that is not reached, or reaches no end."""
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
    """Return what can be reached from some actions, those included."""
    found, stack = set(start), list(start)
    while stack:
        at = stack.pop()
        new = {after for before, after in edges if before == at} - found
        found |= new
        stack += new
    return found


def asked_before(edges: Collection[Edge], query: str, questions: Sequence[str]) -> set[Edge]:
    """Return the edges with which a query comes after some questions, one after the other."""
    asked = set(zip(questions, (*questions[1:], query), strict=True))
    kept = {edge for edge in edges if edge[1] != query}
    led = {before for before, after in edges if after == query} - set(questions)
    return asked | kept | {(before, questions[0]) for before in led}


def onward(
    ways: Mapping[Place, Mapping[str, int]], outcomes: Mapping[str, Collection[str]]
) -> dict[Place, str]:
    """Return the way that is taken first from each place, so that all first ways reach an end.

    It is the commonest, unless that leads in a circle; then the likeliest of those that do not. A
    query reaches an end where each of its outcomes does; if none would then be reached, where one
    does. A place that no end can be reached from has no first way.

    Args:
        ways: Place to the actions that may follow, with how often they do.
        outcomes: Query to its outcomes.
    """
    first: dict[Place, str] = {}
    left = [place for place, after in ways.items() if after and place not in outcomes]
    ended = {a for each in ways.values() for a in each if not ways.get(a)} - outcomes.keys()
    while left:
        ended |= {a for a, named in outcomes.items() if all((a, o) in first for o in named)}
        grown = _grown(ways, left, ended)
        first |= grown
        left = [place for place in left if place not in first]
        ended |= {place for place in grown if isinstance(place, str)}
        if not grown:
            half = {a for a, named in outcomes.items() if any((a, o) in first for o in named)}
            if half <= ended:
                break
            ended |= half
    return first


def _grown(
    ways: Mapping[Place, Mapping[str, int]], left: Sequence[Place], ended: Collection[str]
) -> dict[Place, str]:
    """Return the first ways of places whose commonest leads to an end; if none, one likely way."""
    usual = {place: max(ways[place], key=ways[place].__getitem__) for place in left}
    found = {place: action for place, action in usual.items() if action in ended}
    exits = (
        (n / (sum(ways[place].values()) or 1), place, action)
        for place in left
        for action, n in ways[place].items()
        if action in ended
    )
    likely = max(exits, key=lambda each: each[0], default=None)
    return found or ({} if likely is None else {likely[1]: likely[2]})
