"""The responder: replies with the next action's template, filled with values of the dialogue.

    filling.py    placeholders filled with known values, by training and by their names
    model.py      the model

Each file imports only from those above it.
"""

from dialoom.models.responder.model import Responder

__all__ = ["Responder"]
