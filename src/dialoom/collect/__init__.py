"""Collection of dialogues from people: studies, rooms, workers, pay, and the log of all of it.

There is no web in here (dialoom.serve has it), no clock and no task: a study is a function of its
settings, its task schemas and its log.
"""
