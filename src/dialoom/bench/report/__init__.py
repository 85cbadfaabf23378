"""Reports on runs: one self-contained HTML page, from the files that `dialoom bench` writes."""

from dialoom.bench.report.page import page
from dialoom.bench.report.reading import Run, check_corpus, read_run

__all__ = ["Run", "check_corpus", "page", "read_run"]
