"""Results as tables: hold-outs and their means, paired tests, published figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from dialoom.bench.core.published import Published
from dialoom.bench.core.results import Result
from dialoom.metrics.bootstrap import Bounds
from dialoom.metrics.lists import Figures
from dialoom.render.tables import Cell, ResultTable

UNLIKE = "unlike this run"
"""Mark of published figures with other options than the run's."""

Others = Mapping[str, Mapping[str, float]]
"""Other system to hold-out to its main score."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of results: a hold-out, or a mean of several; None is a missing score.

    `leak`: a run was trained on tasks that are tested here.
    """

    label: str
    n: int
    cells: tuple[Figures | None, ...]
    others: tuple[float | None, ...]
    mean: bool = False
    leak: bool = False


def spell(bounds: Bounds | None) -> str:
    """Return an interval as text; nothing where there is none."""
    return "" if bounds is None else f"{bounds[0]:.2f} to {bounds[1]:.2f}"


def columns(result: Result) -> dict[str, Mapping[str, float]]:
    """Return system to its main score by hold-out: of its own predictions, else as published.

    Published figures with other options than the run's are about other questions; only the table of
    published figures (`figures`) has them.
    """
    if result.beside is not None:
        return {result.beside.system: result.beside.scores}
    return {
        figure.system: figure.holdouts
        for figure in result.published
        if figure.holdouts and figure.like(result.options)
    }


def rows(results: Sequence[Result], others: Others) -> Iterator[Row]:
    """Yield the hold-outs of some results about the same questions, then their means."""
    names = list(dict.fromkeys(h.name for result in results for h in result.holdouts))
    columns = [{holdout.name: holdout for holdout in result.holdouts} for result in results]
    counts = {name: max(h[name].n for h in columns if name in h) for name in names}
    for name in names:
        cells = [holdouts.get(name) for holdouts in columns]
        yield Row(
            name,
            counts[name],
            tuple(scores.scores if scores else None for scores in cells),
            tuple(figure.get(name) for figure in others.values()),
            leak=any(scores.leak > 0 for scores in cells if scores),
        )
    # means are comparable only over the same hold-outs
    whole = all(len(holdouts) == len(names) for holdouts in columns)
    means = tuple(_mean(figure, names) if whole else None for figure in others.values())
    total = max((sum(h.n for h in result.holdouts) for result in results), default=0)
    yield Row("mean", total, tuple(result.scores for result in results), means, mean=True)
    clean = [result.without_leak for result in results]
    left_out = sorted({name for part in clean if part for name in part.left_out})
    if left_out:
        rest = [name for name in names if name not in left_out]
        yield Row(
            f"mean without {', '.join(left_out)}",
            sum(counts[name] for name in rest),
            tuple(part.scores if part else None for part in clean),
            tuple(_mean(figure, rest) for figure in others.values()),
            mean=True,
        )


def overview(result: Result) -> ResultTable:
    """Return the table of hold-outs, with means at its end."""
    others = columns(result)
    main, *more = result.scores
    header = ["hold-out", "n", *headings(main, "95 %", *more), *others]
    lines: list[list[Cell]] = []
    for row in rows([result], others):
        (scores,) = row.cells
        lines.append([row.label, row.n, *_figures(scores or {}, main), *row.others])
    options = "".join(f", {name} {value}" for name, value in result.options.items())
    return ResultTable(f"{result.protocol}, {result.model}{options}", tuple(header), lines)


