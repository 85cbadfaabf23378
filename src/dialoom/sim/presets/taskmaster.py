"""Self-dialogues as Taskmaster-1 has them, with their ontology: `simulate --preset taskmaster`.

    plan = PRESET.plan(Request(number=1000, seed=7, tasks="pizza_ordering,hotel_book"))
    plan.source()(41)

Dialogue i is of vertical or task i modulo their number, so that they are balanced.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from msgspec.structs import replace

from dialoom.dialogue import Dialogue, Origin, Scenario, digest
from dialoom.errors import UsageError
from dialoom.schema.task import TaskSchema
from dialoom.sim.core.plan import Plan, Request
from dialoom.sim.core.rng import SeededRng, seed_of
from dialoom.sim.policies.outline.labels import Labels, draw
from dialoom.sim.policies.outline.policy import OutlinePolicy
from dialoom.sim.policies.outline.verticals import Vertical, lines, named, ontology_entry, texts
from dialoom.sim.policies.outline.view import View
from dialoom.sim.presets.star import load_tasks

FILE = "self-dialogs.json"
"""The file, as the published one is called."""

SECOND = 3
"""One in so many dialogues is labelled by a second annotator too."""


@dataclass(frozen=True, kw_only=True)
class SelfDialoguePlan(Plan):
    """A run of self-dialogues on verticals from `lang/` and tasks with a flow, in turn."""

    preset: ClassVar[str] = "taskmaster"
    subjects: tuple[Vertical | TaskSchema, ...]

    @cached_property
    def schemas(self) -> Mapping[str, TaskSchema]:
        """The ontology: an entry for each vertical and task, by id."""
        return {maker.schema.id: maker.schema for maker in self._makers()}

    @property
    def settings(self) -> dict[str, Any]:
        """The verticals and tasks with their digests."""
        return {"verticals": {each.id: digest(each) for each in self.subjects}}

    def source(self) -> Callable[[int], Dialogue]:
        """Return the function from an index to its dialogue."""
        makers = list(self._makers())

        def dialogue(index: int) -> Dialogue:
            draft = makers[index % len(makers)].dialogue(index)
            return replace(draft, origin=Origin(FILE, index))

        return dialogue

    def _makers(self) -> Iterator[VerticalDialogues | View]:
        for index, subject in enumerate(self.subjects):
            if isinstance(subject, Vertical):
                yield VerticalDialogues(subject, self.seed, index)
            else:
                yield View(subject, self.seed, index)


class VerticalDialogues:
    """Returns the dialogues of one vertical; `index` is its place in the ontology."""

    def __init__(self, vertical: Vertical, seed: int, index: int) -> None:
        self._vertical, self._lines, self._seed = vertical, lines(vertical), seed
        arguments = (vertical.required, vertical.optional)
        self.schema = ontology_entry(vertical.id, vertical.vertical, *arguments, index)

    def dialogue(self, index: int) -> Dialogue:
        """Return one dialogue of the run."""
        vertical, seed = self._vertical, seed_of(self._seed, index)
        goals, words, people = (SeededRng(seed, name) for name in (b"goal", b"language", b"people"))
        order = draw(vertical, self._lines, goals)
        labels = Labels(vertical, order, people.once_in(SECOND), people)
        policy = OutlinePolicy(vertical, order, labels, self._lines, words)
        policy.run()
        instruction = people.choice(tuple(vertical.instructions))
        goal: dict[str, Any] = {"values": order.last}
        if order.first:
            goal["changes"] = [order.first]
        return Dialogue(
            id=f"dlg-{people.uuid()}",
            events=tuple(policy.recorder.events),
            scenario=Scenario(
                instruction_id=instruction, user_task=vertical.instructions[instruction], goal=goal
            ),
            provenance="simulated",
        )


class SelfDialoguePreset:
    """Self-dialogues of bundled verticals, of those of an ontology, and of tasks with a flow."""

    name = "taskmaster"
    format = "taskmaster1"

    def plan(self, request: Request) -> SelfDialoguePlan:
        """Return the plan of a run.

        Raises `UsageError` for a scenario, a wording or no task, `UnknownNameError` for names of
        neither a vertical nor a task.
        """
        request.check(self.name, "tasks")
        presets = {vertical.id: vertical for vertical in texts().verticals}
        text = request.named(self.name)
        entries = presets if text is None else text.split(",")
        names = list(dict.fromkeys(name.strip() for name in entries if name.strip()))
        if not names:
            raise UsageError("--tasks names no task", code="no-task")
        subjects = tuple(subject for name in names for subject in _subjects(name, presets))
        if len({subject.id for subject in subjects}) < len(subjects):
            raise UsageError("--tasks names a task twice", code="twice")
        return SelfDialoguePlan(seed=request.seed, dialogues=request.number, subjects=subjects)


def _subjects(name: str, presets: Mapping[str, Vertical]) -> Iterable[Vertical | TaskSchema]:
    if name in presets:
        return (presets[name],)
    return named(Path(name)) if name.endswith(".json") else load_tasks(name)


PRESET = SelfDialoguePreset()
"""The preset under its name in the registry."""
