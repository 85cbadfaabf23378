"""What is known in a dialogue: the values that the user gave, and those the wizard asked with.

    known = Known({"restaurant_book": Listener(task)})
    known.hear(log)
    known.values("restaurant_book")     # {"guests": 4, "PartySize": 4, …}

A value counts where it was said as the schema spells it and only one slot can have it, or where
the wizard had just asked for the slot; free text only then. It serves to fill suggestions and to
tell where a flow goes on; nothing of it is kept in the dialogue.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from dialoom.collect.log.record import Record
from dialoom.dialogue import USER, Query, Utterance
from dialoom.dialogue.views import label
from dialoom.schema import values
from dialoom.schema.call import Column
from dialoom.schema.flow import Node
from dialoom.schema.lexicon import lexicon, words
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from dialoom.schema.template import Template, parse
from dialoom.schema.values import render, samples

FEW = 6
"""Words up to which an answer to a question for free text is taken as it stands."""

_SPELLED = frozenset({"category", "categories", "date", "time"})
_TEXTS = frozenset({"short text", "long text"})
_TYPES = ("integer", "amount", "boolean")


class Listener:
    """Hears values of one task's slots; made once a task, shared by all rooms."""

    def __init__(self, task: TaskSchema) -> None:
        self.language, self.slots = task.language, task.slots
        self._nodes = task.flow.nodes
        self._spoken: dict[tuple[str, ...], list[tuple[str, Any]]] = {}
        for slot in task.slots.values():
            self._spell(slot)
        self._longest: dict[str, int] = {}  # first word to the most words of a spelling
        for spelled in self._spoken:
            if spelled:
                self._longest[spelled[0]] = max(self._longest.get(spelled[0], 0), len(spelled))
        self._columns = {call.name: _slots((*call.inputs,)) for call in task.calls.values()}
        self.names = {name: slot.name for name, slot in named_slots(task).items()}

    def _spell(self, slot: Slot) -> None:
        if slot.type not in _SPELLED:
            return
        for value in samples(slot):
            for text in (str(value), *render(slot, value, self.language)):
                meant = self._spoken.setdefault(tuple(words(text)), [])
                if (slot.name, value) not in meant:
                    meant.append((slot.name, value))

    def hear(self, text: str, asked: str | None) -> dict[str, Any]:
        """Return slot to value of what a user said after the action `asked`."""
        node = self._nodes.get(asked or "")
        slots = node.asks if node is not None else ()
        found: dict[str, Any] = {}
        for slot, value in self._mentions(text, slots):
            if self.slots[slot].type == "categories":
                found.setdefault(slot, []).append(value)
            else:
                found[slot] = value
        for slot in slots:
            if slot not in found and node is not None:
                said = self._answer(self.slots[slot], node, text)
                if said is not None:
                    found[slot] = said
        return found

    def _mentions(self, text: str, asked: Sequence[str]) -> Iterator[tuple[str, Any]]:
        """Yield the spelled values of a text with their slots, the longest spelling first."""
        said, at = words(text), 0
        while at < len(said):
            longest = self._longest.get(said[at], 0)
            for size in range(min(longest, len(said) - at), 0, -1):
                meant = self._spoken.get(tuple(said[at : at + size]))
                if meant:
                    one = [pair for pair in meant if pair[0] in asked] or meant
                    if len(one) == 1:
                        yield one[0]
                    at += size - 1
                    break
            at += 1

    def _answer(self, slot: Slot, node: Node, text: str) -> Any:
        """Return the value that an answer to a question gives, where it is not spelled out."""
        if slot.type in _TEXTS:
            return self._free(slot.name, node, text)
        if slot.type not in _TYPES:
            return None
        return values.parse(slot, text, self.language)

    def _free(self, slot: str, node: Node, text: str) -> str | None:
        for template in self._templates(node):
            match = template.match(text) if template.bare.strip(".!") else None
            if match is not None and slot in match.values:
                return match.values[slot]
        short = self._introduced(text.strip().rstrip(".!"))
        return short if 0 < len(short.split()) <= FEW else None

    def _introduced(self, text: str) -> str:
        """What follows a phrase that people give a name with."""
        spoken = lexicon(self.language)
        for phrase in sorted((*spoken.names, *spoken.introductions), key=len, reverse=True):
            if text.casefold().startswith(f"{phrase} "):
                return text[len(phrase) :].strip()
        return text

    def _templates(self, node: Node) -> Iterator[Template]:
        """What users may say to a question; templates with more words of their own come first."""
        texts = [t for name in node.then if name in self._nodes for t in self._nodes[name].texts]
        yield from sorted(map(parse, texts), key=lambda template: -len(template.bare))

    def queried(self, query: Query) -> dict[str, Any]:
        """Return slot to value of what the wizard asked the knowledge base with."""
        slots = self._columns.get(query.api, {})
        return {
            slots[each.slot]: each.value
            for each in query.constraints
            if each.slot in slots and each.operator == "equal"
        }


def named_slots(task: TaskSchema) -> dict[str, Slot]:
    """Return the slots by what placeholders call them: their names, and columns that hold them."""
    held = [table.columns for table in task.tables.values()]
    held += [(*call.inputs, *call.outputs) for call in task.calls.values()]
    columns = {name: slot for each in held for name, slot in _slots(each).items()}
    named = {name: task.slots[slot] for name, slot in columns.items() if slot in task.slots}
    return named | task.slots


def _slots(columns: Iterable[Column]) -> dict[str, str]:
    return {column.name: column.slot for column in columns if column.slot is not None}


class Known:
    """What is known in one dialogue, for each of its tasks.

    Args:
        listeners: Task to what hears its values.
    """

    def __init__(self, listeners: Mapping[str, Listener]) -> None:
        self._listeners = dict(listeners)
        self._said: dict[str, dict[str, Any]] = {name: {} for name in listeners}
        self._heard = 0
        self._asked: str | None = None

    def hear(self, log: Sequence[Record]) -> None:
        """Take in what was not heard before of a log that only grows."""
        for record in log[self._heard :]:
            body = record.body
            if isinstance(body, Utterance) and body.agent == USER:
                for name, listener in self._listeners.items():
                    self._said[name] |= listener.hear(body.text, self._asked)
            elif isinstance(body, Utterance):
                self._asked = label(body)
            elif isinstance(body, Query):
                for name, listener in self._listeners.items():
                    self._said[name] |= listener.queried(body)
        self._heard = len(log)

    def slots(self, task: str) -> dict[str, Any]:
        """Return slot to value: the task's own, and those of the same slot in another task."""
        own = self._listeners[task].slots
        found: dict[str, Any] = {}
        for name, said in self._said.items():
            others = self._listeners[name].slots
            found |= {
                slot: value
                for slot, value in said.items()
                if slot in own and name != task and own[slot] == others[slot]
            }
        return found | self._said[task]

    def values(self, task: str) -> dict[str, Any]:
        """Return the same, and each value by the names of the columns that hold it as well."""
        slots = self.slots(task)
        names = self._listeners[task].names
        return {name: slots[slot] for name, slot in names.items() if slot in slots}
