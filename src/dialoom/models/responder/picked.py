"""Replies as actions: which action a reply of training was picked as."""

from __future__ import annotations

from dialoom.dialogue import Example, NextAction, NextReply, Question, Utterance
from dialoom.dialogue.views import label
from dialoom.models.follower.program import CUSTOM, Program
from dialoom.schema.template import parse


def as_action(question: Question[NextReply]) -> Question[NextAction]:
    """Return the question of the next action at the same place."""
    return Question(question.dialogue, question.event, NextAction(question.asked.task))


def picked(example: Example[NextReply, str], program: Program) -> str | None:
    """Return the action that a reply of training was picked as, or None for words of its own.

    Some were picked under a label that the schema does not have: then it is the action whose
    template gives the text.
    """
    question = example.question
    shown = question.dialogue.events[question.event : question.event + 1]
    named = next((label(event) for event in shown if isinstance(event, Utterance)), None)
    if named in program.texts:
        return named
    said = (a for a, text in program.texts.items() if text and parse(text).match(example.answer))
    return next(said, None if named is None else CUSTOM)
