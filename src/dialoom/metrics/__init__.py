"""Scores of predictions: counts, scores made of them, intervals and paired tests."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from dialoom.metrics.base import Counts, Metric, Score, Signature
from dialoom.metrics.bootstrap import Difference, Interval, Resampled, compare, macro, resample
from dialoom.registry import Registry

if TYPE_CHECKING:
    from dialoom.metrics.lists import (
        action_f1,
        bleu,
        call_accuracy,
        joint_goal_accuracy,
        precision_at_1,
    )

METRICS: Registry[Callable[[], Metric]] = Registry(
    "metric",
    "dialoom.metrics",
    {
        "classification": "dialoom.metrics.classification:Classification",
        "accepted-calls": "dialoom.metrics.calls:AcceptedCalls",
        "acts": "dialoom.metrics.overlap:ActMatch",
        "calls": "dialoom.metrics.calls:CallMatch",
        "detection": "dialoom.metrics.classification:Detection",
        "frames": "dialoom.metrics.frames:FrameTracking",
        "next-acts": "dialoom.metrics.overlap:NextActMatch",
        "recall": "dialoom.metrics.ranking:RecallAtK",
        "ranking": "dialoom.metrics.ranking:PrecisionAtK",
        "responses": "dialoom.metrics.ranking:ResponseAccuracy",
        "reciprocal-rank": "dialoom.metrics.ranking:ReciprocalRank",
        "exact-match": "dialoom.metrics.generation:ExactMatch",
        "bleu": "dialoom.metrics.generation:Bleu",
        "text-bleu": "dialoom.metrics.realisation:CorpusBleu",
        "text-overlap": "dialoom.metrics.realisation:TextOverlap",
        "slot-errors": "dialoom.metrics.realisation:SlotErrors",
        "text-variety": "dialoom.metrics.realisation:TextVariety",
        "bleurt": "dialoom.metrics.pairs:OutsideScore",
        "perplexity": "dialoom.metrics.generation:Perplexity",
        "intents": "dialoom.metrics.state:IntentMatch",
        "spans": "dialoom.metrics.overlap:SpanMatch",
        "state": "dialoom.metrics.state:StateTracking",
        "token-similarity": "dialoom.metrics.token_similarity:TokenSimilarity",
    },
)
"""The metrics; calling what `get` returns makes one with its default settings."""

__all__ = [
    "METRICS",
    "Counts",
    "Difference",
    "Interval",
    "Metric",
    "Resampled",
    "Score",
    "Signature",
    "action_f1",
    "bleu",
    "call_accuracy",
    "compare",
    "joint_goal_accuracy",
    "macro",
    "precision_at_1",
    "resample",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("dialoom.metrics.lists"), name)
