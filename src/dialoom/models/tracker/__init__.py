"""The learnt dialogue state tracker: candidate values of each slot, classified by boosted trees.

words              tokens, stems and hash codes of words
slot_types         types of slots by their words
service            slots, listed values and intents of a service, as hash codes of their words
matching           the service of training with the same contract, in other words
turns              a dialogue as the user's turns, each with the system's utterance before it
spans              finders of value spans in an utterance, conditional random fields among them
pairs              logistic regression over pairs of a description's and an utterance's words
context_words      hashed features of a span's context and of an utterance
known_values       values of slots in training's states, and ways to say them
scorer_examples    the training examples of scorers
scorers            the scorers over pairs of words: of values, slots, intents and acts
history            a dialogue up to a turn: mentioned values, scores, states of services
candidates         the values that a slot may change to at a turn
features           features of candidates, intents and requested slots
cross_fitting      taggers and scorers for each part of the training dialogues, fitted on the others
frame_rows         feature rows of a service at a turn, their labels, and the state update
model              the tracker
"""

from dialoom.models.tracker.model import Tracker

__all__ = ["Tracker"]
