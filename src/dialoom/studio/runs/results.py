"""A result of `dialoom bench`: its tables, labels, confusions and wrong answers."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from pathlib import Path

import msgspec

from dialoom.bench.core.table import comparisons, figures, notes, overview, slices
from dialoom.bench.report.figures import Confusion, label_scores
from dialoom.bench.report.reading import Run, read_run
from dialoom.render.tables import ResultTable
from dialoom.studio.folder import StudioFolder
from dialoom.studio.routes import reads
from dialoom.studio.runs.played import ShownTable
from dialoom.studio.runs.recognising import place_of

MOST_CONFUSIONS, PAGE = 200, 100
"""Most pairs of labels that are listed, and most wrong answers of a page."""


class ResultOf(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A result, and the wrong answers that are wanted; what is empty does not restrict them."""

    path: str
    holdout: str = ""
    gold: str = ""
    predicted: str = ""
    first: int = 0


class WrongAnswer(msgspec.Struct, frozen=True):
    """A wrong answer about an event of a dialogue."""

    holdout: str
    dialogue: str
    event: int
    gold: str
    predicted: str


class WrongAnswers(msgspec.Struct, frozen=True):
    """The number of wrong answers that are wanted, and those of a page."""

    total: int
    rows: list[WrongAnswer]


class ShownResult(msgspec.Struct, frozen=True):
    """A result: its tables, its notices, and its confusions, if it has predictions of labels.

    Attributes:
        corpus: The last name of the path of its corpus.
        asked: The number of answered questions.
        predictions: Whether its predictions are next to it.
    """

    title: str
    model: str
    corpus: str
    asked: int
    notices: list[str]
    tables: list[ShownTable]
    confusions: list[Confusion]
    holdouts: list[str]
    predictions: bool


def _run(folder: StudioFolder, name: str) -> Run:
    path = place_of(folder, name, "result")
    lines = path.with_suffix(".jsonl")
    changed = [each.stat().st_mtime_ns if each.is_file() else 0 for each in (path, lines)]
    return _read(path, *changed)


@lru_cache(maxsize=4)
def _read(path: Path, changed: int, predicted: int) -> Run:
    return read_run(path)


def result(folder: StudioFolder, request: ResultOf) -> ShownResult:
    """Return a result."""
    run = _run(folder, request.path)
    scores = run.result
    wrong = Counter((e.gold, e.predicted) for e in run.lines or () if e.gold != e.predicted)
    several = (overview(scores), comparisons(scores), figures(scores), slices(scores), _labels(run))
    return ShownResult(
        title=scores.title,
        model=scores.model,
        corpus=Path(scores.corpus).name,
        asked=sum(holdout.n for holdout in scores.holdouts),
        notices=[*scores.notices, *notes(scores)],
        tables=[ShownTable.of(table) for table in several if table],
        confusions=[Confusion(*pair, n) for pair, n in wrong.most_common(MOST_CONFUSIONS)],
        holdouts=[holdout.name for holdout in scores.holdouts],
        predictions=run.lines is not None,
    )


def _labels(run: Run) -> ResultTable | None:
    if not run.lines:
        return None
    rows = [
        [each.label, each.gold, each.precision, each.recall, each.f1]
        for each in label_scores(run.lines)
    ]
    header = ("label", "right answers", "precision", "recall", "F1")
    return ResultTable("Labels, over all hold-outs", header, rows)


def wrong(folder: StudioFolder, request: ResultOf) -> WrongAnswers:
    """Return the wrong answers of a result that are wanted."""
    answers = [
        WrongAnswer(line.holdout, str(line.dialogue), line.event, line.gold, line.predicted)
        for line in _run(folder, request.path).lines or ()
        if line.gold != line.predicted
        and request.holdout in ("", line.holdout)
        and request.gold in ("", line.gold)
        and request.predicted in ("", line.predicted)
    ]
    first = max(0, request.first)
    return WrongAnswers(len(answers), answers[first : first + PAGE])


ROUTES = [
    reads("/api/runs/result", ResultOf, result),
    reads("/api/runs/wrong", ResultOf, wrong),
]
