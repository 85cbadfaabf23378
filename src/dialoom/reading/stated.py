"""The values that a turn of the system names, each with its most likely slot.

stated(pack.load("hotel_book"), "From 4 May to 17 May.")      # arrival, then departure
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from dialoom.reading.profile import described
from dialoom.reading.slot_words import fixed
from dialoom.reading.wording import wording_of
from dialoom.schema.task import TaskSchema
from dialoom.schema.values import Mention, best, find

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
    found = [m for m in every if not fixed(task, text, m.start, m.end)]
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
