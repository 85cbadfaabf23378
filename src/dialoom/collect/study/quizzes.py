"""The quizzes of stages I and III: ten questions each, with counted hints.

    quiz = load_quiz("single_tutorial", "en")
    attempt = QuizAttempt(quiz, limits)
    attempt.apply(Tried("end", "a", right=False))
    attempt.hints            # 1: a wrong answer shows the hint, and counts as one

The rules that they ask for are STAR's (Mosig et al. 2020, appendix D); the wording is our own, in
`lang/<language>-quiz-<stage>.json`. There is one limit of hints for passing, and one for pay.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from dialoom.collect.log.record import Hinted, Tried
from dialoom.collect.message import Refused
from dialoom.collect.settings import QuizLimits
from dialoom.dialogue.annotation import Struct
from dialoom.schema.lexicon import texts_of

PARTS: Mapping[str, str] = {"single_tutorial": "quiz-single", "multi_tutorial": "quiz-multi"}
"""Tutorial stage to the name of its quiz in `lang/`."""


class QuizQuestion(Struct, frozen=True, kw_only=True):
    """A question with its options (letter to text), the right option's letter, and a hint."""

    id: str
    text: str
    options: dict[str, str]
    right: str
    hint: str


class Quiz(Struct, frozen=True, kw_only=True):
    """The questions of a tutorial's quiz in one language, in order."""

    language: str
    questions: tuple[QuizQuestion, ...]


@lru_cache(maxsize=16)
def load_quiz(stage: str, language: str) -> Quiz:
    """Return the quiz of a tutorial stage.

    Raises:
        UnknownNameError: There is none in this language.
    """
    return texts_of(language, PARTS[stage], "quizzes", Quiz)


class QuizAttempt:
    """One worker's attempt at a quiz.

    Asking for a question's hint counts as one hint, once; each wrong answer also shows the hint and
    counts as one, so that nobody passes by trying all options.
    """

    def __init__(self, quiz: Quiz, limits: QuizLimits) -> None:
        self._questions = {question.id: question for question in quiz.questions}
        self._limits = limits
        self._hinted: set[str] = set()
        self._tried: dict[str, list[str]] = {}
        self._answered: dict[str, str] = {}
        self.hints = 0

    @property
    def begun(self) -> bool:
        """Whether the worker has asked for a hint or answered a question."""
        return bool(self._hinted or self._answered)

    @property
    def over(self) -> bool:
        """Whether all questions are answered, or too many hints were used to be paid."""
        return len(self._answered) == len(self._questions) or not self.paid

    @property
    def passed(self) -> bool:
        """Whether the quiz is passed: all questions answered within the limit of hints."""
        return self.over and self.paid and self.hints <= self._limits.most_to_pass

    @property
    def paid(self) -> bool:
        """Whether the tutorial is paid, with the hints used so far."""
        return self.hints < self._limits.fewer_to_be_paid

    def hint(self, question: str) -> Hinted:
        """Return the body of the record that asking for a hint makes.

        Raises:
            Refused: `unknown_question`, `answered_already`, or `hinted_already`.
        """
        self._open(question)
        if question in self._hinted:
            raise Refused("hinted_already", "the hint to this question is shown already")
        return Hinted(question)

    def answer(self, question: str, option: str) -> Tried:
        """Return the body of the record that an answer makes.

        Raises:
            Refused: `unknown_question`, `answered_already`, `unknown_option`, `tried_already`.
        """
        asked = self._open(question)
        if option not in asked.options:
            raise Refused("unknown_option", f"there is no option {option!r}")
        if option in self._tried.get(question, ()):
            raise Refused("tried_already", f"option {option!r} was tried and is wrong")
        return Tried(question, option, option == asked.right)

    def _open(self, question: str) -> QuizQuestion:
        if question not in self._questions:
            raise Refused("unknown_question", f"there is no question {question!r}")
        if question in self._answered:
            raise Refused("answered_already", "this question is answered")
        return self._questions[question]

    def apply(self, body: Hinted | Tried) -> None:
        """Count a hint or an answer."""
        if isinstance(body, Hinted):
            self.hints += body.question not in self._hinted
            self._hinted.add(body.question)
        elif body.right:
            self._answered[body.question] = body.option
        else:
            self.hints += 1
            self._hinted.add(body.question)
            self._tried.setdefault(body.question, []).append(body.option)

    def view(self) -> dict[str, Any]:
        """Return the quiz as JSON data for the page, without answers and hints not yet shown."""
        return {
            "questions": [self._shown(question) for question in self._questions.values()],
            "hints": self.hints,
            "most_to_pass": self._limits.most_to_pass,
            "fewer_to_be_paid": self._limits.fewer_to_be_paid,
            "few": self._limits.few,
        }

    def _shown(self, question: QuizQuestion) -> dict[str, Any]:
        return {
            "id": question.id,
            "text": question.text,
            "options": [{"id": name, "text": text} for name, text in question.options.items()],
            "hint": question.hint if question.id in self._hinted else None,
            "tried": self._tried.get(question.id, []),
            "answered": self._answered.get(question.id),
        }
