"""Parquet: two tables that DuckDB, pandas and HF datasets read without dialoom.

    dialogues.parquet   id       services           events  outcome   scenario
                        "1_001"  ["Restaurants_1"]  14      NULL      NULL
    turns.parquet       dialogue_index  dialogue_id  index  agent  type       text        acts
                        0               "1_001"      0      user   utterance  "For two."  [[…]]
    schemas.parquet     id, name, language, task

A row a dialogue, a row an event; the rows of `turns` that belong to a dialogue are those with its
place in `dialogues` as `dialogue_index`, for ids may repeat. Nested parts are JSON text, so that
every value survives. Of the published annotation, `services`, `acts`, `spans`, `states`, `frames`
and `active_frames` are lists of the same length, with an entry for each part. What no column names
is in `rest`, and the annotation of other sources in `layers`. It holds everything, and the same
dialogues give the same bytes.

    datasets.load_dataset("folder", "turns", split="train")    # or "dialogues", "schemas"

    SELECT t.text, json_extract_string(t.acts, '$[*][*].name')
    FROM 'turns.parquet' t JOIN 'dialogues.parquet' d ON t.dialogue_id = d.id
    WHERE t.agent = 'user' AND list_contains(d.services, 'Restaurants_1')
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from dialoom.corpus.format import PlainNames
from dialoom.corpus.traits import NO_TRAITS
from dialoom.dialogue import Dialogue
from dialoom.dialogue.event import Event
from dialoom.errors import FormatError, MissingDataError, MissingExtraError
from dialoom.formats.parquet import rows
from dialoom.schema.task import TaskSchema

DIALOGUES, TURNS, SCHEMAS = "dialogues.parquet", "turns.parquet", "schemas.parquet"

README = "README.md"
"""Its head names the tables for HF datasets."""

EXTRA = "scale"
"""The extra that brings pyarrow."""

MAGIC = b"PAR1"


def _tables() -> ModuleType:
    """Import what needs pyarrow.

    Raises:
        MissingExtraError: It is not installed.
    """
    try:
        from dialoom.formats.parquet import tables
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "pyarrow":
            raise MissingExtraError("the format parquet", EXTRA) from error
        raise
    return tables


class ParquetFormat(PlainNames):
    """Reads and writes the two tables and the table of schemas."""

    name = "parquet"
    traits = NO_TRAITS

    def detect(self, path: Path) -> bool:
        """Tell whether both tables lie here; another table of dialogues is not ours."""
        folder = path if path.is_dir() else path.parent
        if not path.is_dir() and path.name != DIALOGUES:
            return False
        if not ((folder / DIALOGUES).is_file() and (folder / TURNS).is_file()):
            return False
        try:
            with (folder / DIALOGUES).open("rb") as file:
                return file.read(len(MAGIC)) == MAGIC
        except OSError:
            return False

    def files(self, path: Path) -> list[Path]:
        """Return the table of dialogues; that of the turns lies beside it, and is named in it.

        Raises:
            MissingDataError: One of the two is not there.
        """
        if path.is_file() and path.name != DIALOGUES:
            raise MissingDataError(f"{path}: name the folder, or its {DIALOGUES}")
        file = path if path.is_file() else path / DIALOGUES
        for each in (file, file.with_name(TURNS)):
            if not each.is_file():
                raise MissingDataError(f"{each}: no such table")
        return [file]

    def read_file(self, file: Path, root: Path) -> Iterator[Dialogue]:
        """Yield the dialogues, row group by row group.

        Raises:
            MissingExtraError: pyarrow is not installed.
            FormatError: The tables are damaged, or do not belong together.
        """
        tables = _tables()
        turns = file.with_name(TURNS)
        events = tables.read(turns, rows.TURNS)
        for index, row in enumerate(tables.read(file, rows.DIALOGUES)):
            found = [
                _event(next(events, None), (index, number), turns)
                for number in range(_count(row, file))
            ]
            yield rows.dialogue(row, found, file)
        if next(events, None) is not None:
            raise FormatError(turns, f"has turns after those of the last dialogue of {DIALOGUES}")

    def schemas(self, path: Path) -> dict[str, TaskSchema]:
        """Read the table of schemas; empty without one."""
        file = (path if path.is_dir() else path.parent) / SCHEMAS
        if not file.is_file():
            return {}
        tasks = (rows.task(row, file) for row in _tables().read(file, rows.SCHEMAS))
        return {task.id: task for task in tasks}

    def write(
        self, dialogues: Iterable[Dialogue], schemas: Mapping[str, TaskSchema], target: Path
    ) -> None:
        """Write the tables, row group by row group.

        Raises:
            MissingExtraError: pyarrow is not installed.
        """
        tables = _tables()
        with (target / DIALOGUES).open("wb") as one, (target / TURNS).open("wb") as many:
            tables.write(dialogues, one, many)
        (target / README).write_text(_configs(schemas=bool(schemas)), encoding="utf-8")
        if schemas:
            with (target / SCHEMAS).open("wb") as file:
                tables.write_schemas([rows.task_row(task) for task in schemas.values()], file)

    def render_file(self, dialogues: list[Dialogue]) -> bytes:
        """Return the table of these dialogues; it names the content of that of their turns."""
        table = io.BytesIO()
        _tables().write(dialogues, table, io.BytesIO())
        return table.getvalue()


def _configs(*, schemas: bool) -> str:
    """Return what tells HF datasets that each table is a data set of its own."""
    lines = ["---", "configs:"]
    for table in (DIALOGUES, TURNS, *([SCHEMAS] if schemas else [])):
        lines += [f"- config_name: {Path(table).stem}", f"  data_files: {table}"]
        lines += ["  default: true"] if table == DIALOGUES else []
    return "\n".join([*lines, "---", ""])


def _count(row: Mapping[str, Any], file: Path) -> int:
    count = row["events"]
    if not isinstance(count, int) or count < 0:
        raise FormatError(file, f"events is {count!r}, not how many", dialogue=str(row["id"]))
    return count


def _event(row: Mapping[str, Any] | None, place: tuple[int, int], file: Path) -> Event:
    """Return the event of a row, which must be that of this dialogue and index."""
    wanted = "turn {1} of dialogue {0}".format(*place)
    if row is None:
        raise FormatError(file, f"ends before {wanted} of {DIALOGUES}")
    if (row["dialogue_index"], row["index"]) != place:
        found = f"turn {row['index']} of dialogue {row['dialogue_index']}"
        raise FormatError(file, f"{found} where {wanted} must be; order by dialogue_index, index")
    return rows.event(row, file)


FORMAT = ParquetFormat()
"""The format, as the registry knows it."""
