"""A model of a local folder as the pen: a tiny one, which the test writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dialoom.errors import MissingDataError, UsageError
from dialoom.http.failure import NoAnswerError
from dialoom.sim.paraphrase import PARAPHRASERS, ParaphraseOptions, SourceLine

LINES = [SourceLine("1", 0, "user", "A room."), SourceLine("1", 1, "system", "Which one?")]


def test_folders_without_a_model(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed: dialoom[neural]")
    with pytest.raises(UsageError, match="local:FOLDER"):
        PARAPHRASERS.get("local")(ParaphraseOptions())
    with pytest.raises(MissingDataError, match="no folder with a model"):
        PARAPHRASERS.get("local")(ParaphraseOptions(model=str(tmp_path)))
    (tmp_path / "config.json").write_text("{}")
    paraphraser = PARAPHRASERS.get("local")(ParaphraseOptions(model=str(tmp_path)))
    with pytest.raises(NoAnswerError, match="cannot be read"):
        paraphraser.paraphrase(LINES)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a GPT-2 of 32 dimensions that knows single letters."""
    torch = pytest.importorskip("torch", reason="torch is not installed: dialoom[neural]")
    transformers = pytest.importorskip("transformers", reason="not installed: dialoom[neural]")
    tokenizers = pytest.importorskip("tokenizers", reason="not installed: dialoom[neural]")
    folder = tmp_path_factory.mktemp("model")
    letters = {letter: number for number, letter in enumerate(map(chr, range(32, 127)), start=1)}
    plain = tokenizers.Tokenizer(tokenizers.models.WordLevel({"<e>": 0, **letters}, "<e>"))
    plain.pre_tokenizer = tokenizers.pre_tokenizers.Split("", "isolated")
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=plain, eos_token="<e>")
    fast.save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.GPT2Config(
        vocab_size=96, n_embd=32, n_layer=1, n_head=2, n_positions=4096, eos_token_id=0
    )
    transformers.GPT2LMHeadModel(config).save_pretrained(folder)
    return folder


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
