"""CamRest676 (Wen et al. 2017): exchanges about restaurants, typed by users and wizards.

    [{"dialogue_id": 0, "finished": true, "goal": {"constraints": [["area", "south"]],
        "request-slots": ["phone"], "text": "Task 11: …"}, "dial": [
      {"turn": 0, "usr": {"transcript": "One in the south.", "slu": [
         {"act": "inform", "slots": [["area", "south"]]}]},
       "sys": {"sent": "There are two.", "DA": ["food"]}}]}]

An act `request` has its slot as the value of a slot called `slot`. The state, which the corpus
does not list, is left out: it is what the acts `inform` gave so far.
"""

from __future__ import annotations

from dialoom.dialogue import SYSTEM, USER, Dialogue, Event, Origin, Scenario
from dialoom.formats.base.signs import Signs
from dialoom.formats.base.turn_list import Annotation, Fields, argument, reading, said
from dialoom.formats.base.values import at
from dialoom.formats.woz import slot_acts


def _dialogue(raw: Fields, key: str, origin: Origin) -> Dialogue:
    name = raw.scalar("dialogue_id") or key or str(origin.index)
    goal = raw.take("goal", dict)
    events: list[Event] = []
    for turn in raw.objects("dial", "exchange", name):
        user, system = turn.object("usr"), turn.object("sys")
        marks = Annotation()
        slot_acts(user, "slu", marks)
        spoken = user.needed("transcript", str)
        user.rest |= turn.rest
        events.append(said(USER, spoken, marks, user))
        marks = Annotation()
        for slot in system.each("DA", lambda slot: isinstance(slot, str)):
            marks.act(None, "request", argument(slot))
        events.append(said(SYSTEM, system.needed("sent", str), marks, system))
    scenario = Scenario(user_task=at(goal, str, "text") or None, goal=goal or None)
    return raw.dialogue(name, events, origin, scenario=scenario)


FORMAT = reading("camrest", _dialogue, Signs("dial[].usr.transcript", "dial[].sys.sent"))
