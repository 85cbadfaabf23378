"""A run on disk: a native corpus whose manifest has the record of the run.

`dialogues` is a list, so the whole run is in memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from dialoom.corpus.shards import MANIFEST, render_lines, write_manifest, write_schemas, write_shard
from dialoom.dialogue import Dialogue
from dialoom.errors import FormatError, MissingDataError
from dialoom.formats.native import FORMAT
from dialoom.play.results.failure import FailureClass, failure_of
from dialoom.play.results.summary import Played, played, summarise, table
from dialoom.render.tables import ResultTable, spell
from dialoom.schema.task import TaskSchema

KIND = "played"


class PlayedDialogue(NamedTuple):
    """A dialogue of a run with its recorded verdict."""

    dialogue: Dialogue
    played: Played


class PlayRun:
    """A finished run: its record, and its dialogues in the order of the plan."""

    def __init__(
        self, path: Path, settings: dict[str, Any], dialogues: list[PlayedDialogue]
    ) -> None:
        self.path, self.settings, self.dialogues = path, settings, dialogues

    @cached_property
    def tasks(self) -> Mapping[str, TaskSchema]:
        """Its tasks, as they were when it was played."""
        return FORMAT.schemas(self.path)

    @cached_property
    def summary(self) -> dict[str, Any]:
        """Its figures (`summarise`)."""
        spent = self.settings.get("spent", {})
        return summarise([each.played for each in self.dialogues], spent)

    @property
    def success(self) -> float | None:
        """Success in per cent of the dialogues with a result; None where there are none."""
        percent: float | None = self.summary["all"]["success"]
        return percent

    @property
    def table(self) -> ResultTable:
        """The table of figures by task."""
        return table(self.summary, self.settings["agent"], self.settings["user"])

    def __repr__(self) -> str:
        many = self.summary["all"]["trials"] - self.summary["all"]["no_result"]
        success = spell(self.success, digits=1)
        return f"<run of {self.settings['agent']}: success {success} % of {many} with a result>"

    def _repr_html_(self) -> str:
        return self.table._repr_html_()

    def missed(self) -> Iterator[tuple[FailureClass, PlayedDialogue]]:
        """Yield the dialogues that missed their goal, with the class of the failure."""
        for each in self.dialogues:
            failure = failure_of(each.played)
            if failure is not None:
                yield failure, each


def write_run(
    dialogues: Iterable[PlayedDialogue],
    settings: Mapping[str, Any],
    tasks: Mapping[str, TaskSchema],
    folder: Path,
) -> None:
    """Write a run into a staged folder."""
    lines = render_lines(each.dialogue for each in dialogues)
    shard = write_shard(folder, 0, lines, lines.count(b"\n"))
    write_manifest(folder, [shard], write_schemas(tasks, folder), {KIND: dict(settings)})


def read_run(path: Path) -> PlayRun:
    """Read a run from its folder; `FormatError` if its corpus is not of a run."""
    if not (path / MANIFEST).is_file():
        raise MissingDataError(
            f"{path}: no run here, which dialoom play --out writes", code="no-files"
        )
    settings = FORMAT.manifest(path).extra.get(KIND)
    if not isinstance(settings, dict):
        raise FormatError(
            path / MANIFEST, "no run, which dialoom play --out writes", code="no-file"
        )
    dialogues = (each for file in FORMAT.files(path) for each in FORMAT.read_file(file, path))
    return PlayRun(path, settings, [PlayedDialogue(d, p) for d in dialogues if (p := played(d))])
