"""The schema follower as the wizard of a study's task, taught by dialogues simulated for it.

    wizard = follower_wizard(task, seed=7)
    wizard.reply((said,))            # (Query(…),), and after its result (Utterance(…),)

A task that nobody has played yet has a wizard: it learns from dialogues of the task itself.
"""

from __future__ import annotations

from dialoom.dialogue import digest
from dialoom.models.follower import Follower
from dialoom.play.agents.follower import LearntAgent, trained
from dialoom.schema.task import TaskSchema
from dialoom.sim.core.rng import seed_of
from dialoom.sim.policies.flow.compiling import compile_task
from dialoom.sim.presets.star import StarPlan

LESSONS = 120
"""Simulated dialogues of each task that the model learns from."""


def follower_wizard(task: TaskSchema, seed: int) -> LearntAgent:
    """Return who plays the wizard of one task in one dialogue.

    Args:
        task: The task.
        seed: Makes what the model learns from, and decides how things are said.
    """
    program, model = compile_task(task), taught(task, seed)
    return LearntAgent(program, seed_of(seed, 0), model, {task.id: task}, most=1)


_TAUGHT: dict[tuple[str, int], Follower] = {}
"""What was learnt, by the task's digest and the seed: teaching takes some seconds."""


def taught(task: TaskSchema, seed: int) -> Follower:
    """Return a follower that has learnt from simulated dialogues of a task; made once."""
    key = (digest(task), seed)
    if key not in _TAUGHT:
        source = StarPlan(tasks=(task,), seed=seed, dialogues=LESSONS).source()
        lessons = map(source, range(LESSONS))
        _TAUGHT[key] = trained(Follower(seed=seed), {task.id: task}, lessons)
    return _TAUGHT[key]
