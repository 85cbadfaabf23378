"""Where the dialogue stands in the flow, and what is still to be known."""

from __future__ import annotations

import numpy as np

from dialoom.models.follower.likeness import Vector
from dialoom.models.follower.point import Columns, Point, flags
from dialoom.schema.values import kind

UNREACHED = 9
"""A cost above any that the graph gives (dialoom.schema.actions.FAR)."""


def graph_columns(point: Point) -> Columns:
    """Where the action stands after the last one in the flow graph."""
    state, program = point.state, point.program
    for name, at in (("", state.last), ("_said", state.last_said), ("_anchor", state.anchor)):
        after = {edge.after for edge in program.graph.leaving.get(at or "", ())}
        yield f"follows{name}", flags(action in after for action in program.actions)
    yield "at_anchor", point.fill(state.anchor == state.last)
    yield "branches", point.fill(len(program.graph.leaving.get(state.last or "", ())))
    reach = _reach(point)
    yield "reach", reach
    yield "reach_rel", reach - reach.min()
    order = program.order
    last = order.get(state.last or "", -1)
    yield "ahead", np.array([float(order[a] - last) for a in program.actions])
    places = (order.get(a, point.size) for a in state.counts)
    furthest = max((place for place in places if place < point.size), default=-1)
    yield "beyond", np.array([float(order[a] - furthest) for a in program.actions])


def _reach(point: Point) -> Vector:
    """Steps from the last action along the graph, where filled asks cost nothing."""
    program = point.program
    filled = {action for action in program.links if _is_filled(point, action)}
    costs = program.graph.reach(point.state.last, filled)
    return np.array([float(costs.get(action, UNREACHED)) for action in program.actions])


def _is_filled(point: Point, action: str) -> bool:
    parameter = point.program.links.get(action)
    return parameter is not None and point.state.slots.filled(parameter.name)


def done_columns(point: Point) -> Columns:
    """What was already done."""
    state, actions = point.state, point.program.actions
    yield "done", np.array([float(min(state.counts.get(a, 0), 4)) for a in actions])
    yield (
        "since",
        np.array(
            [
                float(min(state.turns - state.when[a], 9)) if a in state.when else 10.0
                for a in actions
            ]
        ),
    )
    yield "again", np.array([float(a == state.last) for a in actions])
    yield "again_said", np.array([float(a == state.last_said) for a in actions])
    asked = sum(a in state.counts for a in point.static.path)
    yield "asked_share", point.fill(asked / max(1, len(point.static.path)))


def slot_columns(point: Point) -> Columns:
    """Whether what the action asks for is known."""
    slots, program = point.state.slots, point.program
    names = [program.links[a].name if a in program.links else None for a in program.actions]
    for title, known in (
        ("mentioned", slots.mentioned),
        ("answered", slots.answered),
        ("queried", slots.queried),
        ("fresh", slots.fresh),
        ("required", program.required),
    ):
        yield f"slot_{title}", np.array([-1.0 if n is None else float(n in known) for n in names])
    yield "slot_filled", np.array([-1.0 if n is None else float(slots.filled(n)) for n in names])
    kinds = ("time", "date", "choice", "number", "boolean", "name", "text")
    yield (
        "slot_kind",
        np.array(
            [
                float(kinds.index(kind(program.links[a]))) if a in program.links else -1.0
                for a in program.actions
            ]
        ),
    )
    yield "slot_likeness", _answer_likeness(point)
    yield (
        "slot_refused",
        np.array([-1.0 if n is None else float(n in slots.refused) for n in names]),
    )
    yield "fresh_count", point.fill(len(slots.fresh))
    yield "fresh_since_query", point.fill(len(point.state.fresh_since_query))
    yield "changed", point.fill(len(point.state.changed))
    yield "users_since_query", point.fill(min(point.state.users_since_query, 5))


def _answer_likeness(point: Point) -> Vector:
    """How close anything the user said comes to an expected answer to the action's question."""
    found = np.full(point.size, -1.0)
    asks = point.program.links
    for number, edge in enumerate(point.program.edges):
        if edge.source == "user" and edge.before in asks:
            place = point.static.index[edge.before]
            for text in point.state.texts:
                found[place] = max(found[place], float(point.likeness.edges(text)[number]))
    return found


def program_columns(point: Point) -> Columns:
    """What the flow still wants to know, and whether the action is its next step."""
    slots, program, static = point.state.slots, point.program, point.static
    order = program.order
    open_asks = [a for a in static.path if not _is_filled(point, a)]
    first = open_asks[0] if open_asks else None
    required = program.required
    missing = [name for name in sorted(required) if _is_missing(point, name)]
    yield "open_asks", point.fill(len(open_asks))
    yield "open_share", point.fill(len(open_asks) / max(1, len(static.path)))
    open_all = [a for a in static.asks if not _is_filled(point, a)]
    yield "asks", point.fill(len(static.asks))
    yield "open_all", point.fill(len(open_all))
    yield (
        "open_all_rank",
        np.array([float(open_all.index(a)) if a in open_all else -1.0 for a in program.actions]),
    )
    yield "required_count", point.fill(len(required))
    yield "missing", point.fill(len(missing))
    yield "known", point.fill(sum(slots.filled(p.name) for p in program.parameters))
    yield "next_ask", np.array([float(a == first) for a in program.actions])
    yield (
        "open_before",
        np.array([float(sum(order[b] < order[a] for b in open_asks)) for a in program.actions]),
    )
    yield (
        "open_rank",
        np.array([float(open_asks.index(a)) if a in open_asks else -1.0 for a in program.actions]),
    )
    ready = point.state.kind in ("user", "start") and not missing
    yield "ready", point.fill(ready)
    yield "ready_query", point.static.columns["is_query"] * ready
    step = _next_step(point, first)
    yield "flow_step", np.array([float(a == step) for a in program.actions])


def _is_missing(point: Point, name: str) -> bool:
    linked = any(parameter.name == name for parameter in point.program.links.values())
    return linked and not point.state.slots.filled(name)


def _next_step(point: Point, first: str | None) -> str | None:
    """The step that the flow alone would take: the next open question, or the first query."""
    if point.state.kind == "result":
        return None
    if first is not None and point.state.last_query is None:
        return first
    queries = point.program.queries
    return queries[0] if queries and point.state.last_query is None else None
