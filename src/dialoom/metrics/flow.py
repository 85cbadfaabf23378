"""Similarity of a flow to another one, and to dialogues: F1 of edges, FuDGE and Flow-F1.

A flow is the system's actions and their order. Users' turns and results lie between actions and are
no nodes here.

FuDGE (fuzzy dialogue-graph edit distance; Mirtaheri et al. 2024, arXiv 2411.10416) is the least
cost at which the turns of a dialogue become a path of the flow, from its start to an end. Our exact
form: only the system's turns count; a turn without a node costs 1, and so does a node
without a turn; a turn in a node's place costs 1 less the similarity of what was said to
the nearest of the node's templates, nothing where both are the same kind of query, and any other
pair is not allowed. The sum is divided by the number of turns or of the path's nodes, whichever is
larger: 0 is a dialogue along the flow, 1 one that has nothing of it. A path may pass through a loop
as often as it likes, and where no end can be reached from a node it may end there.

Flow-F1 (same paper) is the harmonic mean of 1 - FuDGE, over dialogues, and 1 - nodes / turns: a
flow that has a node for everything that was ever said explains it all, and is none.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TypeVar

from dialoom.dialogue.annotation import Struct
from dialoom.flow.actions import read_graph, transitions
from dialoom.metrics.base import Counts, Score, share, signed
from dialoom.schema.task import TaskSchema

T = TypeVar("T")

Edge = tuple[str | None, str]
"""An action and one that may follow it; None opens the dialogue."""

HIT, FOUND, GOLD = ("hit",), ("found",), ("gold",)
"""Counts of edges: those in both flows, those in the one, those in the other."""


class ActionFlow(Struct, frozen=True, dict=True, gc=True):
    """The actions of a flow, with templates (none for queries), and their transitions."""

    texts: dict[str, tuple[str, ...]]
    edges: frozenset[Edge]

    @cached_property
    def hops(self) -> dict[str | None, dict[str, int]]:
        """Action, or None for the start, to the steps to each action that can be reached."""
        after: dict[str | None, list[str]] = {}
        for before, name in sorted(self.edges, key=str):
            after.setdefault(before, []).append(name)
        return {start: _steps_from(start, after) for start in (None, *self.texts)}

    @cached_property
    def togo(self) -> dict[str, int]:
        """Action to the steps to the nearest end; none where no end can be reached."""
        ends = self.texts.keys() - {before for before, _ in self.edges}
        near = {
            name: min((n for end, n in self.hops[name].items() if end in ends), default=0)
            for name in self.texts
        }
        return {name: 0 if name in ends else n for name, n in near.items()}


def _steps_from(start: str | None, after: Mapping[str | None, Sequence[str]]) -> dict[str, int]:
    steps: dict[str, int] = {}
    waiting = deque([(start, 0)])
    while waiting:
        at, distance = waiting.popleft()
        for name in after.get(at, ()):
            if name not in steps:
                steps[name] = distance + 1
                waiting.append((name, distance + 1))
    return steps


def flow_of(task: TaskSchema) -> ActionFlow:
    """Return the actions of a task's flow."""
    graph = read_graph(task)
    edges = {(step.before, step.after) for step in transitions(task) if step.after in graph.texts}
    if not any(before is None for before, _ in edges):
        edges |= {(None, name) for name in graph.entries[:1]}
    linked = {name for edge in edges for name in edge if name is not None}
    nodes = task.flow.nodes
    spoken = {name: nodes[name].texts if name in nodes else () for name in graph.texts}
    return ActionFlow({n: texts for n, texts in spoken.items() if n in linked}, frozenset(edges))


def edge_counts(guess: ActionFlow, gold: ActionFlow) -> Counts:
    """Count the edges between actions of a flow, of the right one, and those in both."""
    ours, theirs = ({e for e in flow.edges if e[0] is not None} for flow in (guess, gold))
    return Counter({HIT: len(ours & theirs), FOUND: len(ours), GOLD: len(theirs)})


def scores(counts: Counts) -> dict[str, Score]:
    """Return `edge_f1`, `edge_precision` and `edge_recall` in percent."""
    hits, guess, gold = counts[HIT], counts[FOUND], counts[GOLD]
    values = {
        "edge_f1": share(2 * hits, guess + gold),
        "edge_precision": share(hits, guess),
        "edge_recall": share(hits, gold),
    }
    return signed(values)


def fudge(turns: Sequence[T], flow: ActionFlow, cost: Callable[[T, str], float]) -> float:
    """Return the FuDGE of a dialogue, 0 to 1; `cost` is that of a turn in an action's place."""
    # at each action, the least cost of a path that ends there, and how many nodes it has
    reached: dict[str | None, tuple[float, int]] = {None: (0.0, 0)}
    for turn in turns:
        skipped = {name: (price + 1, size) for name, (price, size) in reached.items()}
        for name in flow.texts:
            here = cost(turn, name)
            ways = (
                (price + flow.hops[at][name] - 1 + here, size + flow.hops[at][name])
                for at, (price, size) in reached.items()
                if name in flow.hops[at]
            )
            best = min(ways, default=(float("inf"), 0))
            if best[0] < skipped.get(name, (float("inf"), 0))[0]:
                skipped[name] = best
        reached = skipped
    ends = [
        (price + flow.togo[name], size + flow.togo[name])
        for name, (price, size) in reached.items()
        if name is not None
    ]
    price, size = min(ends, default=(float(len(turns)), 0))
    return min(1.0, price / max(len(turns), size, 1))


def flow_f1(distance: float, nodes: int, turns: int) -> float:
    """Return the Flow-F1 of a flow, 0 to 1, by the mean FuDGE and all dialogues' turns."""
    faithful, compact = 1 - distance, max(0.0, 1 - nodes / max(turns, 1))
    return 2 * faithful * compact / (faithful + compact) if faithful + compact else 0.0
