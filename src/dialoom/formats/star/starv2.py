"""STARv2 (Zhao et al. 2023): STAR's files with labels and belief states of the user's turns.

    {"Action": "utter", "Agent": "User", "Text": "On Sunday.", "ActionLabel": ["user_inform_day"],
     "PredictedBeliefState": {"Day": "sunday"}}

Both stay in the event's `extra`, from which they are written, and are read as the gold layer.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from dialoom.dialogue import GOLD, USER, Act, Layer, Part, State, Utterance
from dialoom.dialogue.event import Event

_LABELS, _STATE = "ActionLabel", "PredictedBeliefState"


def annotated(event: Event) -> Event:
    """Return an event; one of the user with the acts and the state that its `extra` has."""
    if not isinstance(event, Utterance) or event.agent != USER or event.layers:
        return event
    labels, values = event.extra.get(_LABELS), event.extra.get(_STATE)
    acts = None
    if isinstance(labels, list) and all(isinstance(label, str) for label in labels):
        acts = tuple(map(Act, labels))
    state = None
    if isinstance(values, dict):
        state = State(values={slot: _values(held) for slot, held in values.items()})
    if acts is None and state is None:
        return event
    return replace(event, layers=(Layer(GOLD, (Part(acts=acts, state=state),)),))


def _values(held: Any) -> tuple[Any, ...]:
    several = held if isinstance(held, list) else [held]
    return tuple(each for each in several if not isinstance(each, dict | list))