def side_by_side(results: Sequence[Result]) -> list[ResultTable]:
    """Return the table of several systems' means, and that of their main score by part.

    Parts are hold-outs, where there are several, and slices.
    """
    main, *more = results[0].scores
    lines: list[list[Cell]] = []
    for result in results:
        total = sum(holdout.n for holdout in result.holdouts)
        lines.append([result.model, total, *_figures(result.scores, main)])
    header = ("system", "n", *headings(main, "95 %", *more))
    whole = ResultTable(results[0].title, header, lines)
    parts: dict[str, list[Cell]] = {}
    for place, result in enumerate(results):
        sections = [*(result.holdouts if len(result.holdouts) > 1 else ()), *result.slices]
        for part in (each for each in sections if ":" not in each.name):
            row = parts.setdefault(part.name, [None] * len(results))
            row[place] = part.scores[main].value
    if not parts:
        return [whole]
    names = ("part", *(result.model for result in results))
    table = [[name, *values] for name, values in parts.items()]
    return [whole, ResultTable(main, names, table)]


def slices(result: Result) -> ResultTable | None:
    """Return the table of slices; None where there are none.

    Slices of single services and domains (`service:…`, `domain:…`) are in the JSON file only.
    """
    parts = [part for part in result.slices if ":" not in part.name]
    if not parts:
        return None
    main, *more = parts[0].scores
    lines = [[part.name, part.n, *_figures(part.scores, main)] for part in parts]
    return ResultTable("", ("slice", "n", *headings(main, "95 %", *more)), lines)


def headings(*scores: str) -> Iterator[str]:
    """Yield the names of scores for a header, which may break a line between words."""
    return (name.replace("_", " ") for name in scores)


def _figures(scores: Figures, main: str) -> list[Cell]:
    rest = [figure.value for name, figure in scores.items() if name != main]
    return [scores[main].value, spell(scores[main].interval), *rest]


def comparisons(result: Result) -> ResultTable | None:
    """Return the table of paired tests, if there were any."""
    if not result.against:
        return None
    wide = ["95 %, hold-outs"] if any(c.across for c in result.against) else []
    header = ("against", "rows", "n", "ours", "theirs", "difference", "95 %", *wide, "p")
    lines: list[list[Cell]] = []
    for c in result.against:
        across = [spell(c.across) for _ in wide]
        difference = [f"{c.difference:+.2f}", spell(c.interval), *across, c.spelt_p]
        lines.append([c.system, c.rows, c.n, c.ours, c.theirs, *difference])
    title = f"{result.model}: paired difference of the mean {result.main}, over dialogues"
    return ResultTable(title, header, lines)


def figures(result: Result) -> ResultTable | None:
    """Return the table of published figures with their conditions, if there are any.

    A row of figures with other options than the run's says so.
    """
    if not result.published:
        return None
    names = scores_of(result.published, result.scores)
    lines: list[list[Cell]] = [
        [
            row.system,
            *(figure(row, name, result.main) for name in names),
            row.conditions if row.like(result.options) else f"{UNLIKE}: {row.conditions}",
        ]
        for row in result.published
    ]
    return ResultTable("", ("published", *headings(*names), "conditions"), lines)


def scores_of(published: Sequence[Published], scores: Iterable[str]) -> list[str]:
    """Return the main score and those of the others that have published figures."""
    main, *more = scores
    names = {name for row in published for name in (*row.scores, *row.others)}
    return [main, *(name for name in more if name in names)]


def figure(published: Published, score: str, main: str) -> str:
    """Return a published figure as text: the mean, or the hold-outs where no mean is known."""
    if score in published.scores:
        return f"{published.scores[score]:.2f}"
    figures = published.holdouts if score == main else published.others.get(score, {})
    return ", ".join(f"{name} {value:.2f}" for name, value in figures.items())


def notes(result: Result) -> list[str]:
    """Return what a reader must know to judge the figures, a line each."""
    leaks = [
        f"{row.name}: {row.leak} of the {row.train} training questions are of tasks it tests"
        for row in result.holdouts
        if row.leak
    ]
    missing = [f"missing here: {', '.join(result.missing)}"] if result.missing else []
    return [*leaks, *result.notes, *missing]


def _mean(figures: Mapping[str, float], names: Sequence[str]) -> float | None:
    """Return the mean over the same hold-outs; None if one of them has no figure."""
    values = [figures[name] for name in names if name in figures]
    return sum(values) / len(values) if values and len(values) == len(names) else None
