"""Expands the short forms of a task file: conditions with typed values, and `{summary}`.

reader = ConditionReader(slots, tables, calls, "en")
reader.read({"when": ["Fine is greater than 0"]}, "when")   # (Condition("Fine", "greater", (0,)),)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import combinations
from typing import Any, get_args

from msgspec.structs import replace

from dialoom.errors import UnknownNameError
from dialoom.schema.call import Call, Column, Table
from dialoom.schema.condition import Condition, read
from dialoom.schema.flow import Node
from dialoom.schema.lexicon import lexicon
from dialoom.schema.slot import Slot, SlotType, canonical, is_truth

SUMMARY = "{summary}"

MOST_OPTIONAL = 4
"""Most optional inputs of a call that is confirmed: each subset of them has its own template."""


class ConditionReader:
    """Parses the conditions of a task file; values get the types of its slots and columns."""

    def __init__(
        self,
        slots: Mapping[str, Slot],
        tables: Mapping[str, Table],
        calls: Mapping[str, Call],
        language: str,
    ) -> None:
        self._language = language
        columns = (column for table in tables.values() for column in table.columns)
        shown = (c for call in calls.values() for c in (*call.inputs, *call.outputs))
        self._named = {c.name: _as_slot(c, slots) for c in (*columns, *shown)} | dict(slots)
        self._named |= {
            name: Slot(name=name, type="category")
            for call in calls.values()
            for outputs in call.answers.values()
            for name in outputs
            if name not in self._named
        }

    def read(self, raw: Mapping[str, Any], key: str) -> tuple[Condition, ...]:
        """Return the conditions at a key of the file, without those that cannot be parsed."""
        found = (read(text, self._named.keys()) for text in raw.get(key) or ())
        return tuple(self._typed(condition) for condition in found if condition is not None)

    def _typed(self, condition: Condition) -> Condition:
        slot = self._named.get(condition.name)
        values = condition.values
        if slot is not None:
            with suppress(ValueError, UnknownNameError):  # reported by the checks
                values = tuple(canonical(slot, str(v), self._language) for v in values)
        return replace(condition, values=values)


def _as_slot(column: Column, slots: Mapping[str, Slot]) -> Slot:
    if column.slot in slots:
        return slots[column.slot or ""]
    kinds: dict[str, SlotType] = {kind: kind for kind in get_args(SlotType)}
    kinds["serial"] = "integer"
    return Slot(name=column.name, type=kinds.get(column.type, "category"))


def summarised(
    node: Node,
    nodes: Mapping[str, Node],
    calls: Mapping[str, Call],
    slots: Mapping[str, Slot],
    language: str,
) -> Node:
    """Return a node whose `{summary}` lists the inputs of the call that it confirms.

    A template with `{summary}` becomes one template for each subset of the optional inputs, so that
    there is one for exactly the inputs that are known.
    """
    call = calls.get(getattr(nodes.get(node.confirms or ""), "call", None) or "")
    if call is None:
        return node
    texts = (
        text.replace(SUMMARY, listed) if SUMMARY in text else text
        for text in node.texts
        for listed in (_lists(call, slots, language) if SUMMARY in text else ("",))
    )
    return replace(node, texts=tuple(texts))


def _lists(call: Call, slots: Mapping[str, Slot], language: str) -> Iterator[str]:
    inputs = [column for column in call.inputs if column.slot in slots]
    free = [c.slot for c in inputs if not c.required][:MOST_OPTIONAL]
    for count in range(len(free), -1, -1):
        for kept in combinations(free, count):
            names = [c.slot or "" for c in inputs if c.required or c.slot in kept]
            yield ", ".join(_listed(slots[name], language) for name in dict.fromkeys(names))


def _listed(slot: Slot, language: str) -> str:
    """Return a value in a list; a number or a yes or no has words before it, without articles."""
    value = f"{{{slot.name}}}"
    truth, articles = slot.type == "boolean", set[str]()
    with suppress(UnknownNameError):  # of the language: reported by the checks
        truth, articles = is_truth(slot, language), {*lexicon(language).articles}
    if truth:
        return f"{slot.name.replace('_', ' ')}: {value}"
    if slot.type not in ("integer", "amount"):
        return value
    first, _, rest = slot.description.partition(" ")
    noun = rest if first.lower() in articles else slot.description
    return f"{noun}: {value}" if " " in noun else f"{noun} {value}"
