"""Models that answer questions about dialogues, by name.

    MODELS.get("follower")(members=3)

A model takes its settings as keywords.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from dialoom.dialogue.annotation import Struct
from dialoom.learn.model import Model, settings_of
from dialoom.registry import Registry

if TYPE_CHECKING:
    from dialoom.learn.saved import SavedModel

MODELS: Registry[type[Any]] = Registry(
    "model",
    "dialoom.models",
    {
        "majority": "dialoom.models.baselines:Majority",
        "nearest": "dialoom.models.baselines:Nearest",
        "follower": "dialoom.models.follower:Follower",
        "responder": "dialoom.models.responder:Responder",
        "scope": "dialoom.models.scope:ScopeTrees",
        "word-count": "dialoom.models.scope:WordCount",
        "schema-attention": "dialoom.models.neural.schema_attention:SchemaAttention",
        "empty": "dialoom.models.rule_tracker:EmptyState",
        "rules": "dialoom.models.rule_tracker:RuleTracker",
        "tracker": "dialoom.models.tracker:Tracker",
        "openai": "dialoom.models.lm.model:OpenAIModel",
        "transformers": "dialoom.models.lm.model:TransformersModel",
        "lm": "dialoom.models.lm.tuned:TunedModel",
        "random": "dialoom.models.baselines:RandomOrder",
        "tfidf": "dialoom.models.baselines:Tfidf",
        "caller": "dialoom.models.caller.model:Caller",
        "typed": "dialoom.models.suggester:TypedText",
        "suggester": "dialoom.models.suggester:WeightedReplies",
        "tracked": "dialoom.models.caller.tracked:TrackedCall",
        "selector": "dialoom.models.selector:Selector",
        "retrieve": "dialoom.models.realiser.retrieval:Retrieve",
        "copy": "dialoom.models.realiser.forms:ActCopy",
        "template": "dialoom.models.realiser.forms:ActTemplates",
        "ranker": "dialoom.models.ranker.model:Ranker",
        "frame-reader": "dialoom.models.frames.nlu:FrameReader",
        "frame-rules": "dialoom.models.frames.trees:FrameRules",
        "frame-trees": "dialoom.models.frames.trees:FrameTrees",
        "slot-spans": "dialoom.models.spans:SlotSpans",
        "span-rules": "dialoom.models.spans:SpanRules",
        "act-policy": "dialoom.models.policy.acts:ActPolicy",
        "act-rules": "dialoom.models.policy.acts:ActRules",
        "call-policy": "dialoom.models.policy.acts:CallPolicy",
        "call-rules": "dialoom.models.policy.acts:CallRules",
        "ngram": "dialoom.models.ngram:NgramReplies",
        "argument-tagger": "dialoom.models.arguments:ArgumentTagger",
    },
)
"""The models; calling what `get` returns makes one with its default settings."""


def load(path: Path, kind: type[Struct] | None = None) -> SavedModel:
    """Read a model file; arguments and errors as of `dialoom.learn.saved.load`."""
    from dialoom.learn import saved

    return saved.load(path, MODELS.get, kind)


__all__ = ["MODELS", "Model", "load", "settings_of"]
