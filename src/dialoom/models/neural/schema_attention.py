"""The STAR paper's models of the next action, BERT and BERT + schema, with MiniLM in BERT's place.

Mosig et al. 2020, section 5.2, formulae (1) to (4). With h the encoded history, s_i the encoded
text of node i of the task's graph and a_i the action that follows node i:

    p_classifier = softmax(W h + b)                                    (1)
    alpha_i      = softmax over nodes of h . s_i                       (2)
    p_schema     = sum over nodes of alpha_i onehot(a_i)               (3)
    p            = g p_schema + (1 - g) p_classifier,  g = sigma(w . h + c)   (4)

A stand-in, and named so beside the paper's figures: 22 million parameters in place of 110. Unless
`finetune` is set, the encoder stays as it is, and h and s_i go through a learnt linear map each.

    dialoom bench star-zero-shot-domain --corpus corpora --model schema-attention -M epochs=10
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from dialoom.dialogue import NextAction, Prediction
from dialoom.models.base import Examples, Kinds, Questions, Schemas, Seed, known, need
from dialoom.models.history import turns
from dialoom.models.neural.weights import check_installed
from dialoom.schema.actions import read_graph
from dialoom.schema.task import TaskSchema

EVENTS = 20
"""Events of the history that are read at most; the tokens of `length` are mostly fewer."""

ENCODED = 256
"""Texts encoded at a time where nothing is learnt from them."""

Pair = tuple[str, str]
"""A history and the label of what followed."""


@dataclass(frozen=True, slots=True)
class Nodes:
    """The nodes of a task's graph: their texts, and which action follows each."""

    texts: tuple[str, ...]
    following: tuple[str, ...]


def nodes(task: TaskSchema) -> Nodes:
    """Return a task's nodes: what users say and results hold, else the reply before the action."""
    graph = read_graph(task)
    pairs = [
        (edge.condition or graph.texts.get(edge.before or "", ""), edge.after)
        for edge in graph.edges
    ]
    kept = [(text, after) for text, after in pairs if text]
    return Nodes(tuple(text for text, _ in kept), tuple(after for _, after in kept))


@dataclass
class SchemaAttention:
    """BERT + schema of the STAR paper, or without `schema` its BERT, on MiniLM or other weights.

    Attributes:
        schema: Whether to attend over the task's graph: formulae (2) to (4).
        weights: A folder of weights that transformers loads; MiniLM's when absent.
        finetune: Whether the encoder is trained too.
        epochs: Passes over the examples.
        rate: The learning rate of what is not the encoder.
        encoder_rate: The encoder's, where it is trained.
        batch: Examples a step; all of one task.
        length: Tokens of a history that are read, its last ones.
        seed: What all randomness comes from.
    """

    name: ClassVar[str] = "schema-attention"
    kinds: ClassVar[Kinds] = (NextAction,)
    schema: bool = True
    weights: str | None = None
    finetune: bool = False
    epochs: Annotated[int, Meta(ge=1, le=1000)] = 10
    rate: float = 1e-3
    encoder_rate: float = 5e-5
    batch: Annotated[int, Meta(ge=1, le=4096)] = 32
    length: Annotated[int, Meta(ge=8, le=4096)] = 128
    seed: Seed = 0
    _network: Any = field(default=None, init=False, repr=False)
    _labels: tuple[str, ...] = field(default=(), init=False, repr=False)
    _folder: Path | None = field(default=None, init=False, repr=False)

    def keep_in(self, folder: Path) -> None:
        """Keep the vectors of texts in a folder, where the encoder is not trained."""
        self._folder = folder

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Train on examples.

        Raises:
            UsageError: There are none.
            MissingExtraError: torch or transformers is not installed.
        """
        need(examples)
        check_installed(f"the model {self.name}")
        from dialoom.models.neural.network import FrozenTexts, Network, TrainedTexts

        self._labels = tuple(sorted({example.answer for example in examples}))
        texts = (
            TrainedTexts(self.weights, f"the model {self.name}", self.length)
            if self.finetune
            else FrozenTexts(self.weights, self.length, self._folder)
        )
        self._network = Network(texts, len(self._labels), schema=self.schema, seed=self.seed)
        by_task: dict[str, list[Pair]] = {}
        for example in examples:
            pair = turns(example.question, EVENTS), example.answer
            by_task.setdefault(example.question.asked.task, []).append(pair)
        graphs = {task: self._nodes(task, schemas) for task in by_task}
        self._train(by_task, graphs)

    def _train(self, by_task: Mapping[str, list[Pair]], graphs: Mapping[str, Nodes]) -> None:
        """Train on pairs of a history and its label, by task."""
        place = {label: index for index, label in enumerate(self._labels)}
        draw = random.Random(self.seed)
        optimiser = self._network.optimiser(self.rate, self.encoder_rate)
        for _ in range(self.epochs):
            for task, pairs in self._batches(by_task, draw):
                graph, labels = graphs[task], [label for _, label in pairs]
                self._network.step(
                    optimiser,
                    [history for history, _ in pairs],
                    graph.texts,
                    [place[label] for label in labels],
                    [[follows == label for follows in graph.following] for label in labels],
                )
        self._network.eval()

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[str]]:
        """Rank the labels seen in training and the actions of the task's graph.

        Raises:
            UsageError: The model has not been fitted.
        """
        network = known(self._network)
        by_task: dict[str, list[int]] = {}
        for number, question in enumerate(questions):
            by_task.setdefault(question.asked.task, []).append(number)
        found: dict[int, Prediction[str]] = {}
        for task, numbers in by_task.items():
            graph = self._nodes(task, schemas)
            for start in range(0, len(numbers), ENCODED):
                part = numbers[start : start + ENCODED]
                histories = [turns(questions[number], EVENTS) for number in part]
                rows = network.distributions(histories, graph.texts)
                for number, row in zip(part, rows, strict=True):
                    found[number] = self._prediction(row, graph)
        return [found[number] for number in range(len(questions))]

    def _nodes(self, task: str, schemas: Schemas) -> Nodes:
        if not self.schema or task not in schemas:
            return Nodes((), ())
        return nodes(schemas[task])

    def _batches(
        self, by_task: Mapping[str, list[Pair]], draw: random.Random
    ) -> Iterator[tuple[str, list[Pair]]]:
        """Yield batches of one task each, in an order drawn anew."""
        batches = []
        for task, pairs in by_task.items():
            order = draw.sample(pairs, len(pairs))
            parts = range(0, len(order), self.batch)
            batches += [(task, order[start : start + self.batch]) for start in parts]
        draw.shuffle(batches)
        yield from batches

    def _prediction(self, row: tuple[list[float], list[float]], graph: Nodes) -> Prediction[str]:
        """Return the answer of one question from what its labels and nodes weigh."""
        weights = dict(zip(self._labels, row[0], strict=True))
        for action, weight in zip(graph.following, row[1], strict=True):
            weights[action] = weights.get(action, 0.0) + weight
        ranking = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
        told = tuple((label, round(weight, 6)) for label, weight in ranking)
        return Prediction(told[0][0], told, told[0][1])
