"""What a result shows is told, and taken where the task file says so: `takes`, not its spelling."""

from __future__ import annotations

from dialoom.dialogue import Event, Query, Result, Utterance
from dialoom.dialogue.views import label
from dialoom.flow.program import compile_task
from dialoom.quality.lint import Linter
from dialoom.schema import pack
from dialoom.schema.services import to_task
from dialoom.schema.yaml.reading import read_text
from dialoom.sim.policies.flow.simulator import Simulator
from tests.schema.tiny_service import CAFE


def test_bundled_tasks_have_none() -> None:
    assert not any(compile_task(pack.load(name)).namesakes for name in pack.names())
    assert "cafe_name" in compile_task(to_task(CAFE)).namesakes


def test_a_value_taken_from_a_result_becomes_the_users_wish() -> None:
    simulator = Simulator(to_task(CAFE), 3)
    count = 0
    for index in range(40):
        dialogue = simulator.dialogue(index)
        choice = _taken(dialogue.events)
        if choice is None:
            continue
        count += 1
        offer, mention, state = choice
        assert mention == offer
        assert state == offer
        goal = dialogue.scenario.goal if dialogue.scenario else {}
        wishes = [goal["values"], *goal.get("changes", [])]
        assert any(wish.get("cafe_name") == offer for wish in wishes)
    assert count > 10


KIOSK = """
task: kiosk
domain: boat
language: en
description: Ask when a boat leaves.
slots:
  pier: {type: category, description: the pier, values: {East: [], West: []}}
  time:
    type: time
    description: when to leave
    from: "09:00"
    to: "16:00"
    step: 60
tables:
  boats:
    rows: 5
    columns:
      pier: {slot: pier}
      time: {slot: time}
apis:
  next_boat:
    effect: search
    table: boats
    inputs: {pier: {slot: pier, required: true}}
flow:
  open:
    user: ["From {pier} at {time}?", "{pier} at {time}.", "At {time} from {pier}."]
    then: search
  search:
    call: next_boat
    then: [found, none]
  found: {result: found, then: tell}
  none: {result: nothing, then: tell_none}
  tell:
    system: ["One leaves at {time}."]
  tell_none:
    system: [None leaves.]
"""


ACCEPT = """
  tell:
    system: ["One leaves at {time}."]
    then: accept
  accept:
    user: ["{time} is fine."]
    TAKES
"""


def test_a_user_takes_what_is_offered_only_where_the_task_file_says_so() -> None:
    text = KIOSK[: KIOSK.index("  tell:\n")] + "  tell_none:\n    system: [None leaves.]" + ACCEPT
    for takes, always in {"takes: {time: time}": True, "": False}.items():
        simulator = Simulator(read_text(text.replace("TAKES", takes)), 5)
        same = set()
        for index in range(30):
            events = simulator.dialogue(index).events
            (time,) = (e.items[0]["time"] for e in events if isinstance(e, Result))
            (act,) = [e for e in events if isinstance(e, Utterance)][-1].layers[0].parts[
                0
            ].acts or ()
            same.add((act.arguments[0].canonical or act.arguments[0].values) == (time,))
        assert same == {True} if always else False in same


def test_what_a_result_has_is_told_and_not_what_was_wished() -> None:
    task = read_text(KIOSK)
    simulator = Simulator(task, 5)
    linter = Linter({task.id: task}, 5)
    differs = 0
    for index in range(30):
        dialogue = simulator.dialogue(index)
        answer = [e for e in dialogue.events if isinstance(e, Utterance)][-1]
        (result,) = (e for e in dialogue.events if isinstance(e, Result))
        (act,) = answer.layers[0].parts[0].acts or ()
        time = result.items[0]["time"]
        assert [each.canonical or each.values for each in act.arguments] == [(time,)]
        assert not list(linter.check(dialogue))
        differs += (
            dialogue.scenario is not None and dialogue.scenario.goal["values"]["time"] != time
        )
    assert differs > 10


def _taken(events: tuple[Event, ...]) -> tuple[object, object, object] | None:
    offer = None
    for event in events:
        if isinstance(event, Query):
            offer = None
        elif isinstance(event, Result) and event.items:
            offer = event.items[0].get("cafe_name")
        elif isinstance(event, Utterance) and label(event) == "find_cafe_take":
            (part,) = event.layers[0].parts
            assert part.acts is not None
            assert part.state is not None
            mention = part.acts[0].arguments[0].values[0]
            return offer, mention, part.state.values["cafe_name"][0]
    return None
