"""What an experiment is: hold-outs of questions, with all that a result depends on.

A protocol is a value with settings of its own. On data at hand it gives a plan; a plan lists
hold-outs, each with the questions to fit on and those to ask. What a model may see of a dialogue is
decided in `dialoom.bench.visibility` alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, runtime_checkable
from typing import Protocol as Interface

import msgspec

from dialoom.bench import visibility
from dialoom.corpus import Corpus
from dialoom.dialogue import Dialogue, Event, Example, Prediction, Question, digest
from dialoom.dialogue.annotation import Struct
from dialoom.metrics import Metric
from dialoom.schema.task import TaskSchema

Key = tuple[str, int, bytes]
"""What tells a question from others: dialogue, event, and what is asked."""


class Target(Struct, frozen=True):
    """A question as the harness keeps it, right answer included.

    Attributes:
        source: The dialogue's id in its corpus.
        event: The event's index in the source's own file.
        asked: What is asked: a member of `dialoom.dialogue.question.Asked`.
        gold: The right answer.
        seen: What may be seen of the whole dialogue.
        position: How many of `seen` come before the event.
        slices: Parts of the questions that are also scored alone and this one is of.
        aside: Whether it counts in its slices alone, and not in its hold-out.
    """

    source: str
    event: int
    asked: Any
    gold: Any
    seen: tuple[Event, ...]
    position: int
    slices: tuple[str, ...] = ()
    aside: bool = False

    @property
    def key(self) -> Key:
        """What tells it from other questions: several may be asked at one event."""
        return self.source, self.event, msgspec.json.encode(self.asked)


@dataclass(frozen=True, slots=True)
class HoldOut:
    """One test set and what may be learnt from before it.

    Attributes:
        name: What is held out.
        train: Questions to fit on.
        test: Questions to ask.
        leak: How many training questions are of tasks that also occur in `test`.
    """

    name: str
    train: list[Target]
    test: list[Target]
    leak: int = 0


def examples(targets: Iterable[Target]) -> list[Example[Any, Any]]:
    """Return questions with their answers, to fit on; their dialogues are shared, not cut."""
    numbers: dict[str, str] = {}
    shared: dict[str, Dialogue] = {}
    found = []
    for target in targets:
        dialogue = shared.get(target.source)
        if dialogue is None or dialogue.events is not target.seen:
            number = numbers.setdefault(target.source, str(len(numbers)))
            dialogue = shared[target.source] = Dialogue(id=number, events=target.seen)
        found.append(Example(Question(dialogue, target.position, target.asked), target.gold))
    return found


def questions(targets: Iterable[Target]) -> list[Question[Any]]:
    """Return the questions alone, each dialogue ending right before the event asked for.

    A dialogue's id is its number among those asked about: the source's own might tell something.
    """
    numbers: dict[str, str] = {}
    return [
        Question(
            Dialogue(
                id=numbers.setdefault(target.source, str(len(numbers))),
                events=target.seen[: target.position],
            ),
            target.position,
            target.asked,
        )
        for target in targets
    ]


@dataclass(frozen=True)
class Data:
    """Where questions come from.

    Attributes:
        corpus: Where the test questions come from.
        train_corpus: Where the training questions come from, if elsewhere.
        see: What is withheld from models.
        tested: The schemas of the tasks asked about, where they are not the corpus's own.
        learnt: The schemas of the tasks learnt from, likewise.
    """

    corpus: Corpus
    train_corpus: Corpus | None = None
    see: tuple[visibility.Withheld, ...] = ()
    tested: Mapping[str, TaskSchema] | None = None
    learnt: Mapping[str, TaskSchema] | None = None

    @property
    def corpora(self) -> list[Corpus]:
        """The corpora, the test questions' first."""
        return [corpus for corpus in (self.corpus, self.train_corpus) if corpus is not None]

    @property
    def options(self) -> dict[str, str]:
        """What a signature says of what is withheld; nothing where nothing is."""
        return {"see": ",".join(sorted(set(self.see)))} if self.see else {}

    @cached_property
    def schemas(self) -> Mapping[str, TaskSchema]:
        """The task schemas that models may read with the test questions."""
        tasks = self.corpus.schemas if self.tested is None else self.tested
        return visibility.schemas(tasks, self.see)

    @cached_property
    def train_schemas(self) -> Mapping[str, TaskSchema]:
        """The task schemas that models may read with the training questions.

        One and the same mapping as `schemas` where the test corpus is also trained on, so that a
        model compiles it once.
        """
        if self.learnt is None and self.train_corpus is None and self.tested is None:
            return self.schemas
        tasks = self.corpora[-1].schemas if self.learnt is None else self.learnt
        return visibility.schemas(tasks, self.see)


