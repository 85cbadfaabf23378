"""A study's own questions after a dialogue: on a scale, with a choice of answers, or free.

OwnQuestion(id="trust", text="How much do you trust it?", scale=("not at all", "partly", "fully"))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from msgspec.structs import asdict

from dialoom.dialogue.annotation import Struct

OwnAnswer = bool | int | str
"""Yes or no, the number of a grade, a chosen or a free text."""

PREFIX = "own-"
"""The beginning of the names of these questions on the pages."""


class OwnQuestion(Struct, frozen=True, kw_only=True):
    """A question after a dialogue; without `scale` and `options` the answer is a free text.

    Attributes:
        id: Its name in the export.
        text: The question.
        scale: The names of grades, the lowest first (Likert); the answer is the number of one, from
            1.
        options: The texts to choose from.
        required: Whether it has to be answered.
        of: The person who is asked, in a dialogue of two people.
    """

    id: str
    text: str
    scale: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    required: bool = True
    of: Literal["user", "wizard"] = "user"

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
    def free(self) -> bool:
        """True if the answer is a free text."""
        return not self._values

    def takes(self, value: Any) -> bool:
        """Return True if a value is a valid answer: a text, the number of a grade, or an option."""
        if self.free:
            return isinstance(value, str)
        return type(value) in (int, str) and value in self._values


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
    known = {each.id: each for each in words}
    return tuple(
        WordedQuestion(**asdict(each), words=known[each.id]) if each.id in known else each
        for each in asks
    )
