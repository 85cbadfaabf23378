"""Sample values of a slot with their renderings."""

from __future__ import annotations

from typing import Any

from dialoom.schema.slot import Slot
from dialoom.schema.values.finding import render
from dialoom.schema.values.ranges import samples


def said_values(slot: Slot, language: str, most: int) -> list[dict[str, Any]]:
    """Return at most `most` values, evenly spaced, each with its renderings, the plain one first.

    A value is `{"value": "17:30", "renderings": ("5:30 pm", "17:30", …)}`.
    """
    found = list(samples(slot))
    if len(found) > most:
        found = [found[place * len(found) // most] for place in range(most)]
    return [{"value": each, "renderings": render(slot, each, language)} for each in found]
