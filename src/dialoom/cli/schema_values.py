"""`dialoom schema values` and `find`: how values are said, and where texts have them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dialoom.cli.command import Bounds

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dialoom.schema.slot import Slot
    from dialoom.schema.task import TaskSchema

SHOWN = 4
"""Renderings of a value that a table shows; --json has all."""

TaskArgument = Annotated[
    str,
    typer.Argument(
        metavar="TASK",
        help="A task file, a bundled task or service, or a folder or file of published schemas.",
    ),
]
TaskOption = Annotated[
    str | None, typer.Option("--task", help="The task or service, where TASK holds several.")
]


def values(
    task: TaskArgument,
    name: TaskOption = None,
    most: Annotated[int, Bounds(1, 10**6)] = 30,
    json: Path | None = None,
) -> None:
    """Show sample values of each slot with the ways they are said, the plain one first.

    Ranges longer than --most are sampled evenly. JSON holds for each slot
    its type and its values, each with all its renderings.

    Example: dialoom schema values hotel_book

    Example: dialoom schema values corpora/sgd/dev --task Banks_2 --json -

    Args:
        most: Most values to show of a slot.
        json: Write the result to this JSON file; - is stdout.
    """
    from dialoom.cli.output import write_json
    from dialoom.schema.values import said_values

    schema, slots = _slots(task, name)
    samples = {slot.name: said_values(slot, schema.language, most) for slot in slots.values()}
    if json is not None:
        described = {
            key: {"type": slots[key].type, "values": found} for key, found in samples.items()
        }
        report = {"task": schema.id, "language": schema.language, "slots": described}
        write_json(report, json)
        return
    rows = [
        [slot, str(each["value"]), " | ".join(each["renderings"][:SHOWN]), len(each["renderings"])]
        for slot, found in samples.items()
        for each in found
    ]
    print_table(["slot", "value", "said", "ways"], rows)


def find(
    task: TaskArgument,
    lines: Path,
    name: TaskOption = None,
    json: Path | None = None,
) -> None:
    """Find the values of a task's slots in texts: slot, value, start, end and confidence.

    A part of a text that several slots could mean is a mention of each, and one inside a longer
    one is there as well, with less confidence. JSON is a list with the text and the mentions of
    each line; start and end count Unicode code points, the end is exclusive.

    Example: dialoom schema find hotel_book --lines said.txt --json mentions.json

    Args:
        lines (--lines): A file with one text a line; - is standard input.
        json: Write the mentions to this JSON file; - is stdout.
    """
    from dialoom.cli.output import write_json
    from dialoom.schema.values import find as mentions_of

    schema, slots = _slots(task, name)
    texts = texts_of_file(lines)
    found = [mentions_of(text, slots.values(), schema.language) for text in texts]
    if json is not None:
        pairs = zip(texts, found, strict=True)
        write_json([{"text": text, "mentions": each} for text, each in pairs], json)
        return
    rows = [
        [number, each.slot, str(each.value), text[each.start : each.end], each.confidence]
        for number, (text, mentions) in enumerate(zip(texts, found, strict=True), 1)
        for each in mentions
    ]
    print_table(["line", "slot", "value", "said", "confidence"], rows)


def _slots(source: str, name: str | None) -> tuple[TaskSchema, Mapping[str, Slot]]:
    """Return a task and its slots; `UsageError` for several tasks, or one without slots."""
    from dialoom.errors import UsageError

    schema = one_task(source, name)
    if not schema.slots:
        raise UsageError(f"the task {schema.id} has no slots")
    return schema, schema.slots


def one_task(source: str, name: str | None) -> TaskSchema:
    """Return the task of a file, name or folder; `UsageError` for several."""
    from dialoom.cli.schema_exchange import several
    from dialoom.errors import UsageError
    from dialoom.schema.task import resolve
    from dialoom.sim.policies.agenda.services import bundled

    packs = bundled()
    services = {key: task for pack in packs.values() for key, (task, _) in pack.items()}
    if source in packs:
        tasks = {key: services[key] for key in packs[source]}
    else:
        tasks = {source: services[source]} if source in services else several([source])
    if name is None and len(tasks) != 1:
        raise UsageError(f"{source} holds {len(tasks)} tasks; name one of them with --task")
    return tasks[resolve(name, tasks)] if name is not None else next(iter(tasks.values()))


def print_table(header: list[str], rows: list[list[Any]]) -> None:
    """Print a table."""
    from rich.console import Console

    from dialoom.render.tables import to_rich

    Console().print(to_rich(header, rows))


def texts_of_file(file: Path) -> list[str]:
    """Return the lines of a file; `UsageError` if it is not UTF-8."""
    import sys

    from dialoom.cli.output import STDOUT
    from dialoom.corpus.files import read_bytes
    from dialoom.errors import UsageError

    data = sys.stdin.buffer.read() if file == STDOUT else read_bytes(file)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UsageError(f"{file}, line {line}: not UTF-8; save the file as UTF-8") from error
    texts = text.split("\n")
    return [each.removesuffix("\r") for each in (texts[:-1] if texts[-1] == "" else texts)]
