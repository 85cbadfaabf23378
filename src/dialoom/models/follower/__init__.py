"""The schema follower: follows a task's schema without having been trained on the task.

    plan.py          how values of a task's parameters are recognised
    slots.py         which slots the user has filled
    progress.py      the state of a dialogue, updated event by event
    similarity.py    similarity of texts and results to nodes
    branching.py     branches that depend on a value the user said
    list_reading.py  lists read out step by step, replies without values
    outcomes.py      which result node fits the last result
    point.py         a point of a dialogue at which the system acts
    features.py      features of each action there, in named groups
    rules.py         changes of the learnt scores by the task's flow
    word_weights.py  scores by the user's words, learnt from other domains
    experience.py    corrections by a task's own dialogues
    reader.py        questions to described actions
    net.py           a small net that scores actions
    scorer.py        the scores of actions by trees, nets and words
    model.py         the model

Each file imports only from those above it, and the compiled schema from flow/action_view.py.
"""

from dialoom.models.follower.model import Follower

__all__ = ["Follower"]
