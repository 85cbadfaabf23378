"""What is heard in people's words; the simulator's own words are heard again."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from dialoom.dialogue import USER, Utterance
from dialoom.dialogue.views import label
from dialoom.reading.tracker import SlotTracker
from dialoom.reading.user_turn import TaskReader
from dialoom.schema import pack
from dialoom.schema.task import TaskSchema
from dialoom.sim.policies.flow.persons import PLAIN, Persons
from dialoom.sim.policies.flow.simulator import Simulator

BOOK = pack.load("restaurant_book")
READER = TaskReader(BOOK)


def heard(said: str, asked: str | None = None) -> dict[str, object]:
    node = BOOK.flow.nodes.get(asked or "")
    mentions = READER.heard(said, node.asks if node else (), node)
    assert all(words in said for _, words in mentions.values())
    return {slot: value for slot, (value, _) in mentions.items()}


@pytest.mark.parametrize(
    ("said", "asked", "expected"),
    [
        ("A table at the Juniper at 7:30 pm.", None, {"restaurant": "Juniper", "time": "19:30"}),
        ("COPPER PAN BISTRO!", None, {"restaurant": "Copper Pan"}),
        ("We are 4.", None, {"guests": 4}),
        ("The code is 4.", None, {}),
        ("We are 4.", "restaurant_ask_size", {"guests": 4}),
        ("Half past seven for four of us", "restaurant_ask_size", {"time": "19:30", "guests": 4}),
        ("There will be four of us.", "restaurant_ask_size", {"guests": 4}),
        ("7", "restaurant_ask_size", {"guests": 7}),
        ("a table for six people", None, {"guests": 6}),
        ("Ada Quill", None, {}),
        ("Ada Quill.", "ask_name", {"name": "Ada Quill"}),
        ("My name is Ada Quill!", "ask_name", {"name": "Ada Quill"}),
        ("Hello, my name is Ada Quill.", None, {"name": "Ada Quill"}),
        ("Write Ada Quill.", "ask_name", {"name": "Ada Quill"}),
        ("The table is for Anneliese Quack.", "ask_name", {"name": "Anneliese Quack"}),
        ("I would rather not tell you that before I know the price", "ask_name", {}),
        ("No, thanks", "ask_name", {}),
        ("hello", "anything_else", {}),
    ],
)
def test_values_are_heard_where_they_are_sure(
    said: str, asked: str | None, expected: dict[str, object]
) -> None:
    assert heard(said, asked) == expected


def test_a_value_that_several_slots_may_have_is_that_of_the_one_asked_for() -> None:
    task = pack.load("meeting_schedule")
    hour, nodes = str(task.slots["start"].minimum), task.flow.nodes
    ask = next(node for node in nodes.values() if node.asks == ("start",))
    reader = TaskReader(task)
    assert reader.heard(f"At {hour}, please.", ("start",), ask) == {"start": (hour, hour)}
    assert reader.heard(f"It should start at {hour}.", (), None) == {"start": (hour, hour)}


@pytest.mark.parametrize("task", ["restaurant_book", "hotel_book", "weather", "ride_book"])
def test_what_the_simulator_says_is_heard(task: str) -> None:
    schema = pack.resolve(task)
    scripted = Persons(PLAIN, schema.language, scripted=True)
    assert _heard(Simulator(schema, 3, persons=scripted), schema) > 0.9
    assert _heard(Simulator(schema, 3), schema) > 0.85  # in words that no task file has


def _heard(simulator: Simulator, schema: TaskSchema) -> float:
    """Return the share of the values that users say which are heard."""
    right, total = 0, 0
    for index in range(12):
        tracker = SlotTracker(schema)
        for event in simulator.dialogue(index).events:
            if not (isinstance(event, Utterance) and event.agent == USER):
                tracker.observe(event)
                continue
            tracker.observe(replace(event, layers=()))
            assert label(event)
            acts = event.layers[0].parts[0].acts or ()
            for argument in (a for act in acts for a in act.arguments if a.values):
                total += 1
                belief = tracker.values.get(argument.slot)
                canonical = (argument.canonical or argument.values)[0]
                right += belief is not None and str(belief.value) == str(canonical)
    assert total
    return right / total
