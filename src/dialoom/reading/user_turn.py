"""Values of a task's slots in users' texts, each assigned to one slot.

    reader = TaskReader(pack.load("restaurant_book"))
    reader.heard("Half past seven for four of us", {"time"}, None)
    # {"time": ("19:30", "Half past seven")}: slot to value and words

A part of a text belongs to the slot that was asked for, else to the one whose name has a word that
stands beside it, else to the only one that can have it. Numbers, yes and no do not show by
themselves what they are. What answers a question for free text is read off the templates of users
that name the slot, else it is the answer without the phrases around it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from itertools import pairwise
from typing import Any

from dialoom.schema.call import Column
from dialoom.schema.flow import Node
from dialoom.schema.lexicon import cues, lexicon, split_name, words
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from dialoom.schema.template import Template, match_best
from dialoom.schema.template import parse as read_template
from dialoom.schema.values import TEXTS, Mention, best, by_place, disjoint, find, kind, parse, same

LEAST = 0.5
"""Least confidence of a value that was not asked for, before it is divided among slots."""

CLEAR = 1.5
"""Least ratio of a value's confidence for one slot to that for any other slot."""

BESIDE = 3
"""Most words between a value and a word of its slot's name."""

LIKE = 0.7
"""The least fit (0 to 1) of an answer to a template from which a slot's value is read."""

FEW = 6
"""Most words of an answer that is taken as a name or another short text."""

_SENTENCE = re.compile(r"[.!?;] ")


