"""Learnt state tracking: candidates of each slot, weighed by trees.

words.py          words of texts and of names, as numbers
service.py        what a service offers to choose from: slots, values, intents
turns.py          a dialogue read as turns, with what the system said before each
spans.py          values in a text, found word by word by a conditional random field
pairs.py          scores of (description, words said), learnt over pairs of their words
context_words.py  the words around a value, and those of an utterance
scorers.py        what pairs are scored for: what is said, offered, asked for, wanted
history.py        values that came up in a dialogue, and where
candidates.py     values that a slot may take
likeness.py       how alike an encoder takes what is said and a service's descriptions to be
features.py       what trees see of a slot and a candidate
cross_fitting.py  parts of the training dialogues, each with what was learnt from the others
frame_rows.py     rows of features with labels, and the states that trees make
model.py          the tracker
"""

from dialoom.models.tracker.model import Tracker

__all__ = ["Tracker"]
