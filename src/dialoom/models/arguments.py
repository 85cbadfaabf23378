"""A tagger of arguments: spans with labels, and whether each value is accepted or rejected.

A text classifier predicts the topic of the dialogue from all utterances so far; the conditional
random field of that topic labels the words of the last utterance; logistic regressions predict
which endings (.accept, .reject or none) each label has. As the labels of both annotators are kept,
a value may have several.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from dialoom.dialogue import Prediction, Span, Spans
from dialoom.learn import crf
from dialoom.learn.crf import OUT, HeardText, RandomField, attributes, heard, words
from dialoom.learn.model import Examples, Kinds, Questions, Schemas, Seed, known, need
from dialoom.learn.text import TermWeights, TextClassifier, WordTerms
from dialoom.schema.values import disjoint

READ = (1, 3)
"""Lengths of the histories, besides the whole dialogue, that the topic is learnt from."""

ENDINGS = ("", ".accept", ".reject")
"""The endings that labels may have."""

_ENDING = re.compile(r"\.(accept|reject)$")

LIKELY = 0.5
"""Least probability of an ending; the likeliest one is kept in any case."""

Reading = tuple[HeardText, tuple[Span, ...]]


@dataclass
class ArgumentTagger:
    """Finds arguments by conditional random fields, one for each topic of dialogues."""

    name: ClassVar[str] = "argument-tagger"
    kinds: ClassVar[Kinds] = (Spans,)
    seed: Seed = 0
    _topics: Any = field(default=None, init=False, repr=False)
    _fields: dict[str, RandomField] = field(default_factory=dict, init=False, repr=False)
    _endings: Any = field(default=None, init=False, repr=False)

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Fit the classifier of topics, a random field for each topic, and those of endings."""
        need(examples)
        dialogues: dict[str, list[Reading]] = {}
        for each in examples:
            group = dialogues.setdefault(each.question.dialogue.id, [])
            group.append((heard(each.question), each.answer))
        by_topic: dict[str, list[Reading]] = {}
        texts: list[str] = []
        topics: list[str] = []
        for group in dialogues.values():
            topic = _topic(group)
            by_topic.setdefault(topic, []).extend(group)
            for speech, _ in group:
                if speech is group[-1][0] or len(speech.history) in READ:
                    texts.append(_history(speech))
                    topics.append(topic)
        self._topics = self._classifier().fit(texts, topics)
        self._fields = {
            topic: RandomField(
                (_seen(speech) for speech, _ in group), [labelled(*each) for each in group]
            )
            for topic, group in sorted(by_topic.items())
        }
        self._endings = self._fitted_endings(
            [
                (speech, span)
                for group in by_topic.values()
                for speech, spans in group
                for span in apart(spans)
            ]
        )

    def _fitted_endings(self, values: Sequence[tuple[HeardText, Span]]) -> list[TextClassifier]:
        texts = [_described(speech, span, bare(span.labels[0])) for speech, span in values]
        endings = [set(map(ending, span.labels)) for _, span in values]
        return [self._classifier().fit(texts, [one in e for e in endings]) for one in ENDINGS]

    def _classifier(self) -> TextClassifier:
        return TextClassifier(TermWeights(WordTerms(r"\S+"), most=50_000), 20.0, self.seed)

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[tuple[Span, ...]]]:
        """Return the spans of each question's last utterance."""
        known(self._fields)
        read = [heard(question) for question in questions]
        topics = self._topics.best([_history(each) for each in read])
        lists = [
            list(_places(each, self._fields[topic].tag(_seen(each))))
            for each, topic in zip(read, topics, strict=True)
        ]
        texts = [
            _described(each, span, span.labels[0])
            for each, spans in zip(read, lists, strict=True)
            for span in spans
        ]
        chances = iter(np.stack([each.chance(True, texts) for each in self._endings], axis=1))
        return [Prediction(tuple(_ended(span, next(chances)) for span in spans)) for spans in lists]


def bare(label: str) -> str:
    """Return a label without its ending: .accept or .reject."""
    return _ENDING.sub("", label)


def ending(label: str) -> str:
    """Return the ending of a label: .accept, .reject or nothing."""
    return label[len(bare(label)) :]


def apart(spans: Sequence[Span]) -> Iterator[Span]:
    """Yield spans that do not overlap: those with most labels first, then the shortest."""
    candidates = (span for span in spans if span.labels)
    return disjoint(sorted(candidates, key=lambda span: (-len(span.labels), span.end - span.start)))


def labelled(utterance: HeardText, spans: Sequence[Span]) -> list[str]:
    """Return the label of each word: B- or I- with the argument's bare label, else `OUT`."""
    labels = [OUT] * len(utterance.words)
    for span in apart(spans):
        crf.mark(labels, utterance.inside(span.start, span.end), bare(span.labels[0]))
    return labels


def _history(utterance: HeardText) -> str:
    return " ".join(words(" ".join(utterance.history)))


def _topic(readings: Sequence[Reading]) -> str:
    """Return a dialogue's topic: the first part of most of its labels, up to the full stop."""
    spans = (span for _, group in readings for span in group)
    counts = Counter(label.partition(".")[0] for span in spans for label in span.labels)
    return min(counts, key=lambda name: (-counts[name], name), default="")


def _seen(utterance: HeardText) -> list[list[str]]:
    context = [f"??{word}" for word in words(utterance.before)[-4:]]
    return [[*features, utterance.agent, *context] for features in attributes(utterance)]


def _places(utterance: HeardText, labels: Sequence[str]) -> Iterator[Span]:
    for chunk in crf.spans(labels):
        yield Span(*utterance.span(chunk.start, chunk.end), (chunk.kind,))


def _described(utterance: HeardText, span: Span, label: str) -> str:
    """Return the input for a label's ending: label, agent, words of the value and around it.

    It also has how late in the dialogue the value is, and the last words of the utterance before.
    """
    inside = words(utterance.text[span.start : span.end])
    around = (*words(utterance.text[: span.start]), "_", *words(utterance.text[span.end :]))
    terms = [f"{label}", f"{label}/{utterance.agent}", *(f"={word}" for word in inside), *around]
    late = f"#{min(len(utterance.history), 20) // 4}"
    return " ".join([*terms, late, *(f"<{word}" for word in words(utterance.before)[-12:])])


def _ended(span: Span, chances: Any) -> Span:
    likely = [n for n, chance in enumerate(chances) if chance >= LIKELY]
    names = tuple(span.labels[0] + ENDINGS[n] for n in likely or [int(np.argmax(chances))])
    return Span(span.start, span.end, names)
