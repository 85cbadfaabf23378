"""The slots, tables and calls of a service as in a task file.

A published service has no tables: one is drafted for each transaction and for searches that share
inputs. If the task has the table of a call, as a domain of tau2-bench does, that one is taken,
with its rows; its columns then give the types and values of slots.
"""

from __future__ import annotations

from math import prod
from typing import Any

from msgspec.structs import replace

from dialoom.schema.call import Call, Column, Table
from dialoom.schema.service import Service, ServiceIntent, ServiceSlot
from dialoom.schema.service_words import ServiceNames, ServiceWords, printable, snake, spelled
from dialoom.schema.task import TaskSchema
from dialoom.schema.values import samples
from dialoom.schema.yaml.building import build

FOUND_ROWS, BOOKED_ROWS = 80, 40
"""Number of rows of a table that is searched, and most rows of one that bookings go to."""

_SHOWN = 30
"""Most values of a column of dates or times, or of a table's column that is no slot."""

_LONGEST = 1000
"""Most characters of a description in a task file."""

_Raw = dict[str, Any]


class ServiceParts:
    """The slots, tables and calls of one service, as in a task file.

    Attributes:
        slots: Slot, by its name in the flow, to its keys.
    """

    def __init__(
        self, task: TaskSchema, service: Service, names: ServiceNames, words: ServiceWords
    ) -> None:
        self.task, self.service, self.names, self.words = task, service, names, words
        own = (c for each in self._known().values() for c in each.columns)
        sayable = (column for column in own if column.type != "long text")  # nobody says them
        self._columns = {column.name: column for column in reversed(list(sayable))}
        self.slots = {names.slots[name]: self._slot(name) for name in names.slots}

    def _known(self) -> dict[str, Table]:
        used = {call.table for call in self.task.calls.values()}
        return {name: table for name, table in self.task.tables.items() if name in used}

    def _slot(self, name: str) -> _Raw:
        slot = self.service.slot(name) or ServiceSlot(name=name)
        column = None if slot.possible_values else self._columns.get(name)
        kind = self.words.kind(slot) if column is None else _kind_of(column, "examples")
        spec = {"type": kind.pop("type"), "description": described(slot.description, name)}
        is_draft = column is None and not slot.possible_values and spec["type"] != "boolean"
        spec |= {"need": "optional"} if self.names.is_open(name) else {}
        return spec | ({"drafted": True} if is_draft else {}) | kind

    def tables(self) -> _Raw:
        """Return the tables: those of the task, one for each transaction, and one for searches
        that share inputs.

        Such searches have to find the same rows, as a user has the same values in mind for both.
        """
        groups: dict[str, list[ServiceIntent]] = {}
        for intent in self.service.intents:
            groups.setdefault(self.table(intent), []).append(intent)
        own = {snake(name): self._given(table) for name, table in self._known().items()}
        return {name: own.get(name) or self._rows(intents) for name, intents in groups.items()}

    def _given(self, table: Table) -> _Raw:
        spellings = {column.name: self.names.columns.get(column.name) for column in table.columns}
        spelt = {name: value or spelled(name) for name, value in spellings.items()}
        rows = [{spelt[name]: value for name, value in row.items()} for row in table.given]
        columns = {}
        for column in table.columns:
            slot = self.names.slots.get(column.name)
            sample = replace(column, values=column.values[:_SHOWN])
            columns[spelt[column.name]] = {"slot": slot} if slot else _kind_of(sample, "values")
        return {"columns": columns, "given": rows}

    def _call(self, intent: ServiceIntent) -> Call | None:
        call = self.task.calls.get(intent.name)
        return call if call is not None and call.table in self.task.tables else None

    def table(self, intent: ServiceIntent) -> str:
        """Return the table of a call, named after the first search that it shares inputs with."""
        call = self._call(intent)
        if call is not None:
            return snake(call.table)
        others = [each for each in self.service.intents if self._call(each) is None]
        group, searches = [intent], [i for i in others if not i.transactional]
        for member in group if not intent.transactional else ():
            new = (i for i in searches if i not in group)
            group.extend(i for i in new if not set(i.inputs).isdisjoint(member.inputs))
        first = next(i for i in self.service.intents if i in group)
        return snake(self.names.apis[first.name])

    def _rows(self, intents: list[ServiceIntent]) -> _Raw:
        fields = (s for i in intents for s in (*i.results, *i.inputs))
        columns = dict.fromkeys(fields) or {"id": None}
        count = self._booked(intents[0]) if intents[0].transactional else FOUND_ROWS
        spelt = {self.names.columns.get(name, name): self._column(name) for name in columns}
        return {"rows": count, "drafted": True, "columns": spelt}

    def _booked(self, intent: ServiceIntent) -> int:
        """Return a number of rows that leaves most keys unbooked: a third of the keys at most."""
        task = build({"slots": self.slots})
        keys = [task.slots[self.names.slots[name]] for name in dict.fromkeys(intent.required)]
        return min(BOOKED_ROWS, prod(sum(1 for _ in samples(slot)) for slot in keys) // 3)

    def _column(self, name: str) -> _Raw:
        if name in self.names.slots:
            return {"slot": self.names.slots[name]}
        if name not in self.names.columns:
            return {"type": "serial", "minimum": 1}
        kind = self.words.kind(self.service.slot(name) or ServiceSlot(name=name))
        if kind["type"] in ("date", "time"):
            slot = build({"slots": {"column": kind}}).slots["column"]
            return {"type": "short text", "values": list(samples(slot, _SHOWN))}
        if "examples" in kind:
            return {"type": "short text", "values": kind["examples"]}
        if kind["type"] == "category":
            return {"type": "category", "values": list(kind["values"])}
        return {key: value for key, value in kind.items() if key != "unit"}

    def api(self, intent: ServiceIntent) -> _Raw:
        """Return the call of an intent."""
        required = set(intent.required)
        inputs = {
            self.names.columns[name]: {"slot": self.names.slots[name]}
            | ({"required": True} if name in required else {})
            for name in intent.inputs
        }
        call = self._call(intent)
        spec: _Raw = {"effect": call.effect if call else "search", "table": self.table(intent)}
        if call is not None and call.drafted:
            spec["drafted"] = True
        key = [self.names.columns[name] for name in (call.key if call else intent.required)]
        if not intent.transactional:
            return spec | ({"key": key} if call and key else {}) | {"inputs": inputs}
        if not required:
            return spec | {"effect": "insert", "inputs": inputs}
        spec |= {"effect": call.effect if call else "book", "key": list(dict.fromkeys(key))}
        return spec | {"inputs": inputs} | self._outcome()

    def _outcome(self) -> _Raw:
        texts = self.words.phrases.outcome
        name = texts.name
        while name in self.names.columns.values():
            name += "_"
        return {
            "outputs": {name: {"type": "category", "values": [texts.done, texts.failed]}},
            "answers": {"done": {name: texts.done}, "failed": {name: texts.failed}},
        }


def described(text: str | None, otherwise: str) -> str:
    """Return a description on one line, or another text where it is empty."""
    return printable(text or "")[:_LONGEST] or printable(otherwise) or "-"


def _kind_of(column: Column, values: str) -> _Raw:
    """Return the type of a column of the task, with its values under the key `values`."""
    spec: _Raw = {"type": column.type}
    if column.values:
        spec[values] = list(column.values)
    limits = {"minimum": column.minimum, "maximum": column.maximum}
    spec |= {key: limit for key, limit in limits.items() if limit is not None}
    return spec | ({"step": column.step} if column.step != 1 else {})
