"""Tests of agents: any agent serves any user on any task file, and the database is the judge.

agents         play the system: by the flow, learnt, a language model, a command, a web hook
users          play the user: simulated, replayed or a language model, with drawn or given goals
wire           requests to participants outside of this process, and the limits of their cost
judging        the target of a dialogue, and the verdict on it
running        a trial, the trials of a goal, a run of many goals; dialogues with people
results        a finished run: figures, failures, the comparison of two runs, a page
tools          the calls of tasks as tools, over the Model Context Protocol too
services       users and systems of services (SGD) that talk to each other
tau2           runs and goals in the layouts of tau2-bench
pytest_plugin  a pytest fixture that tests an agent
"""
