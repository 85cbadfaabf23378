"""A dialogue about hiring a boat, written by hand, in which lint finds nothing."""

from __future__ import annotations

from typing import Any

import msgspec

from dialoom.dialogue import (
    GOLD,
    Act,
    Argument,
    Capability,
    Completion,
    Constraint,
    Dialogue,
    Event,
    Layer,
    Part,
    Query,
    Result,
    Scenario,
    Span,
    State,
    Utterance,
)
from dialoom.dialogue.annotation import Value
from dialoom.quality.lint import Linter
from dialoom.schema.task import TaskSchema
from tests.schema.tiny import VISIT
from tests.sim.designs import boat

BOAT = boat()
TASKS: dict[str, TaskSchema] = {BOAT.id: BOAT, VISIT.id: VISIT}

GIVEN: dict[str, tuple[Any, ...]] = {"boat": ("Heron", "the Heron"), "time": ("10:00", "10 am")}


def part(name: str, *arguments: Argument, spans: tuple[Span, ...] = (), **state: Any) -> Layer:
    """Return a gold layer with one act, spans, and a state where the user speaks."""
    goal = State(values={slot: tuple(values) for slot, values in state.items()}) if state else None
    return Layer(GOLD, (Part(acts=(Act(name, arguments),), spans=spans or None, state=goal),))


def user(text: str, layer: Layer) -> Utterance:
    return Utterance(agent="user", text=text, layers=(layer,))


def system(text: str, layer: Layer) -> Utterance:
    return Utterance(agent="system", text=text, layers=(layer,))


def query(number: str, request: str) -> Query:
    values: dict[str, Value] = {"Boat": "Heron", "Time": "10:00", "Crew": 2, "RequestType": request}
    constraints = tuple(Constraint(name, "equal", (value,)) for name, value in values.items())
    return Query(id=number, api="boat_hire", constraints=constraints)


def result(number: str, message: str) -> Result:
    item = {"Boat": "Heron", "Time": "10:00", "Crew": 2, "Message": message}
    return Result(query=number, items=(item,))


BOAT_SAID = Argument("boat", ("the Heron",), ("Heron",))
CREW_SAID = Argument("crew", ("two",), (2,))
TIME_SAID = Argument("time", ("10 am",), ("10:00",))

EVENTS: tuple[Event, ...] = (
    user(
        "Hello, the Heron for two, please.",
        part(
            "open",
            BOAT_SAID,
            CREW_SAID,
            spans=(Span(7, 16, ("boat",)), Span(21, 24, ("crew",))),
            boat=GIVEN["boat"],
            crew=(2, "two"),
        ),
    ),
    system("What time?", part("ask_time")),
    user(
        "At 10 am.",
        part("give_time", TIME_SAID, spans=(Span(3, 8, ("time",)),), **GIVEN, crew=(2, "two")),
    ),
    system("Anything else aboard?", part("ask_extras")),
    user("Nothing.", part("no_extras", Argument("extras"), **GIVEN, crew=(2, "two"))),
    query("q1", "Check"),
    result("q1", "Free"),
    system("Heron is yours at 10:00 for 2. Shall I note it?", part("offer")),
    user("Aye.", part("accept", **GIVEN, crew=(2, "two"))),
    query("q2", "Book"),
    result("q2", "Yours"),
    system("Noted: Heron, 10 am.", part("confirm")),
    system("Ship ahoy!", part("goodbye")),
    Completion(),
)


def scene(task: str = "boat_hire") -> Scenario:
    return Scenario(capabilities=(Capability(task),))


GOOD = Dialogue(id="1", events=EVENTS, scenario=scene(), provenance="written")

VISITED = Dialogue(
    id="1",
    scenario=scene("garden_visit"),
    events=(
        system("Good day, what can I do?", part("hello")),
        user("I want to visit a garden", Layer(GOLD)),
        system("Under which name, please?", part("ask_guest")),
        Query(
            id="1",
            api="garden_visit",
            constraints=(
                Constraint("GuestName", "equal", ("Ada",)),
                Constraint("Hour", "equal", ("3 pm",)),
                Constraint("PartySize", "equal", (2,)),
                Constraint("RequestType", "equal", ("Check",)),
            ),
        ),
        Result(query="1", items=({"Message": "The garden is open."},)),
        system("Botany is open at 3 pm. Shall I put you down?", part("offer")),
    ),
)
"""A dialogue of a task that has published schemas only."""


def codes(dialogue: Dialogue, seed: int | None = None) -> set[str]:
    """Return the codes of all that lint finds in a dialogue."""
    return {finding.code for finding in Linter(TASKS, seed).check(dialogue, "here.jsonl")}


def change(dialogue: Dialogue, index: int, **fields: Any) -> Dialogue:
    """Return a dialogue with one event changed."""
    changed = msgspec.structs.replace(dialogue.events[index], **fields)
    return insert(dialogue, index, changed, instead=1)


def insert(dialogue: Dialogue, index: int, *events: Event, instead: int = 0) -> Dialogue:
    """Return a dialogue with events put in, instead of some others."""
    before, after = dialogue.events[:index], dialogue.events[index + instead :]
    return msgspec.structs.replace(dialogue, events=(*before, *events, *after))


def annotate(dialogue: Dialogue, index: int, **fields: Any) -> Dialogue:
    """Return a dialogue with the annotation of one utterance changed."""
    event = dialogue.events[index]
    if not isinstance(event, Utterance):
        raise TypeError("only utterances are annotated")
    changed = msgspec.structs.replace(event.layers[0].parts[0], **fields)
    return change(dialogue, index, layers=(Layer(GOLD, (changed,)),))


def constrain(dialogue: Dialogue, index: int, constraint: Constraint) -> Dialogue:
    """Return a dialogue with one more constraint, in the place of any other on the same input."""
    event = dialogue.events[index]
    if not isinstance(event, Query):
        raise TypeError("only queries have constraints")
    others = tuple(c for c in event.constraints if c.slot != constraint.slot)
    return change(dialogue, index, constraints=(*others, constraint))
