"""Bookings of restaurant tables: the simulator of DSTC6 track 1 and of the bAbI dialog tasks.

plan = PRESETS.get("dstc6").plan(Request(number=1000, seed=7))

wording     what user and bot say, from `lang/` or from a file
knowledge   two knowledge bases of fictitious restaurants
requests    what users of one part of a corpus may ask for
talk        one dialogue as it goes on
course      the five tasks
cut         which turn of the bot an item asks for
candidates  what else the bot might say
parts       the files of both corpora
plan        runs; presets
roles       which line of the wording a bot's words are, told from where they stand
phrases     which line of it the user's words are

Described in seed 003 (Boureau et al. 2017) and by Bordes et al. (2017); what the published files
show beyond that was counted, and stands beside the constants.
"""
