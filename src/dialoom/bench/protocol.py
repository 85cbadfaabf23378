"""What an experiment is: hold-outs of questions, and what a model may see of each.

A protocol turns corpora into a plan. A plan lists hold-outs; each has the questions to fit on and
those to ask. Everything a model sees goes through `visible` and `Target.question`, so that no
model can peek at what comes after the question or at what only the other side knew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from typing import Protocol as Interface

from dialoom.corpus import Corpus
from dialoom.dialogue import Dialogue, Event, Example, Query, Question, Result, Selection, Utterance
from dialoom.dialogue.annotation import Struct
from dialoom.schema.task import SAM, TaskSchema

FORMS = ("coded", "noleak", "mask", "published")


class Target(Struct, frozen=True):
    """A question as the harness keeps it, right answer included.

    Attributes:
        source: The dialogue's id in its corpus.
        event: The event's index in the source's own file.
        task: The task that the system follows there.
        label: The right answer.
        dialogue: What may be seen of the whole dialogue.
        position: The event's index in `dialogue`.
    """

    source: str
    event: int
    task: str
    label: str
    dialogue: Dialogue
    position: int

    def example(self) -> Example:
        """Return the question with its answer, to fit on; the dialogue is shared, not cut."""
        return Example(Question(self.dialogue, self.position, self.task), self.label)

    def question(self) -> Question:
        """Return the question alone: its dialogue ends right before the event asked for."""
        events = self.dialogue.events[: self.position]
        return Question(Dialogue(id=self.source, events=events), self.position, self.task)


def is_visible(event: Event) -> bool:
    """Tell whether the system itself saw or did this, and may have known it from the event alone.

    Instructions are between the guide and the user. What a wizard typed to get suggestions, and
    the item they put before themselves, tell what they were about to do, and even that it is not a
    query. What remains is what the Schema Attention Model reads (utterances, queries, results)
    and the choice of task, which the question names anyway.
    """
    if isinstance(event, Selection):
        return event.kind == "task"
    return isinstance(event, Utterance | Query | Result)


def visible(dialogue: Dialogue) -> Dialogue:
    """Return the dialogue without what no system would know: see `is_visible`.

    Scenario, questionnaires, outcome and workers go too.
    """
    return Dialogue(id=dialogue.id, events=tuple(filter(is_visible, dialogue.events)))


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


@dataclass(frozen=True, slots=True)
class Sources:
    """Where questions come from.

    Attributes:
        corpus: Where the test questions come from.
        train_corpus: Where the training questions come from, if elsewhere.
        form: Which form of the protocol; None for its default.
        split_by_id: Split by ascending id rather than after shuffling, where a protocol splits.
        test: The stages asked about (see `stages.parse`), where a protocol has a choice; None for
            its default.
        train: The stages learnt from, likewise.
    """

    corpus: Corpus
    train_corpus: Corpus | None = None
    form: str | None = None
    split_by_id: bool = False
    test: str | None = None
    train: str | None = None

    @property
    def schemas(self) -> dict[str, TaskSchema]:
        """The task schemas that test questions are read with: their corpus's own."""
        return self.corpus.schemas

    @property
    def train_schemas(self) -> dict[str, TaskSchema]:
        """The task schemas that training questions are read with: their corpus's own."""
        return self.corpus.schemas if self.train_corpus is None else self.train_corpus.schemas


@dataclass(frozen=True, slots=True)
class Plan:
    """An experiment on data at hand.

    Attributes:
        protocol: The protocol's name.
        sources: The corpora.
        form: The form that was taken.
        schemas: The task schemas that models may read with the test questions.
        holdouts: In the protocol's order.
        missing: Hold-outs the protocol names and the corpus does not hold.
        options: What else the result depends on: goes into the signature.
        masked: Whether predictions are restricted to the task's actions.
        notices: What the user should be told.
        record: What a run record keeps of the split.
        groups: Training dialogue to the hold-outs that leave it out of training, where any does:
            the one it would belong to, and in a dialogue of several tasks those of them all.
    """

    protocol: str
    sources: Sources
    form: str
    schemas: Mapping[str, TaskSchema]
    holdouts: list[HoldOut]
    missing: list[str] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)
    masked: bool = False
    notices: list[str] = field(default_factory=list)
    record: dict[str, Any] = field(default_factory=dict)
    groups: dict[str, frozenset[str]] = field(default_factory=dict)

    @property
    def train_schemas(self) -> Mapping[str, TaskSchema]:
        """The task schemas that models may read with the training questions.

        One and the same mapping as `schemas` where the test corpus is also trained on, so that a
        model compiles it once.
        """
        return self.schemas if self.sources.train_corpus is None else self.sources.train_schemas


class Protocol(Interface):
    """A named experiment."""

    name: str
    corpus: str
    """The format's folder in a corpus root."""
    forms: tuple[str, ...]

    def plan(self, sources: Sources) -> Plan:
        """Find the hold-outs in the data.

        Raises:
            UsageError: A form or option this protocol does not have.
            MissingDataError: The data holds nothing to ask.
        """


def source_id(identifier: str) -> int | str:
    """Return a dialogue's id as its source writes it: STAR's are integers."""
    number = identifier.isdecimal() and str(int(identifier)) == identifier
    return int(identifier) if number else identifier


def actions(task: TaskSchema) -> frozenset[str]:
    """Return the system actions of a task's schema, for the masked form.

    The Schema Attention Model's outputs are the actions that an edge of its own schema leads to;
    where a task has no such view, the names of its replies (which hold the graph's markers too).
    A task file's system may also go on speaking, which that view does not show.
    """
    flow = task.view(SAM)
    if task.flow:
        after = {action for flow in task.flows for action in flow.edges.values()}
        return frozenset(after.union(task.suggestions or ()))
    return frozenset(flow.edges.values()) if flow else frozenset(task.replies)
