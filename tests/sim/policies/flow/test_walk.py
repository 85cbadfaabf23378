"""A walk keeps the rules of the flow, whether what is known are bits or values."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.errors import SchemaError
from dialoom.flow.cursor import GivenValues, need, past
from dialoom.flow.program import TaskProgram
from dialoom.schema import pack
from dialoom.schema.task import TaskSchema
from dialoom.schema.values import samples
from dialoom.sim.core.rng import seed_of
from dialoom.sim.policies.flow.runner import FlowRunner
from dialoom.sim.policies.flow.simulator import Simulator
from tests.schema.random_flows import known_values, slots, tasks


def arrived(runner: FlowRunner, name: str) -> str | None:
    """Return the node to stand before where the flow leads to one."""
    runner.step = runner.program.steps[name]
    try:
        runner.reconsider()
    except SchemaError:
        return "in a circle"
    return None if runner.step is None else runner.step.name


def reached(
    program: TaskProgram, name: str, known: dict[str, Any], declined: set[str]
) -> str | None:
    """Return the same by the annotated values: past each question that is not needed."""
    passed: set[str] = set()
    values, step = GivenValues(program, known, declined), program.steps[name]
    while need(step, values) != "needed":
        if step.name in passed:
            return "in a circle"
        passed.add(step.name)
        way = next(past(step, values), None)
        if way is None:
            return None
        step = way[-1]
    return step.name


@lru_cache
def bundled(name: str) -> Simulator:
    return Simulator(pack.load(name), 1)


def agree(simulator: Simulator, known: dict[str, Any], declined: set[str]) -> None:
    seed = seed_of(1, 0)
    runner, task = simulator.runner(seed, simulator.persons.draw(seed)), simulator.program.schema
    program, words, bits = runner.program, runner.program.words, runner.program.bits
    for slot, value in known.items():
        runner.state.give(words.forms(slot, value)[0])
    for slot in declined:
        runner.state.give_none(bits[slot])
    for node in task.flow.nodes.values():
        if not (node.reads or node.last):
            there = reached(program, node.name, known, declined - known.keys())
            assert arrived(runner, node.name) == there, node.name


@given(tasks(), known_values, st.sets(slots))
def test_any_flow(task: TaskSchema, known: dict[str, Any], declined: set[str]) -> None:
    agree(Simulator(task, 1), known, declined)


@pytest.mark.parametrize("name", pack.names())
@given(st.data())
def test_bundled_tasks(name: str, data: st.DataObject) -> None:
    simulator = bundled(name)
    task = simulator.program.schema
    values = {slot.name: st.sampled_from(list(samples(slot, 5))) for slot in task.slots.values()}
    facts = data.draw(st.fixed_dictionaries({}, optional=values))
    declined = data.draw(st.sets(st.sampled_from(list(task.slots))))
    agree(simulator, facts, declined)
