"""Conditional random fields (Lafferty et al. 2001) over sequences of words, stored as bytes."""

from __future__ import annotations

import ctypes
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

ROUNDS = 12
"""Passes of the trainer over the texts."""

OUT = "O"
"""The label of words outside any span."""


def train(rows: Iterable[Sequence[Sequence[str]]], labels: Sequence[Sequence[str]]) -> bytes:
    """Train a field by the averaged perceptron (Collins 2002).

    Args:
        rows: The attributes of each word of each text.
        labels: The label of each word of each text.

    Returns:
        The bytes of the field; none where no word has a label other than `OUT`.
    """
    from pycrfsuite import Trainer

    if all(each == OUT for found in labels for each in found):
        return b""
    trainer = Trainer(algorithm="ap", params={"max_iterations": ROUNDS}, verbose=False)
    for attributes, found in zip(rows, labels, strict=True):
        trainer.append(attributes, found)
    _restart_random_numbers()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "labels.crf"
        trainer.train(str(file))
        return file.read_bytes()


def _restart_random_numbers() -> None:
    """Seed the C library's random numbers, with which the trainer shuffles texts.

    Without it a field would depend on the fields trained earlier in the same process.
    """
    ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None).srand(1)


def tagger(field: bytes) -> Any:
    """Return a `pycrfsuite.Tagger` for a field: `tag` takes the attributes of each word.

    Args:
        field: The bytes of the field, as `train` returns them; not empty.
    """
    from pycrfsuite import Tagger

    found = Tagger()
    found.open_inmemory(field)
    return found
