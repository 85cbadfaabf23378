"""Simulated dialogues whose words are looked at."""

from __future__ import annotations

from functools import cache

from dialoom.dialogue import Dialogue
from dialoom.schema import pack
from dialoom.sim.presets.star import StarPlan

PLAIN = StarPlan(
    tasks=tuple(pack.load(name) for name in pack.names()),
    seed=6,
    dialogues=240,
    scenario="unhappy",
    persons="plain",
)
"""Dialogues of users who make no slips."""


@cache
def dialogues() -> tuple[Dialogue, ...]:
    tasks = tuple(pack.load(name) for name in pack.names())
    plan = StarPlan(tasks=tasks, seed=5, dialogues=240, scenario="mixed")
    return tuple(map(plan.source(), range(plan.dialogues)))
