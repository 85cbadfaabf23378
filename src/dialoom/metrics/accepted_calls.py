"""Calls whose arguments have several acceptable values, as BFCL's `possible_answer` lists them.

The rules are those of BFCL's checker of single turns (Patil et al. 2025): the right number of calls
in any order; in each, no argument that is not listed, and none missing unless "" is among its
values; texts are compared without case, spaces and the marks ,./-_*^. The order of an object's keys
does not matter, and each of its keys has acceptable values of its own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from dialoom.dialogue import Constraint, NextCalls, Query, Question
from dialoom.dialogue.annotation import Struct
from dialoom.metrics.base import Counts, Guess, Score, Signature, share

Calls = tuple[Query, ...]

_MARKS = re.compile(r"[ ,./\-_*^]")

SCORES = {"accuracy": "calls", "name_accuracy": "names", "unreadable": "share"}
"""Score to what is compared for it; `unreadable` is the share of answers that are no calls."""


class AcceptedCalls:
    """Accuracy of the calls at a turn, in any order, against the values that arguments may have.

    An answer that could not be read as calls is None: it is wrong where a call is needed, and right
    where none is.
    """

    kind: ClassVar[type[Struct]] = NextCalls

    def statistics(
        self, question: Question[NextCalls], gold: Calls, prediction: Guess[Calls | None]
    ) -> Counts:
        """Count whether the calls and their names are right, and whether there is an answer."""
        answer = prediction.answer if prediction else None
        given = answer or ()
        names = Counter(_name(each) for each in gold) == Counter(_name(each) for each in given)
        unreadable = answer is None and bool(gold)
        found = (accepted(gold, given), names, unreadable)
        return Counter(dict.fromkeys(zip(SCORES, found, strict=True), 1))

    def scores(self, counts: Counts) -> dict[str, Score]:
        """Return the scores in percent; 0 where there is nothing to score."""
        return {
            name: Score(
                name,
                share(counts[name, True], counts[name, True] + counts[name, False]),
                Signature({"metric": name, "equal": what, "values": "bfcl", "order": "any"}),
            )
            for name, what in SCORES.items()
        }


def acceptable(call: Mapping[str, Any]) -> Iterator[Query]:
    """Yield the calls of an object that maps their names to the values of their arguments."""
    for name, given in call.items():
        held = given.items() if isinstance(given, Mapping) else ()
        values = [(slot, each if isinstance(each, list) else [each]) for slot, each in held]
        wanted = tuple(Constraint(slot, "one_of", tuple(each)) for slot, each in values)
        yield Query(id="", api=name, constraints=wanted)


def accepted(gold: Calls, given: Calls) -> bool:
    """Return whether each right call, in turn, is one of the given ones, with none left over."""
    left = list(given)
    for wanted in gold:
        number = next((n for n, each in enumerate(left) if _accepts(wanted, each)), None)
        if number is None:
            return False
        del left[number]
    return not left


def _name(call: Query) -> str:
    """Return the name of a function; providers that allow no dots replace them by underscores."""
    return call.api.replace(".", "_")


def _accepts(wanted: Query, given: Query) -> bool:
    acceptable = {each.slot: each.values for each in wanted.constraints}
    values = {each.slot: each.value for each in given.constraints}
    return _name(wanted) == _name(given) and _fits(values, acceptable)


def _fits(values: Mapping[str, Any], acceptable: Mapping[str, Sequence[Any]]) -> bool:
    """True if each value is acceptable, and each missing one may be absent."""
    known = values.keys() <= acceptable.keys()
    absent = all("" in acceptable[key] for key in acceptable.keys() - values.keys())
    fit = (any(_same(v, each) for each in acceptable[key]) for key, v in values.items())
    return known and absent and all(fit)


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
