"""Collection of dialogues and annotations from people: studies, units of work, workers, pay, logs.

A study is a function of its settings, its task schemas and its log. The web server is in
`dialoom.serve`; callers pass the time in.
"""
