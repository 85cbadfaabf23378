"""A faulty dialogue for each code of lint."""

from __future__ import annotations

from typing import Any

import msgspec

from dialoom.dialogue import (
    Act,
    Argument,
    Completion,
    Constraint,
    Dialogue,
    Result,
    Selection,
    Span,
    State,
)
from dialoom.sim.policies.flow.simulator import Simulator
from tests.quality.lint_sample import (
    BOAT,
    BOAT_SAID,
    CREW_SAID,
    GIVEN,
    GOOD,
    VISITED,
    annotate,
    change,
    constrain,
    insert,
    part,
    query,
    result,
    scene,
    system,
)

SIMULATED = Simulator(BOAT, 3).dialogue(0)


def replace(dialogue: Dialogue, **fields: Any) -> Dialogue:
    return msgspec.structs.replace(dialogue, **fields)


def state(**values: Any) -> State:
    return State(values={**GIVEN, "crew": (2, "two"), **values})


def item(**values: Any) -> tuple[dict[str, Any], ...]:
    return ({"Boat": "Heron", "Time": "10:00", "Crew": 2, "Message": "Free", **values},)


def said_to_do(effects: dict[str, Any]) -> Dialogue:
    """Return the simulated dialogue with other effects on the knowledge base."""
    scenario = SIMULATED.scenario or scene()
    goal = {**scenario.goal, "effects": effects}
    return msgspec.structs.replace(SIMULATED, scenario=msgspec.structs.replace(scenario, goal=goal))


def equal(slot: str, *values: Any) -> Constraint:
    return Constraint(slot, "equal", values)


BAD: dict[str, list[Dialogue]] = {
    "E502": [
        replace(GOOD, scenario=scene("balloon_hire")),
        replace(GOOD, scenario=None, services=("balloon_hire",)),
        insert(GOOD, 1, Selection(kind="task", task="balloon_hire")),
    ],
    "W501": [replace(GOOD, events=(Completion(),)), replace(GOOD, events=())],
    "W502": [change(change(GOOD, 1, time=5000), 3, time=4000)],
    "E601": [
        annotate(GOOD, 2, spans=(Span(3, 10, ("time",)),)),
        annotate(GOOD, 2, spans=(Span(4, 4, ("time",)),)),
        annotate(GOOD, 2, spans=(Span(-1, 4, ("time",)),)),
    ],
    "E602": [
        annotate(GOOD, 2, spans=(Span(2, 7, ("time",)),)),
        annotate(GOOD, 2, spans=(Span(3, 8, ("time",), text="10 am."),)),
        change(GOOD, 2, text="At 11 am."),
    ],
    "E603": [
        annotate(GOOD, 2, state=state(extras=("Oars",))),
        annotate(GOOD, 4, state=state(boat=("Otter",))),
    ],
    "W601": [change(GOOD, 8, text=" \n")],
    "I604": [change(GOOD, 8, text="All right.Come in!"), change(GOOD, 8, text="Done?!See you.")],
    "E701": [
        annotate(GOOD, 0, acts=(Act("open", (Argument("boat", ("Gull",)), CREW_SAID)),)),
        annotate(GOOD, 4, state=state(boat=("Gull",))),
        constrain(GOOD, 5, equal("Boat", "Gull")),
        constrain(GOOD, 5, Constraint("Extras", "one_of", ("Oars", "Sails"))),
        change(GOOD, 6, items=item(Boat="Gull")),
        change(GOOD, 6, items=item(Extras=["Oars", "Sails"])),
    ],
    "E702": [
        annotate(GOOD, 0, acts=(Act("open", (BOAT_SAID, Argument("crew", ("two",), (9,)))),)),
        annotate(GOOD, 4, state=state(crew=("many",))),
        constrain(GOOD, 5, equal("Time", "08:00")),
        constrain(GOOD, 5, equal("Crew", "2")),
        change(GOOD, 6, items=item(Time="noon")),
        change(GOOD, 6, items=item(Crew=[[2]])),
    ],
    "E703": [
        annotate(GOOD, 2, spans=(Span(3, 8, ("hour",)),)),
        annotate(GOOD, 2, acts=(Act("give_time", (Argument("hour", ("10 am",)),)),)),
        annotate(GOOD, 4, state=state(hour=("10 am",))),
    ],
    "E704": [
        annotate(GOOD, 1, acts=(Act("ask_hour"),)),
        annotate(GOOD, 1, acts=(Act("give_time"),)),
        annotate(GOOD, 4, acts=(Act("ask_time"),)),
    ],
    "E705": [
        insert(SIMULATED, len(SIMULATED.events) - 1, SIMULATED.events[0]),
        insert(SIMULATED, 0, instead=1),
    ],
    "W701": [constrain(VISITED, 3, equal("Hour", "25 pm"))],
    "W702": [insert(VISITED, 1, system("Tea?", part("offer_tea")))],
    "W703": [
        insert(GOOD, 11, instead=1),
        insert(GOOD, 1, system("Noted.", part("confirm"))),
        insert(VISITED, 2, system("Farewell!", part("goodbye"))),
    ],
    "W704": [insert(GOOD, 1, system("How many are you?", part("ask_crew")))],
    "E801": [insert(GOOD, 6, instead=1), change(GOOD, 6, query="")],
    "E802": [change(GOOD, 6, query="q7"), insert(GOOD, 5, result("q1", "Free"))],
    "E803": [insert(GOOD, 6, query("q1", "Check")), insert(GOOD, 7, result("q1", "Free"))],
    "E804": [constrain(GOOD, 5, Constraint("Crew", None, (), "0314"))],
    "E805": [change(GOOD, 5, api="boat_buy"), change(VISITED, 3, api="boat_buy")],
    "E806": [constrain(GOOD, 5, equal("Hour", 10)), constrain(VISITED, 3, equal("Day", 10))],
    "E807": [change(GOOD, 6, items=item(Message="Perhaps")), change(GOOD, 6, items=())],
    "E808": [change(GOOD, 6, total=0)],
    "E809": [
        change(SIMULATED, index, items=({**event.items[0], "Crew": 9},))
        for index, event in enumerate(SIMULATED.events)
        if isinstance(event, Result)
    ],
    "E810": [said_to_do({"hires": {"added": [{"Boat": "Otter"}]}}), said_to_do({"huts": {}})],
    "E814": [
        annotate(GOOD, 7, acts=(Act("offer", (Argument("Time", ("2 pm",), ("14:00",)),)),)),
        annotate(GOOD, 7, acts=(Act("offer", (Argument("Message", ("Gone",)),)),)),
    ],
    "W801": [
        change(GOOD, 5, constraints=(equal("RequestType", "Check"), equal("Boat", "Heron"))),
        change(VISITED, 3, constraints=()),
    ],
}
"""Code to dialogues in which it is found."""
