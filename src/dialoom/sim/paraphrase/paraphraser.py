"""The interface of a paraphraser, its options and its registry; one that needs no model."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

import msgspec

from dialoom.errors import UsageError
from dialoom.registry import Registry
from dialoom.schema.lexicon import texts_of
from dialoom.sim.core.rng import event_rng
from dialoom.sim.noise.kind import Edit, apply


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
        "scripted": "dialoom.sim.paraphrase.paraphraser:Scripted",
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


_FINE = 10_000
"""Denominator of the share that is compared with drawn whole numbers."""


class Scripted:
    """Swaps phrases of lines by `lang/<language>-paraphrases.json`.

    `UnknownNameError` for languages without the file, `UsageError` for a share outside 0 to 1.
    """

    def __init__(self, options: ParaphraseOptions) -> None:
        if not 0 <= options.share <= 1:
            raise UsageError(f"a share is from 0 to 1, not {options.share}", code="out-of-range")
        self._options = options
        self._swaps = wording(options.language).swaps
        phrases = sorted(self._swaps, key=len, reverse=True)
        self._phrase = re.compile(rf"\b(?:{'|'.join(map(re.escape, phrases))})\b", re.IGNORECASE)

    @property
    def settings(self) -> dict[str, Any]:
        """Language, seed and share."""
        options = self._options
        return {"language": options.language, "seed": options.seed, "share": options.share}

    def paraphrase(self, lines: Sequence[SourceLine]) -> list[str]:
        """Return each line with some of its phrases swapped; values are left alone."""
        return [apply(line.text, list(self._edits(line))) for line in lines]

    def _edits(self, line: SourceLine) -> Iterator[Edit]:
        name = f"paraphrase {line.attempt}"
        rng = event_rng(self._options.seed, line.dialogue, line.event, name)
        for match in self._phrase.finditer(line.text):
            start, end = match.span()
            if any(start < kept_end and kept_start < end for kept_start, kept_end in line.kept):
                continue
            other = rng.choice(self._swaps[match[0].lower()])
            if rng.below(_FINE) < self._options.share * _FINE:
                yield Edit(start, end, _cased(other, match[0]))


def _cased(phrase: str, like: str) -> str:
    return phrase[:1].upper() + phrase[1:] if like[:1].isupper() else phrase
