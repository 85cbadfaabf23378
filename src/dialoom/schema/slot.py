"""A slot: something the user of a task may want or know, and which values it takes.

Slot(name="guests", type="integer", minimum=1, maximum=10)
Slot(name="mode", type="category", values={"OnFoot": ("walking", "on foot")})
"""

from __future__ import annotations

from typing import Any, Literal

from dialoom.dialogue.annotation import Struct
from dialoom.schema.lexicon import lexicon

SlotType = Literal[
    "category",
    "categories",
    "short text",
    "long text",
    "integer",
    "boolean",
    "date",
    "time",
    "amount",
]


class Slot(Struct, frozen=True, kw_only=True):
    """Something the user may want or know.

    `values` are canonical values with spoken variants, `examples` those of short and long text.
    Limits are numbers, dates or times as text ("17:00", "2021-05-03"); `step` is minutes for times,
    days for dates; `unit` counts amounts ("dollars"). It is required only while `unless` has no
    value. `depends_on` maps values of other slots to the values that they allow.
    """

    name: str
    type: SlotType
    description: str = ""
    values: dict[str, tuple[str, ...]] = {}
    examples: tuple[str, ...] = ()
    minimum: int | float | str | None = None
    maximum: int | float | str | None = None
    step: int | float = 1
    unit: str | None = None
    optional: bool = False
    unless: str | None = None
    depends_on: dict[str, dict[str, tuple[str, ...]]] = {}


def is_truth(slot: Slot, language: str) -> bool:
    """Return True if every value of a slot is a yes or a no."""
    truths = [lexicon(language).truth(str(value)) for value in slot.values]
    return slot.type == "boolean" or (bool(truths) and None not in truths)


def canonical(slot: Slot, text: str, language: str) -> Any:
    """Return the canonical value of `text` in a task file; `ValueError` for an unfit number."""
    if slot.type == "boolean":
        return bool(lexicon(language).truth(text))
    if slot.type in ("integer", "amount"):
        number = float(text)
        return int(number) if number.is_integer() else number
    return text
