"""Dialogues about the tiny tasks of tests/schema/tiny.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dialoom.dialogue import (
    GOLD,
    SYSTEM,
    USER,
    Act,
    Constraint,
    Dialogue,
    Event,
    Example,
    Layer,
    NextAction,
    Options,
    Part,
    Query,
    Question,
    Result,
    Utterance,
    views,
)
from tests.schema.tiny import BARE, REPLIES, VISIT, WAY

SCHEMAS = {task.id: task for task in (VISIT, WAY, BARE)}

STEPS = ["Leave by the gate.", "Turn left at the pond.", "Cross the small bridge."]


def user(text: str) -> Utterance:
    return Utterance(agent=USER, text=text)


def system(label: str | None, text: str) -> Utterance:
    layers = () if label is None else (Layer(GOLD, (Part(acts=(Act(label),)),)),)
    return Utterance(agent=SYSTEM, text=text, layers=layers)


def picked(label: str, **values: str) -> Utterance:
    text = REPLIES[label].replace(":s}", "}").format(**values)
    return system(label, text)


def query(kind: str | None = None, **values: Any) -> Query:
    inputs = dict(values) if kind is None else {**values, "RequestType": kind}
    constraints = tuple(Constraint(slot, "equal", (value,)) for slot, value in inputs.items())
    return Query(id="q", api="garden_visit", constraints=constraints)


def result(**item: Any) -> Result:
    return Result(query="q", items=(item,) if item else ())


def visit(number: int, guest: str, hour: str, size: int) -> Dialogue:
    """A visit is asked for, checked and booked; what is said at once varies with the number."""
    inputs = {"GuestName": guest, "Hour": hour, "PartySize": size}
    opening: list[Event] = [user(f"Hello, I am {guest} and I want to visit a garden.")]
    if number % 2:
        opening = [user("Hi"), picked("hello"), user("I want to visit a garden"),
                   picked("ask_guest"), user(f"My name is {guest}")]  # fmt: skip
    events: list[Event] = [
        *opening,
        picked("ask_hour"),
        user(f"At {hour}"),
        picked("ask_size"),
        user(f"We are {size} people"),
        query("Check", **inputs),
        result(APIName="garden_visit", Message="The garden is open.", Time=hour),
        picked("offer", garden="It", time=hour),
        user("Yes please"),
        query("Book", **inputs),
        result(APIName="garden_visit", Message="Booked."),
        system(None, "All booked for you."),
        user("Thank you, bye"),
        system("goodbye", "Farewell and goodbye!"),
    ]
    return Dialogue(id=str(number), events=tuple(events), services=("garden_visit",))


def way(number: int, *said: str) -> Dialogue:
    """Steps of a way are read out; ends with what the user says last."""
    events: list[Event] = [
        user("Good day"),
        system("ask_from", "Where are you now?"),
        user("I am at the Oak"),
        Query(id="q", api="way_out", constraints=(Constraint("Place", "equal", ("Oak",)),)),
        result(APIName="way_out", Steps=STEPS, id=1),
    ]
    for step, text in zip(STEPS, said, strict=False):
        events += [system("tell_step", f"{step} Do you need more about this?"), user(text)]
    return Dialogue(id=f"way{number}", events=tuple(events), services=("way_out",))


def visits() -> list[Dialogue]:
    guests = ["Ada", "Ben", "Cleo", "Dov", "Eve", "Finn", "Gita", "Hal"]
    hours = ["7 pm", "9 am", "11 am", "3 pm", "4 pm", "8 am", "1 pm", "6 pm"]
    return [visit(n, guest, hours[n], n + 2) for n, guest in enumerate(guests)]


def examples(dialogues: list[Dialogue]) -> Iterator[Example[NextAction, str]]:
    for dialogue in dialogues:
        for place, event in enumerate(dialogue.events):
            label = views.action(event)
            if label is not None:
                yield Example(Question(dialogue, place, NextAction(dialogue.services[0])), label)


def with_options(dialogue: Dialogue, place: int) -> Dialogue:
    """The same dialogue with suggestions shown before an event: they tell the answer."""
    events = (*dialogue.events[:place], Options(text="?"), *dialogue.events[place:])
    return Dialogue(id=dialogue.id, events=events, services=dialogue.services)
