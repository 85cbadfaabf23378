"""What speaks for each action at a point of a dialogue: named groups of numbers.

Every group is a function from a `Point` to named columns, one number an action. No column knows
which task, slot or sentence it is about, so what is learnt from some tasks holds for others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from dialoom.models.follower.links import PLACE
from dialoom.models.follower.likeness import Likeness, Vector, fits_result
from dialoom.models.follower.program import CUSTOM, PLACEHOLDER, QUERIES, Program
from dialoom.models.follower.state import State
from dialoom.schema.lexicon import cues, split_name, words
from dialoom.schema.task import PAPER, SAM
from dialoom.schema.values import kind as value_kind
from dialoom.schema.values import same

Columns = Iterator[tuple[str, Vector]]


class Point:
    """A state with what is needed to describe the task's actions in it."""

    def __init__(self, state: State, likeness: Likeness, static: Static) -> None:
        self.state, self.likeness, self.static = state, likeness, static
        self.program: Program = state.program
        self.size = len(self.program.actions)
        self.heard = cues(state.user, self.program.spoken.language)

    def zeros(self) -> Vector:
        """Return a column of zeros."""
        return np.zeros(self.size)

    def fill(self, value: float) -> Vector:
        """Return a column of one value: something about the dialogue rather than an action."""
        return np.full(self.size, float(value))


class Static:
    """What about a task's actions never changes in a dialogue."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index = {action: number for number, action in enumerate(program.actions)}
        language = program.spoken.language
        self.cues = {a: cues(text, language) for a, text in program.texts.items()}
        self.conditions = [cues(edge.condition, language) for edge in program.edges]
        self.asks = [
            action
            for action in sorted(program.links, key=lambda a: program.order[a])
            if program.order[action] < len(program.actions) and action not in program.superseded
        ]
        on_graph = {e.after for e in program.edges} | {e.before for e in program.edges}
        self.on_graph = on_graph
        self.path = [a for a in self.asks if a in on_graph]
        self.after: dict[str, list[int]] = {}
        for number, edge in enumerate(program.edges):
            if edge.before is not None:
                self.after.setdefault(edge.before, []).append(number)
        self.columns = dict(self._columns())

    def _columns(self) -> Columns:
        program = self.program
        actions, texts = program.actions, program.texts
        yield "is_query", _flags(a in QUERIES for a in actions)
        for query in QUERIES[1:]:
            yield f"is_{query}", _flags(a == query for a in actions)
        yield "is_custom", _flags(a == CUSTOM for a in actions)
        yield "is_ask", _flags(a in program.links for a in actions)
        yield "is_question", _flags("?" in texts[a] for a in actions)
        yield "places", _numbers(len(PLACEHOLDER.findall(texts[a])) for a in actions)
        yield "words", _numbers(len(words(texts[a])) for a in actions)
        yield "in_paper", _flags(PAPER in program.views[a] for a in actions)
        yield "in_sam", _flags(SAM in program.views[a] for a in actions)
        yield "superseded", _flags(a in program.superseded for a in actions)
        yield "on_graph", _flags(a in self.on_graph for a in actions)
        yield "edges_in", _numbers(sum(e.after == a for e in program.edges) for a in actions)
        yield "edges_out", _numbers(len(self.after.get(a, ())) for a in actions)
        size = max(1, len(actions))
        yield "place", _numbers(program.order[a] / size for a in actions)
        yield "path_length", np.full(len(actions), float(len(self.path)))
        for cue in program.spoken.cues:
            yield f"says_{cue}", _flags(self.cues[a][cue] for a in actions)


def _flags(values: Iterator[bool]) -> Vector:
    return np.array([float(value) for value in values])


def _numbers(values: Iterator[float]) -> Vector:
    return np.array([float(value) for value in values])


def action_columns(point: Point) -> Columns:
    """What the action is, by its reply and its place in the schema."""
    yield from point.static.columns.items()


def context_columns(point: Point) -> Columns:
    """Where the dialogue stands, whatever the action."""
    state = point.state
    for kind in ("start", "user", "system", "result"):
        yield f"after_{kind}", point.fill(state.kind == kind)
    yield "turns", point.fill(min(state.turns, 12))
    yield "user_turns", point.fill(min(state.user_turns, 12))
    yield "run", point.fill(min(state.run, 5))
    yield "queries", point.fill(min(len(state.queries), 5))
    yield "empty", point.fill(state.kind == "result" and state.item is None)
    yield "had_item", point.fill(state.item is not None)
    yield "user_words", point.fill(min(len(words(state.user)), 40))
    last = state.last or ""
    yield "last_query", point.fill(last in QUERIES)
    yield "last_ask", point.fill(last in point.program.links)
    yield "last_custom", point.fill(last == CUSTOM)
    yield "last_matched", point.fill(state.matched)
    yield "last_question", point.fill("?" in state.last_text)
    yield "last_known_query", point.fill(QUERIES.index(state.last_query or QUERIES[0]))


def similarity_columns(point: Point) -> Columns:
    """How close the user's words and the result come to the nodes that lead to the action."""
    state, program = point.state, point.program
    heard = point.likeness.edges(state.user) if state.user else None
    user, here, marker = point.zeros(), point.zeros(), point.zeros()
    anchored = point.zeros()
    kb, kb_here = point.zeros(), point.zeros()
    for number, edge in enumerate(program.edges):
        index = point.static.index[edge.after]
        if edge.source == "kb":
            score = fits_result(edge.condition, state.item) if state.items else 0.0
            kb[index] = max(kb[index], score)
            if edge.before == state.last_query:
                kb_here[index] = max(kb_here[index], score)
        elif heard is not None and edge.condition:
            score = float(heard[number])
            if edge.source == "marker":
                marker[index] = max(marker[index], score)
            else:
                user[index] = max(user[index], score)
                score += _answer_match(edge.condition, state)
                if edge.before == state.last_said:
                    here[index] = max(here[index], score)
                if edge.before == state.anchor:
                    anchored[index] = max(anchored[index], score)
    said = point.likeness.actions(state.user) if state.user else point.zeros()
    after_user = state.kind == "user"
    for name, column in (("user", user), ("here", here), ("marker", marker), ("said", said), ("anchored", anchored)):
        yield f"sim_{name}", column
        yield f"sim_{name}_rel", column - column.max()
        yield f"sim_{name}_now", column * after_user
    for name, column in (("kb", kb), ("kb_here", kb_here)):
        now = column * (state.kind == "result")
        yield f"sim_{name}", column
        yield f"sim_{name}_now", now
        yield f"sim_{name}_rel", now - now.max()


