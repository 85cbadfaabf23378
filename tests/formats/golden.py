"""A tiny corpus of each format: golden files of ours, or what a format of ours makes of STAR's."""

from __future__ import annotations

import shutil
from pathlib import Path

from dialoom import formats
from dialoom.corpus import Corpus
from tests.formats.star_json import DATA

OURS = {"native", "parquet", "chat"}
"""Formats that nobody publishes files of but us."""

WRITTEN_ONLY = {"text", "html", "gem-generation"}
"""Formats that are written and never read."""

READ_ONLY = [name for name in formats.FORMATS if formats.traits(name).read_only]
"""Formats that are read and never written."""

READ = [name for name in formats.FORMATS if name not in (*WRITTEN_ONLY, *READ_ONLY)]


def golden(name: str, folder: Path) -> Path:
    """Put the golden corpus of a format below `folder`, to read or to damage."""
    corpus = folder / name
    if name in OURS:
        star = Corpus(DATA / "star", formats.get("star"))
        corpus.mkdir(parents=True)
        formats.get(name).write(star.dialogues(), star.schemas, corpus)
    else:
        shutil.copytree(DATA / name, corpus)
    return corpus
