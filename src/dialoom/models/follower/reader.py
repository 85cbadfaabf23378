"""From questions to numbers: each dialogue is read once, whatever is asked about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from dialoom.dialogue import Event, NextAction, Question, Utterance
from dialoom.models.encoder import Encoder
from dialoom.models.follower.choice import Choice
from dialoom.models.follower.features import GROUPS
from dialoom.models.follower.likeness import Likeness, schema_texts
from dialoom.models.follower.loops import next_step, spent, unsayable
from dialoom.models.follower.plan import SlotPlan
from dialoom.models.follower.point import Point, Static
from dialoom.models.follower.program import Program, compile_task
from dialoom.models.follower.state import State
from dialoom.schema.task import TaskSchema, resolve


class Guide:
    """A compiled task with all that reading its dialogues needs."""

    def __init__(self, program: Program, encoder: Encoder) -> None:
        self.program = program
        self.likeness = Likeness(program, encoder)
        self.static = Static(program)
        self.plan = SlotPlan(program)

    def start(self) -> State:
        """Return the state before a dialogue begins."""
        return State(self.plan, self.likeness.match)


class Reader:
    """Turns questions into choices, following each dialogue event by event.

    Args:
        schemas: The tasks that questions may be about.
        encoder: The text encoder; it is fitted on the schemas, never on dialogues.
        groups: The groups of features to describe actions by.
    """

    def __init__(
        self, schemas: Mapping[str, TaskSchema], encoder: Encoder, groups: Sequence[str]
    ) -> None:
        self.schemas, self.groups = schemas, tuple(groups)
        programs = {name: compile_task(task) for name, task in schemas.items()}
        encoder.fit(text for program in programs.values() for text in schema_texts(program))
        self._guides = {name: Guide(program, encoder) for name, program in programs.items()}

    def read(self, questions: Sequence[Question[NextAction]]) -> Iterator[tuple[int, Choice]]:
        """Yield each question's number and its choice, in an order that suits reading."""
        tasks = [resolve(question.asked.task, self.schemas) for question in questions]
        self._prepare(questions, tasks)
        order = sorted(
            range(len(questions)),
            key=lambda n: (tasks[n], questions[n].dialogue.id, questions[n].event),
        )
        state, read, before = None, 0, -1
        for number in order:
            guide, history = self._guides[tasks[number]], questions[number].history
            same = before >= 0 and tasks[before] == tasks[number]
            if state is None or not (same and _continues(questions[before].history, history)):
                state, read = guide.start(), 0
            for event in history[read:]:
                state.step(event)
            read, before = len(history), number
            yield number, self._choice(guide, state)

    def _prepare(self, questions: Sequence[Question[NextAction]], tasks: Sequence[str]) -> None:
        texts: dict[str, set[str]] = {}
        longest: dict[tuple[str, str], tuple[Event, ...]] = {}
        for question, task in zip(questions, tasks, strict=True):
            key = task, question.dialogue.id
            if len(question.history) >= len(longest.get(key, ())):
                longest[key] = question.history
        for (task, _), events in longest.items():
            said = {event.text for event in events if isinstance(event, Utterance)}
            texts.setdefault(task, set()).update(said)
        for task, said in texts.items():
            self._guides[task].likeness.prepare(said)

    def _choice(self, guide: Guide, state: State) -> Choice:
        point = Point(state, guide.likeness, guide.static)
        columns = [column for group in self.groups for _, column in GROUPS[group](point)]
        features: npt.NDArray[np.float32] = np.stack(columns, axis=1).astype(np.float32)
        item = state.item if state.kind == "result" else None
        return Choice(
            guide.program.actions,
            features,
            next_step(guide.program, state, guide.likeness),
            unsayable(guide.program, item),
            spent(guide.program, state),
        )


def _continues(before: tuple[Event, ...], after: tuple[Event, ...]) -> bool:
    """Tell whether one history begins with the other: the same events, not merely equal ones."""
    return len(before) <= len(after) and all(a is b for a, b in zip(before, after, strict=False))
