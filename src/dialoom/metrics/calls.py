"""Calls as they were made: exact match, F1 of constraints; calls with several acceptable values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from dialoom.dialogue import Constraint, NextCall, NextCalls, Query, Question
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.constraint import canonical
from dialoom.metrics.base import Counts, Guess, Score, share, signed
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
        truth, answers = _parts(gold, inputs), _parts(guess, inputs)
        parameters = gold.api == guess.api and truth[ALL] == answers[ALL]
        requests = truth["request"] == answers["request"]
        for name, same in zip(MATCHES, (parameters and requests, parameters), strict=True):
            counts[name, "right" if same else "wrong"] += 1
        for name, part in OVERLAPS.items():
            counts[name, "right"] += len(truth[part] & answers[part])
            counts[name, "gold"] += len(truth[part])
            counts[name, "predicted"] += len(answers[part])
        return counts

    def scores(self, counts: Counts) -> dict[str, Score]:
        """Return the scores in percent; 0 where there is nothing to score."""
        figures: dict[str, Score] = {}
        for name, equal in MATCHES.items():
            right = counts[name, "right"]
            value = share(right, right + counts[name, "wrong"])
            figures |= signed({name: value}, "match", equal=equal, values="canonical")
        for name, equal in OVERLAPS.items():
            size = counts[name, "gold"] + counts[name, "predicted"]
            value = share(2 * counts[name, "right"], size)
            about = {"avg": "micro", "equal": equal, "values": "canonical"}
            figures |= signed({name: value}, "f1", **about)
        return figures


def _parts(call: Query, requests: frozenset[str]) -> Parts:
    read = [(each.slot, *canonical(each)) for each in call.constraints]
    others = [each for each in read if each[0] not in requests]
    return {
        "request": frozenset(values for slot, _, values in read if slot in requests),
        "key": frozenset(slot for slot, _, _ in others),
        "key+value": frozenset((slot, values) for slot, _, values in others),
        ALL: frozenset(others),
    }


Calls = tuple[Query, ...]

_MARKS = re.compile(r"[ ,./\-_*^]")

SCORES = {"accuracy": "calls", "name_accuracy": "names", "unreadable": "share"}
"""Score to what is compared for it; `unreadable` is the share of answers that are no calls."""


class AcceptedCalls:
    """Accuracy of the calls at a turn, in any order, against the values that arguments may have.

    The rules are those of BFCL's checker of single turns (Patil et al. 2025): the right number of
    calls; in each, no argument that is not listed, and none missing unless "" is among its values;
    texts are compared without case, spaces and the marks ,./-_*^. The order of an object's keys
    does not matter, and each of its keys has acceptable values of its own.

    An answer that could not be read as calls is None: it is wrong where a call is needed, and right
    where none is; that of a model whose record says that it is unreadable is always wrong.
    """

    kind: ClassVar[type[Struct]] = NextCalls

    def statistics(
        self, question: Question[NextCalls], gold: Calls, prediction: Guess[Calls | None]
    ) -> Counts:
        """Count whether the calls and their names are right, and whether there is an answer."""
        answer = prediction.answer if prediction else None
        calls = answer or ()
        names = Counter(_name(each) for each in gold) == Counter(_name(each) for each in calls)
        failed = bool(prediction and prediction.record and prediction.record.unreadable)
        unreadable = failed or (answer is None and bool(gold))
        outcomes = (accepted(gold, calls) and not failed, names and not failed, unreadable)
        return Counter(dict.fromkeys(zip(SCORES, outcomes, strict=True), 1))

    def scores(self, counts: Counts) -> dict[str, Score]:
        """Return the scores in percent; 0 where there is nothing to score."""
        figures: dict[str, Score] = {}
        for name, what in SCORES.items():
            value = share(counts[name, True], counts[name, True] + counts[name, False])
            figures |= signed({name: value}, equal=what, values="bfcl", order="any")
        return figures


def acceptable(call: Mapping[str, Any]) -> Iterator[Query]:
    """Yield the calls of an object that maps their names to the values of their arguments."""
    for name, arguments in call.items():
        pairs = arguments.items() if isinstance(arguments, Mapping) else ()
        values = [(slot, each if isinstance(each, list) else [each]) for slot, each in pairs]
        conditions = tuple(Constraint(slot, "one_of", tuple(each)) for slot, each in values)
        yield Query(id="", api=name, constraints=conditions)


def accepted(gold: Calls, calls: Calls) -> bool:
    """Return whether each right call, in turn, is one of the given ones, with none left over."""
    left = list(calls)
    for call in gold:
        number = next((n for n, each in enumerate(left) if _accepts(call, each)), None)
        if number is None:
            return False
        del left[number]
    return not left


def _name(call: Query) -> str:
    """Return the name of a function; providers that allow no dots replace them by underscores."""
    return call.api.replace(".", "_")


def _accepts(gold: Query, guess: Query) -> bool:
    acceptable = {each.slot: each.values for each in gold.constraints}
    values = {each.slot: each.value for each in guess.constraints}
    return _name(gold) == _name(guess) and _fits(values, acceptable)


def _fits(values: Mapping[str, Any], acceptable: Mapping[str, Sequence[Any]]) -> bool:
    is_known = values.keys() <= acceptable.keys()
    absent = all("" in acceptable[key] for key in acceptable.keys() - values.keys())
    fit = (any(_same(v, each) for each in acceptable[key]) for key, v in values.items())
    return is_known and absent and all(fit)


def _same(value: Any, acceptable: Any) -> bool:
    if isinstance(value, Mapping) and isinstance(acceptable, Mapping):
        lists = all(isinstance(each, list) for each in acceptable.values())
        return _fits(value, acceptable) if lists else _plain(value) == _plain(acceptable)
    several = isinstance(value, list | tuple) and isinstance(acceptable, list | tuple)
    if several and any(isinstance(each, Mapping) for each in acceptable):
        return len(value) == len(acceptable) and all(map(_same, value, acceptable))
    if isinstance(value, float) and type(acceptable) is int:
        return False  # an integer may be written for a float, but not the reverse
    return bool(_plain(value) == _plain(acceptable))


def _plain(value: Any) -> Any:
    """Return a value in a form that is equal for equal ones; True is not 1."""
    if isinstance(value, str):
        return _MARKS.sub("", value).lower().replace("'", '"')
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    return (value,) if isinstance(value, bool) else value
