"""The values known at a point of a dialogue: of results, queries and slots."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Literal, NamedTuple

from dialoom.dialogue import SYSTEM, Event, Query, Result, Utterance
from dialoom.reading.tracker import SlotTracker
from dialoom.schema.task import TaskSchema

Origin = Literal["item", "query", "earlier", "state"]
"""Origin of a value: the last result, the calls, earlier results, or the slot tracker."""


class Source(NamedTuple):
    """The origin of a value, and its name there."""

    origin: Origin
    name: str


class KnownValues:
    """The values in a dialogue's history that can fill a reply, each part read on demand."""

    def __init__(self, events: tuple[Event, ...], task: TaskSchema) -> None:
        self._events, self._task = events, task

    @cached_property
    def _last(self) -> int:
        """The index of the last result of this task's calls, else of any call; -1 if none."""
        own, every, calls = -1, -1, self._task.calls
        asked = False
        for number, event in enumerate(self._events):
            if isinstance(event, Query):
                asked = event.api in calls
            elif isinstance(event, Result):
                own, every = number if asked else own, number
        return every if own < 0 else own

    @cached_property
    def found(self) -> dict[Source, Any]:
        """The values of results and calls, those of the last result first."""
        found: dict[Source, Any] = {}
        for number, event in enumerate(self._events):
            if isinstance(event, Query):
                asked = (each for each in event.constraints if each.operator == "equal")
                found |= {Source("query", each.slot): each.value for each in asked}
            elif isinstance(event, Result) and number != self._last:
                found |= {Source("earlier", name): value for name, value in _item(event).items()}
        return {Source("item", name): value for name, value in self.item.items()} | found

    @property
    def item(self) -> dict[str, Any]:
        """The item of the last result of this task's calls, else of any call."""
        last = self._events[self._last] if self._last >= 0 else None
        return _item(last) if isinstance(last, Result) else {}

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
        """The system's texts since the result of `item`."""
        return [
            event.text
            for event in self._events[self._last + 1 :]
            if isinstance(event, Utterance) and event.agent == SYSTEM
        ]


def _item(result: Result) -> dict[str, Any]:
    return result.items[0] if result.items else {}
