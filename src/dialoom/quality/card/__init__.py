"""Data cards: a page of Markdown that documents a corpus.

The sections are those of GEM's cards. Counts are made on the files, terms come from the corpus's
manifest or the catalogue, and questions take the place of facts that only a person can give.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import resources

from dialoom.corpus import Corpus
from dialoom.quality.card.measured import Measured
from dialoom.quality.card.terms import EDGE, other_keys, terms
from dialoom.quality.catalogue import Track

PERSON = "**To be filled in by a person:**"
"""Mark of a question in a card that a person has to answer."""

UNKNOWN = "unknown"

JOINED = {"obtained": "made", "outcomes": "linted"}
"""Fact to another that follows it in a paragraph of its own."""

_FACT = re.compile(r"\{\{(\w+)\}\}")
_ASK = " ?? "


def card(corpus: Corpus, track: Track, *, name: str | None, catalogued: bool = True) -> str:
    """Return the data card of a corpus, in one pass over its dialogues.

    `name` defaults to that of the catalogue, or of the file. With `catalogued`, the facts of the
    catalogue hold for this corpus. Raises `UsageError` if `name` is a corpus of another format.
    """
    facts = terms(corpus, name, catalogued=catalogued)
    measured = Measured(corpus, facts.pop("corpus", None))
    return composed(measured.facts(track) | facts, corpus)


def composed(facts: Mapping[str, str], corpus: Corpus) -> str:
    """Return the card with these facts; its head keeps other keys of the corpus's README.md."""
    both = {first: f"{facts.get(first, '')}\n\n{facts[then]}".strip()
            for first, then in JOINED.items() if then in facts}  # fmt: skip
    opening, head, text = fill({**facts, **both}).split(f"{EDGE}\n", 2)
    head = head.replace(f"language: {UNKNOWN}\n", "")
    return f"{EDGE}\n".join((opening, head + other_keys(corpus, head), text))


def fill(facts: Mapping[str, str]) -> str:
    """Return the card with these facts filled in and a question where one is missing."""
    text = resources.files(__package__).joinpath("template.md").read_text(encoding="utf-8")
    return "".join(f"{_line(line, facts)}\n" for line in text.splitlines())


def _line(line: str, facts: Mapping[str, str]) -> str:
    template, _, question = f" {line}".partition(_ASK)
    template = template[1:]
    complete = all(name in facts for name in _FACT.findall(template))
    if question and (not complete or not _FACT.search(template)):
        text = _FACT.sub("", template) if not complete else template
        return f"{text.rstrip()} {PERSON} {question}".strip()
    return _FACT.sub(lambda match: facts.get(match[1], UNKNOWN), template)
