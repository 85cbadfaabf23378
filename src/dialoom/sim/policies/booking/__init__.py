"""Bookings of restaurant tables: the simulator of DSTC6 track 1 and of the bAbI dialog tasks.

plan = PRESETS.get("dstc6").plan(Request(number=1000, seed=7))

family      the two corpora: slots, parts, rates (families.json)
wording     the lines of user and bot, from `lang/` or from a file
restaurants two knowledge bases of fictitious restaurants, and the requests of users
recorder    the events of one dialogue
policy      the five tasks
candidates  the turn that an item asks for, and its false candidates (candidates.json)
roles       recovers the line ids of a bot's texts from their position in dialogues
phrases     recovers the line ids of the users' texts

Described by Boureau et al. (2017) and by Bordes et al. (2017); figures beyond these were counted in
the published files, and are given with the constants.
"""
