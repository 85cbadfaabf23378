"""Judging dialogues by rules.

target   the right end of the database, and the values that the user has to be told
verdict  the figures of a dialogue: whether it reached the target, its faults, its steps
"""

RULES = 2
"""The version of the rules, which runs record: scores under different rules are not compared."""
