"""`dialoom schema doctor`: simulate dialogues of task files and report what goes wrong."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dialoom.cli.command import Bounds
from dialoom.cli.options import JsonFile, Seed, TaskNames
from dialoom.cli.output import STDOUT, print_table, report
from dialoom.render.progress import track
from dialoom.render.tables import ResultTable, counted

if TYPE_CHECKING:
    from dialoom.corpus import Corpus
    from dialoom.play.running.goal_check import GoalFinding
    from dialoom.quality.coverage import Coverage
    from dialoom.quality.doctor import Diagnosis

TABLE = ("task", "goal", "nodes", "edges", "values", "templates", "findings")
"""The columns of the table of several tasks; those from goal to templates are shares in %."""


def doctor(
    tasks: TaskNames,
    number: Annotated[int, Bounds(1, 10**6)] = 500,
    seed: Seed = 0,
    goals: Path | None = None,
    corpus: Path | None = None,
    json: JsonFile = None,
) -> None:
    """Simulate dialogues of tasks and report dead parts and errors of their schemas.

    Reports nodes and edges that are never reached, goals that nobody reaches, templates that lack a
    slot, results that no reply mentions, values never drawn, and goals of `dialoom play` that
    cannot be reached, cannot be failed or have several ends. Exits 1 if there is an error.

    Example: dialoom schema doctor hotel_book -n 500 --seed 7

    Args:
        number (-n, --number): How many dialogues of each task.
        goals: Check the goals of this YAML file or folder.
        corpus (--coverage, CORPUS): Simulate nothing; count which parts of the tasks this corpus
            uses.
    """
    from dialoom import formats
    from dialoom.quality.coverage import coverage_table
    from dialoom.quality.doctor import examine
    from dialoom.schema import pack

    targets = pack.expand(tasks)
    if corpus is not None:
        covered = _cover(targets, formats.load(corpus))
        report({"tasks": covered}, json)
        for usage in covered if json != STDOUT else []:
            print_table(coverage_table(usage), digits=1)
            off = f", {usage.off:,} events off the flow" if usage.off else ""
            typer.echo(f"{usage.task}: {usage.dialogues:,} dialogues{off}")
        return
    names = track(targets, "tasks", len(targets))
    diagnoses = [examine(pack.document(name), number, seed) for name in names]
    wrong = [each for name in targets for each in _goals(name, goals, seed)]
    report({"number": number, "seed": seed, "tasks": diagnoses, "goals": wrong}, json)
    if json != STDOUT:
        _show(diagnoses)
        for each in wrong:
            typer.echo(f"{each.task}: goal {each.goal}: {each.severity}: {each.what}")
    errors = any(each.severity == "error" for each in wrong)
    if errors or any(diagnosis.errors for diagnosis in diagnoses):
        raise typer.Exit(1)


def _goals(name: str, path: Path | None, seed: int) -> list[GoalFinding]:
    from dialoom.play.running.goal_check import GOALS, check_goals
    from dialoom.play.users.goals import read_goals
    from dialoom.schema import pack

    task = pack.resolve(name)
    extras = [] if path is None else list(read_goals(path, {task.id: task}))
    return list(check_goals(task, seed, GOALS, extras))


def _show(diagnoses: list[Diagnosis]) -> None:
    from dialoom.quality.coverage import coverage_table

    if len(diagnoses) == 1:
        print_table(coverage_table(diagnoses[0].coverage), digits=1)
    else:
        rows = [_row(diagnosis) for diagnosis in diagnoses]
        print_table(ResultTable("", TABLE, rows), digits=1)
    for diagnosis in diagnoses:
        for finding in diagnosis.findings:
            typer.echo(str(finding))
    errors = sum(diagnosis.errors for diagnosis in diagnoses)
    warned = (each for diagnosis in diagnoses for each in diagnosis.findings)
    warnings = sum(finding.severity == "warning" for finding in warned)
    dialogues, ended = sum(d.dialogues for d in diagnoses), sum(d.ended for d in diagnoses)
    reached = sum(diagnosis.reached for diagnosis in diagnoses)
    typer.echo(
        f"{counted(dialogues, 'dialogue')}, {ended:,} ended, {reached:,} reached their goal: "
        f"{counted(errors, 'error')}, {counted(warnings, 'warning')}"
    )


def _row(diagnosis: Diagnosis) -> list[str | int | float | None]:
    kinds = ("nodes", "edges", "values", "templates")
    shares = (diagnosis.coverage.share(kind) for kind in kinds)
    return [
        diagnosis.task,
        round(100 * diagnosis.reached / diagnosis.dialogues, 1),
        *(None if share is None else round(100 * share, 1) for share in shares),
        len(diagnosis.findings),
    ]


def _cover(names: Iterable[str], corpus: Corpus) -> list[Coverage]:
    from dialoom.dialogue import views
    from dialoom.quality.coverage import CoverageCounter
    from dialoom.schema import pack

    countings = [CoverageCounter(pack.resolve(name)) for name in names]
    by_name = {name: counter for counter in countings for name in counter.names}
    for dialogue in corpus.tracked():
        matches = (by_name.get(name) for name in views.tasks(dialogue))
        for counting in dict.fromkeys(counter for counter in matches if counter is not None):
            counting.add(dialogue)
    return [counting.result() for counting in countings]
