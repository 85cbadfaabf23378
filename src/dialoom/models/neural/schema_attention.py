"""The STAR paper's next-action models, BERT and BERT + schema, with MiniLM in place of BERT.

Mosig et al. 2020, section 5.2, formulae (1) to (4). With h the encoded history, s_i the encoded
text of node i of the task's graph and a_i the action that follows node i:

    p_classifier = softmax(W h + b)                                    (1)
    alpha_i      = softmax over nodes of h . s_i                       (2)
    p_schema     = sum over nodes of alpha_i onehot(a_i)               (3)
    p            = g p_schema + (1 - g) p_classifier,  g = sigma(w . h + c)   (4)

Reports name it as a replacement: MiniLM has 22 million parameters, BERT 110 million. The encoder is
frozen, and h and s_i go through a learnt linear map each.

Two settings add inputs of the schema follower, to separate their effect from that of its trees:
with `api`, texts of API parameters are nodes too; with `features`, groups of the follower's
features x_i of the action after node i (`slots` is the slot state) go through a small network f:

    alpha_i      = softmax over nodes of h . s_i + f(x_i)                    (2')

    dialoom bench star-zero-shot-domain --corpus corpora --model schema-attention
    dialoom bench star-zero-shot-domain --corpus corpora --model schema-attention \\
        -M api=yes -M features=slots
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from dialoom.dialogue import NextAction, Prediction
from dialoom.errors import UnknownNameError
from dialoom.learn.model import Examples, Kinds, Questions, Schemas, Seed, known, need
from dialoom.models.follower.features import GROUPS
from dialoom.models.neural.inputs import Nodes, Reading, SchemaInputs
from dialoom.models.neural.weights import check_installed

ENCODED = 256
"""Questions predicted at a time."""

Pair = tuple[Reading, str]
"""The input of a question, and its gold label."""


@dataclass
class SchemaAttention:
    """The STAR paper's BERT + schema, or without `schema` its BERT, on MiniLM or other weights.

    Attributes:
        schema: Whether to attend over the task's graph: formulae (2) to (4).
        api: Whether texts of API parameters are nodes too.
        features: Groups of the follower's features that are read of the nodes' actions.
        weights: A folder of weights that transformers loads; MiniLM's when absent.
        epochs: Passes over the examples.
        rate: The learning rate.
        batch: Examples in a batch, all of one task.
        length: Most tokens read of a history, its last ones.
        seed: The seed of initial weights and batches.
    """

    name: ClassVar[str] = "schema-attention"
    kinds: ClassVar[Kinds] = (NextAction,)
    schema: bool = True
    api: bool = False
    features: tuple[str, ...] = ()
    weights: str | None = None
    epochs: Annotated[int, Meta(ge=1, le=1000)] = 10
    rate: Annotated[float, Meta(gt=0, le=1)] = 1e-3
    batch: Annotated[int, Meta(ge=1, le=4096)] = 32
    length: Annotated[int, Meta(ge=8, le=4096)] = 128
    seed: Seed = 0
    _network: Any = field(default=None, init=False, repr=False)
    _labels: tuple[str, ...] = field(default=(), init=False, repr=False)
    _cached: SchemaInputs | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        self.features = tuple(self.features)
        for name in self.features:
            if name not in GROUPS:
                raise UnknownNameError("group of features", name, GROUPS)

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Train on examples.

        Raises:
            UsageError: There are none.
            MissingExtraError: torch or transformers is not installed.
        """
        need(examples)
        check_installed(f"the model {self.name}")
        self._labels = tuple(sorted({example.answer for example in examples}))
        inputs = self._inputs(schemas)
        read = inputs.read([example.question for example in examples])
        numbers = [each.numbers for each in read if each.numbers is not None]
        self._network = self._new_network(numbers)
        by_task: dict[str, list[Pair]] = {}
        for example, each in zip(examples, read, strict=True):
            by_task.setdefault(example.question.asked.task, []).append((each, example.answer))
        self._train(by_task, {task: inputs.nodes(task) for task in by_task})

    def _new_network(self, numbers: Sequence[Any]) -> Any:
        """Return an untrained network for the labels of training."""
        from dialoom.models.neural.network import FrozenTexts, Network

        texts = FrozenTexts(self.weights, self.length)
        return Network(
            texts, len(self._labels), schema=self.schema, numbers=numbers, seed=self.seed
        )

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for a file: of the network, its parameters as arrays."""
        from dialoom.models.neural.network import arrays

        learnt = self._network and arrays(self._network)
        return {**vars(self), "_cached": None, "_network": learnt}

    def _fitted(self) -> Any:
        """Return the network, rebuilt first where the model was read from a file."""
        if isinstance(self._network, dict):
            from dialoom.models.neural.network import restore

            learnt, scale = self._network, self._network.get("numbers.mean")
            self._network = self._new_network([] if scale is None else [scale[None]])
            restore(self._network, learnt)
        return known(self._network)

    def _train(self, by_task: Mapping[str, list[Pair]], graphs: Mapping[str, Nodes]) -> None:
        """Train on pairs of an input and its label, by task."""
        place = {label: index for index, label in enumerate(self._labels)}
        draw = random.Random(self.seed)
        optimiser = self._network.optimiser(self.rate)
        for _ in range(self.epochs):
            for task, pairs in self._batches(by_task, draw):
                graph, labels = graphs[task], [label for _, label in pairs]
                self._network.step(
                    optimiser,
                    [read for read, _ in pairs],
                    graph.texts,
                    [place[label] for label in labels],
                    [[follows == label for follows in graph.following] for label in labels],
                )
        self._network.eval()

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[str]]:
        """Rank the labels seen in training and the actions of the task's graph."""
        network, inputs = self._fitted(), self._inputs(schemas)
        read = inputs.read(questions)
        by_task: dict[str, list[int]] = {}
        for number, question in enumerate(questions):
            by_task.setdefault(question.asked.task, []).append(number)
        found: dict[int, Prediction[str]] = {}
        for task, numbers in by_task.items():
            graph = inputs.nodes(task)
            for start in range(0, len(numbers), ENCODED):
                part = numbers[start : start + ENCODED]
                rows = network.distributions([read[number] for number in part], graph.texts)
                for number, row in zip(part, rows, strict=True):
                    found[number] = self._prediction(row, graph)
        return [found[number] for number in range(len(questions))]

    def _inputs(self, schemas: Schemas) -> SchemaInputs:
        """Return the reader of inputs for some schemas; that of the last call is cached."""
        if self._cached is None or self._cached.schemas is not schemas:
            groups = self.features if self.schema else ()
            self._cached = SchemaInputs(schemas, graph=self.schema, api=self.api, groups=groups)
        return self._cached

    def _batches(
        self, by_task: Mapping[str, list[Pair]], draw: random.Random
    ) -> Iterator[tuple[str, list[Pair]]]:
        """Yield batches of one task each, in random order."""
        batches = []
        for task, pairs in by_task.items():
            order = draw.sample(pairs, len(pairs))
            parts = range(0, len(order), self.batch)
            batches += [(task, order[start : start + self.batch]) for start in parts]
        draw.shuffle(batches)
        yield from batches

    def _prediction(self, row: tuple[list[float], list[float]], graph: Nodes) -> Prediction[str]:
        """Return the answer of one question from the probabilities of labels and of nodes."""
        weights = dict(zip(self._labels, row[0], strict=True))
        for action, weight in zip(graph.following, row[1], strict=True):
            weights[action] = weights.get(action, 0.0) + weight
        ranking = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
        told = tuple((label, round(weight, 6)) for label, weight in ranking)
        return Prediction(told[0][0], told, told[0][1])
