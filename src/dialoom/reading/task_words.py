"""The words of a task and of its language, to detect texts of another task or language.

own = task_words(task)
own.native("Pour quel jour ?")                        # False in an English task
own.foreign("What is the colour of your bicycle?")    # True where the task has none of it
"""

from __future__ import annotations

from collections.abc import Iterator

from dialoom.reading.wording import plain_text, word_reader, wording_of
from dialoom.schema.lexicon import lexicon
from dialoom.schema.once import once_for_each
from dialoom.schema.task import TaskSchema

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
