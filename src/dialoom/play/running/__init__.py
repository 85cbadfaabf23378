"""Dialogues of agents and users: one, those of a goal, those of a run.

trial       one dialogue between two participants over a knowledge base
goal_run    one goal with its target and its trials
goal_check  checks of goals before they are played
plan        a run: which goals, how many trials of each, in which shards
live        a dialogue between an agent and a person, a turn at a time
"""
