"""The network of schema attention: an encoder of texts, a classifier, an attention and a gate.

Imports torch: import this module only to fit or use a model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch import nn
from torch.nn.functional import softmax

from dialoom.http.local import device
from dialoom.learn.encodings import encodings

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

LARGEST = 1.0
"""Norm that the gradient of a step is clipped to."""

SMALLEST = 1e-9
"""Added to a probability before its logarithm is taken."""


class FrozenTexts(nn.Module):  # type: ignore[misc]
    """Encodes texts with a frozen encoder and a cache; arguments as of `encodings`."""

    def __init__(self, weights: str | None, length: int) -> None:
        super().__init__()
        self._vectors = encodings(weights, length)
        self.size = self._vectors.size

    def forward(self, texts: Sequence[str]) -> Any:
        """Return a row for each text."""
        return torch.from_numpy(self._vectors(texts)).to(device())


Arrays = dict[str, "npt.NDArray[np.float32]"]
"""Name of a parameter or buffer to its value."""


def arrays(network: Any) -> Arrays:
    """Return the parameters of a network, without those of frozen encoders."""
    return {name: part.cpu().numpy() for name, part in network.state_dict().items()}


def restore(network: Any, learnt: Arrays) -> None:
    """Load parameters into a network of the same shape, and put it in evaluation mode."""
    network.load_state_dict({name: torch.from_numpy(part) for name, part in learnt.items()})
    network.eval()


class Network(nn.Module):  # type: ignore[misc]
    """The network of formulae (1) to (4) in `schema_attention`; on a GPU if there is one.

    `labels` is the number of labels; without `schema` it does not attend over nodes.
    """

    def __init__(self, texts: FrozenTexts, labels: int, *, schema: bool, seed: int) -> None:
        super().__init__()
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            self.classifier = nn.Linear(texts.size, labels)
            self.gate = nn.Linear(texts.size, 1)
        self.texts, self.schema = texts, schema
        self.history_map, self.node_map = _identity(texts.size), _identity(texts.size)
        self.to(device())

    def optimiser(self, rate: float) -> Any:
        """Return the optimiser (AdamW)."""
        return torch.optim.AdamW(self.parameters(), lr=rate)

    def step(
        self,
        optimiser: Any,
        histories: Sequence[str],
        node_texts: Sequence[str],
        gold: Sequence[int],
        leads: Sequence[Sequence[bool]],
    ) -> None:
        """Train on one batch of questions about a task.

        `gold` has the index of each question's gold label; `leads` shows which nodes it follows.
        """
        self.train()
        by_class, by_node = self(histories, node_texts)
        rows = torch.arange(len(gold), device=by_class.device)
        right = by_class[rows, torch.tensor(gold, device=by_class.device)]
        if by_node is not None:
            right = right + (by_node * torch.tensor(leads, device=by_node.device)).sum(1)
        loss = -(right + SMALLEST).log().mean()
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.parameters(), LARGEST)
        optimiser.step()

    def forward(self, histories: Sequence[str], node_texts: Sequence[str]) -> tuple[Any, Any]:
        """Return the probabilities of labels and of nodes, which add up to 1 together.

        The shapes are (questions, labels) and (questions, nodes); without nodes, the second is
        None.
        """
        history = self.texts(histories)
        by_class = softmax(self.classifier(history), dim=1)
        if not (self.schema and node_texts):
            return by_class, None
        scores = self.history_map(history) @ self.node_map(self.texts(node_texts)).T
        alpha = softmax(scores / self.texts.size**0.5, dim=1)
        gate = torch.sigmoid(self.gate(history))
        return (1 - gate) * by_class, gate * alpha

    def distributions(
        self, histories: Sequence[str], node_texts: Sequence[str]
    ) -> list[tuple[list[float], list[float]]]:
        """Return the probabilities of labels and of nodes for each question."""
        with torch.inference_mode():
            by_class, by_node = self(histories, node_texts)
        by_node = by_class[:, :0] if by_node is None else by_node
        return list(zip(by_class.tolist(), by_node.tolist(), strict=True))


def _identity(size: int) -> Any:
    layer = nn.Linear(size, size, bias=False)
    nn.init.eye_(layer.weight)
    return layer
