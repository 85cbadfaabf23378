"""The HTML page of the suite: each published table with our rows, and what could not be run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from statistics import mean, stdev
from typing import NamedTuple

from dialoom import __version__
from dialoom.bench.core.published import Published
from dialoom.bench.core.results import Result
from dialoom.bench.core.table import figure, headings, spell
from dialoom.bench.suite.experiments import Experiment, Unavailable
from dialoom.bench.suite.running import Done, Missing
from dialoom.render.curves import curves, on_scale
from dialoom.render.page import Section, folded, paragraph, scroll, table, text, tiles
from dialoom.render.page import page as document
from dialoom.render.plots import Bar, Group, Series, bars
from dialoom.render.tables import Cell

FEW = 4
"""The most hold-outs that get a bar each; the bar of more is their mean."""

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


def page(
    outcomes: Sequence[Done | Missing],
    unavailable: Sequence[Unavailable] = (),
    waiting: Sequence[Experiment] = (),
    expected: str = "",
) -> str:
    """Return the page as HTML; it links to each run's own page in its folder."""
    names = dict.fromkeys(each.experiment.table for each in outcomes)
    sections = [
        _section(name, [e for e in outcomes if e.experiment.table == name]) for name in names
    ]
    done = [each for each in outcomes if isinstance(each, Done)]
    if waiting:
        label = "Not run yet"
        entries = [(each.name, each.table) for each in waiting]
        hint = paragraph("dialoom bench --all runs them, with --only NAME one alone.", "note")
        html = table(["experiment", "table"], entries, label)
        sections.append(Section(label, hint + folded(f"{len(waiting)} experiments", html)))
    if unavailable:
        rows = [(each.table, each.why) for each in unavailable]
        label = "Published tables that were not made again"
        sections.append(Section(label, table(["table", "what is missing"], rows, label)))
    seconds = sum(sum(each.result.seconds.values()) for each in done)
    lead = tiles(
        [
            ("experiments run", len(done)),
            ("that data or libraries at hand do not allow", len(outcomes) - len(done)),
            ("not run yet", len(waiting)),
            ("minutes of fitting and asking", seconds / 60),
        ]
    )
    about = "Scores in percent; 95 % intervals over dialogues, not over domains or tasks."
    lead += paragraph(f"dialoom {__version__}. {about}", "note")
    if expected:
        lead += paragraph(f"When this run began: {expected}.", "note")
    return document("Every experiment", sections, kind="dialoom bench", lead=lead)


def _section(name: str, results: Sequence[Done | Missing]) -> Section:
    groups: dict[str, list[Done]] = {}
    for each in results:
        if isinstance(each, Done):
            groups.setdefault(each.result.main, []).append(each)
    html = ""
    for main, done in groups.items():
        if len(groups) > 1:
            html += f"<h3>{text(main)}</h3>\n"
        about = name if len(groups) == 1 else f"{name}: {main}"
        html += "".join(_main_score(about, done))
    for each in results:
        if isinstance(each, Missing):
            html += paragraph(f"{each.experiment.name} was not run: {each.why}", "notice")
    return Section(name, html)


def _main_score(name: str, done: Sequence[Done]) -> Iterator[str]:
    published = _all_published(done)
    alike = [row for row in published if any(row.like(each.result.options) for each in done)]
    points = holdouts(done)
    if on_scale(points):
        chart = _curves(name, done, alike, points)
    else:
        chart = _chart(name, done, alike, points if len(points) <= FEW else [])
    yield f"<figure>\n{chart}</figure>\n"
    yield from tables(name, done, published)
    yield from _spreads(done, done[0].result.main)
    yield from _notes(done)
    old = ", ".join(each.experiment.name for each in done if not each.checked)
    if old:
        yield paragraph(f"from earlier runs, perhaps of other code or data: {old}", "notice")
    yield folded("signatures and time", _signatures(done))


def _curves(
    name: str, done: Sequence[Done], published: Sequence[Published], points: Sequence[str]
) -> str:
    main = done[0].result.main
    lines = [(Series(each.experiment.name), _bars(each, points)) for each in done]
    for row in published:
        if not row.holdouts.keys().isdisjoint(points):
            lines.append((Series(row.system, True), [Bar(row.holdouts.get(h)) for h in points]))
    return curves(points, lines, f"{main} by hold-out, {name}")


