"""Any agent against any user on any task file, judged by the database.

agents         who serves: by the flow, learnt, a language model, a command, a web hook
users          who wants something: given goals; users simulated, replayed or a language model
wire           requests to participants outside of this process, and what they may spend
judging        what a dialogue is to come to, and what it came to
running        a trial, the trials of a goal, a run of many goals; dialogues with people
results        a run that was played: its figures, failures, two runs compared, a page
tools          the calls of tasks as tools, over the Model Context Protocol too
services       users and systems of services (SGD) that talk to each other
tau2           runs and goals in the layouts of tau2-bench
pytest_plugin  an agent of one's own, tested by pytest
"""
