"""A dialogue with two services, written by hand, in which lint finds nothing."""

from __future__ import annotations

from dialoom import formats
from dialoom.corpus.traits import Companions
from dialoom.dialogue import (
    GOLD,
    Act,
    Argument,
    Candidate,
    Constraint,
    Dialogue,
    Frame,
    FrameValue,
    Layer,
    Options,
    Part,
    Query,
    Reference,
    Result,
    Scenario,
    Span,
    State,
    Utterance,
)
from dialoom.formats.taskmaster1 import plain_id
from dialoom.quality.lint import Linter
from dialoom.schema.service import Service, ServiceIntent, ServiceSlot
from dialoom.schema.services import from_service
from dialoom.schema.task import TaskSchema

FERRIES = Service(
    slots=(
        ServiceSlot(name="harbour"),
        ServiceSlot(name="deck", categorical=True, possible_values=("upper", "lower")),
        ServiceSlot(name="fare"),
    ),
    intents=(ServiceIntent(name="FindFerry", required=("harbour",), optional={"deck": "lower"}),),
)
BOOKING = Service(
    slots=tuple(ServiceSlot(name=name) for name in ("name.guest", "time.meal", "type.meal")),
    intents=(ServiceIntent(name="meal_order", required=("name.guest", "time.meal")),),
)
SERVICES = {name: from_service(name, FERRIES) for name in ("Ferries_1", "Trains_1")}
ORDERS = {"meal_order": from_service("meal_order", BOOKING)}


def gold(part: Part) -> tuple[Layer, ...]:
    return (Layer(GOLD, (part,)),)


CROSSED = Dialogue(
    id="f1",
    services=("Ferries_1",),
    events=(
        Utterance(
            agent="user",
            text="I need a ferry from Port Sel, with seats up top, not in the middle.",
            layers=gold(
                Part(
                    service="Ferries_1",
                    acts=(
                        Act("INFORM_INTENT", (Argument("intent", ("FindFerry",)),)),
                        Act("INFORM", (Argument("harbour", ("Port Sel",)),)),
                        Act("INFORM", (Argument("deck", ("up top",), ("upper",)),)),
                    ),
                    spans=(Span(20, 28, ("harbour",)),),
                    state=State(
                        intent="FindFerry",
                        requested=("fare",),
                        values={"harbour": ("Port Sel",), "deck": ("upper",)},
                    ),
                )
            ),
        ),
        Query(
            id="1",
            api="FindFerry",
            service="Ferries_1",
            constraints=(
                Constraint("harbour", "equal", ("Port Sel",)),
                Constraint("deck", "equal", ("upper",)),
            ),
        ),
        Result(query="1", items=({"harbour": "Port Sel", "fare": "12 crowns"},)),
        Utterance(
            agent="system",
            text="There is one, for 12 crowns.",
            layers=gold(
                Part(
                    service="Ferries_1",
                    acts=(
                        Act("OFFER", (Argument("fare", ("12 crowns",)),)),
                        Act("INFORM_COUNT", (Argument("count", ("one",), ("1",)),)),
                    ),
                    spans=(Span(18, 27, ("fare",)),),
                )
            ),
        ),
    ),
)
"""As SGD has dialogues."""

ORDERED = Dialogue(
    id="m1",
    scenario=Scenario(instruction_id="meal-1"),
    events=(
        Utterance(
            agent="user",
            text="Supper for Ada at nine, please.",
            layers=gold(
                Part(
                    spans=(
                        Span(0, 6, ("meal_order.type.meal.accept",)),
                        Span(11, 14, ("meal_order.name.guest",)),
                        Span(18, 22, ("meal_order.time.meal", "time.meal.accept")),
                        Span(0, 30, ("meal_order.accept",)),
                    )
                )
            ),
        ),
        Utterance(agent="system", text="Done."),
    ),
)
"""As Taskmaster-1 has dialogues."""

FRAMED = Dialogue(
    id="w1",
    events=(
        Utterance(
            agent="user",
            text="Oslo, or else Turku?",
            layers=(
                Layer(
                    GOLD,
                    (
                        Part(
                            acts=(
                                Act(
                                    "inform",
                                    (
                                        Argument("city", ("Oslo",)),
                                        Argument(
                                            "ref",
                                            references=(
                                                Reference(2, (Argument("city", ("Turku",)),)),
                                            ),
                                        ),
                                    ),
                                ),
                            ),
                            frames=(
                                Frame(1, info={"city": (FrameValue("Oslo"),)}),
                                Frame(2, parent=1, info={"city": (FrameValue("Turku"),)}),
                            ),
                            active_frame=2,
                        ),
                    ),
                ),
                Layer(
                    "without_references",
                    (
                        Part(
                            acts=(
                                Act(
                                    "inform",
                                    (Argument("city", ("Turku",)), Argument("city", ("Oslo",))),
                                ),
                            ),
                        ),
                    ),
                ),
            ),
        ),
    ),
)
"""As Frames has dialogues."""

RANKED = Dialogue(
    id="r1",
    events=(
        Utterance(agent="user", text="hello"),
        Options(
            candidates=(Candidate("a", "good day"), Candidate("b", "farewell")),
            choice="a",
        ),
    ),
)
"""As DSTC6 has dialogues."""


BESIDE = Companions(frozenset({"meal-1", "meal-2"}), frozenset({"the_inn"}), plain_id)


def found(
    dialogue: Dialogue, format: str = "", tasks: dict[str, TaskSchema] | None = None
) -> list[str]:
    """Return the codes of all that lint finds in a dialogue of a format, one for each finding."""
    linter = Linter(tasks, traits=formats.traits(format), companions=BESIDE)
    return [finding.code for finding in linter.check(dialogue, "here.json")]
