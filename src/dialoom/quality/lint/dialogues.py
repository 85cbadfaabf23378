"""Rules about a dialogue as a whole."""

from __future__ import annotations

from collections.abc import Iterator

from dialoom.dialogue import Selection, views
from dialoom.quality.lint.case import Case
from dialoom.quality.lint.rule import Found, Rule
from dialoom.schema.findings import hint


def repeated_id(case: Case) -> Iterator[Found]:
    """Find a dialogue whose id an earlier one has."""
    if case.repeated:
        yield "/id", f"an earlier dialogue is called {case.dialogue.id!r} as well"


def silent(case: Case) -> Iterator[Found]:
    """Find a dialogue in which nobody speaks."""
    if not case.utterances:
        yield "/events", "nobody says anything"


def unknown_task(case: Case) -> Iterator[Found]:
    """Find tasks that are not among the corpus's schemas."""
    if not case.known:
        return
    dialogue = case.dialogue
    listed = dialogue.scenario is not None and dialogue.scenario.capabilities
    pointer = "/scenario/capabilities" if listed else "/services"
    for number, name in enumerate(views.tasks(dialogue)):
        if name not in case.known:
            yield f"{pointer}/{number}", _unknown(name, case)
    for index, event in enumerate(dialogue.events):
        if isinstance(event, Selection) and event.task and event.task not in case.known:
            yield f"/events/{index}/task", _unknown(event.task, case)


def _unknown(name: str, case: Case) -> str:
    return f"the corpus has no schema of a task {name!r}: {hint(name, case.known)}"


def backwards(case: Case) -> Iterator[Found]:
    """Find events whose time is before that of the event before them."""
    last = 0
    for index, event in enumerate(case.dialogue.events):
        if event.time is not None:
            if event.time < last:
                yield f"/events/{index}/time", f"{last - event.time} ms before the event before"
            last = event.time


RULES = (
    Rule("E501", "id that an earlier dialogue has", "each id is given once", repeated_id),
    Rule("E502", "unknown task", "a schema stands beside the dialogues", unknown_task),
    Rule("W501", "dialogue without an utterance", "somebody speaks", silent),
    Rule("W502", "event before the one before it", "time goes forward", backwards),
)
"""The rules of this module."""
