"""Conditional random fields (Lafferty et al. 2001): the labels of words in a row, kept as bytes."""

from __future__ import annotations

import ctypes
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

ROUNDS = 12
"""How often the trainer goes through the texts."""

OUT = "O"
"""The label of words that are part of nothing."""


def train(rows: Iterable[Sequence[Sequence[str]]], labels: Sequence[Sequence[str]]) -> bytes:
    """Train a field by the averaged perceptron; return its bytes, none without any label.

    Args:
        rows: Texts, each with the attributes of its words.
        labels: The labels of the words of each.
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
    """Let the C library's random numbers begin anew: the trainer shuffles texts by them.

    Without it a field would depend on those that were trained before it in the same process.
    """
    ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None).srand(1)


def tagger(field: bytes) -> Any:
    """Return what labels words with a field: its `tag` takes the attributes of each."""
    from pycrfsuite import Tagger

    found = Tagger()
    found.open_inmemory(field)
    return found
