"""Conditional random fields (Lafferty et al. 2001) over sequences of words."""

from __future__ import annotations

import ctypes
import re
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from dialoom.dialogue import Question
from dialoom.dialogue.annotation import TOKEN

ROUNDS = 12
"""Passes of the trainer over the texts."""

OUT = "O"
"""The label of words outside any span."""


class TokenSpan(NamedTuple):
    """Consecutive words of an utterance that may be a value: from `start` up to, without, `end`.

    `kind` is the kind of value, such as "date"; `finders` has a bit for each of tracker/spans.py.
    """

    start: int
    end: int
    kind: str
    finders: int = 0


class RandomField:
    """A random field, trained by the averaged perceptron (Collins 2002) when it is made.

    It is pickled as the bytes of the trained field. If all labels of training are `OUT`, it has no
    bytes, and labels all words `OUT`.
    """

    def __init__(
        self, rows: Iterable[Sequence[Sequence[str]]], labels: Sequence[Sequence[str]]
    ) -> None:
        self.bytes = b"" if all(each == OUT for n in labels for each in n) else _train(rows, labels)
        self._tagger: Any = None

    def __getstate__(self) -> dict[str, Any]:
        return {"bytes": self.bytes, "_tagger": None}

    def tag(self, attributes: Sequence[Sequence[str]]) -> list[str]:
        """Return the label of each word, given the attributes of each."""
        if not self.bytes or not attributes:
            return [OUT] * len(attributes)
        labels: list[str] = self._opened().tag(attributes)
        return labels

    def read(
        self, attributes: Sequence[Sequence[str]], sure: float
    ) -> tuple[list[str], list[TokenSpan]]:
        """Return the label of each word, and runs of words that may not be `OUT`.

        A run has words whose probability of `OUT` is less than `sure`. Its kind is that of the
        likeliest other label of the first word.
        """
        labels = self.tag(attributes)
        if not self.bytes or not attributes:
            return labels, []
        runs: list[TokenSpan] = []
        # The tagger still has the words that it labelled.
        tagger = self._opened()
        doubts = [tagger.marginal(OUT, n) < sure for n in range(len(attributes))]
        others = [label for label in tagger.labels() if label != OUT] if any(doubts) else []
        for start, doubt in enumerate(doubts):
            if doubt and not (start and doubts[start - 1]):
                end = next((n for n in range(start, len(doubts)) if not doubts[n]), len(doubts))
                label = max(others, key=lambda each: float(tagger.marginal(each, start)))
                runs.append(TokenSpan(start, end, label.split("-", 1)[1]))
        return labels, runs

    def _opened(self) -> Any:
        if self._tagger is None:
            from pycrfsuite import Tagger

            self._tagger = Tagger()
            self._tagger.open_inmemory(self.bytes)
        return self._tagger


def _train(rows: Iterable[Sequence[Sequence[str]]], labels: Sequence[Sequence[str]]) -> bytes:
    from pycrfsuite import Trainer

    trainer = Trainer(algorithm="ap", params={"max_iterations": ROUNDS}, verbose=False)
    for attributes, tags in zip(rows, labels, strict=True):
        trainer.append(attributes, tags)
    # The C library's random numbers shuffle the texts. Without a seed, a field would depend on the
    # fields trained earlier in the same process.
    ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None).srand(1)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "labels.crf"
        trainer.train(str(file))
        return file.read_bytes()


def mark(labels: list[str], inside: Sequence[int], kind: str) -> None:
    """Label the words of a span, given by their indices: "B-" or "I-" with its kind."""
    for n in inside:
        labels[n] = f"{'B' if n == inside[0] else 'I'}-{kind}"


def spans(labels: Sequence[str]) -> list[TokenSpan]:
    """Return the spans that labels of words mark, in order."""
    chunks: list[TokenSpan] = []
    for n, label in enumerate(labels):
        if label == OUT:
            continue
        prefix, kind = label.split("-", 1)
        if prefix == "I" and chunks and chunks[-1].end == n and chunks[-1].kind == kind:
            chunks[-1] = TokenSpan(chunks[-1].start, n + 1, kind)
        else:
            chunks.append(TokenSpan(n, n + 1, kind))
    return chunks


class HeardText(NamedTuple):
    """An utterance with the one before it (`before`, empty for none).

    `words` are in lower case and include punctuation marks, `places` are start and end of each in
    the text. `history` contains the texts of all utterances so far, this one included.
    """

    text: str
    words: list[str]
    places: list[tuple[int, int]]
    before: str = ""
    agent: str = ""
    history: tuple[str, ...] = ()

    def inside(self, start: int, end: int) -> list[int]:
        """Return the indices of the words that overlap a part of the text."""
        places = enumerate(self.places)
        return [n for n, (begins, ends) in places if begins < end and start < ends]

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Return start and end in the text of the words from the first up to, without, the last."""
        return self.places[first][0], self.places[last - 1][1]


def heard(question: Question[Any]) -> HeardText:
    """Return the last utterance before a question."""
    spoken = question.utterances
    texts = tuple(event.text for event in spoken)
    tokens = list(TOKEN.finditer(texts[-1]))
    return HeardText(
        texts[-1],
        [match[0].lower() for match in tokens],
        [match.span() for match in tokens],
        texts[-2] if len(texts) > 1 else "",
        spoken[-1].agent,
        texts,
    )


def words(text: str) -> tuple[str, ...]:
    """Return the words and punctuation marks of a text, in lower case."""
    return tuple(TOKEN.findall(text.lower()))


def attributes(utterance: HeardText) -> list[list[str]]:
    """Return the attributes of each word for a random field.

    They are the word, its neighbours, shape, prefix and suffix, and in a short utterance the last
    words before it.
    """
    sequence = ["", "", *utterance.words, "", ""]
    short = [f"?{word}" for word in words(utterance.before)[-8:] if len(utterance.words) < 8]
    features = []
    for n, (start, _) in enumerate(utterance.places):
        two, one, word, after, later = sequence[n : n + 5]
        shape = re.sub(r"[a-z]+", "a", re.sub(r"\d", "9", word))
        features.append(
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
    return features
