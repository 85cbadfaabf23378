"""The digest of the code that a model's answers depend on: kept answers are only of the same."""

from __future__ import annotations

import inspect
from functools import cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from dialoom import __version__
from dialoom.dialogue import digest

PACKAGES = (
    "dialogue",
    "schema",
    "kb",
    "corpus",
    "tracking",
    "formats",
    "lang",
    "tasks",
    "sim",
    "metrics",
    "models",
    "bench",
)
"""The packages of dialoom whose code takes part in an answer: data, questions, models, scores."""

LIBRARIES = {"numpy": "numpy", "scikit-learn": "sklearn", "torch": "torch"}
"""What models are fitted with, where it is installed: distribution to module."""


def code_digest(model: type) -> str:
    """Return the digest of the code that answers of a model depend on.

    Dialoom's own files behind them, the file that the model's class stands in, if elsewhere, and
    the versions of the libraries that it may be fitted with.
    """
    home = inspect.getsourcefile(model)
    return digest((__version__, _own_files(), Path(home).read_bytes() if home else None))


@cache
def _own_files() -> str:
    root = Path(__file__).parents[2]
    files = sorted(file for name in PACKAGES for file in (root / name).rglob("*") if _is_code(file))
    found = [(file.relative_to(root).as_posix(), file.read_bytes()) for file in files]
    return digest((found, _versions()))


def _is_code(file: Path) -> bool:
    return file.is_file() and file.suffix in (".py", ".json", ".yaml")


def _versions() -> list[tuple[str, str]]:
    there = [name for name, module in LIBRARIES.items() if find_spec(module) is not None]
    return [(name, metadata.version(name)) for name in there]
