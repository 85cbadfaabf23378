"""New names for the elements of a schema, at a given mean distance from the old ones.

    new = reword(["leaving_date", "FindBus"], distance=0.4, seed=1)
    new                 # {"leaving_date": "date_of_leaving", "FindBus": "SearchCoach"}
    distance(new)       # 0.41

The distance of two names is their normalised edit distance: insertions, deletions and replacements
of letters (Levenshtein) over the length of the longer name; that of a variant is the mean over its
names. Candidates for a name come from synonyms, another order of words, added words, short forms
and another casing; of these the one is taken that brings the mean nearest to the distance wanted.

In a service the slots and intents are renamed and the descriptions reworded; in a task file the
slots, the APIs with their inputs, outputs and columns, and the intents. Its nodes, which are the
labels of actions, stay, and so do its texts apart from their placeholders.
"""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice, product
from typing import Any

import msgspec
from msgspec.structs import replace

from dialoom.errors import UsageError
from dialoom.schema.lexicon import split_name, texts_of
from dialoom.schema.service import Service, ServiceIntent, ServiceSlot
from dialoom.schema.services import from_service
from dialoom.schema.task import TaskSchema
from dialoom.schema.variants import Names
from dialoom.schema.yaml.grammar import TASK_FILE
from dialoom.schema.yaml.scalars import LONGEST_NAME, NAME

MOST = 400
"""Most candidates for one name."""

FAR = 0.25
"""Least distance of a variant that may have another casing, which changes many letters."""

_WORD = re.compile(r"[^\W\d_]+")
_VOWELS = re.compile(r"(?<=\w)[aeiou]")
_FORM = 3
"""Letters that a word is cut to in a short form."""


class Synonyms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One language's `lang/…-synonyms.json`.

    `joint` is the word between reversed words ("of" in "date of leaving"); words in `before` may
    precede any name. The first word of a group may become each of the others, which become only it.
    """

    joint: str
    before: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...]

    def of(self, word: str) -> tuple[str, ...]:
        """Return other words for a word."""
        others = [other for group in self.groups if group[0] == word for other in group[1:]]
        others += [group[0] for group in self.groups if word in group[1:]]
        return tuple(dict.fromkeys(others))


@lru_cache(maxsize=8)
def synonyms(language: str = "en") -> Synonyms:
    """Return the synonyms of a language; `UnknownNameError` without any."""
    return texts_of(language, "synonyms", "synonyms", Synonyms)


def between(old: str, new: str) -> float:
    """Return the normalised edit distance of two names, from 0 to 1.

    >>> between("date", "data"), between("city", "city")
    (0.25, 0.0)
    """
    from rapidfuzz.distance import Levenshtein  # deferred: only variants need it

    return float(Levenshtein.normalized_distance(old, new))


def distance(names: Mapping[str, str]) -> float:
    """Return the distance of a variant, 0 to 1: the mean of its names'; 0 without names."""
    return sum(between(*pair) for pair in names.items()) / len(names) if names else 0.0


def reword(
    names: Iterable[str],
    distance: float,
    seed: int | str,
    *,
    language: str = "en",
    plain: Collection[str] = (),
) -> dict[str, str]:
    """Return old name to new, so that the mean distance comes close to `distance`, 0 to 1.

    The same arguments give the same names. New names are all different, and none is an old one.
    Names in `plain` stay in lower_snake_case. Large distances may be out of reach. `UsageError` for
    other distances, `UnknownNameError` for languages without synonyms.
    """
    if not 0 <= distance <= 1:
        raise UsageError(f"a distance is between 0 and 1, not {distance}", code="out-of-range")
    olds = list(dict.fromkeys(names))
    rng, words = random.Random(f"variant {seed}"), synonyms(language)
    order = rng.sample(olds, len(olds))
    all_names, renames, total = set(olds), dict[str, str](), 0.0
    camel = distance >= FAR and rng.random() < 0.5
    for place, old in enumerate(order):
        due = (distance * len(olds) - total) / (len(olds) - place)
        ways = _candidates(old, words, plain=old in plain, camel=camel)
        new = _nearest(old, due, all_names, ways, rng)
        all_names.add(new)
        renames[old] = new
        total += between(old, new)
    return {old: renames[old] for old in olds}


def reword_text(text: str, share: float, seed: int | str, *, language: str = "en") -> str:
    """Return a text with synonyms for a share (0 to 1) of the words that have some."""
    rng, words = random.Random(f"text {seed}"), synonyms(language)

    def other(match: re.Match[str]) -> str:
        word = match[0]
        choices = words.of(word.lower())
        if not choices or rng.random() >= share:
            return word
        new = rng.choice(choices)
        return new[:1].upper() + new[1:] if word[0].isupper() else new

    return _WORD.sub(other, text)


