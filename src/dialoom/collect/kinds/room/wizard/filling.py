"""Fills reply templates with the values of the wizard's item, or else with those the user said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from dialoom.collect.kinds.room.wizard.known import named_slots
from dialoom.schema.flow import Node
from dialoom.schema.lexicon import split_name
from dialoom.schema.task import TaskSchema
from dialoom.schema.template import Template
from dialoom.schema.values import plain

READ = "#read"
"""The key of known values for how many elements of a list were read out to the user so far."""

STEP = "step"
"""The placeholder for the element of a list that is read out (docs/reference/task-file.md)."""


class Filler:
    """Fills the templates of one task; one object is shared by all rooms."""

    def __init__(self, task: TaskSchema) -> None:
        self._slots = named_slots(task)
        self._language = task.language

    def fill(
        self,
        template: Template,
        item: Mapping[str, Any] = {},
        facts: Mapping[str, Any] = {},
        node: Node | None = None,
    ) -> str | None:
        """Return the text of a template; None where one of its values is not known.

        Args:
            facts: Name to value of what the user said (known.py), and `READ`.
            node: The flow's node of the template, for those that read out a list.
        """
        values = dict(self._values(template, item, facts, node))
        if None in values.values():
            return None
        return template.render(values, self._language).text

    def sketch(
        self,
        template: Template,
        item: Mapping[str, Any] = {},
        facts: Mapping[str, Any] = {},
        node: Node | None = None,
    ) -> str:
        """Return the text of a template with names in brackets in place of unknown values."""
        values = {
            name: f"[{self._readable(name)}]" if value is None else value
            for name, value in self._values(template, item, facts, node)
        }
        return template.render(values, self._language).text

    def _values(
        self,
        template: Template,
        item: Mapping[str, Any],
        facts: Mapping[str, Any],
        node: Node | None,
    ) -> Iterator[tuple[str, str | None]]:
        for slot in template.slots:
            if slot.name == STEP and node is not None:
                value = _element(node, item, int(facts.get(READ, 0)))
            else:
                value = _held(slot.name, item)
                value = facts.get(slot.name) if value is None else value
            empty = value is None or value == ""
            own_slot = self._slots.get(slot.name)
            yield slot.name, None if empty else plain(value, self._language, own_slot)

    def _readable(self, name: str) -> str:
        slot = self._slots.get(name)
        return " ".join(split_name(name if slot is None else slot.name))


def _held(name: str, item: Mapping[str, Any]) -> Any:
    """Return the value of the item's attribute that a placeholder names; None without one.

    In STAR's files the names in templates and in items differ: `service_provider` and
    ServiceProvider, `hotel_name` and Name. So attributes with the same words come first, then the
    only one whose words are part of the placeholder's, or the other way round.
    """
    if name in item:
        return item[name]
    words = _words(name)
    near = [key for key in item if _words(key) <= words or words <= _words(key)]
    same = [key for key in near if _words(key) == words]
    return item[(same or near)[0]] if same or len(near) == 1 else None


@lru_cache(maxsize=4096)
def _words(name: str) -> frozenset[str]:
    return frozenset(split_name(name))


def _element(node: Node, item: Mapping[str, Any], read: int) -> Any:
    """Return the next element of the item's list, or a detail of the element read out last."""
    value = item.get(node.reads or node.detail or "")
    place = read if node.reads else read - 1
    elements = value if isinstance(value, list | tuple) else ()
    return elements[place] if 0 <= place < len(elements) else None
