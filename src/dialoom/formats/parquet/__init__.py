"""Parquet: two tables that DuckDB, pandas and HF datasets read without dialoom.

    dialogues.parquet   id       services           events  outcome   scenario
                        "1_001"  ["Restaurants_1"]  14      NULL      NULL
    turns.parquet       dialogue_index  dialogue_id  index  agent  type       text        acts
                        0               "1_001"      0      user   utterance  "For two."  [[…]]
    schemas.parquet     id, name, language, task

A row of `dialogues` is a dialogue, a row of `turns` an event. The events of a dialogue have its
index in `dialogues` as `dialogue_index`, since ids may repeat. Nested values are JSON text, so that
none is lost. The published `services`, `acts`, `spans`, `states`, `frames` and
`active_frames` are lists of the same length, with an entry for each part. Fields without a column
are in `rest`, and annotation of other sources is in `layers`. The format is without loss, and the
same dialogues give the same bytes.

A corpus of several parts (SGD's folders `dev`, `test` and `train`) has a folder with both tables
for each; HF datasets reads them as splits. Within a part the order is kept.

    datasets.load_dataset("folder", "turns", split="train")    # or "dialogues", "schemas"

    SELECT t.text, json_extract_string(t.acts, '$[*][*].name')
    FROM 'turns.parquet' t JOIN 'dialogues.parquet' d ON t.dialogue_id = d.id
    WHERE t.agent = 'user' AND list_contains(d.services, 'Restaurants_1')
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from dialoom.corpus.filters import split_of
from dialoom.corpus.format import PlainNames
from dialoom.corpus.parts import in_folder
from dialoom.corpus.traits import Traits
from dialoom.dialogue import Dialogue
from dialoom.dialogue.event import Event
from dialoom.errors import FormatError, MissingDataError, needs_extra
from dialoom.formats.parquet import rows
from dialoom.schema.task import TaskSchema

DIALOGUES, TURNS, SCHEMAS = "dialogues.parquet", "turns.parquet", "schemas.parquet"

README = "README.md"
"""The file whose header lists the tables and their splits for HF datasets."""

PARTS = 64
"""Most parts with tables of their own, as all are open at once; the others are in `OTHER`."""

OTHER = "other"
"""The part of dialogues outside of folders, if others are in folders."""

EXTRA = "scale"
"""The extra that installs pyarrow."""

MAGIC = b"PAR1"

SPLITS = ("train", "training", "dev", "validation", "valid", "val", "test", "testing", "eval")
"""Parts that keep their name as a split if they are alone; HF datasets calls others `train`."""


def arrow_tables() -> ModuleType:
    """Return the module that needs pyarrow; `MissingExtraError` without it."""
    with needs_extra("the format parquet", EXTRA):
        from dialoom.formats.parquet import tables
    return tables


def write_index(folder: Path, parts: Sequence[str]) -> None:
    """Write the README of a folder of parts, by which HF datasets reads them as splits."""
    has_schema = any((folder / part / SCHEMAS).is_file() for part in parts)
    schemas = f"{parts[0]}/{SCHEMAS}" if has_schema else ""
    places = {part: f"{part}/" for part in parts}
    (folder / README).write_text(_configs(places, schemas=schemas), encoding="utf-8")


class ParquetFormat(PlainNames):
    """Reads and writes the two tables and the table of schemas."""

    name = "parquet"
    traits = Traits(write_index=write_index)

    def detect(self, path: Path) -> bool:
        """True if both tables are here; other tables of dialogues are not read."""
        if not path.is_dir() and path.name != DIALOGUES:
            return False
        try:
            return all(_is_table(each) for each in _found(path))
        except OSError:
            return False

    def files(self, path: Path) -> list[Path]:
        """Return the tables of dialogues; each names the table of turns next to it."""
        if path.is_file() and path.name != DIALOGUES:
            raise MissingDataError(f"{path}: name the folder, or its {DIALOGUES}")
        tables = _found(path)
        for file in tables:
            for each in (file, file.with_name(TURNS)):
                if not each.is_file():
                    raise MissingDataError(f"{each}: no such table")
        return tables

    def read_file(self, file: Path, root: Path) -> Iterator[Dialogue]:
        """Yield the dialogues by row groups; `FormatError` if the tables do not fit."""
        tables = arrow_tables()
        turns = file.with_name(TURNS)
        events = tables.read(turns, rows.TURNS)
        part = file.relative_to(root)
        for index, row in enumerate(tables.read(file, rows.DIALOGUES)):
            batch = [
                _event(next(events, None), (index, number), turns)
                for number in range(_count(row, file))
            ]
            dialogue = rows.dialogue(row, batch, file)
            split = part.parent.name not in ("", OTHER) and dialogue.origin is None
            yield in_folder(dialogue, part, index) if split else dialogue
        if next(events, None) is not None:
            raise FormatError(
                turns, f"has turns after those of the last dialogue of {DIALOGUES}", code="mismatch"
            )

    def schemas(self, path: Path) -> dict[str, TaskSchema]:
        """Read the table of schemas next to the parts, or those within; empty if there is none."""
        folder = path if path.is_dir() else path.parent
        near = [each for each in (folder / SCHEMAS, folder.parent / SCHEMAS) if each.is_file()]
        within = sorted(folder.glob(f"*/{SCHEMAS}"))
        return {
            task.id: task
            for file in near[:1] or within
            for task in (rows.task(row, file) for row in arrow_tables().read(file, rows.SCHEMAS))
        }

    def write(
        self, dialogues: Iterable[Dialogue], schemas: Mapping[str, TaskSchema], target: Path
    ) -> None:
        """Write the tables by row groups; `MissingExtraError` without pyarrow."""
        tables = arrow_tables()
        parts: dict[str, Callable[[Dialogue], None]] = {}
        with ExitStack() as stack:
            for dialogue in dialogues:
                part = _part(dialogue)
                part = part if part in parts or len(parts) < PARTS else OTHER
                if part not in parts:
                    parts[part] = stack.enter_context(_writing(target / part))
                parts[part](dialogue)
        if not parts:
            with _writing(target):
                pass
        places = {part: f"{part}/" for part in sorted(parts)}
        if len(parts) == 1:
            places = {part: "" for part in parts if part in SPLITS}
            _raise_tables(target / parts.popitem()[0])
        (target / README).write_text(
            _configs(places, schemas=SCHEMAS if schemas else ""), encoding="utf-8"
        )
        if schemas:
            with (target / SCHEMAS).open("wb") as file:
                tables.write(map(rows.task_row, schemas.values()), rows.SCHEMAS, file)

    def render_file(self, dialogues: list[Dialogue]) -> bytes:
        """Return the table of these dialogues; it has the digest of their table of turns."""
        table = io.BytesIO()
        with arrow_tables().writing(table, io.BytesIO()) as add:
            for dialogue in dialogues:
                add(dialogue)
        return table.getvalue()


def _found(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    parts = sorted(path.glob(f"*/{DIALOGUES}"))
    return parts if parts and not (path / DIALOGUES).exists() else [path / DIALOGUES]


def _is_table(file: Path) -> bool:
    with file.open("rb") as opened:
        return file.with_name(TURNS).is_file() and opened.read(len(MAGIC)) == MAGIC


def _part(dialogue: Dialogue) -> str:
    """Return the part of a dialogue, as HF datasets spells the names of splits."""
    return re.sub(r"\W", "_", split_of(dialogue))[:80] or OTHER


@contextmanager
def _writing(folder: Path) -> Iterator[Callable[[Dialogue], None]]:
    folder.mkdir(exist_ok=True)
    with (
        (folder / DIALOGUES).open("wb") as one,
        (folder / TURNS).open("wb") as many,
        arrow_tables().writing(one, many) as add,
    ):
        yield add


def _raise_tables(folder: Path) -> None:
    """Move the tables of the only part to the folder of the corpus."""
    for file in list(folder.iterdir()):
        file.rename(folder.parent / file.name)
    folder.rmdir()


def _configs(parts: Mapping[str, str], *, schemas: str) -> str:
    """Return the header for HF datasets, in which each table is a data set with its splits.

    Args:
        parts: Part to what comes before the names of its tables; empty for one without a name.
        schemas: The path of the table of schemas; empty if there is none.
    """
    lines = ["---", "configs:"]
    for table in (DIALOGUES, TURNS):
        places = [f"\n  - split: {part}\n    path: {place}{table}" for part, place in parts.items()]
        lines += [f"- config_name: {Path(table).stem}"]
        lines += ["  data_files:" + ("".join(places) or f" {table}")]
        lines += ["  default: true"] if table == DIALOGUES else []
    if schemas:
        lines += [f"- config_name: {Path(SCHEMAS).stem}", f"  data_files: {schemas}"]
    return "\n".join([*lines, "---", ""])


def _count(row: Mapping[str, Any], file: Path) -> int:
    count = row["events"]
    if not isinstance(count, int) or count < 0:
        raise FormatError(file, f"events is {count!r}, not how many", dialogue=str(row["id"]))
    return count


def _event(row: Mapping[str, Any] | None, place: tuple[int, int], file: Path) -> Event:
    target = "turn {1} of dialogue {0}".format(*place)
    if row is None:
        raise FormatError(file, f"ends before {target} of {DIALOGUES}", code="truncated")
    if (row["dialogue_index"], row["index"]) != place:
        turn = f"turn {row['index']} of dialogue {row['dialogue_index']}"
        raise FormatError(
            file,
            f"{turn} where {target} must be; order by dialogue_index, index",
            code="out-of-order",
        )
    return rows.event(row, file)


FORMAT = ParquetFormat()
