"""A study's own questions after a dialogue: on a scale, with a choice of answers, or free.

OwnQuestion(id="trust", text="How much do you trust it?", scale=("not at all", "partly", "fully"))
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from dialoom.collect.message import Refused, cleaned, visible
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
        of: Who is asked in a dialogue of two people.
    """

    id: str
    text: str
    scale: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    required: bool = True
    of: Literal["user", "wizard"] = "user"

    @property
    def name(self) -> str:
        """Its name on the pages."""
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

    def checked(self, value: Any) -> OwnAnswer:
        """Return an answer as it is stored; `Refused` (`bad_value`) if it is not one."""
        if not self._values and isinstance(value, str):
            return cleaned(value)
        if isinstance(value, bool) or value not in self._values:
            raise Refused("bad_value", f"that is no answer to {self.id}", field=self.name)
        return self._values[self._values.index(value)]


def faults(questions: Sequence[OwnQuestion]) -> Iterator[tuple[int, str, str]]:
    """Yield the index, the key and the fault of questions that cannot be asked."""
    ids: list[str] = []
    for place, question in enumerate(questions):
        if not visible(question.id) or question.id in ids:
            yield place, "id", f"{question.id!r}: each question has an id of its own"
        ids.append(question.id)
        if not visible(question.text):
            yield place, "text", "there is no question"
        if question.scale and question.options:
            yield place, "options", "a question has a `scale` or `options`, not both"
        for key in ("scale", "options"):
            names = getattr(question, key)
            if names and (len(set(names)) < max(len(names), 2) or not all(map(visible, names))):
                yield place, key, "two or more different answers are needed"
