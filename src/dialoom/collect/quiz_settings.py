"""The settings of a quiz: its questions, and the limits on hints.

QuizQuestion(text="…", options={"a": "…", "b": "…"}, right="a", hint="…")
"""

from __future__ import annotations

from dialoom.dialogue.annotation import Struct


class QuizLimits(Struct, frozen=True, kw_only=True):
    """Limits on the hints that a worker asks for in a quiz (STAR, section 3.1 and appendix B).

    Attributes:
        most_to_pass: The most hints with which the quiz is passed.
        fewer_to_be_paid: The tutorial is paid with fewer hints than this.
        few: The most hints with which the smaller bonus (`pay.few_hints`) is paid.
    """

    most_to_pass: int = 6
    fewer_to_be_paid: int = 9
    few: int = 3


class QuizQuestion(Struct, frozen=True, kw_only=True):
    """A question of a quiz.

    Attributes:
        id: Its name in the log; its number where empty.
        text: The question.
        options: The letter of each option, and its text.
        right: The letter of the right option, or a list of all that have to be ticked.
        hint: The hint, which a wrong answer shows as well.
    """

    id: str = ""
    text: str
    options: dict[str, str]
    right: str | tuple[str, ...]
    hint: str


class QuizText(Struct, frozen=True, kw_only=True):
    """The quiz of a stage in another language.

    Attributes:
        guidelines: The text before it.
        questions: Its questions, with the options and right answers of the stage's own.
    """

    guidelines: str = ""
    questions: tuple[QuizQuestion, ...] = ()
