"""The baseline for acts from text: looks up the values of training."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from msgspec.structs import replace

from dialoom.dialogue import Act, Acts, FrameOf, Prediction
from dialoom.dialogue.references import dereferenced
from dialoom.learn.heard import HeardText, Words, commonest, heard, matches, words
from dialoom.learn.model import Examples, Kinds, Questions, Schemas, known, need
from dialoom.models.frames.nlu import Item, joined
from dialoom.models.frames.reader import referring, refers
from dialoom.models.frames.rules import FrameRules


@dataclass
class FrameLookup:
    """Gives the values of training, wherever they occur, their commonest act and slot.

    The longest match counts. An utterance without any gets the commonest act. Where the acts of
    training refer to frames, those found refer to the frame that `frame-rules` tells.
    """

    name: ClassVar[str] = "frame-lookup"
    kinds: ClassVar[Kinds] = (Acts,)
    _items: dict[Words, tuple[str, str]] = field(default_factory=dict, init=False, repr=False)
    _usual: tuple[Act, ...] = field(default=(), init=False, repr=False)
    _framed: bool = field(default=False, init=False, repr=False)

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Count the acts, and the acts and slots of each value."""
        need(examples)
        names: Counter[str] = Counter()
        counts: defaultdict[Words, Counter[tuple[str, str]]] = defaultdict(Counter)
        for act in (act for example in examples for act in dereferenced(example.answer)):
            names[act.name] += 1
            for argument in act.arguments:
                for value in argument.values[:1]:
                    if isinstance(value, str):
                        counts[words(value)][act.name, argument.slot] += 1
        self._items = {value: commonest(found) for value, found in counts.items() if value}
        self._usual = (Act(commonest(names)),)
        self._framed = any(refers(example.answer) for example in examples)

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[tuple[Act, ...]]]:
        """Return the acts of each question, with references where frames were learnt."""
        known(self._usual)
        acts = [joined(self._found(heard(each))) or self._usual for each in questions]
        if not self._framed:
            return [Prediction(each) for each in acts]
        asked = [
            replace(question, asked=FrameOf(each))
            for question, each in zip(questions, acts, strict=True)
        ]
        frames = FrameRules().predict(asked, schemas)
        return [
            Prediction(referring(each, found.answer))
            for each, found in zip(acts, frames, strict=True)
        ]

    def _found(self, utterance: HeardText) -> Iterator[Item]:
        for start, end in matches(utterance.words, self._items):
            act, slot = self._items[tuple(utterance.words[start:end])]
            first, last = utterance.span(start, end)
            yield act, slot, utterance.text[first:last]
