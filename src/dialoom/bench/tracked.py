"""Adds a tracker's predicted states to dialogues.

Every service of a user's turn gets a state; the tracker sees what the view (`words`) shows.
"""

from __future__ import annotations

from msgspec.structs import replace

from dialoom.bench.core.protocol import check_described, questions
from dialoom.bench.protocols.sgd_tracking import frames
from dialoom.bench.visibility import View
from dialoom.dialogue import GOLD, USER, Dialogue, Event, Layer, Part, State, Utterance
from dialoom.learn.model import Model, Schemas
from dialoom.schema.service import NO_INTENT

LAYER = "tracker"

States = dict[str, State]


def tracked(
    dialogue: Dialogue, model: Model, schemas: Schemas, view: View, *, in_place: bool = False
) -> Dialogue:
    """Return a dialogue with predicted states; `MissingDataError` without a service's schema.

    With `in_place` they replace those of the gold layer, which the official evaluation script
    reads; otherwise they are a new layer. `view` returns the visible part of an event.
    """
    targets = list(frames(view, dialogue, None))
    check_described(targets, schemas, dialogue.origin.file if dialogue.origin else "the corpus")
    answers = model.predict(questions(targets), schemas)
    states: dict[int, States] = {}
    for target, answer in zip(targets, answers, strict=True):
        states.setdefault(target.event, {}).update(
            (name, replace(state, intent=None if state.intent == NO_INTENT else state.intent))
            for name, state in answer.answer.items()
        )
    events: list[Event] = []
    turn = -1
    for event in dialogue.events:
        if isinstance(event, Utterance):
            turn += 1
            if event.agent == USER and turn in states:
                event = _with_states(event, states[turn], in_place)
        events.append(event)
    return replace(dialogue, events=tuple(events))


def _with_states(event: Utterance, states: States, in_place: bool) -> Utterance:
    if not in_place:
        parts = tuple(Part(service, state=state) for service, state in states.items())
        layers = tuple(layer for layer in event.layers if layer.source != LAYER)
        return replace(event, layers=(*layers, Layer(LAYER, parts)))
    return replace(event, layers=tuple(_replaced(layer, states) for layer in event.layers))


def _replaced(layer: Layer, states: States) -> Layer:
    if layer.source != GOLD:
        return layer
    parts = (
        replace(part, state=states[part.service]) if part.service in states else part
        for part in layer.parts
    )
    return replace(layer, parts=tuple(parts))
