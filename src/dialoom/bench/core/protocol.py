"""Protocols and plans: an experiment, and its hold-outs of questions on some data.

A protocol is a value with settings of its own. From corpora it makes a plan; a plan lists
hold-outs, each with the questions to fit on and those to ask. Only `dialoom.bench.visibility`
decides the view of models.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from dialoom.bench import visibility
from dialoom.corpus import Corpus
from dialoom.dialogue import Dialogue, Event, Example, Prediction, Question, StateOf, digest
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.question import VIEW
from dialoom.errors import MissingDataError, clip
from dialoom.metrics import Metric
from dialoom.metrics.ranking import RankOfRight
from dialoom.schema.task import TaskSchema

Key = tuple[str, int, bytes]
"""Identifies a question: dialogue, event, and what is asked (as JSON)."""


SEEN, UNSEEN = "seen", "unseen"
"""The slices of questions about tasks that training has, and about others."""


class Target(Struct, frozen=True):
    """A question with its right answer, about an event of the source's own file.

    `asked` is of `dialoom.dialogue.question.Asked`. `position` is the number of `seen` events
    before the event. Slices are subsets that are also scored alone; with `aside`, only there.
    `simulated`, which models see in training, is True if the dialogue is. Questions about one
    dialogue that show different events of it are of different `view`s. `uncut` are all events of a
    dialogue of which a protocol cut a part for `seen`.
    """

    source: str
    event: int
    asked: Any
    gold: Any
    seen: tuple[Event, ...]
    position: int
    slices: tuple[str, ...] = ()
    aside: bool = False
    simulated: bool = False
    view: str = ""
    uncut: tuple[Event, ...] = ()

    @property
    def key(self) -> Key:
        """The key that identifies the question: several may be asked at one event."""
        return self.source, self.event, msgspec.json.encode(self.asked)


@dataclass(frozen=True, slots=True)
class HoldOut:
    """A test set with its training set; `leak` counts training questions on tested tasks."""

    name: str
    train: list[Target]
    test: list[Target]
    leak: int = 0


def examples(targets: Iterable[Target]) -> list[Example[Any, Any]]:
    """Return questions with their answers, to fit on.

    All questions about a view of a dialogue share one `Dialogue` of all its visible events.
    """
    numbers: dict[str, str] = {}
    shared: dict[str, Dialogue] = {}
    cases = []
    for target in targets:
        number = _numbered(target, numbers)
        dialogue = shared.get(number)
        if dialogue is None or dialogue.events is not target.seen:
            origin: Any = "simulated" if target.simulated else "imported"
            dialogue = Dialogue(id=number, events=target.seen, provenance=origin)
            shared[number] = dialogue
        cases.append(Example(Question(dialogue, target.position, target.asked), target.gold))
    return cases


def questions(targets: Iterable[Target], first: int = 0) -> list[Question[Any]]:
    """Return the questions without answers, each dialogue ending right before the event asked for.

    Dialogues are numbered anew from `first`, because a corpus's ids may hint at the answer.
    """
    numbers: dict[str, str] = {}
    return [
        Question(
            Dialogue(id=_numbered(target, numbers, first), events=target.seen[: target.position]),
            target.position,
            target.asked,
        )
        for target in targets
    ]


def _numbered(target: Target, numbers: dict[str, str], first: int = 0) -> str:
    """Return the number of a question's dialogue, with the view of it that the question has."""
    number = numbers.setdefault(target.source, str(first + len(numbers)))
    return f"{number}{VIEW}{target.view}" if target.view else number


