"""Acts with slots and values, predicted from a user's utterance, with the frames they refer to.

A conditional random field labels words with slots. An item without words of its own (an act, a
requested slot, a value such as "any") comes from training; a logistic regression over words and
pairs of words of the utterance and of the system's last one predicts each. The act of a value is
the one with the greatest product of its probability in the utterance and its count with the slot in
training.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from msgspec.structs import replace

from dialoom.dialogue import Act, Acts, Argument, Example, FrameOf, Prediction, Question, Reference
from dialoom.dialogue.annotation import Value
from dialoom.dialogue.references import ActFrames, best, dereferenced, frames_of
from dialoom.learn.crf import OUT, HeardText, RandomField, attributes, heard, mark, spans, words
from dialoom.learn.model import Examples, Kinds, Questions, Schemas, Seed, known, need
from dialoom.learn.text import TermWeights, WordTerms
from dialoom.models.frames.trees import FrameTrees
from dialoom.models.frames.turn import UserTurn

COMMON = 5
"""Least occurrences of an item in training for it to be predicted."""

LIKELY = 0.3
"""Least probability of a predicted item; chosen on two users of the published corpus."""

Item = tuple[str, str | None, Value]
"""An act with a slot and its value; without a slot, the act alone."""


class ActReader:
    """Predicts the acts of utterances, with slots and values."""

    def __init__(self) -> None:
        self._field = RandomField((), ())
        self._items: list[Item] = []
        self._acts: dict[str, Counter[str]] = {}
        self._classifiers: Any = None
        self._vectors: Any = None

    def fit(
        self, utterances: Sequence[HeardText], acts: Sequence[Sequence[Act]], seed: int
    ) -> None:
        """Fit on utterances and the acts of each, without references to frames."""
        read = [labelled(utterance, own) for utterance, own in zip(utterances, acts, strict=True)]
        items = [left for _, left in read]
        self._field = RandomField(map(attributes, utterances), [labels for labels, _ in read])
        self._acts = {}
        for act in (act for own in acts for act in own):
            for argument in act.arguments:
                self._acts.setdefault(argument.slot, Counter())[act.name] += 1
        counts = Counter(item for left in items for item in dict.fromkeys(left))
        self._items = [item for item, count in counts.items() if count >= min(COMMON, len(acts))]
        self._fit_items(utterances, items, seed)

    def _fit_items(
        self, utterances: Sequence[HeardText], items: Sequence[list[Item]], seed: int
    ) -> None:
        """Fit a classifier for each item; None marks an item that all utterances have."""
        from sklearn.linear_model import LogisticRegression

        described = list(map(_described, utterances))
        self._vectors = TermWeights(WordTerms(r"\S+"), least=2, most=20_000).fit(described)
        table = self._vectors.transform(described)
        sets = [set(left) for left in items]
        self._classifiers = []
        for item in self._items:
            marks = np.array([item in left for left in sets])
            classifier = LogisticRegression(C=20.0, solver="liblinear", random_state=seed)
            self._classifiers.append(classifier.fit(table, marks) if not marks.all() else None)

    def read(self, utterances: Sequence[HeardText]) -> list[tuple[Act, ...]]:
        """Return the acts of each utterance, without references to frames."""
        if not utterances:
            return []
        table = self._vectors.transform(list(map(_described, utterances)))
        chances = [
            each.predict_proba(table)[:, 1] if each is not None else np.ones(len(utterances))
            for each in self._classifiers
        ]
        readings = []
        for number, utterance in enumerate(utterances):
            likelihoods = {
                item: float(each[number]) for item, each in zip(self._items, chances, strict=True)
            }
            likely = (item for item, chance in likelihoods.items() if chance >= LIKELY)
            readings.append(joined([*self._spans(utterance, likelihoods), *likely]))
        return readings

    def _spans(self, utterance: HeardText, chances: Mapping[Item, float]) -> Iterator[Item]:
        for span in spans(self._field.tag(attributes(utterance))):
            acts = self._acts[span.kind]
            act = max(acts, key=lambda name: acts[name] * chances.get((name, None, None), 0.0))
            start, end = utterance.span(span.start, span.end)
            yield act, span.kind, utterance.text[start:end]


def labelled(utterance: HeardText, acts: Iterable[Act]) -> tuple[list[str], list[Item]]:
    """Return the label of each word, and the items whose values are not in the text."""
    labels = [OUT] * len(utterance.words)
    left: list[Item] = []
    for act in acts:
        left.append((act.name, None, None))
        for argument in act.arguments:
            value = argument.values[0] if argument.values else None
            inside = _found(utterance.words, value, labels)
            if inside is None:
                left.append((act.name, argument.slot, value))
            else:
                mark(labels, inside, argument.slot)
    return labels, left


def _found(tokens: Sequence[str], value: Value, labels: Sequence[str]) -> range | None:
    sought = list(words(value)) if isinstance(value, str) else []
    for start in range(len(tokens) - len(sought) + 1) if sought else ():
        end = start + len(sought)
        if list(tokens[start:end]) == sought and all(each == OUT for each in labels[start:end]):
            return range(start, end)
    return None


def joined(items: Iterable[Item]) -> tuple[Act, ...]:
    """Return the acts of items: one for each name, with the arguments of all its items."""
    acts: dict[str, list[Argument]] = {}
    for name, slot, value in items:
        arguments = acts.setdefault(name, [])
        argument = Argument(slot or "", () if value is None else (value,))
        if slot is not None and argument not in arguments:
            arguments.append(argument)
    return tuple(Act(name, tuple(arguments)) for name, arguments in acts.items())


def _described(utterance: HeardText) -> str:
    """Return the input for items: digits as 9, the system's words marked."""
    tokens = [re.sub(r"\d+", "9", word) for word in utterance.words]
    return " ".join(["<", *tokens, ">", *(f"_{word}" for word in words(utterance.before)[-15:])])


