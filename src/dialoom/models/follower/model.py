"""The schema follower: ranks the actions of a task's schema, without training on the task.

The mean of boosted trees and small nets scores task-independent features of (history, action), see
features.py and scorer.py. One group of features are scores of the user's words, learnt from other
domains (word_weights.py). Rules then change the scores by the flow of the task itself (rules.py).
The model reads only the history before the question and the schema.

In most schemas nearly every question is linked to an input of an API, in some only a few are. To
cover both cases, training leaves out some links in half of the dialogues.

In a dialogue of several tasks, the system's events for other tasks are skipped (progress.py). For a
task with training dialogues, a classifier of its own corrects the scores (experience.py); it is
fitted at the first question about the task.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import log
from typing import Annotated, Any, ClassVar

import numpy as np
import numpy.typing as npt
from msgspec import Meta

from dialoom.dialogue import Example, NextAction, Prediction, digest
from dialoom.errors import UsageError
from dialoom.flow.action_view import ActionView, view_actions
from dialoom.learn import memory
from dialoom.learn.model import Examples, Kinds, Questions, Schemas, Seed, by_score
from dialoom.learn.text import TfidfEncoder
from dialoom.models.follower.experience import TaskExperience, situation
from dialoom.models.follower.features import GROUPS, DecisionPoint, TaskFeatures
from dialoom.models.follower.progress import NO_OTHERS, DialogueProgress, OtherTasks
from dialoom.models.follower.rules import (
    RULES,
    DescribedActions,
    branch,
    next_step,
    spent,
    unsayable,
)
from dialoom.models.follower.scorer import ActionScorer, Learnt
from dialoom.models.follower.similarity import Similarity, Vector, schema_texts
from dialoom.models.follower.slots import SlotPlan
from dialoom.models.follower.word_weights import heard_words
from dialoom.models.history import reading_order, states
from dialoom.schema.lexicon import word_lists
from dialoom.schema.task import resolve

WORD = 150
"""Bytes of a word in a set, approximately."""


class TaskGuide:
    """A compiled task, with its similarities, features and slot plan."""

    def __init__(
        self, program: ActionView, encoder: TfidfEncoder, others: OtherTasks = NO_OTHERS
    ) -> None:
        self.program, self.others = program, others
        self.similarity = Similarity(program, encoder)
        self.features = TaskFeatures(program)
        self.plan = SlotPlan(program)

    def start(self) -> DialogueProgress:
        """Return the progress before a dialogue begins."""
        return DialogueProgress(self.plan, self.similarity.match, self.others)


class QuestionReader:
    """Describes the candidate actions of questions, reading each dialogue event by event.

    Texts are weighed by the schemas, never by dialogues. `unlinked` is the probability with
    which a question's link to its parameter is left out, `lists` are word lists to ignore.
    """

    def __init__(
        self,
        schemas: Schemas,
        groups: Sequence[str],
        unlinked: float = 0.0,
        seed: int = 0,
        lists: Sequence[str] = (),
    ) -> None:
        self.schemas, self.groups, self.lists = schemas, tuple(groups), tuple(lists)
        self._settings = self.groups, unlinked, seed, self.lists
        programs = {n: view_actions(task, unlinked, seed, lists) for n, task in schemas.items()}
        encoder = TfidfEncoder()
        encoder.fit(text for program in programs.values() for text in schema_texts(program))
        others = _others(programs)
        self._guides = {
            n: TaskGuide(program, encoder, others[n]) for n, program in programs.items()
        }

    def read(self, questions: Questions) -> Iterator[tuple[int, DescribedActions]]:
        """Yield each question's index and described actions, dialogue by dialogue."""
        tasks = [resolve(question.asked.task, self.schemas) for question in questions]
        self._prepare(questions, tasks)
        for number, progress in states(
            questions, tasks, lambda task: self._guides[task].start(), DialogueProgress.step
        ):
            yield number, self._describe(self._guides[tasks[number]], progress)

    def read_training(self, questions: Questions) -> Iterator[tuple[int, DescribedActions]]:
        """Yield the same as `read`; a run reuses earlier descriptions of a dialogue."""
        if not memory.remembers():
            yield from self.read(questions)
            return
        tasks = [resolve(question.asked.task, self.schemas) for question in questions]
        order = reading_order(questions, tasks)
        together: dict[tuple[str, int], list[int]] = {}
        for number in order:
            together.setdefault((tasks[number], id(questions[number].dialogue)), []).append(number)
        points: dict[int, DescribedActions] = {}
        new: list[tuple[Hashable, list[int]]] = []
        for (task, _), numbers in together.items():
            history, events = questions[numbers[-1]].history, [questions[n].event for n in numbers]
            key: Hashable = (self._digest, task, digest(history), *events)
            copies = memory.recall(key)
            if copies is None:
                new.append((key, numbers))
            else:
                points.update(zip(numbers, copies, strict=True))
        left = [number for _, numbers in new for number in numbers]
        for place, here in self.read([questions[number] for number in left]):
            points[left[place]] = here
        for key, numbers in new:
            described = [points[number] for number in numbers]
            memory.hold(key, described, sum(map(_size, described)))
        yield from ((number, points[number]) for number in order)

    @cached_property
    def _digest(self) -> str:
        return digest((self._settings, dict(self.schemas)))

    def _prepare(self, questions: Questions, tasks: Sequence[str]) -> None:
        texts: dict[str, set[str]] = {}
        for question, task in zip(questions, tasks, strict=True):
            texts.setdefault(task, set()).update(event.text for event in question.utterances)
        for task, lines in texts.items():
            self._guides[task].similarity.prepare(lines)

    def _describe(self, guide: TaskGuide, progress: DialogueProgress) -> DescribedActions:
        point = DecisionPoint(progress, guide.similarity, guide.features)
        columns = [column for group in self.groups for _, column in GROUPS[group](point)]
        features: npt.NDArray[np.float32] = np.empty((point.size, len(columns)), np.float32)
        for number, column in enumerate(columns):
            features[:, number] = column
        item = progress.item if progress.kind == "result" else None
        return DescribedActions(
            guide.program.actions,
            features,
            next_step(guide.program, progress),
            unsayable(guide.program, item),
            spent(guide.program, progress),
            *branch(guide.program, progress),
            frozenset(situation(progress, filter(point.is_filled, guide.features.path))),
            frozenset(heard_words(point)),
        )


