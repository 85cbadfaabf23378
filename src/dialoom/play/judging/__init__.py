"""Judging dialogues by rules.

target   the right end of the database, and the values that the agent has to say
verdict  the figures of a dialogue: whether it reached the target, its faults, its steps
heard    the dialogue as it is heard: what the agent's turns say, what the user has said
claims   what the agent states that is not so
conduct  what it does too early, twice, or in the wrong words
"""

RULES = 4
"""The version of the rules, which runs record: scores under different rules are not compared."""
