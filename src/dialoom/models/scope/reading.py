"""The texts that models of scope compare: the user's turn, its history, and the task's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from dialoom.dialogue import SYSTEM, USER, Query, Question, Result
from dialoom.dialogue.views import label
from dialoom.schema.flow import OUT_OF_SCOPE
from dialoom.schema.task import TaskSchema
from dialoom.schema.template import PLACEHOLDER


class TurnReading(NamedTuple):
    """A user's turn with the context before it.

    `before` is the system's last text, `earlier` are the user's earlier texts. `counts` are numbers
    of the user's turns, of the system's replies without a label or with the one for out of scope,
    the share of these, whether the last reply was one, the number of queries, and that of events
    since the last result, or `NO_RESULT`.
    """

    task: str
    text: str
    before: str
    earlier: tuple[str, ...]
    counts: tuple[float, ...]


def read(question: Question[Any]) -> TurnReading:
    """Return the user's turn before a question, with its history."""
    said = question.utterances
    users = [e.text for e in said if e.agent == USER]
    system = [e for e in said if e.agent == SYSTEM]
    free = [label(e) in (None, OUT_OF_SCOPE) for e in system]
    results = [n for n, e in enumerate(reversed(question.history)) if isinstance(e, Result)]
    queries = sum(isinstance(e, Query) for e in question.history)
    shares = sum(free), sum(free) / (len(free) or 1), bool(free and free[-1])
    return TurnReading(
        task=question.asked.task,
        text=users[-1] if users else "",
        before=system[-1].text if system else "",
        earlier=tuple(users[:-1]),
        counts=(len(users), *shares, queries, results[0] if results else NO_RESULT),
    )


class TaskWords(NamedTuple):
    """The texts of a task's schema, without placeholders.

    `wizards` are texts that wizards typed for its replies; `values` has a text for each slot.
    """

    users: tuple[str, ...]
    replies: tuple[str, ...]
    wizards: tuple[str, ...]
    values: tuple[str, ...]


NO_RESULT = 20
"""Events since the last result if there is none: more than follow most results."""

NOTHING = TaskWords((), (), (), ())


def words_of(task: TaskSchema) -> TaskWords:
    """Return the texts of a task's schema."""
    nodes = task.flow.nodes.values()
    users = [t for node in nodes if node.kind == "user" for t in (*node.texts, *node.examples)]
    replies = [text for node in nodes if node.kind == "system" for text in node.texts]
    wizards = [text for node in nodes if node.kind == "system" for text in node.examples]
    slots = [
        " ".join((slot.description or slot.name, *slot.values))
        for slot in (*task.slots.values(), *task.inputs)
    ]
    return TaskWords(_plain(users), _plain(replies), _plain(wizards), _plain(slots))


def _plain(texts: Sequence[str]) -> tuple[str, ...]:
    found = (" ".join(PLACEHOLDER.sub(" ", text).split()) for text in texts)
    return tuple(dict.fromkeys(text for text in found if text))
