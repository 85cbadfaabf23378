"""Histories of questions: as text, and in an order in which each dialogue is read only once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from dialoom.dialogue import SYSTEM, Event, Query, Question, Result, Utterance
from dialoom.dialogue.views import parts, query_label
from dialoom.learn.model import Questions
from dialoom.schema.lexicon import fields

S = TypeVar("S")

RECENT = 4
"""Number of events in `text`: the last exchange with its query and result."""


def text(question: Question[Any]) -> str:
    """Return the last `RECENT` events with words before a question as one text."""
    return " | ".join(words for _, words in _spelled(question.history)[-RECENT:])


def turns(question: Question[Any], recent: int) -> str:
    """Return at most `recent` last events with words as one text, each after its speaker."""
    lines = _spelled(question.history)[-recent:]
    return " ".join(f"{who}: {words}" for who, words in lines)


def _spelled(history: Sequence[Event]) -> list[tuple[str, str]]:
    lines = []
    for event in history:
        if isinstance(event, Utterance):
            lines.append((event.agent, event.text))
        elif isinstance(event, Query):
            lines.append(("database", query_label(event)))
        elif isinstance(event, Result):
            pairs = (f"{key} {fields(v)}" for item in event.items for key, v in item.items())
            lines.append(("database", " ".join(pairs)))
    return lines


def states(
    questions: Questions,
    tasks: Sequence[str],
    start: Callable[[str], S],
    step: Callable[[S, Event], None],
) -> Iterator[tuple[int, S]]:
    """Yield the number of each question, and the state after its history.

    `start` makes the state of a task before any event, `step` updates it. Each dialogue is read
    once for each task; `tasks` has each question's task.
    """
    before: tuple[Event, ...] = ()
    task: str | None = None
    for number in reading_order(questions, tasks):
        history = questions[number].history
        if task != tasks[number] or not _continues(before, history):
            task, before = tasks[number], ()
            state = start(task)
        for event in history[len(before) :]:
            step(state, event)
        before = history
        yield number, state


def reading_order(questions: Questions, tasks: Sequence[str]) -> list[int]:
    """Return the numbers of questions by task, dialogue and event."""
    return sorted(
        range(len(questions)),
        key=lambda n: (tasks[n], questions[n].dialogue.id, questions[n].event),
    )


def _continues(before: tuple[Event, ...], after: tuple[Event, ...]) -> bool:
    return len(before) <= len(after) and all(a is b for a, b in zip(before, after, strict=False))


def longest(questions: Questions) -> dict[str, Question[Any]]:
    """Return dialogue id to the question with the longest history, which has all others'."""
    records: dict[str, Question[Any]] = {}
    for question in questions:
        record = records.setdefault(question.dialogue.id, question)
        if question.event > record.event:
            records[question.dialogue.id] = question
    return records


def acts_are_shown(dialogues: Iterable[Sequence[Event]]) -> bool:
    """True if any utterance of the system in some dialogues has annotated acts."""
    return any(
        part.acts is not None
        for events in dialogues
        for event in events
        if isinstance(event, Utterance) and event.agent == SYSTEM
        for part in parts(event)
    )
