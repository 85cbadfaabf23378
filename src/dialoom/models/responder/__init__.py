"""The responder: replies with the next action's template, filled with values of the dialogue."""
