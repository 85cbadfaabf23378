"""Checks the quizzes and the own questions of a study."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from dialoom.collect.kinds.rated_chat import REACHED
from dialoom.collect.kinds.room.questions import COMMENT, SUCCESS
from dialoom.collect.message import visible
from dialoom.collect.own_questions import OwnQuestion
from dialoom.collect.settings import QUIZ, ROOMS, Settings, Stage
from dialoom.collect.settings_types import Mistake
from dialoom.collect.stage_rules import QuizQuestion
from dialoom.collect.study.quizzes import PARTS
from dialoom.dialogue.annotation import RATING
from dialoom.errors import clip
from dialoom.schema.places import Pointer

ASKING: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(ROOMS, (RATING, SUCCESS, COMMENT)),
    "bot": (RATING, "rating", REACHED, COMMENT),
    "annotation": (),
}
"""Kind of work in which a study's own questions are asked, to the names of its other answers."""

LONGEST_ID = 40
"""The most characters of the id of a study's own question, which is a name in messages."""


def quiz_mistakes(settings: Settings) -> Iterator[Mistake]:
    """Yield the mistakes in quizzes and their translations."""
    stages = settings.stage_list
    for place, stage in enumerate(stages):
        yield from _stage(("stages", place), stage, last=stage is stages[-1])
    quizzes = {stage.name: stage.questions for stage in stages if stage.kind == QUIZ}
    for language, translation in settings.translations.items():
        for name, quiz in translation.quizzes.items():
            pointer: Pointer = ("translations", language, "quizzes", name)
            if name not in quizzes:
                names = ", ".join(quizzes) or "none"
                yield Mistake(pointer, f"no quiz of that name; the study's quizzes: {names}")
            elif quiz.questions:
                yield from _translated((*pointer, "questions"), quiz.questions, quizzes[name])


def _stage(pointer: Pointer, stage: Stage, *, last: bool) -> Iterator[Mistake]:
    if stage.kind != QUIZ:
        if stage.questions:
            what = "a stage of another kind has no quiz; right would be `kind: quiz`"
            yield Mistake((*pointer, "questions"), what)
        return
    if last:
        what = "no stage comes after this quiz; right would be one with `gate: quiz`"
        yield Mistake((*pointer, "kind"), what)
    yield from _questions((*pointer, "questions"), stage.questions)
    if not stage.questions and stage.name not in PARTS:
        names = " or ".join(PARTS)
        what = f"this quiz has no `questions`; right would be a list of them, or the name {names}"
        yield Mistake((*pointer, "name"), what)


def _questions(pointer: Pointer, questions: Sequence[QuizQuestion]) -> Iterator[Mistake]:
    ids: set[str] = set()
    for place, question in enumerate(questions):
        here = (*pointer, place)
        texts: dict[Pointer, str] = {("text",): question.text, ("hint",): question.hint}
        texts |= {("options", letter): text for letter, text in question.options.items()}
        for key, text in texts.items():
            if not visible(text):
                yield Mistake((*here, *key), "no text; right would be a text in quotes")
        if len(question.options) < 2:
            what = "too few options; right would be two or more, such as {a: Yes, b: No}"
            yield Mistake((*here, "options"), what)
        letters = ", ".join(question.options)
        for letter in _letters(question):
            if letter not in question.options:
                what = f"{clip(letter)!r} is no option; right would be one of {letters}"
                yield Mistake((*here, "right"), what)
        if not question.right:
            what = f"no right answer; right would be one of {letters}, or a list of them"
            yield Mistake((*here, "right"), what)
        name = question.id or str(place + 1)
        if name in ids:
            yield Mistake((*here, "id"), f"{clip(name)!r} again; each question has its own id")
        ids.add(name)


def _letters(question: QuizQuestion) -> list[str]:
    right = question.right
    return [right] if isinstance(right, str) else sorted(right)


def _translated(
    pointer: Pointer, questions: Sequence[QuizQuestion], originals: Sequence[QuizQuestion]
) -> Iterator[Mistake]:
    yield from _questions(pointer, questions)
    if len(questions) != len(originals):
        what = f"{len(questions)} questions; right would be {len(originals)}, as in the stage"
        yield Mistake(pointer, what)
    for place, (one, other) in enumerate(zip(questions, originals, strict=False)):
        if one.options.keys() != other.options.keys():
            what = f"other options; right would be {', '.join(other.options)}"
            yield Mistake((*pointer, place, "options"), what)
        if _letters(one) != _letters(other):
            what = f"another answer; right would be {other.right!r}, as in the stage"
            yield Mistake((*pointer, place, "right"), what)


def asks_mistakes(settings: Settings) -> Iterator[Mistake]:
    """Yield the mistakes in stages' own questions, and in their translations."""
    stages = settings.stage_list
    for number, stage in enumerate(stages):
        here: Pointer = ("stages", number, "asks")
        if stage.asks and (stage.kind not in ASKING or not stage.questionnaire):
            what = f"they are asked in stages of the kinds {', '.join(ASKING)} with a questionnaire"
            yield Mistake(here, what)
        yield from own_mistakes(here, stage.asks, ASKING.get(stage.kind, ()))
    sources = {stage.name: {each.id: each for each in stage.asks} for stage in stages if stage.asks}
    for language, translation in settings.translations.items():
        for name, words in translation.asks.items():
            here = ("translations", language, "asks", name)
            if name not in sources:
                names = ", ".join(sources) or "none"
                yield Mistake(here, f"no stage of that name has `asks`; those with some: {names}")
            else:
                yield from _reworded(here, words, sources[name])


def _reworded(
    pointer: Pointer, words: Sequence[OwnQuestion], originals: Mapping[str, OwnQuestion]
) -> Iterator[Mistake]:
    yield from own_mistakes(pointer, words)
    for place, each in enumerate(words):
        if each.id not in originals:
            yield Mistake((*pointer, place, "id"), f"right would be one of {', '.join(originals)}")
            continue
        for key in ("scale", "options"):
            many = len(getattr(originals[each.id], key))
            if len(getattr(each, key)) != many:
                what = f"{len(getattr(each, key))}; right would be {many}, as in the stage"
                yield Mistake((*pointer, place, key), what)


def own_mistakes(
    pointer: Pointer, questions: Sequence[OwnQuestion], taken: Collection[str] = ()
) -> Iterator[Mistake]:
    """Yield the mistakes in questions that cannot be asked.

    Args:
        taken: The names of other answers, which no question may have as its id.
    """
    ids: list[str] = []
    for place, question in enumerate(questions):
        here = (*pointer, place)
        if not visible(question.id) or question.id in ids:
            yield Mistake((*here, "id"), f"{question.id!r}: each question has an id of its own")
        elif "." in question.id or len(question.id) > LONGEST_ID:
            what = f"an id has at most {LONGEST_ID} characters, and no full stop"
            yield Mistake((*here, "id"), f"{clip(question.id)!r}: {what}")
        elif question.id in taken:
            what = "an answer of every export has this name; right would be another id"
            yield Mistake((*here, "id"), f"{question.id!r}: {what}")
        ids.append(question.id)
        if not visible(question.text):
            yield Mistake((*here, "text"), "there is no question")
        if question.scale and question.options:
            yield Mistake((*here, "options"), "a question has a `scale` or `options`, not both")
        for key in ("scale", "options"):
            names = getattr(question, key)
            if names and (len(set(names)) < max(len(names), 2) or not all(map(visible, names))):
                yield Mistake((*here, key), "two or more different answers are needed")
