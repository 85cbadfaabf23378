"""Models that answer questions about dialogues, by name.

    MODELS.get("follower")()

A factory takes a model's settings as keywords.
"""

from __future__ import annotations

from collections.abc import Callable

from dialoom.models.base import Model
from dialoom.registry import Registry

MODELS: Registry[Callable[[], Model]] = Registry(
    "model",
    "dialoom.models",
    {
        "majority": "dialoom.models.majority:Majority",
        "nearest": "dialoom.models.nearest:Nearest",
        "follower": "dialoom.models.follower:Follower",
        "follower-minilm": "dialoom.models.minilm:minilm_follower",
    },
    extra="models",
)
"""The models; calling what `get` returns makes one with its default settings."""

__all__ = ["MODELS", "Model"]
