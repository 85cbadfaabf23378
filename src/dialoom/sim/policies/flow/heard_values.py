"""Values of slots in what a user says, by the state of the dialogue.

found = read(program, "From the third to the ninth, please.", state)
found.values                # {"arrival": "2021-05-03", "departure": "2021-05-09"}
found.text                  # "From {arrival} to {departure}, please."
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from dialoom.reading.mentions import chooser_of
from dialoom.reading.user_turn import reader_of
from dialoom.schema.lexicon import cues, lexicon, words
from dialoom.schema.slot import Slot
from dialoom.schema.values import TEXTS, kind, parse
from dialoom.sim.policies.flow.program import Program
from dialoom.sim.policies.flow.state import DialogueState

_MARKS = re.compile(r"[,;:.!?…]")


class ValueReading(NamedTuple):
    """The values in a text, and the text with the slots in their places."""

    values: dict[str, Any]
    text: str


def read(program: Program, text: str, state: DialogueState) -> ValueReading:
    """Return the values in a text that were asked for or are not known yet."""
    asked = {slot for slot, bit in program.bits.items() if state.asked & bit}
    known = {slot: held.canonical for slot, held in state.said.items()}
    chooser = chooser_of(program.schema)
    chosen = chooser.choose(text, asked, known)
    values = chosen.values | dict(chooser.corrected(text, chosen.values, known))
    fresh = {s: v for s, v in values.items() if s in asked or known.get(s) != v}
    return ValueReading(fresh, chosen.text)


def answer(program: Program, name: str, text: str) -> Any:
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
