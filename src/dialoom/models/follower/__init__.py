"""The schema follower: follows a task's schema without having been trained on the task.

    links.py       which action asks for which parameter
    program.py     a schema compiled: graph, links, views
    plan.py        how the values of a task's parameters are recognised
    slots.py       which slots the user has filled
    state.py       what is known at a point of a dialogue
    likeness.py    how alike texts and nodes are
    loops.py       lists read out step by step, replies that cannot be said
    point.py       a point of a dialogue; evidence.py, progress.py: what speaks for each action
    features.py    all of that as numbers, in named groups
    reader.py      questions to choices
    rules.py       what the flow lays over the learnt scores
    ranker.py      the model

Each file imports only from those above it.
"""

from dialoom.models.follower.ranker import Follower

__all__ = ["Follower"]
