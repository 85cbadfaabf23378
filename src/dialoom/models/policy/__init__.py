"""Dialogue policies over acts and slots: the next acts of the system, or of a user with a goal.

service_log        the dialogue state by service: acts, calls and results so far
system_rows        features of the system's turns and of slots
user_rows          features of the turns of a user with a goal and of slots
learner            trees that choose a turn's acts, then the slots of each
acts               the model of next acts
calls              the model of next calls, and its baseline of rules
rules              the baseline of next acts by rules over a service's schema
"""

from dialoom.models.policy.acts import ActPolicy
from dialoom.models.policy.calls import CallPolicy, CallRules
from dialoom.models.policy.rules import ActRules

__all__ = ["ActPolicy", "ActRules", "CallPolicy", "CallRules"]
