"""Readings of a sentence by its position in the flow: a report of a result, an awaited question.

report = stated_report(program, "Four minutes to go!", {"RideWait": "four minutes"}, led)
question = awaited(program, "Which item?", led)         # the only question that fits, or None
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from dialoom.flow.program import TaskProgram
from dialoom.reading.function_scorer import function_of, function_scorer
from dialoom.reading.profile import Reply
from dialoom.reading.statements import names
from dialoom.reading.task_words import task_words
from dialoom.reading.turn import turn_reader
from dialoom.reading.wording import wording_of
from dialoom.schema.once import once_for_each
from dialoom.schema.template import PLACEHOLDER

STRANGERS = 1
"""Most words of a question that the task lacks, if it is to be the awaited one."""

FIT = 0.5
"""Least probability of a question's kind of value at which one more such word is allowed."""


def stated_report(
    program: TaskProgram, text: str, returned: Mapping[str, Any], led: Iterable[str]
) -> str | None:
    """Return the only reply of `led` that states a returned value which a text names, if any."""
    columns = {
        name
        for name, value in returned.items()
        if not isinstance(value, bool | list | tuple) and names(text, None, value, program.language)
    }
    stating = [name for name in led if not columns.isdisjoint(_outputs(program).get(name, ()))]
    return stating[0] if len(stating) == 1 else None


@once_for_each
def _outputs(program: TaskProgram) -> dict[str, frozenset[str]]:
    """Return reply to the outputs of calls that it states, without what the user said."""
    given = {c.name for call in program.schema.calls.values() for c in call.inputs}
    return {
        node.name: frozenset(n for text in node.texts for n in PLACEHOLDER.findall(text)) - given
        for node in program.schema.flow.nodes.values()
        if node.kind == "system"
    }


def awaited(program: TaskProgram, text: str, led: Iterable[str]) -> Reply | None:
    """Return the question that the flow awaits if a text may be it: the only one that fits.

    The text needs no word of the question, but may have few words that the task lacks.
    """
    task, replies = program.schema, turn_reader(program.schema, "system").profiles.replies
    asking = [replies[name] for name in led if replies[name].function == "request"]
    wording = wording_of(text, task.language)
    kinds = function_scorer(task.language, "system").probabilities(wording)
    fitting = [each for each in asking if max(kinds.get(k, 0.0) for k in each.labels) >= FIT]
    likely = fitting if len({each.asks for each in fitting}) == 1 else asking
    if len({each.asks for each in likely}) != 1:
        return None
    strangers = task_words(task).strangers(wording.words)
    return likely[0] if len(strangers) <= STRANGERS + bool(fitting) else None


def is_question(text: str, function: str, marks: tuple[str, ...]) -> bool:
    """Return True if a sentence asks by its function or, without one, by its mark."""
    return function_of(function) == "request" or (not function and text.endswith(marks))
