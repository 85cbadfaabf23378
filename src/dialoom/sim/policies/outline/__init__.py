"""Self-dialogues: one person writes both sides of an order or a booking (Byrne et al. 2019).

plan = PRESETS.get("taskmaster").plan(Request(number=1000, seed=7))

verticals  what can be ordered or booked: lang/en-selfdialogue.json
orders     what somebody wants, and what they give up
labels     the segments of what was said, by one annotator or two
policy     the way a dialogue takes
view       dialogues of a task with a flow, labelled in the same way
"""
