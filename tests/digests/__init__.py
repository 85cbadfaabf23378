"""Digests of the output of every model, simulator and agent on small simulated corpora.

digests.json    the table: one line for each entry
table           reads and writes the table; describes a change
corpora         the simulated corpora
models          answers of models
simulators      corpora of simulators, noise and paraphrasers
playing         verdicts on agents
cases           all of these, by name

    python -m tests.digests --write
"""