@dataclass(frozen=True)
class Data:
    """The corpora and schemas that questions come from.

    Attributes:
        tested: The schemas that models read with the test questions, if not the corpus's own.
        learnt: The schemas that models read with the training questions, likewise.
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
        """The option, for signatures, that names what is withheld; empty where nothing is."""
        return {"see": ",".join(sorted(set(self.see)))} if self.see else {}

    @cached_property
    def schemas(self) -> Mapping[str, TaskSchema]:
        """The task schemas that models may read with the test questions."""
        tasks = self.corpus.schemas if self.tested is None else self.tested
        return visibility.schemas(tasks, self.see)

    @cached_property
    def train_schemas(self) -> Mapping[str, TaskSchema]:
        """The task schemas that models may read with the training questions.

        The same object as `schemas` where the test corpus is also trained on, so that models, which
        cache what they compile of it, compile it once.
        """
        if self.learnt is None and self.train_corpus is None and self.tested is None:
            return self.schemas
        tasks = self.corpora[-1].schemas if self.learnt is None else self.learnt
        return visibility.schemas(tasks, self.see)


@dataclass(frozen=True, slots=True)
class Plan:
    """A protocol with its settings on some data.

    Attributes:
        title: The protocol and the settings that change its questions: only results with the same
            title can be compared.
        metrics: The metrics; the first score of the first metric is the main one.
        missing: Names of hold-outs that the protocol has and the corpus has not.
        options: Everything else that the result depends on, by name, for the signature.
        allowed: Task to the labels that predictions are restricted to; None for no restriction.
        closed: Whether training leaves out the tasks that are tested.
        record: The entry of the run record about the split.
        population: The plural name of the population that hold-outs sample ("domains"); empty where
            they are all there are.
        groups: Training dialogue to the hold-outs that leave it out of training: that of its own
            task or domain, and in a dialogue of several tasks those of all of them.
        ids: Published id of a question to its dialogue and event.
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
    ids: Mapping[str, tuple[str, int]] = field(default_factory=dict)

    @property
    def kind(self) -> type[Struct]:
        """The kind of question that is asked."""
        return self.metrics[0].kind

    @property
    def ranks(self) -> bool:
        """True if a metric scores rankings, and not only the answers that are first in them."""
        return any(isinstance(metric, RankOfRight) for metric in self.metrics)

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
        checksums = {"corpus": self.data.corpus.digest, "schema": digest(dict(self.schemas))}
        if self.data.train_corpus is not None:
            checksums["train"] = self.data.train_corpus.digest
        if self.train_schemas is not self.schemas:
            checksums["train-schema"] = digest(dict(self.train_schemas))
        return checksums


@dataclass(frozen=True, slots=True)
class Outcome:
    """A model's answers to a hold-out's test questions, in order.

    `seconds` is the wall-clock time of fitting and asking. `shared`: the model, or one inside it,
    was fitted before on the same examples.
    """

    holdout: str
    predictions: list[Prediction[Any]]
    seconds: float
    shared: bool = False


@dataclass(frozen=True)
class Protocol:
    """A named experiment.

    Attributes:
        corpus: The name of the format's folder in a corpus root.
        kind: The kind of question it asks (`dialoom.dialogue.question`).
        model: The name of the default model.
        settings: The dataclass of its settings.
        plan: Returns the plan of its hold-outs on some data. Raises `UsageError` for settings in
            conflict, `MissingDataError` without a test question.
        parts: The default parts of a corpus for testing and for training; None where the protocol
            splits a corpus itself.
        official: Returns the file of predictions that the corpus's published evaluation script
            reads, if it has one.
    """

    name: str
    corpus: str
    kind: type[Struct]
    model: str
    settings: type[Any]
    plan: Callable[[Data, Any], Plan]
    parts: tuple[str, str] | None = None
    official: Callable[[Plan, Iterable[Outcome]], bytes] | None = None


@dataclass(frozen=True, slots=True)
class NoSettings:
    """The settings of a protocol without any."""


def tasks_of(target: Target) -> tuple[str, ...]:
    """Return the tasks or services that a question is about."""
    question = target.asked
    if isinstance(question, StateOf):
        return question.services
    return (question.task,) if hasattr(question, "task") else ()


def check_described(
    targets: Iterable[Target], schemas: Mapping[str, TaskSchema], place: Path | str
) -> None:
    """Check that questions' tasks have schemas; `MissingDataError` names `place` otherwise."""
    for target in targets:
        for name in tasks_of(target):
            if name not in schemas:
                raise MissingDataError(
                    f"{place}: dialogue {clip(target.source)} is about {clip(name)}, which no "
                    "schema there describes"
                )


def source_id(identifier: str) -> int | str:
    """Return a dialogue's id as its source writes it: STAR's are integers."""
    number = identifier.isdecimal() and str(int(identifier)) == identifier
    return int(identifier) if number else identifier
