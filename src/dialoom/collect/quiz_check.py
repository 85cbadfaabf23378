"""Checks the quizzes of a study as its settings file has them, and finds every mistake.

for mistake in quiz_mistakes(document.value):
    mistake.pointer        # ("stages", 0, "questions", 2, "right")
    str(mistake)           # "stages[0].questions[2].right: 'd' is no option; right would be …"
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeGuard

from dialoom.collect.message import visible
from dialoom.collect.own_questions import OwnQuestion
from dialoom.collect.settings import QUIZ, ROOMS, Settings
from dialoom.collect.stage_rules import QuizQuestion
from dialoom.collect.study.quizzes import PARTS
from dialoom.errors import clip
from dialoom.schema.places import Pointer

ASKING = (*ROOMS, "bot", "annotation")
"""The kinds of work in which a study's own questions are asked."""

KEYS = QuizQuestion.__struct_fields__
"""The keys of a question."""

LONGEST_ID = 40
"""The most characters of the id of a study's own question, which is a name in messages."""


class Mistake(NamedTuple):
    """A mistake in a settings file: where it is, what is wrong, and what would be right."""

    pointer: Pointer
    what: str

    def __str__(self) -> str:
        return f"{spelled(self.pointer) or 'settings'}: {self.what}"


def spelled(pointer: Pointer) -> str:
    """Return a pointer as text: `stages[0].questions[2].right`."""
    names = (f"[{key}]" if isinstance(key, int) else f".{key}" for key in pointer)
    return "".join(names).lstrip(".")


def quiz_mistakes(named: Mapping[str, Any]) -> Iterator[Mistake]:
    """Yield the mistakes in the quizzes of settings, given as JSON values."""
    stages = {
        place: stage for place, stage in enumerate(_list(named.get("stages"))) if _is_map(stage)
    }
    for place, stage in stages.items():
        yield from _stage(("stages", place), stage, last=place == max(stages))
    quizzes = {
        str(stage.get("name")): _list(stage.get("questions"))
        for stage in stages.values()
        if stage.get("kind") == QUIZ
    }
    for language, translation in _items(named.get("translations")):
        for name, quiz in _items(translation.get("quizzes") if _is_map(translation) else None):
            pointer: Pointer = ("translations", language, "quizzes", name)
            if name not in quizzes:
                known = ", ".join(quizzes) or "none"
                yield Mistake(pointer, f"no quiz of that name; the study's quizzes: {known}")
            elif _is_map(quiz):
                yield from _translated(pointer, quiz, quizzes[name])


def _stage(pointer: Pointer, stage: Mapping[str, Any], *, last: bool) -> Iterator[Mistake]:
    questions = stage.get("questions")
    if stage.get("kind") != QUIZ:
        if questions:
            what = "a stage of another kind has no quiz; right would be `kind: quiz`"
            yield Mistake((*pointer, "questions"), what)
        return
    if last:
        what = "no stage comes after this quiz; right would be one with `gate: quiz`"
        yield Mistake((*pointer, "kind"), what)
    if questions:
        yield from _questions((*pointer, "questions"), questions)
    elif stage.get("name") not in PARTS:
        known = " or ".join(PARTS)
        what = f"this quiz has no `questions`; right would be a list of them, or the name {known}"
        yield Mistake((*pointer, "name"), what)


def _questions(pointer: Pointer, questions: Any) -> Iterator[Mistake]:
    if not isinstance(questions, list | tuple):
        yield Mistake(pointer, "no list; right would be a list of questions")
    ids: set[str] = set()
    for place, question in enumerate(_list(questions)):
        here = (*pointer, place)
        if not _is_map(question):
            yield Mistake(here, "no question; right would be text, options, right and hint")
            continue
        yield from _question(here, question)
        name = str(question.get("id") or place + 1)
        if name in ids:
            yield Mistake((*here, "id"), f"{clip(name)!r} again; each question has its own id")
        ids.add(name)


def _question(pointer: Pointer, question: Mapping[str, Any]) -> Iterator[Mistake]:
    for key in question:
        if key not in KEYS:
            what = f"unknown key of a question; right would be {', '.join(KEYS)}"
            yield Mistake((*pointer, key), what)
    for key in ("text", "hint"):
        if not _is_text(question.get(key)):
            yield Mistake((*pointer, key), "no text; right would be a text in quotes")
    options = question.get("options")
    if not _is_map(options) or len(options) < 2:
        what = "too few options; right would be two or more, such as {a: Yes, b: No}"
        yield Mistake((*pointer, "options"), what)
        return
    for letter, text in options.items():
        if not _is_text(text):
            what = "no text; right would be a text in quotes"
            yield Mistake((*pointer, "options", letter), what)
    yield from _right((*pointer, "right"), question.get("right"), list(options))


