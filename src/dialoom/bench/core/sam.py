"""The files published with the Schema Attention Model (SAM; Mehri & Eskenazi 2021), as re-read.

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
"""The protocol that the released predictions answer."""

T = TypeVar("T")

SYSTEMS = {"sam": "SAM", "berts": "BERT+S"}


class SamProtocol(msgspec.Struct, frozen=True):
    """What this project takes from the protocol file."""

    class HappyDialogues(msgspec.Struct, frozen=True):
        """Their ids."""

        happy: frozenset[int] = msgspec.field(name="happy_dialogue_ids_with_scored_turns")

    data: HappyDialogues
    expected: dict[str, dict[str, int]] = msgspec.field(
        name="expected_test_turns", default_factory=dict
    )
    """Kind of hold-out ("domain", "task") to name to the number of scored turns."""


class SamRow(msgspec.Struct, frozen=True):
    """One turn with both systems' predictions.

    `exact` is false where the printed context fitted several turns, or fitted only nearly.
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
    """Read the protocol file from the first folder that has it.

    Raises:
        FormatError: It is not one.
    """
    path = find(folders, PROTOCOL_FILE)
    if path is None:
        return None
    try:
        return msgspec.json.decode(read_bytes(path), type=SamProtocol)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise FormatError(path, f"not SAM's protocol: {error}") from error


def read_predictions(path: Path) -> list[SamRow]:
    """Read the turn predictions.

    Raises:
        FormatError: A line is not one.
    """
    return decode_lines(path, SamRow, "SAM's row")


def decode_lines(path: Path, row: type[T], what: str) -> list[T]:
    """Read a file that has a JSON value of one type on each line.

    Raises:
        FormatError: A line has none; `what` it should be is said.
    """
    decoder = msgspec.json.Decoder(row)
    found = []
    for number, line in enumerate(read_bytes(path).splitlines(), 1):
        try:
            found.append(decoder.decode(line))
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise FormatError(f"{path}, line {number}", f"not {what}: {error}") from error
    return found
