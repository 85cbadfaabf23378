"""Small dialogues of ours in published layouts, for what looks at their annotation."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from dialoom import formats
from dialoom.dialogue import Dialogue
from dialoom.quality import catalogue
from tests.formats.star_json import DATA as LAYOUTS

DATA = Path(__file__).with_name("data")


def read(name: str) -> list[Dialogue]:
    """Return the dialogues of the sample of a format."""
    file = DATA / f"{name}.json"
    return list(formats.get(name).read_file(file, DATA))


def sgd() -> Dialogue:
    return read("sgd")[0]


def frames() -> Dialogue:
    return read("frames")[0]


def taskmaster1() -> list[Dialogue]:
    return read("taskmaster1")


def star_copy(folder: Path, known: pytest.MonkeyPatch | None = None) -> Path:
    """Return a corpus in STAR's layout, in a folder, with a task of STAR's name.

    Args:
        folder: The folder.
        known: If given, the corpus's dialogues count as those of STAR.
    """
    copy = shutil.copytree(LAYOUTS / "star", folder / "star")
    task = (copy / "tasks" / "boat_hire").rename(copy / "tasks" / "ride_book")
    (task / "boat_hire.json").rename(task / "ride_book.json")
    if known is not None:
        prints = catalogue.fingerprint(formats.load(copy), 1)
        known.setattr(catalogue, "fingerprints", lambda: {"star": prints})
    return copy
