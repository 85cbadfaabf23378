"""Goals of users, from the annotation of their turns."""

from __future__ import annotations

from dialoom.dialogue import USER, Dialogue, ServiceGoal, Utterance
from dialoom.dialogue.annotation import Value
from dialoom.dialogue.views import parts
from dialoom.models.policy.service_log import act_slots, act_values


def goals_of(dialogue: Dialogue) -> tuple[ServiceGoal, ...]:
    """Return the user's goal for each service, in the order in which the services came up.

    Intents are the active ones, values those from the user, and requests the slots that the user
    asked about. Values that the user accepted from offers are not part of a goal.
    """
    intents: dict[str, list[str]] = {}
    values: dict[str, dict[str, tuple[Value, ...]]] = {}
    requests: dict[str, dict[str, None]] = {}
    for event in dialogue.events:
        for part in parts(event) if isinstance(event, Utterance) and event.agent == USER else ():
            name, acts = part.service or "", part.acts or ()
            wanted = intents.setdefault(name, [])
            given = values.setdefault(name, {})
            if part.state and part.state.intent and part.state.intent not in wanted:
                wanted.append(part.state.intent)
            for slot, value in (p for act in acts if act.name == "INFORM" for p in act_values(act)):
                earlier = given.get(slot, ())
                if value not in earlier:
                    given[slot] = (*earlier, value)
            requests.setdefault(name, {}).update(dict.fromkeys(act_slots(acts, "REQUEST")))
    return tuple(
        ServiceGoal(name, tuple(intents[name]), values[name], tuple(requests[name]))
        for name in intents
    )
