"""Rules of a stage: its quiz, items with known answers, automatic acceptance."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from dialoom.dialogue.annotation import Struct

Share = Annotated[float, Meta(gt=0, le=1)]


class QuizLimits(Struct, frozen=True, kw_only=True):
    """Limits on the hints that a worker asks for in a quiz (STAR, section 3.1 and appendix B).

    Attributes:
        most_to_pass: The most hints with which the quiz is passed.
        fewer_to_be_paid: The tutorial is paid with fewer hints than this.
        few: The most hints with which the smaller bonus (`pay.few_hints`) is paid.
    """

    most_to_pass: Annotated[int, Meta(ge=0)] = 6
    fewer_to_be_paid: Annotated[int, Meta(ge=1)] = 9
    few: Annotated[int, Meta(ge=0)] = 3


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


GoldRule = Literal["warn", "refuse", "end"]
"""A consequence of wrong answers to gold items."""


class GoldItems(Struct, frozen=True, kw_only=True):
    """Items with known answers that are mixed in unseen among the others of a stage.

    The share of a worker's right answers is compared with `warn`, `refuse` and `end`; where one of
    them is None, nothing follows from it.

    Attributes:
        items: The file or corpus of these items, as `outputs` or `corpus` of the stage. A line of
            outputs also has the right grades or ranks, `right`; a dialogue has its annotation, or
            right texts.
        every: One in so many items of a worker is a gold item, at a place drawn for each worker.
        right: The lowest score of a right answer: the share of right grades, the F1 of marks, or
            the similarity of texts.
        least: The number of a worker's gold answers from which the rules apply.
        warn: Below this share the page asks for more care.
        refuse: Below this share the worker gets no further assignment.
        end: Below this share the assignment ends at once.
    """

    items: str
    every: Annotated[int, Meta(ge=1)] = 5
    right: Share = 0.8
    least: Annotated[int, Meta(ge=1)] = 2
    warn: Share | None = None
    refuse: Share | None = None
    end: Share | None = None

    def rule(self, answers: tuple[bool, ...]) -> GoldRule | None:
        """Return the strictest consequence of a worker's answers, right or wrong; None if none."""
        if len(answers) < self.least:
            return None
        share = sum(answers) / len(answers)
        bounds: tuple[tuple[GoldRule, float | None], ...] = (
            ("end", self.end),
            ("refuse", self.refuse),
            ("warn", self.warn),
        )
        return next((rule for rule, bound in bounds if bound is not None and share < bound), None)


class Acceptance(Struct, frozen=True, kw_only=True):
    """Rules by which work is accepted and paid unseen; other work waits for a review.

    A rule that is None does not apply.

    Attributes:
        seconds: The least seconds that each item took.
        gold: The lowest share of the worker's right answers to gold items of the stage.
        agreement: The lowest mean agreement with others on the same items, 0 to 1: one minus the
            mean difference of grades as a share of the scale, the F1 of marks, or the similarity
            of texts.
        error: The highest share of wrong work among what is accepted unseen. The admin's page names
            the work to look at, drawn at random, until that is shown.
        confidence: The confidence of that bound.
    """

    seconds: Annotated[float, Meta(ge=0, le=1e9)] = 0.0
    gold: Share | None = None
    agreement: Share | None = None
    error: Share = 0.05
    confidence: Share = 0.95