def _right(pointer: Pointer, right: Any, letters: list[str]) -> Iterator[Mistake]:
    known = ", ".join(letters)
    several = isinstance(right, list | tuple)
    if (not several and not isinstance(right, str)) or not right:
        what = f"no right answer; right would be one of {known}, or a list of them"
        yield Mistake(pointer, what)
        return
    for letter in right if several else [right]:
        if letter not in letters:
            what = f"{clip(str(letter))!r} is no option; right would be one of {known}"
            yield Mistake(pointer, what)


def _translated(pointer: Pointer, quiz: Mapping[str, Any], asked: list[Any]) -> Iterator[Mistake]:
    questions = quiz.get("questions")
    if not questions:
        return
    pointer = (*pointer, "questions")
    yield from _questions(pointer, questions)
    if len(_list(questions)) != len(asked):
        what = f"{len(_list(questions))} questions; right would be {len(asked)}, as in the stage"
        yield Mistake(pointer, what)
    for place, (one, other) in enumerate(zip(_list(questions), asked, strict=False)):
        if not _is_map(one) or not _is_map(other):
            continue
        if _letters(one.get("options")) != _letters(other.get("options")):
            what = f"other options; right would be {', '.join(_letters(other.get('options')))}"
            yield Mistake((*pointer, place, "options"), what)
        if _letters(one.get("right")) != _letters(other.get("right")):
            what = f"another answer; right would be {other.get('right')!r}, as in the stage"
            yield Mistake((*pointer, place, "right"), what)


def _letters(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    return sorted(map(str, value)) if _is_map(value) else sorted(map(str, _list(value)))


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []


def _items(value: Any) -> list[tuple[str, Any]]:
    return list(value.items()) if _is_map(value) else []


def _is_map(value: Any) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(value, Mapping)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and visible(value)


def asks_mistakes(settings: Settings) -> Iterator[Mistake]:
    """Yield the mistakes in stages' own questions, and in their translations."""
    stages = () if isinstance(settings.stages, str) else settings.stages
    for number, stage in enumerate(stages):
        here: Pointer = ("stages", number, "asks")
        if stage.asks and (stage.kind not in ASKING or not stage.questionnaire):
            what = f"they are asked in stages of the kinds {', '.join(ASKING)} with a questionnaire"
            yield Mistake(here, what)
        yield from (
            Mistake((*here, place, key), what) for place, key, what in own_faults(stage.asks)
        )
    asked = {stage.name: {each.id: each for each in stage.asks} for stage in stages if stage.asks}
    for language, translation in settings.translations.items():
        for name, words in translation.asks.items():
            here = ("translations", language, "asks", name)
            if name not in asked:
                known = ", ".join(asked) or "none"
                yield Mistake(here, f"no stage of that name has `asks`; those with some: {known}")
            else:
                yield from _reworded(here, words, asked[name])


def _reworded(
    pointer: Pointer, words: Sequence[OwnQuestion], asked: Mapping[str, OwnQuestion]
) -> Iterator[Mistake]:
    """Yield the mistakes in a translation of a stage's own questions."""
    yield from (Mistake((*pointer, place, key), what) for place, key, what in own_faults(words))
    for place, each in enumerate(words):
        if each.id not in asked:
            yield Mistake((*pointer, place, "id"), f"right would be one of {', '.join(asked)}")
            continue
        for key in ("scale", "options"):
            many = len(getattr(asked[each.id], key))
            if len(getattr(each, key)) != many:
                what = f"{len(getattr(each, key))}; right would be {many}, as in the stage"
                yield Mistake((*pointer, place, key), what)


def own_faults(questions: Sequence[OwnQuestion]) -> Iterator[tuple[int, str, str]]:
    """Yield the index, the key and the fault of questions that cannot be asked."""
    ids: list[str] = []
    for place, question in enumerate(questions):
        if not visible(question.id) or question.id in ids:
            yield place, "id", f"{question.id!r}: each question has an id of its own"
        elif "." in question.id or len(question.id) > LONGEST_ID:
            what = f"an id has at most {LONGEST_ID} characters, and no full stop"
            yield place, "id", f"{clip(question.id)!r}: {what}"
        ids.append(question.id)
        if not visible(question.text):
            yield place, "text", "there is no question"
        if question.scale and question.options:
            yield place, "options", "a question has a `scale` or `options`, not both"
        for key in ("scale", "options"):
            names = getattr(question, key)
            if names and (len(set(names)) < max(len(names), 2) or not all(map(visible, names))):
                yield place, key, "two or more different answers are needed"
