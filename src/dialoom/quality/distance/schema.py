"""Count the elements of its schemas that a corpus uses: replies, calls, intents, slots, values.

Intents, slots and values are a service's; of tasks with a flow, whose annotation does not say which
task it is of, replies, slots and values count by their names alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from dialoom.dialogue import SYSTEM, Dialogue, Part, Query, Utterance
from dialoom.dialogue.views import label, parts
from dialoom.quality.stats.analysis import Result, owned, said
from dialoom.schema.services import contract
from dialoom.schema.task import TaskSchema

LISTED = 200
"""Most values of a slot that count for coverage; longer lists are samples of an open set."""

KINDS = ("replies", "calls", "inputs of calls", "intents", "slots", "values")

MISSING = 20
"""Most unused names that are shown of a kind."""


class Used:
    """Counts the elements of some schemas that dialogues use."""

    def __init__(self, schemas: Mapping[str, TaskSchema]) -> None:
        self.known: dict[str, set[str]] = {kind: set() for kind in KINDS}
        self.seen: dict[str, set[str]] = {kind: set() for kind in KINDS}
        for task in schemas.values():
            for kind, name in _elements(task):
                self.known[kind].add(name)

    def add(self, dialogue: Dialogue) -> None:
        """Count the elements that one dialogue uses."""
        for event in dialogue.events:
            if isinstance(event, Utterance):
                if event.agent == SYSTEM and (name := label(event)) is not None:
                    self._note("replies", name)
                for part in parts(event):
                    self._part(part)
            elif isinstance(event, Query):
                self._note("calls", event.api)
                for constraint in event.constraints:
                    self._note("inputs of calls", f"{event.api}.{constraint.slot}")

    def _part(self, part: Part) -> None:
        if part.state is not None:
            if part.state.intent is not None:
                self._note("intents", owned(part.service, part.state.intent))
            for slot, values in part.state.values.items():
                self._slot(part.service, slot, values)
        for act in part.acts or ():
            for argument in act.arguments:
                for slot, values in said((argument,)):
                    self._slot(part.service, slot, argument.canonical or values)
        for span in part.spans or ():
            for name in span.labels:
                self._slot(part.service, name, ())

    def _slot(self, owner: str | None, slot: str, values: Iterable[object]) -> None:
        name = owned(owner, slot)
        self._note("slots", name)
        for value in values:
            self._note("values", f"{name} = {value}")

    def _note(self, kind: str, name: str) -> None:
        if name in self.known[kind]:
            self.seen[kind].add(name)

    def result(self) -> dict[str, Result]:
        """Return, for each kind that the schemas have, how many names there are and are used."""
        return {
            kind: {
                "of": len(self.known[kind]),
                "used": len(self.seen[kind]),
                "share": round(len(self.seen[kind]) / len(self.known[kind]), 4),
                "never_used": sorted(self.known[kind] - self.seen[kind])[:MISSING],
            }
            for kind in KINDS
            if self.known[kind]
        }


def _elements(task: TaskSchema) -> Iterator[tuple[str, str]]:
    if task.is_service:
        yield from _service_elements(task)
        return
    nodes = task.flow.nodes.values()
    yield from (("replies", node.name) for node in nodes if node.kind == "system")
    if not task.flow.complete:
        yield from (("replies", name) for name in task.replies)
    for call in task.calls.values():
        yield "calls", call.name
        yield from (("inputs of calls", f"{call.name}.{each.name}") for each in call.inputs)
    for slot in task.slots.values():
        yield "slots", slot.name
        yield from _values(slot.name, slot.values)


def _service_elements(task: TaskSchema) -> Iterator[tuple[str, str]]:
    yield from (("replies", name) for name in task.replies)
    service = contract(task)
    for intent in service.intents:
        yield "intents", owned(task.id, intent.name)
    for each in service.slots:
        yield "slots", owned(task.id, each.name)
        if each.categorical:
            yield from _values(owned(task.id, each.name), each.possible_values)


def _values(slot: str, values: Iterable[object]) -> Iterator[tuple[str, str]]:
    options = list(values)
    if len(options) <= LISTED:
        yield from (("values", f"{slot} = {value}") for value in options)
