"""`dialoom show` and `view`: the dialogues of corpora in the terminal, and on a page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dialoom.cli.command import Bounds
from dialoom.cli.options import FilterOptions, FormatName, JsonLines
from dialoom.cli.output import print_table, write_lines
from dialoom.errors import UsageError
from dialoom.render.tables import ResultTable, Row, counted
from dialoom.render.transcript import Mark, to_html, to_rich, to_text

if TYPE_CHECKING:
    from dialoom.corpus import Corpus
    from dialoom.corpus.filters import Facts
    from dialoom.dialogue import Dialogue
    from dialoom.render.browser import Shown
    from dialoom.render.transcript import Mark


def show(
    corpus: Path,
    filters: FilterOptions,
    id: str | None = None,
    format: FormatName = None,
    page: Annotated[int, Bounds(1, 10**6)] = 1,
    rows: Annotated[int, Bounds(1, 10**6)] = 20,
    json: JsonLines = None,
) -> None:
    """List the dialogues of a corpus with their properties, or print one of them.

    The list shows a page of the dialogues that meet all options; --json has all of them.

    Example: dialoom show examples/sample 12

    Example: dialoom show examples/sample --task museum_tour --where 'turns >= 10'

    Args:
        corpus (CORPUS): A corpus folder or file.
        id ([ID]): A dialogue's id; without it, dialogues are listed.
        page: Number of the page of the list, from 1.
        rows: Dialogues per page.
    """
    from dialoom import formats

    selection = filters.of(formats.load(corpus, format))
    if id is not None:
        _print(selection[id])
    elif json is not None:
        write_lines(_facts(selection), json)
    else:
        _list(selection, page, rows)


def _print(dialogue: Dialogue) -> None:
    import sys

    from dialoom.dialogue.transcript import lines

    if sys.stdout.isatty():
        from rich.console import Console

        Console().print(to_rich(lines(dialogue)))
    else:
        typer.echo(to_text(lines(dialogue)))


def _facts(corpus: Corpus) -> Iterator[Facts]:
    from dialoom.corpus.filters import facts

    return map(facts, corpus.tracked())


def _list(corpus: Corpus, page: int, rows: int) -> None:
    stream = _facts(corpus)
    first = (page - 1) * rows
    skipped = sum(1 for _ in islice(stream, first))
    entries: list[Row] = [
        [each.id, each.split, ", ".join(each.tasks), each.stage, each.outcome, each.turns]
        for each in islice(stream, rows)
    ]
    total = skipped + len(entries) + sum(1 for _ in stream)
    if page > 1 and not entries:
        raise UsageError(
            f"--page {page}: there are {counted(-(-total // rows), 'page')}", code="out-of-range"
        )
    if entries:
        header = ("id", "part", "tasks", "stage", "outcome", "turns")
        print_table(ResultTable("", header, entries))
    of = f", {first + 1:,} to {first + len(entries):,} shown" if len(entries) < total else ""
    typer.echo(f"{counted(total, 'dialogue')}{of}")


MOST = 6
"""Most corpora side by side: with more, the columns of a wide screen are too narrow to read."""

Predicted = Mapping[tuple[str, int], "list[Mark]"]


def view(
    paths: list[Path],
    out: Path,
    filters: FilterOptions,
    predictions: list[Path] | None = None,
    format: FormatName = None,
) -> None:
    """Write a page to search, filter, sort and read dialogues, with lint's findings.

    Open index.html in DIR with a browser; no server is needed. Dialogues of OTHER are shown next to
    those of CORPUS with the same id: the same dialogue by each pen, for example. With
    --predictions, so are one or two models' predictions.

    Example: dialoom view examples/sample --out page

    Args:
        paths (CORPUS [OTHER …]): A corpus, or several side by side.
        out (--out, DIR): A new folder for the page.
        predictions: A file from bench --predictions; give two to see two models side by side.
    """
    from dialoom import formats
    from dialoom.corpus.files import staged_folder
    from dialoom.render.browser import write

    if len(paths) > MOST:
        raise UsageError(f"view shows up to {MOST} corpora side by side")
    models = {name: _predicted(file) for name, file in _named(predictions or []).items()}
    columns = {}
    for name, path in _named(paths).items():
        corpus = filters.of(formats.load(path, format))
        if len(paths) == 1 and len(models) > 1:
            columns = {f"{name}, {each}": _shown(corpus, models, [each]) for each in models}
        else:
            columns[name] = _shown(corpus, models, list(models))
    with staged_folder(out) as stage:
        count = write(columns, stage)
    typer.echo(f"{counted(count, 'dialogue')} written to {out}; open {out / 'index.html'}")


def _named(paths: list[Path]) -> dict[str, Path]:
    """Return files and folders by name, by the whole path if another has that name."""
    places: dict[str, Path] = {}
    for path in paths:
        name = path.resolve().stem if path.is_file() else path.resolve().name
        places[name if name not in places else str(path)] = path
    return places


def _shown(corpus: Corpus, models: Mapping[str, Predicted], names: list[str]) -> Iterator[Shown]:
    import msgspec

    from dialoom.corpus.filters import facts
    from dialoom.quality.lint import linter_for

    linter = linter_for(corpus)
    again = names != list(models)[: len(names)]  # the same corpus with another model
    for dialogue in corpus.tracked():
        summary = facts(dialogue)
        findings = list(linter.check(dialogue, summary.file))
        row = {**msgspec.to_builtins(summary), "findings": 0 if again else len(findings)}
        if len(models) > 1:
            row["differ"] = _differences(dialogue, models)
        yield row, _html(dialogue, findings, {name: models[name] for name in names})


def _differences(dialogue: Dialogue, models: Mapping[str, Predicted]) -> int:
    places = [(dialogue.id, index) for index in range(len(dialogue.events))]
    return sum(len({tuple(each.get(at, ())) for each in models.values()}) > 1 for at in places)


def _html(dialogue: Dialogue, findings: list[Any], models: Mapping[str, Predicted]) -> str:
    from dialoom.dialogue.transcript import lines
    from dialoom.quality.lint.page import event_of
    from dialoom.render.page import paragraph

    marks: defaultdict[int, list[Mark]] = defaultdict(list)
    for finding in findings:
        marks[event_of(finding.pointer)].append(Mark(f"{finding.code}: {finding.message}"))
    for index in range(len(dialogue.events)):
        for name, predicted in models.items():
            text = predicted.get((dialogue.id, index), [])
            marks[index] += [Mark(f"{name}: {mark.text}", mark.right) for mark in text]
    whole = "".join(paragraph(mark.said, "mark") for mark in marks.pop(-1, []))
    return whole + to_html(lines(dialogue, changed=True), marks=marks)


def _predicted(file: Path) -> Predicted:
    from dialoom.bench.core.predictions import read_predictions

    marks: defaultdict[tuple[str, int], list[Mark]] = defaultdict(list)
    for line in read_predictions(file):
        right = line.predicted == line.gold
        text = line.predicted if right else f"{line.predicted}, right would be {line.gold}"
        marks[str(line.dialogue), line.event].append(Mark(text, right))
    return marks
