"""AirDialogue (Wei et al. 2018): customers and agents of an airline, a dialogue on each line.

    {"dialogue": ["customer: Hello.", "agent: Hello. How may I help you?"],
     "timestamps": [1532340243, 1532340256], "intent": {"goal": "change", "name": "Ada", …},
     "action": {"status": "no_reservation", "name": "Ada", "flight": []},
     "expected_action": {…}, "search_info": [{"timestmamp": 1532340320889, "button_name": …}],
     "correct_sample": true}

The intent is the customer's goal, and the action's status the outcome. The agent's actions in the
form (`search_info`) go to `extra`. DialogStudio's copy is a list of such lines as texts.
"""

from __future__ import annotations

from typing import Any

from dialoom.dialogue import SYSTEM, USER, Dialogue, Event, Origin, Scenario, Utterance
from dialoom.formats.base.signs import Signs
from dialoom.formats.base.turn_list import Fields, reading
from dialoom.formats.base.values import EXACT, at

SIDES = {"customer": USER, "agent": SYSTEM}
SECOND = 1000
"""Milliseconds; the times of utterances are in seconds."""


def _dialogue(raw: Fields, key: str, origin: Origin) -> Dialogue:
    name = raw.scalar("dialogue_id") or str(origin.index)
    lines = raw.needed("dialogue", list)
    times: list[Any] = at(raw.rest, list, "timestamps")
    if len(times) == len(lines) and all(type(t) is int and abs(t) < EXACT for t in times):
        raw.take("timestamps", list)
    else:
        times = []
    goal, outcome = raw.take("intent", dict), at(raw.rest, str, "action", "status")
    events: list[Event] = []
    for index, line in enumerate(lines):
        side, colon, text = line.partition(":") if isinstance(line, str) else ("", "", "")
        if not colon or side not in SIDES:
            what = f"utterance {index} does not begin with {' or '.join(SIDES)} and a colon"
            raise raw.place.error(what)
        time = times[index] * SECOND if times else None
        events.append(Utterance(agent=SIDES[side], text=text.strip(), time=time))
    scenario = Scenario(goal=goal) if goal else None
    return raw.dialogue(name, events, origin, scenario=scenario, outcome=outcome or None)


FORMAT = reading(
    "airdialogue",
    _dialogue,
    Signs("search_info|expected_action", "dialogue[]"),
    Signs("intent.departure_airport", "dialogue[]"),
)
