"""Self-dialogues: one person writes both sides of a transaction (Taskmaster-1, seed 001).

plan = PRESETS.get("taskmaster").plan(Request(number=1000, seed=7))

wording  verticals and their words
order    what somebody wants in the end, and what they give up on the way
course   the way a dialogue takes
labels   segments with labels, accepted or rejected, by one annotator or two
view     dialogues of a task with a flow, labelled in the same way
schema   a vertical of the ontology
plan     runs; the preset
"""
