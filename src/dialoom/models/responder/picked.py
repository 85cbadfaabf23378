"""The action of a reply of training, as the wizard picked it."""

from __future__ import annotations

from dialoom.dialogue import Example, NextAction, NextReply, Question, Utterance
from dialoom.dialogue.views import label
from dialoom.flow.action_view import ActionView
from dialoom.schema.flow import CUSTOM
from dialoom.schema.template import parse


def as_action(question: Question[NextReply]) -> Question[NextAction]:
    """Return the question of the next action at the same place."""
    return Question(question.dialogue, question.event, NextAction(question.asked.task))


def picked(example: Example[NextReply, str], program: ActionView) -> str | None:
    """Return the action of a reply of training.

    It is that of the annotated label; where the schema does not have it, the action whose template
    matches the text, else `CUSTOM`. None where the reply has no label and no template matches.
    """
    question = example.question
    shown = question.dialogue.events[question.event : question.event + 1]
    named = next((label(event) for event in shown if isinstance(event, Utterance)), None)
    if named in program.texts:
        return named
    said = (a for a, text in program.texts.items() if text and parse(text).match(example.answer))
    return next(said, None if named is None else CUSTOM)
