"""Word statistics of the examples of a task's user turns.

wordings = wordings_of(program)
wordings.turns.weight("give_name", features("It's {name}.", "en"))
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from dialoom.flow.node import Step
from dialoom.flow.program import TaskProgram
from dialoom.reading.word_evidence import KEPT, STEM, WordEvidence, features
from dialoom.schema.lexicon import lexicon
from dialoom.schema.once import once_for_each
from dialoom.schema.template import Slot as Place
from dialoom.schema.template import parse

CUE, STOP = 2.0, 0.3
"""Weights of a cue ("yes", "thanks") and of a stop word; other words have 1."""


class Wordings:
    """The examples of one task: evidence for the user's nodes by features of their texts."""

    def __init__(self, program: TaskProgram) -> None:
        stop = lexicon(program.language).stop
        self._stems = frozenset(word[:STEM] for word in stop)
        self.turns = WordEvidence(self._worth)
        self._examples: dict[str, list[frozenset[str]]] = {}
        self._similarity: dict[tuple[str, frozenset[str]], float] = {}
        for step in program.steps.values():
            if step.kind == "user":
                shown = map(_shown, step.node.texts)
                self._examples[step.name] = [features(text, program.language) for text in shown]
                for found in self._examples[step.name]:
                    self.turns.add(step.name, found)

    def similarity(self, step: Step, found: frozenset[str]) -> float:
        """Return the Dice coefficient (0 to 1) of a text's features, weighted, with the closest
        example.
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
        return math.fsum(map(self._worth, found))  # in whatever order a set has

    def _worth(self, feature: str) -> float:
        if feature[0] == "<":
            return CUE
        return STOP if feature in self._stems else 1.0


def _shown(template: str) -> str:
    return "".join(
        f"{{{part.name}}}" if isinstance(part, Place) else part for part in parse(template).parts
    )


@once_for_each
def wordings_of(program: TaskProgram) -> Wordings:
    """Return the word statistics of a task (cached)."""
    return Wordings(program)
