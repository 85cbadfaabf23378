"""Self-dialogues: one person writes both sides of an order or a booking (Byrne et al. 2019).

plan = PRESETS.get("taskmaster").plan(Request(number=1000, seed=7))

verticals  the transactions and their templates: lang/en-selfdialogue.json
labels     the values of an order, and its annotated segments by one annotator or two
policy     simulates a dialogue from opening to end
view       dialogues of a task with a flow, labelled in the same way
"""
