"""The tables of one part of the suite's page: runs with the same main score, published ones below.

A page of 700 pixels has room for the main score with its interval and what the run was; other
scores, and the main score of each hold-out where these are few, have tables of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from dialoom.bench.core.published import Published
from dialoom.bench.core.results import Result
from dialoom.bench.core.table import figure, spell
from dialoom.bench.suite.experiments import Experiment
from dialoom.bench.suite.running import Done
from dialoom.render.page import table
from dialoom.render.tables import Cell

NO_BREAK = "\u00a0"

ASIDE = 1
"""The most other scores in the table of the main one; more have a table of their own."""

COLUMNS = 6
"""The most hold-outs that get a column each; those of more are on a run's own page."""


class System(NamedTuple):
    """The main score of a run or published system, others, and those by hold-out."""

    name: str
    about: str
    main: float | None
    interval: str | None
    others: Mapping[str, Cell]
    holdouts: Mapping[str, float]


def tables(name: str, done: Sequence[Done], published: Sequence[Published]) -> Iterator[str]:
    """Yield the tables of runs with one main score, and of published systems."""
    main = done[0].result.main
    systems = [*map(_run, done), *(_published(row, main) for row in published)]
    others = dict.fromkeys(score for each in done for score in each.result.scores if score != main)
    aside = list(others) if len(others) <= ASIDE else []
    header = ["system", "about", *map(_spaced, (main, "95 %", *aside))]
    rows: list[list[Cell]] = [
        [each.name, each.about, each.main, each.interval, *map(each.others.get, aside)]
        for each in systems
    ]
    yield table(header, rows, name)
    if not aside and others:
        cells = [(each.name, list(map(each.others.get, others))) for each in systems]
        header = ["system", *map(_spaced, others)]
        yield table(header, _filled_rows(cells), f"Other scores, {name}", title="other scores")
    names = holdouts(done)
    if names and len(names) <= COLUMNS:
        title = f"{_spaced(main)} of each hold-out"
        cells = [(each.name, list(map(each.holdouts.get, names))) for each in systems]
        yield table(["system", *names], _filled_rows(cells), f"{title}, {name}", title=title)


def holdouts(done: Sequence[Done]) -> list[str]:
    """Return the names of all hold-outs of the runs; an empty list where there is only one."""
    found = list(dict.fromkeys(h.name for each in done for h in each.result.holdouts))
    return found if len(found) > 1 else []


def _filled_rows(rows: Sequence[tuple[str, list[Cell]]]) -> list[list[Cell]]:
    return [[name, *cells] for name, cells in rows if any(cell is not None for cell in cells)]


def _run(done: Done) -> System:
    result = done.result
    scores = result.scores
    return System(
        done.experiment.name,
        _about(done.experiment, result),
        scores[result.main].value,
        spell(scores[result.main].interval).replace(" ", NO_BREAK) or None,
        {name: score.value for name, score in scores.items()},
        {h.name: h.scores[result.main].value for h in result.holdouts},
    )


def _published(row: Published, main: str) -> System:
    known = {*row.scores, *row.others}
    others: dict[str, Cell] = {
        name: row.scores.get(name, figure(row, name, main)) for name in known if name != main
    }
    return System(row.system, row.conditions, row.scores.get(main), None, others, row.holdouts)


def _about(experiment: Experiment, result: Result) -> str:
    parts = [result.model]
    if len(result.holdouts) > 1:
        parts.append(f"mean of {len(result.holdouts)} hold-outs")
    if experiment.split and "part" not in result.options:
        parts.append(f"part {experiment.split}")
    parts += [f"{name} {value}" for name, value in result.options.items()]
    parts += [f"{name} {value}" for name, value in result.settings.items() if name != "seed"]
    made = experiment.simulated
    if made:
        number = sum(each.number for each in made)
        parts.append(f"learnt from {number:,} simulated ({made[0].preset}, seed {made[0].seed})")
    elif result.train_corpus:
        parts.append(f"learnt from {result.train_corpus}")
    return ", ".join(parts)


def _spaced(score: str) -> str:
    """Return a score's name for a header, which may break a line between words."""
    return score.replace("_", " ")
