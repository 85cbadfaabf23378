"""Policies over acts and slots: what the system, or a user with a goal, does next.

service_log.py   what happened so far in a dialogue, service by service
system_rows.py   what is told of a turn, and of each slot, to learn the system's acts from
user_rows.py     the same of a user with a goal
goals.py         goals of users, read off annotated dialogues
learner.py       trees that choose a turn's acts, then the slots of each
act_rows.py      what an utterance may do, and what trees read of it
act_recogniser.py the acts that are read off texts where none are annotated
acts.py          the model of next acts
calls.py         the model of next calls, and the rules that it must beat
baselines.py     what the model of next acts must beat
rules.py         the flow of a service's schema, followed without learning
"""

from dialoom.models.policy.acts import ActPolicy
from dialoom.models.policy.baselines import ActBigrams
from dialoom.models.policy.calls import CallPolicy, CallRules
from dialoom.models.policy.rules import ActRules

__all__ = ["ActBigrams", "ActPolicy", "ActRules", "CallPolicy", "CallRules"]
