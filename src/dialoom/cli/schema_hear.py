"""`dialoom schema hear`: what lines of the system or of a user say, given a task."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from dialoom.cli.options import JsonLines
from dialoom.cli.schema_values import TaskArgument, TaskOption, print_table, texts_of_file

if TYPE_CHECKING:
    from dialoom.dialogue import Utterance
    from dialoom.reading.stances import TurnInContext

HEAD = ["line", "action", "function", "asks for", "values", "certainty"]


def hear(
    task: TaskArgument,
    lines: Path,
    as_: Literal["system", "user", "dialogue"] = "system",
    name: TaskOption = None,
    json: JsonLines = None,
) -> None:
    """Read lines in anybody's words: which action of the task each is, and what it asks and states.

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
    import msgspec

    from dialoom.cli.output import staged_output
    from dialoom.cli.schema_values import one_task
    from dialoom.reading.stances import heard_alone, heard_dialogue
    from dialoom.render.progress import track
    from dialoom.schema.services import to_task

    task_, texts = one_task(task, name), list(texts_of_file(lines))
    task_ = task_ if task_.flow.nodes or not task_.calls else to_task(task_)
    in_turn = as_ == "dialogue"
    turns = heard_dialogue(task_, [*_in_turn(texts)]) if in_turn else heard_alone(task_, texts, as_)
    rows = track(turns, "lines read", len(texts))
    if json is None:
        print_table(HEAD, [[number, *_cells(turn)] for number, turn in enumerate(rows, 1)])
        return
    with staged_output(json) as out:
        for turn in rows:
            out.write(msgspec.json.encode(_row(turn, in_turn)) + b"\n")


def _in_turn(texts: Iterable[str]) -> Iterator[Utterance]:
    """Yield the turns of a dialogue whose lines begin with their speakers."""
    from dialoom.dialogue import SYSTEM, USER, Utterance
    from dialoom.errors import UsageError

    for number, line in enumerate(texts, 1):
        speaker, colon, text = line.partition(":")
        if not colon or speaker.strip().lower() not in (SYSTEM, USER):
            raise UsageError(
                f"--as dialogue, line {number}: each line begins with its speaker, "
                f"`{USER}:` or `{SYSTEM}:`"
            )
        yield Utterance(agent=speaker.strip().lower(), text=text.strip())


def _row(heard: TurnInContext, in_turn: bool) -> dict[str, Any]:
    stances = [each.stance for each in heard.stances]
    context = {"speaker": heard.speaker, "stances": stances, "open": heard.open}
    return heard.record | (context if in_turn else {})


def _cells(heard: TurnInContext) -> list[Any]:
    turn, stances = heard.turn, heard.stances
    named = [f"{each.slot}={each.value}" for each in turn.mentions]
    if stances:
        named = [f"{each} ({of.stance})" for each, of in zip(named, stances, strict=True)]
    values = ", ".join(named)
    certainty = round(turn.certainty, 2)
    return [turn.action or "", turn.function or "", ", ".join(turn.asks), values, certainty]
