"""No utterance makes the tracking of a task's slots fail."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from dialoom.dialogue import SYSTEM, USER, Query, Utterance
from dialoom.dialogue import Result as Found
from dialoom.dialogue.constraint import Constraint
from dialoom.reading.tracker import SlotTracker
from dialoom.reading.user_turn import reader_of
from dialoom.schema import pack
from dialoom.schema.task import TaskSchema
from tests.naughty import naughty
from tests.strategies import sampled

TASKS = tuple(map(pack.load, ("restaurant_book", "hotel_book", "trip_directions", "bank_balance")))


@sampled
@given(st.sampled_from(TASKS), st.lists(naughty(), min_size=1, max_size=4), st.randoms())
def test_no_utterance_makes_the_tracker_fail(
    task: TaskSchema, texts: list[str], random: Random
) -> None:
    tracker, reader = SlotTracker(task), reader_of(task)
    slots, calls = list(task.slots), list(task.calls.values())
    for text in texts:
        sample = random.sample(slots, min(2, len(slots)))
        reader.heard(text, sample)
        reader.agreed(text)
        tracker.asked = tuple(sample)
        call = random.choice(calls)
        constraint = Constraint(call.inputs[0].name, "equal", (text,))
        for event in (
            Utterance(agent=USER, text=text),
            Utterance(agent=SYSTEM, text=text),
            Query(id="1", api=call.name, constraints=(constraint,)),
            Found(query="1", items=({call.inputs[0].name: text},)),
        ):
            tracker.observe(event)
    assert tracker.count == 4 * len(texts)
