"""The labels, acts, slots and values that annotators choose from, by schemas and stage.

A label is "SERVICE.SLOT". In the annotation of a dialogue that lists its services (SGD) there is a
part for each service, with the slots in it; for a dialogue with tasks (STAR) labels are written
without the task; in others (Taskmaster-1) labels are written as they are, may end in `.accept` or
`.reject`, and `SERVICE.accept` and `SERVICE.reject` label the whole transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from dialoom.collect.settings import ACTS, Stage
from dialoom.dialogue import Dialogue
from dialoom.dialogue.annotation import Value
from dialoom.dialogue.views import tasks
from dialoom.formats.frames.acts import ACTS as FRAMES_ACTS
from dialoom.schema import service
from dialoom.schema.labels import ACCEPT, REJECT
from dialoom.schema.service import ANYTHING, COUNT, INTENT
from dialoom.schema.service_words import snake, spoken_name
from dialoom.schema.services import contract
from dialoom.schema.task import TaskSchema

Values = tuple[Value, ...]


class LabelWords(NamedTuple):
    """The name of a label as words, and its description, which may be empty."""

    name: str
    description: str = ""


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
        endings: The endings that a label of a span may have in addition.
        words: Label or slot to its words.
        relations: The relations between spans.
    """

    layers: tuple[str, ...]
    labels: tuple[str, ...]
    acts: tuple[str, ...]
    slots: tuple[str, ...]
    services: Mapping[str, ServiceChoices]
    listed: bool
    stripped: bool
    endings: tuple[str, ...]
    words: Mapping[str, LabelWords]
    relations: tuple[str, ...] = ()

    def has(self, label: str) -> bool:
        """True if a span may have a label."""
        base, _, ending = label.rpartition(".")
        return label in self.labels or (ending in self.endings and base in self.labels)

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
        names = (*self.labels, *self.slots)
        if part is not None and part in self.services and f"{part}.{name}" in names:
            return f"{part}.{name}"
        ends = (each for each in names if each.endswith(f".{name}"))
        return name if name in names or not self.stripped else next(ends, name)


def subjects(schemas: Mapping[str, TaskSchema], dialogue: Dialogue) -> tuple[str, ...]:
    """Return the services or tasks of a dialogue; empty where nothing names them.

    A dialogue of Taskmaster-1 names its service in the id of its instructions (coffee-ordering-2).
    """
    names = tuple(name for name in dialogue.services or tasks(dialogue) if name in schemas)
    order = dialogue.scenario and dialogue.scenario.instruction_id
    return names or tuple(name for name in schemas if order and snake(order).startswith(name))


def choices_of(stage: Stage, schemas: Mapping[str, TaskSchema], dialogue: Dialogue) -> Choices:
    """Return the choices of a dialogue's annotators."""
    subset = {name: schemas[name] for name in subjects(schemas, dialogue) or schemas}
    own = any(name in schemas for name in dialogue.services or tasks(dialogue))
    states = "states" in stage.layers
    has_services = bool(dialogue.services) or (states and not own)
    slots = stage.labels or tuple(_labels(subset, named=(INTENT, COUNT) if states else ()))
    labels = stage.labels or tuple(_labels(subset, spans=True))
    endings = () if stage.labels or has_services or own or not subset else (ACCEPT, REJECT)
    return Choices(
        layers=stage.layers,
        labels=(*labels, *(f"{name}.{each}" for name in subset for each in endings)),
        acts=stage.acts or _acts(stage.layers),
        slots=slots,
        services={name: _service(task) for name, task in subset.items()},
        listed=has_services,
        stripped=own,
        endings=endings,
        words=_words(subset, (*labels, *slots)),
        relations=stage.relations if "relations" in stage.layers else (),
    )


def _words(schemas: Mapping[str, TaskSchema], labels: Iterable[str]) -> dict[str, LabelWords]:
    words = {name: LabelWords(spoken_name(name)) for name in schemas}
    for label in labels:
        name, _, slot = label.partition(".")
        if name not in schemas:
            words[label] = LabelWords(spoken_name(label))
            continue
        of = f" ({words[name].name})" if len(schemas) > 1 else ""
        described = schemas[name].slots.get(slot)
        words[label] = LabelWords(
            spoken_name(slot) + of, described.description if described else ""
        )
    return words


def _acts(layers: Iterable[str]) -> tuple[str, ...]:
    if "frames" in layers:
        return tuple(sorted(FRAMES_ACTS))
    return service.ACTS if "states" in layers else ACTS


def _labels(
    schemas: Mapping[str, TaskSchema], *, named: tuple[str, ...] = (), spans: bool = False
) -> Iterator[str]:
    for task in schemas.values():
        for name, values in (*_slots(task).items(), *((each, ()) for each in named)):
            if not (spans and values and task.is_service):
                yield f"{task.id}.{name}"


def _slots(task: TaskSchema) -> dict[str, Values]:
    """Return slot to its listed values, empty where it lists none."""
    slots = {slot.name: slot for slot in contract(task).slots}
    names = slots if task.is_service else task.slots
    return {
        name: slots[name].possible_values if name in slots and slots[name].categorical else ()
        for name in names
    }


def _service(task: TaskSchema) -> ServiceChoices:
    slots = {name: (*values, ANYTHING) if values else () for name, values in _slots(task).items()}
    return ServiceChoices(tuple(each.name for each in contract(task).intents), slots)
