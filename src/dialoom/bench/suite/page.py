"""The HTML page of the suite: each published table with our rows, and what could not be run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from statistics import mean, stdev

from dialoom import __version__
from dialoom.bench.core.published import Published
from dialoom.bench.suite.experiments import Experiment, Unavailable
from dialoom.bench.suite.running import Done, Missing
from dialoom.bench.suite.tables import holdouts, tables
from dialoom.render.curves import curves, on_scale
from dialoom.render.page import Section, folded, paragraph, scroll, table, text, tiles
from dialoom.render.page import page as document
from dialoom.render.plots import Bar, Group, Series, bars

FEW = 4
"""The most hold-outs that get a bar each; the bar of more is their mean."""


def page(
    found: Sequence[Done | Missing],
    unavailable: Sequence[Unavailable] = (),
    waiting: Sequence[Experiment] = (),
    expected: str = "",
) -> str:
    """Return the page as HTML; it links to each run's own page in its folder."""
    names = dict.fromkeys(each.experiment.table for each in found)
    sections = [_section(name, [e for e in found if e.experiment.table == name]) for name in names]
    done = [each for each in found if isinstance(each, Done)]
    if waiting:
        label = "Not run yet"
        listed = [(each.name, each.table) for each in waiting]
        hint = paragraph("dialoom bench --all runs them, with --only NAME one alone.", "note")
        html = table(["experiment", "table"], listed, label)
        sections.append(Section(label, hint + folded(f"{len(waiting)} experiments", html)))
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
    if expected:
        lead += paragraph(f"When this run began: {expected}.", "note")
    return document("Every experiment", sections, kind="dialoom bench", lead=lead)


def _section(name: str, found: Sequence[Done | Missing]) -> Section:
    groups: dict[str, list[Done]] = {}
    for each in found:
        if isinstance(each, Done):
            groups.setdefault(each.result.main, []).append(each)
    html = ""
    for main, done in groups.items():
        if len(groups) > 1:
            html += f"<h3>{text(main)}</h3>\n"
        about = name if len(groups) == 1 else f"{name}: {main}"
        html += "".join(_main_score(about, done))
    for each in found:
        if isinstance(each, Missing):
            html += paragraph(f"{each.experiment.name} was not run: {each.why}", "notice")
    return Section(name, html)


def _main_score(name: str, done: Sequence[Done]) -> Iterator[str]:
    published = _published(done)
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
    """Return the bars of runs and published systems by hold-out, or of the means."""
    main = done[0].result.main
    series = [Series(each) for each in names or [main]]
    groups = [Group(each.experiment.name, tuple(_bars(each, names))) for each in done]
    for row in published:
        values = [row.holdouts.get(h) for h in names] if names else [row.scores.get(main)]
        groups.append(Group(row.system, tuple(map(Bar, values))))
    shown = [group for group in groups if any(bar.value is not None for bar in group.bars)]
    return bars(shown, series, f"{main}, {name}")


def _bars(done: Done, names: Sequence[str]) -> list[Bar]:
    """Return a run's main score on each hold-out of `names`, or the mean without names."""
    result = done.result
    figures = {h.name: h.scores[result.main] for h in result.holdouts}
    found = [figures.get(h) for h in names] if names else [result.scores.get(result.main)]
    return [Bar(f.value, f.interval) if f else Bar(None) for f in found]


def _spreads(done: Sequence[Done], main: str) -> Iterator[str]:
    families: dict[str, list[float]] = {}
    for each in done:
        if each.experiment.family and main in each.result.scores:
            scores = families.setdefault(each.experiment.family, [])
            scores.append(each.result.scores[main].value)
    for family, scores in families.items():
        spread = f", standard deviation {stdev(scores):.2f}" if len(scores) > 1 else ""
        spread_text = (
            f"{family}: {main} {mean(scores):.2f} on average over {len(scores)} seeds{spread}"
        )
        yield paragraph(spread_text, "note")


def _published(done: Sequence[Done]) -> list[Published]:
    """Return the published figures for the runs on real data, each once."""
    found: list[Published] = []
    for each in done:
        if each.experiment.corpus is None:  # published figures are of other data
            found += [row for row in each.result.published if row not in found]
    return found


def _notes(done: Sequence[Done]) -> Iterator[str]:
    """Yield the runs' notes, after the runs' names if not all runs have it."""
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
