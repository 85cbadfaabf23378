"""Bookings of restaurant tables: the simulator of DSTC6 track 1 and of the bAbI dialog tasks.

plan = PRESETS.get("dstc6").plan(Request(number=1000, seed=7))

family      the two corpora: slots, parts, rates (families.json)
wording     what user and bot say, from `lang/` or from a file
restaurants two knowledge bases of fictitious restaurants, and what users may ask for
recorder    one dialogue as it goes on
policy      the five tasks
candidates  which turn an item asks for, and what else the bot might say (candidates.json)
roles       which line of the wording a bot's words are, told from where they stand
phrases     which line of it the user's words are

Described by Boureau et al. (2017) and by Bordes et al. (2017); what the published files show beyond
that was counted, and stands beside the constants.
"""
