"""Check values against the lists and ranges of a task file's slots and columns.

ranges = ValueRanges(task)
ranges.slot("guests", 40)           # ValueFault("E702", "guests goes from 1 to 10")
ranges.slot("guests", 4)           # None
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal, NamedTuple

from msgspec.structs import replace

from dialoom.dialogue.event import BOOK, CHECK
from dialoom.schema.call import Call, Column
from dialoom.schema.findings import hint
from dialoom.schema.lexicon import lexicon
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from dialoom.schema.values import render
from dialoom.schema.values.ranges import measured
from dialoom.schema.yaml.building import as_slot

_KEPT = 100_000
"""Most values whose check is kept in memory."""


class ValueFault(NamedTuple):
    """A fault of a value: it is not in a list (E701), or not of the type or range (E702)."""

    code: Literal["E701", "E702"]
    what: str


class ValueRanges:
    """Checks values of a task file's slots and columns; results are kept in memory."""

    def __init__(self, task: TaskSchema) -> None:
        self.task = task
        self._lexicon = lexicon(task.language)
        self._seen: dict[tuple[str, str, type, Any], ValueFault | None] = {}
        self._spoken: dict[str, frozenset[str]] = {}
        self._columns: dict[str, dict[str, list[Slot]]] = {}

    def slot(self, name: str, value: Any) -> ValueFault | None:
        """Return the fault of a slot's canonical value; None where it is permitted."""
        slot = self.task.slots[name]
        return self._elements("", name, value, lambda element: self._wrong(slot, element))

    def said(self, name: str, values: Iterable[Any]) -> ValueFault | None:
        """Return the fault of a slot's values in a state: canonical first, then as said."""
        slot, values = self.task.slots[name], tuple(values)
        if slot.type not in ("category", "categories"):
            return self.slot(name, values[0]) if values else None
        spoken = self._spoken.get(name)
        if spoken is None:
            language = self._lexicon.language
            every = (text for v in slot.values for text in (v, *render(slot, v, language)))
            spoken = self._spoken[name] = frozenset(text.casefold() for text in every)
        odd = next((value for value in values if str(value).casefold() not in spoken), None)
        return None if odd is None else self._wrong(slot, odd)

    def column(self, call: Call, name: str, value: Any) -> ValueFault | None:
        """Return the fault of an input's or output's value; unknown names permit any value."""
        options = self._options(call).get(name, [])

        def check(element: Any) -> ValueFault | None:
            wrong = None
            for slot in options:
                wrong = self._wrong(slot, element)
                if wrong is None:
                    return None
            return wrong

        return self._elements(call.name, name, value, check)

    def _elements(
        self, call: str, name: str, value: Any, check: Callable[[Any], ValueFault | None]
    ) -> ValueFault | None:
        for element in value if isinstance(value, list | tuple) else (value,):
            if isinstance(element, list | dict):
                return ValueFault("E702", f"{name} is nested")
            key = (call, name, type(element), element)
            if key not in self._seen:
                if len(self._seen) > _KEPT:
                    self._seen.clear()
                self._seen[key] = check(element)
            wrong = self._seen[key]
            if wrong is not None:
                return wrong
        return None

    def _wrong(self, slot: Slot, value: Any) -> ValueFault | None:
        if slot.type in ("category", "categories"):
            if not slot.values or value in slot.values:
                return None
            advice = hint(str(value), map(str, slot.values))
            return ValueFault("E701", f"{slot.name} has no value {value!r}: {advice}")
        if slot.type in ("short text", "long text"):
            right = isinstance(value, str)
        elif slot.type == "boolean":
            right = isinstance(value, bool) or self._lexicon.truth(str(value)) is not None
        else:
            right = _within(slot, value)
        return (
            None if right else ValueFault("E702", f"{slot.name} cannot be {value!r}{_span(slot)}")
        )

    def _options(self, call: Call) -> dict[str, list[Slot]]:
        """Name to its permitted values: those of the column, and of a call's answers."""
        slots = self._columns.get(call.name)
        if slots is None:
            slots = self._columns[call.name] = {}
            table = self.task.tables.get(call.table)
            rows = table.given if table is not None else ()
            for column in (*call.inputs, *self.task.result_columns(call)):
                cells = [row[column.name] for row in rows if column.name in row]
                slots.setdefault(column.name, []).append(self._as_slot(column, cells))
            for answer in call.answers.values():
                for name, value in answer.items():
                    slot = Slot(name=name, type="category", values={value: ()})
                    slots.setdefault(name, []).append(slot)
        return slots

    def _as_slot(self, column: Column, cells: list[Any]) -> Slot:
        """Return a column as a slot of its name, with the column's values and those of its rows."""
        if column.lists:
            choices: dict[str, tuple[str, ...]] = {s: () for steps in column.lists for s in steps}
            return Slot(name=column.name, type="categories", values=choices)
        if column.values:
            values: dict[Any, tuple[str, ...]] = dict.fromkeys([*column.values, *cells], ())
            return Slot(name=column.name, type="category", values=values)
        if column.type == "request" and column.slot is None:
            return Slot(name=column.name, type="category", values={CHECK: (), BOOK: ()})
        return replace(as_slot(column, self.task.slots), name=column.name)


def _within(slot: Slot, value: Any) -> bool:
    at = measured(slot.type, value)
    if at is None:
        return False
    low, high = measured(slot.type, slot.minimum), measured(slot.type, slot.maximum)
    if low is not None and high is not None and high < low:  # past midnight
        return at >= low or at <= high
    return (low is None or low <= at) and (high is None or at <= high)


def _span(slot: Slot) -> str:
    if slot.minimum is None or slot.maximum is None:
        return f", which is no {slot.type}"
    return f": it goes from {slot.minimum} to {slot.maximum}"