def _others(programs: Mapping[str, ActionView]) -> dict[str, OtherTasks]:
    """Return task to the calls and actions that identify events of other tasks.

    Actions shared by several domains, such as a greeting, are ignored: a schema that was induced
    from few dialogues may lack them.
    """
    domains: dict[str, set[str]] = {}
    for name, program in programs.items():
        for action in program.actions:
            domains.setdefault(action, set()).add(program.task.domain or name)
    distinctive = frozenset(action for action, owners in domains.items() if len(owners) == 1)
    calls = frozenset(call for program in programs.values() for call in program.task.calls)
    return {
        name: OtherTasks(calls - set(program.task.calls), distinctive - set(program.actions))
        for name, program in programs.items()
    }


def _size(here: DescribedActions) -> int:
    return here.features.nbytes + WORD * (len(here.situation) + len(here.heard))


WORDS = "words"
"""The name in `without` of the columns of word_weights.py."""

Taught = tuple[dict[str, list[Example[NextAction, str]]], Schemas]
"""Task to its examples, and the schemas of training."""


@dataclass
class Follower:
    """Ranks the actions of a task's schema.

    Attributes:
        without: Groups of features, rules and word lists to leave out, for ablations.
        members: How many trees and how many nets, of consecutive seeds, are averaged.
        net: The weight of the nets in the average, from 0 to 1.
        unlinked: The probability with which a question's link to its parameter is left out, in
            half of the training dialogues; 0 to leave out none.
        simulated: The weight of probabilities learned from simulated dialogues, from 0 to 1, if
            training has others as well.
        experience: Whether a classifier of the task's own dialogues in training corrects the
            scores.
    """

    name: ClassVar[str] = "follower"
    kinds: ClassVar[Kinds] = (NextAction,)
    without: tuple[str, ...] = ()
    members: Annotated[int, Meta(ge=1, le=1000)] = 2
    net: Annotated[float, Meta(ge=0, le=1)] = 0.4
    unlinked: Annotated[float, Meta(ge=0, le=1)] = 0.4
    simulated: Annotated[float, Meta(ge=0, le=1)] = 0.5
    experience: bool = True
    seed: Seed = 0
    _cached: QuestionReader | None = field(default=None, init=False, repr=False)
    _scorers: list[tuple[float, ActionScorer]] = field(default_factory=list, init=False, repr=False)
    _taught: Taught = field(default_factory=lambda: ({}, {}), init=False, repr=False)
    _experiences: dict[str, TaskExperience] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        self.without = tuple(self.without)
        groups = [*GROUPS, WORDS, *RULES, *word_lists()]
        unknown = sorted(set(self.without).difference(groups))
        if unknown:
            message = f"{', '.join(unknown)}; known: {', '.join(groups)}"
            raise UsageError(f"no such group of features: {message}", code="unknown-name")
        if self.members < 1:
            raise UsageError(
                f"members should be at least 1, not {self.members}", code="out-of-range"
            )

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for a file: all but the reader, which is made again."""
        return {**vars(self), "_cached": None}

    def settle(self) -> None:
        """Fit the classifiers of all tasks, and drop the training dialogues."""
        self._recall(list(self._taught[0]))
        self._taught = ({}, {})

    @staticmethod
    def variants() -> list[dict[str, Any]]:
        """Return the settings to select from without any test data."""
        return [{}, {"without": ("program",)}]

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Fit on examples labelled by an action of their schema; `UsageError` if there are none."""
        learnt: dict[bool, list[Learnt]] = {}
        for example, here in self._described(examples, schemas):
            if example.answer in here.actions:
                task = resolve(example.question.asked.task, schemas)
                simulated = example.question.dialogue.provenance == "simulated"
                right = here.actions.index(example.answer)
                one = Learnt(here, right, schemas[task].domain or task)
                learnt.setdefault(simulated, []).append(one)
        if not learnt:
            raise UsageError(
                "nothing to learn from: no example's label is in its task's schema",
                code="nothing-to-learn",
            )
        by_task: dict[str, list[Example[NextAction, str]]] = {}
        for example in examples if self.experience else ():
            by_task.setdefault(resolve(example.question.asked.task, schemas), []).append(example)
        self._taught, self._experiences = (by_task, schemas), {}
        seeds = range(self.seed, self.seed + self.members)
        words = WORDS not in self.without
        weights = dict.fromkeys(learnt, 1.0)
        if len(learnt) > 1:
            weights = {False: 1 - self.simulated, True: self.simulated}
        self._scorers = [
            (weights[simulated], ActionScorer(part, seeds, self.net, words=words))
            for simulated, part in sorted(learnt.items())
            if weights[simulated]
        ]

    def _described(
        self, examples: Examples, schemas: Schemas
    ) -> Iterator[tuple[Example[NextAction, str], DescribedActions]]:
        """Yield examples with their actions, those of half of the dialogues with links left out.

        The half of a dialogue depends on its id, so that the fits of a run can share its features.
        """
        readers = [self._reader(schemas)]
        if self.unlinked:
            groups, lists = readers[0].groups, readers[0].lists
            readers.append(QuestionReader(schemas, groups, self.unlinked, self.seed, lists))
        halves: dict[str, int] = {}
        parts: list[list[Example[NextAction, str]]] = [[] for _ in readers]
        for example in examples:
            own = example.question.dialogue.id
            if own not in halves:
                halves[own] = int(digest(own), 16) % len(readers)
            parts[halves[own]].append(example)
        for reader, part in zip(readers, parts, strict=True):
            for number, here in reader.read_training([example.question for example in part]):
                yield part[number], here

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[str]]:
        """Rank the actions of each question's task."""
        if not self._scorers:
            raise UsageError("a follower must be fitted before it predicts", code="not-fitted")
        described = dict(self._reader(schemas).read(questions))
        ordered = [described[number] for number in range(len(questions))]
        tasks = [resolve(question.asked.task, schemas) for question in questions]
        scores = self._general(ordered)
        for task in self._recall(tasks):
            own = [number for number, name in enumerate(tasks) if name == task]
            here, general = [ordered[n] for n in own], [scores[n] for n in own]
            corrected = self._experiences[task].correct(here, general)
            for number, one in zip(own, corrected, strict=True):
                scores[number] = one
        ruled = (self._ruled(here, part) for here, part in zip(ordered, scores, strict=True))
        odds = (np.exp(part - part.max()) for part in ruled)
        return [
            by_score(dict(zip(here.actions, (part / part.sum()).tolist(), strict=True)))
            for here, part in zip(ordered, odds, strict=True)
        ]

    def _general(self, described: Sequence[DescribedActions]) -> list[Vector]:
        """Return the log probability of each action by the scorers of all tasks.

        Probabilities are averaged, not their logarithms: a scorer that is sure decides more.
        """
        if len(self._scorers) == 1:
            return self._scorers[0][1].score(described)
        parts = ([log(weight) + one for one in s.score(described)] for weight, s in self._scorers)
        return [np.logaddexp.reduce(each) for each in zip(*parts, strict=True)]

    def _recall(self, tasks: Sequence[str]) -> list[str]:
        """Fit the classifiers of tasks; return the tasks with training dialogues."""
        by_task, schemas = self._taught
        for task in sorted(by_task.keys() & set(tasks) - self._experiences.keys()):
            examples = by_task[task]
            questions = [example.question for example in examples]
            read = dict(self._reader(schemas).read_training(questions))
            described = [read[number] for number in range(len(examples))]
            labels = [example.answer for example in examples]
            self._experiences[task] = TaskExperience(described, self._general(described), labels)
        return sorted(self._experiences.keys() & set(tasks))

    def _reader(self, schemas: Schemas) -> QuestionReader:
        if self._cached is None or self._cached.schemas is not schemas:
            groups = tuple(group for group in GROUPS if group not in self.without)
            lists = tuple(name for name in word_lists() if name in self.without)
            self._cached = QuestionReader(schemas, groups, lists=lists)
        return self._cached

    def _ruled(self, here: DescribedActions, scores: Vector) -> Vector:
        for name, rule in RULES.items():
            if name not in self.without:
                scores = rule(here, scores)
        return scores
