"""Columns that are called as slots are: what a result shows may be told, and taken."""

from __future__ import annotations

from dialoom.dialogue import Event, Query, Result, Utterance
from dialoom.dialogue.views import label
from dialoom.schema import pack
from dialoom.schema.services import to_task
from dialoom.sim.policies.flow.compiling import compile_task
from dialoom.sim.policies.flow.simulator import Simulator
from tests.schema.tiny_service import CAFE


def test_bundled_tasks_have_none() -> None:
    assert not any(compile_task(pack.load(name)).namesakes for name in pack.names())
    assert "cafe_name" in compile_task(to_task(CAFE)).namesakes


def test_a_value_taken_from_a_result_becomes_the_users_wish() -> None:
    simulator = Simulator(to_task(CAFE), 3)
    seen = 0
    for index in range(40):
        dialogue = simulator.dialogue(index)
        taken = _taken(dialogue.events)
        if taken is None:
            continue
        seen += 1
        shown, said, state = taken
        assert said == shown
        assert state == shown
        goal = dialogue.scenario.goal if dialogue.scenario else {}
        wishes = [goal["values"], *goal.get("changes", [])]
        assert any(wish.get("cafe_name") == shown for wish in wishes)
    assert seen > 10


def _taken(events: tuple[Event, ...]) -> tuple[object, object, object] | None:
    shown = None
    for event in events:
        if isinstance(event, Query):
            shown = None
        elif isinstance(event, Result) and event.items:
            shown = event.items[0].get("cafe_name")
        elif isinstance(event, Utterance) and label(event) == "find_cafe_take":
            (part,) = event.layers[0].parts
            assert part.acts is not None
            assert part.state is not None
            said = part.acts[0].arguments[0].values[0]
            return shown, said, part.state.values["cafe_name"][0]
    return None
