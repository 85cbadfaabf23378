"""Rates of users' and wizards' behaviour, and the counts they come from.

A whole number means: once in so many times. From a tuple of numbers, one is drawn. "Real" figures
were counted from the acts of 1,131 dialogues of Frames, "here" are those of 1,131 simulated ones
(seed 7). Rates without a count of their own were set so that the means of frames, changes of the
active frame, searches and acts come near the real ones (docs/results/simulation.md).
"""

from __future__ import annotations

# --- the wish

BUDGET = 2, 3
"""Weights of a budget below all trips and of a sufficient one, for users with fixed dates and
budget; set with `FIRST_WISH` by how many dialogues have a search without results (real: 53 %, here
60 %)."""

FIRST_WISH = 5, 3
"""Weights of a first wish that nothing fits and of another, for users who may change something; as
above."""

TRAVELS_ALONE = 2
"""A user who does not compare gives no number of travellers, although there are seats for more;
real: 53 % of all users give one, here 27 %, since those who compare never do."""

NO_LIMIT = 2
"""A user who compares has no budget; real: 71 % of all users give one, here 77 %."""

# --- the first turn

GREETS = 3
"""The user greets first; real: 32 % of first turns."""

DESTINATION_LEFT_OUT = 7
"""The first turn leaves out the destination; real: 29 % of users who give one give it later."""

LEFT_OUT = 2
"""The first turn leaves out another part of the wish, and the wizard asks for it; real: of users
who give it, 36 % (origin), 60 % (dates), 61 % (adults) or 74 % (budget) do so later."""

INTENT_LEFT_OUT = 4
"""The first turn does not say that a trip is to be booked; real: 17 %, here 23 %."""

CHEAPEST = 5
"""The first turn asks for the cheapest trip; real: 2 % of the dialogues have such a value. Not
fitted to a count."""

ASKED_AT_ONCE = (1, 1, 2)
"""Slots that the wizard asks for at once; real: one in 69 % of such turns, two in 25 %."""

ACKNOWLEDGES = 4
"""A question begins with words such as "great"; not fitted to a count."""

# --- searches and offers

SEARCHES_BEFORE = (0,) * 11 + (1, 1, 3, 6)
"""Searches with fewer fields before the one with all; real: of turns with searches 74 % have one,
14 % two, 8 % three or four, 3 % more; here 73, 14, 7 and 6 %."""

OFFERS = (1,) * 11 + (2,) * 3 + (3,) * 4 + (4, 6)
"""Packages offered at once, if so many were found; real: of turns that make frames 66 % make one,
16 % two, 12 % three, 7 % more (here, where fewer are found: 69, 17, 13 and 1 %)."""

SUGGESTED = 5
"""A package is suggested, not offered; real: with the cities and bookings suggested, 30 % of these
acts, here 35 %."""

HEARS_MORE = 8
"""The wizard asks whether to describe an only offer; real: in 7 % of dialogues, here 13 %."""

NOT_SORRY = 3
"""The wizard finds nothing and does not say sorry; real: 55 %, here 41 %."""

OTHER_CITY = 2
"""The wizard, without results, suggests another city; real: 28 % of such turns suggest something,
here 35 % with those that suggest other dates."""

# --- questions

QUESTIONS_IF_COMPARING = (0, 0, 0, 1, 1)
"""Questions about the packages of one of several cities; set by the number of utterances (real: 6.4
turns of users after the first, here 6.0)."""

QUESTIONS = (0, 0, 1, 1, 2)
"""Questions about one search's packages in a dialogue about one trip; as above."""

UNKNOWN, REQUESTS, CONFIRMS, MORE = 1, 13, 3, 3
"""Weights of a question about one package: for a fact that no package has (real: in 3 % of
dialogues the wizard cannot help, here in 4 %), for one or two facts, for confirmation (9 and 12 %),
and for more (15 and 13 %)."""

COMPARISON = 6
"""A question about several packages asks for a comparison; real: in 11 % of all dialogues, here 12
%, and at least one in ten of those about several cities."""

COMPARES_CITIES = 4
"""A user who compares cities asks at the end for a comparison of all packages; as above."""

BY_HOTEL, BY_CITY, BY_PLACE = 1, 2, 4
"""Weights of the unique ways to name a package; real: users who switch name it by its hotel in 7 %,
by its city in 42 %, by words such as "the first one" in 52 % of the cases that have one of these;
here in 27, 21 and 52 %, as several packages often share a city."""

# --- changes and ends

ASKS_FOR_OTHERS = 8
"""The user accepts no offer yet and asks for other packages; real: in 12 % of dialogues, here 19 %,
so that one in ten of those about several cities has it."""

NO_REJECTION = 2
"""A user who asks for others rejects no package; real: no act says so. Half of them do here, so
that models can learn it from one in ten dialogues about several cities."""

NAMES_SOURCE = 2
"""Another destination refers to the frame of the other values; real: 4 % of the later acts that
inform of one. Not fitted to a count."""

NAMES_ORIGIN = 4
"""It says where the trip starts again; not fitted to a count."""

SHALL_BOOK = 3
"""The wizard suggests booking the user's new choice; real: in 20 % of dialogues, here 20 %."""

BETTER_SEAT = 6
"""The wizard suggests the same trip in the better class; real: 95 suggestions of a seat in 1,131
dialogues."""

UPGRADE_TAKEN = 2
"""The user takes it; no count of it."""

SURE = 5
"""The wizard asks to confirm the dates before booking; real: in 13 % of dialogues, here 15 %."""

NO_THANKS = 4
"""The user does not say thanks for the booking; real: 21 % of the turns after it."""

WELCOME = 8
"""The wizard answers thanks; real: in 6 % of dialogues, here in 8 %."""

GOODBYE = 4
"""The wizard takes leave of a user without a trip; real: 7 % of dialogues, here 4 %."""
