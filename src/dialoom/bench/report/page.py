"""The page: what was run, how it scored, and where it went wrong, in one file of HTML.

No script, nothing loaded from elsewhere (a content policy in the page forbids it), no clock and no
path of this machine beyond those the run files name: the same runs give the same bytes.
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
from dialoom.errors import MissingExtraError, UsageError
from dialoom.render.page import breakable, style
from dialoom.render.plots import share
from dialoom.render.transcript import clean
from dialoom.schema.flowchart import draw
from dialoom.schema.task import TaskSchema

if TYPE_CHECKING:
    from jinja2 import Environment

TIP = "flow-tip"
"""The id of the arrow head in a chart: to be made different in each chart of one page."""

CONFUSIONS = 5
"""Confusions listed for a hold-out."""

LABELS = 25
"""Labels shown before the rest is folded away."""


@dataclass(frozen=True, slots=True)
class Detail:
    """What the predictions of one run show.

    Attributes:
        run: The run.
        holdouts: Its confusions.
        labels: The score of every label.
        errors: Hold-out to sample errors; empty without the corpus.
    """

    run: Run
    holdouts: list[HoldOutErrors]
    labels: list[LabelScore]
    errors: dict[str, list[Error]]

    @property
    def wrong(self) -> dict[str, int]:
        """How many questions of each hold-out were answered wrongly."""
        return {holdout.name: holdout.errors for holdout in self.holdouts}


def page(
    runs: Sequence[Run],
    corpus: Corpus | None = None,
    *,
    errors: int = 3,
    track: Track | None = None,
) -> str:
    """Return the report on some runs as HTML.

    Args:
        runs: What to report, in this order.
        corpus: The corpus they were run on; without it, the page has no statistics of it and no
            sample errors.
        errors: Sample errors for each hold-out.
        track: Shows progress while the corpus is read.

    Raises:
        UsageError: No run, or one that was made on another corpus.
        MissingExtraError: jinja2 is not installed.
    """
    if not runs:
        raise UsageError("a report needs at least one run")
    environment = _environment()
    chosen = [samples(run.lines or (), errors) for run in runs]
    found = None
    if corpus is not None:
        check_corpus(runs, corpus)
        wanted = {str(line.dialogue) for lines in chosen for line in lines}
        found = survey(corpus, wanted, track)
    details = [
        Detail(
            run,
            errors_by_holdout(run.lines, CONFUSIONS),
            label_scores(run.lines),
            found.errors(lines) if found else {},
        )
        for run, lines in zip(runs, chosen, strict=True)
        if run.lines is not None
    ]
    asked = (line for run in runs for line in run.lines or ())
    return environment.get_template("page.html.j2").render(
        style=style(),
        runs=runs,
        comparables=side_by_side(runs),
        survey=found,
        details=details,
        charts=_charts(asked, found.corpus.schemas) if found else {},
        without_predictions=[
            run.name for run in runs if run.lines is None and has_labels(run.result)
        ],
        shown_labels=LABELS,
    )


def _charts(asked: Iterable[PredictionLine], schemas: Mapping[str, TaskSchema]) -> dict[str, str]:
    """Return task to chart (SVG) for each task asked about that has a flow of its own."""
    names = dict.fromkeys(line.task for line in asked)
    drawn = [name for name in names if name in schemas and schemas[name].flow.complete]
    return {
        name: draw(schemas[name]).replace(TIP, f"{TIP}-{number}")
        for number, name in enumerate(drawn)
    }


def _environment() -> Environment:
    try:
        from jinja2 import Environment, FunctionLoader, StrictUndefined
        from markupsafe import Markup
    except ModuleNotFoundError as missing:
        raise MissingExtraError("the report", "models") from missing
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
