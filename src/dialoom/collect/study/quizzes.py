"""The quizzes of a study, with counted hints: its own, or STAR's of stages I and III.

STAR's quizzes ask for the paper's rules (Mosig et al. 2020, appendix D) in our own wording, in
`lang/<language>-quiz-<stage>.json`. There is one limit of hints for passing, and one for pay.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from dialoom.collect.log.facts import Chosen, Hinted, QuizFact, Tried
from dialoom.collect.message import Refused
from dialoom.collect.settings import Settings, Stage, Translation
from dialoom.collect.stage_rules import QuizLimits, QuizQuestion, QuizText
from dialoom.dialogue.annotation import Struct
from dialoom.errors import UnknownNameError
from dialoom.schema.lexicon import texts_of

PARTS: Mapping[str, str] = {"single_tutorial": "quiz-single", "multi_tutorial": "quiz-multi"}
"""Tutorial stage to the name of its quiz in `lang/`."""


class Quiz(Struct, frozen=True, kw_only=True):
    """The questions of a quiz in one language, in order.

    `text` is read before them; where None, it is the page's own walkthrough of STAR's stages.
    """

    language: str
    questions: tuple[QuizQuestion, ...]
    text: str | None = None


@lru_cache(maxsize=16)
def load_quiz(stage: str, language: str) -> Quiz:
    """Return STAR's quiz of a tutorial stage; `UnknownNameError` if the language has none."""
    if stage not in PARTS:
        raise UnknownNameError("quiz without questions of its own", stage, PARTS)
    return texts_of(language, PARTS[stage], "quizzes", Quiz)


def stage_quiz(settings: Settings, stage: Stage, language: str) -> Quiz:
    """Return a stage's quiz in a language, or STAR's; `UnknownNameError` without both."""
    study = settings.translations.get(language, Translation())
    translation = study.quizzes.get(stage.name, QuizText())
    text = translation.guidelines or stage.guidelines
    if not stage.questions:
        return replace(load_quiz(stage.name, language), text=text or None)
    wordings = translation.questions or stage.questions
    names = (each.id or str(number) for number, each in enumerate(stage.questions, start=1))
    questions = tuple(replace(each, id=name) for each, name in zip(wordings, names, strict=True))
    return Quiz(language=language, questions=questions, text=text)


class QuizAttempt:
    """One worker's attempt at a quiz.

    Asking for a question's hint counts as one hint, once; each wrong answer also shows the hint and
    counts as one, so that nobody passes by trying all options.
    """

    def __init__(self, quiz: Quiz, limits: QuizLimits) -> None:
        self.text, self.limits = quiz.text, limits
        self._questions = {question.id: question for question in quiz.questions}
        self._hinted: set[str] = set()
        self._tried: dict[str, list[Chosen]] = {}
        self._answered: dict[str, Chosen] = {}
        self.hints = 0

    @property
    def begun(self) -> bool:
        """True if the worker has asked for a hint or answered a question."""
        return bool(self._hinted or self._answered)

    @property
    def over(self) -> bool:
        """True if all questions are answered, or too many hints were used to be paid."""
        return len(self._answered) == len(self._questions) or not self.paid

    @property
    def passed(self) -> bool:
        """True if the quiz is passed: all questions answered within the limit of hints."""
        return self.over and self.paid and self.hints <= self.limits.most_to_pass

    @property
    def paid(self) -> bool:
        """True if the tutorial is paid, with the hints used so far."""
        return self.hints < self.limits.fewer_to_be_paid

    def hint(self, question: str) -> Hinted:
        """Return the record's body of a hint; `Refused` if unknown, answered or hinted already."""
        self._open(question)
        if question in self._hinted:
            raise Refused("hinted_already", "the hint to this question is shown already")
        return Hinted(question)

    def answer(self, question: str, option: Chosen) -> Tried:
        """Return the record's body of an answer; `Refused` if it is not possible."""
        entry = self._open(question)
        several = not isinstance(entry.right, str)
        letters = {option} if isinstance(option, str) else set(option)
        is_known = bool(letters) and letters <= entry.options.keys()
        if not is_known or (len(letters) > 1 and not several):
            raise Refused("unknown_option", f"there is no option {option!r}")
        choice: Chosen = tuple(sorted(letters)) if several else letters.pop()
        if choice in self._tried.get(question, ()):
            raise Refused("tried_already", f"option {option!r} was tried and is wrong")
        right = tuple(sorted(entry.right)) if several else entry.right
        return Tried(question, choice, choice == right)

    def _open(self, question: str) -> QuizQuestion:
        if question not in self._questions:
            raise Refused("unknown_question", f"there is no question {question!r}")
        if question in self._answered:
            raise Refused("answered_already", "this question is answered")
        return self._questions[question]

    def apply(self, body: QuizFact) -> None:
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
            "most_to_pass": self.limits.most_to_pass,
            "fewer_to_be_paid": self.limits.fewer_to_be_paid,
            "few": self.limits.few,
        }

    def _shown(self, question: QuizQuestion) -> dict[str, Any]:
        return {
            "id": question.id,
            "text": question.text,
            "options": [{"id": name, "text": text} for name, text in question.options.items()],
            "several": not isinstance(question.right, str),
            "hint": question.hint if question.id in self._hinted else None,
            "tried": self._tried.get(question.id, []),
            "answered": self._answered.get(question.id),
        }
