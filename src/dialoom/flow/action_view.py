"""A task's schema compiled for the follower: its flow graph, and the slot of each question.

Questions are linked to parameters by an optimal assignment of word overlaps, weighted by inverse
document frequency. Nothing here is specific to a task, a slot or a sentence.
"""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec
import numpy as np
from msgspec import structs

from dialoom.flow.actions import Edge, Graph, read_graph
from dialoom.schema.flow import CUSTOM, QUERIES
from dialoom.schema.lexicon import Lexicon, lacking, lexicon, split_name, words
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from dialoom.schema.template import PLACE
from dialoom.schema.values import kind, same

SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


class ActionView(msgspec.Struct, frozen=True):
    """A compiled task.

    Attributes:
        spoken: The word lists of its language.
        actions: The system's actions: the graph's and words of its own.
        texts: Action to its reply, empty for queries.
        order: Action to its place on the way through the flow graph.
        links: Action that asks for a value to its API parameter.
        answered: Actions before or after a node of the user or of a result.
        superseded: Actions outside `answered` with the reply of one in it.
        parameters: The inputs of the task's APIs that a user can give.
    """

    task: TaskSchema
    spoken: Lexicon
    graph: Graph
    actions: tuple[str, ...]
    texts: dict[str, str]
    order: dict[str, int]
    links: dict[str, Slot]
    answered: frozenset[str]
    superseded: frozenset[str]
    parameters: tuple[Slot, ...]
    required: frozenset[str]

    @property
    def edges(self) -> tuple[Edge, ...]:
        """The edges of the flow graph."""
        return self.graph.edges

    @property
    def queries(self) -> tuple[str, ...]:
        """The actions that query the knowledge base."""
        return tuple(action for action in self.actions if action in QUERIES)


def view_actions(
    task: TaskSchema, unlinked: float = 0.0, seed: int = 0, lists: Sequence[str] = ()
) -> ActionView:
    """Compile a task's schema.

    `unlinked` is the probability of dropping a question's link to its parameter; `seed` draws these
    with the task. `lists` are word lists of its language to leave out.
    """
    graph, spoken = _shared_ends(read_graph(task)), lexicon(lacking(task.language, lists))
    replies = {a: text for a, text in graph.texts.items() if a not in QUERIES}
    texts = {**replies, CUSTOM: "", **{a: "" for a in graph.texts if a in QUERIES}}
    parameters, last = task.inputs, len(texts)
    answered = _answered(graph)
    twins = _superseded(texts, answered)
    alone = {action: text for action, text in texts.items() if action not in twins}
    links = _told_links(task, parameters) or link_asks(alone, _answers(graph), parameters, spoken)
    if unlinked:
        draw = random.Random(f"{seed} {task.id}")
        links = {action: slot for action, slot in links.items() if draw.random() >= unlinked}
    own = _own_slots(alone, graph, links)
    links |= own
    parameters += tuple(own.values())
    links |= {action: links[twin] for action, twin in twins.items() if twin in links}
    return ActionView(
        task=task,
        spoken=spoken,
        graph=graph,
        actions=tuple(texts),
        texts=texts,
        order={CUSTOM: last}
        | {a: place if place < len(graph.texts) else last for a, place in graph.order.items()},
        links=links,
        answered=answered,
        superseded=frozenset(twins),
        parameters=parameters,
        required=frozenset(name for call in task.calls.values() for name in call.required),
    )


def _shared_ends(graph: Graph) -> Graph:
    """Return the flow with the same expected answers after all replies that end in one question.

    Authors write the answers to such a question only once, after the first of the replies.
    """
    asking: dict[str, list[str]] = {}
    for action, text in graph.texts.items():
        if text.endswith("?"):
            asking.setdefault(_plain(SENTENCE_END.split(text)[-1]), []).append(action)
    answers = {
        edge.before: [edge for edge in graph.leaving[edge.before] if edge.source == "user"]
        for edge in graph.edges
        if edge.source == "user"
    }
    added = [
        structs.replace(edge, before=action)
        for actions in asking.values()
        for action in actions
        if action not in answers and _plain(graph.texts[action]) not in asking
        for other in actions
        for edge in answers.get(other, ())
    ]
    return Graph(graph.texts, (*graph.edges, *dict.fromkeys(added)))


def _told_links(task: TaskSchema, parameters: tuple[Slot, ...]) -> dict[str, Slot]:
    """Return action to the parameter it asks for, if the task's own flow gives it."""
    slots = {
        column.slot: column.name
        for call in task.calls.values()
        for column in call.inputs
        if column.slot is not None
    }
    by_name = {parameter.name: parameter for parameter in parameters}
    return {
        name: by_name[slots[slot]]
        for name, node in task.flow.nodes.items()
        for slot in node.asks[:1]
        if slot in slots and slots[slot] in by_name
    }


