"""Features of each action at a decision point: named groups of columns.

Every group is a function from a `DecisionPoint` to named columns with one number for each action.
No column names a task, slot or sentence, so that weights transfer across tasks. Counts are capped,
so that longer dialogues than in training stay within the range of training.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import get_args

import numpy as np

from dialoom.flow.action_view import ActionView
from dialoom.models.follower.progress import DialogueProgress
from dialoom.models.follower.rules import fits, share_word, unfit, value_match
from dialoom.models.follower.similarity import Similarity, Vector, fits_result
from dialoom.schema.flow import CUSTOM, QUERIES
from dialoom.schema.lexicon import cues, split_name, words
from dialoom.schema.template import PLACEHOLDER
from dialoom.schema.values import Kind, kind

Columns = Iterator[tuple[str, Vector | float]]
"""Names and columns: one number for each action, or one for all actions."""


class TaskFeatures:
    """Features of a task's actions that do not change in a dialogue.

    `index` maps actions to columns. `conditions` are the cues of each edge of the flow graph.
    `asks` are the actions that ask for a parameter, in order; `path` those on the graph.
    """

    def __init__(self, program: ActionView) -> None:
        language = program.spoken.language
        self.index = {action: number for number, action in enumerate(program.actions)}
        self.conditions = [cues(edge.condition, language) for edge in program.edges]
        asks = (action for action in program.links if action not in program.superseded)
        self.asks = sorted(asks, key=lambda action: program.order[action])
        on_graph = {e.after for e in program.edges} | {e.before for e in program.edges}
        self.path = [action for action in self.asks if action in on_graph]
        signs = {action: cues(text, language) for action, text in program.texts.items()}
        size = len(program.actions)
        functions: dict[str, Callable[[str], float]] = {
            "is_query": QUERIES.__contains__,
            **{f"is_{query}": query.__eq__ for query in QUERIES[1:]},
            "is_custom": CUSTOM.__eq__,
            "is_ask": program.links.__contains__,
            "is_question": lambda a: "?" in program.texts[a],
            "places": lambda a: len(PLACEHOLDER.findall(program.texts[a])),
            "words": lambda a: len(words(program.texts[a])),
            "has_reply": program.task.replies.__contains__,
            "is_answered": program.answered.__contains__,
            "superseded": program.superseded.__contains__,
            "on_graph": on_graph.__contains__,
            "edges_in": lambda a: sum(edge.after == a for edge in program.edges),
            "edges_out": lambda a: len(program.graph.leaving.get(a, ())),
            "place": lambda a: program.order[a] / size,
            "path_length": lambda _: len(self.path),
            **{
                f"says_{cue}": lambda a, cue=cue: signs[a][cue]  # type: ignore[misc]
                for cue in cues("", language)
            },
        }
        self.columns = {
            name: _column(function, program.actions) for name, function in functions.items()
        }


class DecisionPoint:
    """The state of a dialogue at which the system acts, with features of the task's actions.

    `size` counts the actions, `heard` has the cues in the last user turn.
    """

    def __init__(
        self, progress: DialogueProgress, similarity: Similarity, task: TaskFeatures
    ) -> None:
        self.progress, self.similarity, self.task = progress, similarity, task
        self.program: ActionView = progress.program
        self.size = len(self.program.actions)
        self.heard = cues(progress.user, self.program.spoken.language)

    def zeros(self) -> Vector:
        """Return a column of zeros."""
        return np.zeros(self.size)

    def each(self, measure: Callable[[str], float]) -> Vector:
        """Return a column with a function's value for each action."""
        return _column(measure, self.program.actions)

    def is_filled(self, action: str) -> bool:
        """True if the requested value of an action is known."""
        slot = self.program.links.get(action)
        return slot is not None and self.progress.slots.filled(slot.name)


def _column(function: Callable[[str], float], actions: tuple[str, ...]) -> Vector:
    return np.array([float(function(action)) for action in actions])


KINDS = get_args(Kind)

UNREACHED = 9
"""A cost above any that the graph gives (dialoom.flow.actions.FAR)."""

ONE_SIDED = 0.3
"""Agreement lost by a cue that only the user's words or only a node has (set by hand); a cue that
both have adds 1."""

NO_NODE = -3.0
"""The agreement of cues for an action that no node leads to."""


def action_columns(point: DecisionPoint) -> Columns:
    """Features of the action that do not change in a dialogue: its reply, its place in the flow."""
    yield from point.task.columns.items()


def context_columns(point: DecisionPoint) -> Columns:
    """Features of the dialogue so far, the same for every action."""
    progress, last = point.progress, point.progress.last or ""
    for event in ("start", "user", "system", "result"):
        yield f"after_{event}", progress.kind == event
    yield "turns", min(progress.turns, 12)
    yield "user_turns", min(progress.user_turns, 12)
    yield "run", min(progress.run, 5)
    yield "queries", min(len(progress.queries), 5)
    yield "repeat", progress.repeat
    yield "empty_run", min(progress.empty_run, 4)
    yield "empty", progress.kind == "result" and progress.item is None
    yield "had_item", progress.item is not None
    yield "user_words", min(len(words(progress.user)), 40)
    yield "last_query", last in QUERIES
    yield "last_ask", last in point.program.links
    yield "last_custom", last == CUSTOM
    yield "last_matched", progress.matched
    yield "last_question", "?" in progress.last_text
    yield "last_known_query", QUERIES.index(progress.last_query or QUERIES[0])


