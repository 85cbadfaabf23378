"""The HTML page of a report: what was run, the scores and the errors.

The page has no script and loads nothing (its content security policy forbids both). It has no date,
and no paths but those in the run files, so the same runs give the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING

from dialoom.bench.core.predictions import PredictionLine
from dialoom.bench.core.table import figure
from dialoom.bench.report.corpus import Error, Track, survey
from dialoom.bench.report.figures import (
    HoldOutErrors,
    LabelScore,
    errors_by_holdout,
    label_scores,
    samples,
)
from dialoom.bench.report.reading import Run, check_corpus, has_labels
from dialoom.bench.report.scores import label, side_by_side
from dialoom.corpus import Corpus
from dialoom.errors import UsageError
from dialoom.render.page import breakable, style
from dialoom.render.plots import share
from dialoom.render.transcript import clean
from dialoom.schema.flowchart import draw
from dialoom.schema.task import TaskSchema

if TYPE_CHECKING:
    from jinja2 import Environment

TIP = "flow-tip"
"""The id of the arrow head in a flow chart; a page with several charts gives each its own."""

CONFUSIONS = 5
"""Confusions listed for a hold-out, at most."""

LABELS = 25
"""Rows of the table of labels; the others are in a part that the reader unfolds."""


@dataclass(frozen=True, slots=True)
class Detail:
    """The figures from the predictions of one run; without a corpus, `errors` is empty."""

    run: Run
    holdouts: list[HoldOutErrors]
    labels: list[LabelScore]
    errors: dict[str, list[Error]]

    @property
    def wrong(self) -> dict[str, int]:
        """Hold-out to how many of its questions were answered wrongly."""
        return {holdout.name: holdout.errors for holdout in self.holdouts}


def page(
    runs: Sequence[Run],
    corpus: Corpus | None = None,
    *,
    errors: int = 3,
    track: Track | None = None,
) -> str:
    """Return the report on runs as HTML, with up to `errors` sample errors a hold-out.

    Without `corpus`, it has no statistics and errors. `UsageError` without runs of one corpus.
    """
    if not runs:
        raise UsageError("a report needs at least one run", code="too-few")
    environment = _environment()
    picks = [samples(run.lines or (), errors) for run in runs]
    overview = None
    if corpus is not None:
        check_corpus(runs, corpus)
        ids = {str(line.dialogue) for lines in picks for line in lines}
        overview = survey(corpus, ids, track)
    details = [
        Detail(
            run,
            errors_by_holdout(run.lines, CONFUSIONS),
            label_scores(run.lines),
            overview.errors(lines) if overview else {},
        )
        for run, lines in zip(runs, picks, strict=True)
        if run.lines is not None
    ]
    answers = (line for run in runs for line in run.lines or ())
    return environment.get_template("page.html.j2").render(
        style=style(),
        runs=runs,
        comparables=side_by_side(runs),
        survey=overview,
        details=details,
        charts=_charts(answers, overview.corpus.schemas) if overview else {},
        without_predictions=[
            run.name for run in runs if run.lines is None and has_labels(run.result)
        ],
        shown_labels=LABELS,
    )


def _charts(lines: Iterable[PredictionLine], schemas: Mapping[str, TaskSchema]) -> dict[str, str]:
    names = dict.fromkeys(line.task for line in lines)
    tasks = [name for name in names if name in schemas and schemas[name].flow.complete]
    return {
        name: draw(schemas[name]).replace(TIP, f"{TIP}-{number}")
        for number, name in enumerate(tasks)
    }


def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        autoescape=True,
        loader=FunctionLoader(_file),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=lambda value: clean(value) if type(value) is str else value,
    )

    environment.filters.update(
        breakable=lambda name: Markup(breakable(name)),
        figure=lambda value: "–" if value is None else f"{value:.2f}",
        count=lambda value: f"{value:,}",
        plain=lambda value: json.dumps(value, ensure_ascii=False, sort_keys=True),
        share=share,
        label=label,
        published=figure,
    )
    return environment


def _file(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
