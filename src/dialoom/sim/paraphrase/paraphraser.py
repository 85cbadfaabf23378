"""What says a line in other words: a list, a language model, or people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from dialoom.errors import DialoomError
from dialoom.registry import Registry


class ParaphraserError(DialoomError):
    """A paraphraser that cannot be reached, refuses, or answers something else."""


@dataclass(frozen=True)
class SourceLine:
    """An utterance that is to be said otherwise.

    Attributes:
        dialogue: The id of its dialogue.
        event: Its index there.
        agent: Who says it.
        text: What is said.
        kept: Where the values are that must be kept as they are: start and end (exclusive), in
            order, without overlap.
        before: What was said just before it; empty at the beginning.
        attempt: How many paraphrases of it have been refused.
    """

    dialogue: str
    event: int
    agent: str
    text: str
    kept: tuple[tuple[int, int], ...] = ()
    before: str = ""
    attempt: int = 0

    @property
    def values(self) -> tuple[str, ...]:
        """The values that must be kept, in order."""
        return tuple(self.text[start:end] for start, end in self.kept)


class Paraphraser(Protocol):
    """Says lines in other words; whether they keep their values is checked by who asks."""

    @property
    def settings(self) -> dict[str, Any]:
        """All that the answers depend on, as JSON values; no secret is among them."""

    def paraphrase(self, lines: Sequence[SourceLine]) -> list[str]:
        """Return a text for each line, in order."""


@dataclass(frozen=True)
class ParaphraseOptions:
    """What a paraphraser is made with; each takes what it needs.

    Attributes:
        language: The language of the lines.
        seed: What all randomness comes from.
        share: The share of phrases that are swapped (scripted).
        base_url: Where a language model answers (openai).
        model: Its name there.
        temperature: How freely it chooses its words.
        key: The environment variable that holds the key, if one is needed.
        workers: Requests that are made at a time.
    """

    language: str = "en"
    seed: int = 0
    share: float = 0.7
    base_url: str | None = None
    model: str | None = None
    temperature: float = 0.7
    key: str = "OPENAI_API_KEY"
    workers: int = 4


PARAPHRASERS: Registry[Callable[[ParaphraseOptions], Paraphraser]] = Registry(
    "paraphraser",
    "dialoom.paraphrasers",
    {
        "openai": "dialoom.sim.paraphrase.openai:ChatParaphraser",
        "scripted": "dialoom.sim.paraphrase.scripted:Scripted",
    },
    extra="llm",
)
