"""Reads two files derived from the Schema Attention Model's release (SAM; Mehri & Eskenazi 2021).

    sam_protocol.json             the zero-shot protocol: which dialogues are happy in SAM's copy
    sam_turn_predictions.jsonl    what SAM and BERT+S predicted on every turn (domain transfer)

Both are optional: they are used where they lie in a corpus folder.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

import msgspec

from dialoom.corpus.files import read_bytes
from dialoom.errors import FormatError

PROTOCOL_FILE = "sam_protocol.json"
PREDICTIONS_FILE = "sam_turn_predictions.jsonl"
PREDICTED = "star-zero-shot-domain"
"""The protocol whose questions the released predictions answer."""

T = TypeVar("T")

SYSTEMS = {"sam": "SAM", "berts": "BERT+S"}
"""Field of `SamRow` with a system's prediction to the system's name."""


class SamProtocol(msgspec.Struct, frozen=True):
    """The fields of the protocol file that are used."""

    class HappyDialogues(msgspec.Struct, frozen=True):
        """The ids of the happy dialogues in SAM's copy of the corpus."""

        happy: frozenset[int] = msgspec.field(name="happy_dialogue_ids_with_scored_turns")

    data: HappyDialogues
    expected: dict[str, dict[str, int]] = msgspec.field(
        name="expected_test_turns", default_factory=dict
    )
    """Kind of hold-out ("domain", "task") to name to the number of scored turns."""


class SamRow(msgspec.Struct, frozen=True):
    """A turn with the predictions of both systems.

    `exact` is false where the context that the released code printed matches several turns of the
    corpus, or none exactly.
    """

    dialog_id: int
    event: int
    domain: str
    task: str
    gold: str
    sam: str
    exact: bool
    berts: str


def find(folders: Iterable[Path], name: str) -> Path | None:
    """Return the first folder's file of this name."""
    return next((folder / name for folder in folders if (folder / name).is_file()), None)


def find_protocol(folders: Iterable[Path]) -> SamProtocol | None:
    """Read the first protocol file in the folders, if any; `FormatError` for other content."""
    path = find(folders, PROTOCOL_FILE)
    if path is None:
        return None
    try:
        return msgspec.json.decode(read_bytes(path), type=SamProtocol)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise FormatError(path, f"not SAM's protocol: {error}") from error


def read_predictions(path: Path) -> list[SamRow]:
    """Read the turn predictions; `FormatError` for other lines."""
    return decode_lines(path, SamRow, "SAM's row")


def decode_lines(path: Path, row: type[T], what: str) -> list[T]:
    """Read a file with a JSON value on each line; `FormatError` for lines that are no `what`."""
    decoder = msgspec.json.Decoder(row)
    rows = []
    for number, line in enumerate(read_bytes(path).splitlines(), 1):
        try:
            rows.append(decoder.decode(line))
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise FormatError(path, f"not {what}: {error}", line=number) from error
    return rows
