"""Replies for a wizard, ranked by the text that the wizard typed: by similarity, or learnt weights.

The similarity of a reply is that of the most similar of its templates, its examples, and the words
of its action's name, which wizards learn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from dialoom.dialogue import Event, NextAction, Options, Prediction
from dialoom.dialogue.event import Item
from dialoom.dialogue.views import action, selected_items
from dialoom.flow.actions import read_graph, wordings
from dialoom.learn.model import Examples, Kinds, Questions, Schemas, Unlearnt, by_score, known, need
from dialoom.learn.text import Encoder, TfidfEncoder
from dialoom.learn.trees import Floats
from dialoom.schema.flow import OUT_OF_SCOPE
from dialoom.schema.lexicon import split_name
from dialoom.schema.task import TaskSchema, resolve
from dialoom.schema.template import PLACEHOLDER, Template, parse

NEXT = 0.1
"""Added to the similarity (0 to 1) of the next actions of the flow, if nothing is learnt."""

WEIGHTS: dict[str, float] = {
    "template": 1.56,
    "example": 3.21,
    "name": 3.53,
    "behind": 6.83,
    "next": 1.4,
    "next_alone": 2.23,
    "values_item": 0.55,
    "values_none": -2.13,
}
"""The weights that `WeightedReplies` learns from 27,405 choices of STAR's wizards, for the
collection server."""

FEATURES = tuple(WEIGHTS)
"""The features of a reply: similarity of the typed text to its templates, its examples and its
name; the difference of the best of these from the most similar reply's (0 or less); whether it is
next in the flow, and the only next one; whether it has placeholders while the wizard has an item
selected, and while not."""


class ReplyTexts:
    """A task's replies with the texts that a wizard may type for each; made once for a task.

    Attributes:
        templates: The index of the action and the template, in the order of `texts`.
        texts: The texts to compare with: templates without values, examples, words of names.
        owners: The index of the action of each text: shape (texts,).
    """

    def __init__(self, task: TaskSchema, encoder: Encoder) -> None:
        self.task, replies = task, dict(_replies(task))
        self.actions = tuple(replies)
        self.templates: list[tuple[int, Template]] = []
        for place, group in enumerate(replies.values()):
            self.templates += [(place, parse(text)) for text in group]
        parts = [
            [(place, template.bare) for place, template in self.templates],
            [
                (place, example)
                for place, name in enumerate(self.actions)
                if name in task.flow.nodes
                for example in wordings(task.flow.nodes[name])
            ],
            [(place, " ".join(split_name(name))) for place, name in enumerate(self.actions)],
        ]
        self.texts = tuple(text for part in parts for _, text in part)
        self.owners = np.array([place for part in parts for place, _ in part], dtype=int)
        self._parts = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
        valued = [any(map(PLACEHOLDER.search, group)) for group in replies.values()]
        self._valued = np.array(valued, dtype=float)
        graph = read_graph(task)
        self._after = {
            before: frozenset(edge.after for edge in edges)
            for before, edges in graph.leaving.items()
        }
        self._encoder = encoder
        encoder.fit(self.texts)

    def similarity(self, typed: Sequence[str]) -> Floats:
        """Return the similarity of typed texts to `texts`: shape (typed, texts)."""
        return self._encoder.similarity(typed, self.texts)

    def best(self, similarity: Floats, likely: Collection[str] = ()) -> Floats:
        """Return the similarity of each action's most similar text: shape (actions,).

        `similarity` is that of a typed text to each of `texts`, shape (texts,); `NEXT` is added for
        the `likely` actions, the next ones of the flow.
        """
        scores = np.array([NEXT * (name in likely) for name in self.actions])
        np.maximum.at(scores, self.owners, similarity + scores[self.owners])
        return scores

    def following(self, last: str | None) -> frozenset[str]:
        """Return the actions that the flow has after an action, or at its beginning for None."""
        return self._after.get(last, frozenset())

    def features(
        self, similarity: Floats, likely: Collection[str], item: Mapping[str, Any] | None
    ) -> Floats:
        """Return the features of each action: shape (actions, `FEATURES`).

        `similarity` is that of the typed text to each of `texts`, shape (texts,). `likely` are the
        next actions of the flow, `item` is the wizard's selected item.
        """
        size = len(self.actions)
        parts = np.zeros((3, size))
        np.maximum.at(parts, (self._parts, self.owners), similarity)
        best = parts.max(axis=0, initial=0.0)
        next_ = np.array([name in likely for name in self.actions], dtype=float)
        columns = [
            *parts,
            best - best.max(initial=0.0),
            next_,
            next_ * (next_.sum() == 1),
            self._valued * bool(item),
            self._valued * (not item),
        ]
        return np.array(columns, dtype=np.float64).T.reshape(size, len(FEATURES))


def weighed(features: Floats, weights: Mapping[str, float] = WEIGHTS) -> Floats:
    """Return the score of each action, shape (actions,), from `FEATURES` and their weights."""
    scores: Floats = features @ np.array([weights[name] for name in FEATURES])
    return scores


def _replies(task: TaskSchema) -> Iterator[tuple[str, Sequence[str]]]:
    for node in task.flow.nodes.values():
        if node.kind == "system" and node.texts:
            yield node.name, node.texts
    if task.out_of_scope:
        yield OUT_OF_SCOPE, task.out_of_scope


@dataclass(frozen=True, slots=True)
class Typing:
    """The similarity of a wizard's typed text to each of `texts.texts`, with the dialogue's state.

    `likely` are the actions that come next in the flow; `item` is the one that the wizard has
    selected, or None.
    """

    texts: ReplyTexts
    similarity: Floats
    likely: frozenset[str]
    item: Item | None

    @property
    def features(self) -> Floats:
        """The features of each reply: shape (actions, `FEATURES`)."""
        return self.texts.features(self.similarity, self.likely, self.item)

    def ranked(self, scores: Floats) -> Prediction[str]:
        """Rank the replies by the score of each: shape (actions,)."""
        return by_score(dict(zip(self.texts.actions, scores.tolist(), strict=True)))


@dataclass
class TypedText(Unlearnt):
    """Ranks replies by their similarity to the text that the wizard typed, without learning."""

    name: ClassVar[str] = "typed"
    kinds: ClassVar[Kinds] = (NextAction,)

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[str]]:
        """Rank the replies of each question's task."""
        read = self._read(questions, schemas)
        return [each.ranked(each.texts.best(each.similarity, each.likely)) for each in read]

    def _read(self, questions: Questions, schemas: Schemas) -> list[Typing]:
        tasks = [resolve(question.asked.task, schemas) for question in questions]
        typed = [_typed(question.history) for question in questions]
        typings: dict[int, Typing] = {}
        for task in dict.fromkeys(tasks):
            texts = ReplyTexts(schemas[task], TfidfEncoder())
            numbers = [number for number, name in enumerate(tasks) if name == task]
            different = sorted({typed[number] for number in numbers})
            rows = dict(zip(different, texts.similarity(different), strict=True))
            for number in numbers:
                history = questions[number].history
                last = next(filter(None, map(action, reversed(history))), None)
                likely = texts.following(last)
                typings[number] = Typing(texts, rows[typed[number]], likely, _item(history))
        return [typings[number] for number in range(len(questions))]