def _own_slots(texts: dict[str, str], graph: Graph, links: dict[str, Slot]) -> dict[str, Slot]:
    """Return a slot, filled by answers only, for each question before a query without parameter."""
    answers, way = _answers(graph), _before_queries(graph) - {*graph.entries[:1]}
    return {
        action: Slot(name=action, type="long text")
        for action, text in texts.items()
        if action in way and action not in links and is_ask(action, text, answers)
    }


def _before_queries(graph: Graph) -> set[str]:
    ways: dict[str, set[str]] = {}
    level = list(graph.entries[:1])
    while level:
        action = level.pop()
        if action not in ways and action not in QUERIES:
            ways[action] = {edge.after for edge in graph.leaving.get(action, ())}
            level += ways[action]
    actions: set[str] = set()
    for _ in ways:
        ends = actions.union(QUERIES)
        actions |= {action for action, after in ways.items() if after & ends}
    return actions


def _answers(graph: Graph) -> dict[str, list[str]]:
    answers: dict[str, list[str]] = {}
    for edge in graph.edges:
        if edge.source == "user" and edge.before is not None:
            answers.setdefault(edge.before, []).append(edge.condition)
    return answers


def _answered(graph: Graph) -> frozenset[str]:
    steps = [edge for edge in graph.edges if edge.source in ("user", "kb")]
    return frozenset(end for edge in steps for end in (edge.before, edge.after) if end is not None)


def _superseded(texts: dict[str, str], answered: frozenset[str]) -> dict[str, str]:
    """Return action outside `answered` to the action in it with the same reply."""
    richer = {_plain(text): action for action, text in texts.items() if action in answered and text}
    return {
        action: richer[_plain(text)]
        for action, text in texts.items()
        if text and action not in answered and _plain(text) in richer
    }


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


LEAST = 0.12
"""Least cosine similarity of a link: about one fairly rare word in common."""


def link_asks(
    texts: Mapping[str, str],
    answers: Mapping[str, Sequence[str]],
    parameters: Sequence[Slot],
    spoken: Lexicon,
) -> dict[str, Slot]:
    """Link each asking action to the parameter it asks for, where one fits."""
    from scipy.optimize import linear_sum_assignment

    asks = [action for action, text in texts.items() if is_ask(action, text, answers)]
    if not asks or not parameters:
        return {}
    left = [_action_words(a, texts[a], answers.get(a, ()), spoken) for a in asks]
    right = [_parameter_words(parameter, spoken) for parameter in parameters]
    weights = _weights([*left, *right])
    scores = np.array([[_overlap(a, p, weights) for p in right] for a in left])
    rows, columns = linear_sum_assignment(-scores)
    return {
        asks[row]: parameters[column]
        for row, column in zip(rows, columns, strict=True)
        if scores[row, column] >= LEAST
    }


def is_ask(action: str, text: str, answers: Mapping[str, Sequence[str]]) -> bool:
    """Return True if an action asks for a value: a question without values of its own."""
    if "{" in text or not text:
        return False
    expected = answers.get(action, ())
    if any(PLACE.search(answer) for answer in expected):
        return True
    # a question after a statement asks for a decision, not for a value
    return text.rstrip().endswith("?") and not re.search(r"[.!?]\s", text.strip())


def _action_words(
    action: str, text: str, answers: Sequence[str], spoken: Lexicon
) -> dict[str, float]:
    weights: dict[str, float] = {}
    for answer in answers:
        weights |= {word: 0.5 for word in words(PLACE.sub(" ", answer)) if word not in spoken.stop}
    weights |= {word: 0.7 for word in words(text) if word not in spoken.stop}
    weights |= dict.fromkeys(split_name(action), 1.0)
    for answer in answers:
        weights |= {word: 1.0 for name in PLACE.findall(answer) for word in split_name(name)}
    return weights


def _parameter_words(parameter: Slot, spoken: Lexicon) -> dict[str, float]:
    weights = dict.fromkeys(spoken.asked_by.get(kind(parameter, spoken.language), ()), 0.5)
    weights |= {w: 0.4 for v in parameter.values for w in words(str(v)) if w.isalpha()}
    weights |= dict.fromkeys(split_name(parameter.description or ""), 1.0)
    weights |= dict.fromkeys(split_name(parameter.name), 1.0)
    return weights


def _weights(descriptions: Sequence[Mapping[str, float]]) -> dict[str, float]:
    counts = Counter(word for description in descriptions for word in description)
    total = len(descriptions) + 1
    return {word: math.log(total / count) for word, count in counts.items()}


def _overlap(
    left: Mapping[str, float], right: Mapping[str, float], weights: Mapping[str, float]
) -> float:
    """Return the cosine similarity of two descriptions, forms of a word counting as the same."""
    shared = sum(
        weights[a] * left[a] * max((right[b] for b in right if same(a, b)), default=0.0)
        for a in left
    )
    size = math.sqrt(_size(left, weights) * _size(right, weights))
    return shared / size if size else 0.0


def _size(description: Mapping[str, float], weights: Mapping[str, float]) -> float:
    return sum(weights[word] * value * value for word, value in description.items())
