"""Vectors of texts by a frozen encoder, cached in the process and on disk.

A text's vector is the mean of its tokens' last hidden states. With a folder, an SQLite file there
stores vectors by the digest of the weights, the most tokens read, and the text: hold-outs,
processes and later runs share them, so that each text is encoded once.

    vectors = encodings(None, 128, Path("cache"))
    vectors(["where to?", "when do you leave?"])  # an array of 2 x 384
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from dialoom.models.neural.weights import load, located

if TYPE_CHECKING:
    import numpy.typing as npt

    Vectors = npt.NDArray[np.float32]

NEEDING = "a text encoder"
"""What needs the libraries, for error messages."""

FILE = "encodings.sqlite"
"""The file of a cache folder."""

KEPT = 200_000
"""Most vectors cached in the process, some 300 MB of MiniLM's."""

WRITTEN = 256
"""Vectors written, and keys looked up, at a time."""

PATIENCE = 60.0
"""Seconds to wait for another process that writes."""


@lru_cache(maxsize=2)
def encodings(weights: str | None, length: int, folder: Path | None = None) -> Encodings:
    """Return the encoder of some weights; calls with the same arguments share it.

    Args:
        weights: The folder of the weights; None for MiniLM's.
        length: Most tokens read of a text, its last ones.
        folder: The folder of the cache; None to cache in the process only.

    Raises:
        MissingExtraError: The libraries or MiniLM's weights are not installed.
        MissingDataError: The folder of the weights has no config.json.
        FormatError: The folder does not hold weights that transformers loads.
    """
    return Encodings(weights, length, folder)


class Encodings:
    """Encodes texts, with a cache; arguments as of `encodings`."""

    def __init__(self, weights: str | None, length: int, folder: Path | None) -> None:
        self._tokenizer, self._encoder = load(weights, NEEDING)
        self._length = length
        self._known: dict[str, Vectors] = {}
        self._store: _Store | None = None
        if folder is not None:
            digest = _digest(located(weights, NEEDING))
            self._store = _Store(folder / FILE, digest, length)

    @property
    def size(self) -> int:
        """Dimensions of a text's vector."""
        return int(self._encoder.config.hidden_size)

    def __call__(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts: shape (texts, size)."""
        if len(self._known) > KEPT:
            self._known.clear()
        new = sorted({*texts} - self._known.keys())
        for start in range(0, len(new), WRITTEN):
            self._learn(new[start : start + WRITTEN])
        rows = [self._known[text] for text in texts]
        return np.stack(rows) if rows else np.zeros((0, self.size), np.float32)

    def _learn(self, texts: Sequence[str]) -> None:
        """Add the vectors of texts to those in the process: read from the file, else encoded."""
        if self._store is not None:
            self._known.update(self._store.read(texts))
        made = {text: self._encode(text) for text in texts if text not in self._known}
        self._known.update(made)
        if self._store is not None and made:
            self._store.write(made)

    def _encode(self, text: str) -> Vectors:
        """Return the vector of one text; in a batch, rounding would depend on the other texts."""
        import torch

        with torch.inference_mode():
            (row,) = mean_states(self._tokenizer, self._encoder, [text], self._length)
        made: Vectors = row.float().cpu().numpy()
        return made


def mean_states(tokenizer: Any, encoder: Any, texts: Sequence[str], length: int) -> Any:
    """Return the mean of the last hidden states of each text's tokens: shape (texts, size)."""
    tokens = tokenizer(
        list(texts), padding=True, truncation=True, max_length=length, return_tensors="pt"
    ).to(encoder.device)
    states = encoder(**tokens).last_hidden_state
    mask = tokens["attention_mask"].unsqueeze(-1).float()
    return (states * mask).sum(1) / mask.sum(1).clamp(min=1.0)


class _Store:
    """Vectors in an SQLite file, by the digest of weights, length and text.

    Args:
        file: The file.
        weights: The digest of the weights.
        length: Most tokens read of a text.
    """

    def __init__(self, file: Path, weights: str, length: int) -> None:
        self._file, self._prefix = file, f"{weights} {length} "
        file.parent.mkdir(parents=True, exist_ok=True)
        with self._open() as base, base:
            base.execute("PRAGMA journal_mode = WAL")
            base.execute(
                "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL)"
                " WITHOUT ROWID"
            )

    def read(self, texts: Iterable[str]) -> Iterator[tuple[str, Vectors]]:
        """Yield the texts that the file has, with their vectors."""
        keys = {self._key(text): text for text in texts}
        marks = ",".join("?" * len(keys))
        with self._open() as base:
            found = base.execute(
                f"SELECT key, vector FROM vectors WHERE key IN ({marks})",
                list(keys),
            )
            for key, vector in found:
                yield keys[key], np.frombuffer(vector, np.float32)

    def write(self, vectors: dict[str, Vectors]) -> None:
        """Store the vectors of texts."""
        rows = [(self._key(text), vector.tobytes()) for text, vector in vectors.items()]
        with self._open() as base, base:
            base.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", rows)

    def _open(self) -> closing[sqlite3.Connection]:
        """Return a connection to the file, for a with statement, which closes it."""
        return closing(sqlite3.connect(self._file, timeout=PATIENCE))

    def _key(self, text: str) -> bytes:
        """Return the key of a text's vector: 16 bytes."""
        return sha256((self._prefix + text).encode("utf-8", "surrogatepass")).digest()[:16]


def _digest(folder: Path) -> str:
    """Return the digest of the files that a folder of weights holds."""
    found = sha256()
    for file in sorted(path for path in folder.iterdir() if path.is_file()):
        found.update(file.name.encode())
        found.update(file.read_bytes())
    return found.hexdigest()
