"""Questions in an order in which every dialogue is read once, whatever is asked about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dialoom.dialogue import Event
from dialoom.models.base import Questions


def reading(
    questions: Questions, tasks: Sequence[str]
) -> Iterator[tuple[int, bool, tuple[Event, ...]]]:
    """Yield each question's number, whether it begins a dialogue anew, and what is new to read.

    Args:
        questions: The questions.
        tasks: The task by which each question's dialogue is read.
    """
    order = sorted(
        range(len(questions)),
        key=lambda n: (tasks[n], questions[n].dialogue.id, questions[n].event),
    )
    before: tuple[Event, ...] = ()
    task = None
    for number in order:
        history = questions[number].history
        anew = task != tasks[number] or not _continues(before, history)
        yield number, anew, history if anew else history[len(before) :]
        before, task = history, tasks[number]


def _continues(before: tuple[Event, ...], after: tuple[Event, ...]) -> bool:
    """Tell whether one history begins with the other: the same events, not merely equal ones."""
    return len(before) <= len(after) and all(a is b for a, b in zip(before, after, strict=False))
