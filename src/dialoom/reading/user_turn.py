"""Values of a task's slots in users' texts, each assigned to one slot.

    reader = TaskReader(pack.load("restaurant_book"))
    reader.heard("Half past seven for four of us", {"time"}, None)
    # {"time": ("19:30", "Half past seven")}: slot to value and words

mentions.py chooses the mentions that count. A free-text answer is extracted by the templates of
users that name the slot, else it is the answer without the phrases around it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from itertools import pairwise
from typing import Any

from dialoom.reading.mentions import chooser_of
from dialoom.reading.wording import sentences
from dialoom.schema.call import Column
from dialoom.schema.flow import Node
from dialoom.schema.lexicon import cues, lexicon, words
from dialoom.schema.once import once_for_each
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from dialoom.schema.template import Template, match_best
from dialoom.schema.template import parse as read_template
from dialoom.schema.values import TEXTS, Mention, best, find, kind, parse

LIKE = 0.7
"""The least fit (0 to 1) of an answer to a template from which a slot's value is read."""

FEW = 6
"""Most words of an answer that is taken as a name or another short text."""

_MARKS = re.compile(r"[,;:.!?…]")
_SENTENCE = re.compile(r"[.!?;] ")


class TaskReader:
    """Finds the values of a task's slots in texts; built once for each task."""

    def __init__(self, task: TaskSchema) -> None:
        self.task, self.language = task, task.language
        self.slots = task.slots
        self.chooser = chooser_of(task)
        self.columns = {call.name: column_slots(call.inputs) for call in task.calls.values()}
        for call in task.calls.values():
            more = (*call.outputs, *task.columns(call))
            self.columns[call.name] = column_slots(more) | self.columns[call.name]

    def truth(self, text: str) -> bool | None:
        """Return True if an answer begins with yes, False with no, else None."""
        return next(map(lexicon(self.language).truth, words(text)), None)

    def agreed(self, text: str) -> bool | None:
        """Return True if an answer to an offer agrees anywhere, False if it refuses, else None."""
        signs = cues(text, self.language)
        if signs.get("no"):
            return False
        return True if signs.get("yes") or signs.get("thanks") else None

    def cares(self, text: str) -> bool:
        """Return True if an answer may give a value: neither a refusal nor "anything will do"."""
        return self.truth(text) is not False and not cues(text, self.language).get("unsure")

    def states(self, text: str, slot: str, value: Any) -> bool:
        """Return True if a text names a value of a slot."""
        mentions = find(text, (self.slots[slot],), self.language)
        return any(mention.value == value for mention in mentions)

    def heard(
        self,
        text: str,
        open_slots: Collection[str],
        node: Node | None = None,
        state: Mapping[str, Any] | None = None,
        stated: Collection[str] = (),
    ) -> dict[str, tuple[Any, str]]:
        """Return slot to value, and its words, of a user's text.

        A user who refuses a value of a `stated` slot gives another one for it: "No, for four."
        `open_slots` are the slots of the questions it answers, `node` is that of the question, if
        known; `state` maps slots to their values so far.
        """
        readings: dict[str, tuple[Any, str]] = {}
        refused = bool(stated) and self.truth(text) is False
        open_to = {*open_slots, *stated} if refused else open_slots
        mentions = self.chooser.choose(text, open_to, state).mentions
        for mention in mentions:
            words = self._words(text, mention)
            if self.slots[mention.slot].type == "categories":
                entry = readings.get(mention.slot, ([], words))
                readings[mention.slot] = [*entry[0], mention.value], entry[1]
            else:
                verbatim = self.slots[mention.slot].type in TEXTS and words in str(mention.value)
                readings.setdefault(mention.slot, (words if verbatim else mention.value, words))
        rest = _beside(text, mentions) if refused and readings else text
        for name in open_slots:
            if name not in readings:
                value = self.answer(name, rest, node)
                readings |= {} if value is None else {name: (value, str(value))}
        return readings

    def _words(self, text: str, mention: Mention) -> str:
        """Return the words for a value: no article, and a time with the part of the day."""
        spoken = lexicon(self.language)
        phrase = text[mention.start : mention.end]
        first, _, rest = phrase.partition(" ")
        if self.slots[mention.slot].type in TEXTS:
            return _SENTENCE.split(phrase)[0]
        if self.slots[mention.slot].type == "date" and first.lower() in spoken.articles:
            return rest
        if self.slots[mention.slot].type != "time":
            return phrase
        part = "|".join(map(re.escape, spoken.parts_of_day))
        before = re.search(rf"\b(?:{part}) $", text[: mention.start], re.IGNORECASE)
        after = re.match(rf"(?: \w+){{0,2}} (?:{part})\b", text[mention.end :], re.IGNORECASE)
        return (before[0] if before else "") + phrase + (after[0] if after else "")

    def answer(self, name: str, text: str, node: Node | None = None) -> Any:
        """Return the value of a whole answer for slot `name`, if any, to a question at `node`."""
        slot = self.slots[name]
        if slot.type in TEXTS:
            value = self._free(slot, text, node)
            return value if value is None or self._likely(slot, str(value)) else None
        value = parse(slot, text, self.language)
        if value is None and kind(slot, self.language) == "boolean":
            signs, spoken = cues(text, self.language), lexicon(self.language)
            if signs["yes"] != signs["no"]:
                return parse(slot, (spoken.yes if signs["yes"] else spoken.no)[0], self.language)
        return value

    def _likely(self, slot: Slot, text: str) -> bool:
        """Return True if a free text looks like its slot's examples: marks, capitals, length."""
        if text in slot.examples or not slot.examples:
            return True
        spoken = lexicon(self.language)
        if (spoken.stop | spoken.common).issuperset(words(text)):
            return False
        if set(_MARKS.findall(text)) - set(_MARKS.findall(" ".join(slot.examples))):
            return False
        proper = all(word[:1].isupper() for each in slot.examples for word in each.split())
        if proper and not all(word[:1].isupper() for word in text.split()):
            return False
        return len(text.split()) <= 1 + max(len(each.split()) for each in slot.examples)

    def _free(self, slot: Slot, text: str, node: Node | None) -> Any:
        if self.truth(text) is False:
            return None
        templates = self._answers(slot.name, node)
        fitting = match_best(text, templates, least=LIKE)
        if fitting is not None and fitting[1].values.get(slot.name):
            return fitting[1].values[slot.name].strip(" .,!")
        mentions = [m for m in best(find(text, (slot,), self.language)) if m.start]
        gaps = [text[one.end : other.start] for one, other in pairwise(mentions)]
        if mentions and all(gap in (", ", lexicon(self.language).last) for gap in gaps):
            return _SENTENCE.split(text[mentions[0].start : mentions[-1].end])[0]
        if cues(text, self.language).get("unsure"):
            return None
        if slot.type == "short text" and len(text.split()) > FEW:
            return None
        return parse(slot, text, self.language)

    def _answers(self, slot: str, node: Node | None) -> dict[str, Template]:
        """Users' texts that name a slot, with words of their own: after a node, or at all."""
        nodes = self.task.flow.nodes
        following = self.task.flow.following(node) if node is not None else nodes.values()
        texts = (text for each in following if each.kind == "user" for text in each.texts)
        templates = {text: read_template(text) for text in texts if f"{{{slot}}}" in text}
        return {
            text: template for text, template in templates.items() if template.bare.strip(".! ")
        }


def _beside(text: str, mentions: Iterable[Mention]) -> str:
    """Return the sentences of a text without any of some mentions."""
    places = {text[mention.start : mention.end] for mention in mentions}
    parts = sentences(text)
    return " ".join(part for part in parts if not any(words in part for words in places))


def column_slots(columns: Iterable[Column]) -> dict[str, str]:
    """Return column to slot, of the columns that hold the values of one."""
    return {column.name: column.slot for column in columns if column.slot is not None}


reader_of = once_for_each(TaskReader)
"""Returns the reader of a task (cached)."""
