"""The interface of a paraphraser, its options and its registry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

import msgspec

from dialoom.registry import Registry
from dialoom.schema.lexicon import texts_of


@dataclass(frozen=True)
class SourceLine:
    """An utterance to paraphrase.

    Attributes:
        kept: The places of the protected values: start and end (exclusive), in order, without
            overlap.
        history: The utterances before it, each with its speaker.
        persona: Description of the speaker; may be empty.
        attempt: Number of paraphrases of it so far.
    """

    dialogue: str
    event: int
    agent: str
    text: str
    kept: tuple[tuple[int, int], ...] = ()
    history: tuple[tuple[str, str], ...] = ()
    persona: str = ""
    attempt: int = 0

    @property
    def values(self) -> tuple[str, ...]:
        """The values that must be kept, in order."""
        return tuple(self.text[start:end] for start, end in self.kept)


class Paraphraser(Protocol):
    """Rewords lines; the caller checks that they keep their values.

    A paid paraphraser counts requests and tokens in a Counter called `spent`, which the caller
    clears.
    """

    @property
    def settings(self) -> dict[str, Any]:
        """Everything that the answers depend on, as JSON values, without secrets."""

    def paraphrase(self, lines: Sequence[SourceLine]) -> list[str]:
        """Return a text for each line of a dialogue, in order; empty without one."""


@dataclass(frozen=True)
class ParaphraseOptions:
    """The options of all paraphrasers; each uses those that apply to it.

    Attributes:
        share: The share of phrases that are swapped, 0 to 1 (scripted).
        base_url: The address of a language model (openai).
        model: Its name there (openai), or its folder (local).
        temperature: The sampling temperature (openai, local).
        key: Name of the environment variable with the API key, if one is needed (openai).
        workers: Number of requests at a time, 1 or more (openai).
        whole: True to send a dialogue as one request; refused lines then have their own.
    """

    language: str = "en"
    seed: int = 0
    share: float = 0.7
    base_url: str | None = None
    model: str | None = None
    temperature: float = 0.7
    key: str = "OPENAI_API_KEY"
    workers: int = 4
    whole: bool = False


PARAPHRASERS: Registry[Callable[[ParaphraseOptions], Paraphraser]] = Registry(
    "paraphraser",
    "dialoom.paraphrasers",
    {
        "local": "dialoom.sim.paraphrase.language_model:local",
        "openai": "dialoom.sim.paraphrase.language_model:served",
        "scripted": "dialoom.sim.paraphrase.scripted:Scripted",
    },
)


class ParaphraseTexts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The texts of one language.

    Attributes:
        instruct: The system prompt of a language model.
        ask: Template of one request, with the placeholders agent, persona, before, values and text.
        whole: Addition to the system prompt if a request is a whole dialogue.
        turn: Template of one turn of it, with number, agent, text and values.
        persona: Template of the speaker's description, with `{persona}`.
        nothing: Text for empty `{values}` and `{before}`.
        swaps: A phrase in lower case to its possible replacements.
    """

    language: str
    instruct: str
    ask: str
    whole: str
    turn: str
    persona: str
    nothing: str
    swaps: dict[str, tuple[str, ...]]


@lru_cache(maxsize=8)
def wording(language: str) -> ParaphraseTexts:
    """Return the texts of a language; `UnknownNameError` if there are none."""
    return texts_of(language, "paraphrases", "paraphrases", ParaphraseTexts)
