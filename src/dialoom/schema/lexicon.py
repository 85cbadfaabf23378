"""What a language brings to typed values and cues: number words, times of day, yes and no.

No word of any language stands in the code; `lang/<language>.json` holds them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib import resources
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from dialoom.errors import UnknownNameError

T = TypeVar("T")

LACKING = " without "
"""Stands in the code of a language between the language and the lists that it lacks."""

OPTIONAL = (
    "articles", "asked_by", "common", "durations", "introductions", "links", "names", "stop",
    "verbs",
)  # fmt: skip
"""Word lists that a language may lack, as models read them; of others, values are made."""

_TOKEN = re.compile(r"[^\W_]+(?:['’.:][^\W_]+)*", re.UNICODE)


class Unit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a unit is called besides its name: of one, and by signs and words around the number."""

    one: str = ""
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


class Lexicon(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The word lists of one language.

    Attributes:
        language: Its code.
        cues: Name of a cue to the phrases that show it.
        yes: Words for true.
        no: Words for false.
        literals: Words that are written for true and false, and not said.
        stop: Words without content.
        numbers: Number words and their values.
        compounds: Patterns of number words of {tens} and {ones}.
        joined: Number words to their form in a compound, where it differs.
        quantities: Phrases for a number ("a dozen").
        decimal: What stands before the decimals of a number.
        units: Unit to the words and signs that it goes by besides.
        ordinals: Ordinal words and their values.
        ordinal_endings: What follows the digits of an ordinal.
        meridiem: Marks of the half of the day, and the hours they add.
        times: Words for an hour.
        clock: Words that follow a full hour.
        clock_forms: Patterns of a time, with {hour}, {h24}, {word}, {minute}, {mark} or {clock},
            and the minutes that they add to the hour; None where they give the minutes themselves.
        clock_cues: Words before an hour that is given as a number only.
        months: The months' names, in order.
        days: The days of a month in order, as ordinals in digits.
        dates: Patterns of a date, with {day}, {nth} or {word}, and {month}.
        days_alone: Patterns of a day whose month goes without saying.
        relative_days: Regular expression of days that are told by the day of the dialogue, with
            {weekday} and {nth}.
        weekdays: The days of the week.
        numeric_date: The pattern of a date in digits.
        last: What stands before the last of several values.
        parts_of_day: Words for a part of the day, and the hours they add.
        asked_by: Kind of value to the words that ask for one.
        names: Phrases that a person's name follows.
        introductions: Phrases that a name may follow, if it is written as one.
        answers: Phrases that a value follows in an answer.
        places: Words before a place to the words in names of slots that it then belongs to.
        courtesies: Words around a value that belong to the manner of an answer.
        without: Words before a value that is not wanted.
        people: Words in the names of slots that take the name of a person.
        capitals: Whether a capital inside a sentence shows a name.
        verbs: Common verbs, which follow the same words as places do.
        common: Frequent words of talk that say nothing of any task.
        articles: The articles.
        links: Forms of the verb that joins a subject and what it is.
        comparisons: Operator of a constraint to the phrases that show it beside a value.
        durations: Kind of value to the units that tell one value from another one, each with how
            many minutes (of times) or days (of dates) it has.
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
    numeric_date: str = ""
    last: str = ", "
    parts_of_day: dict[str, int] = {}
    asked_by: dict[str, tuple[str, ...]] = {}
    names: tuple[str, ...] = ()
    introductions: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    places: dict[str, tuple[str, ...]] = {}
    courtesies: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    capitals: bool = False
    verbs: frozenset[str] = frozenset()
    common: frozenset[str] = frozenset()
    articles: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    comparisons: dict[str, tuple[str, ...]] = {}
    durations: dict[str, dict[str, int]] = {}

    def truth(self, word: str) -> bool | None:
        """Return what a word says of a question of yes or no, or None."""
        said = word.strip().casefold()
        if said in self.yes or said in self.no:
            return said in self.yes
        return self.literals.get(said)


@lru_cache(maxsize=32)
def lexicon(language: str = "en") -> Lexicon:
    """Return the word lists of a language, or of one that `lacking` gives.

    Raises:
        UnknownNameError: There are none for it.
    """
    name, _, left_out = language.partition(LACKING)
    found = texts_of(name, "", "", Lexicon)
    return _emptied(found, language, left_out.split(",")) if left_out else found


def word_lists(language: str = "en") -> list[str]:
    """Return the names of the word lists that `lacking` can leave out."""
    return [*(f"cue-{cue}" for cue in lexicon(language).cues), *(f"words-{n}" for n in OPTIONAL)]


def lacking(language: str, lists: Sequence[str]) -> str:
    """Return the code of a language without some of its word lists, for ablations.

    Args:
        language: The language's code.
        lists: The names of the lists, of `word_lists`.
    """
    return language + LACKING + ",".join(sorted(lists)) if lists else language


def _emptied(whole: Lexicon, code: str, lists: Sequence[str]) -> Lexicon:
    cues = {n: () if f"cue-{n}" in lists else phrases for n, phrases in whole.cues.items()}
    fields = [name for name in OPTIONAL if f"words-{name}" in lists]
    emptied = {name: type(getattr(whole, name))() for name in fields}
    return replace(whole, language=code, cues=cues, **emptied)


def texts_of(language: str, part: str, what: str, kind: type[T]) -> T:
    """Return what `lang/<language>-<part>.json` holds; without a part, `lang/<language>.json`.

    Args:
        language: The language's code.
        part: What the file is for, as its name says.
        what: What a language is a language of here, for messages.
        kind: The type of the content.

    Raises:
        UnknownNameError: There is no such file for the language.
    """
    folder = resources.files("dialoom").joinpath("lang")
    ending = f"-{part}.json" if part else ".json"
    named = (e.name.removesuffix(ending) for e in folder.iterdir() if e.name.endswith(ending))
    known = [name for name in named if "-" not in name]  # en-noise is a part of en
    if language not in known:
        raise UnknownNameError(f"language of {what}" if what else "language", language, known)
    return msgspec.json.decode(folder.joinpath(f"{language}{ending}").read_bytes(), type=kind)


def words(text: str) -> list[str]:
    """Return the words of a text in lower case, without punctuation."""
    return [match[0] for match in _TOKEN.finditer(text.lower().replace("’", "'"))]


NEVER = r"(?!)"
"""Matches nothing."""


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
    found = {name: bool(p.search(lowered)) for name, p in _cue_patterns(language).items()}
    return {**found, "mark": "?" in text}


def split_name(name: str) -> list[str]:
    """Return the words of an identifier: `StartTimeHour` and `start_time_hour` alike.

    >>> split_name("StartTimeHour")
    ['start', 'time', 'hour']
    """
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[_\-\s]+", " ", name)
    return spaced.lower().split()


def fields(value: Any) -> str:
    """Return a value as words for comparing: lists joined, numbers as digits."""
    if isinstance(value, list | tuple):
        return ", ".join(fields(item) for item in value)
    return str(value)
