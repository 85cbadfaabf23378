"""Dates and times in the form in which STAR's API files list them.

    ValueListing(tasks).dialogue(dialogue)   # in a query and its items, "19:30" becomes "7:30 pm"

A knowledge base has dates and times in their canonical form; a published API lists spoken forms,
and STAR's queries and items have these. Only for tasks with slots it is known what an API lists:
other dialogues, including STAR's own, are not changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from dialoom.dialogue import (
    Constraint,
    Dialogue,
    Event,
    Options,
    Query,
    Result,
    Selected,
    Selection,
    Utterance,
)
from dialoom.dialogue.event import Item
from dialoom.formats.star.publishing import listed
from dialoom.schema.task import TaskSchema
from dialoom.schema.values import samples

Column = tuple[str, str]
"""An API and the name of an input, output or column."""


class ValueListing:
    """Converts dates and times of the knowledge base to the forms that tasks' APIs list."""

    def __init__(self, tasks: Mapping[str, TaskSchema]) -> None:
        self.texts: dict[Column, dict[Any, str]] = dict(
            pair for task in tasks.values() for pair in _texts(task)
        )

    def dialogue(self, dialogue: Dialogue) -> Dialogue:
        """Return a dialogue with dates and times as the APIs list them."""
        if not self.texts:
            return dialogue
        calls = _Calls(self.texts)
        return replace(dialogue, events=tuple(map(calls.event, dialogue.events)))


class _Calls:
    """Converts one dialogue event by event; an item that the wizard sees is one of a result."""

    def __init__(self, texts: Mapping[Column, Mapping[Any, str]]) -> None:
        self._texts = texts
        self._apis: dict[str, str] = {}
        self._items: list[tuple[Item, Item]] = []

    def event(self, event: Event) -> Event:
        if isinstance(event, Query):
            self._apis[event.id] = event.api
            constraints = tuple(self._constraint(event.api, each) for each in event.constraints)
            event = replace(event, constraints=constraints)
        elif isinstance(event, Result):
            api = self._apis.get(event.query, "")
            return replace(event, items=tuple(self._item(api, item) for item in event.items))
        if isinstance(event, Utterance | Query | Options | Selection) and event.selected:
            choice = event.selected
            view = Selected(self._given(choice.primary), self._given(choice.secondary))
            event = replace(event, selected=view)
        return event

    def _constraint(self, api: str, constraint: Constraint) -> Constraint:
        texts = self._texts.get((api, constraint.slot))
        if texts is None:
            return constraint
        return replace(constraint, values=tuple(texts.get(v, v) for v in constraint.values))

    def _item(self, api: str, item: Item) -> Item:
        view = {name: self._value(api, name, value) for name, value in item.items()}
        self._items.append((item, view))
        return view

    def _value(self, api: str, name: str, value: Any) -> Any:
        texts = self._texts.get((api, name))
        return value if texts is None or not isinstance(value, str) else texts.get(value, value)

    def _given(self, item: Item | None) -> Item | None:
        return next((view for original, view in self._items if original == item), item)


def _texts(task: TaskSchema) -> Iterator[tuple[Column, dict[Any, str]]]:
    for call in task.calls.values():
        for column in (*call.inputs, *call.outputs, *task.columns(call)):
            slot = task.slots.get(column.slot or "")
            if slot is None or slot.type not in ("date", "time"):
                continue
            texts = listed(slot, task.language) or ()
            values = tuple(samples(slot))
            if len(texts) == len(values):
                yield (call.name, column.name), dict(zip(values, texts, strict=True))
