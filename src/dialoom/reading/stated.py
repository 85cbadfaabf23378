"""The values that a turn of the system names, each as the slot that it most likely is of.

stated(pack.load("hotel_book"), "From 4 May to 17 May.")      # arrival, then departure
"""

from __future__ import annotations

from collections.abc import Iterator

from dialoom.reading.profile import described
from dialoom.reading.wording import wording_of
from dialoom.schema.task import TaskSchema
from dialoom.schema.values import Mention, best, find


def stated(task: TaskSchema, text: str) -> Iterator[Mention]:
    """Yield the values of a text in order.

    Where a value may as well be of several slots, the words before it decide by the slots'
    descriptions, then a slot comes that has no value yet, in the order of the task.
    """
    found = find(text, task.slots.values(), task.language)
    taken: set[str] = set()
    end = 0
    for mention in best(found):
        before = wording_of(text[end : mention.start].lower(), task.language).concepts
        end = mention.end
        place = (mention.start, end, mention.confidence)
        rivals = {
            each: described(task.slots[each.slot], task.language).concepts
            for each in found
            if (each.start, each.end, each.confidence) == place
        }
        common = frozenset.intersection(*rivals.values())
        chosen = mention
        for each in rivals if len(rivals) > 1 else ():
            chosen = max(chosen, each, key=lambda m: _rank(m, before, rivals[m] - common, taken))
        taken.add(chosen.slot)
        yield chosen


def _rank(
    mention: Mention, before: frozenset[int], own: frozenset[int], taken: set[str]
) -> tuple[int, bool]:
    """Return how well the words before a value name its slot, and whether the slot has none yet."""
    return len(before & own), mention.slot not in taken
