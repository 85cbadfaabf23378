"""Digests of what every model, simulator and agent does on small simulated corpora.

digests.json    the table: one line for each entry
table           reads and writes the table; describes a change
corpora         the simulated corpora
models          what models answer
simulators      what simulators, noise and paraphrasers write
playing         verdicts on agents
cases           all of these, by name

    python -m tests.digests --write
"""
