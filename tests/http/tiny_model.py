"""A tiny language model with random weights in a folder, as transformers saves it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest


def local_model(tmp_path_factory: pytest.TempPathFactory, texts: Sequence[str] = ()) -> Path:
    """Return a folder with a GPT-2 of 32 dimensions; tokens are letters, or pairs of `texts`."""
    torch = pytest.importorskip("torch", reason="torch is not installed: dialoom[neural]")
    transformers = pytest.importorskip("transformers", reason="not installed: dialoom[neural]")
    tokenizers = pytest.importorskip("tokenizers", reason="not installed: dialoom[neural]")
    folder = tmp_path_factory.mktemp("model")
    letters = {letter: number for number, letter in enumerate(map(chr, range(32, 127)), start=1)}
    plain = tokenizers.Tokenizer(tokenizers.models.WordLevel({"<e>": 0, **letters}, "<e>"))
    plain.pre_tokenizer = tokenizers.pre_tokenizers.Split("", "isolated")
    if texts:
        plain = tokenizers.ByteLevelBPETokenizer()
        plain.train_from_iterator(texts, vocab_size=800, special_tokens=["<e>"])
        plain = plain._tokenizer
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=plain, eos_token="<e>")
    fast.save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.GPT2Config(
        vocab_size=len(fast), n_embd=32, n_layer=1, n_head=2, n_positions=4096, eos_token_id=0
    )
    transformers.GPT2LMHeadModel(config).save_pretrained(folder)
    return folder
