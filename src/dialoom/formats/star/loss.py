"""What STAR's layout has no place for, counted by field so that nothing is dropped in silence.

Utterance("user", "Hi", layers=(gold with an act,))   -> "user acts": 1
Result(items=({...}, {...}))                          -> "result items after the first": 1
"""

from __future__ import annotations

from collections.abc import Iterator

from dialoom.dialogue import (
    GUIDE,
    KB,
    SYSTEM,
    USER,
    Act,
    Completion,
    Dialogue,
    Event,
    Instruction,
    Options,
    Part,
    Query,
    Result,
    Scenario,
    Selection,
    Utterance,
)
from dialoom.dialogue.views import gold, label
from dialoom.formats.star.reading import label_layers
from dialoom.schema.task import Task

_AGENTS: dict[type[Event], tuple[str, ...]] = {
    Utterance: (USER, SYSTEM),
    Instruction: (GUIDE,),
    Query: (SYSTEM,),
    Result: (KB,),
    Options: (SYSTEM,),
    Selection: (SYSTEM,),
    Completion: (USER,),
}
"""Who may do what in STAR."""


def lost(dialogue: Dialogue, *, number: bool) -> Iterator[str]:
    """Yield a name for each thing in `dialogue` that its STAR file will not hold.

    Args:
        dialogue: The dialogue.
        number: Whether its id is a number, as STAR's must be.
    """
    if not number:
        yield "dialogue id"
    if dialogue.provenance != "imported":
        yield "provenance"
    yield from ("services" for _ in dialogue.services)
    yield from ("workers" for agent in dialogue.workers if agent not in (USER, SYSTEM))
    yield from ("answers" for answer in dialogue.answers if answer.agent not in (USER, SYSTEM))
    if dialogue.scenario is not None:
        yield from _scenario(dialogue.scenario)
    yield from _events(dialogue.events)


def lost_of(task: Task) -> Iterator[str]:
    """Yield the fields of a task's schema that do not come back, once for each time."""
    if task.design is not None:
        yield "task design"
    yield from ("API not named after its task" for api in task.apis if api.name != task.id)


def _scenario(scenario: Scenario) -> Iterator[str]:
    if scenario.goal is not None:
        yield "scenario goal"
    if scenario.instruction_id is not None:
        yield "scenario instruction id"


def _events(events: tuple[Event, ...]) -> Iterator[str]:
    query = ""
    for index, event in enumerate(events):
        if event.agent not in _AGENTS[type(event)]:
            yield "agents"
        if event.time is not None and event.time % 1000:
            yield "milliseconds"
        if isinstance(event, Utterance):
            yield from _utterance(event)
        elif isinstance(event, Result):
            yield from _result(event, query)
        elif isinstance(event, Options):
            yield from _options(event, events[index + 1] if index + 1 < len(events) else None)
        elif isinstance(event, Query):
            query = event.id
            if event.service is not None:
                yield "query service"
        elif isinstance(event, Selection) and event.task is not None and event.kind != "task":
            yield "tasks of selected items"


def _result(event: Result, query: str) -> Iterator[str]:
    yield from ("result items after the first" for _ in event.items[1:])
    if event.query != query:
        yield "results of other queries than the last"


def _options(event: Options, after: Event | None) -> Iterator[str]:
    for held in event.candidates:
        if held.text is not None:
            yield "candidate texts"
        if held.extra:
            yield "candidate extras"
    if event.choice is not None:
        yield "choices"
    picked = isinstance(after, Utterance) and after.agent != USER and label(after) is not None
    if event.candidates and not picked:
        yield "candidates without a pick"


def _utterance(event: Utterance) -> Iterator[str]:
    """Compare with the only annotation STAR has: one gold act without arguments."""
    if event.selected is not None and event.agent == USER:
        yield "items selected by users"
    if not event.layers:
        return
    action = label(event)
    if event.agent != USER and action is not None and event.layers == label_layers(action):
        return
    layer = gold(event)
    yield from ("annotation layers other than gold" for held in event.layers if held is not layer)
    if layer is None:
        return
    if layer.extra:
        yield "layer extras"
    acts = [act for part in layer.parts for act in part.acts or ()]
    if event.agent == USER:
        yield from ("user acts" for _ in acts)
    else:
        yield from ("system acts after the first" for _ in acts[1:])
    yield from (name for act in acts for name in _act(act))
    yield from (name for part in layer.parts for name in _part(part))


def _act(act: Act) -> Iterator[str]:
    yield from ("act arguments" for _ in act.arguments)
    if act.extra:
        yield "act extras"


def _part(part: Part) -> Iterator[str]:
    yield from ("spans" for _ in part.spans or ())
    yield from ("frames" for _ in part.frames or ())
    if part.state is not None:
        yield "dialogue state"
    if part.active_frame is not None:
        yield "active frame"
    if part.service is not None:
        yield "services of annotation"
    if part.extra:
        yield "part extras"
