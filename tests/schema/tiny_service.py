"""Small services of our own, in the shape of SGD's, and a dialogue of theirs."""

from __future__ import annotations

from dialoom.dialogue import (
    GOLD,
    SYSTEM,
    USER,
    Act,
    Argument,
    Constraint,
    Dialogue,
    Layer,
    Origin,
    Part,
    Query,
    Result,
    Span,
    State,
    Utterance,
)
from dialoom.schema.service import Service, ServiceIntent, ServiceSlot
from dialoom.schema.services import from_service

CAFE = from_service(
    "Cafes_1",
    origins=(Origin("schema.json", 0),),
    service=Service(
        description="Look cafés up and book a table",
        slots=(
            ServiceSlot(name="cafe_name", description="Name of the café"),
            ServiceSlot(name="city", description="Town it is in"),
            ServiceSlot(
                name="guests",
                description="How many come",
                categorical=True,
                possible_values=("1", "2", "3"),
            ),
            ServiceSlot(
                name="has_garden",
                description="Whether one can sit outside",
                categorical=True,
                possible_values=("True", "False"),
            ),
            ServiceSlot(name="visit_date", description="Day of the visit"),
            ServiceSlot(name="visit_time", description="Time of the visit"),
            ServiceSlot(name="street_address", description="Where it is"),
        ),
        intents=(
            ServiceIntent(
                name="ReserveTable",
                description="Reserve a table in a café",
                transactional=True,
                required=("cafe_name", "visit_time"),
                optional={"guests": "2", "visit_date": "2019-03-01"},
                results=("cafe_name", "guests", "visit_date", "visit_time"),
            ),
            ServiceIntent(
                name="FindCafe",
                description="Find a café in a town",
                required=("city",),
                optional={"has_garden": "dontcare"},
                results=("cafe_name", "city", "has_garden", "street_address"),
            ),
        ),
    ),
)

BELLS = from_service(
    "Bells_1",
    origins=(Origin("schema.json", 1),),
    service=Service(
        description="Ring bells",
        slots=(ServiceSlot(name="tone", description="Kind of sound"),),
        intents=(ServiceIntent(name="RingBell", transactional=True, optional={"tone": "low"}),),
    ),
)

SERVICES = {"Cafes_1": CAFE, "Bells_1": BELLS}


def said(
    agent: str, text: str, *acts: Act, state: State | None = None, spans: tuple[Span, ...] = ()
) -> Utterance:
    """Return an utterance about cafés."""
    part = Part("Cafes_1", acts, spans, state)
    return Utterance(agent=agent, text=text, layers=(Layer(GOLD, (part,)),))


DIALOGUE = Dialogue(
    id="9_00001",
    services=("Cafes_1",),
    origin=Origin("dialogues_009.json", 0),
    events=(
        said(
            USER,
            "A café in Ostby, please.",
            Act("INFORM_INTENT", (Argument("intent", ("FindCafe",)),)),
            Act("INFORM", (Argument("city", ("Ostby",)),)),
            state=State("FindCafe", ("street_address",), {"city": ("Ostby",)}),
            spans=(Span(10, 15, ("city",)),),
        ),
        Query(
            id="1",
            api="FindCafe",
            service="Cafes_1",
            constraints=(Constraint("city", "equal", ("Ostby",)),),
        ),
        Result(query="1", items=({"cafe_name": "Tern", "city": "Ostby"},)),
        said(
            SYSTEM,
            "One is called Tern.",
            Act("OFFER", (Argument("cafe_name", ("Tern",)),)),
            Act("INFORM_COUNT", (Argument("count", ("1",)),)),
            spans=(Span(14, 18, ("cafe_name",)),),
        ),
    ),
)
