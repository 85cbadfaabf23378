"""Untrue claims of an agent: values that nobody gave, failures where a call succeeded."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from dialoom.dialogue import Query, Result, Utterance
from dialoom.dialogue.views import label
from dialoom.flow.program import TaskProgram
from dialoom.play.judging.heard import Heard, UserWords
from dialoom.reading.spoken import SpokenTurn
from dialoom.reading.statements import flat, unfounded
from dialoom.reading.turn import turn_reader
from dialoom.schema.call import outcomes
from dialoom.schema.task import TaskSchema

NONE: frozenset[str] = frozenset()
FAILURE = frozenset({"failure"})
"""Function of replies that say that something was not done."""

REFUSALS = FAILURE | {"out_of_scope"}
"""The same right after a call: who has just made it does not say that it is beyond them."""


def unread(heard: Heard) -> tuple[str, ...]:
    """Return the agent's turns that the reading did not understand."""
    return tuple(
        event.text
        for event, turn in heard
        if turn is not None and turn.main is not None and not turn.understood
        if isinstance(event, Utterance)
    )


def misstated(program: TaskProgram, heard: Heard) -> tuple[str, ...]:
    """Return the agent's turns that are untrue.

    The result of a call for somebody else is no evidence: a row that is selected by a value which
    neither the user nor a result gave.
    """
    task, query, returned = program.schema, None, list[Any]()
    words, found, done = UserWords([program]), list[str](), False
    fresh = False  # whether a call has succeeded since the user spoke
    for event, turn in heard:
        if isinstance(event, Query):
            query = event
        elif isinstance(event, Result):
            call = task.calls.get(query.api) if query is not None else None
            if call is not None and query is not None:
                ended = outcomes(call, query.constraints, event.items)
                fresh = done = "done" in ended and "error" not in event.extra
                if not words.cover(query, returned, keys=True):
                    continue
            returned += flat(value for item in event.items for value in item.values())
        elif turn is not None and isinstance(event, Utterance):
            failures = REFUSALS if fresh else FAILURE if done else NONE
            if _untrue(task, event, turn, [*words.values, *returned], failures):
                found.append(event.text)
        elif isinstance(event, Utterance):
            words.add(event)
            fresh = False
    return tuple(found)


def _untrue(
    task: TaskSchema, said: Utterance, turn: SpokenTurn, known: list[Any], failures: Collection[str]
) -> bool:
    """True if a turn has a value that nobody gave, or in its words a success as a failure."""
    words = turn
    if failures and label(said) is None:
        words = turn_reader(task, "system").read(said.text)
    understood = all(act.function != "not_understood" for act in (*turn.acts, *words.acts))
    if understood and _fails(task, words, failures):
        return True
    return any(unfounded(task, said.text, turn, known))


def _fails(task: TaskSchema, words: SpokenTurn, failures: Collection[str]) -> bool:
    """True if a turn mainly states a failure: no bare apology, and no surer report of success."""
    main = words.main
    if main is None or main.function not in failures:
        return False
    surest = max((a.certainty for a in words.acts if a.function == "success"), default=0.0)
    stated = turn_reader(task, "system").excused(main)
    return stated.function in failures and main.certainty > surest
