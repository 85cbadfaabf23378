"""A small copy transformer: a reply's tokens are generated, or copied from the source.

Encoder and decoder are those of Vaswani et al. 2017, with layer norm first; the gate between
generating and copying is that of See et al. 2017. With s_t the decoder's state, e_t the embedding
of the last token written, m_i the encoder's state of source token x_i, and b_i the embedding of the
token before it:

    alpha_ti = softmax over i of Q[s_t, e_t] . K[m_i, b_i]
    p_t      = g sum over i of alpha_ti onehot(x_i) + (1 - g) softmax(E s_t),  g = sigma(w . s_t)

With e_t and b_i the network learns quickly to continue copying after the token it copied last. The
vocabulary is a byte pair encoding of the training texts, so that any text can be written. Imports
torch.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import torch
from tokenizers import Tokenizer, decoders, pre_tokenizers, trainers
from tokenizers.models import BPE
from torch import nn
from torch.nn.functional import log_softmax, pad, softmax

from dialoom.http.local import device
from dialoom.models.neural.network import SMALLEST, Arrays, arrays, restore
from dialoom.models.neural.writers import LONGEST, ReplyContext, Training, beyond, by_length, train

PAD, START, END = range(3)
"""Token ids of padding, of the start and of the end of a text."""

SPECIAL = ["<pad>", "<start>", "<end>"]
"""The texts of these tokens."""

DROPOUT = 0.1
"""Dropout rate of all layers."""

HINTED = 192
"""Most tokens read of the hints, the first ones."""

WRITTEN = 64
"""Batch size of generation and scoring, in replies."""


class Size(NamedTuple):
    """The size of a copy transformer.

    Attributes:
        pieces: Most tokens of its vocabulary.
        width: Dimensions of a token's vector.
        layers: Layers of the encoder, and of the decoder.
        heads: Attention heads of each layer.
    """

    pieces: int
    width: int
    layers: int
    heads: int


class CopyWriter:
    """A writer of replies with a copy transformer that is trained from scratch.

    Args:
        size: The size of the network.
        training: The settings of training.
    """

    def __init__(self, size: Size, training: Training) -> None:
        self._size, self._training = size, training

    def fit(self, sources: Sequence[ReplyContext], replies: Sequence[str]) -> None:
        """Train on sources and the reply that followed each."""
        texts = (text for source in sources for text in source)
        self._pieces = _byte_pairs([*texts, *replies], self._size.pieces)
        read = self._read(sources)
        written = [[*each.ids[:LONGEST], END] for each in self._pieces.encode_batch(list(replies))]
        network = self._new_network()
        lengths = [len(one) + len(other) for one, other in zip(read, written, strict=True)]
        train(
            network,
            self._training,
            lengths,
            lambda numbers: network.loss(_padded(read, numbers), _padded(written, numbers)),
        )
        self._network = network

    def _new_network(self) -> CopyNetwork:
        """Return an untrained network for the vocabulary, on a GPU where there is one."""
        length = self._training.length + HINTED
        with torch.random.fork_rng():
            torch.manual_seed(self._training.seed)
            network = CopyNetwork(self._pieces.get_vocab_size(), self._size, length)
        network.to(device())
        return network

    def __getstate__(self) -> tuple[Size, Training, str, Arrays]:
        """Return settings, tokenizer (JSON) and parameters."""
        return self._size, self._training, self._pieces.to_str(), arrays(self._network)

    def __setstate__(self, state: tuple[Size, Training, str, Arrays]) -> None:
        """Rebuild the tokenizer and the network."""
        self._size, self._training, pieces, learnt = state
        self._pieces = Tokenizer.from_str(pieces)
        self._network = self._new_network()
        restore(self._network, learnt)

    def write(self, sources: Sequence[ReplyContext]) -> list[str]:
        """Return a reply for each source, by greedy decoding."""
        read = self._read(sources)
        found = [""] * len(read)
        for numbers in by_length(range(len(read)), [len(each) for each in read], WRITTEN):
            with torch.inference_mode():
                rows = self._network.write(_padded(read, numbers)).tolist()
            texts = self._pieces.decode_batch([_ended(row) for row in rows])
            for number, text in zip(numbers, texts, strict=True):
                found[number] = text.strip()
        return found

    def log_likelihoods(
        self, sources: Sequence[ReplyContext], replies: Sequence[str]
    ) -> list[float]:
        """Return the logarithm (nats) of the probability of each reply."""
        places = len(self._network.place.weight)
        read = self._read(sources)
        written = [[*each.ids, END] for each in self._pieces.encode_batch(list(replies))]
        lengths = [len(one) + len(other) for one, other in zip(read, written, strict=True)]
        found = [beyond(len(each), places, self._pieces.get_vocab_size()) for each in written]
        for numbers in by_length(range(len(read)), lengths, WRITTEN):
            target = _padded([each[:places] for each in written], numbers)
            with torch.inference_mode():
                lost = self._network.losses(_padded(read, numbers), target).sum(1).tolist()
            for number, value in zip(numbers, lost, strict=True):
                found[number] -= value
        return found

    def _read(self, sources: Sequence[ReplyContext]) -> list[list[int]]:
        """Return the tokens of each source: the end of its history and its hints."""
        histories = self._pieces.encode_batch([source.history for source in sources])
        hints = self._pieces.encode_batch([source.hints for source in sources])
        return [
            [START, *history.ids[-self._training.length + 1 :], *hint.ids[:HINTED]]
            for history, hint in zip(histories, hints, strict=True)
        ]


class CopyNetwork(nn.Module):  # type: ignore[misc]
    """The network of a copy transformer.

    Args:
        tokens: Size of the vocabulary.
        size: The size of the network.
        length: Most tokens of a source.
    """

    def __init__(self, tokens: int, size: Size, length: int) -> None:
        super().__init__()
        width, layers = size.width, size.layers
        settings = {
            "d_model": width, "nhead": size.heads, "dim_feedforward": 4 * width,
            "dropout": DROPOUT, "batch_first": True, "norm_first": True, "activation": "gelu",
        }  # fmt: skip
        self.embedding = nn.Embedding(tokens, width, padding_idx=PAD)
        self.place = nn.Embedding(max(length, LONGEST) + 1, width)
        for table in (self.embedding, self.place):
            nn.init.normal_(table.weight, std=width**-0.5)
        self.encoder = nn.TransformerEncoder(
            nn.TransformerEncoderLayer(**settings), layers, nn.LayerNorm(width),
            enable_nested_tensor=False,
        )  # fmt: skip
        self.decoder = nn.TransformerDecoder(
            nn.TransformerDecoderLayer(**settings), layers, nn.LayerNorm(width)
        )
        self.query, self.key = nn.Linear(2 * width, width), nn.Linear(2 * width, width)
        self.gate = nn.Linear(width, 1)

    def loss(self, source: Any, target: Any) -> Any:
        """Return the mean negative log probability (nats) of the tokens of replies.

        Args:
            source: Token ids of sources: shape (rows, source tokens).
            target: Token ids of the replies with their end: shape (rows, reply tokens).
        """
        return self.losses(source, target)[target != PAD].mean()

    def losses(self, source: Any, target: Any) -> Any:
        """Return the negative log probability (nats) of each token, 0 for padding.

        Args:
            source: Token ids of sources: shape (rows, source tokens).
            target: Token ids of the replies with their end: shape (rows, reply tokens).

        Returns:
            A tensor of shape (rows, reply tokens).
        """
        before = pad(target[:, :-1], (1, 0), value=START)
        states, gate, alpha = self._decode(before, source, self._encode(source))
        copied = (alpha * (source.unsqueeze(1) == target.unsqueeze(2))).sum(2)
        made = log_softmax(states @ self.embedding.weight.T, dim=2)
        made = made.gather(2, target.unsqueeze(2)).squeeze(2).exp()
        right = gate * copied + (1 - gate) * made
        return -(right + SMALLEST).log() * (target != PAD)

    def write(self, source: Any) -> Any:
        """Return the token ids of a reply to each source, by greedy decoding.

        The shape is (rows, tokens), with at most `LONGEST` tokens; those after `END` are to be
        ignored.
        """
        memory = self._encode(source)
        written = torch.full((len(source), 1), START, device=source.device)
        ended = torch.zeros(len(source), dtype=torch.bool, device=source.device)
        while written.shape[1] <= LONGEST and not bool(ended.all()):
            states, gate, alpha = self._decode(written, source, memory)
            made = softmax(states[:, -1] @ self.embedding.weight.T, dim=1)
            shares = (1 - gate[:, -1:]) * made
            shares = shares.scatter_add(1, source, gate[:, -1:] * alpha[:, -1])
            shares[:, [PAD, START]] = 0
            best = shares.argmax(1)
            ended |= best == END
            written = torch.cat([written, best.unsqueeze(1)], dim=1)
        return written[:, 1:]

    def _encode(self, source: Any) -> Any:
        """Return the encoder's states: shape (rows, source tokens, width)."""
        return self.encoder(self._vectors(source), src_key_padding_mask=source == PAD)

    def _decode(self, before: Any, source: Any, memory: Any) -> tuple[Any, Any, Any]:
        """Return the decoder's states, gates, and attention over source tokens.

        The shapes are (rows, tokens, width), (rows, tokens) and (rows, tokens, source tokens).
        """
        length = before.shape[1]
        later = torch.ones(length, length, dtype=torch.bool, device=before.device).triu(1)
        states = self.decoder(
            self._vectors(before), memory, tgt_mask=later, memory_key_padding_mask=source == PAD
        )
        query = self.query(torch.cat([states, self.embedding(before)], dim=2))
        shifted = self.embedding(pad(source[:, :-1], (1, 0), value=PAD))
        key = self.key(torch.cat([memory, shifted], dim=2))
        scores = (query @ key.transpose(1, 2)) / query.shape[2] ** 0.5
        alpha = softmax(scores.masked_fill((source == PAD).unsqueeze(1), -torch.inf), dim=2)
        return states, torch.sigmoid(self.gate(states)).squeeze(2), alpha

    def _vectors(self, tokens: Any) -> Any:
        """Return the vectors of tokens and their places: shape (rows, tokens, width)."""
        return self.embedding(tokens) + self.place.weight[: tokens.shape[1]]


def _byte_pairs(texts: Iterable[str], size: int) -> Tokenizer:
    """Return a tokenizer by byte pair encoding, trained on texts."""
    found = Tokenizer(BPE())
    found.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    found.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=size, special_tokens=SPECIAL, initial_alphabet=alphabet, show_progress=False
    )
    found.train_from_iterator(texts, trainer)
    return found


def _padded(rows: Sequence[Sequence[int]], numbers: Sequence[int]) -> Any:
    """Return the rows of given indices as a tensor, padded at the end."""
    tensors = [torch.tensor(rows[number]) for number in numbers]
    return nn.utils.rnn.pad_sequence(tensors, batch_first=True, padding_value=PAD).to(device())


def _ended(row: list[int]) -> list[int]:
    """Return the tokens before the end of a reply."""
    return row[: row.index(END)] if END in row else row
