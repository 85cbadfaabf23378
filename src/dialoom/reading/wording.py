"""The words of a sentence as evidence of its meaning: stems, concepts, and kinds of values.

    wording = wording_of("When are you arriving?", "en")
    wording.words                 # frozenset({"when", "arriv"})
    wording.question              # True
    wording_of("A table at 7 pm", "en").values     # {"<time>": 1}

A concept is a group of words and phrases that mean much the same in dialogues about services
("arrive", "check in", "get there"). The groups are our own, in `lang/<language>-concepts.json`; a
language without that file has words only. Values are replaced by their kind, so that sentences
about different values look alike.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

import msgspec

from dialoom.errors import UnknownNameError
from dialoom.schema.lexicon import Lexicon, lexicon, texts_of
from dialoom.schema.once import Kept

TIME, DAY, NUMBER = "<time>", "<day>", "<number>"
NAME, YES_NO, TEXT = "<name>", "<yes-no>", "<text>"
"""The kinds of values that replace the values of a sentence."""

QUESTION = "?"
"""The token of a question mark."""

SHORTEST = 3
"""Fewest letters of a stem; an ending that would leave fewer stays."""

LONG, TITLED = 4, 0.8
"""Fewest letters of words that begin with a capital in titles, and the least share that does."""

KEPT = 1 << 14
"""Most sentences and words whose reading is cached."""

_WORD = r"[^\W_]+(?:['’][^\W_]+)*"
_TOKEN = re.compile(rf"<[\w-]+>|{_WORD}|[.!?:;]")
_WORDS_AND_MARKS = re.compile(rf"{_WORD}|[?]")
_QUOTED = re.compile(r"(?<!\w)['\"‘“]([A-Z0-9][^'\"’”]{0,60})['\"’”](?!\w)")
_NUMBER = re.compile(r"[$€£]?(?<!\w)\d[\d,.]*\d(?!\w)|[$€£]?\b\d+(?:st|nd|rd|th)?\b")
_MARKUP = re.compile(
    r"\*\*|__|`+|^\s*(?:[-*•#>]+|\d+[.)])\s+|\[([^\]]{0,500})\]\([^)]{0,500}\)", re.MULTILINE
)
_SYMBOL = re.compile(r"[\U0001F000-\U0001FAFF\u2600-\u27BF\uFE0F\u200D]+")


APOLOGY, FAILED, GONE = 5, 9, 12
"""Numbers of groups in `lang/<language>-concepts.json`: apologies, failures, what is not free."""


class Concepts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The endings that stems lack, groups of words with one meaning, and short forms of words."""

    endings: tuple[str, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    spellings: dict[str, tuple[str, ...]] = {}


class SentenceWords(msgspec.Struct, frozen=True):
    """A sentence without the order and form that do not affect its meaning.

    `stems` are in order, with kinds of values, and a question mark as a token; `words` are those
    that are no stop words, with phrases of concepts ("check in") as one word. `concepts` are
    numbers; `values` counts the kinds of values.
    """

    stems: tuple[str, ...]
    words: frozenset[str]
    concepts: frozenset[int]
    values: Mapping[str, int]
    question: bool


def plain_text(text: str) -> str:
    """Return a text without markdown, emoji and line breaks."""
    bare = _SYMBOL.sub(" ", _MARKUP.sub(lambda mark: mark[1] or "", text))
    return " ".join(bare.split())


@lru_cache(maxsize=KEPT)
def wording_of(text: str, language: str = "en") -> SentenceWords:
    """Return the wording of a sentence. Kinds of values in it ("<time>") are kept."""
    vocabulary = word_reader(language)
    stems = tuple(map(vocabulary.stem, vocabulary.tokens(text)))
    chunks = tuple(vocabulary.joined(stems))
    content = (chunk for chunk in chunks if not chunk.startswith("<") and chunk != QUESTION)
    return SentenceWords(
        stems=stems,
        words=frozenset(content) - vocabulary.stop,
        concepts=frozenset(vocabulary.concepts(chunks)),
        values=Counter(stem for stem in stems if stem.startswith("<")),
        question=QUESTION in stems,
    )


class WordReader:
    """The stems, concepts and marks of values of one language; cached."""

    def __init__(self, language: str) -> None:
        self._spoken = spoken = lexicon(language)
        read = _concepts(language)
        self._endings = sorted(read.endings, key=len, reverse=True)
        self._stems = Kept(self._stemmed, KEPT)
        self._spellings = {
            short: tuple(full.split()) for full, ways in read.spellings.items() for short in ways
        }
        self.stop = frozenset(map(self.stem, spoken.stop))
        self._phrases: dict[str, list[tuple[tuple[str, ...], int]]] = {}
        self._named: dict[str, list[int]] = {}
        for number, group in enumerate(read.groups):
            for phrase in group:
                words = _WORDS_AND_MARKS.findall(phrase.lower())
                key = tuple(map(self.stem, self._spelled(words)))
                self._phrases.setdefault(key[0], []).append((key, number))
                self._named.setdefault(" ".join(key), []).append(number)
        self._kinds = _kinds(spoken)
        marks = "|".join(map(re.escape, (*spoken.meridiem, *spoken.clock)))
        clock = rf"\b\d{{1,2}}(?:[:.]\d\d)?\s*(?:{marks})(?!\w)" if marks else r"(?!)"
        self._time = re.compile(rf"{clock}|\b\d{{1,2}}:\d\d\b", re.IGNORECASE)

    def stem(self, word: str) -> str:
        """Return a word in lower case without its ending."""
        return self._stems[word]

    def _stemmed(self, word: str) -> str:
        if word.startswith("<") or word == QUESTION:
            return word
        bare = word.lower().replace("’", "'").removesuffix("'s")
        for ending in self._endings:
            if bare.endswith(ending) and len(bare) - len(ending) >= SHORTEST:
                if ending == "s" and bare.endswith("ss"):
                    continue
                bare = bare[: -len(ending)]
                break
        doubled = len(bare) > SHORTEST and bare[-1] == bare[-2] and bare[-1] not in "sle"
        return bare[:-1] if doubled else bare

    def _spelled(self, words: Iterable[str]) -> Iterator[str]:
        for word in words:
            yield from self._spellings.get(word.replace("’", "'"), (word,))

    def concepts(self, chunks: Iterable[str]) -> Iterator[int]:
        """Yield the concepts that words and phrases (`joined`) name."""
        for chunk in chunks:
            yield from self._named.get(chunk, ())

    def joined(self, stems: Sequence[str]) -> Iterator[str]:
        """Yield stems in order, the longest phrases of concepts as one each."""
        place = 0
        while place < len(stems):
            sizes = (
                len(phrase)
                for phrase, _ in self._phrases.get(stems[place], ())
                if tuple(stems[place : place + len(phrase)]) == phrase
            )
            size = max(sizes, default=1)
            yield " ".join(stems[place : place + size])
            place += size

    def tokens(self, text: str) -> list[str]:
        """Return the words of a text, with each value replaced by its kind.

        A quoted text, and a word with a capital inside a sentence, count as names, unless stop
        words and nearly all long words have one, too ("What Is Your Name?").
        """
        text = text.lower() if self._capitalised(text) else text
        marked = _QUOTED.sub(f" {NAME} ", text)
        marked = self._time.sub(f" {TIME} ", marked)
        marked = _NUMBER.sub(f" {NUMBER} ", marked)
        words: list[str] = []
        first, name = True, ""
        for match in (*_TOKEN.finditer(marked), None):
            token = "." if match is None else match[0]
            kind = None if token in ".!?:;" else self._kind(token, first=first)
            if name and kind != NAME and self.stem(name.lower()) in self._named:
                words[-1:] = self._spelled((name.lower(),))
            name = token if kind == NAME and words[-1:] != [NAME] and token != NAME else ""
            first = token in ".!?:;"
            if first or kind is None:
                words.extend(self._spelled((token.lower(),)) if not first or token == "?" else ())
            elif words[-1:] != [kind]:
                words.append(kind)
        return words

    def _capitalised(self, text: str) -> bool:
        """Return True if the capitals of a text show no names."""
        words = _WORDS_AND_MARKS.findall(text)
        inner = (word for word in words[1:] if len(word) >= SHORTEST)
        usual = [word[0].isupper() for word in inner if self.stem(word) in self.stop]
        long = [word[0].isupper() for word in words if len(word) >= LONG]
        titled = sum(usual) > len(usual) / 2 and sum(long) >= TITLED * len(long)
        return len(words) > 1 and (titled or text.isupper())

    def _kind(self, token: str, *, first: bool) -> str | None:
        if token.startswith("<"):
            return token
        lowered = token.lower()
        kind = self._kinds.get(lowered)
        if kind is not None:
            return kind
        is_name = self._spoken.capitals and token[0].isupper() and not first
        return NAME if is_name and len(lowered.partition("'")[0]) > 1 and lowered != "id" else None


def _kinds(spoken: Lexicon) -> dict[str, str]:
    days = dict.fromkeys((*spoken.weekdays, *spoken.months), DAY)
    numbers = {word: NUMBER for word, number in spoken.numbers.items() if number != 1}
    return numbers | days | dict.fromkeys(spoken.times, TIME)


def _concepts(language: str) -> Concepts:
    try:
        return texts_of(language, "concepts", "concepts", Concepts)
    except UnknownNameError:
        return Concepts()


def without_apology(text: str, language: str) -> str:
    """Return a text without the words of apology."""
    return _apology(language).sub("", text).strip()


@lru_cache(maxsize=32)
def _apology(language: str) -> re.Pattern[str]:
    groups = _concepts(language).groups
    phrases = "|".join(map(re.escape, groups[APOLOGY])) if groups else ""
    return re.compile(rf"(?<!\w)(?:{phrases})(?!\w)[,.!]*" if phrases else r"(?!)", re.IGNORECASE)


word_reader = lru_cache(maxsize=32)(WordReader)
"""Returns the vocabulary of a language (cached); `UnknownNameError` without a lexicon."""


REACH = 400
"""Most characters before a value, and after it, that are read with it."""


def around(text: str, start: int, end: int) -> tuple[str, str]:
    """Return the text before and after a place, as far as `REACH`."""
    return text[max(0, start - REACH) : start], text[end : end + REACH]


MOST = 8
"""Most sentences that a text is split into; the rest stays in the last one."""

_END = re.compile(r"(?<=[.!?…。！？])[\"'”’)]*\s+(?=[^\s(])|(?<!\s)\s*[\r\n]+\s*")
_SHORT = re.compile(r"(?:\b[A-Za-z]|\b(?:dr|mr|mrs|ms|st|no|vs|approx|nr|prof|bzw|ca))\.$", re.I)


@lru_cache(maxsize=4096)
def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text, without markdown and emoji; a line ends a sentence."""
    pieces: list[list[str]] = []
    for bare in filter(None, map(plain_text, _END.split(text))):
        if pieces and (len(pieces) == MOST or _SHORT.search(pieces[-1][-1])):
            pieces[-1].append(bare)
        else:
            pieces.append([bare])
    return tuple(map(" ".join, pieces))
