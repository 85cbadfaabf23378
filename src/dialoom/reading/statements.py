"""The values that a turn of the system names; those that nobody said and no call returned.

stated(pack.load("hotel_book"), "From 4 May to 17 May.")      # arrival, then departure
for place in unfounded(task, text, turn, known):
    place[0].slot, place[0].value     # ("time", "20:00"), where the user said seven
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from dialoom.reading.profile import described
from dialoom.reading.slot_words import denied, fixed
from dialoom.reading.spoken import SpokenTurn
from dialoom.reading.task_words import clause_of, enumerates, number_words, task_words
from dialoom.reading.wording import around, wording_of
from dialoom.schema.lexicon import lexicon, words
from dialoom.schema.once import once_for_each
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from dialoom.schema.values import TEXTS, Mention, best, by_place, find, numbers, plain, render
from dialoom.schema.values.text import Text

Places = Mapping[tuple[int, int], Sequence[Mention]]
"""Start and end of a place in a text to the mentions there."""

RIVAL = 0.6
"""Share of the likeliest mention's confidence that another slot's mention needs."""


def stated(
    task: TaskSchema, text: str, state: Mapping[str, Any] | None = None
) -> Iterator[Mention]:
    """Yield the values of a text in order.

    If a value fits several slots, the words before it decide by the slots' descriptions. Next come
    slots that already have it, then slots without another value in the text, in the order of the
    task. `state` maps slots to their values so far.
    """
    language = task.language
    every = find(text, task.slots.values(), language)
    mentions = [
        m
        for m in every
        if not (fixed(task, text, m.start, m.end) or enumerates(text, m.start, m.end, language))
    ]
    at = by_place(mentions)
    places = [
        [m for m in at[first.start, first.end] if m.confidence >= RIVAL * first.confidence]
        for first in best(mentions)
    ]
    owners = {rivals[0].slot for rivals in places if len(rivals) == 1}
    end = 0
    for rivals in places:
        before = wording_of(text[end : rivals[0].start].lower(), task.language).concepts
        end = rivals[0].end
        about = [described(task.slots[each.slot], task.language).concepts for each in rivals]
        before -= frozenset.intersection(*about)
        ranks = [
            (
                len(before & own),
                (state or {}).get(m.slot) == m.value,
                m.slot not in owners,
                m.confidence,
            )
            for m, own in zip(rivals, about, strict=True)
        ]
        choice = rivals[ranks.index(max(ranks))]
        owners.add(choice.slot)
        yield replace(choice, confidence=max(each.confidence for each in rivals))


SURE = 0.8
"""Least confidence of a value, as if no other slot could have it too."""

RANGED = frozenset({"time", "integer", "amount"})
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

STATING = frozenset({"confirm", "success", "inform", "offer", "more", "goodbye", ""})
"""Functions of sentences that state facts; values in others are examples or limits."""

CLOSING = frozenset({"more", "goodbye"})
"""Those of them of which a clause that asks states nothing ("Booked for 4 pm, anything else?")."""

_CLAUSE = re.compile(r"[^.,;!?\n]*[.,;!?\n]?")
_SENTENCE = re.compile(r"[^.!?\n]*([.!?\n]?)(?: ?\([^()\n]*\))?")
"""A sentence, its mark, and what follows in brackets, such as the titles of buttons."""


def unfounded(
    task: TaskSchema, text: str, turn: SpokenTurn, values: Sequence[Any]
) -> Iterator[tuple[Mention, ...]]:
    """Yield the places of a turn that name an unknown value, each with its possible slots.

    A misunderstood sentence states something only if it names a known value as well; otherwise a
    word in it may mean anything ("Maintenance unit, go ahead"). Values of questions state nothing.
    `values` are all values said or returned, of any slot.
    """
    asking = asked_in(turn)
    if all(act.text in asking for act in turn.acts):
        return
    spoken = lexicon(task.language)
    texts = [value for value in values if isinstance(value, str)]
    values = [*values, *map(plain, values)]  # a category "5" and a number 5
    places = by_place(find(text, _boundless(task), task.language))
    open_ = {*_spans(text, places, task.language), *_choices(text, places)}
    known_places = {at for at, place in places.items() if _is_known(place, values)}
    known_texts = [text[start:end] for start, end in known_places]
    unread = (act.text for act in turn.acts if not act.function and act.action is None)
    asking += [each for each in unread if not any(words in each for words in known_texts)]
    for (start, end), place in places.items():
        words = text[start:end]
        if (
            (start, end) in known_places
            or not _is_sure(task, place)
            or (start, end) in open_
            or any(s < start < e < end or start < s < end < e for s, e in known_places)
            or limits(task, text, place[0], LIMITS)
            or any(words in other for other in (*asking, *texts))
        ):
            continue
        if spoken.truth(words) is None:
            own = claims(task, text, place)
            if own or _is_reference(task, text, place[0], values):
                yield tuple(own or place)


def _is_sure(task: TaskSchema, place: Sequence[Mention]) -> bool:
    """Return True if a place surely has a value, of whichever slot or half of the day."""
    if all(task.slots[mention.slot].type == "time" for mention in place):
        return sum(mention.confidence for mention in place) >= SURE
    return max(mention.confidence for mention in place) * len({m.slot for m in place}) >= SURE


def asked_in(turn: SpokenTurn) -> list[str]:
    """Return the parts of a turn that state nothing: questions, and other lines than `STATING`."""
    parts = [act.text for act in turn.acts if act.asks or act.function not in STATING]
    closing = (act.text for act in turn.acts if act.function in CLOSING)
    return [
        *parts,
        *(clause for line in closing for clause in _CLAUSE.findall(line) if clause[-1:] == "?"),
    ]


def _spans(text: str, places: Places, language: str) -> Iterator[tuple[int, int]]:
    """Yield the places of ranges that no two slots of a task can have ("from 8 am to 8 pm")."""
    spoken, ordered = lexicon(language), sorted(places)
    joints = [words(joint) or [joint] for joint in spoken.ranges]
    for first, last in pairwise(ordered):
        shared = {m.slot for m in places[first]} & {m.slot for m in places[last]}
        between = text[first[1] : last[0]].casefold().split()
        if len(shared) == 1 and [each for each in between if each not in spoken.articles] in joints:
            yield from (first, last)


def _choices(text: str, places: Places) -> Iterator[tuple[int, int]]:
    """Yield the places of a question with more values than their slots can have ("A or B?")."""
    spans = list(_SENTENCE.finditer(text))
    ends = [sentence.end() for sentence in spans]
    groups: dict[tuple[int, frozenset[str]], list[tuple[int, int]]] = {}
    for (start, end), place in places.items():
        at = bisect_left(ends, end)
        if spans[at][1] == "?" and start >= (ends[at - 1] if at else 0):
            groups.setdefault((at, frozenset(m.slot for m in place)), []).append((start, end))
    for (_, slots), group in groups.items():
        if len({text[start:end].casefold() for start, end in group}) > len(slots):
            yield from group


def claims(task: TaskSchema, text: str, place: Sequence[Mention]) -> list[Mention]:
    """Return the mentions of a place that the words around it allow to be values.

    A bare number may count anything. A name after "this is" is the speaker's own, and a time in a
    clause of other things is theirs.
    """
    language, (start, end) = task.language, (place[0].start, place[0].end)
    if enumerates(text, start, end, language) or fixed(task, text, start, end):
        return []
    types = {mention.slot: task.slots[mention.slot].type for mention in place}
    if {*types.values()} <= TEXTS and _introduces(around(text, start, end)[0], language):
        return []
    if {*types.values()} == {"time"} and _elsewhere(task, text, place):
        return []
    if not _is_number(text[start:end], language):
        return list(place)
    own = number_words(task)
    return [
        mention
        for mention in place
        if types[mention.slot] == "date" or own.state(mention.slot, text, start, end)
        if not _too_short(task.slots[mention.slot], mention.value)
    ]


def _is_reference(task: TaskSchema, text: str, mention: Mention, known: Sequence[Any]) -> bool:
    """Return True if a number is labelled as one, with as many digits as a known one."""
    digits = len(str(mention.value))
    alike = digits > 2 and any(isinstance(v, int) and len(str(v)) == digits for v in known)
    numeric = isinstance(mention.value, int) and not isinstance(mention.value, bool)
    return numeric and alike and number_words(task).numbered(text, mention.start)


def _is_number(place: str, language: str) -> bool:
    spoken = lexicon(language)
    kinds = (spoken.numbers, spoken.ordinals, spoken.articles)
    return all(
        word.isdigit() or any(word in held for held in kinds)
        for word in re.split(r"[\s,-]+", place.casefold())
    )


def _too_short(slot: Slot, value: Any) -> bool:
    """Return True if a number has fewer digits than the least of its slot, such as a customer's."""
    least = slot.minimum
    return isinstance(least, int) and isinstance(value, int) and value < 10 ** (len(str(least)) - 1)


