"""The schema follower as the wizard of a study's task, trained on simulated dialogues of the task.

It needs no collected dialogues, so a new task can have a program for its wizard at once.
"""

from __future__ import annotations

from dialoom.dialogue import digest
from dialoom.flow.program import compile_task
from dialoom.models.follower import Follower
from dialoom.play.agents.follower import LearntAgent, trained
from dialoom.schema.task import TaskSchema
from dialoom.sim.core.rng import seed_of
from dialoom.sim.presets.star import StarPlan

LESSONS = 120
"""Simulated dialogues of each task that the model learns from; training on them takes seconds."""


def follower_wizard(task: TaskSchema, seed: int) -> LearntAgent:
    """Return the agent that plays a task's wizard; `seed` draws its training and wordings."""
    program, model = compile_task(task), taught(task, seed)
    return LearntAgent(program, seed_of(seed, 0), model, {task.id: task}, most=1)


_TAUGHT: dict[tuple[str, int], Follower] = {}
"""(Task's digest, seed) to the trained model."""


def taught(task: TaskSchema, seed: int) -> Follower:
    """Return a follower trained on simulated dialogues of a task; it is trained once and kept."""
    key = (digest(task), seed)
    if key not in _TAUGHT:
        source = StarPlan(tasks=(task,), seed=seed, dialogues=LESSONS).source()
        lessons = map(source, range(LESSONS))
        _TAUGHT[key] = trained(Follower(seed=seed), {task.id: task}, lessons)
    return _TAUGHT[key]
