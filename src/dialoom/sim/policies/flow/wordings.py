"""Word statistics of a task file's example texts: words of each user turn, words near each slot.

    wordings = wordings_of(program)
    wordings.turns.weight("give_name", features("It's {name}.", "en"))
    wordings.slots.weight("arrival", neighbours(tokens("from {arrival} on"), 1))

Both are naive Bayes classifiers over the few examples of each node (Manning et al. 2008, 13.2). The
probabilities of their words are smoothed towards those of the whole task, and words that no example
has count nothing.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache

from dialoom.flow.node import Step
from dialoom.flow.program import TaskProgram
from dialoom.schema.lexicon import cues, lexicon, split_name, words
from dialoom.schema.template import Slot as Place
from dialoom.schema.template import parse

STEM = 6
"""Letters that words are cut to, so that most inflected forms of a word are one feature."""

SMOOTHING = 2.0
"""Weight of the whole task's word frequencies in a turn's or slot's, in numbers of examples."""

BEFORE, AFTER = 3, 2
"""Words before and after a value that are features of its slot."""

CUE, STOP = 2.0, 0.3
"""Weights of a cue ("yes", "thanks") and of a stop word; other words have 1."""

KEPT = 50_000
"""Most texts whose features are kept in memory."""

_TOKEN = re.compile(r"\{\w+\}|[^\W_]+(?:['.:][^\W_]+)*")


def tokens(text: str) -> list[str]:
    """Return the words of a text, cut to their stems, and its placeholders as they are."""
    found = _TOKEN.findall(text.replace("’", "'"))
    return [each if each[0] == "{" else each.lower()[:STEM] for each in found]


@lru_cache(maxsize=KEPT)
def features(text: str, language: str) -> frozenset[str]:
    """Return the words and placeholders of a text, and the cues that it shows."""
    shown = cues(re.sub(r"\{\w+\}", " ", text), language)
    return frozenset((*tokens(text), *(f"<{cue}>" for cue, there in shown.items() if there)))


def neighbours(found: Sequence[str], at: int) -> frozenset[str]:
    """Return the words near a token; the one before and the one after count once more."""
    near = [*found[max(0, at - BEFORE) : at], *found[at + 1 : at + 1 + AFTER]]
    before = [f"{found[at - 1]}>"] if at else []
    after = [f"<{found[at + 1]}"] if at + 1 < len(found) else []
    return frozenset("{}" if each[0] == "{" else each for each in (*near, *before, *after))


class WordEvidence:
    """Naive Bayes counts: how much features speak for each label, by the labels' examples.

    Args:
        worth: The weight of a feature, in words.
    """

    def __init__(self, worth: Callable[[str], float]) -> None:
        self._worth = worth
        self._counts: dict[str, Counter[str]] = defaultdict(Counter)
        self._whole: Counter[str] = Counter()
        self._examples: Counter[str] = Counter()

    def add(self, label: str, found: Iterable[str]) -> None:
        """Count the features of an example."""
        seen = tuple(found)
        self._counts[label].update(seen)
        self._whole.update(seen)
        self._examples[label] += 1

    def knows(self, found: Iterable[str]) -> bool:
        """Tell whether any example has one of these features."""
        return any(map(self._whole.__contains__, found))

    def weight(self, label: str, found: Iterable[str]) -> float:
        """Return the log ratio of the features' probability with a label to that in all examples.

        Features that no example has are passed over.
        """
        counts, total = self._counts[label], self._whole.total()
        size, known = counts.total(), 0.0
        share = SMOOTHING * total / max(1, self._examples.total())
        for each in found:
            whole = self._whole[each] / total if total else 0.0
            if whole:
                likelier = (counts[each] / whole + share) / (size + share)
                known += math.log(likelier) * self._worth(each)
        return known


class Wordings:
    """The examples of one task.

    Attributes:
        turns: Evidence for the user's nodes, by the features of their texts.
        slots: Evidence for slots, by the words near their placeholders.
        literals: All words of the texts, values excepted.
    """

    def __init__(self, program: TaskProgram) -> None:
        stop = lexicon(program.language).stop
        self._stems = frozenset(word[:STEM] for word in stop)
        self.turns, self.slots = WordEvidence(self._worth), WordEvidence(lambda _: 1.0)
        self.literals: set[str] = set()
        self._examples: dict[str, list[frozenset[str]]] = {}
        self._similarity: dict[tuple[str, frozenset[str]], float] = {}
        language = program.language
        for step in program.steps.values():
            shown = [_shown(text) for text in step.node.texts]
            for text in shown:
                self.literals |= {*words(re.sub(r"\{\w+\}", " ", text))}
            if step.kind == "user":
                self._examples[step.name] = [features(text, language) for text in shown]
                self._add(step, shown)
        for name, slot in program.schema.slots.items():
            told = {*split_name(name), *words(slot.description)} - stop
            self.slots.add(name, (word[:STEM] for word in told))

    def _add(self, step: Step, shown: Iterable[str]) -> None:
        for found in self._examples[step.name]:
            self.turns.add(step.name, found)
        for spoken in map(tokens, shown):
            for place, each in enumerate(spoken):
                if each[0] == "{":
                    self.slots.add(each[1:-1], neighbours(spoken, place))

    def similarity(self, step: Step, found: frozenset[str]) -> float:
        """Return the Dice coefficient of a text's features and those of the likest example.

        Args:
            step: The user's node that has the examples.
            found: The features of the text.

        Returns:
            The weight of the shared features, twice, by that of both sets: 0 to 1.
        """
        key = step.name, found
        if key not in self._similarity:
            if len(self._similarity) > KEPT:
                self._similarity.clear()
            whole = self.size(found)
            shared = (
                2 * self.size(found & each) / ((whole + self.size(each)) or 1.0)
                for each in self._examples[step.name]
            )
            self._similarity[key] = max(shared, default=0.0)
        return self._similarity[key]

    def size(self, found: Iterable[str]) -> float:
        """Return the sum of the features' weights."""
        return sum(map(self._worth, found))

    def _worth(self, feature: str) -> float:
        if feature[0] == "<":
            return CUE
        return STOP if feature in self._stems else 1.0


def _shown(template: str) -> str:
    return "".join(
        f"{{{part.name}}}" if isinstance(part, Place) else part for part in parse(template).parts
    )


_made: dict[Hashable, tuple[TaskProgram, Wordings]] = {}


def wordings_of(program: TaskProgram) -> Wordings:
    """Return the word statistics of a task; computed once for each program."""
    held = _made.get(id(program))
    if held is None or held[0] is not program:
        if len(_made) > 256:
            _made.clear()
        held = _made[id(program)] = (program, Wordings(program))
    return held[1]
