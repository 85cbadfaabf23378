"""The word lists of a language for typed values and cues: number words, times of day, yes and no.

The code has no words of any language; they are in `lang/<language>.json`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from dialoom.errors import UnknownNameError

T = TypeVar("T")

LACKING = " without "
"""Separator, in the code of a language, of the word lists that are left out (`lacking`)."""

OPTIONAL = (
    "articles", "asked_by", "common", "durations", "introductions", "links", "names", "stop",
    "verbs",
)  # fmt: skip
"""Word lists that can be left out: models read them, while surface forms are made of the others."""

_TOKEN = re.compile(r"[^\W_]+(?:['’.:][^\W_]+)*", re.UNICODE)


class Unit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Further texts of a unit besides its name: singular, signs before and after numbers."""

    one: str = ""
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


class Lexicon(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The word lists of one language.

    Attributes:
        cues: Name of a cue to the phrases that show it.
        literals: Words that are written for true and false, and not said.
        compounds: Patterns of number words of {tens} and {ones}.
        joined: Number word to its form in a compound, where it differs.
        quantities: Phrase for a number ("a dozen") to its value.
        ordinals: Ordinal word to its value.
        ordinal_endings: Endings after the digits of an ordinal ("th").
        meridiem: Mark of the half of the day ("pm") to the hours it adds.
        times: Word for an hour ("noon") to the hour.
        clock: Words after a full hour ("o'clock").
        clock_forms: Patterns of a time, with {hour}, {h24}, {word}, {minute}, {mark} or {clock},
            to the minutes that they add to the hour; None where they give the minutes themselves.
        clock_cues: Words before an hour that is given as a number only.
        days: The days of a month in order, as ordinals in digits.
        dates: Patterns of a date, with {day}, {nth} or {word}, and {month}.
        relative_days: Regular expression of days relative to that of the dialogue, with {weekday}
            and {nth}.
        year_links: Words between a date and its year ("in").
        numeric_date: The pattern of a date in digits.
        last: The separator before the last of several values.
        parts_of_day: Word for a part of the day to the hours it adds.
        asked_by: Type of value to the words that ask for one.
        introductions: Phrases before a name that count only if the name has capitals.
        answers: Phrases before the value of an answer.
        places: Word before a place to words in the names of slots that such a place belongs to.
        ranges: Words between the two values of a range: "to", "-".
        courtesies: Polite words around the value of an answer.
        without: Words before a value that is not wanted.
        ruled_out: Words after a value that is not wanted.
        resumes: Phrases of somebody who goes back to what they left open.
        infinitives: Word of direction ("to") to the words after which a verb follows it.
        people: Words in the names of slots for persons' names.
        of: Words between "name" and what has the name.
        capitals: Whether a capital inside a sentence marks a name.
        verbs: Common verbs, which follow the same words as places do.
        common: Frequent words of conversation that are no evidence of any task.
        links: Forms of the copula ("is").
        pointing: Words for what was mentioned before ("that").
        comparisons: Operator of a constraint to the phrases that express it with a value.
        seams: Word before a value to the starts of values (regular expressions) that change the
            word, each with the words instead: "on" before "13th" is "on the".
        durations: Type of value to the units of its durations, each with its minutes (of times) or
            days (of dates).
    """

    language: str
    cues: dict[str, tuple[str, ...]] = {}
    yes: tuple[str, ...] = ()
    no: tuple[str, ...] = ()
    literals: dict[str, bool] = {}
    stop: frozenset[str] = frozenset()
    numbers: dict[str, int] = {}
    compounds: tuple[str, ...] = ()
    joined: dict[str, str] = {}
    quantities: dict[str, int] = {}
    decimal: str = "."
    units: dict[str, Unit] = {}
    ordinals: dict[str, int] = {}
    ordinal_endings: tuple[str, ...] = ()
    meridiem: dict[str, int] = {}
    times: dict[str, int] = {}
    clock: tuple[str, ...] = ()
    clock_forms: dict[str, int | None] = {}
    clock_cues: tuple[str, ...] = ()
    months: tuple[str, ...] = ()
    days: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    days_alone: tuple[str, ...] = ()
    relative_days: str = ""
    weekdays: tuple[str, ...] = ()
    year_links: tuple[str, ...] = ()
    numeric_date: str = ""
    last: str = ", "
    parts_of_day: dict[str, int] = {}
    asked_by: dict[str, tuple[str, ...]] = {}
    names: tuple[str, ...] = ()
    introductions: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    places: dict[str, tuple[str, ...]] = {}
    ranges: tuple[str, ...] = ()
    courtesies: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    ruled_out: tuple[str, ...] = ()
    resumes: tuple[str, ...] = ()
    infinitives: dict[str, frozenset[str]] = {}
    people: tuple[str, ...] = ()
    of: tuple[str, ...] = ()
    capitals: bool = False
    verbs: frozenset[str] = frozenset()
    common: frozenset[str] = frozenset()
    articles: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    pointing: frozenset[str] = frozenset()
    comparisons: dict[str, tuple[str, ...]] = {}
    durations: dict[str, dict[str, int]] = {}
    seams: dict[str, dict[str, str]] = {}

    def truth(self, word: str) -> bool | None:
        """Return whether a word means yes (true) or no (false); None if neither."""
        term = word.strip().casefold()
        if term in self.yes or term in self.no:
            return term in self.yes
        return self.literals.get(term)


@lru_cache(maxsize=32)
def lexicon(language: str = "en") -> Lexicon:
    """Return a language's word lists, or those of `lacking`; `UnknownNameError` for others."""
    name, _, left_out = language.partition(LACKING)
    lists = texts_of(name, "", "", Lexicon)
    return _emptied(lists, language, left_out.split(",")) if left_out else lists


def word_lists(language: str = "en") -> list[str]:
    """Return the names of the word lists that `lacking` can leave out."""
    return [*(f"cue-{cue}" for cue in lexicon(language).cues), *(f"words-{n}" for n in OPTIONAL)]


def lacking(language: str, lists: Sequence[str]) -> str:
    """Return a language's code without some of its `word_lists`, for ablations."""
    return language + LACKING + ",".join(sorted(lists)) if lists else language


def _emptied(whole: Lexicon, code: str, lists: Sequence[str]) -> Lexicon:
    cues = {n: () if f"cue-{n}" in lists else phrases for n, phrases in whole.cues.items()}
    fields = [name for name in OPTIONAL if f"words-{name}" in lists]
    emptied = {name: type(getattr(whole, name))() for name in fields}
    return replace(whole, language=code, cues=cues, **emptied)


_FOLDER = resources.files("dialoom").joinpath("lang")


def texts_of(language: str, part: str, what: str, kind: type[T]) -> T:
    """Return `lang/<language>-<part>.json`, a `what` of type `kind`; or `UnknownNameError`."""
    if language not in (codes := languages(part)):
        raise UnknownNameError(f"language of {what}" if what else "language", language, codes)
    return msgspec.json.decode(
        _FOLDER.joinpath(f"{language}{_ending(part)}").read_bytes(), type=kind
    )


def languages(part: str = "") -> list[str]:
    """Return the codes of the languages that have word lists, or another part of their texts."""
    names = (each.name for each in _FOLDER.iterdir())
    codes = (name.removesuffix(_ending(part)) for name in names if name.endswith(_ending(part)))
    return sorted(name for name in codes if "-" not in name)  # en-noise is a part of en


def _ending(part: str) -> str:
    return f"-{part}.json" if part else ".json"


def words(text: str) -> list[str]:
    """Return the words of a text in lower case, without punctuation."""
    return [match[0] for match in _TOKEN.finditer(text.lower().replace("’", "'"))]


def has_phrase(spoken: Sequence[str], phrase: str) -> bool:
    """True if some words contain those of a phrase, one after the other."""
    parts = phrase.split()
    if parts and parts[0] not in spoken:
        return False
    return any(list(spoken[n : n + len(parts)]) == parts for n in range(len(spoken)))


Seams = Mapping[str, tuple[tuple[re.Pattern[str], str], ...]]
"""Word before a value to the starts of values that change it, each with the words instead."""


@lru_cache(maxsize=32)
def seams(language: str) -> Seams:
    """Return the rules by which a word changes before a value (`Lexicon.seams`), compiled."""
    rules = lexicon(language).seams.items()
    return {
        word: tuple(
            (re.compile(start, re.IGNORECASE), instead) for start, instead in starts.items()
        )
        for word, starts in rules
    }


NEVER = r"(?!)"


@lru_cache(maxsize=32)
def _cue_patterns(language: str) -> dict[str, re.Pattern[str]]:
    cues = lexicon(language).cues
    return {
        name: re.compile(
            r"\b(?:" + "|".join(map(re.escape, phrases)) + r")\b" if phrases else NEVER
        )
        for name, phrases in cues.items()
    }


def cues(text: str, language: str = "en") -> dict[str, bool]:
    """Return, for each cue of the language and for a question mark, whether the text shows it."""
    lowered = text.lower().replace("’", "'")
    signs = {name: bool(p.search(lowered)) for name, p in _cue_patterns(language).items()}
    return {**signs, "mark": "?" in text}


def only_greets(text: str, language: str = "en") -> bool:
    """Return True if a text is a greeting and nothing else."""
    phrases = lexicon(language).cues.get("greeting", ())
    spoken = set(words(text))
    return bool(spoken) and spoken <= {word for phrase in phrases for word in words(phrase)}


def resumes(text: str, language: str = "en") -> bool:
    """True if somebody returns to an open task."""
    spoken = f" {' '.join(words(text))} "
    return any(f" {phrase} " in spoken for phrase in lexicon(language).resumes)


def split_name(name: str) -> list[str]:
    """Return the words of an identifier: `StartTimeHour` and `start_time_hour` alike.

    >>> split_name("StartTimeHour")
    ['start', 'time', 'hour']
    """
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[_\-\s]+", " ", name)
    return spaced.lower().split()


def fields(value: Any) -> str:
    """Return a value as text for comparisons: lists joined by commas, numbers as digits."""
    if isinstance(value, list | tuple):
        return ", ".join(fields(item) for item in value)
    return str(value)
