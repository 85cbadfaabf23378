"""The responder: says what the next action's reply template says, filled with what is known.

    known.py      what is known where a reply is made: items, queries, the state
    picked.py     which action a reply of training was picked as
    filling.py    placeholders filled from there, by what training shows and by their names
    model.py      the model

Each file imports only from those above it.
"""

from dialoom.models.responder.model import Responder

__all__ = ["Responder"]
