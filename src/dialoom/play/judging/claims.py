"""Untrue claims of an agent: values that nobody gave or of others, failures of what succeeded."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from dialoom.dialogue import Query, Result, Utterance
from dialoom.dialogue.views import label
from dialoom.flow.program import TaskProgram
from dialoom.play.judging.heard import Heard, UserWords, given, slot_of
from dialoom.reading.contradictions import KnownFacts, ReturnedRow, contradicted
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


def unread(log: Heard) -> tuple[str, ...]:
    """Return the agent's turns that the reading did not understand."""
    return tuple(
        event.text
        for event, turn in log
        if turn is not None and turn.main is not None and not turn.understood
        if isinstance(event, Utterance)
    )


def misstated(program: TaskProgram, log: Heard) -> tuple[str, ...]:
    """Return the agent's turns that are untrue.

    The result of a call for somebody else is no evidence: a row that is selected by a value which
    neither the user nor a result gave.
    """
    task, query, known = program.schema, None, _Known([program])
    texts, done = list[str](), False
    fresh = False  # whether a call has succeeded since the user spoke
    for event, turn in log:
        if isinstance(event, Query):
            query = event
        elif isinstance(event, Result):
            call = task.calls.get(query.api) if query is not None else None
            if call is not None and query is not None:
                ended = outcomes(call, query.constraints, event.items)
                fresh = done = "done" in ended and "error" not in event.extra
            known.result(program, query if call is not None else None, event)
        elif turn is not None and isinstance(event, Utterance):
            failures = REFUSALS if fresh else FAILURE if done else NONE
            if _untrue(task, event, turn, known, failures):
                texts.append(event.text)
        elif isinstance(event, Utterance):
            known.user(event)
            fresh = False
    return tuple(texts)


class _Known:
    """The values that the user has said and that calls have returned."""

    def __init__(self, programs: Sequence[TaskProgram]) -> None:
        self._words, self._returned = UserWords(programs), list[Any]()
        self._given: dict[str, list[Any]] = {}
        self._rows: list[ReturnedRow] = []

    @property
    def values(self) -> list[Any]:
        """The values of all slots that the user said or calls returned."""
        return [*self._words.values, *self._returned]

    @property
    def facts(self) -> KnownFacts:
        """The values that the user gave, by slot, and those that calls returned, by row."""
        return KnownFacts(self._given, self._rows)

    def user(self, said: Utterance) -> None:
        """Take in an utterance of the user."""
        self._words.add(said)
        for slot, value in given(said):
            self._given.setdefault(slot, []).extend(flat([value]))

    def result(self, program: TaskProgram, query: Query | None, result: Result) -> None:
        """Take in a result, unless it is for a key that neither the user nor a result gave."""
        if query is not None and not self._words.cover(query, self._returned, keys=True):
            return
        self._returned += flat(value for item in result.items for value in item.values())
        for name, values in ((c.slot, c.values) for c in query.constraints) if query else ():
            slot = slot_of(program, name)
            self._given.setdefault(slot.name if slot else name, []).extend(values)
        columns = program.columns[query.api] if query is not None else {}
        self._rows += [ReturnedRow(item, columns) for item in result.items]


def _untrue(
    task: TaskSchema, line: Utterance, turn: SpokenTurn, known: _Known, failures: Collection[str]
) -> bool:
    words = turn
    if failures and label(line) is None:
        words = turn_reader(task, "system").read(line.text)
    understood = all(act.function != "not_understood" for act in (*turn.acts, *words.acts))
    if understood and _fails(task, words, failures):
        return True
    if any(unfounded(task, line.text, turn, known.values)):
        return True
    return label(line) is None and contradicted(task, line.text, turn, known.facts)


def _fails(task: TaskSchema, words: SpokenTurn, failures: Collection[str]) -> bool:
    """True if a turn mainly states a failure: no bare apology, and no surer report of success."""
    main = words.main
    if main is None or main.function not in failures:
        return False
    surest = max((a.certainty for a in words.acts if a.function == "success"), default=0.0)
    stated = turn_reader(task, "system").excused(main)
    return stated.function in failures and main.certainty > surest
