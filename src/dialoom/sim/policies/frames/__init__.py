"""Trips: dialogues as Frames has them, with several frames alive at once (seed 004).

plan = PRESETS.get("frames").plan(Request(number=1000, seed=7))

wording    what is said, and the words that names are made of
knowledge  fictitious packages, and the search over every field
goals      what users want: three kinds of task
talk       one dialogue as it goes on
asking     questions, comparisons, a better seat
course     the way a dialogue takes
plan       runs; the preset
"""
