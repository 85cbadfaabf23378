"""Tasks and services drawn at random: a domain, its slots, calls and wording, for models to learn.

for task in drawn_tasks(200, seed=7):
    ...

slots.py     the words of a language, and drawn slots with questions and answers
shapes.py    flows of every shape: what is asked when, calls, what follows their results
drawing.py   task files from these
services.py  services in SGD's layout, without a flow
"""
