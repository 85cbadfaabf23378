"""The values that a turn of the system names; those that nobody said and no call returned.

stated(pack.load("hotel_book"), "From 4 May to 17 May.")      # arrival, then departure
for place in unfounded(task, text, turn, known):
    place[0].slot, place[0].value     # ("time", "20:00"), where the user said seven
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from dialoom.reading.profile import described
from dialoom.reading.slot_words import denied, fixed
from dialoom.reading.spoken import SpokenTurn
from dialoom.reading.wording import wording_of
from dialoom.schema.lexicon import Lexicon, lexicon, words
from dialoom.schema.once import once_for_each
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from dialoom.schema.values import Mention, best, by_place, find, numbers, plain, render
from dialoom.schema.values.text import Text

RIVAL = 0.6
"""Share of the likeliest mention's confidence that another slot's mention needs."""


def stated(
    task: TaskSchema, text: str, known: Mapping[str, Any] | None = None
) -> Iterator[Mention]:
    """Yield the values of a text in order.

    If a value fits several slots, the words before it decide by the slots' descriptions. Next come
    slots that already have it, then slots without another value in the text, in the order of the
    task. `known` maps slots to their values so far.
    """
    every = find(text, task.slots.values(), task.language)
    found = [
        m
        for m in every
        if not (fixed(task, text, m.start, m.end) or _counts(task, text, m.start, m.end))
    ]
    places = [[m for m in found if _rivals(m, first)] for first in best(found)]
    taken = {rivals[0].slot for rivals in places if len(rivals) == 1}
    end = 0
    for rivals in places:
        before = wording_of(text[end : rivals[0].start].lower(), task.language).concepts
        end = rivals[0].end
        about = [described(task.slots[each.slot], task.language).concepts for each in rivals]
        before -= frozenset.intersection(*about)
        ranks = [
            (
                len(before & own),
                (known or {}).get(m.slot) == m.value,
                m.slot not in taken,
                m.confidence,
            )
            for m, own in zip(rivals, about, strict=True)
        ]
        chosen = rivals[ranks.index(max(ranks))]
        taken.add(chosen.slot)
        yield replace(chosen, confidence=max(each.confidence for each in rivals))


def _rivals(mention: Mention, best_: Mention) -> bool:
    """Return True if a mention may be meant in place of the likeliest one."""
    likely = mention.confidence >= RIVAL * best_.confidence
    return likely and (mention.start, mention.end) == (best_.start, best_.end)


SURE = 0.8
"""Least confidence of a value, as if no other slot could have it too."""

RANGED = frozenset({"time", "integer"})
"""Types whose values are read beyond the slot's range, too, since they are wrong all the same. A
date's range gives its year. With integers, 19 of 19 wrong numbers of guests are found, 16 without.
"""

_NUMBER = Slot(name="number", type="amount")
"""A slot for a returned number that has none in the task."""

_TRUTH = Slot(name="truth", type="boolean")
"""A slot for a returned truth value that has none in the task; agents say yes or no for it."""

_UNIT = re.compile(r"(?<=\d)(?=[^\W\d_]{1,3}(?!\w))")
"""The boundary between a digit and a unit of up to three letters ("16C", "3x")."""

NEAR = 3
"""Words before the one for a slot in which a denial is looked for ("has no private balcony")."""

LIMITS = ("at_least", "at_most")
"""Comparisons that make a value a limit, which nobody need have given."""

STATING = frozenset({"confirm", "success", "inform", "offer", ""})
"""Functions of sentences that state facts; values in others are examples or limits."""


def unfounded(
    task: TaskSchema, text: str, turn: SpokenTurn, known: Sequence[Any]
) -> Iterator[tuple[Mention, ...]]:
    """Yield the places of a turn that name an unknown value, each with its possible slots.

    A misunderstood sentence states something only if it names a known value as well; otherwise a
    word in it may mean anything ("Maintenance unit, go ahead"). Values of questions state nothing.
    `known` are all values said or returned, of any slot.
    """
    asking = [act.text for act in turn.acts if act.asks or act.function not in STATING]
    if len(asking) == len(turn.acts):
        return
    spoken = lexicon(task.language)
    texts = [value for value in known if isinstance(value, str)]
    known = [*known, *map(plain, known)]  # a category "5" and a number 5
    places = by_place(find(text, _boundless(task), task.language))
    known_texts = [text[s:e] for (s, e), place in places.items() if _is_known(place, known)]
    unread = (act.text for act in turn.acts if not act.function and act.action is None)
    asking += [each for each in unread if not any(words in each for words in known_texts)]
    for (start, end), place in places.items():
        words = text[start:end]
        rivals = len({mention.slot for mention in place})
        sure = max(mention.confidence for mention in place) * rivals >= SURE
        if (
            not sure
            or _limits(text, start, end, spoken)
            or fixed(task, text, start, end)
            or _counts(task, text, start, end)
            or any(words in other for other in (*asking, *texts))
        ):
            continue
        if spoken.truth(words) is None and not _is_known(place, known):
            yield tuple(place)


def _counts(task: TaskSchema, text: str, start: int, end: int) -> bool:
    """Return True if a place of a text is a number of a count of steps ("5 of 6")."""
    found = _count(task.language).finditer(text)
    return any(each.start() <= start and end <= each.end() for each in found)


@lru_cache(maxsize=32)
def _count(language: str) -> re.Pattern[str]:
    of = "|".join(map(re.escape, lexicon(language).of))
    return re.compile(rf"\b\d+ (?:{of}) \d+\b" if of else r"(?!)")


def _limits(text: str, start: int, end: int, spoken: Lexicon) -> bool:
    before, after = f" {text[:start].rstrip()}".casefold(), f"{text[end:].lstrip()} ".casefold()
    limits = (phrase for name in LIMITS for phrase in spoken.comparisons.get(name, ()))
    return any(before.endswith(f" {each}") or after.startswith(f"{each} ") for each in limits)


def _is_known(place: Iterable[Mention], known: Sequence[Any]) -> bool:
    return any(m.value in known or plain(m.value) in known for m in place)


def names(text: str, slot: Slot | None, value: Any, language: str) -> bool:
    """Return True if a text names a canonical value (of no slot if None) and does not deny it.

    Numbers count in digits or words, also with a unit ("16C"); a truth value counts in a clause
    about its slot ("without a balcony").
    """
    if isinstance(value, bool) and slot is not None and value in _truths(text, slot, language):
        return True
    if slot is None and isinstance(value, bool):
        slot = _TRUTH
    if slot is None and isinstance(value, int | float):
        slot, text = _NUMBER, _UNIT.sub(" ", text)
    forms = (plain(value, language),) if slot is None else render(slot, value, language)
    forms = (*forms, plain(value, language)) if slot is _TRUTH else forms
    if slot is None:
        forms = tuple(_in_digits(form, language) for form in forms)
        text = _in_digits(text, language)
    lowered = text.casefold()
    for form in forms:
        for start in _places(form.casefold(), lowered):
            if not denied(text[:start], language):
                return True
    mentions = () if slot is None else find(text, (slot,), language)
    return any(
        mention.value == value and not denied(text[: mention.start], language)
        for mention in mentions
    )


def _truths(text: str, slot: Slot, language: str) -> Iterator[bool]:
    """Yield True for each clause that names a slot's noun, False where a denial precedes the noun.

    The noun is the last word of the description ("whether there is a balcony").
    """
    spoken, about = lexicon(language), described(slot, language)
    noun = next((stem for stem in reversed(about.stems) if stem in about.words), None)
    denials = (*spoken.without, *spoken.no, *spoken.cues["no"])
    for clause in re.split(r"[.,;:!?\n]+", text):
        own = words(clause)
        for at, word in enumerate(own):
            if noun is not None and noun in wording_of(word, language).stems:
                before = f" {' '.join(own[max(0, at - NEAR) : at])} "
                yield not any(f" {denial} " in before for denial in denials)


def _in_digits(text: str, language: str) -> str:
    shown, at = "", 0
    for start, end, number, _ in sorted(numbers.readings(Text(text, language))):
        if start >= at:
            shown, at = f"{shown}{text[at:start]}{number}", end
    return shown + text[at:]


def _places(form: str, text: str) -> Iterator[int]:
    """Yield the places where whole words of a text are a form (compiling a pattern costs more)."""
    start = text.find(form) if form else -1
    while start >= 0:
        end = start + len(form)
        around = text[start - 1 : start] + text[end : end + 1]
        if not any(letter.isalnum() or letter == "_" for letter in around):
            yield start
        start = text.find(form, start + 1)


def flat(values: Iterable[Any]) -> list[Any]:
    """Return values, the elements of lists in place of the lists."""
    return [
        each
        for value in values
        for each in (value if isinstance(value, list | tuple) else (value,))
    ]


@once_for_each
def _boundless(task: TaskSchema) -> tuple[Slot, ...]:
    slots = task.slots.values()
    return tuple(replace(s, minimum=None, maximum=None) if s.type in RANGED else s for s in slots)
