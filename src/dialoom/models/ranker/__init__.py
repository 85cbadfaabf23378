"""The ranker of what a bot says or calls next among candidates (DSTC6 track 1, bAbI).

    ranker = Ranker()
    ranker.fit(examples, schemas)           # schemas whose slots have the values of a KB
    ranker.predict(questions, schemas)      # of another KB, or with one more slot

lines      lines delexicalised by the types of words
state      what was said, called, returned and offered so far
reading    questions read: their states, what their calls need, what lines ask for
features   features of a state, and the class of a line in it
learning   a logistic regression over features, and a mask of what never comes in a state
wording    lines of one wording told to be those of another from where they stand
shortlist  the candidates of a long list that a state leaves possible
model      the ranker

A class is a template with what its entities are in the dialogue: the best item that was not yet
offered, the one before the last, the one the user named. So policies learnt on some items, values
and slots hold for others (Williams et al. 2017 mask actions and share entity features in the same
spirit).
"""

from __future__ import annotations

from dialoom.models.ranker.model import Ranker

__all__ = ["Ranker"]
