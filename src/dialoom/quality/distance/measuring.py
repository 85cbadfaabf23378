"""All distances and measures of wording of two corpora, with their signature."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from dialoom.corpus import Corpus
from dialoom.dialogue import Dialogue
from dialoom.metrics.base import Signature
from dialoom.quality.distance import fluency
from dialoom.quality.distance.comparing import SETTINGS, compare, compare_wording
from dialoom.quality.distance.counting import CorpusProfile, common_tasks
from dialoom.quality.distance.report import report, tables
from dialoom.quality.stats.analysis import Result
from dialoom.render.page import paragraph
from dialoom.render.tables import ResultTable


@dataclass(frozen=True, repr=False)
class DistanceReport:
    """How far simulated dialogues are from real ones.

    Attributes:
        names: The names of both corpora's folders.
        figures: The results of `compare`, `fluency.compare` and `compare_wording`, as JSON values.
        signature: The settings and the digests that reproduce it.
    """

    names: tuple[str, str]
    figures: Result
    signature: str

    @property
    def tables(self) -> tuple[ResultTable, ...]:
        """The tables that have a row."""
        return tuple(tables(self.figures))

    def page(self) -> str:
        """Return the figures as an HTML page with plots."""
        return report(self.names, self.figures, self.signature)

    def __repr__(self) -> str:
        return f"<distance of {self.names[0]} from {self.names[1]}>"

    def _repr_html_(self) -> str:
        return "".join(t._repr_html_() for t in self.tables) + paragraph(self.signature)


def measure(simulated: Corpus, real: Corpus, *, all_tasks: bool = False) -> DistanceReport:
    """Measure the distances of two corpora behind progress bars.

    Args:
        simulated: The corpus of simulated dialogues; any corpus can take either place.
        real: The corpus of real ones.
        all_tasks: Whether dialogues about tasks that only one corpus has count, too.
    """
    corpora = simulated, real
    shared = common_tasks(*(corpus.schemas for corpus in corpora))
    only = frozenset[str]() if all_tasks else shared
    profiles = [CorpusProfile(corpus.schemas, only) for corpus in corpora]

    def read(corpus: Corpus, profile: CorpusProfile) -> Iterator[Dialogue]:
        return filter(profile.covers, corpus.tracked())

    pairs = list(zip(corpora, profiles, strict=True))
    results = compare(*(profile.add_all(corpus.tracked()) for corpus, profile in pairs))
    one, other = (partial(read, *pair) for pair in pairs)
    results["fluency"] = fluency.compare(one, other)
    languages = {
        task.language
        for corpus in corpora
        for key, task in corpus.schemas.items()
        if key in only or not only
    } or {"en"}
    results |= compare_wording(one, other, languages.pop() if len(languages) == 1 else None)
    extras = {
        f"{side}.{what}": getattr(corpus, what)
        for side, corpus in zip(("simulated", "real"), corpora, strict=True)
        for what in ("format", "digest")
    }
    if only:
        extras["tasks"] = f"{len(only)} in both"
    signature = str(Signature({**SETTINGS, **fluency.SETTINGS}).extended(extras))
    names = simulated.path.resolve().name, real.path.resolve().name
    return DistanceReport(names, results, signature)
