"""A collected dialogue with its dates and times as STAR's API files list them.

    published(dialogue, {"restaurant_book": task})      # Time "19:30" becomes "7:30 pm"

The knowledge base holds dates and times in one plain form; a published API lists what people say,
and STAR's queries and items have that.
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
from dialoom.schema import spelling
from dialoom.schema.design import Design
from dialoom.schema.task import Task

Spelled = dict[tuple[str, str], dict[Any, str]]
"""API and column to canonical value to what the published API lists."""


def published(dialogue: Dialogue, tasks: Mapping[str, Task]) -> Dialogue:
    """Return a dialogue with dates and times as the published APIs of some tasks list them."""
    return _Respelling(dialogue, tasks).dialogue


class _Respelling:
    """One dialogue respelled; an item before the wizard is one that they were given."""

    def __init__(self, dialogue: Dialogue, tasks: Mapping[str, Task]) -> None:
        self._spelled = dict(pair for task in tasks.values() for pair in _listed(task))
        self._apis: dict[str, str] = {}
        self._items: list[tuple[Item, Item]] = []
        events = tuple(map(self._event, dialogue.events))
        self.dialogue = replace(dialogue, events=events)

    def _event(self, event: Event) -> Event:
        if isinstance(event, Query):
            self._apis[event.id] = event.api
            constraints = tuple(self._constraint(event.api, each) for each in event.constraints)
            event = replace(event, constraints=constraints)
        elif isinstance(event, Result):
            api = self._apis.get(event.query, "")
            return replace(event, items=tuple(self._item(api, item) for item in event.items))
        if isinstance(event, Utterance | Query | Options | Selection) and event.selected:
            event = replace(event, selected=self._selected(event.selected))
        return event

    def _constraint(self, api: str, constraint: Constraint) -> Constraint:
        listed = self._spelled.get((api, constraint.slot))
        if listed is None:
            return constraint
        values = tuple(listed.get(value, value) for value in constraint.values)
        return replace(constraint, values=values)

    def _item(self, api: str, item: Item) -> Item:
        spelled = {
            name: self._spelled[api, name].get(value, value)
            if (api, name) in self._spelled and isinstance(value, str)
            else value
            for name, value in item.items()
        }
        self._items.append((item, spelled))
        return spelled

    def _selected(self, selected: Selected) -> Selected:
        return Selected(self._given(selected.primary), self._given(selected.secondary))

    def _given(self, item: Item | None) -> Item | None:
        return next((spelled for held, spelled in self._items if held == item), item)


def _listed(task: Task) -> Iterator[tuple[tuple[str, str], dict[Any, str]]]:
    design = task.design or Design(domain="")
    for call in design.calls.values():
        table = design.tables.get(call.table)
        for column in (*call.inputs, *call.outputs, *(table.columns if table else ())):
            slot = design.slots.get(column.slot or "")
            if slot is None or slot.type not in ("date", "time"):
                continue
            listed = spelling.listed(slot, task.language) or ()
            values = tuple(spelling.values(slot))
            if len(listed) == len(values):
                yield (call.api, column.name), dict(zip(values, listed, strict=True))
