"""Vectors of short texts, that of a text the mean of the vectors of its tokens.

The vectors of tokens are static, 256 numbers each, and were learned by others on texts of all
kinds (WordLlama, Miller 2024). The package wordllama ships them; nothing of it is run.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dialoom.corpus.files import staged_file
from dialoom.dialogue import digest
from dialoom.errors import MissingExtraError, OutputError
from dialoom.learn.code_digest import version
from dialoom.learn.kept import alone, cache_folder
from dialoom.learn.trees import one_thread

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Vectors = npt.NDArray[np.float32]

SIZE = 256
"""Dimensions of a vector."""

PACKAGE = "wordllama"
"""The package that ships the vectors."""

_WEIGHTS = "weights/l2_supercat_256.safetensors"
_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
"""Its files of vectors and of the tokenizer."""

BATCH = 4096
"""Tokens that k-means looks at in a step."""

KEPT = 50_000
"""Most vectors cached in the process: 50 MB."""


def vectors(texts: Iterable[str]) -> Vectors:
    """Return the vectors of texts, of length one; of an empty text, zeros: shape (texts, SIZE).

    `MissingExtraError` if the package that ships the vectors is not installed.
    """
    rows = [_vector(text.lower()) for text in texts]
    return np.stack(rows) if rows else np.zeros((0, SIZE), np.float32)


class Groups:
    """Groups of words by the nearest of some vectors.

    Groups are pickled without the words met since, so that model files have the same bytes.
    """

    def __init__(self, centres: Vectors) -> None:
        self._centres = centres
        self._known: dict[str, int] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {"_centres": self._centres, "_known": {}}

    def of(self, word: str) -> int:
        """Return the number of the group with the nearest centre."""
        number = self._known.get(word)
        if number is None:
            far = ((self._centres - _vector(word.lower())) ** 2).sum(axis=1)
            number = self._known[word] = int(far.argmin())
        return number


@lru_cache(maxsize=16)
def word_groups(count: int, seed: int) -> Groups:
    """Return groups of words, found by k-means among the vectors of all tokens.

    That takes a second for each seed, so centres are kept in the user's cache folder.
    """
    _, table = _model()
    folder = cache_folder()
    if folder is None:
        return Groups(_centres(table, count, seed))
    versions = [version(name) for name in ("numpy", "scikit-learn", PACKAGE)]
    file = folder / "groups" / f"{digest((count, seed, BATCH, versions))}.npy"
    with alone(file):
        try:
            centres = np.load(file)
        except (OSError, ValueError, EOFError):  # none, or a damaged one
            centres = _centres(table, count, seed)
            with suppress(OutputError), staged_file(file) as staged:
                np.save(staged, centres)
    return Groups(centres)


def _centres(table: Vectors, count: int, seed: int) -> Vectors:
    from sklearn.cluster import MiniBatchKMeans

    means = MiniBatchKMeans(count, random_state=seed, n_init=1, batch_size=BATCH)
    sizes = np.linalg.norm(table, axis=1, keepdims=True)
    with one_thread():
        means.fit(table / np.maximum(sizes, 1e-6))
    centres: Vectors = means.cluster_centers_
    return centres


@lru_cache(maxsize=KEPT)
def _vector(text: str) -> Vectors:
    tokenizer, table = _model()
    numbers = tokenizer.encode(text, add_special_tokens=False).ids
    if not numbers:
        return np.zeros(SIZE, np.float32)
    mean: Vectors = table[numbers].mean(axis=0)
    return mean / max(float(np.linalg.norm(mean)), 1e-6)


@cache
def _model() -> tuple[Tokenizer, Vectors]:
    """Return the tokenizer and the vector of each token: shape (tokens, SIZE)."""
    place = find_spec(PACKAGE)
    folder = Path(place.origin).parent if place and place.origin else None
    if folder is None or not (folder / _WEIGHTS).is_file() or not (folder / _TOKENIZER).is_file():
        raise MissingExtraError("The comparison of texts by vectors", "models")
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    tokenizer: Any = Tokenizer.from_file(str(folder / _TOKENIZER))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    (table,) = load_file(folder / _WEIGHTS).values()
    return tokenizer, table.astype(np.float32)