def _introduces(before: str, language: str) -> bool:
    spoken = f" {' '.join(words(before))}"
    return any(spoken.endswith(f" {phrase}") for phrase in lexicon(language).introductions)


def _elsewhere(task: TaskSchema, text: str, place: Sequence[Mention]) -> bool:
    """Return True if a time's clause, or the last word before it, has nothing of the task."""
    own, (before, after) = task_words(task), clause_of(text, place[0].start, place[0].end)
    before = [word for word in before if word not in lexicon(task.language).clock_cues]
    ends = [" ".join(before[at:]) for at in reversed(range(len(before)))]
    last, longer = next((pair for pair in pairwise((*ends, "")) if own.rare(pair[0])), ("", ""))
    if longer and not own.rare(last) <= own.rare(longer):  # the last word is part of a phrase
        last = longer
    about = (described(task.slots[mention.slot], task.language).concepts for mention in place)
    if any(wording_of(last, task.language).concepts & each for each in about):
        return False
    clause = " ".join((*before, *after))
    return any(own.rare(words) and not own.concerns(words) for words in (clause, last))


def limits(task: TaskSchema, text: str, place: Mention, names: Iterable[str] = ()) -> bool:
    """Return True if words at a value compare with it (by `names` of comparisons; any if empty)."""
    spoken = lexicon(task.language)
    before, after = around(text, place.start, place.end)
    before, after = f" {before.rstrip()}", f"{after.lstrip()} "
    listed = (
        phrase for n in names or spoken.comparisons for phrase in spoken.comparisons.get(n, ())
    )
    return any(
        before.casefold().endswith(f" {each}") or after.casefold().startswith(f"{each} ")
        for each in listed
    )


def _is_known(place: Iterable[Mention], values: Sequence[Any]) -> bool:
    return any(m.value in values or plain(m.value) in values for m in place)


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
            if not denied(around(text, start, start)[0], language):
                return True
    mentions = () if slot is None else find(text, (slot,), language)
    return any(
        mention.value == value and not denied(around(text, mention.start, mention.end)[0], language)
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
    digits, at = "", 0
    for start, end, number, _ in sorted(numbers.readings(Text(text, language))):
        if start >= at:
            digits, at = f"{digits}{text[at:start]}{number}", end
    return digits + text[at:]


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
