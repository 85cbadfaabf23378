"""Turns with frames of idle services, asked of a tracker that learned from turns without."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from dialoom.dialogue import (
    GOLD,
    SYSTEM,
    USER,
    Act,
    Argument,
    Dialogue,
    Example,
    Layer,
    Part,
    Question,
    Span,
    State,
    StateOf,
    Utterance,
)
from dialoom.dialogue.views import utterances
from dialoom.models.tracker import Tracker
from dialoom.models.tracker.activity import ActiveServices, keep_idle
from dialoom.models.tracker.turns import turns
from dialoom.schema.service import Service, ServiceIntent, ServiceSlot
from dialoom.schema.services import from_service

WORDS = {
    "Trains_1": (
        "FindTrain",
        "destination",
        "station",
        "I need a train to {}.",
        "To which station?",
    ),
    "Inns_1": ("BookRoom", "town", "town of the inn", "A room at an inn in {}.", "In which town?"),
    "Films_1": ("FindFilm", "title", "title of the film", "Show me the film {}.", "Which title?"),
    "Doctors_1": ("SeeDoctor", "doctor", "name of the doctor", "A visit to doctor {}.", "Whom?"),
}
VALUES = ("Norwich", "Leeds", "York", "Bath", "Hull", "Derby", "Truro", "Ripon")
SCHEMAS = {
    name: from_service(
        name,
        Service(
            description=name.partition("_")[0],
            slots=(ServiceSlot(name=slot, description=stated),),
            intents=(ServiceIntent(name=intent, description=intent, required=(slot,)),),
        ),
    )
    for name, (intent, slot, stated, *_) in WORDS.items()
}


def spoken(agent: str, text: str, service: str, value: str, state: State | None) -> Utterance:
    intent, slot, *_ = WORDS[service]
    facts = (Act("INFORM", (Argument(slot, (value,)),)),) if value else ()
    wish = (Act("INFORM_INTENT", (Argument("intent", (intent,)),)),) if agent == USER else ()
    start = text.find(value)
    spans = (Span(start, start + len(value), (slot,)),) if value else ()
    part = Part(service, acts=(*wish, *facts), spans=spans, state=state)
    return Utterance(agent=agent, text=text, layers=(Layer(GOLD, (part,)),))


def wish(n: int, one: str, other: str) -> Dialogue:
    """Return a dialogue about one service, then about another."""
    events = []
    for number, service in enumerate((one, other)):
        intent, slot, _, text, question = WORDS[service]
        value = VALUES[(n * 3 + number) % len(VALUES)]
        state = State(intent, (), {slot: (value,)})
        events.append(spoken(USER, text.format(value), service, value, state))
        events.append(spoken(SYSTEM, f"Done. {question}", service, "", None))
    return Dialogue(id=str(n), events=tuple(events))


def wishes(numbers: range) -> list[Dialogue]:
    names = list(WORDS)
    pairs = [(one, other) for one in names for other in names if one != other]
    return [wish(n, *pairs[n % len(pairs)]) for n in numbers]


def listing(dialogue: Dialogue) -> Dialogue:
    """Return a dialogue whose user turns have frames of all services, with the states so far."""
    states: dict[str, State] = {}

    def event(each: Any) -> Any:
        if each.agent != USER:
            return each
        (layer,) = each.layers
        there = {part.service: part.state for part in layer.parts}
        states.update(there)
        others = (name for name in WORDS if name not in there)
        idle = tuple(Part(name, state=states.get(name, State("NONE"))) for name in others)
        return replace(each, layers=(Layer(GOLD, (*idle, *layer.parts)),))

    return replace(dialogue, events=tuple(map(event, dialogue.events)))


def values(states: Mapping[str, State]) -> dict[str, Any]:
    return {name: state.values for name, state in states.items() if state.values}


@pytest.fixture(scope="module")
def model() -> Tracker:
    examples = [
        Example(Question(each, index + 1, StateOf((part.service,))), {part.service: part.state})
        for each in wishes(range(96))
        for index, (_, event) in enumerate(utterances(each))
        for part in event.layers[0].parts
        if part.state is not None and part.service is not None
    ]
    fitted = Tracker(members=1)
    fitted.fit(examples, SCHEMAS)
    return fitted


def test_slots_of_idle_services_stay_empty(model: Tracker) -> None:
    dialogues = [listing(each) for each in wishes(range(96, 120))]
    names = StateOf(tuple(WORDS))
    questions = [Question(each, len(each.events) - 1, names) for each in dialogues]
    answers = model.predict(questions, SCHEMAS)
    right = 0
    for each, answer in zip(dialogues, answers, strict=True):
        last: Any = each.events[-2]
        gold = {part.service: part.state for part in last.layers[0].parts}
        right += values(answer.answer) == values(gold)
    assert right >= 0.8 * len(dialogues)


def test_turns_like_those_of_training_are_left_as_they_are(model: Tracker) -> None:
    dialogue = list(turns(wish(0, "Trains_1", "Inns_1").events))
    before = [turn.services for turn in dialogue]
    unread: Any = None
    model._active.select(dialogue, unread)
    assert [turn.services for turn in dialogue] == before


def test_where_training_lists_every_service_nothing_is_selected() -> None:
    dialogues = [list(turns(listing(each).events)) for each in wishes(range(8))]
    active = ActiveServices(dialogues)
    active.fit(0)
    services = [turn.services for turn in dialogues[0]]
    unread: Any = None
    active.select(dialogues[0], unread)
    assert [turn.services for turn in dialogues[0]] == services


def test_an_idle_service_keeps_its_state() -> None:
    dialogue = list(turns(wish(0, "Trains_1", "Inns_1").events))
    first, second = dialogue
    state = State("FindTrain", ("price",), {"destination": ("York",)})
    states = {("0", first.position, "Trains_1"): state}
    keep_idle(states, "0", dialogue, [("Trains_1", "Inns_1")] * 2)
    assert states["0", second.position, "Trains_1"] == replace(state, requested=())
    assert states["0", first.position, "Inns_1"] == State("NONE")
