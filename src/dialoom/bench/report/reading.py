"""Reads the files that `dialoom bench` writes: a run's result and its predictions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from dialoom.bench import PROTOCOLS
from dialoom.bench.core.predictions import PredictionLine, read_predictions
from dialoom.bench.core.results import Result
from dialoom.corpus import Corpus
from dialoom.corpus.files import parse_json, read_bytes
from dialoom.dialogue import NextAction
from dialoom.errors import FormatError, UsageError

WITHOUT_LABELS = "has answers other than labels of actions, the only ones that errors are shown of"
"""The notice about a run whose predictions a report does not read."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run of a protocol with a model, its file's stem, and its predictions, if any."""

    name: str
    result: Result
    lines: Sequence[PredictionLine] | None = None


def read_run(path: Path, predictions: Path | None = None) -> Run:
    """Read `run.json` and its predictions, by default `run.jsonl`; `FormatError` for others."""
    result = read_result(path)
    sibling = path.with_suffix(".jsonl")
    if not has_labels(result):
        if predictions is not None:
            raise UsageError(f"--predictions: {path} {WITHOUT_LABELS}", code="not-taken")
        return Run(path.stem, result)
    predictions = predictions or (sibling if sibling.is_file() else None)
    if predictions is None:
        return Run(path.stem, result)
    lines = read_predictions(predictions)
    _check_lines(predictions, lines, result)
    return Run(path.stem, result, lines)


def read_result(path: Path) -> Result:
    """Read a run file; `FormatError` if `dialoom bench --json` did not write it."""
    value = parse_json(read_bytes(path), path)
    try:
        return msgspec.convert(value, Result)
    except msgspec.ValidationError as error:
        what = f"not a run file, which dialoom bench --json writes: {error}"
        raise FormatError(path, what) from error


def check_corpus(runs: Sequence[Run], corpus: Corpus) -> None:
    """Check that the runs were made on a corpus; `UsageError` for other digests."""
    for run in runs:
        digest = run.result.digests.get("corpus")
        if digest != corpus.digest:
            raise UsageError(
                f"{run.name} was run on a corpus of digest {digest}, but {corpus.path} has "
                f"{corpus.digest}; name that corpus, or leave out --corpus",
                code="mismatch",
            )


def has_labels(result: Result) -> bool:
    """True if a run's answers are labels, of which the report shows confusions and errors.

    Ids of candidates differ from question to question, so that they cannot be counted.
    """
    is_known = result.protocol in PROTOCOLS
    return not is_known or PROTOCOLS.get(result.protocol).kind is NextAction


def _check_lines(path: Path, lines: Sequence[PredictionLine], result: Result) -> None:
    tallies = Counter(line.holdout for line in lines)
    counts = {holdout.name: holdout.n for holdout in result.holdouts}
    for name in sorted({*tallies, *counts}):
        if tallies[name] != counts.get(name, 0):
            raise FormatError(
                path,
                f"predictions of another run: {tallies[name]} lines of hold-out {name}, "
                f"where the run asked {counts.get(name, 0)}",
                code="mismatch",
            )
