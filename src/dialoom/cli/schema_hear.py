"""`dialoom schema hear`: what lines of the system or of a user say, given a task."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from dialoom.cli.options import JsonLines
from dialoom.cli.schema_values import TaskArgument, TaskOption, print_table, texts_of_file

if TYPE_CHECKING:
    from dialoom.reading.turn import SpokenTurn
    from dialoom.schema.task import TaskSchema

SURE = 0.5
"""Least confidence of a value that the system is said to state: more likely than not."""

HEAD = ["line", "action", "function", "asks for", "values", "certainty"]


def hear(
    task: TaskArgument,
    lines: Annotated[
        Path, typer.Option("--lines", help="A file with one text a line; - is standard input.")
    ],
    as_: Annotated[
        Literal["system", "user"], typer.Option("--as", help="Who says the lines.")
    ] = "system",
    name: TaskOption = None,
    json: JsonLines = None,
) -> None:
    """Read lines in anybody's words: which action of the task each is, and what it asks and states.

    JSON has one object for each line: `action` (the task's label for what is said, or null),
    `function` (greeting, request, offer, …), `asks` (the slots asked for), `mentions` (slot, value,
    start, end and confidence) and `certainty` (0 to 1).

    Example: dialoom schema hear hotel_book --lines replies.txt --as system --json -
    """
    import msgspec

    from dialoom.cli.output import write_out
    from dialoom.cli.schema_values import one_task
    from dialoom.reading.turn import turn_reader
    from dialoom.render.progress import track

    held, texts = one_task(task, name), list(texts_of_file(lines))
    reader = turn_reader(held, as_)
    shape = _of_user if as_ == "user" else _of_system
    turns = [
        shape(held, text, reader.read(text)) for text in track(texts, "lines read", len(texts))
    ]
    if json is not None:
        write_out(b"".join(msgspec.json.encode(_row(turn)) + b"\n" for turn in turns), json)
        return
    print_table(HEAD, [[number, *_cells(turn)] for number, turn in enumerate(turns, 1)])


def _of_system(task: TaskSchema, text: str, turn: SpokenTurn) -> SpokenTurn:
    """Return a line of the system's with the values that it surely states."""
    from msgspec.structs import replace

    sure = tuple(mention for mention in turn.mentions if mention.confidence >= SURE)
    return replace(turn, mentions=sure)


def _of_user(task: TaskSchema, text: str, turn: SpokenTurn) -> SpokenTurn:
    """Return a line of a user's with the values that count; what only gives some informs."""
    from msgspec.structs import replace

    from dialoom.reading.mentions import chooser_of
    from dialoom.reading.turn import SpokenAct
    from dialoom.reading.user_turn import reader_of

    mentions = chooser_of(task).choose(text, ()).mentions
    acts, agreed = turn.acts, reader_of(task).agreed(text)
    if not turn.function:
        answers = {True: "affirm", False: "negate", None: "inform" if mentions else ""}
        acts = (SpokenAct(text, answers[agreed]),)
    return replace(turn, acts=acts, mentions=mentions)


def _row(turn: SpokenTurn) -> dict[str, Any]:
    return {
        "action": turn.action,
        "function": turn.function,
        "asks": turn.asks,
        "mentions": turn.mentions,
        "certainty": round(turn.certainty, 3),
    }


def _cells(turn: SpokenTurn) -> list[Any]:
    values = ", ".join(f"{each.slot}={each.value}" for each in turn.mentions)
    certainty = round(turn.certainty, 2)
    return [turn.action or "", turn.function or "", ", ".join(turn.asks), values, certainty]
