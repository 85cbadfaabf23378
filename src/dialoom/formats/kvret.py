"""KVRET, the Stanford in-car assistant (Eric et al. 2017): a driver, an assistant, and a table.

    [{"dialogue": [
        {"turn": "driver", "data": {"end_dialogue": false, "utterance": "Any coffee near?"}},
        {"turn": "assistant", "data": {"end_dialogue": false, "utterance": "Ada's is near.",
           "requested": {"poi": true, "address": false}, "slots": {"poi_type": "coffee"}}}],
      "scenario": {"kb": {"items": [{"poi": "Ada's", …}], "column_names": ["poi", …],
                          "kb_title": "location information"},
                   "task": {"intent": "navigate"}, "uuid": "1f"}}]

The assistant's turn has what the driver asked for before it: slots and requested slots are the
state of the driver's utterance. The table is a result at the beginning, without a query.
"""

from __future__ import annotations

from typing import Any

from dialoom.dialogue import SYSTEM, USER, Dialogue, Event, Origin, Result, Scenario, State
from dialoom.formats.base.signs import Signs
from dialoom.formats.base.turn_list import Annotation, Fields, reading, said, state_of

SIDES = {"driver": USER, "assistant": SYSTEM}


def _dialogue(raw: Fields, key: str, origin: Origin) -> Dialogue:
    scenario = Fields(raw.take("scenario", dict), raw.place, "scenario")
    name = scenario.scalar("uuid") or str(origin.index)
    kb = Fields(scenario.take("kb", dict), raw.place, "kb")
    task = scenario.take("task", dict)
    intent = task.get("intent") if isinstance(task.get("intent"), str) else None
    turns = [
        (turn.speaker("turn", SIDES), turn, Fields(turn.needed("data", dict), turn.place, "data"))
        for turn in raw.objects("dialogue", "turn", name)
    ]
    events: list[Event] = []
    items = kb.take("items", list)
    if items and all(isinstance(each, dict) for each in items):
        events.append(Result(items=tuple(items), api=intent, extra=kb.rest))
    elif items or kb.rest:
        scenario.rest["kb"] = kb.rest | {"items": items}
    for index, (agent, _, data) in enumerate(turns):
        marks = Annotation()
        if agent == USER and index + 1 < len(turns) and turns[index + 1][0] == SYSTEM:
            marks.state(intent, _state(turns[index + 1][2], intent))
        events.append(said(agent, data.needed("utterance", str), marks, data))
    purpose = Scenario(goal=task or None, extra=scenario.rest)
    return raw.dialogue(name, events, origin, (intent,) if intent else (), purpose)


def _state(data: Fields, intent: str | None) -> State:
    held = state_of(data.take("slots", dict))
    asked: dict[str, Any] = data.take("requested", dict)
    wanted = tuple(slot for slot, flag in asked.items() if flag is True)
    return State(intent, wanted, held.values, held.extra)


FORMAT = reading("kvret", _dialogue, Signs("dialogue[].data.utterance", "dialogue[].turn"))