def _answer_match(condition: str, state: State) -> float:
    """Whether the user said, or failed to say, the value that a condition names.

    A placeholder named as an attribute of the item wants its value to be said; one whose name has
    more words than that wants another value.
    """
    score = 0.0
    for place in PLACE.findall(condition):
        for key, value in (state.item or {}).items():
            wanted, name = split_name(key), split_name(place)
            if isinstance(value, str | int | float) and set(wanted) <= set(name):
                said = " ".join(words(str(value))) in " ".join(words(state.user))
                score += 1.0 if said == (wanted == name) else -1.0
    return score


def cue_columns(point: Point) -> Columns:
    """Thanks, farewells, yes, no, questions: heard, and agreeing with what leads to the action."""
    agree, oppose, here = point.zeros() - 3, point.zeros(), point.zeros() - 3
    heard = point.heard
    for number, edge in enumerate(point.program.edges):
        if edge.source not in ("user", "marker"):
            continue
        wanted = point.static.conditions[number]
        both = sum(heard[cue] and wanted[cue] for cue in heard)
        one = sum(heard[cue] != wanted[cue] for cue in heard)
        index = point.static.index[edge.after]
        agree[index] = max(agree[index], both - 0.3 * one)
        oppose[index] = max(oppose[index], float(one))
        if edge.before == point.state.last_said:
            here[index] = max(here[index], both - 0.3 * one)
    yield "cue_agree", agree
    yield "cue_here", here
    yield "cue_oppose", oppose
    for cue, found in heard.items():
        yield f"heard_{cue}", point.fill(found)
    yield "heard_mark", point.fill("?" in point.state.user)


