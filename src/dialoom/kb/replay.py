"""The recorded calls of a dialogue made again on a fresh knowledge base, and compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.event import Event, Query, Result
from dialoom.kb.base import KnowledgeBase


class Mismatch(Struct, frozen=True):
    """Where the answer of a replayed call, or the end state, differs from the record.

    Attributes:
        query: The query's id; empty for the end state.
        field: What differs: items, total, changes; query where a result answers no query.
        recorded: What the dialogue has.
        replayed: What the knowledge base says now.
    """

    query: str
    field: str
    recorded: Any
    replayed: Any


def replay(
    kb: KnowledgeBase,
    events: Iterable[Event],
    name: str = "",
    changes: Mapping[str, Any] | None = None,
) -> tuple[Mismatch, ...]:
    """Make a dialogue's calls again, within a dialogue of that name that is rolled back.

    Args:
        kb: A knowledge base with the rows that the dialogue began with.
        events: The dialogue's events; all but queries and results are passed over.
        name: The name the dialogue was given then.
        changes: `Difference.data()` of the recorded session; None leaves the end state unchecked.

    Raises:
        UnknownNameError: A query names an API or a parameter that the knowledge base has not.
    """
    queries: dict[str, Query] = {}
    found: list[Mismatch] = []
    with kb.dialogue(name) as session:
        for event in events:
            if isinstance(event, Query):
                queries[event.id] = event
            elif isinstance(event, Result):
                found += _compare(kb, queries.get(event.query), event)
        after = session.difference().data()
    if changes is not None and after != dict(changes):
        found.append(Mismatch("", "changes", dict(changes), after))
    return tuple(found)


def _compare(kb: KnowledgeBase, query: Query | None, result: Result) -> Iterable[Mismatch]:
    if query is None:
        return [Mismatch(result.query, "query", result.query, None)]
    answer = kb.call(query.api, query.constraints, limit=max(1, len(result.items)))
    pairs = {"items": (result.items, answer.items), "total": (result.total, answer.total)}
    return [
        Mismatch(query.id, field, recorded, replayed)
        for field, (recorded, replayed) in pairs.items()
        if recorded != replayed
    ]
