"""The counts of a corpus, which a notebook shows as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dialoom import formats
from dialoom.corpus import Corpus
from dialoom.quality.catalogue import published_format
from dialoom.quality.stats import Statistics
from dialoom.quality.stats.report import report
from dialoom.quality.stats.tables import table_1, tables
from dialoom.render.tables import ResultTable


@dataclass(frozen=True, repr=False)
class CorpusStatistics(Mapping[str, Any]):
    """The counts of a corpus.

    Attributes:
        name: The name of its folder.
        figures: Name of a count or analysis to its JSON value (docs/reference/statistics.md).
    """

    name: str
    figures: dict[str, Any]

    @classmethod
    def of(cls, corpus: Corpus) -> CorpusStatistics:
        """Count a corpus behind a progress bar.

        Raises:
            FormatError: A file cannot be read.
        """
        event_name = formats.get(corpus.format).event_name
        statistics = Statistics(event_name, corpus.schemas, published_format(corpus))
        result = statistics.add_all(corpus.tracked()).result()
        figures = {"format": corpus.format, "files": len(corpus.files), **result}
        return cls(corpus.path.resolve().name, figures)

    @property
    def tables(self) -> tuple[ResultTable, ...]:
        """The tables: the corpus as a column of table 1, then its analyses."""
        return (*table_1([(self.name, self.figures)]), *tables(self.figures))

    def page(self) -> str:
        """Return the figures as an HTML page with plots."""
        return report([(self.name, self.figures)])

    def __getitem__(self, name: str) -> Any:
        return self.figures[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.figures)

    def __len__(self) -> int:
        return len(self.figures)

    def __repr__(self) -> str:
        return f"<statistics of {self.name}: {self.figures['dialogues']:,} dialogues>"

    def _repr_html_(self) -> str:
        return "".join(table._repr_html_() for table in self.tables)
