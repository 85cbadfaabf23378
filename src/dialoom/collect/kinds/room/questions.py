"""The questions after a dialogue: those of every dialogue, of its tasks, and of the study.

The common questions come from `lang/<language>-questionnaire.json`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from dialoom.collect.log.record import Role
from dialoom.collect.message import Refused, cleaned
from dialoom.collect.own_questions import OwnAnswer, OwnQuestion
from dialoom.dialogue.annotation import Struct
from dialoom.schema.lexicon import texts_of
from dialoom.schema.task import TaskSchema

SUCCESS = "wizardSurveyTaskSuccessful"
"""The name of the wizard's answer to whether the task was successful, as in Frames."""

_NAMES = {"successful": SUCCESS}
"""Id of a common question to the name of its answer, where that is not the question's text."""

COMMENT = "comment"
"""The name of a free comment among a dialogue's answers."""


class QuestionnaireItem(Struct, frozen=True):
    """A question, answered with yes or no unless it is the study's own.

    Attributes:
        common: Whether it is asked after every dialogue.
        own: The study's own question; None for others.
        turn: The number of the utterance that an own question is about; None for the dialogue.
    """

    id: str
    text: str
    common: bool = False
    own: OwnQuestion | None = None
    turn: int | None = None

    @property
    def name(self) -> str:
        """The name of its answer in the dialogue: Frames' name, or the question's text."""
        return _NAMES.get(self.id, self.text) if self.own is None else self.own.id

    @property
    def required(self) -> bool:
        """True if the questionnaire is not complete without an answer."""
        return self.own is None or self.own.required

    @property
    def shown(self) -> dict[str, Any]:
        """The question for the page."""
        if self.own is not None:
            turn = {} if self.turn is None else {"turn": self.turn}
            return {**self.own.shown, "id": self.id, **turn}
        return {"id": self.id, "text": self.text, "common": self.common}

    @property
    def example(self) -> OwnAnswer:
        """A valid answer, for programs."""
        return True if self.own is None else self.own.example

    def checked(self, answer: OwnAnswer) -> OwnAnswer:
        """Return an answer as it is stored; `Refused` (`bad_value`) if it is not one."""
        if self.own is not None:
            return checked(self.own, answer)
        if not isinstance(answer, bool):
            raise Refused("bad_value", "the answer is yes or no", field=self.id)
        return answer


def checked(question: OwnQuestion, answer: Any) -> OwnAnswer:
    """Return an answer as it is stored; `Refused` (`bad_value`) if it is not one."""
    if not question.takes(answer):
        raise Refused("bad_value", f"that is no answer to {question.id}", field=question.name)
    value: OwnAnswer = cleaned(answer) if question.free else answer
    return value


class Texts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The common questions of one language: a file `lang/…-questionnaire.json`.

    Attributes:
        questions: Role to question id to text.
        searching: The same for dialogues whose tasks have no flow chart; may lack a role.
    """

    language: str
    questions: dict[str, dict[str, str]]
    searching: dict[str, dict[str, str]]


def questions(
    role: Role, tasks: Sequence[TaskSchema], language: str
) -> tuple[QuestionnaireItem, ...]:
    """Return a role's questions after some tasks; `UnknownNameError` for a language without any."""
    texts = texts_of(language, "questionnaire", "questionnaires", Texts)
    common = texts.questions[role]
    if tasks and all(not task.flow.complete for task in tasks):
        common = texts.searching.get(role, common)
    own = [
        QuestionnaireItem(
            f"task{place}.{number}", text
        )  # the user does not see the name of the task
        for place, task in enumerate(tasks, start=1)
        for number, text in enumerate(task.questions.get(role, ()), start=1)
    ]
    # two tasks may have the same question
    once = {item.text: item for item in reversed(own)}
    unique = [item for item in own if once[item.text] is item]
    return (*(QuestionnaireItem(name, text, common=True) for name, text in common.items()), *unique)
