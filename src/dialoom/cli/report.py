"""`dialoom report`: a page for people from the files that `dialoom bench` writes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dialoom.cli.command import Bounds
from dialoom.cli.output import write_out
from dialoom.errors import UsageError
from dialoom.render.progress import track

if TYPE_CHECKING:
    from dialoom.bench.report import Run


def report(
    runs: list[Path],
    corpus: Path | None = None,
    predictions: list[Path] | None = None,
    out: Path = Path("report.html"),
    errors: Annotated[int, Bounds(0, 1000)] = 3,
) -> None:
    """Write one self-contained HTML page: scores, confusions, sample errors, corpus statistics.

    For one run of `dialoom play`, or two on the same goals: scores, pass^k, and failures with the
    changes of the database.

    Example: dialoom report run.json --corpus corpora --out report.html

    Example: dialoom report played other --out agents.html

    Args:
        runs (RUN…): Files that bench --json wrote; or a folder of play, or two.
        corpus: Corpus of the runs: adds its statistics and sample errors.
        predictions: The predictions of each RUN, in the same order; RUN with .jsonl when absent.
        out: The page.
        errors: Sample errors for each hold-out, or class of failures.
    """
    from dialoom import formats
    from dialoom.bench import PROTOCOLS
    from dialoom.bench.report import page
    from dialoom.bench.report.reading import WITHOUT_LABELS, has_labels

    if runs[0].is_dir():
        _played(runs, out, errors, corpus or predictions)
        return
    records = _runs(runs, predictions or [])
    opened = None
    if corpus is not None:
        folder = PROTOCOLS.get(records[0].result.protocol).corpus
        opened = formats.load(formats.locate(corpus, folder))
    html = page(records, opened, errors=errors, track=track)
    write_out(html.encode(), out)
    for run in records:
        if not has_labels(run.result):
            typer.echo(f"dialoom: {run.name} {WITHOUT_LABELS}", err=True)
        elif run.lines is None:
            typer.echo(
                f"dialoom: no predictions of {run.name} in its folder; see --predictions", err=True
            )
    typer.echo(f"report on {len(records)} run{'s' if len(records) > 1 else ''} written to {out}")


def _played(paths: list[Path], out: Path, examples: int, others: object) -> None:
    from dialoom.play.results.report import page
    from dialoom.play.results.run import read_run

    if others:
        raise UsageError(
            "--corpus and --predictions are about runs of bench; leave them out", code="not-taken"
        )
    if len(paths) > 2:
        raise UsageError(f"{len(paths)} folders of play: a page is on one run or on two")
    write_out(page([read_run(path) for path in paths], examples).encode(), out)
    typer.echo(f"report on {len(paths)} run{'s' if len(paths) > 1 else ''} written to {out}")


def _runs(paths: list[Path], predictions: list[Path]) -> list[Run]:
    from dataclasses import replace

    from dialoom.bench.report import read_run
    from dialoom.render.tables import distinct

    if predictions and len(predictions) != len(paths):
        raise UsageError(
            f"--predictions is given {len(predictions)} times for {len(paths)} runs; "
            "give it once for each, or not at all",
            code="mismatch",
        )
    files: list[Path | None] = [*predictions] or [None] * len(paths)
    runs = [read_run(path, file) for path, file in zip(paths, files, strict=True)]
    names = distinct([run.name for run in runs], [path.with_suffix("") for path in paths])
    return [replace(run, name=name) for run, name in zip(runs, names, strict=True)]
