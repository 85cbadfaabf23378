"""The arguments of a call, as JSON has them, read as constraints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dialoom.dialogue import Constraint
from dialoom.flow.program import TaskProgram
from dialoom.formats.chat.arguments import exact

UNREAD = "arguments"
"""The key of a query's `extra` that holds arguments which are no JSON object."""


def constraints_of(
    programs: Sequence[TaskProgram], call: str, arguments: dict[str, Any]
) -> Iterator[Constraint]:
    """Yield the constraints that the arguments of a call mean.

    Those of a call that a server publishes are kept to the letter, as are objects and nested lists.
    """
    schemas = (program.schema for program in programs)
    if any(call in s.calls and s.calls[call].published is not None for s in schemas):
        yield from exact(arguments)
        return
    operators = {
        parameter.name: parameter.operator
        for program in programs
        for step in program.steps.values()
        if step.call is not None and step.call.name == call
        for parameter in step.inputs
    }
    for name, value in arguments.items():
        operator = operators.get(name) or "equal"
        values = tuple(value) if isinstance(value, list) else (value,)
        if any(isinstance(each, dict | list) for each in values):
            yield from exact({name: value})
        elif operator == "one_of":
            yield Constraint(name, operator, values)
        else:
            yield from (Constraint(name, operator, (each,)) for each in values)
