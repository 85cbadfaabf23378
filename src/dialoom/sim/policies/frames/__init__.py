"""Trips: dialogues as Frames has them, with several frames alive at once (Asri et al. 2017).

plan = PRESETS.get("frames").plan(Request(number=1000, seed=7))

travel     what can be said, searched and asked: travel.json, lang/en-packages.json
packages   fictitious packages, and the search over every field
goals      what users want: three kinds of task
recorder   one dialogue as it goes on: acts, frames, clock
rates      how often users and wizards do what
questions  questions, comparisons, a better seat
policy     the way a dialogue takes
"""
