"""Acts with slots and values, read off the words of a user's utterance.

Values that stand in the text are found by a conditional random field that labels words with slots.
An item without words of its own (an act, a slot asked for, a value such as "any") is one of those
met in training; a logistic regression over words and pairs of words of the utterance and of the
system's last one predicts each. The act of a value is the one with the greatest product of its
probability in the utterance and its count with the slot in training.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from dialoom.dialogue import SYSTEM, Act, Argument, Question
from dialoom.dialogue.annotation import TOKEN, Value
from dialoom.learn.crf import tagger, train
from dialoom.models.tracker.spans import places

COMMON = 5
"""Least occurrences of an item in training for it to be predicted."""

LIKELY = 0.3
"""Least probability of a predicted item; chosen on two users of the published corpus."""

_OUT = "O"

Item = tuple[str, str | None, Value]
"""An act with a slot and its value; without a slot, the act alone."""


class UserSpeech(NamedTuple):
    """An utterance of a user with what the system said before it.

    Attributes:
        text: The text.
        words: Its words and punctuation marks, lower-cased.
        places: Start and end of each in the text.
        before: The system's last utterance; empty for none.
    """

    text: str
    words: list[str]
    places: list[tuple[int, int]]
    before: str


def said(question: Question[Any]) -> UserSpeech:
    """Return the last utterance before a question, with the system's before it."""
    spoken = question.utterances
    text = spoken[-1].text
    before = next((each.text for each in reversed(spoken) if each.agent == SYSTEM), "")
    found = list(TOKEN.finditer(text))
    return UserSpeech(text, [m[0].lower() for m in found], [m.span() for m in found], before)


class ActReader:
    """Predicts the acts of utterances, with slots and values."""

    def __init__(self) -> None:
        self._field = b""
        self._tagger: Any = None
        self._items: list[Item] = []
        self._acts: dict[str, Counter[str]] = {}
        self._classifiers: Any = None
        self._vectors: Any = None

    def fit(
        self, utterances: Sequence[UserSpeech], acts: Sequence[Sequence[Act]], seed: int
    ) -> None:
        """Fit on utterances with their acts, which have no references to frames.

        Args:
            utterances: The utterances.
            acts: The acts of each.
            seed: The seed of the regressions.
        """
        labels, items = [], []
        for utterance, told in zip(utterances, acts, strict=True):
            found, left = labelled(utterance, told)
            labels.append(found)
            items.append(left)
        self._tagger, self._field = None, train(map(attributes, utterances), labels)
        self._acts = {}
        for act in (act for told in acts for act in told):
            for argument in act.arguments:
                self._acts.setdefault(argument.slot, Counter())[act.name] += 1
        counted = Counter(item for left in items for item in dict.fromkeys(left))
        self._items = [item for item, count in counted.items() if count >= min(COMMON, len(acts))]
        self._fit_items(utterances, items, seed)

    def _fit_items(
        self, utterances: Sequence[UserSpeech], items: Sequence[list[Item]], seed: int
    ) -> None:
        """Fit a classifier for each item; None stands for an item that all utterances have."""
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import LogisticRegression

        self._vectors = TfidfVectorizer(
            ngram_range=(1, 2),
            min_df=2,
            sublinear_tf=True,
            token_pattern=r"\S+",
            max_features=20_000,
        )
        table = self._vectors.fit_transform(map(_described, utterances))
        sets = [set(left) for left in items]
        self._classifiers = []
        for item in self._items:
            marks = np.array([item in left for left in sets])
            classifier = LogisticRegression(C=20.0, solver="liblinear", random_state=seed)
            self._classifiers.append(classifier.fit(table, marks) if not marks.all() else None)

    def read(self, utterances: Sequence[UserSpeech]) -> list[tuple[Act, ...]]:
        """Return the acts of each utterance, without references to frames."""
        if not utterances:
            return []
        table = self._vectors.transform(map(_described, utterances))
        chances = [
            each.predict_proba(table)[:, 1] if each is not None else np.ones(len(utterances))
            for each in self._classifiers
        ]
        found = []
        for number, utterance in enumerate(utterances):
            told = {
                item: float(each[number]) for item, each in zip(self._items, chances, strict=True)
            }
            likely = (item for item, chance in told.items() if chance >= LIKELY)
            found.append(joined([*self._spans(utterance, told), *likely]))
        return found

    def _spans(self, utterance: UserSpeech, told: Mapping[Item, float]) -> Iterator[Item]:
        """Yield the items whose values stand in the text."""
        if not self._field or not utterance.words:
            return
        if self._tagger is None:
            self._tagger = tagger(self._field)
        for span in places(self._tagger.tag(attributes(utterance))):
            acts = self._acts[span.kind]
            act = max(acts, key=lambda name: acts[name] * told.get((name, None, None), 0.0))
            start, end = utterance.places[span.start][0], utterance.places[span.end - 1][1]
            yield act, span.kind, utterance.text[start:end]

    def __getstate__(self) -> dict[str, Any]:
        """Return the state without the tagger, which is made again from the field."""
        return self.__dict__ | {"_tagger": None}


def labelled(utterance: UserSpeech, acts: Iterable[Act]) -> tuple[list[str], list[Item]]:
    """Return the label of each word, and the items whose values do not stand in the text."""
    labels = [_OUT] * len(utterance.words)
    left: list[Item] = []
    for act in acts:
        left.append((act.name, None, None))
        for argument in act.arguments:
            value = argument.values[0] if argument.values else None
            inside = _found(utterance.words, value, labels)
            if inside is None:
                left.append((act.name, argument.slot, value))
            for n in inside or ():
                mark = "B" if inside and n == inside[0] else "I"
                labels[n] = f"{mark}-{argument.slot}"
    return labels, left


def _found(words: Sequence[str], value: Value, taken: Sequence[str]) -> range | None:
    """Return the words that are a value, the first ones not labelled yet; None for none."""
    sought = TOKEN.findall(value.lower()) if isinstance(value, str) else []
    for start in range(len(words) - len(sought) + 1) if sought else ():
        end = start + len(sought)
        if list(words[start:end]) == sought and all(each == _OUT for each in taken[start:end]):
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


def attributes(utterance: UserSpeech) -> list[list[str]]:
    """Return the attributes of each word for the random field.

    They are the word, its neighbours, its shape, prefix and suffix, and in a short utterance the
    system's last words.
    """
    words = ["", "", *utterance.words, "", ""]
    asked = TOKEN.findall(utterance.before.lower())[-8:]
    short = [f"?{word}" for word in asked] if len(utterance.words) < 8 else []
    found = []
    for n, (start, _) in enumerate(utterance.places):
        two, one, word, after, later = words[n : n + 5]
        shape = re.sub(r"[a-z]+", "a", re.sub(r"\d", "9", word))
        found.append(
            [
                f"w={word}",
                f"s={shape}",
                f"e={word[-3:]}",
                f"b={word[:3]}",
                f"c={utterance.text[start].isupper()}",
                f"-w={one}",
                f"--w={two}",
                f"+w={after}",
                f"++w={later}",
                f"-ww={one} {word}",
                f"+ww={word} {after}",
                f"--ww={two} {one}",
                *short,
            ]
        )
    return found


def _described(utterance: UserSpeech) -> str:
    """Return the text that items are predicted from: digits as 9, the system's words marked."""
    words = [re.sub(r"\d+", "9", word) for word in utterance.words]
    before = TOKEN.findall(utterance.before.lower())[-15:]
    return " ".join(["<", *words, ">", *(f"_{word}" for word in before)])
