"""`dialoom schema`: task files checked, shown, drawn, begun, compared and tried out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dialoom.cli.command import Bounds, Commands, Help
from dialoom.cli.options import JsonFile, JsonLines, OutFile, Seed, TaskName, TaskNames
from dialoom.cli.output import STDOUT, print_table, report, write_lines, write_text
from dialoom.cli.schema_exchange import import_, induce, jsonschema, tools
from dialoom.cli.schema_values import find, hear, values
from dialoom.cli.schema_variant import variant
from dialoom.render.progress import track
from dialoom.render.tables import ResultTable, counted
from dialoom.render.transcript import clean

if TYPE_CHECKING:
    from dialoom.corpus import Corpus
    from dialoom.play.running.goal_check import GoalFinding
    from dialoom.quality.coverage import Coverage
    from dialoom.quality.doctor import Diagnosis
    from dialoom.quality.impact import Effect
    from dialoom.schema.diff import Change

schema_app = Commands("schema", "Check, show, draw and write task files.")


@schema_app.command()
def check(tasks: TaskNames, json: JsonLines = None) -> None:
    """Report every error and warning with its place; exits 1 if there is an error.

    Story files are checked as well (docs/how-to/stories.md).

    Example: dialoom schema check my_task.yaml --json findings.jsonl
    """
    from dialoom.schema import pack
    from dialoom.schema.yaml.reading import review
    from dialoom.sim.stories.reading import review_story

    names = pack.expand(tasks)
    reports = (review_story(name) or review(pack.document(name)) for name in names)
    findings = [finding for report in reports for finding in report]
    if json is not None:
        write_lines(findings, json)
    count = Counter(finding.severity for finding in findings)
    if json != STDOUT:
        for finding in findings:
            typer.echo(str(finding))
        wrong = [counted(count[each], each) for each in ("error", "warning")]
        wrong += [counted(count["information"], "draft")] if count["information"] else []
        typer.echo(f"{counted(len(names), 'task')}: {', '.join(wrong)}")
    if count["error"]:
        raise typer.Exit(1)


@schema_app.command()
def show(task: TaskName) -> None:
    """Print a task's slots, tables, calls and flow as text.

    Example: dialoom schema show hotel_book
    """
    from dialoom.schema import pack
    from dialoom.schema.outline import outline

    text = outline(pack.resolve(task))
    typer.echo("\n".join(clean(line) for line in text.splitlines()))


@schema_app.command()
def render(task: TaskName, out: OutFile = None) -> None:
    """Draw a task's flow graph as a chart (SVG).

    Example: dialoom schema render hotel_book --out hotel_book.svg
    """
    from dialoom.schema import pack
    from dialoom.schema.flowchart import draw

    write_text(draw(pack.resolve(task)), out)


@schema_app.command()
def new(name: str, out: OutFile = None) -> None:
    """Write a commented task file to start from; it passes `schema check` as it is.

    Example: dialoom schema new pizza_order --out pizza_order.yaml

    Args:
        name (NAME): The task's id, in lower_snake_case.
    """
    from dialoom.schema.pack import starter

    write_text(starter(name), out, fresh=True)


SHOWN = 20
"""Lines of one kind that are printed; --json has all."""

_SCHEMA = "A task file, a bundled task, `all` of those, or a folder or file of published schemas."


def diff(
    old: Annotated[str, Help(_SCHEMA, "OLD")],
    new: Annotated[str, Help(_SCHEMA, "NEW")],
    corpus: Path | None = None,
    format_: str | None = None,
    json: JsonFile = None,
) -> None:
    """List the differences of two schemas, and the annotations of a corpus that they break.

    Lists added, removed, changed and (probably) renamed slots, values, intents, calls and steps of
    the flow. With a corpus, also the annotated actions that OLD permits and NEW does not, and parts
    of NEW that no dialogue uses. Exits 1 if an annotation became illegal.

    Example: dialoom schema diff old_hotel.yaml hotel_book corpora/dialogues

    Example: dialoom schema diff corpora/sgd/dev new/schema.json corpora/sgd/dev --json diff.json

    Args:
        corpus ([CORPUS]): Dialogues that were annotated under OLD.
        format_: The corpus's format; detected when absent.
    """
    from dialoom import formats
    from dialoom.cli.schema_exchange import several
    from dialoom.quality.impact import weigh
    from dialoom.schema.diff import compare

    before, after = several([old]), several([new])
    changes = compare(before, after)
    effect = None
    if corpus is not None:
        effect = weigh(formats.load(corpus, format_).tracked(), before, after)
    summary: dict[str, Any] = {"changes": changes} | (effect.data() if effect else {})
    report(summary, json, _lines(changes, effect))
    if effect is not None and effect.illegal:
        raise typer.Exit(1)


def _lines(changes: list[Change], effect: Effect | None) -> Iterator[str]:
    kinds: dict[str, list[Change]] = {}
    for change in changes:
        kinds.setdefault(f"{change.what} {change.how}", []).append(change)
    for group in kinds.values():
        yield from _listed(map(str, group))
    yield "1 change" if len(changes) == 1 else f"{len(changes) or 'no'} changes"
    if effect is None:
        return
    yield from _listed(f"illegal now: {tally}" for tally in effect.illegal)
    yield from _listed(f"missing now: {tally}" for tally in effect.missing)
    broken = sum(tally.count for tally in effect.illegal)
    yield (
        f"{effect.dialogues} dialogues: {broken} annotated actions became illegal, "
        f"{len(effect.missing)} things of the new schema never occur"
    )


def _listed(lines: Iterable[str]) -> Iterator[str]:
    texts = list(lines)
    yield from map(clean, texts[:SHOWN])
    if len(texts) > SHOWN:
        yield f"  … and {len(texts) - SHOWN} more of this kind; --json lists all"


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


schema_app.command("import")(import_)
for command in (induce, values, find, hear, jsonschema, tools, variant, diff, doctor):
    schema_app.command()(command)
