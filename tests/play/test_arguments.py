"""Arguments of calls read as constraints."""

from __future__ import annotations

from dialoom.flow.program import compile_task
from dialoom.play.arguments import constraints_of
from dialoom.schema import pack


def test_arguments_mean_what_the_task_asks_with_them() -> None:
    program = compile_task(pack.load("apartment_search"))
    amount = next(s.name for s in program.schema.slots.values() if s.type == "amount")
    (call,) = program.schema.calls.values()
    column = next(c.name for c in call.inputs if c.slot == amount)
    (constraint,) = constraints_of((program,), call.name, {column: 900})
    assert (constraint.operator, constraint.value) == ("at_most", 900)
