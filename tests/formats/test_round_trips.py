"""Every published file comes back: the round trips of all corpora in one test.

DIALOOM_CORPORA=/data/corpora pytest tests/formats/test_round_trips.py -rP
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from dialoom import formats
from dialoom.quality.roundtrip import roundtrip

CORPORA = (
    ("babi", "babi"),
    ("dstc6", "dstc6"),
    ("frames", "frames-text"),
    ("frames", "iob"),
    ("frames-json", "frames"),
    ("sgd", "sgd"),
    ("star", "star"),
    ("taskmaster1", "taskmaster1"),
)


@pytest.mark.corpus
@pytest.mark.long
@pytest.mark.parametrize(("folder", "format"), CORPORA, ids=[name for _, name in CORPORA])
def test_every_published_file_comes_back(folder: str, format: str, corpora: Path) -> None:
    corpus = formats.load(corpora / folder, format)
    verdicts = Counter(verdict for _, verdict in roundtrip(corpus, formats.get(format)))
    print(f"{format}: {verdicts['bytes']} of {verdicts.total()} files byte for byte")
    assert verdicts["differs"] == 0
    assert verdicts["values"] <= (format == "star")  # one of its files was edited by hand
