"""Runs that make self-dialogues as Taskmaster-1 has them, with their ontology.

    plan = PRESET.plan(Request(number=1000, seed=7, tasks="pizza_ordering,hotel_book"))
    plan.source()(41)

Dialogue i is of vertical or task i modulo their number, so that they are balanced.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Protocol

from msgspec.structs import replace

from dialoom.dialogue import GOLD, Dialogue, Layer, Origin, Part, Scenario, Utterance, digest
from dialoom.errors import UsageError
from dialoom.schema.task import TaskSchema
from dialoom.sim.core.plan import Plan, Request
from dialoom.sim.core.rng import SeededRng, seed_of
from dialoom.sim.policies.outline.course import FlowRunner, Turn
from dialoom.sim.policies.outline.labels import Labels
from dialoom.sim.policies.outline.order import draw
from dialoom.sim.policies.outline.schema import vertical_task
from dialoom.sim.policies.outline.view import View
from dialoom.sim.policies.outline.wording import Vertical, lines, texts
from dialoom.sim.presets.star import load_tasks

FILE = "self-dialogs.json"
"""The file, as the published one is called."""

SECOND = 3
"""One dialogue in so many is labelled by a second annotator too."""


@dataclass(frozen=True, kw_only=True)
class SelfDialoguePlan(Plan):
    """A run of self-dialogues.

    Attributes:
        subjects: Ids of verticals that there are words for, and tasks with a flow, in turn.
    """

    preset: ClassVar[str] = "taskmaster"
    subjects: tuple[str | TaskSchema, ...]

    @cached_property
    def schemas(self) -> Mapping[str, TaskSchema]:
        """The ontology: a vertical or task each."""
        return {maker.schema.id: maker.schema for maker in _makers(self)}

    @property
    def settings(self) -> dict[str, Any]:
        """The verticals and tasks with their digests."""
        return {"verticals": {_name(each): _digest(each) for each in self.subjects}}

    def source(self) -> Callable[[int], Dialogue]:
        """Return what makes a dialogue by its index."""
        makers = list(_makers(self))

        def dialogue(index: int) -> Dialogue:
            made = makers[index % len(makers)].dialogue(index)
            return replace(made, origin=Origin(FILE, index))

        return dialogue


def _name(subject: str | TaskSchema) -> str:
    return subject if isinstance(subject, str) else subject.id


def _digest(subject: str | TaskSchema) -> str:
    return digest(texts()) if isinstance(subject, str) else digest(subject)


class Maker(Protocol):
    """Makes the dialogues of one vertical or task."""

    schema: TaskSchema
    """Its place in the ontology."""

    def dialogue(self, index: int) -> Dialogue:
        """Return one dialogue of the run."""


def _makers(plan: SelfDialoguePlan) -> Iterator[Maker]:
    known = {vertical.id: vertical for vertical in texts().verticals}
    for index, subject in enumerate(plan.subjects):
        if isinstance(subject, str):
            yield Talks(known[subject], plan.seed, index)
        else:
            yield View(subject, plan.seed, index)


class Talks:
    """Makes the dialogues of one vertical.

    Args:
        vertical: The vertical.
        seed: The run's seed.
        index: Its place in the ontology.
    """

    def __init__(self, vertical: Vertical, seed: int, index: int) -> None:
        self._vertical, self._words, self._seed = vertical, lines(vertical), seed
        arguments = (vertical.required, vertical.optional)
        self.schema = vertical_task(vertical.id, vertical.vertical, *arguments, index)

    def dialogue(self, index: int) -> Dialogue:
        """Return one dialogue of the run."""
        vertical = self._vertical
        seed = seed_of(self._seed, index)
        people = SeededRng(seed, b"people")
        order = draw(vertical, self._words, SeededRng(seed, b"goal"))
        course = FlowRunner(vertical, self._words, order, SeededRng(seed, b"language"))
        course.run()
        labels = Labels(vertical, order, people.once_in(SECOND), people)
        told = people.choice(tuple(vertical.instructions))
        goal: dict[str, Any] = {"values": order.last}
        if order.first:
            goal["changes"] = [order.first]
        return Dialogue(
            id=f"dlg-{_uuid(people)}",
            events=tuple(_utterance(turn, labels) for turn in course.turns),
            scenario=Scenario(
                instruction_id=told, user_task=vertical.instructions[told], goal=goal
            ),
            provenance="simulated",
        )


def _utterance(turn: Turn, labels: Labels) -> Utterance:
    """Return an utterance; one without values is not annotated, as in the published files."""
    layers: tuple[Layer, ...] = ()
    if turn.mentions:
        layers = (Layer(GOLD, (Part(spans=labels.spans(turn.text, turn.mentions)),)),)
    return Utterance(agent=turn.agent, text=turn.text, layers=layers)


def _uuid(rng: SeededRng) -> str:
    digits = rng.bytes().hex()
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:32]))


class SelfDialoguePreset:
    """Self-dialogues of the verticals that there are words for, and of tasks with a flow."""

    name = "taskmaster"
    format = "taskmaster1"

    def plan(self, request: Request) -> SelfDialoguePlan:
        """Return the plan of a run.

        Raises:
            UsageError: A scenario or a wording is asked for, or no task is named.
            UnknownNameError: There is neither a vertical nor a task of some name.
        """
        for option, given in (("--scenario", request.scenario), ("--wording", request.wording)):
            if given is not None:
                raise UsageError(f"--preset {self.name} has no choice there; leave {option} out")
        known = [vertical.id for vertical in texts().verticals]
        named = request.tasks.split(",") if request.tasks is not None else known
        names = list(dict.fromkeys(name.strip() for name in named if name.strip()))
        if not names:
            raise UsageError("--tasks names no task")
        subjects = [
            subject
            for name in names
            for subject in ((name,) if name in known else load_tasks(name))
        ]
        if len(set(map(_name, subjects))) < len(subjects):
            raise UsageError("--tasks names a task twice")
        return SelfDialoguePlan(
            seed=request.seed, dialogues=request.number, subjects=tuple(subjects)
        )


PRESET = SelfDialoguePreset()
"""The preset, as the registry knows it."""
