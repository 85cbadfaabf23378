"""Values of slots in what a user says: those that `values.find` finds, each for one slot.

    found = read(program, "From the third to the ninth, please.", state)
    found.values                # {"arrival": "2021-05-03", "departure": "2021-05-09"}
    found.text                  # "From {arrival} to {departure}, please."

Where several slots could have a value, it belongs to the slot that was asked for, or that stands in
such a place in the examples of the task file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec.structs import replace

from dialoom.flow.program import TaskProgram
from dialoom.schema.lexicon import cues, lexicon, words
from dialoom.schema.slot import Slot
from dialoom.schema.values import TEXTS, Mention, best, by_place, disjoint, find, kind, parse
from dialoom.schema.values.index import LIKE
from dialoom.sim.policies.flow.state import DialogueState
from dialoom.sim.policies.flow.wordings import KEPT, neighbours, tokens, wordings_of
from dialoom.tracking.reading import reader_of

ASKED, REPEATED, SURE = 3.0, 2.0, 2.5
"""Log odds added for a slot that was asked for, that had this value before, or that alone can have
such a value; the words near the value have their own weight (`Wordings.slots`)."""

FORMLESS = 1.0
"""Log odds subtracted for a value whose form does not tell its type, such as a bare number."""

SENTENCE = re.compile(r"(?<=[.!?:…]) +")
"""The blanks after the end of a sentence, or after a colon or an ellipsis."""

_ENDED = re.compile(r"(?<=\w{4})[.!?;] |(?<=\w)[!?;] ")
"""The end of a sentence in a free-text value: four letters before the full stop, so that a title
("Dr.") is none."""

_MARKS = re.compile(r"[,;:.!?…]")
_NUMBERED = re.compile(r"\{(\d+)\}")


class ValueReading(NamedTuple):
    """The values in a text, and the text with the slots in their places."""

    values: dict[str, Any]
    text: str


def read(program: TaskProgram, text: str, state: DialogueState) -> ValueReading:
    """Return the values in a text, each for the slot with the highest log odds."""
    places = _places(program, text)
    asked = {slot for slot, bit in program.bits.items() if state.asked & bit}
    weighed = sorted(_weighed(program, text, places, asked, state), key=lambda each: -each[0])
    values: dict[str, Any] = {}
    owners: dict[int, str] = {}
    for _, number, mention in weighed:
        if number in owners:
            continue
        several = program.schema.slots[mention.slot].type == "categories"
        if several or mention.slot not in values:
            owners[number] = mention.slot
            held = values.get(mention.slot, [])
            values[mention.slot] = [*held, mention.value] if several else mention.value
    shown = _NUMBERED.sub(
        lambda m: f"{{{owners[int(m[1])]}}}" if int(m[1]) in owners else " ",
        _numbered(text, places),
    )
    values |= _corrected(program, text, values, state)
    known = {slot: held.canonical for slot, held in state.said.items()}
    fresh = {s: v for s, v in values.items() if s in asked or known.get(s) != v}
    return ValueReading(fresh, shown)


def _weighed(
    program: TaskProgram,
    text: str,
    places: Sequence[tuple[Mention, ...]],
    asked: set[str],
    state: DialogueState,
) -> Iterator[tuple[float, int, Mention]]:
    """Yield log odds, place and mention for each slot that a place may belong to, if above 0."""
    slots, evidence, language = program.schema.slots, wordings_of(program).slots, program.language
    found = tokens(_numbered(text, places))
    for at, each in enumerate(found):
        if each[0] != "{":
            continue
        number, near = int(each[1:-1]), neighbours(found, at)
        surest = max(mention.confidence for mention in places[number])
        if _unwanted(text[: places[number][0].start], language):
            continue
        for mention in places[number]:
            if mention.slot not in asked and _bare_truth(text, mention, language):
                continue
            slot, held = slots[mention.slot], state.said.get(mention.slot)
            weight = evidence.weight(mention.slot, near) + (mention.confidence - surest)
            weight += ASKED if mention.slot in asked else 0.0
            weight += REPEATED if held is not None and held.canonical == mention.value else 0.0
            rivals = sum(other.confidence > surest / 2 for other in places[number])
            if _has_form(slot, mention, language):
                weight += SURE if rivals == 1 else 0.0
            elif mention.slot not in asked and not text[mention.start].isdigit():
                weight -= FORMLESS
            if weight > 0:
                yield weight, number, mention


def _bare_truth(text: str, mention: Mention, language: str) -> bool:
    """Tell whether a value is a mere yes or no."""
    return lexicon(language).truth(text[mention.start : mention.end]) is not None


def _has_form(slot: Slot, mention: Mention, language: str) -> bool:
    """Tell whether a value shows by itself what it is: no bare number, no yes or no."""
    if slot.type in TEXTS:
        return mention.confidence == 1 or mention.value in slot.examples
    if slot.type == "amount":
        return mention.confidence == 1
    return kind(slot, language) not in ("number", "boolean")


@lru_cache(maxsize=KEPT)
def _unwanted(before: str, language: str) -> bool:
    """Tell whether a value follows words that say it is not wanted."""
    spoken = words(before)
    leads = [words(phrase) for phrase in lexicon(language).without]
    ends = (spoken[: len(spoken) - skipped] for skipped in (0, 1))
    return any(lead and end[-len(lead) :] == lead for end in ends for lead in leads)


_found: dict[tuple[int, str], tuple[TaskProgram, tuple[tuple[Mention, ...], ...]]] = {}


def _places(program: TaskProgram, text: str) -> tuple[tuple[Mention, ...], ...]:
    """Return the places of values in a text, each with the slots that it may be of."""
    held = _found.get((id(program), text))
    if held is None or held[0] is not program:
        if len(_found) > KEPT:
            _found.clear()
        held = _found[id(program), text] = (program, tuple(_apart(program, text)))
    return held[1]


def _apart(program: TaskProgram, text: str) -> Iterator[tuple[Mention, ...]]:
    """Yield the mentions at places that do not overlap; of overlapping places the longest stays."""
    slots = [slot for name, slot in program.schema.slots.items() if name in program.bits]
    places = by_place(map(_within, find(text, slots, program.language)))
    kept = (
        held[0]
        for (start, end), held in places.items()
        if not _vocabulary(program, text[start:end], held)
    )
    for first in sorted(disjoint(kept), key=lambda mention: (mention.start, mention.end)):
        yield tuple(places[first.start, first.end])


def _within(mention: Mention) -> Mention:
    """Return a name without what begins after its sentence."""
    if not isinstance(mention.value, str):
        return mention
    cut = _ENDED.search(mention.value)
    if cut is None or mention.end - mention.start != len(mention.value):
        return mention
    kept = mention.value[: cut.start()]
    return replace(mention, value=kept, end=mention.start + len(kept))


def _vocabulary(program: TaskProgram, text: str, mentions: Sequence[Mention]) -> bool:
    """Tell whether mentions are unsure and consist of words of the task's own texts."""
    unsure = all(mention.confidence * len(mentions) < 0.5 for mention in mentions)
    return unsure and wordings_of(program).literals.issuperset(words(text))


