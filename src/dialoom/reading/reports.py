"""Replies that state what a call has returned: a value, or an element of a list.

A flow reads out a list step by step; its last element may belong to a node of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from dialoom.flow.program import TaskProgram
from dialoom.reading.statements import names
from dialoom.schema.once import once_for_each
from dialoom.schema.template import PLACEHOLDER


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
    inputs = {c.name for call in program.schema.calls.values() for c in call.inputs}
    return {
        node.name: frozenset(n for text in node.texts for n in PLACEHOLDER.findall(text)) - inputs
        for node in program.schema.flow.nodes.values()
        if node.kind == "system"
    }


class ListReading(NamedTuple):
    """The reply that reads out an element of a list, and the reply for its other elements."""

    reply: str
    other: str


def list_reading(
    program: TaskProgram, text: str, returned: Mapping[str, Any]
) -> ListReading | None:
    """Return the reply whose place in a returned list a text names: the last or an earlier one.

    None if the text names no element, or if the last element also occurs earlier.
    """
    for step in program.steps.values():
        values = returned.get(step.reads or "")
        if step.last is None or not step.reads_last or not isinstance(values, list | tuple):
            continue
        elements = _named(values, text, program.language)
        if elements and values[-1] not in values[:-1]:
            pair = (step.last.name, step.name)
            return ListReading(*(pair if values[-1] in elements else reversed(pair)))
    return None


def _named(values: Sequence[Any], text: str, language: str) -> list[Any]:
    """Return the elements that a text names, without those that are part of a longer one."""
    matches = [each for each in values if names(text, None, each, language)]
    return [
        each
        for each in matches
        if not any(each != other and str(each) in str(other) for other in matches)
    ]
