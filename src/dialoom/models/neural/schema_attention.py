"""The STAR paper's next-action models, BERT and BERT + schema, with MiniLM in place of BERT.

Mosig et al. 2020, section 5.2, formulae (1) to (4). With h the encoded history, s_i the encoded
text of node i of the task's graph and a_i the action that follows node i:

    p_classifier = softmax(W h + b)                                    (1)
    alpha_i      = softmax over nodes of h . s_i                       (2)
    p_schema     = sum over nodes of alpha_i onehot(a_i)               (3)
    p            = g p_schema + (1 - g) p_classifier,  g = sigma(w . h + c)   (4)

Reports name it as a replacement: MiniLM has 22 million parameters, BERT 110 million. The encoder is
frozen, and h and s_i go through a learnt linear map each.

    dialoom bench star-zero-shot-domain --corpus corpora --model schema-attention
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, NamedTuple

from msgspec import Meta

from dialoom.dialogue import NextAction, Prediction
from dialoom.flow.actions import read_graph
from dialoom.http.local import check_installed
from dialoom.learn.model import Examples, Kinds, Questions, Schemas, Seed, known, need
from dialoom.models.history import turns
from dialoom.schema.task import TaskSchema, resolve

ENCODED = 256
"""Questions predicted at a time."""

EVENTS = 20
"""Most events of a history; its `length` in tokens mostly cuts it shorter."""

Pair = tuple[str, str]


class Nodes(NamedTuple):
    """The nodes of a task's graph: the text of each, and the action that follows it."""

    texts: tuple[str, ...] = ()
    following: tuple[str, ...] = ()


def nodes_of(task: TaskSchema) -> Nodes:
    """Return the nodes of a task's graph: an edge's text with the action after it.

    The text is the user's or the result's on the edge, else the reply before.
    """
    graph = read_graph(task)
    texts = [edge.condition or graph.texts.get(edge.before or "", "") for edge in graph.edges]
    pairs = [(text, edge.after) for text, edge in zip(texts, graph.edges, strict=True) if text]
    return Nodes(tuple(text for text, _ in pairs), tuple(after for _, after in pairs))


@dataclass
class SchemaAttention:
    """The STAR paper's BERT + schema, or without `schema` its BERT, on MiniLM or other weights.

    Attributes:
        schema: Whether to attend over the task's graph: formulae (2) to (4).
        weights: A folder of weights that transformers loads; MiniLM's when absent.
        epochs: Passes over the examples.
        rate: The learning rate.
        batch: Number of examples in a step.
        length: Most tokens read of a history, its last ones.
        seed: The seed of initial weights and batches.
    """

    name: ClassVar[str] = "schema-attention"
    kinds: ClassVar[Kinds] = (NextAction,)
    schema: bool = True
    weights: str | None = None
    epochs: Annotated[int, Meta(ge=1, le=1000)] = 10
    rate: Annotated[float, Meta(gt=0, le=1)] = 1e-3
    batch: Annotated[int, Meta(ge=1, le=4096)] = 32
    length: Annotated[int, Meta(ge=8, le=4096)] = 128
    seed: Seed = 0
    _network: Any = field(default=None, init=False, repr=False)
    _labels: tuple[str, ...] = field(default=(), init=False, repr=False)

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Train; `UsageError` without examples, `MissingExtraError` without torch, transformers."""
        need(examples)
        check_installed(f"the model {self.name}")
        self._labels = tuple(sorted({example.answer for example in examples}))
        self._network = self._new_network()
        by_task: dict[str, list[Pair]] = {}
        for example in examples:
            pair = turns(example.question, EVENTS), example.answer
            by_task.setdefault(example.question.asked.task, []).append(pair)
        self._train(by_task, {task: self._nodes(task, schemas) for task in by_task})

    def _nodes(self, task: str, schemas: Schemas) -> Nodes:
        return nodes_of(schemas[resolve(task, schemas)]) if self.schema else Nodes()

    def _new_network(self) -> Any:
        from dialoom.models.neural.network import FrozenTexts, Network

        texts = FrozenTexts(self.weights, self.length)
        return Network(texts, len(self._labels), schema=self.schema, seed=self.seed)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for a file: of the network, its parameters as arrays."""
        from dialoom.models.neural.network import arrays

        learnt = self._network and arrays(self._network)
        return {**vars(self), "_network": learnt}

    def _fitted(self) -> Any:
        """Return the network, rebuilt first if the model was read from a file."""
        if isinstance(self._network, dict):
            from dialoom.models.neural.network import restore

            learnt, self._network = self._network, self._new_network()
            restore(self._network, learnt)
        return known(self._network)

    def _train(self, by_task: Mapping[str, list[Pair]], graphs: Mapping[str, Nodes]) -> None:
        place = {label: index for index, label in enumerate(self._labels)}
        draw = random.Random(self.seed)
        optimiser = self._network.optimiser(self.rate)
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
        """Rank the labels seen in training and the actions of the task's graph."""
        network = self._fitted()
        histories = [turns(question, EVENTS) for question in questions]
        by_task: dict[str, list[int]] = {}
        for number, question in enumerate(questions):
            by_task.setdefault(question.asked.task, []).append(number)
        predictions: dict[int, Prediction[str]] = {}
        for task, numbers in by_task.items():
            graph = self._nodes(task, schemas)
            for start in range(0, len(numbers), ENCODED):
                part = numbers[start : start + ENCODED]
                rows = network.distributions([histories[n] for n in part], graph.texts)
                for number, row in zip(part, rows, strict=True):
                    predictions[number] = self._prediction(row, graph)
        return [predictions[number] for number in range(len(questions))]

    def _batches(
        self, by_task: Mapping[str, list[Pair]], draw: random.Random
    ) -> Iterator[tuple[str, list[Pair]]]:
        batches = []
        for task, pairs in by_task.items():
            order = draw.sample(pairs, len(pairs))
            parts = range(0, len(order), self.batch)
            batches += [(task, order[start : start + self.batch]) for start in parts]
        draw.shuffle(batches)
        yield from batches

    def _prediction(self, row: tuple[list[float], list[float]], graph: Nodes) -> Prediction[str]:
        weights = dict(zip(self._labels, row[0], strict=True))
        for action, weight in zip(graph.following, row[1], strict=True):
            weights[action] = weights.get(action, 0.0) + weight
        ranking = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
        answers = tuple((label, round(weight, 6)) for label, weight in ranking)
        return Prediction(answers[0][0], answers, answers[0][1])
