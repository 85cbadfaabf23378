"""Values of slots: rendering them as text, and finding them in utterances.

    slot = Slot(name="time", type="time", minimum="17:00", maximum="22:00", step=30)
    render(slot, "17:30")                      # ("5:30 pm", "17:30", "half past 5", …)
    parse(slot, "half past seven, please")     # "19:30"
    find("At 8 pm for two", (slot,))           # (Mention("time", "20:00", 3, 7, 1.0),)

Every rendering of a value, alone or in a sentence, is found again as that value at that place.
Canonical are listed values as the schema spells them, numbers, True and False, times as "17:30",
dates as "2021-05-03". The words of each language are in `lang/`.
"""

from dialoom.schema.values.choices import Kind, sayable
from dialoom.schema.values.finding import (
    TEXTS,
    best,
    find,
    kind,
    parse,
    plain,
    read,
    render,
    said_values,
    values_of,
)
from dialoom.schema.values.likeness import same
from dialoom.schema.values.mention import Mention, by_place, disjoint
from dialoom.schema.values.ranges import day_of, minute_of, samples, spaced

__all__ = [
    "TEXTS",
    "Kind",
    "Mention",
    "best",
    "by_place",
    "day_of",
    "disjoint",
    "find",
    "kind",
    "minute_of",
    "parse",
    "plain",
    "read",
    "render",
    "said_values",
    "same",
    "samples",
    "sayable",
    "spaced",
    "values_of",
]
