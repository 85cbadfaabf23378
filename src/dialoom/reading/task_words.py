"""The words of a task and of its language, to detect texts of another task or language.

own = task_words(task)
own.native("Pour quel jour ?")                        # False in an English task
own.foreign("What is the colour of your bicycle?")    # True where the task has none of it
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from dialoom.reading.profile import described
from dialoom.reading.wording import around, plain_text, word_reader, wording_of
from dialoom.schema.lexicon import NEVER, lexicon, split_name, words
from dialoom.schema.once import once_for_each
from dialoom.schema.task import TaskSchema
from dialoom.schema.template import PLACEHOLDER

FEWEST = 5

FAMILIAR = 0.2
"""Least share of a text's words that are frequent in its language or part of its task. Of 599 lines
of wizards with five words or more 1 has less, of 34 sentences in three other languages all."""


CLEAR = 0.97
"""Certainty from which a question is of the task whatever its words. Below it, of 168 questions of
wizards and of tests/play/bots 1 is foreign, of 42 that no task needs 23 are."""


class TaskVocabulary:
    """The words of a task, and the frequent ones of its language."""

    def __init__(self, task: TaskSchema) -> None:
        self._language, spoken = task.language, lexicon(task.language)
        reader = self._reader = word_reader(task.language)
        cues = (phrase for phrases in spoken.cues.values() for phrase in phrases)
        frequent = (*spoken.common, *spoken.verbs, *spoken.articles, *spoken.links, *cues)
        self._frequent = frozenset(map(reader.stem, frequent)) | reader.stop
        wordings = [wording_of(text, task.language) for text in _texts(task)]
        self._own = frozenset(word for each in wordings for word in each.words)
        concepts = [number for each in wordings for number in each.concepts]
        self._concepts = frozenset((*concepts, *reader.concepts(self._frequent)))

    def native(self, text: str) -> bool:
        """Return True if a text may be in the task's language; short ones may."""
        stems = [s for s in wording_of(plain_text(text), self._language).stems if s[0].isalpha()]
        familiar = sum(stem in self._frequent or stem in self._own for stem in stems)
        return len(stems) < FEWEST or familiar >= FAMILIAR * len(stems)

    def foreign(self, text: str, certainty: float = 0.0) -> bool:
        """Return True if none of a question's own words is of the task.

        A question whose reading is certain, or which has one such word, is not foreign.
        """
        if certainty >= CLEAR:
            return False
        words = self.rare(text)
        return len(words) > 1 and self.strangers(words) == words

    def concerns(self, text: str) -> bool:
        """Return True if a text has a word of the task that is rare in the language."""
        return not self._own.isdisjoint(self.rare(text))

    def rare(self, text: str) -> frozenset[str]:
        """Return the words of a text that are rare in the language."""
        return wording_of(text, self._language).words - self._frequent

    def strangers(self, words: frozenset[str]) -> frozenset[str]:
        """Return the words that are rare in the language and not of the task."""
        return frozenset(w for w in words - self._frequent if not self._known(w))

    def _known(self, word: str) -> bool:
        return word in self._own or not self._concepts.isdisjoint(self._reader.concepts((word,)))


def _texts(task: TaskSchema) -> Iterator[str]:
    yield from (text for node in task.flow.nodes.values() for text in node.texts)
    yield from task.out_of_scope
    for slot in task.slots.values():
        yield from map(str, (slot.description, *slot.values, *slot.examples))
    for column in (column for table in task.tables.values() for column in table.columns):
        yield from map(str, (column.title, *column.values))


task_words = once_for_each(TaskVocabulary)
"""Returns the words of a task (cached)."""


NEAR = 2
"""Words before and after a number that may name its slot ("floor 3", "3 square metres")."""

CLAUSE = re.compile(r"[.,;!?()\n]+(?=\s|$)|[()\n]")
"""The end of a clause, other than a colon, which follows a value's name ("guests: 5")."""

_JOINED = re.compile(r"[ \u00a0-]?[^\W\d_]")
_OTHER = re.compile(r"[ \u00a0]?[%°\d]")


