"""Calls as they were made: exact match, and F1 of their constraints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, ClassVar

from dialoom.dialogue import NextCall, Query, Question
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.constraint import canonical
from dialoom.metrics.base import Counts, Guess, Score, Signature, share
from dialoom.schema.task import TaskSchema

MATCHES = {"exact_match": "api+request+constraints", "parameter_match": "api+constraints"}
"""Score to the parts of a call that must be equal."""

ALL = "key+value+operator"

OVERLAPS = {"key_f1": "key", "value_f1": "key+value", "constraint_f1": ALL}
"""Score to the parts of a constraint that must be equal."""

Parts = dict[str, frozenset[Any]]


class CallMatch:
    """Exact match of calls, and micro F1 of their constraints over all questions.

    A request (to check or to book), by `schemas`, counts in `exact_match` alone and is no
    constraint of the other scores. Values are compared as `dialoom.dialogue.constraint.canonical`
    spells them. A repeated constraint counts once. A question without an answer is wrong, with no
    constraint predicted.
    """

    kind: ClassVar[type[Struct]] = NextCall

    def __init__(self, schemas: Mapping[str, TaskSchema] = {}) -> None:
        self._requests = {
            name: frozenset(each for call in task.calls.values() for each in call.requests)
            for name, task in schemas.items()
        }

    def statistics(
        self, question: Question[NextCall], gold: Query, prediction: Guess[Query]
    ) -> Counts:
        """Count which parts of a call are right, and how many constraints either side has."""
        inputs = self._requests.get(question.asked.task, frozenset())
        guess = prediction.answer if prediction else Query(id="", api="")
        counts: Counts = Counter()
        wanted, given = _parts(gold, inputs), _parts(guess, inputs)
        parameters = gold.api == guess.api and wanted[ALL] == given[ALL]
        requests = wanted["request"] == given["request"]
        for name, same in zip(MATCHES, (parameters and requests, parameters), strict=True):
            counts[name, "right" if same else "wrong"] += 1
        for name, part in OVERLAPS.items():
            counts[name, "right"] += len(wanted[part] & given[part])
            counts[name, "gold"] += len(wanted[part])
            counts[name, "predicted"] += len(given[part])
        return counts

    def scores(self, counts: Counts) -> dict[str, Score]:
        """Return the scores in percent; 0 where there is nothing to score."""
        found = {}
        for name, equal in MATCHES.items():
            right = counts[name, "right"]
            signature = Signature({"metric": "match", "equal": equal, "values": "canonical"})
            found[name] = Score(name, share(right, right + counts[name, "wrong"]), signature)
        for name, equal in OVERLAPS.items():
            size = counts[name, "gold"] + counts[name, "predicted"]
            signature = Signature(
                {"metric": "f1", "avg": "micro", "equal": equal, "values": "canonical"}
            )
            found[name] = Score(name, share(2 * counts[name, "right"], size), signature)
        return found


def _parts(call: Query, requests: frozenset[str]) -> Parts:
    read = [(each.slot, *canonical(each)) for each in call.constraints]
    kept = [each for each in read if each[0] not in requests]
    return {
        "request": frozenset(values for slot, _, values in read if slot in requests),
        "key": frozenset(slot for slot, _, _ in kept),
        "key+value": frozenset((slot, values) for slot, _, values in kept),
        ALL: frozenset(kept),
    }
