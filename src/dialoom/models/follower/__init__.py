"""The schema follower: follows a task's schema without having been trained on the task.

links.py       which action asks for which parameter
program.py     a schema compiled: actions, edges, order, links
slots.py       which slots the user has filled
state.py       what is known at a point of a dialogue
likeness.py    how alike texts and nodes are
loops.py       lists read out step by step, replies not sayable
features.py    an action at a point, as numbers in named groups
reader.py      questions to choices
rules.py       what the flow lays over the learnt scores
ranker.py      the model
"""

from dialoom.models.follower.ranker import Follower

__all__ = ["Follower"]
