"""Fine-tuning of a local language model: low-rank adapters (LoRA), or all of its weights.

Hu et al. 2022: each linear layer's output W x gets SCALE B A x. W is frozen, and B begins at 0.
Imports torch: import this module only to fit or use a model.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

import torch
from torch import nn
from transformers.pytorch_utils import Conv1D

from dialoom.render.progress import track

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Arrays = dict[str, npt.NDArray[np.float32]]

SCALE = 2.0
"""Factor of an adapter's output, as the paper's alpha / rank."""

LARGEST = 1.0
"""Norm that the gradient of a step is clipped to."""

Pair = tuple[list[int], list[int]]
"""The token ids of a prompt and of its answer."""


class Tuner:
    """Trains a network; `rank` is that of the adapters, 0 to train all weights."""

    def __init__(self, network: Any, rank: int, seed: int) -> None:
        self._network, self._seed = network, seed
        network.requires_grad_(not rank)
        if not rank:
            network.float()
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            self._learnt = adapters(network, rank) if rank else dict(network.named_parameters())

    def arrays(self) -> Arrays:
        """Return the trained parameters."""
        return {name: part.detach().cpu().numpy() for name, part in self._learnt.items()}

    def restore(self, learnt: Arrays) -> None:
        """Set the trained parameters."""
        for name, part in self._learnt.items():
            part.data.copy_(torch.from_numpy(learnt[name]))

    def train(self, pairs: Sequence[Pair], *, epochs: int, rate: float, batch: int) -> None:
        """Train on prompts with their answers; the rate falls to 0 in a line."""
        batches, draw = list[list[Pair]](), Random(self._seed)
        for _ in range(epochs):
            order = draw.sample(pairs, len(pairs))
            batches += [order[start : start + batch] for start in range(0, len(order), batch)]
        learnt = list(self._learnt.values())
        optimiser = torch.optim.AdamW(learnt, lr=rate, weight_decay=0.0)
        falling = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda n: 1 - n / len(batches))
        self._network.train()
        with torch.random.fork_rng():
            torch.manual_seed(self._seed)
            for part in track(batches, "batches", len(batches)):
                for pair in part:
                    (self._loss(pair) / len(part)).backward()
                nn.utils.clip_grad_norm_(learnt, LARGEST)
                optimiser.step()
                falling.step()
                optimiser.zero_grad()
        self._network.eval()

    def _loss(self, pair: Pair) -> Any:
        prompt, answer = pair
        tokens = torch.tensor([*prompt, *answer], device=self._network.device)
        logits = self._network(input_ids=tokens[None]).logits[0, len(prompt) - 1 : -1]
        return nn.functional.cross_entropy(logits.float(), tokens[len(prompt) :])


def adapters(network: Any, rank: int) -> dict[str, Any]:
    """Add adapters to the linear layers but the last; return their parameters by name."""
    parameters: dict[str, Any] = {}
    for name, layer in network.named_modules():
        if not isinstance(layer, nn.Linear | Conv1D) or layer is network.get_output_embeddings():
            continue
        size = layer.weight.shape if isinstance(layer, Conv1D) else layer.weight.T.shape
        down = torch.randn(size[0], rank) / size[0] ** 0.5
        for part, values in ("down", down), ("up", torch.zeros(rank, size[1])):
            parameters[f"{name}.{part}"] = nn.Parameter(values.to(layer.weight.device))
        added = partial(_added, parameters[f"{name}.down"], parameters[f"{name}.up"])
        layer.register_forward_hook(added)
    return parameters


def _added(down: Any, up: Any, layer: Any, inputs: Any, output: Any) -> Any:
    return output + (inputs[0].to(down.dtype) @ down @ up * SCALE).to(output.dtype)
