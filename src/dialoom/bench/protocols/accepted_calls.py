"""The calls that a user's request needs, in any order: the questions of BFCL.

A question with a single turn is right by the rules of BFCL's own checker; without an answer in the
benchmark, no call is right. With several turns, the calls of each must be those of the answer, in
any order; BFCL runs them and compares states instead. The hold-outs are BFCL's categories, without
those whose answers are no calls (memory, web search, relevance) or in Java and JavaScript.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from msgspec.structs import replace

from dialoom.bench.core.data import check_found
from dialoom.bench.core.protocol import Data, HoldOut, NoSettings, Plan, Protocol, Target
from dialoom.bench.visibility import VIEWS, visible
from dialoom.dialogue import Constraint, Dialogue, NextCalls, Query
from dialoom.formats.base.values import at
from dialoom.formats.bfcl import ANSWER, missing
from dialoom.formats.chat.arguments import write
from dialoom.formats.chat.marks import MARKS
from dialoom.formats.chat.wrapped import keys_of
from dialoom.metrics.calls import AcceptedCalls, acceptable

_CATEGORY = re.compile(r"_\d[\d-]*$")
"""The end of an id, after its category; live questions have three numbers."""

OTHER_LANGUAGES = ("_java", "_javascript")
"""The ends of the names of categories whose values are spelled in another language."""

NO_CALL = "irrelevance"
"""The end of a category's name whose questions need no call, and that has no answers."""


NAME = "calls"


def plan(data: Data, settings: NoSettings) -> Plan:
    """Find the turns with right calls; `MissingDataError` without any."""
    questions: dict[str, list[Target]] = {}
    left = 0
    for dialogue in data.corpus.dialogues():
        batch = list(_targets(dialogue))
        left += not batch
        for target in batch:
            questions.setdefault(_CATEGORY.sub("", dialogue.id), []).append(target)
    what = "has no question whose answer is calls; answers are in the folder possible_answer"
    check_found(questions, data.corpus, f"{what} next to its files")
    turns = any(len({t.source for t in each}) < len(each) for each in questions.values())
    notes = {
        f"{left} questions are not asked: their answers are no calls, or not in Python": left,
        "turns of longer questions are compared call by call; BFCL runs them instead": turns,
    }
    return Plan(
        protocol=NAME,
        title=NAME,
        data=data,
        metrics=(AcceptedCalls(),),
        holdouts=[HoldOut(name, [], targets) for name, targets in questions.items()],
        notes=[note for note, holds in notes.items() if holds],
    )


def _targets(dialogue: Dialogue) -> Iterator[Target]:
    answer: Any = keys_of(dialogue.extra).get(ANSWER)
    queries = [n for n, event in enumerate(dialogue.events) if isinstance(event, Query)]
    history, positions = visible(dialogue, VIEWS[NextCalls])
    category = _CATEGORY.sub("", dialogue.id)
    if category.endswith(OTHER_LANGUAGES):
        return
    if answer is None and category.endswith(NO_CALL):
        yield Target(dialogue.id, 0, _asked(dialogue, 0), (), history, len(history))
    elif _listed(answer, dict):
        functions = _functions(keys_of(dialogue.extra).get("function"))
        gold = tuple(_typed(call, functions) for each in answer for call in acceptable(each))
        yield Target(dialogue.id, 0, _asked(dialogue, 0), gold, history, positions[queries[0]])
    elif _listed(answer, list):
        places = iter(queries)
        for turn, calls in enumerate(answer):
            own = list(islice(places, len(calls)))
            if own:
                gold = tuple(map(_exact, (dialogue.events[n] for n in own)))
                question = _asked(dialogue, turn)
                yield Target(dialogue.id, turn, question, gold, history, positions[own[0]])


def _asked(dialogue: Dialogue, turn: int) -> NextCalls:
    later = missing(keys_of(dialogue.extra), turn)
    functions = (each["function"] for each in at(dialogue.extra, list, MARKS, "tools"))
    return NextCalls(tuple(each for each in functions if each["name"] not in later))


def _functions(defined: Any) -> dict[str, dict[str, Any]]:
    functions = defined if isinstance(defined, list) else []
    return {str(each.get("name")): each.get("parameters", {}) for each in functions if each}


def _typed(call: Query, functions: Mapping[str, dict[str, Any]]) -> Query:
    """Return a call whose required arguments may not be absent, and whose floats are floats."""
    schema = functions.get(call.api, {})
    types = {k: v.get("type") for k, v in schema.get("properties", {}).items()}
    required = schema.get("required", ())

    def typed(slot: str, values: Sequence[Any]) -> tuple[Any, ...]:
        options = (each for each in values if each != "" or slot not in required)
        floats = types.get(slot) == "float"
        return tuple(float(each) if floats and type(each) is int else each for each in options)

    arguments = (replace(each, values=typed(each.slot, each.values)) for each in call.constraints)
    return replace(call, constraints=tuple(arguments))


def _listed(answer: Any, kind: type) -> bool:
    return bool(answer) and all(isinstance(each, kind) for each in answer)


def _exact(event: Any) -> Query:
    values = write(event.constraints).items()
    choices = (Constraint(slot, "one_of", (_only(value),)) for slot, value in values)
    return Query(id="", api=event.api, constraints=tuple(choices))


def _only(value: Any) -> Any:
    """Return a value whose objects list it, for each key, as the only acceptable one."""
    if isinstance(value, dict):
        return {key: [_only(each)] for key, each in value.items()}
    return [_only(each) for each in value] if isinstance(value, list) else value


CALLS = Protocol(NAME, "bfcl", NextCalls, "empty", NoSettings, plan)
