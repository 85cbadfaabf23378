"""`dialoom schema values`, `find` and `hear`: how values are said, and what texts say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from dialoom.cli.command import Bounds, Help
from dialoom.cli.options import JsonLines
from dialoom.cli.output import STDOUT, print_table, write_json, write_lines
from dialoom.errors import UsageError
from dialoom.render.progress import track
from dialoom.render.tables import ResultTable, Row

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dialoom.dialogue import Utterance
    from dialoom.reading.stances import TurnInContext
    from dialoom.schema.slot import Slot
    from dialoom.schema.task import TaskSchema


SHOWN = 4
"""Renderings of a value that a table shows; --json has all."""

TaskArgument = Annotated[
    str,
    Help(
        "A task file, a bundled task or service, or a folder or file of published schemas.", "TASK"
    ),
]
TaskOption = Annotated[str | None, Help("The task or service, where TASK holds several.", "--task")]


def values(
    task: TaskArgument,
    name: TaskOption = None,
    most: Annotated[int, Bounds(1, 10**6)] = 30,
    json: Path | None = None,
) -> None:
    """Show sample values of each slot with their renderings, the plain one first.

    Ranges longer than --most are sampled evenly. JSON holds for each slot
    its type and its values, each with all its renderings.

    Example: dialoom schema values hotel_book

    Example: dialoom schema values corpora/sgd/dev --task Banks_2 --json -

    Args:
        most: Most values to show of a slot.
        json: Write the result to this JSON file; - is stdout.
    """
    from dialoom.schema.values import said_values

    schema, slots = _slots(task, name)
    samples = {slot.name: said_values(slot, schema.language, most) for slot in slots.values()}
    if json is not None:
        described = {
            key: {"type": slots[key].type, "values": entries} for key, entries in samples.items()
        }
        report = {"task": schema.id, "language": schema.language, "slots": described}
        write_json(report, json)
        return
    rows: list[Row] = [
        [slot, str(each["value"]), " | ".join(each["renderings"][:SHOWN]), len(each["renderings"])]
        for slot, entries in samples.items()
        for each in entries
    ]
    print_table(ResultTable("", ("slot", "value", "said", "ways"), rows))


def find(
    task: TaskArgument,
    lines: Path,
    name: TaskOption = None,
    json: Path | None = None,
) -> None:
    """Find the values of a task's slots in texts: slot, value, start, end and confidence.

    Text that fits several slots is a mention of each. A mention inside a longer one is listed too,
    with less confidence. JSON is a list with the text and the mentions of
    each line; start and end count Unicode code points, the end is exclusive.

    Example: dialoom schema find hotel_book --lines said.txt --json mentions.json

    Args:
        lines (--lines): A file with one text a line; - is standard input.
        json: Write the mentions to this JSON file; - is stdout.
    """
    from dialoom.schema.values import find as mentions_of

    schema, slots = _slots(task, name)
    texts = texts_of_file(lines)
    matches = [mentions_of(text, slots.values(), schema.language) for text in texts]
    if json is not None:
        pairs = zip(texts, matches, strict=True)
        write_json([{"text": text, "mentions": each} for text, each in pairs], json)
        return
    rows: list[Row] = [
        [number, each.slot, str(each.value), text[each.start : each.end], each.confidence]
        for number, (text, mentions) in enumerate(zip(texts, matches, strict=True), 1)
        for each in mentions
    ]
    print_table(ResultTable("", ("line", "slot", "value", "said", "confidence"), rows))


def _slots(source: str, name: str | None) -> tuple[TaskSchema, Mapping[str, Slot]]:
    schema = one_task(source, name)
    if not schema.slots:
        raise UsageError(f"the task {schema.id} has no slots", code="unfit-task")
    return schema, schema.slots


def one_task(source: str, name: str | None) -> TaskSchema:
    """Return the task of a file, name or folder; `UsageError` for several."""
    from dialoom.cli.schema_exchange import several
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


def texts_of_file(file: Path) -> list[str]:
    """Return the lines of a file; `UsageError` if it is not UTF-8."""
    import sys

    from dialoom.corpus.files import read_bytes

    data = sys.stdin.buffer.read() if file == STDOUT else read_bytes(file)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UsageError(
            f"{file}, line {line}: not UTF-8; save the file as UTF-8", code="not-utf-8"
        ) from error
    texts = text.split("\n")
    return [each.removesuffix("\r") for each in (texts[:-1] if texts[-1] == "" else texts)]


HEAD = ("line", "action", "function", "asks for", "values", "certainty")


def hear(
    task: TaskArgument,
    lines: Path,
    as_: Literal["system", "user", "dialogue"] = "system",
    name: TaskOption = None,
    json: JsonLines = None,
) -> None:
    """Interpret lines in free wording: the action, questions and values of each.

    JSON has one object for each line: `action` (the task's label for what is said, or null),
    `function` (greeting, request, offer, …), `asks` (the slots asked for), `mentions` (slot, value,
    start, end and confidence) and `certainty` (0 to 1). Turns of a dialogue are read in context:
    they also have `speaker`, `stances` (whether each mention agrees with what is known, contradicts
    it or adds to it) and `open` (the slots for which the user takes any value).

    Example: dialoom schema hear hotel_book --lines replies.txt --as system --json -

    Args:
        lines (--lines): A file with one text a line; - is standard input.
        as_: Speaker of the lines; of a dialogue, each line begins with `user:` or `system:`.
    """
    from dialoom.reading.stances import heard_alone, heard_dialogue
    from dialoom.schema.services import to_task

    task_, texts = one_task(task, name), list(texts_of_file(lines))
    task_ = task_ if task_.flow.nodes or not task_.calls else to_task(task_)
    in_turn = as_ == "dialogue"
    turns = heard_dialogue(task_, [*_in_turn(texts)]) if in_turn else heard_alone(task_, texts, as_)
    rows = track(turns, "lines read", len(texts))
    if json is None:
        cells = [[number, *_cells(turn)] for number, turn in enumerate(rows, 1)]
        print_table(ResultTable("", HEAD, cells))
        return
    write_lines((_row(turn, in_turn) for turn in rows), json)


def _in_turn(texts: Iterable[str]) -> Iterator[Utterance]:
    from dialoom.dialogue import SYSTEM, USER, Utterance

    for number, line in enumerate(texts, 1):
        speaker, colon, text = line.partition(":")
        if not colon or speaker.strip().lower() not in (SYSTEM, USER):
            raise UsageError(
                f"--as dialogue, line {number}: each line begins with its speaker, "
                f"`{USER}:` or `{SYSTEM}:`"
            )
        yield Utterance(agent=speaker.strip().lower(), text=text.strip())


def _row(analysis: TurnInContext, in_turn: bool) -> dict[str, Any]:
    stances = [each.stance for each in analysis.stances]
    context = {"speaker": analysis.speaker, "stances": stances, "open": analysis.open}
    return analysis.record | (context if in_turn else {})


def _cells(analysis: TurnInContext) -> list[Any]:
    turn, stances = analysis.turn, analysis.stances
    pairs = [f"{each.slot}={each.value}" for each in turn.mentions]
    if stances:
        pairs = [f"{each} ({of.stance})" for each, of in zip(pairs, stances, strict=True)]
    values = ", ".join(pairs)
    certainty = round(turn.certainty, 2)
    return [turn.action or "", turn.function or "", ", ".join(turn.asks), values, certainty]
