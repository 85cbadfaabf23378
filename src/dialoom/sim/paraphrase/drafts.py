"""Chooses the best of several drafts of a line, all of which keep its values.

    DraftFilter("en").best("A table for two.", ["a table  for two", "For two, please."], said)   # 1

Drafts are compared by their form (articles by sound, doubled words and spaces, marks and capitals),
by repetition of words of the dialogue, by their length, and by their likeness to a corpus, if a
measure of it is given; of equal ones, a changed one is best.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from dialoom.schema.lexicon import lexicon
from dialoom.sim.core.grammar import ARTICLES, wrong_articles
from dialoom.sim.paraphrase.keeping import folded

Likeness = Callable[[str], float]
"""Distance of a text from the texts of a corpus: bits a word."""

SHORTEST, LONGEST = 0.4, 2.5
"""Limits of a draft's length, as parts of the line's: beyond them something was lost or added."""

_DOUBLED = re.compile(r"\b(\w+) \1\b", re.IGNORECASE)
_ODD = re.compile(r"  | [,.?!]|[{}\[\]<>*_]|\w[!?.]\w{3}")


class DraftFilter:
    """Chooses among drafts; `UnknownNameError` without a lexicon of the language.

    `likeness` scores how unlike a corpus a text is, if given.
    """

    def __init__(self, language: str, likeness: Likeness | None = None) -> None:
        self._articles = set(lexicon(language).articles) >= ARTICLES
        self._likeness = likeness

    def best(self, line: str, drafts: Sequence[str], said: Collection[str]) -> int:
        """Return the index of the best draft, the first of equal ones.

        `line` is the original text; `said` are the dialogue's other texts, folded.
        """
        return min(range(len(drafts)), key=lambda place: self._rank(line, drafts[place], said))

    def _rank(self, line: str, draft: str, said: Collection[str]) -> tuple[float, ...]:
        short = not SHORTEST <= len(draft) / max(len(line), 1) <= LONGEST
        unlike = self._likeness(draft) if self._likeness is not None else 0.0
        faults = self.faults(draft) - self.faults(line) + _unlike_form(line, draft)
        return max(faults, 0), folded(draft) in said, short, draft == line, unlike

    def faults(self, text: str) -> int:
        """Return how many faults of form a text has."""
        wrong = wrong_articles(text) if self._articles else 0
        return wrong + len(_DOUBLED.findall(text)) + len(_ODD.findall(text))


def _unlike_form(line: str, draft: str) -> int:
    """Return how many of capital and final mark differ between a draft and its line."""
    capital = line[:1].isupper() and draft[:1].islower()
    return capital + (line[-1:] in ".?!" and draft[-1:].isalnum())
