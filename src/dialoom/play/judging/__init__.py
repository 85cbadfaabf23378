"""Judging dialogues by rules.

target   the right end of the database, and the values that the user has to be told
verdict  the figures of a dialogue: whether it reached the target, its faults, its steps
"""
