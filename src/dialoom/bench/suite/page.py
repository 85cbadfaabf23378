"""The HTML page of the suite: each published table with our rows, and what could not be run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from statistics import mean, stdev

from dialoom import __version__
from dialoom.bench.core.published import Published
from dialoom.bench.core.results import Result
from dialoom.bench.core.table import figure, spell
from dialoom.bench.suite.experiments import Experiment, Unavailable
from dialoom.bench.suite.running import Done, Missing
from dialoom.render.page import Section, folded, paragraph, scroll, table, tiles
from dialoom.render.page import page as document
from dialoom.render.plots import Bar, Group, Series, bars
from dialoom.render.tables import Cell

NO_BREAK = "\u00a0"

FEW = 4
"""The most hold-outs that get a bar each; the bar of more is their mean."""

COLUMNS = 6
"""The most hold-outs that get a column each; those of more are on a run's own page."""


def page(
    found: Sequence[Done | Missing],
    unavailable: Sequence[Unavailable] = (),
    waiting: Sequence[Experiment] = (),
) -> str:
    """Return the page as HTML; it links to each run's own page beside it.

    Args:
        found: The experiments that were run, or could not be.
        unavailable: The published tables that cannot be reproduced.
        waiting: The experiments that were not run yet.
    """
    names = dict.fromkeys(each.experiment.table for each in found)
    sections = [_section(name, [e for e in found if e.experiment.table == name]) for name in names]
    done = [each for each in found if isinstance(each, Done)]
    if waiting:
        label = "Not run yet"
        listed = [(each.name, each.table) for each in waiting]
        told = paragraph("dialoom bench --all runs them, with --only NAME one alone.", "note")
        html = table(["experiment", "table"], listed, label)
        sections.append(Section(label, told + folded(f"{len(waiting)} experiments", html)))
    if unavailable:
        rows = [(each.table, each.why) for each in unavailable]
        label = "Published tables that were not made again"
        sections.append(Section(label, table(["table", "what is missing"], rows, label)))
    seconds = sum(sum(each.result.seconds.values()) for each in done)
    lead = tiles(
        [
            ("experiments run", len(done)),
            ("that data or libraries at hand do not allow", len(found) - len(done)),
            ("not run yet", len(waiting)),
            ("minutes of fitting and asking", seconds / 60),
        ]
    )
    about = "Scores in percent; 95 % intervals over dialogues, not over domains or tasks."
    lead += paragraph(f"dialoom {__version__}. {about}", "note")
    return document("Every experiment", sections, kind="dialoom bench", lead=lead)


def _section(name: str, found: Sequence[Done | Missing]) -> Section:
    done = [each for each in found if isinstance(each, Done)]
    missing = [each for each in found if isinstance(each, Missing)]
    html = "".join(_main_score(name, done)) if done else ""
    for each in missing:
        html += paragraph(f"{each.experiment.name} was not run: {each.why}", "notice")
    return Section(name, html)


def _main_score(name: str, done: Sequence[Done]) -> Iterator[str]:
    """Yield the chart and table of the main score, and notes and signatures of the runs."""
    results = [each.result for each in done]
    main = results[0].main
    published = _published(results)
    chart = _chart(name, done, published, _columns(done, FEW))
    yield f"<figure>\n{chart}</figure>\n"
    yield _scores(name, done, published, _columns(done, COLUMNS))
    yield from _spreads(done, main)
    yield from _notes(done)
    old = ", ".join(each.experiment.name for each in done if not each.checked)
    if old:
        yield paragraph(f"from earlier runs, perhaps of other code or data: {old}", "notice")
    yield folded("signatures and time", _signatures(done))


def _columns(done: Sequence[Done], most: int) -> list[str]:
    """Return the hold-outs that are shown one by one: all of them, where they are few."""
    holdouts = list(dict.fromkeys(h.name for each in done for h in each.result.holdouts))
    return holdouts if 1 < len(holdouts) <= most else []


