"""A service and its dialogues for tests of tracking."""

from __future__ import annotations

from dialoom.dialogue import (
    GOLD,
    SYSTEM,
    USER,
    Act,
    Argument,
    Dialogue,
    Layer,
    Part,
    State,
    Utterance,
)
from dialoom.schema.service import Service, ServiceIntent, ServiceSlot
from dialoom.schema.services import from_service
from dialoom.schema.task import TaskSchema

NAMES = ("Cafes_1", "Pubs_1", "Trains_1")


def service(name: str, slot: str = "city", intent: str = "Find") -> TaskSchema:
    """Return a service with one slot."""
    definition = Service(
        description="Places",
        slots=(ServiceSlot(name=slot, description="City"),),
        intents=(ServiceIntent(name=intent, description="Find one", required=(slot,)),),
    )
    return from_service(name, definition)


SCHEMAS = {name: service(name) for name in NAMES}


def dialogue(number: int, *names: str) -> Dialogue:
    """Return a dialogue about services, all of them at one turn."""
    state = State("Find", (), {"city": ("York",)})
    wish = Act("INFORM", (Argument("city", ("York",)),))
    done = Act("NOTIFY_SUCCESS")
    return Dialogue(
        id=f"1_{number:05}",
        services=names,
        events=(
            Utterance(
                agent=USER,
                text="One in York.",
                layers=(Layer(GOLD, tuple(Part(n, (wish,), (), state) for n in names)),),
            ),
            Utterance(
                agent=SYSTEM,
                text="Here it is.",
                layers=(Layer(GOLD, tuple(Part(n, (done,), ()) for n in names)),),
            ),
        ),
    )
