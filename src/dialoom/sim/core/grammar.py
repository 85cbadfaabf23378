"""A weighted grammar of speech: symbols, and the ways to say each.

    {"open": {"<hello><want> to {intent}.": 3, "{intent}<please>.": 1},
     "want": ["i'd like", "i want"],
     "hello": {"": 2, "hi, ": 1}, "please": ["", ", please"]}

    grammar = speech("en")                                  # lang/en-speech.json
    grammar.template("open", rng, ("intent",))              # "Hi, i'd like to {intent}."
    grammar.say("open", rng, {"intent": "book a table"})    # with the value's place
    grammar.overlaid({"please": [""]})                      # a speaker who never says please

A way has a weight; ways in a list have equal ones. `<name>` is another symbol, `{name}` a value,
`a~` an article that follows the sound of the next word. A way is skipped if it needs a missing
value or contains its own symbol; a way of weight 0 is the last resort. Drafts that contain a symbol
`x` are dropped if they have a phrase of the symbol `x.unfit`. An empty value such as
`{first}` only marks a way for a condition. A sentence begins with a capital unless a value begins
there.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from threading import RLock
from typing import Any, NamedTuple

from dialoom.errors import UnknownNameError, UsageError
from dialoom.schema.lexicon import texts_of
from dialoom.schema.template import Place, Rendered
from dialoom.sim.core.manner import Manner, manner
from dialoom.sim.core.rng import SeededRng

Ways = Mapping[str, int] | Sequence[str]
"""The ways to say something, each with its weight, or with equal weights."""

Symbols = Mapping[str, Ways]
"""Symbol to the ways to say it."""

Pool = tuple[list[str], "array[int]"]
"""Drafts with their summed weights."""

DraftKey = tuple[str, frozenset[str], bool, int]
"""A symbol, the values at hand, whether drafts are whole turns, and the number of the pool."""

POOLS, DRAFTS = 8, 48
"""Pools of drafts of a symbol, and drafts of a pool; the manner says which are drawn how often."""

UNFIT = ".unfit"
"""Ending of the symbols whose ways are phrases that drafts may not have."""

PART_POOLS, PART_DRAFTS = 32, 3
"""The same of parts of a turn: the manner acts on the whole, so less on each of them."""

_PART = re.compile(r"<([\w.?!-]+)>|\{([\w.]+)\}")
_ARTICLE = re.compile(r"\b([Aa])~ (?=(\w+))")
_SENTENCE = re.compile(r"[.!?] [^\W\d_]")
_SPACES = re.compile(r" {2,}")
_AFTER_MARK = re.compile(r"(?<=[!?])[.,](?=\s|$)")
_BEFORE_MARK = re.compile(r" (?=[.,?!;:](?:\s|$))")

_VOWEL = re.compile(
    r"(?i)(?!one|once|un[iy]|us[eua]|eu|ur[iu]|u[ks]?\b)[aeiou]|hour|hono|heir|8|1[18](?!\d)"
    r"|(?-i:[FHLMNRSX](?:[B-DF-HJ-NP-TV-XZ\d]|UV|\b)(?![A-Z]{3}))"
)
"""Starts of English words before which the article is "an", by sound; numbers in digits and
letters that are spelt as well."""

ARTICLES = frozenset({"a", "an"})

_WRITTEN = re.compile(r"\b(an?) (\w+)", re.IGNORECASE)


class SpeechPart(NamedTuple):
    """A literal text, the name of a symbol, or that of a value; the others are empty."""

    literal: str = ""
    symbol: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class SpeechWays:
    """The ways to say a symbol with the given values; `sums` are summed weights.

    `steps` are the same ways, each as texts before the ways of symbols (None at the end); a symbol
    with one way is a part of the text. A grammar and its overlays have one object for equal ways,
    and share its drafts (`benchmarks/simulate.py`).
    """

    symbol: str
    ways: tuple[tuple[SpeechPart, ...], ...] = ()
    sums: tuple[int, ...] = ()
    steps: tuple[tuple[tuple[str, SpeechWays | None], ...], ...] = ()


class Grammar:
    """The ways to say a set of symbols.

    `manner` chooses among drafts; without it, ways are drawn by their weights alone.
    """

    def __init__(
        self, symbols: Symbols, manner: Manner | None = None, under: Grammar | None = None
    ) -> None:
        self.symbols, self.manner, self._under = symbols, manner, under
        self._parsed = {name: _parsed(ways) for name, ways in symbols.items()}
        self._pools: dict[DraftKey, Pool] = {}
        self._choices: dict[tuple[str, frozenset[str]], SpeechWays] = {}
        self._begun, self._lock = set[tuple[str, frozenset[str]]](), RLock()
        self._equal: dict[tuple[Any, ...], SpeechWays] = {} if under is None else under._equal
        self._shared: dict[tuple[Any, ...], Pool] = {} if under is None else under._shared
        self._own: Collection[str] = self._parsed
        unfit = [each for name in symbols if name.endswith(UNFIT) for each in symbols[name]]
        self._unfit = [(each, each.lower()) for each in unfit]
        if under is not None:
            self._unfit += under._unfit
            self.symbols = {**under.symbols, **symbols}
            self._parsed = {**under._parsed, **self._parsed}
            self._own = self._containing(name.removesuffix(UNFIT) for name in symbols)

    def overlaid(self, symbols: Symbols) -> Grammar:
        """Return this grammar with other ways for some symbols, or with more symbols.

        Symbols that contain none of these share their ways and drafts with this grammar.
        """
        return Grammar(symbols, self.manner, self)

    def _containing(self, symbols: Iterable[str]) -> set[str]:
        inside = {
            name: {part.symbol for parts, _ in ways for part in parts}
            for name, ways in self._parsed.items()
        }
        names, new = set[str](), set(symbols)
        while new:
            names |= new
            new = {name for name, parts in inside.items() if parts & new} - names
        return names

    @property
    def places(self) -> set[SpeechPart]:
        """The symbols and values that the ways contain."""
        pieces = (part for ways in self._parsed.values() for parts, _ in ways for part in parts)
        return {part for part in pieces if not part.literal}

    def says(self, symbol: str, names: Iterable[str] = ()) -> bool:
        """Return True if there is a way to say a symbol with only these values."""
        return symbol in self.symbols and bool(self._among(symbol, frozenset(names)).ways)

    def template(self, symbol: str, rng: SeededRng, names: Iterable[str] = ()) -> str:
        """Draw a way to say a symbol by weight, with `{name}` for values; `UsageError` if none
        fits.
        """
        if self.manner is None:
            return tidy(self.phrase(symbol, rng, names))
        return self._drawn(self.manner, rng, symbol, names, whole=True)

    def part(self, symbol: str, rng: SeededRng, names: Iterable[str] = ()) -> str:
        """Draw a way to say a symbol as a part of a turn, in the manner of the speaker."""
        if self.manner is None:
            return self.phrase(symbol, rng, names)
        return self._drawn(self.manner, rng, symbol, names, whole=False)

    def chosen(self, drafts: Sequence[str], rng: SeededRng) -> int:
        """Draw the place of one of several texts, as often as the manner of the speaker has it."""
        if self.manner is None or len(drafts) == 1:
            return 0
        sums = self.manner.sums(drafts)
        return bisect_right(sums, rng.below(sums[-1]))

    def _drawn(
        self, manner: Manner, rng: SeededRng, symbol: str, values: Iterable[str], *, whole: bool
    ) -> str:
        key = symbol, frozenset(values), whole, rng.below(POOLS if whole else PART_POOLS)
        drafts, sums = self._pools.get(key) or self._pool(manner, key)
        return drafts[bisect_right(sums, rng.below(sums[-1]))]

    def _pool(self, manner: Manner, key: DraftKey) -> Pool:
        pool = self._shared_pool(manner, key)
        unfit = self._unfit_in(pool[0], key[0])
        pool = self._pools[key] = self._shared_pool(manner, key, unfit) if unfit else pool
        return pool

    def _shared_pool(self, manner: Manner, key: DraftKey, unfit: Sequence[str] = ()) -> Pool:
        content = self._known(*key[:2]), *key[1:], *unfit
        pool = self._shared.get(content)
        if pool is None:
            pool = self._shared[content] = self._drafts(manner, key, unfit)
        return pool

    def _unfit_in(self, drafts: Iterable[str], symbol: str) -> list[str]:
        if symbol not in self._own and self._under is not None:
            return self._under._unfit_in(drafts, symbol)
        text = "\n".join(drafts).lower() if self._unfit else ""
        return [each for each, small in self._unfit if small in text]

    def _drafts(self, manner: Manner, key: DraftKey, unfit: Iterable[str] = ()) -> Pool:
        symbol, values, whole, number = key
        rng = SeededRng(repr((symbol, sorted(values), number)).encode(), b"drafts")
        ways, drafts = self._known(symbol, values), list[str]()
        for _ in range(DRAFTS if whole else PART_DRAFTS):
            pieces: list[str] = []
            self._expand(ways, rng, pieces)
            drafts.append("".join(pieces))
        if unfit:
            drafts = [d for d in drafts if not any(each in d for each in unfit)] or drafts
        if whole:
            texts = {phrase: tidy(phrase) for phrase in dict.fromkeys(drafts)}
            drafts = [texts[phrase] for phrase in drafts]
        return drafts, manner.sums(drafts, whole=whole)

    def phrase(self, symbol: str, rng: SeededRng, names: Iterable[str] = ()) -> str:
        """Draw a way to say a symbol within a sentence, without a capital; `UsageError` if none
        fits.
        """
        pieces: list[str] = []
        self._expand(self._known(symbol, frozenset(names)), rng, pieces)
        return "".join(pieces)

    def _known(self, symbol: str, values: frozenset[str]) -> SpeechWays:
        ways = self._among(symbol, values)
        if not ways.ways:
            raise UsageError(f"no way to say <{symbol}> with the values {sorted(values)}")
        return ways

    def say(self, symbol: str, rng: SeededRng, values: Mapping[str, str]) -> Rendered:
        """Draw a way to say a symbol and fill in values; `UsageError` if none fits."""
        return filled(self.template(symbol, rng, values), values)

    def _expand(self, ways: SpeechWays, rng: SeededRng, pieces: list[str]) -> None:
        sums = ways.sums
        at = bisect_right(sums, rng.below(sums[-1])) if len(sums) > 1 else 0
        for text, inner in ways.steps[at]:
            pieces.append(text)
            if inner is not None:
                self._expand(inner, rng, pieces)

    def _among(self, symbol: str, values: frozenset[str]) -> SpeechWays:
        key = symbol, values
        return self._choices.get(key) or self._built(key)

    def _built(self, key: tuple[str, frozenset[str]]) -> SpeechWays:
        """Find the ways to say a symbol; only finished ones are seen by other threads."""
        symbol, values = key
        if self._under is not None and symbol not in self._own:
            ways = self._choices[key] = self._under._among(symbol, values)
            return ways
        with self._lock:
            if key in self._begun:  # a way within itself is none
                return SpeechWays(symbol)
            self._begun.add(key)
            try:
                ways = self._choices[key] = self._found(symbol, values)
            finally:
                self._begun.discard(key)
        return ways

    def _found(self, symbol: str, values: frozenset[str]) -> SpeechWays:
        does = [
            (parts, weight)
            for parts, weight in self._ways(symbol)
            if all(self._does(part, values) for part in parts)
        ]
        last = [(parts, 1) for parts, weight in does if weight == 0]
        options = [(parts, weight) for parts, weight in does if weight > 0] or last
        sums = tuple(accumulate(weight for _, weight in options))
        ways = tuple([parts for parts, _ in options])
        steps = tuple([tuple(self._steps(parts, values)) for parts in ways])
        content = symbol, ways, sums, steps
        return self._equal.setdefault(content, SpeechWays(*content))

    def _steps(
        self, parts: Iterable[SpeechPart], values: frozenset[str]
    ) -> Iterator[tuple[str, SpeechWays | None]]:
        text = ""
        for literal, symbol, value in parts:
            if not symbol:
                text += literal or f"{{{value}}}"
                continue
            inner = self._among(symbol, values)
            if len(inner.steps) > 1:
                yield text, inner
                text = ""
                continue
            for before, further in inner.steps[0]:
                text += before
                if further is not None:
                    yield text, further
                    text = ""
        if text:
            yield text, None

    def _ways(self, symbol: str) -> Sequence[tuple[tuple[SpeechPart, ...], int]]:
        if symbol not in self._parsed:
            raise UnknownNameError("symbol of speech", symbol, self._parsed)
        return self._parsed[symbol]

    def _does(self, part: SpeechPart, values: frozenset[str]) -> bool:
        if part.value:
            return part.value in values
        return not part.symbol or bool(self._among(part.symbol, values).ways)


def _parsed(ways: Ways) -> tuple[tuple[tuple[SpeechPart, ...], int], ...]:
    weighted = ways.items() if isinstance(ways, Mapping) else [(way, 1) for way in ways]
    return tuple((tuple(_parts(text)), weight) for text, weight in weighted)


def _parts(text: str) -> Iterable[SpeechPart]:
    at = 0
    for match in _PART.finditer(text):
        if at < match.start():
            yield SpeechPart(text[at : match.start()])
        yield SpeechPart(symbol=match[1] or "", value=match[2] or "")
        at = match.end()
    if at < len(text):
        yield SpeechPart(text[at:])


def tidy(text: str) -> str:
    """Return a text with single spaces, none before marks, and capitals where sentences begin."""
    if "  " in text or " ," in text or " ." in text or " ?" in text or " !" in text:
        text = _BEFORE_MARK.sub("", _SPACES.sub(" ", text))
    if "!" in text or "?" in text:
        text = _AFTER_MARK.sub("", text)
    if "~" in text:
        text = _ARTICLE.sub(lambda match: f"{match[1]}{_ending(match[2])} ", text)
    text = text.strip()
    if text[:1].isalpha():
        text = text[0].upper() + text[1:]
    if ". " in text or "! " in text or "? " in text:
        text = _SENTENCE.sub(lambda match: match[0].upper(), text)
    return text


def filled(template: str, values: Mapping[str, str]) -> Rendered:
    """Put values in a template and adapt the articles before them; unknown names stay."""
    text, at = "", 0
    places: list[Place] = []
    for match in _PART.finditer(template):
        name = match[2]
        if name not in values:
            continue
        text += template[at : match.start()]
        if text.endswith("~ "):
            text = f"{text[:-2]}{_ending(values[name])} "
        places.append(Place(name, len(text), len(text) + len(values[name])))
        text, at = text + values[name], match.end()
    return Rendered(text + template[at:], tuple(places))


def names_in(template: str) -> list[str]:
    """Return the names of the values that a template has places for, in order."""
    return [match[2] for match in _PART.finditer(template) if match[2]]


def wrong_articles(text: str) -> int:
    """Return how many English articles of a text do not fit the sound of the next word."""
    return sum((len(m[1]) == 1) == bool(_ending(m[2])) for m in _WRITTEN.finditer(text))


def _ending(word: str) -> str:
    return "n" if takes_an(word) else ""


def takes_an(word: str) -> bool:
    """Return True if the English article before a word is "an", by its sound."""
    return _VOWEL.match(word) is not None


@lru_cache(maxsize=8)
def speech(language: str, part: str = "speech") -> Grammar:
    """Return the grammar of `lang/<language>-<part>.json`; `UnknownNameError` without one.

    Its manner is in `lang/<language>-<part>-manner.json`, if there is such a file.
    """
    symbols = texts_of(language, part, "speech", dict[str, dict[str, int] | list[str]])
    return Grammar(symbols, manner(language, f"{part}-manner"))
