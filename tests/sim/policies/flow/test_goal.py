"""Goals of users: values that meet the constraints of task and story."""

from __future__ import annotations

from dialoom.flow.program import compile_task
from dialoom.kb import KnowledgeBase
from dialoom.schema import pack
from dialoom.sim.core.rng import SeededRng, seed_of
from dialoom.sim.policies.flow.goal import HAPPY, Goals
from dialoom.sim.stories.shared import Demands

TASK = pack.load("trip_directions")


def test_a_shared_value_never_meets_a_row_that_breaks_a_constraint_with_it() -> None:
    base = KnowledgeBase()
    base.populate(TASK, 1)
    tables = {name: list(rows.values()) for name, rows in base.snapshot().tables.items()}
    goals = Goals(compile_task(TASK), tables, HAPPY)
    places = sorted({str(row["ArrivalLocation"]) for row in tables["trips"]})
    assert len(places) > 5
    for index, value in enumerate(places * 40):
        wishes, language = (SeededRng(seed_of(2, index), use) for use in (b"goal", b"words"))
        demands = Demands({"departure_location": value}, lambda values: None)
        goal = goals.draw(wishes, language, demands=demands)
        values = {slot: form.canonical for slot, form in goal.said.items()}
        assert values["departure_location"] == value
        assert not list(TASK.broken(values))
