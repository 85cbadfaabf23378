"""What holds of every simulated dialogue."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from dialoom.dialogue import (
    SYSTEM,
    USER,
    Completion,
    Dialogue,
    Part,
    Query,
    Result,
    Utterance,
    decode,
    encode,
)
from dialoom.dialogue.views import label, parts
from dialoom.schema.flow import OUT_OF_SCOPE
from dialoom.schema.task import TaskSchema


def check(dialogue: Dialogue, task: TaskSchema) -> None:
    """Assert all that can be said of one dialogue."""
    assert decode(encode(dialogue)) == dialogue
    assert dialogue.provenance == "simulated"
    assert isinstance(dialogue.events[-1], Completion)
    times = [event.time for event in dialogue.events if event.time is not None]
    assert len(times) == len(dialogue.events)
    assert times == sorted(times)
    check_queries(dialogue)
    values = dict(wishes(dialogue))
    for event in dialogue.events:
        if isinstance(event, Utterance):
            (part,) = parts(event)
            check_spans(event, part)
            check_speaker(event, part, task, values)


def check_spans(utterance: Utterance, part: Part) -> None:
    """Every span is what an argument of an act says."""
    rows = [(a.slot, value) for act in part.acts or () for a in act.arguments for value in a.values]
    spans = [
        (label, utterance.text[span.start : span.end])
        for span in part.spans or ()
        for label in span.labels
    ]
    assert set(spans) <= set(rows)
    assert all(text == text.strip() and text for _, text in spans)


def check_speaker(
    utterance: Utterance, part: Part, task: TaskSchema, wanted: dict[str, Any]
) -> None:
    """Acts are named after the node; the user says what the goal has, and the state holds it."""
    if label(utterance) == OUT_OF_SCOPE:  # beside the flow
        return
    node = task.flow.nodes[label(utterance) or ""]
    assert node.kind == utterance.agent
    if utterance.agent == SYSTEM:
        assert part.state is None
        return
    assert part.state is not None
    for act in part.acts or ():
        for argument in act.arguments:
            if argument.slot not in task.slots or not argument.values:
                continue
            if argument.slot == node.next:  # counted, not wished for
                continue
            values = argument.canonical or argument.values
            assert set(values) <= set(wanted.get(argument.slot, values))
            assert set(values) <= set(part.state.values[argument.slot])


def check_queries(dialogue: Dialogue) -> None:
    """Every query has the one result that comes right after it."""
    events = dialogue.events
    ids = [event.id for event in events if isinstance(event, Query)]
    assert len(set(ids)) == len(ids)
    for event, after in itertools.pairwise(events):
        if isinstance(event, Query):
            assert isinstance(after, Result)
            assert after.query == event.id
        assert isinstance(event, Query) == isinstance(after, Result)


def wishes(dialogue: Dialogue) -> Iterator[tuple[str, list[Any]]]:
    """Yield every slot that the user had a wish for, with all values it had."""
    assert dialogue.scenario is not None
    goal = dialogue.scenario.goal
    slots: dict[str, list[Any]] = {}
    for values in (goal["values"], *goal.get("changes", ())):
        for slot, value in values.items():
            slots.setdefault(slot, []).extend(value if isinstance(value, list) else [value])
    yield from slots.items()


def words_of(dialogue: Dialogue, agent: str = USER) -> list[str]:
    """Return the names of an agent's utterances."""
    return [
        label(event) or ""
        for event in dialogue.events
        if isinstance(event, Utterance) and event.agent == agent
    ]
