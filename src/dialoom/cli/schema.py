"""`dialoom schema`: task files checked, shown, drawn, begun and imported."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from dialoom.schema.findings import Finding

schema_app = typer.Typer(
    name="schema",
    help="Check, show, draw and write task files.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_TASK_HELP = "A task file, or the name of a bundled task."
_Task = Annotated[str, typer.Argument(metavar="FILE_OR_TASK", help=_TASK_HELP)]
_Out = Annotated[
    Path | None, typer.Option("--out", help="Write it there instead of to standard output.")
]


@schema_app.command()
def check(
    tasks: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE_OR_TASK…", help="Task files, names of bundled tasks, or `all` of those."
        ),
    ],
    json: Annotated[
        Path | None,
        typer.Option("--json", help="Write the findings there, one a line; - is stdout."),
    ] = None,
) -> None:
    """Report every error and warning with its place; exits 1 if there is an error.

    Example: dialoom schema check my_task.yaml --json findings.jsonl
    """
    from dialoom.cli.output import STDOUT
    from dialoom.schema import pack
    from dialoom.schema.check import review

    wanted = [name for task in tasks for name in (pack.names() if task == "all" else (task,))]
    findings = [finding for name in wanted for finding in review(pack.document(name))]
    if json is not None:
        _write_lines(findings, json)
    errors = sum(finding.severity == "error" for finding in findings)
    if json != STDOUT:
        for finding in findings:
            typer.echo(str(finding))
        files = "1 task" if len(wanted) == 1 else f"{len(wanted)} tasks"
        typer.echo(f"{files}: {errors} errors, {len(findings) - errors} warnings")
    if errors:
        raise typer.Exit(1)


def _write_lines(findings: list[Finding], file: Path) -> None:
    import msgspec

    from dialoom.cli.output import write_out

    write_out(b"".join(msgspec.json.encode(finding) + b"\n" for finding in findings), file)


@schema_app.command()
def show(task: _Task) -> None:
    """Print a task's slots, tables, calls and flow as text.

    Example: dialoom schema show hotel_book
    """
    from dialoom.render.transcript import clean
    from dialoom.schema import pack
    from dialoom.schema.outline import outline

    text = outline(pack.resolve(task))
    typer.echo("\n".join(clean(line) for line in text.splitlines()))


@schema_app.command()
def render(task: _Task, out: _Out = None) -> None:
    """Draw a task's flow graph as a chart (SVG).

    Example: dialoom schema render hotel_book --out hotel_book.svg
    """
    from dialoom.schema import pack
    from dialoom.schema.flowchart import draw

    _write(draw(pack.resolve(task)), out)


@schema_app.command()
def new(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="The task's id, in lower_snake_case.")
    ],
    out: _Out = None,
) -> None:
    """Write a commented task file to start from; it passes `schema check` as it is.

    Example: dialoom schema new pizza_order --out pizza_order.yaml
    """
    from dialoom.schema.starter import starter

    _write(starter(name), out, fresh=True)


@schema_app.command("import")
def import_(
    folder: Annotated[
        Path, typer.Argument(metavar="STAR_FOLDER", help="A corpus root with STAR's task schemas.")
    ],
    task: Annotated[str, typer.Option("--task", help="The task: its folder's or printed name.")],
    out: _Out = None,
) -> None:
    """Turn one of STAR's task schemas into a task file, as far as it goes.

    What the published schema does not tell stands as comments in the file: fill it in and check.

    Example: dialoom schema import corpora/star --task hotel_book --out hotel_book.yaml
    """
    from dialoom.formats.star.tasks import read_tasks
    from dialoom.schema.importing import to_task_file
    from dialoom.schema.task import resolve

    tasks = read_tasks(folder)
    _write(to_task_file(tasks[resolve(task, tasks)]), out, fresh=True)


@schema_app.command()
def jsonschema() -> None:
    """Print the JSON Schema of task files, for editors that complete and check as you type.

    Example: dialoom schema jsonschema > task-file.schema.json
    """
    from dialoom.schema.jsonschema import spell

    typer.echo(spell(), nl=False)


def _write(text: str, out: Path | None, *, fresh: bool = False) -> None:
    from dialoom.cli.output import STDOUT, write_out
    from dialoom.corpus.files import exists
    from dialoom.errors import UsageError

    if out is None:
        out = STDOUT
    elif fresh and out != STDOUT and exists(out):
        raise UsageError(f"--out {out}: exists already; name a new file")
    write_out(text.encode(), out)