REF = "ref"
"""The slot of an argument that is a reference to a frame."""

WHOLE = 0.5
"""The probability above which an act as a whole refers to a frame."""


@dataclass
class FrameReader:
    """Predicts acts, slots and values, and their frames if the acts of training refer to any."""

    name: ClassVar[str] = "frame-reader"
    kinds: ClassVar[Kinds] = (Acts,)
    seed: Seed = 0
    _reader: ActReader | None = field(default=None, init=False, repr=False)
    _tracker: FrameTrees | None = field(default=None, init=False, repr=False)

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Fit a reader of acts, and a tracker of frames on annotated acts."""
        need(examples)
        answers = [dereferenced(example.answer) for example in examples]
        self._reader = ActReader()
        self._reader.fit([heard(example.question) for example in examples], answers, self.seed)
        self._tracker = None
        framed = [example for example in examples if refers(example.answer)]
        if framed:
            self._tracker = FrameTrees(seed=self.seed)
            self._tracker.fit([_tracked(example) for example in framed], schemas)

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[tuple[Act, ...]]]:
        """Return the acts of each question, with references if frames are tracked."""
        acts = known(self._reader).read([heard(question) for question in questions])
        if self._tracker is None:
            return [Prediction(each) for each in acts]
        queries = [
            replace(question, asked=FrameOf(each))
            for question, each in zip(questions, acts, strict=True)
        ]
        tracked = self._tracker.predict(queries, schemas)
        return [
            Prediction(referring(each, frames.answer))
            for each, frames in zip(acts, tracked, strict=True)
        ]


def refers(acts: Sequence[Act]) -> bool:
    """True if any argument refers to a frame."""
    return any(argument.references for act in acts for argument in act.arguments)


def _tracked(example: Example[Acts, tuple[Act, ...]]) -> Example[Any, Any]:
    subject = FrameOf(dereferenced(example.answer))
    question: Question[Any] = replace(example.question, asked=subject)
    return Example(question, frames_of(example.answer, None, UserTurn(question).frames))


def referring(acts: Sequence[Act], frames: Sequence[ActFrames]) -> tuple[Act, ...]:
    """Return acts with references as arguments: one for each argument, and those of whole acts.

    `frames` are the frames of each act, as probabilities.
    """
    return tuple(
        Act(act.name, tuple(Argument(REF, references=(each,)) for each in _references(act, shares)))
        for act, shares in zip(acts, frames, strict=True)
    )


def _references(act: Act, frames: ActFrames) -> Iterator[Reference]:
    for argument, shares in zip(act.arguments, frames.arguments, strict=True):
        yield Reference(best(shares), (argument,))
    yield from (Reference(frame) for frame, chance in frames.act.items() if chance > WHOLE)