def similarity_columns(point: DecisionPoint) -> Columns:
    """Similarity of the user's words and the last result to the nodes that lead to the action."""
    progress = point.progress
    columns = {name: point.zeros() for name in ("user", "here", "marker", "anchored")}
    result = {name: point.zeros() for name in ("kb", "kb_here")}
    likeness = point.similarity.edges(progress.user) if progress.user else None
    ends: dict[str | None, list[str]] = {progress.last_said: ["here"]}
    ends.setdefault(progress.anchor, []).append("anchored")

    def keep(column: Vector, score: float) -> None:
        column[index] = max(column[index], score)

    for number, edge in enumerate(point.program.edges):
        index = point.task.index[edge.after]
        if edge.source == "kb":
            score = fits_result(edge.condition, progress.item) if progress.items else 0.0
            keep(result["kb"], score)
            if edge.before == progress.last_query:
                keep(result["kb_here"], score)
        elif likeness is not None and edge.condition:
            score = float(likeness[number])
            if edge.source == "marker":
                keep(columns["marker"], score)
                continue
            keep(columns["user"], score)
            for name in ends.get(edge.before, ()):
                keep(columns[name], score + value_match(edge.condition, progress))
    wording = point.similarity.actions(progress.user) if progress.user else point.zeros()
    for name, column in {**columns, "said": wording}.items():
        yield f"sim_{name}", column
        yield f"sim_{name}_rel", column - column.max()
        yield f"sim_{name}_now", column * (progress.kind == "user")
    for name, column in result.items():
        now = column * (progress.kind == "result")
        yield f"sim_{name}", column
        yield f"sim_{name}_now", now
        yield f"sim_{name}_rel", now - now.max()
    fitting, other = fits(point.program, progress), unfit(point.program, progress)
    yield "kb_best", point.each(lambda a: (a in fitting) - 2 * (a in other))


def cue_columns(point: DecisionPoint) -> Columns:
    """Cues (thanks, farewell, yes, no, question) of the user's words and of nodes before it."""
    agree, oppose, here = point.zeros() + NO_NODE, point.zeros(), point.zeros() + NO_NODE
    signals = point.heard
    for number, edge in enumerate(point.program.edges):
        if edge.source not in ("user", "marker"):
            continue
        condition = point.task.conditions[number]
        both = sum(signals[cue] and condition[cue] for cue in signals)
        one = sum(signals[cue] != condition[cue] for cue in signals)
        index = point.task.index[edge.after]
        agree[index] = max(agree[index], both - ONE_SIDED * one)
        oppose[index] = max(oppose[index], float(one))
        if edge.before == point.progress.last_said:
            here[index] = max(here[index], both - ONE_SIDED * one)
    yield "cue_agree", agree
    yield "cue_here", here
    yield "cue_oppose", oppose
    for cue, presence in signals.items():
        yield f"heard_{cue}", presence


def graph_columns(point: DecisionPoint) -> Columns:
    """The action's position in the flow graph, relative to the last actions."""
    progress, graph, order = point.progress, point.program.graph, point.program.order
    ends = {"": progress.last, "_said": progress.last_said, "_anchor": progress.anchor}
    for name, at in ends.items():
        after = {edge.after for edge in graph.leaving.get(at or "", ())}
        yield f"follows{name}", point.each(after.__contains__)
    yield "at_anchor", progress.anchor == progress.last
    yield "branches", len(graph.leaving.get(progress.last or "", ()))
    costs = graph.reach(progress.last, {a for a in point.program.links if point.is_filled(a)})
    reach = point.each(lambda a: costs.get(a, UNREACHED))
    yield "reach", reach
    yield "reach_rel", reach - reach.min()
    last = order.get(progress.last or "", -1)
    yield "ahead", point.each(lambda a: order[a] - last)
    places = (order.get(a, point.size) for a in progress.counts)
    furthest = max((place for place in places if place < point.size), default=-1)
    yield "beyond", point.each(lambda a: order[a] - furthest)


def done_columns(point: DecisionPoint) -> Columns:
    """True if an action was done; also how often and how long ago."""
    progress, path = point.progress, point.task.path
    yield "done", point.each(lambda a: min(progress.counts.get(a, 0), 4))
    when, turns = progress.when, progress.turns
    yield "since", point.each(lambda a: min(turns - when[a], 9) if a in when else 10)
    yield "again", point.each(lambda a: a == progress.last)
    yield "again_said", point.each(lambda a: a == progress.last_said)
    total = sum(a in progress.counts for a in path)
    yield "asked_share", total / max(1, len(path))


