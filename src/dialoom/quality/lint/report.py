"""The findings of a corpus together, as a list, a table and a line of counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from dialoom.corpus import Corpus
from dialoom.quality.lint import linter_for
from dialoom.quality.lint.linter import RULES, Linter
from dialoom.quality.lint.rule import Finding
from dialoom.render.page import paragraph
from dialoom.render.tables import ResultTable, Row, counted
from dialoom.schema.findings import Rule


@dataclass(frozen=True, repr=False)
class LintReport:
    """The findings in a corpus.

    Attributes:
        findings: The findings, dialogue by dialogue.
        linter: The linter that found them; it has the counts.
    """

    findings: tuple[Finding, ...]
    linter: Linter

    @classmethod
    def of(cls, corpus: Corpus) -> LintReport:
        """Lint a corpus behind a progress bar.

        Raises:
            FormatError: A file cannot be read.
        """
        linter = linter_for(corpus)
        return cls(tuple(linter.check_all(corpus)), linter)

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that are errors."""
        return self.of_severity("error")

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """The findings that are warnings."""
        return self.of_severity("warning")

    def of_severity(self, severity: str) -> tuple[Finding, ...]:
        """Return the findings of one severity: error, warning or information."""
        return tuple(each for each in self.findings if each.severity == severity)

    @property
    def counts(self) -> Counter[str]:
        """Code to the number of findings."""
        return self.linter.counts

    @property
    def table(self) -> ResultTable:
        """The table of codes, those of errors first."""
        return codes(self.linter)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def __repr__(self) -> str:
        return f"<lint of {overview(self.linter)}>"

    def _repr_html_(self) -> str:
        return self.table._repr_html_() + paragraph(overview(self.linter))


def found_rules(linter: Linter) -> list[Rule]:
    """Return the rules that a linter has findings of, those of errors first."""
    return sorted((rule for rule in RULES if linter.counts[rule.code]), key=lambda rule: rule.rank)


def codes(linter: Linter) -> ResultTable:
    """Return a table with a row for each code that has findings."""
    rows: list[Row] = [[r.code, linter.counts[r.code], r.title] for r in found_rules(linter)]
    return ResultTable("", ("code", "findings", "what"), rows)


def overview(linter: Linter) -> str:
    """Return the counts as a line: "12 dialogues, 210 events: 1 error, 3 warnings, …"."""
    sizes = f"{counted(linter.dialogues, 'dialogue')}, {counted(linter.events, 'event')}"
    wrong = f"{counted(linter.errors, 'error')}, {counted(linter.total('warning'), 'warning')}"
    return f"{sizes}: {wrong}, {linter.total('information'):,} information"