@dataclass
class WeightedReplies(TypedText):
    """Ranks replies by learnt weights of their features.

    The weights are those of a logistic regression over pairs of a typed text and a reply, the same
    for every task.
    """

    name: ClassVar[str] = "suggester"
    weights: dict[str, float] = field(default_factory=dict, init=False, repr=False)

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Learn the weights."""
        from sklearn.linear_model import LogisticRegression

        need(examples)
        rows, marks = [], []
        read = self._read([example.question for example in examples], schemas)
        for each, example in zip(read, examples, strict=True):
            if example.answer in each.texts.actions:
                rows.append(each.features)
                marks += [name == example.answer for name in each.texts.actions]
        factors = LogisticRegression(max_iter=500).fit(np.concatenate(rows), marks).coef_[0]
        self.weights = dict(zip(FEATURES, map(float, factors), strict=True))

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[str]]:
        """Rank the replies of each question's task."""
        weights = known(self.weights)
        read = self._read(questions, schemas)
        return [each.ranked(weighed(each.features, weights)) for each in read]


def _typed(history: Sequence[Event]) -> str:
    last = history[-1] if history else None
    return last.text or "" if isinstance(last, Options) else ""


def _item(history: Iterable[Event]) -> Item | None:
    items = list(selected_items(history))
    return items[-1].primary if items else None
