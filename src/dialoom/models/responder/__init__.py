"""The responder: replies with the next action's template, filled with values of the dialogue."""

from dialoom.models.responder.model import Responder

__all__ = ["Responder"]
