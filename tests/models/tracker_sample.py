"""A service of train journeys and its dialogues."""

from __future__ import annotations

from collections.abc import Sequence

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
from dialoom.schema.service import Service, ServiceIntent, ServiceSlot
from dialoom.schema.services import from_service

CITIES = ("Norwich", "Leeds", "York", "Bath", "Hull", "Derby", "Truro", "Ripon")

JOURNEYS = Service(
    description="Journeys",
    slots=(
        ServiceSlot(name="origin", description="City to leave from"),
        ServiceSlot(name="destination", description="City to go to"),
        ServiceSlot(
            name="seats", categorical=True, possible_values=("1", "2"), description="Seats"
        ),
    ),
    intents=(ServiceIntent(name="FindTrain", required=("origin", "destination", "seats")),),
)

TRAINS = "Trains_1"

SERVICE = from_service(TRAINS, JOURNEYS)


def said(
    agent: str,
    text: str,
    values: dict[str, str],
    state: State | None = None,
    service: str = TRAINS,
) -> Utterance:
    """Say something that gives slots values."""
    act = Act("INFORM" if agent == USER else "CONFIRM", _arguments(values))
    spans = tuple(
        Span(text.index(value), text.index(value) + len(value), (slot,))
        for slot, value in values.items()
        if slot != "seats"
    )
    part = Part(service, acts=(act,) if values else (), spans=spans, state=state)
    return Utterance(agent=agent, text=text, layers=(Layer(GOLD, (part,)),))


def _arguments(values: dict[str, str]) -> tuple[Argument, ...]:
    return tuple(Argument(slot, (value,)) for slot, value in values.items())


def journey(n: int, service: str = TRAINS) -> Dialogue:
    """Return a dialogue about one of the journeys between the cities."""
    one, other = CITIES[n % len(CITIES)], CITIES[(n * 3 + 1) % len(CITIES)]
    first = {"origin": one, "destination": other}
    second = first | {"seats": "2" if n % 2 else "1"}
    seats = "two seats" if n % 2 else "one seat"
    texts = [f"A train from {one} to {other}, please.", f"To {other} I go, from {one}."]

    def state(values: dict[str, str]) -> State:
        return State("FindTrain", (), {slot: (value,) for slot, value in values.items()})

    return Dialogue(
        id=str(n),
        events=(
            said(USER, texts[n % 3 % 2], first, state(first), service),
            said(SYSTEM, "How many seats?", {}, service=service),
            said(USER, f"I need {seats}.", {"seats": second["seats"]}, state(second), service),
        ),
    )


def examples(
    numbers: range, services: Sequence[str] = (TRAINS,)
) -> list[Example[StateOf, dict[str, State]]]:
    """Return a question about each state of some dialogues, by turns about services."""
    sample = []
    for number in numbers:
        service = services[number % len(services)]
        dialogue = journey(number, service)
        for index, event in enumerate(dialogue.events):
            state = event.layers[0].parts[0].state if isinstance(event, Utterance) else None
            if state is not None:
                question = Question(dialogue, index + 1, StateOf((service,)))
                sample.append(Example(question, {service: state}))
    return sample
