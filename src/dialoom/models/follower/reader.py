"""From questions to described actions: each dialogue is read once for all its questions."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from dialoom.dialogue import digest
from dialoom.flow.action_view import ActionView, view_actions
from dialoom.learn import memory
from dialoom.learn.model import Questions, Schemas
from dialoom.learn.text import Encoder
from dialoom.models.follower.experience import situation
from dialoom.models.follower.features import GROUPS
from dialoom.models.follower.list_reading import next_step, spent, unsayable
from dialoom.models.follower.point import DecisionPoint, TaskFeatures
from dialoom.models.follower.progress import NO_OTHERS, DialogueProgress, OtherTasks
from dialoom.models.follower.rules import DescribedActions, branch
from dialoom.models.follower.similarity import Similarity, schema_texts
from dialoom.models.follower.slots import SlotPlan
from dialoom.models.follower.word_weights import heard_words
from dialoom.models.history import reading_order, states
from dialoom.schema.task import resolve

WORD = 150
"""Bytes of a word in a set, approximately."""


class TaskGuide:
    """A compiled task, with its similarities, features and slot plan."""

    def __init__(
        self, program: ActionView, encoder: Encoder, others: OtherTasks = NO_OTHERS
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

    The encoder is fitted on the schemas, never on dialogues. `unlinked` is the probability with
    which a question's link to its parameter is left out, `lists` are word lists to ignore.
    """

    def __init__(
        self,
        schemas: Schemas,
        encoder: Encoder,
        groups: Sequence[str],
        unlinked: float = 0.0,
        seed: int = 0,
        lists: Sequence[str] = (),
    ) -> None:
        self.schemas, self.groups, self.lists = schemas, tuple(groups), tuple(lists)
        self._settings = type(encoder).__qualname__, self.groups, unlinked, seed, self.lists
        programs = {n: view_actions(task, unlinked, seed, lists) for n, task in schemas.items()}
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
