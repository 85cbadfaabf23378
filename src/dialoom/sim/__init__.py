"""Simulated dialogues from task schemas alone.

simulator = Simulator(pack.load("hotel_book"), seed=7)
dialogue = simulator.dialogue(0)

stream     random numbers that are the same everywhere
words      values, how they are said, and their annotation
compiled   a task made ready; compiling makes it so
goal       what a user wants; sources is where the values come from
board      what both sides know
user       answers, chooses, says
system     asks, queries, tells
simulator  one dialogue
run        many, in shards, by several processes
"""

from dialoom.sim.goal import HAPPY, Habits
from dialoom.sim.run import SCENARIOS, Crew, Maker, Plan
from dialoom.sim.simulator import Simulator

__all__ = ["HAPPY", "SCENARIOS", "Crew", "Habits", "Maker", "Plan", "Simulator"]
