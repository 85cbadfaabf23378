"""The labels, acts, slots and values that annotators choose from, by schemas and stage.

    found = choices_of(stage, schemas, dialogue)
    found.labels                     # ("Cafes_1.city", …)
    found.split("Cafes_1.city")      # ("Cafes_1", "city")

A label is "SERVICE.SLOT". In the annotation of a dialogue that lists its services (SGD) there is a
part for each service, with the slots in it; for a dialogue with tasks (STAR) labels are written
without the task; in others (Taskmaster-1) labels are written as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from dialoom.collect.settings import ACTS, Stage
from dialoom.dialogue import Dialogue
from dialoom.dialogue.annotation import Value
from dialoom.dialogue.views import tasks
from dialoom.formats.frames.acts import ACTS as FRAMES_ACTS
from dialoom.schema import service
from dialoom.schema.service import ANYTHING, COUNT, INTENT
from dialoom.schema.services import contract
from dialoom.schema.task import TaskSchema

Values = tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class ServiceChoices:
    """The intents of a service or task, and its slots with the values of those that list them."""

    intents: tuple[str, ...]
    slots: Mapping[str, Values]


@dataclass(frozen=True, slots=True)
class Choices:
    """The choices of a dialogue's annotators.

    Attributes:
        services: Name to choices of each service that the dialogue may have states of.
        listed: Whether the dialogue lists its services, so that each has a part of its own.
        stripped: Whether labels are written without the task's name.
    """

    layers: tuple[str, ...]
    labels: tuple[str, ...]
    acts: tuple[str, ...]
    slots: tuple[str, ...]
    services: Mapping[str, ServiceChoices]
    listed: bool
    stripped: bool

    @property
    def first(self) -> str | None:
        """The service whose part gets annotation without a service; None for the unnamed part."""
        return next(iter(self.services), None) if self.listed else None

    def split(self, name: str) -> tuple[str | None, str]:
        """Return the service of the part that a label is written to, and the label as written."""
        head, _, rest = name.partition(".")
        if head not in self.services or not (self.listed or self.stripped):
            return self.first, name
        return (head if self.listed else None), rest

    def joined(self, part: str | None, name: str) -> str:
        """Return the label that is written as `name` in the part of a service."""
        known = (*self.labels, *self.slots)
        if part is not None and part in self.services and f"{part}.{name}" in known:
            return f"{part}.{name}"
        ends = (each for each in known if each.endswith(f".{name}"))
        return name if name in known or not self.stripped else next(ends, name)


def choices_of(stage: Stage, schemas: Mapping[str, TaskSchema], given: Dialogue) -> Choices:
    """Return the choices of a dialogue's annotators."""
    own = [name for name in given.services or tasks(given) if name in schemas]
    found = {name: schemas[name] for name in own or schemas}
    states = "states" in stage.layers
    return Choices(
        layers=stage.layers,
        labels=stage.labels or tuple(_labels(found, spans=True)),
        acts=stage.acts or _acts(stage.layers),
        slots=stage.labels or tuple(_labels(found, named=(INTENT, COUNT) if states else ())),
        services={name: _service(task) for name, task in found.items()},
        listed=bool(given.services) or (states and not own),
        stripped=bool(own),
    )


def _acts(layers: Iterable[str]) -> tuple[str, ...]:
    """Return a stage's default acts: Frames' if frames are marked, SGD's if states, else `ACTS`."""
    if "frames" in layers:
        return tuple(sorted(FRAMES_ACTS))
    return service.ACTS if "states" in layers else ACTS


def _labels(
    schemas: Mapping[str, TaskSchema], *, named: tuple[str, ...] = (), spans: bool = False
) -> Iterator[str]:
    """Yield "SERVICE.SLOT" for each slot; categorical slots are left out for spans."""
    for task in schemas.values():
        for name, values in (*_slots(task).items(), *((each, ()) for each in named)):
            if not (spans and values and task.is_service):
                yield f"{task.id}.{name}"


def _slots(task: TaskSchema) -> dict[str, Values]:
    """Return slot to its listed values, empty where it lists none."""
    slots = {slot.name: slot for slot in contract(task).slots}
    named = slots if task.is_service else task.slots
    return {
        name: slots[name].possible_values if name in slots and slots[name].categorical else ()
        for name in named
    }


def _service(task: TaskSchema) -> ServiceChoices:
    slots = {name: (*held, ANYTHING) if held else () for name, held in _slots(task).items()}
    return ServiceChoices(tuple(each.name for each in contract(task).intents), slots)
