"""Lint: findings in the dialogues of a corpus, with a stable code for each kind.

docs/reference/codes.md lists the codes. A `Rule` is a code with its words (schema/codes.txt); a
`Check` is a function over one dialogue (`LintContext`) for one rule or several. A family of rules
is a module whose functions are registered by the decorator of `rule`.
"""

from __future__ import annotations

from collections.abc import Iterator

from dialoom.corpus import Corpus
from dialoom.quality.lint.context import LintContext
from dialoom.quality.lint.linter import RULES, Linter
from dialoom.quality.lint.rule import Check, Finding
from dialoom.schema.findings import Rule


def lint(corpus: Corpus) -> Iterator[Finding]:
    """Yield a corpus's findings by dialogue; `FormatError` for an unreadable file."""
    return linter_for(corpus).check_all(corpus)


def linter_for(corpus: Corpus) -> Linter:
    """Return a linter for a corpus, with its schemas and the traits of its format."""
    from dialoom import formats

    traits = formats.traits(corpus.format)
    return Linter(corpus.schemas, seed_of(corpus), traits, traits.companions(corpus.path))


def seed_of(corpus: Corpus) -> int | None:
    """Return the seed in the manifest of a simulated corpus; None for any other corpus."""
    from dialoom.corpus.shards import MANIFEST
    from dialoom.formats.native import FORMAT

    if corpus.format != FORMAT.name or not (corpus.root / MANIFEST).is_file():
        return None
    simulated = FORMAT.manifest(corpus.root).extra.get("simulated")
    seed = simulated.get("seed") if isinstance(simulated, dict) else None
    return seed if isinstance(seed, int) else None


__all__ = [
    "RULES",
    "Check",
    "Finding",
    "LintContext",
    "Linter",
    "Rule",
    "lint",
    "linter_for",
    "seed_of",
]
