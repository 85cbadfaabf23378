"""Scores side by side: runs of one protocol, hold-out by hold-out, and what was published."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dialoom.bench.against import Comparison
from dialoom.bench.published import Published
from dialoom.bench.report.reading import Run
from dialoom.bench.results import Bounds
from dialoom.bench.stages import HAPPY
from dialoom.bench.table import columns
from dialoom.render.plots import Bar, Group, Series, bars

Figures = Mapping[str, Mapping[str, float]]
"""Other system to hold-out to F1."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A run's score on one hold-out."""

    f1: float
    interval: Bounds
    accuracy: float


@dataclass(frozen=True, slots=True)
class Row:
    """One hold-out, or a mean of several.

    Attributes:
        label: Which.
        n: Questions asked.
        cells: A cell for each run; None where it was not run.
        others: The F1 of each other system; None where there is no figure.
        mean: Whether it is a mean.
        leak: Whether a run was trained on tasks that are tested here.
    """

    label: str
    n: int
    cells: tuple[Cell | None, ...]
    others: tuple[float | None, ...]
    mean: bool = False
    leak: bool = False


@dataclass(frozen=True, slots=True)
class Comparable:
    """Runs that asked the same questions, with what stands beside them.

    Attributes:
        title: The protocol, and the flags and the stages asked about where they are not its own.
        runs: The runs.
        others: The names of the other systems.
        rows: The table, means last.
        chart: The plot.
        published: Published figures.
        tests: Name of a run to its paired tests.
        missing: Hold-outs the protocol names and no run had.
        notes: Where other systems' figures come from.
    """

    title: str
    runs: tuple[Run, ...]
    others: tuple[str, ...]
    rows: tuple[Row, ...]
    chart: str
    published: tuple[Published, ...]
    tests: tuple[tuple[str, Comparison], ...]
    missing: tuple[str, ...]
    notes: tuple[str, ...]


def side_by_side(runs: Sequence[Run]) -> list[Comparable]:
    """Return the runs by protocol, flags and stages asked about, in the order they were named."""
    groups: dict[str, list[Run]] = {}
    for run in runs:
        groups.setdefault(_title(run), []).append(run)
    return [_comparable(title, tuple(group)) for title, group in groups.items()]


def label(run: Run) -> str:
    """Return what a run is called beside others: its file's name and its model."""
    model = run.result.model
    return run.name if run.name == model else f"{run.name} ({model})"


def _title(run: Run) -> str:
    result = run.result
    own = result.form != "published" or result.protocol == "star-next-action"
    title = result.protocol if own else f"{result.protocol}, published flags"
    asked = result.stages.get("test", HAPPY)
    return title if asked == HAPPY else f"{title}, test {asked}"


def _comparable(title: str, runs: tuple[Run, ...]) -> Comparable:
    figures: dict[str, Mapping[str, float]] = {}
    for run in runs:
        for system, found in columns(run.result).items():
            figures.setdefault(system, found)
    names = list(dict.fromkeys(h.name for run in runs for h in run.result.holdouts))
    rows = tuple(_rows(names, runs, figures))
    missing = dict.fromkeys(name for run in runs for name in run.result.missing)
    return Comparable(
        title=title,
        runs=runs,
        others=tuple(figures),
        rows=rows,
        chart=_chart(title, rows, runs, tuple(figures)),
        published=tuple(_published(runs)),
        tests=tuple((run.name, test) for run in runs for test in run.result.against),
        missing=tuple(name for name in missing if name not in names),
        notes=tuple(dict.fromkeys(_notes(runs))),
    )


def _published(runs: Sequence[Run]) -> Iterator[Published]:
    seen = []
    for run in runs:
        for figure in run.result.published:
            if figure not in seen:
                seen.append(figure)
                yield figure


def _notes(runs: Sequence[Run]) -> Iterator[str]:
    for run in runs:
        if beside := run.result.beside:
            yield (
                f"{beside['system']}: its own predictions ({beside['source']}), "
                "scored on the same questions."
            )


def _rows(names: Sequence[str], runs: Sequence[Run], figures: Figures) -> Iterator[Row]:
    found = [{holdout.name: holdout for holdout in run.result.holdouts} for run in runs]
    for name in names:
        scores = [holdouts.get(name) for holdouts in found]
        yield Row(
            label=name,
            n=max(score.n for score in scores if score),
            cells=tuple(Cell(s.f1, s.interval, s.accuracy) if s else None for s in scores),
            others=tuple(figure.get(name) for figure in figures.values()),
            leak=any(score.leak > 0 for score in scores if score),
        )
    # a mean stands beside another only where both are of the same hold-outs
    whole = all(len(holdouts) == len(names) for holdouts in found)
    others = tuple(_mean(figure, names) for figure in figures.values())
    yield Row(
        "mean",
        _total(runs),
        tuple(map(_mean_cell, runs)),
        others if whole else (None,) * len(others),
        mean=True,
    )
    if any(run.result.without_leak for run in runs):
        yield _without_leak(names, runs, figures)


def _without_leak(names: Sequence[str], runs: Sequence[Run], figures: Figures) -> Row:
    left_out = {
        name for run in runs for name in (run.result.without_leak or {}).get("left_out", ())
    }
    kept = [name for name in names if name not in left_out]
    return Row(
        label=f"mean without {', '.join(sorted(left_out))}",
        n=sum(h.n for h in runs[0].result.holdouts if h.name in kept),
        cells=tuple(map(_clean_cell, runs)),
        others=tuple(_mean(figure, kept) for figure in figures.values()),
        mean=True,
    )


def _mean_cell(run: Run) -> Cell:
    score = run.result.score
    return Cell(score["f1"], run.result.interval, score["accuracy"])


def _clean_cell(run: Run) -> Cell | None:
    clean = run.result.without_leak
    if clean is None:
        return None
    low, high = clean["interval"]
    return Cell(clean["f1"], (low, high), clean["accuracy"])


def _total(runs: Sequence[Run]) -> int:
    return max(sum(holdout.n for holdout in run.result.holdouts) for run in runs)


def _mean(figures: Mapping[str, float], names: Sequence[str]) -> float | None:
    found = [figures[name] for name in names if name in figures]
    return sum(found) / len(found) if found and len(found) == len(names) else None


def _chart(title: str, rows: Sequence[Row], runs: Sequence[Run], others: Sequence[str]) -> str:
    series = [Series(label(run)) for run in runs] + [Series(name, True) for name in others]
    groups = [
        Group(
            row.label,
            (
                *(Bar(cell.f1, cell.interval) if cell else Bar(None) for cell in row.cells),
                *map(Bar, row.others),
            ),
        )
        for row in rows
    ]
    return bars(groups, series, f"Weighted F1 of each hold-out, {title}")
