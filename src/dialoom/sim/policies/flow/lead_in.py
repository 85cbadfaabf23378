"""Lead-ins: users' words before the first turn of another task.

lead_in(said, "Okay, one more thing.", "en")    # without a second greeting, its spans moved
"""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec.structs import replace

from dialoom.dialogue import Span, Utterance
from dialoom.schema.lexicon import lexicon
from dialoom.sim.noise.kind import each_part
from dialoom.sim.policies.flow.persons import speech_of
from dialoom.sim.policies.flow.recorder import extended, moved


def lead_in(said: Utterance, lead: str, language: str) -> Utterance:
    """Return an utterance with words before it, which take the place of its greeting."""
    if not lead:
        return said
    greeting = _greeting(language).match(said.text)
    if greeting is not None and greeting.end() < len(said.text):
        said = _without(said, greeting.end())
    if lead.endswith(",") and _plain(said, language):
        said = replace(said, text=said.text[0].lower() + said.text[1:])
    return extended(said, "", before=f"{lead} ")


def _plain(said: Utterance, language: str) -> bool:
    """Return True if the first word has its capital only from the beginning of the sentence."""
    spoken, word = lexicon(language), said.text.partition(" ")[0].lower()
    whole = len(re.split("['’]", word)[0]) > 1  # a pronoun of one letter keeps it
    plain = word in spoken.articles or (
        whole and (spoken.capitals or word in spoken.stop | spoken.common)
    )
    return plain and all(span.start for span in _spans(said))


def _spans(said: Utterance) -> list[Span]:
    return [s for layer in said.layers for part in layer.parts for s in part.spans or ()]


def _without(said: Utterance, cut: int) -> Utterance:
    """Return an utterance without its first characters, unless a value is among them."""
    if any(span.start < cut for span in _spans(said)):
        return said
    text = said.text[cut].upper() + said.text[cut + 1 :]
    layers = each_part(
        said.layers,
        lambda part: replace(part, spans=moved(part.spans, -cut)) if part.spans else part,
    )
    return replace(said, text=text, layers=layers)


@lru_cache(maxsize=8)
def _greeting(language: str) -> re.Pattern[str]:
    spoken = lexicon(language)
    words = sorted(
        {*spoken.cues["greeting"], *spoken.yes, *_leads(language)}, key=len, reverse=True
    )
    start = "|".join(map(re.escape, words))
    return re.compile(rf"(?:(?:{start})(?: there)?[,.!]* +)+", re.IGNORECASE)


def _leads(language: str) -> set[str]:
    """Return the words before a wish, such as "well", without their marks."""
    grammar = speech_of(language)
    return {way.strip(" ,.") for way in (grammar.symbols.get("lead", ()) if grammar else ())}
