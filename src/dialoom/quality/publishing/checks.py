"""Checks of what is published, in one pass: lint, annotators' agreement, and where it is from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

from dialoom import formats
from dialoom.corpus import Corpus
from dialoom.dialogue import Dialogue
from dialoom.quality.agreement import Ratings, compare
from dialoom.quality.card import PERSON
from dialoom.quality.catalogue.recognition import SourceCounts
from dialoom.quality.lint import RULES, linter_for
from dialoom.render.tables import counted

SAMPLES = 200
"""Bootstrap resamples of an interval; `dialoom agreement` draws 1,000."""


class Checks:
    """Checks dialogues: findings of lint, annotators' decisions, and public sources."""

    TWIN = "E506"
    """The code of a dialogue that another part has."""

    PERSONAL = ("W605", "W606", "I601")
    """The codes of what looks like personal data."""

    def __init__(self, corpus: Corpus) -> None:
        self.linter = linter_for(corpus)
        self.ratings = Ratings(formats.get(corpus.format).traits)
        self.sources = SourceCounts()

    def add_all(self, dialogues: Iterable[Dialogue]) -> Self:
        """Check dialogues; return itself."""
        for dialogue in dialogues:
            for _ in self.linter.check(dialogue):
                pass
            self.ratings.add_all((dialogue,))
            self.sources.add(dialogue)
        return self

    def facts(self) -> dict[str, str]:
        """Return the facts for the card."""
        texts = {"linted": self._linted(), "personal": self._personal()}
        if self.ratings.counts:
            kinds = compare(self.ratings, samples=SAMPLES)["kinds"]
            coefficients = "; ".join(f"{kind} {_agreed(each)}" for kind, each in kinds.items())
            texts["agreement"] = f"Agreement of annotators: {coefficients}."
        return texts

    def _linted(self) -> str:
        counts = self.linter.counts
        entries = [
            f"{rule.code} {rule.title} ({counts[rule.code]:,})"
            for rule in sorted(RULES, key=lambda rule: rule.rank)
            if counts[rule.code]
        ]
        errors, warnings = self.linter.errors, self.linter.total("warning")
        total = f"{counted(errors, 'error')}, {counted(warnings, 'warning')}"
        twins = counts[self.TWIN]
        leaks = f"{counted(twins, 'dialogue')} with the words of a dialogue in another split"
        return f"`dialoom lint` finds {total}; {leaks}. " + (
            f"By code: {', '.join(entries)}." if entries else ""
        )

    def _personal(self) -> str:
        counts = self.linter.counts
        entries = [
            f"{rule.title} ({counts[rule.code]:,})" for rule in RULES if rule.code in self.PERSONAL
        ]
        text = ", ".join(entries)
        return f"Looked for by patterns: {text}. {PERSON} What did a reader of them find?"


def _agreed(kind: dict[str, Any]) -> str:
    scores = ((name, score) for name, score in kind["all"].items() if score)
    figures = (f"{name} {each['value']:.3f}{_interval(each)}" for name, each in scores)
    return f"{', '.join(figures)}, of {counted(kind['dialogues'], 'dialogue')}"


def _interval(score: dict[str, Any]) -> str:
    """Return the interval of a score; empty where a single dialogue has none."""
    return "" if score["low"] is None else f" ({score['low']:.3f} to {score['high']:.3f})"