def graph_columns(point: Point) -> Columns:
    """Where the action stands after the last one in the flow graph."""
    state, program, static = point.state, point.program, point.static
    follows, follows_said = point.zeros(), point.zeros()
    for number in static.after.get(state.last or "", ()):
        follows[static.index[program.edges[number].after]] = 1.0
    for number in static.after.get(state.last_said or "", ()):
        follows_said[static.index[program.edges[number].after]] = 1.0
    yield "follows", follows
    yield "follows_said", follows_said
    anchored = point.zeros()
    for number in static.after.get(state.anchor or "", ()):
        anchored[static.index[program.edges[number].after]] = 1.0
    yield "follows_anchor", anchored
    yield "at_anchor", point.fill(state.anchor == state.last)
    yield "branches", point.fill(len(static.after.get(state.last or "", ())))
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
    static, program = point.static, point.program
    found = np.full(point.size, 9.0)
    level = {point.state.last or next(iter(program.actions), "")}
    seen = set(level)
    cost = 0.0
    while level and cost < 6:
        following: set[str] = set()
        stack = sorted(level)
        while stack:
            for number in static.after.get(stack.pop(), ()):
                action = program.edges[number].after
                if action in seen:
                    continue
                seen.add(action)
                found[static.index[action]] = cost
                if _is_filled(point, action):
                    stack.append(action)
                else:
                    following.add(action)
        level = following
        cost += 1
    return found


def _is_filled(point: Point, action: str) -> bool:
    parameter = point.program.links.get(action)
    return parameter is not None and point.state.slots.filled(parameter.name)


def done_columns(point: Point) -> Columns:
    """What was already done."""
    state, actions = point.state, point.program.actions
    yield "done", np.array([float(min(state.counts.get(a, 0), 4)) for a in actions])
    yield "since", np.array(
        [float(min(state.turns - state.when[a], 9)) if a in state.when else 10.0 for a in actions]
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
    kinds = ("time", "ordinal", "choice", "number", "boolean", "name", "text")
    yield "slot_kind", np.array(
        [
            float(kinds.index(value_kind(program.links[a]))) if a in program.links else -1.0
            for a in program.actions
        ]
    )
    yield "fresh_count", point.fill(len(slots.fresh))
    yield "fresh_since_query", point.fill(len(point.state.fresh_since_query))
    yield "changed", point.fill(len(point.state.changed))
    yield "users_since_query", point.fill(min(point.state.users_since_query, 5))


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
    yield "missing", point.fill(len(missing))
    yield "known", point.fill(sum(slots.filled(p.name) for p in program.parameters))
    yield "next_ask", np.array([float(a == first) for a in program.actions])
    yield "open_before", np.array(
        [float(sum(order[b] < order[a] for b in open_asks)) for a in program.actions]
    )
    yield "open_rank", np.array(
        [float(open_asks.index(a)) if a in open_asks else -1.0 for a in program.actions]
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


def placeholder_columns(point: Point) -> Columns:
    """Whether the last item has the values that the action's reply needs, and lacks others."""
    item = point.state.item or {}
    keys = [split_name(key) for key in item]
    share, count = point.zeros(), point.zeros()
    for number, action in enumerate(point.program.actions):
        names = PLACEHOLDER.findall(point.program.texts[action])
        if names:
            hits = sum(_has(split_name(name), keys) for name in names)
            share[number], count[number] = hits / len(names), hits
        else:
            share[number] = -1.0
    yield "place_share", share
    yield "place_count", count
    yield "item_keys", point.fill(len(item))
    lists = [value for value in item.values() if isinstance(value, list)]
    yield "item_lists", point.fill(len(lists))


def _has(name: list[str], keys: list[list[str]]) -> bool:
    return any(any(same(one, other) for one in name for other in key) for key in keys)


GROUPS: dict[str, Callable[[Point], Columns]] = {
    "action": action_columns,
    "context": context_columns,
    "similarity": similarity_columns,
    "cues": cue_columns,
    "graph": graph_columns,
    "done": done_columns,
    "slots": slot_columns,
    "program": program_columns,
    "placeholders": placeholder_columns,
}
"""The groups of features by name; each can be left out."""
