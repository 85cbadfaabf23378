"""Every reader meets damaged files: it reads them, or says what is wrong in one line.

`make fuzz` gives each reader many more than the forty of the tests.
"""

from __future__ import annotations

import os
import random
import tempfile
from pathlib import Path

import pytest

from dialoom import formats
from dialoom.corpus import Corpus, Format
from dialoom.errors import DialoomError
from tests.formats.golden import READ, READ_ONLY, golden
from tests.formats.mutations import mutate

MUTATIONS = int(os.environ.get("DIALOOM_MUTATIONS", "40"))
SEED = int(os.environ.get("DIALOOM_SEED", "1"))


def survives(corpus: Path, format: Format) -> bool:
    """Read a corpus and write what was read; whatever goes wrong is one line of ours.

    What is read in a format that is never written is written in ours.
    """
    try:
        source = Corpus(corpus, format)
        schemas, dialogues = source.schemas, list(source.dialogues())
    except DialoomError as error:
        assert "\n" not in str(error)
        assert len(str(error)) < 2000
        return False
    own = formats.get("native") if format.traits.read_only else format
    with tempfile.TemporaryDirectory() as target:
        own.write(dialogues, schemas, Path(target))
    return True


@pytest.mark.fuzz
@pytest.mark.parametrize("name", READ + READ_ONLY)
def test_damaged_files_never_end_in_a_traceback(name: str, tmp_path: Path) -> None:
    format = formats.get(name)
    corpus = golden(name, tmp_path)
    assert survives(corpus, format)
    files = sorted(file for file in corpus.rglob("*") if file.is_file())
    chance = random.Random(f"{SEED} {name}")
    read = 0
    for number in range(MUTATIONS):
        file = chance.choice(files)
        whole = file.read_bytes()
        damaged = mutate(whole, random.Random(f"{SEED} {name} {number}"))
        file.write_bytes(damaged)
        try:
            read += survives(corpus, format)
        except BaseException as error:
            error.add_note(f"{name}: mutation {number} of {file.name}, seed {SEED}")
            raise
        file.write_bytes(whole)
    assert 0 < read < MUTATIONS
