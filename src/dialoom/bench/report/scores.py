"""Scores of runs on the same questions by hold-out, with published figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dialoom.bench.core.published import Published
from dialoom.bench.core.results import Comparison
from dialoom.bench.core.table import Row, columns, rows, scores_of
from dialoom.bench.report.reading import Run
from dialoom.render.curves import curves, on_scale
from dialoom.render.plots import Bar, Group, Series, bars


@dataclass(frozen=True, slots=True)
class Comparable:
    """Runs that asked the same questions, with published systems' figures on them.

    `compared` are the scores that have published figures; each of `tests` has the label of its run.
    """

    title: str
    runs: tuple[Run, ...]
    main: str
    others: tuple[str, ...]
    rows: tuple[Row, ...]
    chart: str
    published: tuple[Published, ...]
    compared: tuple[str, ...]
    tests: tuple[tuple[str, Comparison], ...]
    missing: tuple[str, ...]
    notes: tuple[str, ...]


def side_by_side(runs: Sequence[Run]) -> list[Comparable]:
    """Group runs by the questions they asked (their title), in the order given."""
    groups: dict[str, list[Run]] = {}
    for run in runs:
        groups.setdefault(run.result.title, []).append(run)
    return [_comparable(title, tuple(group)) for title, group in groups.items()]


def label(run: Run) -> str:
    """Return a run's label: its file's name and its model."""
    model = run.result.model
    return run.name if run.name == model else f"{run.name} ({model})"


def _comparable(title: str, runs: tuple[Run, ...]) -> Comparable:
    results = [run.result for run in runs]
    others: dict[str, Mapping[str, float]] = {}
    for result in results:
        others = {**columns(result), **others}
    table = tuple(rows(results, others))
    missing = dict.fromkeys(name for result in results for name in result.missing)
    published: list[Published] = []
    for result in results:
        published += [figure for figure in result.published if figure not in published]
    return Comparable(
        title=title,
        runs=runs,
        main=results[0].main,
        others=tuple(others),
        rows=table,
        chart=_chart(title, table, runs, tuple(others)),
        published=tuple(published),
        compared=tuple(scores_of(published, results[0].scores)),
        tests=tuple((run.name, test) for run in runs for test in run.result.against),
        missing=tuple(name for name in missing if name not in {row.label for row in table}),
        notes=tuple(dict.fromkeys(_notes(runs))),
    )


def _notes(runs: Sequence[Run]) -> Iterator[str]:
    for run in runs:
        if other := run.result.beside:
            yield (
                f"{other.system}: its own predictions ({other.source}), "
                "scored on the same questions."
            )
        yield from run.result.notes


def _chart(title: str, table: Sequence[Row], runs: Sequence[Run], others: Sequence[str]) -> str:
    main = runs[0].result.main
    series = [Series(label(run)) for run in runs] + [Series(name, True) for name in others]
    points = [row for row in table if not row.mean]
    names = [row.label for row in points]
    if on_scale(names):
        figures = zip(*(_figures(row, main) for row in points), strict=True)
        return curves(
            names, list(zip(series, figures, strict=True)), f"{main} by hold-out, {title}"
        )
    groups = [Group(row.label, tuple(_figures(row, main))) for row in table]
    return bars(groups, series, f"{main} of each hold-out, {title}")


def _figures(row: Row, main: str) -> list[Bar]:
    ours = [Bar(c[main].value, c[main].interval) if c else Bar(None) for c in row.cells]
    return [*ours, *map(Bar, row.others)]
