"""A weighted grammar of speech: symbols, and the ways to say each.

    {"open": {"<hello><want> to {intent}.": 3, "{intent}<please>.": 1},
     "want": ["i'd like", "i want"],
     "hello": {"": 2, "hi, ": 1}, "please": ["", ", please"]}

    grammar = speech("en")                                  # lang/en-speech.json
    grammar.template("open", rng, ("intent",))              # "Hi, i'd like to {intent}."
    grammar.say("open", rng, {"intent": "book a table"})    # with the value's place
    grammar.overlaid({"please": [""]})                      # somebody who never says please

A way has a weight; ways in a list have equal ones. `<name>` is another symbol, `{name}` a value,
and `a~` an article that follows the sound of the next word. Ways that need a value which is not at
hand are left out, and so are ways that contain their own symbol; a way of weight 0 is the last
resort. A value may be empty: `{first}` then only marks a way for a condition. A sentence begins
with a capital unless a value begins there.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, product
from typing import NamedTuple

from dialoom.errors import UnknownNameError, UsageError
from dialoom.schema.lexicon import texts_of
from dialoom.schema.template import Place, Rendered
from dialoom.sim.core.manner import END, START, Manner, manner
from dialoom.sim.core.rng import SeededRng

Ways = Mapping[str, int] | Sequence[str]
"""The ways to say something, each with its weight, or with equal weights."""

Symbols = Mapping[str, Ways]
"""Symbol to the ways to say it."""

Pool = tuple[list[str], "array[int]"]
"""Drafts with their summed weights."""

DraftKey = tuple[str, frozenset[str], str, str]
"""A symbol, the values at hand, and the tokens before and after its drafts."""

POOLS, DRAFTS = 8, 48
"""Pools of drafts of a symbol, and drafts of a pool; the manner says which are drawn how often.
A symbol with at most `LISTED` texts has one pool, of all of them."""

LISTED = POOLS * DRAFTS
"""Most texts of a symbol that are all drafts."""

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
"""The English articles whose form follows the sound of the next word."""

_WRITTEN = re.compile(r"\b(an?) (\w+)", re.IGNORECASE)


class SpeechPart(NamedTuple):
    """A literal text, the name of a symbol, or that of a value; the others are empty."""

    literal: str = ""
    symbol: str = ""
    value: str = ""


class SpeechWays(NamedTuple):
    """The ways to say a symbol that the values at hand allow.

    Attributes:
        symbol: The symbol.
        ways: The parts of each way.
        sums: Their summed weights.
        steps: The same ways as texts and the ways of their symbols: `benchmarks/simulate.py`.
    """

    symbol: str
    ways: tuple[tuple[SpeechPart, ...], ...] = ()
    sums: tuple[int, ...] = ()
    steps: tuple[tuple[str | SpeechWays, ...], ...] = ()


class Grammar:
    """The ways to say a set of symbols.

    Args:
        symbols: Symbol to the ways to say it.
        manner: Chooses among drafts; without it, ways are drawn by their weights alone.
    """

    def __init__(self, symbols: Symbols, manner: Manner | None = None) -> None:
        self.symbols, self.manner = symbols, manner
        self._parsed = {name: _parsed(ways) for name, ways in symbols.items()}
        self._listed: dict[DraftKey, Pool] = {}
        self._pools: dict[tuple[DraftKey, int], Pool] = {}
        self._choices: dict[tuple[str, frozenset[str]], SpeechWays] = {}
        self._under: Grammar | None = None
        self._own: Collection[str] = ()

    def overlaid(self, symbols: Symbols) -> Grammar:
        """Return this grammar with other ways for some symbols, or with more symbols.

        Symbols that contain none of these share their drafts with this grammar.
        """
        grammar = Grammar({**self.symbols, **symbols}, self.manner)
        grammar._under, grammar._own = self, grammar._containing(symbols)
        return grammar

    def _containing(self, symbols: Iterable[str]) -> set[str]:
        """Return some symbols and all that contain one of them."""
        inside = {
            name: {part.symbol for parts, _ in ways for part in parts}
            for name, ways in self._parsed.items()
        }
        found, new = set[str](), set(symbols)
        while new:
            found |= new
            new = {name for name, parts in inside.items() if parts & new} - found
        return found

    def _at(self, symbol: str) -> Grammar:
        """Return the grammar that has the drafts of a symbol: this one, or that underneath."""
        return self if self._under is None or symbol in self._own else self._under._at(symbol)

    def says(self, symbol: str, given: Iterable[str] = ()) -> bool:
        """Return whether there is a way to say a symbol with only these values."""
        return symbol in self.symbols and bool(self._among(symbol, frozenset(given)).ways)

    def template(self, symbol: str, rng: SeededRng, given: Iterable[str] = ()) -> str:
        """Draw a way to say a symbol, with `{name}` where values go.

        Args:
            symbol: The symbol.
            rng: Draws among the ways, by their weights.
            given: The names of the values at hand.

        Raises:
            UsageError: No way does with these values.
        """
        if self.manner is None:
            return tidy(self.phrase(symbol, rng, given))
        return self._drawn(self.manner, rng, (symbol, frozenset(given), START, END))

    def part(
        self, symbol: str, rng: SeededRng, given: Iterable[str] = (), after: str = ""
    ) -> str:
        """Draw a way to say a symbol as a part of a sentence, in the manner of the speaker.

        Args:
            symbol: The symbol.
            rng: Draws among the ways.
            given: The names of the values at hand.
            after: The token that it follows.
        """
        if self.manner is None:
            return self.phrase(symbol, rng, given)
        return self._drawn(self.manner, rng, (symbol, frozenset(given), after, ""))

    def _drawn(self, manner: Manner, rng: SeededRng, key: DraftKey) -> str:
        """Draw from a pool of drafts."""
        kept = self._at(key[0])
        pool = kept._listed.get(key)
        if pool is None:
            shares = _texts(self._possible(*key[:2]))
            pool = kept._listed[key] = _pool(manner, shares, key)
        if not pool[0]:  # too many to list
            each = key, rng.below(POOLS)
            pool = kept._pools.get(each)
            if pool is None:
                pool = kept._pools[each] = self._sample(manner, *each)
        drafts, sums = pool
        return drafts[bisect_right(sums, rng.below(sums[-1]))]

    def _sample(self, manner: Manner, key: DraftKey, number: int) -> Pool:
        """Return a pool of drafts that are drawn at random."""
        symbol, given, *_ = key
        rng = SeededRng(repr((symbol, sorted(given), number)).encode(), b"drafts")
        drawn = Counter(self.phrase(symbol, rng, given) for _ in range(DRAFTS))
        return _pool(manner, {text: many / DRAFTS for text, many in drawn.items()}, key)

    def phrase(self, symbol: str, rng: SeededRng, given: Iterable[str] = ()) -> str:
        """Draw a way to say a symbol as a part of a sentence: without a capital, as it is written.

        Raises:
            UsageError: No way does with these values.
        """
        found: list[str] = []
        self._expand(self._possible(symbol, frozenset(given)), rng, found)
        return "".join(found)

    def say(self, symbol: str, rng: SeededRng, values: Mapping[str, str]) -> Rendered:
        """Draw a way to say a symbol and put values in it.

        Raises:
            UsageError: No way does with these values.
        """
        return filled(self.template(symbol, rng, values), values)

    def _expand(self, ways: SpeechWays, rng: SeededRng, found: list[str]) -> None:
        steps, sums = ways.steps, ways.sums
        for step in steps[bisect_right(sums, rng.below(sums[-1])) if len(steps) > 1 else 0]:
            if isinstance(step, str):
                found.append(step)
            else:
                self._expand(step, rng, found)

    def _possible(self, symbol: str, given: frozenset[str]) -> SpeechWays:
        """Return the ways to say a symbol; raise a UsageError where there is none."""
        ways = self._among(symbol, given)
        if not ways.ways:
            raise UsageError(f"no way to say <{symbol}> with the values {sorted(given)}")
        return ways

    def _among(self, symbol: str, given: frozenset[str]) -> SpeechWays:
        key = symbol, given
        found = self._choices.get(key)
        if found is None:
            self._choices[key] = SpeechWays(
                symbol
            )  # until it is known: a way within itself is none
            does = [
                (parts, weight)
                for parts, weight in self._ways(symbol)
                if all(self._does(part, given) for part in parts)
            ]
            last = [(parts, 1) for parts, weight in does if weight == 0]
            kept = [(parts, weight) for parts, weight in does if weight > 0] or last
            sums = tuple(accumulate(weight for _, weight in kept))
            ways = tuple([parts for parts, _ in kept])
            steps = tuple([tuple(self._steps(parts, given)) for parts in ways])
            found = self._choices[key] = SpeechWays(symbol, ways, sums, steps)
        return found

    def _steps(
        self, parts: Iterable[SpeechPart], given: frozenset[str]
    ) -> Iterator[str | SpeechWays]:
        """Yield the texts of a way, and the ways of its symbols."""
        for literal, inner, value in parts:
            yield self._among(inner, given) if inner else literal or f"{{{value}}}"

    def _ways(self, symbol: str) -> Sequence[tuple[tuple[SpeechPart, ...], int]]:
        if symbol not in self._parsed:
            raise UnknownNameError("symbol of speech", symbol, self._parsed)
        return self._parsed[symbol]

    def _does(self, part: SpeechPart, given: frozenset[str]) -> bool:
        if part.value:
            return part.value in given
        return not part.symbol or bool(self._among(part.symbol, given).ways)


def _texts(ways: SpeechWays) -> dict[str, float]:
    """Return all texts of a symbol with their shares; none where they are too many."""
    found: defaultdict[str, float] = defaultdict(float)
    for steps, low, high in zip(ways.steps, (0, *ways.sums), ways.sums, strict=False):
        texts = {"": (high - low) / ways.sums[-1]}
        for step in steps:
            texts = _joint(texts, {step: 1.0} if isinstance(step, str) else _texts(step))
        for text, share in texts.items():
            found[text] += share
        if not texts or len(found) > LISTED:
            return {}
    return dict(found)


def _pool(manner: Manner, shares: Mapping[str, float], key: DraftKey) -> Pool:
    """Return texts with their summed weights; those that nothing comes before are whole turns."""
    _, _, before, after = key
    drafts = [tidy(text) for text in shares] if before == START else list(shares)
    return drafts, manner.sums(drafts, "", shares.values(), before, after)


def _joint(before: Mapping[str, float], after: Mapping[str, float]) -> dict[str, float]:
    """Return each of some texts followed by each of others; none where they are too many."""
    found: defaultdict[str, float] = defaultdict(float)
    if len(before) * len(after) <= LISTED:
        for (one, share), (other, rate) in product(before.items(), after.items()):
            found[one + other] += share * rate
    return found


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
        text = _ARTICLE.sub(lambda found: f"{found[1]}{_ending(found[2])} ", text)
    text = text.strip()
    if text[:1].isalpha():
        text = text[0].upper() + text[1:]
    if ". " in text or "! " in text or "? " in text:
        text = _SENTENCE.sub(lambda found: found[0].upper(), text)
    return text


def filled(template: str, values: Mapping[str, str]) -> Rendered:
    """Put values in a template, and give the articles before them their sound.

    Args:
        template: The text, with `{name}` where values go.
        values: Name to the text of its value; a name that is not among them stays as it is.
    """
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
    """Return whether the English article before a word is "an", by its sound."""
    return _VOWEL.match(word) is not None


@lru_cache(maxsize=8)
def speech(language: str, part: str = "speech") -> Grammar:
    """Return the grammar of `lang/<language>-<part>.json`.

    Its manner is in `lang/<language>-<part>-manner.json`, if there is such a file.

    Raises:
        UnknownNameError: There is no such file for the language.
    """
    symbols = texts_of(language, part, "speech", dict[str, dict[str, int] | list[str]])
    return Grammar(symbols, manner(language, f"{part}-manner"))