def _chart(
    name: str, done: Sequence[Done], published: Sequence[Published], names: Sequence[str]
) -> str:
    main = done[0].result.main
    series = [Series(each) for each in names or [main]]
    groups = [Group(each.experiment.name, tuple(_bars(each, names))) for each in done]
    for row in published:
        values = [row.holdouts.get(h) for h in names] if names else [row.scores.get(main)]
        groups.append(Group(row.system, tuple(map(Bar, values))))
    columns = [group for group in groups if any(bar.value is not None for bar in group.bars)]
    return bars(columns, series, f"{main}, {name}")


def _bars(done: Done, names: Sequence[str]) -> list[Bar]:
    result = done.result
    figures = {h.name: h.scores[result.main] for h in result.holdouts}
    cells = [figures.get(h) for h in names] if names else [result.scores.get(result.main)]
    return [Bar(f.value, f.interval) if f else Bar(None) for f in cells]


def _spreads(done: Sequence[Done], main: str) -> Iterator[str]:
    families: dict[str, list[float]] = {}
    for each in done:
        if each.experiment.family and main in each.result.scores:
            scores = families.setdefault(each.experiment.family, [])
            scores.append(each.result.scores[main].value)
    for family, scores in families.items():
        spread = f", standard deviation {stdev(scores):.2f}" if len(scores) > 1 else ""
        average = f"{main} {mean(scores):.2f} on average over {len(scores)} seeds"
        yield paragraph(f"{family}: {average}{spread}", "note")


def _all_published(done: Sequence[Done]) -> list[Published]:
    rows: list[Published] = []
    for each in done:
        if each.experiment.corpus is None:  # published figures are of other data
            rows += [row for row in each.result.published if row not in rows]
    return rows


def _notes(done: Sequence[Done]) -> Iterator[str]:
    runs: dict[str, list[str]] = {}
    for each in done:
        for note in (*each.result.notices, *each.result.notes):
            runs.setdefault(note, []).append(each.experiment.name)
    for note, names in runs.items():
        about = f"{', '.join(names)}: " if len(names) < len(done) else ""
        yield paragraph(f"{about}{note}", "note")
    missing = dict.fromkeys(name for each in done for name in each.result.missing)
    if missing:
        what = f"not in this corpus: {', '.join(missing)}; means are over those at hand"
        yield paragraph(what, "note")


def _signatures(done: Sequence[Done]) -> str:
    items = "".join(
        f'<li><a href="{escape(each.experiment.name, quote=True)}.html">'
        f"{escape(each.experiment.name)}</a>, {each.result.time}"
        f"<ul>{''.join(_signature(f.signature) for f in each.result.scores.values())}</ul></li>\n"
        for each in done
    )
    return scroll(f"<ul>\n{items}</ul>\n", "signatures")


def _signature(signature: str) -> str:
    return f'<li><code class="signature">{escape(signature)}</code></li>'


def tables(name: str, done: Sequence[Done], published: Sequence[Published]) -> Iterator[str]:
    """Yield the tables of runs with one main score, and of published systems."""
    main = done[0].result.main
    systems = [*map(_run, done), *(_published(row, main) for row in published)]
    others = dict.fromkeys(score for each in done for score in each.result.scores if score != main)
    aside = list(others) if len(others) <= ASIDE else []
    header = ["system", "about", *headings(main, "95 %", *aside)]
    rows: list[list[Cell]] = [
        [each.name, each.about, each.main, each.interval, *map(each.others.get, aside)]
        for each in systems
    ]
    yield table(header, rows, name)
    if not aside and others:
        cells = [(each.name, list(map(each.others.get, others))) for each in systems]
        header = ["system", *headings(*others)]
        yield table(header, _filled_rows(cells), f"Other scores, {name}", title="other scores")
    names = holdouts(done)
    if names and len(names) <= COLUMNS:
        title = f"{next(headings(main))} of each hold-out"
        cells = [(each.name, list(map(each.holdouts.get, names))) for each in systems]
        yield table(["system", *names], _filled_rows(cells), f"{title}, {name}", title=title)


def holdouts(done: Sequence[Done]) -> list[str]:
    """Return the names of all hold-outs of the runs; an empty list where there is only one."""
    names = list(dict.fromkeys(h.name for each in done for h in each.result.holdouts))
    return names if len(names) > 1 else []


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
    names = {*row.scores, *row.others}
    others: dict[str, Cell] = {
        name: row.scores.get(name, figure(row, name, main)) for name in names if name != main
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
    plans = experiment.simulated
    if plans:
        number = sum(each.number for each in plans)
        parts.append(f"learnt from {number:,} simulated ({plans[0].preset}, seed {plans[0].seed})")
    elif result.train_corpus:
        parts.append(f"learnt from {result.train_corpus}")
    return ", ".join(parts)
