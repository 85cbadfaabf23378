"""The values known at a point of a dialogue: of results, queries and slots."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Literal, NamedTuple

from dialoom.dialogue import SYSTEM, Event, Query, Result, Utterance
from dialoom.schema.task import TaskSchema
from dialoom.tracking import SlotTracker

Origin = Literal["item", "query", "earlier", "state"]
"""Origin of a value: the last result, the calls, earlier results, or the slot tracker."""


class Source(NamedTuple):
    """The origin of a value, and its name there."""

    origin: Origin
    name: str


class KnownValues:
    """The values known at the end of a history of one task; each part is read when needed.

    Args:
        events: The history.
        task: The task.
    """

    def __init__(self, events: tuple[Event, ...], task: TaskSchema) -> None:
        self._events, self._task = events, task

    @cached_property
    def found(self) -> dict[Source, Any]:
        """The values of results and calls, those of the last result first."""
        found: dict[Source, Any] = {}
        last: dict[str, Any] = {}
        for event in self._events:
            if isinstance(event, Query):
                asked = (each for each in event.constraints if each.operator == "equal")
                found |= {Source("query", each.slot): each.value for each in asked}
            elif isinstance(event, Result):
                found |= {Source("earlier", name): value for name, value in last.items()}
                last = event.items[0] if event.items else {}
        return {Source("item", name): value for name, value in last.items()} | found

    @property
    def item(self) -> dict[str, Any]:
        """The item of the last result."""
        return {
            source.name: value for source, value in self.found.items() if source.origin == "item"
        }

    @cached_property
    def state(self) -> dict[Source, Any]:
        """The values of the task's slots in the slot tracker, in the user's words."""
        tracker = SlotTracker(self._task)
        for event in self._events:
            tracker.observe(event)
        return {
            Source("state", name): tracked.words or tracked.value
            for name, tracked in tracker.values.items()
            if tracked.value is not None
        }

    @cached_property
    def said(self) -> list[str]:
        """The system's texts since the last result."""
        texts: list[str] = []
        for event in self._events:
            if isinstance(event, Result):
                texts = []
            elif isinstance(event, Utterance) and event.agent == SYSTEM:
                texts.append(event.text)
        return texts
