"""Predicts types of slots by the words of names and descriptions.

Rules derive the type of a slot without listed values from its words (schema.service_words); they
classify "trip_start" as a time, whatever its description. So they decide only if name and
description alone have the same type for them, other than free text; else a classifier does. It is a
logistic regression over words, the last word of the name, and the rules' two types. It is fitted on
the slots of training's services in all their wordings, also by the name or the description alone;
their types are those of the original wording.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec.structs import replace

from dialoom.learn.words import content, root, stem
from dialoom.models.tracker.turns import TEXT
from dialoom.schema.lexicon import split_name
from dialoom.schema.service import ServiceSlot
from dialoom.schema.service_words import ServiceWords

_MEMORY = 10_000
"""Number of slots in the cache of features."""


class TypedSlot(NamedTuple):
    """A slot of a service without listed values, in one wording, and its type."""

    service: str
    slot: ServiceSlot
    type: str


class SlotTypes:
    """Predicts types of slots; by the rules if it was fitted on fewer than two types."""

    def __init__(self, slots: Iterable[TypedSlot] = ()) -> None:
        read = [part for each in slots for part in _parts(each)]
        self._model = _fitted(
            [_features(each.slot.name, each.slot.description) for each in read],
            [each.type for each in read],
        )

    def __call__(self, slot: ServiceSlot, kind: str) -> str:
        """Return the type of a slot; `kind` is the rules' type."""
        if self._model is None:
            return kind
        of_name, of_description = _by_rules(slot.name, slot.description)
        if of_name == of_description != TEXT:
            return of_name
        return str(self._model.predict([_features(slot.name, slot.description)])[0])


def _parts(typed: TypedSlot) -> Iterator[TypedSlot]:
    yield typed
    yield typed._replace(slot=replace(typed.slot, name=""))
    yield typed._replace(slot=replace(typed.slot, description=None))


def _fitted(rows: Sequence[dict[str, float]], labels: Sequence[str]) -> Any:
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    if len(set(labels)) < 2:
        return None
    model = make_pipeline(DictVectorizer(), LogisticRegression(C=3.0, max_iter=500))
    return model.fit(rows, labels)


@lru_cache(_MEMORY)
def _features(name: str, description: str | None) -> dict[str, float]:
    words = [root(stem(word)) for word in split_name(name)]
    described = content(description or "")
    row = {f"name {word}": 1.0 for word in words} | {f"last {word}": 1.0 for word in words[-1:]}
    row |= {f"word {word}": 1.0 for word in (*words, *described)}
    row |= {f"first {word}": 1.0 for word in described[:1]}
    for what, kind in zip(("name", "description"), _by_rules(name, description), strict=True):
        row[f"{what}: {kind}"] = 1.0
    return row


def _by_rules(name: str, description: str | None) -> tuple[str, str]:
    """Return a slot's type by the rules, from its name alone and from its description alone."""
    kind = ServiceWords().kind
    alone = ServiceSlot(name=name), ServiceSlot(name="", description=description)
    of_name, of_description = (str(kind(slot)["type"]) for slot in alone)
    return of_name, of_description
