"""Tables in Parquet files, read and written by row groups; the same rows give the same bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import IO, Any, Self

import pyarrow as pa
import pyarrow.parquet as pq

from dialoom.dialogue import Dialogue
from dialoom.errors import FormatError
from dialoom.formats.parquet import rows
from dialoom.formats.parquet.rows import Row

GROUP = 5_000
"""Rows of a group: some 5 MB of turns, which fit into memory."""

_CALL = pa.struct(
    {
        "id": pa.string(),
        "type": pa.string(),
        "function": pa.struct({"name": pa.string(), "arguments": pa.string()}),
    }
)
_MESSAGE = pa.struct(
    {
        "role": pa.string(),
        "content": pa.string(),
        "name": pa.string(),
        "tool_call_id": pa.string(),
        "tool_calls": pa.list_(_CALL),
    }
)
_TYPES = {
    rows.TEXT: pa.string(),
    rows.WHOLE: pa.int64(),
    rows.TEXTS: pa.list_(pa.string()),
    rows.JSON: pa.string(),
    rows.MESSAGES: pa.list_(_MESSAGE),
}
_DIGEST = "dialoom.turns"
"""The metadata key of the table of dialogues for the digest of the table of turns."""


class _Table:
    def __init__(self, columns: Mapping[str, str], file: IO[bytes]) -> None:
        self.schema = pa.schema([(name, _TYPES[kind]) for name, kind in columns.items()])
        self.writer = pq.ParquetWriter(
            file, self.schema, compression="zstd", write_page_checksum=True, store_schema=False
        )
        self.held: list[Row] = []
        self.digest = hashlib.sha256()

    def add(self, row: Row) -> None:
        self.held.append(row)
        if len(self.held) == GROUP:
            self.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.writer.close()

    def flush(self) -> None:
        for row in self.held:
            self.digest.update(repr(list(row.values())).encode())
        if self.held:
            self.writer.write_table(pa.Table.from_pylist(self.held, schema=self.schema))
        self.held = []


@contextmanager
def writing(one: IO[bytes], many: IO[bytes]) -> Iterator[Callable[[Dialogue], None]]:
    """Yield a function that writes a dialogue into the table `one` and its events into `many`."""
    places = count()
    with _Table(rows.DIALOGUES, one) as heads, _Table(rows.TURNS, many) as turns:

        def add(dialogue: Dialogue) -> None:
            index = next(places)
            heads.add(rows.dialogue_row(dialogue))
            for number, event in enumerate(dialogue.events):
                place = {"dialogue_index": index, "dialogue_id": dialogue.id, "index": number}
                turns.add({**rows.turn_row(event), **place})

        yield add
        for table in (heads, turns):
            table.flush()
        heads.writer.add_key_value_metadata({_DIGEST: turns.digest.hexdigest()[:16]})


def write(rows: Iterable[Row], columns: Mapping[str, str], file: IO[bytes]) -> None:
    """Write the rows of a table."""
    with _Table(columns, file) as table:
        for row in rows:
            table.add(row)
        table.flush()


def read(path: Path, columns: Mapping[str, str]) -> Iterator[Row]:
    """Yield a table's rows with the given columns only; `FormatError` if it lacks one."""
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            _check(file.schema_arrow, columns, path)
            for batch in file.iter_batches(batch_size=1000, columns=list(columns)):
                yield from batch.to_pylist()
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise FormatError(
            path, f"not a Parquet table that can be read: {error}", code="damaged"
        ) from error


def _check(schema: Any, columns: Mapping[str, str], path: Path) -> None:
    for name, kind in columns.items():
        index = schema.get_field_index(name)
        if index < 0:
            raise FormatError(path, f"lacks the column {name}", code="no-key")
        if not _same(schema.field(index).type, _TYPES[kind]):
            raise FormatError(path, f"{name} must be a column of {_TYPES[kind]}")


def _same(source: Any, target: Any) -> bool:
    """True if types have equal values: other tools write large texts, integers as floats."""
    if pa.types.is_list(target) or pa.types.is_large_list(target):
        lists = pa.types.is_list(source) or pa.types.is_large_list(source)
        return lists and _same(source.value_type, target.value_type)
    if pa.types.is_null(source):
        return True
    if pa.types.is_integer(target):
        return bool(pa.types.is_integer(source) or pa.types.is_floating(source))
    return bool(pa.types.is_string(source) or pa.types.is_large_string(source))


def described(path: Path) -> tuple[list[tuple[str, pa.DataType]], int, int]:
    """Return the columns of a table with their types, its rows, and its bytes unpacked."""
    with pq.ParquetFile(path) as file:
        groups = (file.metadata.row_group(index) for index in range(file.num_row_groups))
        size = sum(group.total_byte_size for group in groups)
        columns = [(field.name, field.type) for field in file.schema_arrow]
        return columns, file.metadata.num_rows, size
