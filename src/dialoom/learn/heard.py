"""An utterance in words, with the one before it, as input of taggers."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from dialoom.dialogue import Question
from dialoom.dialogue.annotation import TOKEN

Words = tuple[str, ...]


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
    found = list(TOKEN.finditer(texts[-1]))
    return HeardText(
        texts[-1],
        [match[0].lower() for match in found],
        [match.span() for match in found],
        texts[-2] if len(texts) > 1 else "",
        spoken[-1].agent,
        texts,
    )


def words(text: str) -> Words:
    """Return the words and punctuation marks of a text, in lower case."""
    return tuple(TOKEN.findall(text.lower()))


def attributes(utterance: HeardText) -> list[list[str]]:
    """Return the attributes of each word for a random field.

    They are the word, its neighbours, shape, prefix and suffix, and in a short utterance the last
    words before it.
    """
    said = ["", "", *utterance.words, "", ""]
    short = [f"?{word}" for word in words(utterance.before)[-8:] if len(utterance.words) < 8]
    found = []
    for n, (start, _) in enumerate(utterance.places):
        two, one, word, after, later = said[n : n + 5]
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