def _chart(
    name: str, done: Sequence[Done], published: Sequence[Published], holdouts: Sequence[str]
) -> str:
    """Return the bars of runs and published systems: of each hold-out, or of the means."""
    main = done[0].result.main
    series = [Series(each) for each in holdouts or [main]]
    groups = []
    for each in done:
        result = each.result
        figures = {h.name: h.scores[result.main] for h in result.holdouts}
        found = [figures.get(h) for h in holdouts] if holdouts else [result.scores.get(main)]
        drawn = tuple(Bar(f.value, f.interval) if f else Bar(None) for f in found)
        groups.append(Group(each.experiment.name, drawn))
    for row in published:
        values = [row.holdouts.get(h) for h in holdouts] if holdouts else [row.scores.get(main)]
        groups.append(Group(row.system, tuple(map(Bar, values))))
    told = [group for group in groups if any(bar.value is not None for bar in group.bars)]
    return bars(told, series, f"{main}, {name}")


def _scores(
    name: str, done: Sequence[Done], published: Sequence[Published], holdouts: Sequence[str]
) -> str:
    """Return the table: a row a run or published system, a column a score."""
    main = done[0].result.main
    others = dict.fromkeys(score for each in done for score in each.result.scores)
    others.pop(main)
    header = ["system", "about", *holdouts, f"{main}, mean", "95 %", *others]
    rows: list[list[Cell]] = []
    for each in done:
        result = each.result
        held = {h.name: h.scores[result.main].value for h in result.holdouts}
        average = result.scores[result.main]
        rows.append(
            [
                result.model,
                _about(each.experiment, result),
                *map(held.get, holdouts),
                average.value,
                spell(average.interval).replace(" ", NO_BREAK),
                *(result.scores[s].value if s in result.scores else None for s in others),
            ]
        )
    for row in published:
        cells: list[Cell] = [*map(row.holdouts.get, holdouts), row.scores.get(main), None]
        stated = (figure(row, score, main) or None for score in others)
        rows.append([row.system, row.source, *cells, *stated])
    return table(header, rows, name)


def _spreads(done: Sequence[Done], main: str) -> Iterator[str]:
    """Yield the mean and the spread of experiments that were repeated with other seeds."""
    families: dict[str, list[float]] = {}
    for each in done:
        if each.experiment.family and main in each.result.scores:
            scores = families.setdefault(each.experiment.family, [])
            scores.append(each.result.scores[main].value)
    for family, scores in families.items():
        spread = f", standard deviation {stdev(scores):.2f}" if len(scores) > 1 else ""
        told = f"{family}: {main} {mean(scores):.2f} on average over {len(scores)} seeds{spread}"
        yield paragraph(told, "note")


def _about(experiment: Experiment, result: Result) -> str:
    """Return a run's part, hold-outs, options, settings and training corpus as text."""
    told = [f"{name} {value}" for name, value in result.options.items()]
    if experiment.split and "part" not in result.options:
        told.insert(0, f"part {experiment.split}")
    told += [f"{name} {value}" for name, value in result.settings.items() if name != "seed"]
    made = experiment.train
    if made is not None:
        told.append(f"learnt from {made.number} simulated ({made.preset}, seed {made.seed})")
    elif result.train_corpus:
        told.append(f"learnt from {result.train_corpus}")
    return ", ".join([f"{len(result.holdouts)} hold-outs", *told])


def _published(results: Iterable[Result]) -> list[Published]:
    found: list[Published] = []
    for result in results:
        found += [row for row in result.published if row not in found]
    return found


def _notes(done: Sequence[Done]) -> Iterator[str]:
    """Yield the runs' notes; one that not all runs have is preceded by the names of those."""
    told: dict[str, list[str]] = {}
    for each in done:
        for note in (*each.result.notices, *each.result.notes):
            told.setdefault(note, []).append(each.experiment.name)
    for note, names in told.items():
        about = f"{', '.join(names)}: " if len(names) < len(done) else ""
        yield paragraph(f"{about}{note}", "note")
    missing = dict.fromkeys(name for each in done for name in each.result.missing)
    if missing:
        what = f"not in this corpus: {', '.join(missing)}; means are over those at hand"
        yield paragraph(what, "note")


def _signatures(done: Sequence[Done]) -> str:
    items = "".join(
        f'<li><a href="{escape(each.experiment.name, quote=True)}.html">'
        f"{escape(each.experiment.name)}</a>, {sum(each.result.seconds.values()):,.1f} s"
        f"<ul>{''.join(_signature(f.signature) for f in each.result.scores.values())}</ul></li>\n"
        for each in done
    )
    return scroll(f"<ul>\n{items}</ul>\n", "signatures")


def _signature(signature: str) -> str:
    return f'<li><code class="signature">{escape(signature)}</code></li>'
