"""The bodies of the records about a worker's answers in a quiz."""

from __future__ import annotations

from dialoom.dialogue.annotation import Struct


class Hinted(Struct, frozen=True, tag="hinted"):
    """A worker asked for the hint to a question of the quiz."""

    question: str


Chosen = str | tuple[str, ...]
"""The option of a quiz that is chosen; all of them, in order, where several are right."""


class Tried(Struct, frozen=True, tag="tried"):
    """A worker answered a question of the quiz with an option; `right` is whether it is correct."""

    question: str
    option: Chosen
    right: bool


QuizFact = Hinted | Tried
