"""A run of `dialoom play`, or two of the same goals: scores, failures, and single dialogues."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from pathlib import Path

import msgspec

from dialoom.collect.message import Refused
from dialoom.corpus.shards import MANIFEST
from dialoom.dialogue import Dialogue, Query, Utterance
from dialoom.dialogue.views import label
from dialoom.errors import DialoomError, clip
from dialoom.play.results.failure import FAILURES, FailureClass, differences, failure_of
from dialoom.play.results.paired import by_trial
from dialoom.play.results.report import (
    made_table,
    named,
    outcome_facts,
    paired_tables,
    pass_hat_tables,
    scores_tables,
    task_table,
)
from dialoom.play.results.run import PlayedDialogue, PlayRun, read_run
from dialoom.render.tables import ResultTable, numeric, spell
from dialoom.studio.corpora.dialogue_view import ShownLine, shown_lines
from dialoom.studio.folder import StudioFolder
from dialoom.studio.routes import reads
from dialoom.studio.runs.recognising import place_of

_TASK = re.compile(r"^task:\s*[\"']?([^\"'#\s]+)", re.MULTILINE)
_KEY = re.compile(r"^\s+(?:-\s+)?[\"']?([\w.-]+)[\"']?\s*:")

MOST = 4_000_000
"""Most bytes of a task file."""


class RunsOf(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A run, and another one to compare it with; empty for none."""

    path: str
    other: str = ""


class PlayedOf(RunsOf, frozen=True, kw_only=True):
    """A dialogue of a run by its id."""

    id: str


class PlayedRow(msgspec.Struct, frozen=True):
    """A dialogue in the list of a run.

    Attributes:
        failure: The class of its failure; None where it reached its goal.
        what: The first difference from its target.
        other: Whether the other run reached the goal in this trial; None without one.
    """

    id: str
    task: str
    goal: int
    trial: int
    failure: FailureClass | None
    what: str
    turns: int
    other: bool | None


class ShownTable(msgspec.Struct, frozen=True):
    """A table with its title and notes; `numeric` marks the columns of numbers."""

    title: str
    header: tuple[str, ...]
    rows: list[list[str]]
    numeric: list[bool]
    notes: tuple[str, ...]

    @classmethod
    def of(cls, table: ResultTable) -> ShownTable:
        """Return a table for the page."""
        rows = [[spell(cell, thousands=True) for cell in row] for row in table.rows]
        numbers = [numeric(table.rows, place) for place in range(len(table.header))]
        return cls(table.title, table.header, rows, numbers, table.notes)


class ShownRun(msgspec.Struct, frozen=True):
    """A run, or two: tables, the meaning of the classes of failures, and all dialogues.

    Attributes:
        unpaired: Why the other run cannot be compared; empty where it can.
    """

    names: list[str]
    user: str
    success: list[float | None]
    tables: list[ShownTable]
    classes: dict[str, str]
    dialogues: list[PlayedRow]
    unpaired: str


class TaskPlace(msgspec.Struct, frozen=True):
    """A task's file below the studio's folder, and the line (from 1) of each of its names."""

    path: str
    lines: dict[str, int]


class ShownPlayed(msgspec.Struct, frozen=True):
    """A dialogue of a run next to its outcome, with the lines of the task files it comes from."""

    id: str
    failure: FailureClass | None
    differences: list[str]
    facts: list[tuple[str, list[str]]]
    lines: list[ShownLine]
    tasks: list[TaskPlace]
    names: dict[int, str]


def _run(folder: StudioFolder, name: str) -> PlayRun:
    path = place_of(folder, name, "run")
    return _read(path, (path / MANIFEST).stat().st_mtime_ns)


@lru_cache(maxsize=4)
def _read(path: Path, changed: int) -> PlayRun:
    return read_run(path)


def run(folder: StudioFolder, request: RunsOf) -> ShownRun:
    """Return a run with its figures and dialogues, paired with another one if that is named."""
    runs, unpaired = [_run(folder, request.path)], ""
    tables: list[ResultTable] = []
    if request.other:
        runs.append(_run(folder, request.other))
        try:
            tables += paired_tables(runs)
        except DialoomError as error:
            unpaired = str(error)
            del runs[1]
    tables[:0] = [*scores_tables(runs), *pass_hat_tables(runs), task_table(runs)]
    tables.append(made_table(runs))
    return ShownRun(
        names=named(runs),
        user=str(runs[0].settings["user"]),
        success=[each.success for each in runs],
        tables=[ShownTable.of(table) for table in tables],
        classes={str(name): what for name, what in FAILURES.items()},
        dialogues=list(_rows(runs)),
        unpaired=unpaired,
    )


def _rows(runs: list[PlayRun]) -> Iterator[PlayedRow]:
    others = by_trial(runs[1]) if len(runs) > 1 else {}
    for dialogue, verdict in runs[0].dialogues:
        trial = int(verdict.verdict.get("trial", 0))
        paired = others.get((verdict.task, verdict.goal, trial))
        failure = failure_of(verdict)
        yield PlayedRow(
            id=dialogue.id,
            task=verdict.task,
            goal=verdict.goal,
            trial=trial,
            failure=failure,
            what=next(differences(verdict), "") if failure else "",
            turns=int(verdict.verdict.get("turns", 0)),
            other=None if paired is None else paired.passed,
        )


def dialogue(folder: StudioFolder, request: PlayedOf) -> ShownPlayed:
    """Return a dialogue of a run next to its outcome."""
    record = _held(_run(folder, request.path), request.id)
    names = _names(record.dialogue)
    scenario = record.dialogue.scenario
    tasks = {each.task for each in scenario.capabilities} if scenario else set()
    return ShownPlayed(
        id=record.dialogue.id,
        failure=failure_of(record.played),
        differences=list(differences(record.played)),
        facts=outcome_facts(record.played),
        lines=list(shown_lines(record.dialogue, {})),
        tasks=places(folder, tasks, set(names.values())),
        names=names,
    )


def _held(run: PlayRun, id: str) -> PlayedDialogue:
    for each in run.dialogues:
        if each.dialogue.id == id:
            return each
    raise Refused("unknown", f"{run.path.name}: has no dialogue {clip(id)}")


def _names(dialogue: Dialogue) -> dict[int, str]:
    names: dict[int, str] = {}
    for index, event in enumerate(dialogue.events):
        if isinstance(event, Query):
            names[index] = event.api
        elif isinstance(event, Utterance) and (name := label(event)):
            names[index] = name
    return names


def places(folder: StudioFolder, tasks: Collection[str], names: Collection[str]) -> list[TaskPlace]:
    """Return the files of some tasks, with the lines where some names are defined."""
    matches = []
    for entry in folder.entries:
        if entry.view == "tasks":
            file = folder.inside(entry.path)
            try:
                text = file.read_text("utf-8") if file.stat().st_size <= MOST else ""
            except (OSError, UnicodeDecodeError):
                continue
            task = _TASK.search(text)
            if task is not None and task[1] in tasks:
                matches.append(TaskPlace(entry.path, _lines(text, names)))
    return matches


def _lines(text: str, names: Collection[str]) -> dict[str, int]:
    """Return where names are keys; the last such line, as the flow comes after slots and calls."""
    numbers: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        key = _KEY.match(line)
        if key is not None and key[1] in names:
            numbers[key[1]] = number
    return numbers


ROUTES = [
    reads("/api/runs/run", RunsOf, run),
    reads("/api/runs/dialogue", PlayedOf, dialogue),
]
