"""The interface, inputs and training of reply writers.

A writer is trained on contexts with the replies that followed them, and then writes replies. Two
take the place of GPT-2: a copy transformer trained from scratch (copying.py), and a pretrained
causal language model of a folder (language_model.py).
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Protocol

LONGEST = 64
"""Most tokens of a reply; STAR's longest replies have about fifty."""

NEAR = 20
"""Number of batches whose items are sorted by length together, to reduce padding."""

WARM = 0.05
"""Share of the steps in which the learning rate rises (warm-up); then it falls linearly to 0."""

LARGEST = 1.0
"""Norm that the gradient of a step is clipped to."""


class ReplyContext(NamedTuple):
    """The input for writing a reply.

    Attributes:
        history: The history as text; its beginning is cut where it is too long.
        hints: Text after the history: reply templates of the likeliest actions.
    """

    history: str
    hints: str = ""


class Training(NamedTuple):
    """The settings of a writer's training.

    Attributes:
        epochs: Passes over the examples.
        rate: The highest learning rate.
        batch: Examples in a batch.
        length: Most tokens read of a history, its last ones.
        seed: The seed of initial weights, dropout and batches.
    """

    epochs: int
    rate: float
    batch: int
    length: int
    seed: int


class Writer(Protocol):
    """A model that writes replies."""

    def fit(self, sources: Sequence[ReplyContext], replies: Sequence[str]) -> None:
        """Train on sources and the reply that followed each."""

    def write(self, sources: Sequence[ReplyContext]) -> list[str]:
        """Return a reply for each source."""

    def log_likelihoods(
        self, sources: Sequence[ReplyContext], replies: Sequence[str]
    ) -> list[float]:
        """Return the logarithm (nats) of the probability of each reply."""


def beyond(length: int, room: int, tokens: int) -> float:
    """Return the log probability (nats) of the tokens of a reply beyond the most that are scored.

    Each of them counts as drawn uniformly from the vocabulary.

    Args:
        length: Tokens of the reply.
        room: Most tokens that are scored.
        tokens: Size of the vocabulary.
    """
    return -math.log(tokens) * max(0, length - room)


def batches(lengths: Sequence[int], size: int, draw: random.Random) -> list[list[int]]:
    """Return the indices of all items in batches of similar length, in random order.

    Args:
        lengths: The length of each item.
        size: Most items of a batch.
        draw: The source of random numbers.
    """
    order = draw.sample(range(len(lengths)), len(lengths))
    found = []
    for start in range(0, len(order), NEAR * size):
        near = order[start : start + NEAR * size]
        found += by_length(near, lengths, size)
    draw.shuffle(found)
    return found


def by_length(numbers: Iterable[int], lengths: Sequence[int], size: int) -> list[list[int]]:
    """Return the given indices of items in batches, in ascending order of length."""
    order = sorted(numbers, key=lambda number: lengths[number])
    return [order[start : start + size] for start in range(0, len(order), size)]


def train(
    network: Any, training: Training, lengths: Sequence[int], loss: Callable[[list[int]], Any]
) -> None:
    """Train a network with AdamW, with warm-up and linear decay of the learning rate.

    Args:
        network: The network, a torch module.
        training: The settings.
        lengths: The length of each example.
        loss: Returns the loss of the examples with given indices.
    """
    import torch

    draw = random.Random(training.seed)
    order = [
        numbers
        for _ in range(training.epochs)
        for numbers in batches(lengths, training.batch, draw)
    ]
    optimiser = torch.optim.AdamW(network.parameters(), lr=training.rate)
    warm = max(1, round(WARM * len(order)))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda n: min((n + 1) / warm, (len(order) - n) / max(1, len(order) - warm))
    )
    network.train()
    with torch.random.fork_rng():
        torch.manual_seed(training.seed)
        for numbers in order:
            optimiser.zero_grad()
            loss(numbers).backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), LARGEST)
            optimiser.step()
            schedule.step()
    network.eval()
