"""The base class of kinds of work whose documents can be compared: with a known answer, or two."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from dialoom.collect.item import WorkItem, gold_source
from dialoom.collect.kinds.document.kind import DocumentKind


class ComparableKind(DocumentKind):
    """Base of the kinds of work that may have gold items and rules of agreement."""

    @abstractmethod
    def known(self) -> Iterator[tuple[Any, Any]]:
        """Yield the content of each gold item of the stage, as `made` does."""

    @abstractmethod
    def score(self, given: Any, document: Mapping[str, Any]) -> float:
        """Return the score of a document against the known answer of a gold item, 0 to 1."""

    @abstractmethod
    def agreement(self, given: Any, one: Mapping[str, Any], other: Mapping[str, Any]) -> float:
        """Return the agreement of two documents about an item, 0 to 1."""

    def gold(self) -> Iterator[WorkItem]:
        """Yield the gold items of the stage."""
        for number, (content, key) in enumerate(self.known(), start=1):
            item = self.item(number, content, key)
            source = gold_source(item.source)
            yield replace(item, id=f"{source} {number}", source=source, target=0, gold=True)
