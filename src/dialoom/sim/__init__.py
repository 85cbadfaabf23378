"""Simulated dialogues from task schemas alone.

    simulator = Simulator(pack.load("hotel_book"), seed=7)
    dialogue = simulator.dialogue(0)

core        plans, shards, workers and engines; seeded randomness; how values are said
policies    what comes next: flow, agenda, booking, frames, outline
presets     families of dialogues: star, sgd, dstc6, babi, frames, taskmaster
noise       typos, disfluencies, casing and the like, over any corpus
paraphrase  the same in other words
"""

from dialoom.sim.core.plan import PRESETS, Plan, Preset, Request
from dialoom.sim.core.run import Maker, WorkerPool
from dialoom.sim.policies.flow.goal import HAPPY, BehaviourRates
from dialoom.sim.policies.flow.simulator import Simulator
from dialoom.sim.presets.star import SCENARIOS, StarPlan

__all__ = [
    "HAPPY",
    "PRESETS",
    "SCENARIOS",
    "BehaviourRates",
    "Maker",
    "Plan",
    "Preset",
    "Request",
    "Simulator",
    "StarPlan",
    "WorkerPool",
]
