"""`dialoom schema`: task files checked, shown, drawn, begun, imported, induced and compared."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import typer

from dialoom.cli.command import Commands
from dialoom.cli.options import JsonLines, OutFile, TaskName, TaskNames
from dialoom.cli.output import STDOUT, write_out, write_text
from dialoom.cli.schema_diff import diff
from dialoom.cli.schema_exchange import import_, jsonschema, tools
from dialoom.cli.schema_induce import induce
from dialoom.cli.schema_values import find, hear, values
from dialoom.cli.schema_variant import variant
from dialoom.render.tables import counted
from dialoom.render.transcript import clean

if TYPE_CHECKING:
    pass

schema_app = Commands("schema", "Check, show, draw and write task files.")


@schema_app.command()
def check(
    tasks: TaskNames,
    json: JsonLines = None,
) -> None:
    """Report every error and warning with its place; exits 1 if there is an error.

    Story files are checked as well (docs/how-to/stories.md).

    Example: dialoom schema check my_task.yaml --json findings.jsonl
    """
    import msgspec

    from dialoom.schema import pack
    from dialoom.schema.yaml.check import review
    from dialoom.sim.stories.reading import review_story

    names = pack.expand(tasks)
    reports = (review_story(name) or review(pack.document(name)) for name in names)
    findings = [finding for report in reports for finding in report]
    if json is not None:
        write_out(b"".join(msgspec.json.encode(each) + b"\n" for each in findings), json)
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
def new(
    name: str,
    out: OutFile = None,
) -> None:
    """Write a commented task file to start from; it passes `schema check` as it is.

    Example: dialoom schema new pizza_order --out pizza_order.yaml

    Args:
        name (NAME): The task's id, in lower_snake_case.
    """
    from dialoom.schema.pack import starter

    write_text(starter(name), out, fresh=True)


schema_app.command("import")(import_)
for command in (induce, values, find, hear, jsonschema, tools, variant, diff):
    schema_app.command()(command)
