"""A pretrained causal language model, fine-tuned to write replies as in the STAR paper (GPT-2).

The input is one text: the end of the history, the hints, and a mark before the reply. The loss
counts the tokens of the reply and the end of the text. Imports torch.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import nn

from dialoom.errors import FormatError, UsageError
from dialoom.http.local import CAUSAL, device, load_pretrained
from dialoom.models.neural.writers import LONGEST, ReplyContext, Training, beyond, by_length, train

MARK = " reply:"
"""The mark between input and reply."""

UNLEARNT = -100
"""The label of tokens that the loss ignores, by transformers' convention."""

UNLIMITED = 10**6
"""Most tokens of a model whose config does not limit them."""

WRITTEN = 16
"""Batch size of generation, in replies."""


class LanguageModel:
    """A writer of replies with a pretrained causal language model that is fine-tuned.

    Args:
        folder: The folder of the weights, as transformers saves them.
        what: What needs the model, for error messages.
        training: The settings of training.

    Raises:
        MissingExtraError: The libraries are not installed.
        MissingDataError: The folder does not exist, or has no config.json.
        FormatError: The folder does not hold such a model, or one without a token that ends a text.
    """

    def __init__(self, folder: str, what: str, training: Training) -> None:
        self._tokenizer, self._model = load_pretrained(Path(folder), what, CAUSAL)
        self._training = training
        ends = self._tokenizer.eos_token_id, self._model.config.eos_token_id
        self._end = next((end for end in ends if isinstance(end, int)), -1)
        if self._end < 0:
            raise FormatError(Path(folder), "has no token that ends a text (eos_token_id)")
        places = getattr(self._model.config, "max_position_embeddings", None) or UNLIMITED
        self._length = places - LONGEST - 1

    def __getstate__(self) -> None:
        """Refuse to be pickled.

        Raises:
            UsageError: Always.
        """
        raise UsageError(
            "a model with weights=DIR is not written to a model file: it is as large as its folder"
        )

    def fit(self, sources: Sequence[ReplyContext], replies: Sequence[str]) -> None:
        """Fine-tune on sources and the reply that followed each."""
        read = self._read(sources)
        written = [[*self._tokens(f" {text}")[:LONGEST], self._end] for text in replies]
        lengths = [len(one) + len(other) for one, other in zip(read, written, strict=True)]
        train(
            self._model,
            self._training,
            lengths,
            lambda numbers: self._loss([(read[n], written[n]) for n in numbers]),
        )

    def _loss(self, pairs: Sequence[tuple[list[int], list[int]]]) -> Any:
        """Return the mean loss (nats) of the tokens of replies; `pairs` has source and reply."""
        tokens = _padded([[*read, *written] for read, written in pairs], self._end)
        labels = _padded([[UNLEARNT] * len(read) + written for read, written in pairs], UNLEARNT)
        shown = _padded([[1] * (len(read) + len(written)) for read, written in pairs], 0)
        return self._model(input_ids=tokens, attention_mask=shown, labels=labels).loss

    def log_likelihoods(
        self, sources: Sequence[ReplyContext], replies: Sequence[str]
    ) -> list[float]:
        """Return the logarithm (nats) of the probability of each reply."""
        found = []
        for read, text in zip(self._read(sources), replies, strict=True):
            written = [*self._tokens(f" {text}"), self._end]
            kept = written[:LONGEST]
            with torch.inference_mode():
                lost = float(self._loss([(read, kept)])) * len(kept)
            found.append(beyond(len(written), LONGEST, len(self._tokenizer)) - lost)
        return found

    def write(self, sources: Sequence[ReplyContext]) -> list[str]:
        """Return a reply for each source, by greedy decoding."""
        read = self._read(sources)
        found = [""] * len(read)
        for numbers in by_length(range(len(read)), [len(each) for each in read], WRITTEN):
            part = [read[number] for number in numbers]
            for number, text in zip(numbers, self._written(part), strict=True):
                found[number] = text
        return found

    def _written(self, read: Sequence[list[int]]) -> list[str]:
        """Return replies to sources, given as token ids, which are padded at the beginning."""
        tokens = _padded([each[::-1] for each in read], self._end).flip(1)
        shown = _padded([[1] * len(each) for each in read], 0).flip(1)
        with torch.inference_mode():
            rows = self._model.generate(
                input_ids=tokens, attention_mask=shown, max_new_tokens=LONGEST, do_sample=False,
                eos_token_id=self._end, pad_token_id=self._end,
            )[:, tokens.shape[1] :].tolist()  # fmt: skip
        rows = [row[: row.index(self._end)] if self._end in row else row for row in rows]
        return [self._tokenizer.decode(row, skip_special_tokens=True).strip() for row in rows]

    def _read(self, sources: Sequence[ReplyContext]) -> list[list[int]]:
        """Return the token ids of each source: the end of its history, its hints and the mark."""
        found = []
        for history, hints in sources:
            ending = self._tokens(hints + MARK)[-self._length :]
            room = min(self._training.length, self._length - len(ending))
            tokens = self._tokens(history)
            found.append(tokens[max(0, len(tokens) - room) :] + ending)
        return found

    def _tokens(self, text: str) -> list[int]:
        """Return the token ids of a text, without special tokens."""
        return list(self._tokenizer(text, add_special_tokens=False).input_ids)


def _padded(rows: Sequence[Sequence[int]], filling: int) -> Any:
    """Return rows as a tensor of shape (rows, longest row), padded at the end."""
    tensors = [torch.tensor(row) for row in rows]
    return nn.utils.rnn.pad_sequence(tensors, batch_first=True, padding_value=filling).to(device())
