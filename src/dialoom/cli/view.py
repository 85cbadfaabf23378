"""`dialoom view`: a page to search, filter, sort and read the dialogues of one or more corpora."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from dialoom.cli.options import FilterOptions, FormatName
from dialoom.errors import UsageError
from dialoom.render.tables import counted
from dialoom.render.transcript import Mark, to_html

if TYPE_CHECKING:
    from dialoom.corpus import Corpus
    from dialoom.dialogue import Dialogue
    from dialoom.render.browser import Shown
    from dialoom.render.transcript import Mark

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
    """Yield the dialogues with some models' predictions, and print how often all differ."""
    import msgspec

    from dialoom.corpus.filters import facts
    from dialoom.quality.lint import linter_for

    linter = linter_for(corpus)
    for dialogue in corpus.tracked():
        summary = facts(dialogue)
        findings = list(linter.check(dialogue, summary.file))
        row = {**msgspec.to_builtins(summary), "findings": len(findings)}
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