class NumberWords:
    """The words that speak for the numbers of a task's slots."""

    def __init__(self, task: TaskSchema) -> None:
        self._reader, spoken = word_reader(task.language), lexicon(task.language)
        self._labels = set(map(self._reader.stem, spoken.asked_by.get("number", ())))
        asking = (word for asked in spoken.asked_by.values() for word in asked)
        self._vague = self._reader.stop | set(map(self._reader.stem, (*asking, *spoken.common)))
        self._own = {
            slot.name: self._stems([*described(slot, task.language).stems, *words(slot.unit or "")])
            for slot in task.slots.values()
        }
        times = [slot.name for slot in task.slots.values() if slot.type == "time"]
        self._around = {(slot, "", cue) for slot in times for cue in spoken.clock_cues}
        slots = {name: name for name in task.slots}
        for call in task.calls.values():
            for column in (*call.inputs, *task.result_columns(call)):
                if column.slot in task.slots:
                    slots[column.name] = column.slot
                    title = words(column.title) or split_name(column.name)
                    self._own[column.slot] |= self._stems(title)
        for text in (text for node in task.flow.nodes.values() for text in node.texts):
            for match in PLACEHOLDER.finditer(text):
                slot = slots.get(match[1], "")
                self._around |= {(slot, *near) for near in _near(text, *match.span())}

    def state(self, slot: str, text: str, start: int, end: int) -> bool:
        """Return True if a number may be a value of a slot: a word near it is one of the slot's.

        It may also be alone, or where the task's own texts have it, if no other word says what it
        counts ("for 5").
        """
        before, after = clause_of(text, start, end)
        if not self._stems([*before[-NEAR:], *after[:NEAR]]).isdisjoint(self._own[slot]):
            return True
        places = [near for near in _near(text, start, end) if (slot, *near) in self._around]
        if any(self._stems(near) for near in places):
            return True
        other = _OTHER.match(text, end) or (before and before[-1].isdigit())
        if other or (_JOINED.match(text, end) and self._stems(after[:1])):
            return False
        return (bool(places) and not self.numbered(text, start)) or not (before or after)

    def numbered(self, text: str, start: int) -> bool:
        """Return True if the word before a number makes it a label ("number 3")."""
        before, _ = around(text, start, start)
        return not self._labels.isdisjoint(map(self._reader.stem, words(before)[-1:]))

    def leads(self, slot: str, before: Sequence[str]) -> bool:
        """Return True if the task's own texts have a slot's value after the same words."""
        lead = "".join(before[-1:])
        return (slot, "", lead) in self._around or (
            slot,
            "".join(before[-2:-1]),
            lead,
        ) in self._around

    def _stems(self, spoken: Iterable[str]) -> set[str]:
        return {stem for word in spoken for stem in [self._reader.stem(word)]} - self._vague - {""}


def _near(text: str, start: int, end: int) -> Iterator[tuple[str, str]]:
    """Yield the words before a place, one and two, and the one after it, as pairs."""
    before, after = clause_of(text, start, end)
    yield from [("", before[-1])] if before else []
    yield from [(before[-2], before[-1])] if before[1:] else []
    yield from [(after[0], "")] if after else []


def clause_of(text: str, start: int, end: int) -> tuple[list[str], list[str]]:
    """Return the words of a place's clause before and after it, up to the next marks."""
    before, after = (PLACEHOLDER.sub(" ", side) for side in around(text, start, end))
    return words(CLAUSE.split(before)[-1]), words(CLAUSE.split(after)[0])


number_words = once_for_each(NumberWords)
"""Returns the words for the numbers of a task (cached)."""


def enumerates(text: str, start: int, end: int, language: str) -> bool:
    """Return True if a number only numbers a line, an option or a step ("2.", "#3", "5 of 6")."""
    spans = _enumerating(text, language)
    at = bisect(spans, (start, len(text)))
    return at > 0 and end <= spans[at - 1][1]


@lru_cache(maxsize=256)
def _enumerating(text: str, language: str) -> tuple[tuple[int, int], ...]:
    return tuple(mark.span() for mark in _marks(language).finditer(text))


@lru_cache(maxsize=32)
def _marks(language: str) -> re.Pattern[str]:
    spoken = lexicon(language)
    of = "|".join(map(re.escape, spoken.of)) or NEVER
    number = "|".join((r"\d+", *map(re.escape, spoken.numbers)))
    ordinal = "|".join(map(re.escape, spoken.ordinals))
    steps = rf"\b(?:{number}|{ordinal}) (?:\w+ )?(?:{of}) (?:\w+ )?(?:{number})\b"
    line, option = r"^[^\w\n]*\d{1,2}[.:)]+\s", r"[#(\[]\d{1,2}(?!\d)|\b\d{1,2}(?:\)|:\s)"
    return re.compile(rf"{steps}|{line}|{option}", re.IGNORECASE | re.MULTILINE)