def slot_columns(point: DecisionPoint) -> Columns:
    """State of the requested slot of an action; -1 if it asks for none."""
    progress, slots, links = point.progress, point.progress.slots, point.program.links

    def of_slot(value: Callable[[str], float]) -> Vector:
        return point.each(lambda a: value(links[a].name) if a in links else -1)

    yield "slot_mentioned", of_slot(slots.mentioned.__contains__)
    yield "slot_answered", of_slot(slots.answered.__contains__)
    yield "slot_refused", of_slot(slots.refused.__contains__)
    yield "slot_queried", of_slot(slots.queried.__contains__)
    yield "slot_fresh", of_slot(slots.fresh.__contains__)
    yield "slot_required", of_slot(point.program.required.__contains__)
    yield "slot_filled", of_slot(slots.filled)
    yield "slot_kind", point.each(lambda a: KINDS.index(kind(links[a])) if a in links else -1)
    yield "slot_similarity", _answer_similarity(point)
    yield "fresh_count", len(slots.fresh)
    yield "fresh_since_query", len(progress.fresh_since_query)
    yield "changed", len(progress.changed)
    yield "users_since_query", min(progress.users_since_query, 5)


def _answer_similarity(point: DecisionPoint) -> Vector:
    scores = point.zeros() - 1
    rows = [point.similarity.edges(text) for text in point.progress.texts]
    for number, edge in enumerate(point.program.edges):
        if edge.source == "user" and edge.before in point.program.links:
            place = point.task.index[edge.before]
            scores[place] = max(scores[place], *(float(row[number]) for row in rows), -1.0)
    return scores


def program_columns(point: DecisionPoint) -> Columns:
    """Open questions of the flow, and whether the action is the flow's next step."""
    program, task, order = point.program, point.task, point.program.order
    open_asks = _open_way(point)
    open_all = [a for a in task.asks if not point.is_filled(a)]
    first = open_asks[0] if open_asks else None
    slots = point.progress.slots
    linked = {slot.name for slot in program.links.values()}
    missing = [name for name in program.required & linked if not slots.filled(name)]
    yield "open_asks", len(open_asks)
    yield "open_share", len(open_asks) / max(1, len(task.path))
    yield "asks", len(task.asks)
    yield "open_all", len(open_all)
    yield "open_all_rank", point.each(lambda a: open_all.index(a) if a in open_all else -1)
    yield "required_count", len(program.required)
    yield "missing", len(missing)
    yield "known", sum(slots.filled(slot.name) for slot in program.parameters)
    yield "next_ask", point.each(lambda a: a == first)
    yield "open_before", point.each(lambda a: sum(order[b] < order[a] for b in open_asks))
    yield "open_rank", point.each(lambda a: open_asks.index(a) if a in open_asks else -1)
    detour = bool(open_asks) and bool(slots.refused)
    ready = point.progress.kind in ("user", "start") and not missing and not detour
    yield "ready", ready
    yield "ready_query", task.columns["is_query"] * ready
    over = point.progress.kind == "result" or point.progress.last_query is not None
    step = None if over else first or next(iter(program.queries), None)
    yield "flow_step", point.each(lambda a: a == step)


def _open_way(point: DecisionPoint) -> list[str]:
    """Return the open questions on the path to a query that has the fewest of them.

    Flows branch: a user who has given an account number need not be asked for a birthday as well. A
    question that the user could not answer leads on by the flow's edge for that answer. Questions
    for required inputs of the query are added if the path lacks them.
    """
    graph, links, slots = point.program.graph, point.program.links, point.progress.slots
    answers = {a for a in point.task.path if links[a].name in slots.refused or point.is_filled(a)}
    ways: deque[tuple[str, tuple[str, ...]]] = deque((entry, ()) for entry in graph.entries[:1])
    visits = set()
    while ways:
        action, passed = ways.popleft()
        if action in QUERIES:
            required = point.program.required
            left = {a for a in point.task.path if links[a].name in required} - answers
            return sorted({*passed, *left}, key=point.program.order.__getitem__)
        if action in visits:
            continue
        visits.add(action)
        leaving = graph.leaving.get(action, ())
        if action in point.task.path:
            has_value = action not in answers or point.is_filled(action)
            leaving = graph.after_answer(action, has_value=has_value)
        after = [edge.after for edge in leaving]
        if action in point.task.path and action not in answers:
            ways.extend((each, (*passed, action)) for each in after)
        else:  # it costs nothing, so ways through it come first
            ways.extendleft((each, passed) for each in reversed(after))
    return [action for action in point.task.path if action not in answers]


def placeholder_columns(point: DecisionPoint) -> Columns:
    """How many placeholders of the action's reply the item of the last result has values for."""
    item = point.progress.item or {}
    keys = [split_name(key) for key in item]
    share, count = point.zeros(), point.zeros()
    for number, action in enumerate(point.program.actions):
        names = PLACEHOLDER.findall(point.program.texts[action])
        hits = sum(any(share_word(split_name(name), key) for key in keys) for name in names)
        share[number], count[number] = hits / len(names) if names else -1.0, hits
    yield "place_share", share
    yield "place_count", count
    yield "item_keys", len(item)
    yield "item_lists", sum(isinstance(value, list) for value in item.values())


GROUPS: dict[str, Callable[[DecisionPoint], Columns]] = {
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
