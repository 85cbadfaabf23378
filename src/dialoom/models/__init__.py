"""Models that answer questions about dialogues, by name.

    MODELS.get("follower")(members=3)

A model takes its settings as keywords.
"""

from __future__ import annotations

from typing import Any

from dialoom.models.base import Model, settings_of
from dialoom.registry import Registry

MODELS: Registry[type[Any]] = Registry(
    "model",
    "dialoom.models",
    {
        "majority": "dialoom.models.majority:Majority",
        "nearest": "dialoom.models.nearest:Nearest",
        "follower": "dialoom.models.follower:Follower",
        "responder": "dialoom.models.responder:Responder",
        "scope": "dialoom.models.scope:ScopeTrees",
        "scope-distance": "dialoom.models.scope:ScopeDistance",
        "schema-attention": "dialoom.models.neural.schema_attention:SchemaAttention",
        "copy-transformer": "dialoom.models.neural.copy_transformer:CopyTransformer",
        "empty": "dialoom.models.rule_tracker:EmptyState",
        "rules": "dialoom.models.rule_tracker:RuleTracker",
        "tracker": "dialoom.models.tracker:Tracker",
        "random": "dialoom.models.candidates:RandomOrder",
        "tfidf": "dialoom.models.candidates:Tfidf",
        "caller": "dialoom.models.caller.model:Caller",
        "typed": "dialoom.models.suggester:TypedText",
        "suggester": "dialoom.models.suggester:WeightedReplies",
        "tracked": "dialoom.models.caller.tracked:TrackedCall",
        "selector": "dialoom.models.selector:Selector",
        "retrieve": "dialoom.models.realiser:Retrieve",
        "copy": "dialoom.models.realiser:ActCopy",
        "template": "dialoom.models.realiser:ActTemplates",
        "ranker": "dialoom.models.ranker:Ranker",
        "frame-reader": "dialoom.models.frames.reader:FrameReader",
        "frame-rules": "dialoom.models.frames:FrameRules",
        "frame-trees": "dialoom.models.frames:FrameTrees",
        "slot-spans": "dialoom.models.spans:SlotSpans",
        "span-rules": "dialoom.models.spans:SpanRules",
        "act-policy": "dialoom.models.policy:ActPolicy",
        "act-bigrams": "dialoom.models.policy:ActBigrams",
        "act-rules": "dialoom.models.policy:ActRules",
        "call-policy": "dialoom.models.policy:CallPolicy",
        "call-rules": "dialoom.models.policy:CallRules",
        "ngram": "dialoom.models.ngram:NgramReplies",
        "argument-tagger": "dialoom.models.arguments:ArgumentTagger",
        "gazetteer": "dialoom.models.arguments:Gazetteer",
        "lookup": "dialoom.bench.dstc6.lookup:LookupRanker",
    },
    extra="models",
)
"""The models; calling what `get` returns makes one with its default settings."""

__all__ = ["MODELS", "Model", "settings_of"]
