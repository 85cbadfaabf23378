"""Tasks drawn at random: a domain, its slots, calls, flow and wording, for models to learn from.

for task in drawn_tasks(200, seed=7):
    ...

slots.py     the words of a language, and drawn slots with questions and answers
shapes.py    flows of every shape: what is asked when, calls, what follows their results
drawing.py   task files from these
"""

from dialoom.sim.worlds.drawing import MOST, drawn_tasks

__all__ = ["MOST", "drawn_tasks"]