class TaskReader:
    """Finds the values of a task's slots in texts; built once for each task."""

    def __init__(self, task: TaskSchema) -> None:
        self.task, self.language = task, task.language
        self.slots = task.slots
        self.columns = {call.name: column_slots(call.inputs) for call in task.calls.values()}
        for call in task.calls.values():
            more = (*call.outputs, *task.columns(call))
            self.columns[call.name] = column_slots(more) | self.columns[call.name]

    @cached_property
    def _keys(self) -> dict[str, frozenset[str]]:
        """Slot to the words of its name and description that no other slot has."""
        stop = lexicon(self.language).stop
        told = {
            name: {*split_name(name), *words(slot.description)} - stop
            for name, slot in self.slots.items()
        }
        counts = Counter(word for found in told.values() for word in found)
        return {
            name: frozenset(word for word in found if counts[word] == 1 and len(word) > 2)
            for name, found in told.items()
        }

    def truth(self, text: str) -> bool | None:
        """Return whether an answer begins with yes or no."""
        return next(map(lexicon(self.language).truth, words(text)), None)

    def agreed(self, text: str) -> bool | None:
        """Return whether an answer to an offer agrees anywhere, or refuses; None if neither."""
        shown = cues(text, self.language)
        if shown.get("no"):
            return False
        return True if shown.get("yes") or shown.get("thanks") else None

    def cares(self, text: str) -> bool:
        """Tell whether an answer may give a value: neither a refusal nor "anything will do"."""
        return self.truth(text) is not False and not cues(text, self.language).get("unsure")

    def tells(self, text: str, slot: str, value: Any) -> bool:
        """Tell whether a text names a value of a slot."""
        found = find(text, (self.slots[slot],), self.language)
        return any(mention.value == value for mention in found)

    def heard(
        self, text: str, asked: Collection[str], node: Node | None = None
    ) -> dict[str, tuple[Any, str]]:
        """Return slot to value, and the words for it, of what a user says.

        Args:
            text: What is said.
            asked: The slots that it answers a question for.
            node: The node of the flow that asked, if that is known.
        """
        found: dict[str, tuple[Any, str]] = {}
        for mention in self._chosen(text, asked):
            words = self._words(text, mention)
            if self.slots[mention.slot].type == "categories":
                held = found.get(mention.slot, ([], words))
                found[mention.slot] = [*held[0], mention.value], held[1]
            else:
                named = self.slots[mention.slot].type in TEXTS and words in str(mention.value)
                found.setdefault(mention.slot, (words if named else mention.value, words))
        for name in asked:
            if name not in found:
                value = self._answer(self.slots[name], text, node)
                found |= {} if value is None else {name: (value, str(value))}
        return found

    def _chosen(self, text: str, asked: Collection[str]) -> Iterator[Mention]:
        """Yield the mentions that count: the longest first, of each place one slot's."""
        places = by_place(find(text, self.slots.values(), self.language))
        owners = (self._owner(text, held, asked) for held in places.values())
        return disjoint(owner for owner in owners if owner is not None)

    def _owner(self, text: str, mentions: list[Mention], asked: Collection[str]) -> Mention | None:
        """Return the mention of the slot that a place belongs to, or None."""
        share = len({mention.slot for mention in mentions})
        for chosen in (
            [m for m in mentions if m.slot in asked and self.slots[m.slot].type not in TEXTS],
            [m for m in mentions if self._beside(text, m)],
            [m for m in mentions if self._at_place(text, m)],
        ):
            if len({mention.slot for mention in chosen}) == 1:
                return max(chosen, key=lambda m: m.confidence)
        first, *others = sorted(mentions, key=lambda m: -m.confidence)
        rival = next((m.confidence for m in others if m.slot != first.slot), 0.0)
        sure = first.confidence * share >= LEAST and first.confidence >= CLEAR * rival
        return first if sure and self._has_form(first) else None

    def _at_place(self, text: str, mention: Mention) -> bool:
        """Tell whether a name follows a word that leads to places of its slot: "to Paris"."""
        before, slot = words(text[: mention.start]), self.slots[mention.slot]
        leads = lexicon(self.language).places.get(before[-1], ()) if before else ()
        return slot.type in TEXTS and not {*split_name(slot.name)}.isdisjoint(leads)

    def _words(self, text: str, mention: Mention) -> str:
        """Return the words for a value: no article, and a time with the part of the day."""
        spoken = lexicon(self.language)
        said = text[mention.start : mention.end]
        first, _, rest = said.partition(" ")
        if self.slots[mention.slot].type in TEXTS:
            return _SENTENCE.split(said)[0]
        if self.slots[mention.slot].type == "date" and first.lower() in spoken.articles:
            return rest
        if self.slots[mention.slot].type != "time":
            return said
        part = "|".join(map(re.escape, spoken.parts_of_day))
        before = re.search(rf"\b(?:{part}) $", text[: mention.start], re.IGNORECASE)
        after = re.match(rf"(?: \w+){{0,2}} (?:{part})\b", text[mention.end :], re.IGNORECASE)
        return (before[0] if before else "") + said + (after[0] if after else "")

    def _has_form(self, mention: Mention) -> bool:
        """Tell whether a value's form tells its type: it is no bare number, and no yes or no."""
        slot = self.slots[mention.slot]
        if slot.type == "amount":
            return mention.confidence == 1
        return kind(slot, self.language) not in ("number", "boolean")

    def _beside(self, text: str, mention: Mention) -> bool:
        """Tell whether a word of the slot's name stands beside a value."""
        before, after = words(text[: mention.start]), words(text[mention.end :])
        near = (*before[-BESIDE:], *after[:BESIDE])
        keys = self._keys[mention.slot]
        sure = mention.confidence > 0 and kind(self.slots[mention.slot]) not in ("name", "text")
        return sure and any(same(word, key) for word in near for key in keys)

    def _answer(self, slot: Slot, text: str, node: Node | None) -> Any:
        """Return the value of an answer that names no listed value."""
        if slot.type not in TEXTS:
            return parse(slot, text, self.language)
        if self.truth(text) is False:
            return None
        templates = self._answers(slot.name, node)
        fitting = match_best(text, templates, least=LIKE)
        if fitting is not None and fitting[1].values.get(slot.name):
            return fitting[1].values[slot.name].strip(" .,!")
        named = [m for m in best(find(text, (slot,), self.language)) if m.start]
        gaps = [text[one.end : other.start] for one, other in pairwise(named)]
        if named and all(gap in (", ", lexicon(self.language).last) for gap in gaps):
            return _SENTENCE.split(text[named[0].start : named[-1].end])[0]
        if cues(text, self.language).get("unsure"):
            return None
        if slot.type == "short text" and len(text.split()) > FEW:
            return None
        return parse(slot, text, self.language)

    def _answers(self, slot: str, node: Node | None) -> dict[str, Template]:
        """What users may say to name a slot, with words of their own: after a node, or at all."""
        nodes = self.task.flow.nodes
        following = self.task.flow.following(node) if node is not None else nodes.values()
        texts = (text for each in following if each.kind == "user" for text in each.texts)
        made = {text: read_template(text) for text in texts if f"{{{slot}}}" in text}
        return {text: template for text, template in made.items() if template.bare.strip(".! ")}


def column_slots(columns: Iterable[Column]) -> dict[str, str]:
    """Return column to slot, of the columns that hold the values of one."""
    return {column.name: column.slot for column in columns if column.slot is not None}


_readers: dict[int, tuple[TaskSchema, TaskReader]] = {}


def reader_of(task: TaskSchema) -> TaskReader:
    """Return the reader of a task; made once."""
    held = _readers.get(id(task))
    if held is None:
        if len(_readers) > 256:
            _readers.clear()
        held = _readers[id(task)] = (task, TaskReader(task))
    return held[1]
