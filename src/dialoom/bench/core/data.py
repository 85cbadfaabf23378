"""Opening the corpora that an experiment asks about and learns from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from dialoom import formats
from dialoom.bench.core.protocol import Data
from dialoom.errors import MissingDataError

if TYPE_CHECKING:
    from dialoom.bench.core.protocol import Protocol
    from dialoom.corpus import Corpus


def open_data(
    protocol: Protocol, corpus: Path, train_corpus: Path | None = None, split: str | None = None
) -> Data:
    """Open the corpora of an experiment: the parts that it names unless another is asked for.

    Args:
        protocol: The experiment.
        corpus: Corpus root, folder of the protocol's format or native corpus.
        train_corpus: Where to learn from, if elsewhere.
        split: The part of the corpus to ask about: a folder of it.

    Raises:
        MissingDataError: A folder is not there.
        FormatError: No format fits one.
    """
    tested, trained = protocol.parts or (None, None)
    own = _open(protocol.corpus, corpus, tested, split)
    if train_corpus is None:
        return Data(own)
    if not train_corpus.exists():
        raise MissingDataError(f"{train_corpus}: no such folder; --train-corpus names one")
    return Data(own, _open(protocol.corpus, train_corpus, trained, None))


def open_training(
    protocol: Protocol, corpus: Path, train_corpus: Path | None = None, split: str | None = None
) -> Data:
    """Open the corpora that a model learns from: with `train_corpus` as for `open_data`.

    Without it the part of `corpus` that the protocol learns from unless another is asked for.

    Raises:
        MissingDataError: A folder is not there.
        FormatError: No format fits one.
    """
    if train_corpus is not None:
        return open_data(protocol, corpus, train_corpus, split)
    _, trained = protocol.parts or (None, None)
    return Data(_open(protocol.corpus, corpus, trained, split))


def _open(format: str, root: Path, usual: str | None, wanted: str | None) -> Corpus:
    """Open a part of a corpus: the one wanted, else the usual one where it is there."""
    folder = formats.locate(root, format)
    part = folder / (wanted or usual or "")
    if wanted is not None and not part.is_dir():
        there = ", ".join(sorted(entry.name for entry in folder.iterdir() if entry.is_dir()))
        raise MissingDataError(f"{folder}: has no part {wanted!r}; its folders: {there or 'none'}")
    return formats.load(part if part.is_dir() else folder)
