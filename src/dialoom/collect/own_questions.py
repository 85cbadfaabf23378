"""A study's own questions about a dialogue or its turns: on a scale, with a choice, or free.

OwnQuestion(id="trust", text="How much do you trust it?", scale=("not at all", "partly", "fully"))

The answer to `trust` is the part `own-trust` of a document; with `per="turn"` the answer about the
utterance number 3 (from 0) is the part `own-trust.3`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from statistics import fmean
from typing import Any, Literal

from msgspec.structs import asdict, replace

from dialoom.dialogue import SYSTEM, USER, Event, Layer, Part, Utterance
from dialoom.dialogue.annotation import CHOICES, COMMENTS, GRADES, Struct

OwnAnswer = bool | int | str
"""Yes or no, the number of a grade, a chosen or a free text."""

PREFIX = "own-"
"""The beginning of the names of these questions on the pages."""


class OwnQuestion(Struct, frozen=True, kw_only=True):
    """A question about a dialogue; without `scale` and `options` the answer is a free text.

    Attributes:
        id: Its name in the export.
        text: The question.
        scale: The names of grades, the lowest first (Likert); the answer is the number of one, from
            1.
        options: The texts to choose from.
        required: Whether it has to be answered.
        of: The person who is asked, in a dialogue of two people. Questions about turns are about
            those of their partner: a user's are about the system's turns.
        per: Whether it is asked about the dialogue, or about each turn of the partner.
    """

    id: str
    text: str
    scale: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    required: bool = True
    of: Literal["user", "wizard"] = "user"
    per: Literal["dialogue", "turn"] = "dialogue"

    @property
    def name(self) -> str:
        """The id on the pages and in messages, which no common question has."""
        return f"{PREFIX}{self.id}"

    @property
    def shown(self) -> dict[str, Any]:
        """The question for the page; a free text has no options."""
        values = self._values
        return {
            "id": self.name,
            "text": self.text,
            "required": self.required,
            "turns": self.about if self.per == "turn" else None,
            "options": [
                {"value": value, "text": text}
                for value, text in zip(values, self.scale or self.options, strict=True)
            ],
        }

    @property
    def example(self) -> OwnAnswer:
        """A valid answer, for programs."""
        return self._values[-1] if self._values else "."

    @property
    def _values(self) -> Sequence[OwnAnswer]:
        return range(1, len(self.scale) + 1) if self.scale else self.options

    @property
    def about(self) -> str:
        """The speaker of the turns that it is about."""
        return SYSTEM if self.of == "user" else USER

    @property
    def key(self) -> str:
        """The key of its answers in the `extra` of a part."""
        return GRADES if self.scale else CHOICES if self.options else COMMENTS

    @property
    def free(self) -> bool:
        """True if the answer is a free text."""
        return not self._values

    def takes(self, value: Any) -> bool:
        """Return True if a value is a valid answer: a text, the number of a grade, or an option."""
        if self.free:
            return isinstance(value, str)
        return type(value) in (int, str) and value in self._values

    def parts(self, speakers: Sequence[str]) -> list[str]:
        """Return the names of its answers for a dialogue, given the speaker of each utterance."""
        if self.per == "dialogue":
            return [self.name]
        turns = (turn for turn, speaker in enumerate(speakers) if speaker == self.about)
        return [f"{self.name}.{turn}" for turn in turns]

    def agreement(self, one: OwnAnswer, other: OwnAnswer) -> float:
        """Return the agreement of two answers: one minus the distance of grades on the scale."""
        if isinstance(one, int) and isinstance(other, int) and len(self.scale) > 1:
            return 1 - abs(one - other) / (len(self.scale) - 1)
        return float(one == other)


class WordedQuestion(OwnQuestion, frozen=True, kw_only=True):
    """A question that the page shows in the words of another language, with the same answers."""

    words: OwnQuestion

    @property
    def shown(self) -> dict[str, Any]:
        """The question for the page, with the answers of the study's own."""
        own, texts = super().shown, self.words.scale or self.words.options
        options = [
            {**option, "text": text} for option, text in zip(own["options"], texts, strict=True)
        ]
        return {**own, "text": self.words.text, "options": options}


def worded(asks: Sequence[OwnQuestion], words: Sequence[OwnQuestion]) -> tuple[OwnQuestion, ...]:
    """Return questions in the words of those with the same id, where there are any."""
    wordings = {each.id: each for each in words}
    return tuple(
        WordedQuestion(**asdict(each), words=wordings[each.id]) if each.id in wordings else each
        for each in asks
    )


def question_of(questions: Iterable[OwnQuestion], part: str) -> OwnQuestion | None:
    """Return the question that a part answers, whatever the turn; None for other parts."""
    name, dot, _ = part.partition(".")
    per = "turn" if dot else "dialogue"
    return next((each for each in questions if each.name == name and each.per == per), None)


def unanswered(
    questions: Iterable[OwnQuestion], document: Mapping[str, Any], speakers: Sequence[str]
) -> list[str]:
    """Return the parts of required questions that a document lacks."""
    required = (question for question in questions if question.required)
    return [part for each in required for part in each.parts(speakers) if part not in document]


def with_answers(
    events: Iterable[Event],
    questions: Sequence[OwnQuestion],
    answers: Mapping[str, Any],
    source: str,
    last: int | None = None,
) -> tuple[Event, ...]:
    """Return a dialogue's events with the answers about each utterance in its layer of `source`.

    Args:
        answers: Part to answer; other parts are ignored.
        last: The number of the utterance that gets the answers about the dialogue; none where None.
    """
    turns = count()
    return tuple(
        _answered(event, questions, answers, source, number := next(turns), whole=number == last)
        if isinstance(event, Utterance)
        else event
        for event in events
    )


def _answered(
    utterance: Utterance,
    questions: Sequence[OwnQuestion],
    answers: Mapping[str, Any],
    source: str,
    turn: int,
    *,
    whole: bool,
) -> Utterance:
    entries: dict[str, Any] = {}
    for question in questions:
        name = f"{question.name}.{turn}" if question.per == "turn" else question.name
        if name in answers and (whole or question.per == "turn"):
            entries.setdefault(question.key, {})[question.id] = answers[name]
    if not entries:
        return utterance
    layers = {each.source: each for each in utterance.layers}
    layer = layers.get(source, Layer(source))
    layers[source] = replace(layer, parts=(*layer.parts, Part(extra=entries)))
    return replace(utterance, layers=tuple(layers.values()))


def agreement(
    questions: Iterable[OwnQuestion], one: Mapping[str, Any], other: Mapping[str, Any]
) -> float:
    """Return the mean agreement of two people's answers, free texts aside; 1 without any."""
    scores = [
        question.agreement(one[part], other[part])
        for question in questions
        if not question.free
        for part in one.keys() & other.keys()
        if part.partition(".")[0] == question.name
    ]
    return fmean(scores or [1.0])