def _numbered(text: str, places: Sequence[tuple[Mention, ...]]) -> str:
    """Return a text with each place replaced by its number in braces, which it has no others of."""
    plain = text.replace("{", "(")
    shown, at = "", 0
    for number, (mention, *_) in enumerate(places):
        shown += f"{plain[at : mention.start]}{{{number}}}"
        at = mention.end
    return shown + plain[at:]


def _corrected(
    program: TaskProgram, text: str, values: Mapping[str, Any], state: DialogueState
) -> Iterator[tuple[str, Any]]:
    """Yield the values that stand in a sentence beside the old ones: "Friday, not Monday"."""
    for sentence in SENTENCE.split(text):
        lowered = sentence.casefold()
        for slot, old in state.said.items():
            forms = program.words.forms(slot, old.canonical)
            if not any(form.text.casefold() in lowered for form in forms):
                continue
            held = program.schema.slots[slot]
            mentions = best(find(sentence, (held,), program.language))
            others = [m.value for m in mentions if m.value != old.canonical and m.confidence > LIKE]
            if len(others) == 1 and values.get(slot, old.canonical) == old.canonical:
                yield slot, others[0]


def answer(program: TaskProgram, name: str, text: str) -> Any:
    """Return the value that a whole answer gives."""
    slot, language = program.schema.slots[name], program.language
    if slot.type in TEXTS:
        value = reader_of(program.schema).heard(text, [name]).get(name, (None, ""))[0]
        return value if value is None or _likely(slot, str(value), language) else None
    value = parse(slot, text, language)
    if value is None and kind(slot, language) == "boolean":
        told = cues(text, language)
        if told["yes"] != told["no"]:
            spoken = lexicon(language)
            return parse(slot, (spoken.yes if told["yes"] else spoken.no)[0], language)
    return value


def _likely(slot: Slot, text: str, language: str) -> bool:
    """Tell whether a free text looks like the examples of its slot: marks, capitals and length."""
    if text in slot.examples or not slot.examples:
        return True
    spoken = lexicon(language)
    if (spoken.stop | spoken.common).issuperset(words(text)):
        return False
    if set(_MARKS.findall(text)) - set(_MARKS.findall(" ".join(slot.examples))):
        return False
    named = all(word[:1].isupper() for each in slot.examples for word in each.split())
    if named and not all(word[:1].isupper() for word in text.split()):
        return False
    return len(text.split()) <= 1 + max(len(each.split()) for each in slot.examples)