def _nearest(
    old: str, due: float, all_names: set[str], candidates: Iterable[str], rng: random.Random
) -> str:
    best, gap = [old], due
    for new in candidates:
        if new in all_names:
            continue
        off = abs(between(old, new) - due)
        if off < gap - 1e-9:
            best, gap = [new], off
        elif off <= gap + 1e-9:
            best.append(new)
    return rng.choice(best)


def _candidates(name: str, words: Synonyms, *, plain: bool, camel: bool) -> Iterator[str]:
    spoken = (way for terms in _said(split_name(name), words) for way in _ordered(terms, words))
    ways = dict.fromkeys(_spelled(name, terms, camel=camel and not plain) for terms in spoken)
    for way in islice(ways, MOST):
        fits = re.fullmatch(NAME, way) if plain else way
        if fits and way != name and len(way) <= LONGEST_NAME:
            yield way


def _said(parts: list[str], words: Synonyms) -> Iterator[tuple[str, ...]]:
    """Yield the words of a name with synonyms and short forms in their places."""
    choices = [dict.fromkeys((part, *words.of(part), *_short(part))) for part in parts]
    for choice in islice(product(*choices), MOST // 4):
        yield tuple(word for each in choice for word in each.split())


def _short(word: str) -> list[str]:
    if len(word) <= _FORM + 1:
        return []
    return [word[:_FORM], _VOWELS.sub("", word)]


def _ordered(terms: tuple[str, ...], words: Synonyms) -> Iterator[tuple[str, ...]]:
    yield terms
    if len(terms) > 1:
        yield (terms[-1], words.joint, *terms[:-1])
        yield (terms[-1], *terms[:-1])
    for word in words.before:
        if word not in terms:
            yield (word, *terms)
            yield (*terms, word)


def _spelled(name: str, terms: tuple[str, ...], *, camel: bool) -> str:
    """Return the words in the spelling of the name: snake_case or CamelCase.

    With `camel`, a name in snake_case becomes one in camelCase.
    """
    joined = "".join(word[:1].upper() + word[1:] for word in terms)
    if "_" not in name and name != name.lower():
        return joined
    return joined[:1].lower() + joined[1:] if camel else "_".join(terms)


_Raw = dict[str, Any]


def vary_service(
    task: TaskSchema, service: Service, distance: float, seed: int
) -> tuple[TaskSchema, Names]:
    """Return a service's task under other names, with `Names`.

    The new id has the seed. `distance` is the mean distance of slots and intents, 0 to 1
    (rewording.py), and the share of replaced words in descriptions. `UsageError` for others,
    `UnknownNameError` for languages without synonyms.
    """
    own, language = f"{seed} {task.id}", task.language
    names = [slot.name for slot in service.slots] + [each.name for each in service.intents]
    new = reword(names, distance, own, language=language)
    slots = {slot.name: new[slot.name] for slot in service.slots}
    intents = {intent.name: new[intent.name] for intent in service.intents}

    def described(text: str | None, place: str) -> str | None:
        if text is None:
            return None
        return reword_text(text, distance, f"{own} {place}", language=language)

    def slot(element: ServiceSlot) -> ServiceSlot:
        text = described(element.description, element.name)
        return replace(element, name=slots[element.name], description=text)

    def intent(element: ServiceIntent) -> ServiceIntent:
        return replace(
            element,
            name=intents[element.name],
            description=described(element.description, element.name),
            required=tuple(slots.get(name, name) for name in element.required),
            optional={slots.get(name, name): value for name, value in element.optional.items()},
            results=tuple(slots.get(name, name) for name in element.results),
        )

    variant = replace(
        service,
        description=described(service.description, ""),
        slots=tuple(map(slot, service.slots)),
        intents=tuple(map(intent, service.intents)),
    )
    name = f"{task.id}x{seed}"
    varied = from_service(name, variant, language=language, origins=task.origins)
    return varied, Names(name, slots, intents)


def vary_file(value: _Raw, distance: float, seed: int) -> tuple[_Raw, dict[str, str]]:
    """Return a valid task file's value under other names, and old name to new.

    `distance` is the names' mean distance, 0 to 1 (rewording.py). `UsageError` for others,
    `UnknownNameError` for languages without synonyms.
    """
    slots, intents = _keys(value, "slots"), _keys(value, "intents")
    tables, apis = value.get("tables") or {}, value.get("apis") or {}
    columns = [name for table in tables.values() for name in table["columns"]]
    for api in apis.values():
        columns += [name for key in ("inputs", "outputs") for name in api.get(key) or ()]
    plain = {*slots, *intents}
    names = reword(
        [*slots, *intents, *apis, *columns],
        distance,
        f"{seed} {value['task']}",
        language=value["language"],
        plain=plain,
    )
    variant: _Raw = TASK_FILE.renamed(value, lambda name: names.get(name, name))
    return variant | {"task": f"{value['task']}_x{seed}", "aliases": []}, names


def _keys(value: _Raw, key: str) -> list[str]:
    return list(value.get(key) or ())
