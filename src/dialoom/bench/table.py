"""A run's result as tables: hold-outs and their mean, paired tests, published figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from dialoom.bench.published import Published
from dialoom.bench.results import Bounds, HoldOutScore, Result
from dialoom.render.tables import Cell, to_rich

if TYPE_CHECKING:
    from rich.table import Table


def spell(bounds: Bounds) -> str:
    """Return an interval as text."""
    return f"{bounds[0]:.2f} to {bounds[1]:.2f}"


def columns(result: Result) -> dict[str, Mapping[str, float]]:
    """Return the other systems' F1 by hold-out: their own predictions', else as published.

    Published figures that go by other flags than the run are of other questions; they are left to
    the table of figures.
    """
    if result.beside is not None:
        return {str(result.beside["system"]): result.beside["f1"]}
    happy = "published" if "|happy:sam|" not in result.signature else "sam"
    return {
        figure.system: figure.holdouts
        for figure in result.published
        if figure.holdouts and figure.happy == happy
    }


def overview(result: Result) -> Table:
    """Return the table of hold-outs, with means at its end."""
    others = columns(result)
    header = ["hold-out", "n", "F1", "95 %", "accuracy", *others]
    rows = [
        _row(row.name, [row], row.f1, row.interval, row.accuracy, others) for row in result.holdouts
    ]
    score = result.score
    rows.append(
        _row("mean", result.holdouts, score["f1"], result.interval, score["accuracy"], others)
    )
    if clean := result.without_leak:
        kept = [row for row in result.holdouts if row.name not in clean["left_out"]]
        name = f"mean without {', '.join(clean['left_out'])}"
        rows.append(_row(name, kept, clean["f1"], clean["interval"], clean["accuracy"], others))
    title = f"{result.protocol}, {result.model}, form {result.form}"
    title += "".join(f", {part} {named}" for part, named in result.stages.items())
    return to_rich(header, rows, title=title)


def _row(
    name: str,
    scores: Sequence[HoldOutScore],
    f1: float,
    bounds: Bounds,
    accuracy: float,
    others: Mapping[str, Mapping[str, float]],
) -> list[Cell]:
    """Return the row of one hold-out, or of the mean of several."""
    names = [score.name for score in scores]
    beside = [_mean(figures, names) for figures in others.values()]
    return [name, sum(score.n for score in scores), f1, spell(bounds), accuracy, *beside]


def comparisons(result: Result) -> Table | None:
    """Return the table of paired tests, if there were any."""
    if not result.against:
        return None
    header = ["against", "rows", "n", "ours", "theirs", "difference", "95 %", "p"]
    rows: list[list[Cell]] = []
    for c in result.against:
        difference = [f"{c.difference:+.2f}", spell(c.interval), f"{c.p:.4f}"]
        rows.append([c.system, c.rows, c.n, c.ours, c.theirs, *difference])
    return to_rich(header, rows, title="paired difference of the mean F1, over dialogues")


def figures(result: Result) -> Table | None:
    """Return the table of published figures with their sources, if there are any."""
    if not result.published:
        return None
    rows = [[figure.system, _figure(figure), figure.source] for figure in result.published]
    return to_rich(["published", "F1", "source"], rows)


def notes(result: Result) -> list[str]:
    """Return what a reader must know to judge the figures, a line each."""
    found = [
        f"{row.name}: {row.leak} of the {row.train} training questions are of tasks it tests"
        for row in result.holdouts
        if row.leak
    ]
    if result.form != "published" and result.outside_schema:
        share = f"{result.outside_schema:.1f} % of right answers"
        found.append(f"{share} are no action of their task's schema: a mask cannot reach them")
    if tasks := result.record.get("tasks"):
        here, absent = len(tasks["at_hand"]), len(tasks["absent"])
        found.append(f"{here} of the paper's {here + absent} tasks were at hand")
    if result.missing:
        found.append(f"missing here: {', '.join(result.missing)}")
    return found


def _figure(figure: Published) -> str | float:
    if figure.f1 is not None:
        return figure.f1
    return ", ".join(f"{name} {value:.2f}" for name, value in figure.holdouts.items())


def _mean(figures: Mapping[str, float], names: list[str]) -> float | None:
    """Return the mean over the same hold-outs; None where one of them has no figure."""
    found = [figures[name] for name in names if name in figures]
    return sum(found) / len(found) if found and len(found) == len(names) else None
