"""A model of a local folder as the pen: a tiny one, which the test writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dialoom.errors import FormatError, MissingDataError, UsageError
from dialoom.sim.paraphrase import PARAPHRASERS, ParaphraseOptions, SourceLine
from tests.http.tiny_model import local_model
from tests.make import refuses

LINES = [SourceLine("1", 0, "user", "A room."), SourceLine("1", 1, "system", "Which one?")]


def test_folders_without_a_model(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed: dialoom[neural]")
    with refuses(UsageError, "not-given", "local:FOLDER"):
        PARAPHRASERS.get("local")(ParaphraseOptions())
    with refuses(MissingDataError, "no-file", "config.json"):
        PARAPHRASERS.get("local")(ParaphraseOptions(model=str(tmp_path)))
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(FormatError):
        PARAPHRASERS.get("local")(ParaphraseOptions(model=str(tmp_path)))


model = pytest.fixture(scope="module")(local_model)


@pytest.mark.parametrize("whole", [False, True])
def test_a_tiny_model_answers(model: Path, whole: bool) -> None:
    options = ParaphraseOptions(model=str(model), seed=3, whole=whole)
    paraphraser: Any = PARAPHRASERS.get("local")(options)
    texts = paraphraser.paraphrase(LINES)
    assert len(texts) == len(LINES)
    assert paraphraser.spent["requests"] == (1 if whole else 2)
    assert paraphraser.spent["completion_tokens"] > 0
    assert PARAPHRASERS.get("local")(options).paraphrase(LINES) == texts
    assert paraphraser.settings["model"] == model.name
