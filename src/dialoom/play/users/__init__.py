"""Users, which have a goal and play the user of any task.

base       the interface of users, and their registry
goals      goals that are given instead of drawn: in files, or of recorded dialogues
simulated  users simulated by the flow of the task
replay     users who repeat the utterances of recorded dialogues
chat       a language model with the goal as input
"""
