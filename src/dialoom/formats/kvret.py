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

from dialoom.dialogue import SYSTEM, USER, Dialogue, Event, Origin, Result, Scenario
from dialoom.formats.base.signs import Signs
from dialoom.formats.base.turn_list import Annotation, Fields, reading, said, state_of
from dialoom.formats.base.values import at

SIDES = {"driver": USER, "assistant": SYSTEM}


def _turn(turn: Fields) -> tuple[str, Fields]:
    agent, data = turn.speaker("turn", SIDES), turn.object("data")
    data.rest = turn.rest | data.rest
    return agent, data


def _dialogue(raw: Fields, key: str, origin: Origin) -> Dialogue:
    scenario = raw.object("scenario", needed=False)
    name = scenario.scalar("uuid") or str(origin.index)
    kb, task = scenario.object("kb", needed=False), scenario.take("task", dict)
    intent = at(task, str, "intent") or None
    turns = [_turn(turn) for turn in raw.objects("dialogue", "turn", name)]
    events: list[Event] = []
    items = kb.take("items", list)
    if items and all(isinstance(each, dict) for each in items):
        events.append(Result(items=tuple(items), api=intent, extra=kb.rest))
    elif items or kb.rest:
        scenario.rest["kb"] = kb.rest | ({"items": items} if items else {})
    for index, (agent, data) in enumerate(turns):
        marks = Annotation()
        if agent == USER and index + 1 < len(turns) and turns[index + 1][0] == SYSTEM:
            reply = turns[index + 1][1]
            slots, flags = reply.take("slots", dict), reply.take("requested", dict)
            requests = [slot for slot, flag in flags.items() if flag is True]
            if other := {slot: flag for slot, flag in flags.items() if type(flag) is not bool}:
                reply.rest["requested"] = other
            marks.state(intent, state_of(slots, intent=intent, requested=requests))
        events.append(said(agent, data.needed("utterance", str), marks, data))
    purpose = Scenario(goal=task or None, extra=scenario.rest)
    services = (intent,) if intent else ()
    return raw.dialogue(name, events, origin, services, scenario=purpose)


FORMAT = reading("kvret", _dialogue, Signs("dialogue[].data.utterance", "dialogue[].turn"))