@dataclass(frozen=True, slots=True)
class Plan:
    """An experiment on data at hand.

    Attributes:
        protocol: The protocol's name.
        title: The protocol and what tells its questions from others': only results of one title
            can be compared.
        data: The corpora.
        metrics: What answers are scored by; the first score of the first is the main one.
        holdouts: In the protocol's order.
        missing: Hold-outs the protocol names and the corpus does not hold.
        options: What else the result depends on: goes into the signature.
        allowed: Task to the labels that predictions are restricted to; None for no restriction.
        closed: Whether training leaves out the tasks that are tested.
        notices: What the user should be told before the run.
        notes: What a reader must know to judge the scores.
        record: What a run record keeps of the split.
        population: What the hold-outs are a sample of, in the plural ("domains"); empty where
            there are no more of their kind.
        groups: Training dialogue to the hold-outs that leave it out of training, where any does:
            the one it would belong to, and in a dialogue of several tasks those of them all.
    """

    protocol: str
    title: str
    data: Data
    metrics: tuple[Metric, ...]
    holdouts: list[HoldOut]
    missing: list[str] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)
    allowed: Mapping[str, frozenset[str]] | None = None
    closed: bool = False
    notices: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    record: dict[str, Any] = field(default_factory=dict)
    population: str = ""
    groups: dict[str, frozenset[str]] = field(default_factory=dict)

    @property
    def kind(self) -> type[Struct]:
        """The kind of question that is asked."""
        return self.metrics[0].kind

    @property
    def schemas(self) -> Mapping[str, TaskSchema]:
        """The task schemas that models may read with the test questions."""
        return self.data.schemas

    @property
    def train_schemas(self) -> Mapping[str, TaskSchema]:
        """The task schemas that models may read with the training questions."""
        return self.data.train_schemas

    @property
    def digests(self) -> dict[str, str]:
        """The digests of the corpora and of the schemas."""
        found = {"corpus": self.data.corpus.digest, "schema": digest(dict(self.schemas))}
        if self.data.train_corpus is not None:
            found["train"] = self.data.train_corpus.digest
        if self.train_schemas is not self.schemas:
            found["train-schema"] = digest(dict(self.train_schemas))
        return found


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a model answered on one hold-out.

    Attributes:
        holdout: The hold-out's name.
        predictions: One for each of its test questions, in order.
        seconds: Wall-clock time of fitting and asking.
    """

    holdout: str
    predictions: list[Prediction[Any]]
    seconds: float


class Protocol(Interface):
    """A named experiment.

    Attributes:
        name: Its name.
        corpus: The format's folder in a corpus root.
        kind: The kind of question it asks (`dialoom.dialogue.question`).
        model: The name of the model that answers it unless another is asked for.
        settings: The dataclass of its settings.
        parts: The parts of a corpus that are tested and trained on unless others are named; None
            where it splits a corpus itself.
    """

    name: str
    corpus: str
    settings: type[Any]
    parts: tuple[str, str] | None

    @property
    def kind(self) -> type[Struct]:
        """The kind of question it asks."""

    @property
    def model(self) -> str:
        """The name of the model that answers it unless another is asked for."""

    def plan(self, data: Data, settings: Any) -> Plan:
        """Find the hold-outs in the data.

        Raises:
            UsageError: Settings that cannot work together.
            MissingDataError: The data holds nothing to ask.
        """


@runtime_checkable
class WritesOfficial(Interface):
    """A protocol whose corpus was published with an evaluation that reads files of predictions."""

    def write_official(self, plan: Plan, outcomes: Iterable[Outcome]) -> bytes:
        """Return the file of predictions that it reads."""


def source_id(identifier: str) -> int | str:
    """Return a dialogue's id as its source writes it: STAR's are integers."""
    number = identifier.isdecimal() and str(int(identifier)) == identifier
    return int(identifier) if number else identifier
